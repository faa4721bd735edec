import Library
import Markup
import PDFReading
import Work

/// One document: what it is, and what can be done with it.
struct DocumentPage: Sendable {
    var line: DocumentLine
    /// SHA-256 of the content, for those who want to be sure.
    var digest: String
    var shares: [ShareLine] = []
    /// The link just made: shown once, as only its hash is kept.
    var newShareAddress: String?
    /// Where it could lie.
    var folders: [FolderLine] = []
    /// What it was, the newest first.
    var versions: [VersionLine] = []
    var words = WordState.read
    /// Why its pages cannot be shown.
    var trouble: String?
    /// The mail it came with.
    var mail: DocumentLine?
    /// What can be written on it.
    var fields: [(name: String, kind: PaperField.Kind)] = []
    /// Who signed it, as it says; no name for one that does not tell.
    var signers: [String] = []
    /// A form that can be filled in.
    var isFillable = false
    /// Forms that came back by links to it, and how it came itself.
    var replies: [ReplyLine] = []
    var asReply: ReplyLine?
    /// What keeps it from going.
    var keeping = Keeping.none
    /// What rules suggest for it.
    var suggestions: [SuggestionLine] = []
    /// What rules did to it.
    var filed: [SuggestionLine] = []
    /// What came with it, when it is a mail.
    var attachments: [DocumentLine] = []
    var nameError: String?
    var shareError: String?
    /// When the trash gives it up.
    var purgedAt: Moment?
}

extension Pages {
    static func document(_ frame: Frame, _ model: DocumentPage) -> HTML {
        let t = frame.texts
        let line = model.line
        let isTrashed = line.trashedAt != nil
        let file = "/documents/\(line.id)/file"
        var crumbs = [(name: t("documents.title"), address: "/documents")]
        if let folder = model.folders.first(where: { $0.id == line.folder }) {
            crumbs.append((name: folder.path, address: "/documents?folder=\(folder.id)"))
        }
        let actions: HTML =
            isTrashed
            ? .empty
            : """
            \(line.isReadable ? Part.link(frame, "/documents/\(line.id)/read", t("read.open"), icon: .eye, css: "button button-main") : .empty)\
            \(fillIn(frame, line, model.isFillable))\
            \(Part.link(frame, file, t("document.open"), icon: .open, css: line.isReadable ? "button" : "button button-main"))
            \(Part.link(frame, file + "?download=1", t("document.download"), icon: .download))
            \(frame.canEdit && line.mediaType == "application/pdf" ? Form.form(
                frame, "POST", "/templates", css: nil,
                """
                <input type="hidden" name="document" value="\(line.id)">\
                <button class="button">\(frame.icon(.form))\(t("document.asForm"))</button>
                """) : .empty)
            \(frame.canEdit ? Form.form(
                frame, "POST", "/conversions", css: nil,
                """
                <input type="hidden" name="document" value="\(line.id)"><input type="hidden" name="hold" value="yes">\
                <button class="button">\(frame.icon(.again))\(t("convert.this"))</button>
                """) : .empty)
            """
        return Shell.page(
            frame, title: line.name,
            """
            \(Part.header(frame, line.name, crumbs: crumbs, actions: actions))
            \(isTrashed ? trashed(frame, model) : .empty)
            \(model.suggestions.isEmpty || isTrashed ? .empty : Part.card(
                frame.texts("rules.suggested"), suggestionForm(frame, model.suggestions, .open, namesPaper: false)))
            \(model.filed.isEmpty || isTrashed ? .empty : Part.card(
                frame.texts("rules.done"), suggestionForm(frame, model.filed, .taken, namesPaper: false)))
            <div class="columns">
            <div class="stack">
            \(preview(frame, model))
            \(inside(frame, model))
            \(versions(frame, line, model.versions, signers: model.signers))
            \(frame.canEdit && !isTrashed ? sharing(frame, model) : .empty)
            </div>
            <div class="stack">
            \(properties(frame, model))
            \(frame.canEdit && !isTrashed ? filing(frame, model) : .empty)
            \(frame.canEdit && !isTrashed ? renaming(frame, model) : .empty)
            </div>
            </div>
            """)
    }

