import Cards
import Markup
import People
import Storage
import Work

/// One person: how they are reached, what went to them and came back, and the papers that carry them.
struct ContactPage: Sendable {
    struct Deed: Sendable {
        /// The packet or message, or the send-out that another desk made.
        var subject: String
        var name: String
        var address: String
        var state: String
        var at: Moment
        var link: String
        /// The other desk that did it; empty for this one.
        var desk = ""
    }

    var id: String
    var name: String
    var parts: [(part: CardPart, text: String)]
    var lines: [CardLine]
    var tags: [String]
    var photo: String?
    /// Where they came from.
    var source: String
    var changedAt: Moment
    /// Whether they are changed here and not on a server.
    var isOwn: Bool
    var form: ContactForm
    /// Where they can lie, and where they do; none where there is one place alone.
    var books: [(value: String, label: String)] = []
    var book = ""
    var followUp: FollowUpLine?
    var followUpForm = FollowUpForm()
    var history: [Deed] = []
    var papers: [(id: String, name: String)] = []

    init(
        id: String, name: String, _ card: ContactCard, version: String = "", source: String,
        changedAt: Moment, isOwn: Bool = true, form: ContactForm? = nil
    ) {
        self.id = id
        self.name = name
        parts = CardPart.allCases.compactMap { part in
            let text = card[part]
            return text.isEmpty ? nil : (part, text)
        }
        lines = card.lines.map(\.line)
        tags = card.tags
        photo = card.photo.flatMap { photo in
            Self.pictures.contains(photo.mediaType) ? "/contacts/\(id)/photo?v=\(version)" : nil
        }
        self.source = source
        self.changedAt = changedAt
        self.isOwn = isOwn
        self.form = form ?? ContactForm(card)
    }

    /// What browsers show and nothing else is sent as.
    static let pictures: Set<String> = ["image/jpeg", "image/png", "image/gif", "image/webp"]
}

extension Pages {
    static func contact(_ frame: Frame, _ model: ContactPage) -> HTML {
        let t = frame.texts
        let path = "/contacts/\(model.id)"
        let work = model.lines.filter { $0.kind == .organization || $0.kind == .title }.map(\.text)
        let canEdit = frame.canEdit && model.isOwn
        // What somebody looked at stays as they saw it: the desk tells them what others changed meanwhile.
        let edit: HTML =
            canEdit
            ? """
            <section class="card" id="edit" data-once><details class="more"\(attribute: "open", if: model.form.error != nil)>\
            <summary>\(frame.icon(.edit))\(t("contact.edit"))</summary>\(Form.form(
                frame, "PATCH", path,
                """
                \(contactFields(frame, model.form))
                <p class="soft small">\(t("contact.edit.hint"))</p>
                <div class="row"><button class="button button-main">\(frame.icon(.check))\(t("form.save"))</button></div>
                """))</details></section>
            """ : .empty
        let elsewhere: HTML =
            frame.canEdit && !model.isOwn
            ? Part.note(frame, .plain, "<p>\(t("contact.elsewhere"))</p>") : .empty
        return Shell.page(
            frame, title: model.name,
            """
            \(Part.header(
                frame, model.name, lede: work.isEmpty ? nil : work.joined(separator: " · "),
                crumbs: [(t("people.title"), "/lists"), (t("people.contacts"), "/contacts")],
                actions: reach(frame, model)))
            <div class="columns"><div class="stack">\(elsewhere)\(contactFacts(frame, model))\(followUp(frame, model))\(edit)</div>\
            <div class="stack">\(history(frame, model))\(papers(frame, model))\(photo(frame, model, canEdit: canEdit))\
            \(aside(frame, model, canEdit: canEdit))</div></div>
            """)
    }

