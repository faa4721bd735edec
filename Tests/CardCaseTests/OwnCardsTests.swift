import Bytes
@testable import Access
import CardCase
import Cards
import Codes
import Jobs
import People
import SQL
import Storage
import TestSupport
import Testing
import Work

private let machine = Caller(memberID: nil, name: "Ada", role: .owner, via: .local)
private let visitor = Visitor(address: "192.0.2.9")

/// The cards of one test, with two members: an owner and a viewer.
private func withCards<R>(
    _ kind: Database.Kind = .sqlite, hands: HandClock = HandClock(),
    _ body: (OwnCards, Contacts, _ ana: Caller, _ bo: Caller) throws -> R
) throws -> R {
    let areas = [Gate.migrations, JobQueue.migrations, Recipients.migrations, OwnCards.migrations]
    return try withStore(kind, areas: areas, clock: hands.clock) { store in
        let gate = Gate(store)
        let contacts = Contacts(Recipients(gate, queue: JobQueue(store)))
        func member(_ name: String, _ role: Role) throws -> Caller {
            try store.write { tx in
                let id: ID<Member> = tx.newID()
                try tx.run(
                    """
                    INSERT INTO member (id, name, sign_in_name, role, handle, joined_at)
                    VALUES (\(id), \(name), \(name.lowercased()), \(role.rawValue), \(Array(name.utf8)), \(tx.now))
                    """)
                return Caller(memberID: id, name: name, role: role, via: .local)
            }
        }
        return try body(
            OwnCards(gate, contacts: contacts), contacts, member("Ana", .owner), member("Bo", .viewer))
    }
}

private let ana: JSON = [
    "given": "Ana", "family": "López", "title": "Architect", "organization": "Lumière; Fils",
    "label": "Secretlabel",
    "fields": [
        ["kind": "mobile", "value": "+1 514 555 0100"], ["value": "ana@example.org"],
        ["value": "github.com/ana"],
        ["kind": "whatsapp", "value": "+52 55 5555 0100", "visibility": "exchange"],
        ["kind": "homephone", "value": "+1 514 555 9999", "visibility": "private"],
    ],
]

