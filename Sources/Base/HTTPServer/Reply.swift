import CMicroHTTPD
import Crypto
import Glibc
import HTTP
import Synchronization
import Work

/// Turns an answer into libmicrohttpd's form of one.
enum Reply {
    /// The answer, and the status it really has: a file may have gone in the last moment.
    static func make(
        _ response: Response, _ engine: Engine, _ connection: Pointer, isHead: Bool
    ) -> (raw: OpaquePointer?, status: Status) {
        switch response.body {
        case .none, .bytes, .fixed: return (simple(response), response.status)
        case .file(let path, let part):
            guard let raw = file(path, part, engine.log) else {
                let refusal = refusal(errno)
                return (simple(.refusal(refusal)), refusal.status)
            }
            return (withHeaders(raw, response), response.status)
        case .stream(let produce):
            let raw = isHead ? buffer([]) : StreamPipe.response(engine, connection, produce)
            return (raw.flatMap { withHeaders($0, response) }, response.status)
        case .events(let stream):
            let raw = isHead ? buffer([]) : Listener.response(engine, connection, stream)
            if isHead { stream.close() }
            return (raw.flatMap { withHeaders($0, response) }, response.status)
        }
    }

    /// A program that hears that a paper is gone does not ask again; one that hears that the machine has had enough does.
    private static func refusal(_ number: Int32) -> Refusal {
        switch number {
        case EMFILE, ENFILE, ENOMEM:
            Refusal(
                .unavailable,
                number == ENOMEM
                    ? "This machine has too little memory left. Try again in a moment."
                    : "Too many files are open. Try again in a moment.", headers: ["Retry-After": "5"])
        default: Refusal(.notFound, "The file is no longer there.")
        }
    }

    /// An answer whose bytes are at hand.
    static func simple(_ response: Response) -> OpaquePointer? {
        let raw =
            switch response.body {
            case .bytes(let bytes): buffer(bytes)
            case .fixed(let fixed): buffer(fixed.bytes)
            case .none, .file, .stream, .events: buffer([])
            }
        return raw.flatMap { withHeaders($0, response) }
    }

    private static func buffer(_ bytes: [UInt8]) -> OpaquePointer? {
        bytes.withUnsafeBytes {
            MHD_create_response_from_buffer(
                $0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
        }
    }

    /// Nil, with `errno`, when it cannot be sent.
    private static func file(_ path: String, _ part: Range<Int64>?, _ log: Log) -> OpaquePointer? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            errno = ENOENT
            return nil
        }
        let size = Int64(facts.st_size)
        // A file that has shrunk since the part was cut cannot keep the promise of Content-Range.
        let part = part ?? 0..<size
        if size > 0, part == 0..<size, let promised = SHA256.promised(byFileAt: path) {
            return CheckedFile.response(path, descriptor, byteCount: size, promised: promised, log)
        }
        guard part.upperBound <= size,
            let raw = MHD_create_response_from_fd_at_offset64(
                UInt64(part.count), descriptor, UInt64(part.lowerBound))
        else {
            close(descriptor)
            errno = ENOENT
            return nil
        }
        return raw
    }

    /// The length is the library's to say: it knows how the body travels.
    private static func withHeaders(_ raw: OpaquePointer, _ response: Response) -> OpaquePointer {
        for field in response.headers where field.name.lowercased() != "content-length" {
            MHD_add_response_header(raw, field.name, field.value)
        }
        return raw
    }
}

/// libmicrohttpd's unknown length, and its two ways to end (macros that Swift does not see).
enum Ending {
    static let unknownLength = UInt64.max
    static let whole = -1
    static let brokenOff = -2
}

/// One listener of an event stream: the library pulls, senders push, and between two events the connection sleeps.
private final class Listener {
    private let engine: Engine
    private let connection: Pointer
    private let stream: EventStream

    private init(_ engine: Engine, _ connection: Pointer, _ stream: EventStream) {
        self.engine = engine
        self.connection = connection
        self.stream = stream
    }

    static func response(_ engine: Engine, _ connection: Pointer, _ stream: EventStream) -> OpaquePointer? {
        engine.streams.add(stream)
        if engine.isStopping.load(ordering: .sequentiallyConsistent) { stream.close() }
        let listener = Unmanaged.passRetained(Listener(engine, connection, stream)).toOpaque()
        // The library keeps a buffer of this size for every stream: small, for there are thousands.
        return MHD_create_response_from_callback(
            Ending.unknownLength, 1_024,
            { context, _, target, limit in
                guard let context, let target else { return Ending.brokenOff }
                return Unmanaged<Listener>.fromOpaque(context).takeUnretainedValue().read(target, limit)
            }, listener,
            { context in
                guard let context else { return }
                let listener = Unmanaged<Listener>.fromOpaque(context).takeRetainedValue()
                listener.engine.streams.remove(listener.stream)
                listener.stream.abandon()
            })
    }

    private func read(_ target: UnsafeMutablePointer<CChar>, _ limit: Int) -> Int {
        let connection = connection
        let pulled = stream.pull(into: UnsafeMutableRawBufferPointer(start: target, count: limit)) {
            // Returning nothing while awake would make the library ask again at once, for ever.
            MHD_suspend_connection(connection.raw)
            return { MHD_resume_connection(connection.raw) }
        }
        return switch pulled {
        case .bytes(let count): count
        case .nothingYet: 0
        case .ended: Ending.whole
        }
    }
}
