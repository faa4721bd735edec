import Markup

/// Step seven begins here: what the message says, and how it looks to each person.
struct LetterPage: Sendable {
    struct Token: Sendable {
        var name: String
        var example: String
        var isColumn = true
    }

    struct Draft: Sendable {
        /// By the names of the letter's fields.
        var lines: [String: SettableLine]
        var version = 0
        var files: [EnclosureLine] = []

        subscript(_ name: String) -> String {
            get { lines[name]?.value ?? "" }
            set { lines[name]?.value = newValue }
        }

        func isEmpty(_ names: [String]) -> Bool { names.allSatisfy { self[$0].isEmpty } }
    }

    struct Preview: Sendable {
        var number: Int
        var count: Int
        var name: String
        var previous: String?
        var next: String?
        var packet: String
        var from: String
        var replyTo: String?
        var to: [String]
        var copies: [String] = []
        var blindCopies: [String] = []
        var subject: String
        var text: String
        var html: String?
        var files: [EnclosureLine] = []
        var byteCount: Int64
        var unknown: [String] = []
        var empty: [String] = []
        var problems: [FindingLine] = []
    }

    var batch: BatchLine
    var draft: Draft
    var tokens: [Token]
    var preview: Preview?
    /// Whom somebody looked for, and whether there is such a person.
    var wanted: String?
    var isWantedFound = true
    /// Why there is no preview.
    var previewError: String?
    var hasAccount = true
    /// So many messages are out or on their way already.
    var postedCount = 0
    var error: String?
    var errorField: String?
}

extension Pages {
    static func letter(_ frame: Frame, _ model: LetterPage) -> HTML {
        let t = frame.texts
        let path = "/batches/\(model.batch.id)"
        let posted: HTML =
            model.postedCount == 0
            ? .empty
            : Part.note(
                frame, .plain,
                """
                <p>\(t("letter.posted", ["count": .number(model.postedCount)])) \
                <a href="\(url: path + "/sending")">\(t("letter.posted.look"))</a></p>
                """)
        guard frame.canEdit else {
            return givingStep(
                frame, model.batch, .letter,
                "\(posted)<div class=\"stack\" data-swap=\"preview\">\(letterPreview(frame, model, path))</div>"
            )
        }
        return givingStep(
            frame, model.batch, .letter,
            """
            \(posted)\(accountNote(frame, model.hasAccount))
            <letter-editor><soft-page class="letter-board">
            <div class="stack">\(letterForm(frame, model, path))\(letterFiles(frame, model, path))</div>
            <section class="stack letter-side" data-swap="preview" aria-label="\(t("letter.preview"))">\(letterPreview(frame, model, path))</section>
            </soft-page>
            <div class="action-bar"><span class="soft small" data-said data-unsaved="\(t("letter.unsaved"))" data-saved="\(t("packets.kept"))" \
            data-failed="\(t("letter.failed"))" role="status">\(t("packets.kept"))</span><span class="push"></span>\
            <button class="button button-main button-forward" form="letter" name="then" value="check">\(frame.icon(.next))\(t("letter.next"))</button></div></letter-editor>
            """)
    }

    /// Said on every part of the step until there is an account.
    static func accountNote(_ frame: Frame, _ hasAccount: Bool) -> HTML {
        guard !hasAccount else { return .empty }
        let t = frame.texts
        let way: HTML =
            frame.isOwner
            ? "<p>\(Part.link(frame, "/settings/mail", t("sending.noAccount.set"), icon: .mail))</p>" : .empty
        return Part.note(
            frame, .warn,
            "<p>\(t(frame.isOwner ? "sending.noAccount" : "sending.noAccount.ask"))</p>\(way)")
    }

