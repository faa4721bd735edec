import Access
import App
import Bytes
import Crypto
import Delivery
import Filling
import HTTP
import Library
import Markup
import PDFReading
import Storage
import Work

// Links to folders, and links by which papers come in.

extension Site {
    static let requestActions: [Action] = [
        Action(
            .post, "/folders/{id}/shares", .member(.edit),
            .init(
                "Make a link to a folder",
                description:
                    "`show` lets somebody read and download what lies in it and below it; `request` lets them bring papers "
                    + "into it and see nothing. Its address is told this once.",
                tag: "Shares", requestBody: [.init(.json, Schema.folderShare)],
                answers: [.made("NewShare", "The link")])
        ) { visit in
            let id: ID<Folder> = try visit.id(of: "folder")
            try visit.quire.documents.checkMayShare(id, by: try visit.member())
            return try folderLink(visit, id)
        },
        Action(
            .post, "/requests", .member(.edit),
            .init(
                "Make a link that asks for papers", description: "They come to lie on the desk itself.",
                tag: "Shares", requestBody: [.init(.json, Schema.shareTerms)],
                answers: [.made("NewShare", "The link")])
        ) { visit in try folderLink(visit, nil) },
        Action(.post, "/s/{token}/papers", .guest(of: "request"), body: .upload(limit: 1 << 50)) { visit in
            guard let (link, caller) = try followed(visit), link.subject.kind == "request" else {
                return .redirect(to: "/s/\(PercentCoding.encode(visit.parameter("token")))")
            }
            let arrival = try Arrival(visit)
            guard !arrival.files.isEmpty else {
                throw Failure(.invalid, "Choose at least one file.", field: "file")
            }
            guard arrival.files.count <= 100 else {
                throw Failure(.tooMany, "Send at most 100 files at once.", field: "file")
            }
            let sender = FileName.cleaned(try arrival.input.text("sender") ?? "") ?? link.note
            for file in arrival.files {
                try visit.quire.documents.receive(
                    file.path.map { .upload($0) } ?? .bytes(file.bytes ?? []), named: file.name, by: caller,
                    calledThen: sender.isEmpty ? visit.texts("request.visitor") : String(sender.prefix(100)))
            }
            guard visit.wantsPage else {
                return Response.json(["received": .int(arrival.files.count)], .created).kept(false)
            }
            return visit.page(
                Pages.requestLink(
                    visit.frame,
                    RequestLinkPage(
                        token: visit.parameter("token"), askedBy: link.madeByName, note: link.note,
                        received: arrival.files.count))
            ).kept(false)
        },
        Action(.get, "/s/{token}/papers/{id}", .anyone) { visit in
            guard let (link, caller, paper) = try sharedPaper(visit) else { return backToLink(visit) }
            return try look(
                visit, link, caller, paper, at: "/s/\(visit.parameter("token"))/papers/\(paper.id)")
        },
        Action(.get, "/s/{token}/papers/{id}/pages/{page}", .anyone) { visit in
            guard let (_, _, paper) = try sharedPaper(visit) else { return backToLink(visit) }
            return try visit.picture(ofPageOf: paper).kept(false)
        },
        Action(.get, "/s/{token}/pages/{page}", .anyone) { visit in
            guard let (link, caller) = try followed(visit) else { return backToLink(visit) }
            if let id = ID<Packet>(link.subject.id), link.subject.kind == "packet" {
                // The pages of what may be filled in, which is told by its being there as it was made.
                _ = try visit.quire.sendings.shared(id, by: caller)
                return Response.bytes(
                    try visit.quire.batches.picture(
                        of: id, page: visit.pageNumber(), width: visit.pictureWidth, by: .local), .jpeg
                ).with("Cache-Control", "private, no-cache").kept(false)
            }
            guard let id = ID<Document>(link.subject.id), link.subject.kind == "document" else {
                return backToLink(visit)
            }
            return try visit.picture(ofPageOf: visit.quire.documents.get(id, by: caller)).kept(false)
        },
        Action(.get, "/s/{token}/papers/{id}/file", .anyone) { visit in
            guard let (link, _, paper) = try sharedPaper(visit) else { return backToLink(visit) }
            try checkMayDownload(link)
            return Response.contents(
                of: paper, at: try visit.quire.store.blobs.path(of: paper.blob.digest),
                download: visit.request.query["download"] == "1"
            ).kept(false)
        },
        Action(
            .post, "/selections/shares", .member(.edit),
            .init(
                "Make a link to chosen documents",
                description:
                    "With `viewOnly` their pages can be looked at and the files are not given. Its address is told this once.",
                tag: "Shares", requestBody: [.init(.json, Schema.selectionShare)],
                answers: [.made("NewShare", "The link")])
        ) { visit in
            let caller = try visit.member()
            let ids = try visit.input.texts("documents").map { text throws(Failure) in
                guard let id = ID<Document>(text) else {
                    throw Failure(.invalid, "“\(text)” is no document's id.", field: "documents")
                }
                return id
            }
            return try newLink(visit, to: visit.quire.documents.select(ids, by: caller))
        },
    ]

