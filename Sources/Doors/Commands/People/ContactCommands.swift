import App
import Bytes
import Jobs
import People
import Storage
import Work

extension Command {
    static let contacts = Command(
        name: "contacts", summary: "people the desk knows, from cards and address books",
        examples: [
            Example("quire contacts import friends.vcf", "cards out of a file"),
            Example("quire contacts list miller", "those with this word on their card"),
        ],
        subcommands: [
            .contactsList, .contactsDue, .contactsShow, .contactsNew, .contactsEdit, .contactsRemove,
            .contactsDoubles,
            .contactsMerge, .contactsImport,
            .contactsUndo, .contactsExport, .contactsPut,
            .contactsGroups,
            .contactsBooks, .contactsFollow, .contactsPull,
            .contactsBook, .contactsForget,
        ])

    private static let contactsList = Command(
        name: "list", summary: "show contacts",
        discussion: """
            --keep makes a smart list of the question: whoever matches it later is on it, wherever a list is named. One of \
            this name asks the new question from then on.
            """,
        arguments: [.words],
        options: [Option("limit", "NUMBER", "how many at most (100)")]
            + Option.of(ContactQuestion.fields, only: ["tag", "due"])
            + [Option("keep", "NAME", "keep the question as a smart list"), .database],
        examples: [
            Example("quire contacts list miller", "by name"),
            Example(
                "quire contacts list Bern --tag volunteer --keep Helpers",
                "those who match whenever papers are made for “Helpers”"),
        ],
        run: { call in
            let limit = Int(call.value("limit") ?? "100") ?? 0
            guard (1...1000).contains(limit) else {
                throw UsageError(message: "--limit takes a number from 1 to 1000", hint: "100 is usual.")
            }
            let desk = try call.desk()
            defer { desk.close() }
            let words = call.arguments.joined(separator: " ")
            var question = try call.said(ContactQuestion.fields)
            question["words"] = .string(words)
            var page = try desk.client.contacts(
                words, tag: question["tag"]?.string, due: question["due"]?.string, limit: limit)
            let kept = try call.value("keep").map { try desk.client.keep(.object(question), as: $0) }
            if let kept { page["list"] = kept }
            let told =
                kept.map { list in
                    let count = Words.count(list["count"]?.int ?? 0, "person", "people")
                    return
                        "“\(TextTable.harmless(list["name"]?.string ?? ""))” is a smart list: \(count) now.\n"
                } ?? ""
            call.answer(page) {
                let found = page["contacts"]?.array ?? []
                guard !found.isEmpty else {
                    let asked = ["words", "tag", "due"].compactMap { question[$0]?.string }.filter {
                        !$0.isEmpty
                    }
                    return asked.isEmpty
                        ? "There are no contacts. Begin with: quire contacts import CARDS\n"
                        : "Nobody fits “\(TextTable.harmless(asked.joined(separator: ", ")))”.\n" + told
                }
                var table = TextTable(["Name", "E-mail", "Organization"])
                for contact in found {
                    table.add([
                        contact["name"]?.string ?? "", contact["emails"]?[0]?.string ?? "",
                        contact["organization"]?.string ?? "",
                    ])
                }
                let total = page["total"]?.int ?? found.count
                return table.text(call.terminal.outputStyle)
                    + (total > found.count ? "\(found.count) of \(total)\n" : "") + told
            }
        })

