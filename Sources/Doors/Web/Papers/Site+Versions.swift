import Access
import App
import Bytes
import Converting
import HTTP
import Library
import Markup
import PDFReading
import Storage

// What a paper was before it was what it is.

extension Site {
    static let versionActions: [Action] = [
        Action(
            .get, "/documents/{id}/versions", .member(.view),
            .init(
                "List the versions of a document",
                description: "The newest first; that is what the document is.", tag: "Documents",
                answers: [.ok("DocumentVersionList", "All of them")])
        ) { visit in
            guard !visit.wantsPage else {
                return visit.goes(to: "/documents/\(visit.parameter("id"))#versions")
            }
            let versions = try visit.quire.documents.versions(
                of: visit.id(of: "document"), by: try visit.member())
            return .json(["versions": .array(versions.map(\.json))])
                .with("Cache-Control", "private, no-cache")
        },
        Action(
            .post, "/documents/{id}/versions", .member(.edit),
            .init(
                "Put a new version in the place of a document's file",
                description:
                    "A form with the file in `file`, the bytes themselves, or JSON that names a result of a conversion. What the document was before is kept. "
                    + "`base` is the version that was looked at: if there is a newer one, nothing is changed. A signed "
                    + "document is only replaced by one that is not when `unsigned` says so.",
                tag: "Documents",
                parameters: [
                    .init("name", "The file's name, when the body is the file itself"),
                    .init("note", "What changed, when the body is the file itself"),
                    .init("base", "As above", schema: Schema.integer(1, 1_000)),
                    .init(
                        "unsigned", "1 lets an unsigned file take the place of a signed one",
                        schema: Schema.choice(["0", "1"])),
                ],
                requestBody: [
                    .init(
                        .multipart,
                        Schema.object(
                            [
                                ("file", ["type": "string", "format": "binary"]), ("note", Schema.string),
                                ("base", Schema.string), ("unsigned", Schema.string),
                            ], optional: ["note", "base", "unsigned"])),
                    .init(.octets, ["type": "string", "format": "binary"]),
                    .init(
                        .json,
                        Schema.object(
                            [
                                ("conversion", Schema.id), ("result", Schema.integer(1, 1_000)),
                                ("note", Schema.string), ("base", Schema.integer(1, 1_000)),
                                ("unsigned", Schema.string),
                            ], optional: ["result", "note", "base", "unsigned"])),
                ],
                answers: [
                    .made("Document", "It is this now"), .ok("Document", "It was these very bytes already"),
                ]), body: .upload(limit: 1 << 50)
        ) { visit in
            let arrival = try Arrival(visit)
            if arrival.files.isEmpty, let conversion = try arrival.input.text("conversion") {
                return try revise(with: conversion, arrival.input, visit)
            }
            guard let file = arrival.files.first, arrival.files.count == 1 else {
                throw Failure(.invalid, "Choose one file.", field: "file")
            }
            let query = visit.request.query
            let base = try arrival.input.text("base") ?? query["base"] ?? ""
            guard base.isEmpty || Int(base) != nil else {
                throw Failure(.invalid, "“\(base)” is no version.", field: "base")
            }
            let id: ID<Document> = try visit.id(of: "document")
            let source = file.path.map { Documents.Source.upload($0) } ?? .bytes(file.bytes ?? [])
            let mayEndSignatures = try arrival.input.flag("unsigned") || query["unsigned"] == "1"
            if !mayEndSignatures {
                try visit.quire.documents.checkSignatures(of: id, becoming: source, by: try visit.member())
            }
            let revised = try visit.quire.documents.revise(
                id, with: source,
                named: file.name.isEmpty ? nil : file.name,
                note: try arrival.input.text("note") ?? query["note"] ?? "", ifVersion: Int(base),
                by: try visit.member())
            switch revised {
            case .same(let document):
                return visit.done(
                    document.json, at: "/documents/\(id)", next: "/documents/\(id)",
                    notice: "notice.versionSame", ["name": .text(document.name)])
            case .revised(let document):
                return visit.done(
                    document.json, .created, at: "/documents/\(id)", next: "/documents/\(id)",
                    notice: "notice.versionMade", ["name": .text(document.name)],
                    undo: undo(to: document.version - 1, of: id))
            }
        },
        Action(
            .get, "/documents/{id}/versions/{version}/file", .member(.view),
            .init(
                "Get the bytes of a version", tag: "Documents",
                parameters: [.download], answers: .file)
        ) { visit in
            let document = try visit.documentVersion()
            let path = try visit.quire.store.blobs.path(of: document.blob.digest)
            return .contents(of: document, at: path, download: visit.request.query["download"] == "1")
        },
        Action(
            .get, "/documents/{id}/versions/{version}/pages/{page}", .member(.view),
            .init(
                "Get a page of a version as a picture", description: "Pages are counted from 1.",
                tag: "Documents",
                parameters: [
                    .init("width", "How many pixels wide at least (900)", schema: Schema.integer(1, 4_000))
                ],
                answers: [.init(.ok, "The picture", [.init(.jpeg, ["type": "string", "format": "binary"])])])
        ) { visit in
            // A version never becomes another one.
            try visit.picture(ofPageOf: visit.documentVersion()).with(
                "Cache-Control", "private, max-age=86400")
        },
        Action(
            .post, "/documents/{id}/versions/{version}/restoration", .member(.edit),
            .init(
                "Make an earlier version the newest again",
                description: "As a new version: what was in between stays.", tag: "Documents",
                answers: [.ok("Document", "It is this again")])
        ) { visit in
            let id: ID<Document> = try visit.id(of: "document")
            let number = try visit.versionNumber()
            let before = try visit.document().version
            let document = try visit.quire.documents.bringBack(
                version: number, of: id, by: try visit.member())
            return visit.done(
                document.json, next: "/documents/\(id)", notice: "notice.versionBack",
                ["number": .number(number)],
                undo: document.version > before ? undo(to: before, of: id) : nil)
        },
        Action(
            .get, "/documents/{id}/changes", .member(.view),
            .init(
                "Compare two versions of a document",
                description: "Line by line: what both say, what is gone and what is new.", tag: "Documents",
                parameters: [
                    .init(
                        "from", "The earlier one; without it the one before `to`",
                        schema: Schema.integer(1, 1_000)),
                    .init("to", "The later one; without it the newest", schema: Schema.integer(1, 1_000)),
                ], answers: [.ok("DocumentChanges", "What changed")])
        ) { visit in try changes(visit) },
    ]

