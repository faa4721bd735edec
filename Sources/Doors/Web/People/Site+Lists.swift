import Access
import App
import Bytes
import Filling
import HTTP
import Markup
import People
import Storage
import Tables

extension Site {
    static let recipientSearch =
        "Words that must occur in the row, and conditions on columns: class=5b, class!=5b, town:ber, age>12, e-mail= (empty), e-mail!= (filled), e-mail=? (no address)"

    static let listActions: [Action] = [
        Action(
            .get, "/lists", .member(.view),
            .init(
                "List lists of people", tag: "People",
                parameters: [
                    .init("q", "Words that must occur in the name"),
                    .init("trash", "1 lists the trash", schema: Schema.choice(["0", "1"])),
                ], answers: [.ok("RecipientLists", "All of them")])
        ) { visit in try lists(visit) },
        Action(.get, "/lists/new", .member(.edit)) { visit in
            visit.page(Pages.newList(visit.frame, NewListPage(batch: visit.request.query["batch"])))
        },
        Action(
            .post, "/lists", .member(.edit),
            .init(
                "Make a list",
                description:
                    "An empty one called `name`; with a `question`, a smart list: whoever of the contacts matches it now is on it; or a form with a table in `file`, or a `block` of pasted rows, or the answer of a `database` to a `query` (owners only), which is looked at first: the answer is an import.",
                tag: "People",
                parameters: [.init("name", "The file's name, when the body is the file itself")],
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [
                                ("name", Schema.name), ("block", Schema.string),
                                ("columns", Schema.string), ("database", Schema.string),
                                ("query", Schema.string), ("question", Schema.question),
                            ], optional: ["block", "columns", "database", "query", "question"])),
                    .init(
                        .multipart, Schema.object([("file", ["type": "string", "format": "binary"])])),
                ], answers: [.made("NewRecipientList", "The list, and the import when there is one")]),
            body: .upload(limit: 1 << 40)
        ) { visit in try makeList(visit) },
        Action(
            .get, "/lists/{id}", .member(.view),
            .init("Get a list", tag: "People", answers: [.ok("RecipientList", "Its columns and sources")])
        ) { visit in
            let list = try visit.list()
            if visit.wantsPage, let narrower = visit.narrower(list) { return .redirect(to: narrower) }
            return try visit.show(list.json) { try listPage(visit, list) }
        },
        Action(
            .patch, "/lists/{id}", .member(.edit),
            .init(
                "Change a list",
                description:
                    "Its `name`; `columns` to add, separated by commas; the `role` of a `column`; of a smart list its `question`, of which stays what is left out.",
                tag: "People",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [
                                ("name", Schema.name), ("columns", Schema.string),
                                ("column", Schema.string),
                                ("role", Schema.choice([""] + People.ColumnRole.allCases.map(\.rawValue))),
                                ("question", Schema.question),
                            ], optional: ["name", "columns", "column", "role", "question"]))
                ], answers: [.ok("RecipientList", "As it is now")])
        ) { visit in try changeList(visit) },
        Action(
            .delete, "/lists/{id}", .member(.edit),
            .init(
                "Put a list into the trash", tag: "People",
                answers: [.ok("RecipientList", "It lies in the trash")])
        ) { visit in
            let list = try visit.quire.recipients.trash(visit.id(of: "list"), by: visit.member())
            return visit.done(
                list.json, next: "/lists", notice: "notice.trashed", ["name": .text(list.name)],
                undo: .init(action: "/lists/\(list.id)/restoration"))
        },
        Action(
            .post, "/lists/{id}/restoration", .member(.edit),
            .init(
                "Bring a list back from the trash", tag: "People",
                answers: [.ok("RecipientList", "It is back")])
        ) { visit in
            let list = try visit.quire.recipients.restore(visit.id(of: "list"), by: visit.member())
            return visit.done(
                list.json, next: "/lists/\(list.id)", notice: "notice.back", ["name": .text(list.name)])
        },
        Action(
            .post, "/lists/{id}/reversals", .member(.edit),
            .init(
                "Take the last change of a list back",
                description:
                    "`edition` is the one that the change made; when somebody has changed the list since, 409.",
                tag: "People", requestBody: [.init(.json, Schema.object([("edition", Schema.whole)]))],
                answers: [.ok("RecipientList", "As it was before")])
        ) { visit in
            guard let edition = try visit.input.integer("edition") else {
                throw Failure(.invalid, "Say which change to take back.", field: "edition")
            }
            let list = try visit.quire.recipients.undo(
                visit.id(of: "list"), edition: edition, by: visit.member())
            return visit.done(list.json, next: "/lists/\(list.id)", notice: "notice.undone")
        },
        Action(
            .get, "/lists/{id}/recipients", .member(.view),
            .init(
                "List the people of a list", tag: "People",
                parameters: [
                    .init("q", Site.recipientSearch), .init("sort", "A column"),
                    .init("order", "In which direction", schema: Schema.choice(["ascending", "descending"])),
                    .init("page", "Which page, from 1", schema: Schema.integer(1, 100_000)),
                    .init("limit", "How many at most", schema: Schema.integer(1, 1000)),
                ], answers: [.ok("RecipientPage", "One page of them")])
        ) { visit in
            let (page, _) = try people(visit, try visit.list(), usual: 50)
            return .json([
                "recipients": .array(page.recipients.map { $0.json(of: page.list) }),
                "total": .int(page.matchCount),
            ])
        },
        Action(
            .post, "/lists/{id}/recipients", .member(.edit),
            .init(
                "Add a person", tag: "People",
                requestBody: [.init(.json, Schema.object([("cells", Schema.cells)]))],
                answers: [.made("Recipient", "On the list")])
        ) { visit in
            let cells = try visit.input.pairs("cell:", object: "cells")
            let id: ID<RecipientList> = try visit.id(of: "list")
            let changed = try visit.quire.recipients.add(
                [Dictionary(cells.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })], to: id,
                by: visit.member())
            return visit.done(
                changed.recipients.first?.json(of: changed.list) ?? [:], .created,
                at: changed.recipients.first.map { "/lists/\(id)/recipients/\($0.id)" },
                next: "/lists/\(id)#add", notice: "notice.people.added", ["count": .number(changed.count)],
                undo: .reversal(changed.list))
        },
        Action(
            .get, "/lists/{id}/recipients/{recipient}", .member(.view),
            .init("Get a person", tag: "People", answers: [.ok("Recipient", "Every cell as it came")])
        ) { visit in
            let list = try visit.list()
            let person = try visit.quire.recipients.recipient(
                visit.id("recipient", of: "person"), by: visit.member())
            return try visit.show(person.json(of: list)) { personPage(visit, list, person) }
        },
        Action(
            .patch, "/lists/{id}/recipients/{recipient}", .member(.edit),
            .init(
                "Change cells of a person", tag: "People",
                requestBody: [.init(.json, Schema.object([("cells", Schema.cells)]))],
                answers: [.ok("Recipient", "As it is now")])
        ) { visit in
            let cells = try visit.input.pairs("cell:", object: "cells")
            let id: ID<Recipient> = try visit.id("recipient", of: "person")
            var texts = Dictionary(cells.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
            let list = try visit.list()
            if visit.wantsPage {
                // The form brings every cell; only what was changed is an edit.
                let person = try visit.quire.recipients.recipient(id, by: visit.member())
                for (place, column) in list.columns.enumerated() where person.cells.indices.contains(place) {
                    if texts[column.name] == person.cells[place].shown { texts[column.name] = nil }
                }
            }
            let changed = try visit.quire.recipients.change(id, texts, by: visit.member())
            let person = try visit.quire.recipients.recipient(id, by: visit.member())
            return visit.done(
                person.json(of: changed.list), next: "/lists/\(list.id)", notice: "notice.saved",
                undo: .reversal(changed.list))
        },
        Action(
            .delete, "/lists/{id}/recipients/{recipient}", .member(.edit),
            .init(
                "Take a person off a list", tag: "People",
                answers: [.ok("RecipientList", "Without this person")])
        ) { visit in
            try removed(visit, [visit.id("recipient", of: "person")])
        },
        Action(.post, "/lists/{id}/selection", .member(.edit)) { visit in
            let ids: [ID<Recipient>] = try visit.input.ids(of: "person")
            guard !ids.isEmpty else {
                return visit.done(
                    [:], next: "/lists/\(visit.parameter("id"))", notice: "notice.nothingChosen")
            }
            return try removed(visit, ids)
        },
        Action(
            .get, "/lists/{id}/quarantine", .member(.view),
            .init(
                "List rows that wait to be put right", tag: "People",
                answers: [.ok("RecipientPage", "With what is wrong, and their text")])
        ) { visit in
            let list = try visit.list()
            let found = try visit.quire.recipients.quarantine(list.id, limit: 200, by: visit.member())
            return .json([
                "recipients": .array(found.rows.map { $0.json(of: list) }), "total": .int(found.count),
            ])
        },
        Action(
            .patch, "/lists/{id}/quarantine/{recipient}", .member(.edit),
            .init(
                "Put a row right", tag: "People",
                requestBody: [.init(.json, Schema.object([("text", Schema.string)]))],
                answers: [.ok("RecipientList", "With the row, if it fits now")])
        ) { visit in
            let changed = try visit.quire.recipients.mend(
                visit.id("recipient", of: "row"), text: visit.input.requiredText("text"), by: visit.member())
            return visit.done(
                changed.list.json, next: "/lists/\(changed.list.id)", notice: "notice.saved",
                undo: .reversal(changed.list))
        },
        Action(
            .delete, "/lists/{id}/quarantine/{recipient}", .member(.edit),
            .init("Leave a row out", tag: "People", answers: [.ok("RecipientList", "Without the row")])
        ) { visit in
            let changed = try visit.quire.recipients.drop(
                [visit.id("recipient", of: "row")], from: visit.id(of: "list"), by: visit.member())
            return visit.done(
                changed.list.json, next: "/lists/\(changed.list.id)", notice: "notice.saved",
                undo: .reversal(changed.list))
        },
        Action(
            .get, "/lists/{id}/audiences", .member(.view),
            .init(
                "List the saved groups of a list", tag: "People",
                answers: [.ok("AudienceList", "With how many fit now")])
        ) { visit in
            let list = try visit.list()
            return .json([
                "audiences": .array(
                    try visit.audiences(of: list).map {
                        ["id": .string($0.id), "name": .string($0.name), "count": .int($0.count)]
                    })
            ])
        },
        Action(
            .post, "/lists/{id}/audiences", .member(.edit),
            .init(
                "Save a group", description: "Whoever fits the filter later belongs to it.", tag: "People",
                requestBody: [
                    .init(.json, Schema.object([("name", Schema.name), ("q", Schema.string)]))
                ], answers: [.made("Audience", "The filter has a name")])
        ) { visit in
            let input = try visit.input
            let list = try visit.list()
            let filter = RecipientFilter(typed: try input.text("q") ?? "", in: list.columns)
            let audience = try visit.quire.recipients.saveAudience(
                input.requiredText("name"), filter, of: list.id, by: visit.member())
            let count = try visit.quire.recipients.count(list.id, filter, by: visit.member())
            return visit.done(
                ["id": .string(audience.id.text), "name": .string(audience.name), "count": .int(count)],
                .created, at: "/lists/\(list.id)/audiences",
                next: "/lists/\(list.id)?audience=\(audience.id)",
                notice: "notice.saved")
        },
        Action(
            .delete, "/lists/{id}/audiences/{audience}", .member(.edit),
            .init(
                "Remove a saved group", tag: "People", answers: [.init(.noContent, "Nobody is removed by it")]
            )
        ) { visit in
            try visit.quire.recipients.removeAudience(
                visit.id("audience", of: "group"), by: visit.member())
            return visit.done(
                [:], .noContent, next: "/lists/\(visit.parameter("id"))", notice: "notice.saved")
        },
        Action(
            .delete, "/lists/{id}/sources/{source}", .member(.edit),
            .init(
                "Remove everybody who came from a source", tag: "People",
                answers: [.ok("RecipientList", "Without them")])
        ) { visit in
            guard let number = Int(visit.parameter("source")) else {
                throw Failure(.notFound, "There is no such source.")
            }
            let changed = try visit.quire.recipients.removeSource(
                number, from: visit.id(of: "list"), by: visit.member())
            return visit.done(
                changed.list.json, next: "/lists/\(changed.list.id)", notice: "notice.people.removed",
                ["count": .number(changed.count)], undo: .reversal(changed.list))
        },
    ]

    private static func lists(_ visit: Visit) throws -> Response {
        let caller = try visit.member()
        let isTrash = visit.request.query["trash"] == "1"
        let filter = visit.request.query["q"] ?? ""
        let lists = try visit.quire.recipients.all(filter: filter, isTrash: isTrash, by: caller)
        let trashed = isTrash ? lists.count : try visit.quire.recipients.all(isTrash: true, by: caller).count
        return try visit.show(["lists": .array(lists.map(\.json))]) {
            Pages.lists(
                visit.frame,
                ListsPage(
                    lines: lists.map { ListLine($0) }, filter: filter, totalCount: lists.count,
                    showsTrash: isTrash, trashCount: trashed))
        }
    }

    private static func makeList(_ visit: Visit) throws -> Response {
        let caller = try visit.member()
        let arrival = try Arrival(visit)
        let input = arrival.input
        let batch = try input.text("batch").flatMap { $0.isEmpty ? nil : $0 }
        let recipients = visit.quire.recipients
        do {
            if let origin = try visit.origin(arrival) {
                // An import that cannot be read leaves no empty list behind.
                let list = try recipients.begin(origin.listName, by: caller)
                do {
                    let pending = try recipients.take(
                        origin.origin, named: origin.name, into: list.id, by: caller,
                        progress: visit.progress)
                    _ = try recipients.preview(pending.id, rows: 1, comparing: false, by: caller)
                    let address =
                        "/lists/\(list.id)/imports/\(pending.id)" + (batch.map { "?batch=\($0)" } ?? "")
                    var json = list.json.object ?? [:]
                    json["import"] = .string(pending.id.text)
                    return visit.done(.object(json), .created, at: address, next: address)
                } catch {
                    _ = try? recipients.forgetUnused(list.id, by: caller)
                    throw error
                }
            }
            if let question = try input.question() {
                let list = try recipients.make(input.requiredText("name"), asking: question, by: caller)
                var json = list.json.object ?? [:]
                json["import"] = .null
                return visit.done(
                    .object(json), .created, at: "/lists/\(list.id)", next: "/lists/\(list.id)",
                    notice: "notice.smart.kept", ["name": .text(list.name)],
                    undo: .init(
                        action: "/lists/\(list.id)", fields: [(name: "_method", value: "DELETE")]))
            }
            var list = try recipients.make(try input.requiredText("name"), by: caller)
            list = try recipients.addColumns(input.columns(), to: list.id, by: caller)
            var json = list.json.object ?? [:]
            json["import"] = .null
            if let batch { try visit.choose(list.id, for: batch) }
            return visit.done(.object(json), .created, at: "/lists/\(list.id)", next: "/lists/\(list.id)")
        } catch let failure as Failure where visit.wantsPage {
            return visit.page(
                Pages.newList(
                    visit.frameAt("/lists/new"),
                    NewListPage(
                        pasted: (try? input.text("block")) ?? "",
                        database: (try? input.text("database")) ?? "",
                        query: (try? input.text("query")) ?? "", error: visit.said(failure), batch: batch)),
                Site.status(of: failure.code))
        }
    }

    private static func changeList(_ visit: Visit) throws -> Response {
        let input = try visit.input
        let caller = try visit.member()
        let recipients = visit.quire.recipients
        if let response = try asked(visit) { return response }
        var list = try visit.list()
        if input.has("name") {
            list = try recipients.rename(list.id, to: input.requiredText("name"), by: caller)
        }
        let added = try input.columns()
        if !added.isEmpty { list = try recipients.addColumns(added, to: list.id, by: caller) }
        if let column = try input.text("column"), !column.isEmpty {
            list = try recipients.setRole(
                try input.text("role").flatMap { ColumnRole(rawValue: $0) }, ofColumn: column, in: list.id,
                by: caller)
        }
        for (place, column) in list.columns.enumerated() where input.has("role-\(place)") {
            let role = ColumnRole(rawValue: try input.text("role-\(place)") ?? "")
            guard role != column.role else { continue }
            list = try recipients.setRole(role, ofColumn: column.name, in: list.id, by: caller)
        }
        return visit.done(list.json, next: "/lists/\(list.id)", notice: "notice.saved")
    }

    /// Another question for a smart list; nil when the request brings none.
    private static func asked(_ visit: Visit) throws -> Response? {
        let id: ID<RecipientList> = try visit.id(of: "list")
        let recipients = visit.quire.recipients
        let before = try? recipients.get(id, by: visit.member()).question
        guard let question = try visit.input.question(changing: before ?? ContactQuestion()) else {
            return nil
        }
        do {
            var list = try recipients.ask(question, of: id, by: visit.member())
            if let name = try visit.input.text("name") {
                list = try recipients.rename(id, to: name, by: visit.member())
            }
            let undo = before.map { before in
                Frame.Notice.Undo(
                    action: "/lists/\(id)",
                    fields: [(name: "_method", value: "PATCH"), (name: "smart", value: "yes")]
                        + ContactQuestion.fields.map { (name: $0.name, value: $0.text(of: before)) })
            }
            return visit.done(list.json, next: "/lists/\(id)", notice: "notice.saved", undo: undo)
        } catch let failure as Failure where visit.wantsPage && failure.isAboutInput {
            return visit.page(
                try listPage(visit, visit.list(), asking: question, failure),
                Site.status(of: failure.code))
        }
    }

    private static func removed(_ visit: Visit, _ ids: [ID<Recipient>]) throws -> Response {
        let changed = try visit.quire.recipients.remove(ids, from: visit.id(of: "list"), by: visit.member())
        return visit.done(
            changed.list.json, next: "/lists/\(changed.list.id)", notice: "notice.people.removed",
            ["count": .number(changed.count)], undo: .reversal(changed.list))
    }

    private static func people(
        _ visit: Visit, _ list: RecipientList, usual: Int
    ) throws -> (page: Recipients.Page, listing: Recipients.Listing) {
        let query = visit.request.query
        let limit = try visit.limit(otherwise: usual, most: Recipients.mostPerPage)
        var listing = Recipients.Listing(
            try visit.filter(of: query["audience"], in: list, and: query["q"] ?? ""),
            offset: (visit.pageOfList - 1) * limit, limit: limit)
        if let sort = query["sort"], list.place(of: sort) != nil { listing.sort = sort }
        listing.isDescending = query["order"] == "descending"
        return (try visit.quire.recipients.page(list.id, listing, by: visit.member()), listing)
    }

    private static func listPage(
        _ visit: Visit, _ list: RecipientList, asking question: ContactQuestion? = nil,
        _ failure: Failure? = nil
    ) throws -> HTML {
        let (page, listing) = try people(visit, list, usual: 100)
        let flaws =
            list.flawCount == 0
            ? [] : try visit.quire.recipients.quarantine(list.id, limit: 20, by: visit.member()).rows
        var model = ListPage(
            line: ListLine(list), columns: list.columns.map { .init(name: $0.name, role: $0.role?.rawValue) },
            people: page.recipients.map { PersonLine($0, in: list) }, filter: visit.request.query["q"] ?? "",
            matchCount: page.matchCount)
        model.audience = visit.request.query["audience"].flatMap { $0.isEmpty ? nil : $0 }
        model.sort = listing.sort
        model.isDescending = listing.isDescending
        model.page = visit.pageOfList
        model.pageCount = max(1, (page.matchCount + listing.limit - 1) / listing.limit)
        model.sources = list.sources.map {
            .init(id: String($0.number), name: visit.name(of: $0), count: $0.count, addedAt: $0.importedAt)
        }
        model.audiences = try visit.audiences(of: list)
        model.flaws = flaws.map {
            .init(
                id: $0.id.text, place: $0.place, sentence: $0.flaw.map(visit.texts.said) ?? "",
                text: $0.sourceText)
        }
        if model.canChange(visit.frame) { model.leftTable = try leftTable(in: list.id, visit) }
        if let asked = list.question {
            model.question = question ?? asked
            model.error = failure.map(visit.said)
            let isGone =
                try !asked.tag.isEmpty && !visit.quire.contacts.tags(by: visit.member()).contains(asked.tag)
            if isGone { model.notice = visit.texts("smart.tagGone", ["tag": .text(asked.tag)]) }
        }
        return Pages.list(failure == nil ? visit.frame : visit.frameAt("/lists/\(list.id)"), model)
    }

    private static func personPage(_ visit: Visit, _ list: RecipientList, _ person: Recipient) -> HTML {
        let cells = zip(list.columns, person.cells).map { column, cell in
            PersonPage.Cell(
                column: column.name, shown: cell.shown, raw: cell.raw == cell.shown ? nil : cell.raw,
                kind: cell.kind.rawValue)
        }
        return Pages.person(
            visit.frame,
            PersonPage(list: ListLine(list), person: PersonLine(person, in: list, visit), cells: cells))
    }
}

