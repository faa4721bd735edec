public import Access
import Bytes
public import Cards
import SQL
public import Storage
import Tables
public import Work

/// What brought contacts in, so that it can be taken back as one.
public struct ContactAct: Sendable, Equatable {
    public let id: ID<ContactAct>
    /// The name of the file.
    public var name: String
    public var at: Moment
    public var actor: String
    public var actorName: String
    public var counts: ContactCounts
    public var undoneAt: Moment?
}

/// What taking an act back did.
public struct ContactUndoing: Sendable, Equatable {
    public var act: ContactAct
    /// Whom the act had brought, and who are gone again.
    public var removed = 0
    /// Who are as they were before.
    public var restored = 0
    /// Who have been changed since, and stay.
    public var kept = 0
}

// Cards out of files: brought in as one act, with a report, which can be taken back.
extension Contacts {
    /// Cards of a file. Those known by their UID, or by name and address, are brought up to date; none goes. What is the same
    /// stays untouched, so a file that comes twice changes nothing the second time.
    @discardableResult
    public func bring(cards bytes: [UInt8], named name: String, by caller: Caller) throws -> ContactAct {
        try caller.require(.edit)
        let letters = CardFile.letters(of: bytes)
        return try store.write { tx in
            let book = try cardsBook(by: caller.actor, in: tx)
            let id = tx.newID(of: ContactAct.self)
            let name = String(name.withoutNUL.prefix(200))
            try tx.run(
                """
                INSERT INTO contact_act (id, name, at, by_actor, by_name, report)
                VALUES (\(id), \(name), \(tx.now), \(caller.actor), \(caller.name), '{}')
                """)
            var counts = ContactCounts()
            var known: [String: Int] = [:]
            try CardFile.each(bytes, letters: letters) { found in
                switch found {
                case .refusal(let refusal): counts.refuse(refusal)
                case .card(let card):
                    guard !card.properties.allSatisfy({ $0.name == "VERSION" || $0.value.isEmpty }) else {
                        counts.refuse(CardRefusal(line: card.line, name: "", reason: .empty))
                        return
                    }
                    counts.note(card.oddities)
                    // Two cards of one file that are called the same are two people.
                    let key = Self.key(of: card)
                    let number = (known[key] ?? 0) + 1
                    known[key] = number
                    try put(
                        card, uid: number == 1 ? key : "\(key)\u{1F}\(number)", path: nil, tag: nil,
                        into: book,
                        act: id, &counts, in: tx)
                }
            }
            guard counts.added + counts.changed + counts.unchanged + counts.refusedCount > 0 else {
                throw Failure(.invalid, "There is no card (vCard) in “\(name)”.", field: "file")
            }
            try tx.run("UPDATE contact_act SET report = \(counts.json.text) WHERE id = \(id)")
            note("contacts.brought", book, by: Author(caller), counts, ["file": .string(name)], in: tx)
            return try act(id, in: tx)
        }
    }

    /// What a card calls itself; without that its name with an address or a number.
    private static func key(of card: ContactCard) -> String {
        if let uid = card.uid { return uid }
        if let email = card.emails.first { return "\(card.name)\u{1F}\(email)" }
        return "\(card.name)\u{1F}" + (card.phones.first.map { "\u{1F}\($0)" } ?? "")
    }

    // MARK: Acts

    /// The latest first.
    public func acts(limit: Int = 20, by caller: Caller) throws -> [ContactAct] {
        try caller.require(.view)
        return try store.read { desk in
            try desk.rows(
                "SELECT * FROM contact_act ORDER BY at DESC, id DESC LIMIT \(min(max(1, limit), 1000))"
            )
            .map(ContactAct.init)
        }
    }

    public func act(_ id: ID<ContactAct>, by caller: Caller) throws -> ContactAct {
        try caller.require(.view)
        return try store.read { desk in try act(id, in: desk) }
    }

    private func act(
        _ id: ID<ContactAct>, in desk: borrowing some Readable & ~Copyable
    ) throws -> ContactAct {
        guard let row = try desk.row("SELECT * FROM contact_act WHERE id = \(id)") else {
            throw Failure(.notFound, "There is no such import. It may have been long ago.")
        }
        return try ContactAct(row)
    }

    /// Takes an import back: whom it brought goes, whom it changed is as before. Who has been changed since stays.
    @discardableResult
    public func undo(_ id: ID<ContactAct>, by caller: Caller) throws -> ContactUndoing {
        try caller.require(.edit)
        return try store.write { tx in
            var found = try act(id, in: tx)
            guard found.undoneAt == nil else {
                throw Failure(.conflict, "This import has been undone already.")
            }
            var undoing = ContactUndoing(act: found)
            let before = try tx.rows(
                """
                SELECT contact_before.contact_id, contact_before.original, contact_before.act_before, contact.act_id
                FROM contact_before JOIN contact ON contact.id = contact_before.contact_id
                WHERE contact_before.act_id = \(id)
                """)
            for row in before {
                guard try row.optionalText("act_id") == id.text,
                    let card = CardFile(try row.blob("original")).cards.first
                else { continue }
                try restore(
                    try row.id("contact_id"), card, original: row.blob("original"),
                    act: row.optionalText("act_before"), in: tx)
                undoing.restored += 1
            }
            undoing.removed = try tx.run(
                """
                DELETE FROM contact WHERE act_id = \(id)
                    AND id NOT IN (SELECT contact_id FROM contact_before WHERE act_id = \(id))
                """)
            undoing.kept = max(
                0, found.counts.added + found.counts.changed - undoing.removed - undoing.restored)
            try tx.run("DELETE FROM contact_before WHERE act_id = \(id)")
            try tx.run("UPDATE contact_act SET undone_at = \(tx.now) WHERE id = \(id)")
            found.undoneAt = tx.now
            undoing.act = found
            let book = try cardsBook(by: caller.actor, in: tx)
            var counts = ContactCounts()
            counts.gone = undoing.removed
            counts.changed = undoing.restored
            note("contacts.undone", book, by: Author(caller), counts, ["file": .string(found.name)], in: tx)
            return undoing
        }
    }

