import Markup

/// Papers that speak about the same things as one does.
struct AlikePage: Sendable {
    var line: DocumentLine
    /// With the words they share.
    var others: [(line: DocumentLine, words: [String])]
}

/// What happened to one paper.
struct PaperActivityPage: Sendable {
    var line: DocumentLine
    var lines: [JournalLine]
    /// Where to read on.
    var older: String?
}

extension Pages {
    static func alike(_ frame: Frame, _ model: AlikePage) -> HTML {
        let t = frame.texts
        let list: HTML =
            model.others.isEmpty
            ? Part.empty(
                frame, icon: .search, title: t("alike.none"), "<p>\(t("alike.none.text"))</p>",
                actions: Part.link(frame, "/documents/\(model.line.id)", model.line.name))
            : """
            <section class="card card-flush">\(Part.list(model.others.map { other -> HTML in
                """
                <a class="item" href="\(url: "/documents/\(other.line.id)")">\
                \(Part.sheet(other.line.mediaType, name: other.line.name))<span class="item-text">\
                <span class="item-title" dir="auto">\(other.line.name)</span>\
                <span class="item-note" dir="auto">\(other.words.prefix(8).joined(separator: " · "))</span></span></a>
                """
            }))</section>
            """
        return Shell.page(
            frame, title: t("alike.title"), narrow: true,
            """
            \(Part.header(
                frame, t("alike.title"), lede: t("alike.lede", ["name": .text(model.line.name)]),
                crumbs: [(t("documents.title"), "/documents"), (model.line.name, "/documents/\(model.line.id)")]))
            \(list)
            """)
    }

    static func paperActivity(_ frame: Frame, _ model: PaperActivityPage) -> HTML {
        let t = frame.texts
        return Shell.page(
            frame, title: t("paper.activity"), narrow: true,
            """
            \(Part.header(
                frame, t("paper.activity"), lede: model.line.name,
                crumbs: [(t("documents.title"), "/documents"), (model.line.name, "/documents/\(model.line.id)")]))
            <section class="card card-flush" aria-label="\(t("paper.activity"))">\(journalList(frame, model.lines))</section>
            \(model.older.map { Part.link(frame, $0, t("paper.older"), icon: .history) })
            """)
    }
}
