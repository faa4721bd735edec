import Markup
import Work

/// The places in Settings, in the order people look for them.
struct SettingsPlace: Sendable {
    var address: String
    var icon: Icon
    /// Key of its name in the catalog.
    var title: String
    var isForOwners = false

    static let all: [SettingsPlace] = [
        .init(address: "/settings/identity", icon: .person, title: "settings.identity"),
        .init(address: "/settings/security", icon: .shield, title: "settings.security"),
        .init(address: "/security", icon: .lock, title: "settings.guarding", isForOwners: true),
        .init(address: "/settings/language", icon: .globe, title: "settings.language"),
        .init(address: "/settings/looks", icon: .picture, title: "settings.looks", isForOwners: true),
        .init(address: "/settings/notices", icon: .bell, title: "settings.notices"),
        .init(address: "/settings/mail", icon: .mail, title: "settings.mail", isForOwners: true),
        .init(address: "/members", icon: .people, title: "settings.members", isForOwners: true),
        .init(address: "/tokens", icon: .key, title: "settings.tokens"),
        .init(address: "/identities", icon: .edit, title: "settings.identities"),
        .init(address: "/settings/storage", icon: .backup, title: "settings.storage", isForOwners: true),
        .init(address: "/sync", icon: .again, title: "settings.sync"),
        .init(address: "/settings/plans", icon: .gauge, title: "settings.plans"),
        .init(address: "/settings/about", icon: .info, title: "settings.about"),
    ]

    static func visible(to frame: Frame) -> [SettingsPlace] {
        all.filter { !$0.isForOwners || frame.isOwner }
    }
}

struct IdentityPage: Sendable {
    var name: String
    var login: String
    /// Kept for what the desk writes: letters, forms, mails. Owners' only.
    var desk: Desk?
    var error: String?
    var errorField: String?

    struct Desk: Sendable {
        var organization = ""
        var email = ""
        var phone = ""
        var address = ""
        var terms = ""
    }
}

struct LanguagePage: Sendable {
    /// Tag, or empty to follow the browser.
    var language: String
    var theme: Frame.Theme
    /// For those who did not choose, and for schedules. Owners' only.
    var desk: Desk?
    /// In which languages scans are read. Owners' only.
    var scans: Scans?

    struct Scans: Sendable {
        var installed: [String]
        /// None where it is found out.
        var chosen: [String]
        /// Where it is decided outside of the app, what does.
        var decidedBy: String?
        var error: String?
    }

    struct Desk: Sendable {
        var language = ""
        var timeZone = ""
        var error: String?
        var errorField: String?
    }
}

struct MailPage: Sendable {
    enum Security: String, Sendable, CaseIterable { case starttls, tls, none }

    var host = ""
    var port = "587"
    var security: Security = .starttls
    var username = ""
    var hasPassword = false
    var fromName = ""
    var fromAddress = ""
    /// Where mail comes back that could not be delivered.
    struct Bounces: Sendable {
        var host = ""
        var port = "993"
        var security = Security.tls
        var username = ""
        var folder = "INBOX"
        var everyReport = false
        var hasPassword = false
        var error: String?
        var errorField: String?
    }

    var bounces: Bounces?
    var error: String?
    var errorField: String?
    /// What the server said to the last test.
    var test: Test?

    struct Test: Sendable {
        var isGood: Bool
        var sentence: String
        var at: Moment
    }
}

struct AboutPage: Sendable {
    struct Finding: Sendable {
        enum State: String, Sendable { case good, limited, missing }
        var name: String
        var state: State
        var note: String
        /// What to do about it, such as a package to install.
        var remedy: String?
    }
    var version: String
    var facts: [(name: String, value: String)]
    var findings: [Finding]
    /// Every address the desk may call; nil for those who are not told.
    var network: [Address]?
    /// Nil for those who may not try them.
    var engines: Engines?

    /// What came of the engines when each converted a page.
    struct Engines: Sendable {
        struct Line: Sendable {
            var engine: String
            var milliseconds: Int
            var trouble: String?
        }
        /// Nil when that was never tried.
        var at: Moment?
        var lines: [Line] = []
        /// The one that is at it.
        var job: String?
        /// Why they could not be tried the last time.
        var failure: String?
    }

