import App
import Bytes
import Library
import Storage

// How papers of one kind are filed each time.

extension Command {
    static let rule = Command(
        name: "rule", summary: "rules that suggest where papers lie, what they wear and what they are called",
        examples: [
            Example("quire rule list", "all of them"),
            Example(
                "quire rule add Bills --words invoice --folder Bills --tag bill",
                "a rule for invoices"),
        ],
        subcommands: [
            Command(
                name: "list", summary: "show the rules", options: [.database],
                examples: [Example("quire rule list", "what each looks for, and what it suggests")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    let answer = try desk.client.get("/rules")
                    let rules = answer["rules"]?.array ?? []
                    call.answer(answer) {
                        guard !rules.isEmpty else {
                            return "There are no rules. Begin with: quire rule add NAME\n"
                        }
                        var table = TextTable([
                            "Rule", "Papers like", "Words", "Sender", "Tags", "Title", "Id",
                        ])
                        for rule in rules {
                            table.add([
                                rule["name"]?.string ?? "", rule["pattern"]?.string ?? "",
                                rule["words"]?.string ?? "", rule["sender"]?.string ?? "",
                                (rule["tags"]?.array ?? []).compactMap(\.string).joined(separator: ", "),
                                rule["title"]?.string ?? "", rule["id"]?.string ?? "",
                            ])
                        }
                        return table.text(call.terminal.outputStyle)
                    }
                }),
            Command(
                name: "add", summary: "make a rule",
                discussion: """
                    What is given of --from, --pattern, --words and --sender has to hold together. A title may hold {name}, {line} (the \
                    first line), {date} and {by}. A rule suggests, and quire suggestions shows what; with --at-once it acts, \
                    which is written down and can be undone.
                    """,
                arguments: [Argument(name: "NAME", summary: "what to call it")],
                options: [
                    Option("from", "FOLDER", "papers that came into this folder"),
                    Option("pattern", "NAME", "papers called like this: Scan*.pdf"),
                    Option("words", "WORDS", "papers with these words, as quire find takes them"),
                    Option(
                        "sender", "SENDER",
                        "mails from, and what came with them: a part of the name or address, or *@bank.example"
                    ),
                    Option("folder", "FOLDER", "where they should lie"),
                    Option("tag", "TAG", "a tag they should wear", isRepeating: true),
                    Option("title", "TITLE", "what they should be called"),
                    Option("at-once", nil, "do it and do not ask"), .database,
                ],
                examples: [
                    Example(
                        "quire rule add Scans --pattern 'Scan*.pdf' --title '{date}_{line}'",
                        "better names for scans")
                ],
                run: { call in
                    let desk = try call.desk(making: true)
                    defer { desk.close() }
                    func folder(_ name: String) throws -> JSON {
                        .string(
                            try call.value(name).flatMap { try desk.client.requiredFolder(at: $0).id } ?? "")
                    }
                    let made = try desk.client.send(
                        "POST", "/rules",
                        [
                            "name": .string(call.arguments[0]), "from": try folder("from"),
                            "pattern": .string(call.value("pattern") ?? ""),
                            "words": .string(call.value("words") ?? ""),
                            "sender": .string(call.value("sender") ?? ""), "folder": try folder("folder"),
                            "tags": .array((call.options["tag"] ?? []).map(JSON.string)),
                            "title": .string(call.value("title") ?? ""), "atOnce": .bool(call.has("at-once")),
                        ])
                    call.answer(made) {
                        "The rule “\(TextTable.harmless(made["name"]?.string ?? ""))” looks at papers from now on.\n"
                    }
                    call.hint(
                        "For those that are there: \(call.again("rule run \(made["id"]?.string ?? "")"))")
                }),
            Command(
                name: "run", summary: "look at all papers with a rule; it only suggests",
                arguments: [.rule], options: [.database],
                examples: [Example("quire rule run Bills", "then: quire suggestions")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    let rule = try desk.client.rule(call.arguments[0])
                    if let local = desk.local, try local.reading.pendingCount() > 0 {
                        _ = try call.withProgress("Reading new papers") {
                            try local.reading.catchUp(progress: $0)
                        }
                    }
                    let answer = try desk.client.send("POST", "/rules/\(rule)/runs")
                    call.answer(answer) {
                        "\(Words.count(answer["suggestions"]?.int ?? 0, "suggestion", "suggestions")).\n"
                    }
                }),
            Command(
                name: "remove", summary: "remove a rule; what it did stays done",
                arguments: [.rule], options: [.database],
                examples: [Example("quire rule remove Bills", "with what it suggests still")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    let rule = try desk.client.rule(call.arguments[0])
                    try desk.client.send("DELETE", "/rules/\(rule)")
                    call.answer(["removed": .string(rule)]) { "The rule is gone.\n" }
                }),
        ])

