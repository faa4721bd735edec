import Access
import Bytes
import SQL
import Storage
import Work

// How editions are found and saved.
extension Recipients {
    struct Found {
        var list: RecipientList
        var edition: Edition
    }

    static let notFound = Failure(.notFound, "There is no such list. It may have been removed.")

    func found(_ id: ID<RecipientList>, in desk: borrowing some Readable & ~Copyable) throws -> Found {
        guard let row = try desk.row("SELECT * FROM recipient_list WHERE id = \(id)") else {
            throw Self.notFound
        }
        return try whole(row, in: desk)
    }

    func whole(_ row: Row, in desk: borrowing some Readable & ~Copyable) throws -> Found {
        let id = try row.id("id", of: RecipientList.self)
        guard
            let state = try desk.row(
                "SELECT * FROM recipient_edition WHERE list_id = \(id) AND number = \(try row.int("edition"))"
            )
        else {
            throw Failure(.damaged, "A list is not what it was when it was saved.", cause: "edition of \(id)")
        }
        let edition = try Edition(state)
        let act = RecipientAct(
            edition: edition.number, act: RecipientAct.Act(rawValue: try state.text("act")) ?? .changed,
            at: try state.moment("at"), byName: try state.text("by_name"))
        let parent = try desk.row(
            "SELECT 1 AS one FROM recipient_edition WHERE list_id = \(id) AND number = \(edition.parent)")
        let isSmart = try row.optionalText("question") != nil
        return Found(
            list: RecipientList(
                id: id, name: try row.text("name"), columns: edition.columns, sources: edition.sources,
                count: try row.int("row_count"), flawCount: try row.int("flaw_count"),
                edition: edition.number, madeAt: try row.moment("made_at"), madeBy: try row.text("made_by"),
                madeByName: try row.text("made_by_name"), changedAt: try row.moment("changed_at"),
                trashedAt: try row.optionalMoment("trashed_at"), isSmart: isSmart,
                question: isSmart ? try? Self.question(row) : nil,
                lastAct: parent == nil || isSmart ? nil : act),
            edition: edition)
    }

    /// The edition to make the next one from; refuses lists in the trash, and those that follow the contacts.
    func changeable(
        _ id: ID<RecipientList>, isFollowing: Bool = false, in tx: borrowing Transaction
    ) throws -> Edition {
        let found = try found(id, in: tx)
        guard !found.list.isTrashed else { throw Self.trashed(found.list) }
        guard isFollowing || !found.list.isSmart else {
            throw Failure(
                .conflict,
                "“\(found.list.name)” is a smart list: on it is whoever matches its question. Change the contacts, or the question."
            )
        }
        return found.edition
    }

    /// Saves what was made out of an edition as the next one, and lets go of those too old to go back to.
    @discardableResult
    func save(
        _ made: Edition, of id: ID<RecipientList>, act: RecipientAct.Act, by author: Author,
        _ detail: JSON = [:], in tx: borrowing Transaction
    ) throws -> RecipientList {
        guard
            let row = try tx.row("SELECT last_edition, row_count FROM recipient_list WHERE id = \(id)")
        else { throw Self.notFound }
        var edition = made
        edition.parent = made.number
        edition.number = try row.int("last_edition") + 1
        edition.recount()
        if try edition.count > row.int("row_count") {
            try access.entitlements.require(.recipients(edition.count))
        }
        try insert(edition, of: id, act: act, by: author, in: tx)
        try tx.run(
            """
            UPDATE recipient_list SET edition = \(edition.number), last_edition = \(edition.number),
                row_count = \(edition.count), flaw_count = \(edition.flawCount), changed_at = \(tx.now)
            WHERE id = \(id)
            """)
        try forget(before: edition, of: id, in: tx)
        let list = try found(id, in: tx).list
        note("list.\(act.rawValue)", list, by: author, detail, in: tx)
        return list
    }

    func insert(
        _ edition: Edition, of id: ID<RecipientList>, act: RecipientAct.Act, by author: Author,
        in tx: borrowing Transaction
    ) throws {
        try tx.run(
            """
            INSERT INTO recipient_edition (list_id, number, parent, at, by_actor, by_name, act, facts, chunks)
            VALUES (\(id), \(edition.number), \(edition.parent), \(tx.now), \(author.actor), \(author.name),
                \(act.rawValue), \(edition.facts.text), \(ChunkEntry.encode(edition.chunks)))
            """)
    }

    /// Drops editions beyond the kept ones, those that were taken back, and the chunks nobody names any longer.
    /// Chunks of an import that is still going on are left alone.
    private func forget(
        before edition: Edition, of id: ID<RecipientList>, in tx: borrowing Transaction
    ) throws {
        var parents: [Int: Int] = [:]
        for row in try tx.rows("SELECT number, parent FROM recipient_edition WHERE list_id = \(id)") {
            parents[try row.int("number")] = try row.int("parent")
        }
        var kept: Set<Int> = []
        var number = edition.number
        while kept.count <= Self.keptEditions, let parent = parents[number] {
            kept.insert(number)
            number = parent
        }
        let gone = Set(parents.keys).subtracting(kept)
        guard !gone.isEmpty else { return }
        var used: Set<Int64> = []
        var dropped: Set<Int64> = []
        for number in parents.keys {
            guard
                let row = try tx.row(
                    "SELECT chunks FROM recipient_edition WHERE list_id = \(id) AND number = \(number)")
            else { continue }
            for chunk in try ChunkEntry.decode(try row.blob("chunks")) {
                if kept.contains(number) { used.insert(chunk.number) } else { dropped.insert(chunk.number) }
            }
        }
        for number in gone {
            try tx.run("DELETE FROM recipient_edition WHERE list_id = \(id) AND number = \(number)")
        }
        try delete(dropped.subtracting(used), of: id, in: tx)
    }

