import Access
import App
import Bytes
import CardCase
import Cards
import Converting
import HTTP
import Markup
import PDF
import PDFReading
import People
import Storage
import Transfer

/// What was read of a card before it belongs to anybody.
struct CardReading {
    enum Source: String, CaseIterable {
        /// A square code, in a picture, read by the browser or pasted.
        case code
        /// The print of a card, in a picture.
        case print
        /// Lines that were pasted.
        case text
        /// The page of a card.
        case page
    }

    var source: Source
    /// What the code says, or the print.
    var text: String
    /// Where it leads, when that is all it says.
    var address: String?
    var cards: [ContactCard] = []
}

// A card somebody shows: read from its code or its print, looked over, and only then written down.
extension Site {
    static let cardReadingActions: [Action] = [
        Action(.get, "/contacts/scan", .member(.edit)) { visit in
            page(visit, ReadCardPage())
        },
        Action(
            .post, "/contacts/scan", .member(.edit),
            .init(
                "Read a card",
                description:
                    "A picture in `file`: of a square code, or of a printed card, whose words are read then; or `text`, as a code says it. vCard, MECARD, BIZCARD, mailto, tel and the addresses of cards are known. Nothing is kept: `POST /contacts/new` takes the card that is proposed.",
                tag: "People",
                parameters: [.init("name", "The file's name, when the body is the file itself")],
                requestBody: [
                    .init(
                        .multipart,
                        Schema.object(
                            [("file", ["type": "string", "format": "binary"])] + reading,
                            optional: Set(["file"] + reading.map(\.0)))),
                    .init(.json, Schema.object(reading, optional: Set(reading.map(\.0)))),
                    .init(.octets, ["type": "string", "format": "binary"]),
                ], answers: [.ok("ReadCard", "What it says")]),
            body: .upload(limit: 64 << 20)
        ) { visit in try readCard(visit) },
    ]

    private static let reading: [(String, JSON)] = [
        ("text", Schema.string), ("only", Schema.choice(["code"])), ("fetch", Schema.boolean),
    ]

    private static func readCard(_ visit: Visit) throws -> Response {
        let arrival = try Arrival(visit)
        let typed = try arrival.input.text("text") ?? ""
        do {
            let reading = try visit.reading(arrival)
            guard visit.wantsPage else { return .json(try visit.json(of: reading)) }
            if let card = reading.cards.first {
                if reading.cards.count > 1 { return try visit.bring(reading) }
                var form = ContactForm(card)
                // Most cards are scanned where they were given.
                if reading.source != .text,
                    let place = form.parts.firstIndex(where: { $0.part == .metOn && $0.value.isEmpty })
                {
                    form.parts[place].value = visit.dayHere
                }
                return visit.page(
                    Pages.newContact(
                        visit.frameAt("/contacts/scan"), form, try visit.proposal(reading, card),
                        books: try visit.booksToWriteIn()))
            }
            return page(
                visit,
                ReadCardPage(
                    address: reading.address, mayBeCard: reading.address.map(Visit.mayBeCard) ?? false,
                    words: reading.address == nil ? reading.text : nil))
        } catch let failure as Failure where visit.wantsPage {
            return page(
                visit, ReadCardPage(typed: typed, error: visit.said(failure), errorField: failure.field),
                Site.status(of: failure.code))
        }
    }

    private static func page(_ visit: Visit, _ model: ReadCardPage, _ status: Status = .ok) -> Response {
        visit.page(Pages.readCard(visit.frameAt("/contacts/scan"), model), status).with(
            "Permissions-Policy", SecurityHeaders.permissions(camera: true))
    }
}

extension Visit {
    fileprivate func reading(_ arrival: Arrival) throws -> CardReading {
        if let file = arrival.files.first(where: { $0.byteCount > 0 }) {
            let bytes = try file.read(atMost: 64 << 20)
            guard PhotographedCards.isPicture(bytes, named: file.name) else {
                return try read(String(decoding: bytes.prefix(1 << 20), as: UTF8.self))
            }
            return try read(
                photo: bytes, named: file.name, onlyCodes: try arrival.input.text("only") == "code")
        }
        let text = try arrival.input.text("text") ?? ""
        guard text.contains(where: { !$0.isWhitespace }) else {
            throw Failure(.invalid, "Choose a picture, or paste what the code says.", field: "text")
        }
        let reading = try read(String(text.prefix(200_000)))
        guard try arrival.input.flag("fetch"), let address = reading.address else { return reading }
        return try fetch(address)
    }

    /// Of a picture those that its square codes hold.
    func cards(in file: Arrival.File) throws -> [UInt8] {
        let bytes = try file.read(atMost: 64 << 20)
        guard PhotographedCards.isPicture(bytes, named: file.name) else { return bytes }
        let cards = try quire.photographedCards.codes(in: bytes, named: file.name).flatMap {
            guard case .cards(let cards) = CodeText($0) else { return [ContactCard]() }
            return cards
        }
        guard !cards.isEmpty else {
            throw Failure(
                .invalid,
                "There is neither a QR code with a card nor any other card in “\(file.name)”. Printed cards are read with “Scan a card”, and looked over there.",
                field: "file")
        }
        if cards.count == 1, let bytes = cards[0].untouched { return bytes }
        return cards.flatMap { $0.bytes(as: .vcard4) }
    }

