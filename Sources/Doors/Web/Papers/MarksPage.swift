import Bytes
import Marking
import Markup
import Work

/// A paper to be written on: its pages with what one puts there, and what lies on them already.
struct MarksPage: Sendable {
    var line: DocumentLine
    var version: Int
    var sheets: [ReadPage.Sheet]
    var marks: [FoundMark]
    var links: [FoundMark] = []
    /// Whose signatures would not hold any more.
    var broken = MarkedPaper.Broken()
    /// Its fields can be filled in, which is another page.
    var isFillable = false

    static let mostSheets = 200
    static let mostMarks = 1_000

    /// What is chosen before one touches the page, in rows.
    static let tools: [[(name: String, icon: Icon)]] = [
        [("move", .pointer)],
        [("highlight", .marker), ("underline", .underline), ("squiggle", .squiggle), ("strike", .strike)],
        [("text", .letters), ("date", .calendar), ("tick", .check), ("cross", .close), ("stamp", .stamp)],
        [("ink", .pen), ("line", .line), ("arrow", .arrow), ("box", .square), ("ellipse", .circle)],
        [("note", .note), ("picture", .picture), ("link", .link), ("signature", .signature)],
    ]
    static let colours = ["#111827", "#c62828", "#1f3d9a", "#1b7f4b", "#ffe066", "#f2b82e"]
}

extension FoundMark {
    /// Its kind as pages call it.
    fileprivate var word: String { Mark.Kind(rawValue: kind)?.rawValue ?? "other" }
}

extension Pages {
    static func marks(_ frame: Frame, _ model: MarksPage) -> HTML {
        let t = frame.texts
        let title = t(frame.canEdit ? "marks.title" : "marks.list")
        let crumbs = [
            (name: t("documents.title"), address: "/documents"),
            (name: model.line.name, address: "/documents/\(model.line.id)"),
        ]
        let download = Part.link(
            frame, "/documents/\(model.line.id)/file?download=1", t("document.download"), icon: .download)
        var notes: [HTML] = []
        if frame.canEdit, let name = model.broken.byNotes {
            notes.append(
                Part.note(frame, .warn, "<p>\(t("marks.breaks", ["name": .text(name)]))</p>"))
        } else if frame.canEdit, let name = model.broken.byDrawing {
            notes.append(
                Part.note(frame, .plain, "<p>\(t("marks.breaksAsPage", ["name": .text(name)]))</p>"))
        }
        return Shell.page(
            frame, title: title,
            """
            \(Part.header(frame, title, lede: frame.canEdit ? t("marks.lede") : nil, crumbs: crumbs,
                actions: "\(fillIn(frame, model.line, model.isFillable))\(download)"))
            \(notes.joined())
            <mark-desk class="mark-desk" data-save="/documents/\(model.line.id)/marks" data-version="\(model.version)"\
            \(attribute: "data-breaks", model.broken.byNotes)\(attribute: "data-breaks-page", model.broken.byDrawing)\
            data-pages="\(model.sheets.count)" data-saved="\(t("notice.written"))" data-kinds="\(kinds(frame).text)"\(attribute: "data-private", if: frame.isPrivate)>
            \(frame.canEdit ? toolbar(frame, hasMany: model.sheets.count > 1) : .empty)
            <div class="mark-columns"><div class="redact-sheets" data-sheets>\(sheets(frame, model))</div>
            <aside class="mark-list stack" aria-label="\(t("marks.list"))">\(list(frame, model))\(links(frame, model))</aside></div>
            </mark-desk>
            """)
    }

    /// What each kind is called, for the scripts of the page.
    private static func kinds(_ frame: Frame) -> JSON {
        .object(
            JSONObject(
                Mark.Kind.allCases.map { ($0.rawValue, .string(frame.texts("marks.kind.\($0.rawValue)"))) }))
    }

