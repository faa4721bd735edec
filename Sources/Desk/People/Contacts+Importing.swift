public import Access
import Bytes
public import Cards
import SQL
public import Storage
import Tables

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
            let id = try begin(.imported, name, by: caller, in: tx)
            var counts = ContactCounts()
            var known: [String: Int] = [:]
            let haveMerged =
                try tx.row("SELECT 1 AS one FROM contact_act WHERE kind = 'merged' LIMIT 1") != nil
            let isFirst =
                try tx.row("SELECT 1 AS one FROM contact WHERE book_id = \(book) LIMIT 1") == nil
            var taken: Set<String> = []
            var hasGroups = try tx.row("SELECT 1 AS one FROM contact_member LIMIT 1") != nil
            try CardStream.each(bytes, letters: letters) { piece in
                switch piece {
                case .refusal(let refusal): counts.refuse(refusal)
                case .card(let prepared):
                    let card = prepared.card
                    guard !card.properties.allSatisfy({ $0.name == "VERSION" || $0.value.isEmpty }) else {
                        counts.refuse(CardRefusal(line: card.line, name: "", reason: .empty))
                        return
                    }
                    counts.note(card.oddities)
                    // Two cards of one file that are called the same are two people.
                    let key = Self.key(of: card)
                    let number = (known[key] ?? 0) + 1
                    known[key] = number
                    let uid = (number == 1 ? key : "\(key)\u{1F}\(number)").withoutNUL
                    if haveMerged, try isMerged(card, uid: uid, in: tx) {
                        counts.unchanged += 1
                        return
                    }
                    hasGroups = hasGroups || prepared.isGroup
                    try put(
                        prepared, uid: uid, path: nil, tag: nil, into: book, act: id,
                        isNew: isFirst && taken.insert(uid).inserted,
                        hasGroups: hasGroups, &counts, in: tx)
                }
            }
            guard counts.added + counts.changed + counts.unchanged + counts.groups + counts.refusedCount > 0
            else {
                throw Failure(.invalid, "There is no card (vCard) in “\(name)”.", field: "file")
            }
            note("contacts.brought", book, by: Author(caller), counts, ["file": .string(name)], in: tx)
            return try finish(id, counts, in: tx)
        }
    }

    /// What a card calls itself; without that its name with an address or a number.
    private static func key(of card: ContactCard) -> String {
        if let uid = card.uid { return uid }
        if let email = card.emails.first { return "\(card.name)\u{1F}\(email)" }
        return "\(card.name)\u{1F}" + (card.phones.first.map { "\u{1F}\($0)" } ?? "")
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

extension ContactCounts {
    /// As it is kept.
    var json: JSON {
        [
            "added": .int(added), "changed": .int(changed), "unchanged": .int(unchanged), "gone": .int(gone),
            "groups": .int(groups),
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
        gone = json["gone"]?.int ?? 0
        groups = json["groups"]?.int ?? 0
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
        Failure([.empty, .noCard].contains(reason) ? .invalid : .tooLarge, "\(self)")
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
