import Access
import App
import Bytes
import HTTP
import Library
import Markup
import Storage

// Rules that say how papers of one kind are filed, and what they suggest.

extension Site {
    static let ruleActions: [Action] = [
        Action(
            .get, "/rules", .member(.view),
            .init(
                "List the rules of filing", tag: "Folders and tags", answers: [.ok("RuleList", "All of them")]
            )
        ) { visit in
            let rules = try visit.quire.documents.rules(by: try visit.member())
            return try visit.show(["rules": .array(rules.map(\.json))]) { try rulesPage(visit) }
        },
        Action(
            .post, "/rules", .member(.edit),
            .init(
                "Make a rule",
                description:
                    "Of papers that lie in or below `from`, are called like `pattern` (`Scan*.pdf`), have `words` (as in "
                    + "the search) and are or came with a mail from `sender` (a part of it, or `*@bank.example`), `folder`, `tags` and `title` are suggested. `title` may hold `{name}`, `{line}`, `{date}` "
                    + "and `{by}`. With `atOnce` it is done, told and can be undone.",
                tag: "Folders and tags",
                requestBody: [.init(.json, Schema.ruleInput)],
                answers: [.made("Rule", "It looks at papers from now on")])
        ) { visit in
            try setRule(nil, visit) { rule in
                visit.done(
                    rule.json, .created, at: "/rules/\(rule.id)", next: "/rules", notice: "notice.rule",
                    ["name": .text(rule.name)])
            }
        },
        Action(
            .patch, "/rules/{id}", .member(.edit),
            .init(
                "Change a rule", description: "As a whole: what is left out is empty.",
                tag: "Folders and tags",
                requestBody: [.init(.json, Schema.ruleInput)],
                answers: [.ok("Rule", "As it is now")])
        ) { visit in
            try setRule(visit.id(of: "rule"), visit) { rule in
                visit.done(rule.json, next: "/rules", notice: "notice.saved")
            }
        },
        Action(
            .delete, "/rules/{id}", .member(.edit),
            .init("Remove a rule", tag: "Folders and tags", answers: [.init(.noContent, "It is gone")])
        ) { visit in
            try visit.quire.documents.removeRule(visit.id(of: "rule"), by: try visit.member())
            return visit.done([:], .noContent, next: "/rules", notice: "notice.ruleRemoved")
        },
        Action(
            .post, "/rules/{id}/runs", .member(.edit),
            .init(
                "Look at all papers with a rule", description: "It only suggests, whatever it does else.",
                tag: "Folders and tags",
                answers: [
                    .init(
                        .ok, "How much it suggests",
                        [.init(.json, Schema.object([("suggestions", Schema.whole)]))])
                ])
        ) { visit in
            let count = try visit.quire.documents.applyRule(visit.id(of: "rule"), by: try visit.member())
            return visit.done(
                ["suggestions": .int(count)], next: count == 0 ? "/rules" : "/suggestions",
                notice: "notice.suggested", ["count": .number(count)])
        },
        Action(
            .get, "/suggestions", .member(.view),
            .init(
                "List what rules suggest", description: "Before and after, the newest first.",
                tag: "Folders and tags",
                parameters: [
                    .init(
                        "state", "Those in this state (open)",
                        schema: Schema.choice(FilingSuggestion.State.allCases.map(\.rawValue))),
                    .init("limit", "How many at most", schema: Schema.integer(1, 500)),
                ], answers: [.ok("SuggestionList", "The newest first")])
        ) { visit in
            let word = visit.request.query["state"] ?? "open"
            guard let state = FilingSuggestion.State(rawValue: word) else {
                throw Failure(.invalid, "There is no such state.", field: "state")
            }
            guard visit.wantsPage else {
                let all = try visit.quire.documents.suggestions(
                    state, limit: try visit.limit(otherwise: 100, most: 500), by: try visit.member())
                return .json(["suggestions": .array(all.map { $0.suggestion.json($0.document) })])
                    .with("Cache-Control", "private, no-cache")
            }
            return visit.page(
                Pages.suggestions(
                    visit.frame,
                    SuggestionsPage(
                        state: state, lines: try visit.suggestionLines(state),
                        ruleCount: try visit.quire.documents.rules(by: try visit.member()).count)))
        },
        Action(
            .post, "/suggestions/selection", .member(.edit),
            .init(
                "Take or leave what rules suggest, or undo it", tag: "Folders and tags",
                requestBody: [
                    .init(
                        .json,
                        Schema.object([
                            ("id", Schema.list(of: Schema.string)),
                            ("action", Schema.choice(["take", "leave", "undo"])),
                        ]))
                ], answers: [.ok("ListedDocuments", "The papers as they are now")])
        ) { visit in
            let input = try visit.input
            let ids: [ID<FilingSuggestion>] = try input.ids(of: "suggestion")
            guard ids.count <= Documents.mostPerPage else {
                throw Failure(.tooLarge, "Choose at most \(Documents.mostPerPage) at once.", field: "id")
            }
            let from = try input.text("from") ?? ""
            let next = from.hasPrefix("/documents/") || from.hasPrefix("/suggestions") ? from : "/suggestions"
            guard !ids.isEmpty else {
                return visit.done(["documents": []], next: next, notice: "notice.nothingChosen")
            }
            let documents = visit.quire.documents
            let caller = try visit.member()
            let changed: [Document]
            let notice: String
            switch try input.text("action") {
            case "take": (changed, notice) = (try documents.take(Array(ids), by: caller), "notice.filed")
            case "undo": (changed, notice) = (try documents.undo(Array(ids), by: caller), "notice.ruleUndone")
            case "leave":
                try documents.leave(Array(ids), by: caller)
                (changed, notice) = ([], "notice.ruleLeft")
            default: throw Failure(.invalid, "Say take, leave or undo.", field: "action")
            }
            let back = ids.map { (name: "id", value: $0.text) } + [(name: "action", value: "undo")]
            return visit.done(
                ["documents": .array(changed.map(\.json))], next: next, notice: notice,
                ["count": .number(ids.count)],
                undo: notice == "notice.filed" && ids.count <= 20
                    ? .init(action: "/suggestions/selection", fields: back) : nil)
        },
    ]