    static func newContact(
        _ frame: Frame, _ form: ContactForm, _ proposal: CardProposal? = nil,
        books: [(value: String, label: String)] = [], book: String? = nil
    ) -> HTML {
        let t = frame.texts
        let choice: HTML =
            books.isEmpty
            ? .empty
            : Form.select(
                frame, name: "book", label: t("contact.book"), options: books, chosen: book ?? "")
        let card: HTML =
            proposal.map { "<input type=\"hidden\" name=\"card\" value=\"\($0.card)\">" } ?? .empty
        return Shell.page(
            frame, title: t("contact.new"), narrow: true,
            """
            \(Part.header(
                frame, t("contact.new"), crumbs: [(t("people.title"), "/lists"), (t("people.contacts"), "/contacts")]))
            \(proposal.map { Pages.proposal(frame, $0) } ?? .empty)
            <section class="card">\(Form.form(
                frame, "POST", "/contacts/new",
                """
                \(card)\(contactFields(frame, form))\(choice)
                <div class="row"><button class="button button-main">\(frame.icon(.check))\(t("form.save"))</button></div>
                """))</section>
            """)
    }

    /// The first ways to them, one tap away.
    private static func reach(_ frame: Frame, _ model: ContactPage) -> HTML {
        let t = frame.texts
        let phone = model.lines.first { $0.kind == .phone && $0.type != "fax" }
        let email = model.lines.first { $0.kind == .email }
        let call = phone.flatMap { address(of: $0) }.map {
            Part.link(frame, $0, t("contact.call"), icon: .device)
        }
        let write = email.flatMap { address(of: $0) }.map {
            Part.link(frame, $0, t("contact.write"), icon: .mail)
        }
        return "\(call)\(write)"
    }

    /// Where a line leads; nothing for what a card must not make a browser do.
    private static func address(of line: CardLine) -> String? {
        switch line.kind {
        case .phone:
            let number = line.value.filter { $0.isASCII && ($0.isNumber || "+*#".contains($0)) }
            return number.isEmpty ? nil : "tel:\(number)"
        case .email: return "mailto:\(line.value)"
        case .link:
            let scheme = line.value.prefix { $0 != ":" }.lowercased()
            return [
                "http", "https", "mailto", "tel", "sms", "xmpp", "sip", "sips", "matrix", "geo", "irc",
                "ircs",
            ].contains(scheme) ? line.value : nil
        default: return nil
        }
    }

    static func contactFacts(_ frame: Frame, _ model: ContactPage) -> HTML {
        let t = frame.texts
        func kindName(_ line: CardLine) -> String {
            let kind =
                line.type.isEmpty || line.kind == .title
                ? t("contact.kind.\(line.kind.rawValue)") : t("contact.type.\(line.type)")
            return line.label.isEmpty ? kind : line.label
        }
        let order: [CardLine.Kind] = [.phone, .email, .organization, .title, .address, .link, .date]
        var facts: [(name: String, value: HTML)] = order.flatMap { kind in
            model.lines.filter { $0.kind == kind }.map { line in
                let text = line.kind == .link ? line.value : line.text
                let value: HTML =
                    address(of: line).map {
                        "<a href=\"\(url: $0)\" dir=\"auto\" rel=\"noopener noreferrer\">\(text)</a>"
                    } ?? "<span class=\"value\" dir=\"auto\">\(text)</span>"
                return (kindName(line), value)
            }
        }
        for (part, text) in model.parts where part != .name && part != .tags {
            let value: HTML = "<span class=\"value lines-kept\" dir=\"auto\">\(text)</span>"
            facts.append((t("contact.part.\(part.rawValue)"), value))
        }
        if !model.tags.isEmpty {
            let chips = model.tags.map { tag -> HTML in
                "<a class=\"chip chip-link\" href=\"\(url: "/contacts?tag=" + queryEncoded(tag))\">\(frame.icon(.tag))\(tag)</a>"
            }
            facts.append((t("contact.part.tags"), "<span class=\"tag-row\">\(chips)</span>"))
        }
        let photo: HTML =
            model.photo.map { "<img class=\"face\" src=\"\(url: $0)\" alt=\"\">" as HTML } ?? .empty
        return """
            <section class="card" aria-label="\(t("contact.about"))">\(photo)\
            \(facts.isEmpty ? "<p class=\"soft\">\(t("contact.nothing"))</p>" : Part.facts(facts))</section>
            """
    }

