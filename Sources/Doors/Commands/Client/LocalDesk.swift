import App
import Bytes
import Crypto
import Glibc
import HTTP
import Markup
import Storage
import Web
import Work

/// The desk in this process: its routes are called without a socket between, as the owner of the machine.
struct LocalDesk: DeskConnection {
    private let quire: Quire
    private let site: Site
    private let showsPrivate: Bool

    init(_ quire: Quire, showsPrivate: Bool = false) {
        self.quire = quire
        self.showsPrivate = showsPrivate
        site = Site(quire: quire, settings: SiteSettings(quire.config))
    }

    var name: String { quire.config.home }

    func send(_ request: DeskRequest, into file: String?, _ progress: Progress) throws -> DeskAnswer {
        guard let method = Method(request.method) else {
            throw Failure(.invalid, "\(request.method) is not a method.")
        }
        var headers: Headers = ["Accept": request.accept, "Accept-Language": request.language.tag]
        if showsPrivate { headers.set("X-Quire-Private", "show") }
        var body = Request.Body.none
        var copy: SpoolCopy?
        switch request.body {
        case .none: break
        case .json(let json):
            headers.set("Content-Type", "application/json")
            body = .bytes(json.bytes)
        case .file(let given):
            // The handler may move what it gets, so it gets a copy.
            let made = try SpoolCopy(of: given, in: quire.store.home.temporary, progress)
            copy = made
            body = .form(made.form)
        }
        let response = site.router.response(
            to: try Request(method, request.target, headers: headers, body: body))
        return try withExtendedLifetime(copy) { try answer(response, into: file) }
    }

    private func answer(_ response: Response, into file: String?) throws -> DeskAnswer {
        var answer = DeskAnswer(
            status: response.status.code, headers: response.headers.map { ($0.name, $0.value) }, body: [])
        let sink = try file.flatMap { answer.status < 300 ? $0 : nil }.map { try NewFile($0) }
        let take: (UnsafeRawBufferPointer) throws -> Void = { piece in
            if let sink { try sink.write(piece) } else { answer.body.append(contentsOf: piece) }
        }
        switch response.body {
        case .none: break
        case .bytes(let bytes): try bytes.withUnsafeBytes(take)
        case .fixed(let fixed): try fixed.bytes.withUnsafeBytes(take)
        case .file(let path, let part): try Self.read(path, part, take)
        case .stream(let make):
            let pieces = StreamTarget(sink)
            try make(ByteSink { try pieces.take($0) })
            answer.body += pieces.collected
        case .events: throw Failure(.unsupported, "Events are only told by a server.")
        }
        try sink?.finish()
        return answer
    }

    private static func read(
        _ path: String, _ part: Range<Int64>?, _ take: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw Failure.disk(errno, "read", path) }
        defer { close(file) }
        if let part { lseek(file, off_t(part.lowerBound), SEEK_SET) }
        var left = part.map { $0.upperBound - $0.lowerBound } ?? .max
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 1)
        defer { room.deallocate() }
        let promised = part == nil ? SHA256.promised(byFileAt: path) : nil
        var hash = SHA256Stream()
        while left > 0 {
            let count = Glibc.read(file, room.baseAddress, min(room.count, Int(clamping: left)))
            guard count >= 0 else {
                throw Failure(.damaged, "A stored file cannot be read: \(Files.reason).")
            }
            guard count > 0 else {
                // A new file that is not finished is taken away again.
                guard promised == nil || hash.finish() == promised else { throw damaged(path) }
                return
            }
            hash.update(UnsafeRawBufferPointer(rebasing: room[..<count]))
            try take(UnsafeRawBufferPointer(rebasing: room[..<count]))
            left -= Int64(count)
        }
    }
}

private func damaged(_ path: String) -> Failure {
    Failure(
        .damaged,
        "The file is not what it was when it was saved, so it was not given out. “quire verify” tells what else is damaged; a backup may still have it.",
        cause: path)
}

/// Where a stream goes: into the file as it comes, or together.
// The stream is made on the thread that asked for it, and nobody else holds on to the file meanwhile.
private final class StreamTarget: @unchecked Sendable {
    private let file: NewFile?
    private(set) var collected: [UInt8] = []

    init(_ file: NewFile?) { self.file = file }

    func take(_ piece: [UInt8]) throws {
        guard let file else { return collected += piece }
        try piece.withUnsafeBytes { try file.write($0) }
    }
}

/// A file being written that must not have been there, and is gone again if it is not finished.
final class NewFile {
    private let path: String
    private let shown: String
    private var file: Int32

    /// `shown` is what a person knows it by, where that is not its path.
    init(_ path: String, as shown: String? = nil, mode: mode_t = 0o644) throws(Failure) {
        self.path = path
        self.shown = shown ?? path
        file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard file >= 0 else { throw refusal }
    }

    private var refusal: Failure {
        [ENOSPC, EDQUOT].contains(errno)
            ? .disk(errno, "keep", shown)
            : Failure(
                errno == EEXIST ? .conflict : .unavailable, "\(shown) cannot be written: \(Files.reason).")
    }

    deinit {
        guard file >= 0 else { return }
        close(file)
        unlink(path)
    }

    func write(_ piece: UnsafeRawBufferPointer) throws(Failure) {
        var left = piece[...]
        while !left.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: left)
            let count = Glibc.write(file, part.baseAddress, part.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw refusal
            }
            left = left.dropFirst(count)
        }
    }

    func finish() throws(Failure) {
        let closed = close(file)
        file = -1
        guard closed == 0 else {
            let refusal = refusal
            unlink(path)
            throw refusal
        }
    }
}

/// A copy of somebody's file in the desk's own temporary folder, as an upload would have left it there.
private final class SpoolCopy {
    let form: Form
    private let path: String

    init(of file: DeskRequest.File, in folder: String, _ progress: Progress) throws {
        var random = SystemRandomNumberGenerator()
        path = "\(folder)/add-\(getpid())-\(UInt64.random(in: 0 ... .max, using: &random))"
        form = Form(files: [
            FormFile(
                name: "file", fileName: file.name, mediaType: .octets, path: path, byteCount: file.byteCount)
        ])
        let source = open(file.path, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else {
            throw Failure(.unavailable, "\(file.path) cannot be read: \(Files.reason).")
        }
        defer { close(source) }
        let target = try NewFile(path, as: file.name)
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 1)
        defer { room.deallocate() }
        var copied: Int64 = 0
        while true {
            try progress.check()
            let count = read(source, room.baseAddress, room.count)
            guard count >= 0 else {
                throw Failure(.unavailable, "\(file.path) cannot be read: \(Files.reason).")
            }
            if count == 0 { break }
            copied += Int64(count)
            progress.advance(Int64(count))
            try target.write(UnsafeRawBufferPointer(rebasing: room[..<count]))
        }
        guard copied == file.byteCount else {
            throw Failure(.conflict, "\(file.path) changed while it was read. Try again.")
        }
        try target.finish()
    }

    deinit { unlink(path) }
}
