import Markup

/// The way in: a passkey first, a password as well, a recovery code when both are lost.
struct SignInPage: Sendable {
    /// E-mail address or name typed before, after a failure.
    var login = ""
    var error: String?
    /// Where to go afterwards; a path of this site.
    var next: String?
    var usesRecoveryCode = false
}

/// The desk is signed in but locked: shows nothing of what lies on it. The same page asks once more who is there
/// before something grave, such as new recovery codes.
struct LockPage: Sendable {
    enum Reason: String, Sendable { case lock, proof }

    var reason: Reason = .lock
    var name: String
    var error: String?
    var hasPassword = true
    var hasPasskey = false
    var next: String?
}

/// An invited person makes their account.
struct JoinPage: Sendable {
    var token: String
    var invitedBy: String
    var role: Frame.Role
    var name = ""
    var login = ""
    var error: String?
    var errorField: String?
    var isGone = false
}

extension Pages {
    static func signIn(_ frame: Frame, _ model: SignInPage) -> HTML {
        let t = frame.texts
        let next = hidden("next", model.next)
        let secret =
            model.usesRecoveryCode
            ? Form.field(
                frame,
                Form.Field(
                    name: "recovery", label: t("signIn.recovery"), hint: t("signIn.recovery.hint"),
                    autocomplete: "off", isRequired: true))
                + Form.field(
                    frame,
                    Form.Field(
                        name: "newPassword", label: t("security.new"), type: "password",
                        hint: t("account.password.hint"), autocomplete: "new-password", isRequired: true,
                        minimumLength: 10))
            : Form.field(
                frame,
                Form.Field(
                    name: "password", label: t("form.password"), type: "password",
                    autocomplete: "current-password",
                    isRequired: true))
        let passkey: HTML = """
            <passkey-button action="sign-in"\(attribute: "next", model.next)>
            <button class="button button-main button-wide" type="button">\(frame.icon(.passkey))\(t("signIn.passkey"))</button>
            <p class="field-error" role="alert" hidden></p>
            <p class="divider"><span>\(t("signIn.or"))</span></p>
            </passkey-button>
            """
        let other: HTML =
            model.usesRecoveryCode
            ? "<a href=\"/sign-in\">\(t("signIn.withPassword"))</a>"
            : "<a href=\"/sign-in?with=recovery\">\(t("signIn.withRecovery"))</a>"
        return Shell.plain(
            frame, title: t("signIn.title"),
            """
            <section class="card gate"><div><h1>\(t("signIn.title"))</h1><p class="soft">\(t("signIn.lede"))</p></div>
            \(Form.failure(frame, model.error))
            \(model.usesRecoveryCode ? HTML.empty : passkey)
            \(Form.form(
                frame, "POST", "/sign-in",
                """
                \(next)
                \(Form.field(
                    frame,
                    Form.Field(
                        name: "login", label: t("signIn.login"), value: model.login, autocomplete: "username webauthn",
                        isRequired: true)))
                \(secret)
                <button class="button button-wide\(model.usesRecoveryCode ? " button-main" : "")">\(t("signIn.send"))</button>
                """))
            <p class="small">\(other)</p></section>
            """)
    }

    static func lock(_ frame: Frame, _ model: LockPage) -> HTML {
        let t = frame.texts
        let title = t(model.reason == .lock ? "lock.title" : "proof.title")
        let lede = t(model.reason == .lock ? "lock.lede" : "proof.lede", ["name": .text(model.name)])
        let passkey: HTML =
            model.hasPasskey
            ? """
            <passkey-button action="unlock"\(attribute: "next", model.next)>
            <button class="button button-main button-wide" type="button">\(frame.icon(.passkey))\(t("lock.passkey"))</button>
            <p class="field-error" role="alert" hidden></p></passkey-button>
            """ : .empty
        let password: HTML =
            model.hasPassword
            ? Form.form(
                frame, "POST", "/unlock",
                """
                \(hidden("next", model.next))
                \(Form.field(
                    frame,
                    Form.Field(
                        name: "password", label: t("form.password"), type: "password", error: model.error,
                        autocomplete: "current-password", isRequired: true, isFocused: true)))
                <button class="button button-wide\(model.hasPasskey ? "" : " button-main")">\(t("lock.open"))</button>
                """) : .empty
        return Shell.plain(
            frame, title: title,
            """
            <section class="card gate center"><div class="lock-mark">\(frame.icon(.lock))</div>
            <div><h1>\(title)</h1><p class="soft">\(lede)</p></div>
            \(passkey)\(password)
            \(Form.button(frame, "POST", "/sign-out", t("shell.signOut"), css: "link-button"))</section>
            """)
    }

