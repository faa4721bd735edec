public import Access
import Bytes
import SQL
public import Storage
import Work

extension Documents {
    public static let mostFields = 100
    public static let mostPeople = 50

    /// The fields of this desk by name, with how many papers they are written on.
    public func fields(by caller: Caller) throws -> [PaperField] {
        try caller.require(.view)
        return try store.read { desk in
            let shown: Query = try shown(to: caller, in: desk).map { " AND " + $0 } ?? ""
            let rows = try desk.rows(
                """
                SELECT paper_field.id AS id, paper_field.name AS name, paper_field.kind AS kind, count(document.id) AS n
                FROM paper_field LEFT JOIN document_value ON document_value.field = paper_field.id
                LEFT JOIN document ON document.id = document_value.document AND document.trashed_at IS NULL\(shown)
                GROUP BY paper_field.id, paper_field.name, paper_field.kind, paper_field.folded
                ORDER BY paper_field.folded, paper_field.id
                """)
            return try rows.map(Self.field)
        }
    }

    @discardableResult
    public func addField(
        named name: String, _ kind: PaperField.Kind, by caller: Caller
    ) throws -> PaperField {
        try caller.require(.edit)
        let name = try fieldName(name)
        return try store.write { tx in
            let count = try tx.row("SELECT count(*) AS n FROM paper_field")
            guard try count?.int("n") ?? 0 < Self.mostFields else {
                throw Failure(.tooMany, "There are \(Self.mostFields) fields already, as many as can be.")
            }
            try checkIsFree(name, nil, in: tx)
            let id: ID<PaperField> = tx.newID()
            try tx.run(
                """
                INSERT INTO paper_field (id, name, folded, kind, made_at)
                VALUES (\(id), \(name), \(Tag.folded(name)), \(kind.rawValue), \(tx.now))
                """)
            tx.note("field.made", "field/\(id)", by: caller.actor, ["name": .string(name)])
            return PaperField(id: id, name: name, kind: kind, paperCount: 0)
        }
    }

    /// What is written in it stays.
    public func renameField(_ id: ID<PaperField>, to name: String, by caller: Caller) throws {
        try caller.require(.edit)
        let name = try fieldName(name)
        try store.write { tx in
            guard try tx.row("SELECT id FROM paper_field WHERE id = \(id)") != nil else { throw noField }
            try checkIsFree(name, id, in: tx)
            try tx.run("UPDATE paper_field SET name = \(name), folded = \(Tag.folded(name)) WHERE id = \(id)")
            try rewriteLabels(wearing: id, in: tx)
            tx.note("field.renamed", "field/\(id)", by: caller.actor, ["name": .string(name)])
        }
    }

    /// With all that is written in it.
    public func removeField(_ id: ID<PaperField>, by caller: Caller) throws {
        try caller.require(.edit)
        try store.write { tx in
            guard let row = try tx.row("SELECT name FROM paper_field WHERE id = \(id)") else { throw noField }
            let papers = try tx.rows("SELECT document FROM document_value WHERE field = \(id)")
            try tx.run("DELETE FROM document_value WHERE field = \(id)")
            try tx.run("DELETE FROM paper_field WHERE id = \(id)")
            for paper in papers { try Self.writeLabel(of: try paper.id("document"), in: tx) }
            tx.note("field.removed", "field/\(id)", by: caller.actor, ["name": .string(try row.text("name"))])
        }
    }

    /// The papers somebody has to do with, by the contact they are.
    public func papers(ofContact contact: String, limit: Int = 50, by caller: Caller) throws -> [Document] {
        try caller.require(.view)
        return try store.read { desk in
            let shown: Query = try shown(to: caller, in: desk).map { " AND " + $0 } ?? ""
            return try desk.rows(
                """
                SELECT document.* FROM document JOIN document_person ON document_person.document = document.id
                WHERE document_person.contact = \(contact) AND trashed_at IS NULL\(shown)
                ORDER BY added_at DESC, id DESC LIMIT \(limit)
                """
            ).map(Document.init)
        }
    }

    /// Writes values on a paper; an empty one is wiped off.
    func write(
        _ values: [PaperValue], on id: ID<Document>, in tx: borrowing Transaction
    ) throws {
        for value in values {
            guard
                let row = try tx.row(
                    "SELECT id, name, kind FROM paper_field WHERE folded = \(Tag.folded(value.field))")
            else {
                throw Failure(.invalid, "There is no field “\(value.field)”. Make it first.", field: "fields")
            }
            let field: ID<PaperField> = try row.id("id")
            guard !value.value.allSatisfy(\.isWhitespace) else {
                try tx.run("DELETE FROM document_value WHERE document = \(id) AND field = \(field)")
                continue
            }
            let kind = PaperField.Kind(rawValue: try row.text("kind")) ?? .text
            guard let cleaned = kind.cleaned(value.value) else {
                let what = kind == .date ? "a day as 2026-11-21" : "a number"
                throw Failure(
                    .invalid, "“\(value.value)” in “\(try row.text("name"))” is not \(what).", field: "fields"
                )
            }
            try tx.run(
                """
                INSERT INTO document_value (document, field, value, value_order)
                VALUES (\(id), \(field), \(cleaned), \(kind.order(cleaned)))
                ON CONFLICT (document, field) DO UPDATE SET value = excluded.value, value_order = excluded.value_order
                """)
        }
    }

    /// All the people a paper has to do with; those that are not named any more go.
    func write(
        _ people: [PaperPerson], on id: ID<Document>, in tx: borrowing Transaction
    ) throws {
        guard people.count <= Self.mostPeople else {
            throw Failure(
                .tooMany, "A paper has to do with at most \(Self.mostPeople) people.", field: "people")
        }
        try tx.run("DELETE FROM document_person WHERE document = \(id)")
        for person in people {
            guard let name = Tag.cleaned(person.name) else { continue }
            try tx.run(
                """
                INSERT INTO document_person (document, folded, name, contact)
                VALUES (\(id), \(Tag.folded(name)), \(name), \(person.contact))
                ON CONFLICT (document, folded) DO NOTHING
                """)
        }
    }

    private func rewriteLabels(wearing field: ID<PaperField>, in tx: borrowing Transaction) throws {
        for paper in try tx.rows("SELECT document FROM document_value WHERE field = \(field)") {
            try Self.writeLabel(of: try paper.id("document"), in: tx)
        }
    }

    private func checkIsFree(
        _ name: String, _ id: ID<PaperField>?, in tx: borrowing Transaction
    ) throws {
        let taken = try tx.row("SELECT id FROM paper_field WHERE folded = \(Tag.folded(name))")
        guard let taken else { return }
        guard try taken.text("id") == id?.text else {
            throw Failure(.conflict, "There is a field “\(name)” already.", field: "name")
        }
    }

    private func fieldName(_ text: String) throws -> String {
        // A colon or a comparison behind the name is how the search asks for it.
        let plain = text.map { ":<>=\"".contains($0) ? " " : String($0) }.joined()
        guard let name = Tag.cleaned(plain), !PaperField.isReserved(name) else {
            throw Failure(.invalid, "A field needs a name of its own.", field: "name")
        }
        return name
    }

    private static func field(_ row: Row) throws -> PaperField {
        PaperField(
            id: try row.id("id"), name: try row.text("name"),
            kind: PaperField.Kind(rawValue: try row.text("kind")) ?? .text, paperCount: try row.int("n"))
    }

    private var noField: Failure { Failure(.notFound, "There is no such field. It may have been removed.") }
}
