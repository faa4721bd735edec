import Markup

/// Where new papers come in; the + menu leads here, and so does sharing from another app without a worker.
struct UploadPage: Sendable {
    var fromCamera = false
    /// Where they are to lie.
    var folder: FolderLine?
    var error: String?
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
                frame, model.fromCamera ? .camera : .files, to: .library(folder: model.folder?.id)))
            """)
    }
}
