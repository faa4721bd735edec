import Glibc
import HTTP
import HTTPServer
import Testing
import Work

/// libmicrohttpd forgives much by default. Behind a proxy that forgives differently this is dangerous, so each leniency
/// is either cured or shown to be harmless here.
@Suite("Requests that are not quite right")
struct StrictnessTests {
    private let echo = Route(.post, "/echo", mode: .quick) { request in
        guard case .bytes(let bytes) = request.body else { return .text("none") }
        return .bytes(bytes, .plain)
    }
    private let tea = Route(.get, "/tea", mode: .quick) { request in
        .text(request.headers.all("X-Tea").joined(separator: "|"))
    }

    /// The statuses of all answers to `raw`; none when the server only closed.
    private func statuses(_ raw: String) throws -> [Int] {
        try withServer([echo, tea]) { live throws in
            let replies = try live.exchange(raw)
            #expect(live.isHealthy)
            return replies.map(\.status)
        }
    }

    @Test(
        "are refused when they may mean two things",
        arguments: [
            "GET /tea HTTP/1.1\r\n\r\n",
            "GET /tea HTTP/1.1\r\nHost : x\r\n\r\n",
            "GET /tea HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
            "GET /health HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
            "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
            "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: +3\r\n\r\nabc",
            "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 0x3\r\n\r\nabc",
            "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 3, 3\r\n\r\nabc",
            "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n",
            "POST /echo HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "GET /tea%00x HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET /%2e%2e/tea HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET /../tea HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET /tea%zz HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET http://elsewhere/tea HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET tea HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET /tea HTTP/2.0\r\nHost: x\r\n\r\n",
            "G@T /tea HTTP/1.1\r\nHost: x\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length : 3\r\n\r\nabc",
            "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nnothex\r\nabc\r\n0\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcdef\r\n0\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffffff\r\nabc\r\n",
            "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
            "garbage\r\n\r\n",
            "\u{16}\u{03}\u{01}\u{02}\u{00}\u{01}",
        ])
    func refused(raw: String) throws {
        let statuses = try statuses(raw)
        // A refusal, or no answer at all; never two answers, and never a good one.
        #expect(statuses.count <= 1)
        #expect(statuses.allSatisfy { [400, 404, 413, 501, 505].contains($0) }, "\(statuses)")
    }

    @Test(
        "whose length stands on a line of its own do not have their body run as the next request",
        arguments: [
            "Content-Length:\r\n 53\r\n", "Content-Length:\r\n\t53\r\n", "Content-Length: 5\r\n 3\r\n",
            "content-length:\r\n 53\r\n", "Transfer-Encoding:\r\n chunked\r\n",
        ])
    func folded(length: String) throws {
        let inner = "GET /tea HTTP/1.1\r\nHost: x\r\nX-Tea: smuggled-or-not\r\n\r\n"
        for path in ["/echo", "/nothing"] {
            let raw = "POST \(path) HTTP/1.1\r\nHost: x\r\n\(length)\r\n\(inner)"
            try withServer([echo, tea]) { live throws in
                let replies = try live.exchange(raw)
                #expect(replies.count <= 1, "\(replies.map(\.status))")
                #expect(live.isHealthy)
            }
        }
    }