    /// What cannot be is said on the page it was entered on.
    private static func setRule(
        _ id: ID<FilingRule>?, _ visit: Visit, _ answer: (FilingRule) throws -> Response
    ) throws -> Response {
        do {
            return try answer(visit.setRule(id))
        } catch let failure as Failure where visit.wantsPage && failure.code == .invalid {
            return visit.page(try rulesPage(visit, error: visit.said(failure)), .unprocessable)
        }
    }

    private static func rulesPage(_ visit: Visit, error: String? = nil) throws -> HTML {
        let caller = try visit.member()
        let tree = try visit.quire.documents.folders(by: caller, counting: false)
        return Pages.rules(
            visit.frameAt("/rules"),
            RulesPage(
                rules: try visit.quire.documents.rules(by: caller).map { rule in
                    RuleLine(
                        id: rule.id.text, name: rule.name,
                        from: rule.conditions.folder.flatMap { tree[$0] }.map { FolderLine($0) },
                        pattern: rule.conditions.name, words: rule.conditions.words,
                        sender: rule.conditions.sender,
                        folder: rule.outcome.folder.flatMap { tree[$0] }.map { FolderLine($0) },
                        tags: rule.outcome.tags, title: rule.outcome.title, actsAtOnce: rule.actsAtOnce)
                },
                folders: tree.nodes.map { FolderLine($0) }, error: error))
    }
}

extension Visit {
    func setRule(_ id: ID<FilingRule>?) throws -> FilingRule {
        let input = try input
        return try quire.documents.setRule(
            id, named: try input.text("name") ?? "",
            .init(
                folder: try input.folder("from") ?? nil, name: try input.text("pattern") ?? "",
                words: try input.text("words") ?? "", sender: try input.text("sender") ?? ""),
            .init(
                folder: try input.folder() ?? nil, tags: try input.tags("tags"),
                title: try input.text("title") ?? ""),
            actsAtOnce: try input.flag("atOnce"), by: try member())
    }

    func suggestionLines(
        _ state: FilingSuggestion.State, of document: ID<Document>? = nil
    ) throws -> [SuggestionLine] {
        let caller = try member()
        let all = try quire.documents.suggestions(state, of: document, by: caller)
        guard !all.isEmpty else { return [] }
        let tree = try quire.documents.folders(by: caller, counting: false)
        return all.map { suggestion, document in
            SuggestionLine(
                id: suggestion.id.text, paper: DocumentLine(document), rule: suggestion.ruleName,
                titleBefore: suggestion.titleBefore, title: suggestion.title,
                folderBefore: suggestion.folderBefore.flatMap { tree[$0]?.path },
                folder: suggestion.folder.flatMap { tree[$0]?.path }, tags: suggestion.tags,
                madeAt: suggestion.madeAt)
        }
    }
}

extension FilingRule {
    var json: JSON {
        [
            "id": .string(id.text), "name": .string(name), "from": .optional(conditions.folder?.text),
            "pattern": .string(conditions.name), "words": .string(conditions.words),
            "sender": .string(conditions.sender),
            "folder": .optional(outcome.folder?.text), "tags": .texts(outcome.tags),
            "title": .string(outcome.title), "atOnce": .bool(actsAtOnce), "madeAt": .moment(madeAt),
        ]
    }
}

extension FilingSuggestion {
    func json(_ document: Document) -> JSON {
        [
            "id": .string(id.text), "document": .string(document.id.text), "name": .string(document.name),
            "rule": .string(ruleName), "state": .string(state.rawValue), "folder": .optional(folder?.text),
            "tags": .texts(tags), "title": .optional(title), "folderBefore": .optional(folderBefore?.text),
            "titleBefore": .string(titleBefore), "madeAt": .moment(madeAt),
        ]
    }
}
