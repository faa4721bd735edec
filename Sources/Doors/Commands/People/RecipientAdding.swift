import App
import Bytes
import Making
import Jobs
import Storage
import Work

extension Command {
    static let recipientsAdd = Command(
        name: "add", summary: "take in tables, each as a list of its own",
        discussion: """
            Separator, letters, sheet and headings are found by looking, and told where they might surprise; the options \
            say otherwise. --to brings a table into a list that is there: what came from a file of the same name before \
            is replaced, everybody else stays. --look says what would be new, changed and gone, and changes nothing. \
            --query asks a database instead: an SQLite file or a PostgreSQL address, as the desk sees it; nothing there \
            can be changed by it.
            """,
        arguments: [
            Argument(
                name: "TABLE", summary: "CSV, Excel, OpenDocument, JSON or vCard files; - for standard input",
                isOptional: true, isRepeating: true, completion: .file)
        ],
        options: [
            Option("to", "LIST", "into this list instead of a new one"),
            Option("look", nil, "only say what would happen"),
            Option("key", "COLUMN", "tells people apart when the table comes again"),
            Option("email", "COLUMN", "where to write to; several may be", isRepeating: true),
            Option("cc", "COLUMN", "who gets a copy", isRepeating: true),
            Option("bcc", "COLUMN", "who gets one unseen", isRepeating: true),
            Option("first-name", "COLUMN", "the first name, where a heading does not say so"),
            Option("last-name", "COLUMN", "the last name"),
            Option("phone", "COLUMN", "the telephone number"),
            Option("query", "SQL", "take the rows a database answers with"),
            Option("from", "DATABASE", "an SQLite file, or postgres://…", completion: .file),
        ] + Option.ofTables + [.database],
        examples: [
            Example("quire recipients add 4b.csv", "under the name “4b”"),
            Example("quire recipients add 4b.csv --to 4b --look", "what next month's table would change"),
            Example(
                "quire recipients add 4b.csv --email Mother --email Father --cc Office",
                "each letter goes to both, with a copy"),
            Example("quire recipients add old.csv --separator ; --encoding windows-1252", "read in this way"),
            Example(
                "quire recipients add --from school.db --query 'SELECT name, email FROM pupil'",
                "out of a database"),
        ],
        run: { call in
            guard call.has("query") == call.has("from") else {
                throw UsageError(
                    message: "--query and --from go together",
                    hint: "Say which rows, and of which database.")
            }
            guard call.has("query") != !call.arguments.isEmpty else {
                throw UsageError(
                    message: call.has("query") ? "a query takes no TABLE" : "which table?",
                    hint: "quire recipients add TABLE, or --from DATABASE --query SQL.")
            }
            let desk = try call.desk(making: !call.has("to"))
            defer { desk.close() }
            let target = try call.value("to").map { try desk.client.one(.lists, $0) }
            let arrival = TableArrival(call, desk, target)
            if let query = call.value("query") {
                let database = call.value("from") ?? ""
                let isAddress = database.contains("://") || database.contains("dbname=")
                let outcome = try arrival.take([
                    "query": .string(query),
                    // A server looks on its own disk.
                    "database": .string(isAddress || desk.isRemote ? database : call.absolute(database)),
                ])
                call.answer(["lists": [outcome.json], "failed": []]) { outcome.text }
                return
            }
            if call.arguments == ["-"] {
                let piped = try withForms { try InputFile(pipe: 0, name: "Standard input.table") }
                let outcome = try arrival.take(
                    DeskRequest.File(
                        path: piped.path, name: piped.name, byteCount: try Files.byteCount(piped.path)))
                call.answer(["lists": [outcome.json], "failed": []]) { outcome.text }
                return
            }
            let (lists, failures) = try call.addAll { argument in
                // Kept open for as long as it is sent: a table of old may have no other place.
                let table = try withForms { try InputFile.table(call.absolute(argument), call) }
                return try arrival.take(
                    DeskRequest.File(
                        path: table.path, name: table.name, byteCount: try Files.byteCount(table.path)))
            }
            call.answer(["lists": .array(lists.map(\.json)), "failed": .array(failures.map(\.json))]) {
                lists.map(\.text).joined()
            }
            try call.tell(failures)
        })
}

/// A table on its way into a list.
private struct TableArrival {
    private let call: Invocation
    private let desk: DeskSession
    private let target: JSON?

    struct Outcome {
        var json: JSON
        var text: String
    }

    init(_ call: Invocation, _ desk: DeskSession, _ target: JSON?) {
        self.call = call
        self.desk = desk
        self.target = target
    }

    func take(_ file: DeskRequest.File) throws -> Outcome {
        try take(named: file.name) { address in
            try call.withProgress("Adding", unit: .bytes) {
                try desk.client.upload(file, to: address, progress: $0)
            }.json()
        }
    }

    /// What a database answers.
    func take(_ query: JSON) throws -> Outcome {
        try take(named: "The answer") { try desk.client.send("POST", $0, query) }
    }

