public import Access
import Bytes
import SQL
public import Storage
import Work

/// A part of a list under a name: the filter is kept, so whoever fits it later belongs to it.
public struct Audience: Sendable, Equatable {
    public let id: ID<Audience>
    public let list: ID<RecipientList>
    public var name: String
    public var filter: RecipientFilter
}

extension Recipients {
    /// Saves a filter under a name; one that has this name already is replaced.
    @discardableResult
    public func saveAudience(
        _ name: String, _ filter: RecipientFilter, of list: ID<RecipientList>, by caller: Caller
    ) throws -> Audience {
        try caller.require(.edit)
        let name = try Self.cleaned(name)
        return try store.write { tx in
            let found = try found(list, in: tx)
            _ = try RowMatcher(filter, of: found.list)
            try keep(filter, as: name, of: list, by: caller.actor, in: tx)
            note("list.audienceSaved", found.list, by: Author(caller), ["audience": .string(name)], in: tx)
            guard let row = try tx.row("SELECT * FROM audience WHERE list_id = \(list) AND name = \(name)")
            else {
                throw Self.notFound
            }
            return try Audience(row)
        }
    }

    /// One that has this name already is replaced.
    func keep(
        _ filter: RecipientFilter, as name: String, of list: ID<RecipientList>, by actor: String,
        in tx: borrowing Transaction
    ) throws {
        try tx.run(
            """
            INSERT INTO audience (id, list_id, name, filter, made_at, made_by)
            VALUES (\(tx.newID(of: Audience.self)), \(list), \(name), \(filter.view.text), \(tx.now), \(actor))
            ON CONFLICT (list_id, name) DO UPDATE SET filter = excluded.filter
            """)
    }

    public func audiences(of list: ID<RecipientList>, by caller: Caller) throws -> [Audience] {
        try caller.require(.view)
        return try store.read { desk in
            try desk.rows("SELECT * FROM audience WHERE list_id = \(list) ORDER BY name, id").map(
                Audience.init)
        }
    }

    public func audience(_ id: ID<Audience>, by caller: Caller) throws -> Audience {
        try caller.require(.view)
        return try store.read { desk in
            guard let row = try desk.row("SELECT * FROM audience WHERE id = \(id)") else {
                throw Failure(.notFound, "There is no such audience. It may have been removed.")
            }
            return try Audience(row)
        }
    }

    public func removeAudience(_ id: ID<Audience>, by caller: Caller) throws {
        try caller.require(.edit)
        try store.write { tx in
            guard let row = try tx.row("SELECT * FROM audience WHERE id = \(id)") else { return }
            let audience = try Audience(row)
            try tx.run("DELETE FROM audience WHERE id = \(id)")
            let list = try found(audience.list, in: tx).list
            note(
                "list.audienceRemoved", list, by: Author(caller), ["audience": .string(audience.name)], in: tx
            )
        }
    }
}

extension Audience {
    init(_ row: Row) throws {
        id = try row.id("id")
        list = try row.id("list_id")
        name = try row.text("name")
        filter = try RecipientFilter(try JSON(parsing: try row.text("filter")))
    }
}
