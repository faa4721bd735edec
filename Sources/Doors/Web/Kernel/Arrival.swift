import Bytes
import Glibc
import HTTP
import Storage

/// What an upload brought: files, or words about where to find them.
struct Arrival {
    struct File {
        var path: String?
        var bytes: [UInt8]?
        var name: String
        var byteCount: Int64
    }

    var files: [File] = []
    /// The form's other fields, or a JSON object sent instead.
    var input: Input

    /// What is not JSON and no form is the file itself; its name comes in the query.
    init(_ visit: Visit) throws {
        let request = visit.request
        let name = request.query["name"] ?? ""
        switch request.body {
        case .form(let form):
            input = try Input(request)
            files = form.files.map { File(path: $0.path, name: $0.fileName, byteCount: $0.byteCount) }
        case .file(let path, let count) where request.mediaType?.isJSON == true && count <= 1 << 20:
            var sent = request
            sent.body = .bytes(try Self.read(path))
            input = try Input(sent)
        case .file(let path, let count):
            input = Input()
            files = [File(path: path, name: name, byteCount: count)]
        case .bytes(let bytes)
        where !bytes.isEmpty && request.mediaType?.isJSON != true
            && request.mediaType?.isSameKind(as: .urlEncoded) != true:
            input = Input()
            files = [File(bytes: bytes, name: name, byteCount: Int64(bytes.count))]
        case .bytes, .none:
            input = try Input(request)
        }
        if let large = files.first(where: { $0.byteCount > visit.site.settings.uploadLimit }) {
            throw Failure(
                .tooLarge, "“\(large.name)” is larger than what may be uploaded here.", field: "file")
        }
    }

    private static func read(_ path: String) throws -> [UInt8] {
        guard let file = fopen(path, "rb") else { throw Failure(.damaged, "The upload has vanished.") }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: (1 << 20) + 1)
        let count = fread(&bytes, 1, bytes.count, file)
        return Array(bytes.prefix(count))
    }
}

extension Arrival.File {
    func read(atMost limit: Int) throws -> [UInt8] {
        guard byteCount <= Int64(limit) else {
            throw Failure(
                .tooLarge, "“\(name)” is too large. It may have at most \(limit / 1_000_000) MB.",
                field: "file")
        }
        if let bytes { return bytes }
        guard let path, let file = fopen(path, "rb") else {
            throw Failure(.damaged, "The upload has vanished.")
        }
        defer { fclose(file) }
        var read = [UInt8](repeating: 0, count: Int(byteCount))
        let count = fread(&read, 1, read.count, file)
        return Array(read.prefix(count))
    }
}

extension Request {
    /// Nil when it is not said beforehand.
    var announcedLength: Int64? { headers["Content-Length"].flatMap { Int64($0) } }

    /// What says beforehand that it is too long is not read at all.
    func checkLength(atMost limit: Int64) throws(Failure) {
        guard let announcedLength else { return }
        try Self.checkLength(announcedLength, atMost: limit)
    }

    static func checkLength(_ length: Int64, atMost limit: Int64) throws(Failure) {
        guard length > limit else { return }
        throw Failure(.tooLarge, "This is larger than the \(limit) bytes that an upload may have here.")
    }
}
