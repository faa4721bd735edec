/// One thing the server can do: a method on a pattern, what it takes, and the function that answers.
public struct Route: Sendable {
    public enum Mode: Sendable {
        /// Known to be short and never waiting: answered on the connection's own thread.
        case quick
        /// Runs on a worker thread while the connection sleeps.
        case work
    }

    /// What the request may carry. More is refused before it is read.
    public enum BodyRule: Sendable, Equatable {
        case none
        /// Held in memory.
        case bytes(limit: Int)
        /// Written to disk as it comes; multipart forms are taken apart on the way. What is no form and no longer than
        /// `held` comes in memory.
        case upload(limit: Int64, held: Int = 0)
    }

    public enum Answer: Sendable {
        case handler(@Sendable (Request) throws -> Response)
        /// Always the same: prepared once and sent without looking at the request any further.
        case constant(Response)
    }

    public var method: Method
    public var pattern: Pattern
    public var documentation: RouteDocumentation
    public var mode: Mode
    public var body: BodyRule
    public var answer: Answer

    public init(
        _ method: Method, _ pattern: String, documentation: RouteDocumentation = RouteDocumentation(),
        mode: Mode = .work, body: BodyRule? = nil, handler: @escaping @Sendable (Request) throws -> Response
    ) {
        self.method = method
        self.pattern = Pattern(pattern)
        self.documentation = documentation
        self.mode = mode
        self.body = body ?? (method.isSafe || method == .delete ? .none : .bytes(limit: 1_048_576))
        self.answer = .handler(handler)
    }

    public static func constant(
        _ pattern: String, documentation: RouteDocumentation = RouteDocumentation(), _ response: Response
    ) -> Route {
        var route = Route(.get, pattern, documentation: documentation, mode: .quick) { _ in response }
        route.answer = .constant(response)
        return route
    }
}