    private static let contactsShow = Command(
        name: "show", summary: "show what a contact's card says",
        arguments: [.contact], options: [.database],
        examples: [
            Example(
                "quire contacts show nora@example.org", "each line that says something, and what went to her")
        ],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            let contact = try desk.client.contact(call.arguments[0])
            call.answer(contact) { ContactWords.card(contact, call) + ContactWords.deeds(contact, call) }
        })

    private static let contactsImport = Command(
        name: "import", summary: "bring in cards out of files",
        discussion: """
            vCard 2.1 to 4.0, jCard, JSContact and the cards of QR codes, also as pictures of them. A card that comes again takes the place of \
            the one before; what is the same stays untouched. What cannot be taken is told with its line and why. Each \
            file is one act, which quire contacts undo takes back.
            """,
        arguments: [
            Argument(
                name: "FILE", summary: "files of cards: .vcf or .json; a picture of a QR code",
                isRepeating: true, completion: .file)
        ],
        options: [.database],
        examples: [
            Example("quire contacts import friends.vcf", "as a phone or a mail program exports them"),
            Example("quire contacts import badge.jpg", "from a photo of a QR code"),
            Example("quire contacts undo", "as if the last file had never come"),
        ],
        run: { call in
            let desk = try call.desk(making: true)
            defer { desk.close() }
            let (counts, failures) = try call.addAll { argument in
                let file = try call.file(argument)
                return try call.withProgress("Bringing in", unit: .bytes) {
                    try desk.client.upload(file, to: "/contacts", progress: $0)
                }.json()
            }
            func sum(_ key: String) -> Int { counts.reduce(0) { $0 + ($1[key]?.int ?? 0) } }
            func all(_ key: String) -> [JSON] { counts.flatMap { $0[key]?.array ?? [] } }
            call.answer([
                "added": .int(sum("added")), "changed": .int(sum("changed")),
                "unchanged": .int(sum("unchanged")), "groups": .int(sum("groups")),
                "refused": .array(all("refused")),
                "refusedCount": .int(sum("refusedCount")), "odd": .array(all("odd")),
                "imports": .array(all("imports")),
                "failed": .array(failures.map(\.json)),
            ]) {
                guard !counts.isEmpty else { return "" }
                let leftOut = sum("refusedCount") == 0 ? "" : ", \(sum("refusedCount")) left out"
                let groups = sum("groups")
                let asTags = groups == 0 ? "" : ", \(groups) \(groups == 1 ? "group" : "groups") as tags"
                return
                    "\(sum("added")) new, \(sum("changed")) changed, \(sum("unchanged")) as before\(asTags)\(leftOut)\n"
            }
            for card in all("refused") + all("odd") {
                let name = card["name"]?.string ?? ""
                call.terminal.writeError(
                    TextTable.harmless(
                        "Line \(card["line"]?.int ?? 0)\(name.isEmpty ? "" : ", \(name)"): \(card["reason"]?.string ?? "")"
                    ) + "\n")
            }
            try call.tell(failures)
        })

    private static let contactsUndo = Command(
        name: "undo", summary: "take back what was done to contacts",
        discussion: """
            An import, an edit, tags, people taken out: whom it brought goes, whom it changed or took out is as before; who \
            has been changed since stays. --list shows what was done, with ids.
            """,
        arguments: [
            Argument(name: "ID", summary: "of what was done; the last of it if left out", isOptional: true)
        ],
        options: [Option("list", nil, "only show what was done"), .database],
        examples: [
            Example("quire contacts undo", "the last thing that still stands"),
            Example("quire contacts undo --list", "when, what or from which file, and what it changed"),
        ],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            let found = try desk.client.get("/contacts/acts")
            let acts = found["acts"]?.array ?? []
            if call.has("list") {
                call.answer(found) {
                    guard !acts.isEmpty else { return "Nothing has been done to contacts.\n" }
                    var table = TextTable(
                        ["Id", "What", "About", "When", "New", "Changed", "Gone", "Left out", ""],
                        rightAligned: [4, 5, 6, 7])
                    for act in acts {
                        table.add([
                            act["id"]?.string ?? "", act["kind"]?.string ?? "", act["name"]?.string ?? "",
                            Words.time(act["at"]?.string),
                            "\(act["added"]?.int ?? 0)", "\(act["changed"]?.int ?? 0)",
                            "\(act["gone"]?.int ?? 0)", "\(act["refusedCount"]?.int ?? 0)",
                            act["undoneAt"]?.string == nil ? "" : "undone",
                        ])
                    }
                    return table.text(call.terminal.outputStyle)
                }
                return
            }
            let standing = acts.first { act in
                // A group that nobody was in was removed all the same.
                let keys =
                    ["added", "changed", "gone"] + (act["kind"]?.string == "removed" ? ["groups"] : [])
                return act["undoneAt"]?.string == nil && keys.contains { (act[$0]?.int ?? 0) > 0 }
            }
            guard let id = call.arguments.first ?? standing?["id"]?.string else {
                throw Failure(.notFound, "There is nothing to take back.")
            }
            let undone = try desk.client.send("POST", "/contacts/undoings", ["id": [.string(id)]])
            call.answer(undone) {
                let kept = undone["kept"]?.int ?? 0
                return "\(undone["removed"]?.int ?? 0) gone, \(undone["restored"]?.int ?? 0) as before"
                    + (kept > 0 ? ", \(kept) changed since and kept" : "") + "\n"
            }
        })

    private static let contactsExport = Command(
        name: "export", summary: "copy contacts into a file",
        discussion: """
            As the cards came, byte for byte, unless --as says otherwise: vcard3 for most telephones, vcard4, jcard and \
            jscontact for programs, csv for a spreadsheet. A name that ends in .csv means csv.
            """,
        arguments: [
            Argument(
                name: "FILE", summary: "where to; the folder you are in if left out, - for standard output",
                isOptional: true, completion: .file)
        ],
        options: [
            Option("as", "FORM", "cards, vcard3, vcard4, jcard, jscontact or csv"),
            Option("only", "WORDS", "only those with these words on their card"), .database,
        ],
        examples: [
            Example("quire contacts export everybody.vcf", "each card as it came"),
            Example("quire contacts export --as jscontact --only miller", "contacts.json, for a program"),
        ],
        run: { call in
            let given = call.arguments.first ?? "."
            let form = call.value("as") ?? (given.lowercased().hasSuffix(".csv") ? "csv" : "cards")
            guard ContactWords.forms.contains(form) else {
                throw UsageError(
                    message: "contacts do not come out as \(form)",
                    hint: "--as takes \(ContactWords.forms.joined(separator: ", ")).")
            }
            let desk = try call.desk()
            defer { desk.close() }
            var query = [("as", form)]
            if let words = call.value("only") { query.append(("q", words)) }
            let target = DeskRequest("GET", "/contacts/cards", query: query).target
            if given == "-" {
                call.terminal.write(try desk.client.text(target))
                return
            }
            let ending = form == "csv" ? "csv" : form.hasPrefix("j") ? "json" : "vcf"
            let path = try call.newFile(given, named: "contacts.\(ending)")
            try call.withProgress("Fetching", unit: .bytes) {
                try desk.client.download(target, to: path, progress: $0)
            }
            call.answer(["path": .string(path)]) { "\(TextTable.harmless(path))\n" }
        })

    private static let contactsPut = Command(
        name: "put", summary: "put contacts on a list of recipients",
        discussion: "Who is on the list already does not come twice.",
        arguments: [
            .list,
            Argument(
                name: "WORDS", summary: "only those with these words on their card", isOptional: true,
                isRepeating: true),
        ],
        options: [.database],
        examples: [Example("quire contacts put 4b miller", "everybody called Miller comes onto the list 4b")],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            let list = try desk.client.one(.lists, call.arguments[0])
            let words = call.arguments.dropFirst().joined(separator: " ")
            var ids: [JSON] = []
            while true {
                let page = try desk.client.contacts(words, limit: 1000, page: ids.count / 1000 + 1)
                let found = (page["contacts"]?.array ?? []).compactMap { $0["id"] }
                ids += found
                if found.count < 1000 { break }
            }
            guard !ids.isEmpty else { throw Failure(.notFound, "No contact fits “\(words)”.") }
            let before = list["count"]?.int ?? 0
            let now = try desk.client.send(
                "POST", "/contacts/selection", ["id": .array(ids), "list": list["id"] ?? .null])
            call.answer(now) {
                let count = now["count"]?.int ?? 0
                return
                    "“\(TextTable.harmless(now["name"]?.string ?? ""))”: \(Words.count(count, "person", "people")), \(max(0, count - before)) new\n"
            }
        })

    private static let contactsGroups = Command(
        name: "groups", summary: "show groups of telephones and servers, which are tags",
        discussion: """
            Also those that nobody is in: quire contacts edit NAME --tag GROUP puts somebody in. --remove takes a group out; who is in \
            it stays, and quire contacts undo brings it back.
            """,
        options: [Option("remove", "GROUP", "take this group out, by its name or its id"), .database],
        examples: [
            Example("quire contacts groups", "how many people are in each"),
            Example("quire contacts groups --remove Choir", "its people stay"),
        ],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            let found = try desk.client.get("/contacts/groups")
            let groups = found["groups"]?.array ?? []
            guard let wanted = call.value("remove") else {
                return call.answer(found) {
                    guard !groups.isEmpty else { return "There are no groups.\n" }
                    var table = TextTable(["Group", "People", "Not here", "Id"], rightAligned: [1, 2])
                    for group in groups {
                        table.add([
                            group["name"]?.string ?? "", "\(group["count"]?.int ?? 0)",
                            "\(group["absentCount"]?.int ?? 0)", group["id"]?.string ?? "",
                        ])
                    }
                    return table.text(call.terminal.outputStyle)
                }
            }
            let fitting = groups.filter { $0["id"]?.string == wanted || $0["name"]?.string == wanted }
            guard let group = fitting.first, let id = group["id"]?.string else {
                throw Failure(
                    .notFound, "There is no group called “\(wanted)”. See: quire contacts groups")
            }
            guard fitting.count == 1 else {
                let ids = fitting.compactMap { $0["id"]?.string }.joined(separator: ", ")
                throw Failure(
                    .conflict, "“\(wanted)” could be one of \(fitting.count); say which by its id: \(ids)")
            }
            let gone = try desk.client.send("DELETE", "/contacts/groups/\(id)")
            call.answer(gone) {
                "The group “\(TextTable.harmless(group["name"]?.string ?? ""))” is taken out.\n"
            }
        })

    private static let contactsBooks = Command(
        name: "books", summary: "show where contacts come from", options: [.database],
        examples: [Example("quire contacts books", "files and address books on servers")],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            let found = try desk.client.get("/contacts/books")
            call.answer(found) { BookWords.table(found["books"]?.array ?? [], call) }
        })

    private static let contactsFollow = Command(
        name: "follow", summary: "follow an address book on a server (CardDAV)",
        discussion: """
            Asks for the password when --user is given, or reads it from a pipe; it is kept sealed. Nothing on the server \
            is changed, unless --both-ways is said: then what is changed here is written there, and what is changed there comes \
            each hour. What was changed on both sides is joined line by line.
            """,
        arguments: [Argument(name: "ADDRESS", summary: "of the account, or of one book")],
        options: [
            Option("user", "NAME", "who to sign in as"),
            Option("book", "NAME", "which of several books; the first if left out"),
            Option("both-ways", nil, "write what is changed here to the server as well"), .database,
        ],
        examples: [
            Example("quire contacts follow https://cloud.example.org/dav --user ana", "asks for the password")
        ],
        run: { call in
            let desk = try call.desk(making: true)
            defer { desk.close() }
            var wish: JSON = ["address": .string(call.arguments[0])]
            if let user = call.value("user") {
                wish["userName"] = .string(user)
                let password = call.terminal.ask("Password: ", true) ?? ""
                if !password.isEmpty { wish["password"] = .string(password) }
            }
            if let name = call.value("book") { wish["name"] = .string(name) }
            if call.has("both-ways") { wish["bothWays"] = true }
            let book = try desk.client.send("POST", "/contacts/books", wish)
            call.withProgress("Fetching") { _ in desk.local?.runner.runUntilIdle() }
            try call.tellBook(desk.client, book)
        })

    private static let contactsPull = Command(
        name: "pull", summary: "fetch what has changed in an address book",
        discussion: """
            From a book that goes both ways what was changed here is written as well. Where more than a tenth of the people \
            would go, nothing is done unless --even-many says that it is meant.
            """,
        arguments: [.book],
        options: [Option("even-many", nil, "also where very many people would go"), .database],
        examples: [Example("quire contacts pull Friends", "new, changed and gone")],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            let book = try desk.client.book(call.arguments[0])
            try desk.client.send(
                "POST", "/contacts/books/\(book["id"]?.string ?? "")/pull",
                ["evenMany": .bool(call.has("even-many"))])
            call.withProgress("Fetching") { _ in desk.local?.runner.runUntilIdle() }
            try call.tellBook(desk.client, book)
        })

    private static let contactsBook = Command(
        name: "book", summary: "change how an address book is kept",
        discussion: """
            A book on a server is only read, or changed from here as well. The tags of its people stand on their cards, or are groups: an \
            iPhone or a Mac shows groups, and no tags.
            """,
        arguments: [.book],
        options: [
            Option("both-ways", nil, "write what is changed here to the server as well"),
            Option("only-read", nil, "change nothing on the server any more"),
            Option(
                "tags-as", "groups|cards", "keep tags as groups, or on the cards",
                completion: .choices(["groups", "cards"])), .database,
        ],
        examples: [
            Example("quire contacts book Contacts --tags-as groups", "the lists of an iPhone"),
            Example("quire contacts book Friends --both-ways", "what is changed here goes there"),
        ],
        run: { call in
            var wish: JSON = [:]
            if call.has("both-ways") || call.has("only-read") {
                wish["bothWays"] = .bool(call.has("both-ways"))
            }
            if let text = call.value("tags-as") {
                guard ["groups", "cards"].contains(text) else {
                    throw UsageError(message: "--tags-as is groups or cards", hint: "--tags-as groups")
                }
                wish["tagsAreGroups"] = .bool(text == "groups")
            }
            guard wish.object?.isEmpty == false else {
                throw UsageError(
                    message: "say what to change: --both-ways, --only-read or --tags-as",
                    hint: "--tags-as groups")
            }
            let desk = try call.desk()
            defer { desk.close() }
            let book = try desk.client.book(call.arguments[0])
            let changed = try desk.client.send(
                "PATCH", "/contacts/books/\(book["id"]?.string ?? "")", wish)
            call.withProgress("Writing") { _ in desk.local?.runner.runUntilIdle() }
            call.answer(changed) { BookWords.table([changed], call) }
        })

    private static let contactsForget = Command(
        name: "forget", summary: "forget an address book and the contacts that came from it",
        discussion: "On its server nothing changes, and lists keep whom they have.",
        arguments: [.book], options: [.database],
        examples: [Example("quire contacts forget Friends", "they are gone from the desk")],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            let book = try desk.client.book(call.arguments[0])
            try desk.client.send("DELETE", "/contacts/books/\(book["id"]?.string ?? "")")
            call.answer(["removed": book]) {
                "“\(TextTable.harmless(book["name"]?.string ?? ""))” is forgotten.\n"
            }
        })
}

