import Bytes
import Storage
import Work

extension Command {
    static let recipients = Command(
        name: "recipients", summary: "lists of people to make packets for",
        examples: [
            Example("quire recipients add 4b.csv", "a list from a table"),
            Example("quire recipients list", "the lists of the desk"),
        ],
        subcommands: [
            Command(
                name: "list", summary: "show the lists", arguments: [.words], options: [.trash, .database],
                examples: [Example("quire recipients list 4b", "those with this word in their name")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    let found = try desk.client.all(
                        .lists, matching: call.arguments.joined(separator: " "), inTrash: call.has("trash"))
                    call.answer(["lists": .array(found)]) {
                        guard !found.isEmpty else {
                            return call.has("trash")
                                ? "No list lies in the trash.\n"
                                : "There are no lists. Begin with: quire recipients add TABLE\n"
                        }
                        let isAnySmart = found.contains { $0["question"]?.object != nil }
                        var table = TextTable(
                            ["List", "People", "Columns", "Id"] + (isAnySmart ? ["Whoever matches"] : []),
                            rightAligned: [1, 2])
                        for list in found {
                            let question = list["question"]
                            let asked = ["words", "tag", "due"].compactMap { question?[$0]?.string }
                            table.add(
                                [
                                    list["name"]?.string ?? "", "\(list["count"]?.int ?? 0)",
                                    "\(list["columns"]?.array?.count ?? 0)", list["id"]?.string ?? "",
                                ]
                                    + (isAnySmart
                                        ? [
                                            asked.filter { !$0.isEmpty && $0 != "any" }.joined(
                                                separator: ", ")
                                        ] : []))
                        }
                        return table.text(call.terminal.outputStyle)
                    }
                }),
            .recipientsShow, .recipientsAdd, .recipientsMend, .recipientsGroups, .recipientsExport,
            Command(
                name: "remove", summary: "put lists into the trash",
                arguments: [
                    Argument(
                        name: "LIST", summary: "names or ids, as quire recipients list shows them",
                        isRepeating: true)
                ],
                options: [.database],
                examples: [Example("quire recipients remove 4b", "packets made from it stay")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    call.sayRemoved(
                        try desk.client.remove(.lists, call.arguments), by: "recipients restore")
                }),
            Command(
                name: "restore", summary: "take lists out of the trash",
                arguments: [
                    Argument(
                        name: "LIST", summary: "names or ids, as quire recipients list --trash shows them",
                        isRepeating: true)
                ],
                options: [.database],
                examples: [Example("quire recipients restore 4b", "with everybody on it")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    call.sayRestored(try desk.client.restore(.lists, call.arguments))
                }),
        ])

