import App
import Bytes
import People
import Storage

// People written down and changed by hand.
extension Command {
    static let contactsNew = Command(
        name: "new", summary: "write a person down",
        arguments: [Argument(name: "NAME", summary: "what they are called")],
        options: [Option("book", "NAME", "an address book on a server that goes both ways")]
            + ContactWishes.options + [.database],
        examples: [
            Example(
                "quire contacts new Nora --family Lind --phone cell:+15145550100",
                "a name and a number; undo takes it back")
        ],
        run: { call in
            let desk = try call.desk(making: true)
            defer { desk.close() }
            var wishes = try ContactWishes(call).json(nil)
            // One word may be a first name that a family name follows; what is said is what is shown.
            if wishes["given"] == nil, wishes["family"] != nil {
                wishes["given"] = .string(call.arguments[0])
            } else if wishes["name"] == nil {
                wishes["name"] = .string(call.arguments[0])
            }
            if let name = call.value("book") { wishes["book"] = try desk.client.book(name)["id"] }
            let made = try desk.client.send("POST", "/contacts/new", wishes)
            call.answer(made) { ContactWords.card(made, call) }
        })

    static let contactsEdit = Command(
        name: "edit", summary: "change what a contact's card says",
        discussion: """
            Only what is named changes; everything else on the card stays as it came, byte for byte. Numbers and \
            addresses are added, with their kind before a colon if you like: work:+1 514 555 0100. --remove takes away the line \
            that says this. quire contacts undo takes the change back.
            """,
        arguments: [.contact],
        options: [
            Option(
                "follow-up", "WHEN",
                "get back to them on a day, in a span (\(FollowUpWords.spans)), done, or none"),
            Option(
                "every", "SPAN", "with --follow-up: it comes again",
                completion: .choices(FollowUp.Rhythm.allCases.map(\.rawValue))),
            Option("about", "TEXT", "with --follow-up: what it is about"),
            Option("name", "TEXT", "what they are shown as"),
            Option("remove", "VALUE", "take away the line that says this", isRepeating: true),
            Option("untag", "TAG", "take a tag away", isRepeating: true),
            Option(
                "book", "NAME",
                "move them into an address book on a server that goes both ways; none: to this desk alone"),
        ] + ContactWishes.options + [.database],
        examples: [
            Example(
                "quire contacts edit nora --phone work:+15145550100 --tag Choir", "one more number, and a tag"
            ),
            Example(
                "quire contacts edit nora --remove nora@old.example --email nora@new.example",
                "another address"),
            Example(
                "quire contacts edit nora --follow-up twoWeeks --every quarter --about hall",
                "then every three months; quire contacts due shows it"),
            Example("quire contacts edit nora --follow-up done", "on to the next time, if there is one"),
        ],
        run: { call in
            let wishes = try ContactWishes(call)
            let followUp = try FollowUpWish(call)
            let book = call.value("book")
            guard !wishes.isEmpty || followUp != nil || book != nil else {
                throw UsageError(
                    message: "nothing is said that should change",
                    hint:
                        "For example --phone work:+15145550100; quire contacts edit --help shows what there is."
                )
            }
            let desk = try call.desk()
            defer { desk.close() }
            let contact = try desk.client.contact(call.arguments[0])
            let path = "/contacts/\(contact["id"]?.string ?? "")"
            if !wishes.isEmpty { try desk.client.send("PATCH", path, wishes.json(contact)) }
            try followUp?.send(desk.client, contact, path)
            if let book {
                let id = try book == "none" ? .null : desk.client.book(book)["id"] ?? .null
                try desk.client.send("POST", path + "/book", ["book": id])
            }
            let changed = try desk.client.get(path)
            call.answer(changed) { ContactWords.card(changed, call) }
        })

    static let contactsRemove = Command(
        name: "remove", summary: "take people out of the contacts",
        discussion: "Lists keep whom they have. quire contacts undo puts them back.",
        arguments: [
            Argument(
                name: "CONTACT", summary: "words of the card that fit nobody else, or its id",
                isRepeating: true)
        ],
        options: [.database],
        examples: [Example("quire contacts remove nora@example.org", "she is gone; undo brings her back")],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            let people = try call.arguments.map { try desk.client.contact($0) }
            let gone = try desk.client.send(
                "POST", "/contacts/selection",
                ["id": .array(people.compactMap { $0["id"] }), "action": "remove"])
            call.answer(gone) {
                people.map { "“\(TextTable.harmless($0["name"]?.string ?? ""))” is taken out.\n" }.joined()
            }
        })
}

