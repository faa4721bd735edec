import Access
import App
import Bytes
import Converting
import HTTP
import Library
import PDFReading
import Storage

extension Site {
    /// Searchable PDFs on request.
    static let searchableActions: [Action] = [
        Action(
            .post, "/documents/searchable", .member(.edit),
            .init(
                "Make documents searchable",
                description:
                    "The words of scans and photos are laid unseen over their pages, as a new version or, with `copy`, beside "
                    + "it. A signed document is always copied. `languages` are Tesseract's: `eng+fra`, or `auto` to find out.",
                tag: "Documents",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [
                                (
                                    "documents",
                                    ["type": "array", "items": Schema.id, "minItems": 1, "maxItems": 500]
                                ),
                                ("languages", Schema.string), ("copy", Schema.boolean),
                            ], optional: ["languages", "copy"]))
                ], answers: [.init(.accepted, "A job does it", [.init(.json, Schema.ref("Job"))])])
        ) { visit in
            let input = try visit.input
            let ids = try input.texts("documents").map { text throws(Failure) in
                guard let id = ID<Document>(text) else {
                    throw Failure(.invalid, "“\(text)” is no document's id.", field: "documents")
                }
                return id
            }
            let next = try input.text("next")
            return try visit.promised(
                visit.quire.searchable.begin(
                    ids, languages: try input.text("languages") ?? "", asCopy: try input.flag("copy"),
                    by: try visit.member()), next: Site.next(next ?? "/activity"), notice: "notice.searchable"
            )
        },
        Action(
            .post, "/documents/{id}/recognition", .member(.edit),
            .init(
                "Read the words of a scan once more",
                description:
                    "In these languages, as Tesseract names them; without any it is found out. The document's bytes stay as they are.",
                tag: "Documents",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [("languages", Schema.list(of: Schema.string))], optional: ["languages"]))
                ], answers: [.init(.accepted, "A job does it", [.init(.json, Schema.ref("Job"))])])
        ) { visit in
            let id: ID<Document> = try visit.id(of: "document")
            let languages = try visit.input.texts("languages").filter { !$0.isEmpty }
            return try visit.promised(
                visit.quire.recognition.lookAgain(
                    at: id, in: languages.isEmpty ? [Recognizer.auto] : languages, queue: visit.quire.queue,
                    by: try visit.member()), next: "/documents/\(id)", notice: "notice.recognition")
        },
    ]
}