enum ContactWords {
    static let forms = ["cards", "vcard3", "vcard4", "jcard", "jscontact", "csv"]

    /// What a card says, a line each.
    static func card(_ contact: JSON, _ call: Invocation) -> String {
        var table = TextTable(["", ""])
        for field in contact["fields"]?.array ?? [] {
            table.add([field["name"]?.string ?? "", field["value"]?.string ?? ""])
        }
        for (key, name) in [("metAt", "Met at"), ("metOn", "Met on")] {
            if let text = contact["card"]?[key]?.string, !text.isEmpty { table.add([name, text]) }
        }
        if let followUp = contact["followUp"], followUp != .null {
            table.add(["Follow-up", FollowUpWords.line(followUp)])
        }
        return table.text(call.terminal.outputStyle)
    }

    /// What went out and came back, and the papers that carry them.
    static func deeds(_ contact: JSON, _ call: Invocation) -> String {
        let history = contact["history"]?.array ?? []
        let papers = contact["papers"]?.array ?? []
        var text = ""
        if !history.isEmpty {
            var table = TextTable(["When", "What became of it", "Address"])
            for item in history {
                table.add([
                    Words.time(item["at"]?.string), item["state"]?.string ?? "",
                    item["address"]?.string ?? "",
                ])
            }
            text += "\n" + table.text(call.terminal.outputStyle)
        }
        if !papers.isEmpty {
            text += "\n" + papers.map { "Paper: \(TextTable.harmless($0["name"]?.string ?? ""))\n" }.joined()
        }
        return text
    }
}

