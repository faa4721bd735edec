import Access
import App
import Bytes
import Cards
import Delivery
import HTTP
import Library
import Markup
import People
import Storage
import Work

// One person: looked at, written down, changed, taken out.

extension Site {
    static let contactActionsOfOne: [Action] = [
        Action(.get, "/contacts/new", .member(.edit)) { visit in
            visit.page(
                Pages.newContact(visit.frame, ContactForm(ContactCard()), books: try visit.booksToWriteIn()))
        },
        Action(
            .post, "/contacts/new", .member(.edit),
            .init(
                "Write a person down",
                description:
                    "At least a name, or a way to reach them. With `card`, a vCard, they begin as it says, and whatever else it holds is kept. With `book`, an address book on a server that goes both ways, they are written there as well.",
                tag: "People",
                requestBody: [.init(.json, Schema.newContactInput)], answers: [.made("Contact", "The person")]
            )
        ) { visit in
            let input = try visit.input
            let given = try input.text("card") ?? ""
            let card = try given.isEmpty ? nil : readCard(given)
            do {
                let edit =
                    try input.whole.map { json throws(Failure) in
                        try ContactInput.edit(json, of: card ?? ContactCard())
                    } ?? ContactInput(form: input).edit
                let made = try visit.quire.contacts.make(
                    edit, from: card, into: input.id("book", of: "address book"), by: visit.member())
                return visit.done(
                    try visit.contactJSON(made.contact.id), .created, at: "/contacts/\(made.contact.id)",
                    next: "/contacts/\(made.contact.id)", notice: "notice.contact.made",
                    ["name": .text(made.contact.name)], undo: .act(made.act))
            } catch let failure as Failure where visit.wantsPage && failure.isAboutInput {
                let form = ContactForm(
                    card ?? ContactCard(), typed: try ContactInput(form: input), failure: failure,
                    said: visit.said(failure))
                return visit.page(
                    Pages.newContact(
                        visit.frameAt("/contacts/new"), form, card.map { _ in CardProposal(card: given) },
                        books: try visit.booksToWriteIn(), book: try input.text("book")),
                    Site.status(of: failure.code))
            }
        },
        Action(
            .get, "/contacts/{id}", .member(.view),
            .init(
                "Look at a contact",
                description:
                    "What the card says, what went to them and came back, and the papers that carry them.",
                tag: "People", answers: [.ok("Contact", "The person")])
        ) { visit in
            let id: ID<Contact> = try visit.id(of: "contact")
            if visit.wantsPage, let now = try visit.successor(of: id) {
                return .redirect(to: "/contacts/\(now)")
            }
            return try visit.show(.object(try visit.contactFacts(id))) {
                Pages.contact(visit.frame, try visit.contactPage(id))
            }
        },
        Action(
            .patch, "/contacts/{id}", .member(.edit),
            .init(
                "Change a contact",
                description:
                    "Only what is named changes; a list takes the place of the one there is, except for lines named by their `key`. With `version`, nothing is written over what somebody else changed meanwhile.",
                tag: "People", requestBody: [.init(.json, Schema.contactInput)],
                answers: [.ok("Contact", "As they are now")])
        ) { visit in try changeContact(visit) },
        Action(
            .delete, "/contacts/{id}", .member(.edit),
            .init(
                "Take a contact out", description: "`POST /contacts/undoings` puts them back.", tag: "People",
                answers: [.init(.noContent, "They are gone")])
        ) { visit in
            let id: ID<Contact> = try visit.id(of: "contact")
            let caller = try visit.member()
            let name = try visit.quire.contacts.get(id, by: caller).name
            let act = try visit.quire.contacts.remove([id], by: caller)
            return visit.done(
                [:], .noContent, next: "/contacts", notice: "notice.contact.removed", ["name": .text(name)],
                undo: act.map { .act($0, next: "/contacts/\(id)") })
        },
        Action(
            .post, "/contacts/{id}/book", .member(.edit),
            .init(
                "Put a contact into another address book",
                description:
                    "`book` goes both ways with its server; without it they lie with this desk alone. They are taken out where they were.",
                tag: "People",
                requestBody: [.init(.json, Schema.object([("book", Schema.orNull(Schema.id))]))],
                answers: [.ok("Contact", "As they are now")])
        ) { visit in
            let id: ID<Contact> = try visit.id(of: "contact")
            let act = try visit.quire.contacts.move(
                id, into: visit.input.id("book", of: "address book"), by: visit.member())
            return try visit.changed(id, act, notice: "notice.contact.moved")
        },
        Action(
            .get, "/contacts/{id}/photo", .member(.view),
            .init(
                "Get a contact's photo", tag: "People",
                answers: [.init(.ok, "The picture as the card holds it", [.anything])])
        ) { visit in
            let card = try visit.quire.contacts.card(of: visit.id(of: "contact"), by: visit.member())
            guard let photo = card.photo, ContactPage.pictures.contains(photo.mediaType) else {
                throw Failure(.notFound, "There is no photo of this contact.")
            }
            return Response(headers: ["Content-Type": photo.mediaType], body: .bytes(photo.bytes))
                .with("Cache-Control", "private, max-age=600")
        },
        Action(
            .post, "/contacts/{id}/photo", .member(.edit),
            .init(
                "Give a contact a photo", description: "JPEG or PNG, at most 1 MB.", tag: "People",
                requestBody: [
                    .init(
                        .multipart, Schema.object([("file", ["type": "string", "format": "binary"])])),
                    .init(.octets, ["type": "string", "format": "binary"]),
                ], answers: [.ok("Contact", "With the photo")]),
            body: .upload(limit: 16 << 20)
        ) { visit in
            let id: ID<Contact> = try visit.id(of: "contact")
            guard let file = try Arrival(visit).files.first, file.byteCount > 0 else {
                throw Failure(.invalid, "Choose a picture.", field: "file")
            }
            let bytes = try file.read(atMost: Contacts.largestPhoto)
            let type: String
            if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
                type = "image/jpeg"
            } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
                type = "image/png"
            } else {
                throw Failure(.invalid, "A photo is a JPEG or a PNG.", field: "file")
            }
            let act = try visit.quire.contacts.setPhoto((type, bytes), of: id, by: visit.member())
            return try visit.changed(id, act)
        },
        Action(
            .delete, "/contacts/{id}/photo", .member(.edit),
            .init(
                "Take a contact's photo away", tag: "People", answers: [.ok("Contact", "Without a photo")])
        ) { visit in
            let id: ID<Contact> = try visit.id(of: "contact")
            return try visit.changed(
                id, visit.quire.contacts.setPhoto(nil, of: id, by: visit.member()))
        },
    ]

    private static func readCard(_ text: String) throws(Failure) -> ContactCard {
        let field = "card"
        guard let card = CardFile(Array(text.utf8)).cards.first else {
            throw Failure(.invalid, "There is no card (vCard) in “\(field)”.", field: field)
        }
        return card
    }

    private static func changeContact(_ visit: Visit) throws -> Response {
        let id: ID<Contact> = try visit.id(of: "contact")
        let caller = try visit.member()
        let input = try visit.input
        if let json = input.whole {
            let card = try visit.quire.contacts.person(id, by: caller).card
            let act = try visit.quire.contacts.edit(
                id, ContactInput.edit(json, of: card), version: input.text("version"), by: caller)
            return try visit.changed(id, act)
        }
        let typed = try ContactInput(form: input)
        do {
            return try visit.changed(id, visit.quire.contacts.edit(id, typed.edit, by: caller))
        } catch let failure as Failure where visit.wantsPage && failure.isAboutInput {
            let card = try visit.quire.contacts.person(id, by: caller).card
            let said = failure.code == .conflict ? visit.texts("contact.conflict") : visit.said(failure)
            let form = ContactForm(card, typed: typed, failure: failure, said: said)
            return visit.page(
                Pages.contact(visit.frameAt("/contacts/\(id)"), try visit.contactPage(id, form)),
                Site.status(of: failure.code))
        }
    }
}