    static func join(_ frame: Frame, _ model: JoinPage) -> HTML {
        let t = frame.texts
        if model.isGone {
            return Shell.plain(
                frame, title: t("join.gone"),
                "<section class=\"card center\">\(Part.empty(frame, icon: .mail, title: t("join.gone"), isPageTitle: true, "<p>\(t("join.gone.text"))</p>"))</section>"
            )
        }
        return Shell.plain(
            frame, title: t("join.title"),
            """
            <section class="card gate"><div><h1>\(t("join.title"))</h1>\
            <p class="soft">\(t("join.lede", ["name": .text(model.invitedBy), "role": .text(t("role.\(model.role.rawValue)"))]))</p></div>
            \(newAccount(
                frame, action: "/join/\(model.token)", name: model.name, login: model.login, error: model.error,
                errorField: model.errorField))
            </section>
            """)
    }

    /// Name, login and password, or a passkey instead of the password: the first owner and invited people alike.
    static func newAccount(
        _ frame: Frame, action: String, name: String, login: String, error: String?, errorField: String?,
        asksCode: Bool = false, isFirst: Bool = false
    ) -> HTML {
        let t = frame.texts
        // The desk speaks of a sign-in name; the form's field is called as password managers expect.
        let errorField = errorField == "signInName" ? "login" : errorField
        func problem(_ field: String) -> String? { errorField == field ? error : nil }
        let isKnown = errorField.map { ["name", "login", "password", "code"].contains($0) } ?? false
        // From another machine the first owner has to show that they started this desk.
        let code =
            asksCode || errorField == "code"
            ? Form.field(
                frame,
                Form.Field(
                    name: "code", label: t("account.code"), hint: t("account.code.hint"),
                    error: problem("code"),
                    autocomplete: "one-time-code", isRequired: true)) : .empty
        return """
            \(Form.failure(frame, isKnown ? nil : error))
            \(Form.form(
                frame, "POST", action, id: "account",
                """
                \(code)\(isFirst ? "<input type=\"hidden\" name=\"timeZone\" data-zone>" : .empty)
                \(Form.field(
                    frame,
                    Form.Field(
                        name: "name", label: t("account.name"), value: name, error: problem("name"), autocomplete: "name",
                        isRequired: true, isFocused: true, maximumLength: 100)))
                \(Form.field(
                    frame,
                    Form.Field(
                        name: "login", label: t("account.login"), value: login, hint: t("account.login.hint"),
                        error: problem("login"), autocomplete: "username", isRequired: true, maximumLength: 200)))
                <passkey-button action="register" form="account" path="\(action)">
                <button class="button button-main button-wide" type="button">\(frame.icon(.passkey))\(t("account.passkey"))</button>
                <p class="field-hint">\(t("account.passkey.hint"))</p>
                <p class="field-error" role="alert" hidden></p>
                <p class="divider"><span>\(t("account.or"))</span></p>
                </passkey-button>
                \(Form.field(
                    frame,
                    Form.Field(
                        name: "password", label: t("form.password"), type: "password", hint: t("account.password.hint"),
                        error: problem("password"), autocomplete: "new-password", isRequired: true, minimumLength: 10)))
                <button class="button button-wide">\(t("account.make"))</button>
                """))
            """
    }

    static func hidden(_ name: String, _ value: String?) -> HTML {
        guard let value else { return .empty }
        return "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">"
    }
}
