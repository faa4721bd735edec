import Access
import App
import Bytes
import Crypto
import HTTP
import Library
import Markup
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
            guard try visit.quire.documents.folders(by: visit.member(), counting: false)[id] != nil else {
                throw Failure(.notFound, "There is no such folder. It may have been removed.")
            }
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
        Action(.get, "/s/{token}/papers/{id}/file", .anyone) { visit in
            guard let (link, caller) = try followed(visit), let folder = ID<Folder>(link.subject.id),
                link.subject.kind == "folder",
                let shared = try? visit.quire.documents.shared(folder, by: caller),
                let paper = shared.papers.first(where: { $0.document.id.text == visit.parameter("id") })
            else { return .redirect(to: "/s/\(PercentCoding.encode(visit.parameter("token")))") }
            return Response.contents(
                of: paper.document, at: try visit.quire.store.blobs.path(of: paper.document.blob.digest),
                download: visit.request.query["download"] == "1"
            ).kept(false)
        },
    ]

    private static func folderLink(_ visit: Visit, _ folder: ID<Folder>?) throws -> Response {
        let kind = folder == nil ? "request" : try visit.input.text("kind") ?? "show"
        guard ["show", "request"].contains(kind) else {
            throw Failure(.invalid, "A link to a folder shows it or requests papers.", field: "kind")
        }
        let subject = kind == "show" ? folder.map { Folder.subject($0) } : nil
        let (token, link) = try visit.access.shareLinks.make(
            subject ?? Folder.request(folder), visit.shareTerms(), by: try visit.member())
        let address = "\(visit.origin)/s/\(token.text)"
        guard visit.wantsPage else {
            var json = link.json(visit.now).object ?? [:]
            json["address"] = .string(address)
            return Response.json(.object(json), .created).with("Location", "/shares/\(link.id)").kept(false)
        }
        return visit.page(try sharesPage(visit, newAddress: address)).kept(false)
    }

    /// What is behind a link to a folder.
    static func sharedFolder(_ visit: Visit, _ link: ShareLink, _ caller: Caller) throws -> Response? {
        guard let id = ID<Folder>(link.subject.id),
            let shared = try? visit.quire.documents.shared(id, by: caller)
        else { return nil }
        return try visit.show([
            "name": .string(shared.folder.name), "expiresAt": .optional(link.expiresAt?.iso8601),
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
                    token: visit.parameter("token"), sharedBy: link.madeByName, name: shared.folder.name,
                    papers: shared.papers.map { (line: DocumentLine($0.document), path: $0.path) },
                    expiresAt: link.expiresAt))
        }.kept(false)
    }

    /// All of it.
    static func sharedArchive(_ visit: Visit, _ link: ShareLink, _ caller: Caller) throws -> Response? {
        guard let id = ID<Folder>(link.subject.id),
            let shared = try? visit.quire.documents.shared(id, by: caller)
        else { return nil }
        return try archive(
            of: shared.papers.map(\.document), folders: shared.papers.map(\.path), named: shared.folder.name,
            visit
        ).kept(false)
    }
}