    private static let recipientsShow = Command(
        name: "show", summary: "show the people of a list",
        arguments: [
            .list,
            Argument(
                name: "WORDS", summary: "only rows with these words, or with class=5b, age>12, e-mail=",
                isOptional: true, isRepeating: true),
        ],
        options: [
            Option("sort", "COLUMN", "in the order of this column"),
            Option("limit", "NUMBER", "how many at most (100)"),
            Option("set-aside", nil, "rows that could not be read, each with what is wrong with it"),
            Option("group", "GROUP", "only those of this saved group"), .database,
        ],
        examples: [
            Example("quire recipients show 4b miller", "the first hundred that fit, as the table has them"),
            Example("quire recipients show 4b class=5b e-mail=", "those of 5b without an address"),
        ],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            let list = try desk.client.one(.lists, call.arguments[0])
            let id = list["id"]?.string ?? ""
            guard !call.has("set-aside") else { return try call.showSetAside(desk.client, id) }
            let limit = Int(call.value("limit") ?? "100") ?? 0
            guard (1...1000).contains(limit) else {
                throw UsageError(
                    message: "--limit takes a number from 1 to 1000",
                    hint: "quire recipients export gives all.")
            }
            var query = [("limit", String(limit))]
            let words = call.arguments.dropFirst().joined(separator: " ")
            if !words.isEmpty { query.append(("q", words)) }
            if let group = call.value("group") {
                query.append(("audience", try desk.client.group(group, of: list)["id"]?.string ?? ""))
            }
            if let column = call.value("sort") {
                let names = (list["columns"]?.array ?? []).compactMap { $0["name"]?.string }
                guard names.contains(where: { $0.lowercased() == column.lowercased() }) else {
                    throw Failure(
                        .notFound,
                        "The list has no column “\(column)”. It has: \(names.joined(separator: ", ")).")
                }
                query.append(("sort", column))
            }
            let page = try desk.client.get("/lists/\(id)/recipients", query)
            call.answer(page) {
                let people = page["recipients"]?.array ?? []
                guard !people.isEmpty else {
                    return words.isEmpty ? "The list is empty.\n" : "Nobody fits “\(words)”.\n"
                }
                let columns = (list["columns"]?.array ?? []).compactMap { $0["name"]?.string }
                var table = TextTable(columns)
                for person in people {
                    table.add((person["cells"]?.array ?? []).map { $0["shown"]?.string ?? "" })
                }
                let total = page["total"]?.int ?? people.count
                return table.text(call.terminal.outputStyle)
                    + (total > people.count
                        ? "\(people.count) of \(total); quire recipients export gives all.\n" : "")
            }
        })

    private static let recipientsExport = Command(
        name: "export", summary: "copy a list into a table",
        discussion:
            "As CSV, or as a workbook when FILE ends in .xlsx. A cell that a spreadsheet would take for a formula gets an apostrophe in front, unless --exact.",
        arguments: [
            .list,
            Argument(
                name: "FILE", summary: "where to; the folder you are in if left out, - for standard output",
                isOptional: true, completion: .file),
        ],
        options: [
            Option("only", "WORDS", "only rows with these words, or with class=5b, age>12, e-mail="),
            Option("exact", nil, "change no cell, for programs"), .database,
        ],
        examples: [
            Example("quire recipients export 4b", "4b.csv, with what was put right by hand"),
            Example("quire recipients export 4b class.xlsx", "as a workbook"),
        ],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            let list = try desk.client.one(.lists, call.arguments[0])
            let given = call.arguments.count > 1 ? call.arguments[1] : "."
            let name = Files.name(titled: list["name"]?.string ?? "list")
            let path =
                given == "-"
                ? "/dev/stdout" : try call.newFile(given, named: "\(name).csv")
            let ending = path.lowercased().split(separator: ".").last.map(String.init) ?? ""
            guard !["ods", "xls", "json", "vcf", "pdf"].contains(ending) else {
                throw UsageError(
                    message: "a list comes out as .csv or .xlsx, not as .\(ending)",
                    hint: "LibreOffice and others open both.")
            }
            var query = [("form", path.lowercased().hasSuffix(".xlsx") ? "xlsx" : "csv")]
            if let words = call.value("only") { query.append(("q", words)) }
            if call.has("exact") { query.append(("exact", "yes")) }
            let target = DeskRequest("GET", "/lists/\(list["id"]?.string ?? "")/table", query: query).target
            if given == "-" {
                call.terminal.write(try desk.client.text(target))
                return
            }
            try call.withProgress("Fetching", unit: .bytes) {
                try desk.client.download(target, to: path, progress: $0)
            }
            call.answer(["path": .string(path)]) { "\(TextTable.harmless(path))\n" }
        })
}

extension Invocation {
    fileprivate func showSetAside(_ client: DeskClient, _ id: String) throws {
        let found = try client.get("/lists/\(id)/quarantine")
        answer(found) {
            let rows = found["recipients"]?.array ?? []
            guard !rows.isEmpty else { return "No row is set aside.\n" }
            var table = TextTable(["Line", "What is wrong", "Text"], rightAligned: [0])
            for row in rows {
                table.add([
                    "\(row["place"]?.int ?? 0)", row["flaw"]?.string ?? "", row["text"]?.string ?? "",
                ])
            }
            return table.text(terminal.outputStyle)
        }
    }
}

extension Argument {
    static let list = Argument(
        name: "LIST", summary: "its name or its id, as quire recipients list shows them")
}
