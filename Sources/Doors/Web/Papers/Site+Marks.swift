import Access
import App
import Bytes
import Converting
import HTTP
import Library
import Marking
import Markup
import PDFReading
import SigningKeys
import Storage

// What is written on a paper: words, signs, lines, notes, and a name by hand.

extension Site {
    private static let markSchema: JSON = Schema.object(
        [
            ("kind", Schema.choice(Mark.Kind.allCases.map(\.rawValue))), ("page", Schema.integer(1, 100_000)),
            ("areas", Schema.list(of: ["type": "object"])),
            ("strokes", Schema.list(of: Schema.list(of: Schema.list(of: ["type": "number"])))),
            ("text", ["type": "string", "maxLength": .int(MarkChanges.longestText)]),
            ("colour", Schema.string), ("fill", Schema.string), ("opacity", ["type": "number"]),
            ("thickness", ["type": "number"]), ("size", ["type": "number"]),
            ("face", Schema.choice(Mark.Face.allCases.map(\.rawValue))), ("picture", Schema.string),
        ],
        optional: [
            "areas", "strokes", "text", "colour", "fill", "opacity", "thickness", "size", "face", "picture",
        ])

    private static let wordsSchema = Schema.object([("id", Schema.string), ("text", Schema.string)])

    private static let changesSchema: JSON = Schema.object(
        [
            ("add", Schema.list(of: markSchema)), ("remove", Schema.list(of: Schema.string)),
            ("reword", Schema.list(of: wordsSchema)), ("reply", Schema.list(of: wordsSchema)),
            ("done", Schema.list(of: Schema.string)), ("reopen", Schema.list(of: Schema.string)),
            ("partOfPage", Schema.boolean), ("breakSignatures", Schema.boolean),
            ("base", Schema.integer(1, 1_000_000)),
        ],
        optional: [
            "add", "remove", "reword", "reply", "done", "reopen", "partOfPage", "breakSignatures", "base",
        ])

