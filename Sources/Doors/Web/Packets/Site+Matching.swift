import Access
import App
import Bytes
import Filling
import Formulas
import HTTP
import Library
import Mappings
import Markup
import PDFForms
import People
import Storage
import Work

extension Site {
    static let matchingActions: [Action] = [
        Action(
            .get, "/batches/{id}/mapping", .member(.view),
            .init(
                "Get what goes where",
                description:
                    "The mapping of one part as a readable text, what is wrong with it, and what suggests itself for the rest.",
                tag: "Batches",
                parameters: [
                    .init("part", "Which part, from 1", schema: Schema.integer(1, 64)),
                    .init("row", "Whose values are shown, from 1", schema: Schema.integer(1, 100_000_000)),
                ], answers: [.ok("Matching", "Field by field")])
        ) { visit in
            let batch = try visit.batch()
            if visit.wantsPage {
                if batch.step == .people { return .redirect(to: "/batches/\(batch.id)/people") }
                guard batch.hasForm else { return .redirect(to: "/batches/\(batch.id)/plan") }
            }
            let matching = try visit.matching(batch)
            let query = visit.request.query
            let page = try matching.page(chosen: query["field"], formula: query["formula"])
            return try visit.show(page.json(matching)) { Pages.match(visit.frame, page) }
        },
        Action(
            .post, "/batches/{id}/mapping", .member(.edit),
            .init(
                "Say what goes into a field",
                description:
                    "`field` with one of `column`, `fixed`, `formula`, `empty` or `nothing`; or the whole mapping in `text`; or a column that is offered in `undecided` with the number of its `choice`; or the id of a kept one in `saved`; `saveAs` keeps it under a name. For a field with choices `words` says what words of the list mean: the name of a choice (`yes`, `no` for a box), an empty text to leave the field empty, `?` to hold packets with that word back.",
                tag: "Batches", requestBody: [.init(.json, Schema.assignment)],
                answers: [.ok("Matching", "As it is now")])
        ) { visit in try assign(visit) },
        Action(
            .post, "/batches/{id}/suggestions", .member(.edit),
            .init(
                "Take all suggestions of a part",
                description: "Only for fields that nothing fills; nothing is overwritten.",
                tag: "Batches",
                requestBody: [.init(.json, Schema.object([("part", Schema.whole)], optional: ["part"]))],
                answers: [.ok("Matching", "As it is now")])
        ) { visit in
            let matching = try visit.matching(visit.batch())
            var mapping = matching.mapping
            mapping.takeSuggestions(matching.match.facts, matching.match.columns)
            return try visit.keep(mapping, of: matching)
        },
        Action(
            .get, "/batches/{id}/preview/{page}", .member(.view),
            .init(
                "Get a picture of a page, filled for one row", tag: "Batches",
                parameters: [
                    .init("part", "Which part, from 1", schema: Schema.integer(1, 64)),
                    .init("row", "For whom, from 1", schema: Schema.integer(1, 100_000_000)),
                    .init("width", "At least so many pixels wide", schema: Schema.integer(1, 1600)),
                ], answers: [.init(.ok, "A picture", [.anything])])
        ) { visit in
            let matching = try visit.matching(visit.batch())
            let picture = try visit.quire.previews.passingPicture(
                of: matching.match.filled().bytes, page: visit.pageNumber() - 1, width: visit.pictureWidth)
            return Response.bytes(picture, .jpeg).with(
                "Cache-Control", visit.request.query["v"] == nil ? "no-store" : "private, max-age=600")
        },
    ]

    private static func assign(_ visit: Visit) throws -> Response {
        let input = try visit.input
        let matching = try visit.matching(visit.batch(), input)
        var mapping = matching.mapping
        if let text = try input.text("text") {
            do { mapping = try Mapping(parsing: text) } catch {
                throw Failure(.invalid, "\(error)", field: "text")
            }
            return try visit.keep(mapping, of: matching, asItStands: true)
        }
        if let saved = try input.text("saved"), !saved.isEmpty {
            guard let id = ID<SavedMapping>(saved) else {
                throw Failure(.notFound, "There is no such mapping.", field: "saved")
            }
            let kept = try visit.quire.mappings.get(id, by: visit.member())
            do { mapping = try Mapping(parsing: kept.text) } catch {
                throw Failure(.invalid, "\(error)", field: "saved")
            }
            return try visit.keep(mapping, of: matching, asItStands: true)
        }
        if let name = try input.text("saveAs") {
            let saved = try visit.quire.mappings.save(
                mapping.text, named: name, for: matching.match.template.id, by: visit.member())
            return visit.done(
                saved.json, .created, next: visit.matchingAddress(matching), notice: "notice.saved")
        }
        if let column = try input.text("undecided") {
            let offers = mapping.offers(matching.match.facts, matching.match.columns)
            let choices = offers.first { $0.column == column }?.choices ?? []
            guard let place = try input.integer("choice"), choices.indices.contains(place - 1) else {
                throw Failure(
                    .notFound, "“\(column)” is not offered for that field any more. Look at the page again.",
                    field: "choice")
            }
            for part in choices[place - 1].parts { mapping[part.field] = part.source }
            return try visit.keep(mapping, of: matching)
        }
        let field = try input.requiredText("field")
        guard matching.match.facts.contains(where: { $0.name == field && $0.takesValues }) else {
            throw Failure(.notFound, "The form has no field “\(field)” that could be filled.", field: "field")
        }
        let words = try input.pairs("word:", object: "words")
        if !words.isEmpty {
            try decide(words, for: field, in: &mapping, of: matching)
            let next = try input.text("then") == "plan" ? "/batches/\(matching.match.batch.id)/plan" : nil
            return try visit.keep(mapping, of: matching, next: next)
        }
        if try input.flag("nothing") {
            mapping[field] = nil
        } else if try input.flag("empty") {
            mapping[field] = .empty
        } else if let suggestion = try input.text("suggestion"), !suggestion.isEmpty {
            mapping[field] = Mapping.Source(suggestion)
        } else if let column = try input.text("column") {
            guard matching.match.list.columns.contains(where: { $0.name == column }) else {
                throw Failure(.notFound, "The list has no column “\(column)”.", field: "column")
            }
            mapping[field] = .column(column)
        } else if let fixed = try input.text("fixed") {
            mapping[field] = fixed.isEmpty ? .empty : .fixed(fixed)
        } else {
            let text = try input.text("formula") ?? ""
            do {
                _ = try Formula(text, for: matching.match.context)
            } catch {
                guard visit.wantsPage else { throw Failure(.invalid, "\(error)", field: "formula") }
                let page = try matching.page(chosen: field, formula: text)
                return visit.page(
                    Pages.match(visit.frameAt("/batches/\(matching.match.batch.id)/mapping"), page),
                    .unprocessable)
            }
            mapping[field] = Mapping.Source(text)
        }
        return try visit.keep(mapping, of: matching)
    }
}

