import Markup
import Work

struct SecurityPage: Sendable {
    struct Passkey: Sendable {
        var id: String
        var name: String
        var addedAt: Moment
        var lastUsedAt: Moment?
    }
    struct Session: Sendable {
        var id: String
        /// `Firefox on Android`
        var device: String
        var address: String
        var lastSeenAt: Moment
        var isThisOne = false
        var onlyCaptures = false
    }
    var passkeys: [Passkey]
    var sessions: [Session]
    var hasPassword: Bool
    var recoveryCodesLeft: Int
    /// Just made; shown this once.
    var newRecoveryCodes: [String] = []
    var lockAfterMinutes: Int?
    var error: String?
    var errorField: String?
}

struct MembersPage: Sendable {
    struct Member: Sendable {
        var id: String
        var name: String
        var login: String
        var role: Frame.Role
        var lastSeenAt: Moment?
        var isReader = false
    }
    struct Invitation: Sendable {
        var id: String
        var note: String
        var role: Frame.Role
        var expiresAt: Moment
    }
    var members: [Member]
    var invitations: [Invitation]
    /// The invitation just made: its link is shown this once.
    var newInvitationAddress: String?
    var error: String?
}

struct TokensPage: Sendable {
    struct Token: Sendable {
        var id: String
        var name: String
        var scopes: [String]
        var createdAt: Moment
        var lastUsedAt: Moment?
        var expiresAt: Moment?
    }
    var tokens: [Token]
    /// Value and a sentence for each scope one may grant.
    var scopes: [(value: String, label: String)]
    /// How many are those of whoever looks.
    var ownCount = 0
    /// They have just set a new password.
    var isAfterPassword = false
    /// The secret just made; shown this once.
    var newToken: String?
    var error: String?
    var errorField: String?
}

struct StoragePage: Sendable {
    struct Backup: Sendable {
        var at: Moment
        var path: String
        var byteCount: Int64
    }
    struct Verification: Sendable {
        var at: Moment
        var problems: [String]
        /// What the damaged files belong to.
        var papers: [String] = []
    }
    /// What opens encrypted backups, on paper.
    enum Sheet: Sendable {
        case missing
        case made(Moment)
    }
    var home: String
    var database: String
    var documentCount: Int
    var blobByteCount: Int64
    var freeByteCount: Int64
    var backups: [Backup]
    var backupFolder: String
    /// A recurrence rule; empty for never.
    var backupRule = ""
    var backupsKept = "30"
    var isEncrypted = false
    var sheet: Sheet?
    var verification: Verification?
    var error: String?
    var errorField: String?
}

extension Pages {
    static func security(_ frame: Frame, _ model: SecurityPage) -> HTML {
        settingsPage(
            frame, "settings.security",
            "\(passkeys(frame, model))\(password(frame, model))\(recovery(frame, model))\(appLock(frame, model))\(sessions(frame, model))"
        )
    }

    private static func passkeys(_ frame: Frame, _ model: SecurityPage) -> HTML {
        let t = frame.texts
        let items = model.passkeys.map { key -> HTML in
            let used =
                key.lastUsedAt.map { t.html("security.used", markup: ["when": Part.time($0)]) }
                ?? HTML(plain: t("security.unused"))
            return """
                <div class="item">\(frame.icon(.passkey))<span class="item-text"><span class="item-title">\(key.name)</span>\
                <span class="item-note">\(used)</span></span>\
                \(Form.button(
                    frame, "DELETE", "/passkeys/\(key.id)", t("form.remove"), css: "button button-s button-danger",
                    confirm: t("security.passkey.confirm", ["name": .text(key.name)])))</div>
                """
        }
        return Part.card(
            t("security.passkeys"),
            """
            <p class="soft">\(t("security.passkeys.text"))</p>
            \(items.isEmpty ? HTML.empty : Part.list(items))
            <passkey-button action="add"><button class="button" type="button">\(frame.icon(.plus))\(t("security.passkey.add"))</button>
            <p class="field-error" role="alert" hidden></p></passkey-button>
            """)
    }