    private func take(named name: String, _ send: (_ address: String) throws -> JSON) throws -> Outcome {
        let client = desk.client
        let list: String
        let pending: String
        if let target {
            list = target["id"]?.string ?? ""
            pending = try send("/lists/\(list)/imports")["id"]?.string ?? ""
        } else {
            let made = try send("/lists")
            list = made["id"]?.string ?? ""
            pending = made["import"]?.string ?? ""
        }
        let address = "/lists/\(list)/imports/\(pending)"
        var seen: JSON
        do {
            let reading = try reading()
            seen = try reading.isEmpty ? client.get(address) : client.send("PATCH", address, .object(reading))
            let roles = try roles(seen)
            if !roles.isEmpty { seen = try client.send("PATCH", address, .object(roles)) }
        } catch {
            _ = try? client.send("DELETE", address)
            throw error
        }
        // Of a long table only the beginning has been seen, and that says nothing of who is gone.
        if call.has("look"), seen["whole"]?.bool == false {
            seen = try call.withProgress("Comparing") { _ in try client.get(address, [("compare", "yes")]) }
        }
        let reading = TableReading(seen)
        for remark in reading.remarks { call.hint(remark) }
        for warning in reading.warnings { call.hint("Warning: \(warning)") }
        if call.has("look") {
            try client.send("DELETE", address)
            return Outcome(json: seen, text: words(name, seen["counts"], seen))
        }
        let brought = try client.send("POST", address + "/application")
        var counts = brought["counts"]
        if let job = brought["job"], !job.isNull {
            // A long table comes in as a job; on this machine nobody else would do it.
            counts = try call.withProgress("Reading") { _ in
                desk.local?.runner.runUntilIdle()
                return try client.result(ofJob: ["id": job], call)["counts"]
            }
        }
        var view = try client.get("/lists/\(list)")
        view["counts"] = counts ?? .null
        var text =
            "“\(TextTable.harmless(view["name"]?.string ?? ""))”: \(Words.count(view["count"]?.int ?? 0, "person", "people"))\n"
        if target != nil { text += words(name, counts, seen) }
        if let flaws = view["waiting"]?.int, flaws > 0 {
            text +=
                "  ! \(Words.count(flaws, "row was", "rows were")) set aside: quire recipients show \(list) --set-aside\n"
        }
        if seen["email"]?["column"]?.string == nil, seen["email"]?["candidates"]?.array?.isEmpty == false,
            let reason = seen["email"]?["reason"]?.string
        {
            text += "  - \(TextTable.harmless(reason))\n"
        }
        return Outcome(json: view, text: text)
    }

    /// In which way it is to be read, where somebody says so.
    private func reading() throws -> JSONObject {
        var wishes: JSONObject = [:]
        for (option, key) in [
            ("separator", "separator"), ("encoding", "encoding"), ("sheet", "sheet"),
            ("header-row", "headerRow"),
        ] {
            if let text = call.value(option) { wishes[key] = .string(text) }
        }
        if call.has("hidden-rows") { wishes["hiddenRows"] = true }
        return wishes
    }

    /// What the columns are for. Asked once it is settled how the table is read.
    private func roles(_ seen: JSON) throws -> JSONObject {
        let columns = (seen["columns"]?.array ?? []).compactMap { $0["name"]?.string }
        func column(_ wanted: String) throws -> String {
            guard let column = columns.first(where: { $0.lowercased() == wanted.lowercased() }) else {
                throw Failure(
                    .notFound,
                    "The table has no column “\(wanted)”. It has: \(columns.joined(separator: ", ")).")
            }
            return column
        }
        var wishes: JSONObject = [:]
        if let key = call.value("key") { wishes["key"] = .string(key.isEmpty ? "" : try column(key)) }
        var roles: JSONObject = [:]
        for (option, role) in [
            ("email", "email"), ("cc", "cc"), ("bcc", "bcc"), ("first-name", "firstName"),
            ("last-name", "lastName"), ("phone", "phone"),
        ] {
            for wanted in call.options[option] ?? [] { roles[try column(wanted)] = .string(role) }
        }
        if !roles.isEmpty { wishes["roles"] = .object(roles) }
        return wishes
    }

    private func words(_ name: String, _ counts: JSON?, _ seen: JSON) -> String {
        let told = [
            ("added", "new"), ("changed", "changed"), ("gone", "gone"), ("unchanged", "as before"),
            ("flawed", "set aside"),
        ].compactMap { key, word in counts?[key]?.int.flatMap { $0 > 0 ? "\($0) \(word)" : nil } }
        var text =
            "  \(TextTable.harmless(name)): \(told.isEmpty ? "no rows" : told.joined(separator: ", "))\n"
        for example in (seen["examples"]?.array ?? []).prefix(8) {
            let detail = example["detail"]?.string ?? ""
            text +=
                "    \(example["what"]?.string ?? ""): \(TextTable.harmless(example["name"]?.string ?? ""))\(detail.isEmpty ? "" : " (\(TextTable.harmless(detail)))")\n"
        }
        return text
    }
}
