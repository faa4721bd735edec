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

    init(_ connection: OpaquePointer) {
        withUnsafeMutablePointer(to: &self) { facts in
            _ = MHD_get_connection_values_n(
                connection, .HEADER_KIND,
                { context, _, name, size, _, _ in
                    guard let facts = context?.assumingMemoryBound(to: HeadFacts.self), let name else {
                        return .YES
                    }
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
    }

    /// Nothing to think about: no body, no expectations, one host.
    var isPlain: Bool {
        lengths == 0 && encodings == 0 && expectations == 0 && hosts == 1 && !hasSpaceBeforeColon
            && !hasFoldedFraming
    }

    var isAmbiguous: Bool {
        lengths + encodings > 1 || hosts > 1 || hasSpaceBeforeColon || hasFoldedFraming
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