    private static func toolbar(_ frame: Frame, hasMany: Bool) -> HTML {
        let t = frame.texts
        let tools = MarksPage.tools.map { group -> HTML in
            let buttons = group.map { tool -> HTML in
                """
                <button class="button button-icon" type="button" data-tool="\(tool.name)" aria-pressed="\(tool.name == "move" ? "true" : "false")" \
                aria-label="\(t("marks.tool.\(tool.name)"))" title="\(t("marks.tool.\(tool.name)"))">\(frame.icon(tool.icon))</button>
                """
            }
            return "<span class=\"mark-group\">\(buttons)</span>"
        }
        let colours = MarksPage.colours.enumerated().map { place, colour -> HTML in
            """
            <label class="mark-colour"><input type="radio" name="mark-colour" value="\(colour)" data-colour="\(place)">\
            <span class="unseen">\(t("marks.colour.\(place)"))</span></label>
            """
        }
        func act(_ name: String, _ icon: Icon) -> HTML {
            """
            <button class="button button-icon" type="button" data-act="\(name)" disabled \
            aria-label="\(t("marks.\(name)"))" title="\(t("marks.\(name)"))">\(frame.icon(icon))</button>
            """
        }
        return """
            <div class="mark-bar script-only">
            <div class="mark-tools" role="toolbar" aria-label="\(t("marks.tools"))">\(tools)</div>
            <div class="mark-wishes"><fieldset class="mark-colours"><legend class="unseen">\(t("marks.colour"))</legend>\(colours)</fieldset>
            <div class="mark-sizes"><label class="mark-size"><span>\(t("marks.size"))</span><input type="range" min="0" max="6" value="2" data-size></label>
            <label class="mark-size"><span>\(t("marks.opacity"))</span><input type="range" min="20" max="100" step="10" value="100" data-opacity></label></div>
            <span class="mark-group">\(act("undo", .undo))\(act("redo", .redo))\(act("remove", .trash))\(hasMany ? act("spread", .copy) : .empty)</span>
            <span class="push"></span>
            <label class="choice"><input type="checkbox" data-part><span>\(t("marks.partOfPage"))</span></label>
            <button class="button button-main" type="button" data-act="save" disabled>\(frame.icon(.check))<span>\(t("marks.save"))</span></button></div>
            <p class="soft small" role="status" data-said>\(t("marks.hint.move"))</p>
            <input type="file" accept="image/png,image/jpeg,image/webp" hidden data-picture>
            </div>
            """
    }

    private static func sheets(_ frame: Frame, _ model: MarksPage) -> HTML {
        let t = frame.texts
        let links = Dictionary(grouping: model.links.prefix(MarksPage.mostMarks), by: \.page)
        let shown = model.sheets.prefix(MarksPage.mostSheets).map { sheet -> HTML in
            drawnSheet(
                frame, model.line, sheet,
                attributes: " data-words=\"/documents/\(model.line.id)/pages/\(sheet.number)/words\"",
                css: "redact-paper mark-paper", boxes: (links[sheet.number - 1] ?? []).map(box).joined(),
                button: frame.canEdit
                    ? "<button class=\"button button-s script-only\" type=\"button\" data-put hidden>\(frame.icon(.plus))\(t("marks.put"))</button>"
                    : .empty)
        }
        let more: HTML =
            model.sheets.count > MarksPage.mostSheets
            ? "<p class=\"soft\">\(t("marks.sheets.more", ["count": .number(MarksPage.mostSheets)]))</p>"
            : .empty
        return "\(shown)\(more)"
    }

    /// Where a link lies; in the list one reads where it leads.
    private static func box(_ link: FoundMark) -> HTML {
        """
        <rect class="mark-lead" data-lead="\(link.id)" x="\(Int(link.area.x.rounded(.down)))" \
        y="\(Int(link.area.y.rounded(.down)))" width="\(Int(link.area.width.rounded(.up)))" \
        height="\(Int(link.area.height.rounded(.up)))"></rect>
        """
    }