    /// What a conversion made takes the place of the paper it was made of.
    private static func revise(with conversion: String, _ input: Input, _ visit: Visit) throws -> Response {
        guard let conversion = ID<Conversion>(conversion) else {
            throw Failure(.invalid, "“\(conversion)” is no conversion's id.", field: "conversion")
        }
        let id: ID<Document> = try visit.id(of: "document")
        let caller = try visit.member()
        let (result, path) = try visit.quire.conversions.file(
            try input.integer("result") ?? 1, of: conversion, by: caller)
        if try !input.flag("unsigned") {
            try visit.quire.documents.checkSignatures(of: id, becoming: .file(path), by: caller)
        }
        let document = try visit.quire.documents.revise(
            id, with: .file(path), named: result.name, note: try input.text("note") ?? "",
            ifVersion: try input.integer("base"), by: caller
        ).document
        try visit.quire.conversions.endTrial(conversion, by: caller)
        return visit.done(
            document.json, .created, at: "/documents/\(id)", next: "/documents/\(id)",
            notice: "notice.versionMade", ["name": .text(document.name)],
            undo: document.version > 1 ? undo(to: document.version - 1, of: id) : nil)
    }

    private static func undo(to version: Int, of id: ID<Document>) -> Frame.Notice.Undo {
        .init(action: "/documents/\(id)/versions/\(version)/restoration")
    }

    private static func changes(_ visit: Visit) throws -> Response {
        let newest = try visit.document()
        let query = visit.request.query
        let to = query["to"].flatMap(Int.init) ?? newest.version
        let from = query["from"].flatMap(Int.init) ?? max(1, to - 1)
        let caller = try visit.member()
        let documents = visit.quire.documents
        let before = try documents.get(newest.id, version: from, by: caller)
        let after = try documents.get(newest.id, version: to, by: caller)
        let text = TextChanges(
            from: try visit.quire.pages.texts(of: before), to: try visit.quire.pages.texts(of: after))
        let json: JSON = [
            "from": .int(from), "to": .int(to),
            "lines": .array(
                text.lines.map { ["kind": .string($0.kind.rawValue), "text": .string($0.text)] }),
        ]
        return try visit.show(json) {
            Pages.changes(
                visit.frame,
                ChangesPage(
                    line: DocumentLine(newest),
                    versions: try documents.versions(of: newest.id, by: caller).map { VersionLine($0) },
                    from: from, to: to,
                    pagesBefore: (try? visit.quire.pages.frames(of: before).count) ?? 0,
                    pagesAfter: (try? visit.quire.pages.frames(of: after).count) ?? 0, text: text))
        }
    }
}

extension Visit {
    func versionNumber() throws(Failure) -> Int {
        guard let number = Int(parameter("version")), (1...Documents.mostVersions).contains(number) else {
            throw Failure(.notFound, "There is no such version.")
        }
        return number
    }

    func documentVersion() throws -> Document {
        try quire.documents.get(id(of: "document"), version: versionNumber(), by: member())
    }

    /// The page the address names. Asked for anew each time, as the paper may have become another version; what has not
    /// changed is not sent again.
    func picture(ofPageOf document: Document) throws -> Response {
        let page = try pageNumber()
        let path = try quire.pages.picture(of: document, page: page - 1, width: pictureWidth)
        return .file(
            at: path, .jpeg, tag: ETag("\(document.blob.digest.hex.prefix(24))-\(page)-\(pictureWidth)"),
            inline: true
        ).with("Cache-Control", "private, no-cache").kept(on: self)
    }
}

extension VersionLine {
    init(_ version: DocumentVersion) {
        self.init(
            number: version.number, mediaType: version.blob.mediaType, byteCount: version.blob.byteCount,
            madeAt: version.madeAt, madeBy: version.madeByName, note: version.note)
    }
}
