import Bytes
import Library
import SQL
public import Storage
public import Work

/// A mapping as another desk is told of it.
public struct MappingCopy: Sendable, Equatable {
    public var template: ID<Template>
    public var name: String
    public var text: String
    /// The file of the form that it was written for.
    public var form: Digest?
    public var addedAt: Moment
    public var addedByName: String
    public var changedAt: Moment
    public var trashedAt: Moment?

    public init(
        template: ID<Template>, name: String, text: String, form: Digest?, addedAt: Moment,
        addedByName: String,
        changedAt: Moment, trashedAt: Moment? = nil
    ) {
        self.template = template
        self.name = name
        self.text = text
        self.form = form
        self.addedAt = addedAt
        self.addedByName = addedByName
        self.changedAt = changedAt
        self.trashedAt = trashedAt
    }
}

extension SavedMappings {
    public func mappingIDs(
        after last: String, limit: Int, in desk: borrowing some Readable & ~Copyable
    ) throws -> [String] {
        try desk.rows("SELECT id FROM mapping WHERE id > \(last) ORDER BY id LIMIT \(limit)").map {
            try $0.text("id")
        }
    }

    /// Nil when it is not here.
    public func copy(
        of id: ID<SavedMapping>, in desk: borrowing some Readable & ~Copyable
    ) throws -> MappingCopy? {
        guard let row = try desk.row("SELECT * FROM mapping WHERE id = \(id)") else { return nil }
        let mapping = try SavedMapping(row)
        let form = try desk.row(
            "SELECT digest FROM template_edition WHERE template = \(mapping.template) AND number = \(mapping.edition)"
        )
        return MappingCopy(
            template: mapping.template, name: mapping.name, text: mapping.text,
            form: try form?.digest("digest"),
            addedAt: mapping.addedAt, addedByName: mapping.addedByName, changedAt: mapping.changedAt,
            trashedAt: mapping.trashedAt)
    }

    /// Makes a mapping what another desk says it is, under the id it has there.
    public func put(
        _ copy: MappingCopy, as id: ID<SavedMapping>, by actor: String, in tx: borrowing Transaction
    ) throws {
        guard let name = FileName.cleaned(copy.name) else {
            throw Failure(.invalid, "A mapping needs a name.", field: "name")
        }
        try check(copy.text)
        guard let template = try tx.row("SELECT edition FROM template WHERE id = \(copy.template)") else {
            throw Failure(.notFound, "The form that the mapping “\(name)” belongs to is not here.")
        }
        let wanted = try copy.form.flatMap { form in
            try tx.row(
                """
                SELECT number FROM template_edition WHERE template = \(copy.template) AND digest = \(form)
                ORDER BY number DESC LIMIT 1
                """
            )?.int("number")
        }
        let edition = try wanted ?? template.int("edition")
        let before = try self.copy(of: id, in: tx)
        try tx.run(
            """
            INSERT INTO mapping (id, template, name, name_order, text, edition, version, added_at, added_by,
                added_by_name, changed_at, trashed_at)
            VALUES (\(id), \(copy.template), \(name), \(FileName.order(name)), \(copy.text), \(edition), 1,
                \(copy.addedAt), \(actor), \(copy.addedByName), \(tx.now), \(copy.trashedAt))
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, name_order = excluded.name_order,
                text = excluded.text, edition = excluded.edition,
                version = mapping.version + \(before?.text == copy.text ? 0 : 1),
                changed_at = excluded.changed_at, trashed_at = excluded.trashed_at
            """)
        tx.note(
            before == nil ? "mapping.added" : "mapping.changed", "mapping/\(id)", by: actor,
            ["name": .string(name), "template": .string(copy.template.text)])
    }

    /// Removes a mapping for good that another desk removed for good.
    public func forget(_ id: ID<SavedMapping>, by actor: String, in tx: borrowing Transaction) throws {
        guard let mapping = try copy(of: id, in: tx) else { return }
        try tx.run("DELETE FROM mapping WHERE id = \(id)")
        tx.note("mapping.purged", "mapping/\(id)", by: actor, ["name": .string(mapping.name)])
    }
}
