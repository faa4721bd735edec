import App
import Bytes
import Jobs
import Storage
import Work

extension Command {
    static let outbox = Command(
        name: "outbox", summary: "see and steer letters on their way",
        examples: [
            Example("quire outbox list --show failed", "what did not go out, and why"),
            Example("quire outbox retry ID", "send one again"),
        ],
        subcommands: [
            Command(
                name: "list", summary: "show letters, the newest first", arguments: [.words],
                options: [
                    Option(
                        "show", "WHICH", "all, unsent, sent, failed or uncertain ones",
                        completion: .choices(["all", "unsent", "sent", "failed", "uncertain"])),
                    Option("batch", "BATCH", "only letters with packets of this batch"),
                    Option("limit", "COUNT", "at most so many (50)"), .database,
                ],
                examples: [Example("quire outbox list --show uncertain", "of which nobody knows")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    var query = [("limit", call.value("limit") ?? "50"), ("show", call.value("show") ?? "")]
                    query.append(("q", call.arguments.joined(separator: " ")))
                    if let batch = call.value("batch") {
                        let found = try desk.client.one(.batches, batch)
                        query.append(("batch", found["id"]?.string ?? ""))
                    }
                    let page = try desk.client.get("/outbox", query)
                    call.answer(page) {
                        let tally = page["tally"]
                        // What one sends to oneself is nobody's mail.
                        func count(_ key: String) -> Int {
                            (tally?[key]?.int ?? 0) - (page["tests"]?[key]?.int ?? 0)
                        }
                        var table = TextTable(["To", "Subject", "State", "Since", "Reason", "Id"])
                        for letter in page["messages"]?.array ?? [] {
                            table.add([
                                (letter["to"]?.array ?? []).compactMap(\.string).joined(separator: ", "),
                                letter["subject"]?.string ?? "", letter["state"]?.string ?? "",
                                Words.time(letter["changedAt"]?.string), letter["reason"]?.string ?? "",
                                letter["id"]?.string ?? "",
                            ])
                        }
                        let rows = table.text(call.terminal.outputStyle)
                        return "Sent \(count("sent")) of \(count("all")).\n"
                            + ((page["messages"]?.array ?? []).isEmpty ? "" : rows)
                    }
                }),
            Command(
                name: "show", summary: "show a letter and every try to send it", arguments: [.letter],
                options: [
                    Option("eml", "FILE", "save the letter exactly as it went out", completion: .file),
                    .database,
                ],
                examples: [Example("quire outbox show ID --eml letter.eml", "for a mail program")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    let id = call.arguments[0]
                    let letter = try desk.client.get("/outbox/\(id)")
                    if let file = call.value("eml") {
                        let path = try call.newFile(file, named: "\(letter["id"]?.string ?? "letter").eml")
                        try desk.client.download("/outbox/\(id)/file", to: path, progress: Progress())
                        call.answer(["path": .string(path)]) { "\(TextTable.harmless(path))\n" }
                        return
                    }
                    call.answer(letter) {
                        var text = MailWords.letter(letter) + "\n\(letter["state"]?.string ?? "")\n"
                        for attempt in letter["attempts"]?.array ?? [] {
                            text +=
                                TextTable.harmless(
                                    "  \(Words.time(attempt["at"]?.string)) \(attempt["outcome"]?.string ?? ""): \(attempt["words"]?.string ?? "")"
                                ) + "\n"
                        }
                        return text
                    }
                }),
            Command(
                name: "retry", summary: "send letters again that did not arrive",
                discussion:
                    "One of which nobody knows whether it arrived is sent again only by its id, never by --failed.",
                arguments: [.anyLetters],
                options: [
                    Option("failed", nil, "all that were refused or came back"),
                    Option("to", "ADDRESS", "to this address instead, for one letter"), .database,
                ],
                examples: [
                    Example("quire outbox retry ID --to ann@example.org", "where the address was wrong"),
                    Example("quire outbox retry --failed", "after the account was mended, for all"),
                ],
                run: { call in
                    guard call.arguments.isEmpty == call.has("failed") else {
                        throw UsageError(
                            message: "say which letters", hint: "Name them by their ids, or use --failed.")
                    }
                    guard call.value("to") == nil || call.arguments.count == 1 else {
                        throw UsageError(
                            message: "--to is for one letter", hint: "Name the letter by its id.")
                    }
                    let desk = try call.desk()
                    defer { desk.close() }
                    if call.has("failed") {
                        let retried = try desk.client.send("POST", "/outbox/retry", [:])
                        desk.local?.runner.runUntilIdle()
                        call.answer(retried) {
                            let left = retried["left"]?.int ?? 0
                            return
                                "\(Words.count(retried["again"]?.int ?? 0, "letter", "letters")) sent again"
                                + (left > 0 ? ", \(left) left as they are" : "") + ".\n"
                        }
                        return
                    }
                    let to: JSON = ["to": .optional(call.value("to"))]
                    for id in call.arguments { try desk.client.send("POST", "/outbox/\(id)/retry", to) }
                    let now = try call.arguments.map { try MailWork(call, desk).letter($0) }
                    call.answer(["messages": .array(now)]) { now.map { MailWords.line($0) + "\n" }.joined() }
                }),
            Command(
                name: "cancel", summary: "stop letters that have not gone out", arguments: [.anyLetters],
                options: [Option("batch", "BATCH", "all of this batch, for good"), .database],
                examples: [
                    Example("quire outbox cancel ID", "it stays in the outbox, stopped"),
                    Example("quire outbox cancel --batch Consent", "what has not gone out stays here"),
                ],
                run: { call in
                    guard call.arguments.isEmpty == call.has("batch") else {
                        throw UsageError(
                            message: "say which letters", hint: "Name them by their ids, or use --batch.")
                    }
                    let desk = try call.desk()
                    defer { desk.close() }
                    if let batch = call.value("batch") { return try steer(batch, "cancellation", call, desk) }
                    let now = try call.arguments.map {
                        try desk.client.send("POST", "/outbox/\($0)/cancellation")
                    }
                    call.answer(["messages": .array(now)]) { now.map { MailWords.line($0) + "\n" }.joined() }
                }),
            Command(
                name: "pause", summary: "hold a batch's letters; the one at the server still ends there",
                arguments: [.batch], options: [.database],
                examples: [Example("quire outbox pause Consent", "until they are let go on")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    try steer(call.arguments[0], "pause", call, desk)
                }),
            Command(
                name: "resume", summary: "let a batch's letters go on",
                discussion: "They go out while quire serve runs, or with quire send BATCH --yes.",
                arguments: [.batch], options: [.database],
                examples: [Example("quire outbox resume Consent", "with the letter as it was")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    try steer(call.arguments[0], "resumption", call, desk)
                }),
        ])

    /// Of all that a batch sends.
    private static func steer(
        _ batch: String, _ act: String, _ call: Invocation, _ desk: DeskSession
    ) throws {
        let found = try desk.client.one(.batches, batch)
        let now = try desk.client.send("POST", "/batches/\(found["id"]?.string ?? "")/sending/\(act)")
        call.answer(now) {
            let sending = now["sending"] ?? now
            return
                "\(sending["state"]?.string ?? ""): sent \(sending["sent"]?.int ?? 0) of \(sending["total"]?.int ?? 0).\n"
        }
    }
}

extension Argument {
    fileprivate static let letter = Argument(name: "LETTER", summary: "its id, as quire outbox list shows it")
    fileprivate static let anyLetters = Argument(
        name: "LETTER", summary: "ids, as quire outbox list shows them", isOptional: true, isRepeating: true)
}
