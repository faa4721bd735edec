/// Finds the route of a request and gives its answer, complete: with `HEAD`, `OPTIONS`, 404, 405, conditions, ranges
/// and compression done. The server and the tests call the same function.
public struct Router: Sendable {
    public enum Match: Sendable {
        case route(Route, parameters: [String: String])
        case notFound
        case methodNotAllowed([Method])
        /// `OPTIONS` on a path that exists.
        case options([Method])
    }

    /// Turns what a handler threw into an answer.
    public typealias FailureAnswer = @Sendable (any Error, Request) -> Response
    /// Looks at a request before its body is read; an answer refuses it there and then.
    public typealias Admission = @Sendable (Request, Route) throws -> Response?
    /// A last touch to every answer, such as the headers they all carry.
    public typealias Finish = @Sendable (Response, Request) -> Response

    public private(set) var routes: [Route]
    /// Another router that answers everything whose path begins so, by its own rules.
    private var nested: [(first: String, router: Router)] = []
    private let root: Node
    private let failure: FailureAnswer
    private let admission: Admission?
    private let finishing: Finish?

    public init(
        _ routes: [Route], failure: @escaping FailureAnswer = Router.plainFailure,
        admission: Admission? = nil,
        finishing: Finish? = nil
    ) {
        self.routes = routes
        self.failure = failure
        self.admission = admission
        self.finishing = finishing
        var root = Node()
        for route in routes { root.insert(route, route.pattern.segments[...]) }
        self.root = root
    }

    /// The same, with all that lies under a first part of the path left to another router: its failures, its
    /// admission and its last touches are its own. Its paths hold that first part.
    public func nesting(_ router: Router, under first: String) -> Router {
        var both = self
        both.nested.append((first, router))
        both.routes += router.routes.filter { $0.pattern.segments.first == .literal(first) }
        return both
    }

    private func router(for path: [String]) -> Router? {
        path.first.flatMap { first in nested.first { $0.first == first }?.router }
    }

    public static let plainFailure: FailureAnswer = { error, _ in
        if let refusal = error as? Refusal { return .refusal(refusal) }
        return .problem(.internalError, detail: "Something went wrong inside.")
    }

    public func match(_ method: Method, _ path: [String]) -> Match {
        if let router = router(for: path) { return router.match(method, path) }
        guard let (table, parameters) = root.find(path[...]) else { return .notFound }
        if let route = table[method] ?? (method == .head ? table[.get] : nil) {
            return .route(route, parameters: parameters)
        }
        let allowed = Router.allowed(table)
        return method == .options ? .options(allowed) : .methodNotAllowed(allowed)
    }

    public func response(to request: Request) -> Response {
        respond(to: request, match(request.method, request.path))
    }

    /// The answer that makes reading the body needless, if there is one.
    package func refusal(of request: Request, _ match: Match) -> Response? {
        if let router = router(for: request.path) { return router.refusal(of: request, match) }
        guard case .route(let route, let parameters) = match else { return respond(to: request, match) }
        guard let admission else { return nil }
        var request = request
        request.parameters = parameters
        do {
            return try admission(request, route).map { finish($0, request) }
        } catch {
            return finish(failure(error, request), request)
        }
    }

    /// An answer for something that broke before a handler could see it.
    package func response(to request: Request, failing error: any Error) -> Response {
        if let router = router(for: request.path) { return router.response(to: request, failing: error) }
        return finish(failure(error, request), request)
    }

    package func respond(to request: Request, _ match: Match) -> Response {
        if let router = router(for: request.path) { return router.respond(to: request, match) }
        var request = request
        let response: Response
        do {
            switch match {
            case .route(let route, let parameters):
                request.parameters = parameters
                switch route.answer {
                case .constant(let constant): response = constant
                case .handler(let handler): response = try handler(request)
                }
            case .notFound: throw Refusal(.notFound, "There is nothing at this address.")
            case .methodNotAllowed(let allowed):
                throw Refusal(
                    .methodNotAllowed, "\(request.method) is not something this address can do.",
                    headers: ["Allow": Router.list(allowed)])
            case .options(let allowed):
                response = Response(.noContent, headers: ["Allow": Router.list(allowed)])
            }
        } catch {
            response = failure(error, request)
        }
        return finish(response, request)
    }

    private func finish(_ response: Response, _ request: Request) -> Response {
        let finished = finishing.map { $0(response, request) } ?? response
        return Delivery.finish(finished, for: request)
    }

    private static func list(_ methods: [Method]) -> String { methods.map(\.name).joined(separator: ", ") }

    private static func allowed(_ table: [Method: Route]) -> [Method] {
        var methods = Set(table.keys).union([.options])
        if methods.contains(.get) { methods.insert(.head) }
        return methods.sorted { $0.name < $1.name }
    }
}

/// A level of the tree of paths.
private struct Node: Sendable {
    var literals: [String: Node] = [:]
    /// Routes may name the same place differently; the name belongs to the route.
    var parameter: [Node] = []
    var routes: [Method: Route] = [:]
    /// For all that is below and has no route of its own.
    var rest: [Method: Route] = [:]

    mutating func insert(_ route: Route, _ segments: ArraySlice<Pattern.Segment>) {
        switch segments.first {
        case nil:
            precondition(routes[route.method] == nil, "two routes for \(route.method) \(route.pattern)")
            routes[route.method] = route
        case .literal(let text): literals[text, default: Node()].insert(route, segments.dropFirst())
        case .parameter:
            if parameter.isEmpty { parameter.append(Node()) }
            parameter[0].insert(route, segments.dropFirst())
        case .rest:
            precondition(rest[route.method] == nil, "two routes for \(route.method) \(route.pattern)")
            rest[route.method] = route
        }
    }

    /// A literal beats a parameter, but a dead end behind a literal does not hide what a parameter would find.
    func find(_ path: ArraySlice<String>) -> ([Method: Route], [String: String])? {
        guard let (table, values) = walk(path) else { return nil }
        guard let names = table.first?.value.pattern.parameterNames else { return nil }
        return (table, Dictionary(zip(names, values), uniquingKeysWith: { first, _ in first }))
    }

    private func walk(_ path: ArraySlice<String>) -> ([Method: Route], [String])? {
        let others = rest.isEmpty ? nil : (rest, [String]())
        guard let first = path.first else { return routes.isEmpty ? others : (routes, []) }
        if let literal = literals[first], let found = literal.walk(path.dropFirst()) { return found }
        guard !first.isEmpty, let found = parameter.first?.walk(path.dropFirst()) else { return others }
        return (found.0, [first] + found.1)
    }
}
