import Access
import App
import Bytes
import HTTP
import Library
import Markup
import Storage
import Transfer

// Papers that hold others, papers that are like others, and what happened to a paper.

extension Site {
    static let contentActions: [Action] = [
        Action(
            .post, "/documents/addresses", .member(.edit),
            .init(
                "Add what lies at an address of the web",
                description:
                    "Nothing inside the desk's own network can be reached in this way. `unpack` takes out what archives "
                    + "and mails hold.",
                tag: "Documents",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [
                                ("address", Schema.string), ("folder", Schema.string),
                                ("unpack", Schema.string),
                            ],
                            optional: ["folder", "unpack"]))
                ],
                answers: [
                    .made("AddedDocuments", "They are in the library"),
                    .ok("AddedDocuments", "All of them were there already"),
                ])
        ) { visit in
            let input = try visit.input
            let place = try input.folder() ?? nil
            let address = try input.text("address") ?? ""
            do {
                guard address.hasPrefix("https://") || address.hasPrefix("http://") else {
                    throw Failure(
                        .invalid, "Write the whole address, beginning with https://.", field: "address")
                }
                let fetched = try visit.quire.documents.fetch(
                    address, over: HTTPClient(guardian: .publicOnly), unpacking: try input.flag("unpack"),
                    into: place, by: try visit.member())
                return visit.added(fetched, into: place)
            } catch let failure as Failure where visit.wantsPage && failure.code == .invalid {
                return visit.page(
                    Pages.upload(
                        visit.frameAt("/documents/new"),
                        UploadPage(
                            folder: try visit.folderLine(place), error: visit.said(failure), address: address)
                    ),
                    .unprocessable)
            }
        },
        Action(
            .get, "/documents/{id}/contents", .member(.view),
            .init(
                "List what came with a mail", description: "As far as it is in the library still.",
                tag: "Documents", answers: [.ok("ListedDocuments", "The papers")])
        ) { visit in
            let attached = try visit.quire.documents.attachments(
                of: visit.id(of: "document"), by: try visit.member())
            return .json(["documents": .array(attached.map(\.json))])
                .with("Cache-Control", "private, no-cache")
        },
        Action(
            .post, "/documents/{id}/contents", .member(.edit),
            .init(
                "Take out what an archive or a mail holds",
                description:
                    "The papers of an archive come to lie in its folders, beside the archive; what came with a mail lies "
                    + "beside the mail and is linked to it. `left` says what could not be taken out, and why.",
                tag: "Documents", answers: [.made("AddedDocuments", "They are in the library")])
        ) { visit in
            let id: ID<Document> = try visit.id(of: "document")
            let unpacked = try visit.quire.documents.unpack(id, by: try visit.member())
            let undo =
                unpacked.newOnes.count <= 20
                ? Frame.Notice.Undo(
                    action: "/documents/selection",
                    fields: unpacked.newOnes.map { ("id", $0.id.text) } + [("action", "trash")])
                : nil
            let next = unpacked.folder.map { "/documents?folder=\($0)" } ?? "/documents/\(id)"
            return visit.done(
                unpacked.json, .created, next: next,
                notice: unpacked.newOnes.isEmpty ? "notice.nothingInside" : "notice.unpacked",
                ["count": .number(unpacked.newOnes.count), "left": .number(unpacked.left.count)],
                undo: unpacked.newOnes.isEmpty ? nil : undo)
        },
        Action(
            .get, "/documents/{id}/similar", .member(.view),
            .init(
                "Find documents that speak about the same things",
                description: "Those first that share the words which say most.", tag: "Documents",
                parameters: [.init("limit", "How many at most (10)", schema: Schema.integer(1, 100))],
                answers: [.ok("SimilarDocuments", "The most alike first")])
        ) { visit in
            let document = try visit.document()
            let alike = try visit.quire.documents.alike(
                document.id, limit: try visit.limit(otherwise: 10, most: 100), by: try visit.member())
            let json: JSON = [
                "similar": .array(
                    alike.map { ["document": $0.document.json, "words": .texts($0.words)] })
            ]
            return try visit.show(json) {
                Pages.alike(
                    visit.frame,
                    AlikePage(
                        line: DocumentLine(document),
                        others: alike.map { (line: DocumentLine($0.document), words: $0.words) }))
            }
        },
        Action(
            .get, "/documents/{id}/activity", .member(.view),
            .init(
                "Read what happened to a document", description: "And to the links that lead to it.",
                tag: "Documents",
                parameters: [
                    .init("limit", "How many at most", schema: Schema.integer(1, 500)),
                    .init("after", "`next` of the page before"),
                ], answers: [.ok("DocumentActivity", "The newest first", headers: ["Link"])])
        ) { visit in
            let document = try visit.document()
            let before = try visit.request.query["after"].map { text throws(Failure) in
                guard let number = Int64(text) else {
                    throw Failure(.invalid, "“after” is a number.", field: "after")
                }
                return number
            }
            let page = try visit.access.journal.page(
                of: document.subject, before: before, limit: try visit.limit(otherwise: 50, most: 500),
                by: try visit.member())
            guard visit.wantsPage else {
                return visit.list(
                    "entries", page.lines.map(\.shortJSON), next: page.before.map(String.init))
            }
            return visit.page(
                Pages.paperActivity(
                    visit.frame,
                    PaperActivityPage(
                        line: DocumentLine(document),
                        lines: page.lines.map { line in
                            JournalLine(
                                at: line.at, actor: line.actorName, verb: line.verb, subject: document.name)
                        }, older: page.before.map { "/documents/\(document.id)/activity?after=\($0)" })))
        },
    ]
}

extension Visit {
    /// After papers came in.
    func added(_ unpacked: Documents.Unpacked, into place: ID<Folder>?) -> Response {
        let new = unpacked.newOnes
        let next = unpacked.folder ?? place
        let first = unpacked.documents.first
        return done(
            unpacked.json, new.isEmpty ? .ok : .created, at: first.map { "/documents/\($0.id)" },
            next: "/documents" + (next.map { "?folder=\($0)" } ?? ""),
            notice: new.isEmpty
                ? "notice.duplicate" : unpacked.left.isEmpty ? "notice.added" : "notice.someLeft",
            [
                "count": .number(new.count), "name": .text(first?.name ?? ""),
                "left": .number(unpacked.left.count),
            ])
    }

    func folderLine(_ id: ID<Folder>?) throws -> FolderLine? {
        try id.flatMap { try quire.documents.folders(by: try member(), counting: false)[$0] }
            .map { FolderLine($0) }
    }
}

extension Documents.Unpacked {
    var json: JSON {
        [
            "documents": .array(papers.map(\.json)), "folder": .optional(folder?.text),
            "left": .array(left.map { ["name": .string($0.name), "reason": .string($0.reason)] }),
        ]
    }
}

extension AuditJournal.Line {
    /// For everybody who may see the thing it is about: without where somebody sat.
    var shortJSON: JSON {
        [
            "at": .moment(at), "actorName": .string(actorName), "verb": .string(verb),
            "subject": .string(subject),
        ]
    }
}