@Suite("One's own cards")
struct OwnCardsTests {
    @Test(
        "are made, changed, chosen and removed; the first is the default one", arguments: Database.Kind.here)
    func life(kind: Database.Kind) throws {
        try withCards(kind) { cards, _, me, _ in
            let first = try cards.make(ana, by: me)
            let second = try cards.make(["organization": "Band", "theme": "plum"], by: me)
            #expect(first.isDefault && !second.isDefault)
            #expect(first.fields.map(\.kind.id) == ["mobile", "email", "github", "whatsapp", "homephone"])
            #expect(try cards.get(first.id, by: me) == first)
            try cards.makeDefault(second.id, by: me)
            #expect(try cards.list(by: me).map(\.id) == [second.id, first.id])
            let changed = try cards.change(first.id, ["headline": " Builds houses ", "fields": []], by: me)
            #expect(
                changed.headline == "Builds houses" && changed.fields.isEmpty && changed.title == "Architect")
            try cards.remove(second.id, by: me)
            #expect(try cards.list(by: me).map(\.isDefault) == [true])
            #expect(throws: Failure.self) { try cards.get(second.id, by: me) }
        }
    }

    @Test("A photo that a card had before it could have three pictures is still there, and can be cut")
    func older() throws {
        let areas = [Gate.migrations, JobQueue.migrations, Recipients.migrations]
        let steps = OwnCards.migrations.migrations
        let before = MigrationArea(OwnCards.migrations.name, Array(steps.prefix(1)))
        try withDeskPlace(.sqlite, areas: areas + [OwnCards.migrations]) { place in
            let old = try place.open(chance: .seeded(1), areas: areas + [before])
            let id = try old.write { tx in
                let id = tx.newID(of: OwnCard.self)
                let digest = try old.blobs.put(Array("a picture".utf8))
                try tx.keep(digest)
                try tx.run(
                    """
                    INSERT INTO own_card (id, slug, name, is_default, content, photo, made_at, changed_at)
                    VALUES (\(id), 'ana', 'Ana', 1, '{"given":"Ana"}', \(digest), \(tx.now), \(tx.now))
                    """)
                return id
            }
            old.close()
            let store = try place.open(chance: .seeded(2), areas: nil)
            defer { store.close() }
            let gate = Gate(store)
            let cards = OwnCards(gate, contacts: Contacts(Recipients(gate, queue: JobQueue(store))))
            let card = try cards.get(id, by: machine)
            #expect(try cards.picture(.photo, of: card) == Array("a picture".utf8))
            #expect(try cards.original(.photo, of: card) == Array("a picture".utf8))
            #expect(card.pictures[.photo]?.crop == CardCrop() && card.pictures[.cover] == nil)
            #expect(try cards.picture(.photo, of: cards.remove(.photo, of: id, by: machine)) == nil)
            #expect(try cards.restore(.photo, of: id, by: machine).pictures == card.pictures)
        }
    }

    @Test("refuse what is no card, whole")
    func refusing() throws {
        try withCards { cards, _, me, _ in
            let card = try cards.make(ana, by: me)
            for wrong: JSON in [
                ["given": "", "family": "", "organization": ""], ["theme": "pink"], ["fields": "x"],
                ["fields": [["value": "words"]]], ["fields": [["kind": "nothing", "value": "x"]]],
                ["fields": [["value": "a@example.org", "visibility": "some"]]],
                ["given": .string(String(repeating: "x", count: 500))], ["title": "a\nb"],
                ["fields": .array((0..<61).map { _ in ["value": "a@example.org"] })],
            ] {
                #expect(throws: Failure.self, "\(wrong)") { try cards.change(card.id, wrong, by: me) }
            }
            #expect(try cards.get(card.id, by: me) == card)
            #expect(throws: Failure.self) { try cards.make([:], by: me) }
        }
    }

    @Test("are one's own: a viewer has some, and nobody sees those of others but the machine itself")
    func whose() throws {
        try withCards { cards, _, me, bo in
            let mine = try cards.make(ana, by: me)
            let his = try cards.make(["given": "Bo"], by: bo)
            #expect(try cards.list(by: me).map(\.id) == [mine.id])
            #expect(try cards.list(by: bo).map(\.id) == [his.id])
            #expect(throws: Failure.self) { try cards.get(mine.id, by: bo) }
            #expect(throws: Failure.self) { try cards.change(mine.id, ["title": "x"], by: bo) }
            #expect(throws: Failure.self) { try cards.remove(mine.id, by: bo) }
            #expect(throws: Failure.self) { try cards.links(of: mine.id, by: bo) }
            #expect(try cards.list(by: machine).count == 2)
            // What is made at the machine is the first owner's.
            #expect(try cards.make(["given": "Eva"], by: machine).member == me.memberID)
        }
    }

    @Test("are found by their address in any letters; the old one goes on leading, and nobody else gets it")
    func addresses() throws {
        try withCards { cards, _, me, bo in
            let card = try cards.make(ana, by: me)
            guard case .card(let shown) = try cards.follow(card.slug.uppercased()) else {
                Issue.record("capitals are the same")
                return
            }
            #expect(shown.card.id == card.id && shown.hidesSome)
            let moved = try cards.readdress(card.id, to: "Ana-Lopez", by: me)
            #expect(moved.slug == "ana-lopez")
            guard case .moved("ana-lopez") = try cards.follow(card.slug) else {
                Issue.record("a printed code never dies")
                return
            }
            let his = try cards.make(["given": "Bo"], by: bo)
            for taken in [card.slug, "ana-lopez", "a", "a b", "-abc", "ä-b-c"] {
                #expect(throws: Failure.self, "\(taken)") { try cards.readdress(his.id, to: taken, by: bo) }
            }
            #expect(try cards.readdress(card.id, to: card.slug, by: me).slug == card.slug)
            try cards.remove(card.id, by: me)
            for slug in [card.slug, "ana-lopez", "nothing", "x", "../..", ""] {
                guard case .gone = try cards.follow(slug) else {
                    Issue.record("“\(slug)” is gone")
                    return
                }
            }
            #expect(throws: Failure.self) { try cards.readdress(his.id, to: "ana-lopez", by: bo) }
        }
    }

    @Test("are linked for one person: counted, opened once, ended and revoked")
    func links() throws {
        let hands = HandClock()
        try withCards(hands: hands) { cards, _, me, _ in
            let card = try cards.make(ana, by: me)
            let open = try cards.link(to: card.id, for: "Zoë", showing: .exchanged, by: me)
            guard case .card(let shown) = try cards.follow(open.slug), let link = shown.link else {
                Issue.record("a link leads to the card")
                return
            }
            #expect(shown.card.fields.contains { $0.kind.id == "whatsapp" })
            #expect(!shown.card.fields.contains { $0.kind.id == "homephone" })
            try cards.count(link)
            try cards.count(link)
            #expect(try cards.links(of: card.id, by: me).first?.openings == 2)
            let once = try cards.link(to: card.id, for: "Max", once: true, by: me)
            guard case .once = try cards.follow(once.slug) else {
                Issue.record("looking is not opening")
                return
            }
            let pass = try cards.openOnce(once.slug, from: visitor)
            guard case .card = try cards.follow(once.slug, pass: pass),
                case .gone = try cards.follow(once.slug),
                case .gone = try cards.follow(once.slug, pass: "9.x")
            else {
                Issue.record("one opening, and the hour after it")
                return
            }
            #expect(throws: Failure.self) { try cards.openOnce(once.slug, from: visitor) }
            hands.advance(.seconds(3601))
            guard case .gone = try cards.follow(once.slug, pass: pass) else {
                Issue.record("a pass ends")
                return
            }
            let short = try cards.link(
                to: card.id, for: "Eva", until: hands.now + .seconds(60), by: me)
            hands.advance(.seconds(61))
            guard case .gone = try cards.follow(short.slug) else {
                Issue.record("it has expired")
                return
            }
            try cards.revoke(open.id, of: card.id, by: me)
            guard case .gone = try cards.follow(open.slug) else {
                Issue.record("it was revoked")
                return
            }
            #expect(try cards.links(of: card.id, by: me).count == 3)
            try cards.revoke(open.id, of: card.id, by: me)
            #expect(try cards.links(of: card.id, by: me).count == 2)
            #expect(throws: Failure.self) { try cards.link(to: card.id, for: " ", by: me) }
            #expect(throws: Failure.self) { try cards.link(to: card.id, for: "x", showing: .nobody, by: me) }
        }
    }

    @Test("Nothing private is in any form a card takes, nor what is for after an exchange before it")
    func privacy() throws {
        try withCards { cards, _, me, _ in
            let own = try cards.make(ana, by: me)
            guard case .card(let shown) = try cards.follow(own.slug) else { return }
            let around = OwnCard.Surroundings(address: "https://desk.example/c/\(own.slug)")
            for (card, hidden) in [
                (shown.card, ["9999", "5555", "Secretlabel"]),
                (own.seen(by: .exchanged), ["9999", "Secretlabel"]),
            ] {
                var texts = CardForm.allCases.map {
                    String(decoding: card.contactCard(around).bytes(as: $0), as: UTF8.self)
                }
                for content in CodeContent.allCases { texts.append(try card.codeText(content, around).text) }
                for text in texts {
                    for word in hidden { #expect(!text.contains(word), "\(word) in \(text)") }
                }
            }
        }
    }
}

