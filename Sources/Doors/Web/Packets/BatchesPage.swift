import Markup

/// All packets, begun and finished.
struct BatchesPage: Sendable {
    var lines: [BatchLine]
    var filter = ""
    var page = 1
    var pageCount = 1
    var totalCount: Int
    var showsTrash = false
    var trashCount = 0
    /// The example is among them.
    var hasExample = false
}

extension Pages {
    static func batches(_ frame: Frame, _ model: BatchesPage) -> HTML {
        let t = frame.texts
        let make: HTML =
            frame.canEdit && !model.showsTrash
            ? Part.link(frame, "/batches/new", t("packets.new"), icon: .plus, css: "button button-main")
            : .empty
        let bundles: HTML =
            model.showsTrash
            ? .empty
            : Part.link(frame, "/bundles", t("bundles.title"), icon: .archive, css: "button button-quiet")
        let empty =
            model.showsTrash
            ? Part.empty(
                frame, icon: .trash, title: t("documents.trash.empty"),
                "<p>\(t("documents.trash.empty.text"))</p>")
            : Part.empty(
                frame, icon: .packets, title: t("packets.empty"),
                "<ol><li>\(t("packets.empty.1"))</li><li>\(t("packets.empty.2"))</li><li>\(t("packets.empty.3"))</li></ol>",
                actions: frame.canEdit ? "\(make)\(tryExample(frame))" : .empty)
        return Shell.page(
            frame, title: t("packets.title"),
            """
            \(Part.header(frame, t("packets.title"), lede: t("packets.lede"), actions: "\(bundles)\(make)"))
            \(packetTabs(frame, model.showsTrash ? .packetTrash : .packets, trash: model.trashCount))
            \(model.hasExample && !model.showsTrash ? exampleNote(frame) : .empty)\
            \(model.totalCount == 0 && model.filter.isEmpty ? empty : batchList(frame, model))
            """)
    }

    private static func batchList(_ frame: Frame, _ model: BatchesPage) -> HTML {
        let t = frame.texts
        let nothing = Part.empty(
            frame, icon: .search, title: t("documents.none", ["filter": .text(model.filter)]),
            "<p>\(t("documents.none.text"))</p>",
            actions: Part.link(frame, "/batches", t("documents.clear")))
        return """
            <soft-page>\(Part.search(
                frame, "/batches", model.filter, label: t("documents.filter"), hidden: model.showsTrash ? [("trash", "1")] : []))
            <div class="stack" data-swap="results">\(model.lines.isEmpty
                ? nothing
                : "<section class=\"card card-flush\" aria-label=\"\(t("packets.title"))\">\(Part.list(model.lines.map { batchItem(frame, $0) }))</section>")
            \(Part.pager(frame, page: model.page, pageCount: model.pageCount, soft: true) { "/batches?q=\(queryEncoded(model.filter))&page=\($0)\(model.showsTrash ? "&trash=1" : "")" })
            </div></soft-page>
            """
    }

    private static func batchMood(_ line: BatchLine) -> (Part.Mood, Icon) {
        switch line.state {
        case .draft: (.plain, .edit)
        case .planned, .approved: (.plain, .check)
        case .running: (.good, .again)
        case .paused: (.warn, .clock)
        case .done where line.problemCount > 0: (.warn, .check)
        case .done: (line.sentCount > 0 && line.sentCount < line.sentOf ? .plain : .good, .check)
        case .failed: (.bad, .warning)
        case .cancelled: (.plain, .stop)
        case .elsewhere: (.plain, .device)
        }
    }

    static func batchItem(_ frame: Frame, _ line: BatchLine) -> HTML {
        let t = frame.texts
        let chip = batchChip(frame, line)
        let name = ["name": Catalog.Argument.text(line.name)]
        if line.trashedAt != nil {
            let restore: HTML =
                frame.canEdit
                ? Form.button(
                    frame, "POST", "/batches/\(line.id)/restoration", t("documents.restore"), icon: .restore,
                    css: "button button-s", name: t("templates.restore.name", name)) : .empty
            return """
                <div class="item">\(Part.thumbnail(line.picture))<span class="item-text">\
                <span class="item-title" dir="auto">\(line.name)</span>\
                <span class="item-note">\(line.trashedAt.map { Part.time($0) })</span></span>\
                \(chip)\(restore)</div>
                """
        }
        let throwAway: HTML =
            frame.canEdit && line.state != .running
            ? Form.form(
                frame, "DELETE", "/batches/\(line.id)", css: nil,
                """
                <button class="button button-s button-icon button-quiet" aria-label="\(t("packets.trash.name", name))">\(frame.icon(.trash))</button>
                """) : .empty
        let copy: HTML =
            frame.canEdit
            ? sendAgain(frame, line, css: "button button-s button-quiet", isNamed: true) : .empty
        return """
            <div class="item">\(Part.thumbnail(line.picture))<span class="item-text">\
            <a class="item-title item-link" href="\(url: "/batches/\(line.id)")" dir="auto">\(line.name)</a>\
            <span class="item-note">\(batchNotes(frame, line))</span></span>\
            \(chip)\(frame.canEdit ? "<div class=\"row\">\(copy)\(throwAway)</div>" : HTML.empty)</div>
            """
    }

