import Bytes
import Storage
import Work

extension Command {
    static let templateReplace = Command(
        name: "replace", summary: "take in a new edition of a form, and say what has changed",
        discussion: """
            The two are compared field by field: by name, place and label. What was matched moves over to the fields \
            that are certainly still there; the rest is listed, and stays in the mapping as a comment. The edition before is \
            kept: packets planned with it are made from it.
            """,
        arguments: [
            .form, Argument(name: "FILE", summary: "the new edition", completion: .file),
        ],
        options: [.database],
        examples: [
            Example("quire template replace Consent consent-2027.pdf", "and see which fields have moved")
        ],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            let template = try desk.client.one(.templates, call.arguments[0])
            let file = try call.file(call.arguments[1])
            let comparison = try call.withProgress("Adding", unit: .bytes) {
                try desk.client.upload(
                    file, to: "/templates/\(template["id"]?.string ?? "")/editions", progress: $0
                ).json()
            }
            call.answer(comparison) { EditionWords.text(comparison, of: template) }
        })

    static let templateEditions = Command(
        name: "editions", summary: "show the editions of a form, or go back to one",
        arguments: [.form],
        options: [
            Option("compare", "NUMBER", "what has changed since this edition"),
            Option("use", "NUMBER", "make this edition the current one again"), .database,
        ],
        examples: [
            Example("quire template editions Consent", "the newest first"),
            Example("quire template editions Consent --compare 1", "field by field"),
            Example("quire template editions Consent --use 1", "with its mappings as they were then"),
        ],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            var template = try desk.client.one(.templates, call.arguments[0])
            let id = template["id"]?.string ?? ""
            if let text = call.value("compare") {
                let comparison = try desk.client.get(
                    "/templates/\(id)/comparison", [("with", String(try number(text, "compare")))])
                return call.answer(comparison) { EditionWords.text(comparison, of: template) }
            }
            if let text = call.value("use") {
                template = try desk.client.send(
                    "PATCH", "/templates/\(id)", ["edition": .int(try number(text, "use"))])
            }
            let editions = try desk.client.get("/templates/\(id)/editions")
            call.answer(editions) {
                var table = TextTable(
                    ["Edition", "File", "Pages", "Fields", "Added"], rightAligned: [0, 2, 3])
                for edition in editions["editions"]?.array ?? [] {
                    let isCurrent = edition["number"]?.int == template["edition"]?["number"]?.int
                    table.add([
                        "\(edition["number"]?.int ?? 0)\(isCurrent ? "*" : "")",
                        edition["fileName"]?.string ?? "", "\(edition["pageCount"]?.int ?? 0)",
                        "\(edition["fieldCount"]?.int ?? 0)", Words.time(edition["addedAt"]?.string),
                    ])
                }
                return table.text(call.terminal.outputStyle)
            }
        })

    private static func number(_ text: String, _ option: String) throws -> Int {
        guard let number = Int(text), number > 0 else {
            throw UsageError(
                message: "--\(option) takes the number of an edition, not “\(text)”",
                hint: "quire template editions FORM shows them.")
        }
        return number
    }
}

/// What a new edition has changed, in words.
private enum EditionWords {
    static func text(_ comparison: JSON, of template: JSON) -> String {
        let name = TextTable.harmless(template["name"]?.string ?? "")
        let matches = comparison["matches"]?.array ?? []
        let (sure, unsure) = (
            matches.filter { $0["sure"]?.bool == true }, matches.filter { $0["sure"]?.bool != true }
        )
        let changed = sure.filter { $0["changes"]?.array?.isEmpty == false }
        var text =
            "“\(name)”: edition \(comparison["after"]?.int ?? 0) beside \(comparison["before"]?.int ?? 0)\n"
        text += "  \(Words.count(sure.count - changed.count, "field is", "fields are")) as before\n"
        for match in changed { text += "  - \(line(match))\n" }
        for match in unsure {
            let share = Int(((match["confidence"]?.number ?? 0) * 100).rounded())
            text += "  ? \(line(match)) (\(share) % sure; not moved over)\n"
        }
        for (key, word) in [("gone", "gone"), ("added", "new")] {
            let names = (comparison[key]?.array ?? []).compactMap(\.string)
            if !names.isEmpty { text += "  \(word): \(TextTable.harmless(names.joined(separator: ", ")))\n" }
        }
        for mapping in comparison["mappings"]?.array ?? [] {
            let lost = (mapping["lost"]?.array ?? []).compactMap(\.string)
            text +=
                "  mapping “\(TextTable.harmless(mapping["name"]?.string ?? ""))”: \(mapping["kept"]?.int ?? 0) kept"
            text += lost.isEmpty ? "\n" : ", lost: \(TextTable.harmless(lost.joined(separator: ", ")))\n"
        }
        return text
    }

    private static func line(_ match: JSON) -> String {
        let (before, after) = (match["before"]?.string ?? "", match["after"]?.string ?? "")
        let changes = (match["changes"]?.array ?? []).compactMap(\.string).joined(separator: " ")
        let names = before == after ? after : "\(before) → \(after)"
        return TextTable.harmless(changes.isEmpty ? names : "\(names): \(changes)")
    }
}
