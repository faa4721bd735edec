import Access
import App
import Bytes
import HTTP
import SQL
import Storage

/// Something one can do on this site: a method on a pattern, who may, and the function that answers.
struct Action: Sendable {
    enum Who: Sendable {
        case anyone
        /// Whoever is signed in and may at least do this.
        case member(Right)
        /// Whoever has opened a link to a thing of this kind; the action knows what then may be done.
        case guest(of: String)
    }

    var method: Method
    var pattern: String
    var who: Who
    var documentation: RouteDocumentation
    var mode: Route.Mode = .work
    var body: Route.BodyRule?
    /// Another app on the device may begin it through the browser, with no page of ours and so without its token.
    var isByAnotherApp = false
    /// It only tells something, though it is asked with POST, because the question is long.
    var isOnlyAsking = false
    /// It outlasts the session, or carries papers away. Whoever finds the browser open is asked who they are first; what
    /// depends on what is sent (a token's scope) is asked by the desk.
    var isGrave = false
    /// Part of photographing papers. A phone that was let in for that alone does these and nothing else.
    var isForPhones = false
    /// Who calls shows a secret of the thing itself. Nobody is signed in there, whatever else comes along, so no other site can make
    /// a browser do it in somebody's name.
    var showsItsOwnSecret = false
    var answer: @Sendable (Visit) throws -> Response

    init(
        _ method: Method, _ pattern: String, _ who: Who,
        _ documentation: RouteDocumentation = RouteDocumentation(),
        body: Route.BodyRule? = nil, isByAnotherApp: Bool = false, isOnlyAsking: Bool = false,
        isGrave: Bool = false, isForPhones: Bool = false, showsItsOwnSecret: Bool = false,
        answer: @escaping @Sendable (Visit) throws -> Response
    ) {
        self.method = method
        self.pattern = pattern
        self.who = who
        self.documentation = documentation
        self.body = body
        self.isByAnotherApp = isByAnotherApp
        self.isOnlyAsking = isOnlyAsking
        self.isGrave = isGrave
        self.isForPhones = isForPhones
        self.showsItsOwnSecret = showsItsOwnSecret
        self.answer = answer
    }

    /// Every member may do it, as it concerns only them: how they come in, what they are called. A program does it in
    /// their place only with a token that may do everything; one that may read or write papers could otherwise lock its
    /// member out, or make itself a better key.
    var isOfOnesOwn: Bool {
        guard case .member(.view) = who else { return false }
        return !method.isSafe && !isOnlyAsking
    }

    /// The same, with the answers that every action of its kind may give.
    var described: Route {
        var documentation = documentation
        documentation.addUsualAnswers(self)
        return Route(method, pattern, documentation: documentation, mode: mode, body: body) { _ in .noContent
        }
    }
}

extension [Action] {
    /// The routes of these actions. Browsers' forms know only GET and POST, so every pattern that can be changed or
    /// removed also takes POST with `_method`.
    func routes(
        _ reference: SiteReference, description: @autoclosure @escaping @Sendable () -> Response
    ) -> [Route] {
        var routes = map { action in
            let described = action.described
            return Route(
                action.method, action.pattern, documentation: described.documentation, mode: action.mode,
                body: action.body
            ) { request in try reference.site.answer(request, self.overriding(action, request)) }
        }
        let posts = Set(filter { $0.method == .post }.map(\.pattern))
        var seen: Set<String> = []
        for action in self where [.patch, .delete].contains(action.method) && !posts.contains(action.pattern)
        {
            guard seen.insert(action.pattern).inserted else { continue }
            routes.append(
                Route(.post, action.pattern, mode: .work) { request in
                    guard let chosen = self.override(action.pattern, request) else {
                        throw Refusal(
                            .methodNotAllowed, "This address takes no POST of its own.",
                            headers: ["Allow": "PATCH, DELETE"])
                    }
                    return try reference.site.answer(request, chosen)
                })
        }
        routes += Site.watching(reference)
        routes.append(
            Route(.get, "/openapi.json") { _ in description().with("Cache-Control", "no-cache") })
        return routes
    }

    private func overriding(_ action: Action, _ request: Request) -> Action {
        action.method == .post ? override(action.pattern, request) ?? action : action
    }

    private func override(_ pattern: String, _ request: Request) -> Action? {
        guard request.mediaType?.isJSON != true, let name = (try? request.form)?["_method"],
            let method = Method(name.uppercased()), method == .patch || method == .delete
        else { return nil }
        return first { $0.method == method && $0.pattern == pattern }
    }
}
