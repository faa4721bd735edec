import Bytes
import Crypto
import Glibc
import HTTP
import HTTPServer
import Synchronization
import TestSupport
import Testing
import Work

@Suite("The server")
struct ServerTests {
    @Test("answers a constant route, and again on the same connection")
    func constant() throws {
        try withServer([]) { live throws in
            let request = "GET /health HTTP/1.1\r\nHost: x\r\n\r\n"
            let replies = try live.exchange(
                request + request + "HEAD /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            #expect(replies.prefix(2).map(\.text) == ["ok\n", "ok\n"])
            #expect(replies[0].headers["content-type"] == "text/plain; charset=utf-8")
            #expect(replies[0].headers["date"] != nil)
        }
    }

    @Test("gives handlers the request as it was sent")
    func request() throws {
        let route = Route(.get, "/documents/{id}") { request in
            .text(
                "\(request.parameters["id"] ?? "") \(request.query["q"] ?? "") \(request.headers["X-Tea"] ?? "") "
                    + "\(request.peer.address) \(request.peer.isLoopback) \(request.isSecure)")
        }
        try withServer([route]) { live throws in
            let reply = try live.get("/documents/a%2Fb?q=two+words", headers: "X-Tea:  Earl Grey \r\n")
            #expect(reply.text == "a/b two words Earl Grey 127.0.0.1 true false")
        }
    }

    @Test("lets a slow handler hold up nobody else")
    func slowHandler() throws {
        let gate = Monitor(false)
        let slow = Route(.get, "/slow") { _ in
            _ = gate.wait(timeout: .seconds(60)) { $0 ? true : nil }
            return .text("at last")
        }
        try withServer([slow], settings: { $0.threads = 1 }, workers: 1) { live throws in
            let waiting = try live.connect()
            try waiting.send("GET /slow HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            for _ in 0..<20 { #expect(live.isHealthy) }
            gate.update { $0 = true }
            #expect(Reply.all(in: waiting.readToEnd()).first?.text == "at last")
        }
    }

    @Test("answers quick routes on the spot, even when every worker is busy")
    func quick() throws {
        let gate = Monitor(false)
        let slow = Route(.get, "/slow") { _ in
            _ = gate.wait(timeout: .seconds(60)) { $0 ? true : nil }
            return .text("at last")
        }
        let quick = Route(.get, "/quick", mode: .quick) { _ in .text("here") }
        try withServer([slow, quick], workers: 1) { live throws in
            let waiting = try live.connect()
            try waiting.send("GET /slow HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            #expect(try live.get("/quick").text == "here")
            gate.update { $0 = true }
            #expect(Reply.all(in: waiting.readToEnd()).first?.status == 200)
        }
    }

    @Test("answers what breaks inside with 500 and goes on")
    func handlerThrows() throws {
        struct Surprise: Error {}
        try withServer([Route(.get, "/breaks") { _ in throw Surprise() }]) { live throws in
            #expect(try live.get("/breaks").status == 500)
            #expect(live.isHealthy)
        }
    }

    @Test("knows 404, 405, HEAD, OPTIONS and unknown methods")
    func methods() throws {
        let route = Route(.get, "/page") { _ in .text("page") }
        try withServer([route]) { live throws in
            func status(_ line: String) throws -> Reply? {
                try live.exchange("\(line) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").first
            }
            #expect(try live.get("/nothing").status == 404)
            #expect(try status("DELETE /page")?.status == 405)
            #expect(try status("DELETE /page")?.headers["allow"] == "GET, HEAD, OPTIONS")
            #expect(try status("BREW /page")?.status == 405)
            #expect(try status("OPTIONS /page")?.status == 204)
            let head = try live.exchange("HEAD /page HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            #expect(head.first?.status == 200)
            #expect(head.first?.headers["content-length"] == "4")
            #expect(head.first?.body.isEmpty == true)
        }
    }

    @Test(
        "A file named after its digest is compared with it on the way, and a changed one breaks off",
        arguments: [1, 300_000])
    func changedFile(byteCount: Int) throws {
        try withScratchFolder { folder in
            var bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let path = "\(folder)/\(Hex.encode(SHA256.hash(bytes)))"
            try write(bytes, to: path)
            let route = Route(.get, "/file") { _ in .file(at: path, .pdf) }
            try withServer([route]) { live throws in
                let whole = try live.get("/file")
                #expect(whole.body == bytes)
                #expect(whole.headers["content-length"] == "\(byteCount)")
                bytes[byteCount / 2] ^= 4
                try write(bytes, to: path)
                let client = try live.connect()
                try client.send("GET /file HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                client.endSending()
                let sent = client.readToEnd()
                let head = Self.headCount(sent)
                #expect(sent.count - head < byteCount)
                #expect(live.isHealthy)
            }
        }
    }

    private static func headCount(_ bytes: [UInt8]) -> Int {
        let end: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]
        guard bytes.count >= 4 else { return bytes.count }
        return (4...bytes.count).first { Array(bytes[($0 - 4)..<$0]) == end } ?? bytes.count
    }

    @Test("sends a file whole, in part, and not at all when it is known")
    func files() throws {
        try withScratchFolder { folder in
            let path = "\(folder)/letter"
            let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            try write(bytes, to: path)
            let route = Route(.get, "/file") { _ in
                .file(at: path, .pdf, tag: ETag("v1"), saveAs: "letter.pdf")
            }
            try withServer([route]) { live throws in
                #expect(try live.get("/file").body == bytes)
                let part = try live.get("/file", headers: "Range: bytes=1000-200000\r\n")
                #expect(part.status == 206)
                #expect(part.headers["content-range"] == "bytes 1000-200000/300000")
                #expect(part.body == Array(bytes[1000...200_000]))
                #expect(try live.get("/file", headers: "If-None-Match: \"v1\"\r\n").status == 304)
                #expect(try live.get("/file", headers: "Range: bytes=300000-\r\n").status == 416)
                unlink(path)
                #expect(try live.get("/file").status == 404)
            }
        }
    }

    @Test("gzips text and says so")
    func gzip() throws {
        let text = String(repeating: "desk ", count: 1_000)
        try withServer([Route(.get, "/text") { _ in .text(text) }]) { live throws in
            let reply = try live.get("/text", headers: "Accept-Encoding: gzip, br\r\n")
            #expect(reply.headers["content-encoding"] == "gzip")
            #expect(Gzip.decompress(reply.body, maximumBytes: 100_000) == Array(text.utf8))
        }
    }

    @Test("streams an answer of unknown length, however slowly it is read")
    func streams() throws {
        let route = Route(.get, "/stream") { _ in
            Response(
                headers: ["Content-Type": "text/plain"],
                body: .stream { sink in
                    for number in 0..<20_000 { try sink.write("line \(number) of many, many lines\n") }
                })
        }
        try withServer([route], settings: { $0.streamBuffer = 4_096 }) { live throws in
            let reply = try live.get("/stream")
            #expect(reply.isWhole)
            #expect(reply.headers["transfer-encoding"] == "chunked")
            #expect(
                reply.body.count
                    == (0..<20_000).reduce(0) { $0 + "line \($1) of many, many lines\n".utf8.count })
        }
    }

    @Test("breaks a stream off visibly when its source fails")
    func brokenStream() throws {
        struct Surprise: Error {}
        let route = Route(.get, "/stream") { _ in
            Response(
                body: .stream { sink in
                    try sink.write("half an ")
                    throw Surprise()
                })
        }
        let (log, recording) = Log.recording()
        try withServer([route], log: log) { live throws in
            let reply = try live.get("/stream")
            #expect(reply.text == "half an ")
            #expect(!reply.isWhole)
        }
        #expect(recording.messages == ["A streamed answer broke off."])
    }

    @Test("frees the worker when the reader of a stream goes away")
    func readerLeaves() throws {
        let ended = Monitor(false)
        let route = Route(.get, "/stream") { _ in
            Response(
                body: .stream { sink in
                    defer { ended.update { $0 = true } }
                    let block = [UInt8](repeating: 7, count: 65_536)
                    while true { try sink.write(block) }
                })
        }
        try withServer([route], workers: 1) { live throws in
            var client: Client? = try live.connect()
            try client?.send("GET /stream HTTP/1.1\r\nHost: x\r\n\r\n")
            _ = client?.readSome()
            client = nil
            #expect(ended.wait(timeout: .seconds(60)) { $0 ? true : nil } == true)
        }
    }

    /// Work that ends when it is called off, and says why.
    private static func long(_ begun: Monitor<Bool>, _ ended: Monitor<String?>) -> Route {
        Route(.get, "/long") { request in
            let listening = request.cancellation?.whenCancelled {
                ended.update { $0 = request.cancellation?.reason ?? "" }
            }
            begun.update { $0 = true }
            // As long as a test may take; it is called off long before.
            _ = ended.wait(timeout: .seconds(60)) { $0 }
            listening?.cancel()
            return .text("for nobody")
        }
    }

    @Test("calls work off when nobody waits for it any more")
    func hangUps() throws {
        let (begun, ended) = (Monitor(false), Monitor<String?>(nil))
        let long = Self.long(begun, ended)
        try withServer([long]) { live throws in
            var client: Client? = try live.connect()
            try client?.send("GET /long HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(begun.wait(timeout: .seconds(60)) { $0 ? true : nil } == true)
            #expect(ended.read { $0 } == nil)
            client = nil
            #expect(ended.wait(timeout: .seconds(60)) { $0 } == "nobody waits for it any more")
            #expect(live.isHealthy)
        }
    }

    @Test("calls work off when it stops and the work does not end by itself")
    func stopping() throws {
        let (begun, ended) = (Monitor(false), Monitor<String?>(nil))
        let long = Self.long(begun, ended)
        try withServer([long]) { live throws in
            let client = try live.connect()
            try client.send("GET /long HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(begun.wait(timeout: .seconds(60)) { $0 ? true : nil } == true)
            live.server.stop(grace: .zero)
            #expect(ended.read { $0 } == "the desk closes")
        }
    }

    @Test("says why it cannot listen")
    func startErrors() throws {
        try withServer([]) { live throws in
            func reason(_ change: (inout ServerSettings) -> Void) -> ServerError.Reason? {
                var settings = ServerSettings()
                change(&settings)
                let server = Server(
                    settings, router: Router([]), workers: Workers(name: "none", threads: 1), log: .silent)
                do {
                    try server.start()
                    server.stop()
                    return nil
                } catch {
                    return error.reason
                }
            }
            #expect(reason { $0.port = live.port } == .addressInUse)
            #expect(reason { $0.host = "192.0.2.1" } == .addressNotOurs)
            #expect(reason { $0.host = "no such host" } == .addressNotOurs)
            #expect(reason { $0.tls = .init(certificate: "nonsense", key: "nonsense") } == .badCertificate)
        }
    }

    @Test("listens on IPv6 too")
    func sixth() throws {
        var settings = ServerSettings()
        settings.host = "::1"
        let workers = Workers(name: "handlers", threads: 1)
        let server = Server(settings, router: Router([]), workers: workers, log: .silent)
        #expect(try server.start() > 0)
        server.stop()
    }

    @Test("writes a line per request that names the route and not the address")
    func accessLog() throws {
        let (log, recording) = Log.recording()
        let route = Route(.get, "/s/{token}") { _ in .text("shared") }
        try withServer([route], settings: { $0.accessLog = true }, log: log) { live throws in
            #expect(try live.get("/s/very-secret?q=private").status == 200)
            #expect(try live.get("/elsewhere").status == 404)
        }
        #expect(recording.messages == ["GET /s/{token}", "GET (no such address)"])
        #expect(recording.entries.first?.fields["status"] == "200")
        #expect(recording.entries.first?.fields["ended"] == "whole")
        #expect(!recording.entries.contains { $0.textLine.contains("secret") })
    }

    @Test("answers 503 when too much is waiting already")
    func backlog() throws {
        let gate = Monitor(false)
        let slow = Route(.get, "/slow") { _ in
            _ = gate.wait(timeout: .seconds(60)) { $0 ? true : nil }
            return .text("at last")
        }
        try withServer([slow], settings: { $0.backlogLimit = 3 }, workers: 1) { live throws in
            let clients = try (0..<12).map { _ in
                let client = try live.connect()
                try client.send("GET /slow HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                return client
            }
            // As long as a busy machine takes; those who wait are answered when the gate opens.
            var first: [[UInt8]] = []
            var waiting = clients
            for _ in 0..<60 where first.count < 7 {
                waiting.removeAll { client in
                    guard let answer = client.readSome(seconds: 0.2) else { return false }
                    first.append(answer)
                    return true
                }
            }
            #expect(first.count >= 7)
            #expect(first.allSatisfy { Reply.all(in: $0).first?.status == 503 })
            gate.update { $0 = true }
        }
    }
}

func write(_ bytes: [UInt8], to path: String) throws {
    guard let file = fopen(path, "we") else { throw Client.Trouble(what: "cannot write \(path)") }
    defer { fclose(file) }
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else {
        throw Client.Trouble(what: "short write")
    }
}