    private func read(
        photo bytes: [UInt8], named name: String, onlyCodes: Bool
    ) throws -> CardReading {
        do {
            let codes = try quire.photographedCards.codes(in: bytes, named: name).map {
                try read($0)
            }
            // Beside the code of a card there may be one of a shop.
            if let best = codes.first(where: { !$0.cards.isEmpty }) ?? codes.first(where: {
                $0.address != nil
            })
                ?? codes.first
            {
                return best
            }
            guard !onlyCodes else { return CardReading(source: .code, text: "") }
            let page = try quire.photographedCards.print(in: bytes, named: name)
            let printed = PrintedCard(page.lines.map { .init($0.text, height: $0.place.height) })
            guard printed.isCard else {
                throw Failure(
                    .invalid,
                    "Neither a code nor a card can be read on “\(name)”. Take it from nearer, straight from above and in good light.",
                    field: "file")
            }
            return CardReading(source: .print, text: page.text, cards: [printed.card])
        } catch var failure as Failure {
            failure.field = failure.field ?? "file"
            throw failure
        }
    }

    private func read(_ text: String) throws -> CardReading {
        var reading = CardReading(source: .code, text: text)
        switch CodeText(text) {
        case .cards(let cards): reading.cards = cards
        case .address(let address):
            if let own = try ownCard(address) {
                reading.source = .page
                reading.cards = own
            } else {
                reading.address = address
            }
        case .words(let words):
            // The signature below a mail is pasted as gladly as a code.
            let lines = words.split(whereSeparator: \.isNewline).map { PrintedCard.Line(String($0)) }
            let printed = PrintedCard(lines)
            if printed.isCard {
                reading.source = .text
                reading.cards = [printed.card]
            }
            reading.text = String(words.prefix(5000))
        }
        return reading
    }

    /// What a card of this desk shows everybody; nil for any other address.
    private func ownCard(_ address: String) throws -> [ContactCard]? {
        let place = self.address(of: "")
        guard address.lowercased().hasPrefix(place.lowercased()) else { return nil }
        let slug = String(address.dropFirst(place.count).prefix { !"/?#.".contains($0) })
        var way = try quire.cards.follow(slug)
        if case .moved(let now) = way { way = try quire.cards.follow(now) }
        guard case .card(let shown) = way,
            case .bytes(let bytes) = try cardFile(shown.card, inline: true, slug: shown.slug).body
        else { return nil }
        return CardFile(bytes).cards
    }

    /// `https://…/c/7k2m9q4x`, as cards of a Quire are found.
    fileprivate static func mayBeCard(_ address: String) -> Bool {
        let parts = address.prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
        return parts.count > 3 && parts[parts.count - 2] == "c"
    }

    /// The card behind a page of another desk, asked for by somebody who pressed a button; nothing inside the own network can
    /// be reached by this.
    private func fetch(_ address: String) throws -> CardReading {
        let page = String(address.prefix { $0 != "?" && $0 != "#" })
        let bytes: [UInt8]
        do {
            let answer = try HTTPClient(guardian: .publicOnly).get(page + ".vcf", limit: 4 << 20)
            bytes = answer.isSuccess ? answer.body : []
        } catch {
            throw Failure(.invalid, "\(error.kind).", field: "text")
        }
        let cards = CardFile(bytes).cards.filter { !$0.name.isEmpty }
        guard !cards.isEmpty else {
            throw Failure(
                .invalid, "There is no card at this address. Open the page, and save the card from there.",
                field: "text")
        }
        return CardReading(source: .page, text: address, cards: cards)
    }

    /// More than one card is a file of cards, and comes in like one.
    fileprivate func bring(_ reading: CardReading) throws -> Response {
        let act = try quire.contacts.bring(
            cards: Array(reading.text.utf8), named: texts("card.read.pasted"), by: member())
        return done(
            [:], .created, at: "/contacts/imports", next: "/contacts", notice: "notice.contacts",
            ["count": .number(act.counts.added + act.counts.changed + act.counts.unchanged)],
            undo: act.counts.added + act.counts.changed == 0 ? nil : .act(act))
    }

    fileprivate func proposal(_ reading: CardReading, _ card: ContactCard) throws -> CardProposal {
        CardProposal(
            card: Self.written(card), source: reading.source,
            text: reading.source == .page ? "" : reading.text,
            known: try known(card).map { ($0.id.text, $0.name) })
    }

    fileprivate func json(of reading: CardReading) throws -> JSON {
        [
            "source": .string(reading.source.rawValue), "text": .string(reading.text),
            "address": .optional(reading.address),
            "cards": .array(
                try reading.cards.prefix(100).map { card in
                    [
                        "name": .string(card.name), "card": .object(card.json),
                        "vcard": .string(Self.written(card)),
                        "known": .array(
                            try known(card).map { ["id": .string($0.id.text), "name": .string($0.name)] }),
                    ]
                }),
        ]
    }

    private static func written(_ card: ContactCard) -> String {
        String(decoding: card.untouched ?? card.bytes(as: .vcard4), as: UTF8.self)
    }

    /// Those with the same mail address, or who are called the same.
    private func known(_ card: ContactCard) throws -> [Contact] {
        guard let words = card.emails.first ?? (card.name.isEmpty ? nil : card.name) else { return [] }
        return try quire.contacts.page(search: words, limit: 3, by: member()).contacts
    }
}