extension Failure {
    /// Told beside the form, which keeps what was typed.
    var isAboutInput: Bool { [.invalid, .conflict, .tooLarge].contains(code) }
}

extension Frame.Notice.Undo {
    /// Takes a change to contacts back, and leads to this page.
    static func act(_ act: ContactAct, next: String = "/contacts") -> Self {
        .init(
            action: "/contacts/undoings",
            fields: [(name: "id", value: act.id.text), (name: "next", value: next)])
    }
}

extension Visit {
    fileprivate func changed(
        _ id: ID<Contact>, _ act: ContactAct?, notice: String = "notice.contact.saved"
    ) throws -> Response {
        done(
            try contactJSON(id), next: "/contacts/\(id)",
            notice: act == nil ? "notice.contact.same" : notice,
            undo: act.map { .act($0, next: "/contacts/\(id)") })
    }

    func contactPage(_ id: ID<Contact>, _ form: ContactForm? = nil) throws -> ContactPage {
        let caller = try member()
        let person = try quire.contacts.person(id, by: caller)
        var model = ContactPage(
            id: id.text, name: person.contact.name, person.shown, version: person.version,
            source: source(of: person), changedAt: person.contact.changedAt, isOwn: person.isOwn, form: form)
        model.books = try person.isOwn ? booksToWriteIn() : []
        model.book = person.book.kind == .cards ? "" : person.book.id.text
        model.followUp = line(of: person.contact.followUp)
        model.history = try history(of: person.contact)
        model.papers = try papers(of: id).map { ($0.id.text, $0.name) }
        return model
    }

