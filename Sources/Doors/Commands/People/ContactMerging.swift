import App
import Bytes
import Storage

// Doubles: proposed with reasons, made one by somebody's word.
extension Command {
    static let contactsDoubles = Command(
        name: "doubles", summary: "show contacts who could be one, and why",
        discussion:
            "By the same e-mail, the same number however it is written, the same name. Nothing is merged by itself.",
        options: [Option("limit", "NUMBER", "how many pairs at most (50)"), .database],
        examples: [
            Example("quire contacts doubles", "the likeliest first, with ids for quire contacts merge")
        ],
        run: { call in
            let limit = Int(call.value("limit") ?? "50") ?? 0
            guard (1...500).contains(limit) else {
                throw UsageError(message: "--limit takes a number from 1 to 500", hint: "50 is usual.")
            }
            let desk = try call.desk()
            defer { desk.close() }
            let found = try desk.client.get("/contacts/matches", [("limit", String(limit))])
            call.answer(found) {
                let matches = found["matches"]?.array ?? []
                guard !matches.isEmpty else { return "No two contacts look like one.\n" }
                var table = TextTable(["First", "Second", "Why", "Ids"])
                for match in matches {
                    let reasons = (match["reasons"]?.array ?? []).map { reason in
                        let value = reason["value"]?.string ?? ""
                        switch reason["kind"]?.string {
                        case "email": return "same e-mail \(value)"
                        case "phone": return "same number …\(value)"
                        case "nameAndOrganization": return "same name and organization"
                        default: return "same name"
                        }
                    }
                    table.add([
                        match["first"]?["name"]?.string ?? "", match["second"]?["name"]?.string ?? "",
                        reasons.joined(separator: ", "),
                        "\(match["first"]?["id"]?.string ?? "") \(match["second"]?["id"]?.string ?? "")",
                    ])
                }
                return table.text(call.terminal.outputStyle)
            }
        })

    static let contactsMerge = Command(
        name: "merge", summary: "make one contact of two",
        discussion: """
            The first stays, with whatever the second says; where they differ the first is right, unless --take says \
            otherwise. Both cards are kept: quire contacts undo makes them two again.
            """,
        arguments: [
            Argument(name: "FIRST", summary: "who stays: words of the card that fit nobody else, or the id"),
            Argument(name: "SECOND", summary: "who is made one with them"),
        ],
        options: [
            Option(
                "take", "FIELD=SIDE",
                "name, photo, maiden, nickname, pronouns, note, language, metAt or metOn of first or second; note=both",
                isRepeating: true),
            Option("look", nil, "only show what would become of them"), .database,
        ],
        examples: [
            Example("quire contacts merge ana@old.example ana@new.example --look", "what the card would say"),
            Example(
                "quire contacts merge ana@old.example ana@new.example --take note=both",
                "one person, with both notes"),
        ],
        run: { call in
            var take: JSON = [:]
            for word in call.options["take"] ?? [] {
                let halves = word.split(separator: "=", maxSplits: 1).map { String($0) }
                guard halves.count == 2 else {
                    throw Failure(.invalid, "A field is taken as FIELD=first, FIELD=second or note=both.")
                }
                take[halves[0]] = .string(halves[1])
            }
            let desk = try call.desk()
            defer { desk.close() }
            let first = try desk.client.contact(call.arguments[0])
            let second = try desk.client.contact(call.arguments[1])
            let ids = [("first", first["id"]?.string ?? ""), ("second", second["id"]?.string ?? "")]
            if call.has("look") {
                let merge = try desk.client.get("/contacts/merging", ids)
                call.answer(merge) {
                    var table = TextTable(["", "", ""])
                    for field in merge["differing"]?.array ?? [] {
                        table.add([
                            field["field"]?.string ?? "", field["first"]?.string ?? "",
                            field["second"]?.string ?? "",
                        ])
                    }
                    for line in merge["lines"]?.array ?? [] {
                        table.add([
                            line["kind"]?.string ?? "", line["text"]?.string ?? "",
                            line["isKept"]?.bool == true ? "" : "said already",
                        ])
                    }
                    return table.text(call.terminal.outputStyle)
                }
                return
            }
            let merged = try desk.client.send(
                "POST", "/contacts/merges",
                ["first": .string(ids[0].1), "second": .string(ids[1].1), "take": take])
            call.answer(merged) { ContactWords.card(merged, call) }
        })
}
