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
    /// It is locked, and that is the trouble.
    var isLocked = false
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
    /// What was typed and cannot stand there, and why.
    var refused: (field: String, value: String, sentence: String)?
    var shareError: String?
    /// When the trash gives it up.
    var purgedAt: Moment?

    /// Whether the reader may change it.
    func canChange(_ frame: Frame) -> Bool { frame.canEdit && line.trashedAt == nil }
}

extension Pages {
    static func document(_ frame: Frame, _ model: DocumentPage) -> HTML {
        let t = frame.texts
        let line = model.line
        let isTrashed = line.trashedAt != nil
        return Shell.page(
            frame, title: line.name,
            """
            <soft-page class="paper-page">
            <div class="paper-head" data-swap="paper-head">\(title(frame, model))</div>
            \(firstPage(frame, model))
            \(isTrashed ? .empty : acts(frame, model))
            <div class="stack paper-about">
            \(isTrashed ? trashed(frame, model) : .empty)
            \(model.trouble.map { Part.note(frame, .warn, "<p>\($0)</p>\(model.isLocked && !isTrashed ? unlocking(frame, line) : .empty)") })
            \(model.suggestions.isEmpty || isTrashed ? .empty : Part.card(
                t("rules.suggested"), suggestionForm(frame, model.suggestions, .open, namesPaper: false)))
            \(model.filed.isEmpty || isTrashed ? .empty : Part.card(
                t("rules.done"), suggestionForm(frame, model.filed, .taken, namesPaper: false)))
            \(details(frame, model))
            \(inside(frame, model))
            \(model.canChange(frame) ? sharing(frame, model) : .empty)
            \(history(frame, model))
            </div></soft-page>
            """)
    }

