import Bytes
import Crypto
import HTTP
import Storage

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

    /// A name that somebody else's DNS points at us is not ours (DNS rebinding). Numbers cannot be pointed anywhere,
    /// and names under `.local` are given out by the network one stands in.
    func checkHost(_ request: Request) throws(Refusal) {
        if request.peer == .inProcess, request.headers["Host"] == nil { return }
        // HTTP/1.0 knows no Host; without one no browser has been fooled.
        guard let authority = request.headers["Host"] else { return }
        let host = Guardian.host(ofAuthority: authority)
        guard hosts.contains(host) || Guardian.isNumeric(host) || host.hasSuffix(".local") else {
            throw Refusal(
                .misdirectedRequest,
                "This desk is not called “\(host)”. If it should be, name it as public origin in the configuration."
            )
        }
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
    static func token(seed: String, mask: [UInt8]) -> String {
        let secret = SHA256.hash("csrf " + seed)
        return Base64.urlEncode(mask + zip(secret, mask).map { $0 ^ $1 })
    }

    static func accepts(_ token: String, seed: String) -> Bool {
        guard token.utf8.count < 200, let bytes = Base64.urlDecode(token), bytes.count == 64 else {
            return false
        }
        let secret = zip(bytes[32...], bytes[..<32]).map { $0 ^ $1 }
        return constantTimeEquals(secret, SHA256.hash("csrf " + seed))
    }

    static let foreign = Failure(
        .denied, "This came from another site, so nothing was done. Open the page here and try again.")
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

    private static func isNumeric(_ host: String) -> Bool {
        if host.hasPrefix("["), host.hasSuffix("]") {
            return host.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
        }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
    }
}
