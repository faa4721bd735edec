import Bytes
import Storage
import Work

extension Command {
    static let templateMappings = Command(
        name: "mappings", summary: "show the mappings kept with a form, or take one out as a file",
        discussion: """
            A mapping says what goes where, apart from any list. It is a text: what --out writes is what “quire fill \
            --map” and “quire batch add --map” read, and what an editor changes.
            """,
        arguments: [
            .form,
            Argument(
                name: "MAPPING", summary: "its name or its id; all are listed if left out", isOptional: true),
        ],
        options: [
            Option("out", letter: "o", "FILE", "write it to a file", completion: .file),
            Option("rename", "NAME", "call it something else"),
            Option("remove", nil, "put it into the trash"),
            Option("restore", nil, "take it out of the trash, by its id"), .database,
        ],
        examples: [
            Example("quire template mappings Consent", "their names"),
            Example(
                "quire template mappings Consent Pupils --out pupils.map", "then: quire fill --map pupils.map"
            ),
        ],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            let template = try desk.client.one(.templates, call.arguments[0])
            let kept =
                try desk.client.get("/templates/\(template["id"]?.string ?? "")/mappings")["mappings"]?.array
                ?? []
            guard call.arguments.count > 1 else {
                if let option = ["out", "rename", "remove", "restore"].first(where: call.has) {
                    throw UsageError(
                        message: "--\(option) of which mapping?",
                        hint: "quire template mappings FORM MAPPING --\(option) …")
                }
                return call.answer(["mappings": .array(kept)]) { MappingWords.table(kept, call) }
            }
            if call.has("restore") {
                let back = try desk.client.send("POST", "/mappings/\(call.arguments[1])/restoration")
                return call.answer(back) { "“\(MappingWords.name(back))” is back.\n" }
            }
            var mapping = try MappingWords.one(call.arguments[1], of: kept, template)
            let path = "/mappings/\(mapping["id"]?.string ?? "")"
            if let name = call.value("rename") {
                mapping = try desk.client.send("PATCH", path, ["name": .string(name)])
            }
            if let file = call.value("out") {
                let target = try call.newFile(file, named: "\(MappingWords.name(mapping)).map")
                try call.withProgress("Fetching", unit: .bytes) {
                    try desk.client.download(path + "/file", to: target, progress: $0)
                }
                call.answer(["path": .string(target), "mapping": mapping]) {
                    "\(TextTable.harmless(target))\n"
                }
            } else if call.has("remove") {
                mapping = try desk.client.send("DELETE", path)
                call.answer(mapping) {
                    "“\(MappingWords.name(mapping))” is in the trash; --restore with \(mapping["id"]?.string ?? "") brings it back.\n"
                }
            } else {
                call.answer(mapping) { MappingWords.text(mapping) }
            }
        })
}

private enum MappingWords {
    static func name(_ mapping: JSON) -> String { TextTable.harmless(mapping["name"]?.string ?? "") }

    static func one(_ word: String, of kept: [JSON], _ template: JSON) throws -> JSON {
        if let found = kept.first(where: { $0["name"]?.string == word || $0["id"]?.string == word }) {
            return found
        }
        let names = kept.map(name)
        throw Failure(
            .notFound,
            "No mapping “\(word)” is kept with “\(name(template))”."
                + (names.isEmpty ? "" : " There are: \(names.joined(separator: ", ")).")
        )
    }

    static func table(_ kept: [JSON], _ call: Invocation) -> String {
        guard !kept.isEmpty else { return "No mapping is kept with this form.\n" }
        var table = TextTable(["Mapping", "Edition", "Changed", "Id"], rightAligned: [1])
        for mapping in kept {
            table.add([
                mapping["name"]?.string ?? "", "\(mapping["edition"]?.int ?? 0)",
                Words.time(mapping["changedAt"]?.string), mapping["id"]?.string ?? "",
            ])
        }
        return table.text(call.terminal.outputStyle)
    }

    /// Its lines stay lines; nothing else in them reaches the terminal.
    static func text(_ mapping: JSON) -> String {
        let lines = (mapping["text"]?.string ?? "").split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { TextTable.harmless(String($0)) }.joined(separator: "\n")
    }
}
