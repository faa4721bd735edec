import Markup

/// Where papers are taken over from Paperless-ngx.
struct PaperlessPage: Sendable {
    struct Import: Sendable {
        var job: JobLine
        var isDone: Bool
        var added = 0
        var known = 0
        var archives = 0
        var left: [(name: String, reason: String)] = []
        var others: [(what: String, count: Int)] = []
    }

    var imports: [Import]
    var error: String?
}

extension Pages {
    static func paperless(_ frame: Frame, _ model: PaperlessPage) -> HTML {
        let t = frame.texts
        let form: HTML = """
            <form class="stack" method="post" action="/paperless" enctype="multipart/form-data">\(Form.csrf(frame))
            <div class="field"><label for="f-file">\(t("paperless.file"))</label>\
            <input id="f-file" type="file" name="file" accept=".zip,application/zip" required></div>
            <div><button class="button button-main">\(frame.icon(.upload))\(t("paperless.begin"))</button></div></form>
            """
        return Shell.page(
            frame, title: t("paperless.title"), narrow: true,
            """
            \(Part.header(
                frame, t("paperless.title"), lede: t("paperless.lede"),
                crumbs: [(t("documents.title"), "/documents"), (t("make.papers"), "/documents/new")]))
            \(Form.failure(frame, model.error))
            \(Part.card(
                t("paperless.how"),
                """
                <p>\(t("paperless.export"))</p><p class="secret">document_exporter ../export <span class="nowrap">--zip</span></p>
                <p class="soft">\(t("paperless.becomes"))</p>\(frame.canEdit ? form : .empty)
                """))
            <live-part><div data-live="imports">\(model.imports.isEmpty ? .empty : Part.card(t("paperless.done"), model.imports.map { outcome(frame, $0) }.joined()))</div></live-part>
            """)
    }

    private static func outcome(_ frame: Frame, _ one: PaperlessPage.Import) -> HTML {
        let t = frame.texts
        guard one.isDone else { return jobItem(frame, one.job) }
        var facts = [t("paperless.added", ["count": .number(one.added)])]
        if one.known > 0 { facts.append(t("paperless.known", ["count": .number(one.known)])) }
        if one.archives > 0 { facts.append(t("paperless.archives", ["count": .number(one.archives)])) }
        let left = one.left.prefix(200).map {
            "<li dir=\"auto\"><strong>\($0.name)</strong>: \(t.said($0.reason))</li>" as HTML
        }
        let others = one.others.map { "<li>\($0.what): \("\($0.count)")</li>" as HTML }
        let leftOut: HTML =
            left.isEmpty
            ? .empty
            : "<details open><summary>\(t("paperless.left", ["count": .number(one.left.count)]))</summary><ul>\(left.joined())</ul></details>"
        let unknown: HTML =
            others.isEmpty ? .empty : "<p>\(t("paperless.others"))</p><ul>\(others.joined())</ul>"
        return """
            <div class="stack"><p><strong>\(Part.time(one.job.at))</strong> \(facts.joined(separator: " "))</p>\(leftOut)\(unknown)</div>
            """
    }
}
