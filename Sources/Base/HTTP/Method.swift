/// The verb of a request. An open set: any token may be sent, only some have names here.
public struct Method: Hashable, Sendable, CustomStringConvertible {
    public let name: String

    /// Fails when `name` is not a token (RFC 9110 §5.6.2).
    public init?(_ name: String) {
        guard Token.isToken(name) else { return nil }
        self.name = name
    }

    private init(known name: String) { self.name = name }

    public static let get = Method(known: "GET")
    public static let head = Method(known: "HEAD")
    public static let post = Method(known: "POST")
    public static let put = Method(known: "PUT")
    public static let patch = Method(known: "PATCH")
    public static let delete = Method(known: "DELETE")
    public static let options = Method(known: "OPTIONS")

    public var description: String { name }

    /// Whether the request promises to change nothing (RFC 9110 §9.2.1).
    public var isSafe: Bool { self == .get || self == .head || self == .options }
}