    private func restore(
        _ id: ID<Contact>, _ card: ContactCard, original: [UInt8], act: String?, in tx: borrowing Transaction
    ) throws {
        let shown = Shown(card)
        try tx.run(
            """
            UPDATE contact SET name = \(shown.name), name_order = \(shown.order), search = \(shown.search),
                emails = \(shown.emails), organization = \(shown.organization),
                card = \(card.withoutFiles.withoutNUL), original = \(original), act_id = \(act),
                changed_at = \(tx.now)
            WHERE id = \(id)
            """)
    }

    // MARK: Cards given out again

    /// The card of a contact with everything it came with, byte for byte as long as nobody changed it.
    public func card(of id: ID<Contact>, by caller: Caller) throws -> ContactCard {
        try caller.require(.view)
        return try store.read { desk in
            guard let row = try desk.row("SELECT card, original FROM contact WHERE id = \(id)") else {
                throw Failure(.notFound, "There is no such contact. It may have been removed.")
            }
            let bytes = try row.optionalBlob("original") ?? Array(row.text("card").utf8)
            guard let card = CardFile(bytes).cards.first else {
                throw Failure(.damaged, "The card of this contact cannot be read any more.")
            }
            return card
        }
    }
}

extension ContactAct {
    init(_ row: Row) throws {
        id = try row.id("id")
        name = try row.text("name")
        at = try row.moment("at")
        actor = try row.text("by_actor")
        actorName = try row.text("by_name")
        counts = ContactCounts((try? JSON(parsing: row.text("report"))) ?? .null)
        undoneAt = try row.optionalMoment("undone_at")
    }
}

extension ContactCounts {
    /// As it is kept.
    var json: JSON {
        [
            "added": .int(added), "changed": .int(changed), "unchanged": .int(unchanged),
            "refusedCount": .int(refusedCount),
            "odd": .array(odd.map { ["line": .int($0.line), "kind": .string($0.kind.rawValue)] }),
            "refused": .array(
                refused.map { refusal in
                    let (kind, limit) = refusal.reason.word
                    return [
                        "line": .int(refusal.line), "name": .string(String(refusal.name.prefix(200))),
                        "reason": .string(kind), "limit": .int(limit),
                    ]
                }),
        ]
    }

    init(_ json: JSON) {
        added = json["added"]?.int ?? 0
        changed = json["changed"]?.int ?? 0
        unchanged = json["unchanged"]?.int ?? 0
        refusedCount = json["refusedCount"]?.int ?? 0
        odd = (json["odd"]?.array ?? []).compactMap { entry in
            CardOddity.Kind(rawValue: entry["kind"]?.string ?? "").map {
                CardOddity(line: entry["line"]?.int ?? 0, kind: $0)
            }
        }
        refused = (json["refused"]?.array ?? []).compactMap { entry in
            guard
                let reason = CardRefusal.Reason(
                    word: entry["reason"]?.string ?? "", limit: entry["limit"]?.int ?? 0)
            else { return nil }
            return CardRefusal(
                line: entry["line"]?.int ?? 0, name: entry["name"]?.string ?? "", reason: reason)
        }
    }
}

extension CardRefusal {
    /// Why, for a person.
    public var failure: Failure {
        switch reason {
        case .cardTooLarge(let limit): Failure(.tooLarge, "The card is larger than \(limit >> 20) MB.")
        case .pictureTooLarge(let limit):
            Failure(.tooLarge, "A picture or sound on the card is larger than \(limit >> 20) MB.")
        case .tooManyProperties(let limit): Failure(.tooLarge, "The card has more than \(limit) lines.")
        case .tooDeep(let limit):
            Failure(.tooLarge, "The card has more than \(limit) cards in one another.")
        case .tooManyCards(let limit):
            Failure(
                .tooLarge, "The file has more than \(limit) cards; what comes after them was not read.")
        case .empty: Failure(.invalid, "The card says nothing.")
        case .noCard: Failure(.invalid, "This is no card.")
        }
    }
}

extension CardOddity {
    /// What was odd, for a person.
    public var failure: Failure {
        switch kind {
        case .noEnd: Failure(.invalid, "The card does not end; it was taken as far as it goes.")
        case .noVersion: Failure(.invalid, "The card does not say its version; it was read as vCard 3.")
        case .unreadable:
            Failure(.invalid, "This line says nothing that a card can say; it is kept as it came.")
        case .letters: Failure(.invalid, "Some letters cannot be read; they are kept as they came.")
        }
    }
}

extension CardRefusal.Reason {
    fileprivate var word: (kind: String, limit: Int) {
        switch self {
        case .cardTooLarge(let limit): ("card", limit)
        case .pictureTooLarge(let limit): ("picture", limit)
        case .tooManyProperties(let limit): ("lines", limit)
        case .tooDeep(let limit): ("deep", limit)
        case .tooManyCards(let limit): ("cards", limit)
        case .empty: ("empty", 0)
        case .noCard: ("none", 0)
        }
    }

    fileprivate init?(word: String, limit: Int) {
        switch word {
        case "card": self = .cardTooLarge(limit: limit)
        case "picture": self = .pictureTooLarge(limit: limit)
        case "lines": self = .tooManyProperties(limit: limit)
        case "deep": self = .tooDeep(limit: limit)
        case "cards": self = .tooManyCards(limit: limit)
        case "empty": self = .empty
        case "none": self = .noCard
        default: return nil
        }
    }
}
