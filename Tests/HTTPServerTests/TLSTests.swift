import Crypto
import Glibc
import HTTP
import HTTPServer
import TestSupport
import Testing
import Work

@Suite("The server with a certificate")
struct TLSTests {
    @Test("speaks TLS 1.2 and 1.3 to whoever trusts it, and tells handlers so")
    func speaks() throws {
        let certificate = try Certificate.selfSigned(for: ["localhost", "127.0.0.1"], from: 1_795_260_900)
        let route = Route(.get, "/page") { .text($0.isSecure ? "secure" : "plain") }
        let tls = ServerSettings.TLS(certificate: certificate.certificatePEM, key: certificate.keyPEM)
        try withServer([route], settings: { $0.tls = tls }) { live throws in
            try write(Array(certificate.certificatePEM.utf8), to: "\(live.spool)/ca.pem")
            func fetch(_ target: String, _ arguments: String...) throws -> Child.Outcome {
                try Child(
                    "/usr/bin/curl",
                    ["-sS", "--max-time", "10", "https://localhost:\(live.port)\(target)"] + arguments
                ).run()
            }
            let trusted = ["--cacert", "\(live.spool)/ca.pem"]
            #expect(try fetch("/page", trusted[0], trusted[1], "--tlsv1.3").outputText == "secure")
            #expect(try fetch("/page", trusted[0], trusted[1], "--tls-max", "1.2").outputText == "secure")
            #expect(try fetch("/health", trusted[0], trusted[1]).outputText == "ok\n")
            // Greetings are full of chance, and none of their bytes is taken for a request.
            for _ in 0..<20 {
                let page = try fetch("/page", trusted[0], trusted[1])
                #expect(page.outputText == "secure", "\(page.errorText)")
            }
            #expect(try fetch("/page", trusted[0], trusted[1], "--tls-max", "1.1").ending != .exited(0))
            #expect(try fetch("/page").ending != .exited(0))
        }
    }

