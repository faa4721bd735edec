import App
import Bytes
import Crypto
import Delivery
import Storage
import Transfer
import Work

extension Option {
    fileprivate static let letter: [Option] =
        of(
            BatchLetter.fields, only: ["subject", "body", "from", "replyTo", "to", "cc", "bcc"],
            letters: ["subject": "s", "body": "b"]) + [
            Option("plain", nil, "the letter has no marks such as **bold**"),
            Option("attach", "FILE", "a file that goes to everybody", isRepeating: true, completion: .file),
            Option("rate", "N/min", "at most so many a minute"),
            Option("window", "08:00-18:00", "only at these hours, where the desk stands"),
        ]
}

extension Command {
    static let send = Command(
        name: "send", summary: "send packets to their people, each once",
        discussion: """
            Without --yes nothing is sent: the first letter is shown, and who would be left out and why. With --yes everybody \
            gets theirs who has not got it yet; calling it again sends to nobody twice. What is not said here stays as it was \
            saved with the batch. A folder is one that “quire fill --receipts” made; its letters may name the form's fields. The \
            mail account is the desk's: quire mail account, or Settings › Mail in the browser.
            """,
        arguments: [
            Argument(
                name: "BATCH|DIR", summary: "a batch, by name or id, or a folder of filled forms",
                completion: .folder)
        ],
        options: Option.letter + [
            Option("link", nil, "send a link to each packet instead of the packet")
        ] + Option.of(BatchLetter.fields, only: ["linkDays", "linkPassword", "linkOpenings"]) + [
            Option("test", "ADDRESS", "send only the first letter, to this address"),
            Option("dry-run", nil, "send nothing and show the first letter; this is what happens anyway"),
            Option("yes", letter: "y", nil, "send"), .database,
        ],
        examples: [
            Example("quire send Consent --subject Consent --body @letter.md", "see the first letter"),
            Example(
                "quire send Consent --yes --rate 30/min --window 08:00-18:00", "send, gently and by day"),
            Example(
                "quire send filled --to {{email}} --subject Hello --body @letter.md --yes",
                "a folder of forms"),
        ],
        run: { call in
            guard !(call.has("yes") && call.has("dry-run")) else {
                throw UsageError(
                    message: "--yes and --dry-run exclude each other", hint: "Leave one of them out.")
            }
            var change = try LetterChange(call)
            let folder = call.absolute(call.arguments[0])
            let desk = try call.desk()
            defer { desk.close() }
            try change.findSender(desk)
            if Files.isFolder(folder) { return try FolderMail(call, desk, change).send(folder) }
            try BatchMail(call, desk, change).send(desk.client.one(.batches, call.arguments[0]))
        })
}

extension Command {
    static let sendPacket = Command(
        name: "send", summary: "send one packet alone, to another address if need be",
        discussion:
            "With the letter of its batch (quire send BATCH). Without --yes nothing is sent, and the letter is shown.",
        arguments: [Argument(name: "PACKET", summary: "its id, as quire packet list shows it")],
        options: [
            Option("to", "ADDRESS", "where it goes, where the list has no address or a wrong one"),
            Option("yes", letter: "y", nil, "send"), .database,
        ],
        examples: [
            Example("quire packet send ID --to ann@example.org --yes", "who had no address on the list")
        ],
        run: { call in
            let desk = try call.desk()
            defer { desk.close() }
            let id = call.arguments[0]
            let packet = try desk.client.get("/packets/\(id)")
            guard call.has("yes") else {
                let letter: JSON = call.value("to").map { ["to": .string($0)] } ?? [:]
                let preview = try desk.client.send(
                    "POST", "/batches/\(packet["batch"]?.string ?? "")/letter/preview",
                    ["packet": .string(packet["id"]?.string ?? id), "letter": letter])
                call.answer(["first": preview, "sent": .int(0)]) {
                    MailWords.letter(preview)
                        + (preview["problems"]?.array ?? []).map {
                            "! \(TextTable.harmless($0["message"]?.string ?? ""))\n"
                        }.joined()
                }
                return call.hint("Nothing was sent. With --yes it is.")
            }
            let begun = try desk.client.send(
                "POST", "/packets/\(id)/sending", ["to": .optional(call.value("to"))])
            let letter = try MailWork(call, desk).letter(begun["message"]?.string ?? "")
            call.answer(letter) { MailWords.line(letter) + "\n" }
            let state = letter["state"]?.string ?? ""
            guard ["accepted", "waiting"].contains(state) else { throw ExitCode.invalid }
        })
}

