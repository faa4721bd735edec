import Access
import Library
import App
import Bytes
import Glibc
import HTTP
import SQL
import Storage
import TestSupport
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
            // The camera is for the one page that photographs papers.
            let owner = desk.browser()
            try owner.becomeOwner()
            for (path, camera) in ["/": "camera=()", "/documents": "camera=()", "/scan": "camera=(self)"] {
                #expect(try owner.get(path).headers["Permissions-Policy"]?.hasPrefix(camera + ",") == true)
            }
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

    @Test("says what it can do to whoever watches, and what keeps going wrong to the owner")
    func readiness() throws {
        try withDesk { desk throws in
            let ready = try desk.command(.get, "/health/ready")
            #expect(ready.status == .ok && ready.json["status"]?.string == "ready")
            #expect(ready.json["checks"]?["store"]?.string == "good")
            #expect(ready.json["checks"]?["space"]?.string == "good")
            #expect(ready.json["checks"]?["clock"]?.string == "good")

            let ada = desk.browser()
            try ada.becomeOwner()
            #expect(!(try ada.get("/").text.contains("Something keeps going wrong")))
            desk.quire.store.troubles.happened("jobs", "Nothing can be written to /srv/secret.")
            #expect(try ada.get("/").text.contains("Something keeps going wrong"))
            #expect(try ada.get("/settings/about").text.contains("Nothing can be written to /srv/secret."))
            #expect(try desk.command(.get, "/health").json["troubles"]?.array == ["jobs"])
            let troubled = try desk.browser(from: "203.0.113.9").fetch(.get, "/health/ready")
            #expect(troubled.status == .unavailable && troubled.json["checks"]?["jobs"]?.string == "bad")
            #expect(!troubled.text.contains("secret"))
            desk.quire.store.troubles.isOver("jobs")

            desk.hands.set(Moment(milliseconds: 1_600_000_000_000))
            #expect(try desk.command(.get, "/health/ready").json["checks"]?["clock"]?.string == "bad")
            desk.quire.store.database.close()
            let answer = try desk.command(.get, "/health/ready")
            #expect(answer.status == .unavailable && answer.headers["Retry-After"] != nil)
            #expect(answer.json["checks"]?["database"]?.string == "bad")
        }
    }

    @Test(
        "is not ready with a full disk, and is again once there is room",
        .enabled(if: SmallDisk.isPossible, "mounting needs root"))
    func fullDisk() throws {
        try SmallDisk.with(megabytes: 64) { disk in
            try withDesk(flags: ["home": disk.path + "/desk"]) { desk throws in
                #expect(try desk.command(.get, "/health/ready").status == .ok)
                disk.fill(leaving: 0)
                let full = try desk.command(.get, "/health/ready")
                #expect(full.status == .unavailable)
                #expect(full.json["checks"]?["space"]?.string == "bad")
                #expect(full.json["checks"]?["store"]?.string == "bad")
                #expect(try desk.command(.get, "/health").status == .ok)
                disk.makeRoom()
                #expect(try desk.command(.get, "/health/ready").status == .ok)
            }
        }
    }

    @Test("gives its figures to whoever shows the token, also while the database is away")
    func metrics() throws {
        try withDesk { desk throws in
            #expect(try desk.command(.get, "/metrics").status == .unauthorized)
        }
        let token = "a token of 24 letters".split(separator: " ").joined(separator: "-")
        try withDesk(settings: SiteSettings(metricsToken: token)) { desk throws in
            let prometheus = desk.browser(from: "203.0.113.9")
            #expect(try prometheus.fetch(.get, "/metrics").status == .unauthorized)
            #expect(
                try prometheus.fetch(.get, "/metrics", ["Authorization": "Bearer \(token)x"]).status
                    == .unauthorized)
            try desk.browser().becomeOwner()
            desk.quire.store.troubles.happened("inbox", "It is not there.")
            let said = try prometheus.fetch(.get, "/metrics", ["Authorization": "Bearer \(token)"])
            #expect(said.status == .ok)
            #expect(said.headers["Content-Type"]?.hasPrefix("text/plain; version=0.0.4") == true)
            let lines = said.text.split(separator: "\n")
            for line in [
                "quire_ready 1", "quire_check{check=\"database\"} 1", "quire_check{check=\"clock\"} 1",
                "quire_trouble{trouble=\"inbox\"} 0", "quire_jobs{state=\"failed\"} 0",
                "quire_letters_waiting 0", "quire_http_answers_total{status=\"4xx\"} 2",
                "# TYPE quire_http_answers_total counter",
            ] { #expect(lines.contains { $0 == line }, "\(line) in \(said.text)") }
            for line in lines where !line.hasPrefix("#") {
                #expect(line.split(separator: " ").last.flatMap { Double($0) } != nil, "\(line)")
            }
            desk.quire.store.database.close()
            let away = try prometheus.fetch(.get, "/metrics", ["Authorization": "Bearer \(token)"])
            #expect(away.status == .ok && away.text.contains("\nquire_ready 0\n"))
            #expect(away.text.contains("quire_free_bytes "))
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
                        "/health", "/health/ready", "/version", "/openapi.json", "/manifest.webmanifest",
                        "/sw.js", "/offline",
                        "/robots.txt",
                        "/favicon.ico", "/sign-in", "/welcome", "/trust",
                    ].contains(path)
                    || [
                        "/assets", "/s/", "/c/", "/phone/", "/trust/", "/looks/", "/join", "/reminders/",
                        "/wallet/",
                        "/.well-known/",
                    ].contains {
                        path.hasPrefix($0)
                    }
                guard !isOpen else { continue }
                let target = path.split(separator: "/").map {
                    $0.hasPrefix("{") ? "018f0000-0000-7000-8000-000000000000" : String($0)
                }.joined(separator: "/")
                let response = try desk.browser(from: "203.0.113.9").fetch(.get, "/" + target)
                #expect(response.status == .unauthorized, "\(path): \(response.status)")
            }
        }
    }

    @Test(
        "tells nothing more to whoever signed out, lost a token or locked the desk, and of private papers only when open"
    )
    func eventsEnd() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let made = try ada.fetch(.post, "/tokens", json: ["name": "x", "scope": ["read"]])
            let program = desk.program(try #require(made.json["token"]?.string))
            func listen(_ who: Browser) throws -> EventStream? {
                guard case .events(let stream) = try who.fetch(.get, "/events").body else { return nil }
                return stream
            }
            let (own, its) = (try #require(try listen(ada)), try #require(try listen(program)))
            let folder = try #require(
                try ada.fetch(.post, "/folders", json: ["path": "Health"]).json["id"]?.string)
            _ = try ada.fetch(.patch, "/folders/\(folder)", json: ["private": true])
            _ = (own.drain(), its.drain())
            let paper = try desk.quire.documents.add(
                .bytes([1, 2, 3]), named: "a", into: ID<Folder>(folder), by: .local
            ).document
            #expect(!own.drain().contains(paper.id.text) && !its.drain().contains(paper.id.text))
            _ = try ada.get("/private?next=/")
            try desk.quire.documents.rename(paper.id, to: "b", by: .local)
            #expect(own.drain().contains(paper.id.text) && !its.drain().contains(paper.id.text))

            #expect(try ada.fetch(.delete, #require(made.headers["Location"])).status == .noContent)
            _ = try desk.quire.documents.add(.bytes([4]), named: "c", by: .local)
            #expect(own.drain().contains("event: document") && its.isClosed)
            try ada.submit("/sign-out", [:])
            let late = try desk.quire.documents.add(.bytes([5]), named: "d", by: .local).document
            #expect(own.isClosed && !own.drain().contains(late.id.text))
        }
    }

    @Test("shows pages of open private folders to no cache, and says whose the others are")
    func caches() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let page = try ada.get("/documents")
            #expect(page.headers["Cache-Control"] == "private, no-cache")
            let keep = try #require(page.headers["X-Quire-Keep"])
            #expect(keep.hasSuffix(" never"))
            try ada.submit("/settings/security/lock", ["minutes": "5"])
            #expect(try ada.get("/documents").headers["X-Quire-Keep"]?.hasSuffix(" 300") == true)
            let grace = desk.browser()
            try ada.invite("Grace", as: "editor", into: grace)
            #expect(try grace.get("/documents").headers["X-Quire-Keep"]?.prefix(16) != keep.prefix(16))
            #expect(try desk.browser().get("/sign-in").headers["X-Quire-Keep"] == nil)
            _ = try ada.get("/private?next=/")
            for path in ["/documents", "/", "/search?q=a"] {
                #expect(try ada.get(path).headers["Cache-Control"] == "no-store", "\(path)")
            }
            _ = try ada.fetch(.post, "/private/closing")
            #expect(try ada.get("/documents").headers["Cache-Control"] == "private, no-cache")
        }
    }

    @Test("counts guesses of the set-up code by whichever way they come")
    func setUpGuesses() throws {
        try withDesk { desk throws in
            let stranger = desk.browser(from: "203.0.113.9")
            try stranger.get("/welcome")
            var statuses: [Status] = []
            for guess in 0..<110 {
                let answer = try stranger.fetch(
                    .post, "/welcome/passkey-options",
                    json: ["name": "Eve", "login": "eve", "code": .string("AAAA-\(1000 + guess)")])
                statuses.append(answer.status)
            }
            #expect(statuses.first == .forbidden && statuses.last == .tooManyRequests)
            let other = try stranger.fetch(
                .post, "/welcome",
                json: ["name": "Eve", "login": "eve", "password": "a long password", "code": "AAAA-0000"])
            #expect(other.status == .tooManyRequests)
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
            // That anything was done is told a moment later, and once for all acts of that moment.
            var told = text
            for _ in 0..<200 where !told.contains("event: act\n") {
                usleep(20_000)
                told += stream.drain()
            }
            #expect(told.contains("event: act\ndata: {}\n"))
            #expect(try desk.browser().fetch(.get, "/events").status == .unauthorized)
            desk.site.close()
            #expect(stream.isClosed)
        }
    }
}
