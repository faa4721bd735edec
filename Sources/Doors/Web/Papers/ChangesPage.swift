import Library
import Markup
import Work

/// A version of a paper as lists show it.
struct VersionLine: Sendable {
    var number: Int
    var mediaType: String
    var byteCount: Int64
    var madeAt: Moment
    var madeBy: String
    var note = ""
}

/// What changed between two versions of a paper: its pages side by side, and its words.
struct ChangesPage: Sendable {
    var line: DocumentLine
    /// The newest first.
    var versions: [VersionLine]
    var from: Int
    var to: Int
    /// None for what cannot be leafed through.
    var pagesBefore: Int
    var pagesAfter: Int
    var text: TextChanges

    /// More are looked at in the reader.
    static let mostPages = 30
}

extension Pages {
    static func changes(_ frame: Frame, _ model: ChangesPage) -> HTML {
        let t = frame.texts
        let path = "/documents/\(model.line.id)"
        let options = model.versions.map { version in
            (String(version.number), t("versions.number", ["number": .number(version.number)]))
        }
        let choice: HTML = """
            <form class="row choose-two" method="get" action="\(url: path + "/changes")">
            \(Form.select(frame, name: "from", label: t("versions.from"), options: options, chosen: String(model.from)))
            \(Form.select(frame, name: "to", label: t("versions.to"), options: options, chosen: String(model.to)))
            <button class="button">\(t("versions.compare"))</button></form>
            """
        return Shell.page(
            frame, title: t("versions.changes"),
            """
            \(Part.header(
                frame, t("versions.changes"), lede: model.line.name,
                crumbs: [(t("documents.title"), "/documents"), (model.line.name, path)]))
            \(choice)
            \(model.pagesBefore > 0 && model.pagesAfter > 0 ? Part.link(
                frame, path + "/comparison?from=\(model.from)&to=\(model.to)", t("compare.byPage"), icon: .layers) : .empty)
            \(words(frame, model))
            \(pages(frame, model))
            """)
    }

    private static func words(_ frame: Frame, _ model: ChangesPage) -> HTML {
        let t = frame.texts
        guard !model.text.lines.isEmpty else {
            return Part.note(frame, .plain, "<p>\(t("versions.noWords"))</p>")
        }
        guard !model.text.isEmpty else {
            return Part.note(frame, .plain, "<p>\(t("versions.sameWords"))</p>")
        }
        return Part.card(
            t("versions.words"),
            """
            <p class="soft">\(t("versions.gone", ["count": .number(model.text.count(.gone))])) · \
            \(t("versions.new", ["count": .number(model.text.count(.new))]))</p>
            <div class="changes" dir="auto">\(runs(model.text.lines).map { run(frame, $0) })</div>
            """)
    }

    /// Lines of one kind in a row.
    private static func runs(_ lines: [TextChanges.Line]) -> [[TextChanges.Line]] {
        var runs: [[TextChanges.Line]] = []
        for line in lines {
            if runs.last?.last?.kind == line.kind {
                runs[runs.count - 1].append(line)
            } else {
                runs.append([line])
            }
        }
        return runs
    }

    /// Of what stayed the same, only what lies beside a change is read; the rest is folded.
    private static func run(_ frame: Frame, _ lines: [TextChanges.Line]) -> HTML {
        func paragraphs(_ lines: some Sequence<TextChanges.Line>) -> HTML {
            var html = HTML.empty
            for line in lines { html = "\(html)<p>\(mark(line))</p>" }
            return html
        }
        guard lines.first?.kind == .same, lines.count > 8 else { return paragraphs(lines) }
        return """
            \(paragraphs(lines.prefix(3)))
            <details class="more"><summary>\(frame.texts("versions.same", ["count": .number(lines.count - 6)]))</summary>\
            \(paragraphs(lines.dropFirst(3).dropLast(3)))</details>
            \(paragraphs(lines.suffix(3)))
            """
    }

