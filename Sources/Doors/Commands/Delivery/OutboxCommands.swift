import Bytes
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
                discussion: "One of which nobody knows whether it arrived is sent again only by this.",
                arguments: [.letters], options: [.database],
                examples: [Example("quire outbox retry ID", "after the address was mended, for one")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
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
    fileprivate static let letters = Argument(
        name: "LETTER", summary: "ids, as quire outbox list shows them", isRepeating: true)
}