    @Test("that say nothing twice are answered as what they are")
    func sound() throws {
        #expect(try statuses("GET /tea HTTP/1.0\r\n\r\n") == [200])
        #expect(try statuses("GET /tea HTTP/1.1\r\nHost: x\r\nX-Tea:\r\n\r\n") == [200])
        #expect(try statuses("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n") == [200])
        #expect(
            try statuses(
                "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\n\r\n3;a=b\r\nabc\r\n0\r\nX: y\r\n\r\n"
            )
                == [200])
    }

    @Test(
        "that are not written as they have to be are refused, and nothing behind them is heard",
        arguments: [
            "GET /tea HTTP/1.1\nHost: x\r\n\r\n",
            "GET /tea HTTP/1.1\r\nHost: x\n\r\n",
            "GET /tea HTTP/1.1\r\nHost: x\nX-Tea: one\r\n\r\n",
            "GET /tea HTTP/1.1\r\nHost: x\r\n\n",
            "GET /health HTTP/1.1\nHost: x\n\n",
            "GET /health HTTP/1.1\r\nHost: x\r\n\n",
            "GET /tea HTTP/1.1\r\nHost: x\rX-Tea: one\r\n\r\n",
            "GET /tea HTTP/1.1\r\nHost: x\u{0}.elsewhere\r\n\r\n",
            "GET /health HTTP/1.1\r\nHost: x\u{0}.elsewhere\r\n\r\n",
            "GET /tea HTTP/1.1\r\nHost: \u{0}x\r\n\r\n",
            "GET /tea HTTP/1.1\r\nHost: x\r\nX-Tea: a\u{0}b\r\n\r\n",
            "GET /tea HTTP/1.1\r\nHost: x\r\nX-Tea: a\u{0}\r\n\r\n",
            "GET /tea HTTP/1.1\r\nHost: x\r\nX-T\u{0}ea: b\r\n\r\n",
            "GET /tea HTTP/1.1\r\nHost: x\r\n\u{0}\r\n",
            "GET /tea HTTP/1.1\r\nHost: x\r\n\u{0}X-Tea: b\r\n\r\n",
            "GET /tea\u{0}/../secret HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET /health\u{0}x HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET\u{0} /tea HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET  /tea HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET /tea  HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET /tea HTTP/1.1 \r\nHost: x\r\n\r\n",
            "GET /tea HTTP/1.1\u{0}\r\nHost: x\r\n\r\n",
            "GET /tea HTTP/1.1\r\nHost: x\r\nX-Tea: one\r\n two\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 3\u{0}9\r\n\r\nabc",
            "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length\u{0}: 3\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 3\n\r\nabc",
            "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\u{0}x\r\n\r\n0\r\n\r\n",
        ])
    func loose(raw: String) throws {
        // At once, and one byte after the other: what is read in pieces lies in the same place.
        for isSlow in [false, true] {
            try withServer([echo, tea]) { live throws in
                let text = try answers(live, raw, isSlow: isSlow)
                #expect(text.hasPrefix("HTTP/1.1 400 ") || text.isEmpty, "\(text)")
                #expect(!text.contains(" 200 "), "\(text)")
                #expect(live.isHealthy)
            }
        }
    }

    @Test(
        "whose length is none get one answer with one head, whatever is behind them",
        arguments: [
            "+3", "0x3", "3x", "3, 3", "-1", "", " ", "three", "99999999999999999999", "3 ", "\t", "\u{0}3",
            "3\u{0}",
            "5\r\n x",
        ])
    func badLength(length: String) throws {
        for isSlow in [false, true] {
            try withServer([echo, tea]) { live throws in
                let text = try answers(
                    live, "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length:\(length)\r\n\r\nabc",
                    isSlow: isSlow)
                #expect(text.hasPrefix("HTTP/1.1 400 "), "\(text)")
                #expect(text.ranges(of: "HTTP/1.1").count == 1, "\(text)")
                #expect(text.lowercased().contains("connection: close"))
                #expect(live.isHealthy)
            }
        }
    }

    @Test(
        "whose chunks are not written as they have to be are refused once, and nothing behind them is heard",
        arguments: [
            "3\nabc\r\n0\r\n\r\n",
            "3\r\nabc\n0\r\n\r\n",
            "3\r\nabc\r\n0\n\r\n",
            "3\r\nabc\r\n0\r\n\n",
            "3\r\nabc\r\n0\r\nX: y\n\r\n",
            "3\r\nabc\r\n0\r\nX: y\r\n\n",
            "3;a=b\nabc\r\n0\r\n\r\n",
            "3\rabc\r\n0\r\n\r\n",
            "3;a\rb\r\nabc\r\n0\r\n\r\n",
            "3;a\u{0}b\r\nabc\r\n0\r\n\r\n",
            "3 \r\nabc\r\n0\r\n\r\n",
            " 3\r\nabc\r\n0\r\n\r\n",
            "0x3\r\nabc\r\n0\r\n\r\n",
            ";a=b\r\nabc\r\n0\r\n\r\n",
            "\r\nabc\r\n0\r\n\r\n",
            "3;\(String(repeating: "a", count: 300))\r\nabc\r\n0\r\n\r\n",
            "3;\(String(repeating: "a", count: 20_000))\r\nabc\r\n0\r\n\r\n",
            "0000000000000003\r\nabc\r\n0\r\n\r\n",
        ])
    func looseChunks(body: String) throws {
        for isSlow in [false, true] where !isSlow || body.utf8.count < 1_000 {
            try withServer([echo, tea]) { live throws in
                let text = try answers(
                    live, "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n\(body)",
                    isSlow: isSlow)
                #expect(text.hasPrefix("HTTP/1.1 400 "), "\(text)")
                #expect(text.ranges(of: "HTTP/1.1").count == 1, "\(text)")
                #expect(live.isHealthy)
            }
        }
    }

    /// What comes for `raw` with a good request behind it, at once or one byte after the other.
    private func answers(_ live: LiveServer, _ raw: String, isSlow: Bool) throws -> String {
        let client = try live.connect()
        let all = raw + "GET /health HTTP/1.1\r\nHost: x\r\n\r\n"
        if isSlow {
            for byte in Array(all.utf8) { try client.send([byte]) }
        } else {
            try client.send(all)
        }
        client.endSending()
        return String(decoding: client.readToEnd(), as: UTF8.self)
    }

    @Test("leave the good ones before them what they are, and good chunks the connection")
    func goodChunks() throws {
        let chunked = "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
        let extended =
            "\(chunked)2;\(String(repeating: "a", count: 200))\r\nab\r\n1;b=\"c\"\r\nc\r\n0;d\r\nX: y\r\n\r\n"
        let last = "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc"
        for isSlow in [false, true] {
            try withServer([echo, tea]) { live throws in
                let client = try live.connect()
                let all = extended + chunked + "3\r\nabc\r\n0\r\n\r\n" + last
                if isSlow {
                    for byte in Array(all.utf8) { try client.send([byte]) }
                } else {
                    try client.send(all)
                }
                let replies = Reply.all(in: client.readToEnd())
                #expect(replies.map(\.text) == ["abc", "abc", "abc"])
            }
        }
        #expect(
            try statuses(chunked + "3\r\nabc\r\n0\r\n\r\n" + chunked + "3\nabc\r\n0\r\n\r\n") == [200, 400])
    }

    @Test("are known from those that only look unusual")
    func unusual() throws {
        for head in [
            "GET /tea HTTP/1.1\r\nHost:x\r\nX-Tea:  one \t\r\n",
            "GET /tea?a=1&b&&c=%20 HTTP/1.1\r\nHost: x\r\n",
            "GET /tea HTTP/1.1\r\nHost: x\r\nX-Empty:\r\nX-Blank:   \r\nCookie: a=1; b=\"2\"; c\r\n",
            "\r\nGET /tea HTTP/1.1\r\nHost: x\r\n", "GET /health HTTP/1.1\r\nX-Tea: one\r\nHost: x\r\n",
        ] {
            #expect(
                try statuses(head + "\r\n" + head + "Connection: close\r\n\r\n") == [200, 200], "\(head)")
        }
    }

    @Test("with folded headers give one header and never two")
    func folding() throws {
        try withServer([echo, tea]) { live throws in
            let replies = try live.exchange(
                "GET /tea HTTP/1.1\r\nHost: x\r\nX-Tea: one\r\n Content-Length: 5\r\nConnection: close\r\n\r\n"
            )
            #expect(replies.count == 1)
            #expect(
                replies.allSatisfy { reply in
                    reply.status == 400 || reply.status == 200 && reply.text.contains("Content-Length: 5")
                })
            #expect(live.isHealthy)
        }
    }

    @Test("with endless heads are refused with 431 or 414")
    func oversize() throws {
        try withServer([echo, tea]) { live throws in
            let long = String(repeating: "a", count: 40_000)
            let header = try live.exchange(
                "GET /tea HTTP/1.1\r\nHost: x\r\nX-Tea: \(long)\r\n\r\n", closing: false)
            #expect(header.map(\.status) == [431])
            let many = String(repeating: "X-Tea: a\r\n", count: 5_000)
            let headers = try live.exchange("GET /tea HTTP/1.1\r\nHost: x\r\n\(many)\r\n", closing: false)
            #expect(headers.map(\.status) == [431])
            let target = try live.exchange("GET /\(long) HTTP/1.1\r\nHost: x\r\n\r\n", closing: false)
            #expect(target.map(\.status) == [414])
            let shorter = try live.exchange(
                "GET /\(long.prefix(10_000)) HTTP/1.1\r\nHost: x\r\n\r\n", closing: false)
            #expect(shorter.map(\.status) == [414])
            #expect(live.isHealthy)
        }
    }

    @Test("that carry a body where none belongs are refused when it is large, and answered when it is not")
    func unwantedBodies() throws {
        try withServer([tea]) { live throws in
            let small = try live.exchange(
                "GET /tea HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabcGET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
            )
            #expect(small.map(\.status) == [200, 200])
            let large = try live.exchange(
                "GET /tea HTTP/1.1\r\nHost: x\r\nContent-Length: 3000000\r\n\r\n", closing: false)
            #expect(large.map(\.status) == [413])
        }
    }

    @Test("that come one byte at a time are answered all the same")
    func dribble() throws {
        try withServer([tea]) { live throws in
            let client = try live.connect()
            for byte in Array("GET /tea HTTP/1.1\r\nHost: x\r\nX-Tea: slow\r\nConnection: close\r\n\r\n".utf8)
            {
                try client.send([byte])
            }
            #expect(Reply.all(in: client.readToEnd()).first?.text == "slow")
        }
    }

    @Test("that dribble for ever lose their connection")
    func slowloris() throws {
        try withServer(
            [echo],
            settings: {
                $0.headTimeout = .seconds(1)
                $0.idleTimeout = .seconds(30)
            },
            { live throws in
                let head = try live.connect()
                let body = try live.connect()
                try head.send("GET /health HTTP/1.1\r\n")
                try body.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n")
                var isHeadOpen = true
                var isBodyOpen = true
                for _ in 0..<600 where isHeadOpen || isBodyOpen {
                    try head.send("X-Slow: a\r\n")
                    try body.send("a")
                    if head.readSome(seconds: 0.05)?.isEmpty == true { isHeadOpen = false }
                    if body.readSome(seconds: 0.05)?.isEmpty == true { isBodyOpen = false }
                }
                #expect(!isHeadOpen)
                #expect(!isBodyOpen)
                #expect(live.isHealthy)
            })
    }

    @Test("on more connections than allowed wait their turn")
    func connectionLimit() throws {
        try withServer(
            [],
            settings: {
                $0.connectionLimit = 4
                $0.threads = 1
            },
            { live throws in
                var clients: [Client] = []
                for _ in 0..<4 {
                    let client = try live.connect()
                    try client.send("GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
                    #expect(try client.read(until: "ok\n").contains("200"))
                    clients.append(client)
                }
                let late = try live.connect()
                try late.send("GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(late.readSome(seconds: 0.2)?.isEmpty != false)
                clients = []
                let next = try live.connect()
                try next.send("GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(try next.read(until: "ok\n").contains("200"))
            })
    }
}
