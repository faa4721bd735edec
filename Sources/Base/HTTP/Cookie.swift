/// A `Set-Cookie` to send (RFC 6265 §4.1). Careful by default: not readable by scripts, not sent from other sites.
public struct Cookie: Sendable, Equatable {
    public enum SameSite: String, Sendable { case strict = "Strict", lax = "Lax", none = "None" }

    public var name: String
    public var value: String
    public var path: String
    /// Seconds from now; `nil` lives as long as the browser's window, zero removes the cookie.
    public var maxAge: Int?
    public var isSecure: Bool
    public var isHTTPOnly: Bool
    public var sameSite: SameSite

    public init(
        _ name: String, _ value: String, path: String = "/", maxAge: Int? = nil, isSecure: Bool,
        isHTTPOnly: Bool = true, sameSite: SameSite = .lax
    ) {
        precondition(
            Token.isToken(name) && Cookie.isValue(value), "a cookie of ours has a plain name and value")
        self.name = name
        self.value = value
        self.path = path
        self.maxAge = maxAge
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
        self.sameSite = sameSite
    }

    public var headerValue: String {
        var text = "\(name)=\(value); Path=\(path)"
        if let maxAge { text += "; Max-Age=\(maxAge)" }
        if isSecure { text += "; Secure" }
        if isHTTPOnly { text += "; HttpOnly" }
        return text + "; SameSite=\(sameSite.rawValue)"
    }

    /// The pairs of a `Cookie` header. Pairs that break the grammar are dropped, and of two with one name the first
    /// counts: browsers send the most specific path first.
    public static func parse(_ header: String) -> [String: String] {
        var cookies: [String: String] = [:]
        for pair in header.split(separator: ";").prefix(100) {
            let text = Token.trimmed(pair)
            guard let equals = text.firstIndex(of: "=") else { continue }
            let name = String(text[..<equals])
            var value = String(text[text.index(after: equals)...])
            if value.utf8.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") {
                value = String(value.dropFirst().dropLast())
            }
            guard Token.isToken(name), isValue(value), cookies[name] == nil else { continue }
            cookies[name] = value
        }
        return cookies
    }

    /// RFC 6265 §4.1.1 `cookie-octet`.
    private static func isValue(_ value: String) -> Bool {
        value.utf8.allSatisfy { byte in
            byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: ",")
                && byte != UInt8(ascii: ";") && byte != UInt8(ascii: "\\")
        }
    }
}
