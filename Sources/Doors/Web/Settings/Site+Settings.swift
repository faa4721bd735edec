import Access
import App
import Bytes
import HTTP
import Jobs
import Markup
import PDFReading
import SQL
import Storage

extension Site {
    static let settingsActions: [Action] = [
        Action(.get, "/settings", .member(.view)) { visit in
            try visit.show([
                "identity": "/settings/identity", "language": "/settings/language",
                "looks": "/settings/looks", "notices": "/settings/notices", "mail": "/settings/mail",
                "security": "/settings/security", "guarding": "/security", "storage": "/settings/storage",
                "plans": "/settings/plans",
                "about": "/settings/about",
            ]) { Pages.settings(visit.frame) }
        },
        Action(
            .get, "/settings/identity", .member(.view),
            .init(
                "Get for whom the desk is kept", tag: "Settings",
                answers: [.ok("Identity", "Name and address")])
        ) { visit in
            try visit.show(visit.quire.settings.identity().json) { try identityPage(visit) }
        },
        Action(
            .post, "/settings/identity", .member(.view),
            .init(
                "Change for whom the desk is kept", tag: "Settings",
                requestBody: [.init(.json, Schema.ref("Identity"))],
                answers: [.ok("Identity", "As it is now")])
        ) { visit in
            let input = try visit.input
            do {
                if try input.text("part") == "person" {
                    try changePerson(visit, input)
                } else {
                    let before = try visit.quire.settings.identity()
                    try visit.quire.settings.change(
                        Identity(
                            name: try input.text("name") ?? before.name,
                            organization: try input.text("organization") ?? before.organization,
                            email: try input.text("email") ?? before.email,
                            phone: try input.text("phone") ?? before.phone,
                            address: try input.text("address") ?? before.address,
                            terms: try input.text("terms") ?? before.terms), by: try visit.member())
                }
                return visit.done(
                    try visit.quire.settings.identity().json, next: "/settings/identity",
                    notice: "notice.saved")
            } catch let failure as Failure
                where visit.wantsPage && [.invalid, .conflict].contains(failure.code)
            {
                return visit.page(try identityPage(visit, failure, typed: input), .unprocessable)
            }
        },
        Action(
            .get, "/settings/language", .member(.view),
            .init("Get the language", tag: "Settings", answers: [.ok("Language", "As this member chose it")])
        ) { visit in
            try visit.show(try preferences(visit).json) { try languagePage(visit) }
        },
        Action(
            .post, "/settings/language", .member(.view),
            .init(
                "Choose the language", tag: "Settings", requestBody: [.init(.json, Schema.ref("Language"))],
                answers: [.ok("Language", "As it is now")])
        ) { visit in
            let input = try visit.input
            let before = try preferences(visit)
            let tag = try offered(try input.text("language") ?? before.language)
            let theme = try input.text("theme") ?? before.theme.rawValue
            guard let theme = Preferences.Theme(rawValue: theme) else {
                throw Failure(.invalid, "The theme is system, light or dark.", field: "theme")
            }
            let preferences = Preferences(language: tag, theme: theme)
            try visit.quire.settings.change(preferences, by: try visit.member())
            var response = visit.done(preferences.json, next: "/settings/language", notice: "notice.saved")
            // Pages before signing in follow it too.
            for cookie in visit.cookies(for: preferences) { response.set(cookie) }
            return response
        },
        Action(
            .get, "/settings/region", .member(.view),
            .init(
                "Get the desk's own language and time zone", tag: "Settings",
                answers: [.ok("Region", "For those who did not choose, and for schedules")])
        ) { visit in
            visit.wantsPage
                ? .redirect(to: "/settings/language") : .json(try visit.quire.settings.region().json)
        },
        Action(
            .post, "/settings/region", .member(.administer),
            .init(
                "Choose the desk's own language and time zone", tag: "Settings",
                requestBody: [.init(.json, Schema.ref("RegionChange"))],
                answers: [.ok("Region", "As it is now")])
        ) { visit in
            let input = try visit.input
            do {
                let before = try visit.quire.settings.region()
                try visit.quire.settings.change(
                    Region(
                        language: try offered(try input.text("language") ?? before.language),
                        timeZone: try input.text("timeZone") ?? before.timeZone), by: try visit.member())
            } catch let failure as Failure where visit.wantsPage && failure.code == .invalid {
                return visit.page(try languagePage(visit, failure, typed: input), .unprocessable)
            }
            return visit.done(
                try visit.quire.settings.region().json, next: "/settings/language", notice: "notice.saved")
        },
        Action(
            .get, "/settings/recognition", .member(.view),
            .init(
                "Get the languages scans are read in", tag: "Settings",
                answers: [.ok("Recognition", "None chosen means: found out page by page")])
        ) { visit in
            visit.wantsPage ? .redirect(to: "/settings/language") : .json(try recognition(visit))
        },
        Action(
            .post, "/settings/recognition", .member(.administer),
            .init(
                "Choose the languages scans are read in",
                description: "As Tesseract names them; an empty list finds out page by page.",
                tag: "Settings", requestBody: [.init(.json, Schema.ref("RecognitionChange"))],
                answers: [.ok("Recognition", "As it is now")])
        ) { visit in
            let input = try visit.input
            do {
                try visit.quire.settings.change(
                    RecognitionSettings(languages: input.texts("languages").filter { !$0.isEmpty }),
                    by: try visit.member())
            } catch let failure as Failure
                where visit.wantsPage && [.invalid, .conflict].contains(failure.code)
            {
                return visit.page(try languagePage(visit, failure, typed: input), .unprocessable)
            }
            return visit.done(
                try recognition(visit), next: "/settings/language", notice: "notice.saved")
        },
        Action(
            .get, "/settings/mail", .member(.administer),
            .init(
                "Get the mail account", description: "Without its password.", tag: "Settings",
                answers: [.ok("Mail", "The account")])
        ) { visit in
            try visit.show(try mailJSON(visit)) { Pages.mail(visit.frame, try mailPage(visit)) }
        },
        Action(
            .post, "/settings/mail", .member(.administer),
            .init(
                "Change the mail account", description: "Leave the password out to keep it.", tag: "Settings",
                requestBody: [.init(.json, Schema.ref("MailChange"))], answers: [.ok("Mail", "As it is now")]),
            isGrave: true
        ) { visit in
            let input = try visit.input
            do {
                let mail = try readMail(input, try visit.quire.settings.mail())
                let password = try input.text("password").flatMap { $0.isEmpty && visit.wantsPage ? nil : $0 }
                try visit.quire.settings.change(mail, password: password, by: try visit.member())
                return visit.done(try mailJSON(visit), next: "/settings/mail", notice: "notice.saved")
            } catch let failure as Failure where visit.wantsPage && failure.code == .invalid {
                var page = try mailPage(visit)
                page.security = (try? input.text("security")).flatMap(MailPage.Security.init) ?? page.security
                page.host = (try? input.text("host")) ?? ""
                page.port = (try? input.text("port")) ?? ""
                page.username = (try? input.text("username")) ?? ""
                page.fromName = (try? input.text("fromName")) ?? ""
                page.fromAddress = (try? input.text("fromAddress")) ?? ""
                page.error = visit.said(failure)
                page.errorField = failure.field
                return visit.page(Pages.mail(visit.frame, page), .unprocessable)
            }
        },
        Action(
            .post, "/settings/mail/test", .member(.administer),
            .init(
                "Send a test mail", tag: "Settings",
                requestBody: [
                    .init(.json, Schema.object([("to", Schema.orNull(["type": "string"]))], optional: ["to"]))
                ],
                answers: [.init(.accepted, "A job does it", [.init(.json, Schema.ref("Job"))])])
        ) { visit in
            do {
                let id = try visit.quire.maintenance.testMailLater(
                    to: try visit.input.text("to").flatMap { $0.isEmpty ? nil : $0 }, by: try visit.member())
                return try visit.promised(id, next: "/settings/mail", notice: "notice.testMail")
            } catch let failure as Failure
                where visit.wantsPage && [.invalid, .conflict].contains(failure.code)
            {
                var page = try mailPage(visit)
                page.error = visit.said(failure)
                return visit.page(Pages.mail(visit.frameAt("/settings/mail"), page), .unprocessable)
            }
        },
        Action(
            .get, "/settings/about", .member(.view),
            .init(
                "Get what this Quire can do here", tag: "About",
                answers: [.ok("About", "Version and findings")])
        ) { visit in
            let isOwner = try visit.member().may(.administer)
            let findings =
                isOwner
                ? visit.quire.troubles + visit.quire.doctor.examine() : Doctor.capabilities(visit.quire.jail)
            let trials = isOwner ? try visit.quire.lastTrials() : nil
            let network = isOwner ? try visit.quire.network() : []
            return try visit.show([
                "version": .string(Version.number), "commit": .optional(Version.commit),
                "findings": .array((findings + (trials?.findings ?? [])).map(\.json)),
                "network": .array(network.map(\.json)),
            ]) { try aboutPage(visit, findings, isOwner ? network : nil, trials) }
        },
        Action(
            .get, "/engine-trials", .member(.administer),
            .init(
                "List what came of the engines when each converted a page", tag: "About",
                answers: [.ok("ReportList", "The newest first")])
        ) { visit in
            if visit.wantsPage { return .redirect(to: "/settings/about") }
            return .json(["reports": .array(try visit.quire.reports.list(.engineTrial).map(\.json))])
        },
        Action(
            .post, "/engine-trials", .member(.administer),
            .init(
                "Have each engine convert a page, where the server runs", tag: "About",
                answers: [.init(.accepted, "A job does it", [.init(.json, Schema.ref("Job"))])])
        ) { visit in
            try visit.promised(
                try visit.quire.maintenance.tryEnginesLater(by: try visit.member()), next: "/settings/about",
                notice: "notice.engines")
        },
    ]

