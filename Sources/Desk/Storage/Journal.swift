public import Bytes
import Crypto
import SQL
public import Work

/// Who did what to what.
public struct JournalEntry: Sendable, Equatable {
    /// `member/…`, `token/…`, or the name of a part of Quire that acted by itself: `quire/sweep`.
    public var actor: String
    /// What was done, in the past: `document.added`.
    public var verb: String
    /// What it was done to: `document/018f…`.
    public var subject: String
    /// What else is worth knowing later. Never a secret: the journal is never shortened.
    public var detail: JSON

    public init(actor: String, verb: String, subject: String, detail: JSON = [:]) {
        self.actor = actor
        self.verb = verb
        self.subject = subject
        self.detail = detail
    }
}

/// The list of all changes, in the order they were saved. Entries are only ever added, and each carries a digest
/// over itself and the one before it, so that a changed or missing entry shows.
public struct Journal: Sendable {
    let store: Store

    /// An entry as it stands in the journal.
    public struct Line: Sendable, Equatable {
        /// 1 for the first; the numbers have no gaps.
        public var number: Int64
        public var at: Moment
        public var entry: JournalEntry
    }

    public struct Filter: Sendable, Equatable {
        public var actor: String?
        public var subject: String?
        /// Any of these.
        public var subjects: [String]?
        /// All verbs that begin like this: `document.` finds everything done to documents.
        public var verbPrefix: String?
        public var from: Moment?
        public var to: Moment?

        public init(
            actor: String? = nil, subject: String? = nil, verbPrefix: String? = nil, from: Moment? = nil,
            to: Moment? = nil
        ) {
            self.actor = actor
            self.subject = subject
            self.verbPrefix = verbPrefix
            self.from = from
            self.to = to
        }
    }

    /// The newest first; `before` a line's number gives the next page.
    public func lines(_ filter: Filter = Filter(), before: Int64? = nil, limit: Int = 100) throws -> [Line] {
        var conditions: [Query] = []
        if let actor = filter.actor { conditions.append("actor = \(actor)") }
        if let subject = filter.subject { conditions.append("subject = \(subject)") }
        if let subjects = filter.subjects { conditions.append(.column("subject", in: subjects)) }
        if let prefix = filter.verbPrefix {
            conditions.append("verb >= \(prefix) AND verb < \(prefix + "\u{10FFFF}")")
        }
        if let from = filter.from { conditions.append("at >= \(from)") }
        if let to = filter.to { conditions.append("at < \(to)") }
        if let before { conditions.append("number < \(before)") }
        let condition: Query = conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND "))"
        return try store.read { desk in
            try desk.rows(
                """
                SELECT number, at, actor, verb, subject, detail FROM journal
                \(condition) ORDER BY number DESC LIMIT \(limit)
                """
            ).map(Line.init)
        }
    }

    /// What is wrong with the chain, in sentences; empty when all is well.
    public func verify() throws -> [String] {
        try store.read { desk in
            var problems: [String] = []
            var chain = Self.start
            var number: Int64 = 0
            try desk.each("SELECT * FROM journal ORDER BY number") { row in
                let found = try row.integer("number")
                if found != number + 1 {
                    problems.append("Entries \(number + 1) to \(found - 1) of the journal are missing.")
                }
                number = found
                let line = try Stored(row)
                if line.chain(after: chain) != line.chain {
                    problems.append("Entry \(number) of the journal or the one before it was changed.")
                }
                chain = line.chain
            }
            guard let head = try desk.row("SELECT number, chain FROM journal_head") else {
                return problems + ["The journal has lost its head."]
            }
            if try head.integer("number") != number || head.text("chain") != chain {
                problems.append("The last entries of the journal are missing.")
            }
            return problems
        }
    }

    static let start = String(repeating: "0", count: 64)

    static func append(_ entries: [JournalEntry], at now: Moment, to connection: borrowing Connection) throws
    {
        guard !entries.isEmpty else { return }
        // Changing the one row of the head first makes writers wait for each other (or run again) here, at the
        // very end of their transactions; so the chain never forks.
        guard
            let head = try connection.row(
                "UPDATE journal_head SET number = number + \(entries.count) RETURNING number, chain")
        else { throw Failure(.damaged, "The journal has lost its head. Restore the latest backup.") }
        var number = try head.integer("number") - Int64(entries.count)
        var chain = try head.text("chain")
        for entry in entries {
            number += 1
            var line = Stored(number: number, at: now, entry: entry)
            line.chain = line.chain(after: chain)
            chain = line.chain
            try connection.run(
                """
                INSERT INTO journal (number, at, actor, verb, subject, detail, chain) VALUES
                (\(number), \(now), \(entry.actor), \(entry.verb), \(entry.subject), \(line.detail), \(chain))
                """)
        }
        try connection.run("UPDATE journal_head SET chain = \(chain)")
    }
}

extension Journal.Line {
    init(_ row: Row) throws {
        number = try row.integer("number")
        at = try row.moment("at")
        let detail = try row.text("detail")
        entry = JournalEntry(
            actor: try row.text("actor"), verb: try row.text("verb"), subject: try row.text("subject"),
            detail: (try? JSON(parsing: detail)) ?? .string(detail))
    }
}

/// A line with the texts its digest is made over.
private struct Stored {
    var number: Int64
    var at: Moment
    var actor: String
    var verb: String
    var subject: String
    var detail: String
    var chain: String

    init(number: Int64, at: Moment, entry: JournalEntry) {
        self.number = number
        self.at = at
        actor = entry.actor
        verb = entry.verb
        subject = entry.subject
        detail = entry.detail.text
        chain = ""
    }

    init(_ row: Row) throws {
        number = try row.integer("number")
        at = try row.moment("at")
        actor = try row.text("actor")
        verb = try row.text("verb")
        subject = try row.text("subject")
        detail = try row.text("detail")
        chain = try row.text("chain")
    }

    func chain(after previous: String) -> String {
        let line: JSON = [
            .string(previous), .integer(number), .integer(at.milliseconds), .string(actor), .string(verb),
            .string(subject), .string(detail),
        ]
        return Hex.encode(SHA256.hash(line.bytes))
    }
}
