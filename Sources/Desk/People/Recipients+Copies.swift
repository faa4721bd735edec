public import Bytes
import SQL
public import Storage
import Tables
public import Work

// Lists as another desk is told of them.
extension Recipients {
    public struct Copy: Sendable, Equatable {
        public var name: String
        /// What a smart list asks: its people are found on each desk among the contacts there.
        public var question: JSON?
        /// The columns and people of a list that was put together; see `ListFile`. Nil for a smart one.
        public var file: [UInt8]?
        /// The filters that are kept with it, by their names.
        public var groups: [String: JSON]
        public var madeAt: Moment
        public var madeByName: String
        public var changedAt: Moment
        public var trashedAt: Moment?

        public init(
            name: String, question: JSON?, file: [UInt8]?, groups: [String: JSON], madeAt: Moment,
            madeByName: String, changedAt: Moment, trashedAt: Moment? = nil
        ) {
            self.name = name
            self.question = question
            self.file = file
            self.groups = groups
            self.madeAt = madeAt
            self.madeByName = madeByName
            self.changedAt = changedAt
            self.trashedAt = trashedAt
        }
    }

    /// What came from another desk cannot be read.
    public static let notWhole = Failure(.damaged, "What came of a list is not whole.")

    public func listIDs(
        after last: String, limit: Int, in desk: borrowing some Readable & ~Copyable
    ) throws -> [String] {
        try desk.rows("SELECT id FROM recipient_list WHERE id > \(last) ORDER BY id LIMIT \(limit)").map {
            try $0.text("id")
        }
    }

    /// Nil when it is not here, and while nothing has come into it: one that waits for its first table may go as if it
    /// had never been.
    public func copy(
        of id: ID<RecipientList>, in desk: borrowing some Readable & ~Copyable
    ) throws -> Copy? {
        guard let row = try desk.row("SELECT * FROM recipient_list WHERE id = \(id)") else { return nil }
        let found = try whole(row, in: desk)
        let list = found.list
        guard try list.isSmart || row.int("last_edition") > 1 else { return nil }
        var groups: [String: JSON] = [:]
        for row in try desk.rows("SELECT name, filter FROM audience WHERE list_id = \(id)") {
            groups[try row.text("name")] = try JSON(parsing: try row.text("filter"))
        }
        return Copy(
            name: list.name, question: try row.optionalText("question").map { try JSON(parsing: $0) },
            file: list.isSmart ? nil : try file(of: found.edition, id, in: desk), groups: groups,
            madeAt: list.madeAt, madeByName: list.madeByName, changedAt: list.changedAt,
            trashedAt: list.trashedAt)
    }

    private func file(
        of edition: Edition, _ id: ID<RecipientList>, in desk: borrowing some Readable & ~Copyable
    ) throws -> [UInt8] {
        var file = ListFile(columns: edition.columns, sources: edition.sources)
        for chunk in edition.chunks {
            file.append(
                try content(chunk, of: id, in: desk), count: Int(chunk.count), source: chunk.source,
                isSetAside: chunk.isSetAside)
        }
        return file.bytes
    }

    /// Makes a list what another desk says it is, under the id it has there.
    public func put(
        _ copy: Copy, as id: ID<RecipientList>, by actor: String, in tx: borrowing Transaction
    ) throws {
        let name = try Self.cleaned(copy.name)
        guard id == id.asSeries else { throw Self.notWhole }
        let question = try copy.question.map { try ContactQuestion($0).checked() }
        let filters = try copy.groups.mapValues { try RecipientFilter($0) }
        let before = try self.copy(of: id, in: tx)
        let author = Author(actor: actor, name: "Quire")
        let file = question == nil && copy.file != before?.file ? try copy.file.map { try ListFile($0) } : nil
        var edition = Edition(number: 0, parent: 0)
        if try tx.row("SELECT 1 AS one FROM recipient_list WHERE id = \(id)") != nil {
            edition = try found(id, in: tx).edition
        } else {
            guard question != nil || file != nil else { throw Self.notWhole }
            try tx.run(
                """
                INSERT INTO recipient_list (id, name, name_order, name_search, made_at, made_by, made_by_name,
                    changed_at, edition, last_edition, next_chunk, row_count, flaw_count)
                VALUES (\(id), \(name), '', '', \(copy.madeAt), \(actor), \(copy.madeByName), \(tx.now), 1, 1, 1,
                    0, 0)
                """)
            edition.nextNumber = Self.ownNumbers(in: tx)
            if question != nil {
                try insert(Edition(number: 1, parent: 0), of: id, act: .made, by: author, in: tx)
            }
        }
        try tx.run(
            """
            UPDATE recipient_list SET name = \(name), name_order = \(name.lowercased()),
                name_search = \(name.lowercased()), question = \(question?.json.text),
                trashed_at = \(copy.trashedAt), changed_at = \(tx.now)
            WHERE id = \(id)
            """)
        // Of a list that is new here nothing is before it, to which somebody could go back.
        if let file { try receive(file, after: edition, into: id, by: author, in: tx) }
        try tx.run(
            "DELETE FROM audience WHERE list_id = \(id) AND \(Query.column("name", notIn: filters.keys))")
        for (name, filter) in filters.sorted(by: { $0.key < $1.key }) {
            try keep(filter, as: name, of: id, by: actor, in: tx)
        }
        if file == nil { note("list.received", try found(id, in: tx).list, by: author, in: tx) }
    }

