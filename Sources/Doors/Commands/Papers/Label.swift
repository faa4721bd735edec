import Bytes
import Storage

// What is written on papers.

extension Command {
    static let label = Command(
        name: "label", summary: "write a day, a note, people and fields on papers",
        discussion: """
            What is not named stays as it is; an empty word wipes it off. People who are called like a contact of the desk \
            are linked to it. Fields are the desk's own: quire field add makes one. quire find person:NAME and quire find \
            'amount>100' look for them.
            """,
        arguments: [
            Argument(name: "PAPER", summary: "names or ids, as quire list shows them", isRepeating: true)
        ],
        options: [
            Option("day", "DAY", "the day it is from, as 2026-11-21"), Option("note", "TEXT", "a note"),
            Option("person", "NAME", "all it has to do with", isRepeating: true),
            Option("field", "NAME=VALUE", "what is written in a field", isRepeating: true), .database,
        ],
        examples: [
            Example("quire label bill.pdf --day 2026-11-03 --field amount=120.50", "a day and an amount"),
            Example("quire label lease.pdf --person \"Ben Meier\" --person \"Ada Lane\"", "who signed it"),
        ],
        run: { call in
            var body: JSONObject = [:]
            if let day = call.value("day") { body["date"] = .string(day) }
            if let note = call.value("note") { body["note"] = .string(note) }
            if let people = call.options["person"] {
                body["people"] = .array(people.filter { !$0.isEmpty }.map(JSON.string))
            }
            var fields: JSONObject = [:]
            for text in call.options["field"] ?? [] {
                let pair = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard pair.count == 2 else {
                    throw UsageError(
                        message: "--field needs a name and a value",
                        hint: "For example: --field amount=120.50")
                }
                fields[String(pair[0])] = .string(String(pair[1]))
            }
            if !fields.isEmpty { body["fields"] = .object(fields) }
            guard !body.isEmpty else {
                throw UsageError(
                    message: "quire label needs something to write",
                    hint: "For example: quire label letter.pdf --note \"from the notary\"")
            }
            let wish = JSON.object(body)
            let desk = try call.desk()
            defer { desk.close() }
            let documents = try call.arguments.map { try desk.client.document($0) }
            let labelled = try documents.map { try desk.client.send("PATCH", "/documents/\($0.id)", wish) }
            call.answer(["documents": .array(labelled)]) {
                labelled.map { "“\(TextTable.harmless($0["name"]?.string ?? ""))” is labelled.\n" }.joined()
            }
        })

    static let field = Command(
        name: "field", summary: "the desk's own fields: a reference, an amount, a day something is due",
        examples: [
            Example("quire field add amount --kind number", "then: quire label bill.pdf --field amount=12")
        ],
        subcommands: [
            Command(
                name: "list", summary: "show the fields", options: [.database],
                examples: [Example("quire field list", "with how many papers each is written on")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    let answer = try desk.client.get("/fields")
                    let fields = answer["fields"]?.array ?? []
                    call.answer(answer) {
                        guard !fields.isEmpty else {
                            return "There are no fields. Begin with: quire field add NAME\n"
                        }
                        var table = TextTable(["Field", "Holds", "Papers"], rightAligned: [2])
                        for field in fields {
                            table.add([
                                field["name"]?.string ?? "", field["kind"]?.string ?? "",
                                "\(field["documents"]?.int ?? 0)",
                            ])
                        }
                        return table.text(call.terminal.outputStyle)
                    }
                }),
            Command(
                name: "add", summary: "make a field",
                arguments: [Argument(name: "NAME", summary: "what to call it")],
                options: [Option("kind", "KIND", "what it holds: text, number or date (text)"), .database],
                examples: [Example("quire field add due --kind date", "a day")],
                run: { call in
                    let desk = try call.desk(making: true)
                    defer { desk.close() }
                    let made = try desk.client.send(
                        "POST", "/fields",
                        [
                            "name": .string(call.arguments[0]), "kind": .string(call.value("kind") ?? "text"),
                        ])
                    call.answer(made) {
                        "The field “\(TextTable.harmless(made["name"]?.string ?? ""))” can be written on papers.\n"
                    }
                }),
            Command(
                name: "rename", summary: "give a field another name",
                arguments: [.field, Argument(name: "NAME", summary: "its new name")], options: [.database],
                examples: [Example("quire field rename due payable", "what is written in it stays")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    let field = try desk.client.field(call.arguments[0])
                    try desk.client.send("PATCH", "/fields/\(field)", ["name": .string(call.arguments[1])])
                    call.answer(["name": .string(call.arguments[1])]) { "It is called that now.\n" }
                }),
            Command(
                name: "remove", summary: "remove a field with all that is written in it",
                arguments: [.field], options: [.database],
                examples: [Example("quire field remove due", "off all papers")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    let field = try desk.client.field(call.arguments[0])
                    try desk.client.send("DELETE", "/fields/\(field)")
                    call.answer(["removed": .string(field)]) { "The field is gone.\n" }
                }),
        ])
}

extension Argument {
    fileprivate static let field = Argument(name: "FIELD", summary: "its name, as quire field list shows it")
}

extension DeskClient {
    fileprivate func field(_ name: String) throws -> String {
        let fields = try get("/fields")["fields"]?.array ?? []
        let found = fields.first { $0["name"]?.string?.lowercased() == name.lowercased() }
        guard let id = found?["id"]?.string else {
            throw Failure(.notFound, "There is no field “\(name)”. quire field list shows them.")
        }
        return id
    }
}
