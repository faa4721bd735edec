import HTTP
import HTTPServer
import TestSupport
import Testing
import Work

@Suite("Ten thousand spoilt requests")
struct FuzzTests {
    private let seeds = [
        "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /documents/7?sort=name&q=two+words HTTP/1.1\r\nHost: localhost\r\nAccept: text/html;q=0.5\r\n"
            + "Range: bytes=0-3\r\nIf-None-Match: \"v1\", W/\"v2\"\r\nCookie: a=1; b=2\r\n\r\n",
        "POST /documents HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
            + "Content-Length: 11\r\n\r\na=1&b=%41+c",
        "POST /uploads HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        "POST /uploads HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=b\r\n"
            + "Content-Length: 92\r\n\r\n--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.txt\"\r\n\r\n"
            + "some content\r\n--b--\r\n",
        "HEAD /documents/7 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
        "PUT /documents/7 HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabc",
    ]

    @Test("never crash the server, and are answered well-formed or not at all")
    func fuzz() throws {
        let routes = [
            Route(.get, "/documents/{id}") { request in
                var response = Response.text(
                    "document \(request.parameters["id"] ?? "") \(request.cookies.count)")
                response.headers.add("ETag", "\"v3\"")
                return response
            },
            Route(.post, "/documents", mode: .quick, body: .bytes(limit: 10_000)) { request in
                .text("\(try request.form.fields.count)")
            },
            Route(.post, "/uploads", body: .upload(limit: 100_000)) { request in
                .text("\((try? request.form.files.count) ?? -1)")
            },
        ]
        try withServer(routes) { live throws in
            let close = "\r\n\r\nGET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            let filler = Array(String(repeating: close, count: 4).utf8)
            var dice = Dice(7)
            var answered = 0
            for round in 0..<10_000 {
                var raw = Array(dice.spoil(seeds[dice.below(seeds.count)]).utf8)
                if dice.below(3) == 0 { raw += Array(dice.spoil(seeds[dice.below(seeds.count)]).utf8) }
                if dice.below(10) == 0 { raw = dice.bytes(upTo: 400) }
                // What was cut short is filled up by what follows, so that nobody waits for the rest.
                let client = try live.connect()
                try client.send(raw + filler)
                client.endSending()
                var replies = Reply.all(in: client.readToEnd(seconds: 0.2))
                // A HEAD's answer has a length and no body; what follows would be read as its body.
                if String(decoding: raw, as: UTF8.self).contains("HEAD") {
                    replies = Array(replies.prefix(1))
                }
                answered += replies.count
                for reply in replies
                where reply.status == 0 || reply.status >= 500 && ![501, 505].contains(reply.status) {
                    let text = String(decoding: raw, as: UTF8.self)
                    Issue.record("round \(round): \(text.debugDescription) -> \(reply.status) \(reply.text)")
                }
                if round % 500 == 0 { #expect(live.isHealthy) }
            }
            #expect(answered > 3_000)
            #expect(live.isHealthy)
        }
    }
}
