public import Access
import Bytes
import Cards
import SQL
public import Storage
import Tables

/// What contacts are given out as.
public enum CardsForm: String, Sendable, CaseIterable {
    /// Each card as it came, byte for byte.
    case cards
    case vcard3, vcard4, jcard, jscontact, csv

    public var mediaType: String {
        switch self {
        case .cards, .vcard3, .vcard4: "text/vcard; charset=utf-8"
        case .jcard: "application/vcard+json"
        case .jscontact: "application/jscontact+json"
        case .csv: "text/csv; charset=utf-8"
        }
    }

    public var ending: String {
        switch self {
        case .cards, .vcard3, .vcard4: "vcf"
        case .jcard, .jscontact: "json"
        case .csv: "csv"
        }
    }
}

/// A card that was not taken, or a line that was odd, as a person is told of it.
public struct ContactLeftOut: Sendable, Equatable {
    public var line: Int
    public var name: String
    public var reason: Failure
}

extension ContactCounts {
    public var leftOut: [ContactLeftOut] {
        refused.map { ContactLeftOut(line: $0.line, name: $0.name, reason: $0.failure) }
    }

    public var oddities: [ContactLeftOut] {
        odd.map { ContactLeftOut(line: $0.line, name: "", reason: $0.failure) }
    }
}

// Contacts given out again.
extension Contacts {
    /// Writes contacts in one of the forms, by name: those whose card has these words, or those named.
    public func export(
        as form: CardsForm, search: String = "", only ids: [ID<Contact>] = [], by caller: Caller,
        to write: @escaping ([UInt8]) throws -> Void
    ) throws {
        try caller.require(.view)
        switch form {
        case .cards, .vcard3, .vcard4:
            func give(_ card: ContactCard) throws {
                let isOwn = card.form == .vcard21 || card.form == .vcard3 || card.form == .vcard4
                let wanted: CardForm =
                    form == .vcard3 ? .vcard3 : form == .cards && isOwn ? card.form : .vcard4
                let bytes = card.bytes(as: wanted)
                try write(bytes.last == 0x0A ? bytes : bytes + Array("\r\n".utf8))
            }
            // Whoever takes everybody along takes the groups along that they are in.
            let withGroups = search.isEmpty && ids.isEmpty
            try each(search, ids, by: caller) { contact, card in
                var card = card
                // The group calls them so.
                if withGroups, contact.isInGroups, card.uid == nil {
                    card.properties.append(CardProperty("UID", contact.id.text))
                }
                try give(card)
            }
            if withGroups {
                for card in try groupCards(by: caller) { try give(card) }
            }
        case .jcard, .jscontact:
            var isFirst = true
            try write(Array("[".utf8))
            try each(search, ids, by: caller) { contact, card in
                var card = card
                // JSContact knows nobody without a name of its own.
                if form == .jscontact, card.uid == nil {
                    card.properties.append(CardProperty("UID", contact.id.text))
                }
                try write(
                    Array((isFirst ? "\n" : ",\n").utf8)
                        + card.bytes(as: form == .jcard ? .jcard : .jscontact))
                isFirst = false
            }
            try write(Array("\n]\n".utf8))
        case .csv: try table(search, ids, by: caller, to: write)
        }
    }

    private func table(
        _ search: String, _ ids: [ID<Contact>], by caller: Caller,
        to write: @escaping ([UInt8]) throws -> Void
    ) throws {
        var columns: [String] = []
        var known: Set<String> = []
        try each(search, ids, by: caller) { _, card in
            for (name, _) in card.fields where known.insert(name).inserted { columns.append(name) }
        }
        try TableWriter.csv(columns: columns, to: write) { add in
            try each(search, ids, by: caller) { _, card in
                let fields = card.fields
                try add(columns.map { column in Cell(fields.first { $0.name == column }?.value ?? "") })
            }
        }
    }

    /// Some hundred at a time, so that pictures of a whole book are never held at once.
    private func each(
        _ search: String, _ ids: [ID<Contact>], by caller: Caller,
        _ body: (Contact, ContactCard) throws -> Void
    ) throws {
        func give(_ contact: Contact) throws { try body(contact, try card(of: contact.id, by: caller)) }
        guard ids.isEmpty else {
            for id in ids { try give(try get(id, by: caller)) }
            return
        }
        var offset = 0
        while true {
            let page = try page(search: search, offset: offset, limit: 500, by: caller)
            for contact in page.contacts { try give(contact) }
            offset += page.contacts.count
            guard page.contacts.count == 500 else { return }
        }
    }
}
