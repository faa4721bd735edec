import Access
import Bytes
import Crypto
import HTTP
import Storage
import Transfer
import Work

/// What a request has to show before anything is done for it: the right host, and for changes the right origin.
struct Guardian: Sendable {
    let settings: SiteSettings
    private let hosts: Set<String>

    init(_ settings: SiteSettings) {
        self.settings = settings
        let origin = settings.publicOrigin.map { Guardian.host(ofOrigin: $0) }
        hosts = Set(
            ["localhost"] + settings.allowedHosts.map { $0.lowercased() } + (origin.map { [$0] } ?? []))
    }

    /// What every door asks before anything else. What is under way comes to its end where memory is short; nothing new is begun.
    func admit(_ request: Request) throws {
        try checkHost(request)
        if MemoryRoom.isShort { throw Failure.tooLittleMemory }
    }

    /// A name that somebody else's DNS points at us is not ours (DNS rebinding). Numbers cannot be pointed anywhere,
    /// and names under `.local` are given out by the network one stands in.
    private func checkHost(_ request: Request) throws(Refusal) {
        if request.peer == .inProcess, request.headers["Host"] == nil { return }
        // HTTP/1.0 knows no Host; without one no browser has been fooled.
        guard let authority = request.headers["Host"] else { return }
        // Answered as a strange name is, which is shown nothing of the desk.
        guard Guardian.isAuthority(authority) else {
            throw Refusal(
                .misdirectedRequest, "The request does not say clearly which host it is for.")
        }
        let host = Guardian.host(ofAuthority: authority)
        guard hosts.contains(host) || Guardian.isNumeric(host) || host.hasSuffix(".local") else {
            throw Refusal(
                .misdirectedRequest,
                "This desk is not called “\(host)”. If it should be, name it as public origin in the configuration."
            )
        }
    }

    /// Who comes, for every door alike: limits and lists count by it.
    ///
    /// A proxy must not turn the whole world into one visitor, nor into somebody at the machine. One beside us is believed,
    /// and those the host has named; of what they say only the last address that is not itself such a proxy, as everybody
    /// may have written what stands before it.
    func visitor(of request: Request) -> Visitor {
        let chain = request.headers.all("X-Forwarded-For").joined(separator: ",")
        let isForwarded =
            !chain.isEmpty || request.headers.contains("Forwarded") || request.headers.contains("Via")
        var address = request.peer.address
        var isProxy = request.peer.isLoopback || isTrusted(address)
        for hop in chain.split(separator: ",").reversed() where isProxy {
            guard let text = Guardian.address(ofHop: hop) else { break }
            address = text
            isProxy = isTrusted(text)
        }
        return Visitor(
            address: address, userAgent: request.headers["User-Agent"] ?? "",
            isLoopback: request.peer.isLoopback && !isForwarded)
    }

    private func isTrusted(_ address: String) -> Bool {
        guard !settings.trustedProxies.isEmpty, let address = IPAddress(address) else { return false }
        return settings.trustedProxies.contains { $0.contains(address) }
    }

    /// `192.0.2.7`, `2001:db8::7`; some proxies write the port behind it.
    private static func address(ofHop hop: Substring) -> String? {
        let hop = hop.filter { $0 != " " && $0 != "\t" }
        if let address = IPAddress(hop) { return address.description }
        if hop.hasPrefix("[") { return IPAddress(String(hop.dropFirst().prefix { $0 != "]" }))?.description }
        return IPAddress(String(hop.prefix { $0 != ":" }))?.description
    }

    /// A change must come from a page of ours: browsers say where a request comes from, in one of two ways.
    func checkOrigin(_ request: Request) throws(Failure) {
        if let site = request.headers["Sec-Fetch-Site"] {
            guard site == "same-origin" || site == "none" else { throw Guardian.foreign }
            return
        }
        guard let origin = request.headers["Origin"] else { return }
        let here = request.headers["Host"].map(\.self)?.lowercased()
        let isOurs =
            origin.lowercased() == settings.publicOrigin?.lowercased()
            || Guardian.authority(ofOrigin: origin) == here && here != nil
        guard isOurs else { throw Guardian.foreign }
    }

