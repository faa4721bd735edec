import Access
import App
import Bytes
import Delivery
import Filling
import HTTP
import Library
import Markup
import People
import Storage

extension Site {
    static let batchActions: [Action] = [
        Action(
            .get, "/batches", .member(.view),
            .init(
                "List batches", tag: "Batches",
                parameters: [
                    .init("q", "Words that must occur in the name"),
                    .init("trash", "1 lists the trash", schema: Schema.choice(["0", "1"])),
                    .init("page", "Which page, from 1", schema: Schema.integer(1, 100_000)),
                    .init("limit", "How many at most", schema: Schema.integer(1, 500)),
                ], answers: [.ok("BatchList", "The newest first")])
        ) { visit in try batches(visit) },
        Action(.get, "/batches/new", .member(.edit)) { visit in
            let caller = try visit.member()
            let templates = try visit.quire.templates.list(.init(limit: 60), by: caller).templates
            let recent = try visit.quire.batches.list(.init(limit: 4), by: caller).batches
            return visit.page(
                Pages.newBatch(
                    visit.frame,
                    NewBatchPage(
                        templates: templates.map { TemplateLine($0) }, starters: visit.starters,
                        recent: try recent.filter { $0.state != .draft }.map { try visit.line(of: $0) })))
        },
        Action(
            .post, "/batches", .member(.edit),
            .init(
                "Begin a batch",
                description:
                    "A draft as in `draft` of a batch; or only a `template` or a `list` to begin with.",
                tag: "Batches", requestBody: [.init(.json, Schema.newBatch)],
                answers: [.made("Batch", "A draft")])
        ) { visit in try beginBatch(visit) },
        Action(
            .get, "/batches/{id}", .member(.view),
            .init(
                "Get a batch", tag: "Batches", answers: [.ok("Batch", "What is decided, and how far it is")])
        ) { visit in
            let batch = try visit.batch()
            guard visit.wantsPage else { return .json(batch.json).kept(false) }
            return .redirect(to: batch.address)
        },
        Action(
            .patch, "/batches/{id}", .member(.edit),
            .init(
                "Change a batch",
                description:
                    "What is left out stays. A plan made before no longer holds. With `version`, only when nobody else has changed it since.",
                tag: "Batches", requestBody: [.init(.json, Schema.batchChange)],
                answers: [.ok("Batch", "As it is now")])
        ) { visit in try changeBatch(visit) },
        Action(
            .delete, "/batches/{id}", .member(.edit),
            .init(
                "Put a batch into the trash", tag: "Batches", answers: [.ok("Batch", "It lies in the trash")])
        ) { visit in
            let batch = try visit.quire.batches.trash(visit.id(of: "batch"), by: visit.member())
            return visit.done(
                batch.json, next: "/batches", notice: "notice.trashed", ["name": .text(batch.name)],
                undo: .init(action: "/batches/\(batch.id)/restoration"))
        },
        Action(
            .post, "/batches/{id}/restoration", .member(.edit),
            .init("Bring a batch back from the trash", tag: "Batches", answers: [.ok("Batch", "It is back")])
        ) { visit in
            let batch = try visit.quire.batches.restore(visit.id(of: "batch"), by: visit.member())
            return visit.done(
                batch.json, next: "/batches/\(batch.id)", notice: "notice.back", ["name": .text(batch.name)])
        },
        Action(
            .post, "/batches/{id}/copies", .member(.edit),
            .init(
                "Begin a batch like this one", description: "Its plan says what has changed since.",
                tag: "Batches", answers: [.made("Batch", "A draft")])
        ) { visit in
            let copy = try visit.quire.batches.duplicate(visit.id(of: "batch"), by: visit.member())
            return visit.done(
                copy.json, .created, at: "/batches/\(copy.id)", next: "/batches/\(copy.id)/people")
        },
        Action(.get, "/batches/{id}/parts", .member(.view)) { visit in
            let batch = try visit.batch()
            guard visit.wantsPage else {
                return .json(["parts": batch.draft.json["parts"] ?? []]).kept(false)
            }
            return .redirect(to: "/batches/\(batch.id)/people")
        },
        Action(.get, "/batches/{id}/people", .member(.view)) { visit in
            visit.page(try formAndPeople(visit, visit.batch()))
        },
        Action(.post, "/batches/{id}/parts", .member(.edit)) { visit in
            let input = try visit.input
            return try visit.changeParts { parts in
                if let id = try input.text("template").flatMap({ ID<Template>($0) }) {
                    _ = try visit.quire.templates.get(id, by: visit.member())
                    parts.append(PacketPart(.template(id, mapping: nil)))
                } else if let id = try input.text("document").flatMap({ ID<Document>($0) }) {
                    _ = try visit.quire.documents.get(id, by: visit.member())
                    parts.append(PacketPart(.document(id)))
                } else {
                    parts.append(
                        PacketPart(.attachment(pattern: try input.requiredText("attachments"))))
                }
            }
        },
        Action(.patch, "/batches/{id}/parts/{part}", .member(.edit)) { visit in
            let input = try visit.input
            return try visit.changeParts { parts in
                let place = try visit.part(of: parts)
                if let condition = try input.text("condition") { parts[place].condition = condition }
                if let target = try input.integer("place") {
                    let part = parts.remove(at: place)
                    parts.insert(part, at: min(max(0, target - 1), parts.count))
                }
            }
        },
        Action(.delete, "/batches/{id}/parts/{part}", .member(.edit)) { visit in
            try visit.changeParts { parts in parts.remove(at: try visit.part(of: parts)) }
        },
    ]

