import Bytes
import Crypto
import SQL
public import Storage
public import Work

/// The honest account of what became of every packet: lines that are only ever added, each with a digest over
/// itself and the line before it, and for each packet the one state that its lines amount to.
///
///     try store.write { tx in
///         try ledger.write([LedgerNote(.accepted, subject: "packet/…", …)], in: tx)
///     }
public struct Ledger: Sendable {
    let store: Store

    public init(_ store: Store) {
        self.store = store
    }

    /// A line as it stands in the ledger.
    public struct Line: Sendable, Equatable {
        /// 1 for the first; the numbers have no gaps.
        public var number: Int64
        public var at: Moment
        public var note: LedgerNote
    }

    public func write(_ notes: [LedgerNote], in tx: borrowing Transaction) throws {
        guard !notes.isEmpty else { return }
        if notes.contains(where: { $0.event != .made }) { try settle(notes, in: tx) }
        // Changing the one row of the head makes writers wait for each other, so the chain never forks.
        guard
            let head = try tx.rows(
                "UPDATE ledger_head SET number = number + \(notes.count) RETURNING number, chain"
            ).first
        else { throw Failure(.damaged, "The ledger has lost its head. Restore the latest backup.") }
        var number = try head.integer("number") - Int64(notes.count)
        var chain = try head.text("chain")
        var tally = LedgerTally()
        for start in stride(from: 0, to: notes.count, by: Self.most) {
            let part = notes[start..<min(start + Self.most, notes.count)]
            let known = try known(part, in: tx)
            var (lines, items, words) = (Query(), Query(), Query())
            var later: [(LedgerNote, Int64)] = []
            for note in part {
                number += 1
                chain = Self.chain(after: chain, Line(number: number, at: tx.now, note: note))
                lines.append(row: [
                    number, tx.now, note.event.rawValue, note.subject, note.run, note.recipient, note.address,
                    note.actor, note.detail, chain,
                ])
                guard let known, !known.contains(note.subject), note.event != .corrected else {
                    later.append((note, number))
                    // Of several lines about one packet, each is summed up before the next is there.
                    if known == nil { try sum(&lines, &later, &tally, in: tx) }
                    continue
                }
                let search = note.search
                items.append(row: Self.item(note, search, number, tx.now))
                words.append(row: [number, search])
                tally.add(note.run, nil, note.event)
            }
            try sum(&lines, &later, &tally, in: tx)
            guard !items.isEmpty else { continue }
            try tx.run("\(raw: Self.intoItems) \(items)")
            try LedgerSearch.add(words, in: tx)
        }
        try tally.save(in: tx)
        try tx.run("UPDATE ledger_head SET chain = \(chain)")
    }

    /// So many lines go into one statement.
    private static let most = 256

    /// Which of these packets have lines already; nil when several of the notes are about one packet.
    private func known(_ notes: ArraySlice<LedgerNote>, in tx: borrowing Transaction) throws -> Set<String>? {
        let subjects = Set(notes.map(\.subject))
        guard subjects.count == notes.count else { return nil }
        return Set(
            try tx.rows(
                "SELECT subject FROM ledger_item WHERE \(Query.column("subject", in: subjects.sorted()))"
            )
            .map { try $0.text("subject") })
    }

    private func sum(
        _ lines: inout Query, _ notes: inout [(LedgerNote, Int64)], _ tally: inout LedgerTally,
        in tx: borrowing Transaction
    ) throws {
        if !lines.isEmpty {
            try tx.run(
                """
                INSERT INTO ledger (number, at, event, subject, run, recipient, address, actor, detail, chain)
                VALUES \(lines)
                """)
        }
        for (note, number) in notes { try sum(note, number, &tally, in: tx) }
        (lines, notes) = (Query(), [])
    }

    private static let intoItems =
        "INSERT INTO ledger_item (subject, run, recipient, address, search, state, rank, sent, at, newest, place) VALUES"

    /// As `intoItems` takes it.
    private static func item(
        _ note: LedgerNote, _ search: String, _ number: Int64, _ now: Moment
    ) -> [any SQLConvertible] {
        [
            note.subject, note.run, note.recipient, note.address, search, note.event.rawValue,
            note.event.rank,
            note.event.isSent, now, number, number,
        ]
    }

    /// The lines about one packet or message, the oldest first.
    public func lines(of subject: String) throws -> [Line] {
        try store.read { desk in try lines(of: subject, in: desk) }
    }

    func lines(of subject: String, in desk: borrowing some Readable & ~Copyable) throws -> [Line] {
        try desk.rows("SELECT * FROM ledger WHERE subject = \(subject) ORDER BY number").map(Line.init)
    }

    /// All lines after one, the oldest first: for exports, piece by piece.
    public func lines(after number: Int64, limit: Int = 1000) throws -> [Line] {
        try store.read { desk in
            try desk.rows("SELECT * FROM ledger WHERE number > \(number) ORDER BY number LIMIT \(limit)").map(
                Line.init)
        }
    }

