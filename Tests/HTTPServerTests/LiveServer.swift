import Glibc
import HTTP
import HTTPServer
import TestSupport
import Work

/// Runs `body` against a server on a free port of this machine, and stops it afterwards.
func withServer<R>(
    _ routes: [Route], plain: Router? = nil, settings change: (inout ServerSettings) -> Void = { _ in },
    admission: Router.Admission? = nil, workers threadCount: Int = 2, log: Log = .silent,
    _ body: (LiveServer) throws -> R
) throws -> R {
    try withScratchFolder { folder in
        var settings = ServerSettings()
        settings.spoolDirectory = folder
        change(&settings)
        let workers = Workers(name: "handlers", threads: threadCount)
        let server = Server(
            settings, router: Router(routes + [.constant("/health", .text("ok\n"))], admission: admission),
            plainRouter: plain, workers: workers, log: log)
        let port = try server.start()
        defer {
            server.stop(grace: .seconds(2))
            workers.stop()
        }
        return try body(LiveServer(server: server, port: port, spool: folder))
    }
}

struct LiveServer {
    let server: Server
    let port: Int
    let spool: String

    func connect() throws -> Client { try Client(port: port) }

    /// Sends `text` as it stands and reads everything until the server closes or falls silent.
    func exchange(_ text: String, closing: Bool = true) throws -> [Reply] {
        let client = try connect()
        try client.send(text)
        if closing { client.endSending() }
        return Reply.all(in: client.readToEnd())
    }

    func get(_ target: String, headers: String = "") throws -> Reply {
        let replies = try exchange(
            "GET \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(headers)\r\n")
        guard let first = replies.first, replies.count == 1 else { throw Client.Trouble(what: "\(replies)") }
        return first
    }

    var isHealthy: Bool { (try? get("/health"))?.text == "ok\n" }

    /// What lies in the spool.
    var spooled: [String] {
        guard let folder = opendir(spool) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}

/// A socket and nothing more, so that tests can send what no proper client would.
final class Client {
    struct Trouble: Error { var what: String }

    private let socket: Int32

    init(port: Int) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let outcome = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard outcome == 0 else { throw Trouble(what: "connect: \(String(cString: strerror(errno)))") }
    }

    deinit { close(socket) }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    /// The server may have closed already; then what is left is not sent.
    func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return }
            rest = rest.dropFirst(count)
        }
    }

    func endSending() { shutdown(socket, Int32(SHUT_WR)) }

    /// `nil` when nothing comes in time; empty when the server has closed.
    func readSome(seconds: Double = 5) -> [UInt8]? {
        var waiting = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, Int32(seconds * 1_000)) > 0 else { return nil }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(socket, &buffer, buffer.count, 0)
        return count > 0 ? Array(buffer[..<count]) : []
    }

    func readToEnd(seconds: Double = 5) -> [UInt8] {
        var all: [UInt8] = []
        while let some = readSome(seconds: seconds), !some.isEmpty { all += some }
        return all
    }

    /// Reads until `marker` has come.
    func read(until marker: String, seconds: Double = 5) throws -> String {
        var text = ""
        while !text.contains(marker) {
            guard let some = readSome(seconds: seconds), !some.isEmpty else {
                throw Trouble(what: "waited for \(marker), got \(text)")
            }
            text += String(decoding: some, as: UTF8.self)
        }
        return text
    }
}

/// An answer as it came over the wire.
struct Reply: Equatable {
    var status: Int
    var headers: [String: String]
    var body: [UInt8]
    /// Whether the body came to its proper end.
    var isWhole: Bool

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The answers that stand one after the other in `bytes`. What is not an answer becomes one of status 0. After
    /// `Connection: close` nothing counts any more (RFC 9112 §9.6); libmicrohttpd 0.9.75 is known to write the head of
    /// its own refusals twice.
    static func all(in bytes: [UInt8]) -> [Reply] {
        var replies: [Reply] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let reply = take(&rest) else {
                return replies + [Reply(status: 0, headers: [:], body: Array(rest), isWhole: false)]
            }
            if reply.status >= 200 { replies.append(reply) }
            if reply.headers["connection"]?.lowercased() == "close" { break }
        }
        return replies
    }

    private static func take(_ rest: inout ArraySlice<UInt8>) -> Reply? {
        guard let end = find([13, 10, 13, 10], in: rest) else { return nil }
        let lines = String(decoding: rest[..<end], as: UTF8.self).split(
            separator: "\r\n", omittingEmptySubsequences: false)
        rest = rest[(end + 4)...]
        let words = lines[0].split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count == 3, words[0] == "HTTP/1.1" || words[0] == "HTTP/1.0", words[1].count == 3,
            let status = Int(words[1]), (100...599).contains(status)
        else { return nil }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else { return nil }
            headers[line[..<colon].lowercased()] = String(
                line[line.index(after: colon)...].drop { $0 == " " })
        }
        var reply = Reply(status: status, headers: headers, body: [], isWhole: true)
        if status < 200 || status == 204 || status == 304 { return reply }
        if headers["transfer-encoding"] == "chunked" {
            reply.isWhole = takeChunks(&rest, &reply.body)
        } else if let length = headers["content-length"].flatMap({ Int($0) }) {
            reply.body = Array(rest.prefix(length))
            reply.isWhole = reply.body.count == length
            rest = rest.dropFirst(length)
        } else {
            reply.body = Array(rest)
            rest = []
        }
        return reply
    }

    private static func takeChunks(_ rest: inout ArraySlice<UInt8>, _ body: inout [UInt8]) -> Bool {
        while let end = find([13, 10], in: rest) {
            guard let size = Int(String(decoding: rest[..<end], as: UTF8.self), radix: 16) else { break }
            let start = end + 2
            guard rest.endIndex - start >= size + 2 else { break }
            body += rest[start..<(start + size)]
            rest = rest[(start + size + 2)...]
            if size == 0 { return true }
        }
        rest = []
        return false
    }

    private static func find(_ marker: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= marker.count else { return nil }
        return (bytes.startIndex...(bytes.endIndex - marker.count)).first {
            bytes[$0..<($0 + marker.count)].elementsEqual(marker)
        }
    }
}