    func delete(_ chunks: Set<Int64>, of id: ID<RecipientList>, in tx: borrowing Transaction) throws {
        let sorted = chunks.sorted()
        for start in stride(from: 0, to: sorted.count, by: 200) {
            let some = sorted[start..<min(start + 200, sorted.count)]
            try tx.run(
                "DELETE FROM recipient_chunk WHERE list_id = \(id) AND \(Query.column("number", in: some))")
        }
    }

    func note(
        _ verb: String, _ list: RecipientList, by author: Author, _ detail: JSON = [:],
        in tx: borrowing Transaction
    ) {
        var detail = detail
        detail["name"] = .string(list.name)
        tx.record(
            JournalEntry(actor: author.actor, verb: verb, subject: "list/\(list.id)", detail: detail))
        let change = RecipientListChange(verb: verb, list: list)
        tx.afterCommit { [changes] in changes.send(change) }
    }

    static func cleaned(_ name: String) throws -> String {
        let words = name.unicodeScalars.split {
            $0.properties.isWhitespace || $0.value < 0x20 || $0.value == 0x7F
        }
        let cleaned = words.map { String($0) }.joined(separator: " ")
        guard !cleaned.isEmpty else { throw Failure(.invalid, "It needs a name.", field: "name") }
        return String(cleaned.prefix(longestName).unicodeScalars.prefix(longestName))
    }

    // MARK: Chunks

    func content(
        _ chunk: ChunkEntry, of id: ID<RecipientList>, in desk: borrowing some Readable & ~Copyable
    ) throws -> [UInt8] {
        guard
            let row = try desk.row(
                "SELECT content FROM recipient_chunk WHERE list_id = \(id) AND number = \(chunk.number)")
        else {
            throw Failure(
                .damaged, "Rows of a list are missing. Run “quire verify” and restore it from a backup.",
                cause: "chunk \(chunk.number) of \(id)")
        }
        return try row.blob("content")
    }

    func records(
        _ chunk: ChunkEntry, of id: ID<RecipientList>, in desk: borrowing some Readable & ~Copyable
    ) throws -> [RowRecord] {
        let content = try content(chunk, of: id, in: desk)
        return content.withUnsafeBytes { raw in
            var walk = RowWalk(raw)
            var records: [RowRecord] = []
            records.reserveCapacity(Int(min(chunk.count, 10_000)))
            while let place = walk.next() { records.append(place.record) }
            return records
        }
    }

    /// Numbers for so many chunks, that nobody else gets.
    func reserve(_ count: Int, of id: ID<RecipientList>, in tx: borrowing Transaction) throws -> Int64 {
        guard let row = try tx.row("SELECT next_chunk FROM recipient_list WHERE id = \(id)") else {
            throw Self.notFound
        }
        let first = try row.integer("next_chunk")
        try tx.run("UPDATE recipient_list SET next_chunk = \(first + Int64(count)) WHERE id = \(id)")
        return first
    }

    func insert(
        _ chunk: ChunkEntry, _ content: [UInt8], of id: ID<RecipientList>, in tx: borrowing Transaction
    ) throws {
        try tx.run(
            "INSERT INTO recipient_chunk (list_id, number, content) VALUES (\(id), \(chunk.number), \(content))"
        )
    }

    /// Writes rows as new chunks; the entries in the order of the rows.
    func write(
        _ records: [RowRecord], source: Int, isSetAside: Bool, of id: ID<RecipientList>,
        in tx: borrowing Transaction
    ) throws -> [ChunkEntry] {
        var builder = ChunkBuilder(source: source, isSetAside: isSetAside)
        var filled: [(ChunkEntry, [UInt8])] = []
        for record in records {
            builder.append(record)
            if builder.isFull { filled.append(builder.take(number: 0)) }
        }
        if !builder.isEmpty { filled.append(builder.take(number: 0)) }
        let first = try reserve(filled.count, of: id, in: tx)
        var entries: [ChunkEntry] = []
        for (place, var (entry, content)) in filled.enumerated() {
            entry.number = first + Int64(place)
            try insert(entry, content, of: id, in: tx)
            entries.append(entry)
            content = []
        }
        return entries
    }
}

/// Gathers rows until they make a chunk: large enough that a list has few, small enough that changing one cell
/// does not write much.
struct ChunkBuilder {
    static let byteCount = 48 << 10
    static let rowCount: UInt32 = 512

    let source: Int
    let isSetAside: Bool
    private var content: [UInt8] = []
    private var count: UInt32 = 0
    private var first = UInt32.max
    private var last: UInt32 = 0

    init(source: Int, isSetAside: Bool) {
        self.source = source
        self.isSetAside = isSetAside
        content.reserveCapacity(Self.byteCount + 4096)
    }

    var isEmpty: Bool { count == 0 }
    var isFull: Bool { content.count >= Self.byteCount || count >= Self.rowCount }

    mutating func append(_ record: RowRecord) {
        record.append(to: &content)
        counted(record.number)
    }

    mutating func append(_ number: UInt32, place: Int, cells: UnsafeRawBufferPointer) {
        RowRecord.append(to: &content, number, place, 0, "", "", cells)
        counted(number)
    }

    private mutating func counted(_ number: UInt32) {
        count += 1
        first = min(first, number)
        last = max(last, number)
    }

    mutating func take(number: Int64) -> (ChunkEntry, [UInt8]) {
        let entry = ChunkEntry(
            number: number, source: source, count: count, first: first, last: last, isSetAside: isSetAside)
        let made = content
        content = []
        content.reserveCapacity(Self.byteCount + 4096)
        count = 0
        first = .max
        last = 0
        return (entry, made)
    }
}