    private static func trashed(_ frame: Frame, _ model: DocumentPage) -> HTML {
        let t = frame.texts
        let when = model.purgedAt.map { Part.time($0, style: .date) } ?? .empty
        return Part.note(
            frame, .warn,
            """
            <p>\(t.html("document.trashed", markup: ["when": when]))</p>
            \(frame.canEdit ? Form.button(frame, "POST", "/documents/\(model.line.id)/restoration", t("documents.restore"), icon: .restore) : .empty)
            """)
    }

    private static func preview(_ frame: Frame, _ model: DocumentPage) -> HTML {
        let line = model.line
        let sheet = Part.sheet(line.mediaType, name: line.name, large: true)
        // Some of them only some browsers know; where one does not, the sheet stands for it.
        let shows = line.mediaType.hasPrefix("image/") && line.mediaType != "image/svg+xml"
        let picture: HTML =
            if let trouble = model.trouble {
                "\(sheet)\(Part.note(frame, .warn, "<p>\(trouble)</p>"))"
            } else if line.hasPicture && line.trashedAt == nil {
                """
                <a href="\(url: "/documents/\(line.id)/read")" aria-label="\(frame.texts("read.open"))">\
                <img class="paper" src="\(url: "/documents/\(line.id)/pages/1?width=480")" alt="\(line.name)"\(attribute: "data-patient", if: line.isPrepared)>\
                <template>\(sheet)</template></a>
                """
            } else if shows {
                """
                <img class="paper" src="\(url: "/documents/\(line.id)/file")" alt="\(line.name)" loading="lazy">\
                <template>\(sheet)</template>
                """
            } else {
                sheet
            }
        return
            "<section class=\"card paper-well\" aria-label=\"\(frame.texts("document.preview"))\">\(picture)</section>"
    }

    private static func properties(_ frame: Frame, _ model: DocumentPage) -> HTML {
        let t = frame.texts
        let line = model.line
        let digest: HTML = "<span class=\"mono small\">\(model.digest)</span>"
        var filed: [(name: String, value: HTML)] = []
        if !line.tags.isEmpty {
            let chips = line.tags.map { tagChip(frame, $0) }
            filed.append((t("filing.tags"), "<span class=\"row\">\(chips)</span>"))
        }
        if !line.people.isEmpty {
            let chips = line.people.map { person -> HTML in
                let address = "/search?q=" + queryEncoded("person:\"\(person.name)\"")
                return
                    "<a class=\"chip chip-link\" href=\"\(url: address)\">\(frame.icon(.person))\(person.name)</a>"
            }
            filed.append((t("people.title"), "<span class=\"row\">\(chips)</span>"))
        }
        for value in line.values {
            filed.append((value.field, "<span class=\"wrapped\" dir=\"auto\">\(value.value)</span>"))
        }
        if !line.date.isEmpty { filed.append((t("filing.date"), HTML(plain: line.date))) }
        if !line.note.isEmpty {
            filed.append((t("filing.note"), "<span class=\"wrapped\" dir=\"auto\">\(line.note)</span>"))
        }
        return Part.card(
            t("document.properties"),
            Part.facts(
                filed + [
                    (t("document.kind"), "\(kindName(frame, line.mediaType))"),
                    (t("documents.size"), Part.size(line.byteCount)),
                    (t("documents.added"), Part.time(line.addedAt, style: .full)),
                    (t("documents.by"), HTML(plain: line.addedBy)),
                ]
                    + (line.arrival.map {
                        [(t("arrival.title"), HTML(plain: t("arrival.\($0.rawValue).whole")))]
                    } ?? []) + [
                        (t("words.title"), HTML(plain: words(frame, model.words)))
                    ]
                    + (model.signers.isEmpty
                        ? [] : [(t("signed.title"), HTML(plain: signerNames(frame, model.signers)))])
                    + (model.asReply.map {
                        [(t($0.signed > 0 ? "reply.byHand" : "reply.received"), replyWords(frame, $0))]
                    } ?? [])
                    + [
                        (t("document.digest"), digest)
                    ])
                    + """
                    <div class="row">\(Part.link(frame, "/documents/\(line.id)/similar", t("alike.title"), icon: .search, css: "button button-s"))\
                    \(Part.link(frame, "/documents/\(line.id)/activity", t("paper.activity"), icon: .history, css: "button button-s"))\
                    \(line.hasPages ? Part.link(frame, "/documents/\(line.id)/comparison", t("compare.title"), icon: .layers, css: "button button-s") : .empty)\
                    \(line.mediaType == "application/pdf" ? Part.link(frame, "/documents/\(line.id)/signatures", t("signatures.title"), icon: .shield, css: "button button-s") : .empty)\
                    \(frame.canEdit && line.trashedAt == nil && line.mediaType == "application/pdf" ? Part.link(
                        frame, "/documents/\(line.id)/pages", t("arrange.title"), icon: .tiles, css: "button button-s") : .empty)\
                    \(frame.canEdit && line.trashedAt == nil && line.mediaType == "application/pdf" ? Part.link(
                        frame, "/documents/\(line.id)/redaction", t("redact.title"), icon: .stop, css: "button button-s") : .empty)\
                    \(line.trashedAt == nil && line.mediaType == "application/pdf" ? Part.link(
                        frame, "/documents/\(line.id)/marks", t(frame.canEdit ? "marks.title" : "marks.list"), icon: .pen, css: "button button-s") : .empty)</div>
                    \(searchable(frame, model))
                    """)
    }