    struct Address: Sendable {
        var address: String
        var note: String
    }
}

extension Pages {
    /// On phones the list of places is a page of its own; on desktops it stands beside every one of them.
    static func settings(_ frame: Frame) -> HTML {
        let t = frame.texts
        return Shell.page(
            frame, title: t("settings.title"), narrow: true,
            """
            \(Part.header(frame, t("settings.title")))
            <section class="card card-flush">\(Part.list(SettingsPlace.visible(to: frame).map { place -> HTML in
                """
                <a class="item" href="\(url: place.address)">\(frame.icon(place.icon))<span class="item-text">\
                <span class="item-title">\(t(place.title))</span><span class="item-note">\(t(place.title + ".hint"))</span></span>\
                \(frame.icon(.next, small: true))</a>
                """
            }))</section>
            <install-hint></install-hint>
            """)
    }

    static func settingsPage(_ frame: Frame, _ titleKey: String, lede: String? = nil, _ content: HTML) -> HTML
    {
        let t = frame.texts
        let places = SettingsPlace.visible(to: frame).map { place -> HTML in
            """
            <a href="\(url: place.address)"\(attribute: "aria-current", frame.path == place.address ? "page" : nil)>\
            \(frame.icon(place.icon))\(t(place.title))</a>
            """
        }
        return Shell.page(
            frame, title: t(titleKey),
            """
            \(Part.header(
                frame, t(titleKey), lede: lede ?? t(titleKey + ".hint"), crumbs: [(t("settings.title"), "/settings")]))
            <div class="settings"><nav class="side-nav" aria-label="\(t("settings.title"))">\(places)</nav>
            <div class="stack">\(content)</div></div>
            """)
    }

    static func save(_ frame: Frame) -> HTML {
        "<div><button class=\"button button-main\">\(frame.texts("form.save"))</button></div>"
    }

    static func identity(_ frame: Frame, _ model: IdentityPage) -> HTML {
        let t = frame.texts
        let errorField = model.errorField == "signInName" ? "login" : model.errorField
        func problem(_ field: String) -> String? { errorField == field ? model.error : nil }
        func field(
            _ name: String, _ label: String, _ value: String, _ type: String = "text", _ complete: String
        ) -> HTML {
            Form.field(
                frame,
                Form.Field(
                    name: name, label: label, value: value, type: type, error: problem(name),
                    autocomplete: complete,
                    maximumLength: 200))
        }
        let person = Form.form(
            frame, "POST", "/settings/identity",
            """
            \(Form.failure(frame, model.errorField == nil ? model.error : nil))
            <input type="hidden" name="part" value="person">
            \(field("name", t("account.name"), model.name, "text", "name"))
            \(field("login", t("account.login"), model.login, "text", "username"))
            \(save(frame))
            """)
        let desk = model.desk.map { desk -> HTML in
            let address = Form.field(
                frame,
                Form.Field(
                    name: "address", label: t("identity.address"), value: desk.address,
                    error: problem("address"),
                    autocomplete: "street-address", rows: 3))
            let terms = Form.field(
                frame,
                Form.Field(
                    name: "terms", label: t("identity.terms"), value: desk.terms, type: "url",
                    hint: t("identity.terms.hint"), error: problem("terms"), autocomplete: "off",
                    inputMode: "url", maximumLength: 500))
            return Part.card(
                t("identity.desk"),
                """
                <p class="soft">\(t("identity.desk.text"))</p>
                \(Form.form(
                    frame, "POST", "/settings/identity",
                    """
                    <input type="hidden" name="part" value="desk">
                    \(field("organization", t("identity.organization"), desk.organization, "text", "organization"))
                    \(field("email", t("identity.email"), desk.email, "email", "email"))
                    \(field("phone", t("identity.phone"), desk.phone, "tel", "tel"))
                    \(address)\(terms)
                    \(save(frame))
                    """))
                """)
        }
        return settingsPage(frame, "settings.identity", "\(Part.card(t("identity.person"), person))\(desk)")
    }

