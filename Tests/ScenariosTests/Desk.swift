import Access
import App
import Bytes
import Crypto
import Glibc
import HTTP
import SQL
import Storage
import Synchronization
import TestSupport
import Testing
import Web
import Work

/// A desk with its site, for one story. Requests go through the router without a socket.
struct Desk {
    let quire: Quire
    let site: Site
    let hands: HandClock
    let log: Log.Recording

    /// The owner of the machine, as the command line is.
    func command(
        _ method: HTTP.Method, _ target: String, _ headers: Headers = [:], body: Request.Body = .none
    ) throws -> Response {
        site.router.response(to: try Request(method, target, headers: headers, body: body))
    }

    func command(
        _ method: HTTP.Method, _ target: String, json: JSON, _ headers: Headers = [:]
    ) throws -> Response {
        var headers = headers
        headers.set("Content-Type", "application/json")
        return try command(method, target, headers, body: .bytes(json.bytes))
    }

    /// What programs that speak WebDAV ask, on the machine itself.
    func ask(
        _ method: String, _ path: String, _ headers: Headers = [:], _ body: String = ""
    ) throws -> Response {
        guard let method = HTTP.Method(method) else { throw Failure(.invalid, "There is no \(method).") }
        return try command(
            method, path, headers, body: body.isEmpty ? .none : .bytes(Array(body.utf8)))
    }

    /// A program that comes over the network with an API token.
    func program(_ token: String) -> Browser {
        let program = Browser(site: site, host: "localhost:8484", address: "192.0.2.7")
        program.token = token
        return program
    }

    /// Somebody with a browser of their own.
    func browser(at host: String = "localhost:8484", from address: String = "127.0.0.1") -> Browser {
        Browser(site: site, host: host, address: address)
    }
}

func withDesk<R>(
    settings: SiteSettings = SiteSettings(), flags: [String: String] = [:], _ body: (Desk) throws -> R
) throws -> R {
    try withScratchFolder { folder in
        var flags = flags
        flags["home"] = flags["home"] ?? "\(folder)/desk"
        let config = try Config.load(flags: flags, environment: ["HOME": folder])
        let hands = HandClock()
        let (log, recording) = Log.recording()
        let quire = try Quire.open(config, clock: hands.clock, chance: .seeded(1), log: log)
        // The least that Argon2id can cost: these tests are about what is let in, not about how slowly.
        quire.access.policy.passwordCost = .least
        let site = Site(quire: quire, settings: settings)
        defer {
            site.close()
            quire.stop()
        }
        return try body(Desk(quire: quire, site: site, hands: hands, log: recording))
    }
}

