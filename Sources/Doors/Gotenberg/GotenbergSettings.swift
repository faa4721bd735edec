public import Transfer

/// How a Quire that answers like Gotenberg is set up. The names are those of its flags.
public struct GotenbergSettings: Sendable {
    /// In front of every path, with a slash at both ends.
    public var rootPath = "/"
    public var time = Duration.seconds(30)
    public var bodyLimit: Int64 = 2 << 30
    /// Asked for when both are set.
    public var user: String?
    public var password: String?
    /// Decides, instead of a name and a password, by what stands in `Authorization`.
    public var admits: (@Sendable (String) -> Bool)?
    /// Answers only once the result has been handed to the webhook.
    public var waitsForWebhooks = false
    /// Whom pages, downloads and webhooks may reach.
    public var guardian = AddressGuard.publicOnly
    public var allowed: [String] = []
    public var denied: [String] = []
    public var runsScripts = true
    public var version = ""

    public init() {}

    var prefix: String { rootPath.split(separator: "/").map { "/" + $0 }.joined() }
}

/// What is answered when something cannot be done.
struct GotenbergProblem: Error {
    var status: Int
    var message: String

    init(_ status: Int, _ message: String) {
        self.status = status
        self.message = message
    }
}
