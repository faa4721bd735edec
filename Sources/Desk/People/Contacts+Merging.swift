public import Access
import Bytes
public import Cards
import SQL
public import Storage
import Work

/// Two who could be one, and why one might think so.
public struct ContactMatch: Sendable, Equatable {
    public enum Reason: Sendable, Equatable {
        case email(String)
        /// As its digits.
        case phone(String)
        case nameAndOrganization
        case name

        fileprivate var weight: Int {
            switch self {
            case .email: 4
            case .phone: 3
            case .nameAndOrganization: 3
            case .name: 2
            }
        }
    }

    public var first: Contact
    public var second: Contact
    public var reasons: [Reason]
}

// Doubles are proposed and never joined by themselves.
extension Contacts {
    /// Those of the desk's own contacts who could be one, the likeliest first.
    public func matches(
        limit: Int = 50, by caller: Caller
    ) throws -> (matches: [ContactMatch], total: Int) {
        try caller.require(.view)
        return try store.read { desk in
            let pairs = try pairs(in: desk)
            let wanted = pairs.prefix(min(max(1, limit), 500))
            var matches: [ContactMatch] = []
            for pair in wanted {
                guard let first = try contact(pair.first, in: desk),
                    let second = try contact(pair.second, in: desk)
                else { continue }
                matches.append(ContactMatch(first: first, second: second, reasons: pair.reasons))
            }
            return (matches, pairs.count)
        }
    }

    private func contact(_ id: String, in desk: borrowing some Readable & ~Copyable) throws -> Contact? {
        try desk.row("SELECT \(Contact.columns) FROM contact WHERE id = \(id)").map(Contact.init)
    }

    private struct Pair {
        var first: String
        var second: String
        var reasons: [ContactMatch.Reason] = []
        var weight: Int { reasons.reduce(0) { $0 + $1.weight } }
    }

    private struct Alike {
        var reason: ContactMatch.Reason
        var ids: [String] = []
    }

    /// More share a switchboard or the name of an office than are one person.
    private static let mostAlike = 6
    private static let mostPairs = 5_000

    private func pairs(in desk: borrowing some Readable & ~Copyable) throws -> [Pair] {
        var groups: [String: Alike] = [:]
        func put(_ key: String, _ reason: ContactMatch.Reason, _ id: String) {
            groups[key, default: Alike(reason: reason)].ids.append(id)
        }
        for row in try desk.rows(
            """
            SELECT contact.id, name_order, organization, emails, phones FROM contact
            JOIN contact_book ON contact_book.id = contact.book_id WHERE contact_book.kind = 'cards' AND \(Self.isPerson)
            ORDER BY contact.id
            """)
        {
            let id = try row.text("id")
            for email in Set(try row.text("emails").lowercased().split(separator: "\n")) {
                put("e\(email)", .email(String(email)), id)
            }
            // A country's own way of writing a number and everybody's end alike.
            for digits in Set(try row.text("phones").split(separator: "\n").map { String($0.suffix(9)) })
            where digits.utf8.count >= 6 {
                put("p\(digits)", .phone(digits), id)
            }
            let words = try row.text("name_order").split { $0.isWhitespace || $0 == "," }.sorted()
            guard words.count > 1 else { continue }
            let name = words.joined(separator: " ")
            put("n\(name)", .name, id)
            let organization = Folding.key(try row.text("organization").trimmed)
            if !organization.isEmpty { put("o\(name)\u{1F}\(organization)", .nameAndOrganization, id) }
        }
        var found: [String: Pair] = [:]
        for (_, group) in groups.sorted(by: { $0.key < $1.key })
        where group.ids.count > 1 && group.ids.count <= Self.mostAlike {
            for (place, first) in group.ids.enumerated() {
                for second in group.ids[(place + 1)...] {
                    found["\(first)/\(second)", default: Pair(first: first, second: second)].reasons
                        .append(group.reason)
                }
            }
            if found.count > Self.mostPairs { break }
        }
        for row in try desk.rows("SELECT first_id, second_id FROM contact_apart") {
            found["\(try row.text("first_id"))/\(try row.text("second_id"))"] = nil
        }
        for (key, pair) in found where pair.reasons.contains(.nameAndOrganization) {
            found[key]?.reasons.removeAll { $0 == .name }
        }
        return found.values.sorted { one, other in
            one.weight != other.weight
                ? one.weight > other.weight : "\(one.first)/\(one.second)" < "\(other.first)/\(other.second)"
        }
    }

    /// These two are not the same, and are not proposed again.
    public func keepApart(_ first: ID<Contact>, _ second: ID<Contact>, by caller: Caller) throws {
        try caller.require(.edit)
        let (one, other) = first.text < second.text ? (first, second) : (second, first)
        try store.write { tx in
            guard try kept(one, in: tx) != nil, try kept(other, in: tx) != nil else { throw Self.nobody }
            try tx.run(
                """
                INSERT INTO contact_apart (first_id, second_id) VALUES (\(one), \(other))
                ON CONFLICT (first_id, second_id) DO NOTHING
                """)
            tx.record(
                JournalEntry(
                    actor: caller.actor, verb: "contacts.keptApart", subject: "contact/\(one)",
                    detail: ["other": .string(other.text)]))
        }
    }

