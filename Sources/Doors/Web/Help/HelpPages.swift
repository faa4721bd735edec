import Access
import App
import Markup

/// Answers to what people ask first, and whom they can ask the rest.
struct HelpPage: Sendable {
    /// What the owners say of themselves; empty where they say nothing.
    var organization = ""
    var email = ""
    var phone = ""
    var terms = ""
    var owners: [String] = []
    /// Nil for owners, who have nobody to ask.
    var question: Question?
    /// What they said in the first step when they were asked how the desk is.
    var feeling: FeedbackPrompt.Answer?

    struct Question: Sendable {
        var text = ""
        var error: String?
    }

    /// Each has a title and its questions, by their keys in the catalog, and a place where it is done.
    static let topics: [(title: String, questions: [(key: String, place: String)])] = [
        (
            "help.papers",
            [
                ("help.papers.add", "/documents/new"), ("help.papers.find", "/documents"),
                ("help.papers.original", "/documents"), ("help.papers.deleted", "/documents?trash=1"),
                ("help.papers.who", "/help/privacy"),
            ]
        ),
        (
            "help.sendouts",
            [
                ("help.sendouts.fill", "/batches/new"), ("help.sendouts.check", "/batches"),
                ("help.sendouts.received", "/ledger"), ("help.sendouts.replies", "/harvests"),
            ]
        ),
        (
            "help.away",
            [
                ("help.away.phone", "/settings"), ("help.away.offline", "/documents"),
                ("help.away.links", "/shares"),
            ]
        ),
        (
            "help.safe",
            [
                ("help.safe.signIn", "/settings/security"), ("help.safe.backup", "/settings/storage"),
                ("help.safe.where", "/help/privacy"),
            ]
        ),
    ]
}

/// What this very desk does with papers, made from how it is set up.
struct PrivacyPage: Sendable {
    /// For owners alone.
    var folder: String?
    var isInPostgreSQL = false
    var memberCount = 0
    /// Links that lead strangers to papers; nil for those who are not told.
    var openLinkCount: Int?
    /// What goes out, and when; the address for owners alone.
    var outgoing: [Outgoing] = []
    /// How long the ledger remembers; nil is for good.
    var ledgerDays: Int?
    var plansBackups = false
    var encryptsBackups = false
    var backupFolder: String?

    struct Outgoing: Sendable {
        var what: String
        var address: String?
    }
}

extension Pages {
    static func help(_ frame: Frame, _ model: HelpPage) -> HTML {
        let t = frame.texts
        let topics = HelpPage.topics.map { topic -> HTML in
            Part.card(
                t(topic.title),
                "<div class=\"answers\">\(topic.questions.map { answer(frame, $0.key, $0.place) })</div>")
        }
        return Shell.page(
            frame, title: t("help.title"), narrow: true,
            """
            \(Part.header(
                frame, t("help.title"), lede: t("help.lede"),
                actions: Part.link(frame, "/welcome?step=start", t("help.start"), icon: .next)))
            \(topics)
            \(Part.card(t("help.ask"), id: "ask", asking(frame, model)))
            """)
    }

    private static func answer(_ frame: Frame, _ key: String, _ place: String) -> HTML {
        let t = frame.texts
        // Places that are not everybody's are not pointed at.
        let isOpen =
            !(place == "/settings/storage" && !frame.isOwner)
            && !(["/documents/new", "/batches/new"].contains(place) && !frame.canEdit)
        let way: HTML =
            isOpen ? "<p>\(Part.link(frame, place, t("help.there"), css: nil))</p>" : .empty
        return """
            <details id="\(key.split(separator: ".").suffix(2).joined(separator: "-"))"><summary>\(t(key))</summary>\
            <div class="stack stack-s"><p>\(t(key + ".answer"))</p>\(way)</div></details>
            """
    }

