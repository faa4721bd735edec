import Glibc
import HTTP
import TestSupport
import Testing

@Suite("Delivery")
struct DeliveryTests {
    private let page = Response(
        headers: [
            "Content-Type": "text/plain", "ETag": "\"v1\"", "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT",
        ], body: .bytes(Array("0123456789".utf8)))
    private let longText = String(repeating: "All work and no play makes a dull desk. ", count: 100)

    private func deliver(
        _ response: Response, _ headers: Headers = [:], _ method: Method = .get
    ) throws -> Response {
        Delivery.finish(response, for: try Request(method, "/", headers: headers))
    }

    @Test(
        "does not send again what the client has",
        arguments: [
            ["If-None-Match": "\"v1\""], ["If-None-Match": "\"v0\", W/\"v1\""], ["If-None-Match": "*"],
            ["If-None-Match": "\"v1-gzip\""],
            ["If-None-Match": "\"v1-br\""],
            ["If-Modified-Since": "Sun, 06 Nov 1994 08:49:37 GMT"],
            ["If-Modified-Since": "Mon, 07 Nov 1994 08:49:37 GMT"],
        ] as [Headers])
    func notModified(headers: Headers) throws {
        let response = try deliver(page, headers)
        #expect(response.status == .notModified)
        #expect(response.text?.isEmpty == true)
        #expect(response.headers["ETag"] == "\"v1\"")
        #expect(response.headers["Content-Type"] == nil)
    }

    @Test(
        "sends what has changed",
        arguments: [
            ["If-None-Match": "\"v0\""], ["If-None-Match": "v1"],
            ["If-Modified-Since": "Sat, 05 Nov 1994 08:49:37 GMT"], ["If-Modified-Since": "yesterday"],
            // The tag is the better witness (RFC 9110 §13.1.3).
            ["If-None-Match": "\"v0\"", "If-Modified-Since": "Mon, 07 Nov 1994 08:49:37 GMT"],
        ] as [Headers])
    func modified(headers: Headers) throws {
        #expect(try deliver(page, headers).status == .ok)
    }