    private static func list(_ frame: Frame, _ model: MarksPage) -> HTML {
        let t = frame.texts
        let path = "/documents/\(model.line.id)/marks"
        let items = model.marks.prefix(MarksPage.mostMarks).map { mark -> HTML in
            let kind = t("marks.kind.\(mark.word)")
            let who = [mark.author.isEmpty ? nil : mark.author].compactMap(\.self).joined()
            let time: HTML = mark.time.map { " · \(Part.time(Moment(milliseconds: $0 * 1000)))" } ?? .empty
            let replies = mark.replies.map { reply -> HTML in
                """
                <p class="mark-reply" dir="auto"><strong>\(reply.author)</strong> \(reply.text)</p>
                """
            }
            func one(_ action: String, _ label: String, _ icon: Icon) -> HTML {
                Form.form(
                    frame, "POST", path,
                    """
                    <input type="hidden" name="note" value="\(mark.id)"><button class="button button-s" name="action" value="\(action)">\(frame.icon(icon))\(label)</button>
                    """)
            }
            let answering: HTML =
                frame.canEdit
                ? """
                <details class="more"><summary>\(t("marks.more"))</summary><div class="stack">
                \(Form.form(frame, "POST", path, """
                    <input type="hidden" name="note" value="\(mark.id)">
                    <label class="field"><span class="field-label">\(t("marks.reply"))</span><textarea name="text" rows="2" required maxlength="2000"></textarea></label>
                    <div><button class="button button-s" name="action" value="reply">\(frame.icon(.reply))\(t("marks.reply"))</button></div>
                    """))
                <div class="row">\(mark.isDone ? one("reopen", t("marks.reopen"), .again) : one("done", t("marks.done"), .check))\
                \(one("remove", t("marks.remove"), .trash))</div></div></details>
                """ : .empty
            let done: HTML = mark.isDone ? Part.chip(frame, t("marks.isDone"), icon: .check) : .empty
            let text: HTML = mark.text.isEmpty ? .empty : "<p class=\"wrapped\" dir=\"auto\">\(mark.text)</p>"
            return """
                <li class="mark-item" id="note-\(mark.id)" data-kind="\(mark.word)" data-author="\(mark.author)" data-state="\(mark.isDone ? "done" : "open")"><p class="item-note"><a href="#sheet-\(mark.page + 1)">\(kind), \(t("redact.page", ["number": .number(mark.page + 1)]))</a> · \(who)\(time) \(done)</p>\
                \(text)\(replies)\(answering)</li>
                """
        }
        let body: HTML =
            items.isEmpty
            ? "<p class=\"soft\">\(t("marks.none"))</p>"
            : "\(sieve(frame, model.marks))<ul class=\"mark-items\">\(items)</ul>"
        let adding: HTML =
            frame.canEdit
            ? """
            <details class="more"><summary>\(t("marks.add"))</summary>\(Form.form(frame, "POST", path, """
                <div class="stack">\(Form.field(
                    frame,
                    .init(name: "page", label: t("marks.page"), value: "1", autocomplete: "off", inputMode: "numeric", id: "note-page")))
                <label class="field"><span class="field-label">\(t("marks.words"))</span><textarea name="text" rows="2" required maxlength="2000"></textarea></label>
                <div><button class="button" name="action" value="add">\(frame.icon(.plus))\(t("marks.add"))</button></div></div>
                """))</details>
            """ : .empty
        let exchange: HTML = """
            <details class="more"><summary>\(t("marks.exchange"))</summary><div class="stack">
            \(model.marks.isEmpty ? .empty : Part.link(frame, path + ".xfdf", t("marks.export"), icon: .download))
            \(frame.canEdit ? """
                <form method="post" action="\(url: path + ".xfdf")" enctype="multipart/form-data" class="stack">\(Form.csrf(frame))
                <label class="field"><span class="field-label">\(t("marks.import"))</span><input type="file" name="file" accept=".xfdf,application/vnd.adobe.xfdf" required></label>
                <div><button class="button">\(frame.icon(.upload))\(t("marks.import.do"))</button></div></form>
                """ as HTML : .empty)</div></details>
            """
        return Part.card(
            t("marks.list.count", ["count": .number(model.marks.count)]), id: "notes",
            "\(body)\(adding)\(exchange)")
    }