    private static func asking(_ frame: Frame, _ model: HelpPage) -> HTML {
        let t = frame.texts
        var ways: [(name: String, value: HTML)] = []
        if !model.organization.isEmpty { ways.append((t("help.ask.desk"), "\(model.organization)")) }
        if !model.owners.isEmpty {
            ways.append((t("help.ask.owners"), "\(model.owners.joined(separator: ", "))"))
        }
        if !model.email.isEmpty {
            ways.append(
                (t("identity.email"), "<a href=\"\(url: "mailto:\(model.email)")\">\(model.email)</a>"))
        }
        if !model.phone.isEmpty {
            let number = model.phone.filter { $0.isNumber || $0 == "+" }
            ways.append((t("identity.phone"), "<a href=\"\(url: "tel:\(number)")\">\(model.phone)</a>"))
        }
        if !model.terms.isEmpty {
            ways.append(
                (t("identity.terms"), "<a href=\"\(url: model.terms)\" rel=\"noreferrer\">\(model.terms)</a>")
            )
        }
        let why = model.feeling.flatMap { $0.isOpinion ? "feedback.\($0.rawValue).why" : nil }
        let question: HTML =
            model.question.map { question in
                Form.form(
                    frame, "POST", "/help/questions",
                    """
                    \(Form.field(
                        frame,
                        Form.Field(
                            name: "text", label: t(why ?? "help.question"), value: question.text,
                            hint: t(why == nil ? "help.question.hint" : "feedback.hint"), error: question.error, isRequired: true,
                            maximumLength: Notices.longestQuestion, rows: 4)))
                    <div><button class="button button-main">\(t("help.question.send"))</button></div>
                    """)
            }
                ?? """
                <p class="soft">\(t("help.ask.yourself"))</p>\
                <p>\(Part.link(frame, "/settings/identity", t("help.ask.change"), css: nil))</p>
                """
        return "\(ways.isEmpty ? HTML.empty : Part.facts(ways))\(question)"
    }

    static func privacy(_ frame: Frame, _ model: PrivacyPage) -> HTML {
        let t = frame.texts
        func card(_ key: String, _ sentences: [String?], _ more: HTML = .empty) -> HTML {
            Part.card(t(key), "\(sentences.compactMap(\.self).map { "<p>\($0)</p>" as HTML })\(more)")
        }
        func fine(_ text: String?) -> HTML {
            text.map { "<p class=\"soft mono\">\($0)</p>" } ?? .empty
        }
        let leaving = model.outgoing.map { one -> HTML in
            """
            <div class="item">\(frame.icon(.globe))<span class="item-text"><span class="item-title">\(one.what)</span>\
            \(one.address.map { "<span class=\"item-note mono\">\($0)</span>" as HTML })</span></div>
            """
        }
        let links: HTML =
            (model.openLinkCount ?? 0) > 0
            ? "<p>\(Part.link(frame, "/shares", t("shares.title"), css: nil))</p>" : .empty
        return Shell.page(
            frame, title: t("privacy.title"), narrow: true,
            """
            \(Part.header(
                frame, t("privacy.title"), lede: t("privacy.lede"), crumbs: [(t("help.title"), "/help")]))
            \(card(
                "privacy.where",
                [t("privacy.where.text"), model.isInPostgreSQL ? t("privacy.where.database") : nil],
                fine(model.folder)))
            \(card(
                "privacy.who",
                [
                    t("privacy.who.members", ["count": .number(model.memberCount)]), t("privacy.who.private"),
                    model.openLinkCount.map { t("privacy.who.links", ["count": .number($0)]) },
                ], links))
            \(card(
                "privacy.leaves",
                [t(leaving.isEmpty ? "privacy.leaves.nothing" : "privacy.leaves.text"), t("privacy.leaves.asked")],
                leaving.isEmpty ? .empty : Part.list(leaving)))
            \(card(
                "privacy.kept",
                [
                    t("privacy.kept.bin"),
                    model.ledgerDays.map { t("privacy.kept.ledger", ["count": .number($0)]) }
                        ?? t("privacy.kept.ledgerForGood"),
                    t("privacy.kept.journal"),
                ]))
            \(card(
                "privacy.copies",
                [t(model.plansBackups ? "privacy.copies.planned" : "privacy.copies.none")]
                    + (model.encryptsBackups ? [t("privacy.copies.encrypted")] : []),
                fine(model.backupFolder)))
            \(card("privacy.browser", [t("privacy.browser.text")]))
            """)
    }

    /// What the desk is for, in three steps, for whoever is here for the first time.
    static func threeSteps(_ frame: Frame) -> HTML {
        let steps: [(Icon, String)] = [
            (.library, "start.keep"), (.packets, "start.fill"), (.mail, "start.give"),
        ]
        return """
            <ol class="three-steps">\(steps.map { icon, key -> HTML in
                """
                <li class="promise">\(frame.icon(icon))<div><h2>\(frame.texts(key))</h2><p class="soft">\(frame.texts(key + ".text"))</p></div></li>
                """
            })</ol>
            """
    }
}
