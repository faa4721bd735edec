public import Access
public import Bytes
public import Filling
import SQL
public import Storage
public import Work

/// One recipient of a batch, and what became of their packet.
public struct DeliveryLine: Sendable, Equatable {
    public var packet: Packet
    /// Nil before it was made.
    public var state: LedgerEvent?
    public var at: Moment?
    public var address: String
    /// The newest letter with it.
    public var message: ID<OutboxMessage>?
    /// Why that letter is in its state, in words.
    public var reason: String?
    /// Links to it, and how often they were opened.
    public var links = 0
    public var openings = 0

    public var json: JSON {
        [
            "packet": packet.json, "state": .optional(state?.rawValue), "at": .optional(at?.iso8601),
            "address": .string(address), "message": .optional(message?.text), "reason": .optional(reason),
            "links": .int(links), "openings": .int(openings),
        ]
    }
}

public struct DeliveryPage: Sendable, Equatable {
    public var lines: [DeliveryLine]
    /// What to give as `after` for the next page; nil on the last.
    public var next: Int?
    public var matchCount: Int
    /// “Sent 12 of 300”.
    public var tally: Ledger.Tally
}

/// All that is known about one packet's way.
public struct PacketDelivery: Sendable {
    public var line: DeliveryLine
    public var history: [Ledger.Line]
    public var messages: [OutboxMessage]
    public var links: [ShareLink]
}

extension Sendings {
    public struct Filter: Sendable, Equatable {
        public var part: Ledger.Filter.Part
        /// Words that must all occur in the name, the address or the file's name.
        public var search: String

        public init(_ part: Ledger.Filter.Part = .all, search: String = "") {
            self.part = part
            self.search = search
        }
    }

    /// The packets of a batch in the list's order, each with what became of it.
    public func deliveries(
        of id: ID<Batch>, _ filter: Filter = Filter(), after: Int = 0, limit: Int = 50, by caller: Caller
    ) throws -> DeliveryPage {
        try caller.require(.view)
        let limit = min(max(1, limit), Ledger.mostPerPage)
        // Packets are Filling's and their states the ledger's: only the two together can be filtered and paged.
        var condition: Query = "p.batch = \(id) AND p.plan = (SELECT plan FROM batch WHERE id = \(id))"
        switch filter.part {
        case .all: break
        case .sent: condition += " AND l.sent = 1"
        case .unsent: condition += " AND coalesce(l.sent, 0) = 0 AND p.state <> 'left'"
        case .failed, .state: condition += " AND " + Query.column("l.state", in: filter.part.states)
        }
        condition += " AND " + Query.words(filter.search, in: "p.name_search")
        let from: Query =
            "FROM packet p LEFT JOIN ledger_item l ON l.subject = 'packet/' || p.id WHERE \(condition)"
        let (ids, next, count) = try store.read { desk in
            let rows = try desk.rows(
                "SELECT p.id, p.place \(from) AND p.place > \(after) ORDER BY p.place LIMIT \(limit + 1)")
            let count = try desk.row("SELECT count(*) AS n \(from)")?.int("n") ?? 0
            let ids: [ID<Packet>] = try rows.prefix(limit).map { try $0.id("id") }
            return (ids, try rows.count > limit ? rows[limit - 1].int("place") : nil, count)
        }
        return DeliveryPage(
            lines: try lines(of: ids, by: caller), next: next, matchCount: count,
            tally: try tally(of: id, by: caller))
    }

    /// In the order of the ids; packets that are gone are left out.
    public func lines(of ids: [ID<Packet>], by caller: Caller) throws -> [DeliveryLine] {
        let packets = Dictionary(
            try batches.addressees(ids, by: caller).map { ($0.packet.id, $0.packet) },
            uniquingKeysWith: { first, _ in first })
        return try store.read { desk in
            let subjects = ids.map(Self.subject)
            var items: [String: Ledger.Item] = [:]
            for row in try desk.rows(
                "SELECT * FROM ledger_item WHERE \(Query.column("subject", in: subjects))")
            {
                items[try row.text("subject")] = try Ledger.Item(row)
            }
            var letters: [String: Row] = [:]
            for row in try desk.rows(
                "SELECT id, subject, reason FROM outbox_message WHERE \(Query.column("subject", in: subjects)) ORDER BY id"
            ) {
                letters[try row.text("subject")] = row
            }
            var links: [String: (Int, Int)] = [:]
            for row in try desk.rows(
                """
                SELECT subject_id, count(*) AS n, CAST(sum(openings) AS BIGINT) AS openings FROM share_link
                WHERE subject_kind = 'packet' AND \(Query.column("subject_id", in: ids)) GROUP BY subject_id
                """)
            {
                links[try row.text("subject_id")] = (try row.int("n"), try row.int("openings"))
            }
            return try ids.compactMap { id in
                guard let packet = packets[id] else { return nil }
                let item = items[Self.subject(id)]
                let letter = letters[Self.subject(id)]
                var line = DeliveryLine(
                    packet: packet, state: item?.state ?? (packet.state == .made ? .made : nil),
                    at: item?.at ?? packet.madeAt,
                    address: item.flatMap { $0.address.isEmpty ? nil : $0.address } ?? packet.email)
                line.message = try letter?.id("id")
                line.reason = try letter?.optionalText("reason") ?? packet.reason
                (line.links, line.openings) = links[id.text] ?? (0, 0)
                return line
            }
        }
    }