/// What was said about the letter.
struct LetterChange {
    var json: JSONObject = [:]
    var files: [String] = []

    init(_ call: Invocation) throws {
        json = try call.said(BatchLetter.fields)
        if let body = call.value("body") { json["body"] = .string(try Self.body(body, call)) }
        if call.has("plain") { json["form"] = "plain" }
        if call.has("link") { json["attaches"] = "link" }
        if let rate = call.value("rate") { json["perMinute"] = .int(try Self.rate(rate)) }
        if let window = call.value("window") {
            let parts = window.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, let opens = TimeOfDay.minute(parts[0]),
                let closes = TimeOfDay.minute(parts[1])
            else {
                throw UsageError(
                    message: "--window takes two times of day, not “\(window)”", hint: "As in 08:00-18:00.")
            }
            json["opens"] = .string(TimeOfDay.text(opens))
            json["closes"] = .string(TimeOfDay.text(closes))
        }
        files = try (call.options["attach"] ?? []).map { name in
            let path = call.absolute(name)
            _ = try Files.byteCount(path)
            return path
        }
    }

    /// A sender that is no address is the name on a card.
    mutating func findSender(_ desk: DeskSession) throws {
        guard let name = json["from"]?.string, !name.isEmpty, !name.contains("@") else { return }
        let found =
            try desk.client.get("/contacts", [("q", name), ("limit", "100")])["contacts"]?.array ?? []
        let wanted = name.lowercased()
        let exact = found.filter { $0["name"]?.string?.lowercased() == wanted }
        let meant = exact.isEmpty ? found : exact
        guard let card = meant.first else {
            throw Failure(
                .notFound,
                "There is no card called “\(name)” among the contacts. Give an address, or add the card first."
            )
        }
        guard meant.count == 1 else {
            let names = meant.prefix(5).compactMap { $0["name"]?.string }.joined(separator: ", ")
            throw Failure(.conflict, "“\(name)” could be one of \(meant.count) cards: \(names).")
        }
        guard let email = card["emails"]?[0]?.string,
            let address = MailAddress(email, name: card["name"]?.string)
        else {
            throw Failure(.invalid, "The card “\(card["name"]?.string ?? name)” has no mail address.")
        }
        json["from"] = .string(address.description)
    }

    private static func body(_ text: String, _ call: Invocation) throws -> String {
        guard text.hasPrefix("@") else { return text }
        let bytes = try Files.read(call.absolute(String(text.dropFirst())), atMost: 200_000)
        guard let body = String(validating: bytes, as: UTF8.self) else {
            throw Failure(.invalid, "“\(text.dropFirst())” is not text in UTF-8.")
        }
        return body.replacing("\r\n", with: "\n")
    }

    /// `30/min`, `30` or `2/s`.
    private static func rate(_ text: String) throws -> Int {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let each =
            parts.count == 2
            ? ["min": 1, "minute": 1, "s": 60, "sec": 60][String(parts[1])] : parts.count == 1 ? 1 : nil
        guard let number = Int(parts[0]), let each, (1...60_000).contains(number), number * each <= 60_000
        else {
            throw UsageError(message: "--rate takes a number a minute, not “\(text)”", hint: "As in 30/min.")
        }
        return number * each
    }
}

