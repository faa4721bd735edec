import Conversion
import Markup
import WebAssets

/// The camera as a scanner; without one, or without scripts, the phone's own camera or files, and the same way after it.
struct ScanPage: Sendable {
    static let worker = "scan-worker.js"
    /// How a photo of a paper may be made to look: the words of the option `scan`.
    static let looks = choices("scan")
    static let sizes = choices("scan-size")

    private static func choices(_ name: String) -> [String] {
        ConversionOptions.words.first { $0.name == name }?.choices ?? []
    }

    /// `2026-11-26`; the page says the reader's own.
    var day: String
    var folders: [FolderLine] = []
    /// As Tesseract names them.
    var languages: [String] = []
    /// For whom a phone photographs that was let in for that alone.
    var owner: Owner?

    struct Owner: Sendable {
        var name: String
        /// Keeps apart on the phone what it has taken for one and for another.
        var mark: String
    }
}

extension Pages {
    static func scan(_ frame: Frame, _ model: ScanPage) -> HTML {
        let t = frame.texts
        let folder: HTML =
            model.folders.isEmpty
            ? .empty
            : Form.select(
                frame, name: "folder", id: "scan-folder", label: t("filing.folder"),
                options: [("", t("filing.noFolder"))] + model.folders.map { ($0.id, $0.path) }, chosen: "")
        let language: HTML =
            model.languages.count < 2
            ? .empty
            : Form.select(
                frame, name: "language", id: "scan-language", label: t("scan.language"),
                options: [("auto", t("scan.language.auto"))]
                    + model.languages.map { ($0, ScanLanguage.name($0)) }, chosen: "auto")
        let wishes: HTML = """
            <div class="form-grid">\(Form.field(
                frame,
                .init(
                    name: "name", label: t("scan.name"), value: t("scan.name.usual", ["day": .text(model.day)]),
                    autocomplete: "off", id: "scan-name")))
            \(Form.select(
                frame, name: "together", id: "scan-together", label: t("scan.together"),
                options: [("1", t("scan.together.yes")), ("0", t("scan.together.no"))], chosen: "1"))</div>
            <details class="more"><summary>\(t("scan.more"))</summary><div class="form-grid">
            \(Form.select(
                frame, name: "scan", id: "scan-look", label: t("scan.look"),
                options: ScanPage.looks.map { ($0, t("scan.look.\($0)")) }, chosen: "auto"))
            \(Form.select(
                frame, name: "scanSize", id: "scan-size", label: t("scan.size"),
                options: (ScanPage.sizes + ["sides"]).map { ($0, t("scan.size.\($0)")) }, chosen: "auto"))
            \(folder)\(Form.field(
                frame,
                .init(
                    name: "tags", label: t("filing.tags"), hint: t("filing.tags.hint"), autocomplete: "off",
                    maximumLength: 600, id: "scan-tags")))
            <div class="stack stack-s">\(Form.check(name: "words", label: t("scan.words"), isOn: true))\(language)</div></div></details>
            """
        let content: HTML = """
            \(Part.header(
                frame, t("scan.title"),
                lede: model.owner.map { t("scan.for", ["owner": .text($0.name)]) } ?? t("scan.lede"),
                actions: model.owner == nil ? Part.link(frame, "/phones", t("phones.with"), icon: .device) : .empty))
            <noscript><form class="card stack" method="post" action="/conversions" enctype="multipart/form-data">\(Form.csrf(frame))\
            <input type="hidden" name="scan" value="auto"><input type="hidden" name="then" value="ocr=auto">\
            <input type="hidden" name="together" value="1"><input type="hidden" name="keep" value="yes">
            <div class="field"><label for="scan-plain">\(t("scan.choose"))</label>\
            <input id="scan-plain" type="file" name="file" accept="image/*" multiple required></div>
            <div><button class="button button-main">\(frame.icon(.check))\(t("scan.go"))</button></div></form></noscript>
            <scan-camera class="with-script"\(attribute: "whose", model.owner?.mark) worker="\(url: frame.assets.address(of: ScanPage.worker))" module="\(url: frame.assets.address(of: "scan.wasm"))">
            <div class="notice notice-warn scan-retaking" data-retaking role="status" hidden>\(frame.icon(.camera))<div><p></p>\
            <button class="button" type="button" data-keep>\(t("scan.keep"))</button></div></div>
            <div class="scan-stage"><video playsinline muted aria-label="\(t("scan.film"))"></video>\
            <svg viewBox="0 0 1 1" aria-hidden="true"><polygon points=""></polygon></svg>\
            <p class="scan-word" data-word role="status"></p></div>
            <div class="scan-controls"><label class="choice"><input type="checkbox" name="auto" data-auto checked><span>\(t("scan.auto"))</span></label>\
            <button class="scan-shutter" type="button" data-shutter aria-label="\(t("scan.take"))"></button>\
            <button class="button" type="button" data-torch aria-pressed="false" hidden>\(t("scan.torch"))</button></div>
            <div class="scan-off card stack"><p data-why></p><div class="row"><button class="button" type="button" data-again>\(frame.icon(.again))\(t("scan.again"))</button></div></div>
            <form class="card"><label class="button" for="scan-files">\(frame.icon(.camera))\(t("scan.choose"))</label>\
            <input class="unseen" id="scan-files" type="file" accept="image/*" multiple></form>
            <ol class="scan-stack" data-stack aria-label="\(t("scan.stack"))"></ol>
            <form class="card stack" data-wishes data-day="\(model.day)">\(wishes)</form>
            <div class="action-bar"><span class="soft small" data-tally role="status"></span><span class="push"></span>\
            <button class="button button-main" type="button" data-go disabled>\(frame.icon(.check))\(t("scan.go"))</button></div>
            \(ScanReview.dialog(frame))
            </scan-camera>
            """
        return model.owner == nil
            ? Shell.page(frame, title: t("scan.title"), content)
            : Shell.plain(frame, title: t("scan.title"), wide: true, "<div class=\"stack\">\(content)</div>")
    }
}