    private static func letterForm(_ frame: Frame, _ model: LetterPage, _ path: String) -> HTML {
        let t = frame.texts
        let draft = model.draft
        func problem(_ field: String) -> String? { model.errorField == field ? model.error : nil }
        func field(_ name: String, isOptional: Bool = true) -> HTML {
            guard let line = draft.lines[name] else { return .empty }
            return Form.field(frame, Form.Field(frame, line, error: problem(name), isOptional: isOptional))
        }
        func choices(_ name: String) -> HTML {
            draft.lines[name].map { Form.choices(frame, $0) } ?? .empty
        }
        let addresses = ["to", "cc", "bcc", "replyTo", "from"]
        let pace = ["perMinute", "opens", "closes"]
        let link = ["linkDays", "linkPassword", "linkOpenings"]
        let wrong = model.errorField ?? ""
        return Part.card(
            t("letter.title"),
            Form.form(
                frame, "PATCH", path + "/letter", id: "letter",
                """
                \(Form.failure(frame, draft.lines[wrong] == nil ? model.error : nil))
                <input type="hidden" name="version" value="\(draft.version)">\
                <input type="hidden" name="packet" value="\(model.preview?.packet ?? "")">
                \(field("subject", isOptional: false))
                \(Form.field(
                    frame,
                    .init(
                        name: "body", label: t("letter.body"), value: draft["body"],
                        hint: t(draft["form"] == "plain" ? "letter.body.plain" : "letter.body.hint"),
                        error: problem("body"), autocomplete: "off", rows: 10)))
                \(tokenButtons(frame, model))
                \(choices("attaches"))
                \(link.map { name -> HTML in
                    draft["attaches"] == "link"
                        ? field(name) : "<input type=\"hidden\" name=\"\(name)\" value=\"\(draft[name])\">"
                })
                <details class="more"\(attribute: "open", if: !draft.isEmpty(addresses) || addresses.contains(wrong))><summary>\(t("letter.addresses"))</summary><div class="stack">
                <p class="soft small">\(t("letter.addresses.text"))</p>
                \(addresses.map { field($0) })</div></details>
                <details class="more"\(attribute: "open", if: !draft.isEmpty(pace) || pace.contains(wrong))><summary>\(t("letter.pace"))</summary><div class="stack">
                <p class="soft small">\(t("letter.pace.text"))</p>
                \(field("perMinute"))
                <div class="form-grid">\(field("opens"))\(field("closes"))</div>
                \(choices("form"))</div></details>
                <div class="no-script"><button class="button" name="then" value="letter">\(t("letter.save"))</button></div>
                """))
    }

    /// Places for each person's own words: pressed, they stand in the message where one was writing.
    private static func tokenButtons(_ frame: Frame, _ model: LetterPage) -> HTML {
        let t = frame.texts
        let buttons = model.tokens.map { token -> HTML in
            """
            <li><button class="column-chip" type="button" data-token="{{\(token.name)}}" title="{{\(token.name)}}">\
            <span>\(token.name)</span><small dir="auto">\(token.example.isEmpty ? "–" : token.example)</small></button></li>
            """
        }
        let words = model.tokens.map { "<code>{{\($0.name)}}</code>" as HTML }
        return """
            <div class="tray script-only"><p class="field-label" id="tokens-label">\(t("letter.tokens"))</p>\
            <p class="field-hint">\(t("letter.tokens.hint"))</p>
            <ul class="token-tray" tabindex="0" aria-labelledby="tokens-label">\(buttons)</ul></div>
            <p class="no-script small">\(t("letter.tokens")): \(words.joined(separator: " "))</p>
            """
    }

    private static func letterFiles(_ frame: Frame, _ model: LetterPage, _ path: String) -> HTML {
        let t = frame.texts
        let files = model.draft.files.enumerated().map { index, file -> HTML in
            """
            <div class="item">\(Part.sheet(file.mediaType, name: file.name))<span class="item-text">\
            <span class="item-title" dir="auto">\(file.name)</span><span class="item-note">\(Part.size(file.byteCount))</span></span>\
            \(Form.button(
                frame, "DELETE", "\(path)/letter/files/\(index + 1)", t("form.remove"), css: "button button-s",
                name: t("letter.files.remove", ["name": .text(file.name)])))</div>
            """
        }
        return """
            <details class="more"\(attribute: "open", if: !files.isEmpty)><summary>\(t("letter.files"))</summary><div class="stack">
            <p class="soft small">\(t("letter.files.text"))</p>
            \(files.isEmpty ? HTML.empty : "<section class=\"card card-flush\" aria-label=\"\(t("letter.files"))\">\(Part.list(files))</section>")
            \(Part.fileZone(
                frame, action: path + "/letter/files", label: t("letter.files.drop"), hint: t("letter.files.hint"),
                many: false, id: "letter-files"))</div></details>
            """
    }

