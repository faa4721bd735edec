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
                    Option("limit", "COUNT", "at most so many (50)"), .database,
                ],
                examples: [Example("quire outbox list --show uncertain", "of which nobody knows")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    var query = [("limit", call.value("limit") ?? "50"), ("show", call.value("show") ?? "")]
                    query.append(("q", call.arguments.joined(separator: " ")))
                    let page = try desk.client.get("/outbox", query)
                    call.answer(page) {
                        let tally = page["tally"]
                        func count(_ key: String) -> Int { tally?[key]?.int ?? 0 }
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
                    Option("failed", nil, "all that were refused or came back"), .database,
                ],
                examples: [
                    Example("quire outbox retry ID", "after the address was mended, for one"),
                    Example("quire outbox retry --failed", "after the account was mended, for all"),
                ],
                run: { call in
                    guard call.arguments.isEmpty == call.has("failed") else {
                        throw UsageError(
                            message: "say which letters", hint: "Name them by their ids, or use --failed.")
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
                    for id in call.arguments { try desk.client.send("POST", "/outbox/\(id)/retry") }
                    let now = try call.arguments.map { try MailWork(call, desk).letter($0) }
                    call.answer(["messages": .array(now)]) { now.map { MailWords.line($0) + "\n" }.joined() }
                }),
            Command(
                name: "cancel", summary: "stop letters that have not gone out", arguments: [.letters],
                options: [.database],
                examples: [Example("quire outbox cancel ID", "it stays in the outbox, stopped")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    let now = try call.arguments.map {
                        try desk.client.send("POST", "/outbox/\($0)/cancellation")
                    }
                    call.answer(["messages": .array(now)]) { now.map { MailWords.line($0) + "\n" }.joined() }
                }),
        ])
}

extension Argument {
    fileprivate static let letter = Argument(name: "LETTER", summary: "its id, as quire outbox list shows it")
    fileprivate static let anyLetters = Argument(
        name: "LETTER", summary: "ids, as quire outbox list shows them", isOptional: true, isRepeating: true)
    fileprivate static let letters = Argument(
        name: "LETTER", summary: "ids, as quire outbox list shows them", isRepeating: true)
}