    /// What it is called, and what one looks for first.
    private static func title(_ frame: Frame, _ model: DocumentPage) -> HTML {
        let t = frame.texts
        let line = model.line
        var crumbs = [(name: t("documents.title"), address: "/documents")]
        if let folder = model.folders.first(where: { $0.id == line.folder }) {
            crumbs.append((name: folder.path, address: "/documents?folder=\(folder.id)"))
        }
        var facts: [HTML] = ["\(kindName(frame, line.mediaType))"]
        if let count = line.pageCount {
            facts.append("\(t("read.pages", ["count": .number(count)]))")
        }
        facts.append(
            t.html(
                "document.changed", markup: ["when": Part.time(line.changedAt ?? line.addedAt, style: .date)])
        )
        if case .unread = model.words { facts.append("\(words(frame, .unread))") }
        let reply = model.asReply.map {
            Part.facts([(t($0.signed > 0 ? "reply.byHand" : "reply.received"), replyWords(frame, $0))])
        }
        let chips =
            line.tags.map { tagChip(frame, $0) }
            + line.people.map { person -> HTML in
                let address = "/search?q=" + queryEncoded("person:\"\(person.name)\"")
                return
                    "<a class=\"chip chip-link\" href=\"\(url: address)\">\(frame.icon(.person))\(person.name)</a>"
            }
        return """
            \(Part.header(frame, line.name, crumbs: crumbs))<p class="soft">\(facts.joined(separator: " · "))</p>\
            \(chips.isEmpty ? .empty : "<div class=\"row\">\(chips)</div>")\(reply)
            """
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

    private static func firstPage(_ frame: Frame, _ model: DocumentPage) -> HTML {
        let line = model.line
        let sheet = Part.sheet(line.mediaType, name: line.name, large: true)
        // Some of them only some browsers know; where one does not, the sheet stands for it.
        let shows = line.mediaType.hasPrefix("image/") && line.mediaType != "image/svg+xml"
        let picture: HTML =
            if model.trouble != nil {
                sheet
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
        return "<div class=\"paper-well\">\(picture)</div>"
    }

    /// The one thing most people want, two more beside it, and all others behind a button.
    private static func acts(_ frame: Frame, _ model: DocumentPage) -> HTML {
        let t = frame.texts
        let line = model.line
        let path = "/documents/\(line.id)"
        let isPDF = line.mediaType == "application/pdf"
        let edits = frame.canEdit
        // Where no page can be shown another program may still know the file.
        let reads = line.isReadable && model.trouble == nil
        func form(_ address: String, _ icon: Icon, _ name: String, _ fields: HTML = .empty) -> HTML {
            Part.menuButton(
                frame, "POST", address, icon, name,
                fields: "<input type=\"hidden\" name=\"document\" value=\"\(line.id)\">\(fields)")
        }
        func link(_ address: String, _ icon: Icon, _ name: String) -> HTML {
            Part.menuLink(frame, address.hasPrefix("#") ? address : path + address, icon, t(name))
        }
        var written: [HTML] = []
        if edits && model.isFillable { written.append(link("/form", .form, "byhand.title")) }
        if isPDF {
            written.append(link("/marks", .pen, edits ? "marks.title" : "marks.list"))
            written.append(link("/signatures", .shield, "signatures.title"))
        }
        if isPDF && edits { written.append(form("/templates", .packets, t("document.asForm"))) }
        var changed: [HTML] = []
        if edits {
            if isPDF {
                changed.append(link("/pages", .tiles, "arrange.title"))
                changed.append(link("/redaction", .stop, "redact.title"))
                changed.append(
                    Part.menuButton(frame, "POST", path + "/smaller", .compress, t("document.smaller")))
            }
            changed.append(
                form(
                    "/conversions", .again, t("convert.this"),
                    "<input type=\"hidden\" name=\"hold\" value=\"yes\">"))
            if isScan(model) { changed.append(link("#words", .words, "searchable.make")) }
            changed.append(link("#versions", .layers, "versions.take"))
        }
        var seen: [HTML] = []
        if reads { seen.append(link("/file", .open, "document.open")) }
        seen.append(link("/similar", .search, "alike.title"))
        if line.hasPages { seen.append(link("/comparison", .layers, "compare.title")) }
        seen.append(link("/activity", .history, "paper.activity"))
        let trash: HTML =
            edits && model.keeping.hold == nil
            ? Part.menuButton(
                frame, "DELETE", path, .trash, t("documents.toTrash"), css: "menu-item button-danger")
            : .empty
        let groups = [("write", written), ("change", changed), ("look", seen)].filter { !$0.1.isEmpty }
        let main =
            reads
            ? Part.link(frame, path + "/read", t("read.open"), icon: .eye, css: "button button-main")
            : Part.link(frame, path + "/file", t("document.open"), icon: .open, css: "button button-main")
        return """
            <div class="paper-acts">\(main)\(edits ? Part.link(frame, "#share", t("document.share"), icon: .share) : .empty)\
            \(Part.link(frame, path + "/file?download=1", t("document.download"), icon: .download))\
            <button class="button" type="button" popovertarget="paper-acts">\(frame.icon(.more))\(t("document.acts"))</button></div>
            <nav class="menu menu-here" id="paper-acts" popover aria-label="\(t("document.acts"))">\
            \(groups.map { name, items -> HTML in
                "<p class=\"menu-group\">\(t("document.acts.\(name)"))</p>\(items.joined())"
            })\(trash)</nav>
            """
    }

    /// What people wrote about it. Each field is saved by itself when one goes on from it, so that nobody puts back what
    /// somebody else changes beside them.
    private static func details(_ frame: Frame, _ model: DocumentPage) -> HTML {
        let t = frame.texts
        let line = model.line
        guard model.canChange(frame) else {
            var facts = line.values.map { (name: $0.field, value: wrapped($0.value)) }
            if !line.date.isEmpty { facts.append((t("filing.date"), Part.day(line.date))) }
            if !line.note.isEmpty { facts.append((t("filing.note"), wrapped(line.note))) }
            guard !facts.isEmpty else { return .empty }
            return Part.card(t("document.details"), Part.facts(facts))
        }
        func kept(_ control: HTML, isChosen: Bool = false) -> HTML {
            Form.form(
                frame, "PATCH", "/documents/\(line.id)", css: "kept-field", soft: true, live: isChosen,
                keeps: isChosen ? nil : .all,
                "\(control)<button class=\"button button-s no-script\">\(t("filing.save"))</button>")
        }
        func field(_ field: Form.Field) -> HTML {
            var field = field
            if let refused = model.refused, refused.field == field.name {
                (field.value, field.error) = (refused.value, refused.sentence)
            }
            return kept(Form.field(frame, field))
        }
        let written = Dictionary(
            line.values.map { ($0.field, $0.value) }, uniquingKeysWith: { first, _ in first })
        let fields = [
            field(
                .init(
                    name: "name", label: t("documents.name"), value: line.name, autocomplete: "off",
                    isRequired: true, maximumLength: 200)),
            kept(
                Form.select(
                    frame, name: "folder", label: t("filing.folder"),
                    options: [("", t("filing.noFolder"))] + model.folders.map { ($0.id, $0.path) },
                    chosen: line.folder ?? ""), isChosen: true),
            field(
                .init(
                    name: "tags", label: t("filing.tags"), value: line.tags.joined(separator: ", "),
                    hint: t("filing.tags.hint"), autocomplete: "off", maximumLength: 600)),
            field(
                .init(
                    name: "people", label: t("people.title"),
                    value: line.people.map(\.name).joined(separator: ", "), hint: t("labels.people.hint"),
                    autocomplete: "off", maximumLength: 2_000)),
            field(.init(name: "date", label: t("filing.date"), value: line.date, type: "date")),
        ]
        let own = model.fields.enumerated().map { place, one in
            field(
                .init(
                    name: "field:\(one.name)", label: one.name, value: written[one.name] ?? "",
                    type: one.kind == .date ? "date" : "text", autocomplete: "off",
                    inputMode: one.kind == .number ? "decimal" : nil, maximumLength: 500, id: "field-\(place)"
                ))
        }
        let note = field(
            .init(
                name: "note", label: t("filing.note"), value: line.note, maximumLength: 10_000, rows: 2))
        return """
            <section class="card" data-swap="details" aria-label="\(t("document.details"))">\
            <div class="two-fields">\(fields)\(own)\(note)</div>\(keeping(frame, model))</section>
            """
    }

    private static func wrapped(_ text: String) -> HTML {
        "<span class=\"wrapped\" dir=\"auto\">\(text)</span>"
    }

    /// What it was, and what is known about its file: for those who ask.
    private static func history(_ frame: Frame, _ model: DocumentPage) -> HTML {
        let t = frame.texts
        let line = model.line
        var facts: [(name: String, value: HTML)] = [
            (t("documents.added"), Part.time(line.addedAt, style: .full)),
            (t("documents.by"), HTML(plain: t.said(line.addedBy))),
        ]
        if let arrival = line.arrival {
            facts.append((t("arrival.title"), HTML(plain: t("arrival.\(arrival.rawValue).whole"))))
        }
        facts.append((t("words.title"), HTML(plain: words(frame, model.words))))
        if !model.signers.isEmpty {
            facts.append((t("signed.title"), HTML(plain: signerNames(frame, model.signers))))
        }
        facts += [
            (t("document.fileName"), "<bdi>\(line.fileName)</bdi>"),
            (t("documents.size"), Part.size(line.byteCount)),
            (t("document.digest"), "<span class=\"mono small\">\(model.digest)</span>"),
        ]
        return Part.fold(
            t("document.history"), id: "history",
            """
            \(Part.facts(facts))
            \(searchable(frame, model))
            \(versions(frame, line, model.versions, signers: model.signers))
            """)
    }

    private static func isScan(_ model: DocumentPage) -> Bool {
        switch model.words {
        case .recognised, .pictures: model.line.hasPages
        case .unread, .read, .none: false
        }
    }

    /// For scans and photos: their words laid over the pages, to be found and copied in any program.
    private static func searchable(_ frame: Frame, _ model: DocumentPage) -> HTML {
        let t = frame.texts
        let line = model.line
        guard isScan(model), model.canChange(frame) else { return .empty }
        let languages = languageChoice(frame, id: "searchable-languages")
        let form = Form.form(
            frame, "POST", "/documents/searchable",
            """
            <input type="hidden" name="documents" value="\(line.id)"><input type="hidden" name="next" value="/documents/\(line.id)">
            <p class="soft">\(t("searchable.hint"))</p>\(languages)\(Form.check(name: "copy", label: t("searchable.copy"), isOn: false))
            <div><button class="button">\(frame.icon(.search))\(t("searchable.make"))</button></div>
            """)
        return """
            <div id="words"><details class="more"><summary>\(frame.icon(.search))\(t("searchable.make"))</summary>\(form)</details>\
            <details class="more"><summary>\(frame.icon(.again))\(t("recognition.again"))</summary>\
            \(Form.form(frame, "POST", "/documents/\(line.id)/recognition", """
                <p class="soft">\(t("recognition.hint"))</p>\(languageChoice(frame, id: "recognition-languages"))
                <div><button class="button">\(frame.icon(.again))\(t("recognition.again"))</button></div>
                """))</details></div>
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
            \(until)<details class="more" id="hold"><summary>\(frame.icon(.lock))\(t("keeping.hold"))</summary>\(form)</details>
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
            \(model.isFillable ? "\(ShareTerms.takesReplies(frame))\(ShareTerms.note(frame, hint: "shares.note.hint"))" : .empty)
            <div><button class="button button-main">\(frame.icon(.link))\(t("shares.make"))</button></div>
            """)
        let given =
            model.shares.isEmpty
            ? .empty : Part.list(model.shares.map { shareItem(frame, $0, namesDocument: false) })
        let isUnused = model.shares.isEmpty && model.replies.isEmpty
        return Part.fold(
            t("document.share"), id: "share", isOpen: !isUnused || model.shareError != nil,
            isUnused
                ? "<p class=\"soft\">\(t("document.share.text"))</p>\(form)"
                : """
                \(fresh)\(given)\(replies(frame, model.replies))
                <details class="more"\(attribute: "open", if: model.shareError != nil)><summary>\(frame.icon(.plus))\(t("shares.new"))</summary>\(form)</details>
                """)
    }
}
