import App
import Bytes
import HTTP
import Jobs
import Storage
import Transfer
import Work

extension Option {
    fileprivate static let mailServer: [Option] = [
        Option("host", "NAME", "the server; an empty name takes the account away"),
        Option("port", "NUMBER", "where it listens"),
        Option(
            "security", "HOW", "how the connection is encrypted",
            completion: .choices(["starttls", "tls", "none"])),
        Option("user", "NAME", "who signs in"),
        Option(
            "password-file", "FILE", "the password is the first line of this file; - is standard input",
            completion: .file),
    ]
}

extension Command {
    static let mail = Command(
        name: "mail", summary: "the account that letters go out with, and who gets none",
        discussion: """
            The same settings as in the browser under Settings › Mail. The password is kept sealed, and never shown.
            """,
        examples: [
            Example(
                "quire mail account --host mail.example.org --user office --password-file secret.txt --from office@example.org",
                "enter the account"),
            Example("quire mail test me@example.org", "see whether it works"),
            Example("quire mail suppress ann@example.org", "write to her no more"),
        ],
        subcommands: [
            Command(
                name: "account", summary: "show or change the account that letters go out with",
                options: Option.mailServer + [
                    Option("from", "ADDRESS", "the sender of letters: School <office@example.org>"),
                    .database,
                ],
                examples: [Example("quire mail account", "without its password")],
                run: { call in
                    var change = try Self.server(call)
                    let desk = try call.deskWithMail(making: !change.isEmpty)
                    defer { desk.close() }
                    if let from = call.value("from") {
                        guard let mailbox = MailAddress(parsing: from) else {
                            throw Failure.notAnAddress(from, field: "from")
                        }
                        change["fromAddress"] = .string(mailbox.address)
                        if let name = mailbox.name { change["fromName"] = .string(name) }
                    }
                    let now = try Self.changed("/settings/mail", change, desk)
                    call.answer(now) {
                        guard now["host"]?.string?.isEmpty == false else {
                            return "There is no mail account yet.\n"
                        }
                        let from = MailAddress(
                            now["fromAddress"]?.string ?? "", name: now["fromName"]?.string)
                        return Self.words(now)
                            + "From: \(TextTable.harmless(from?.description ?? "nobody yet"))\n"
                    }
                }),
            Command(
                name: "test", summary: "send a test mail",
                arguments: [
                    Argument(
                        name: "ADDRESS", summary: "to whom, if not to the sender's own", isOptional: true)
                ],
                options: [.database], examples: [Example("quire mail test", "to oneself")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    let job = try desk.client.send(
                        "POST", "/settings/mail/test", ["to": .optional(call.arguments.first)])
                    try Self.finish(job, "Sending", "The test mail is with the mail server.", call, desk)
                }),
            Command(
                name: "bounces", summary: "show or change the mailbox that mail comes back to (IMAP)",
                options: Option.mailServer + [
                    Option("folder", "NAME", "the folder it lies in (INBOX)"),
                    Option(
                        "every-report", "YES|NO",
                        "ask mail servers to report also what arrived, a mail for each letter (no)",
                        completion: .choices(["yes", "no"])),
                    .database,
                ],
                examples: [
                    Example(
                        "quire mail bounces --host imap.example.org --user office --password-file secret.txt",
                        "usually the sender's own mailbox")
                ],
                run: { call in
                    let desk = try call.deskWithMail(making: false)
                    defer { desk.close() }
                    var change = try Self.server(call)
                    if let folder = call.value("folder") { change["folder"] = .string(folder) }
                    if let word = call.value("every-report") {
                        guard ["yes", "no"].contains(word) else {
                            throw UsageError(
                                message: "--every-report takes yes or no, not “\(word)”",
                                hint: "As in --every-report yes.")
                        }
                        change["everyReport"] = .bool(word == "yes")
                    }
                    let now = try Self.changed("/settings/bounces", change, desk)
                    call.answer(now) {
                        now["host"]?.string?.isEmpty == false
                            ? Self.words(now) + TextTable.harmless("Folder: \(now["folder"]?.string ?? "")")
                                + "\nReports: "
                                + (now["everyReport"]?.bool == true
                                    ? "also of what arrived\n" : "of what did not arrive\n")
                            : "Nobody has said yet where mail comes back.\n"
                    }
                }),
            Command(
                name: "read", summary: "look now for mail that came back", options: [.database],
                examples: [Example("quire mail read", "as quire serve does every quarter of an hour")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    let job = try desk.client.send("POST", "/bounces/reading")
                    try Self.finish(job, "Reading", "The mailbox was read.", call, desk)
                }),
            Command(
                name: "suppressed", summary: "show the addresses that get nothing any more",
                options: [.database], examples: [Example("quire mail suppressed", "and why")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    let found = try desk.client.get("/suppressions")
                    call.answer(found) {
                        let all = found["suppressions"]?.array ?? []
                        guard !all.isEmpty else { return "Everybody may be written to.\n" }
                        var table = TextTable(["Address", "Since", "Why"])
                        for entry in all {
                            table.add([
                                entry["address"]?.string ?? "", Words.time(entry["at"]?.string),
                                entry["reason"]?.string ?? "",
                            ])
                        }
                        return table.text(call.terminal.outputStyle)
                    }
                }),
            Command(
                name: "suppress", summary: "send nothing to an address any more", arguments: [.address],
                options: [Option("reason", "TEXT", "why"), .database],
                examples: [
                    Example("quire mail suppress ann@example.org --reason asked", "from now on")
                ],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    let now = try desk.client.send(
                        "POST", "/suppressions",
                        [
                            "address": .string(call.arguments[0]), "reason": .optional(call.value("reason")),
                        ])
                    call.answer(now) {
                        TextTable.harmless("Nothing is sent to \(call.arguments[0]) any more.") + "\n"
                    }
                }),
            Command(
                name: "allow", summary: "write to an address again", arguments: [.address],
                options: [.database],
                examples: [Example("quire mail allow ann@example.org", "from now on")],
                run: { call in
                    let desk = try call.desk()
                    defer { desk.close() }
                    try desk.client.send(
                        "DELETE", "/suppressions/\(PercentCoding.encode(call.arguments[0]))")
                    call.answer(["allowed": .string(call.arguments[0])]) {
                        TextTable.harmless("\(call.arguments[0]) is written to again.") + "\n"
                    }
                }),
        ])

    private static func server(_ call: Invocation) throws -> JSONObject {
        var change: JSONObject = [:]
        for (option, key) in [("host", "host"), ("security", "security"), ("user", "username")] {
            if let text = call.value(option) { change[key] = .string(text) }
        }
        if let text = call.value("port") {
            guard let port = Int(text), (1...65_535).contains(port) else {
                throw UsageError(
                    message: "--port takes a number up to 65535, not “\(text)”", hint: "As in --port 587.")
            }
            change["port"] = .int(port)
        }
        if let path = call.value("password-file") {
            change["password"] = .string(try call.firstLine(of: path))
        }
        return change
    }

    private static func changed(_ path: String, _ change: JSONObject, _ desk: DeskSession) throws -> JSON {
        try change.isEmpty ? desk.client.get(path) : desk.client.send("POST", path, .object(change))
    }

    private static func words(_ account: JSON) -> String {
        let user = account["username"]?.string ?? ""
        let signsIn =
            user.isEmpty
            ? "" : ", as \(user)\(account["hasPassword"]?.bool == true ? "" : " (without a password yet)")"
        return TextTable.harmless(
            "\(account["host"]?.string ?? ""):\(account["port"]?.int ?? 0), \(account["security"]?.string ?? "")\(signsIn)"
        ) + "\n"
    }

    /// Stays until the job has ended, and says how.
    private static func finish(
        _ promised: JSON, _ phase: String, _ words: String, _ call: Invocation, _ desk: DeskSession
    ) throws {
        let id = (promised["id"] ?? promised["job"])?.string ?? ""
        let pause = Pause(call.cancellation)
        var job: JSON = .null
        try call.withProgress(phase) { _ in
            for _ in 0..<600 where !call.cancellation.isCancelled {
                desk.local?.runner.runUntilIdle()
                job = try desk.client.get("/jobs/\(id)")
                guard ["waiting", "running"].contains(job["state"]?.string ?? "") else { return }
                if job["reason"]?.string != nil { return }
                _ = pause.wait(.milliseconds(desk.isRemote ? 1_000 : 200))
            }
        }
        guard job["state"]?.string == "done" else {
            throw Failure(.unavailable, job["reason"]?.string ?? "It has not ended yet. See: quire jobs")
        }
        let said = job["result"]?["sentence"]?.string
        if job["result"]?["good"]?.bool == false {
            throw Failure(.unavailable, said ?? "It did not work.")
        }
        call.answer(job) { "\(TextTable.harmless(said ?? words))\n" }
    }
}

extension Invocation {
    /// The names of the mail server's options are also those of the desk's own address, which they are not here.
    fileprivate func deskWithMail(making: Bool) throws -> DeskSession {
        var call = self
        for name in ["host", "port"] { call.options[name] = nil }
        return try call.desk(making: making)
    }
}

extension Argument {
    fileprivate static let address = Argument(name: "ADDRESS", summary: "a mail address")
}
