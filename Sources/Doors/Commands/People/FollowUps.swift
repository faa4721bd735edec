import App
import Bytes
import People
import Storage

// Whom to get back to.
extension Command {
    static let contactsDue = Command(
        name: "due", summary: "show whom to get back to",
        discussion: """
            Those whose day has gone by, and those of the seven days from today; --all also those of later. A day is given \
            with quire contacts edit NAME --follow-up.
            """,
        options: [Option("all", nil, "also those of later"), .database],
        examples: [
            Example("quire contacts due", "the longest waiting first"),
            Example("quire contacts due --json", "for a script that sends a mail in the morning"),
        ],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            func all(_ due: Due) throws -> [JSON] {
                var people: [JSON] = []
                while true {
                    let page = try desk.client.contacts(
                        "", due: due.rawValue, limit: 1000, page: people.count / 1000 + 1)
                    let found = page["contacts"]?.array ?? []
                    people += found
                    if found.count < 1000 { return people }
                }
            }
            let overdue = try all(.overdue)
            let week = try all(.week)
            let later =
                call.has("all") ? try all(.planned).filter { $0["followUp"]?["due"]?.string == nil } : []
            var answer: JSON = ["overdue": .array(overdue), "week": .array(week)]
            if call.has("all") { answer["later"] = .array(later) }
            call.answer(answer) {
                let rows =
                    overdue.map { ("overdue", $0) } + week.map { ("this week", $0) }
                    + later.map { ("later", $0) }
                guard !rows.isEmpty else { return "There is nobody to get back to this week.\n" }
                var table = TextTable(["", "Day", "Name", "About", "E-mail"])
                for (word, contact) in rows {
                    table.add([
                        word, contact["followUp"]?["on"]?.string ?? "", contact["name"]?.string ?? "",
                        contact["followUp"]?["note"]?.string ?? "", contact["emails"]?[0]?.string ?? "",
                    ])
                }
                return table.text(call.terminal.outputStyle)
            }
        })
}

enum FollowUpWords {
    static let spans = FollowUp.Step.allCases.map(\.rawValue).joined(separator: ", ")

    static func line(_ followUp: JSON) -> String {
        let every = followUp["every"]?.string ?? ""
        return [
            followUp["on"]?.string ?? "", every == "once" ? "" : "every \(every)",
            followUp["note"]?.string ?? "",
        ].filter { !$0.isEmpty }.joined(separator: " · ")
    }
}

/// `--follow-up 2026-12-01 --every quarter --about …`: what is left out of a follow-up that is there stays.
struct FollowUpWish {
    private let when: String?
    private let every: String?
    private let about: String?

    /// Nil when nothing is said of it.
    init?(_ call: Invocation) throws {
        when = call.value("follow-up")
        every = call.value("every")
        about = call.value("about")
        guard when != nil || every != nil || about != nil else { return nil }
        if let every, FollowUp.Rhythm(rawValue: every) == nil {
            throw UsageError(
                message: "--every does not know “\(every)”",
                hint: "It knows \(FollowUp.Rhythm.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        if ["done", "none"].contains(when), every != nil || about != nil {
            throw UsageError(
                message: "--follow-up \(when ?? "") takes no --every and no --about",
                hint: "Give the next follow-up with a command of its own.")
        }
    }

    func send(_ client: DeskClient, _ contact: JSON, _ path: String) throws {
        let address = path + "/follow-up"
        switch when {
        case "done": try client.send("POST", address + "/done")
        case "none": try client.send("DELETE", address)
        default:
            let before = contact["followUp"].flatMap { $0 == .null ? nil : $0 }
            guard when != nil || before != nil else {
                throw Failure(
                    .invalid, "Say when to get back to them: --follow-up DAY, or a span like twoWeeks.",
                    field: "on")
            }
            var wish: JSON = [
                "every": .string(every ?? before?["every"]?.string ?? "once"),
                "note": .string(about ?? before?["note"]?.string ?? ""),
            ]
            if let when, FollowUp.Step(rawValue: when) != nil {
                wish["in"] = .string(when)
            } else {
                wish["on"] = .string(when ?? before?["on"]?.string ?? "")
            }
            try client.send("POST", address, wish)
        }
    }
}
