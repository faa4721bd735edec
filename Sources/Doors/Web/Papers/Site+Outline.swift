import Access
import App
import Bytes
import Conversion
import Converting
import HTTP
import Kinds
import Library
import Storage

// What a PDF says of its own chapters, and the files it carries inside.

extension Site {
    static let outlineActions: [Action] = [
        Action(
            .get, "/documents/{id}/outline", .member(.view),
            .init(
                "Get the chapters of a paper, and what a PDF carries inside",
                description: "A carried file is had by its number, from 1.", tag: "Documents",
                answers: [.ok("PaperOutline", "Both are empty when it has none")])
        ) { visit in
            guard let paper = try visit.pdf() else { return .json(["bookmarks": [], "attachments": []]) }
            let bookmarks = try told { () throws(ConversionError) in try PDFTools.bookmarks(paper) }
            let carried = try told { () throws(ConversionError) in try PDFTools.attachments(in: paper) }
            return .json([
                "bookmarks": bookmarks,
                "attachments": .array(
                    carried.map {
                        [
                            "name": .string($0.name), "mediaType": .string($0.mediaType),
                            "byteCount": .int($0.bytes.count),
                        ]
                    }),
            ]).with("Cache-Control", "private, no-cache")
        },
        Action(
            .get, "/documents/{id}/attachments/{number}", .member(.view),
            .init(
                "Get a file that a PDF carries inside", tag: "Documents",
                answers: [.init(.ok, "The file", [.anything])])
        ) { visit in
            let carried =
                try visit.pdf().map { paper in
                    try told { () throws(ConversionError) in try PDFTools.attachments(in: paper) }
                } ?? []
            guard let number = Int(visit.parameter("number")), carried.indices.contains(number - 1) else {
                throw Failure(.notFound, "It carries no such file.")
            }
            let file = carried[number - 1]
            // Handed over to be kept and never shown: what is in it comes from strangers.
            return Response(headers: ["Content-Type": "application/octet-stream"], body: .bytes(file.bytes))
                .with("Content-Disposition", Disposition.text(inline: false, fileName: file.name))
                .with("Cache-Control", "private, no-cache")
                .with("Content-Security-Policy", SecurityHeaders.fileContents)
        },
    ]

    private static func told<R>(_ body: () throws(ConversionError) -> R) throws -> R {
        do throws(ConversionError) {
            return try body()
        } catch {
            throw Failure(.unsupported, error.description)
        }
    }
}

extension Visit {
    /// Nil for what is none.
    fileprivate func pdf() throws -> Paper? {
        let document = try document()
        guard let bytes = try quire.pages.shownPDF(of: document) else { return nil }
        return Paper(name: document.name, kind: .pdf, bytes: bytes)
    }
}
