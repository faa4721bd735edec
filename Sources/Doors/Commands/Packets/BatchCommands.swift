import App
import Bytes
import Jobs
import Storage
import Work

extension Argument {
    static let batch = Argument(name: "BATCH", summary: "its name or its id, as quire batch list shows them")
    static let batches = Argument(
        name: "BATCH", summary: "names or ids, as quire batch list shows them", isRepeating: true)
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
            Example("quire batch export Consent --out consent", "take them away"),
        ],
        subcommands: [
            .batchList, .batchShow, .batchAdd, .batchCopy, .batchPlan, .batchApprove, .batchFill, .batchPause,
            .batchCancel, .batchExport, .batchRemove, .batchRestore,
        ])

    private static let batchList = Command(
        name: "list", summary: "show the batches", arguments: [.words], options: [.trash, .database],
        examples: [Example("quire batch list", "the newest first")],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            let found = try desk.client.all(
                .batches, matching: call.arguments.joined(separator: " "), inTrash: call.has("trash"))
            call.answer(["batches": .array(found)]) {
                guard !found.isEmpty else {
                    return call.has("trash")
                        ? "No batch lies in the trash.\n"
                        : "There are no batches. Begin with: quire batch add NAME --list LIST --template FORM\n"
                }
                var table = TextTable(
                    ["Batch", "State", "Recipients", "Made", "Sent", "Replies", "Id"],
                    rightAligned: [2, 3, 4, 5])
                for batch in found {
                    // One that was begun here as well is told as it is here.
                    let there = batch["state"] == "elsewhere" ? batch["madeElsewhere"] : nil
                    let made = batch["begunAt"]?.string == nil ? nil : batch["counts"]?["made"]?.int ?? 0
                    let numbers = [
                        batch["summary"]?["recipients"]?.int, there?["made"]?.int ?? made,
                        there?["sent"]?.int ?? batch["tally"]?["sent"]?.int,
                        there?["replies"]?.int ?? batch["tally"]?["states"]?["returned"]?.int,
                    ]
                    table.add(
                        [
                            batch["name"]?.string ?? "",
                            there?["desk"]?.string.map { "on “\($0)”" } ?? batch["state"]?.string ?? "",
                        ] + numbers.map { $0.map { "\($0)" } ?? "" } + [batch["id"]?.string ?? ""])
                }
                return table.text(call.terminal.outputStyle)
            }
        })

    private static let batchShow = Command(
        name: "show", summary: "say how far a batch is, and what its plan found",
        arguments: [.batch], options: [.database],
        examples: [Example("quire batch show Consent", "its state, its numbers, its problems")],
        run: { call in
            try call.withBatch { desk, batch, id in
                var view = batch
                let counts = try desk.client.get("/batches/\(id)/filling")["counts"]
                view["counts"] = counts ?? .null
                call.answer(view) { BatchWords.text(batch, counts) }
            }
        })

    private static let batchCopy = Command(
        name: "copy", summary: "begin a batch like another one; its plan says what has changed since",
        arguments: [.batch],
        options: [
            Option("only-changed", nil, "leave out those whose packet would be the same as then"), .database,
        ],
        examples: [
            Example("quire batch copy Consent --only-changed", "next month, for who is new or different")
        ],
        run: { call in
            try call.withBatch { desk, _, id in
                var made = try desk.client.send("POST", "/batches/\(id)/copies")
                let copy = made["id"]?.string ?? ""
                if call.has("only-changed") {
                    made = try desk.client.send(
                        "PATCH", "/batches/\(copy)", ["options": ["onlyChanged": true]])
                }
                call.answer(made) { BatchWords.text(made) }
                call.hint("Next: \(call.again("batch plan \(copy)"))")
            }
        })

    private static let batchPlan = Command(
        name: "plan", summary: "see what everybody would get; nothing is made",
        arguments: [.batch], options: [.database],
        examples: [Example("quire batch plan Consent", "with every problem")],
        run: { call in
            try call.withBatch { desk, _, id in
                let planned = try desk.client.send("POST", "/batches/\(id)/plan")
                call.answer(planned) { BatchWords.text(planned) }
                call.hint(
                    planned["draft"]?["options"]?["needsSecondMember"]?.bool == true
                        ? "Next: another member says \(call.again("batch approve \(id)"))"
                        : "Next: \(call.again("batch fill \(id)"))")
            }
        })

    private static let batchApprove = Command(
        name: "approve", summary: "say that a plan is as it should be",
        discussion:
            "Where the batch asks for a second member, that has to be somebody else than who drew it up or planned it: sign in with --server and a token of that member.",
        arguments: [.batch],
        options: [Option("withdraw", nil, "take the approval back, as long as nothing is made"), .database],
        examples: [Example("quire batch approve Consent", "before it is filled")],
        run: { call in
            try call.withBatch { desk, _, id in
                let now = try desk.client.send(
                    call.has("withdraw") ? "DELETE" : "POST", "/batches/\(id)/approval")
                call.answer(now) { BatchWords.text(now) }
            }
        })

    private static let batchFill = Command(
        name: "fill", summary: "make the packets of a batch that has been planned",
        discussion: """
            On a desk of this machine the packets are made before the command ends; a server makes them by itself. \
            A batch that was paused goes on. Of one that is done, what is missing is made: packets that failed, with \
            --held also those that were held back. They are made from the rows as they were planned, or with \
            --newest-rows as the list has them now.
            """,
        arguments: [.batch],
        options: [
            Option("held", nil, "also make what was held back because of a problem"),
            Option("newest-rows", nil, "make what is missing from the rows as the list has them now"),
            .database,
        ],
        examples: [
            Example("quire batch fill Consent", "what was made already is not made again"),
            Example("quire batch fill Consent --held --newest-rows", "after the list was put right"),
        ],
        run: { call in
            try call.withBatch { desk, _, id in
                try desk.client.send(
                    "POST", "/batches/\(id)/filling",
                    ["held": .bool(call.has("held")), "newestRows": .bool(call.has("newest-rows"))])
                call.withProgress("Making") { _ in desk.local?.runner.runUntilIdle() }
                let now = try desk.client.get("/batches/\(id)")
                let counts = try desk.client.get("/batches/\(id)/filling")["counts"]
                call.answer(now) { BatchWords.text(now, counts) }
                guard !desk.isRemote else { return }
                if let trouble = now["trouble"]?.string { throw Failure(.unavailable, trouble) }
                if counts?["failed"]?.int ?? 0 > 0 {
                    call.hint("Those that failed, and why: \(call.again("packet list \(id) --state failed"))")
                    throw ExitCode.invalid
                }
                call.hint("Next: \(call.again("batch export \(id) --out FOLDER"))")
            }
        })

    private static let batchPause = Command(
        name: "pause", summary: "stop after the packets at hand; quire batch fill goes on",
        arguments: [.batch], options: [.database],
        examples: [Example("quire batch pause Consent", "what was made stays made")],
        run: { call in
            try call.withBatch { desk, _, id in
                let now = try desk.client.send("POST", "/batches/\(id)/filling/pause")
                call.answer(now) { BatchWords.text(now) }
            }
        })

    private static let batchCancel = Command(
        name: "cancel", summary: "stop for good; what was made stays made",
        arguments: [.batch], options: [.database],
        examples: [Example("quire batch cancel Consent", "quire batch fill makes the rest after all")],
        run: { call in
            try call.withBatch { desk, _, id in
                let now = try desk.client.send("POST", "/batches/\(id)/filling/cancellation")
                call.answer(now) { BatchWords.text(now) }
            }
        })

    private static let batchRemove = Command(
        name: "remove", summary: "put batches into the trash",
        arguments: [.batches], options: [.database],
        examples: [Example("quire batch remove Consent", "with its packets")],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            call.sayRemoved(try desk.client.remove(.batches, call.arguments), by: "batch restore")
        })

    private static let batchRestore = Command(
        name: "restore", summary: "take batches out of the trash",
        arguments: [.batches], options: [.database],
        examples: [Example("quire batch restore Consent", "its packets are there again")],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            call.sayRestored(try desk.client.restore(.batches, call.arguments))
        })
}