    static let markActions: [Action] = [
        Action(
            .get, "/documents/{id}/marks", .member(.view),
            .init(
                "List what is written on a document",
                description:
                    "Highlights, notes, words, drawings and stamps, whichever program put them there, with answers and whether they are settled; and `links`, whose `text` is an address, or `#3` for a page. Places are points from the upper left corner of the page as it is seen; `time` is in seconds since 1970.",
                tag: "Documents",
                answers: [
                    .init(
                        .ok, "The notes",
                        [
                            .init(
                                .json,
                                Schema.object([
                                    ("marks", Schema.list(of: ["type": "object"])),
                                    ("links", Schema.list(of: ["type": "object"])),
                                ]))
                        ]
                    )
                ])
        ) { visit in
            let document = try visit.document()
            let look = try visit.quire.marked.look(at: document, by: visit.member())
            let listed: JSON = [
                "marks": .array((look?.marks ?? []).map(\.json)),
                "links": .array((look?.links ?? []).map(\.json)),
            ]
            return try visit.show(listed) {
                guard let look else { throw Failure.noPDF(document) }
                return Pages.marks(visit.frame, try marksPage(visit, document, look))
            }
        },
        Action(
            .post, "/documents/{id}/marks", .member(.edit),
            .init(
                "Write on a document",
                description:
                    "It becomes a new version, with the notes put behind it; what it was is kept. `add` is what is new, `remove`, `done`, `reopen`, `reword` and `reply` name notes by their `id`; links are removed and reworded by theirs. `partOfPage` makes what is added part of the page for good. Where a signature would not hold any more, nothing is written unless `breakSignatures` says so. `base` is the version that was looked at.",
                tag: "Documents", requestBody: [.init(.json, changesSchema)],
                answers: [.ok("Document", "It is written")]), body: .bytes(limit: 32 << 20)
        ) { visit in
            let document = try visit.document()
            let changes: MarkChanges
            var base: Int?
            do {
                if visit.wantsPage {
                    changes = try said(visit.input)
                } else {
                    let json = try visit.request.json
                    base = json["base"]?.int
                    changes = try MarkChanges(json: json)
                }
            } catch let error as MarkError {
                throw Failure(error)
            }
            let changed = try visit.quire.marked.change(
                document, changes, ifVersion: base, by: visit.member())
            return visit.done(
                changed.json, next: "/documents/\(document.id)/marks", notice: "notice.written")
        },
        Action(
            .get, "/documents/{id}/marks.xfdf", .member(.view),
            .init(
                "Take the notes of a document out as XFDF", tag: "Documents",
                answers: [.init(.ok, "The notes", [.init(.xfdf, Schema.string)])])
        ) { visit in
            let document = try visit.document()
            let text = try visit.quire.marked.xfdf(of: document, by: visit.member())
            return Response(.ok, body: .bytes(Array(text.utf8)))
                .with("Content-Type", "application/vnd.adobe.xfdf")
                .with(
                    "Content-Disposition",
                    Disposition.text(inline: false, fileName: FileName.safe(document.name) + ".xfdf"))
        },
        Action(
            .post, "/documents/{id}/marks.xfdf", .member(.edit),
            .init(
                "Put the notes of an XFDF file on a document",
                description: "Those that lie on it already are not put there a second time.",
                tag: "Documents",
                requestBody: [
                    .init(
                        .multipart, Schema.object([("file", ["type": "string", "format": "binary"])])),
                    .init(.octets, ["type": "string", "format": "binary"]),
                ],
                answers: [.ok("Document", "They lie on it")]), body: .upload(limit: 32 << 20)
        ) { visit in
            let document = try visit.document()
            let file = try Arrival(visit).files.first
            guard let bytes = try file?.read(atMost: 32 << 20), !bytes.isEmpty else {
                throw Failure(.invalid, "Choose at least one file.", field: "file")
            }
            let changed = try visit.quire.marked.take(xfdf: bytes, onto: document, by: visit.member())
            return visit.done(
                changed.json, next: "/documents/\(document.id)/marks", notice: "notice.written")
        },
        Action(
            .get, "/signatures/own", .member(.edit),
            .init(
                "List your signatures by hand",
                description:
                    "Yours alone, kept sealed. With `asksFirst` they are shown only for 15 minutes after you have shown with passkey or password that it is you.",
                tag: "Signatures",
                answers: [
                    .init(
                        .ok, "Your signatures",
                        [
                            .init(
                                .json,
                                Schema.object([
                                    ("signatures", Schema.list(of: ["type": "object"])),
                                    ("asksFirst", Schema.boolean),
                                ]))
                        ])
                ])
        ) { visit in
            let caller = try visit.member()
            let kept = try visit.quire.identities.handSignatures(by: caller)
            return try .json([
                "signatures": .array(kept.map(\.json)),
                "asksFirst": .bool(visit.quire.identities.areHandSignaturesGuarded(by: caller)),
            ]).with("Cache-Control", "no-store")
        },
        Action(
            .post, "/signatures/own/guard", .member(.edit),
            .init(
                "Be asked who you are before your signatures by hand are shown, or not any more",
                tag: "Signatures",
                requestBody: [.init(.json, Schema.object([("on", Schema.boolean)]))],
                answers: [.init(.noContent, "So it is")])
        ) { visit in
            guard let isGuarded = try visit.request.json["on"]?.bool else {
                throw Failure(.invalid, "Say with “on” whether you are asked.", field: "on")
            }
            try visit.quire.identities.guardHandSignatures(isGuarded, by: visit.member())
            return .noContent
        },
        Action(
            .post, "/signatures/own", .member(.edit),
            .init(
                "Keep a signature by hand",
                description:
                    "`strokes` in a box of their own, a `text`, or a `picture` (PNG, as a data address), with `width` and `height`.",
                tag: "Signatures",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [
                                (
                                    "strokes",
                                    Schema.list(of: Schema.list(of: Schema.list(of: ["type": "number"])))
                                ),
                                ("text", ["type": "string", "maxLength": 200]), ("picture", Schema.string),
                                ("width", ["type": "number"]), ("height", ["type": "number"]),
                            ], optional: ["strokes", "text", "picture", "width", "height"]))
                ],
                answers: [.init(.created, "It is kept", [.init(.json, ["type": "object"])])]),
            body: .bytes(limit: 2 << 20)
        ) { visit in
            let kept = try visit.quire.identities.keep(
                handSignature: visit.request.json, by: visit.member())
            return .json(kept.json, .created)
        },
        Action(
            .delete, "/signatures/own/{id}", .member(.edit),
            .init(
                "Remove a signature by hand", description: "What was signed with it stays as it is.",
                tag: "Signatures", answers: [.init(.noContent, "It is gone")])
        ) { visit in
            try visit.quire.identities.remove(
                handSignature: visit.id(of: "signature"), by: visit.member())
            return .noContent
        },
    ]

    /// What the forms of the page say, which do one thing each.
    private static func said(_ input: Input) throws(MarkError) -> MarkChanges {
        func text(_ name: String) throws(MarkError) -> String {
            do { return try input.text(name) ?? "" } catch { throw .badWish(name) }
        }
        var changes = MarkChanges()
        let id = try text("note")
        let words = try text("text")
        changes.breaksSignatures = try text("breakSignatures") == "yes"
        switch try text("action") {
        case "remove": changes.removed = [id]
        case "done": changes.done = [id]
        case "reopen": changes.reopened = [id]
        case "reply": changes.replies = [.init(id, words)]
        case "reword": changes.reworded = [.init(id, words)]
        default:
            guard let page = Int(try text("page")), page > 0 else { throw .badWish("page") }
            var mark = Mark(.note, page: page - 1)
            mark.areas = [.init(x: 24, y: 24, width: 0, height: 0)]
            mark.text = words
            guard !words.isEmpty else { throw .nothing }
            changes.added = [mark]
        }
        return changes
    }

    private static func marksPage(
        _ visit: Visit, _ document: Document, _ look: MarkedPapers.Look
    ) throws -> MarksPage {
        MarksPage(
            line: DocumentLine(document), version: document.version, sheets: try visit.sheets(of: document),
            marks: look.marks, links: look.links, broken: look.broken,
            isFillable: try visit.quire.documents.isFillable(document, by: visit.member()))
    }
}

extension HandSignature {
    var json: JSON {
        var json = content.object ?? [:]
        json["id"] = .string(id.text)
        return .object(json)
    }
}
