import Access
import App
import Bytes
import Filling
import HTTP
import Markup
import PDF
import PDFForms
import PDFReading
import Storage

extension Site {
    static let editionActions: [Action] = [
        Action(
            .post, "/templates/{id}/editions", .member(.edit),
            .init(
                "Take in a new edition of a form",
                description:
                    "A form with the PDF in `file`. What was matched moves over to the fields that are still there.",
                tag: "Templates",
                requestBody: [
                    .init(
                        .multipart,
                        Schema.object(
                            [("file", ["type": "string", "format": "binary"]), ("password", Schema.string)],
                            optional: ["password"]))
                ], answers: [.made("Comparison", "What changed, field by field")]),
            body: .upload(limit: Int64(Templates.longestFile))
        ) { visit in
            let caller = try visit.member()
            let before = try visit.template()
            let arrival = try Arrival(visit)
            guard let file = arrival.files.first else {
                throw Failure(.invalid, "Choose a PDF.", field: "file")
            }
            let password = try arrival.input.text("password").flatMap { $0.isEmpty ? nil : $0 }
            let source: Templates.Source = file.path.map { .upload($0) } ?? .bytes(file.bytes ?? [])
            let after = try visit.quire.templates.replace(
                before.id, with: source, named: file.name, password: password, by: caller
            ).template
            guard after.edition.number != before.edition.number else {
                throw Failure(.conflict, "This file is the edition in use already.", field: "file")
            }
            let comparison = try visit.comparison(after, with: before.edition.number)
            let moved = try visit.quire.mappings.follow(
                after.id, from: before.edition.number, names: comparison.names, by: caller)
            let address = "/templates/\(after.id)/comparison?with=\(before.edition.number)"
            return visit.done(
                comparison.json(before.edition.number, after.edition.number, moved), .created, at: address,
                next: address, notice: "notice.edition", ["number": .number(after.edition.number)],
                undo: .template(after.id, ["edition": String(before.edition.number)]))
        },
        Action(
            .get, "/templates/{id}/comparison", .member(.view),
            .init(
                "Compare two editions of a form", tag: "Templates",
                parameters: [
                    .init(
                        "with", "The other edition; without it the one before",
                        schema: Schema.integer(1, 100_000))
                ], answers: [.ok("Comparison", "What changed, field by field")])
        ) { visit in
            let template = try visit.template()
            let other = visit.request.query["with"].flatMap(Int.init) ?? max(1, template.edition.number - 1)
            let comparison = try visit.comparison(template, with: other)
            let followed = try visit.quire.mappings.all(of: template.id, by: visit.member()).filter {
                $0.edition == template.edition.number
            }.map { SavedMappings.followed($0) }
            return try visit.show(comparison.json(other, template.edition.number, followed)) {
                Pages.comparison(visit.frame, comparison.page(visit, template, other, followed))
            }
        },
    ]
}

extension Visit {
    func comparison(_ template: Template, with other: Int) throws -> FormComparison {
        guard other != template.edition.number else {
            throw Failure(.notFound, "There is no other edition to compare with.", field: "with")
        }
        let reader = PageReader(jail: quire.jail)
        func edition(_ number: Int) throws -> FormEdition {
            let found = try quire.templates.file(template.id, edition: number, by: member())
            return try Templates.explained {
                try FormEdition(
                    bytes: quire.store.blobs.read(found.edition.blob.digest),
                    reader: PageReader.isReady ? reader : nil)
            }
        }
        return FormComparison(old: try edition(other), new: try edition(template.edition.number))
    }
}

extension FormComparison {
    /// What each field is called now, where that is certain.
    var names: [String: String] {
        Dictionary(
            matches.filter { $0.confidence >= Self.sure }.map { ($0.old, $0.new) }, uniquingKeysWith: { $1 })
    }

    func json(_ before: Int, _ after: Int, _ followed: [SavedMappings.Followed]) -> JSON {
        [
            "before": .int(before), "after": .int(after), "same": .bool(isSame),
            "matches": .array(
                matches.map {
                    [
                        "before": .string($0.old), "after": .string($0.new),
                        "confidence": .number($0.confidence), "sure": .bool($0.confidence >= Self.sure),
                        "changes": .texts($0.changes.map(\.sentence)),
                    ]
                }), "gone": .texts(gone), "added": .texts(added),
            "mappings": .array(
                followed.map {
                    [
                        "id": .string($0.mapping.id.text), "name": .string($0.mapping.name),
                        "kept": .int($0.kept), "lost": .texts($0.lost),
                    ]
                }),
        ]
    }

    func page(
        _ visit: Visit, _ template: Template, _ before: Int, _ followed: [SavedMappings.Followed]
    ) -> ComparisonPage {
        typealias Change = ComparisonPage.Change
        var changes: [Change] = []
        var same = 0
        for match in matches {
            guard !match.changes.isEmpty || match.confidence < Self.sure else {
                same += 1
                continue
            }
            let kind: Change.Kind =
                match.confidence < Self.sure
                ? .unsure
                : match.changes.contains(.renamed)
                    ? .renamed
                    : match.changes.contains {
                        if case .kind = $0 { true } else { false }
                    } ? .changed : .moved
            changes.append(
                Change(
                    kind: kind, before: match.old, after: match.new,
                    confidence: Int((match.confidence * 100).rounded()),
                    reason: match.changes.map { visit.texts.said($0.sentence) }.joined(separator: " ")))
        }
        changes += added.map {
            Change(kind: .added, before: "", after: $0, reason: visit.texts("comparison.added.why"))
        }
        changes += gone.map {
            Change(kind: .gone, before: $0, after: "", reason: visit.texts("comparison.gone.why"))
        }
        return ComparisonPage(
            line: TemplateLine(template), before: before, after: template.edition.number, sameCount: same,
            changes: changes,
            mappings: followed.map { .init(mapping: $0.mapping.name, kept: $0.kept, lost: $0.lost) })
    }
}
