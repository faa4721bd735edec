public import Access
import Bytes
public import Jobs
import SQL
public import Storage
import Tables
public import Work

/// The lists of people a desk makes papers for.
///
/// ```swift
/// let list = try recipients.make("Class 4b", by: caller)
/// let arrival = try recipients.take(.upload(path), named: "4b.csv", into: list.id, by: caller)
/// let preview = try recipients.preview(arrival.id, by: caller)  // shape, first rows, added/changed/gone, e-mail
/// try recipients.apply(arrival.id, by: caller)                  // or applyLater, as a job
/// let page = try recipients.page(list.id, RecipientQuery(search: "miller"), by: caller)
/// try recipients.each(list.id, by: caller) { recipient in … }   // all of them, streamed
/// ```
///
/// Every change of rows makes a new edition of its list and can be taken back with `undo`.
public struct Recipients: Sendable {
    public let changes = Broadcast<RecipientListChange>()
    let access: Gate
    let queue: JobQueue
    let shelf = FoundShelf()
    /// Where databases may lie.
    let places: HostFolders
    /// What a calendar on the wall shows where the desk stands.
    let wall: @Sendable (Moment) -> WallTime
    /// A table that is read with another program's help, such as an old .xls, as a workbook; nil for any other.
    let opened: @Sendable (_ path: String, _ name: String) throws -> [UInt8]?
    var store: Store { access.store }
    var today: WallTime { wall(store.clock.now()) }

    public init(
        _ access: Gate, queue: JobQueue, reachable: [String] = [],
        wall: @escaping @Sendable (Moment) -> WallTime = { TimeZoneRules.utc.wallTime(at: $0) },
        opened: @escaping @Sendable (_ path: String, _ name: String) throws -> [UInt8]? = { _, _ in nil }
    ) {
        self.access = access
        self.opened = opened
        self.wall = wall
        self.queue = queue
        places = HostFolders(home: access.store.home, opened: reachable)
    }

    static let longestName = 200
    /// How many changes of a list can be taken back.
    static let keptEditions = 20

    // MARK: Lists

    @discardableResult
    public func make(_ name: String, by caller: Caller) throws -> RecipientList {
        try caller.require(.edit)
        let name = try Self.cleaned(name)
        return try store.write { tx in try make(name, nil, by: caller, in: tx) }
    }

    func make(
        _ name: String, _ question: ContactQuestion?, by caller: Caller, in tx: borrowing Transaction
    ) throws -> RecipientList {
        var id = tx.newID(of: RecipientList.self).asSeries
        while try tx.row("SELECT 1 AS one FROM recipient_list WHERE id = \(id)") != nil {
            id = tx.newID(of: RecipientList.self).asSeries
        }
        try tx.run(
            """
            INSERT INTO recipient_list (id, name, name_order, name_search, made_at, made_by, made_by_name,
                changed_at, edition, last_edition, next_chunk, row_count, flaw_count, question)
            VALUES (\(id), \(name), \(name.lowercased()), \(name.lowercased()), \(tx.now), \(caller.actor),
                \(caller.name), \(tx.now), 1, 1, 1, 0, 0, \(question?.json.text))
            """)
        let edition = Edition(number: 1, parent: 0)
        try insert(edition, of: id, act: .made, by: Author(caller), in: tx)
        let list = try found(id, in: tx).list
        note("list.made", list, by: Author(caller), in: tx)
        return list
    }

    /// A list for a table on its way in. One of this name that somebody began and left before its table was in is taken
    /// again, so that whoever turns back and comes once more has one list.
    public func begin(_ name: String, by caller: Caller) throws -> RecipientList {
        let clean = try Self.cleaned(name)
        let left = try store.read { desk in
            try desk.rows(
                """
                SELECT l.id, i.id AS pending FROM recipient_list l
                JOIN recipient_import i ON i.list_id = l.id AND i.applied_at IS NULL
                WHERE l.name = \(clean) AND l.made_by = \(caller.actor) AND l.trashed_at IS NULL AND l.edition = 1
                ORDER BY l.id
                """
            ).map { (list: try $0.id("id", of: RecipientList.self), table: try $0.text("pending")) }
        }
        guard let id = left.first?.list else { return try make(name, by: caller) }
        let tables = left.filter { $0.list == id }.map(\.table)
        guard try !tables.contains(where: { try queue.active(.recipientImport, unique: $0) != nil }) else {
            return try make(name, by: caller)
        }
        for table in tables {
            if let table = ID<RecipientImport>(table) { try discard(table, by: caller) }
        }
        return try get(id, by: caller)
    }