private enum BookWords {
    static func table(_ books: [JSON], _ call: Invocation) -> String {
        guard !books.isEmpty else {
            return "There are no address books. Begin with: quire contacts follow ADDRESS\n"
        }
        var table = TextTable(["Book", "People", "Where", "Fetched", "Trouble"], rightAligned: [1])
        for book in books {
            table.add([
                book["name"]?.string ?? "", "\(book["count"]?.int ?? 0)",
                (book["address"]?.string ?? "") + (book["bothWays"]?.bool == true ? " (both ways)" : "")
                    + (book["tagsAreGroups"]?.bool == true ? " (tags as groups)" : ""),
                Words.time(book["pulledAt"]?.string), book["trouble"]?.string ?? "",
            ])
        }
        return table.text(call.terminal.outputStyle)
    }
}

extension Argument {
    static let contact = Argument(
        name: "CONTACT", summary: "words of the card that fit nobody else, or its id")
    fileprivate static let book = Argument(
        name: "BOOK", summary: "its name or its id, as quire contacts books shows them")
}

extension Invocation {
    /// How an address book stands now.
    fileprivate func tellBook(_ client: DeskClient, _ book: JSON) throws {
        let now = try client.book(book["id"]?.string ?? "")
        if let trouble = now["trouble"]?.string { throw Failure(.unavailable, trouble) }
        answer(now) { BookWords.table([now], self) }
    }
}