    /// The token in a form or header, made for the seed in the visitor's own cookie. It looks different on every page,
    /// so that compressed pages do not give it away letter by letter (BREACH).
    ///
    /// It also says whose page it stands on: of a browser that several people sign in to, a page that one of them left open
    /// must not act for the next.
    static func token(seed: String, mask: [UInt8], reader: String?) -> String {
        let secret = SHA256.hash("csrf " + seed)
        return Base64.urlEncode(mask + zip(secret, mask).map { $0 ^ $1 } + mark(of: reader))
    }

    static func accepts(_ token: String, seed: String) -> Bool {
        guard let bytes = bytes(of: token) else { return false }
        let secret = zip(bytes[32..<64], bytes[..<32]).map { $0 ^ $1 }
        return constantTimeEquals(secret, SHA256.hash("csrf " + seed))
    }

    /// Whether it stands on somebody else's page. Pages for everybody, such as the one to sign in with, are nobody's.
    static func isAnothers(_ token: String, than reader: String?) -> Bool {
        guard let reader, let bytes = bytes(of: token) else { return false }
        let whose = Array(bytes[64...])
        return whose != mark(of: nil) && whose != mark(of: reader)
    }

    private static func bytes(of token: String) -> [UInt8]? {
        guard token.utf8.count < 200, let bytes = Base64.urlDecode(token), bytes.count == 72 else {
            return nil
        }
        return bytes
    }

    private static func mark(of reader: String?) -> [UInt8] {
        guard let reader else { return [UInt8](repeating: 0, count: 8) }
        return Array(SHA256.hash("page of " + reader).prefix(8))
    }

    static let foreign = Failure(
        .denied, "This came from another site, so nothing was done. Open the page here and try again.")
    static let anothers = Failure(
        .denied,
        "Somebody else has signed in here since this page was opened, so nothing was done. Load it again.",
        field: "_csrf")
    static let stale = Failure(
        .denied, "This page was open for too long. Load it again and try once more.", field: "_csrf")

    static func host(ofOrigin origin: String) -> String { host(ofAuthority: authority(ofOrigin: origin)) }

    private static func authority(ofOrigin origin: String) -> String {
        guard let scheme = origin.firstRange(of: "://") else { return "" }
        return origin[scheme.upperBound...].lowercased()
    }

    static func host(ofAuthority authority: String) -> String {
        let text = authority.lowercased()
        if text.hasPrefix("[") { return String(text.prefix { $0 != "]" }) + "]" }
        return String(text.prefix { $0 != ":" })
    }

    /// `8484`, where one is named.
    static func port(ofAuthority authority: String) -> String? {
        guard isAuthority(authority) else { return nil }
        let rest = authority.dropFirst(host(ofAuthority: authority).count)
        return rest.first == ":" && rest.count > 1 ? String(rest.dropFirst()) : nil
    }

    /// Whether an address leads nobody but those who sit at the desk's own computer to it.
    static func isOnlyHere(_ address: String) -> Bool {
        let host = host(ofAuthority: String(authority(ofOrigin: address).prefix { $0 != "/" }))
        return host == "localhost" || host.hasSuffix(".localhost") || host.hasPrefix("127.")
            || host == "[::1]"
    }

    /// A name or a number and perhaps a port, and nothing else (RFC 3986 without its rarities).
    static func isAuthority(_ text: String) -> Bool {
        var rest = text.utf8[...]
        if rest.first == UInt8(ascii: "[") {
            guard let end = rest.firstIndex(of: UInt8(ascii: "]")) else { return false }
            let inside = String(text.utf8[text.utf8.index(after: text.utf8.startIndex)..<end]) ?? ""
            guard inside.contains(":"), IPAddress(inside) != nil else { return false }
            rest = rest[rest.index(after: end)...]
        } else {
            let name = rest.prefix { $0 != UInt8(ascii: ":") }
            let isPlain = name.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
                    || "-._".utf8.contains(byte)
            }
            guard !name.isEmpty, name.count <= 255, isPlain else { return false }
            rest = rest.dropFirst(name.count)
        }
        guard let colon = rest.popFirst() else { return true }
        let port = String(rest) ?? "x"
        return colon == UInt8(ascii: ":") && port.utf8.count <= 5
            && port.utf8.allSatisfy { (0x30...0x39).contains($0) } && (Int(port) ?? 0) <= 65_535
    }

    private static func isNumeric(_ host: String) -> Bool {
        if host.hasPrefix("["), host.hasSuffix("]") {
            return host.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
        }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
    }
}
