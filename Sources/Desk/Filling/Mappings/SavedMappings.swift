public import Access
import Bytes
import Library
import SQL
public import Storage

/// The mappings of the desk's templates, several for each if need be.
///
/// ```swift
/// let mapping = try mappings.save(text, named: "School list", for: template, by: caller)
/// try mappings.change(mapping.id, text: edited, ifVersion: mapping.version, by: caller)
/// ```
public struct SavedMappings: Sendable {
    public static let longestText = 1 << 20

    let templates: Templates
    var store: Store { templates.store }

    public init(_ templates: Templates) {
        self.templates = templates
    }

    /// Those of one template, by name.
    public func all(
        of template: ID<Template>, inTrash isTrash: Bool = false, by caller: Caller
    ) throws -> [SavedMapping] {
        try caller.require(.view)
        let which: Query = isTrash ? "trashed_at IS NOT NULL" : "trashed_at IS NULL"
        return try store.read { desk in
            _ = try templates.find(template, in: desk)
            return try desk.rows(
                "SELECT * FROM mapping WHERE template = \(template) AND \(which) ORDER BY name_order, id"
            ).map(SavedMapping.init)
        }
    }

    public func get(_ id: ID<SavedMapping>, by caller: Caller) throws -> SavedMapping {
        try caller.require(.view)
        return try store.read { desk in try find(id, in: desk) }
    }

    /// A new mapping for the template's current edition. A name that is taken gets a number.
    public func save(
        _ text: String, named name: String? = nil, for template: ID<Template>, by caller: Caller
    ) throws -> SavedMapping {
        try caller.require(.edit)
        try check(text)
        return try store.write { tx in
            let found = try templates.find(template, in: tx)
            guard !found.isTrashed else {
                throw Failure(.conflict, "This template lies in the trash. Bring it back first.")
            }
            let name = try free(
                name.flatMap { FileName.cleaned(FileName.safe($0)) } ?? "Mapping", of: template, in: tx)
            let id: ID<SavedMapping> = tx.newID()
            try tx.run(
                """
                INSERT INTO mapping (id, template, name, name_order, text, edition, version, added_at, added_by,
                    added_by_name, changed_at)
                VALUES (\(id), \(template), \(name), \(FileName.order(name)), \(text), \(found.edition.number), 1,
                    \(tx.now), \(caller.actor), \(caller.name), \(tx.now))
                """)
            let mapping = try find(id, in: tx)
            note("added", mapping, by: caller, in: tx)
            return mapping
        }
    }

    /// Changes the text, the name or both. With `ifVersion`, only when nobody else has changed it since.
    @discardableResult
    public func change(
        _ id: ID<SavedMapping>, text: String? = nil, name: String? = nil, ifVersion: Int? = nil,
        by caller: Caller
    ) throws -> SavedMapping {
        try change(id, text: text, name: name, ifVersion: ifVersion, isForNewEdition: false, by: caller)
    }

    /// `isForNewEdition`: it was moved over to the form's current edition, even if not one letter of it changed.
    func change(
        _ id: ID<SavedMapping>, text: String?, name: String?, ifVersion: Int?, isForNewEdition: Bool,
        by caller: Caller
    ) throws -> SavedMapping {
        try caller.require(.edit)
        if let text { try check(text) }
        return try store.write { tx in
            let before = try find(id, in: tx)
            guard !before.isTrashed else {
                throw Failure(.conflict, "This mapping lies in the trash. Bring it back first.")
            }
            guard ifVersion == nil || ifVersion == before.version else {
                throw Failure(.conflict, "Somebody else has changed this mapping meanwhile. Load it again.")
            }
            var after = before
            if let name {
                guard let clean = FileName.cleaned(FileName.safe(name)) else {
                    throw Failure(.invalid, "A mapping needs a name.", field: "name")
                }
                if clean != before.name { after.name = try free(clean, of: before.template, in: tx) }
            }
            if let text, text != before.text || isForNewEdition {
                after.text = text
                after.version += text == before.text ? 0 : 1
                after.edition = try templates.find(before.template, in: tx).edition.number
            }
            guard after != before else { return before }
            if after.edition != before.edition { try Self.keep(before, in: tx) }
            try tx.run(
                """
                UPDATE mapping SET name = \(after.name), name_order = \(FileName.order(after.name)),
                    text = \(after.text), version = \(after.version), edition = \(after.edition),
                    changed_at = \(tx.now)
                WHERE id = \(id)
                """)
            let mapping = try find(id, in: tx)
            note("changed", mapping, by: caller, in: tx)
            return mapping
        }
    }

