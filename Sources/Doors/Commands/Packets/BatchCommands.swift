import App
import Bytes
import Jobs
import Storage
import Work

extension Argument {
    static let batch = Argument(name: "BATCH", summary: "its name or its id, as quire batch list shows them")
}

extension Command {
    static let batch = Command(
        name: "batch", summary: "make packets for everybody on a list",
        discussion: """
            A batch says for whom, from which forms, and called how. Plan it to see what everybody would get; nothing \
            is made yet. Fill it to make the packets. Export it to take them away.
            """,
        examples: [
            Example("quire batch add Consent --list 4b --template Consent", "decide"),
            Example("quire batch plan Consent", "see what everybody would get"),
            Example("quire batch fill Consent", "make the packets"),
            Example("quire batch export Consent --zip consent.zip", "take them away"),
        ],
        subcommands: [.batchList, .batchShow, .batchAdd, .batchPlan, .batchFill, .batchRemove, .batchExport])

    private static let batchList = Command(
        name: "list", summary: "show the batches", arguments: [.words], options: [.database],
        examples: [Example("quire batch list", "the newest first")],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            let found = try desk.client.all(.batches, matching: call.arguments.joined(separator: " "))
            call.answer(["batches": .array(found)]) {
                guard !found.isEmpty else { return "There are no batches.\n" }
                var table = TextTable(["Batch", "State", "Recipients", "Id"], rightAligned: [2])
                for batch in found {
                    table.add([
                        batch["name"]?.string ?? "", batch["state"]?.string ?? "",
                        batch["summary"]?["recipients"]?.int.map { "\($0)" } ?? "", batch["id"]?.string ?? "",
                    ])
                }
                return table.text(call.terminal.outputStyle)
            }
        })

    private static let batchShow = Command(
        name: "show", summary: "say how far a batch is, and what its plan found",
        arguments: [.batch], options: [.database],
        examples: [Example("quire batch show Consent", "its state, its numbers, its problems")],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            let batch = try desk.client.one(.batches, call.arguments[0])
            call.answer(batch) { BatchWords.text(batch) }
        })

    private static let batchAdd = Command(
        name: "add", summary: "decide about a batch",
        arguments: [Argument(name: "NAME", summary: "what it is called")],
        options: [
            Option("list", "LIST", "the list of recipients"),
            Option("template", "FORM", "a form; several become parts of one packet", isRepeating: true),
            Option("name", "PATTERN", "how packets are called ({Template}_{Full name}_{id} if left out)"),
            Option("flatten", nil, "fields become part of the page"),
            Option("password", "FORMULA", "what opens each recipient's packet"), .database,
        ],
        examples: [
            Example("quire batch add Consent --list 4b --template Consent", "for the whole class")
        ],
        run: { call in
            let desk = try call.desk(making: true)
            defer { desk.close() }
            var draft: JSON = ["name": .string(call.arguments[0])]
            if let list = call.value("list") { draft["list"] = try desk.client.one(.lists, list)["id"] }
            let forms = try (call.options["template"] ?? []).map { try desk.client.one(.templates, $0) }
            draft["parts"] = .array(forms.map { ["kind": "template", "template": $0["id"] ?? .null] })
            if let pattern = call.value("name") { draft["naming"] = .string(pattern) }
            var options: JSON = [:]
            if call.has("flatten") { options["flatten"] = true }
            if let formula = call.value("password") { options["password"] = .string(formula) }
            draft["options"] = options
            let made = try desk.client.send("POST", "/batches", draft)
            call.answer(made) { BatchWords.text(made) }
            call.hint("Next: quire batch plan \(made["id"]?.string ?? "")")
        })

    private static let batchPlan = Command(
        name: "plan", summary: "see what everybody would get; nothing is made",
        arguments: [.batch], options: [.database],
        examples: [Example("quire batch plan Consent", "with every problem")],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            let batch = try desk.client.one(.batches, call.arguments[0])
            let planned = try desk.client.send("POST", "/batches/\(batch["id"]?.string ?? "")/plan")
            call.answer(planned) { BatchWords.text(planned) }
            call.hint("Next: quire batch fill \(batch["id"]?.string ?? "")")
        })

    private static let batchFill = Command(
        name: "fill", summary: "make the packets of a batch that has been planned",
        discussion:
            "On a desk of this machine the packets are made before the command ends; a server makes them by itself.",
        arguments: [.batch], options: [.database],
        examples: [Example("quire batch fill Consent", "what was made already is not made again")],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            let batch = try desk.client.one(.batches, call.arguments[0])
            let id = batch["id"]?.string ?? ""
            try desk.client.send("POST", "/batches/\(id)/filling")
            desk.local?.runner.runUntilIdle()
            let now = try desk.client.get("/batches/\(id)")
            call.answer(now) { BatchWords.text(now) }
        })

    private static let batchRemove = Command(
        name: "remove", summary: "put batches into the trash",
        arguments: [
            Argument(
                name: "BATCH", summary: "names or ids, as quire batch list shows them", isRepeating: true)
        ],
        options: [.database],
        examples: [Example("quire batch remove Consent", "with its packets")],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            call.sayRemoved(try desk.client.remove(.batches, call.arguments))
        })

    private static let batchExport = Command(
        name: "export", summary: "take the packets of a batch away",
        arguments: [.batch],
        options: [
            Option("zip", "FILE", "an archive with a folder for each recipient", completion: .file),
            Option("merged", "FILE", "one PDF with all packets, for printing", completion: .file), .database,
        ],
        examples: [
            Example("quire batch export Consent --zip consent.zip", "as files"),
            Example("quire batch export Consent --merged consent.pdf", "for the printer"),
        ],
        run: { call in
            let target: (form: String, path: String)
            switch (call.value("zip"), call.value("merged")) {
            case (let zip?, nil): target = ("folders", zip)
            case (nil, let merged?): target = ("merged", merged)
            default:
                throw UsageError(message: "say where to", hint: "Use --zip FILE or --merged FILE.")
            }
            let desk = try call.desk()
            defer { desk.close() }
            let batch = try desk.client.one(.batches, call.arguments[0])
            let path = try call.newFile(
                target.path, named: target.form == "merged" ? "packets.pdf" : "packets.zip")
            try call.withProgress("Fetching", unit: .bytes) {
                try desk.client.download(
                    "/batches/\(batch["id"]?.string ?? "")/exports?form=\(target.form)", to: path,
                    progress: $0)
            }
            call.answer(["path": .string(path)]) { "\(TextTable.harmless(path))\n" }
        })
}

/// A batch in words.
enum BatchWords {
    static func text(_ batch: JSON) -> String {
        var text =
            "“\(TextTable.harmless(batch["name"]?.string ?? ""))” (\(batch["id"]?.string ?? "")): \(batch["state"]?.string ?? "")\n"
        guard let summary = batch["summary"], summary.object != nil else { return text }
        func count(_ key: String) -> Int { summary[key]?.int ?? 0 }
        text += "\(count("recipients")) recipients, \(count("planned")) packets, \(count("pages")) pages"
        if count("held") > 0 { text += ", \(count("held")) held back" }
        if count("left") > 0 { text += ", \(count("left")) left out because nothing has changed" }
        text += "\n"
        for problem in summary["problems"]?.array ?? [] {
            let sign = problem["serious"]?.bool == true ? "!" : "-"
            text +=
                "  \(sign) \(problem["packets"]?.int ?? 0) × \(TextTable.harmless(problem["example"]?.string ?? ""))\n"
        }
        for remark in summary["remarks"]?.array ?? [] {
            text += "  - \(TextTable.harmless(remark.string ?? ""))\n"
        }
        if let trouble = batch["trouble"]?.string {
            text += "It stands still: \(TextTable.harmless(trouble))\n"
        }
        return text
    }
}