    private static func batches(_ visit: Visit) throws -> Response {
        let caller = try visit.member()
        let query = visit.request.query
        var listing = Batches.Listing(filter: query["q"] ?? "", isTrash: query["trash"] == "1")
        listing.limit = try visit.limit(otherwise: 40, most: Documents.mostPerPage)
        listing.page = visit.pageOfList
        let page = try visit.quire.batches.list(listing, by: caller)
        let counts = try visit.quire.batches.counts(of: page.batches, by: caller)
        let tallies = try visit.tallies(of: page.batches, counts)
        let listed = page.batches.map { batch -> JSON in
            var view = batch.json
            view["counts"] = Packet.State.json(counts[batch.id] ?? [:])
            view["tally"] = tallies[batch.id]?.json ?? .null
            return view
        }
        return try visit.show(["batches": .array(listed), "total": .int(page.matchCount)]) {
            let trashed =
                listing.isTrash
                ? page.matchCount
                : try visit.quire.batches.list(.init(isTrash: true, limit: 1), by: caller).matchCount
            return Pages.batches(
                visit.frame,
                BatchesPage(
                    lines: try page.batches.map {
                        try visit.line(of: $0, counts[$0.id] ?? [:], tallies[$0.id])
                    },
                    filter: listing.filter,
                    page: listing.page,
                    pageCount: max(1, (page.matchCount + listing.limit - 1) / listing.limit),
                    totalCount: page.matchCount, showsTrash: listing.isTrash, trashCount: trashed,
                    hasExample: try visit.quire.bundles.example(by: caller) != nil))
        }
    }

    private static func beginBatch(_ visit: Visit) throws -> Response {
        let input = try visit.input
        let caller = try visit.member()
        var draft = BatchDraft(name: "")
        if let json = input.whole { draft = try BatchDraft(json, changing: draft) }
        if let text = try input.text("template"), !text.isEmpty {
            guard let id = ID<Template>(text) else {
                throw Failure(.notFound, "There is no such form.", field: "template")
            }
            let template = try visit.quire.templates.get(id, by: caller)
            draft.parts = [PacketPart(.template(id, mapping: nil))]
            if draft.name.isEmpty { draft.name = template.name }
        }
        if let list = try input.text("list"), !list.isEmpty {
            draft.choose(list: list)
            try visit.suitNaming(of: &draft)
            if draft.name.isEmpty { draft.name = try visit.listName(list) }
        }
        if draft.name.isEmpty { draft.name = visit.texts("packets.new") }
        let batch = try visit.begin(draft)
        return visit.done(
            batch.json, .created, at: "/batches/\(batch.id)",
            next: batch.address)
    }

    private static func changeBatch(_ visit: Visit) throws -> Response {
        let input = try visit.input
        let caller = try visit.member()
        let batch = try visit.batch()
        var draft = batch.draft
        if let json = input.whole {
            draft = try BatchDraft(json, changing: draft)
        } else {
            if let name = try input.text("name") { draft.name = name }
            if let list = try input.text("list") {
                draft.choose(list: list.isEmpty ? nil : list)
            }
            try visit.suitNaming(of: &draft)
            if let audience = try input.text("audience") {
                draft.choose(audience: audience.isEmpty ? nil : audience)
            }
            if try input.flag("options") { try draft.take(input) }
        }
        let changed = try visit.quire.batches.change(
            batch.id, to: draft, ifVersion: try input.integer("version"), by: caller)
        let step = try input.text("then").flatMap { then in
            PacketStep.allCases.first { $0.address(isApproved: false) == then }
        }
        if try input.flag("choose") { return visit.done(changed.json, next: "/batches/\(batch.id)/whom") }
        return visit.done(
            changed.json, next: "/batches/\(batch.id)/\((step ?? .people).address(isApproved: false))",
            notice: step == nil || step == .people ? "notice.saved" : nil)
    }

