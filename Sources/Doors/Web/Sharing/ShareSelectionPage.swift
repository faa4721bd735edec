import Markup

extension Pages {
    /// On what terms chosen papers are shared by one link.
    static func shareSelection(_ frame: Frame, _ lines: [DocumentLine]) -> HTML {
        let t = frame.texts
        let papers = lines.map { line -> HTML in
            """
            <div class="item">\(Part.sheet(line.mediaType, name: line.name))<span class="item-text">\
            <span class="item-title" dir="auto">\(line.name)</span><span class="item-note">\(Part.size(line.byteCount))</span></span>\
            <input type="hidden" name="documents" value="\(line.id)"></div>
            """
        }
        return Shell.page(
            frame, title: t("shares.selection"), narrow: true,
            """
            \(Part.header(
                frame, t("shares.selection"), lede: t("shares.selection.lede", ["count": .number(lines.count)]),
                crumbs: [(t("documents.title"), "/documents")]))
            \(Form.form(
                frame, "POST", "/selections/shares",
                """
                <section class="card card-flush">\(Part.list(papers))</section>
                \(ShareTerms.viewOnly(frame))
                \(ShareTerms.days(frame))\(ShareTerms.password(frame))\(ShareTerms.limit(frame))\(ShareTerms.note(frame))
                <div><button class="button button-main">\(frame.icon(.link))\(t("shares.make"))</button></div>
                """))
            """)
    }
}
