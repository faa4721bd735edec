import Cards
import Markup
import People
import Storage

/// Two cards beside each other, and the one they would be.
struct MergePage: Sendable {
    struct Field: Sendable {
        var field: CardMerge.Field
        var first: String
        var second: String
        var chosen: CardMerge.Side
    }

    var first: String
    var second: String
    var names: (first: String, second: String)
    var fields: [Field]
    var lines: [(line: CardMerge.Line, isKept: Bool)]
    var result: ContactCard

    init(_ merge: CardMerge, first: String, second: String) {
        self.first = first
        self.second = second
        names = (merge.first.name, merge.second.name)
        fields = merge.differing.map { field in
            Field(
                field: field, first: merge.said(field, by: .first), second: merge.said(field, by: .second),
                chosen: merge.choices[field] ?? .first)
        }
        lines = merge.lines.map { ($0, !merge.without.contains($0.key)) }
        result = merge.merged
    }
}

/// Two who could be one, in a line.
struct MatchLine: Sendable {
    var first: (id: String, name: String, note: String)
    var second: (id: String, name: String, note: String)
    var reasons: [String]

    init(_ match: ContactMatch, _ t: Texts) {
        func said(_ contact: Contact) -> (String, String, String) {
            let note = [contact.organization, contact.email.isEmpty ? contact.phone : contact.email]
            return (
                contact.id.text, contact.name, note.filter { !$0.isEmpty }.joined(separator: " · ")
            )
        }
        first = said(match.first)
        second = said(match.second)
        reasons = match.reasons.map { t("contacts.match.\($0.kind)", ["value": .text($0.value)]) }
    }
}

extension Pages {
    static func contactMatches(_ frame: Frame, _ lines: [MatchLine], total: Int) -> HTML {
        let t = frame.texts
        let items = lines.map { line -> HTML in
            func name(_ contact: (id: String, name: String, note: String)) -> HTML {
                """
                <a class="item-title item-link" href="\(url: "/contacts/\(contact.id)")" dir="auto">\(contact.name)</a>\
                <span class="item-note" dir="auto">\(contact.note)</span>
                """
            }
            let both = ["names": Catalog.Argument.text("\(line.first.name), \(line.second.name)")]
            let acts: HTML =
                frame.canEdit
                ? """
                <a class="button button-s" href="\(url: "/contacts/merging?first=\(line.first.id)&second=\(line.second.id)")" \
                aria-label="\(t("contacts.match.look.names", both))">\(t("contacts.match.look"))</a>\
                \(Form.form(
                    frame, "POST", "/contacts/apart", css: nil,
                    """
                    <input type="hidden" name="first" value="\(line.first.id)"><input type="hidden" name="second" value="\(line.second.id)">\
                    <button class="button button-s" aria-label="\(t("contacts.match.apart.names", both))">\(t("contacts.match.apart"))</button>
                    """))
                """ : .empty
            return """
                <div class="item"><span class="item-text">\(name(line.first))</span><span class="item-text">\(name(line.second))</span>\
                <span class="tag-row">\(line.reasons.map { Part.chip(frame, $0) })</span>\(acts)</div>
                """
        }
        let body: HTML =
            items.isEmpty
            ? Part.empty(
                frame, icon: .people, title: t("contacts.matches.none"),
                "<p>\(t("contacts.matches.none.text"))</p>")
            : """
            <p class="soft small" role="status">\(t("contacts.matches.count", ["count": .number(total)]))</p>
            <section class="card card-flush">\(Part.list(items))</section>
            """
        return Shell.page(
            frame, title: t("contacts.matches.title"),
            """
            \(Part.header(
                frame, t("contacts.matches.title"), lede: t("contacts.matches.lede"),
                crumbs: [(t("people.title"), "/lists"), (t("people.contacts"), "/contacts")]))
            \(body)
            """)
    }

    static func merging(_ frame: Frame, _ model: MergePage) -> HTML {
        let t = frame.texts
        let fields = model.fields.map { field -> HTML in
            let options: [(value: String, label: HTML)] = field.field.sides.map { side in
                let said = side == .second ? field.second : field.first
                let label: HTML =
                    side == .both
                    ? "\(t("contacts.merge.both"))"
                    : field.field == .photo
                        ? "\(t("contacts.merge.photo.\(side.rawValue)"))"
                        : "<span class=\"lines-kept\" dir=\"auto\">\(said)</span>"
                return (side.rawValue, label)
            }
            return Form.choices(
                name: "take:\(field.field.rawValue)",
                label: t(
                    field.field == .photo ? "contact.photo" : "contact.part.\(field.field.rawValue)"),
                options: options, chosen: field.chosen.rawValue)
        }
        let lines = model.lines.map { line, isKept -> HTML in
            let kind =
                line.line.type.isEmpty || line.line.kind == .title
                ? t("contact.kind.\(line.line.kind.rawValue)") : t("contact.type.\(line.line.type)")
            let whose = line.side == .second ? model.names.second : model.names.first
            let hint = line.isDouble ? t("contacts.merge.double") : whose
            return """
                <input type="hidden" name="known" value="\(line.key)">\(Form.check(
                    name: "keep", value: line.key,
                    label: "\(line.line.label.isEmpty ? kind : line.line.label): \(line.line.text)", hint: hint,
                    isOn: isKept))
                """
        }
        let result = ContactPage(
            id: model.first, name: model.result.name, model.result, source: "", changedAt: frame.now)
        let form: HTML = """
            <input type="hidden" name="first" value="\(model.first)"><input type="hidden" name="second" value="\(model.second)">\
            \(fields)\(lines.isEmpty ? .empty : "<fieldset class=\"stack stack-s\"><legend class=\"field-label\">\(t("contacts.merge.lines"))</legend>\(lines)</fieldset>")\
            <p class="soft small">\(t("contacts.merge.hint"))</p>\
            <div class="row"><button class="button button-main">\(t("contacts.merge.go"))</button>\
            <button class="button" name="look" value="yes">\(frame.icon(.eye))\(t("contacts.merge.look"))</button></div>
            """
        return Shell.page(
            frame, title: t("contacts.merge.title"),
            """
            \(Part.header(
                frame, t("contacts.merge.title"),
                lede: t("contacts.merge.lede", ["first": .text(model.names.first), "second": .text(model.names.second)]),
                crumbs: [
                    (t("people.title"), "/lists"), (t("people.contacts"), "/contacts"),
                    (t("contacts.matches.title"), "/contacts/matches"),
                ]))
            <div class="columns"><div class="stack">\
            \(frame.canEdit ? "<section class=\"card\">\(Form.form(frame, "POST", "/contacts/merges", form))</section>" : .empty)</div>\
            <div class="stack"><h2 dir="auto">\(model.result.name)</h2>\(contactFacts(frame, result))</div></div>
            """)
    }
}
