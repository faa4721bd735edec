public import Access
import Bytes
public import Cards
import SQL
public import Storage
import Transfer
import Work

/// Everything the desk knows of one person.
public struct Person: Sendable {
    public var contact: Contact
    public var card: ContactCard
    /// With the groups they are in among their tags, as they are seen and changed by people.
    public var shown: ContactCard { Contacts.shown(card, in: contact.tags) }
    public var book: ContactBook
    /// What made it what it is now, when that is still known.
    public var act: ContactAct?

    /// Whether it is changed here; what a server keeps is changed there, unless its book goes both ways.
    public var isOwn: Bool { book.isChangedHere }
    /// Says which state one has looked at.
    public var version: String { card.version }
}

extension ContactCard {
    /// Changes with whatever the card says.
    var version: String { Contacts.mark(of: untouched ?? bytes(as: form)) }
}

// People written down, changed and taken out by hand.
extension Contacts {
    public func person(_ id: ID<Contact>, by caller: Caller) throws -> Person {
        try caller.require(.view)
        return try store.read { desk in
            guard let kept = try kept(id, in: desk), !kept.isGroup,
                let row = try desk.row("SELECT \(Contact.columns) FROM contact WHERE id = \(id)")
            else { throw Self.nobody }
            return Person(
                contact: try Contact(row), card: try kept.card, book: try found(kept.book, in: desk),
                act: kept.act.flatMap { ID<ContactAct>($0) }.flatMap { try? act($0, in: desk) })
        }
    }

    /// Changes what the edit names and nothing else; nil when it says what there is. `version` has to be the one that is there, when
    /// one is given.
    @discardableResult
    public func edit(
        _ id: ID<Contact>, _ edit: CardEdit, version: String? = nil, by caller: Caller
    ) throws -> ContactAct? {
        let touchesTags = edit.parts.contains { $0.part == .tags }
        return try change(id, .edited, touchesTags: touchesTags, by: caller) { kept, regrouping in
            let card = try kept.card
            if let version, version != card.version { throw Self.changedMeanwhile }
            guard touchesTags else { return try Self.edited(card, edit) }
            let before = Self.shown(card, in: try regrouping.tags(of: kept))
            var edited = try Self.edited(before, edit)
            let wanted = edited.tags
            let (others, _) = try regrouping.change(
                kept, adding: wanted, removing: before.tags.filter { !wanted.contains($0) })
            edited.setTags(wanted.filter { others.contains($0) || card.tags.contains($0) })
            return edited
        }
    }

    static func shown(_ card: ContactCard, in tags: [String]) -> ContactCard {
        var card = card
        let groups = tags.filter { !card.tags.contains($0) }
        if !groups.isEmpty { card.setTags(card.tags + groups) }
        return card
    }

    /// A photo of their own; nil takes it away.
    @discardableResult
    public func setPhoto(
        _ photo: (mediaType: String, bytes: [UInt8])?, of id: ID<Contact>, by caller: Caller
    ) throws -> ContactAct? {
        if let photo, photo.bytes.count > Self.largestPhoto {
            throw Failure(
                .tooLarge, "A photo of a contact has at most \(Self.largestPhoto >> 10) kB.", field: "file")
        }
        return try change(id, .edited, by: caller) { kept, _ in
            var card = try kept.card
            card.photo = photo
            return card
        }
    }

    /// Telephones refuse cards that are much larger.
    public static let largestPhoto = 1 << 20

