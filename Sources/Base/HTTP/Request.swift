public import Work

/// A request, read and checked, as handlers see it.
public struct Request: Sendable {
    public var method: Method
    /// As it was sent, still escaped: `/documents/7?sort=name`.
    public var target: String
    /// The decoded segments of the path; `/` has none.
    public var path: [String]
    public var query: Fields
    public var headers: Headers
    public var body: Body
    public var peer: Peer
    /// Whether it came over TLS.
    public var isSecure: Bool
    /// What stood in the place of `{id}` in the route's pattern.
    public var parameters: [String: String] = [:]
    /// Called off when the client hangs up before it has its answer; for handlers that work for long. Nil where
    /// nobody can hang up.
    public var cancellation: Cancellation?

    public enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// Written to disk while it came in. The file is removed once the answer is sent: move it or copy it.
        case file(path: String, byteCount: Int64)
        /// A multipart form, taken apart while it came in; the same rule for its files.
        case form(Form)
    }

    public struct Peer: Sendable, Equatable {
        /// `127.0.0.1`, `2001:db8::7`, or `in process`.
        public var address: String
        public var isLoopback: Bool

        public init(address: String, isLoopback: Bool) {
            self.address = address
            self.isLoopback = isLoopback
        }

        /// A call through the router without a socket, as the command line and the tests make.
        public static let inProcess = Peer(address: "in process", isLoopback: true)
    }

    public init(
        _ method: Method, _ target: String, headers: Headers = [:], body: Body = .none,
        peer: Peer = .inProcess,
        isSecure: Bool = false
    ) throws(Refusal) {
        let parsed = try Target(target)
        self.method = method
        self.target = target
        self.path = parsed.path
        self.query = parsed.query
        self.headers = headers
        self.body = body
        self.peer = peer
        self.isSecure = isSecure
    }

    public var mediaType: MediaType? { headers.first("Content-Type").flatMap { MediaType($0) } }

    /// What the browser keeps for us.
    public var cookies: [String: String] {
        let lines = headers.all("Cookie")
        return lines.isEmpty ? [:] : Cookie.parse(lines.joined(separator: "; "))
    }

    /// Whether an answer of that type is welcome. Who says nothing takes anything.
    public func accepts(_ type: MediaType) -> Bool { preferred(of: [type]) != nil }

    /// The most wanted of `types`; among equals the first. `nil` when none is wanted.
    public func preferred(of types: [MediaType]) -> MediaType? {
        let lines = headers.all("Accept")
        guard !lines.isEmpty else { return types.first }
        let preferences = AcceptList(lines.joined(separator: ","))
        var best: (type: MediaType, weight: Int)?
        for type in types {
            let weight = preferences.weight(of: type)
            if weight > best?.weight ?? 0 { best = (type, weight) }
        }
        return best?.type
    }
}
