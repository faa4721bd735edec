import Bytes
import Storage

extension Command {
    static let share = Command(
        name: "share", summary: "links for somebody without an account",
        discussion: """
            A link leads to papers or to a folder until it ends or is taken back. Its address is shown once; whoever has it \
            can open it. With --view-only pages can be looked at and the files are not given.
            """,
        examples: [
            Example("quire share add lease.pdf --days 7", "one paper, for a week"),
            Example("quire share add a.pdf b.pdf --view-only", "two papers, to be looked at"),
            Example(
                "quire share add trip.pdf --replies --note Ana", "a form to be filled in and signed by Ana"),
            Example("quire share list", "all links, and how often each was opened"),
            Example("quire share replies", "what came back by them"),
        ],
        subcommands: [
            Command(
                name: "add", summary: "make a link",
                arguments: [
                    Argument(
                        name: "PAPER", summary: "names or ids, as quire list shows them; none with --folder",
                        isOptional: true, isRepeating: true)
                ],
                options: [
                    Option("folder", "FOLDER", "to this folder instead, and all below it"),
                    Option("view-only", nil, "pages can be looked at, the files are not given"),
                    Option("replies", nil, "a form may be filled in there, signed by hand and sent back"),
                    Option("days", "COUNT", "how long it is good (7); 0 for without end"),
                    Option("limit", "COUNT", "how often it can be opened"),
                    Option("note", "TEXT", "for whom it is"), .database,
                ],
                examples: [
                    Example("quire share add lease.pdf --days 7", "one paper, for a week"),
                    Example("quire share add --folder Trip --view-only", "a folder, to be looked at"),
                ],
                run: { call in
                    guard call.arguments.isEmpty == call.has("folder") else {
                        throw UsageError(
                            message: "quire share add needs papers, or --folder with a folder",
                            hint: "For example: quire share add lease.pdf --days 7")
                    }
                    guard let days = Int(call.value("days") ?? "7"), (0...3_650).contains(days) else {
                        throw UsageError(
                            message: "--days needs a number from 0 to 3650", hint: "0 is without end.")
                    }
                    let limit = call.value("limit").flatMap { Int($0) }
                    guard limit != nil || !call.has("limit") else {
                        throw UsageError(
                            message: "--limit needs a number", hint: "Leave it out for no limit.")
                    }
                    let desk = try call.desk()
                    defer { desk.close() }
                    var terms: JSONObject = [
                        "viewOnly": .bool(call.has("view-only")), "takesReplies": .bool(call.has("replies")),
                        "days": days == 0 ? .null : .int(days),
                        "limit": .optional(limit), "note": .string(call.value("note") ?? ""),
                    ]
                    let path: String
                    if let folder = call.value("folder") {
                        path = "/folders/\(try desk.client.requiredFolder(at: folder).id)/shares"
                    } else if call.arguments.count == 1 {
                        path = "/documents/\(try desk.client.document(call.arguments[0]).id)/shares"
                    } else {
                        path = "/selections/shares"
                        terms["documents"] = .array(
                            try call.arguments.map { .string(try desk.client.document($0).id) })
                    }
                    let made = try desk.client.send("POST", path, .object(terms))
                    let address = made["address"]?.string ?? ""
                    let known = desk.origin.map { origin in
                        origin + address.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" }
                    }
                    try call.answerOnce(made, "\(known ?? address)\n") {
                        try desk.client.send("DELETE", "/shares/\(made["id"]?.string ?? "")")
                    }
                    call.hint(
                        "It is shown this once. To take it back: \(call.again("share revoke \(made["id"]?.string ?? "")"))"
                    )
                }),
            Command(
                name: "replies", summary: "show forms that came back by links, and which are signed by hand",
                options: [.database],
                examples: [Example("quire share replies", "the newest first")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    let replies = try desk.client.get("/replies")["replies"]?.array ?? []
                    call.answer(["replies": .array(replies)]) {
                        guard !replies.isEmpty else { return "No form came back by a link.\n" }
                        var table = TextTable(["When", "For", "Signed by hand", "Paper"], rightAligned: [2])
                        for reply in replies {
                            table.add([
                                Words.time(reply["sentAt"]?.string), reply["sentFor"]?.string ?? "",
                                "\(reply["signed"]?.int ?? 0)", reply["document"]?.string ?? "",
                            ])
                        }
                        return table.text(call.terminal.outputStyle)
                    }
                }),
            Command(
                name: "list", summary: "show all links", options: [.database],
                examples: [Example("quire share list", "those that ended as well")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    let links = try desk.client.get("/shares")["shares"]?.array ?? []
                    call.answer(["shares": .array(links)]) {
                        guard !links.isEmpty else { return "Nothing is shared.\n" }
                        var table = TextTable(
                            ["To", "For", "State", "Opened", "Until", "Id"], rightAligned: [3])
                        for link in links {
                            let kind = link["kind"]?.string ?? ""
                            table.add([
                                link["viewOnly"]?.bool == true ? "\(kind), to look at" : kind,
                                link["note"]?.string ?? "", link["state"]?.string ?? "",
                                "\(link["openings"]?.int ?? 0)", Words.time(link["expiresAt"]?.string),
                                link["id"]?.string ?? "",
                            ])
                        }
                        return table.text(call.terminal.outputStyle)
                    }
                }),
            Command(
                name: "revoke", summary: "take a link back",
                arguments: [Argument(name: "ID", summary: "its id, as quire share list shows it")],
                options: [.database],
                examples: [
                    Example("quire share revoke 0190a5b2-7c3e-7000-8000-000000000000", "it leads nowhere now")
                ],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    try desk.client.send("DELETE", "/shares/\(call.arguments[0])")
                    call.answer(["revoked": .string(call.arguments[0])]) { "The link leads nowhere now.\n" }
                }),
        ])
}