    /// By name. The lists that lie in the trash with `isTrash`.
    public func all(filter: String = "", isTrash: Bool = false, by caller: Caller) throws -> [RecipientList] {
        try caller.require(.view)
        var condition: Query = isTrash ? "trashed_at IS NOT NULL" : "trashed_at IS NULL"
        condition += " AND " + .words(filter, in: "name_search")
        return try store.read { desk in
            try desk.rows(
                "SELECT * FROM recipient_list WHERE \(condition) ORDER BY name_order, id LIMIT 10000"
            )
            .map { row in
                var list = try whole(row, in: desk).list
                // Its rows are brought up to date when somebody reads them.
                if let question = list.question, !isTrash { list.count = try count(question, in: desk) }
                return list
            }
        }
    }

    public func get(_ id: ID<RecipientList>, by caller: Caller) throws -> RecipientList {
        try caller.require(.view)
        try follow(id)
        return try store.read { desk in try found(id, in: desk).list }
    }

    @discardableResult
    public func rename(_ id: ID<RecipientList>, to name: String, by caller: Caller) throws -> RecipientList {
        try caller.require(.edit)
        let name = try Self.cleaned(name)
        return try store.write { tx in
            let before = try found(id, in: tx).list
            try tx.run(
                """
                UPDATE recipient_list SET name = \(name), name_order = \(name.lowercased()),
                    name_search = \(name.lowercased()), changed_at = \(tx.now) WHERE id = \(id)
                """)
            let list = try found(id, in: tx).list
            note("list.renamed", list, by: Author(caller), ["before": .string(before.name)], in: tx)
            return list
        }
    }

    /// Puts a list into the trash, from which `restore` brings it back.
    @discardableResult
    public func trash(_ id: ID<RecipientList>, by caller: Caller) throws -> RecipientList {
        try setTrashed(id, true, by: caller)
    }

    @discardableResult
    public func restore(_ id: ID<RecipientList>, by caller: Caller) throws -> RecipientList {
        try setTrashed(id, false, by: caller)
    }

    private func setTrashed(
        _ id: ID<RecipientList>, _ isTrashed: Bool, by caller: Caller
    ) throws -> RecipientList {
        try caller.require(.edit)
        return try store.write { tx in
            let before = try found(id, in: tx).list
            guard before.isTrashed != isTrashed else { return before }
            let moment: Moment? = isTrashed ? tx.now : nil
            try tx.run(
                "UPDATE recipient_list SET trashed_at = \(moment), changed_at = \(tx.now) WHERE id = \(id)")
            let list = try found(id, in: tx).list
            note(isTrashed ? "list.trashed" : "list.restored", list, by: Author(caller), in: tx)
            return list
        }
    }

    /// A list made for a table that never came in is gone as if it had not been. One that holds anything stays, and
    /// false is returned.
    @discardableResult
    public func forgetUnused(_ id: ID<RecipientList>, by caller: Caller) throws -> Bool {
        try caller.require(.edit)
        return try store.write { tx in
            let list = try found(id, in: tx).list
            guard list.count == 0, list.flawCount == 0, list.sources.isEmpty, list.columns.isEmpty else {
                return false
            }
            try tx.run("DELETE FROM recipient_list WHERE id = \(id)")
            note("list.purged", list, by: Author(caller), in: tx)
            return true
        }
    }

    /// Lists that have lain in the trash since before this moment go for good. Run by the desk's own upkeep.
    @discardableResult
    public func purge(trashedBefore moment: Moment) throws -> Int {
        try store.write { tx in
            let rows = try tx.rows("SELECT * FROM recipient_list WHERE trashed_at < \(moment)")
            for row in rows {
                let list = try whole(row, in: tx).list
                try tx.run("DELETE FROM recipient_list WHERE id = \(list.id)")
                note("list.purged", list, by: Author(actor: "quire/purge", name: "Quire"), in: tx)
            }
            return rows.count
        }
    }