    static func language(_ frame: Frame, _ model: LanguagePage) -> HTML {
        let t = frame.texts
        let languages = [("", t("language.browser"))] + Language.offered.map { ($0.tag, $0.name) }
        let themes: [(value: String, label: HTML)] = [
            ("system", "\(frame.icon(.screen))\(t("theme.system"))"),
            ("light", "\(frame.icon(.sun))\(t("theme.light"))"),
            ("dark", "\(frame.icon(.moon))\(t("theme.dark"))"),
        ]
        let desk = model.desk.map { desk -> HTML in
            Part.card(
                t("region.title"),
                """
                <p class="soft">\(t("region.text"))</p>
                \(Form.form(
                    frame, "POST", "/settings/region",
                    """
                    \(Form.failure(frame, ["timeZone", "languages", "recognition-languages"].contains(desk.errorField) ? nil : desk.error))
                    \(Form.select(
                        frame, name: "language", id: "desk-language", label: t("language.label"), options: languages,
                        chosen: desk.language))
                    <zone-choice>\(Form.field(
                        frame,
                        Form.Field(
                            name: "timeZone", label: t("region.timeZone"), value: desk.timeZone,
                            hint: t("region.timeZone.hint"), error: desk.errorField == "timeZone" ? desk.error : nil,
                            autocomplete: "off", isRequired: true)))\
                    <button class="button button-s" type="button" hidden>\(t("region.timeZone.here"))</button></zone-choice>
                    \(save(frame))
                    """))
                """)
        }
        let own =
            Part.card(
                t("settings.language"),
                Form.form(
                    frame, "POST", "/settings/language",
                    """
                    \(Form.select(
                        frame, name: "language", label: t("language.label"), options: languages, chosen: model.language,
                        hint: t("language.hint")))
                    <theme-switch>\(Form.choices(
                        name: "theme", label: t("theme.label"), options: themes, chosen: model.theme.rawValue))</theme-switch>
                    \(save(frame))
                    """))
        return settingsPage(
            frame, "settings.language", "\(own)\(desk)\(model.scans.map { scans(frame, $0) })")
    }

    private static func scans(_ frame: Frame, _ scans: LanguagePage.Scans) -> HTML {
        let t = frame.texts
        guard !scans.installed.isEmpty else {
            return Part.card(t("scans.title"), "<p class=\"soft\">\(t("scans.missing"))</p>")
        }
        if let origin = scans.decidedBy {
            let languages = scans.chosen.map(ScanLanguage.name).joined(separator: ", ")
            return Part.card(
                t("scans.title"),
                "<p class=\"soft\">\(t("scans.decided", ["languages": .text(languages), "origin": .text(origin)]))</p>"
            )
        }
        let boxes = scans.installed.map { language in
            Form.check(
                name: "languages", value: language, label: ScanLanguage.name(language),
                isOn: scans.chosen.contains(language))
        }
        return Part.card(
            t("scans.title"),
            """
            <p class="soft">\(t("scans.text"))</p>
            \(Form.form(frame, "POST", "/settings/recognition", """
                \(Form.failure(frame, scans.error))<fieldset class="stack stack-s"><legend>\(t("scans.languages"))</legend>\(boxes)</fieldset>
                <p class="soft small">\(t("scans.hint"))</p>\(save(frame))
                """))
            """)
    }