@Suite("A card sent back")
struct CardAnswerTests {
    private func said(_ name: String, email: String = "zoe@example.org") -> VisitorCard {
        var card = VisitorCard()
        card.name = name
        card.email = email
        card.message = "We met in Oaxaca."
        return card
    }

    @Test(
        "waits, becomes a contact with a yes, and opens what is for after an exchange",
        arguments: Database.Kind.here)
    func yes(kind: Database.Kind) throws {
        try withCards(kind) { cards, contacts, me, bo in
            let card = try cards.make(ana, by: me)
            let slug = try cards.answer(card.slug, said("Zoë"), from: visitor)
            guard case .card(let before) = try cards.follow(slug) else { return }
            #expect(before.isAwaited && !before.card.fields.contains { $0.kind.id == "whatsapp" })
            #expect(try contacts.page(by: me).matchCount == 0)
            #expect(try cards.answers(by: bo).isEmpty)
            let answer = try #require(try cards.answers(by: me).first)
            #expect(answer.fields.contains { $0.name == "E-mail" && $0.value == "zoe@example.org" })
            try cards.take(answer.id, by: me)
            #expect(try contacts.page(by: me).contacts.map(\.name) == ["Zoë"])
            guard case .card(let after) = try cards.follow(slug) else { return }
            #expect(!after.isAwaited && after.card.fields.contains { $0.kind.id == "whatsapp" })
            #expect(!after.card.fields.contains { $0.kind.id == "homephone" })
            #expect(try cards.answers(by: me).isEmpty)
            #expect(throws: Failure.self) { try cards.take(answer.id, by: me) }
        }
    }