    // MARK: Columns

    /// Says what a column is for; nil takes its role away. Other columns keep theirs.
    @discardableResult
    public func setRole(
        _ role: ColumnRole?, ofColumn column: String, in id: ID<RecipientList>, by caller: Caller
    ) throws -> RecipientList {
        try changeColumns(id, by: caller) { columns in
            let place = try Self.place(of: column, in: columns)
            // There is one key and one name of each kind, but any number of addresses.
            if let role, ![.email, .cc, .bcc].contains(role) {
                for other in columns.indices where columns[other].role == role { columns[other].role = nil }
            }
            columns[place].role = role
        }
    }

    /// New columns, all or none. What their names say they are for, they are for, where no other column is.
    @discardableResult
    public func addColumns(
        _ names: [String], to id: ID<RecipientList>, by caller: Caller
    ) throws -> RecipientList {
        try changeColumns(id, by: caller) { columns in
            for name in names {
                let name = try Self.cleaned(name)
                guard !columns.contains(where: { Folding.key($0.name) == Folding.key(name) }) else {
                    throw Failure(.conflict, "The list has a column “\(name)” already.", field: "name")
                }
                let role = ColumnGuess.role(of: name).flatMap { role in
                    role != .email && !columns.contains { $0.role == role } ? role : nil
                }
                columns.append(RecipientColumn(name: name, role: role))
            }
            // As in a file: of two columns that could hold the address nobody can tell which is meant.
            let mails = columns.indices.filter {
                columns[$0].role == nil && ColumnGuess.looksLikeEmail(columns[$0].name)
            }
            if mails.count == 1, !columns.contains(where: { $0.role == .email }) {
                columns[mails[0]].role = .email
            }
        }
    }

    private func changeColumns(
        _ id: ID<RecipientList>, by caller: Caller, _ change: (inout [RecipientColumn]) throws -> Void
    ) throws -> RecipientList {
        try caller.require(.edit)
        return try store.write { tx in
            var edition = try changeable(id, in: tx)
            try change(&edition.columns)
            return try save(edition, of: id, act: .columnsChanged, by: Author(caller), in: tx)
        }
    }

    static func place(of column: String, in columns: [RecipientColumn]) throws -> Int {
        guard
            let place = columns.firstIndex(where: { $0.name == column })
                ?? columns.firstIndex(where: { Folding.key($0.name) == Folding.key(column) })
        else { throw Failure(.notFound, "The list has no column “\(column)”.", field: "column") }
        return place
    }

    // MARK: Taking back

    /// Takes the last change of the list back. `edition` is the one that change made (`RecipientList.edition` right
    /// after it): when somebody has changed the list since, nothing happens and a conflict is told.
    @discardableResult
    public func undo(
        _ id: ID<RecipientList>, edition: Int, by caller: Caller
    ) throws -> RecipientList {
        try caller.require(.edit)
        return try store.write { tx in
            let now = try changeable(id, in: tx)
            guard now.number == edition else {
                throw Failure(
                    .conflict, "The list has been changed again since. Take back the later change first.")
            }
            guard
                let row = try tx.row(
                    "SELECT * FROM recipient_edition WHERE list_id = \(id) AND number = \(now.parent)")
            else { throw Failure(.conflict, "This change is too old to be taken back.") }
            let before = try Edition(row)
            try tx.run(
                """
                UPDATE recipient_list SET edition = \(before.number), row_count = \(before.count),
                    flaw_count = \(before.flawCount), changed_at = \(tx.now) WHERE id = \(id)
                """)
            let list = try found(id, in: tx).list
            note("list.undone", list, by: Author(caller), in: tx)
            return list
        }
    }
}

public struct RecipientListChange: Sendable, Equatable {
    /// As the journal says it: `list.made`, `list.imported`, …
    public var verb: String
    public var list: RecipientList
}

/// Who does something, where the caller is gone: in a job.
struct Author {
    var actor: String
    var name: String

    init(_ caller: Caller) {
        actor = caller.actor
        name = caller.name
    }

    init(actor: String, name: String) {
        self.actor = actor
        self.name = name
    }
}