    private static func letterPreview(_ frame: Frame, _ model: LetterPage, _ path: String) -> HTML {
        let t = frame.texts
        guard let preview = model.preview else {
            return Part.empty(
                frame, icon: .mail, title: t("letter.noPreview"),
                "<p>\(model.previewError ?? t("letter.noPreview.text"))</p>")
        }
        func step(_ packet: String?, _ icon: Icon, _ label: String, _ rel: String) -> HTML {
            guard let packet else {
                return
                    "<span class=\"button button-icon\" aria-disabled=\"true\" aria-hidden=\"true\">\(frame.icon(icon))</span>"
            }
            return """
                <a class="button button-icon" rel="\(rel)" href="\(url: "\(path)/letter?packet=\(packet)")" data-soft data-step="\(packet)" id="step-\(rel)" \
                aria-label="\(label)">\(frame.icon(icon))</a>
                """
        }
        var heads = [(t("letter.from"), preview.from)]
        heads.append((t("letter.to"), preview.to.isEmpty ? "–" : preview.to.joined(separator: ", ")))
        if !preview.copies.isEmpty {
            heads.append((t("letter.copies"), preview.copies.joined(separator: ", ")))
        }
        if !preview.blindCopies.isEmpty {
            heads.append((t("letter.blindCopies"), preview.blindCopies.joined(separator: ", ")))
        }
        if let replyTo = preview.replyTo { heads.append((t("letter.replyTo"), replyTo)) }
        var notes: [HTML] = preview.problems.map { problem in
            Part.note(frame, problem.mood, "<p>\(problem.sentence)</p>")
        }
        if !preview.unknown.isEmpty {
            notes.append(
                Part.note(
                    frame, .warn,
                    "<p>\(t("letter.unknown", ["names": .text(braced(preview.unknown))]))</p>"))
        }
        if !preview.empty.isEmpty {
            notes.append(
                Part.note(
                    frame, .warn,
                    "<p>\(t("letter.empty", ["names": .text(braced(preview.empty)), "name": .text(preview.name)]))</p>"
                ))
        }
        return """
            <div class="row-picker">\(step(preview.previous, .previous, t("letter.previous"), "prev"))
            <p role="status"><strong dir="auto">\(preview.name)</strong><br><span class="soft small">\(t("letter.place", ["number": .number(preview.number), "count": .number(preview.count)]))</span></p>
            \(step(preview.next, .next, t("letter.nextPerson"), "next"))</div>
            \(preview.count > 5 || model.wanted != nil ? finder(frame, model, path) : HTML.empty)
            \(notes)
            \(mail(
                frame, heads: heads.map { (name: $0.0, value: $0.1) }, subject: preview.subject, text: preview.text,
                html: preview.html, enclosures: preview.files, worn: frame.worn()))
            <p class="soft small">\(t.html("letter.size", markup: ["size": Part.size(preview.byteCount)]))</p>
            """
    }

    /// The two hundredth of three hundred is nobody's to be leafed to.
    private static func finder(_ frame: Frame, _ model: LetterPage, _ path: String) -> HTML {
        let t = frame.texts
        let nobody: HTML? = model.wanted.flatMap { wanted in
            model.isWantedFound
                ? nil
                : "<p class=\"soft small\" role=\"status\">\(t("letter.find.nobody", ["name": .text(wanted)]))</p>"
        }
        return """
            <form class="with-button with-label" method="get" action="\(url: path + "/letter")">\
            \(Form.field(frame, .init(name: "person", label: t("letter.find"), value: model.wanted ?? "", type: "search", autocomplete: "off")))\
            <button class="button">\(frame.icon(.search))\(t("letter.find.do"))</button></form>\(nobody)
            """
    }

    private static func braced(_ names: [String]) -> String {
        names.map { $0.hasPrefix("{{") ? $0 : "{{\($0)}}" }.joined(separator: ", ")
    }
}