    static let suggestions = Command(
        name: "suggestions", summary: "what rules suggest: take it, leave it, or undo it",
        discussion: "Without --take, --leave and --undo they are shown, before and after.",
        arguments: [
            Argument(
                name: "ID", summary: "as they are listed; all of them if left out", isOptional: true,
                isRepeating: true)
        ],
        options: [
            Option("take", nil, "do what is suggested"), Option("leave", nil, "leave the papers as they are"),
            Option("undo", nil, "take back what was done"),
            Option("state", "STATE", "open, taken, left or undone (open)"), .database,
        ],
        examples: [
            Example("quire suggestions", "what waits for you"),
            Example("quire suggestions --take", "do all of it"),
            Example("quire suggestions --state taken", "what was done, also by rules that act at once"),
        ],
        run: { call in
            let actions = ["take", "leave", "undo"].filter(call.has)
            guard actions.count < 2 else {
                throw UsageError(
                    message: "Choose one of --take, --leave and --undo", hint: "quire help suggestions")
            }
            let desk = try call.desk()
            defer { desk.close() }
            let state = call.value("state") ?? (actions == ["undo"] ? "taken" : "open")
            let answer = try desk.client.get("/suggestions", [("state", state), ("limit", "500")])
            let all = answer["suggestions"]?.array ?? []
            guard let action = actions.first else {
                call.answer(answer) {
                    all.map { Self.beforeAndAfter($0, call.terminal.outputStyle) }.joined()
                }
                if all.isEmpty { call.hint("Nothing waits. quire rule add makes a rule.") }
                return
            }
            let ids = call.arguments.isEmpty ? all.compactMap { $0["id"]?.string } : call.arguments
            guard !ids.isEmpty else { throw Failure(.notFound, "There is nothing to \(action).") }
            let done = try desk.client.send(
                "POST", "/suggestions/selection",
                ["id": .array(ids.map(JSON.string)), "action": .string(action)])
            call.answer(done) {
                "\(Words.count(ids.count, "suggestion", "suggestions")): \(action == "take" ? "done" : action == "leave" ? "left" : "undone").\n"
            }
        })

    private static func beforeAndAfter(_ suggestion: JSON, _ style: Style) -> String {
        let name = TextTable.harmless(suggestion["titleBefore"]?.string ?? "")
        var lines = [
            "\(style.bold(name))\(style.dim("  \(suggestion["rule"]?.string ?? "")  \(suggestion["id"]?.string ?? "")"))"
        ]
        if let title = suggestion["title"]?.string {
            lines.append("  called  \(style.good(TextTable.harmless(title)))")
        }
        if let folder = suggestion["folder"]?.string { lines.append("  laid into  \(style.good(folder))") }
        let tags = (suggestion["tags"]?.array ?? []).compactMap(\.string).joined(separator: ", ")
        if !tags.isEmpty { lines.append("  tagged  \(style.good(TextTable.harmless(tags)))") }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension Argument {
    fileprivate static let rule = Argument(
        name: "RULE", summary: "its name or id, as quire rule list shows them")
}

extension DeskClient {
    fileprivate func rule(_ name: String) throws -> String {
        let rules = try get("/rules")["rules"]?.array ?? []
        let found = rules.first {
            $0["id"]?.string == name || $0["name"]?.string?.lowercased() == name.lowercased()
        }
        guard let id = found?["id"]?.string else {
            throw Failure(.notFound, "There is no rule “\(name)”. quire rule list shows them.")
        }
        return id
    }
}
