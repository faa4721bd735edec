import CSystem
import Glibc
import HTTP
import Work

/// Where the body of a request goes while it comes in.
protocol Intake: AnyObject {
    /// Hears how much is announced, before the first byte.
    func expect(_ byteCount: Int64) throws
    func take(_ bytes: UnsafeRawBufferPointer) throws
    func finish() throws -> Request.Body
    /// Removes what still lies on the disk once the answer is sent.
    func clear()
}

extension Intake {
    func clear() {}
}

private func tooLarge(_ limit: Int64) -> Refusal {
    Refusal(.contentTooLarge, "That is too large: at most \(limit) bytes are taken here.")
}

/// There is no body.
final class NoIntake: Intake {
    func expect(_ byteCount: Int64) {}
    func take(_ bytes: UnsafeRawBufferPointer) throws { throw tooLarge(0) }
    func finish() -> Request.Body { .none }
}

/// Reads on politely without keeping anything.
final class Discarding: Intake {
    private let limit: Int64
    private var count: Int64 = 0

    init(limit: Int64) { self.limit = limit }

    func expect(_ byteCount: Int64) throws {
        if byteCount > limit { throw tooLarge(limit) }
    }

    func take(_ bytes: UnsafeRawBufferPointer) throws {
        count += Int64(bytes.count)
        if count > limit { throw tooLarge(limit) }
    }

    func finish() -> Request.Body { .none }
}

/// Keeps a small body in memory.
final class MemoryIntake: Intake {
    private let limit: Int
    private var bytes: [UInt8] = []

    init(limit: Int) { self.limit = limit }

    func expect(_ byteCount: Int64) throws {
        if byteCount > limit { throw tooLarge(Int64(limit)) }
        bytes.reserveCapacity(Int(byteCount))
    }

    func take(_ more: UnsafeRawBufferPointer) throws {
        if bytes.count + more.count > limit { throw tooLarge(Int64(limit)) }
        bytes.append(contentsOf: more)
    }

    func finish() -> Request.Body { .bytes(bytes) }
}

/// Writes the body to a file as it comes, once it is longer than what is held in memory.
final class FileIntake: Intake {
    private let limit: Int64
    private let held: Int
    private let directory: String
    private var bytes: [UInt8] = []
    private var file: SpoolFile?

    init(limit: Int64, held: Int, directory: String) {
        self.limit = limit
        self.held = held
        self.directory = directory
    }

    func expect(_ byteCount: Int64) throws {
        if byteCount > limit { throw tooLarge(limit) }
        if byteCount <= held { bytes.reserveCapacity(Int(byteCount)) }
    }

    func take(_ more: UnsafeRawBufferPointer) throws {
        if (file?.byteCount ?? Int64(bytes.count)) + Int64(more.count) > limit { throw tooLarge(limit) }
        if file == nil, bytes.count + more.count <= held { return bytes.append(contentsOf: more) }
        try spool().write(more)
    }

    private func spool() throws(Refusal) -> SpoolFile {
        if let file { return file }
        let file = try SpoolFile(in: directory)
        self.file = file
        let result = bytes.withUnsafeBytes { bytes in Result { () throws(Refusal) in try file.write(bytes) } }
        bytes = []
        try result.get()
        return file
    }

    func finish() throws -> Request.Body {
        if held > 0, file == nil { return .bytes(bytes) }
        let file = try spool()
        file.close(isKept: true)
        return .file(path: file.path, byteCount: file.byteCount)
    }

    func clear() { file?.remove() }
}

/// Takes a multipart form apart as it comes: fields into memory, files to the disk.
final class FormIntake: Intake {
    private static let fieldBytesLimit = 1 << 20

    private let limit: Int64
    private let directory: String
    private var parser: MultipartParser
    private var received: Int64 = 0
    private var fieldBytes = 0
    private var form = Form()
    private var part: MultipartParser.Part?
    private var value: [UInt8] = []
    private var file: SpoolFile?
    private var files: [SpoolFile] = []

    init(_ type: MediaType, limit: Int64, directory: String) throws(Refusal) {
        guard let parser = MultipartParser(type) else {
            throw Refusal(.badRequest, "The form does not name its boundary.")
        }
        self.parser = parser
        self.limit = limit
        self.directory = directory
    }

    func expect(_ byteCount: Int64) throws {
        if byteCount > limit { throw tooLarge(limit) }
    }

    func take(_ bytes: UnsafeRawBufferPointer) throws {
        received += Int64(bytes.count)
        if received > limit { throw tooLarge(limit) }
        try parser.push(bytes) { event in
            switch event {
            case .part(let part): try begin(part)
            case .data(let bytes): try append(bytes)
            case .endOfPart: try end()
            }
        }
    }

    private func begin(_ part: MultipartParser.Part) throws {
        self.part = part
        value = []
        file = nil
        guard part.fileName != nil else { return }
        let spool = try SpoolFile(in: directory)
        files.append(spool)
        file = spool
    }

    private func append(_ bytes: UnsafeRawBufferPointer) throws {
        if let file { return try file.write(bytes) }
        fieldBytes += bytes.count
        guard fieldBytes <= FormIntake.fieldBytesLimit else {
            throw tooLarge(Int64(FormIntake.fieldBytesLimit))
        }
        value.append(contentsOf: bytes)
    }

    private func end() throws {
        guard let part else { return }
        self.part = nil
        if let file, let fileName = part.fileName {
            file.close()
            self.file = nil
            // A file field that was left empty is sent without name and content.
            if fileName.isEmpty && file.byteCount == 0 { return }
            form.files.append(
                FormFile(
                    name: part.name, fileName: fileName, mediaType: part.mediaType ?? .octets,
                    path: file.path,
                    byteCount: file.byteCount))
        } else {
            guard let text = String(validating: value, as: UTF8.self), !value.contains(0) else {
                throw Refusal(.badRequest, "A field of the form is not UTF-8 text.")
            }
            form.fields.add(part.name, text)
        }
    }

    func finish() throws -> Request.Body {
        try parser.finish()
        return .form(form)
    }

    func clear() { for file in files { file.remove() } }
}

/// A file that an upload is written to. Only this user can read it.
final class SpoolFile {
    let path: String
    private(set) var byteCount: Int64 = 0
    private var descriptor: Int32

    init(in directory: String) throws(Refusal) {
        var template = "\(directory)/upload-XXXXXX".utf8CString.map { $0 }
        descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw SpoolFile.refusal(errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(Refusal) {
        var rest = bytes[...]
        while let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
            let count = Glibc.write(descriptor, start, rest.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw SpoolFile.refusal(errno)
            }
            byteCount += Int64(count)
            rest = rest.dropFirst(count)
        }
    }

    /// What is likely to be kept begins its way to the disk. Not what is large: it would be waited for here.
    func close(isKept: Bool = false) {
        guard descriptor >= 0 else { return }
        if isKept, byteCount <= 256 << 10 { csystem_begin_saving(descriptor) }
        Glibc.close(descriptor)
        descriptor = -1
    }

    /// Whoever took the file has moved it; then there is nothing here to remove.
    func remove() {
        close()
        unlink(path)
    }

    deinit { close() }

    private static func refusal(_ code: Int32) -> Refusal {
        switch code {
        case ENOSPC, EDQUOT, EFBIG:
            Refusal(.outOfSpace, "There is no room left on the disk. Free some space and try again.")
        default:
            Refusal(.unavailable, "The upload cannot be stored: \(systemMessage(code)).")
        }
    }
}