    @Test("refuses to go on when the client worked from an older version")
    func preconditions() throws {
        #expect(try deliver(page, ["If-Match": "\"v0\""]).status == .preconditionFailed)
        #expect(try deliver(page, ["If-Match": "W/\"v1\""]).status == .preconditionFailed)
        #expect(try deliver(page, ["If-Match": "\"v1\""]).status == .ok)
        #expect(
            try deliver(page, ["If-Unmodified-Since": "Sat, 05 Nov 1994 08:49:37 GMT"]).status
                == .preconditionFailed)
    }

    @Test(
        "cuts the part that was asked for",
        arguments: [
            ("bytes=0-0", "0", "bytes 0-0/10"), ("bytes=2-4", "234", "bytes 2-4/10"),
            ("bytes=7-", "789", "bytes 7-9/10"), ("bytes=-3", "789", "bytes 7-9/10"),
            ("bytes=8-100", "89", "bytes 8-9/10"), ("bytes=-100", "0123456789", "bytes 0-9/10"),
            ("BYTES=9-99999999999999999999999", "9", "bytes 9-9/10"),
        ])
    func part(range: String, text: String, described: String) throws {
        let response = try deliver(page, ["Range": range])
        #expect(response.status == .partialContent)
        #expect(response.text == text)
        #expect(response.headers["Content-Range"] == described)
    }

    @Test(
        "sends everything when the range is none it serves",
        arguments: [
            "bytes=0-1,4-5", "bytes=5-2", "bytes=", "bytes=-", "bytes=a-b", "lines=1-2", "bytes=+1-2",
            "bytes 1-2",
        ])
    func noPart(range: String) throws {
        let response = try deliver(page, ["Range": range])
        #expect(response.status == .ok)
        #expect(response.text == "0123456789")
    }

    @Test("says 416 for what lies outside", arguments: ["bytes=10-", "bytes=10-20", "bytes=-0"])
    func outside(range: String) throws {
        let response = try deliver(page, ["Range": range])
        #expect(response.status == .rangeNotSatisfiable)
        #expect(response.headers["Content-Range"] == "bytes */10")
    }

    @Test("sends a part only if the rest still fits")
    func ifRange() throws {
        #expect(try deliver(page, ["Range": "bytes=0-1", "If-Range": "\"v1\""]).status == .partialContent)
        #expect(try deliver(page, ["Range": "bytes=0-1", "If-Range": "\"v0\""]).status == .ok)
        #expect(try deliver(page, ["Range": "bytes=0-1", "If-Range": "W/\"v1\""]).status == .ok)
        #expect(
            try deliver(page, ["Range": "bytes=0-1", "If-Range": "Sun, 06 Nov 1994 08:49:37 GMT"]).status
                == .partialContent)
    }

    @Test("cuts only what GET asks for")
    func headIsWhole() throws {
        #expect(try deliver(page, ["Range": "bytes=0-1"], .head).status == .ok)
    }

    @Test("gzips text for those who take it, under a label of its own")
    func gzip() throws {
        var response = Response.text(longText)
        response.headers.add("ETag", "\"v1\"")
        let sent = try deliver(response, ["Accept-Encoding": "br, gzip;q=0.8"])
        #expect(sent.headers["Content-Encoding"] == "gzip")
        #expect(sent.headers["Vary"] == "Accept-Encoding")
        #expect(sent.headers["ETag"] == "\"v1-gzip\"")
        guard case .bytes(let bytes) = sent.body else { return #expect(Bool(false)) }
        #expect(bytes.count < 200)
        #expect(Gzip.decompress(bytes, maximumBytes: 100_000) == Array(longText.utf8))
    }

    @Test("leaves alone what gains nothing or is not wanted compressed")
    func noGzip() throws {
        let takes: Headers = ["Accept-Encoding": "gzip"]
        #expect(
            try deliver(.text(longText), ["Accept-Encoding": "gzip;q=0"]).headers["Content-Encoding"] == nil)
        #expect(try deliver(.text(longText)).headers["Vary"] == "Accept-Encoding")
        #expect(try deliver(.text("short"), takes).headers["Content-Encoding"] == nil)
        #expect(
            try deliver(.bytes(Array(longText.utf8), .png), takes).headers["Content-Encoding"] == nil)
    }

    @Test("sends fixed bytes as small as they get to who takes that, once they are made")
    func brotli() throws {
        let sheet = Response.fixed(FixedBytes(Array(longText.utf8), .css, tag: ETag("abc")))
        var sent = try deliver(sheet, ["Accept-Encoding": "gzip, br"])
        // Until then nobody waits for them.
        for _ in 0..<2000 where sent.headers["Content-Encoding"] != "br" {
            #expect(sent.headers["Content-Encoding"] == "gzip")
            usleep(5_000)
            sent = try deliver(sheet, ["Accept-Encoding": "gzip, br"])
        }
        #expect(sent.headers["Content-Encoding"] == "br")
        #expect(sent.headers["ETag"] == "\"abc-br\"")
        guard case .fixed(let best) = sent.body else { return #expect(Bool(false)) }
        guard case .fixed(let good) = try deliver(sheet, ["Accept-Encoding": "gzip, br;q=0"]).body else {
            return #expect(Bool(false))
        }
        #expect(best.bytes.count < good.bytes.count)
        #expect(try deliver(sheet).headers["Content-Encoding"] == nil)
    }

    @Test("compresses fixed bytes and serves parts of the plain ones")
    func fixed() throws {
        let sheet = Response.fixed(FixedBytes(Array(longText.utf8), .css, tag: ETag("abc")))
        let sent = try deliver(sheet, ["Accept-Encoding": "gzip"])
        #expect(sent.headers["ETag"] == "\"abc-gzip\"")
        guard case .fixed(let small) = sent.body else { return #expect(Bool(false)) }
        #expect(Gzip.decompress(small.bytes, maximumBytes: 100_000) == Array(longText.utf8))
        let part = try deliver(sheet, ["Range": "bytes=0-2"])
        #expect(part.text == "All")
        #expect(part.headers["Content-Encoding"] == nil)
    }

    @Test("dates a file, cuts it, and says when it is gone")
    func files() throws {
        var template = Array("/tmp/quire-delivery-XXXXXX\0".utf8CString)
        let descriptor = mkstemp(&template)
        defer { close(descriptor) }
        let path = String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { unlink(path) }
        #expect(write(descriptor, "0123456789", 10) == 10)
        let response = Response.file(at: path, .pdf, tag: ETag("f"))
        let whole = try deliver(response)
        #expect(whole.headers["Last-Modified"] != nil)
        #expect(whole.headers["Accept-Ranges"] == "bytes")
        guard case .file(_, let part) = try deliver(response, ["Range": "bytes=3-4"]).body else {
            return #expect(Bool(false))
        }
        #expect(part == 3..<5)
        #expect(try deliver(.file(at: "/tmp/no-such-file", .pdf)).status == .notFound)
        #expect(try deliver(.file(at: "/tmp", .pdf)).status == .notFound)
    }

    @Test("reads damaged and swelling gzip as nothing")
    func badGzip() {
        let good = Gzip.compress(Array(longText.utf8))
        #expect(Gzip.decompress(good, maximumBytes: 100) == nil)
        #expect(Gzip.decompress(Array(good.dropLast(3)), maximumBytes: 100_000) == nil)
        var dice = Dice(4)
        for _ in 0..<2_000 {
            var bytes = good
            bytes[dice.below(bytes.count)] ^= UInt8(1 << dice.below(8))
            if let result = Gzip.decompress(bytes, maximumBytes: 100_000) {
                #expect(result == Array(longText.utf8))
            }
        }
    }
}
