import Markup

/// Step seven begins here: what the message says, and how it looks to each person.
struct LetterPage: Sendable {
    struct Token: Sendable {
        var name: String
        var example: String
        var isColumn = true
    }

    struct Draft: Sendable {
        var subject: String
        var body: String
        var isPlain = false
        var to = ""
        var copies = ""
        var blindCopies = ""
        var replyTo = ""
        var sender = ""
        /// `packet`, `link` or `nothing`.
        var attaches = "packet"
        var linkDays = ""
        var linkPassword = ""
        var linkOpenings = ""
        var perMinute = ""
        /// `08:00`
        var opens = ""
        var closes = ""
        var version = 0
        var files: [EnclosureLine] = []
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
            return sendStep(
                frame, model.batch, .letter,
                "\(posted)<div class=\"stack\" data-swap=\"preview\">\(letterPreview(frame, model, path))</div>"
            )
        }
        return sendStep(
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
        let known = [
            "subject", "body", "to", "cc", "bcc", "replyTo", "from", "linkDays", "linkPassword",
            "linkOpenings", "perMinute",
            "opens", "closes",
        ]
        func field(
            _ name: String, _ label: String, _ value: String, type: String = "text", hint: String? = nil,
            inputMode: String? = nil, optional: Bool = true
        ) -> HTML {
            Form.field(
                frame,
                .init(
                    name: name, label: label, value: value, type: type, hint: hint, error: problem(name),
                    autocomplete: "off", inputMode: inputMode,
                    optionalNote: optional ? t("form.optional") : nil))
        }
        let isDetailed =
            ![draft.to, draft.copies, draft.blindCopies, draft.replyTo, draft.sender].allSatisfy(\.isEmpty)
            || ["to", "cc", "bcc", "replyTo", "from"].contains(model.errorField ?? "")
        let isPaced =
            ![draft.perMinute, draft.opens, draft.closes].allSatisfy(\.isEmpty)
            || ["perMinute", "opens", "closes"].contains(model.errorField ?? "")
        return Part.card(
            t("letter.title"),
            Form.form(
                frame, "PATCH", path + "/letter", id: "letter",
                """
                \(Form.failure(frame, model.errorField.map { known.contains($0) } == true ? nil : model.error))
                <input type="hidden" name="version" value="\(draft.version)">\
                <input type="hidden" name="packet" value="\(model.preview?.packet ?? "")">
                \(field("subject", t("letter.subject"), draft.subject, optional: false))
                \(Form.field(
                    frame,
                    .init(
                        name: "body", label: t("letter.body"), value: draft.body,
                        hint: t(draft.isPlain ? "letter.body.plain" : "letter.body.hint"), error: problem("body"),
                        autocomplete: "off", rows: 10)))
                \(tokenButtons(frame, model))
                \(Form.choices(
                    name: "attaches", label: t("letter.attaches"),
                    options: ["packet", "link", "nothing"].map { ($0, "\(t("letter.attaches.\($0)"))") },
                    chosen: draft.attaches))
                \(draft.attaches == "link"
                    ? "\(field("linkDays", t("letter.linkDays"), draft.linkDays, hint: t("letter.linkDays.hint"), inputMode: "numeric"))\(field("linkPassword", t("letter.linkPassword"), draft.linkPassword, hint: t("letter.linkPassword.hint")))\(field("linkOpenings", t("letter.linkOpenings"), draft.linkOpenings, hint: t("letter.linkOpenings.hint"), inputMode: "numeric"))"
                    : "<input type=\"hidden\" name=\"linkDays\" value=\"\(draft.linkDays)\"><input type=\"hidden\" name=\"linkPassword\" value=\"\(draft.linkPassword)\"><input type=\"hidden\" name=\"linkOpenings\" value=\"\(draft.linkOpenings)\">")
                <details class="more"\(attribute: "open", if: isDetailed)><summary>\(t("letter.addresses"))</summary><div class="stack">
                <p class="soft small">\(t("letter.addresses.text"))</p>
                \(field("to", t("letter.to"), draft.to, hint: t("letter.to.hint")))
                \(field("cc", t("letter.copies"), draft.copies))
                \(field("bcc", t("letter.blindCopies"), draft.blindCopies))
                \(field("replyTo", t("letter.replyTo"), draft.replyTo))
                \(field("from", t("letter.sender"), draft.sender, hint: t("letter.sender.hint")))</div></details>
                <details class="more"\(attribute: "open", if: isPaced)><summary>\(t("letter.pace"))</summary><div class="stack">
                <p class="soft small">\(t("letter.pace.text"))</p>
                \(field("perMinute", t("letter.perMinute"), draft.perMinute, hint: t("letter.perMinute.hint"), inputMode: "numeric"))
                <div class="form-grid">\(field("opens", t("letter.opens"), draft.opens, type: "time"))\
                \(field("closes", t("letter.closes"), draft.closes, type: "time"))</div>
                \(Form.choices(
                    name: "form", label: t("letter.form"),
                    options: ["markdown", "plain"].map { ($0, "\(t("letter.form.\($0)"))") },
                    chosen: draft.isPlain ? "plain" : "markdown"))</div></details>
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
                html: preview.html, enclosures: preview.files))
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