    @Test("is gone with a no, and so is its address")
    func no() throws {
        try withCards { cards, contacts, me, _ in
            let card = try cards.make(ana, by: me)
            let slug = try cards.answer(card.slug, said("Zoë"), from: visitor)
            try cards.decline(try #require(try cards.answers(by: me).first).id, by: me)
            guard case .gone = try cards.follow(slug) else {
                Issue.record("it leads nowhere")
                return
            }
            #expect(try contacts.page(by: me).matchCount == 0)
        }
    }

    @Test("never takes the place of a contact by calling itself the same")
    func impostor() throws {
        try withCards { cards, contacts, me, _ in
            let known = "BEGIN:VCARD\r\nVERSION:4.0\r\nUID:urn:x:1\r\nFN:Real\r\nEND:VCARD\r\n"
            try contacts.bring(cards: Array(known.utf8), named: "a.vcf", by: me)
            let card = try cards.make(ana, by: me)
            var sent = VisitorCard()
            sent.card = known.replacing("Real", with: "False")
            _ = try cards.answer(card.slug, sent, from: visitor)
            try cards.take(try #require(try cards.answers(by: me).first).id, by: me)
            #expect(try contacts.page(by: me).contacts.map(\.name) == ["False", "Real"])
        }
    }

    @Test("is refused when it says nothing, comes too often, or nobody wants any")
    func refusing() throws {
        let hands = HandClock()
        try withCards(hands: hands) { cards, _, me, _ in
            let card = try cards.make(ana, by: me)
            var noWay = said("Zoë", email: "")
            for wrong in [
                said(""), noWay, said("Zoë", email: "zoe"), said(String(repeating: "x", count: 300)),
            ] {
                #expect(throws: Failure.self) { try cards.answer(card.slug, wrong, from: visitor) }
            }
            noWay.card = "no card"
            #expect(throws: Failure.self) { try cards.answer(card.slug, noWay, from: visitor) }
            for number in 0..<6 { _ = try cards.answer(card.slug, said("Zoë \(number)"), from: visitor) }
            #expect(throws: Failure.self) { try cards.answer(card.slug, said("Zoë"), from: visitor) }
            // From many places: what waits is bounded as well.
            for number in 0..<94 {
                _ = try cards.answer(
                    card.slug, said("Z \(number)"), from: Visitor(address: "198.51.100.\(number)"))
            }
            #expect(throws: Failure.self) {
                try cards.answer(card.slug, said("Zoë"), from: Visitor(address: "203.0.113.1"))
            }
            try cards.change(card.id, ["answers": "closed"], by: me)
            #expect(throws: Failure.self) {
                try cards.answer(card.slug, said("Zoë"), from: Visitor(address: "203.0.113.2"))
            }
        }
    }
}