    /// Writes somebody down, beginning with the card they gave. One that says whose it is takes the place of what that one had
    /// said before; nobody else is written over, since of a card that was read somewhere most is missing. In a book on a server
    /// they are written there before long.
    @discardableResult
    public func make(
        _ edit: CardEdit, from given: ContactCard? = nil, into wanted: ID<ContactBook>? = nil,
        by caller: Caller
    ) throws -> (contact: Contact, act: ContactAct) {
        try caller.require(.edit)
        return try store.write { tx in
            let uid = given?.uid ?? "urn:uuid:\(tx.newID(of: Contact.self).text)"
            var card = try Self.edited(given ?? ContactCard([CardProperty("UID", uid)]), edit)
            guard !card.name.isEmpty else {
                throw Failure(
                    .invalid, "Say what the person is called, or how they are reached.", field: "name")
            }
            if card.first("FN") == nil {
                var named = CardEdit()
                named.set(.name, card.name)
                card = try Self.edited(card, named)
            }
            let book =
                try wanted.map { try served($0, without: uid, in: tx) }
                ?? cardsBook(by: caller.actor, in: tx)
            let act = try begin(.made, card.name, by: caller, in: tx)
            var counts = ContactCounts()
            var regrouping =
                card.tags.isEmpty ? Regrouping(withoutTagsOf: self) : try Regrouping(in: tx, of: self)
            let (own, isRegrouped) = regrouping.change(card.uid ?? uid, of: book, adding: card.tags)
            if isRegrouped { card.setTags(own) }
            try put(card, uid: uid, path: nil, tag: nil, into: book, act: act, &counts, in: tx)
            _ = try regrouping.write(act, in: tx)
            guard
                let row = try tx.row(
                    "SELECT \(Contact.columns) FROM contact WHERE book_id = \(book) AND uid = \(uid)")
            else { throw Self.nobody }
            let contact = try Contact(row)
            tell("contacts.made", contact.id, book, by: caller, in: tx)
            try sendSoon(book, in: tx)
            return (contact, try finish(act, counts, in: tx))
        }
    }

    /// A book that takes people who are written down here, and does not have this one yet.
    func served(
        _ id: ID<ContactBook>, without uid: String, in desk: borrowing some Readable & ~Copyable
    ) throws -> ID<ContactBook> {
        let book = try found(id, in: desk)
        guard book.isChangedHere else {
            throw Failure(
                .conflict,
                "“\(book.name)” is only read. Let it go both ways first, or write the person down on this desk.",
                field: "book")
        }
        let known = try desk.row("SELECT name FROM contact WHERE book_id = \(id) AND uid = \(uid)")
        if book.kind == .carddav, let known {
            throw Failure(
                .conflict, "“\(try known.text("name"))” is in “\(book.name)” already. Change them there.",
                field: "book")
        }
        return id
    }

    /// Takes people out; taken back, they are who they were.
    @discardableResult
    public func remove(_ ids: [ID<Contact>], by caller: Caller) throws -> ContactAct? {
        try caller.require(.edit)
        return try store.write { tx in try remove(own(ids, in: tx), by: caller, in: tx) }
    }

    func remove(_ all: [Kept], by caller: Caller, in tx: borrowing Transaction) throws -> ContactAct? {
        guard let first = all.first else { return nil }
        let act = try begin(.removed, all.count == 1 ? first.name : "", by: caller, in: tx)
        for kept in all {
            try keep(kept, before: act, in: tx)
            try drop("id = \(kept.id)", in: tx)
        }
        try settleDue(in: tx)
        var counts = ContactCounts()
        counts.gone = all.count
        tx.record(
            JournalEntry(
                actor: caller.actor, verb: "contacts.removed", subject: "contacts",
                detail: ["count": .int(all.count)]))
        return try finish(act, counts, in: tx)
    }