/// What the options of a command want of a card.
private struct ContactWishes {
    static let options = [
        Option("given", "TEXT", "first name"), Option("family", "TEXT", "last name"),
        Option("phone", "NUMBER", "one more number", isRepeating: true),
        Option("email", "ADDRESS", "one more e-mail address", isRepeating: true),
        Option("link", "ADDRESS", "one more link", isRepeating: true),
        Option("organization", "TEXT", "where they work", isRepeating: true),
        Option("title", "TEXT", "what they are there", isRepeating: true),
        Option("street", "TEXT", "of one more address"), Option("city", "TEXT", "of that address"),
        Option("code", "TEXT", "postal code of that address"), Option("country", "TEXT", "of that address"),
        Option("birthday", "DAY", "as 1996-04-15, or --birthday=--04-15 without a year"),
        Option("note", "TEXT", "instead of the note there is"),
        Option("met-at", "TEXT", "where you met"), Option("met-on", "DAY", "when you met"),
        Option("tag", "TAG", "one more tag", isRepeating: true),
    ]

    private static let texts = [
        "name": "name", "given": "given", "family": "family", "note": "note", "met-at": "metAt",
        "met-on": "metOn",
    ]
    private static let lists = [
        "phone": "phones", "email": "emails", "link": "links", "organization": "organizations",
        "title": "titles",
    ]
    private static let kinds = ["cell", "work", "home", "main", "fax", "pager", "other"]
    private static let all = [
        "phones", "emails", "links", "organizations", "titles", "addresses", "dates",
    ]

    private let options: [String: [String]]

    init(_ call: Invocation) throws { options = call.options }

    var isEmpty: Bool {
        !options.keys.contains {
            Self.texts[$0] != nil || Self.lists[$0] != nil
                || ["street", "city", "code", "country", "birthday", "tag", "untag", "remove"].contains($0)
        }
    }

    /// As the route takes it: lists hold what is there by its key, without what goes, and what is new.
    func json(_ contact: JSON?) throws -> JSON {
        var json: JSON = [:]
        for (option, field) in Self.texts {
            if let text = options[option]?.last { json[field] = .string(text) }
        }
        let card = contact?["card"]
        if let version = contact?["version"] { json["version"] = version }
        var lists: [String: [JSON]] = [:]
        for name in Self.all { lists[name] = card?[name]?.array ?? [] }
        var changed: Set<String> = []
        for value in options["remove"] ?? [] {
            var isFound = false
            for name in Self.all {
                let kept = lists[name, default: []].filter { !Self.says(value, $0) }
                guard kept.count < lists[name, default: []].count else { continue }
                lists[name] = kept
                changed.insert(name)
                isFound = true
            }
            guard isFound else { throw Failure(.notFound, "No line of the card says “\(value)”.") }
        }
        for (option, name) in Self.lists {
            for text in options[option] ?? [] {
                lists[name, default: []].append(
                    Self.line(text, isTyped: name != "organizations" && name != "titles"))
                changed.insert(name)
            }
        }
        let places = ["street", "city", "code", "country"].filter { options[$0] != nil }
        if !places.isEmpty {
            var address: JSON = [:]
            for place in places { address[place] = .string(options[place]?.last ?? "") }
            lists["addresses", default: []].append(address)
            changed.insert("addresses")
        }
        if let day = options["birthday"]?.last {
            lists["dates"] = lists["dates", default: []].filter { $0["type"]?.string != "birthday" }
            if !day.isEmpty {
                lists["dates", default: []].append(["value": .string(day), "type": "birthday"])
            }
            changed.insert("dates")
        }
        for name in changed { json[name] = .array(lists[name, default: []]) }
        if options["tag"] != nil || options["untag"] != nil {
            let gone = Set(options["untag"] ?? [])
            let tags = (card?["tags"]?.array ?? []).compactMap(\.string).filter { !gone.contains($0) }
            json["tags"] = .array((tags + (options["tag"] ?? [])).map(JSON.string))
        }
        return json
    }

    private static func says(_ value: String, _ line: JSON) -> Bool {
        ["value", "street", "label"].contains { line[$0]?.string == value }
    }

    /// `work:+1 514 555 0100`
    private static func line(_ text: String, isTyped: Bool) -> JSON {
        guard isTyped, let colon = text.firstIndex(of: ":"), kinds.contains(String(text[..<colon])) else {
            return ["value": .string(text)]
        }
        return [
            "type": .string(String(text[..<colon])),
            "value": .string(String(text[text.index(after: colon)...])),
        ]
    }
}