extension Invocation {
    /// The desk, and the batch that the first argument means.
    func withBatch(_ work: (DeskSession, JSON, _ id: String) throws -> Void) throws {
        let desk = try desk()
        defer { desk.close() }
        let batch = try desk.client.one(.batches, arguments[0])
        try work(desk, batch, batch["id"]?.string ?? "")
    }
}

/// A batch in words.
enum BatchWords {
    static func text(_ batch: JSON, _ counts: JSON? = nil) -> String {
        var text =
            "“\(TextTable.harmless(batch["name"]?.string ?? ""))” (\(batch["id"]?.string ?? "")): \(batch["state"]?.string ?? "")\n"
        if let there = batch["madeElsewhere"], let desk = there["desk"]?.string {
            func count(_ key: String) -> Int { there[key]?.int ?? 0 }
            text +=
                "On the desk “\(TextTable.harmless(desk))”: \(there["state"]?.string ?? ""), \(count("made")) made, \(count("sent")) sent, \(Words.count(count("replies"), "reply", "replies"))\n"
        }
        if let counts, batch["begunAt"]?.string != nil {
            let told = ["made", "failed", "held", "left", "planned"].compactMap { key in
                counts[key]?.int.flatMap { $0 > 0 ? "\($0) \(words[key] ?? key)" : nil }
            }
            if !told.isEmpty { text += told.joined(separator: ", ") + "\n" }
        }
        guard let summary = batch["summary"], summary.object != nil else { return text + trouble(batch) }
        func count(_ key: String) -> Int { summary[key]?.int ?? 0 }
        text += "Plan: \(Words.count(count("recipients"), "recipient", "recipients")), "
        text += "\(Words.count(count("planned"), "packet", "packets")), "
        text += Words.count(count("pages"), "page", "pages")
        if count("held") > 0 { text += ", \(count("held")) held back" }
        if count("left") > 0 { text += ", \(count("left")) left out" }
        text += "\n"
        for problem in summary["problems"]?.array ?? [] {
            let sign = problem["serious"]?.bool == true ? "!" : "-"
            text += "  \(sign) \(problem["packets"]?.int ?? 0) × \(TextTable.harmless(sentence(problem)))\n"
        }
        for remark in summary["remarks"]?.array ?? [] {
            text += "  - \(TextTable.harmless(remark.string ?? ""))\n"
        }
        return text + trouble(batch)
    }

    /// Which field it is about stands before it, where the sentence does not say so.
    private static func sentence(_ problem: JSON) -> String {
        let example = problem["example"]?.string ?? ""
        guard let label = problem["label"]?.string ?? problem["field"]?.string,
            !example.contains("“\(label)”")
        else { return example }
        return "\(label): \(example)"
    }

    private static func trouble(_ batch: JSON) -> String {
        batch["trouble"]?.string.map { "It stands still: \(TextTable.harmless($0))\n" } ?? ""
    }

    private static let words = [
        "made": "made", "failed": "failed", "held": "held back", "left": "left out",
        "planned": "still to make",
    ]
}