extension Frame.Notice.Undo {
    /// The way back from the last change of a list.
    static func reversal(_ list: RecipientList) -> Self {
        Self(action: "/lists/\(list.id)/reversals", fields: [(name: "edition", value: String(list.edition))])
    }
}

extension Input {
    /// What a smart list is to ask: an object in JSON, the fields of a page; nil when nothing is said of it.
    func question(changing before: ContactQuestion = ContactQuestion()) throws(Failure) -> ContactQuestion? {
        if let said = json("question"), !said.isNull {
            return try ContactQuestion(said, changing: before)
        }
        guard whole == nil, try flag("smart") else { return nil }
        return try ContactQuestion(json(of: ContactQuestion.fields))
    }

    /// Names of columns, separated by commas.
    func columns() throws(Failure) -> [String] {
        (try text("columns") ?? "").split(separator: ",").map { part in
            String(part.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
        }.filter { !$0.isEmpty }
    }
}

extension Visit {
    /// Where the search also holds the condition that was chosen on the page; nil when none was.
    fileprivate func narrower(_ list: RecipientList) -> String? {
        let query = request.query
        guard let column = query["column"], list.place(of: column) != nil,
            let relation = query["relation"].flatMap(RecipientFilter.Condition.Relation.init)
        else { return nil }
        let condition = RecipientFilter.typed(column, relation, query["value"] ?? "")
        let words = [query["q"] ?? "", condition].filter { !$0.isEmpty }.joined(separator: " ")
        let group = query["audience"].map { "&audience=\(Pages.queryEncoded($0))" } ?? ""
        return "/lists/\(list.id)?q=\(Pages.queryEncoded(words))\(group)"
    }