    private static func preferences(_ visit: Visit) throws -> Preferences {
        guard let id = try visit.member().memberID else { return Preferences() }
        return try visit.quire.settings.preferences(of: id)
    }

    /// A language there are texts in; empty follows the browser.
    private static func offered(_ tag: String) throws(Failure) -> String {
        guard tag.isEmpty || Language(tag: tag) != nil else {
            throw Failure(.invalid, "There are no texts in “\(tag)”.", field: "language")
        }
        return tag
    }

    private static func languagePage(
        _ visit: Visit, _ failure: Failure? = nil, typed: Input? = nil
    ) throws -> HTML {
        let preferences = try preferences(visit)
        var page = LanguagePage(
            language: preferences.language,
            theme: Frame.Theme(rawValue: preferences.theme.rawValue) ?? .system)
        if try visit.member().may(.administer) {
            let region = try visit.quire.settings.region()
            page.desk = LanguagePage.Desk(
                language: (try? typed?.text("language")) ?? region.language,
                timeZone: (try? typed?.text("timeZone")) ?? region.timeZone,
                error: failure.map(visit.said), errorField: failure?.field)
            page.scans = LanguagePage.Scans(
                installed: Recognizer.installed, chosen: try visit.quire.settings.recognition().languages,
                decidedBy: visit.quire.config.isSet(.recognitionLanguages)
                    ? "\(visit.quire.config.origin(of: .recognitionLanguages))" : nil,
                error: ["languages", "recognition-languages"].contains(failure?.field)
                    ? failure.map(visit.said) : nil)
        }
        return Pages.language(visit.frameAt("/settings/language"), page)
    }

