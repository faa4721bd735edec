public import Transfer
import Work

/// How a job may reach the web: whom, as whom.
public struct WebAccess: Sendable {
    public struct Header: Sendable {
        public var name: String
        public var value: String
        /// Sent only to addresses this expression is found in; nil for all.
        public var scope: String?

        public init(_ name: String, _ value: String, scope: String? = nil) {
            self.name = name
            self.value = value
            self.scope = scope
        }
    }

    public struct Cookie: Sendable {
        public var name: String
        public var value: String
        /// A host; its subdomains are meant as well.
        public var domain: String
        public var path: String
        public var isSecure: Bool

        public init(
            _ name: String, _ value: String, domain: String, path: String = "/", isSecure: Bool = false
        ) {
            self.name = name
            self.value = value
            self.domain = domain.hasPrefix(".") ? String(domain.dropFirst()) : domain
            self.path = path
            self.isSecure = isSecure
        }
    }

    public var guardian: AddressGuard
    /// Regular expressions of addresses; when there are any, nothing else may be fetched.
    public var allowed: [String] = []
    /// And of those that may never be.
    public var denied: [String] = []
    public var headers: [Header] = []
    public var cookies: [Cookie] = []
    public var userAgent: String?
    /// What broke off, or came from a server that had too much to do, is asked for once more.
    public var asksAgain = true
    public var byteLimit = 64 << 20

    public init(guardian: AddressGuard = .publicOnly) {
        self.guardian = guardian
    }

    /// Why an address may not be fetched; nil when it may. What its name resolves to is judged when it is fetched.
    public func objection(to address: String) -> String? {
        guard address.hasPrefix("http://") || address.hasPrefix("https://") else {
            return "only web addresses are fetched"
        }
        if denied.contains(where: { Self.isFound($0, in: address) }) {
            return "it is on the list of those denied"
        }
        if !allowed.isEmpty, !allowed.contains(where: { Self.isFound($0, in: address) }) {
            return "it is not on the list of those allowed"
        }
        return nil
    }

    /// An expression that makes no sense finds nothing.
    static func isFound(_ expression: String, in text: String) -> Bool {
        guard let expression = try? Regex(expression) else { return false }
        return (try? expression.firstMatch(in: text)) != nil
    }
}