    /// Gives people tags and takes tags away; nil when all of them are so already.
    @discardableResult
    public func tag(
        _ ids: [ID<Contact>], adding: [String], removing: [String] = [], by caller: Caller
    ) throws -> ContactAct? {
        try caller.require(.edit)
        let adding = try adding.map(Self.tag)
        guard !adding.isEmpty || !removing.isEmpty else {
            throw Failure(.invalid, "Say which tag.", field: "tag")
        }
        return try store.write { tx in
            let all = try own(ids, in: tx)
            let act = try begin(.tagged, (adding + removing).joined(separator: ", "), by: caller, in: tx)
            var counts = ContactCounts()
            var regrouping = try Regrouping(in: tx, of: self)
            for kept in all {
                var card = try kept.card
                let (own, isRegrouped) = try regrouping.change(kept, adding: adding, removing: removing)
                let gone = Set(removing.map(Folding.key))
                card.setTags(
                    card.tags.filter { !gone.contains(Folding.key($0)) }
                        + own.filter { tag in
                            !card.tags.contains { Folding.key($0) == Folding.key(tag) }
                        })
                if try write(card, insteadOf: kept, act, in: tx) || isRegrouped { counts.changed += 1 }
            }
            _ = try regrouping.write(act, in: tx)
            guard counts.changed > 0 else {
                try tx.run("DELETE FROM contact_act WHERE id = \(act)")
                return nil
            }
            note(
                "contacts.tagged", try cardsBook(by: caller.actor, in: tx), by: Author(caller), counts,
                in: tx)
            return try finish(act, counts, in: tx)
        }
    }

    private static func tag(_ text: String) throws -> String {
        let tag = text.trimmed
        guard !tag.isEmpty, tag.utf8.count <= 100, !tag.contains(",") else {
            throw Failure(
                .invalid, "A tag is a word or a few, without a comma and at most 100 letters long.",
                field: "tag")
        }
        return tag
    }

    // MARK: Below

    /// A contact as it lies there.
    struct Kept {
        var id: ID<Contact>
        var book: ID<ContactBook>
        var uid: String
        var name: String
        var original: [UInt8]
        var act: String?
        /// Whether its book goes both ways.
        var writes: Bool
        var isOwn: Bool
        var isGroup: Bool
        /// As it is kept.
        var followUp: String

        var card: ContactCard {
            get throws {
                guard let card = CardFile(original).cards.first else {
                    throw Failure(.damaged, "The card of this contact cannot be read any more.")
                }
                return card
            }
        }
    }

    func kept(_ id: ID<Contact>, in desk: borrowing some Readable & ~Copyable) throws -> Kept? {
        try desk.row(
            """
            SELECT contact.book_id, contact.uid, contact.name, contact.card, contact.original, contact.act_id,
                contact.follow_up, contact.is_group, contact_book.kind, contact_book.writes
            FROM contact JOIN contact_book ON contact_book.id = contact.book_id WHERE contact.id = \(id)
            """
        ).map { row in
            let writes = try row.bool("writes")
            return Kept(
                id: id, book: try row.id("book_id"), uid: try row.text("uid"), name: try row.text("name"),
                original: try row.optionalBlob("original") ?? Array(row.text("card").utf8),
                act: try row.optionalText("act_id"),
                writes: writes,
                isOwn: ContactBook.isChangedHere(.init(rawValue: try row.text("kind")), writes: writes),
                isGroup: try row.bool("is_group"), followUp: try row.text("follow_up"))
        }
    }

    /// Those that are changed here; who is kept on a server is not, as the next fetch would bring back what was.
    func own(_ ids: [ID<Contact>], in desk: borrowing some Readable & ~Copyable) throws -> [Kept] {
        var seen: Set<ID<Contact>> = []
        return try ids.compactMap { id in
            guard seen.insert(id).inserted, let kept = try kept(id, in: desk), !kept.isGroup else {
                return nil
            }
            guard kept.isOwn else { throw Self.keptElsewhere(kept.name) }
            return kept
        }
    }

    static func keptElsewhere(_ name: String) -> Failure {
        Failure(
            .conflict,
            "“\(name)” is kept by an address book on a server. Change it there; the next fetch brings it here."
        )
    }

