import Access
import App
import Bytes
import HTTP
import Markup
import People
import Storage

extension Site {
    static let contactActions: [Action] = [
        Action(
            .get, "/contacts", .member(.view),
            .init(
                "List contacts", tag: "People",
                parameters: [
                    .init(
                        "q", "Words that must occur on the card, or the digits of a telephone number"),
                    .init("letter", "Only those whose name begins so; # is anything but a letter"),
                    .init("tag", "Only those with this tag"),
                    .init(
                        "due",
                        "Only those to get back to, by the day: gone by, within seven days from today, or any",
                        schema: Schema.choice(Due.allCases.map(\.rawValue))),
                    .init("page", "Which page, from 1", schema: Schema.integer(1, 100_000)),
                    .init("limit", "How many at most", schema: Schema.integer(1, 1000)),
                ], answers: [.ok("ContactPage", "By name")])
        ) { visit in try contacts(visit) },
        Action(
            .post, "/contacts", .member(.edit),
            .init(
                "Bring in cards",
                description:
                    "Files of cards in `file`, or one as the body; a picture of a QR code that holds one, too.",
                tag: "People",
                parameters: [.init("name", "The file's name, when the body is the file itself")],
                requestBody: [
                    .init(
                        .multipart,
                        Schema.object([
                            ("file", ["type": "array", "items": ["type": "string", "format": "binary"]])
                        ])),
                    .init(.octets, ["type": "string", "format": "binary"]),
                ], answers: [.made("ContactCounts", "What they changed")]),
            body: .upload(limit: 256 << 20)
        ) { visit in
            let arrival = try Arrival(visit)
            guard !arrival.files.isEmpty else {
                throw Failure(.invalid, "Choose a file with cards.", field: "file")
            }
            var counts = ContactCounts()
            var acts: [ContactAct] = []
            for file in arrival.files {
                let act = try visit.quire.contacts.bring(
                    cards: visit.cards(in: file), named: file.name, by: visit.member())
                acts.append(act)
                counts.added += act.counts.added
                counts.changed += act.counts.changed
                counts.unchanged += act.counts.unchanged
                counts.groups += act.counts.groups
                counts.refused += act.counts.refused
                counts.refusedCount += act.counts.refusedCount
                counts.odd += act.counts.odd
            }
            var json = counts.json(visit)
            json["imports"] = .array(acts.map { .string($0.id.text) })
            return visit.done(
                json, .created, at: "/contacts/imports", next: "/contacts", notice: "notice.contacts",
                ["count": .number(counts.added + counts.changed + counts.unchanged)],
                undo: counts.added + counts.changed + counts.groups == 0
                    ? nil
                    : .init(
                        action: "/contacts/undoings", fields: acts.map { (name: "id", value: $0.id.text) }))
        },
        Action(
            .get, "/contacts/acts", .member(.view),
            .init(
                "List what changed contacts", description: "The latest first; each can be taken back.",
                tag: "People", answers: [.ok("ContactActList", "With what each changed")])
        ) { visit in
            if visit.wantsPage { return .redirect(to: "/contacts") }
            let acts = try visit.quire.contacts.acts(limit: 100, by: visit.member())
            return .json(["acts": .array(acts.map { $0.json(visit) })])
        },
        Action(
            .get, "/contacts/imports", .member(.view),
            .init(
                "List what brought contacts in", description: "The latest first.", tag: "People",
                answers: [.ok("ContactImportList", "With what each changed and left out")])
        ) { visit in
            if visit.wantsPage { return .redirect(to: "/contacts") }
            let acts = try visit.quire.contacts.acts(.imported, limit: 100, by: visit.member())
            return .json(["imports": .array(acts.map { $0.json(visit) })])
        },
        Action(
            .post, "/contacts/undoings", .member(.edit),
            .init(
                "Take changes to contacts back",
                description:
                    "Imports and whatever else was done to contacts: whom an act brought goes, whom it changed or took out is as before; who has been changed since stays.",
                tag: "People",
                requestBody: [
                    .init(.json, Schema.object([("id", ["type": "array", "items": Schema.id])]))
                ], answers: [.ok("ContactUndoing", "How many")])
        ) { visit in
            let ids: [ID<ContactAct>] = try visit.input.ids(of: "change")
            guard !ids.isEmpty else {
                throw Failure(.invalid, "Say which change to take back.", field: "id")
            }
            var whole = (removed: 0, restored: 0, kept: 0)
            // The last one first: a later one may have changed what an earlier one brought.
            for id in ids.reversed() {
                let undone = try visit.quire.contacts.undo(id, by: visit.member())
                whole.removed += undone.removed
                whole.restored += undone.restored
                whole.kept += undone.kept
            }
            let wanted = try visit.input.text("next") ?? ""
            return visit.done(
                [
                    "removed": .int(whole.removed), "restored": .int(whole.restored),
                    "kept": .int(whole.kept),
                ], next: wanted.hasPrefix("/contacts/") ? wanted : "/contacts",
                notice: whole.kept == 0 ? "notice.undone" : "notice.contacts.kept",
                ["count": .number(whole.kept)])
        },
        Action(
            .get, "/contacts/cards", .member(.view),
            .init(
                "Take contacts out",
                description:
                    "`cards` gives each as it came, byte for byte; the others are written anew. Sent while it is read.",
                tag: "People",
                parameters: [
                    .init(
                        "as", "In which form",
                        schema: Schema.choice(CardsForm.allCases.map(\.rawValue))),
                    .init("q", "Words that must occur on the card"),
                    .init("id", "Only this contact"),
                ], answers: [.init(.ok, "The file", [.anything])])
        ) { visit in try contactCards(visit) },
        Action(
            .get, "/contacts/groups", .member(.view),
            .init(
                "List groups of contacts",
                description: "Each is a tag of the people it names; also those that name nobody.",
                tag: "People", answers: [.ok("ContactGroupList", "By name")])
        ) { visit in
            if visit.wantsPage { return .redirect(to: "/contacts") }
            return .json(["groups": .array(try visit.quire.contacts.groups(by: visit.member()).map(\.json))])
        },
        Action(
            .delete, "/contacts/groups/{id}", .member(.edit),
            .init(
                "Remove a group of contacts",
                description:
                    "Those it names stay, without the tag of it. `POST /contacts/undoings` puts it back.",
                tag: "People", answers: [.ok("ContactChange", "How many people it named")])
        ) { visit in
            let act = try visit.quire.contacts.removeGroup(visit.id(of: "group"), by: visit.member())
            return visit.done(
                ["count": .int(act.counts.changed), "act": .string(act.id.text)], next: "/contacts",
                notice: "notice.contacts.groupRemoved", ["name": .text(act.name)], undo: .act(act))
        },
        Action(
            .get, "/contacts/books", .member(.view),
            .init("List address books", tag: "People", answers: [.ok("ContactBookList", "By name")])
        ) { visit in
            if visit.wantsPage { return .redirect(to: "/contacts") }
            let books = try visit.quire.contacts.books(by: visit.member())
            return .json(["books": .array(books.map(\.json))])
        },
        Action(
            .post, "/contacts/books", .member(.administer),
            .init(
                "Add an address book on a server",
                description:
                    "CardDAV; the password is sealed. Its cards are fetched by a job; with `bothWays` what is changed here is written to the server, and what is changed there comes each hour.",
                tag: "People",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [
                                ("address", Schema.string), ("userName", Schema.string),
                                ("password", Schema.string), ("name", Schema.string),
                                ("bothWays", Schema.boolean),
                            ], optional: ["userName", "password", "name", "bothWays"]))
                ], answers: [.made("ContactBook", "The book")]), isGrave: true
        ) { visit in try addBook(visit) },
        Action(
            .patch, "/contacts/books/{id}", .member(.administer),
            .init(
                "Change an address book",
                description:
                    "With `bothWays` what is changed here is written to the server. Without it, what was changed here and not yet written is as on the server again. With `tagsAreGroups` the tags of its people are kept as groups, which some telephones show; without it, on their cards.",
                tag: "People",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [("bothWays", Schema.boolean), ("tagsAreGroups", Schema.boolean)],
                            optional: ["bothWays", "tagsAreGroups"]))
                ],
                answers: [.ok("ContactBook", "The book")]), isGrave: true
        ) { visit in
            let (id, caller): (ID<ContactBook>, Caller) = (
                try visit.id(of: "address book"), try visit.member()
            )
            let contacts = visit.quire.contacts
            guard try visit.input.has("tagsAreGroups") else {
                let book = try contacts.set(id, bothWays: visit.input.flag("bothWays"), by: caller)
                try contacts.pullLater(id, by: caller)
                return visit.done(book.json, next: "/contacts", notice: "notice.contacts.pull")
            }
            if try visit.input.has("bothWays") {
                try contacts.set(id, bothWays: visit.input.flag("bothWays"), by: caller)
            }
            let areGroups = try visit.input.flag("tagsAreGroups")
            let act = try contacts.set(id, tagsAreGroups: areGroups, by: caller)
            return visit.done(
                try contacts.book(id, by: caller).json, next: "/contacts",
                notice: areGroups ? "notice.contacts.groups" : "notice.contacts.tags",
                undo: act.map { .act($0) })
        },
        Action(
            .post, "/contacts/books/{id}/pull", .member(.edit),
            .init(
                "Fetch what has changed in an address book",
                description:
                    "Where the book goes both ways, what was changed here is written as well. Where more than a tenth of the people would go, nothing is done unless `evenMany` says that it is meant.",
                tag: "People",
                requestBody: [
                    .init(.json, Schema.object([("evenMany", Schema.boolean)], optional: ["evenMany"]))
                ],
                answers: [.init(.accepted, "A job does it", [.init(.json, Schema.ref("Job"))])])
        ) { visit in
            let job = try visit.quire.contacts.pullLater(
                visit.id(of: "address book"), evenMany: visit.input.flag("evenMany"),
                by: visit.member())
            return try visit.promised(job, next: "/contacts", notice: "notice.contacts.pull")
        },
        Action(
            .delete, "/contacts/books/{id}", .member(.administer),
            .init(
                "Forget an address book and the contacts that came from it",
                description: "On its server nothing changes.", tag: "People",
                answers: [.init(.noContent, "They are gone from the desk")])
        ) { visit in
            try visit.quire.contacts.removeBook(visit.id(of: "address book"), by: visit.member())
            return visit.done([:], .noContent, next: "/contacts", notice: "notice.removed")
        },
        Action(
            .post, "/contacts/selection", .member(.edit),
            .init(
                "Put contacts on a list, tag them, save them or take them out",
                description:
                    "`list` puts them onto the `list`, or a new one, where nobody comes twice; `tag` and `untag` give and take the tag; `remove` takes them out; `export` gives their cards as a file.",
                tag: "People",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [
                                ("id", ["type": "array", "items": Schema.id]), ("list", Schema.id),
                                (
                                    "action",
                                    Schema.choice(["list", "tag", "untag", "remove", "export"])
                                ), ("tag", Schema.string),
                            ],
                            optional: ["list", "action", "tag"]))
                ],
                answers: [
                    .init(
                        .ok, "The list with them, what was changed, or the file",
                        [
                            .init(
                                .json,
                                ["anyOf": [Schema.ref("RecipientList"), Schema.ref("ContactChange")]]),
                            .anything,
                        ])
                ])
        ) { visit in
            let input = try visit.input
            let caller = try visit.member()
            let ids: [ID<Contact>] = try input.ids(of: "contact")
            guard !ids.isEmpty else {
                guard visit.wantsPage else {
                    throw Failure(.invalid, "Choose some contacts.", field: "id")
                }
                return visit.done([:], next: "/contacts", notice: "notice.nothingChosen")
            }
            if let action = try input.text("action"), !action.isEmpty, action != "list" {
                return try doTo(ids, action, input, visit)
            }
            let list: RecipientList
            if let text = try input.text("list"), !text.isEmpty {
                guard let id = ID<RecipientList>(text) else {
                    throw Failure(.notFound, "There is no such list.", field: "list")
                }
                list = try visit.quire.recipients.get(id, by: caller)
            } else {
                list = try visit.quire.recipients.make(visit.texts("people.contacts"), by: caller)
            }
            let added = try visit.quire.contacts.add(ids, to: list.id, by: caller)
            return visit.done(
                (added.changed?.list ?? list).json, next: "/lists/\(list.id)", notice: "notice.people.added",
                ["count": .number(added.changed?.count ?? 0)],
                undo: added.changed.map { .reversal($0.list) })
        },
    ]

    private static func doTo(
        _ ids: [ID<Contact>], _ action: String, _ input: Input, _ visit: Visit
    ) throws -> Response {
        let caller = try visit.member()
        let contacts = visit.quire.contacts
        let act: ContactAct?
        switch action {
        case "tag": act = try contacts.tag(ids, adding: [input.requiredText("tag")], by: caller)
        case "untag":
            act = try contacts.tag(ids, adding: [], removing: [input.requiredText("tag")], by: caller)
        case "remove": act = try contacts.remove(ids, by: caller)
        case "export": return try cards(of: ids, as: .cards, visit)
        case "merge" where visit.wantsPage:
            guard ids.count == 2 else {
                return visit.done([:], next: "/contacts", notice: "notice.contacts.two")
            }
            return .redirect(to: "/contacts/merging?first=\(ids[0])&second=\(ids[1])")
        default:
            throw Failure(
                .invalid, "Contacts are put on a list, tagged, untagged, removed or exported.",
                field: "action")
        }
        let count = (act?.counts.changed ?? 0) + (act?.counts.gone ?? 0)
        return visit.done(
            ["count": .int(count), "act": .optional(act?.id.text)], next: "/contacts",
            notice: action == "remove" ? "notice.contacts.removed" : "notice.contacts.tagged",
            ["count": .number(count)], undo: act.map { .act($0) })
    }

    private static func cards(
        of ids: [ID<Contact>], as form: CardsForm, _ visit: Visit, words: String = ""
    ) throws -> Response {
        let caller = try visit.member()
        let contacts = visit.quire.contacts
        // Once the first bytes are sent no failure can be told any more.
        for id in ids { _ = try contacts.get(id, by: caller) }
        let name = visit.texts("people.contacts")
        return Response(
            headers: ["Content-Type": form.mediaType],
            body: .stream { sink in
                try contacts.export(as: form, search: words, only: ids, by: caller) { try sink.write($0) }
            }
        ).with("Content-Disposition", Disposition.text(inline: false, fileName: "\(name).\(form.ending)"))
    }

    private static func addBook(_ visit: Visit) throws -> Response {
        let caller = try visit.member()
        let input = try visit.input
        func text(_ name: String) throws -> String? {
            try input.text(name).flatMap { $0.isEmpty ? nil : $0 }
        }
        do {
            let book = try visit.quire.contacts.addBook(
                input.requiredText("address"), userName: text("userName"), password: text("password"),
                named: text("name"), bothWays: input.flag("bothWays"), by: caller)
            try visit.quire.contacts.pullLater(book.id, by: caller)
            return visit.done(
                book.json, .created, at: "/contacts/books", next: "/contacts",
                notice: "notice.contacts.pull")
        } catch let failure as Failure where !visit.wantsPage && failure.code == .unavailable {
            // What was asked for cannot be used; the desk itself is well.
            throw Failure(.invalid, visit.said(failure), field: "address")
        } catch let failure as Failure where visit.wantsPage {
            return visit.page(
                Pages.contacts(
                    visit.frameAt("/contacts"), try contactsPage(visit, failure: failure, typed: input)),
                Site.status(of: failure.code))
        }
    }

    private static func contactCards(_ visit: Visit) throws -> Response {
        let query = visit.request.query
        guard let form = CardsForm(rawValue: query["as"].flatMap { $0.isEmpty ? nil : $0 } ?? "cards")
        else {
            throw Failure(
                .invalid, "Contacts come out as cards, vcard3, vcard4, jcard, jscontact or csv.", field: "as")
        }
        var ids: [ID<Contact>] = []
        if let text = query["id"], !text.isEmpty {
            guard let id = ID<Contact>(text) else {
                throw Failure(.notFound, "There is no such contact. It may have been removed.")
            }
            ids = [id]
        }
        return try cards(of: ids, as: form, visit, words: query["q"] ?? "")
    }

    private static func contacts(_ visit: Visit) throws -> Response {
        let caller = try visit.member()
        let limit = try visit.limit(otherwise: 100, most: 1000)
        let query = visit.request.query
        let page = try visit.quire.contacts.page(
            search: query["q"] ?? "", letter: query["letter"].flatMap { Contacts.Letter($0) },
            tag: query["tag"].flatMap { $0.isEmpty ? nil : $0 }, due: visit.due,
            offset: (visit.pageOfList - 1) * limit,
            limit: limit, by: caller)
        return try visit.show([
            "contacts": .array(
                page.contacts.map {
                    [
                        "id": .string($0.id.text), "name": .string($0.name), "emails": .texts($0.emails),
                        "organization": .string($0.organization), "tags": .texts($0.tags),
                        "followUp": $0.followUpJSON(visit),
                    ]
                }), "total": .int(page.matchCount),
        ]) { Pages.contacts(visit.frame, try contactsPage(visit, page)) }
    }

    private static func contactsPage(
        _ visit: Visit, _ found: Contacts.Page? = nil, failure: Failure? = nil,
        typed: Input? = nil
    ) throws -> ContactsPage {
        let caller = try visit.member()
        let limit = try visit.limit(otherwise: 100, most: 1000)
        let page = try found ?? visit.quire.contacts.page(search: "", offset: 0, limit: limit, by: caller)
        var model = ContactsPage(
            contacts: page.contacts.map { contact in
                .init(
                    id: contact.id.text, name: contact.name,
                    note: [contact.organization, contact.email.isEmpty ? contact.phone : contact.email]
                        .filter { !$0.isEmpty }.joined(separator: " · "), tags: contact.tags,
                    followUp: visit.line(of: contact.followUp))
            },
            books: try visit.quire.contacts.books(by: caller).map { book in
                .init(
                    id: book.id.text, name: book.name, count: book.count, isRemote: book.kind == .carddav,
                    pulledAt: book.pulledAt, trouble: book.trouble.map { visit.texts.said($0) },
                    writes: book.writes, isInQuestion: book.isInQuestion,
                    isChangedHere: book.isChangedHere, tagsAreGroups: book.tagsAreGroups)
            }, matchCount: page.matchCount, totalCount: 0)
        if found != nil {
            let query = visit.request.query
            model.filter = query["q"] ?? ""
            model.letter = query["letter"].flatMap { Contacts.Letter($0) }?.text
            model.tag = query["tag"].flatMap { $0.isEmpty ? nil : $0 }
            model.due = try visit.due
        }
        let letters = try visit.quire.contacts.letters(by: caller)
        model.letters = letters.map(\.letter.text)
        model.totalCount = letters.reduce(0) { $0 + $1.count }
        model.tags = try visit.quire.contacts.tags(by: caller)
        model.dueCounts = try visit.quire.contacts.dueCounts(by: caller)
        if model.due != nil { model.calendar = try visit.followUpCalendar() }
        model.page = visit.pageOfList
        model.pageCount = max(1, (page.matchCount + limit - 1) / limit)
        model.imports = try visit.quire.contacts.acts(.imported, limit: 5, by: caller).map { act in
            .init(
                id: act.id.text, name: act.name, at: act.at, isUndone: act.undoneAt != nil,
                added: act.counts.added, changed: act.counts.changed, unchanged: act.counts.unchanged,
                groups: act.counts.groups,
                leftOutCount: act.counts.refusedCount,
                leftOut: act.counts.leftOut.map { ($0.line, $0.name, visit.said($0.reason)) },
                odd: act.counts.oddities.map { ($0.line, $0.name, visit.said($0.reason)) })
        }
        model.groups = try visit.quire.contacts.groups(by: caller).map {
            .init(
                id: $0.id.text, name: $0.name, book: $0.book.name, count: $0.count,
                absentCount: $0.absentCount, isChangedHere: $0.book.isChangedHere)
        }
        // Whoever is given the tag of a group that nobody is in, fills it.
        model.tags = Set(model.tags + model.groups.map(\.name)).sorted()
        model.lists = try visit.quire.recipients.all(by: caller).map { ListLine($0) }
        model.address = (try? typed?.text("address")) ?? ""
        model.userName = (try? typed?.text("userName")) ?? ""
        if let typed { model.bothWays = (try? typed.flag("bothWays")) ?? false }
        model.bookError = failure.map(visit.said)
        model.server = visit.origin + CardDAVPlace.top.address
        return model
    }
}

extension Visit {
    /// Whom to get back to, by how near the day is; nil for everybody.
    fileprivate var due: Due? {
        get throws(Failure) {
            guard let word = request.query["due"], !word.isEmpty else { return nil }
            guard let due = Due(rawValue: word) else {
                let known = Due.allCases.map(\.rawValue).joined(separator: ", ")
                let name = "due"
                throw Failure(.invalid, "“\(name)” is one of: \(known).", field: name)
            }
            return due
        }
    }
}
