import Access
import App
import Bytes
import Crypto
import HTTP
import Jobs
import Storage
import TestSupport
import Testing
import Transfer
import Web
import Work

@Suite("What does not come from one's own browser and page")
struct ForgeryTests {
    @Test("forged, cut and foreign session cookies open nothing")
    func cookies() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let name = try #require(ada.cookies.keys.first { $0.hasSuffix("session") })
            let token = try #require(ada.cookies[name])
            var altered = Array(token)
            altered[altered.count / 2] = altered[altered.count / 2] == "A" ? "B" : "A"
            let forged = [
                "", "x", String(token.dropLast()), token + "A", token.uppercased(), String(altered),
                "quire_session_" + String(repeating: "A", count: 43), String(repeating: "A", count: 5_000),
                "%00", "../../../etc/passwd",
            ]
            for value in forged {
                let eve = desk.browser()
                eve.cookies = [name: value]
                #expect(try eve.fetch(.get, "/documents").status == .unauthorized, "\(value.prefix(80))")
            }
            // An API token in the session's place, and the other way round.
            let made = try ada.fetch(.post, "/tokens", json: ["name": "t", "scope": ["admin"]])
            let eve = desk.browser()
            eve.cookies = [name: try #require(made.json["token"]?.string)]
            #expect(try eve.fetch(.get, "/documents").status == .unauthorized)
            #expect(try desk.program(token).fetch(.get, "/documents").status == .unauthorized)
        }
    }

    @Test("a form that another site sends changes nothing, whatever it knows")
    func crossSite() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            try ada.get("/tokens")
            let form: Fields = ["name": "stolen", "scope": "admin", "_csrf": ada.csrf]
            for headers: Headers in [
                ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"],
                ["Sec-Fetch-Site": "cross-site", "Origin": "null"],
            ] {
                #expect(try ada.submit("/tokens", form, headers).status == .forbidden)
            }
            for token in ["", "AAAA", String(ada.csrf.reversed()), String(repeating: "A", count: 86)] {
                let answer = try ada.submit("/tokens", ["name": "stolen", "scope": "admin", "_csrf": token])
                #expect(answer.status == .forbidden, "\(token)")
            }
            // The token of another visitor does not fit these cookies.
            let eve = desk.browser()
            try eve.get("/sign-in")
            let foreign: Fields = ["name": "stolen", "scope": "admin", "_csrf": eve.csrf]
            #expect(try ada.submit("/tokens", foreign).status == .forbidden)
            #expect(try desk.quire.access.tokens.list(by: .local).isEmpty)
            #expect(try ada.submit("/tokens", ["name": "Scanner", "scope": "read"]).status == .ok)
        }
    }

    @Test(
        "a page that somebody left open does nothing for whoever signs in after them, and learns who is away")
    func leftOpen() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let grace = desk.browser()
            try ada.invite("Grace", as: "owner", into: grace)
            try ada.get("/tokens")
            let form: Fields = ["name": "Scanner", "scope": "read", "_csrf": ada.csrf]
            let session = try #require(ada.cookies.keys.first { $0.hasSuffix("session") })
            let own = ada.cookies.removeValue(forKey: session)
            let out = try ada.submit("/tokens", form)
            #expect(out.status == .unauthorized && out.headers["X-Quire-Away"] == "out")
            ada.cookies[session] = grace.cookies[session]
            let another = try ada.submit("/tokens", form)
            #expect(another.status == .forbidden && another.headers["X-Quire-Away"] == "stale")
            #expect(try desk.quire.access.tokens.list(by: .local).isEmpty)
            ada.cookies[session] = own
            #expect(try ada.submit("/tokens", form).status == .ok)
            _ = try ada.fetch(.post, "/lock")
            let locked = try ada.submit("/tokens", form)
            #expect(locked.status == .unauthorized && locked.headers["X-Quire-Away"] == "locked")
        }
    }

    @Test("a browser too old to say where a request comes from is held to its Origin")
    func oldBrowsers() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            try ada.get("/")
            func lock(_ headers: Headers) throws -> Status {
                try ada.raw(.post, "/lock", headers).status
            }
            #expect(try lock(["Origin": "https://evil.example", "X-Quire-CSRF": ada.csrf]) == .forbidden)
            #expect(try lock(["Origin": "http://localhost:8484"]) == .forbidden)
            #expect(try lock(["Origin": "http://localhost:8484", "X-Quire-CSRF": ada.csrf]).isSuccess)
        }
    }

    @Test("signing in is protected as well: nobody is signed in to somebody else's account unawares")
    func signInForgery() throws {
        try withDesk { desk throws in
            try desk.browser().becomeOwner()
            let victim = desk.browser()
            let form: Fields = ["login": "ada@example.org", "password": Browser.password, "_csrf": ""]
            #expect(
                try victim.submit("/sign-in", form, ["Sec-Fetch-Site": "cross-site"]).status == .forbidden)
            #expect(try victim.submit("/sign-in", form).status == .forbidden)
            #expect(victim.cookies.keys.contains { $0.hasSuffix("session") } == false)
        }
    }

    @Test("a name that is not the desk's own gets nothing (DNS rebinding)")
    func host() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let rebound = desk.browser(at: "evil.example")
            rebound.cookies = ada.cookies
            #expect(try rebound.get("/").status == .misdirectedRequest)
            #expect(try rebound.get("/welcome").status == .misdirectedRequest)
            #expect(try rebound.fetch(.get, "/documents").status == .misdirectedRequest)
            #expect(try desk.browser(at: "192.168.1.7:8484").get("/sign-in").status == .ok)
        }
    }

    @Test("over TLS the cookies are held to this host and to TLS; scripts never see the session")
    func cookieFlags() throws {
        let settings = SiteSettings(publicOrigin: "https://desk.example")
        try withDesk(settings: settings) { desk throws in
            let ada = desk.browser(at: "desk.example")
            try ada.get("/welcome")
            let answer = try ada.submit(
                "/welcome", ["name": "Ada", "login": "ada", "password": Browser.password])
            let line = try #require(answer.headers.all("Set-Cookie").first { $0.contains("session=") })
            #expect(line.hasPrefix("__Host-"))
            for flag in ["; Secure", "; HttpOnly", "; Path=/", "; SameSite=Lax"] {
                #expect(line.contains(flag), "\(flag)")
            }
            #expect(!line.contains("Domain"))
            #expect(answer.headers["Strict-Transport-Security"] != nil)
        }
    }

    @Test(
        "a host is a name or a number and perhaps a port, and nothing else",
        arguments: [
            "", ":8484", "localhost:", "localhost:80a", "localhost:99999", "localhost:8484:1",
            "eve@localhost",
            "localhost/", "localhost?", "localhost#x", "local host", "localhost,evil.example", "[::1",
            "[::1]x",
            "[localhost]", "[127.0.0.1]", "lo\u{e9}calhost", "localhost%00",
            String(repeating: "a", count: 300),
        ])
    func host(_ host: String) throws {
        try withDesk { desk throws in
            // An empty port is allowed by RFC 3986, and browsers never send one.
            let isSound = host == "localhost:"
            for target in ["/sign-in", "/dav/", "/api/documents/"] {
                let status = try desk.browser(at: host).raw(.get, target).status
                #expect((status != .misdirectedRequest) == isSound, "\(target) at \(host): \(status)")
            }
        }
    }

    @Test("a proxy on another machine is believed where its visitors come from when the host has named it")
    func trusted() throws {
        let far = try #require(Network("192.0.2.0/28"))
        try withDesk(settings: SiteSettings(trustedProxies: [far])) { desk throws in
            try desk.browser().becomeOwner()
            func address(_ peer: String, _ chain: String) throws -> String? {
                let ada = desk.browser(from: peer)
                let headers: Headers = ["X-Forwarded-For": chain]
                try ada.get("/sign-in", headers)
                _ = try ada.submit(
                    "/sign-in", ["login": "ada@example.org", "password": Browser.password], headers)
                let sessions = try ada.fetch(.get, "/sessions", headers).json["sessions"]?.array ?? []
                return sessions.first { $0["isCurrent"] == true }?["address"]?.string
            }
            #expect(try address("192.0.2.7", "203.0.113.9") == "203.0.113.9")
            #expect(try address("192.0.2.7", "198.51.100.1, 203.0.113.9, 192.0.2.8") == "203.0.113.9")
            #expect(try address("192.0.2.7", "203.0.113.9:4711") == "203.0.113.9")
            #expect(try address("192.0.2.7", "[2001:db8::9]:4711") == "2001:db8::9")
            // Whoever is no proxy of ours may write what they like.
            #expect(try address("198.51.100.7", "203.0.113.9") == "198.51.100.7")
            #expect(try address("192.0.2.7", "<script>") == "192.0.2.7")
        }
    }

    @Test(
        "one stranger behind a proxy does not lock the other doors for all",
        arguments: ["/dav/", "/api/documents/"])
    func strangers(door: String) throws {
        let far = try #require(Network("192.0.2.7"))
        try withDesk(settings: SiteSettings(trustedProxies: [far])) { desk throws in
            func knock(_ address: String) throws -> Status {
                let visitor = desk.browser(from: "192.0.2.7")
                return try visitor.raw(
                    .get, door,
                    ["X-Forwarded-For": .init(address), "Authorization": "Bearer quire_api_wrong"]
                ).status
            }
            var last = Status.ok
            for _ in 0..<601 { last = try knock("203.0.113.9") }
            #expect(last == .tooManyRequests)
            #expect(try knock("203.0.113.10") == .unauthorized)
        }
    }

    @Test(
        "a proxy does not turn its visitors into somebody at the machine",
        arguments: [
            ["X-Forwarded-For": "203.0.113.9"] as Headers, ["Forwarded": "for=203.0.113.9"] as Headers,
            ["Via": "1.1 proxy"] as Headers,
        ])
    func proxied(headers: Headers) throws {
        try withDesk { desk throws in
            let stranger = desk.browser()
            try stranger.get("/welcome", headers)
            let answer = try stranger.submit(
                "/welcome", ["name": "Eve", "login": "eve", "password": "another long password"], headers)
            #expect(answer.status.isError)
            #expect(answer.text.contains("name=\"code\""))
            #expect(try desk.quire.access.firstOwner.isMissing())
        }
    }
}
