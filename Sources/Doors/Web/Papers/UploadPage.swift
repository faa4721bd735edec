import Markup

/// Where new papers come in; the + menu leads here, and so does sharing from another app without a worker.
struct UploadPage: Sendable {
    var fromCamera = false
    /// Where they are to lie.
    var folder: FolderLine?
    var error: String?
    /// Where it was to be fetched from.
    var address = ""
}

extension Pages {
    static func upload(_ frame: Frame, _ model: UploadPage) -> HTML {
        let t = frame.texts
        return Shell.page(
            frame, title: t("make.papers"), narrow: true,
            """
            \(Part.header(
                frame, t(model.fromCamera ? "make.photo" : "make.papers"), lede: t("upload.lede"),
                crumbs: [(t("documents.title"), "/documents")]
                    + (model.folder.map { [($0.path, "/documents?folder=\($0.id)")] } ?? [])))
            \(Form.failure(frame, model.error))
            \(Part.uploadZone(
                frame, model.fromCamera ? .camera : .files, to: .library(folder: model.folder?.id),
                unpacks: !model.fromCamera))
            \(model.fromCamera ? .empty : fromAddress(frame, model))
            \(model.fromCamera ? .empty : "<p class=\"soft\"><a href=\"/paperless\">\(t("paperless.link"))</a></p>")
            """)
    }

    private static func fromAddress(_ frame: Frame, _ model: UploadPage) -> HTML {
        let t = frame.texts
        let address = Form.field(
            frame,
            Form.Field(
                name: "address", label: t("upload.address"), value: model.address, type: "url",
                hint: t("upload.address.hint"), autocomplete: "off", isRequired: true,
                placeholder: "https://"))
        let form = Form.form(
            frame, "POST", "/documents/addresses",
            """
            <input type="hidden" name="folder" value="\(model.folder?.id ?? "")">\(address)
            \(Form.check(name: "unpack", label: t("upload.unpack"), isOn: true))
            <div><button class="button">\(frame.icon(.download))\(t("upload.fetch"))</button></div>
            """)
        return """
            <details class="more"\(attribute: "open", if: model.error != nil)><summary>\(frame.icon(.globe))\(t("upload.fromAddress"))</summary>\(form)</details>
            """
    }
}