@Suite("What a card becomes")
struct CardFormsTests {
    private let around = OwnCard.Surroundings(address: "https://desk.example/c/7k2m9q4x")

    private func made(_ said: JSON, _ body: (OwnCard) throws -> Void) throws {
        try withCards { cards, _, me, _ in try body(try cards.make(said, by: me).seen(by: .everybody)) }
    }

    @Test(
        "says as vCard, jCard and JSContact what it says itself, and is read again",
        arguments: CardForm.allCases)
    func reading(form: CardForm) throws {
        try made(ana) { card in
            let bytes = card.contactCard(around).bytes(as: form)
            let read = try #require(CardFile(bytes).cards.first)
            #expect(read.emails == ["ana@example.org"])
            #expect(read.phones.first?.filter(\.isNumber) == "15145550100")
            #expect(read.organization.contains("Lumière; Fils"))
            if form != .mecard {
                #expect(read.name == "Ana López")
                #expect(read.first("TITLE")?.text == "Architect")
                #expect(read.all("URL").map(\.text).contains("https://github.com/ana"))
            }
        }
    }

    @Test("says every kind of field somewhere")
    func everyKind() throws {
        let kinds = FieldKind.all.filter { !$0.example.contains("…") }
        for start in stride(from: 0, to: kinds.count, by: 50) {
            let some = kinds[start..<min(start + 50, kinds.count)]
            let fields = some.map { ["kind": .string($0.id), "value": .string($0.example)] as JSON }
            try made(["given": "Ana", "fields": .array(fields)]) { card in
                for form in [CardForm.vcard3, .vcard4, .jcard, .jscontact] {
                    let text = String(decoding: card.contactCard(around).bytes(as: form), as: UTF8.self)
                        .replacing("\r\n ", with: "").replacing("\\", with: "").lowercased()
                    for field in card.fields where form != .jscontact || field.kind.id != "birthday" {
                        let said = [field.value, field.shown, field.link ?? field.value].map {
                            $0.lowercased().filter { $0.isLetter || $0.isNumber }
                        }
                        let plain = text.filter { $0.isLetter || $0.isNumber }
                        #expect(said.contains { plain.contains($0) }, "\(form) \(field.kind.id)")
                    }
                }
            }
        }
    }

    @Test(
        "fits into a code: an address into version 3, the card itself into 10, and what found no room is told"
    )
    func codes() throws {
        let long = (0..<20).map { ["kind": "text", "value": .string("Line \($0)")] as JSON }
        var said = ana
        said["fields"] = .array(
            (ana["fields"]?.array ?? []) + long
                + (0..<9).map { ["value": .string("https://example.org/a-rather-long-address/\($0)")] })
        try made(said) { card in
            let address = try card.codeText(.address, around).text
            #expect(try #require(QRCode(address, boosts: true)).version <= 3)
            for content in [CodeContent.vcard, .mecard] {
                let (text, leftOut) = try card.codeText(content, around)
                let code = try #require(QRCode(text, boosts: true))
                #expect(code.version <= 10 && code.text == text)
                #expect(leftOut.count >= 20)
                let read = try #require(CardFile(Array(text.utf8)).cards.first)
                #expect(read.emails == ["ana@example.org"] && read.phones.count == 1)
                #expect(!text.contains("PHOTO") && !text.contains("REV") && !text.contains("NOTE"))
            }
            #expect(throws: Failure.self) { try card.codeText(.address, OwnCard.Surroundings()) }
        }
    }
}
