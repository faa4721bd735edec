public import Bytes
import Library
import SQL
public import Storage
public import Work

/// A form as another desk is told of it: what it is called and the file it has now.
public struct TemplateCopy: Sendable, Equatable {
    public var name: String
    public var folder: String
    public var blob: Blob
    /// What was found in the file when it was taken in, so that nobody has to look into it again.
    public var findings: JSON
    public var addedAt: Moment
    public var addedByName: String
    public var changedAt: Moment
    public var trashedAt: Moment?

    public init(
        name: String, folder: String, blob: Blob, findings: JSON, addedAt: Moment, addedByName: String,
        changedAt: Moment, trashedAt: Moment? = nil
    ) {
        self.name = name
        self.folder = folder
        self.blob = blob
        self.findings = findings
        self.addedAt = addedAt
        self.addedByName = addedByName
        self.changedAt = changedAt
        self.trashedAt = trashedAt
    }
}

extension Templates {
    public func templateIDs(
        after last: String, limit: Int, in desk: borrowing some Readable & ~Copyable
    ) throws -> [String] {
        try desk.rows("SELECT id FROM template WHERE id > \(last) ORDER BY id LIMIT \(limit)").map {
            try $0.text("id")
        }
    }

    /// Nil when it is not here.
    public func copy(
        of id: ID<Template>, in desk: borrowing some Readable & ~Copyable
    ) throws -> TemplateCopy? {
        guard
            let row = try desk.row(
                """
                SELECT t.*, e.report AS report, e.labels AS labels, \(TemplateEdition.selection) \(Self.origin)
                WHERE t.id = \(id)
                """)
        else { return nil }
        let template = try Template(row)
        let edition = template.edition
        return TemplateCopy(
            name: template.name, folder: template.folder, blob: edition.blob,
            findings: [
                "file": .string(edition.fileName), "pages": .int(edition.pageCount),
                "fields": .int(edition.fieldCount), "fillable": .bool(edition.canBeFilled),
                "report": try row.json("report"), "labels": try row.json("labels"),
            ], addedAt: template.addedAt, addedByName: template.addedByName, changedAt: template.changedAt,
            trashedAt: template.trashedAt)
    }

    /// Makes a form what another desk says it is, under the id it has there. Its file lies on the shelf already; another
    /// file is another edition, and those there were stay.
    public func put(
        _ copy: TemplateCopy, as id: ID<Template>, by actor: String, in tx: borrowing Transaction
    ) throws {
        guard let name = FileName.cleaned(copy.name) else {
            throw Failure(.invalid, "A template needs a name.", field: "name")
        }
        let folder = try Self.folder(copy.folder)
        let before = try self.copy(of: id, in: tx)
        if before == nil {
            try tx.run(
                """
                INSERT INTO template (id, name, name_order, name_search, folder, edition, added_at, added_by,
                    added_by_name, changed_at)
                VALUES (\(id), \(name), \(FileName.order(name)), \(FileName.search(name)), \(folder), 1,
                    \(copy.addedAt), \(actor), \(copy.addedByName), \(tx.now))
                """)
        }
        if before?.blob.digest != copy.blob.digest {
            let number = try edition(copy, of: id, by: actor, in: tx)
            try tx.run("UPDATE template SET edition = \(number) WHERE id = \(id)")
        }
        try tx.run(
            """
            UPDATE template SET name = \(name), name_order = \(FileName.order(name)),
                name_search = \(FileName.search(name)), folder = \(folder), trashed_at = \(copy.trashedAt),
                changed_at = \(tx.now)
            WHERE id = \(id)
            """)
        let act: TemplateChange.Act =
            before == nil
            ? .added
            : before?.blob.digest != copy.blob.digest
                ? .replaced
                : (before?.trashedAt == nil) == (copy.trashedAt == nil)
                    ? .renamed : copy.trashedAt == nil ? .restored : .trashed
        record(act, try find(id, in: tx), by: actor, in: tx)
    }

    /// Removes a form for good that another desk removed for good, with its mappings.
    public func forget(_ id: ID<Template>, by actor: String, in tx: borrowing Transaction) throws {
        guard try copy(of: id, in: tx) != nil else { return }
        try remove(try find(id, in: tx), by: actor, in: tx)
    }

    private func edition(
        _ copy: TemplateCopy, of id: ID<Template>, by actor: String, in tx: borrowing Transaction
    ) throws -> Int {
        let there = try tx.row(
            """
            SELECT number FROM template_edition WHERE template = \(id) AND digest = \(copy.blob.digest)
            ORDER BY number DESC LIMIT 1
            """)
        if let there { return try there.int("number") }
        let last = try tx.row("SELECT max(number) AS last FROM template_edition WHERE template = \(id)")
        let number = (try last?.optionalInteger("last")).map { Int($0) + 1 } ?? 1
        let found = copy.findings
        let fileName = found["file"]?.string.flatMap(FileName.cleaned) ?? FileName.unnamed
        try tx.run(
            """
            INSERT INTO template_edition (template, number, digest, byte_count, file_name, page_count, field_count,
                can_be_filled, report, labels, added_at, added_by, added_by_name)
            VALUES (\(id), \(number), \(copy.blob.digest), \(try tx.keep(copy.blob.digest)), \(fileName),
                \(found["pages"]?.int ?? 0), \(found["fields"]?.int ?? 0), \(found["fillable"]?.bool ?? false),
                \((found["report"] ?? [:]).text), \((found["labels"] ?? []).text), \(tx.now), \(actor),
                \(copy.addedByName))
            """)
        return number
    }
}