    static func mail(_ frame: Frame, _ model: MailPage) -> HTML {
        let t = frame.texts
        func problem(_ field: String) -> String? { model.errorField == field ? model.error : nil }
        let known = ["host", "port", "username", "password", "fromAddress", "fromName"]
        let password = Form.field(
            frame,
            Form.Field(
                name: "password", label: t("form.password"), type: "password",
                hint: model.hasPassword ? t("mail.password.kept") : nil, error: problem("password"),
                autocomplete: "off"))
        let account = Form.form(
            frame, "POST", "/settings/mail",
            """
            \(Form.failure(frame, model.errorField.map { known.contains($0) } == true ? nil : model.error))
            \(Form.field(
                frame,
                Form.Field(
                    name: "fromAddress", label: t("mail.from"), value: model.fromAddress, type: "email",
                    error: problem("fromAddress"), autocomplete: "email", isRequired: true)))
            \(Form.field(
                frame, Form.Field(name: "fromName", label: t("mail.fromName"), value: model.fromName, autocomplete: "name")))
            \(Form.field(
                frame,
                Form.Field(
                    name: "host", label: t("mail.host"), value: model.host, hint: t("mail.host.hint"),
                    error: problem("host"), autocomplete: "off", isRequired: true)))
            \(Form.field(
                frame,
                Form.Field(
                    name: "port", label: t("mail.port"), value: model.port, error: problem("port"), autocomplete: "off",
                    inputMode: "numeric", isRequired: true)))
            \(Form.select(
                frame, name: "security", label: t("mail.security"),
                options: MailPage.Security.allCases.map { ($0.rawValue, t("mail.security.\($0.rawValue)")) },
                chosen: model.security.rawValue))
            \(Form.field(
                frame,
                Form.Field(
                    name: "username", label: t("mail.username"), value: model.username, error: problem("username"),
                    autocomplete: "off", optionalNote: t("form.optional"))))
            \(password)
            \(save(frame))
            """)
        let result = model.test.map { test in
            Part.note(
                frame, test.isGood ? .good : .bad,
                "<p>\(test.sentence) <span class=\"soft\">\(Part.time(test.at))</span></p>", role: "status")
        }
        return settingsPage(
            frame, "settings.mail",
            """
            \(Part.card(t("mail.account"), account))
            \(Part.card(
                t("mail.test"),
                """
                <p class="soft">\(t("mail.test.text"))</p>\(result)
                \(Form.button(frame, "POST", "/settings/mail/test", t("mail.test.send"), icon: .mail))
                """))
            \(model.bounces.map { bounces(frame, $0) })
            """)
    }

    /// Folded away until somebody wants it: most desks begin without.
    private static func bounces(_ frame: Frame, _ model: MailPage.Bounces) -> HTML {
        let t = frame.texts
        func field(
            _ name: String, _ label: String, _ value: String, hint: String? = nil, type: String = "text",
            inputMode: String? = nil, optional: Bool = false
        ) -> HTML {
            Form.field(
                frame,
                Form.Field(
                    name: name, label: label, value: value, type: type, hint: hint,
                    error: model.errorField == name ? model.error : nil, autocomplete: "off",
                    inputMode: inputMode, id: "bounce-\(name)",
                    optionalNote: optional ? t("form.optional") : nil))
        }
        let known = ["host", "port", "username", "password", "folder"]
        let look: HTML =
            model.host.isEmpty
            ? .empty : Form.button(frame, "POST", "/bounces/reading", t("bounces.look"), icon: .mail)
        return """
            <section class="card" id="bounces"><details class="more"\(attribute: "open", if: !model.host.isEmpty || model.error != nil)>\
            <summary>\(t("bounces.title"))</summary>
            \(Form.form(
                frame, "POST", "/settings/bounces",
                """
                <p class="soft">\(t("bounces.text"))</p>
                \(Form.failure(frame, model.errorField.map { known.contains($0) } == true ? nil : model.error))
                \(field("host", t("bounces.host"), model.host, hint: t("bounces.host.hint")))
                \(field("port", t("mail.port"), model.port, inputMode: "numeric"))
                \(Form.select(
                    frame, name: "security", id: "bounce-security", label: t("mail.security"),
                    options: MailPage.Security.allCases.map { ($0.rawValue, t("bounces.security.\($0.rawValue)")) },
                    chosen: model.security.rawValue))
                \(field("username", t("mail.username"), model.username, hint: t("bounces.username.hint"), optional: true))
                \(field(
                    "password", t("form.password"), "", hint: model.hasPassword ? t("mail.password.kept") : nil,
                    type: "password", optional: true))
                \(field("folder", t("bounces.folder"), model.folder))
                \(Form.check(
                    name: "everyReport", label: t("bounces.every"), hint: t("bounces.every.hint"), isOn: model.everyReport))
                \(save(frame))
                """))\(look)</details></section>
            """
    }

