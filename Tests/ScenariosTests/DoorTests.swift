import Access
import Library
import App
import Bytes
import HTTP
import SQL
import Storage
import Testing
import Web
import Work

@Suite("The door")
struct DoorTests {
    @Test(
        "stays closed to names that are not this desk's",
        arguments: [
            "evil.example", "localhost.evil.example", "desk.example.evil.org", "127.0.0.1.evil.org",
            "999.1.1.1", "",
        ])
    func rebinding(host: String) throws {
        try withDesk(settings: SiteSettings(allowedHosts: ["desk.example"])) { desk throws in
            let response = try desk.browser(at: host).get("/sign-in")
            #expect(response.status == .misdirectedRequest)
            #expect(!response.text.contains("csrf\" content"))
        }
    }

    @Test(
        "opens to names that are",
        arguments: [
            "localhost", "localhost:8484", "127.0.0.1:8484", "[::1]:8484", "192.168.1.20", "desk.example",
            "Desk.Example:443",
            "kitchen.local",
        ])
    func ownNames(host: String) throws {
        try withDesk(settings: SiteSettings(allowedHosts: ["desk.example"])) { desk throws in
            #expect(try desk.browser(at: host).get("/welcome").status == .ok)
        }
    }

    @Test("tells browsers what pages may not do")
    func headers() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            let first = try ada.get("/welcome")
            let policy = try #require(first.headers["Content-Security-Policy"])
            let nonce = try #require(policy.between("'nonce-", "'"))
            #expect(first.text.contains("nonce=\"\(nonce)\""))
            #expect(
                policy.contains("frame-ancestors 'none'")
                    && policy.contains("require-trusted-types-for 'script'"))
            #expect(!policy.contains("unsafe"))
            let second = try ada.get("/welcome").headers["Content-Security-Policy"]
            #expect(second != policy)
            for name in [
                "X-Content-Type-Options", "Referrer-Policy", "Cross-Origin-Opener-Policy",
                "Permissions-Policy",
            ] {
                #expect(first.headers[name] != nil, "\(name)")
                #expect(try desk.command(.get, "/health").headers[name] != nil, "\(name)")
            }
            #expect(first.headers["Strict-Transport-Security"] == nil)
        }
    }

    @Test("gives cookies that only this desk, over TLS, can have set")
    func cookies() throws {
        try withDesk(settings: SiteSettings(publicOrigin: "https://desk.example")) { desk throws in
            let ada = desk.browser(at: "desk.example")
            try ada.becomeOwner()
            #expect(ada.cookies.keys.contains("__Host-quire_session"))
            let response = try ada.get("/")
            #expect(response.headers["Strict-Transport-Security"] != nil)
            try ada.submit("/sign-out", [:])
            let lines = try ada.submit("/sign-in", [:]).headers.all("Set-Cookie")
            #expect(lines.allSatisfy { $0.contains("; Secure; HttpOnly; SameSite=Lax") })
        }
    }

    @Test("is not well while its database is away")
    func health() throws {
        try withDesk { desk throws in
            #expect(try desk.command(.get, "/health").status == .ok)
            desk.quire.store.database.close()
            let answer = try desk.command(.get, "/health")
            #expect(answer.status == .unavailable)
            #expect(answer.text.contains("unavailable"))
        }
    }

    @Test("does not tell programs on the network more than strangers")
    func strangers() throws {
        try withDesk { desk throws in
            try desk.browser().becomeOwner()
            for route in desk.site.router.routes where route.method == .get {
                let path = route.pattern.description
                let isOpen =
                    [
                        "/health", "/version", "/openapi.json", "/manifest.webmanifest", "/sw.js", "/offline",
                        "/robots.txt",
                        "/favicon.ico", "/sign-in", "/welcome",
                    ].contains(path) || ["/assets", "/s/", "/join"].contains { path.hasPrefix($0) }
                guard !isOpen else { continue }
                let target = path.split(separator: "/").map {
                    $0.hasPrefix("{") ? "018f0000-0000-7000-8000-000000000000" : String($0)
                }.joined(separator: "/")
                let response = try desk.browser(from: "203.0.113.9").fetch(.get, "/" + target)
                #expect(response.status == .unauthorized, "\(path): \(response.status)")
            }
        }
    }

    @Test("streams what happens to those who are in")
    func events() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            guard case .events(let stream) = try ada.fetch(.get, "/events").body else {
                return #expect(Bool(false))
            }
            _ = try desk.command(.post, "/verifications")
            _ = try desk.quire.documents.add(.bytes([1, 2, 3]), named: "a", by: .local)
            let text = stream.drain()
            #expect(text.contains("event: job\ndata: {\"id\":\""))
            #expect(text.contains("event: document\n"))
            #expect(try desk.browser().fetch(.get, "/events").status == .unauthorized)
            desk.site.close()
            #expect(stream.isClosed)
        }
    }
}
