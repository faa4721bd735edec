import Access
import Bytes
import Crypto
import HTTP
import Storage

extension Site {
    /// The first minutes of a desk, and of every invited person on it.
    static let welcomeActions: [Action] = [
        Action(.get, "/welcome", .anyone) { visit in try welcome(visit) },
        Action(.post, "/welcome", .anyone) { visit in
            let input = try visit.input
            do {
                let signedIn = try setUp(visit, input, password: try input.requiredText("password"))
                let codes = try visit.access.recoveryCodes.make(by: signedIn.caller, from: visit.visitor)
                guard visit.wantsPage else {
                    return visit.signedIn(
                        signedIn,
                        .json(["member": signedIn.member.json, "recoveryCodes": .texts(codes)], .created))
                }
                var frame = visit.frame
                frame.reader = nil
                return visit.signedIn(
                    signedIn,
                    visit.page(Pages.welcome(frame, WelcomePage(step: .recovery(codes: codes)))).kept(false))
            } catch let failure as Failure where visit.wantsPage && failure.code != .tooMany {
                return visit.page(
                    Pages.welcome(
                        visit.frame,
                        WelcomePage(
                            step: .owner(
                                name: (try? input.text("name")) ?? "",
                                login: (try? input.text("login")) ?? "",
                                error: failure.message, errorField: failure.pageField))), .unprocessable)
            }
        },
        // A passkey belongs to somebody, so the account is made first and the passkey right after it.
        Action(.post, "/welcome/passkey-options", .anyone) { visit in
            let party = try visit.relyingParty()
            let signedIn = try setUp(visit, visit.input, password: nil)
            let options = try visit.access.passkeys.registrationOptions(for: signedIn.caller, at: party)
            return visit.signedIn(signedIn, .ceremony(options))
        },
        Action(.post, "/welcome/passkey", .member(.view)) { visit in
            try addPasskey(visit)
            return .json(["next": "/welcome?step=codes"])
        },
        Action(.get, "/join/{token}", .anyone) { visit in
            guard let invitation = try? visit.access.invitations.look(visit.parameter("token")) else {
                return visit.page(
                    Pages.join(visit.frame, JoinPage(token: "", invitedBy: "", role: .viewer, isGone: true)),
                    .notFound)
            }
            return try visit.show(invitation.json) {
                Pages.join(visit.frame, JoinPage(visit, invitation))
            }.kept(false)
        },
        Action(.post, "/join/{token}", .anyone) { visit in
            let input = try visit.input
            do {
                let signedIn = try join(visit, input, password: try input.requiredText("password"))
                return visit.signedIn(
                    signedIn, visit.done(["member": signedIn.member.json], .created, next: "/"))
            } catch let failure as Failure where visit.wantsPage && failure.code != .tooMany {
                guard let invitation = try? visit.access.invitations.look(visit.parameter("token")) else {
                    throw failure
                }
                var model = JoinPage(visit, invitation)
                model.name = (try? input.text("name")) ?? ""
                model.login = (try? input.text("login")) ?? ""
                model.error = failure.message
                model.errorField = failure.pageField
                return visit.page(Pages.join(visit.frame, model), .unprocessable)
            }
        },
        Action(.post, "/join/{token}/passkey-options", .anyone) { visit in
            let party = try visit.relyingParty()
            let signedIn = try join(visit, visit.input, password: nil)
            let options = try visit.access.passkeys.registrationOptions(for: signedIn.caller, at: party)
            return visit.signedIn(signedIn, .ceremony(options))
        },
        Action(.post, "/join/{token}/passkey", .member(.view)) { visit in
            try addPasskey(visit)
            return .json(["next": "/"])
        },
    ]

    private static func welcome(_ visit: Visit) throws -> Response {
        if try visit.access.firstOwner.isMissing() {
            var response = visit.page(
                Pages.welcome(
                    visit.frame, WelcomePage(step: .owner(name: "", login: "", error: nil, errorField: nil))))
            // `quire serve` prints an address that carries the set-up code, so nobody has to type it.
            if let code = visit.request.query["code"], code.utf8.allSatisfy({ $0 > 0x2C && $0 < 0x5B }) {
                response.set(visit.site.cookie("setup", code, maxAge: 3_600, for: visit))
            }
            return response.kept(false)
        }
        guard let caller = visit.caller else { return .redirect(to: "/sign-in") }
        switch visit.request.query["step"] {
        case "paper": return visit.page(Pages.welcome(visit.frame, WelcomePage(step: .firstPaper)))
        case "codes":
            let codes = try visit.access.recoveryCodes.make(by: caller, from: visit.visitor)
            return visit.page(Pages.welcome(visit.frame, WelcomePage(step: .recovery(codes: codes)))).kept(
                false)
        default: return .redirect(to: "/")
        }
    }

    private static func setUp(_ visit: Visit, _ input: Input, password: String?) throws -> SignedIn {
        let code = try input.text("code") ?? visit.request.cookies[visit.site.cookieName("setup", visit)]
        return try visit.access.firstOwner.setUp(
            name: try input.requiredText("name"), signInName: try input.requiredText("login"),
            password: password,
            code: code, from: visit.visitor)
    }

    private static func join(_ visit: Visit, _ input: Input, password: String?) throws -> SignedIn {
        try visit.access.invitations.accept(
            visit.parameter("token"), name: try input.requiredText("name"),
            signInName: try input.requiredText("login"), password: password, from: visit.visitor)
    }

    @discardableResult
    static func addPasskey(_ visit: Visit) throws -> Passkey {
        let input = try visit.input
        guard let credential = input.json("credential") else {
            throw Failure(.invalid, "The passkey is missing.", field: "credential")
        }
        let device = Visit.isPersonName(visit) ? "" : try input.text("name") ?? ""
        return try visit.access.passkeys.register(
            credential, name: device, by: try visit.member(), from: visit.visitor)
    }
}

extension JoinPage {
    init(_ visit: Visit, _ invitation: Invitation) {
        self.init(
            token: visit.parameter("token"), invitedBy: "Quire",
            role: Frame.Role(rawValue: invitation.role.rawValue) ?? .viewer)
    }
}

extension Visit {
    /// When an account is made, `name` is the person's; the passkey is then called after the device.
    static func isPersonName(_ visit: Visit) -> Bool { visit.request.path.first != "passkeys" }

    /// The answer with the session in its cookie. It ends with the session on our side, whatever the browser keeps.
    func signedIn(_ signedIn: SignedIn, _ response: Response) -> Response {
        var response = response
        let life = Int(access.policy.sessionLife.components.seconds)
        response.set(site.cookie("session", signedIn.token.text, maxAge: life, for: self))
        return response.kept(false)
    }
}

extension Response {
    /// Whether a browser may keep it for going back.
    func kept(_ isKept: Bool) -> Response { isKept ? self : with("Cache-Control", "no-store") }

    /// A question for the browser's passkey dialog. Which one it was is found by its challenge, so nothing else has to
    /// come back.
    static func ceremony(_ options: JSON) -> Response {
        Response.json(["publicKey": options, "ceremony": ""]).kept(false)
    }
}

extension Failure {
    /// What the field is called on our pages.
    var pageField: String? { field == "signInName" ? "login" : field }
}