    /// Takes a mapping away; `restore` brings it back.
    @discardableResult
    public func trash(_ id: ID<SavedMapping>, by caller: Caller) throws -> SavedMapping {
        try put(id, inTrash: true, by: caller)
    }

    @discardableResult
    public func restore(_ id: ID<SavedMapping>, by caller: Caller) throws -> SavedMapping {
        try put(id, inTrash: false, by: caller)
    }

    private func put(_ id: ID<SavedMapping>, inTrash isTrash: Bool, by caller: Caller) throws -> SavedMapping
    {
        try caller.require(.edit)
        return try store.write { tx in
            let mapping = try find(id, in: tx)
            guard mapping.isTrashed != isTrash else { return mapping }
            try tx.run(
                "UPDATE mapping SET trashed_at = \(isTrash ? tx.now : nil), changed_at = \(tx.now) WHERE id = \(id)"
            )
            note(isTrash ? "trashed" : "restored", mapping, by: caller, in: tx)
            return try find(id, in: tx)
        }
    }

    /// Remembers what a mapping says for its edition, for when the form goes back to that.
    private static func keep(_ mapping: SavedMapping, in tx: borrowing Transaction) throws {
        try tx.run(
            """
            INSERT INTO mapping_of_edition (mapping, edition, text)
            VALUES (\(mapping.id), \(mapping.edition), \(mapping.text))
            ON CONFLICT (mapping, edition) DO UPDATE SET text = excluded.text
            """)
    }

    /// The form has another edition again: its mappings say again what they said for that. Those that were never
    /// written for it stay as they are.
    static func follow(
        _ template: ID<Template>, backTo edition: Int, in tx: borrowing Transaction
    ) throws {
        let mappings = try tx.rows(
            "SELECT * FROM mapping WHERE template = \(template) AND edition != \(edition)"
        ).map(SavedMapping.init)
        for mapping in mappings {
            let kept = try tx.row(
                "SELECT text FROM mapping_of_edition WHERE mapping = \(mapping.id) AND edition = \(edition)")
            guard let text = try kept?.text("text") else { continue }
            try keep(mapping, in: tx)
            try tx.run(
                """
                UPDATE mapping SET text = \(text), edition = \(edition), version = version + 1,
                    changed_at = \(tx.now)
                WHERE id = \(mapping.id)
                """)
        }
    }

    func find(
        _ id: ID<SavedMapping>, in desk: borrowing some Readable & ~Copyable
    ) throws -> SavedMapping {
        guard let row = try desk.row("SELECT * FROM mapping WHERE id = \(id)") else {
            throw Failure(.notFound, "There is no such mapping. It may have been removed.")
        }
        return try SavedMapping(row)
    }

    func check(_ text: String) throws {
        guard text.utf8.count <= Self.longestText, !text.utf8.contains(0) else {
            throw Failure(.tooLarge, "A mapping may have up to one megabyte of text.", field: "text")
        }
    }

    private func free(
        _ name: String, of template: ID<Template>, in tx: borrowing Transaction
    ) throws -> String {
        let taken = try Set(
            tx.rows("SELECT name FROM mapping WHERE template = \(template) AND trashed_at IS NULL")
                .map { try $0.text("name").lowercased() })
        return Self.free(name, among: taken)
    }

    /// The name, or the name with the first number that nobody has.
    static func free(_ name: String, among taken: Set<String>) -> String {
        guard taken.contains(name.lowercased()) else { return name }
        let stem = String(String.UnicodeScalarView(name.unicodeScalars.prefix(FileName.longest - 8)))
        let number = (2...).first { !taken.contains("\(stem) \($0)".lowercased()) } ?? 2
        return "\(stem) \(number)"
    }

    private func note(
        _ act: String, _ mapping: SavedMapping, by caller: Caller, in tx: borrowing Transaction
    ) {
        tx.note(
            "mapping.\(act)", "mapping/\(mapping.id)", by: caller.actor,
            [
                "name": .string(mapping.name), "template": .string(mapping.template.text),
                "version": .int(mapping.version),
            ])
    }
}
