import Bytes
import HTTP

/// What is sent at the door: browsers do, with a cookie and the token against forgery.
extension Schema {
    private static let account: [(String, JSON)] = [("name", name), ("login", name), ("code", string)]
    private static let credential: [(String, JSON)] = [("credential", ["type": "object"])]

    static let newAccount = object(
        account + [("password", string), ("timeZone", string)], optional: ["code", "timeZone"])
    static let newcomer = object(account, optional: ["code"])
    static let newcomersPasskey = object(
        account + credential + [("ceremony", string), ("timeZone", string)], optional: ["code", "timeZone"])
    static let newPasskey = object(
        credential + [("name", string), ("ceremony", string)], optional: ["name", "ceremony"])
    static let passkeyAnswer = object(
        credential + [("ceremony", string), ("next", string)], optional: ["ceremony", "next"])
    static let unlock = object([("password", string), ("next", string)], optional: ["next"])
    static let signIn = object(
        [
            ("login", string), ("password", string), ("recovery", string), ("newPassword", string),
            ("next", string),
        ], optional: ["password", "recovery", "newPassword", "next"])
}

extension RouteDocumentation {
    static func entry(_ summary: String, _ body: JSON?, _ answer: Answer) -> RouteDocumentation {
        RouteDocumentation(
            summary,
            description:
                "For browsers. Who comes without an API token sends `X-Quire-CSRF` with the token of the page.",
            tag: "Sign-in", requestBody: body.map { [Content(.json, $0)] } ?? [],
            answers: [
                answer,
                Answer(.unauthorized, "Not let in", [.init(.problem, Schema.ref("Problem"))]),
                Answer(.forbidden, "Not from a page of this desk", [.init(.problem, Schema.ref("Problem"))]),
            ])
    }
}

extension RouteDocumentation.Answer {
    /// A question for the browser's passkey dialog.
    static let question = ok("Question", "For `navigator.credentials`, and what to send back")

    static func next(_ status: Status) -> Self {
        Self(status, "Where to go", [.init(.json, Schema.ref("Next"))])
    }
}