    private static func password(_ frame: Frame, _ model: SecurityPage) -> HTML {
        let t = frame.texts
        func problem(_ field: String) -> String? { model.errorField == field ? model.error : nil }
        let current =
            model.hasPassword
            ? Form.field(
                frame,
                Form.Field(
                    name: "current", label: t("security.current"), type: "password",
                    error: problem("current"),
                    autocomplete: "current-password", isRequired: true)) : .empty
        return Part.card(
            t("form.password"),
            Form.form(
                frame, "POST", "/settings/security/password",
                """
                \(Form.failure(frame, model.errorField == nil ? model.error : nil))
                \(current)
                \(Form.field(
                    frame,
                    Form.Field(
                        name: "password", label: t("security.new"), type: "password", hint: t("account.password.hint"),
                        error: problem("password"), autocomplete: "new-password", isRequired: true, minimumLength: 10)))
                <div><button class="button">\(t(model.hasPassword ? "security.change" : "security.set"))</button></div>
                """))
    }

    private static func recovery(_ frame: Frame, _ model: SecurityPage) -> HTML {
        let t = frame.texts
        let fresh: HTML =
            model.newRecoveryCodes.isEmpty
            ? .empty
            : """
            \(Part.note(frame, .warn, "<p>\(t("welcome.recovery.text"))</p>", role: "status"))\(recoveryCodes(frame, model.newRecoveryCodes))
            """
        return Part.card(
            t("security.recovery"), id: "recovery",
            """
            <p class="soft">\(t("security.recovery.left", ["count": .number(model.recoveryCodesLeft)]))</p>
            \(fresh)
            \(Form.button(
                frame, "POST", "/settings/security/recovery-codes", t("security.recovery.make"), icon: .again,
                confirm: model.recoveryCodesLeft > 0 ? t("security.recovery.confirm") : nil))
            """)
    }

    private static func appLock(_ frame: Frame, _ model: SecurityPage) -> HTML {
        let t = frame.texts
        let options =
            [("", t("lock.never"))]
            + Set([1, 5, 15, 60] + (model.lockAfterMinutes.map { [$0] } ?? [])).sorted().map {
                (String($0), t("lock.minutes", ["count": .number($0)]))
            }
        return Part.card(
            t("lock.settings"),
            Form.form(
                frame, "POST", "/settings/security/lock",
                """
                \(Form.select(
                    frame, name: "minutes", label: t("lock.after"), options: options,
                    chosen: model.lockAfterMinutes.map(String.init) ?? "", hint: t("lock.hint"),
                    error: ["minutes", "lock-after"].contains(model.errorField) ? model.error : nil))
                \(save(frame))
                """))
    }

    private static func sessions(_ frame: Frame, _ model: SecurityPage) -> HTML {
        let t = frame.texts
        let items = model.sessions.map { session -> HTML in
            let end: HTML =
                session.isThisOne
                ? Part.chip(frame, t("security.thisDevice"), .good)
                : Form.button(
                    frame, "DELETE", "/sessions/\(session.id)", t("security.end"), css: "button button-s",
                    name: t("security.end.name", ["device": .text(session.device)]))
            return """
                <div class="item">\(frame.icon(.device))<span class="item-text"><span class="item-title">\(session.device)</span>\
                <span class="item-note">\(session.onlyCaptures ? "\(t("security.onlyCaptures")) · " as HTML : .empty)\(session.address) · \(Part.time(session.lastSeenAt))</span></span>\(end)</div>
                """
        }
        let others =
            model.sessions.count > 1
            ? Form.button(
                frame, "DELETE", "/sessions", t("security.endOthers"), css: "button button-s",
                confirm: t("security.endOthers.confirm")) : .empty
        return """
            <section class="card card-flush"><div class="card-head"><h2>\(t("security.devices"))</h2>\(others)</div>\(Part.list(items))</section>
            """
    }