    @Test("takes of TLS 1.2 only what encrypts and proves in one, with keys that are thrown away")
    func ciphers() throws {
        let certificate = try Certificate.selfSigned(for: ["localhost"], from: 1_795_260_900)
        let tls = ServerSettings.TLS(certificate: certificate.certificatePEM, key: certificate.keyPEM)
        try withServer([], settings: { $0.tls = tls }) { live throws in
            func isTaken(_ ciphers: String) throws -> Bool {
                try Child(
                    "/usr/bin/curl",
                    [
                        "-skS", "--max-time", "10", "--tls-max", "1.2", "--ciphers", ciphers + ":@SECLEVEL=0",
                        "https://localhost:\(live.port)/health",
                    ]
                ).run().ending == .exited(0)
            }
            #expect(try isTaken("ECDHE+AESGCM:ECDHE+CHACHA20"))
            #expect(try isTaken("ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256"))
            #expect(
                try !isTaken(
                    "ECDHE-ECDSA-AES128-SHA:ECDHE-RSA-AES128-SHA:ECDHE-ECDSA-AES256-SHA384:ECDHE-RSA-AES256-SHA384:ECDHE-ECDSA-AES128-SHA256"
                ))
            #expect(try !isTaken("ECDHE-ECDSA-AES128-CCM:AES128-GCM-SHA256:AES256-GCM-SHA384:AES128-SHA"))
        }
    }

    @Test("reads what is encrypted as strictly")
    func strict() throws {
        let certificate = try Certificate.selfSigned(for: ["localhost"], from: 1_795_260_900)
        let tls = ServerSettings.TLS(certificate: certificate.certificatePEM, key: certificate.keyPEM)
        let echo = Route(.post, "/echo", mode: .quick) { request in
            guard case .bytes(let bytes) = request.body else { return .text("none") }
            return .bytes(bytes, .plain)
        }
        try withServer([echo], settings: { $0.tls = tls }) { live throws in
            func send(_ framing: String, _ body: String) throws -> String {
                let head = "POST /echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\(framing)\r\n\r\n"
                return try Child(
                    "/usr/bin/openssl", ["s_client", "-quiet", "-connect", "localhost:\(live.port)"],
                    input: .bytes(Array((head + body).utf8))
                ).run().outputText
            }
            #expect(try send("Transfer-Encoding: chunked", "3;a\r\nabc\r\n0\r\n\r\n").contains(" 200 "))
            #expect(try send("Transfer-Encoding: chunked", "3\nabc\r\n0\r\n\r\n").contains(" 400 "))
            let length = try send("Content-Length: +3", "abc")
            #expect(length.contains(" 400 "))
            #expect(length.ranges(of: "HTTP/1.1").count == 1)
        }
    }

    @Test("does not answer those who speak without it")
    func plain() throws {
        let certificate = try Certificate.selfSigned(for: ["localhost"], from: 1_795_260_900)
        let tls = ServerSettings.TLS(certificate: certificate.certificatePEM, key: certificate.keyPEM)
        try withServer([], settings: { $0.tls = tls }) { live throws in
            let client = try live.connect()
            try client.send("GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(!String(decoding: client.readToEnd(), as: UTF8.self).contains("200"))
        }
    }

    private func made(_ name: String) throws -> ServerSettings.TLS {
        let certificate = try Certificate.selfSigned(for: [name], from: 1_795_260_900)
        return ServerSettings.TLS(certificate: certificate.certificatePEM, key: certificate.keyPEM)
    }

    private func fetch(_ address: String) throws -> String {
        try Child("/usr/bin/curl", ["-skS", "--max-time", "10", "-w", " %{http_version}", address]).run()
            .outputText
    }

    @Test("answers on one port those who speak TLS, and those who do not with what is meant for them alone")
    func both() throws {
        let tls = try made("localhost")
        let secret = Route(.get, "/page") { .text("\($0.isSecure) \($0.peer.address)") }
        let open = Route(.get, "/way") { .text("\($0.isSecure) \($0.peer.isLoopback)") }
        try withServer([secret], plain: Router([open]), settings: { $0.tls = tls }) { live throws in
            #expect(try fetch("https://127.0.0.1:\(live.port)/page") == "true 127.0.0.1 1.1")
            #expect(try fetch("http://127.0.0.1:\(live.port)/way") == "false true 1.1")
            #expect(try live.get("/page").status == 404)
            #expect(try fetch("https://127.0.0.1:\(live.port)/way").contains("404"))
            // Many at once, each by its own way.
            for _ in 0..<40 {
                #expect(try live.get("/way").text == "false true")
                #expect(try fetch("https://127.0.0.1:\(live.port)/health") == "ok\n 1.1")
            }
            // Requests behind each other on one connection.
            let ask = "GET /way HTTP/1.1\r\nHost: x\r\n"
            #expect(
                try live.exchange("\(ask)\r\n\(ask)Connection: close\r\n\r\n").map(\.status) == [200, 200])
        }
    }

    @Test("lets others in while hundreds stand at the door and say nothing")
    func silent() throws {
        let tls = try made("localhost")
        let open = Route(.get, "/way") { _ in .text("here") }
        try withServer([], plain: Router([open]), settings: { $0.tls = tls }) { live throws in
            let silent = try (0..<300).map { _ in try live.connect() }
            #expect(try live.get("/way").text == "here")
            #expect(try fetch("https://127.0.0.1:\(live.port)/health") == "ok\n 1.1")
            // The first made room for those who came later.
            #expect(silent[0].readSome() == [])
        }
    }

    @Test("shows another certificate to those who come later, and finishes with those who are there")
    func renewed() throws {
        let slow = Route(.get, "/slow") { _ in
            _ = Monitor(false).wait(timeout: .milliseconds(800)) { $0 ? true : nil }
            return .text("done")
        }
        let first = try made("first.local")
        try withServer([slow], plain: Router([]), settings: { $0.tls = first }) { live throws in
            func subject() throws -> String {
                let text = try Child(
                    "/usr/bin/openssl", ["s_client", "-connect", "127.0.0.1:\(live.port)"], input: .bytes([])
                ).run().outputText
                return text.split(separator: "\n").first { $0.hasPrefix("subject=") }.map(String.init) ?? ""
            }
            #expect(try subject().hasSuffix("first.local"))
            let waiting = Monitor("")
            let reader = Thread(name: "reader") {
                let text = (try? fetch("https://127.0.0.1:\(live.port)/slow")) ?? "broken"
                waiting.update { $0 = text }
            }
            while live.server.connectionCount == 0 { sched_yield() }
            try live.server.renew(made("second.local"))
            #expect(try subject().hasSuffix("second.local"))
            reader.join()
            #expect(waiting.read { $0 } == "done 1.1")
        }
    }
}
