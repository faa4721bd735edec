import Markup
import People
import Storage

// A question about the contacts that is kept under a name, as pages show it.
extension Pages {
    /// How many match now, and what was asked.
    static func smartNote(_ frame: Frame, _ question: ContactQuestion, count: Int) -> HTML {
        """
        \(frame.texts("smart.count", ["count": .number(count)])) · <span dir="auto">\(asked(frame, question).joined(separator: " · "))</span>
        """
    }

    private static func asked(_ frame: Frame, _ question: ContactQuestion) -> [String] {
        let t = frame.texts
        return [
            question.words, question.tag,
            question.due == .any ? "" : t("smart.due.\(question.due.rawValue)"),
        ].filter { !$0.isEmpty }
    }

    /// What a smart list asks, with the way to ask something else.
    static func smartQuestion(
        _ frame: Frame, _ question: ContactQuestion, _ model: ListPage, _ path: String
    ) -> HTML {
        let t = frame.texts
        let chips = asked(frame, model.line.question ?? question).map {
            Part.chip(frame, $0, icon: $0 == question.tag ? .tag : nil)
        }
        let fields = ContactQuestion.fields.map {
            Form.field(frame, SettableLine($0, of: question), id: "smart-\($0.name)")
        }
        let change: HTML =
            frame.canEdit && model.line.trashedAt == nil
            ? """
            <details class="more"\(attribute: "open", if: model.error != nil)><summary>\(frame.icon(.edit))\(t("smart.change"))</summary>\(Form.form(
                frame, "PATCH", path,
                """
                <input type="hidden" name="smart" value="yes">\(fields)
                <div><button class="button button-main">\(frame.icon(.check))\(t("form.save"))</button></div>
                """))</details>
            """ : .empty
        return """
            <section class="card stack stack-s" id="question"><h2>\(t("smart.question"))</h2>
            <p class="row">\(chips)</p><p class="soft small">\(t("smart.text"))</p>
            <p><a href="\(url: contactsAddress(question))">\(t("smart.contacts"))</a></p>\(change)</section>
            """
    }

    private static func contactsAddress(_ question: ContactQuestion) -> String {
        var query: [String] = []
        if !question.words.isEmpty { query.append("q=\(queryEncoded(question.words))") }
        if !question.tag.isEmpty { query.append("tag=\(queryEncoded(question.tag))") }
        if let due = question.due.due { query.append("due=\(due.rawValue)") }
        return "/contacts?" + query.joined(separator: "&")
    }

    /// Keeps what is being looked for among the contacts.
    static func keepingSmart(_ frame: Frame, _ question: ContactQuestion) -> HTML {
        guard frame.canEdit, question != ContactQuestion() else { return .empty }
        let t = frame.texts
        let said = ContactQuestion.fields.map { field -> HTML in
            "<input type=\"hidden\" name=\"\(field.name)\" value=\"\(field.text(of: question))\">"
        }
        let name = Form.field(
            frame,
            Form.Field(
                name: "name", label: t("smart.name"), hint: t("smart.text"), autocomplete: "off",
                isRequired: true, maximumLength: 100, id: "smart-name"))
        return """
            <details class="more"><summary>\(frame.icon(.plus))\(t("smart.keep"))</summary>\(Form.form(
                frame, "POST", "/lists",
                """
                <input type="hidden" name="smart" value="yes">\(said)\(name)
                <div><button class="button">\(frame.icon(.check))\(t("form.save"))</button></div>
                """))</details>
            """
    }

    static func smartLists(_ frame: Frame, _ lines: [ListLine]) -> HTML {
        guard !lines.isEmpty else { return .empty }
        let t = frame.texts
        let items = lines.compactMap { line -> HTML? in
            line.question.map { question in
                """
                <a class="item" href="\(url: "/lists/\(line.id)")">\(frame.icon(.search))<span class="item-text">\
                <span class="item-title" dir="auto">\(line.name)</span>\
                <span class="item-note">\(smartNote(frame, question, count: line.count))</span></span></a>
                """
            }
        }
        return """
            <section class="card card-flush"><div class="card-head"><h2>\(t("smart.title"))</h2></div>\(Part.list(items))</section>
            """
    }
}