    static func members(_ frame: Frame, _ model: MembersPage) -> HTML {
        let t = frame.texts
        let fresh = model.newInvitationAddress.map { address in
            Part.note(
                frame, .good,
                """
                <p><strong>\(t("members.invited"))</strong> \(t("members.invited.text"))</p>
                \(Part.newLink(frame, address))<div class="row">\(Part.copy(frame, address))</div>
                """, role: "status")
        }
        let invite = Form.form(
            frame, "POST", "/invitations",
            """
            \(Form.failure(frame, model.error))
            \(Form.field(
                frame, Form.Field(name: "note", label: t("members.who"), hint: t("members.who.hint"), autocomplete: "off", maximumLength: 200)))
            <fieldset><legend class="field-label">\(t("members.role"))</legend>
            \([Frame.Role.editor, .viewer].map { role -> HTML in
                """
                <label class="choice"><input type="radio" name="role" value="\(role.rawValue)"\(attribute: "checked", if: role == .editor)>\
                <span>\(t("role.\(role.rawValue)"))<small>\(t("role.\(role.rawValue).may"))</small></span></label>
                """
            })</fieldset>
            <div><button class="button button-main">\(frame.icon(.plus))\(t("members.invite"))</button></div>
            """)
        let waiting: HTML =
            model.invitations.isEmpty
            ? .empty
            : """
            <section class="card card-flush"><div class="card-head"><h2>\(t("members.waiting"))</h2></div>\
            \(Part.list(model.invitations.map { invitation -> HTML in
                """
                <div class="item">\(frame.icon(.mail))<span class="item-text">\
                <span class="item-title">\(invitation.note.isEmpty ? t("members.someone") : invitation.note)</span>\
                <span class="item-note">\(t("role.\(invitation.role.rawValue)")) · \
                \(t.html("shares.until", markup: ["when": Part.time(invitation.expiresAt, style: .date)]))</span></span>\
                \(Form.button(frame, "DELETE", "/invitations/\(invitation.id)", t("members.withdraw"), css: "button button-s"))</div>
                """
            }))</section>
            """
        return settingsPage(
            frame, "settings.members",
            """
            <section class="card card-flush"><div class="card-head"><h2>\(t("members.here"))</h2></div>\
            \(Part.list(model.members.map { memberItem(frame, $0) }))</section>
            \(waiting)
            \(Part.card(t("members.new"), id: "invite", "\(fresh)\(invite)"))
            """)
    }

    private static func memberItem(_ frame: Frame, _ member: MembersPage.Member) -> HTML {
        let t = frame.texts
        let seen = member.lastSeenAt.map { Part.time($0) } ?? HTML(plain: t("members.never"))
        let path = "/members/\(member.id)"
        let role: HTML =
            member.isReader
            ? Part.chip(frame, t("role.\(member.role.rawValue)"), .good)
            : """
            <form method="post" action="\(url: path)" class="row">\(Form.csrf(frame))<input type="hidden" name="_method" value="PATCH">
            <label class="unseen" for="role-\(member.id)">\(t("members.role.of", ["name": .text(member.name)]))</label>
            <select class="role" id="role-\(member.id)" name="role" data-submits>\(Frame.Role.allCases.map { role -> HTML in
                "<option value=\"\(role.rawValue)\"\(attribute: "selected", if: role == member.role)>\(t("role.\(role.rawValue)"))</option>"
            })</select><button class="button button-s no-script">\(t("form.save"))</button></form>
            \(Form.button(
                frame, "DELETE", path, t("form.remove"), css: "button button-s button-danger",
                confirm: t("members.remove.confirm", ["name": .text(member.name)]),
                name: t("members.remove.name", ["name": .text(member.name)])))
            """
        return """
            <div class="item">\(frame.icon(.person))<span class="item-text"><span class="item-title">\(member.name)</span>\
            <span class="item-note">\(member.login) · \(seen)</span></span>\(role)</div>
            """
    }

    /// What a token may, when it was used and how long it holds.
    static func tokenItem(_ frame: Frame, _ token: TokensPage.Token, _ tools: HTML = .empty) -> HTML {
        let t = frame.texts
        let used =
            token.lastUsedAt.map { t.html("security.used", markup: ["when": Part.time($0)]) }
            ?? HTML(plain: t("security.unused"))
        let end =
            token.expiresAt.map { t.html("shares.until", markup: ["when": Part.time($0, style: .date)]) }
            ?? HTML(plain: t("shares.never"))
        return """
            <div class="item">\(frame.icon(.key))<span class="item-text"><span class="item-title">\(token.name)</span>\
            <span class="item-note">\(token.scopes.joined(separator: ", ")) · \(used) · \(end)</span></span>\(tools)</div>
            """
    }