    private static func formAndPeople(_ visit: Visit, _ batch: Batch) throws -> HTML {
        let caller = try visit.member()
        let papers = try batch.draft.parts.enumerated().map { place, part -> FormAndPeoplePage.Paper in
            var line: FormAndPeoplePage.Paper
            switch part.content {
            case .template(let id, _):
                let template = TemplateLine(try visit.quire.templates.get(id, by: caller))
                line = .init(
                    number: place + 1, kind: .template, name: template.name,
                    note: visit.texts(
                        "templates.size",
                        [
                            "pages": .text(
                                visit.texts("templates.pages", ["count": .number(template.pageCount)])),
                            "fields": .text(
                                visit.texts("templates.fields", ["count": .number(template.fieldCount)])),
                        ]), picture: template.picture)
            case .document(let id):
                let document = try visit.quire.documents.get(id, by: caller)
                line = .init(
                    number: place + 1, kind: .document, name: document.name,
                    note: visit.texts("papers.sameForAll"))
            case .attachment(let pattern):
                line = .init(
                    number: place + 1, kind: .attachments, name: pattern,
                    note: visit.texts("papers.addPattern"))
            }
            line.condition = part.condition
            line.conditionError = try visit.quire.batches.mistake(
                inCondition: part.condition, of: batch, by: caller
            ).map(visit.texts.said)
            return line
        }
        var page = FormAndPeoplePage(
            batch: try visit.line(of: batch), papers: papers, isBegun: batch.state.isBegun)
        guard !page.isBegun else { return Pages.formAndPeople(visit.frame, page) }
        page.templates = try visit.quire.templates.list(.init(limit: 200), by: caller).templates.map {
            TemplateLine($0)
        }
        page.documents = try visit.quire.documents.list(.init(limit: 200), by: caller).documents.filter {
            $0.blob.mediaType == "application/pdf" || $0.blob.mediaType.hasPrefix("image/")
        }.map { DocumentLine($0) }
        var lists = try visit.quire.recipients.all(by: caller)
        // A list whose table was only looked at is none yet.
        for list in lists where list.question == nil && list.count == 0 && list.id.text != batch.draft.list {
            guard let table = try leftTable(in: list.id, batch: batch.id.text, visit) else { continue }
            page.leftTables.append(table)
            lists.removeAll { $0.id == list.id }
        }
        page.lists = lists.map { ListLine($0) }
        page.chosenList = batch.draft.list ?? (lists.count == 1 ? lists[0].id.text : nil)
        page.audiences =
            try lists.first { $0.id.text == batch.draft.list }.map { try visit.audiences(of: $0) } ?? []
        page.chosenAudience = batch.draft.audience
        if batch.draft.people != nil { page.tickedCount = page.batch.recipientCount }
        return Pages.formAndPeople(visit.frame, page)
    }
}

extension BatchDraft {
    /// The choices of the page before making.
    mutating func take(_ input: Input) throws {
        if let naming = try input.text("naming") { self.naming = naming }
        options.flattens = try input.flag("flatten")
        options.duplex = try input.flag("duplex")
        options.makesDespiteProblems = try input.flag("despite")
        options.onlyChanged = try input.flag("onlyChanged")
        if let password = try input.text("password") { options.password = password }
        if let word = try input.text("overflow"), let overflow = BatchOptions.Overflow(rawValue: word) {
            options.overflow = overflow
        }
        if let locale = try input.text("locale") { options.locale = locale }
        if input.has("signer") {
            options.signer = try input.id("signer", of: "identity")
            options.timestamp = try input.text("timestamp").flatMap { $0.isEmpty ? nil : $0 }
            options.asksForProofs = try input.flag("proofs")
        }
        // The page shows who attests to it only where somebody signs.
        if options.signer == nil { options.leaveUnsigned() }
        let prefix = try input.text("bates") ?? ""
        // With which number it begins, and how many digits it has, stays as a program has said.
        var bates = options.numbering?.bates ?? .init(prefix: prefix)
        bates.prefix = prefix
        options.numbering = .init(
            pattern: try input.text("pageNumbers"),
            bates: prefix.isEmpty && options.numbering?.bates?.prefix != "" ? nil : bates)
        if let text = try input.text("title") { options.metadata.title = text }
        if let text = try input.text("author") { options.metadata.author = text }
        if let text = try input.text("subject") { options.metadata.subject = text }
        if let text = try input.text("keywords") { options.metadata.keywords = text }
    }
}

extension Batch {
    /// Where one goes on.
    var step: PacketStep {
        switch state {
        case .done: return .give
        case .filling, .paused, .cancelled, .approved, .planned, .elsewhere: return .check
        case .draft: return draft.parts.isEmpty || draft.list == nil ? .people : .match
        }
    }