    static func batchChip(_ frame: Frame, _ line: BatchLine) -> HTML {
        let (mood, icon) = batchMood(line)
        return Part.chip(frame, stateWords(frame, line), mood, icon: icon)
    }

    /// Which papers, for whom, and what has become of them as far as the state does not say it.
    static func batchNotes(_ frame: Frame, _ line: BatchLine) -> HTML {
        let t = frame.texts
        var notes: [HTML] = []
        if !line.papers.isEmpty {
            notes.append("<span dir=\"auto\">\(line.papers.joined(separator: " + "))</span>")
        }
        if !line.list.isEmpty {
            notes.append(
                "<span dir=\"auto\">\(line.list)</span> (\(t("people.count", ["count": .number(line.recipientCount)])))"
            )
        }
        if line.state != .done || line.problemCount > 0 {
            if line.sentCount > 0 {
                notes.append("\(sentWords(frame, line))")
            } else if line.madeCount > 0 {
                notes.append("\(t("batch.state.done", ["count": .number(line.madeCount)]))")
            }
        }
        if line.replyCount > 0 {
            notes.append("\(t("batch.replies", ["count": .number(line.replyCount)]))")
        }
        notes.append(Part.time(line.changedAt))
        return notes.joined(separator: " · ")
    }

    private static func sentWords(_ frame: Frame, _ line: BatchLine) -> String {
        frame.texts("deliveries.tally", ["sent": .number(line.sentCount), "total": .number(line.sentOf)])
    }

    static func stateWords(_ frame: Frame, _ line: BatchLine) -> String {
        let t = frame.texts
        switch line.state {
        case .draft:
            return t(
                "batch.state.draft",
                [
                    "number": .number(line.reached.number),
                    "step": .text(t("step.\(line.reached.rawValue)")),
                ])
        case .done where line.problemCount > 0:
            return t("batch.state.problems", ["count": .number(line.problemCount)])
        case .done where line.sentCount > 0: return sentWords(frame, line)
        case .done: return t("batch.state.done", ["count": .number(line.madeCount)])
        case .elsewhere: return t("batch.state.elsewhere", ["desk": .text(line.desk)])
        default: return t("batch.state.\(line.state.rawValue)")
        }
    }
}

/// Before there is a packet: which paper?
struct NewBatchPage: Sendable {
    var templates: [TemplateLine]
    var starters: [NewTemplatePage.Starter] = []
    var recent: [BatchLine] = []
    var error: String?
}

extension Pages {
    static func newBatch(_ frame: Frame, _ model: NewBatchPage) -> HTML {
        let t = frame.texts
        let own: HTML =
            model.templates.isEmpty
            ? .empty
            : Part.card(
                t("batch.new.own"),
                """
                <ul class="papers papers-s">\(model.templates.map { line -> HTML in
                    """
                    <li class="paper-card">\(Form.form(
                        frame, "POST", "/batches", css: nil,
                        """
                        <input type="hidden" name="template" value="\(line.id)"><button class="paper-button">\(Part.thumbnail(line.picture))\
                        <span class="paper-name" dir="auto">\(line.name)</span>\
                        <span class="paper-note">\(t("templates.fields", ["count": .number(line.fieldCount)]))</span></button>
                        """))</li>
                    """
                })</ul>
                """)
        let again: HTML =
            model.recent.isEmpty
            ? .empty
            : Part.card(
                t("batch.new.again"),
                """
                <p class="soft">\(t("batch.new.again.text"))</p>
                \(Part.list(model.recent.map { line -> HTML in
                    """
                    <div class="item"><span class="item-text"><span class="item-title" dir="auto">\(line.name)</span>\
                    <span class="item-note">\(t("people.count", ["count": .number(line.recipientCount)])) · \(Part.time(line.changedAt))</span></span>\
                    \(sendAgain(frame, line, css: "button button-s", isNamed: true))</div>
                    """
                }))
                """)
        return Shell.page(
            frame, title: t("packets.new"),
            """
            \(steps(frame, at: .people, of: nil))
            \(Part.header(
                frame, t("batch.new.title"), lede: t("batch.new.lede"), crumbs: [(t("packets.title"), "/batches")]))
            \(Form.failure(frame, model.error))
            <div class="columns"><div class="stack">
            \(Part.fileZone(
                frame, action: "/templates", label: t("templates.drop"), hint: t("batch.new.hint"),
                accept: "application/pdf,.pdf,\(tableKinds)", hidden: [("then", "batch")], tables: tableKinds))
            \(own)\(starters(frame, model.starters, batch: true))</div>
            <div class="stack">\(again)\(Part.card(
                t("bundles.title"),
                """
                <p class="soft">\(t("bundles.lede"))</p>\
                <div>\(Part.link(frame, "/bundles", t("batch.new.bundle"), icon: .archive))</div>
                """))</div></div>
            """)
    }
}
