import App
import Bytes
import Crypto
import Delivery
import Formulas
import Storage
import Tables
import Transfer
import Work

/// The mail of a folder that `quire fill --receipts` made: each document with the words its receipt tells.
struct FolderMail {
    private let call: Invocation
    private let desk: DeskSession
    private let change: LetterChange

    private struct Paper {
        var name: String
        var person: String
        var bytes: [UInt8]
        var to: [String]
        var copies: [String]
        var blindCopies: [String]
        var letter: Letter
        var unknown: [String]
        var empty: [String]
        /// The same document to the same address is the same letter, whenever it is sent.
        var about: String
    }

    init(_ call: Invocation, _ desk: DeskSession, _ change: LetterChange) {
        self.call = call
        self.desk = desk
        self.change = change
    }

    func send(_ folder: String) throws {
        guard let subject = change.json["subject"]?.string, let body = change.json["body"]?.string else {
            throw UsageError(
                message: "a folder has no letter of its own",
                hint: "Use --subject TEXT and --body TEXT or @FILE.")
        }
        guard !call.has("link"), !call.has("test") else {
            throw UsageError(
                message: "links and test letters need a batch", hint: "Make one: quire batch add --help")
        }
        let sender = try sender()
        let letter = RowLetter(
            Letter(subject: subject, body: body, form: change.json["form"] == "plain" ? .plain : .markdown),
            to: change.json["to"]?.string ?? "", copies: change.json["cc"]?.string ?? "",
            blindCopies: change.json["bcc"]?.string ?? "",
            from: RowLetter.Sender(
                mailbox: sender,
                organization: (try? desk.client.get("/settings/identity"))?["organization"]?.string ?? "",
                title: Files.name(folder), today: try FormTask.now(), language: language))
        let paths = try Files.below(folder).filter { $0.lowercased().hasSuffix(".pdf") }.sorted()
        var papers: [Paper] = []
        var leftOut: [(name: String, reason: String)] = []
        for path in paths {
            let full = path.hasPrefix("/") ? path : "\(folder)/\(path)"
            do {
                papers.append(try read(full, letter))
            } catch let failure as Failure {
                leftOut.append((Files.name(full), failure.message))
            }
        }
        guard let first = papers.first else {
            throw Failure(
                .invalid,
                leftOut.first.map { "Nothing can be sent. \($0.name): \($0.reason)" }
                    ?? "There are no documents in “\(Files.name(folder))”.")
        }
        guard call.has("yes") else { return try show(first, from: sender, papers, leftOut) }
        try post(papers, leftOut, title: Files.name(folder))
    }

    /// Who was named, else the desk's own; nil where there is none, or where one may not know it.
    private func sender() throws -> MailAddress? {
        if let from = change.json["from"]?.string { return MailAddress(parsing: from) }
        guard let mail = try? desk.client.get("/settings/mail") else { return nil }
        return MailAddress(mail["fromAddress"]?.string ?? "", name: mail["fromName"]?.string)
    }

    private func read(_ path: String, _ letter: RowLetter) throws -> Paper {
        let bytes = try Files.read(path, atMost: 25 << 20)
        let receipt = String(path.dropLast(4)) + ".receipt.json"
        guard Files.exists(receipt), let json = try? JSON(parsing: Files.read(receipt, atMost: 4 << 20))
        else {
            throw Failure(
                .invalid, "It has no receipt beside it, so nobody knows whose it is. Fill with --receipts.")
        }
        let written = letter.written(for: Self.row(json, Files.name(path)))
        if let problem = written.problems.first { throw Failure(.invalid, problem) }
        for address in written.to + written.copies + written.blindCopies
        where MailAddress(parsing: address) == nil {
            throw Failure.notAnAddress(address, field: "to")
        }
        let to = written.to
        guard let address = to.first else {
            throw Failure(
                .invalid, "There is no mail address in its receipt. Say which with --to \"{{column}}\".")
        }
        let mailbox = MailAddress(parsing: address)?.address ?? address
        let digest = Hex.encode(SHA256.hash(bytes + Array(mailbox.lowercased().utf8)))
        return Paper(
            name: Files.name(path), person: written.name, bytes: bytes, to: to,
            copies: written.copies, blindCopies: written.blindCopies,
            letter: written.letter, unknown: written.unknown, empty: written.empty, about: "file/\(digest)")
    }

    /// That of the desk, where somebody has said so; else that of the terminal.
    private var language: FormulaLocale {
        let told = (try? desk.client.get("/settings/region"))?["language"]?.string ?? ""
        return FormulaLocale(told) ?? FormulaLocale(call.environment.locale) ?? .standard
    }

    /// What a receipt tells of the row; older ones tell only of the cells that filled fields.
    private static func row(_ receipt: JSON, _ fileName: String) -> RowLetter.Row {
        let fields = receipt["fields"]?.array ?? []
        let cells = receipt["row"]?["cells"]?.array ?? fields.flatMap { $0["cells"]?.array ?? [] }
        var seen: Set<String> = []
        let own = cells.filter { seen.insert($0["column"]?.string ?? "").inserted }
        return RowLetter.Row(
            columns: own.map { $0["column"]?.string ?? "" },
            cells: own.map {
                Cell(
                    kind: $0["kind"]?.string.flatMap(Cell.Kind.init) ?? .text, raw: $0["raw"]?.string ?? "",
                    shown: $0["shown"]?.string ?? "", date: $0["date"]?.string)
            },
            fields: fields.map { ($0["field"]?.string ?? "", $0["value"]?.string ?? "") },
            fileName: fileName, number: receipt["row"]?["number"]?.int ?? 1,
            locale: receipt["row"]?["locale"]?.string.flatMap(FormulaLocale.init) ?? .standard)
    }