    func list() throws -> RecipientList { try quire.recipients.get(id(of: "list"), by: member()) }

    /// The table an upload brought, or the block that was pasted; nil when there is neither.
    func origin(_ arrival: Arrival) throws -> (origin: Recipients.Origin, name: String, listName: String)? {
        if let file = arrival.files.first {
            let origin: Recipients.Origin = file.path.map { .upload($0) } ?? .bytes(file.bytes ?? [])
            let stem = file.name.split(separator: ".").dropLast().joined(separator: ".")
            return (origin, file.name, stem.isEmpty ? texts("people.lists") : stem)
        }
        if let query = try arrival.input.text("query"), !query.isEmpty {
            let database = try arrival.input.requiredText("database")
            let isAddress = database.contains("://") || database.contains("dbname=")
            let source: TableQuery.Source = isAddress ? .postgres(database) : .sqlite(path: database)
            let name = texts("people.query.name")
            return (.query(TableQuery(source, query)), name, name)
        }
        if let block = try arrival.input.text("block"), !block.isEmpty {
            return (.pasted(block), texts("people.pasted"), texts("people.pasted"))
        }
        return nil
    }

    /// Typed by hand has no name of its own.
    func name(of source: RecipientSource) -> String {
        switch source.kind {
        case .manual: texts("people.typed")
        case .contacts: texts("people.contacts")
        case .file, .pasted, .query: source.name
        }
    }