    private func receive(
        _ file: ListFile, after before: Edition, into id: ID<RecipientList>, by author: Author,
        in tx: borrowing Transaction
    ) throws {
        var edition = before
        let here = edition.sources
        edition.columns = file.columns
        edition.sources = file.sources.map { source in
            // The file it was read from lies where it was brought in.
            var source = source
            source.digest =
                here.first {
                    $0.number == source.number && $0.name == source.name && $0.importedAt == source.importedAt
                }?.digest
            return source
        }
        edition.chunks = []
        var place = 0
        for run in file.runs {
            edition.chunks += try write(
                Array(file.records[place..<place + run.count]), source: run.source,
                isSetAside: run.isSetAside, of: id, in: tx)
            place += run.count
        }
        // What this desk gives a number itself never gets one that somebody else has, or has had.
        let own = edition.nextNumber >> Self.numberBits
        let highest = file.records.map(\.number).filter { $0 >> Self.numberBits == own }.max() ?? 0
        edition.nextNumber = max(edition.nextNumber, highest + 1)
        try save(edition, of: id, act: .received, by: author, in: tx)
    }

    /// Whoever is chosen for a batch is known by a number. Two desks that add people to one list at the same time must
    /// not give two of them the same: so each numbers those it adds from another place on. The desk that made the list
    /// begins with 1.
    private static let numberBits: UInt32 = 20

    private static func ownNumbers(in tx: borrowing Transaction) -> UInt32 {
        let chance = tx.newID(of: RecipientList.self).memberNumber
        return (1 + chance % 4000) << numberBits + 1
    }

    /// Removes a list for good that another desk removed for good.
    public func forget(_ id: ID<RecipientList>, by actor: String, in tx: borrowing Transaction) throws {
        guard let row = try tx.row("SELECT * FROM recipient_list WHERE id = \(id)") else { return }
        let list = try whole(row, in: tx).list
        try tx.run("DELETE FROM recipient_list WHERE id = \(id)")
        note("list.purged", list, by: Author(actor: actor, name: "Quire"), in: tx)
    }
}

/// The columns and people of a list as bytes that can travel: a line of JSON, and behind it the rows as chunks keep them,
/// in their order. The same list gives the same bytes on every desk.
struct ListFile {
    struct Run {
        var source: Int
        /// These rows wait to be mended.
        var isSetAside: Bool
        var count: Int
    }

    static let mostRows = 2_000_000

    let columns: [RecipientColumn]
    let sources: [RecipientSource]
    private(set) var runs: [Run] = []
    /// Of a file that was read.
    private(set) var records: [RowRecord] = []
    private var content: [UInt8] = []

    init(columns: [RecipientColumn], sources: [RecipientSource]) {
        self.columns = columns
        self.sources = sources.map { source in
            // What can be counted, and what lies on one desk only, is no part of it.
            var source = source
            source.digest = nil
            source.count = 0
            source.flawCount = 0
            return source
        }
    }

    mutating func append(_ rows: [UInt8], count: Int, source: Int, isSetAside: Bool) {
        guard count > 0 else { return }
        content += rows
        if let last = runs.last, last.source == source, last.isSetAside == isSetAside {
            runs[runs.count - 1].count += count
        } else {
            runs.append(Run(source: source, isSetAside: isSetAside, count: count))
        }
    }

    var bytes: [UInt8] {
        var edition = Edition(number: 0, parent: 0)
        edition.columns = columns
        edition.sources = sources
        let facts = edition.facts
        let head: JSON = [
            "list": 1, "columns": facts["columns"] ?? [], "sources": facts["sources"] ?? [],
            "runs": .array(runs.map { [.int($0.source), .bool($0.isSetAside), .int($0.count)] }),
        ]
        return head.bytes + [UInt8(ascii: "\n")] + content
    }

    init(_ bytes: [UInt8]) throws {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")),
            let head = try? JSON(parsing: Array(bytes[..<end])), head["list"] == 1
        else { throw Recipients.notWhole }
        var edition = Edition(number: 0, parent: 0)
        edition.read(head)
        columns = edition.columns
        sources = edition.sources
        runs = try (head["runs"]?.array ?? []).map { run in
            guard let source = run[0]?.int, let isSetAside = run[1]?.bool, let count = run[2]?.int,
                (0...Self.mostRows).contains(count)
            else { throw Recipients.notWhole }
            return Run(source: source, isSetAside: isSetAside, count: count)
        }
        let total = runs.reduce(0) { min($0 + $1.count, Self.mostRows + 1) }
        guard columns.count <= 20_000, Set(sources.map(\.number)).count == sources.count,
            total <= Self.mostRows,
            runs.allSatisfy({ run in sources.contains { $0.number == run.source } })
        else { throw Recipients.notWhole }
        records = bytes[(end + 1)...].withUnsafeBytes { raw in
            var walk = RowWalk(raw)
            var records: [RowRecord] = []
            while records.count <= total, let place = walk.next() { records.append(place.record) }
            return walk.position == raw.count ? records : []
        }
        guard records.count == total, Set(records.map(\.number)).count == total,
            records.allSatisfy({ $0.number > 0 && $0.number < UInt32.max })
        else { throw Recipients.notWhole }
    }
}