    static func tokens(_ frame: Frame, _ model: TokensPage) -> HTML {
        let t = frame.texts
        func problem(_ field: String) -> String? { model.errorField == field ? model.error : nil }
        let fresh = model.newToken.map { token in
            Part.note(
                frame, .good,
                """
                <p><strong>\(t("tokens.made"))</strong> \(t("tokens.once"))</p>\(Part.secret(token))
                <div class="row">\(Part.copy(frame, token))</div>
                """, role: "status")
        }
        let items = model.tokens.map { token -> HTML in
            tokenItem(
                frame, token,
                Form.button(
                    frame, "DELETE", "/tokens/\(token.id)", t("form.remove"),
                    css: "button button-s button-danger",
                    confirm: t("tokens.confirm", ["name": .text(token.name)])))
        }
        let scopes = model.scopes.enumerated().map { place, scope in
            Form.check(name: "scope", value: scope.value, label: scope.label, isOn: place == 0)
        }
        let make = Form.form(
            frame, "POST", "/tokens",
            """
            \(Form.failure(frame, model.errorField == "name" ? nil : model.error))
            \(Form.field(
                frame,
                Form.Field(
                    name: "name", label: t("tokens.name"), hint: t("tokens.name.hint"), error: problem("name"),
                    autocomplete: "off", isRequired: true, maximumLength: 100)))
            <fieldset><legend class="field-label">\(t("tokens.scopes"))</legend>\(scopes)</fieldset>
            \(ShareTerms.days(frame, [30, 365], chosen: 365))
            <div><button class="button button-main">\(frame.icon(.plus))\(t("tokens.make"))</button></div>
            """)
        let all: HTML =
            model.ownCount == 0
            ? .empty
            : Form.button(
                frame, "DELETE", "/tokens", t("tokens.all"), css: "button button-s button-danger",
                confirm: t("tokens.all.confirm"))
        let list: HTML =
            items.isEmpty
            ? .empty
            : "<section class=\"card card-flush\"><div class=\"card-head\"><h2>\(t("settings.tokens"))</h2>\(all)</div>\(Part.list(items))</section>"
        let after: HTML =
            model.isAfterPassword && model.ownCount > 0
            ? Part.note(frame, .warn, "<p>\(t("tokens.afterPassword"))</p>", role: "status") : .empty
        return settingsPage(
            frame, "settings.tokens", "\(after)\(fresh)\(list)\(Part.card(t("tokens.new"), id: "new", make))")
    }

    static func storage(_ frame: Frame, _ model: StoragePage) -> HTML {
        let t = frame.texts
        let last: HTML
        if let check = model.verification {
            let concerned: HTML =
                check.papers.isEmpty
                ? .empty
                : "<p>\(t("storage.concerned", ["papers": .text(check.papers.joined(separator: ", "))]))</p>"
            let problems: HTML =
                "<ul>\(check.problems.map { "<li>\($0)</li>" as HTML })</ul>\(concerned)"
            last =
                check.problems.isEmpty
                ? Part.note(
                    frame, .good,
                    "<p>\(t.html("storage.verified", markup: ["when": Part.time(check.at)]))</p>")
                : Part.note(
                    frame, .bad,
                    "<p>\(t.html("storage.broken", ["count": .number(check.problems.count)], markup: ["when": Part.time(check.at)]))</p>\(problems)"
                )
        } else {
            last = "<p class=\"soft\">\(t("storage.unverified"))</p>"
        }
        let backups = model.backups.map { backup -> HTML in
            """
            <div class="item">\(frame.icon(.backup))<span class="item-text"><span class="item-title">\(Part.time(backup.at, style: .full))</span>\
            <span class="item-note">\(Part.size(backup.byteCount)) · <span class="mono">\(backup.path)</span></span></span></div>
            """
        }
        let backupList: HTML =
            backups.isEmpty ? Part.note(frame, .warn, "<p>\(t("storage.noBackup"))</p>") : Part.list(backups)
        return settingsPage(
            frame, "settings.storage",
            """
            \(Form.failure(frame, ["folder", "rule", "keeping", "encrypted"].contains(model.errorField) ? nil : model.error))
            <div class="stats">
            <div class="stat"><b>\(Part.number(model.documentCount))</b><span>\(t("storage.documents"))</span></div>
            <div class="stat"><b>\(Part.size(model.blobByteCount))</b><span>\(t("storage.used"))</span></div>
            <div class="stat"><b>\(Part.size(model.freeByteCount))</b><span>\(t("storage.free"))</span></div></div>
            \(Part.card(
                t("storage.backups"), id: "backup",
                """
                <p class="soft">\(t("storage.backups.text"))</p>\(backupList)\(backupForm(frame, model))
                """))
            \(model.sheet.map { sheet(frame, $0) } ?? .empty)
            \(Part.card(
                t("storage.verify"),
                """
                <p class="soft">\(t("storage.verify.text"))</p>\(last)
                \(Form.button(frame, "POST", "/verifications", t("storage.verify.start"), icon: .shield))
                """))
            \(Part.card(
                t("storage.where"),
                Part.facts([
                    (t("storage.home"), "<span class=\"mono\">\(model.home)</span>"),
                    (t("storage.database"), HTML(plain: model.database)),
                ])))
            """)
    }