    /// For scans and photos: their words laid over the pages, to be found and copied in any program.
    private static func searchable(_ frame: Frame, _ model: DocumentPage) -> HTML {
        let t = frame.texts
        let line = model.line
        let isScan: Bool =
            switch model.words {
            case .recognised, .pictures: true
            case .unread, .read, .none: false
            }
        guard isScan, frame.canEdit, line.trashedAt == nil, line.hasPages else {
            return .empty
        }
        let languages = languageChoice(frame, id: "searchable-languages")
        let form = Form.form(
            frame, "POST", "/documents/searchable",
            """
            <input type="hidden" name="documents" value="\(line.id)"><input type="hidden" name="next" value="/documents/\(line.id)">
            <p class="soft">\(t("searchable.hint"))</p>\(languages)\(Form.check(name: "copy", label: t("searchable.copy"), isOn: false))
            <div><button class="button">\(frame.icon(.search))\(t("searchable.make"))</button></div>
            """)
        return """
            <details class="more"><summary>\(frame.icon(.search))\(t("searchable.make"))</summary>\(form)</details>\
            <details class="more"><summary>\(frame.icon(.again))\(t("recognition.again"))</summary>\
            \(Form.form(frame, "POST", "/documents/\(line.id)/recognition", """
                <p class="soft">\(t("recognition.hint"))</p>\(languageChoice(frame, id: "recognition-languages"))
                <div><button class="button">\(frame.icon(.again))\(t("recognition.again"))</button></div>
                """))</details>
            """
    }

    /// One of those that Tesseract knows here, or what it finds out.
    private static func languageChoice(_ frame: Frame, id: String) -> HTML {
        let t = frame.texts
        return Form.select(
            frame, name: "languages", id: id, label: t("searchable.languages"),
            options: [("", t("recognition.found"))]
                + Recognizer.installed.map { ($0, ScanLanguage.name($0)) },
            chosen: "")
    }

    static func signerNames(_ frame: Frame, _ signers: [String]) -> String {
        let names = signers.filter { !$0.isEmpty }
        return names.isEmpty
            ? frame.texts("signed.count", ["count": .number(signers.count)]) : names.joined(separator: ", ")
    }

