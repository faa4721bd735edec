import HTTP
import TestSupport
import Testing

@Suite("Headers")
struct HeadersTests {
    @Test("are found whatever their case, in order")
    func caseless() {
        var headers: Headers = ["Set-Cookie": "a=1", "content-type": "text/html"]
        headers.add("SET-COOKIE", "b=2")
        #expect(headers["Content-Type"] == "text/html")
        #expect(headers.all("set-cookie") == ["a=1", "b=2"])
        headers.set("Set-Cookie", "c=3")
        #expect(headers.all("set-cookie") == ["c=3"])
        headers.remove("CONTENT-TYPE")
        #expect(headers.count == 1)
    }

    @Test(
        "never take a value or a name that could begin another line",
        arguments: ["a\r\nb: c", "a\nb", "a\u{0}b", "\u{7F}"])
    func injection(text: String) {
        var headers = Headers()
        headers.add("Location", text)
        headers.set("Location", text)
        headers.add(text, "value")
        #expect(headers.isEmpty)
    }

    @Test("name a thing in Vary once")
    func vary() {
        var headers: Headers = ["Vary": "Accept"]
        headers.include("accept-encoding", in: "Vary")
        headers.include("Accept-Encoding", in: "Vary")
        #expect(headers["Vary"] == "Accept, accept-encoding")
    }

    @Test("carry cookies that scripts and other sites do not see")
    func cookie() {
        let cookie = Cookie("__Host-quire", "abc", maxAge: 60, isSecure: true)
        #expect(cookie.headerValue == "__Host-quire=abc; Path=/; Max-Age=60; Secure; HttpOnly; SameSite=Lax")
    }

    @Test("give the cookies of a browser, and drop what breaks their grammar")
    func cookies() {
        let cookies = Cookie.parse("a=1; b=\"2\"; a=3;c=; d; =x; e f=1; g=a b; h=\u{e9}")
        #expect(cookies == ["a": "1", "b": "2", "c": ""])
    }

    @Test("give a media type with its parameters")
    func mediaType() throws {
        let type = try #require(MediaType("Multipart/Form-Data; boundary=\"a b;c\"; Charset=utf-8"))
        #expect(type.isSameKind(as: .multipart))
        #expect(type[parameter: "boundary"] == "a b;c")
        #expect(type.description == "multipart/form-data; boundary=\"a b;c\"; charset=utf-8")
        for bad in [
            "", "text", "text/", "/html", "text/html/x", "text /html", "a/b; c", "a/b; c=\"", "a/b;c=",
        ] {
            #expect(MediaType(bad) == nil, "\(bad)")
        }
    }

    @Test("name a file for saving so that old and new browsers agree")
    func disposition() {
        let response = Response.file(at: "/x", .pdf, saveAs: "Brief \"für\" Ada\r\n.pdf")
        #expect(
            response.headers["Content-Disposition"]
                == "attachment; filename=\"Brief _f_r_ Ada__.pdf\"; filename*=UTF-8''Brief%20%22f%C3%BCr%22%20Ada.pdf"
        )
    }

    @Test("say dates as HTTP does and read them back")
    func dates() {
        #expect(HTTPDate.text(784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPDate.parse("Sun, 06 Nov 1994 08:49:37 GMT") == 784_111_777)
        #expect(HTTPDate.text(0) == "Thu, 01 Jan 1970 00:00:00 GMT")
        #expect(HTTPDate.text(-1) == "Wed, 31 Dec 1969 23:59:59 GMT")
        for bad in [
            "", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 31 Feb 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT",
            "Sun, 06 Nov 1994 08:49:37", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, +6 Nov 1994 08:49:37 GMT",
        ] {
            #expect(HTTPDate.parse(bad) == nil, "\(bad)")
        }
        var dice = Dice(2)
        for _ in 0..<5_000 {
            let second = Int64(dice.below(200_000_000_000)) - 50_000_000_000
            #expect(HTTPDate.parse(HTTPDate.text(second)) == second)
        }
    }

    @Test("never trap on what strangers write into them")
    func fuzzed() {
        var dice = Dice(3)
        for _ in 0..<10_000 {
            _ = MediaType(dice.spoil("multipart/form-data; boundary=\"a\\\"b\"; charset=utf-8"))
            _ = Cookie.parse(dice.spoil("session=abc; theme=\"dark\"; x="))
            _ = HTTPDate.parse(dice.spoil("Sun, 06 Nov 1994 08:49:37 GMT"))
            _ = ETag(parsing: dice.spoil("W/\"abc\""))
            _ = ByteRange(dice.spoil("bytes=0-499"), byteCount: 1_000)
            _ = AcceptList(dice.spoil("text/html;q=0.8, */*;q=0.1, application/json"))
        }
    }
}

@Suite("What a client would like to get")
struct NegotiationTests {
    private func preferred(_ accept: String?) throws -> MediaType? {
        try Request(.get, "/", headers: accept.map { ["Accept": $0] } ?? [:]).preferred(of: [.html, .json])
    }

    @Test("is the first on offer when nothing is said")
    func silent() throws {
        #expect(try preferred(nil) == .html)
        #expect(try preferred("*/*") == .html)
    }

    @Test("is what weighs most")
    func weights() throws {
        #expect(try preferred("application/json") == .json)
        #expect(try preferred("text/html;q=0.5, application/json;q=0.9") == .json)
        #expect(try preferred("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8") == .html)
        #expect(try preferred("text/*;q=0.3, */*;q=0.1") == .html)
        #expect(try preferred("text/html;q=0, */*") == .json)
    }

    @Test("may be nothing we have")
    func nothing() throws {
        #expect(try preferred("image/png") == nil)
        #expect(try preferred("text/html;q=0") == nil)
        #expect(try preferred("text/html;q=nonsense") == nil)
    }
}