    /// The page of that step.
    var address: String { "/batches/\(id)/\(step.address(isApproved: state != .planned))" }
}

extension Visit {
    func batch(_ name: String = "id") throws -> Batch {
        try quire.batches.get(id(name, of: "batch"), by: member())
    }

    func part(of parts: [PacketPart]) throws(Failure) -> Int {
        guard let number = Int(parameter("part")), parts.indices.contains(number - 1) else {
            throw Failure(.notFound, "There is no such part.")
        }
        return number - 1
    }

    func newBatch(of template: Template) throws -> Batch {
        try begin(BatchDraft(name: template.name, parts: [PacketPart(.template(template.id, mapping: nil))]))
    }

    /// Where the desk has no language of its own, numbers and days are as in that of the page it is begun on.
    func begin(_ draft: BatchDraft) throws -> Batch {
        var draft = draft
        if wantsPage, draft.options.locale.isEmpty, try quire.settings.region().language.isEmpty {
            draft.options.locale = Batches.locale(of: language.tag)
        }
        return try quire.batches.make(draft, by: member())
    }

    func changeParts(_ change: (inout [PacketPart]) throws -> Void) throws -> Response {
        let batch = try batch()
        var draft = batch.draft
        try change(&draft.parts)
        let changed = try quire.batches.change(batch.id, to: draft, by: member())
        return done(changed.json, next: "/batches/\(batch.id)/people")
    }

    func line(of batch: Batch) throws -> BatchLine {
        try line(of: batch, quire.batches.counts(of: [batch], by: member())[batch.id] ?? [:])
    }

    /// What became of those that were begun.
    func tallies(
        of batches: [Batch], _ counts: [ID<Batch>: [Packet.State: Int]]
    ) throws -> [ID<Batch>: Ledger.Tally] {
        let begun = batches.filter(\.isBegunHere).map { ($0.id, counts[$0.id] ?? [:]) }
        return try quire.sendings.tallies(of: Dictionary(uniqueKeysWithValues: begun), by: member())
    }

    /// The newest of them, as lists show them.
    func newestLines(_ limit: Int) throws -> [BatchLine] {
        let newest = try quire.batches.list(.init(limit: limit), by: member()).batches
        let counts = try quire.batches.counts(of: newest, by: member())
        let tallies = try tallies(of: newest, counts)
        return try newest.map { try line(of: $0, counts[$0.id] ?? [:], tallies[$0.id]) }
    }

    /// `counts` are those of its packets; `tally` is what became of them.
    func line(
        of batch: Batch, _ counts: [Packet.State: Int], _ tally: Ledger.Tally? = nil
    ) throws -> BatchLine {
        let caller = try member()
        var line = BatchLine(
            id: batch.id.text, name: batch.name, reached: batch.step,
            changedAt: batch.changedAt,
            trashedAt: batch.trashedAt)
        line.isExample =
            try quire.bundles.example(by: caller)?.brought.batches.contains(batch.id) ?? false
        line.state = BatchLine.State(batch.state)
        for part in batch.draft.parts {
            if case .template(let id, _) = part.content,
                let template = try? quire.templates.get(id, by: caller)
            {
                line.papers.append(template.name)
                if line.picture == nil { line.picture = TemplateLine(template).picture }
            } else if case .document(let id) = part.content,
                let document = try? quire.documents.get(id, by: caller)
            {
                line.papers.append(document.name)
            }
        }
        line.recipientCount = batch.summary?.recipients ?? 0
        line.madeCount = counts[.made] ?? 0
        line.problemCount = (counts[.held] ?? 0) + (counts[.failed] ?? 0)
        if let tally {
            (line.sentCount, line.sentOf) = (tally.sent, tally.total)
            line.replyCount = tally.states[.returned] ?? 0
        }
        line.desk = batch.madeElsewhere?.desk ?? ""
        if batch.state == .elsewhere, let there = batch.madeElsewhere {
            (line.madeCount, line.sentCount, line.sentOf) = (there.made, there.sent, there.made)
            line.replyCount = there.replies
        }
        if let id = batch.draft.list.flatMap({ ID<RecipientList>($0) }),
            let list = try? quire.recipients.get(id, by: caller)
        {
            line.list = list.name
            // A plan made before the last change counts others; a list in the trash is still shown.
            if batch.summary == nil || batch.state == .draft {
                line.recipientCount = (try? quire.batches.recipientCount(of: batch)) ?? list.count
            }
        }
        return line
    }
}

extension Packet.State {
    /// How many packets are in each state, none left out.
    static func json(_ counts: [Packet.State: Int]) -> JSON {
        .object(JSONObject(allCases.map { ($0.rawValue, .int(counts[$0] ?? 0)) }))
    }
}
