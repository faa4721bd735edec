import Access
import App
import Bundling
import Bytes
import Delivery
import Filling
import HTTP
import Library
import Markup
import Starters
import Storage

// Send-outs given away in one file, taken in from others, and the example that Quire brings along.
extension Site {
    static let bundleActions: [Action] = [
        Action(
            .get, "/batches/{id}/bundle", .member(.view),
            .init(
                "Look at a batch as a bundle",
                description:
                    "What would be in the file; `heldBack` says what of the batch does not go along.",
                tag: "Bundles", parameters: [realRows], answers: [.ok("BundleOfBatch", "Nothing is made")])
        ) { visit in
            let batch = try visit.batch()
            guard visit.wantsPage else {
                let (view, heldBack) = try visit.quire.bundles.preview(
                    of: batch.id, realRows: visit.realRows(), by: visit.member())
                return .json([
                    "content": view.json, "heldBack": .array(heldBack.sorted.map { .string($0.rawValue) }),
                ]).kept(false)
            }
            return visit.page(try givingPage(visit, batch))
        },
        Action(
            .get, "/batches/{id}/bundle/file", .member(.view),
            .init(
                "Get a batch as a bundle",
                description:
                    "One file with forms, mappings, letter, choices and columns. People are examples.",
                tag: "Bundles", parameters: [realRows],
                answers: [.init(.ok, "An archive with a manifest", [.anything])])
        ) { visit in
            let file = try visit.quire.bundles.file(
                of: visit.id(of: "batch"), realRows: visit.realRows(), by: visit.member())
            return Response.bytes(file.bytes, .zip).with(
                "Content-Disposition", Disposition.text(inline: false, fileName: FileName.safe(file.name))
            ).with("Cache-Control", "private, no-cache")
        },
        Action(
            .get, "/bundles", .member(.view),
            .init(
                "List bundles", tag: "Bundles", answers: [.ok("BundleList", "Those kept, the newest first")])
        ) { visit in
            let kept = try visit.quire.bundles.all(by: visit.member())
            return try visit.show(["bundles": .array(kept.map(\.json))]) {
                Pages.bundles(visit.frame, BundlesPage(lines: kept.map { BundlesPage.Line($0) }))
            }
        },
        Action(
            .post, "/bundles", .member(.edit),
            .init(
                "Look at a bundle",
                description:
                    "A form with the file in `file`, or the file itself. Nothing is put on the desk yet; `known` says that the same bundle is kept already.",
                tag: "Bundles",
                requestBody: [
                    .init(
                        .multipart, Schema.object([("file", ["type": "string", "format": "binary"])])),
                    .init(.octets, ["type": "string", "format": "binary"]),
                ], answers: [.made("BundleWithContent", "What is in it")]),
            body: .upload(limit: Int64(Bundle.longestFile))
        ) { visit in
            guard let file = try Arrival(visit).files.first else {
                throw Failure(.invalid, "Choose a bundle.", field: "file")
            }
            let caller = try visit.member()
            let bundle = try visit.quire.bundles.look(at: file.read(atMost: Bundle.longestFile), by: caller)
            let address = "/bundles/\(bundle.id)"
            return visit.done(
                try visit.json(of: bundle), .created, at: address, next: address,
                notice: bundle.isKept ? "notice.bundle.known" : nil)
        },
        Action(
            .post, "/bundles/example", .member(.edit),
            .init(
                "Try the example",
                description: "A batch with a form, a letter and invented people. Mail is never sent for it.",
                tag: "Bundles", answers: [.made("Batch", "A draft, or the example that is here")])
        ) { visit in
            let t = visit.texts
            let place = ["first": Catalog.Argument.text("{{first_name}}")]
            let body = [
                t("example.greeting", ["parent": .text("{{parent}}")]), t("example.body", place),
                "{{sender_name}}",
            ].joined(separator: "\n\n")
            let batch = try visit.quire.bundles.tryExample(
                .init(
                    name: t("example.name"), subject: t("example.subject", place), body: body, paper: .letter),
                by: visit.member())
            return visit.done(batch.json, .created, at: "/batches/\(batch.id)", next: batch.address)
        },
        Action(
            .delete, "/bundles/example", .member(.edit),
            .init(
                "Take the example away", description: "With its form, its people and what was made for them.",
                tag: "Bundles", answers: [.ok("BundleRemoval", "It lies in the trash")])
        ) { visit in
            guard let bundle = try visit.quire.bundles.example(by: visit.member()) else {
                throw Failure(.notFound, "The example is not here.")
            }
            return try removed(visit, bundle, next: "/batches")
        },
        Action(
            .get, "/bundles/{id}", .member(.view),
            .init("Get a bundle", tag: "Bundles", answers: [.ok("BundleWithContent", "What is in it")])
        ) { visit in
            let bundle = try visit.bundle()
            return try visit.show(try visit.json(of: bundle)) {
                Pages.bundle(visit.frame, try visit.bundlePage(bundle))
            }
        },
        Action(
            .get, "/bundles/{id}/parts/{part}/picture", .member(.view),
            .init(
                "Get a picture of a form in a bundle", tag: "Bundles",
                answers: [.init(.ok, "A picture of its first page", [.anything])])
        ) { visit in
            guard let part = Int(visit.parameter("part")), part > 0 else {
                throw Failure(.notFound, "The bundle has no such form.")
            }
            let form = try visit.quire.bundles.form(part - 1, of: visit.bundle(), by: visit.member())
            // Not kept: what is only looked at leaves nothing behind.
            let picture = try visit.quire.previews.passingPicture(of: form, page: 0, width: 240)
            return Response.bytes(picture, .jpeg).with("Cache-Control", "private, max-age=3600")
        },
        Action(
            .post, "/bundles/{id}/keeping", .member(.edit),
            .init(
                "Keep a bundle",
                description:
                    "Its forms, mappings and papers come onto the desk; what is here already is used.",
                tag: "Bundles", answers: [.ok("Bundle", "Kept")])
        ) { visit in
            let bundle = try visit.quire.bundles.keep(visit.id(of: "bundle"), by: visit.member())
            return visit.done(
                bundle.json, next: "/bundles/\(bundle.id)", notice: "notice.bundle.kept",
                ["name": .text(bundle.name)],
                undo: .init(action: "/bundles/\(bundle.id)", fields: [(name: "_method", value: "DELETE")]))
        },
        Action(
            .post, "/bundles/{id}/batches", .member(.edit),
            .init(
                "Begin a batch from a bundle", tag: "Bundles",
                requestBody: [
                    .init(.json, Schema.object([("examples", Schema.boolean)], optional: ["examples"]))
                ], answers: [.made("Batch", "A draft; with `examples`, for the people of the bundle")])
        ) { visit in
            let batch = try visit.quire.bundles.begin(
                visit.id(of: "bundle"), withExamples: visit.input.flag("examples"), by: visit.member())
            return visit.done(batch.json, .created, at: "/batches/\(batch.id)", next: batch.address)
        },
        Action(
            .delete, "/bundles/{id}", .member(.edit),
            .init(
                "Remove a bundle",
                description: "With what it brought, where no batch uses it; `stays` names the rest.",
                tag: "Bundles", answers: [.ok("BundleRemoval", "What went into the trash")])
        ) { visit in try removed(visit, visit.bundle(), next: "/bundles") },
        Action(
            .post, "/bundles/{id}/restoration", .member(.edit),
            .init(
                "Bring a bundle back", tag: "Bundles",
                answers: [.ok("Bundle", "Here again, with what went with it")])
        ) { visit in
            let bundle = try visit.quire.bundles.restore(visit.id(of: "bundle"), by: visit.member())
            let next = bundle.isExample ? "/batches" : "/bundles/\(bundle.id)"
            return visit.done(
                bundle.json, next: next, notice: "notice.back", ["name": .text(bundle.name)])
        },
    ]