    private func change(
        _ id: ID<Contact>, _ kind: ContactAct.Kind, touchesTags: Bool = false, by caller: Caller,
        _ body: (Kept, inout Regrouping) throws -> ContactCard
    ) throws -> ContactAct? {
        try caller.require(.edit)
        return try store.write { tx in
            guard let kept = try own([id], in: tx).first else { throw Self.nobody }
            var regrouping = touchesTags ? try Regrouping(in: tx, of: self) : Regrouping(withoutTagsOf: self)
            let card = try body(kept, &regrouping)
            guard card.untouched == nil || regrouping.isOther else { return nil }
            let act = try begin(kind, kept.name, by: caller, in: tx)
            let isWritten = try write(card, insteadOf: kept, act, in: tx)
            guard try regrouping.write(act, in: tx) || isWritten else {
                try tx.run("DELETE FROM contact_act WHERE id = \(act)")
                return nil
            }
            var counts = ContactCounts()
            counts.changed = 1
            tell("contacts.edited", id, kept.book, by: caller, in: tx)
            return try finish(act, counts, in: tx)
        }
    }

    /// In the form it came in, so that what was not touched stays as it is; what only a square code can hold is written as vCard.
    static func kept(_ card: ContactCard) -> [UInt8] {
        card.bytes(as: card.form == .mecard ? .vcard4 : card.form)
    }

    func write(
        _ card: ContactCard, insteadOf kept: Kept, _ act: ID<ContactAct>, in tx: borrowing Transaction
    ) throws -> Bool {
        guard card.untouched == nil else { return false }
        let bytes = Self.kept(card)
        guard bytes != kept.original else { return false }
        guard let again = CardFile(bytes).cards.first else {
            throw Failure(.tooLarge, "The card would become too large to be read again.")
        }
        try keep(kept, before: act, in: tx)
        try rewrite(kept.id, again, original: bytes, act: act.text, in: tx)
        return true
    }

    func tell(
        _ verb: String, _ id: ID<Contact>, _ book: ID<ContactBook>, by caller: Caller,
        in tx: borrowing Transaction
    ) {
        tx.record(JournalEntry(actor: caller.actor, verb: verb, subject: "contact/\(id)"))
        if let found = try? found(book, in: tx) { tx.afterCommit { [changes] in changes.send(found) } }
    }

    static var nobody: Failure {
        Failure(.notFound, "There is no such contact. It may have been removed.")
    }

    private static var changedMeanwhile: Failure {
        Failure(.conflict, "Somebody else has changed this contact meanwhile. Look at it again.")
    }

    private static func edited(_ card: ContactCard, _ edit: CardEdit) throws(Failure) -> ContactCard {
        for said in edit.lines where said.line.kind == .email {
            let text = said.line.value.trimmed
            guard !text.isEmpty, said.key.map(said.line.isKnown) != true,
                MailAddress(typed: text)?.address != text
            else { continue }
            throw .notAnAddress(text, field: CardLine.Kind.email.rawValue)
        }
        do throws(CardEditFault) {
            return try card.edited(edit)
        } catch {
            throw error.failure
        }
    }
}

extension CardEditFault {
    /// For a person.
    public var failure: Failure {
        switch self {
        case .changedMeanwhile:
            Failure(.conflict, "Somebody else has changed this contact meanwhile. Look at it again.")
        case .metOn(let text):
            Failure(.invalid, "“\(text)” is no day. Write it as 2026-04-15.", field: "metOn")
        case .tooLong(let part): Failure(.tooLarge, "This is too long for a card.", field: part.rawValue)
        case .line(let fault):
            switch fault.reason {
            case .email:
                Failure.notAnAddress(fault.value, field: fault.kind.rawValue)
            case .phone:
                Failure(.invalid, "“\(fault.value)” is no telephone number.", field: fault.kind.rawValue)
            case .link: Failure(.invalid, "“\(fault.value)” is no link.", field: fault.kind.rawValue)
            case .date:
                Failure(
                    .invalid,
                    "“\(fault.value)” is no day. Write it as 2026-04-15, or --04-15 without a year.",
                    field: fault.kind.rawValue)
            case .long: Failure(.tooLarge, "This is too long for a card.", field: fault.kind.rawValue)
            case .many:
                Failure(.tooLarge, "A card holds no more lines than these.", field: fault.kind.rawValue)
            }
        }
    }
}
