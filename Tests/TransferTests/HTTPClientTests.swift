import Bytes
import Crypto
import Glibc
import Synchronization
import TestSupport
import Testing
import Transfer
import Work

@Suite(.enabled(if: Peer.has("http.server"), "python3 is not installed"))
struct HTTPClientTests {
    let peer: Peer
    /// Lets this one address through, as an owner would, and nothing else that is private.
    let client: HTTPClient

    init() throws {
        peer = try Peer("web.py")
        var settings = HTTPClient.Settings(guardian: .publicOnly.allowing(hosts: ["127.0.0.1"]))
        settings.idleTimeout = .seconds(1)
        client = HTTPClient(settings)
    }

    private func told(_ answer: HTTPAnswer) throws -> JSON { try JSON(parsing: answer.body) }

    @Test(
        "a request arrives with its method, headers and body", arguments: ["POST", "PUT", "PATCH", "DELETE"])
    func methods(_ method: String) throws {
        let body = noise(100_000)
        let call = HTTPCall(
            method, peer.url + "/echo?a=1&b=%20x", headers: [("X-Name", "ñandú"), ("X-Nothing", "")],
            body: .bytes(body))
        let told = try told(try client.send(call))
        #expect(told["method"]?.string == method)
        #expect(told["path"]?.string == "/echo?a=1&b=%20x")
        #expect(told["count"]?.int == body.count)
        #expect(told["sha256"]?.string == Hex.encode(SHA256.hash(body)))
        #expect(told["headers"]?["x-nothing"]?.string == "")
        #expect(told["headers"]?["user-agent"]?.string == "Quire")
        #expect(told["headers"]?["expect"] == nil)
    }

    @Test("a body without a known length travels in chunks")
    func stream() throws {
        let body = noise(300_000)
        let upload = Upload.stream(byteCount: nil) {
            var rest = body[...]
            return { room in
                let count = min(room.count, rest.count, 7777)
                room.copyBytes(from: rest.prefix(count))
                rest = rest.dropFirst(count)
                return count
            }
        }
        let told = try told(try client.put(peer.url + "/echo", upload))
        #expect(told["headers"]?["transfer-encoding"]?.string == "chunked")
        #expect(told["sha256"]?.string == Hex.encode(SHA256.hash(body)))
    }

    @Test("an answer's headers keep their order and their repetitions")
    func headers() throws {
        let answer = try client.get(peer.url + "/echo")
        #expect(answer.headers.filter { $0.name == "X-Twice" }.map(\.value) == ["a", "b"])
        #expect(answer.header("x-empty") == "")
        #expect(answer.isSuccess)
    }

    @Test("one connection serves one call after another")
    func reuse() throws {
        let before = try client.get(peer.url + "/connections").body
        for _ in 0..<20 { _ = try client.get(peer.url + "/echo") }
        #expect(try client.get(peer.url + "/connections").body == before)
    }

    @Test("HEAD has headers and no body")
    func head() throws {
        let answer = try client.send(HTTPCall("HEAD", peer.url + "/bytes?n=5000"))
        #expect(answer.header("Content-Length") == "5000")
        #expect(answer.body.isEmpty)
    }

