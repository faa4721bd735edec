import Markup

/// Where papers come in: files, photos, a web page, or what is in the clipboard.
struct NewConversionPage: Sendable {
    enum Source: String, Sendable, CaseIterable { case files, photos, web, paste }

    var source: Source = .files
    var error: String?
    var address = ""
    var text = ""
    /// On the desk's wall; photos are called after it.
    var minute = ""
}

extension Pages {
    static func newConversion(_ frame: Frame, _ model: NewConversionPage) -> HTML {
        let t = frame.texts
        let tabs = NewConversionPage.Source.allCases.map { source in
            (
                name: t("convert.from.\(source.rawValue)"),
                address: source == .files ? "/conversions/new" : "/conversions/new?from=\(source.rawValue)",
                isHere: source == model.source, count: 0
            )
        }
        let content: HTML =
            switch model.source {
            case .files: Part.uploadZone(frame, .files, to: .newConversion(), hint: "convert.files.hint")
            // A phone's photos hold ten times the dots that a page needs.
            case .photos:
                Part.uploadZone(
                    frame, .photos,
                    to: .newConversion(
                        steps: [QuickStep.smaller.words(language: nil)],
                        name: t("convert.photos.name", ["when": .text(model.minute)])),
                    hint: "convert.photos.hint")
            case .web: webPage(frame, model)
            case .paste: pasted(frame, model)
            }
        return Shell.page(
            frame, title: t("convert.new"), narrow: true,
            """
            \(Part.header(
                frame, t("convert.new"), lede: t("convert.new.lede"), crumbs: [(t("tools.title"), "/tools")]))
            \(Part.tabs(frame, t("convert.from"), tabs))
            \(Form.failure(frame, model.error))
            \(content)
            <p class="soft small">\(t("convert.asTheyAre")) <a href="/documents/new">\(t("convert.asTheyAre.link"))</a></p>
            """)
    }

    private static func webPage(_ frame: Frame, _ model: NewConversionPage) -> HTML {
        let t = frame.texts
        return """
            <section class="card">\(Form.form(
                frame, "POST", "/conversions",
                """
                \(Form.field(
                    frame,
                    .init(
                        name: "address", label: t("convert.address"), value: model.address, hint: t("convert.address.hint"),
                        autocomplete: "url", inputMode: "url", isRequired: true, isFocused: true,
                        maximumLength: 4000, placeholder: "example.com")))
                <input type="hidden" name="boxes" value="reader"><input type="hidden" name="boxes" value="background">
                \(Form.check(name: "reader", label: t("convert.reader"), hint: t("convert.reader.hint"), isOn: false))
                \(Form.check(name: "background", label: t("convert.background"), isOn: true))
                <div><button class="button button-main">\(frame.icon(.globe))\(t("convert.fetch"))</button></div>
                """))</section>
            """
    }

    private static func pasted(_ frame: Frame, _ model: NewConversionPage) -> HTML {
        let t = frame.texts
        return """
            <section class="card">\(Form.form(
                frame, "POST", "/conversions",
                """
                \(Form.field(
                    frame,
                    .init(
                        name: "text", label: t("convert.text"), value: model.text, hint: t("convert.text.hint"),
                        isRequired: true, isFocused: true, rows: 12)))
                \(Form.select(
                    frame, name: "textKind", label: t("convert.text.kind"),
                    options: [
                        ("txt", t("convert.text.plain")), ("md", "Markdown"), ("html", "HTML"), ("csv", t("convert.text.table")),
                    ], chosen: "txt"))
                \(Form.field(
                    frame,
                    .init(
                        name: "name", label: t("convert.name"), autocomplete: "off", maximumLength: 100,
                        optionalNote: t("form.optional"))))
                <div><button class="button button-main">\(frame.icon(.document))\(t("convert.make"))</button></div>
                """))</section>
            """
    }
}