    /// The two cards, with what would become of them.
    public func merge(of first: ID<Contact>, and second: ID<Contact>, by caller: Caller) throws -> CardMerge {
        try caller.require(.view)
        return try store.read { desk in
            let (one, other) = try two(first, second, in: desk)
            return CardMerge(try one.card, try other.card)
        }
    }

    /// Makes one of two: the first stays, and with it whatever the second says; both cards are kept, so that it can be taken back.
    @discardableResult
    public func merge(
        _ first: ID<Contact>, with second: ID<Contact>,
        taking choices: [CardMerge.Field: CardMerge.Side] = [:],
        without: Set<String>? = nil, by caller: Caller
    ) throws -> ContactAct {
        try caller.require(.edit)
        return try store.write { tx in
            let (one, other) = try two(first, second, in: tx)
            var merge = CardMerge(try one.card, try other.card)
            merge.choices = choices
            if let without { merge.without = without }
            let act = try begin(.merged, one.name, by: caller, in: tx)
            try keep(one, before: act, in: tx)
            try keep(other, before: act, in: tx)
            var regrouping = try Regrouping(in: tx, of: self)
            try regrouping.change(other, into: one)
            try drop("id = \(second)", in: tx)
            _ = try regrouping.write(act, in: tx)
            if try !write(merge.merged, insteadOf: one, act, in: tx) {
                // It said everything already; it still is what this act made of it.
                try tx.run("UPDATE contact SET act_id = \(act) WHERE id = \(first)")
            }
            if let both = FollowUp.joined(FollowUp(kept: one.followUp), FollowUp(kept: other.followUp)) {
                try set(both, of: first, in: tx)
            }
            var counts = ContactCounts()
            counts.changed = 1
            counts.gone = 1
            tell("contacts.merged", first, one.book, by: caller, in: tx)
            return try finish(act, counts, in: tx)
        }
    }

    private func two(
        _ first: ID<Contact>, _ second: ID<Contact>, in desk: borrowing some Readable & ~Copyable
    ) throws -> (Kept, Kept) {
        guard first != second else {
            throw Failure(.invalid, "These are the same contact already.", field: "second")
        }
        let found = try own([first, second], in: desk)
        guard found.count == 2 else { throw Self.nobody }
        return (found[0], found[1])
    }

    // MARK: Afterwards

    /// Into whom somebody went who was made one with them; nil when that did not happen, or was taken back.
    public func mergedInto(_ id: ID<Contact>, by caller: Caller) throws -> ID<Contact>? {
        try caller.require(.view)
        return try store.read { desk in
            try desk.row(
                """
                SELECT contact.id FROM contact_before AS gone
                JOIN contact_act ON contact_act.id = gone.act_id
                JOIN contact_before AS stays ON stays.act_id = gone.act_id AND stays.contact_id <> gone.contact_id
                JOIN contact ON contact.id = stays.contact_id
                WHERE gone.contact_id = \(id) AND contact_act.kind = 'merged' AND contact_act.undone_at IS NULL
                ORDER BY contact_act.at DESC LIMIT 1
                """
            ).map { try $0.id("id") }
        }
    }

    /// Who became one with somebody: papers may carry them.
    public func formerly(_ id: ID<Contact>, by caller: Caller) throws -> [ID<Contact>] {
        try caller.require(.view)
        return try store.read { desk in
            try desk.rows(
                """
                SELECT gone.contact_id FROM contact_before AS stays
                JOIN contact_act ON contact_act.id = stays.act_id
                JOIN contact_before AS gone ON gone.act_id = stays.act_id AND gone.contact_id <> stays.contact_id
                WHERE stays.contact_id = \(id) AND contact_act.kind = 'merged' AND contact_act.undone_at IS NULL
                    AND NOT EXISTS (SELECT 1 FROM contact WHERE contact.id = gone.contact_id)
                ORDER BY gone.contact_id LIMIT 50
                """
            ).map { try $0.id("contact_id") }
        }
    }

    /// A card that comes once more after its person became one with another is no new one.
    func isMerged(_ card: ContactCard, uid: String, in tx: borrowing Transaction) throws -> Bool {
        guard let bytes = card.untouched else { return false }
        return try tx.rows(
            """
            SELECT contact_before.original FROM contact_before
            JOIN contact_act ON contact_act.id = contact_before.act_id
            WHERE contact_before.uid = \(uid) AND contact_act.kind = 'merged' AND contact_act.undone_at IS NULL
                AND NOT EXISTS (SELECT 1 FROM contact WHERE contact.id = contact_before.contact_id)
            """
        ).contains { try $0.blob("original") == bytes }
    }
}
