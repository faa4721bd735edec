import Bytes
import Storage

extension Command {
    static let recipientsMend = Command(
        name: "mend", summary: "put a row right that was set aside",
        discussion: """
            The row is read again as if its file said TEXT there, under the same columns. When the same file comes in \
            again, it is known and mended again. --drop leaves the row out.
            """,
        arguments: [
            .list,
            Argument(
                name: "LINE", summary: "where it stands, as quire recipients show LIST --set-aside says"),
            Argument(
                name: "TEXT", summary: "the whole row as it should be", isOptional: true, mayBeEmpty: true),
        ],
        options: [Option("drop", nil, "leave the row out"), .database],
        examples: [
            Example("quire recipients mend 4b 17 'Dia,5c'", "now it has as many cells as the others"),
            Example("quire recipients mend 4b 18 --drop", "a line that is nobody"),
        ],
        run: { call in
            guard call.has("drop") != (call.arguments.count > 2) else {
                throw UsageError(
                    message: call.has("drop") ? "--drop takes no TEXT" : "what should the row say?",
                    hint: "quire recipients mend LIST LINE TEXT, or --drop.")
            }
            let desk = try call.desk()
            defer { desk.close() }
            let list = try desk.client.one(.lists, call.arguments[0])
            let address = "/lists/\(list["id"]?.string ?? "")/quarantine"
            let rows = try desk.client.get(address)["recipients"]?.array ?? []
            let meant = rows.filter { $0["place"]?.int == Int(call.arguments[1]) }
            guard let row = meant.first else {
                throw Failure(
                    .notFound,
                    "No row of line \(call.arguments[1]) is set aside. See: quire recipients show \(list["id"]?.string ?? "") --set-aside"
                )
            }
            guard meant.count == 1 else {
                throw Failure(
                    .conflict,
                    "Several files have a row of line \(call.arguments[1]) set aside. Mend them on the page of the list."
                )
            }
            let path = "\(address)/\(row["id"]?.string ?? "")"
            let now =
                call.has("drop")
                ? try desk.client.send("DELETE", path)
                : try desk.client.send("PATCH", path, ["text": .string(call.arguments[2])])
            call.answer(now) {
                let left = now["waiting"]?.int ?? 0
                return
                    "“\(TextTable.harmless(now["name"]?.string ?? ""))”: \(Words.count(now["count"]?.int ?? 0, "person", "people")), \(Words.count(left, "row", "rows")) set aside\n"
            }
        })

    static let recipientsGroups = Command(
        name: "groups", summary: "show the saved groups of a list, save one, or remove one",
        discussion:
            "A group is a search that has a name: whoever fits it later belongs to it. Batches can be made for a group alone.",
        arguments: [.list],
        options: [
            Option("save", "NAME", "keep the search of --only under this name"),
            Option("only", "WORDS", "rows with these words, or with class=5b, age>12, e-mail="),
            Option("remove", "NAME", "forget a group; nobody is removed by it"), .database,
        ],
        examples: [
            Example("quire recipients groups 4b", "with how many fit now"),
            Example("quire recipients groups 4b --save Swimmers --only swimming", "for batches of their own"),
            Example("quire recipients groups 4b --save Older --only 'age>12'", "by what one column says"),
            Example("quire batch add Pool --list 4b --audience Swimmers -t Consent", "such a batch"),
        ],
        run: { call in
            guard call.has("save") == call.has("only"), !call.has("save") || !call.has("remove") else {
                throw UsageError(
                    message: "--save and --only go together, and alone",
                    hint: "quire recipients groups LIST --save NAME --only WORDS")
            }
            let desk = try call.desk()
            defer { desk.close() }
            let list = try desk.client.one(.lists, call.arguments[0])
            let address = "/lists/\(list["id"]?.string ?? "")/audiences"
            if let name = call.value("save") {
                try desk.client.send(
                    "POST", address, ["name": .string(name), "q": .string(call.value("only") ?? "")])
            }
            if let name = call.value("remove") {
                let group = try desk.client.group(name, of: list)
                try desk.client.send("DELETE", "\(address)/\(group["id"]?.string ?? "")")
            }
            let found = try desk.client.get(address)
            call.answer(found) {
                let groups = found["audiences"]?.array ?? []
                guard !groups.isEmpty else {
                    return
                        "No group is saved. Begin with: quire recipients groups LIST --save NAME --only WORDS\n"
                }
                var table = TextTable(["Group", "People", "Id"], rightAligned: [1])
                for group in groups {
                    table.add([
                        group["name"]?.string ?? "", "\(group["count"]?.int ?? 0)", group["id"]?.string ?? "",
                    ])
                }
                return table.text(call.terminal.outputStyle)
            }
        })
}

extension DeskClient {
    /// The saved group of a list that somebody means by its name or id.
    func group(_ reference: String, of list: JSON) throws -> JSON {
        let groups = try get("/lists/\(list["id"]?.string ?? "")/audiences")["audiences"]?.array ?? []
        let found = groups.first {
            $0["name"]?.string == reference || $0["id"]?.string == reference
        }
        guard let found else {
            let names = groups.compactMap { $0["name"]?.string }
            throw Failure(
                .notFound,
                "The list has no group “\(reference)”."
                    + (names.isEmpty ? "" : " It has: \(names.joined(separator: ", ")).")
            )
        }
        return found
    }
}
