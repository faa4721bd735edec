import Bytes
import Storage

extension Command {
    static let tokens = Command(
        name: "tokens", summary: "see, make and revoke the keys of programs",
        discussion:
            "A token lets a program use the API, or another machine use this desk with --server and --token.",
        examples: [
            Example("quire tokens add scanner --scope write", "a key for a program that adds papers"),
            Example("quire tokens list", "which there are, and when they were used last"),
        ],
        subcommands: [
            Command(
                name: "list", summary: "show the tokens", options: [.database],
                examples: [Example("quire tokens list", "what they may do, and when they were used last")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    let page = try desk.client.get("/tokens")
                    call.answer(page) {
                        let tokens = page["tokens"]?.array ?? []
                        guard !tokens.isEmpty else { return "There are no tokens.\n" }
                        var table = TextTable(["Token", "May", "Made", "Until", "Last used", "Id"])
                        for token in tokens {
                            let scopes =
                                token["scope"]?.array?.compactMap(\.string).joined(separator: " ") ?? ""
                            table.add([
                                token["name"]?.string ?? "", scopes, Words.time(token["madeAt"]?.string),
                                Words.time(token["expiresAt"]?.string), Words.time(token["usedAt"]?.string),
                                token["id"]?.string ?? "",
                            ])
                        }
                        return table.text(call.terminal.outputStyle)
                    }
                }),
            Command(
                name: "add", summary: "make a token; it is shown this once",
                arguments: [Argument(name: "NAME", summary: "what it is for")],
                options: [
                    Option(
                        "scope", "SCOPE", "read, write, contacts, admin or sync (read if left out)",
                        isRepeating: true,
                        completion: .choices(["read", "write", "contacts", "admin", "sync"])),
                    Option("days", "COUNT", "how long it is valid; for ever if left out"), .database,
                ],
                examples: [
                    Example("quire tokens add scanner --scope write --days 365", "for a year"),
                    Example(
                        "quire tokens add phone --scope contacts", "for contacts on a phone, and nothing else"
                    ),
                ],
                run: { call in
                    let scopes = call.options["scope"] ?? ["read"]
                    var body: JSON = [
                        "name": .string(call.arguments[0]), "scope": .array(scopes.map(JSON.string)),
                    ]
                    if let text = call.value("days") {
                        guard let days = Int64(text), (1...3_650).contains(days) else {
                            throw UsageError(
                                message: "--days needs a number from 1 to 3650",
                                hint: "Leave it out for a token without an end.")
                        }
                        body["days"] = .integer(days)
                    }
                    let desk = try call.desk(making: true)
                    defer { desk.close() }
                    let made = try desk.client.send("POST", "/tokens", body)
                    try call.answerOnce(made, (made["token"]?.string ?? "") + "\n") {
                        try desk.client.send("DELETE", "/tokens/\(made["id"]?.string ?? "")")
                    }
                    call.hint(
                        "Keep it like a password; it is not shown again. Use it with QUIRE_TOKEN or as “Authorization: Bearer”."
                    )
                }),
            Command(
                name: "revoke", summary: "make a token worthless",
                arguments: [
                    Argument(name: "TOKEN", summary: "its name or id, as quire tokens list shows them")
                ],
                options: [.database],
                examples: [Example("quire tokens revoke scanner", "at once")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    let wanted = call.arguments[0]
                    let tokens = try desk.client.get("/tokens")["tokens"]?.array ?? []
                    let found = tokens.filter { $0["id"]?.string == wanted || $0["name"]?.string == wanted }
                    guard let token = found.first, found.count == 1, let id = token["id"]?.string else {
                        throw Failure(
                            found.isEmpty ? .notFound : .conflict,
                            found.isEmpty
                                ? "There is no token called “\(wanted)”. See: quire tokens list"
                                : "\(found.count) tokens are called “\(wanted)”; name the id.")
                    }
                    try desk.client.send("DELETE", "/tokens/\(id)")
                    call.answer(token) {
                        "“\(TextTable.harmless(token["name"]?.string ?? wanted))” is worthless now.\n"
                    }
                }),
        ])
}
