import Bytes
import HTTP
import Storage
import Work

private let states = [
    "all", "sent", "unsent", "made", "posted", "cancelled", "suppressed", "refused", "uncertain",
    "handedOver", "shared",
    "accepted", "bounced", "opened", "returned",
]

extension Option {
    fileprivate static let ledger = [
        Option("show", "WHICH", "sent or unsent ones, or those in one state", completion: .choices(states)),
        Option("batch", "BATCH", "only packets of this batch"), .database,
    ]
}

extension Command {
    static let ledger = Command(
        name: "ledger", summary: "the account of what became of every packet",
        discussion: """
            States come only from what really happened: a mail server took a letter over, a link was opened, somebody said \
            that a paper came back. Each line carries a digest over itself and the line before it, so that whoever changes \
            one is found out.
            """,
        examples: [
            Example("quire ledger list --show unsent", "whom nothing has reached"),
            Example("quire ledger verify", "whether a line was changed or is missing"),
        ],
        subcommands: [
            Command(
                name: "list", summary: "show packets with what became of them", arguments: [.words],
                options: [Option("limit", "COUNT", "at most so many (50)")] + Option.ledger,
                examples: [Example("quire ledger list --batch Consent --show bounced", "what came back")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    var query = try Self.query(call, desk)
                    query.append(("limit", call.value("limit") ?? "50"))
                    let page = try desk.client.get("/ledger", query)
                    call.answer(page) {
                        let items = page["items"]?.array ?? []
                        var table = TextTable([
                            "Recipient", "Address", "State", "Since", "By", "Form", "File", "Note", "Packet",
                        ])
                        for item in items {
                            table.add([
                                item["recipient"]?.string ?? "", item["address"]?.string ?? "",
                                item["state"]?.string ?? "", Words.time(item["at"]?.string),
                                item["method"]?.string ?? "",
                                (item["forms"]?.array ?? []).compactMap(\.string).joined(separator: ", "),
                                item["file"]?.string ?? "", item["note"]?.string ?? "",
                                item["subject"]?.string ?? "",
                            ])
                        }
                        let tally = page["tally"]
                        let unmade = tally?["unmade"]?.int ?? 0
                        return "Sent \(tally?["sent"]?.int ?? 0) of \(tally?["total"]?.int ?? 0).\n"
                            + (unmade > 0
                                ? "\(Words.count(unmade, "packet was", "packets were")) never made: quire packet list shows why.\n"
                                : "")
                            + (items.isEmpty ? "" : table.text(call.terminal.outputStyle))
                    }
                }),
            Command(
                name: "export", summary: "take the ledger out as a table",
                arguments: [
                    Argument(
                        name: "FILE", summary: "what its name ends in says how: .csv, .xlsx or .ndjson",
                        completion: .file),
                    .words,
                ],
                options: [
                    Option("lines", nil, "every line with its digest, instead of a line for each packet")
                ] + Option.ledger,
                examples: [
                    Example("quire ledger export consent.xlsx --batch Consent", "for a spreadsheet"),
                    Example(
                        "quire ledger export all.ndjson --lines", "for a program that checks the digests"),
                ],
                run: { call in
                    let form = call.arguments[0].split(separator: ".").last.map { $0.lowercased() } ?? ""
                    guard ["csv", "xlsx", "ndjson"].contains(form) else {
                        throw UsageError(
                            message: "the name of the file has to end in .csv, .xlsx or .ndjson",
                            hint: "As in: quire ledger export ledger.csv")
                    }
                    let desk = try call.desk()
                    defer { desk.close() }
                    var query = try Self.query(call, desk, dropping: 1)
                    query += [("form", form), ("content", call.has("lines") ? "lines" : "packets")]
                    let path = try call.newFile(call.arguments[0], named: "ledger.\(form)")
                    try call.withProgress("Fetching", unit: .bytes) {
                        try desk.client.download(
                            "/ledger/export?"
                                + Fields(query.map { .init(name: $0.0, value: $0.1) }).urlEncoded, to: path,
                            progress: $0)
                    }
                    call.answer(["path": .string(path)]) { "\(TextTable.harmless(path))\n" }
                }),
            Command(
                name: "verify", summary: "find out whether a line was changed or is missing",
                discussion: """
                    Whoever can write into the desk's database could make all digests anew. So keep the newest one somewhere \
                    else, on paper or in a mail, and say it later with --kept.
                    """,
                options: [
                    Option(
                        "kept", "NUMBER:DIGEST", "a line this command told before; it has to be there still"),
                    .database,
                ],
                examples: [
                    Example("quire ledger verify", "ends with 7 when something is wrong"),
                    Example("quire ledger verify --kept 18:9f86…", "and that nothing up to line 18 is new"),
                ],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    let verdict = try desk.client.send(
                        "POST", "/ledger/verification", ["kept": .optional(call.value("kept"))])
                    let isSound = verdict["isSound"]?.bool == true
                    call.answer(verdict) {
                        isSound
                            ? "All \(Words.count(verdict["lines"]?.int ?? 0, "line is", "lines are")) as written.\n"
                                + (verdict["head"]?.string.map { "The newest, to be kept elsewhere: \($0)\n" }
                                    ?? "")
                            : (verdict["problems"]?.array ?? []).compactMap(\.string).map { "\($0)\n" }
                                .joined()
                    }
                    if !isSound { throw ExitCode.damaged }
                }),
        ])

    private static func query(
        _ call: Invocation, _ desk: DeskSession, dropping count: Int = 0
    ) throws -> [(String, String)] {
        var query: [(String, String)] = []
        if let show = call.value("show") { query.append(("show", show)) }
        if let batch = call.value("batch") {
            let found = try desk.client.one(.batches, batch)
            query.append(("run", "batch/\(found["id"]?.string ?? "")"))
        }
        let words = call.arguments.dropFirst(count).joined(separator: " ")
        if !words.isEmpty { query.append(("q", words)) }
        return query
    }
}
