import Access
import App
import Bytes
import Converting
import Delivery
import HTTP
import Library
import Markup
import SigningKeys
import Storage
import Sync
import Work

extension Site {
    static let documentActions: [Action] = [
        Action(
            .get, "/documents", .member(.view),
            .init(
                "List documents",
                description: "Sorted and filtered; `Link: rel=\"next\"` leads to the next page.",
                tag: "Documents",
                parameters: [
                    .init("q", "Words that must occur in the name"),
                    .init("folder", "Only those in this folder; empty for those in none"),
                    .init("tag", "Only those with this tag"),
                    .init(
                        "sort", "What to sort by",
                        schema: Schema.choice(DocumentsPage.Sort.allCases.map(\.rawValue))),
                    .init("order", "In which direction", schema: Schema.choice(["ascending", "descending"])),
                    .init("trash", "1 lists the trash", schema: Schema.choice(["0", "1"])),
                    .init("limit", "How many at most", schema: Schema.integer(1, 500)),
                    .init("after", "`next` of the page before"),
                ], answers: [.ok("DocumentList", "One page of them", headers: ["Link"])])
        ) { visit in try documents(visit) },
        Action(.get, "/documents/new", .member(.edit)) { visit in
            let place = try visit.queryFolder() ?? nil
            let folder = try place.flatMap { try visit.quire.documents.folders(by: try visit.member())[$0] }
            return visit.page(
                Pages.upload(
                    visit.frame,
                    UploadPage(
                        fromCamera: visit.request.query["from"] == "camera",
                        folder: folder.map { FolderLine($0) })))
        },
        Action(
            .post, "/documents", .member(.edit),
            .init(
                "Add documents",
                description:
                    "A form with one or many files in `file`, or the bytes of one file with its name in `name`. "
                    + "Bytes that are there already are not added again: `duplicateOf` says where they are. With `unpack` "
                    + "the papers in archives come in, in their folders, and with mails what was attached to them; what "
                    + "cannot be taken out is kept as it is, and `left` says why.",
                tag: "Documents",
                parameters: [
                    .init("name", "The file's name, when the body is the file itself"),
                    .init("folder", "The folder they are to lie in"),
                    .init(
                        "path",
                        "The names of the folders below it in which they lay, parted by `/`; what is missing is made"
                    ),
                    .init(
                        "unpack", "1 takes out what archives and mails hold",
                        schema: Schema.choice(["0", "1"])),
                ],
                requestBody: [
                    .init(
                        .multipart,
                        Schema.object(
                            [
                                (
                                    "file",
                                    ["type": "array", "items": ["type": "string", "format": "binary"]]
                                ),
                                ("unpack", Schema.string), ("path", Schema.string),
                            ], optional: ["unpack", "path"])),
                    .init(.octets, ["type": "string", "format": "binary"]),
                ],
                answers: [
                    .made("AddedDocuments", "They are in the library"),
                    .ok("AddedDocuments", "All of them were there already"),
                ]), body: .upload(limit: 1 << 50)
        ) { visit in try addDocuments(visit) },
        Action(.post, "/documents/selection", .member(.edit)) { visit in try changeSelection(visit) },
        Action(
            .get, "/documents/{id}", .member(.view),
            .init("Get a document", tag: "Documents", answers: [.ok("Document", "What is known about it")])
        ) { visit in
            let document = try visit.document()
            return try visit.show(document.json) { try documentPage(visit, document) }
        },
        Action(
            .patch, "/documents/{id}", .member(.edit),
            .init(
                "Rename, move or label a document",
                description:
                    "What is left out stays as it is. An empty `folder` lays it on the desk itself; `tags` are all it "
                    + "is to wear, `people` all it has to do with; `fields` are values by the names of the desk's fields, empty to "
                    + "wipe them off; `date` is a day as 2026-11-21, or empty.",
                tag: "Documents",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [
                                ("name", Schema.name), ("folder", Schema.string),
                                ("tags", Schema.list(of: Schema.string)), ("note", Schema.string),
                                ("date", Schema.string), ("people", Schema.list(of: Schema.string)),
                                (
                                    "fields",
                                    ["type": "object", "additionalProperties": ["type": "string"]]
                                ),
                            ], optional: ["name", "folder", "tags", "note", "date", "people", "fields"]))
                ],
                answers: [.ok("Document", "As it is now")])
        ) { visit in
            let input = try visit.input
            let caller = try visit.member()
            let before = try visit.document()
            let page = "/documents/\(before.id)"
            do {
                var now = before
                let filing = try filing(input, of: before, visit)
                if let filing { now = try visit.quire.documents.file([now.id], as: filing, by: caller)[0] }
                if filing == nil || input.has("name") {
                    now = try visit.quire.documents.rename(
                        now.id, to: try input.requiredText("name"), by: caller)
                }
                return visit.done(
                    now.json, next: page, notice: now.name == before.name ? "notice.saved" : "notice.renamed",
                    ["name": .text(now.name)],
                    undo: visit.wantsPage && now != before
                        ? try visit.undo(.filed([(before, now)]), from: page) : nil)
            } catch let failure as Failure where visit.wantsPage && failure.code == .invalid {
                guard let field = failure.field, let value = try input.text(field) else { throw failure }
                return visit.page(
                    try documentPage(visit, before, refused: (field, value, visit.said(failure))),
                    .unprocessable)
            }
        },
        Action(
            .delete, "/documents/{id}", .member(.edit),
            .init(
                "Put a document into the trash",
                description:
                    "It can be brought back for 30 days. One that lies in the trash is removed for good with `?forever=1`.",
                tag: "Documents",
                parameters: [.init("forever", "1 removes it for good", schema: Schema.choice(["0", "1"]))],
                answers: [.ok("Document", "It lies in the trash"), .init(.noContent, "It is gone")])
        ) { visit in
            if visit.request.query["forever"] == "1" {
                let gone = try visit.quire.documents.purge(visit.id(of: "document"), by: try visit.member())
                return visit.done(
                    [:], .noContent, next: "/documents?trash=1", notice: "notice.removed",
                    ["name": .text(gone.name)])
            }
            let document = try visit.quire.documents.trash(visit.id(of: "document"), by: try visit.member())
            return visit.done(
                document.json, next: "/documents", notice: "notice.trashed", ["name": .text(document.name)],
                undo: .init(action: "/documents/\(document.id)/restoration"))
        },
        Action(
            .post, "/trash/emptying", .member(.edit),
            .init(
                "Empty the trash",
                description:
                    "All that lies there is removed for good, but for what is held or must be kept for some time yet.",
                tag: "Documents",
                parameters: [
                    .init(
                        "until", "Only what lay there by then, in milliseconds since 1970",
                        schema: Schema.integer(0, 9_007_199_254_740_991))
                ], answers: [.ok("EmptiedTrash", "How much went, and how much stays")])
        ) { visit in
            let name = "until"
            let last = try visit.request.query[name].map { text in
                guard let time = Int64(text) else {
                    throw Failure(.invalid, "What is said in “\(name)” cannot be read.", field: name)
                }
                return Moment(milliseconds: time)
            }
            let (removed, left) = try visit.quire.documents.emptyTrash(until: last, by: try visit.member())
            return visit.done(
                ["removed": .int(removed), "left": .int(left)], next: "/documents?trash=1",
                notice: left == 0 ? "notice.trashEmptied" : "notice.trashEmptied.left",
                ["count": .number(removed), "left": .number(left)])
        },
        Action(
            .post, "/documents/{id}/restoration", .member(.edit),
            .init(
                "Bring a document back from the trash", tag: "Documents",
                answers: [.ok("Document", "It is in the library again")])
        ) { visit in
            let document = try visit.quire.documents.restore(visit.id(of: "document"), by: try visit.member())
            return visit.done(
                document.json, next: "/documents/\(document.id)", notice: "notice.restored",
                ["name": .text(document.name)])
        },
        Action(
            .get, "/documents/{id}/file", .member(.view),
            .init(
                "Get the bytes of a document", description: "Whole or in part (`Range`).", tag: "Documents",
                parameters: [.download], answers: .file)
        ) { visit in
            let (document, path) = try visit.quire.documents.file(
                visit.id(of: "document"), by: try visit.member())
            return .contents(of: document, at: path, download: visit.request.query["download"] == "1")
        },
    ]

    private static func documents(_ visit: Visit) throws -> Response {
        let caller = try visit.member()
        let query = visit.request.query
        var listing = Documents.Listing(filter: query["q"] ?? "")
        if !listing.filter.isEmpty { visit.quire.searches.count(by: caller.actor) }
        listing.isTrash = query["trash"] == "1"
        listing.folder = try visit.queryFolder()
        listing.tag = query["tag"].flatMap { $0.isEmpty ? nil : $0 }
        let sort = query["sort"] ?? ""
        guard let order = sort.isEmpty ? .added : DocumentsPage.Sort(rawValue: sort) else {
            throw Failure(.invalid, "Sort by name, size, pages, date or added.", field: "sort")
        }
        listing.order = order.order
        listing.isDescending = query["order"].map { $0 != "ascending" } ?? (order != .name)
        listing.limit = try visit.limit(otherwise: 50, most: Documents.mostPerPage)
        guard visit.wantsPage else {
            if let after = query["after"] { listing.start = .after(Documents.Cursor(after)) }
            let page = try visit.quire.documents.list(listing, by: caller)
            return visit.list(
                "documents", page.documents.map(\.json), next: page.next?.text, total: page.matchCount)
        }
        let number = query["page"].flatMap(Int.init).map { max(1, $0) } ?? 1
        listing.start = .page(number)
        let page = try onPage(number, listing, visit)
        let shares = try visit.shareCounts()
        let synced = try visit.quire.sync.states(of: page.documents.map(\.id), by: caller)
        let trash = try visit.quire.documents.trash(by: caller)
        let response = visit.page(
            Pages.documents(
                visit.frame,
                DocumentsPage(
                    lines: page.documents.map { document in
                        var line = DocumentLine(document, shares: shares[document.id.text] ?? 0)
                        line.hasPicture = visit.quire.pages.hasPicture(document)
                        line.sync = synced[document.id]?.chip
                        return line
                    },
                    filter: listing.filter, sort: order, isDescending: listing.isDescending, page: number,
                    pageCount: max(1, (page.matchCount + listing.limit - 1) / listing.limit),
                    matchCount: page.matchCount,
                    unreadCount: listing.filter.isEmpty || listing.isTrash
                        ? 0 : try visit.quire.documents.unreadCount(by: caller), showsTrash: listing.isTrash,
                    trashCount: trash.count, trashSeenAt: trash.last,
                    suggestionCount: try visit.quire.documents.openSuggestionCount(by: caller),
                    filedCount: try visit.quire.documents.filedByRulesCount(
                        since: visit.now - .seconds(24 * 3600), by: caller),
                    filing: try filingLines(visit, listing), tag: listing.tag, isGrid: visit.wantsGrid,
                    privateUntil: visit.session.flatMap { visit.access.privateOpenings.end(for: $0.id) })))
        return visit.rememberingView(response)
    }

    /// What is typed is looked for in names and in what papers say, as everywhere; the trash is looked through by name.
    private static func onPage(
        _ number: Int, _ listing: Documents.Listing, _ visit: Visit
    ) throws -> (documents: [Document], matchCount: Int) {
        let caller = try visit.member()
        guard !listing.filter.isEmpty, !listing.isTrash else {
            let page = try visit.quire.documents.list(listing, by: caller)
            return (page.documents, page.matchCount)
        }
        var selection = Selection()
        selection.words = listing.filter
        selection.allTags = listing.tag.map { [$0] } ?? []
        switch listing.folder {
        case .some(let folder?): selection.anyFolder = [folder]
        case .some(nil): selection.hasFolder = false
        case nil: break
        }
        let found = try visit.quire.documents.select(
            selection, sortedBy: listing.order, isDescending: listing.isDescending, limit: listing.limit,
            offset: (number - 1) * listing.limit, by: caller)
        return (found.finds.map(\.document), found.matchCount)
    }

    /// The folders around what is shown, and where papers could be moved to.
    private static func filingLines(_ visit: Visit, _ listing: Documents.Listing) throws -> FilingLines {
        let tree = try visit.quire.documents.folders(by: try visit.member())
        var lines = FilingLines(all: tree.nodes.map { FolderLine($0) })
        if case .some(let here?) = listing.folder {
            guard let node = tree[here], !node.isLocked else {
                // Asked for by somebody who may not look into it at the moment: the list says so.
                throw Failure(.notFound, "There is no such folder. It may have been removed.")
            }
            lines.here = FolderLine(node)
            lines.way = tree.way(to: here).dropLast().map { FolderLine($0) }
            lines.children = tree.children(of: here).map { FolderLine($0) }
            lines.below = Set(tree.below(here).map(\.folder.id.text))
        } else if listing.folder == nil, !listing.isTrash, listing.tag == nil {
            lines.children = tree.children(of: nil).map { FolderLine($0) }
        }
        return lines
    }

    /// What is asked to be changed about where a paper lies and what it wears; nil when nothing is.
    private static func filing(
        _ input: Input, of document: Document, _ visit: Visit
    ) throws -> Documents.Filing? {
        let values = try input.pairs("field:", object: "fields").map {
            PaperValue(field: $0.name, value: $0.value)
        }
        guard ["folder", "tags", "note", "date", "people"].contains(where: input.has) || !values.isEmpty
        else {
            return nil
        }
        var filing = Documents.Filing(
            folder: try input.folder(), note: try input.text("note"), date: try input.text("date"))
        filing.values = values
        if input.has("people") { filing.people = try visit.people(try input.tags("people")) }
        if input.has("tags") {
            filing.addedTags = try input.tags("tags")
            let kept = Set(filing.addedTags.map { $0.lowercased() })
            filing.removedTags = document.tags.filter { !kept.contains($0.lowercased()) }
        }
        return filing
    }

    private static func addDocuments(_ visit: Visit) throws -> Response {
        let caller = try visit.member()
        let place = try visit.queryFolder() ?? nil
        var files: [(path: String, name: String, count: Int64)] = []
        var unpacks = visit.request.query["unpack"] == "1"
        var path = visit.request.query["path"] ?? ""
        if case .form(let form) = visit.request.body {
            unpacks = unpacks || ["1", "yes"].contains(form["unpack"] ?? "")
            path = form["path"] ?? path
        }
        switch visit.request.body {
        case .file(let path, let count): files = [(path, visit.request.query["name"] ?? "", count)]
        case .form(let form): files = form.files.map { ($0.path, $0.fileName, $0.byteCount) }
        case .bytes(let bytes):
            // In process nothing is spooled, and a form that was sent the simple way has no files.
            guard visit.request.mediaType?.isSameKind(as: .urlEncoded) != true else { break }
            return visit.added(
                try take(.bytes(bytes), visit.request.query["name"] ?? ""), into: place)
        case .none: break
        }
        guard !files.isEmpty else {
            throw Failure(.invalid, "Choose at least one file.", field: "file")
        }
        if let large = files.first(where: { $0.count > visit.site.settings.uploadLimit }) {
            throw Failure(
                .tooLarge, "“\(large.name)” is larger than what may be uploaded here.", field: "file")
        }
        var all = Documents.Unpacked()
        for file in files {
            let some = try take(.upload(file.path), file.name)
            all.papers += some.papers
            all.left += some.left
            all.folder = all.folder ?? some.folder
        }
        return visit.added(all, into: place)

        func take(_ source: Documents.Source, _ name: String) throws -> Documents.Unpacked {
            var way: PaperArrival?
            if case .token = caller.via { way = .app }
            return try visit.quire.documents.arriving(by: way).bring(
                source, named: name, from: path, into: place, unpacking: unpacks, by: caller)
        }
    }

    private static func changeSelection(_ visit: Visit) throws -> Response {
        let input = try visit.input
        let caller = try visit.member()
        let ids: [ID<Document>] = try input.ids(of: "paper")
        let action = try input.text("action")
        let isTrash = action != "restore"
        let next = try input.listOfPapers()
        guard !ids.isEmpty else {
            return visit.done(["documents": []], next: next, notice: "notice.nothingChosen")
        }
        if action == "download" {
            return try archive(
                of: ids.prefix(Documents.mostPerPage).map { try visit.quire.documents.get($0, by: caller) },
                named: visit.texts("documents.title"), visit)
        }
        if action == "compare" {
            guard ids.count == 2 else {
                return visit.done(["documents": []], next: next, notice: "notice.compareTwo")
            }
            // The older one first.
            let both = try ids.map { try visit.quire.documents.get($0, by: caller) }
                .sorted { $0.addedAt < $1.addedAt }
            return visit.goes(to: "/documents/\(both[0].id)/comparison?with=\(both[1].id)")
        }
        if action == "recognise" {
            let before = try ids.map { try visit.quire.documents.get($0, by: caller) }
            let job = try visit.quire.searchable.begin(Array(ids), by: caller)
            return try visit.promised(
                job, next: next, notice: "notice.searchable",
                undo: visit.undo(.recognition(job, before.map { ($0.id, $0.version) }), from: next))
        }
        if action == "sign" {
            try SignedPapers.check(ids)
            return visit.goes(to: "/signing?papers=\(ids.map(\.text).joined(separator: ","))")
        }
        if action == "redact" {
            try RedactedPapers.check(ids)
            return visit.goes(to: "/redaction?papers=\(ids.map(\.text).joined(separator: ","))")
        }
        if action == "share" { return try shareSelection(visit, ids) }
        if action == "convert" || action == "merge" {
            return try convert(Array(ids), merging: action == "merge", from: next, visit)
        }
        if ["move", "tag", "untag"].contains(action) {
            return try file(Array(ids.prefix(Documents.mostPerPage)), action ?? "", input, next, visit)
        }
        let changed = try ids.prefix(Documents.mostPerPage).map {
            isTrash
                ? try visit.quire.documents.trash($0, by: caller)
                : try visit.quire.documents.restore($0, by: caller)
        }
        return visit.done(
            ["documents": .array(changed.map(\.json))], next: isTrash ? next : "/documents?trash=1",
            notice: isTrash ? "notice.trashedMany" : "notice.restoredMany", ["count": .number(changed.count)],
            undo: isTrash ? try visit.undo(.trashed(changed.map(\.id)), from: next) : nil)
    }

    private static func file(
        _ ids: [ID<Document>], _ action: String, _ input: Input, _ next: String, _ visit: Visit
    ) throws -> Response {
        let caller = try visit.member()
        let documents = visit.quire.documents
        let before = try ids.map { try documents.get($0, by: caller) }
        var filing = Documents.Filing()
        switch action {
        case "move": filing.folder = try input.folder() ?? .some(nil)
        case "tag": filing.addedTags = try input.tags("tag")
        default: filing.removedTags = try input.tags("tag")
        }
        guard action == "move" || !(filing.addedTags + filing.removedTags).isEmpty else {
            throw Failure(.invalid, "Say which tag.", field: "tag")
        }
        let filed = try documents.file(ids, as: filing, by: caller)
        let changed = zip(before, filed).filter { $0 != $1 }.map { (before: $0, after: $1) }
        return visit.done(
            ["documents": .array(filed.map(\.json))], next: next, notice: "notice.filed",
            ["count": .number(filed.count)],
            undo: changed.isEmpty ? nil : try visit.undo(.filed(changed), from: next))
    }

    /// Why a paper without a word in it cannot be read: it is broken, or locked.
    private static func trouble(
        in document: Document, _ words: WordState, _ visit: Visit
    ) -> (sentence: String, isLocked: Bool)? {
        guard case .none(let reason) = words else { return nil }
        if let reason {
            let lock = try? visit.quire.opened.lock(of: document, by: visit.member())
            return (visit.texts.said(reason), lock == .password)
        }
        guard PaperPages.hasPages(document), !document.isTrashed else { return nil }
        do {
            _ = try visit.quire.pages.frames(of: document)
            return nil
        } catch {
            let failure = error as? Failure
            guard let failure, !failure.isBeingPrepared else { return nil }
            return (visit.said(failure), failure.field == Failure.lockField)
        }
    }

    static func documentPage(
        _ visit: Visit, _ document: Document, newShareAddress: String? = nil,
        refused: (field: String, value: String, sentence: String)? = nil, shareError: String? = nil
    ) throws -> HTML {
        let links = try visit.access.shareLinks.list(of: document.subject, by: try visit.member())
        let words = try visit.quire.documents.wordState(of: document.id, by: try visit.member())
        var line = DocumentLine(document, shares: links.count)
        line.hasPicture = visit.quire.pages.hasPicture(document)
        let replies = try visit.quire.replies.list(.document(document.id), by: visit.member())
        let trouble = trouble(in: document, words, visit)
        return Pages.document(
            visit.frame,
            DocumentPage(
                line: line, digest: document.blob.digest.hex,
                shares: links.map { ShareLine($0, name: document.name, visit) },
                newShareAddress: newShareAddress,
                folders: try visit.quire.documents.folders(by: try visit.member()).nodes.map {
                    FolderLine($0)
                },
                versions: try visit.quire.documents.versions(of: document.id, by: try visit.member()).map {
                    VersionLine($0)
                },
                words: words, trouble: trouble?.sentence, isLocked: trouble?.isLocked == true,
                mail: document.origin.flatMap {
                    try? visit.quire.documents.get($0, by: try visit.member())
                }.map { DocumentLine($0) },
                fields: try visit.quire.documents.fields(by: try visit.member()).map {
                    (name: $0.name, kind: $0.kind)
                },
                signers: try visit.quire.documents.knownSigners(of: document.id, by: try visit.member()),
                isFillable: try visit.quire.documents.isFillable(document, by: try visit.member()),
                replies: try replies.filter { $0.document != document.id }.map { try ReplyLine($0, visit) },
                asReply: try replies.first { $0.document == document.id }.map { try ReplyLine($0, visit) },
                keeping: try visit.quire.documents.keeping(of: document.id, by: try visit.member()),
                suggestions: try visit.suggestionLines(.open, of: document.id),
                filed: try visit.suggestionLines(.taken, of: document.id),
                attachments: try visit.quire.documents.attachments(of: document.id, by: try visit.member())
                    .map { DocumentLine($0) },
                refused: refused, shareError: shareError,
                purgedAt: document.trashedAt.map { $0 + Documents.usualTrashTime }))
    }
}