    /// “Sent 12 of 300”: packets that could not be made count as not sent; whoever was left out because they have the
    /// same papers already is none of the 300.
    public func tally(of id: ID<Batch>, by caller: Caller) throws -> Ledger.Tally {
        try tallies(of: [id: batches.counts(of: id, by: caller)], by: caller)[id] ?? Ledger.Tally(states: [:])
    }

    /// The same for several, each with how many of its packets are in which state.
    public func tallies(
        of batches: [ID<Batch>: [Packet.State: Int]], by caller: Caller
    ) throws -> [ID<Batch>: Ledger.Tally] {
        let known = try ledger.tallies(of: batches.keys.map(Self.subject), by: caller)
        return Dictionary(
            uniqueKeysWithValues: batches.map { id, counts in
                (id, Self.tally(known[Self.subject(id)] ?? Ledger.Tally(states: [:]), with: counts))
            })
    }

    private static func tally(_ known: Ledger.Tally, with counts: [Packet.State: Int]) -> Ledger.Tally {
        var tally = known
        let known = tally.total
        let made = counts[.made] ?? 0
        if made > known { tally.states[.made, default: 0] += made - known }
        tally.unmade = (counts[.held] ?? 0) + (counts[.failed] ?? 0) + (counts[.planned] ?? 0)
        return tally
    }

    public func delivery(of id: ID<Packet>, by caller: Caller) throws -> PacketDelivery {
        guard let line = try lines(of: [id], by: caller).first else {
            throw Failure(.notFound, "There is no such packet.")
        }
        let messages = try store.read { desk in
            try desk.rows("SELECT * FROM outbox_message WHERE subject = \(Self.subject(id)) ORDER BY id DESC")
                .map(
                    OutboxMessage.init)
        }
        return PacketDelivery(
            line: line, history: try ledger.lines(of: Self.subject(id)), messages: messages,
            links: try links(to: id, by: caller))
    }
}

// What somebody says happened, by hand.
extension Sendings {
    /// The person has it: printed, by hand, by another program. `isShared`: the device's own sharing took it, and said
    /// that it was done.
    public func handOver(
        _ id: ID<Packet>, note: String = "", isShared: Bool = false, by caller: Caller
    ) throws {
        try say(isShared ? .shared : .handedOver, of: id, note, by: caller)
    }

    /// A filled copy came back.
    public func returned(_ id: ID<Packet>, note: String = "", by caller: Caller) throws {
        try say(.returned, of: id, note, by: caller)
    }

    private func say(_ event: LedgerEvent, of id: ID<Packet>, _ note: String, by caller: Caller) throws {
        try caller.require(.edit)
        let (addressee, batch) = try addressee(id, by: caller)
        guard addressee.packet.state == .made else {
            throw Failure(.conflict, "This packet has not been made.")
        }
        try store.write { tx in
            try ledger.write([Self.note(event, addressee.packet, batch.id, note, by: caller)], in: tx)
        }
    }

    /// Takes back what was said by hand last. The line stays in the ledger, and one is added that it does not hold.
    public func revert(_ id: ID<Packet>, by caller: Caller) throws {
        try caller.require(.edit)
        let (addressee, batch) = try addressee(id, by: caller)
        try store.write { tx in
            var said = 0
            for line in try ledger.lines(of: Self.subject(id), in: tx) {
                if line.note.event.isSaid { said += 1 }
                if line.note.event == .corrected { said -= 1 }
            }
            guard said > 0 else {
                throw Failure(.conflict, "Nothing was said by hand about this packet.")
            }
            try ledger.write([Self.note(.corrected, addressee.packet, batch.id, "", by: caller)], in: tx)
        }
    }

    static func note(
        _ event: LedgerEvent, _ packet: Packet, _ batch: ID<Batch>, _ detail: String, by caller: Caller
    ) -> LedgerNote {
        LedgerNote(
            event, subject: subject(packet.id), run: subject(batch), recipient: packet.name.onOneLine,
            address: packet.email.onOneLine, actor: caller.actor, detail: String(detail.onOneLine.prefix(500))
        )
    }
}
