import Access
import Markup
import Work

/// What happened that somebody has to know of, one line each.
struct NoticesPage: Sendable {
    var lines: [NoticeLine]
    var unreadCount: Int
    var newest: Moment? { lines.first?.at }
}

struct NoticeLine: Sendable {
    var sentence: String
    /// What it is about and what came of it; what is private is left out.
    var notes: [String]
    /// Nil where the thing is gone.
    var address: String?
    var icon: Icon
    var at: Moment
    var isUnread: Bool
}

struct NoticeChoicePage: Sendable {
    /// Those that concern this reader.
    var topics: [Notice.Topic]
    var choice: NoticeChoice
    /// Where mail goes when no other address is given.
    var signInName: String
    var canMail: Bool
    /// The browsers that show notices while no page is open.
    var devices: [Device] = []
    /// By which browsers know this desk; empty where nobody is signed in.
    var pushKey = ""
    var error: String?
    var errorField: String?

    struct Device: Sendable {
        var id: String
        var name: String
        var endpoint: String
        var madeAt: Moment
        var toldAt: Moment?
        var trouble: String?
    }
}

extension Pages {
    static func notices(_ frame: Frame, _ model: NoticesPage) -> HTML {
        let t = frame.texts
        let choose = Part.link(frame, "/settings/notices", t("notices.choose"), icon: .settings)
        guard !model.lines.isEmpty else {
            return Shell.page(
                frame, title: t("notices.title"), narrow: true,
                Part.empty(
                    frame, icon: .bell, title: t("notices.empty.title"), isPageTitle: true,
                    "<p>\(t("notices.empty.text"))</p>", actions: choose))
        }
        let read: HTML =
            model.unreadCount == 0
            ? .empty
            : Form.form(
                frame, "POST", "/notices/read", css: nil,
                """
                <input type="hidden" name="until" value="\(model.newest?.iso8601 ?? "")">\
                <button class="button button-main">\(frame.icon(.check))\(t("notices.read"))</button>
                """)
        return Shell.page(
            frame, title: t("notices.title"), narrow: true,
            """
            \(Part.header(
                frame, t("notices.title"), lede: t("notices.unread", ["count": .number(model.unreadCount)]),
                actions: "\(read)\(choose)"))
            <section class="card card-flush" aria-label="\(t("notices.title"))">\
            \(Part.list(model.lines.map { noticeItem(frame, $0) }))</section>
            """)
    }

    private static func noticeItem(_ frame: Frame, _ line: NoticeLine) -> HTML {
        let notes = line.notes.map { "<span dir=\"auto\">\($0)</span>" as HTML } + [Part.time(line.at)]
        let content: HTML = """
            \(frame.icon(line.icon))<span class="item-text"><span class="item-title">\(line.sentence)</span>\
            <span class="item-note">\(notes.joined(separator: " · "))</span></span>\
            \(line.isUnread ? Part.chip(frame, frame.texts("notices.new"), .warn) : .empty)
            """
        guard let address = line.address else { return "<div class=\"item\">\(content)</div>" }
        return "<a class=\"item\" href=\"\(url: address)\">\(content)\(frame.icon(.next, small: true))</a>"
    }

    static func noticeChoice(_ frame: Frame, _ model: NoticeChoicePage) -> HTML {
        let t = frame.texts
        let topics = model.topics.map { topic in
            Form.check(
                name: "topics", value: topic.rawValue, label: t("notices.topic.\(topic.rawValue)"),
                isOn: model.choice.topics.contains(topic))
        }
        let hint: String? =
            model.signInName.contains("@")
            ? t("notices.mail.address.hint", ["address": .text(model.signInName)]) : nil
        let without: HTML =
            model.canMail
            ? .empty
            : Part.note(
                frame, .plain,
                """
                <p>\(t("notices.mail.none"))</p>\
                \(frame.isOwner ? "<p><a href=\"/settings/mail\">\(t("settings.mail"))</a></p>" as HTML : .empty)
                """)
        let choice: HTML = Part.card(
            t("notices.topics"),
            Form.form(
                frame, "POST", "/settings/notices",
                """
                \(Form.failure(frame, model.errorField == nil ? model.error : nil))
                <fieldset class="stack stack-s"><legend class="unseen">\(t("notices.topics"))</legend>\(topics)</fieldset>
                <h3>\(t("notices.mail"))</h3>
                <p class="soft">\(t("notices.mail.text"))</p>\(without)
                \(Form.choices(
                        name: "mail", label: t("notices.mail.when"),
                        options: NoticeChoice.Mail.allCases.map { ($0.rawValue, HTML(plain: t("notices.mail.\($0.rawValue)"))) },
                        chosen: model.choice.mail.rawValue))
                \(Form.field(
                        frame,
                        Form.Field(
                            name: "address", label: t("notices.mail.address"), value: model.choice.address,
                            type: "email", hint: hint, error: model.errorField == "address" ? model.error : nil,
                            autocomplete: "email", maximumLength: 200)))
                \(save(frame))
                """))
        let own: HTML = model.pushKey.isEmpty ? .empty : devices(frame, model)
        return settingsPage(frame, "settings.notices", "\(choice)\(own)")
    }

    private static func devices(_ frame: Frame, _ model: NoticeChoicePage) -> HTML {
        let t = frame.texts
        let items = model.devices.map { device -> HTML in
            let path = "/settings/notices/devices/\(device.id)"
            let name = ["name": Catalog.Argument.text(device.name)]
            let trouble: HTML? = device.trouble.map {
                "<span class=\"field-error\">\(frame.icon(.warning))<span>\($0)</span></span>"
            }
            return """
                <div class="item" data-endpoint="\(device.endpoint)">\(frame.icon(.device))<span class="item-text">\
                <span class="item-title">\(device.name)</span>\
                <span class="item-note">\(t("push.since")) \(Part.time(device.madeAt))</span>\(trouble)</span>\
                \(Form.button(frame, "POST", path + "/trial", t("push.try"), css: "button button-s", name: t("push.try.name", name)))\
                \(Form.button(
                    frame, "DELETE", path, t("form.remove"), css: "button button-s button-danger",
                    name: t("push.remove.name", name)))</div>
                """
        }
        return Part.card(
            t("push.title"), id: "devices",
            """
            <p class="soft">\(t("push.text"))</p>\(items.isEmpty ? .empty : Part.list(items))\
            <push-switch key="\(model.pushKey)"><noscript><p class="soft small">\(t("push.script"))</p></noscript></push-switch>
            """)
    }
}