extension DeskClient {
    /// Makes a smart list, or has the one of this name ask this from now on.
    fileprivate func keep(_ question: JSON, as name: String) throws -> JSON {
        let there = try all(.lists, matching: name).first { $0["name"]?.string == name }
        guard let id = there?["id"]?.string else {
            return try send("POST", "/lists", ["name": .string(name), "question": question])
        }
        var whole: JSON = ["words": "", "tag": "", "due": "any"]
        for (field, value) in question.object ?? [:] { whole[field] = value }
        return try send("PATCH", "/lists/\(id)", ["question": whole])
    }

    func contacts(
        _ words: String, tag: String? = nil, due: String? = nil, limit: Int, page: Int = 1
    ) throws -> JSON {
        var query = [("limit", String(limit)), ("page", String(page))]
        if let tag { query.append(("tag", tag)) }
        if let due, due != "any" { query.append(("due", due)) }
        if !words.isEmpty { query.append(("q", words)) }
        return try get("/contacts", query)
    }

    /// One contact: by its id, by its whole name, or by words that fit nobody else.
    func contact(_ reference: String) throws -> JSON {
        let page = try contacts(reference, limit: 100)
        let found = page["contacts"]?.array ?? []
        let named = found.filter { $0["name"]?.string == reference }
        let fitting = named.isEmpty ? found : named
        guard fitting.count <= 1 else {
            throw Failure(
                .conflict,
                "“\(reference)” could be one of \(fitting.count); say which by its id: \(fitting.compactMap { $0["id"]?.string }.joined(separator: ", "))"
            )
        }
        if fitting.isEmpty, !reference.contains(where: { $0.isWhitespace || $0 == "/" }) {
            return try get("/contacts/\(reference)")
        }
        guard let id = fitting.first?["id"]?.string else {
            throw Failure(.notFound, "No contact fits “\(reference)”.")
        }
        return try get("/contacts/\(id)")
    }

    func book(_ reference: String) throws -> JSON {
        let books = try get("/contacts/books")["books"]?.array ?? []
        let found = books.filter { $0["id"]?.string == reference || $0["name"]?.string == reference }
        guard let book = found.first else {
            throw Failure(
                .notFound, "There is no address book called “\(reference)”. See: quire contacts books")
        }
        guard found.count == 1 else {
            throw Failure(
                .conflict,
                "“\(reference)” could be one of \(found.count); say which by its id: \(found.compactMap { $0["id"]?.string }.joined(separator: ", "))"
            )
        }
        return book
    }
}