    /// Where somebody came from, in a sentence.
    private func source(of person: Person) -> String {
        guard person.book.kind == .cards else {
            let book = texts("contact.source.book", ["name": .text(person.book.name)])
            guard person.book.isChangedHere else { return book }
            // What the server said last is no act of anybody here.
            let changed =
                person.act.map { texts("contact.source.changed", ["actor": .text(texts.said($0.actorName))]) }
                ?? texts("contact.source.bookChanged")
            return "\(book) · \(changed)"
        }
        guard let act = person.act else { return texts("contact.source.desk") }
        let arguments = [
            "name": Catalog.Argument.text(act.name), "actor": .text(texts.said(act.actorName)),
        ]
        return act.kind == .imported
            ? texts("contact.source.file", arguments)
            : act.kind == .made
                ? texts("contact.source.made", arguments) : texts("contact.source.changed", arguments)
    }

    /// What the ledger knows of their addresses, and of whoever is called so where no address was written down; and what
    /// went to them from desks that are in step with this one. The newest first.
    private func history(of contact: Contact) throws -> [ContactPage.Deed] {
        let caller = try member()
        var found: [String: Ledger.Item] = [:]
        for address in contact.emails.prefix(5) {
            for item in try quire.ledger.list(.init(search: address), limit: 30, by: caller).items
            where item.address.lowercased().contains(address.lowercased()) {
                found[item.subject] = item
            }
        }
        for item in try quire.ledger.list(.init(search: contact.name), limit: 30, by: caller).items
        where item.recipient.lowercased() == contact.name.lowercased() && item.address.isEmpty {
            found[item.subject] = item
        }
        func deed(
            _ subject: String, _ recipient: String, _ address: String, _ state: LedgerEvent, _ at: Moment,
            _ link: String, desk: String = ""
        ) -> ContactPage.Deed {
            .init(
                subject: subject, name: recipient.isEmpty ? contact.name : recipient, address: address,
                state: state.rawValue, at: at, link: link, desk: desk)
        }
        let here = found.values.map {
            deed($0.subject, $0.recipient, $0.address, $0.state, $0.at, Pages.subjectAddress($0.subject))
        }
        let there = try quire.sendings.sentElsewhere(
            to: Array(contact.emails.prefix(5)), orCalled: contact.name, by: caller
        ).map {
            deed(
                "batch/\($0.batch)", $0.item.recipient, $0.item.address, $0.item.state, $0.item.at,
                "/batches/\($0.batch)/filling", desk: $0.desk)
        }
        return Array((here + there).sorted { ($0.at, $0.subject) > ($1.at, $1.subject) }.prefix(30))
    }

    /// Papers that carry them, or somebody who became one with them.
    private func papers(of id: ID<Contact>) throws -> [Document] {
        let caller = try member()
        return try ([id] + quire.contacts.formerly(id, by: caller)).flatMap {
            try quire.documents.papers(ofContact: $0.text, by: caller)
        }
    }

    /// Who somebody became one with, when they are not there themselves any more.
    fileprivate func successor(of id: ID<Contact>) throws -> ID<Contact>? {
        let caller = try member()
        guard (try? quire.contacts.get(id, by: caller)) == nil else { return nil }
        return try quire.contacts.mergedInto(id, by: caller)
    }

    func contactJSON(_ id: ID<Contact>) throws -> JSON { .object(try contactFacts(id)) }

    fileprivate func contactFacts(_ id: ID<Contact>) throws -> JSONObject {
        let caller = try member()
        let person = try quire.contacts.person(id, by: caller)
        let contact = person.contact
        var json: JSONObject = [
            "id": .string(id.text), "version": .string(person.version), "card": .object(person.shown.json),
            "name": .string(contact.name), "emails": .texts(contact.emails),
            "organization": .string(contact.organization), "tags": .texts(contact.tags),
            "changedAt": .moment(contact.changedAt), "source": .string(source(of: person)),
            "isOwn": .bool(person.isOwn), "hasPhoto": .bool(person.card.photo != nil),
        ]
        json["followUp"] = contact.followUpJSON(self)
        json["fields"] = .array(
            contact.fields.map { ["name": .string($0.name), "value": .string($0.value)] })
        json["history"] = .array(
            try history(of: contact).map {
                [
                    "subject": .string($0.subject), "recipient": .string($0.name),
                    "address": .string($0.address), "state": .string($0.state), "at": .moment($0.at),
                    "desk": .optional($0.desk.isEmpty ? nil : $0.desk),
                ]
            })
        json["papers"] = .array(
            try papers(of: id).map {
                ["id": .string($0.id.text), "name": .string($0.name)]
            })
        return json
    }
}

extension Visit {
    /// Address books on servers that a new person can be written into; none where nobody has to choose.
    func booksToWriteIn() throws -> [(value: String, label: String)] {
        let books = try quire.contacts.books(by: member()).filter { $0.kind == .carddav && $0.isChangedHere }
        guard !books.isEmpty else { return [] }
        return [("", texts("contact.book.own"))] + books.map { ($0.id.text, $0.name) }
    }
}
