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
        let days = Form.select(
            frame, name: "days", label: t("shares.expiry"),
            options: [
                ("1", t("shares.days", ["count": 1])), ("7", t("shares.days", ["count": 7])),
                ("30", t("shares.days", ["count": 30])), ("", t("shares.never")),
            ], chosen: "7")
        let password = Form.field(
            frame,
            Form.Field(
                name: "password", label: t("shares.password"), type: "password",
                hint: t("shares.password.hint"),
                autocomplete: "new-password", optionalNote: t("form.optional")))
        let limit = Form.field(
            frame,
            Form.Field(
                name: "limit", label: t("shares.limit"), type: "number", hint: t("shares.limit.hint"),
                inputMode: "numeric", optionalNote: t("form.optional")))
        let note = Form.field(
            frame,
            Form.Field(
                name: "note", label: t("request.note"), hint: t("request.note.hint"), autocomplete: "off",
                maximumLength: 200, optionalNote: t("form.optional")))
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
                \(Form.check(name: "viewOnly", label: t("shares.viewOnly"), hint: t("shares.viewOnly.hint"), isOn: false))
                \(days)\(password)\(limit)\(note)
                <div><button class="button button-main">\(frame.icon(.link))\(t("shares.make"))</button></div>
                """))
            """)
    }
}