    private func show(
        _ first: Paper, from sender: MailAddress?, _ papers: [Paper],
        _ leftOut: [(name: String, reason: String)]
    ) throws {
        let letter: JSON = [
            "from": .optional(sender?.description), "to": .array(first.to.map(JSON.string)),
            "cc": .array(first.copies.map(JSON.string)), "bcc": .array(first.blindCopies.map(JSON.string)),
            "subject": .string(first.letter.subject), "text": .string(first.letter.asTyped.text),
            "unknown": .array(first.unknown.map(JSON.string)),
            "attachments": [["name": .string(first.name), "byteCount": .integer(Int64(first.bytes.count))]],
        ]
        let groups =
            Self.groups("unknownToken", papers, \.unknown) + Self.groups("emptyToken", papers, \.empty)
        call.answer([
            "first": letter, "ready": .int(papers.count), "leftOut": .int(leftOut.count), "sent": .int(0),
            "groups": .array(groups),
        ]) {
            MailWords.letter(letter, extra: change.files.map { Files.name($0) })
                + "\n\(Words.count(papers.count, "letter is", "letters are")) ready"
                + (leftOut.isEmpty ? ".\n" : ", \(leftOut.count) left out.\n") + lines(leftOut)
                + MailWords.leftOut(["groups": .array(groups)])
        }
        if sender == nil { call.hint("There is no mail account yet: quire mail account --help") }
        call.hint("Nothing was sent. With --yes it is.")
    }

    /// As the check of a batch tells it: each name by itself, with whom it concerns.
    private static func groups(
        _ kind: String, _ papers: [Paper], _ names: KeyPath<Paper, [String]>
    ) -> [JSON] {
        var order: [String] = []
        var people: [String: [String]] = [:]
        for paper in papers {
            for name in paper[keyPath: names] {
                if people[name] == nil { order.append(name) }
                people[name, default: []].append(paper.person)
            }
        }
        return order.map { name in
            let all = people[name] ?? []
            return [
                "kind": .string(kind), "token": .string(name), "stops": false, "count": .int(all.count),
                "examples": .array(all.prefix(20).map { ["name": .string($0)] }),
            ]
        }
    }

    private func lines(_ leftOut: [(name: String, reason: String)]) -> String {
        leftOut.prefix(20).map { TextTable.harmless("  ! \($0.name): \($0.reason)") + "\n" }.joined()
    }

    private func post(_ papers: [Paper], _ leftOut: [(name: String, reason: String)], title: String) throws {
        var mailing: JSON = ["title": .string(title)]
        for key in ["from", "replyTo", "perMinute", "opens", "closes"] {
            if let value = change.json[key] { mailing[key] = value }
        }
        let made = try desk.client.send("POST", "/mailings", mailing)
        let id = made["id"]?.string ?? ""
        let files: [JSON] = try change.files.map { file in
            [
                "name": .string(Files.name(file)),
                "base64": .string(Base64.encode(try Files.read(file, atMost: 25 << 20))),
            ]
        }
        var taken = 0
        try call.withProgress("Writing") { progress in
            progress.set(done: 0, total: Int64(papers.count))
            for paper in papers {
                try progress.check()
                let answer = try desk.client.send(
                    "POST", "/mailings/\(id)/messages",
                    [
                        "to": .array(paper.to.map(JSON.string)), "cc": .array(paper.copies.map(JSON.string)),
                        "bcc": .array(paper.blindCopies.map(JSON.string)),
                        "recipient": .string(paper.person), "subject": .string(paper.letter.subject),
                        "body": .string(paper.letter.body), "form": change.json["form"] ?? "markdown",
                        "about": .string(paper.about),
                        "attachments": .array(
                            [
                                [
                                    "name": .string(paper.name), "mediaType": "application/pdf",
                                    "base64": .string(Base64.encode(paper.bytes)),
                                ]
                            ] + files),
                    ])
                taken += answer["taken"]?.int ?? 0
                progress.advance()
            }
        }
        try desk.client.send("POST", "/mailings/\(id)/resumption")
        let outcome = try MailWork(call, desk).finish { Self.sending(try desk.client.get("/mailings/\(id)")) }
        var answer = outcome
        answer["sentBefore"] = .int(papers.count - taken)
        answer["leftOut"] = .int(leftOut.count)
        call.answer(answer) {
            let before = papers.count - taken
            return MailWords.outcome(outcome)
                + (before > 0 ? "\(Words.count(before, "letter was", "letters were")) sent before.\n" : "")
                + lines(leftOut)
        }
        try MailWork.tellTrouble(outcome)
    }

    /// A mailing in the words of a batch's mail.
    private static func sending(_ mailing: JSON) -> JSON {
        let counts = mailing["counts"]
        func count(_ keys: String...) -> Int { keys.reduce(0) { $0 + (counts?[$1]?.int ?? 0) } }
        let total = (counts?.object ?? [:]).reduce(0) { $0 + ($1.value.int ?? 0) }
        let moving = count("waiting", "sending", "ending")
        return [
            "mailing": mailing["id"] ?? .null, "state": mailing["state"] ?? .null, "total": .int(total),
            "sent": .int(count("accepted")), "failed": .int(count("refused", "bounced")),
            "uncertain": .int(count("uncertain")), "counts": counts ?? [:],
            "trouble": mailing["reason"] ?? .null,
            "isFinished": .bool(moving == 0 || mailing["state"] == "cancelled"),
        ]
    }
}