extension Site {
    /// What words of the list mean, for all rows at once.
    private static func decide(
        _ words: [(name: String, value: String)], for field: String, in mapping: inout Mapping,
        of matching: Matching
    ) throws {
        let choices = matching.match.choices(of: field)
        let answers = try words.map { word, text in
            let answer = Mapping.Answer(text)
            if case .choice(let name) = answer, let choices, !choices.takesOthers, choices.named(name) == nil
            {
                throw Failure(.invalid, "“\(name)” is no choice of “\(field)”.", field: "words")
            }
            return (word: word, answer: answer)
        }
        mapping.decide(answers, for: field)
    }
}

extension Batch {
    var hasForm: Bool {
        draft.parts.contains { if case .template = $0.content { true } else { false } }
    }
}

extension Visit {
    func matching(_ batch: Batch, _ input: Input? = nil) throws -> Matching {
        let query = request.query
        let part = try input?.integer("part") ?? query["part"].flatMap(Int.init)
        let row = try input?.integer("row") ?? query["row"].flatMap(Int.init)
        return try Matching(self, batch, part: part, row: row)
    }

    func matchingAddress(_ matching: Matching, field: String? = nil) -> String {
        "/batches/\(matching.match.batch.id)/mapping?part=\(matching.match.part + 1)&row=\(matching.match.row)"
            + (field.map { "&field=\(Pages.queryEncoded($0))" } ?? "")
    }

    /// The batch's own mapping is written down when the first thing is decided, with all that had been filled in by
    /// itself. From then on only what somebody took is filled: whoever undid a match finds it undone. `asItStands`: a
    /// whole mapping was given, and says itself what becomes of fields that it does not name.
    func keep(
        _ mapping: Mapping, of matching: Matching, next: String? = nil, asItStands: Bool = false
    ) throws -> Response {
        let caller = try member()
        var mapping = mapping
        if !asItStands { mapping[.others] = "keep" }
        guard !matching.match.batch.state.isBegun else {
            throw Failure(
                .conflict,
                "This batch has begun to be made and stays as it is. Make a copy of it to change something.")
        }
        if let saved = matching.match.saved {
            try quire.mappings.change(saved.id, text: mapping.text, by: caller)
        } else {
            let saved = try quire.mappings.save(
                mapping.text, named: matching.match.batch.name, for: matching.match.template.id, by: caller)
            var draft = matching.match.batch.draft
            draft.parts[matching.match.part].content = .template(
                matching.match.template.id, mapping: saved.id)
            try quire.batches.change(matching.match.batch.id, to: draft, by: caller)
        }
        guard wantsPage else {
            let now = try Matching(self, batch(), part: matching.match.part + 1, row: matching.match.row)
            return .json(try now.page(chosen: nil, formula: nil).json(now))
        }
        return goes(to: next ?? matchingAddress(matching))
    }

    /// The usual names ask for a full name; a list without one is named by the column that comes nearest.
    func suitNaming(of draft: inout BatchDraft) throws {
        guard draft.naming == BatchDraft.usualNaming, let id = draft.list.flatMap({ ID<RecipientList>($0) })
        else { return }
        let list = try quire.recipients.get(id, by: member())
        let roles = FormulaColumns(list.columns.map(\.name)).roles
        guard !list.columns.isEmpty, [.firstName, .lastName, .fullName].allSatisfy({ roles[$0] == nil })
        else {
            return
        }
        let named = list.columns.first { $0.name.lowercased().contains("name") } ?? list.columns[0]
        draft.naming = "{Template}_\(Mapping.Source.column(named.name).text)_{id}"
    }

    /// A saved group, and words that must occur besides.
    /// What is searched for on a list, within one of its groups where one is named.
    func filter(of audience: String?, in list: RecipientList, and search: String) throws -> RecipientFilter {
        let typed = RecipientFilter(typed: search, in: list.columns)
        guard let audience, !audience.isEmpty else { return typed }
        guard let id = ID<Audience>(audience) else { throw Failure(.notFound, "There is no such group.") }
        var filter = try quire.recipients.audience(id, by: member()).filter
        filter.search = [filter.search, typed.search].filter { !$0.isEmpty }.joined(separator: " ")
        filter.conditions += typed.conditions
        return filter
    }

    func audiences(of list: RecipientList) throws -> [ListPage.Audience] {
        try quire.recipients.audiences(of: list.id, by: member()).map {
            .init(
                id: $0.id.text, name: $0.name,
                count: try quire.recipients.count(list.id, $0.filter, by: member()))
        }
    }
}