    @Test("files go up and come down whole, and progress counts them")
    func files() throws {
        try withScratchFolder { folder in
            let body = noise(3_000_000)
            try write(body, to: folder + "/up")
            let seen = Mutex<Progress.Snapshot>(.init())
            let progress = Progress { now in seen.withLock { $0 = now } }
            let answer = try client.send(
                HTTPCall("PUT", peer.url + "/echo", body: .file(path: folder + "/up")), progress: progress)
            #expect(try told(answer)["sha256"]?.string == Hex.encode(SHA256.hash(body)))
            #expect(seen.withLock { $0.done } > 3_000_000)
            let down = try client.send(
                HTTPCall("GET", peer.url + "/bytes?n=2000000"),
                into: .file(path: folder + "/down", limit: 2_000_000))
            #expect(down.byteCount == 2_000_000 && down.body.isEmpty)
            #expect(
                try contents(of: folder + "/down") == [UInt8](repeating: UInt8(ascii: "q"), count: 2_000_000))
        }
    }

    @Test("an answer over its limit is refused, and no half file stays behind")
    func limits() throws {
        #expect(throws: TransferError.tooLarge(limit: 999)) {
            try client.get(peer.url + "/bytes?n=1000", limit: 999)
        }
        #expect(throws: TransferError.tooLarge(limit: 100_000)) {
            try client.get(peer.url + "/endless", limit: 100_000)
        }
        #expect(throws: TransferError.tooLarge(limit: 1_000_000)) {
            try client.get(peer.url + "/boast", limit: 1_000_000)
        }
        try withScratchFolder { folder in
            let path = folder + "/x"
            #expect(throws: TransferError.tooLarge(limit: 500_000)) {
                try client.send(
                    HTTPCall("GET", peer.url + "/endless"), into: .file(path: path, limit: 500_000))
            }
            #expect(access(path, F_OK) != 0)
        }
    }

    @Test("an existing file is never written over")
    func existingFile() throws {
        try withScratchFolder { folder in
            try write([1, 2, 3], to: folder + "/mine")
            #expect(throws: TransferError.local(path: folder + "/mine", why: "File exists")) {
                try client.send(
                    HTTPCall("GET", peer.url + "/bytes?n=9"), into: .file(path: folder + "/mine", limit: 99))
            }
            #expect(try contents(of: folder + "/mine") == [1, 2, 3])
        }
    }

    @Test("the body of an error is kept in memory and not written to the file")
    func errorBody() throws {
        try withScratchFolder { folder in
            let answer = try client.send(
                HTTPCall("GET", peer.url + "/missing"), into: .file(path: folder + "/x", limit: 99))
            #expect(answer.status == 404)
            #expect(answer.body == Array("nothing here".utf8))
            #expect(access(folder + "/x", F_OK) != 0)
        }
    }

    @Test("bytes can be taken as they arrive, and taking can stop")
    func pieces() throws {
        struct Enough: Error {}
        let count = Mutex(0)
        #expect(throws: TransferError.self) {
            try client.send(
                HTTPCall("GET", peer.url + "/endless"),
                into: .pieces { piece in
                    let now = count.withLock { count in
                        count += piece.count
                        return count
                    }
                    if now > 1_000_000 { throw Enough() }
                })
        }
        #expect(count.withLock { $0 } > 1_000_000)
    }

    @Test("a redirect is followed, and 307 repeats the body")
    func redirects() throws {
        let away = "/redirect?to=/echo&status="
        let moved = try client.send(HTTPCall("POST", peer.url + away + "302", body: .bytes([1, 2, 3])))
        #expect(try told(moved)["method"]?.string == "GET")
        #expect(moved.url == peer.url + "/echo")
        let kept = try client.send(HTTPCall("POST", peer.url + away + "307", body: .bytes([1, 2, 3])))
        #expect(try told(kept)["method"]?.string == "POST")
        #expect(try told(kept)["count"]?.int == 3)
        var call = HTTPCall("GET", peer.url + away + "301")
        call.followsRedirects = false
        #expect(try client.send(call).status == 301)
    }

    @Test("a circle of redirects ends")
    func circle() {
        #expect(throws: TransferError.tooManyRedirects(limit: 5)) { try client.get(peer.url + "/circle") }
    }

    @Test("credentials do not travel to another origin")
    func credentials() throws {
        let other = try Peer("web.py")
        let headers = [
            ("Authorization", "Bearer secret"), ("Cookie", "a=b"), ("X-Key", "k"), ("Accept", "text/plain"),
        ]
        let here = try client.send(HTTPCall("GET", peer.url + "/redirect?to=/echo", headers: headers))
        #expect(try told(here)["headers"]?["authorization"]?.string == "Bearer secret")
        let there = try client.send(
            HTTPCall("GET", peer.url + "/redirect?to=\(other.url)/echo", headers: headers))
        let sent = try #require(try told(there)["headers"])
        #expect(sent["authorization"] == nil && sent["cookie"] == nil && sent["x-key"] == nil)
        #expect(sent["accept"]?.string == "text/plain")
    }

    @Test(
        "an address that leads inside is refused before a byte is sent",
        arguments: [
            "localhost", "127.1", "2130706433", "0x7f000001", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0",
            "017700000001",
        ])
    func inside(_ host: String) throws {
        let strict = HTTPClient()
        let error = #expect(throws: TransferError.self) { try strict.get("http://\(host):\(peer.port)/echo") }
        guard case .forbiddenAddress(_, let address, _) = error else {
            Issue.record("\(host) gave \(String(describing: error))")
            return
        }
        // Whoever asked is not told where the name leads.
        guard host == "localhost" else { return }
        let told = error?.description ?? ""
        #expect(!told.isEmpty && !told.contains(address) && !told.contains("loopback"), "\(told)")
    }

    @Test("a redirect inside is refused as well, under whatever name")
    func redirectInside() throws {
        let error = #expect(throws: TransferError.self) {
            try client.get(peer.url + "/redirect?to=http://localhost:\(peer.port)/echo")
        }
        guard case .forbiddenAddress(let host, _, let why) = error else {
            Issue.record("it gave \(String(describing: error))")
            return
        }
        #expect(host == "localhost" && why == "loopback")
    }

    @Test(
        "only web addresses are followed",
        arguments: [
            "file:///etc/passwd", "gopher://127.0.0.1/", "ftp://127.0.0.1/x", "scp://127.0.0.1/x", "data:,x",
        ])
    func schemes(_ url: String) {
        #expect(throws: TransferError.self) { try client.get(url) }
        #expect(throws: TransferError.self) { try client.get(peer.url + "/redirect?to=\(url)") }
    }

    @Test(
        "what is not an address is refused at once",
        arguments: [
            "", "http://", "not a url", "http://a b/", "http://user:pass@127.0.0.1/", "http://h:99999/",
            "http://x/\u{0}",
        ])
    func addresses(_ url: String) {
        #expect(throws: TransferError.self) { try WebAddress(url) }
    }

    @Test("a proxy in the environment is not used, so the guard sees the true address")
    func proxy() async {
        // In a process of its own: the environment belongs to every thread.
        await #expect(processExitsWith: .success) {
            setenv("http_proxy", "http://127.0.0.1:9", 1)
            setenv("all_proxy", "http://127.0.0.1:9", 1)
            let peer = try Peer("web.py")
            #expect(try HTTPClient(guardian: .anywhere).get(peer.url + "/echo").status == 200)
        }
    }

    @Test("no header can smuggle in another", arguments: ["a\r\nX-Evil: 1", "a\nb", "a\u{0}b", "\u{1b}"])
    func injection(_ value: String) {
        #expect(throws: TransferError.self) {
            try client.send(HTTPCall("GET", peer.url + "/echo", headers: [("X-Name", value)]))
        }
        #expect(throws: TransferError.self) {
            try client.send(HTTPCall("GET", peer.url + "/echo", headers: [("X" + value, "1")]))
        }
        #expect(throws: TransferError.self) { try client.send(HTTPCall("GET " + value, peer.url + "/echo")) }
    }

    @Test("a server that stops talking is left after a while")
    func silence() throws {
        #expect(throws: TransferError.timedOut(host: "127.0.0.1")) { try client.get(peer.url + "/silent") }
        #expect(throws: TransferError.timedOut(host: "127.0.0.1")) {
            try client.send(
                HTTPCall("GET", peer.url + "/endless", timeout: .milliseconds(200)), into: .pieces { _ in })
        }
    }

    @Test("cancelling ends a transfer that waits")
    func cancelling() {
        let cancellation = Cancellation()
        let progress = Progress(cancellation: cancellation) { now in
            // Asked at least once before anything arrives: the transfer is under way by then.
            cancellation.cancel()
        }
        #expect(throws: TransferError.cancelled) {
            try client.send(HTTPCall("GET", peer.url + "/silent"), progress: progress)
        }
    }

    @Test(
        "a broken answer is an error and not an empty success", arguments: ["/cut", "/nonsense", "/headers"])
    func brokenAnswers(_ path: String) {
        #expect(throws: TransferError.self) { try client.get(peer.url + path) }
    }

    @Test("nobody listening and nobody of that name are told apart")
    func unreachable() {
        let anywhere = HTTPClient(guardian: .anywhere)
        let closed = #expect(throws: TransferError.self) { try anywhere.get("http://127.0.0.1:1/") }
        guard case .unreachable = closed else {
            Issue.record("it gave \(String(describing: closed))")
            return
        }
        #expect(throws: TransferError.nameNotFound(host: "nowhere.invalid")) {
            try anywhere.get("http://nowhere.invalid/")
        }
    }

    @Test("many threads share one client")
    func threads() throws {
        let workers = Workers(name: "test", threads: 8)
        defer { workers.stop() }
        let counts = try workers.map(Array(1...64)) { number in
            try client.get(peer.url + "/bytes?n=\(number * 1000)").body.count
        }
        #expect(counts == (1...64).map { $0 * 1000 })
    }
}