    /// The places that lead somewhere, each with its target to be changed.
    private static func links(_ frame: Frame, _ model: MarksPage) -> HTML {
        guard !model.links.isEmpty else { return .empty }
        let t = frame.texts
        let path = "/documents/\(model.line.id)/marks"
        let ask = model.broken.byDrawing.map { t("client.mark.breaks.ask", ["name": .text($0)]) }
        let items = model.links.prefix(MarksPage.mostMarks).enumerated().map { place, link -> HTML in
            let target =
                link.text.isEmpty
                ? t("marks.link.other")
                : link.text.hasPrefix("#")
                    ? t("marks.link.page", ["number": .text(String(link.text.dropFirst()))]) : link.text
            let changing: HTML =
                frame.canEdit
                ? """
                <details class="more"><summary>\(t("marks.link.change"))</summary><div class="stack">
                \(Form.form(frame, "POST", path, """
                    <input type="hidden" name="note" value="\(link.id)">\(breaking(ask))
                    \(Form.field(
                        frame,
                        .init(
                            name: "text", label: t("marks.link.target"), value: link.text, hint: t("marks.link.target.hint"),
                            autocomplete: "off", isRequired: true, maximumLength: 2000, id: "link-\(place)")))
                    <div><button class="button button-s" name="action" value="reword">\(frame.icon(.check))\(t("form.save"))</button></div>
                    """))
                \(Form.form(frame, "POST", path, """
                    <input type="hidden" name="note" value="\(link.id)">\(breaking(ask))<div><button class="button button-s" name="action" value="remove">\(frame.icon(.trash))\(t("marks.link.remove"))</button></div>
                    """))</div></details>
                """ : .empty
            return """
                <li class="mark-item" id="link-of-\(link.id)"><p class="item-note"><a href="#sheet-\(link.page + 1)">\(t("redact.page", ["number": .number(link.page + 1)]))</a></p>
                <p class="wrapped" dir="auto">\(target)</p>\(changing)</li>
                """
        }
        return Part.card(
            t("marks.links.count", ["count": .number(model.links.count)]), id: "links",
            "<ul class=\"mark-items\">\(items)</ul>")
    }

    /// Said on purpose, also where there are no scripts to ask.
    private static func breaking(_ ask: String?) -> HTML {
        ask.map { Form.check(name: "breakSignatures", label: $0, isOn: false) } ?? .empty
    }

    /// Chooses among notes by kind, by who wrote them and by whether they are settled; each only where there is a choice.
    private static func sieve(_ frame: Frame, _ marks: [FoundMark]) -> HTML {
        let t = frame.texts
        func choice(_ name: String, _ all: String, _ options: [(value: String, label: String)]) -> HTML {
            guard options.count > 1 else { return .empty }
            return """
                <select data-sift="\(name)" aria-label="\(all)"><option value="">\(all)</option>\
                \(options.map { "<option value=\"\($0.value)\">\($0.label)</option>" as HTML })</select>
                """
        }
        let kinds = Set(marks.map(\.word)).sorted()
        let authors = Set(marks.map(\.author)).subtracting([""]).sorted()
        let states = Set(marks.map { $0.isDone ? "done" : "open" }).sorted().reversed()
        let choices = [
            choice("kind", t("marks.sift.kind"), kinds.map { ($0, t("marks.kind.\($0)")) }),
            choice("author", t("marks.sift.author"), authors.map { ($0, $0) }),
            choice("state", t("marks.sift.state"), states.map { ($0, t("marks.sift.\($0)")) }),
        ]
        return """
            <div class="row script-only mark-sieve">\(choices)</div>
            <p class="soft" hidden data-sifted role="status">\(t("marks.sift.none"))</p>
            """
    }
}