    func choose(_ list: ID<RecipientList>, for batch: String) throws {
        guard let id = ID<Batch>(batch) else { throw Failure(.notFound, "There is no such batch.") }
        var draft = try quire.batches.get(id, by: member()).draft
        draft.choose(list: list.text)
        try suitNaming(of: &draft)
        try quire.batches.change(id, to: draft, by: member())
    }

    func listName(_ text: String) throws -> String {
        guard let id = ID<RecipientList>(text) else {
            throw Failure(.notFound, "There is no such list.", field: "list")
        }
        return try quire.recipients.get(id, by: member()).name
    }
}

extension ListLine {
    init(_ list: RecipientList) {
        self.init(
            id: list.id.text, name: list.name, count: list.count, columns: list.columns.map(\.name),
            quarantined: list.flawCount, changedAt: list.changedAt, trashedAt: list.trashedAt,
            question: list.question)
    }
}

extension PersonLine {
    init(_ person: Recipient, in list: RecipientList, _ visit: Visit? = nil) {
        self.init(
            id: person.id.text, name: person.name, email: person.email, cells: person.cells.map(\.shown),
            flaw: person.flaw)
        if let visit, let source = list.source(person.source) {
            self.source =
                person.place > 0
                ? visit.texts(
                    "person.place",
                    ["source": .text(visit.name(of: source)), "line": .number(person.place)])
                : visit.name(of: source)
        }
    }
}