    private static let realRows = RouteDocumentation.Parameter(
        "realRows", "So many rows of the batch's own list instead of invented ones",
        schema: Schema.integer(0, Bundle.mostRows))

    private static func removed(_ visit: Visit, _ bundle: KeptBundle, next: String) throws -> Response {
        let removal = try visit.quire.bundles.remove(bundle.id, by: visit.member())
        let json: JSON = [
            "removed": .int(removal.count), "stays": .array(removal.stays.map(JSON.string)),
        ]
        guard bundle.isKept else { return visit.done(json, next: next) }
        return visit.done(
            json, next: next,
            notice: removal.stays.isEmpty ? "notice.bundle.removed" : "notice.bundle.stays",
            ["name": .text(bundle.name), "things": .text(removal.stays.joined(separator: ", "))],
            undo: .init(action: "/bundles/\(bundle.id)/restoration"))
    }

    private static func givingPage(_ visit: Visit, _ batch: Batch) throws -> HTML {
        let rows = try visit.realRows()
        let (view, heldBack) = try visit.quire.bundles.preview(
            of: batch.id, realRows: rows, by: visit.member())
        return Pages.giving(
            visit.frame,
            GivingPage(
                batch: try visit.line(of: batch), content: view, heldBack: heldBack.sorted, realRows: rows))
    }
}

extension Set<Bundles.HeldBack> {
    var sorted: [Bundles.HeldBack] { Bundles.HeldBack.allCases.filter(contains) }
}

extension Visit {
    func bundle() throws -> KeptBundle {
        try quire.bundles.get(id(of: "bundle"), by: member())
    }

    func realRows() throws(Failure) -> Int {
        guard let text = request.query["realRows"], !text.isEmpty else { return 0 }
        guard let count = Int(text) else {
            throw Failure(.invalid, "Say with a number how many rows go along.", field: "realRows")
        }
        return count
    }

    fileprivate func json(of bundle: KeptBundle) throws -> JSON {
        var json = bundle.json
        json["content"] = try quire.bundles.view(bundle, by: member()).json
        json["known"] = .bool(bundle.isKept)
        return json
    }

    fileprivate func bundlePage(_ bundle: KeptBundle) throws -> BundlePage {
        let caller = try member()
        return BundlePage(
            id: bundle.id.text, content: try quire.bundles.view(bundle, by: caller), isKept: bundle.isKept,
            isRemoved: bundle.removedAt != nil,
            batches: try bundle.brought.batches.compactMap { try? quire.batches.get($0, by: caller) }
                .filter { !$0.isTrashed }.map { try line(of: $0) })
    }
}