    /// The papers an archive or a mail brought along, or the mail that brought this one.
    private static func inside(_ frame: Frame, _ model: DocumentPage) -> HTML {
        let t = frame.texts
        let line = model.line
        func item(_ paper: DocumentLine, _ note: HTML) -> HTML {
            """
            <a class="item" href="\(url: "/documents/\(paper.id)")">\(Part.sheet(paper.mediaType, name: paper.name))\
            <span class="item-text"><span class="item-title" dir="auto">\(paper.name)</span>\
            <span class="item-note">\(note)</span></span></a>
            """
        }
        if let mail = model.mail {
            return Part.card(t("inside.mail"), Part.list([item(mail, Part.time(mail.addedAt))]))
        }
        let holds = ["application/zip", "message/rfc822"].contains(line.mediaType)
        guard holds, line.trashedAt == nil else { return .empty }
        let isMail = line.mediaType == "message/rfc822"
        let list: HTML =
            model.attachments.isEmpty
            ? "<p class=\"soft\">\(t(isMail ? "inside.mail.text" : "inside.archive.text"))</p>"
            : Part.list(model.attachments.map { item($0, Part.size($0.byteCount)) })
        let take: HTML =
            frame.canEdit && model.attachments.isEmpty
            ? Form.button(
                frame, "POST", "/documents/\(line.id)/contents", t("inside.take"), icon: .open) : .empty
        return Part.card(t(isMail ? "inside.attachments" : "inside.archive"), "\(list)\(take)")
    }

    private static func words(_ frame: Frame, _ state: WordState) -> String {
        switch state {
        case .unread: frame.texts("words.unread")
        case .read: frame.texts("words.read")
        case .recognised(let count, let languages):
            languages.isEmpty
                ? frame.texts("words.recognised", ["count": .number(count)])
                : frame.texts(
                    "words.recognised.in",
                    [
                        "pages": .text(frame.texts("words.recognised", ["count": .number(count)])),
                        "languages": .text(languages.map(ScanLanguage.name).joined(separator: ", ")),
                    ])
        case .pictures: frame.texts("words.pictures")
        case .none: frame.texts("words.none")
        }
    }

    /// What people call it; the media type itself where we have no better word.
    static func kindName(_ frame: Frame, _ mediaType: String) -> String {
        FileKind(mediaType: mediaType).map { frame.texts("kind.\($0.rawValue)") }
            ?? String(mediaType.prefix { $0 != ";" })
    }

    private static func filing(_ frame: Frame, _ model: DocumentPage) -> HTML {
        let t = frame.texts
        let line = model.line
        let folder = Form.select(
            frame, name: "folder", label: t("filing.folder"),
            options: [("", t("filing.noFolder"))] + model.folders.map { ($0.id, $0.path) },
            chosen: line.folder ?? "")
        let tags = Form.field(
            frame,
            Form.Field(
                name: "tags", label: t("filing.tags"), value: line.tags.joined(separator: ", "),
                hint: t("filing.tags.hint"), autocomplete: "off", maximumLength: 600))
        let people = Form.field(
            frame,
            Form.Field(
                name: "people", label: t("people.title"),
                value: line.people.map(\.name).joined(separator: ", "),
                hint: t("labels.people.hint"), autocomplete: "off", maximumLength: 2_000))
        let written = Dictionary(
            line.values.map { ($0.field, $0.value) }, uniquingKeysWith: { first, _ in first })
        let values = model.fields.enumerated().map { place, field in
            Form.field(
                frame,
                Form.Field(
                    name: "field:\(field.name)", label: field.name, value: written[field.name] ?? "",
                    type: field.kind == .date ? "date" : "text", autocomplete: "off",
                    inputMode: field.kind == .number ? "decimal" : nil, maximumLength: 500,
                    id: "field-\(place)"))
        }
        let date = Form.field(
            frame, Form.Field(name: "date", label: t("filing.date"), value: line.date, type: "date"))
        let note = Form.field(
            frame,
            Form.Field(
                name: "note", label: t("filing.note"), value: line.note, maximumLength: 10_000, rows: 3))
        return Part.card(
            t("filing.label"),
            Form.form(
                frame, "PATCH", "/documents/\(line.id)",
                """
                \(folder)\(tags)\(people)\(date)\(values)\(note)
                <div><button class="button">\(frame.icon(.check))\(t("filing.save"))</button></div>
                """))
    }

