import App
import Bytes
import Crypto
import Glibc
import HTTP
import HTTPServer
import Storage
import TestSupport
import Testing
import Web
import Work

@Suite("A desk that vouches for itself in a house")
struct TrustTests {
    private static let scope = ServerScope(
        domains: ["local", "localhost"], networks: [("127.0.0.0", 8), ("192.168.0.0", 16)])
    private let authority: SigningIdentity
    private let settings: SiteSettings

    init() throws {
        authority = try SigningIdentity.authority(
            named: "Quire of <desk>", from: 1_795_260_000, servers: Self.scope)
        settings = SiteSettings(
            house: HouseDoor(authority: authority.certificate, host: { "192.168.1.20" }))
    }

    /// What the desk says to whoever speaks without encryption.
    private func plainly(
        _ desk: Desk, _ target: String, _ method: HTTP.Method = .get, host: String = "192.168.1.20:8484"
    ) throws -> Response {
        let headers: Headers = ["Host": host, "Accept": "text/html", "Cookie": "quire_session=x"]
        return desk.site.plainRouter.response(
            to: try Request(
                method, target, headers: headers,
                peer: Request.Peer(address: "192.168.1.31", isLoopback: false)))
    }

    @Test("shows a phone the way, the fingerprint and what it installs, also without encryption")
    func page() throws {
        try withDesk(settings: settings) { desk throws in
            let page = try plainly(desk, "/trust")
            #expect(page.status == .ok)
            let text = page.text
            let sign = authority.certificate.shownFingerprint.replacing(":", with: " ")
            #expect(text.contains(sign))
            #expect(text.contains("href=\"https://192.168.1.20:8484/\""))
            #expect(text.contains("/trust/quire.mobileconfig"))
            #expect(page.headers["Set-Cookie"] == nil)
            #expect(page.headers["Strict-Transport-Security"] == nil)
            let policy = page.headers["Content-Security-Policy"] ?? ""
            #expect(policy.contains("default-src 'none'"))
            #expect(policy.contains("connect-src 'self' https://192.168.1.20:8484;"))
            // It brings all of itself along: nothing else of the desk is given out in the clear.
            #expect(!text.contains("/assets/"))

            let certificate = try plainly(desk, "/trust/quire.crt")
            #expect(certificate.headers["Content-Type"] == "application/x-x509-ca-cert")
            #expect(certificate.text == authority.certificate.pem)
            let profile = try plainly(desk, "/trust/quire.mobileconfig")
            #expect(profile.headers["Content-Type"] == "application/x-apple-aspen-config")
            #expect(profile.text.contains(Base64.encode(authority.certificate.der)))
            #expect(profile.text.contains("Quire of &lt;desk&gt;"))
            #expect(!profile.text.contains("PRIVATE"))
        }
    }

    @Test("answers nothing else without encryption: it leads to where it is encrypted, and takes nothing")
    func nothingElse() throws {
        try withDesk(settings: settings) { desk throws in
            try desk.browser().becomeOwner()
            let open = ["/trust", "/trust/quire.crt", "/trust/quire.mobileconfig"]
            for route in desk.site.router.routes where route.method == .get {
                let path = route.pattern.description
                guard !open.contains(path), path != "/" else { continue }
                let target =
                    "/"
                    + path.split(separator: "/").map { $0.hasPrefix("{") ? "x" : String($0) }
                    .joined(separator: "/")
                let answer = try plainly(desk, target + "?a=b")
                #expect(answer.status == .seeOther, "\(path)")
                #expect(answer.headers["Location"] == "https://192.168.1.20:8484\(target)?a=b", "\(path)")
                #expect(answer.headers["Set-Cookie"] == nil)
            }
            // Where most phones try it first.
            #expect(try plainly(desk, "/").headers["Location"] == "/trust#on")
            for (method, path) in [
                (HTTP.Method.post, "/sign-in"), (.put, "/dav/x"), (.post, "/trust"),
                (.delete, "/documents/x"),
            ] {
                #expect(try plainly(desk, path, method).status == .forbidden, "\(path)")
            }
            // A foreign name is led nowhere.
            #expect(try plainly(desk, "/documents", host: "evil.example").status == .misdirectedRequest)
            #expect(try plainly(desk, "/trust", host: "evil.example").status == .misdirectedRequest)
        }
    }

    @Test(
        "tells no other site that a desk answers here, and is not there on desks that do not vouch for themselves"
    )
    func check() throws {
        try withDesk(settings: settings) { desk throws in
            let check = try desk.browser(at: "192.168.1.20:8484").fetch(.get, "/trust/check")
            #expect(check.status == .noContent)
            #expect(check.headers["Access-Control-Allow-Origin"] == "http://192.168.1.20:8484")
        }
        try withDesk { desk throws in
            for path in ["/trust", "/trust/quire.crt", "/trust/quire.mobileconfig", "/trust/check"] {
                #expect(try desk.browser().fetch(.get, path).status == .notFound)
            }
        }
    }

    @Test("gives phones its address in the house, also to whoever looks at it on the machine itself")
    func phones() throws {
        try withDesk(settings: settings) { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let page = try ada.get("/phones").text
            #expect(page.contains("http://192.168.1.20:8484/trust"))
            #expect(page.contains(authority.certificate.shownFingerprint.replacing(":", with: " ")))
            #expect(!page.contains("quire serve --lan"))
            let code = try ada.fetch(.post, "/phones", json: [:])
            #expect(code.json["address"]?.string?.hasPrefix("https://192.168.1.20:8484/phone/") == true)
        }
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let page = try ada.get("/phones").text
            #expect(page.contains("quire serve --lan"))
            #expect(!page.contains("id=\"trust\""))
        }
    }

    @Test("is believed by whoever trusts its authority and by nobody else, over a real socket")
    func served() throws {
        try withDesk(settings: settings) { desk throws in
            let made = try authority.issueServer(
                for: ["localhost", "127.0.0.1"], from: Int64(time(nil)), days: 1)
            try withScratchFolder { folder in
                var settings = ServerSettings()
                settings.spoolDirectory = folder
                settings.tls = .init(certificate: made.certificatePEM, key: made.keyPEM)
                let workers = Workers(name: "handlers", threads: 2)
                let server = Server(
                    settings, router: desk.site.router, plainRouter: desk.site.plainRouter, workers: workers,
                    log: .silent)
                let port = try server.start()
                defer {
                    server.stop(grace: .seconds(1))
                    workers.stop()
                }
                func fetch(_ arguments: String...) throws -> Child.Outcome {
                    try Child("/usr/bin/curl", ["-sS", "--max-time", "10"] + arguments).run()
                }
                let certificate = try fetch(
                    "http://127.0.0.1:\(port)/trust/quire.crt", "-o", "\(folder)/ca.crt")
                #expect(certificate.ending == .exited(0), "\(certificate.errorText)")
                let version = "https://127.0.0.1:\(port)/version"
                #expect(try fetch(version).ending != .exited(0))
                let trusted = try fetch(version, "--cacert", "\(folder)/ca.crt")
                #expect(trusted.outputText.contains("version"), "\(trusted.errorText)")
                #expect(
                    try fetch("http://127.0.0.1:\(port)/version", "-w", "%{http_code} %{redirect_url}")
                        .outputText.hasSuffix(
                            "303 \(version)"))
            }
        }
    }
}
