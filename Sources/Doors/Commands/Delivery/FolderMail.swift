import App
import Bytes
import Crypto
import Delivery
import Storage
import Transfer
import Work

/// The mail of a folder that `quire fill --receipts` made: each document with the words its receipt tells.
struct FolderMail {
    private let call: Invocation
    private let desk: DeskSession
    private let change: LetterChange

    private struct Paper {
        var name: String
        var bytes: [UInt8]
        var to: [String]
        var copies: [String]
        var blindCopies: [String]
        var subject: String
        var body: String
        var unknown: [String]
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
        let paths = try Files.below(folder).filter { $0.lowercased().hasSuffix(".pdf") }.sorted()
        var papers: [Paper] = []
        var leftOut: [(name: String, reason: String)] = []
        for path in paths {
            let full = path.hasPrefix("/") ? path : "\(folder)/\(path)"
            do {
                papers.append(try read(full, subject: subject, body: body))
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
        guard call.has("yes") else { return try show(first, papers, leftOut) }
        try post(papers, leftOut, title: Files.name(folder))
    }

    private func read(_ path: String, subject: String, body: String) throws -> Paper {
        let bytes = try Files.read(path, atMost: 25 << 20)
        let receipt = String(path.dropLast(4)) + ".receipt.json"
        guard Files.exists(receipt), let json = try? JSON(parsing: Files.read(receipt, atMost: 4 << 20))
        else {
            throw Failure(
                .invalid, "It has no receipt beside it, so nobody knows whose it is. Fill with --receipts.")
        }
        var words = LetterWords()
        var mailbox: String?
        for field in json["fields"]?.array ?? [] {
            let value = field["value"]?.string ?? ""
            words.add(field["field"]?.string ?? "", value)
            if mailbox == nil, value.contains("@"), MailAddress(parsing: value) != nil { mailbox = value }
        }
        var seen = Set(words.names)
        for field in json["fields"]?.array ?? [] {
            for cell in field["cells"]?.array ?? [] {
                let column = cell["column"]?.string ?? ""
                let value = cell["shown"]?.string ?? ""
                if seen.insert(LetterWords.key(column)).inserted { words.add(column, value) }
                if mailbox == nil, value.contains("@"), MailAddress(parsing: value) != nil { mailbox = value }
            }
        }
        let form: Letter.Form = change.json["form"] == "plain" ? .plain : .markdown
        let (filled, unknown) = Letter(subject: subject, body: body, form: form).filled(with: words)
        func addresses(_ key: String) throws -> [String] {
            guard let pattern = change.json[key]?.string else { return [] }
            let line = Letter(subject: pattern, body: "", form: .plain).written(with: words).subject
            return try line.split(separator: ",").map(String.init).map {
                guard MailAddress(parsing: $0) != nil else {
                    throw Failure(.invalid, "“\($0)” is not a mail address.")
                }
                return $0
            }
        }
        let to = change.json["to"] == nil ? mailbox.map { [$0] } ?? [] : try addresses("to")
        guard let address = to.first else {
            throw Failure(
                .invalid, "There is no mail address in its receipt. Say which with --to \"{{field}}\".")
        }
        let digest = Hex.encode(SHA256.hash(bytes + Array(address.lowercased().utf8)))
        return Paper(
            name: Files.name(path), bytes: bytes, to: to, copies: try addresses("cc"),
            blindCopies: try addresses("bcc"), subject: filled.subject, body: filled.body, unknown: unknown,
            about: "file/\(digest)")
    }

    private func show(_ first: Paper, _ papers: [Paper], _ leftOut: [(name: String, reason: String)]) throws {
        let letter: JSON = [
            "from": .optional(change.json["from"]?.string), "to": .array(first.to.map(JSON.string)),
            "cc": .array(first.copies.map(JSON.string)), "bcc": .array(first.blindCopies.map(JSON.string)),
            "subject": .string(first.subject),
            "text": .string(
                Letter(
                    subject: first.subject, body: first.body,
                    form: change.json["form"] == "plain" ? .plain : .markdown
                ).asTyped.text),
            "unknown": .array(first.unknown.map(JSON.string)),
            "attachments": [["name": .string(first.name), "byteCount": .integer(Int64(first.bytes.count))]],
        ]
        call.answer([
            "first": letter, "ready": .int(papers.count), "leftOut": .int(leftOut.count), "sent": .int(0),
        ]) {
            var text = MailWords.letter(letter, extra: change.files.map { Files.name($0) })
            for name in first.unknown { text += "  - Nobody knows {{\(name)}}; it stays as it is.\n" }
            text += "\n\(Words.count(papers.count, "letter is", "letters are")) ready"
            return text + (leftOut.isEmpty ? ".\n" : ", \(leftOut.count) left out.\n") + lines(leftOut)
        }
        call.hint("Nothing was sent. With --yes it is.")
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
                        "bcc": .array(paper.blindCopies.map(JSON.string)), "subject": .string(paper.subject),
                        "body": .string(paper.body), "form": change.json["form"] ?? "markdown",
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
