import Access
import Bytes
import Crypto
import HTTP
import Markup
import Storage

extension Site {
    /// Keys for programs.
    static let tokenActions: [Action] = [
        Action(
            .get, "/tokens", .member(.view),
            .init(
                "List API tokens", tag: "Security", answers: [.ok("TokenList", "One's own; owners see all")])
        ) { visit in
            let tokens = try visit.access.tokens.list(by: try visit.member())
            return try visit.show(["tokens": .array(tokens.map(\.json))]) {
                Pages.tokens(visit.frame, try tokensPage(visit))
            }
        },
        Action(
            .post, "/tokens", .member(.view),
            .init(
                "Make an API token", description: "The token is told this once.", tag: "Security",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [
                                ("name", Schema.name),
                                (
                                    "scope",
                                    [
                                        "type": "array", "minItems": 1,
                                        "items": Schema.choice(Scope.allCases.map(\.rawValue)),
                                    ]
                                ), ("days", Schema.orNull(Schema.integer(1, 3_650))),
                            ], optional: ["days"]))
                ], answers: [.made("NewToken", "The token")])
        ) { visit in
            let input = try visit.input
            do {
                var scopes: Set<Scope> = []
                for word in try input.texts("scope") {
                    guard let scope = Scope(rawValue: word) else {
                        throw Failure(
                            .invalid, "A scope is read, write, contacts, admin or sync.", field: "scope")
                    }
                    scopes.insert(scope)
                }
                let (token, entry) = try visit.access.tokens.make(
                    name: try input.requiredText("name"), scopes: scopes,
                    expiresAt: try input.days("days", from: visit.now), by: try visit.member())
                guard visit.wantsPage else {
                    var json = entry.json.object ?? [:]
                    json["token"] = .string(token.text)
                    return Response.json(.object(json), .created).with("Location", "/tokens/\(entry.id)")
                        .kept(false)
                }
                var page = try tokensPage(visit)
                page.newToken = token.text
                return visit.page(Pages.tokens(visit.frame, page)).kept(false)
            } catch var failure as Failure {
                if failure.field == "scopes" { failure.field = "scope" }
                guard visit.wantsPage, [.invalid, .denied].contains(failure.code) else { throw failure }
                var page = try tokensPage(visit)
                page.error = visit.said(failure)
                page.errorField = failure.field
                return visit.page(Pages.tokens(visit.frame, page), Site.status(of: failure.code))
            }
        },
        Action(
            .delete, "/tokens", .member(.view),
            .init(
                "Revoke all of one's own API tokens", tag: "Security",
                answers: [.init(.noContent, "None of them opens anything any more")])
        ) { visit in
            try visit.access.tokens.revokeOwn(by: try visit.member())
            return visit.done([:], .noContent, next: "/tokens", notice: "notice.revoked")
        },
        Action(
            .delete, "/tokens/{id}", .member(.view),
            .init(
                "Revoke an API token", tag: "Security",
                answers: [.init(.noContent, "It opens nothing any more")])
        ) { visit in
            try visit.access.tokens.revoke(visit.id(of: "token"), by: try visit.member())
            return visit.done([:], .noContent, next: "/tokens", notice: "notice.revoked")
        },
    ]

    /// Where a changed password leads: whoever knew the one before may have made a token, which it does not end.
    static func afterPassword(_ caller: Caller, _ access: Gate, otherwise next: String) throws -> String {
        try access.tokens.own(of: caller).isEmpty ? next : "/tokens?after=password"
    }

    private static func tokensPage(_ visit: Visit) throws -> TokensPage {
        let caller = try visit.member()
        let scopes = Scope.allCases.filter { $0.rights.isSubset(of: caller.rights) }
        return TokensPage(
            tokens: try visit.access.tokens.list(by: caller).map(TokensPage.Token.init),
            scopes: scopes.map { ($0.rawValue, visit.texts("scope.\($0.rawValue)")) },
            ownCount: try visit.access.tokens.own(of: caller).count,
            isAfterPassword: visit.request.query["after"] == "password")
    }
}

extension TokensPage.Token {
    init(_ token: APIToken) {
        self.init(
            id: token.id.text, name: token.name,
            scopes: Scope.allCases.filter(token.scopes.contains).map(\.rawValue),
            createdAt: token.madeAt, lastUsedAt: token.usedAt, expiresAt: token.expiresAt)
    }
}
