import Bytes

extension Command {
    static let notices = Command(
        name: "notices", summary: "show what you were told, the newest first",
        discussion: """
            What happened that needs somebody: a repeating send-out that ran, waits or failed, mail that came back, cards that \
            people sent you, papers that wait, backups and jobs that failed. What you are told, and what is mailed to you, you \
            choose in the settings of the app.
            """,
        options: [
            Option("all", nil, "also those that were read"),
            Option("read", nil, "mark what is shown as read"), .database,
        ],
        examples: [
            Example("quire notices", "what is unread"),
            Example("quire notices --read --json", "for a script that passes them on, each once"),
        ],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            var answer = try desk.client.get("/notices", call.has("all") ? [] : [("unread", "true")])
            let notices = answer["notices"]?.array ?? []
            if call.has("read"), let newest = notices.first?["at"] {
                let left = try desk.client.send("POST", "/notices/read", ["until": newest])
                if var object = answer.object {
                    object["unread"] = left["unread"]
                    answer = .object(object)
                }
            }
            call.answer(answer) {
                guard !notices.isEmpty else { return "There is nothing to tell you.\n" }
                var table = TextTable(["When", "What", "About"])
                for notice in notices {
                    let notes = (notice["notes"]?.array ?? []).compactMap(\.string).joined(separator: " · ")
                    table.add([notice["at"]?.string ?? "", notice["sentence"]?.string ?? "", notes])
                }
                return table.text(call.terminal.outputStyle)
            }
        })
}