    private static func sheet(_ frame: Frame, _ sheet: StoragePage.Sheet) -> HTML {
        let t = frame.texts
        let (state, css): (HTML, String) =
            switch sheet {
            case .missing:
                (Part.note(frame, .warn, "<p>\(t("storage.sheet.missing"))</p>"), "button button-main")
            case .made(let at):
                (
                    "<p class=\"soft\">\(t.html("storage.sheet.made", markup: ["when": Part.time(at)]))</p>",
                    "button"
                )
            }
        return Part.card(
            t("storage.sheet"), id: "sheet",
            """
            <p class="soft">\(t("storage.sheet.text"))</p>\(state)
            \(Form.button(
                frame, "POST", "/recovery-sheets", t("storage.sheet.print"), icon: .printer, css: css))
            <details class="more"><summary>\(t("storage.key.more"))</summary>
            <p class="soft">\(t("storage.key.text"))</p>
            \(Form.button(
                frame, "POST", "/recovery-keys", t("storage.key.renew"), icon: .again,
                confirm: t("storage.key.confirm")))</details>
            """)
    }

    /// One form with two ends: back up into this folder now, or keep folder and times for the nights to come.
    private static func backupForm(_ frame: Frame, _ model: StoragePage) -> HTML {
        let t = frame.texts
        func problem(_ field: String) -> String? { model.errorField == field ? model.error : nil }
        let usual = [
            ("FREQ=DAILY;BYHOUR=2;BYMINUTE=30", t("storage.rule.nightly")),
            ("FREQ=WEEKLY;BYDAY=SU;BYHOUR=2;BYMINUTE=30", t("storage.rule.weekly")),
            ("", t("storage.rule.never")),
        ]
        let isUsual = usual.contains { $0.0 == model.backupRule }
        return Form.form(
            frame, "POST", "/backups",
            """
            \(Form.field(
                frame,
                Form.Field(
                    name: "folder", label: t("storage.folder"), value: model.backupFolder,
                    hint: t("storage.folder.hint"), error: problem("folder"), autocomplete: "off", isRequired: true)))
            \(Form.select(
                frame, name: "rule", label: t("storage.rule"),
                options: isUsual ? usual : usual + [(model.backupRule, model.backupRule)], chosen: model.backupRule,
                error: problem("rule")))
            \(Form.field(
                frame,
                Form.Field(
                    name: "keeping", label: t("storage.keeping"), value: model.backupsKept,
                    hint: t("storage.keeping.hint"), error: problem("keeping"), autocomplete: "off",
                    inputMode: "numeric", isRequired: true)))
            \(Form.check(
                name: "encrypted", label: t("storage.encrypted"), hint: t("storage.encrypted.hint"),
                isOn: model.isEncrypted))\(Form.error(frame, "encrypted", problem("encrypted")))
            <div class="row"><button class="button button-main">\(frame.icon(.backup))\(t("make.backup"))</button>
            <button class="button" formaction="/settings/backups">\(t("form.save"))</button></div>
            """)
    }
}
