import Access
import Bytes
import SQL
public import Storage
import Work

extension Documents {
    public func folderIDs(in desk: borrowing some Readable & ~Copyable) throws -> [String] {
        try desk.rows("SELECT id FROM folder ORDER BY id").map { try $0.text("id") }
    }

    /// A folder as another desk is told of it; nil when it is not here.
    public func copy(
        of id: ID<Folder>, in desk: borrowing some Readable & ~Copyable
    ) throws -> FolderCopy? {
        guard let row = try desk.row("SELECT * FROM folder WHERE id = \(id)") else { return nil }
        let folder = try Folder(row)
        return FolderCopy(
            name: folder.name, parent: folder.parent, madeAt: folder.madeAt, trashedAt: folder.trashedAt,
            trashedWith: try row.optionalText("trashed_with").flatMap(ID.init), isPrivate: folder.isPrivate)
    }

    /// The folder of that name in that place, not the one asked for itself, that is not in the trash.
    public func folder(
        named name: String, in parent: ID<Folder>?, otherThan id: ID<Folder>,
        in desk: borrowing some Readable & ~Copyable
    ) throws -> ID<Folder>? {
        guard let name = Self.folderName(name) else { return nil }
        return try desk.row(
            """
            SELECT id FROM folder WHERE COALESCE(parent, '') = \(parent?.text ?? "")
                AND name_order = \(FileName.order(name)) AND trashed_at IS NULL AND id <> \(id)
            """
        ).map { try $0.id("id") }
    }

    /// Makes a folder what another desk says it is. That its place is free, and that it does not come to lie in itself,
    /// is for the caller to look at first.
    public func put(
        _ copy: FolderCopy, as id: ID<Folder>, by actor: String, in tx: borrowing Transaction
    ) throws {
        guard let name = Self.folderName(copy.name) else {
            throw Failure(.invalid, "A folder needs a name.", field: "name")
        }
        let before = try self.copy(of: id, in: tx)
        guard before != copy else { return }
        try tx.run(
            """
            INSERT INTO folder (id, name, name_order, parent, made_at, made_by, trashed_at, trashed_with,
                is_private)
            VALUES (\(id), \(name), \(FileName.order(name)), \(copy.parent?.text), \(copy.madeAt), \(actor),
                \(copy.trashedAt), \(copy.trashedWith?.text), \(copy.isPrivate ? 1 : 0))
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, name_order = excluded.name_order,
                parent = excluded.parent, trashed_at = excluded.trashed_at, trashed_with = excluded.trashed_with,
                is_private = excluded.is_private
            """)
        if try copy.isPrivate || before?.isPrivate == true || hasHidden(in: tx) { try settlePrivacy(in: tx) }
        let verb =
            before == nil
            ? "folder.made"
            : (before?.trashedAt == nil) == (copy.trashedAt == nil)
                ? "folder.changed" : copy.trashedAt == nil ? "folder.restored" : "folder.trashed"
        tx.note(verb, "folder/\(id)", by: actor, ["name": .string(name)])
    }

    /// Whether papers or folders that are not in the trash lie in this one.
    public func holdsSomething(
        _ id: ID<Folder>, in desk: borrowing some Readable & ~Copyable
    ) throws -> Bool {
        try desk.row("SELECT 1 AS one FROM document WHERE folder = \(id) AND trashed_at IS NULL LIMIT 1")
            != nil
            || desk.row("SELECT 1 AS one FROM folder WHERE parent = \(id) AND trashed_at IS NULL LIMIT 1")
                != nil
    }

    /// Everything in the one lies in the other from then on.
    public func moveAll(
        from id: ID<Folder>, to other: ID<Folder>, by actor: String, in tx: borrowing Transaction
    ) throws -> (papers: [ID<Document>], folders: [ID<Folder>]) {
        let papers = try tx.rows("SELECT * FROM document WHERE folder = \(id)").map(Document.init)
        for paper in papers {
            _ = try file(paper, as: Filing(folder: .some(other)), actor: actor, in: tx)
        }
        for (table, column) in [
            ("retention_rule", "folder"), ("filing_rule", "from_folder"), ("filing_rule", "to_folder"),
        ] {
            try tx.run("UPDATE \(raw: table) SET \(raw: column) = \(other) WHERE \(raw: column) = \(id)")
        }
        let folders: [ID<Folder>] = try tx.rows("SELECT id FROM folder WHERE parent = \(id)").map {
            try $0.id("id")
        }
        return (papers.map(\.id), folders)
    }

    /// Takes an empty folder away for good. False when something still lies in it, in the trash or not.
    @discardableResult
    public func forget(_ id: ID<Folder>, by actor: String, in tx: borrowing Transaction) throws -> Bool {
        guard let copy = try copy(of: id, in: tx) else { return true }
        let isHeld: Query = """
            EXISTS (SELECT 1 FROM document WHERE folder = \(id))
            OR EXISTS (SELECT 1 FROM folder AS inner_one WHERE inner_one.parent = \(id))
            """
        guard try tx.run("DELETE FROM folder WHERE id = \(id) AND NOT (\(isHeld))") > 0 else { return false }
        tx.note("folder.trashed", "folder/\(id)", by: actor, ["name": .string(copy.name)])
        return true
    }
}