    private static func recognition(_ visit: Visit) throws -> JSON {
        var json = try visit.quire.settings.recognition().json.object ?? [:]
        json["installed"] = .array(Recognizer.installed.map(JSON.string))
        return .object(json)
    }

    private static func changePerson(_ visit: Visit, _ input: Input) throws {
        let caller = try visit.member()
        guard let id = caller.memberID else { throw Failure(.denied, "Sign in to change your name.") }
        try visit.access.members.rename(
            id, to: try input.text("name"), signInName: try input.text("login"), by: caller)
    }

    private static func identityPage(
        _ visit: Visit, _ failure: Failure? = nil, typed: Input? = nil
    ) throws -> HTML {
        let caller = try visit.member()
        let member = try caller.memberID.map { try visit.access.members.get($0) }
        let identity = try visit.quire.settings.identity()
        func shown(_ part: String, _ name: String, _ kept: String) -> String {
            guard let typed, (try? typed.text("part")) == part else { return kept }
            return (try? typed.text(name)) ?? kept
        }
        return Pages.identity(
            visit.frame,
            IdentityPage(
                name: shown("person", "name", member?.name ?? caller.name),
                login: shown("person", "login", member?.signInName ?? ""),
                desk: caller.may(.administer)
                    ? .init(
                        organization: shown("desk", "organization", identity.organization),
                        email: shown("desk", "email", identity.email),
                        phone: shown("desk", "phone", identity.phone),
                        address: shown("desk", "address", identity.address),
                        terms: shown("desk", "terms", identity.terms)) : nil,
                error: failure.map(visit.said), errorField: failure?.pageField))
    }

    private static func mailJSON(_ visit: Visit) throws -> JSON {
        let mail = try visit.quire.settings.mail()
        return [
            "host": .string(mail.host), "port": .int(mail.port), "security": .string(mail.security.rawValue),
            "username": .string(mail.userName), "fromName": .string(mail.senderName),
            "fromAddress": .string(mail.senderAddress), "hasPassword": .bool(mail.hasPassword),
        ]
    }