    private static func history(_ frame: Frame, _ model: ContactPage) -> HTML {
        let t = frame.texts
        let items = model.history.map { deed -> HTML in
            """
            <div class="item"><span class="item-text"><a class="item-title item-link" href="\(url: deed.link)" dir="auto">\(deed.name)</a>\
            <span class="item-note">\(deed.address.isEmpty ? .empty : "<span dir=\"auto\">\(deed.address)</span> · " as HTML)\(Part.time(deed.at))\
            \(deed.desk.isEmpty ? .empty : " · \(t("contact.history.desk", ["desk": .text(deed.desk)]))" as HTML)</span></span>\
            \(deliveryChip(frame, deed.state))</div>
            """
        }
        guard !items.isEmpty else {
            return Part.card(t("contact.history"), "<p class=\"soft\">\(t("contact.history.none"))</p>")
        }
        return """
            <section class="card card-flush"><div class="card-head"><h2>\(t("contact.history"))</h2></div>\(Part.list(items))</section>
            """
    }

    private static func papers(_ frame: Frame, _ model: ContactPage) -> HTML {
        guard !model.papers.isEmpty else { return .empty }
        let items = model.papers.map { paper -> HTML in
            """
            <a class="item" href="\(url: "/documents/\(paper.id)")">\(frame.icon(.document))<span class="item-text">\
            <span class="item-title" dir="auto">\(paper.name)</span></span></a>
            """
        }
        return """
            <section class="card card-flush"><div class="card-head"><h2>\(frame.texts("contact.papers"))</h2></div>\(Part.list(items))</section>
            """
    }

    private static func photo(_ frame: Frame, _ model: ContactPage, canEdit: Bool) -> HTML {
        guard canEdit else { return .empty }
        let t = frame.texts
        let path = "/contacts/\(model.id)/photo"
        let remove: HTML =
            model.photo == nil
            ? .empty
            : Form.button(frame, "DELETE", path, t("contact.photo.remove"), css: "button button-s")
        return """
            <section class="card"><details class="more"><summary>\(frame.icon(.camera))\(t("contact.photo"))</summary>\
            <photo-field><form class="stack" method="post" action="\(url: path)" enctype="multipart/form-data">\(Form.csrf(frame))\
            <div class="field"><label for="photo">\(t("contact.photo.choose"))</label>\
            <input id="photo" type="file" name="file" accept="image/jpeg,image/png" aria-describedby="photo-hint">\
            <p class="field-hint" id="photo-hint">\(t("contact.photo.hint"))</p></div>\
            <div><button class="button">\(t("form.save"))</button></div></form></photo-field>\(remove)</details></section>
            """
    }

    private static func aside(_ frame: Frame, _ model: ContactPage, canEdit: Bool) -> HTML {
        let t = frame.texts
        let remove: HTML =
            canEdit
            ? Form.button(
                frame, "DELETE", "/contacts/\(model.id)", t("contact.remove"), icon: .trash,
                css: "button button-danger") : .empty
        let move: HTML =
            canEdit && !model.books.isEmpty
            ? """
            <details class="more" id="book"><summary>\(frame.icon(.folder))\(t("contact.move"))</summary>\(Form.form(
                frame, "POST", "/contacts/\(model.id)/book",
                """
                \(Form.select(frame, name: "book", label: t("contact.book"), options: model.books, chosen: model.book))
                <p class="soft small">\(t("contact.move.text"))</p>
                <div class="row"><button class="button">\(frame.icon(.check))\(t("contact.move.do"))</button></div>
                """))</details>
            """ : .empty
        return """
            <section class="card"><p class="soft small"><span dir="auto">\(model.source)</span> · \(Part.time(model.changedAt))</p>\
            <div class="row">\(Part.link(frame, "/contacts/cards?id=\(model.id)", t("contact.card"), icon: .download))\(remove)</div>\(move)</section>
            """
    }
}