/// The mail of a batch from the command line.
private struct BatchMail {
    let call: Invocation
    let desk: DeskSession
    let change: LetterChange

    init(_ call: Invocation, _ desk: DeskSession, _ change: LetterChange) {
        self.call = call
        self.desk = desk
        self.change = change
    }

    func send(_ batch: JSON) throws {
        let path = "/batches/\(batch["id"]?.string ?? "")"
        if let address = call.value("test") { return try test(path, address) }
        guard call.has("yes") else { return try show(path, batch) }
        if let begun = try begun(path) {
            call.hint("It was begun before and goes on, with the letter as it was then.")
            if begun["state"]?.string == "paused" {
                try desk.client.send("POST", path + "/sending/resumption")
            }
            return try finish(path, leftOut: nil)
        }
        try save(path)
        let check = try desk.client.get(path + "/sending/check")
        guard check["canStart"]?.bool == true else {
            throw Failure(.conflict, MailWords.reason(check))
        }
        try desk.client.send("POST", path + "/sending", ["count": check["ready"] ?? 0])
        try finish(path, leftOut: check)
    }

    /// What an earlier call has not brought to its end: letters still wait, or somebody held them.
    private func begun(_ path: String) throws -> JSON? {
        let sending = try desk.client.get(path + "/sending")["sending"] ?? .null
        guard ["running", "paused"].contains(sending["state"]?.string ?? ""),
            sending["isFinished"]?.bool == false
        else { return nil }
        return sending
    }

    private func finish(_ path: String, leftOut check: JSON?) throws {
        let outcome = try MailWork(call, desk).finish {
            try desk.client.get(path + "/sending")["sending"] ?? .null
        }
        let tally = try desk.client.get(path + "/deliveries", [("limit", "1")])["tally"] ?? [:]
        var answer = outcome
        answer["tally"] = tally
        if let check { answer["leftOut"] = check["leftOut"] }
        call.answer(answer) {
            MailWords.outcome(outcome, of: tally) + (check.map(MailWords.leftOut) ?? "")
        }
        try MailWork.tellTrouble(outcome)
    }

    /// Nothing is saved and nothing is sent.
    private func show(_ path: String, _ batch: JSON) throws {
        let letter: JSON = ["letter": .object(change.json)]
        let preview = try desk.client.send("POST", path + "/letter/preview", letter)
        let check = try desk.client.send("POST", path + "/sending/check", letter)
        call.answer(["first": preview, "check": check, "sent": .int(0)]) {
            MailWords.letter(preview, extra: change.files.map { Files.name($0) }) + "\n"
                + MailWords.check(check)
        }
        call.hint("Nothing was sent. With --yes it is.")
    }

    private func save(_ path: String) throws {
        var letter = try desk.client.get(path + "/letter")
        if !change.json.isEmpty {
            letter = try desk.client.send("PATCH", path + "/letter", .object(change.json))
        }
        let known = Set((letter["files"]?.array ?? []).compactMap { $0["digest"]?.string })
        for file in change.files {
            let bytes = try Files.read(file, atMost: 25 << 20)
            // The same command twice attaches a file once.
            guard !known.contains(Hex.encode(SHA256.hash(bytes))) else { continue }
            _ = try desk.client.upload(
                DeskRequest.File(path: file, name: Files.name(file), byteCount: Int64(bytes.count)),
                to: path + "/letter/files", progress: Progress(cancellation: call.cancellation))
        }
    }

    private func test(_ path: String, _ address: String) throws {
        try save(path)
        let sent = try desk.client.send("POST", path + "/sending/test", ["to": .string(address)])
        let id = sent["message"]?.string ?? ""
        let letter = try MailWork(call, desk).letter(id)
        call.answer(letter) { MailWords.line(letter) + "\n" }
        guard letter["state"]?.string == "accepted" else { throw ExitCode.unavailable }
    }
}