    /// Forgets lines older than said. The chain goes on from the digest of the last line forgotten, so what is left
    /// can still be verified. Packets whose lines are all gone leave the list.
    @discardableResult
    public func forget(before moment: Moment) throws -> Int {
        try store.write { tx in
            // Up to the first line that stays: where a clock was wrong, lines are not in the order of their times.
            let first = try tx.row(
                "SELECT number FROM ledger WHERE at >= \(moment) ORDER BY number LIMIT 1")
            let end = try first?.integer("number") ?? .max
            guard
                let last = try tx.row(
                    "SELECT number, chain FROM ledger WHERE number < \(end) ORDER BY number DESC LIMIT 1")
            else { return 0 }
            let number = try last.integer("number")
            let count = try tx.run("DELETE FROM ledger WHERE number <= \(number)")
            tx.record(
                JournalEntry(
                    actor: "quire/purge", verb: "ledger.forgotten", subject: "ledger",
                    detail: ["lines": .int(count), "before": .string(moment.iso8601)]))
            try tx.run(
                "UPDATE ledger_head SET first_number = \(number + 1), first_chain = \(try last.text("chain"))"
            )
            for row in try tx.rows(
                "SELECT run, state, count(*) AS n FROM ledger_item WHERE newest <= \(number) GROUP BY run, state"
            ) {
                try tx.run(
                    """
                    UPDATE ledger_count SET items = items - \(try row.integer("n"))
                    WHERE run IN ('', \(try row.text("run"))) AND state = \(try row.text("state"))
                    """)
            }
            try LedgerSearch.remove("newest <= \(number)", in: tx)
            try tx.run("DELETE FROM ledger_item WHERE newest <= \(number)")
            return count
        }
    }

    /// What a packet's lines amount to, kept beside them so that a list of a million comes at once.
    private func sum(
        _ note: LedgerNote, _ number: Int64, _ tally: inout LedgerTally, in tx: borrowing Transaction
    ) throws {
        let event = note.event
        let search = note.search
        let before = try tx.row(
            "SELECT state, run, search, place FROM ledger_item WHERE subject = \(note.subject)")
        guard let before, let state = LedgerEvent(rawValue: try before.text("state")) else {
            guard event != .corrected else { return }
            var item = Query()
            item.append(row: Self.item(note, search, number, tx.now))
            try tx.run("\(raw: Self.intoItems) \(item)")
            try LedgerSearch.add(search, at: number, in: tx)
            tally.add(note.run, nil, event)
            return
        }
        let run = try before.text("run")
        if event == .corrected {
            guard let last = try lines(of: note.subject, in: tx).standing.last(where: { $0.counts }) else {
                return
            }
            try tx.run(
                """
                UPDATE ledger_item SET state = \(last.event.rawValue), rank = \(last.event.rank),
                    sent = \(last.event.isSent), at = \(last.at), newest = \(number) WHERE subject = \(note.subject)
                """)
            return tally.add(run, state, last.event, isNews: false)
        }
        guard event.tellsMore(than: state) else {
            try tx.run("UPDATE ledger_item SET newest = \(number) WHERE subject = \(note.subject)")
            return
        }
        let isNewAddress = try !note.address.isEmpty && before.text("search") != search
        if isNewAddress {
            try LedgerSearch.remove("subject = \(note.subject)", in: tx)
            try LedgerSearch.add(search, at: before.integer("place"), in: tx)
        }
        let address: Query = isNewAddress ? "address = \(note.address), search = \(search), " : ""
        try tx.run(
            """
            UPDATE ledger_item SET \(address)state = \(event.rawValue), rank = \(event.rank),
                sent = \(event.isSent), at = \(tx.now), newest = \(number)
            WHERE subject = \(note.subject)
            """)
        tally.add(run, state, event)
    }

    static func chain(after previous: String, _ line: Line) -> String {
        let note = line.note
        let text: JSON = [
            .string(previous), .integer(line.number), .integer(line.at.milliseconds),
            .string(note.event.rawValue), .string(note.subject), .string(note.run), .string(note.recipient),
            .string(note.address), .string(note.actor), .string(note.detail),
        ]
        return Hex.encode(SHA256.hash(text.bytes))
    }
}

extension LedgerNote {
    /// What it is found by.
    fileprivate var search: String { "\(recipient) \(address)".lowercased() }
}

extension Ledger.Line {
    init(_ row: Row) throws {
        number = try row.integer("number")
        at = try row.moment("at")
        note = LedgerNote(
            try row.choice("event"), subject: try row.text("subject"), run: try row.text("run"),
            recipient: try row.text("recipient"), address: try row.text("address"),
            actor: try row.text("actor"), detail: try row.text("detail"))
    }
}