    private static func item(_ frame: Frame, _ finding: AboutPage.Finding) -> HTML {
        let (mood, icon): (Part.Mood, Icon) =
            switch finding.state {
            case .good: (.good, .check)
            case .limited: (.warn, .info)
            case .missing: (.bad, .warning)
            }
        let remedy = finding.remedy.map { "<span class=\"item-note\"><code>\($0)</code></span>" as HTML }
        return """
            <div class="item"><span class="item-text"><span class="item-title">\(finding.name)</span>\
            <span class="item-note">\(finding.note)</span>\(remedy)</span>\
            \(Part.chip(frame, frame.texts("about.\(finding.state.rawValue)"), mood, icon: icon))</div>
            """
    }

    static func findings(_ frame: Frame, _ findings: [AboutPage.Finding]) -> HTML {
        Part.list(findings.map { item(frame, $0) })
    }

    private static func engines(_ frame: Frame, _ model: AboutPage.Engines) -> HTML {
        let t = frame.texts
        let lines = model.lines.map { line in
            item(
                frame,
                .init(
                    name: line.engine, state: line.trouble == nil ? .good : .limited,
                    note: line.trouble.map { t("about.engines.trouble", ["reason": .text($0)]) }
                        ?? t("about.engines.converted", ["milliseconds": .number(line.milliseconds)])))
        }
        let last: HTML =
            if let at = model.at {
                """
                <p class="soft">\(t.html("about.engines.tried", markup: ["when": Part.time(at)]))</p>\
                \(lines.isEmpty ? Part.note(frame, .warn, "<p>\(t("about.engines.none"))</p>") : Part.list(lines))
                """
            } else {
                model.job == nil ? "<p class=\"soft\">\(t("about.engines.never"))</p>" : .empty
            }
        let remedy: HTML =
            model.lines.contains { $0.trouble != nil }
            ? Part.note(frame, .plain, "<p>\(t("about.engines.remedy"))</p>") : .empty
        let failure = model.failure.map {
            Part.note(
                frame, .bad, "<p>\(t("about.engines.failed", ["reason": .text($0)]))</p>", role: "alert")
        }
        let act: HTML =
            model.job == nil
            ? Form.button(frame, "POST", "/engine-trials", t("about.engines.start"), icon: .shield)
            : Part.note(
                frame, .plain,
                """
                <p>\(t("about.engines.working"))</p><progress data-moving aria-label="\(t("about.engines.working"))"></progress>
                """, role: "status")
        return Part.card(
            t("about.engines"), id: "engines",
            """
            <p class="soft">\(t("about.engines.text"))</p>
            <live-part\(attribute: "job", model.job)><div class="stack" data-live>\(failure ?? .empty)\(last)\(remedy)\(act)</div></live-part>
            """)
    }

    static func about(_ frame: Frame, _ model: AboutPage) -> HTML {
        let t = frame.texts
        let network = model.network.map { addresses -> HTML in
            let items = addresses.map { address -> HTML in
                """
                <div class="item">\(frame.icon(.globe))<span class="item-text"><span class="item-title mono">\(address.address)</span>\
                <span class="item-note">\(address.note)</span></span></div>
                """
            }
            let list = items.isEmpty ? HTML(plain: "") : Part.list(items)
            return Part.card(
                t("about.network"),
                "<p class=\"soft\">\(t(items.isEmpty ? "about.network.none" : "about.network.text"))</p>\(list)"
            )
        }
        return settingsPage(
            frame, "settings.about",
            """
            \(Part.card(
                "Quire \(model.version)",
                "\(Part.facts(model.facts.map { ($0.name, HTML(plain: $0.value)) }))<p class=\"soft\">\(t("about.licence"))</p>"))
            \(network)
            <section class="card card-flush"><div class="card-head"><h2>\(t("about.doctor"))</h2></div>\
            <p class="soft about-lede">\(t("about.doctor.text"))</p>\(findings(frame, model.findings))</section>
            \(model.engines.map { engines(frame, $0) } ?? .empty)
            """)
    }
}