    /// A paper behind a link to a folder or to chosen papers; nil when the link leads to no such paper, or was not opened.
    private static func sharedPaper(_ visit: Visit) throws -> (ShareLink, Caller, Document)? {
        guard let (link, caller) = try followed(visit), ["folder", "selection"].contains(link.subject.kind),
            let shared = try? visit.quire.documents.shared(by: caller),
            let paper = shared.papers.first(where: { $0.document.id.text == visit.parameter("id") })
        else { return nil }
        return (link, caller, paper.document)
    }

    private static func backToLink(_ visit: Visit) -> Response {
        .redirect(to: "/s/\(PercentCoding.encode(visit.parameter("token")))")
    }

    static func checkMayDownload(_ link: ShareLink) throws(Failure) {
        guard link.isViewOnly else { return }
        throw Failure(
            .denied, "This link is for looking only. Ask \(link.madeByName) for one that gives the file.")
    }

    /// The pages of a paper for somebody who is not given the file.
    static func look(
        _ visit: Visit, _ link: ShareLink, _ caller: Caller, _ paper: Document, at address: String
    ) throws -> Response {
        var sheets: [(width: Double, height: Double)] = []
        var trouble: String?
        var comesBack = false
        do {
            if PaperPages.isReadable(paper) {
                sheets = try visit.quire.pages.frames(of: paper).prefix(500).map { ($0.width, $0.height) }
            } else {
                trouble = visit.texts("shared.noPages")
            }
        } catch let failure as Failure {
            trouble = visit.trouble(failure)
            comesBack = failure.isBeingPrepared
        }
        let back = link.subject.kind == "document" ? nil : "/s/\(visit.parameter("token"))"
        return try visit.show([
            "name": .string(paper.name), "pages": .int(sheets.count), "viewOnly": true,
            "expiresAt": .optional(link.expiresAt?.iso8601),
        ]) {
            Pages.sharedLook(
                visit.frame,
                SharedLookPage(
                    sharedBy: link.madeByName, name: paper.name, pictures: "\(address)/pages", sheets: sheets,
                    back: back, expiresAt: link.expiresAt, trouble: trouble))
        }.kept(false).comingBack(comesBack, for: visit)
    }

    private static func folderLink(_ visit: Visit, _ folder: ID<Folder>?) throws -> Response {
        let kind = folder == nil ? "request" : try visit.input.text("kind") ?? "show"
        guard ["show", "request"].contains(kind) else {
            throw Failure(.invalid, "A link to a folder shows it or requests papers.", field: "kind")
        }
        let subject = kind == "show" ? folder.map { Folder.subject($0) } : nil
        return try newLink(visit, to: subject ?? Folder.request(folder))
    }

    private static func newLink(_ visit: Visit, to subject: Subject) throws -> Response {
        let (token, link) = try visit.access.shareLinks.make(
            subject, visit.shareTerms(), by: try visit.member())
        let address = "\(visit.origin)/s/\(token.text)"
        guard visit.wantsPage else {
            var json = link.json(visit.now).object ?? [:]
            json["address"] = .string(address)
            return Response.json(.object(json), .created).with("Location", "/shares/\(link.id)").kept(false)
        }
        return visit.page(try sharesPage(visit, newAddress: address)).kept(false)
    }

    /// What is behind a link to a folder or to chosen papers.
    static func sharedFolder(_ visit: Visit, _ link: ShareLink, _ caller: Caller) throws -> Response? {
        guard let shared = try? visit.quire.documents.shared(by: caller) else { return nil }
        let name = shared.name ?? (link.note.isEmpty ? visit.texts("shared.papers") : link.note)
        return try visit.show([
            "name": .string(name), "expiresAt": .optional(link.expiresAt?.iso8601),
            "viewOnly": .bool(link.isViewOnly),
            "papers": .array(
                shared.papers.map {
                    [
                        "id": .string($0.document.id.text), "name": .string($0.document.name),
                        "path": .string($0.path), "byteCount": .integer($0.document.blob.byteCount),
                    ]
                }),
        ]) {
            Pages.sharedFolder(
                visit.frame,
                SharedFolderPage(
                    token: visit.parameter("token"), sharedBy: link.madeByName, name: name,
                    papers: shared.papers.map { (line: DocumentLine($0.document), path: $0.path) },
                    expiresAt: link.expiresAt, isViewOnly: link.isViewOnly))
        }.kept(false)
    }

    /// All of it.
    static func sharedArchive(_ visit: Visit, _ link: ShareLink, _ caller: Caller) throws -> Response? {
        guard let shared = try? visit.quire.documents.shared(by: caller) else { return nil }
        try checkMayDownload(link)
        return try archive(
            of: shared.papers.map(\.document), folders: shared.papers.map(\.path),
            named: shared.name ?? visit.texts("shared.papers"), visit
        ).kept(false)
    }

    /// Chosen papers, and on what terms they are to be shared.
    static func shareSelection(_ visit: Visit, _ ids: [ID<Document>]) throws -> Response {
        guard visit.wantsPage else {
            throw Failure(
                .unsupported, "Programs make links to chosen papers at /selections/shares.", field: "action")
        }
        let caller = try visit.member()
        let lines = try ids.prefix(Documents.mostPerPage).map {
            DocumentLine(try visit.quire.documents.get($0, by: caller))
        }
        return visit.page(Pages.shareSelection(visit.frameAt("/documents"), lines))
    }
}
