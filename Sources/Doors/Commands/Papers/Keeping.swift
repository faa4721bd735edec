import Bytes
import Storage

// Papers that have to stay.

extension Command {
    static let hold = Command(
        name: "hold", summary: "keep papers from being thrown away or changed, until an owner lifts it",
        discussion: "A legal hold. quire release lifts it; quire show says why a paper is held.",
        arguments: [
            Argument(name: "PAPER", summary: "names or ids, as quire list shows them", isRepeating: true)
        ],
        options: [Option("because", "TEXT", "why: a case, a letter, a name"), .database],
        examples: [Example("quire hold lease.pdf --because \"case 17\"", "nobody can throw it away now")],
        run: { call in
            guard let reason = call.value("because") else {
                throw UsageError(
                    message: "quire hold needs --because", hint: "For example: --because \"case 17\"")
            }
            let desk = try call.desk()
            defer { desk.close() }
            let documents = try call.arguments.map { try desk.client.document($0) }
            let held = try documents.map {
                try desk.client.send("POST", "/documents/\($0.id)/hold", ["reason": .string(reason)])
            }
            call.answer(["documents": .array(held)]) {
                documents.map { "“\(TextTable.harmless($0.name))” is held.\n" }.joined()
            }
        })

    static let release = Command(
        name: "release", summary: "lift the hold of papers",
        arguments: [
            Argument(name: "PAPER", summary: "names or ids, as quire list shows them", isRepeating: true)
        ],
        options: [.database],
        examples: [Example("quire release lease.pdf", "it may go again")],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            let documents = try call.arguments.map { try desk.client.document($0) }
            let released = try documents.map { try desk.client.send("DELETE", "/documents/\($0.id)/hold") }
            call.answer(["documents": .array(released)]) {
                documents.map { "“\(TextTable.harmless($0.name))” may go.\n" }.joined()
            }
        })

    static let retention = Command(
        name: "retention", summary: "how long papers have to be kept",
        examples: [
            Example("quire retention add Taxes --tag tax --years 10", "ten years from the day of each paper")
        ],
        subcommands: [
            Command(
                name: "list", summary: "show the rules", options: [.database],
                examples: [Example("quire retention list", "which papers, and how long")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    let answer = try desk.client.get("/retention")
                    let rules = answer["rules"]?.array ?? []
                    call.answer(answer) {
                        guard !rules.isEmpty else { return "No rule keeps papers.\n" }
                        var table = TextTable(["Rule", "Tag", "Months", "Then", "Id"], rightAligned: [2])
                        for rule in rules {
                            table.add([
                                rule["name"]?.string ?? "", rule["tag"]?.string ?? "",
                                "\(rule["months"]?.int ?? 0)",
                                rule["trashes"]?.bool == true ? "into the bin" : "may go",
                                rule["id"]?.string ?? "",
                            ])
                        }
                        return table.text(call.terminal.outputStyle)
                    }
                }),
            Command(
                name: "add", summary: "say how long papers have to be kept",
                arguments: [Argument(name: "NAME", summary: "what to call the rule")],
                options: [
                    Option("tag", "TAG", "papers with this tag"),
                    Option("folder", "FOLDER", "papers in this folder or below it"),
                    Option("years", "COUNT", "so many years from their day"),
                    Option("months", "COUNT", "or so many months"),
                    Option("then-trash", nil, "after that they go into the bin by themselves"), .database,
                ],
                examples: [
                    Example("quire retention add Taxes --tag tax --years 10", "papers with the tag “tax”")
                ],
                run: { call in
                    let years = call.value("years").flatMap { Int($0) }.map { $0 * 12 }
                    guard let months = years ?? call.value("months").flatMap({ Int($0) }) else {
                        throw UsageError(
                            message: "quire retention add needs --years or --months", hint: "--years 10")
                    }
                    let desk = try call.desk(making: true)
                    defer { desk.close() }
                    let folder =
                        try call.value("folder").map { try desk.client.requiredFolder(at: $0).id } ?? ""
                    let made = try desk.client.send(
                        "POST", "/retention",
                        [
                            "name": .string(call.arguments[0]), "tag": .string(call.value("tag") ?? ""),
                            "folder": .string(folder), "months": .int(months),
                            "trashes": .bool(call.has("then-trash")),
                        ])
                    call.answer(made) {
                        "The rule “\(TextTable.harmless(made["name"]?.string ?? ""))” keeps them from now on.\n"
                    }
                }),
            Command(
                name: "remove", summary: "remove a rule; what it kept may go",
                arguments: [Argument(name: "ID", summary: "as quire retention list shows it")],
                options: [.database],
                examples: [Example("quire retention remove 018f2c4e-…", "what it kept may go from then on")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    try desk.client.send("DELETE", "/retention/\(DeskRequest.coded(call.arguments[0]))")
                    call.answer(["removed": .string(call.arguments[0])]) { "The rule is gone.\n" }
                }),
        ])
}