    private static func renaming(_ frame: Frame, _ model: DocumentPage) -> HTML {
        let t = frame.texts
        let path = "/documents/\(model.line.id)"
        let name = Form.field(
            frame,
            Form.Field(
                name: "name", label: t("documents.name"), value: model.line.name, error: model.nameError,
                autocomplete: "off", isRequired: true, maximumLength: 200))
        return Part.card(
            t("document.manage"),
            """
            \(Form.form(frame, "PATCH", path, "\(name)<div><button class=\"button\">\(frame.icon(.edit))\(t("document.rename"))</button></div>"))
            <hr>
            \(keeping(frame, model))
            \(model.keeping.hold == nil ? Form.button(frame, "DELETE", path, t("documents.toTrash"), icon: .trash, css: "button button-danger") : .empty)
            """)
    }

    /// Whether and how long it has to stay; where nothing keeps it, it can be held.
    private static func keeping(_ frame: Frame, _ model: DocumentPage) -> HTML {
        let t = frame.texts
        let path = "/documents/\(model.line.id)/hold"
        let until = model.keeping.until.map { until -> HTML in
            "<p class=\"soft\">\(t("keeping.until", ["day": .text(until), "rule": .text(model.keeping.ruleName ?? "")]))</p>"
        }
        if let reason = model.keeping.hold {
            let text = t(
                "keeping.held", ["reason": .text(reason), "name": .text(model.keeping.heldBy ?? "")])
            let lift: HTML =
                frame.isOwner
                ? Form.button(
                    frame, "DELETE", path, t("keeping.release"), icon: .lock, css: "button button-s") : .empty
            return "\(Part.note(frame, .warn, "<p>\(text)</p>\(lift)"))\(until)"
        }
        let reason = Form.field(
            frame,
            Form.Field(
                name: "reason", label: t("keeping.reason"), hint: t("keeping.reason.hint"),
                autocomplete: "off",
                isRequired: true, maximumLength: 200))
        let form = Form.form(
            frame, "POST", path,
            "\(reason)<div><button class=\"button\">\(frame.icon(.lock))\(t("keeping.hold"))</button></div>")
        return """
            \(until)<details class="more"><summary>\(frame.icon(.lock))\(t("keeping.hold"))</summary>\(form)</details>
            """
    }

    private static func sharing(_ frame: Frame, _ model: DocumentPage) -> HTML {
        let t = frame.texts
        let fresh = model.newShareAddress.map { address -> HTML in
            Part.note(
                frame, .good,
                """
                <p><strong>\(t("shares.made"))</strong> \(t("shares.once"))</p>
                \(Part.newLink(frame, address))<div class="row">\(Part.copy(frame, address))\(Part.giveAway(frame, address, name: model.line.name))</div>
                """, role: "status")
        }
        let form = Form.form(
            frame, "POST", "/documents/\(model.line.id)/shares",
            """
            \(Form.failure(frame, model.shareError))
            \(ShareTerms.days(frame))
            \(ShareTerms.password(frame))
            \(ShareTerms.limit(frame))
            \(ShareTerms.viewOnly(frame))
            \(model.isFillable ? ShareTerms.takesReplies(frame) : .empty)
            <div><button class="button button-main">\(frame.icon(.link))\(t("shares.make"))</button></div>
            """)
        return Part.card(
            t("document.share"), id: "share",
            """
            \(fresh)
            <p class="soft">\(t("document.share.text"))</p>
            \(model.shares.isEmpty ? HTML.empty : Part.list(model.shares.map { shareItem(frame, $0, namesDocument: false) }))
            \(replies(frame, model.replies))
            <details class="more"\(attribute: "open", if: model.shareError != nil)><summary>\(frame.icon(.plus))\(t("shares.new"))</summary>\(form)</details>
            """)
    }
}
