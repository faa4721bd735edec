import Access
import App
import Bytes
import Crypto
import HTTP
import Storage

extension Site {
    /// The first minutes of a desk, and of every invited person on it.
    static let welcomeActions: [Action] = [
        Action(.get, "/welcome", .anyone) { visit in try welcome(visit) },
        Action(
            .post, "/welcome", .anyone,
            .entry(
                "Become the first owner of a new desk", Schema.newAccount,
                .made("NewOwner", "The owner, and codes to keep"))
        ) { visit in
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
                                error: visit.said(failure), errorField: failure.pageField,
                                asksCode: asksCode(visit)))), .unprocessable)
            }
        },
        Action(
            .post, "/welcome/passkey-options", .anyone,
            .entry("Ask to become the first owner with a passkey", Schema.newcomer, .question)
        ) { visit in
            let input = try visit.input
            try visit.access.firstOwner.check(code: try setUpCode(visit, input), from: visit.visitor)
            return try newcomerQuestion(visit, input)
        },
        Action(
            .post, "/welcome/passkey", .anyone,
            .entry("Become the first owner with a passkey", Schema.newcomersPasskey, .next(.created))
        ) { visit in
            let input = try visit.input
            let signedIn = try setUp(visit, input, password: nil, passkey: try newPasskey(input))
            return visit.signedIn(signedIn, .json(["next": "/welcome?step=codes"], .created))
        },
        Action(
            .get, "/join/{token}", .anyone,
            .init("Look at an invitation", tag: "Sign-in", answers: [.ok("Invitation", "Still good")])
        ) { visit in
            let invitation: Invitation
            do {
                invitation = try visit.access.invitations.look(visit.parameter("token"))
            } catch let failure as Failure where visit.wantsPage && failure.code == .notFound {
                return visit.page(
                    Pages.join(visit.frame, JoinPage(token: "", invitedBy: "", role: .viewer, isGone: true)),
                    .notFound)
            }
            return try visit.show(invitation.json) {
                Pages.join(visit.frame, JoinPage(visit, invitation))
            }.kept(false)
        },
        Action(
            .post, "/join/{token}", .anyone,
            .entry("Accept an invitation", Schema.newAccount, .made("SignedIn", "A member now"))
        ) { visit in
            let input = try visit.input
            do {
                let signedIn = try join(visit, input, password: try input.requiredText("password"))
                return visit.signedIn(
                    signedIn,
                    visit.done(["member": signedIn.member.json], .created, next: "/welcome?step=start"))
            } catch let failure as Failure where visit.wantsPage && failure.code != .tooMany {
                guard let invitation = try? visit.access.invitations.look(visit.parameter("token")) else {
                    throw failure
                }
                var model = JoinPage(visit, invitation)
                model.name = (try? input.text("name")) ?? ""
                model.login = (try? input.text("login")) ?? ""
                model.error = visit.said(failure)
                model.errorField = failure.pageField
                return visit.page(Pages.join(visit.frame, model), .unprocessable)
            }
        },
        Action(
            .post, "/join/{token}/passkey-options", .anyone,
            .entry("Ask to join with a passkey", Schema.newcomer, .question)
        ) { visit in
            _ = try visit.access.invitations.look(visit.parameter("token"))
            return try newcomerQuestion(visit, visit.input)
        },
        Action(
            .post, "/join/{token}/passkey", .anyone,
            .entry("Join with a passkey", Schema.newcomersPasskey, .next(.created))
        ) { visit in
            let input = try visit.input
            let signedIn = try join(visit, input, password: nil, passkey: try newPasskey(input))
            return visit.signedIn(signedIn, .json(["next": "/welcome?step=start"], .created))
        },
    ]

    private static func welcome(_ visit: Visit) throws -> Response {
        if try visit.access.firstOwner.isMissing() {
            var response = visit.page(
                Pages.welcome(
                    visit.frame,
                    WelcomePage(
                        step: .owner(
                            name: "", login: "", error: nil, errorField: nil,
                            asksCode: visit.request.query["code"] == nil && asksCode(visit)))))
            // `quire serve` prints an address that carries the set-up code, so nobody has to type it.
            if let code = visit.request.query["code"], code.utf8.allSatisfy({ $0 > 0x2C && $0 < 0x5B }) {
                response.set(visit.site.cookie("setup", code, maxAge: 3_600, for: visit))
            }
            return response.kept(false)
        }
        guard let caller = visit.caller else { return .redirect(to: "/sign-in") }
        switch visit.request.query["step"] {
        case "paper", "start":
            let start = WelcomePage.Step.start(
                isLast: visit.request.query["step"] == "paper",
                offersPlans: !visit.access.entitlements.book.plans.isEmpty)
            return visit.page(Pages.welcome(visit.frame, WelcomePage(step: start)))
        // Reading this page again must not make the codes worthless that were kept from it.
        case "codes" where try visit.hasNoCodes(caller):
            let codes = try visit.access.recoveryCodes.make(by: caller, from: visit.visitor)
            return visit.page(Pages.welcome(visit.frame, WelcomePage(step: .recovery(codes: codes)))).kept(
                false)
        default: return .redirect(to: "/")
        }
    }

    /// `quire serve` printed it; who opens the address that was printed with it brings it in a cookie.
    private static func setUpCode(_ visit: Visit, _ input: Input) throws -> String? {
        try input.text("code") ?? visit.request.cookies[visit.site.cookieName("setup", visit)]
    }

    private static func asksCode(_ visit: Visit) -> Bool {
        visit.access.firstOwner.needsCode(visit.visitor)
            && visit.request.cookies[visit.site.cookieName("setup", visit)] == nil
    }

    private static func setUp(
        _ visit: Visit, _ input: Input, password: String?, passkey: NewPasskey? = nil
    ) throws -> SignedIn {
        let owner = try visit.access.firstOwner.setUp(
            name: try input.requiredText("name"), signInName: try input.requiredText("login"),
            password: password, passkey: passkey, code: try setUpCode(visit, input), from: visit.visitor)
        // Where they sit, as their browser says; one that we do not know leaves the machine's.
        if let zone = try input.text("timeZone"), !zone.isEmpty {
            let before = try visit.quire.settings.region()
            do {
                try visit.quire.settings.change(
                    Region(language: before.language, timeZone: zone), by: owner.caller)
            } catch let failure as Failure where failure.code == .invalid {}
        }
        return owner
    }

    private static func join(
        _ visit: Visit, _ input: Input, password: String?, passkey: NewPasskey? = nil
    ) throws -> SignedIn {
        try visit.access.invitations.accept(
            visit.parameter("token"), name: try input.requiredText("name"),
            signInName: try input.requiredText("login"), password: password, passkey: passkey,
            from: visit.visitor)
    }

    private static func newcomerQuestion(_ visit: Visit, _ input: Input) throws -> Response {
        let asked = try visit.access.passkeys.newcomerOptions(
            name: try input.requiredText("name"), signInName: try input.requiredText("login"),
            at: try visit.relyingParty(), from: visit.visitor)
        return .ceremony(asked.publicKey, asked.ceremony)
    }

    /// It is called after the device: `name` is the person's.
    private static func newPasskey(_ input: Input) throws -> NewPasskey {
        NewPasskey(try input.credential(), ceremony: try input.requiredText("ceremony"))
    }
}

