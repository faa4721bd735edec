import Access
import App
import Bytes
import HTTP
import Library
import Markup
import People
import Storage

// What a desk writes on its papers beyond name, day, tags and note.

extension Site {
    static let fieldActions: [Action] = [
        Action(
            .get, "/fields", .member(.view),
            .init(
                "List the desk's fields", description: "With how many documents each is written on.",
                tag: "Folders and tags", answers: [.ok("FieldList", "All of them")])
        ) { visit in
            let fields = try visit.quire.documents.fields(by: try visit.member())
            guard !visit.wantsPage else { return visit.goes(to: "/tags#fields") }
            return .json(["fields": .array(fields.map(\.json))]).with("Cache-Control", "private, no-cache")
        },
        Action(
            .post, "/fields", .member(.edit),
            .init(
                "Make a field", tag: "Folders and tags",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [
                                ("name", Schema.name),
                                ("kind", Schema.choice(PaperField.Kind.allCases.map(\.rawValue))),
                            ], optional: ["kind"]))
                ], answers: [.made("Field", "It can be written on documents")])
        ) { visit in
            let input = try visit.input
            guard let kind = PaperField.Kind(rawValue: try input.text("kind") ?? "text") else {
                throw Failure(.invalid, "A field holds text, number or date.", field: "kind")
            }
            let field = try visit.quire.documents.addField(
                named: try input.requiredText("name"), kind, by: try visit.member())
            return visit.done(
                field.json, .created, at: "/fields/\(field.id)", next: "/tags#fields", notice: "notice.field",
                ["name": .text(field.name)])
        },
        Action(
            .patch, "/fields/{id}", .member(.edit),
            .init(
                "Rename a field", tag: "Folders and tags",
                requestBody: [.init(.json, Schema.object([("name", Schema.name)]))],
                answers: [.init(.noContent, "It is called this now")])
        ) { visit in
            let name = try visit.input.requiredText("name")
            try visit.quire.documents.renameField(visit.id(of: "field"), to: name, by: try visit.member())
            return visit.done(
                [:], .noContent, next: "/tags#fields", notice: "notice.renamed", ["name": .text(name)])
        },
        Action(
            .delete, "/fields/{id}", .member(.edit),
            .init(
                "Remove a field with all that is written in it", tag: "Folders and tags",
                answers: [.init(.noContent, "It is gone")])
        ) { visit in
            try visit.quire.documents.removeField(visit.id(of: "field"), by: try visit.member())
            return visit.done([:], .noContent, next: "/tags#fields", notice: "notice.fieldRemoved")
        },
    ]
}

extension Visit {
    /// Names as people write them; who is called like a contact is that contact.
    func people(_ names: [String]) throws -> [PaperPerson] {
        let caller = try member()
        return try names.map { name in
            let found = try quire.contacts.page(search: name, limit: 10, by: caller).contacts
            let same = found.first { $0.name.lowercased() == name.lowercased() }
            return PaperPerson(name: same?.name ?? name, contact: same?.id.text ?? "")
        }
    }
}

extension PaperField {
    var json: JSON {
        [
            "id": .string(id.text), "name": .string(name), "kind": .string(kind.rawValue),
            "documents": .int(paperCount),
        ]
    }
}