extension Visit {
    /// The folder an address asks for: nil for none in particular, `.some(nil)` for the desk itself.
    func queryFolder() throws(Failure) -> ID<Folder>?? {
        guard let text = request.query["folder"] else { return nil }
        guard !text.isEmpty else { return .some(nil) }
        guard let id = ID<Folder>(text) else {
            throw Failure(.invalid, "“\(text)” is no folder's id.", field: "folder")
        }
        return .some(id)
    }

    func document() throws -> Document { try quire.documents.get(id(of: "document"), by: try member()) }

    func limit(otherwise usual: Int, most: Int) throws(Failure) -> Int {
        guard let text = request.query["limit"] else { return usual }
        guard let limit = Int(text), (1...most).contains(limit) else {
            throw Failure(.invalid, "“limit” is a number from 1 to \(most).", field: "limit")
        }
        return limit
    }

    /// A page of a list, with the way to the next in the body and in `Link` (RFC 8288).
    func list(
        _ name: String, _ items: [JSON], next: String?, total: Int? = nil, more: JSONObject = [:]
    ) -> Response {
        var json: JSONObject = [name: .array(items), "next": .optional(next)]
        if let total { json["total"] = .int(total) }
        for member in more { json[member.key] = member.value }
        var response = Response.json(.object(json)).with("Cache-Control", "private, no-cache")
        if let next {
            var query = Fields(request.query.filter { $0.name != "after" })
            query.add("after", next)
            let path = "/" + request.path.map(PercentCoding.encode).joined(separator: "/")
            response.headers.set("Link", "<\(path)?\(query.urlEncoded)>; rel=\"next\"")
        }
        return response
    }
}

extension Response {
    /// The bytes people brought, sent so that nothing in them can act in our name.
    static func contents(of document: Document, at path: String, download: Bool) -> Response {
        contents(of: document.blob, named: document.fileName, at: path, download: download)
    }

    static func contents(of blob: Blob, named fileName: String, at path: String, download: Bool) -> Response {
        let shown = ["application/pdf", "image/png", "image/jpeg", "image/gif", "image/webp", "text/plain"]
        let type = MediaType(blob.mediaType) ?? .octets
        let isShown = shown.contains(type.essence) && !download
        return .file(
            at: path, isShown ? type : type.type == "text" ? .plain : type,
            tag: ETag(blob.digest.hex),
            saveAs: fileName, inline: isShown
        )
        .with("Cache-Control", "private, no-cache")
        .with(
            "Content-Security-Policy",
            isShown && type.essence == "application/pdf"
                ? SecurityHeaders.pdfContents : SecurityHeaders.fileContents)
    }
}