    private static func mark(_ line: TextChanges.Line) -> HTML {
        switch line.kind {
        case .same: HTML(plain: line.text)
        case .gone: "<del>\(line.text)</del>"
        case .new: "<ins>\(line.text)</ins>"
        }
    }

    private static func pages(_ frame: Frame, _ model: ChangesPage) -> HTML {
        let t = frame.texts
        let count = min(max(model.pagesBefore, model.pagesAfter), ChangesPage.mostPages)
        guard count > 0 else { return .empty }
        func side(_ version: Int, _ page: Int, of pageCount: Int) -> HTML {
            let label = t(
                "versions.page", ["page": .number(page), "number": .number(version)])
            guard page <= pageCount else {
                return "<div class=\"soft\">\(t("versions.noPage"))</div>"
            }
            let picture = "/documents/\(model.line.id)/versions/\(version)/pages/\(page)?width=480"
            return """
                <figure class="stack stack-s"><img class="paper" src="\(url: picture)" alt="\(label)" loading="lazy">\
                <figcaption class="soft small">\(label)</figcaption></figure>
                """
        }
        return Part.card(
            t("versions.pages"),
            """
            <div class="two-sides">\((1...count).map { page -> HTML in
                "\(side(model.from, page, of: model.pagesBefore))\(side(model.to, page, of: model.pagesAfter))"
            })</div>
            """)
    }

    /// What a paper was, in the fold of its own page.
    static func versions(
        _ frame: Frame, _ line: DocumentLine, _ versions: [VersionLine], signers: [String] = []
    ) -> HTML {
        let t = frame.texts
        let path = "/documents/\(line.id)"
        let newest = versions.first?.number ?? 1
        let items = versions.map { version -> HTML in
            let address = "\(path)/versions/\(version.number)"
            let isNewest = version.number == newest
            let name = t("versions.number", ["number": .number(version.number)])
            let note: HTML =
                version.note.isEmpty
                ? .empty : "<span class=\"item-note wrapped\" dir=\"auto\">\(version.note)</span>"
            let acts: HTML =
                isNewest
                ? Part.chip(frame, t("versions.newest"), .good)
                : """
                <span class="row">\(Part.link(frame, "\(path)/changes?from=\(version.number)&to=\(newest)", t("versions.compare"), css: "button button-s"))\
                \(frame.canEdit && line.trashedAt == nil
                    ? Form.button(
                        frame, "POST", address + "/restoration", t("versions.back"), css: "button button-s",
                        name: t("versions.back.name", ["number": .number(version.number)])) : .empty)</span>
                """
            return """
                <div class="item item-wraps"><span class="item-text"><a class="item-title" href="\(url: address + "/file")">\(name)</a>\
                <span class="item-note">\(frame.texts.said(version.madeBy)) · \(Part.time(version.madeAt)) · \(Part.size(version.byteCount))</span>\(note)</span>\(acts)</div>
                """
        }
        let taking: HTML =
            frame.canEdit && line.trashedAt == nil
            ? """
            <details class="more"><summary>\(frame.icon(.plus))\(t("versions.take"))</summary>
            <p class="soft">\(t("versions.take.text"))</p>
            \(signers.isEmpty ? .empty : Part.note(frame, .warn, "<p>\(t("signed.warning", ["names": .text(signerNames(frame, signers))]))</p>"))
            \(Part.fileZone(
                frame, action: path + "/versions", label: t("versions.drop"), hint: t("versions.drop.hint"), many: false,
                hidden: [("base", String(newest))],
                extra: signers.isEmpty ? .empty : Form.check(name: "unsigned", label: t("signed.unsigned"), isOn: false),
                id: "version-file"))</details>
            """ : .empty
        guard versions.count > 1 || frame.canEdit else { return .empty }
        return """
            <section class="stack stack-s" id="versions"><h3>\(t("versions.title"))</h3>
            \(versions.count > 1 ? Part.list(items) : "<p class=\"soft\">\(t("versions.none"))</p>")
            \(taking)</section>
            """
    }
}