extension JoinPage {
    init(_ visit: Visit, _ invitation: Invitation) {
        self.init(
            token: visit.parameter("token"), invitedBy: invitation.madeByName,
            role: Frame.Role(rawValue: invitation.role.rawValue) ?? .viewer)
    }
}

extension Input {
    func credential() throws(Failure) -> JSON {
        guard let credential = json("credential") else {
            throw Failure(.invalid, "The passkey is missing.", field: "credential")
        }
        return credential
    }
}

extension Visit {
    func hasNoCodes(_ caller: Caller) throws -> Bool {
        guard let id = caller.memberID else { return false }
        return try access.recoveryCodes.remaining(of: id) == 0
    }

    /// The answer with the session in its cookie. It ends with the session on our side, whatever the browser keeps.
    func signedIn(_ signedIn: SignedIn, _ response: Response) -> Response {
        var response = response
        let life = Int(access.policy.sessionLife.components.seconds)
        response.set(site.cookie("session", signedIn.token.text, maxAge: life, for: self))
        // Whoever chose language and look on another device finds them here as well.
        if let chosen = try? quire.settings.preferences(of: signedIn.member.id), chosen != Preferences() {
            for cookie in cookies(for: chosen) { response.set(cookie) }
        }
        return response.kept(false)
    }
}

extension Response {
    /// Whether a browser may keep it for going back.
    func kept(_ isKept: Bool) -> Response { isKept ? self : with("Cache-Control", "no-store") }

    /// A question for the browser's passkey dialog. Which one it was is found by its challenge; only newcomers send
    /// back what ties it to the account they will have.
    static func ceremony(_ options: JSON, _ ceremony: String = "") -> Response {
        Response.json(["publicKey": options, "ceremony": .string(ceremony)]).kept(false)
    }
}

extension Failure {
    /// What the field is called on our pages.
    var pageField: String? { field == "signInName" ? "login" : field }
}