    private static func readMail(_ input: Input, _ before: MailSettings) throws -> MailSettings {
        let word = try input.text("security") ?? before.security.rawValue
        guard let security = MailSettings.Security(rawValue: word) else {
            throw Failure(.invalid, "The connection is starttls, tls or none.", field: "security")
        }
        return MailSettings(
            host: try input.text("host") ?? before.host, port: try input.integer("port") ?? before.port,
            security: security, userName: try input.text("username") ?? before.userName,
            senderName: try input.text("fromName") ?? before.senderName,
            senderAddress: try input.text("fromAddress") ?? before.senderAddress)
    }

    static func mailPage(_ visit: Visit) throws -> MailPage {
        let mail = try visit.quire.settings.mail()
        let test = try visit.quire.reports.latest(.mailTest)
        let bounces = try visit.quire.settings.bounces()
        var page = MailPage(
            host: mail.host, port: String(mail.port),
            security: .init(rawValue: mail.security.rawValue) ?? .starttls,
            username: mail.userName, hasPassword: mail.hasPassword, fromName: mail.senderName,
            fromAddress: mail.senderAddress,
            test: test.map { .init(isGood: $0.isGood, sentence: $0.sentence, at: $0.at) })
        page.bounces = MailPage.Bounces(
            host: bounces.host, port: String(bounces.port),
            security: .init(rawValue: bounces.security.rawValue) ?? .tls, username: bounces.userName,
            folder: bounces.folder, everyReport: bounces.everyReport, hasPassword: bounces.hasPassword)
        return page
    }

    private static func aboutPage(
        _ visit: Visit, _ findings: [Finding], _ network: [OutgoingAddress]?, _ trials: EngineTrials?
    ) throws -> HTML {
        var facts: [(name: String, value: String)] = []
        if let commit = Version.commit { facts.append((visit.texts("about.commit"), commit)) }
        if network != nil {
            let isPostgres = visit.quire.store.database.kind == .postgres
            facts += [
                (visit.texts("storage.home"), visit.quire.store.home.path),
                (visit.texts("storage.database"), isPostgres ? "PostgreSQL" : "SQLite"),
                (visit.texts("region.timeZone"), try visit.quire.settings.region().timeZone),
            ]
        }
        return Pages.about(
            visit.frame,
            AboutPage(
                version: Version.number, facts: facts,
                findings: findings.map { AboutPage.Finding($0, visit.texts) },
                network: network?.map { address in
                    let note = [address.purpose, address.occasion].map(visit.texts.said)
                    return .init(
                        address: visit.texts.said(address.address), note: note.joined(separator: ", "))
                },
                engines: network == nil ? nil : try engines(visit, trials)))
    }

    private static func engines(_ visit: Visit, _ trials: EngineTrials?) throws -> AboutPage.Engines {
        let last = try visit.quire.queue.list(.init(kind: JobKind.engineTrial.name), limit: 1).first
        let isFresh = last?.finishedAt.map { ended in trials.map { $0.at < ended } ?? true } == true
        return AboutPage.Engines(
            at: trials?.at,
            lines: (trials?.lines ?? []).map {
                .init(
                    engine: $0.engine, milliseconds: $0.milliseconds,
                    trouble: $0.trouble.map(visit.texts.said))
            },
            job: last.flatMap { $0.state.isFinished ? nil : $0.id.text },
            failure: last.flatMap { job in
                guard isFresh, job.state == .failed || job.state == .setAside else { return nil }
                return job.reason.map(visit.texts.said) ?? ""
            })
    }
}

extension Visit {
    /// What a browser keeps of a member's choice, so that it also holds before they sign in.
    func cookies(for preferences: Preferences) -> [Cookie] {
        [("quire_language", preferences.language), ("quire_theme", preferences.theme.rawValue)].map {
            name, value in
            // Scripts change the look at once, before it is sent.
            Cookie(
                name, value, maxAge: 365 * 86_400, isSecure: isSecure, isHTTPOnly: name != "quire_theme")
        }
    }

    /// A job was promised: programs get it, people are told where to watch it.
    func promised(
        _ id: ID<Job>, next: String, notice: String? = nil, undo: Frame.Notice.Undo? = nil
    ) throws -> Response {
        guard let job = try quire.queue.get(id) else { throw Failure(.notFound, "The job is gone already.") }
        return done(job.json, .accepted, at: "/jobs/\(id)", next: next, notice: notice, undo: undo)
    }
}

extension AboutPage.Finding {
    /// Programs and settings have the same name in every language.
    init(_ finding: App.Finding, _ texts: Texts) {
        self.init(
            name: texts.find("about.name.\(finding.name.split(separator: " ").joined(separator: "-"))")
                ?? texts.said(finding.name),
            state: finding.state == .good ? .good : finding.state == .limited ? .limited : .missing,
            note: texts.said(finding.sentence), remedy: finding.remedy.map(texts.said))
    }
}