/// What a browser does that is told to come back.
func patiently(_ ask: () throws -> Response) throws -> Response {
    for _ in 0..<600 {
        let answer = try ask()
        guard answer.headers["Retry-After"] != nil || answer.headers["Refresh"] != nil else {
            return answer
        }
        if let again = answer.headers["Refresh"] { #expect(again.hasPrefix("2; url=/")) }
        usleep(100_000)
    }
    return try ask()
}

/// Keeps cookies, follows nothing by itself, and fills forms as a browser does.
final class Browser {
    private let site: Site
    let host: String
    private let address: String
    var cookies: [String: String] = [:]
    /// What a program shows instead of cookies.
    var token: String?
    /// The token of the last page, as its scripts read it.
    private(set) var csrf = ""

    init(site: Site, host: String, address: String) {
        self.site = site
        self.host = host
        self.address = address
    }

    @discardableResult
    func get(_ target: String, _ headers: Headers = [:]) throws -> Response {
        try send(.get, target, headers, .none, accept: "text/html,application/xhtml+xml,*/*;q=0.8")
    }

    /// A form on the page that was looked at last.
    @discardableResult
    func submit(_ target: String, _ fields: Fields, _ headers: Headers = [:]) throws -> Response {
        var fields = fields
        if !fields.contains(where: { $0.name == "_csrf" }) { fields.add("_csrf", csrf) }
        var headers = headers
        headers.set("Content-Type", "application/x-www-form-urlencoded")
        headers.setDefault("Sec-Fetch-Site", "same-origin")
        return try send(
            .post, target, headers, .bytes(Array(fields.urlEncoded.utf8)), accept: "text/html,*/*;q=0.8")
    }

    /// A script on the page.
    @discardableResult
    func fetch(
        _ method: HTTP.Method, _ target: String, json: JSON? = nil, _ headers: Headers = [:]
    ) throws -> Response {
        var headers = headers
        if token == nil {
            headers.setDefault("X-Quire-CSRF", csrf)
            headers.setDefault("Sec-Fetch-Site", "same-origin")
        }
        if json != nil { headers.set("Content-Type", "application/json") }
        return try send(
            method, target, headers, json.map { .bytes($0.bytes) } ?? .none, accept: "application/json")
    }

    /// A file, as a script on the page sends it.
    @discardableResult
    func bring(
        _ bytes: [UInt8], to target: String, _ method: HTTP.Method = .post
    ) throws -> Response {
        try send(
            method, target,
            [
                "Content-Type": "application/octet-stream", "X-Quire-CSRF": csrf,
                "Sec-Fetch-Site": "same-origin",
            ], .bytes(bytes), accept: "application/json")
    }

    /// What another app hands to the browser's share menu. `site` is what the browser says of who sent it.
    func share(_ form: Request.Body, site: String = "none") throws -> Response {
        try send(
            .post, "/shared", ["Content-Type": "multipart/form-data; boundary=x", "Sec-Fetch-Site": site],
            form, accept: "text/html,*/*;q=0.8")
    }

    /// Exactly these headers, as an old browser or somebody else's page would send.
    @discardableResult
    func raw(_ method: HTTP.Method, _ target: String, _ headers: Headers = [:]) throws -> Response {
        try send(method, target, headers, .none, accept: "application/json")
    }

    private func send(
        _ method: HTTP.Method, _ target: String, _ headers: Headers, _ body: Request.Body, accept: String
    ) throws -> Response {
        var headers = headers
        headers.setDefault("Host", host)
        headers.setDefault("Accept", accept)
        headers.setDefault("User-Agent", "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0")
        if let token { headers.set("Authorization", "Bearer \(token)") }
        if !cookies.isEmpty {
            headers.set("Cookie", cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; "))
        }
        let request = try Request(
            method, target, headers: headers, body: body,
            peer: .init(address: address, isLoopback: address == "127.0.0.1"))
        let response = site.router.response(to: request)
        for line in response.headers.all("Set-Cookie") { keep(line) }
        if let token = response.text.between("<meta name=\"csrf\" content=\"", "\"") { csrf = token }
        return response
    }

    private func keep(_ line: String) {
        let pair = line.prefix { $0 != ";" }.split(
            separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        cookies[String(pair[0])] = line.contains("Max-Age=0;") ? nil : String(pair[1])
    }

    /// Sets the desk up as Ada, its first owner.
    func becomeOwner() throws {
        try get("/welcome")
        let response = try submit(
            "/welcome", ["name": "Ada", "login": "ada@example.org", "password": "correct horse battery"])
        guard response.status == .ok else {
            throw Failure(.invalid, "welcome: \(response.status) \(response.text)")
        }
        try get("/")
    }
}

extension Response {
    /// Those of a body that is held in memory.
    var bytes: [UInt8] {
        if case .bytes(let bytes) = body { bytes } else { [] }
    }

    var text: String {
        switch body {
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        case .fixed(let fixed): String(decoding: fixed.bytes, as: UTF8.self)
        default: ""
        }
    }

    var json: JSON { (try? JSON(parsing: text)) ?? .null }
}

extension String {
    /// What stands between the first `start` and the next `end`.
    func between(_ start: String, _ end: String) -> String? {
        guard let from = firstRange(of: start), let to = self[from.upperBound...].firstRange(of: end) else {
            return nil
        }
        return String(self[from.upperBound..<to.lowerBound])
    }
}
