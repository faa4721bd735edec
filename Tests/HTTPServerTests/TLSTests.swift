import Crypto
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
}
