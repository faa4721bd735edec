import CMicroHTTPD
import Glibc
import HTTP

/// How often the headers stand in a request that decide where it ends and whom it is for.
///
/// libmicrohttpd takes the first of two and goes on. A proxy in front of it may take the last; the two then disagree
/// about where one request ends and the next begins, which is how requests are smuggled.
struct HeadFacts {
    private(set) var lengths = 0
    private(set) var encodings = 0
    private(set) var hosts = 0
    private(set) var expectations = 0
    /// `Host : x`. One reader takes the space as part of the name, another drops it.
    private(set) var hasSpaceBeforeColon = false
    /// A length on a line of its own: the library joins such lines before it looks for the colon, and takes
    /// `Content-Length:` with ` 5` below it for a header called `Content-Length5`.
    private(set) var hasFoldedFraming = false
    /// Every byte of the head is where RFC 9112 wants it: one space between the words of the first line, CR and LF
    /// behind each line, no NUL and no line that goes on in the next.
    private(set) var isExact: Bool
    /// Where the next line has to begin.
    private var next: UnsafePointer<CChar>

    /// The library reads the head where it lies and puts a NUL in the place of every byte that ended something. So what
    /// it overlooked shows in where the pieces stand: behind a bare line feed the next line begins a byte too early,
    /// behind a NUL in a value too late, and a line that was joined to the one before has been copied elsewhere.
    init(
        _ connection: OpaquePointer, method: UnsafePointer<CChar>, targetByteCount: Int,
        version: UnsafePointer<CChar>
    ) {
        let end = method + quire_mhd_head_size(connection)
        isExact = strlen(version) == 8 && method + strlen(method) + targetByteCount + 2 == version
        next = version
        if isExact { endLine(at: version + 8) }
        withUnsafeMutablePointer(to: &self) { facts in
            _ = MHD_get_connection_values_n(
                connection, .HEADER_KIND,
                { context, _, name, size, value, count in
                    guard let facts = context?.assumingMemoryBound(to: HeadFacts.self), let name else {
                        return .YES
                    }
                    facts.pointee.passLine(name, size, value, count)
                    switch size {
                    case 4 where strncasecmp(name, "host", 4) == 0: facts.pointee.hosts += 1
                    case 6 where strncasecmp(name, "expect", 6) == 0: facts.pointee.expectations += 1
                    case 14 where strncasecmp(name, "content-length", 14) == 0: facts.pointee.lengths += 1
                    case 17 where strncasecmp(name, "transfer-encoding", 17) == 0:
                        facts.pointee.encodings += 1
                    case 15... where strncasecmp(name, "content-length", 14) == 0:
                        facts.pointee.hasFoldedFraming = true
                    case 18... where strncasecmp(name, "transfer-encoding", 17) == 0:
                        facts.pointee.hasFoldedFraming = true
                    default: break
                    }
                    return .YES
                }, facts)
        }
        if isExact { isExact = next[0] == 0 && next[1] == 0 && next + 2 == end }
        if Connection.of(connection)?.isDoubtful != false { isExact = false }
    }

    private mutating func passLine(
        _ name: UnsafePointer<CChar>, _ size: Int, _ value: UnsafePointer<CChar>?, _ count: Int
    ) {
        guard isExact, let value, name == next, name + size < value else { return isExact = false }
        let space = UnsafeBufferPointer(start: name + size + 1, count: value - (name + size + 1))
        guard name[size] == 0, space.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { return isExact = false }
        endLine(at: value + count)
    }

    private mutating func endLine(at end: UnsafePointer<CChar>) {
        isExact = end[0] == 0 && end[1] == 0
        next = end + 2
    }

    /// Nothing to think about: no body, no expectations, one host.
    var isPlain: Bool {
        lengths == 0 && encodings == 0 && expectations == 0 && hosts == 1 && !hasSpaceBeforeColon
            && !hasFoldedFraming && isExact
    }

    var isAmbiguous: Bool {
        lengths + encodings > 1 || hosts > 1 || hasSpaceBeforeColon || hasFoldedFraming || !isExact
    }
}

extension Headers {
    /// The headers of a request; `nil` when one of them cannot be a header.
    init?(of connection: OpaquePointer) {
        struct Gathering {
            var headers = Headers()
            var isSound = true
        }
        var gathering = Gathering()
        withUnsafeMutablePointer(to: &gathering) { pointer in
            _ = MHD_get_connection_values_n(
                connection, .HEADER_KIND,
                { context, _, name, nameSize, value, valueSize in
                    guard let gathering = context?.assumingMemoryBound(to: Gathering.self) else { return .NO }
                    let added = gathering.pointee.headers.addReceived(
                        text(name, nameSize), text(value, valueSize))
                    if !added { gathering.pointee.isSound = false }
                    return added ? .YES : .NO
                }, pointer)
        }
        guard gathering.isSound else { return nil }
        self = gathering.headers
    }
}

private func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
    String(decoding: UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count), as: UTF8.self)
}
