import Access
import App
import Bytes
import Crypto
import Delivery
import Filling
import HTTP
import Jobs
import Markup
import Storage
import Transfer
import Work

extension Site {
    /// Letters of one's own, apart from batches; mail that came back; rules of keeping.
    static let letterActions: [Action] = [
        Action(
            .post, "/mailings", .member(.edit),
            .init(
                "Begin a mailing of one's own",
                description: "Put letters into it, then let it go with `resumption`.",
                tag: "Outbox",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [
                                ("title", Schema.name), ("from", Schema.string), ("replyTo", Schema.string),
                                ("perMinute", Schema.orNull(Schema.integer(1, 60_000))),
                                ("opens", Schema.orNull(Schema.string)),
                                ("closes", Schema.orNull(Schema.string)),
                            ], optional: ["from", "replyTo", "perMinute", "opens", "closes"]))
                ], answers: [.made("MailingDetails", "Nothing goes out yet")])
        ) { visit in
            let input = try visit.input
            let sender =
                try visit.mailbox(input.text("from"), "from") ?? visit.quire.settings.mailAccount().sender
            let mailing = try visit.quire.outbox.open(
                Mailing.Draft(
                    title: input.requiredText("title"), sender: sender,
                    replyTo: visit.mailbox(input.text("replyTo"), "replyTo"),
                    pace: Pace(
                        perMinute: input.integer("perMinute"), opens: visit.timeOfDay(input, "opens"),
                        closes: visit.timeOfDay(input, "closes"), zone: visit.quire.settings.region().timeZone
                    )),
                by: visit.member())
            return visit.done(
                try visit.mailingDetails(mailing.id), .created, at: "/mailings/\(mailing.id)", next: "/ledger"
            )
        },
        Action(
            .post, "/mailings/{id}/messages", .member(.edit),
            .init(
                "Put a letter into a mailing",
                description:
                    "`about` names what it is about: of two letters about one thing only the first is taken, in whichever mailing. Files are in base64.",
                tag: "Outbox",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [
                                ("to", Schema.list(of: Schema.string)),
                                ("cc", Schema.list(of: Schema.string)),
                                ("bcc", Schema.list(of: Schema.string)), ("recipient", Schema.string),
                                ("subject", Schema.string), ("body", Schema.string),
                                ("form", Schema.choice(Letter.Form.allCases.map(\.rawValue))),
                                ("about", ["type": "string", "maxLength": 200]),
                                (
                                    "attachments",
                                    Schema.list(
                                        of: Schema.object(
                                            [
                                                ("name", Schema.name), ("mediaType", Schema.string),
                                                ("base64", Schema.string),
                                            ], optional: ["mediaType"]))
                                ),
                            ], optional: ["cc", "bcc", "recipient", "form", "about", "attachments"]))
                ], answers: [.ok("Posted", "How many were taken: one, or none when it was there already")]),
            body: .bytes(limit: 64 << 20)
        ) { visit in try postLetter(visit) },
        Action(
            .post, "/batches/{id}/returns", .member(.edit),
            .init(
                "Compare filled forms that came back with what was sent",
                description:
                    "Each is told by the texts it was sent with. With `marks`, those found are marked as returned in the ledger.",
                tag: "Sending",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [
                                (
                                    "forms",
                                    Schema.list(
                                        of: Schema.object([
                                            ("file", Schema.string),
                                            (
                                                "fields",
                                                ["type": "object", "additionalProperties": Schema.string]
                                            ),
                                        ]))
                                ), ("marks", Schema.boolean),
                            ], optional: ["marks"]))
                ], answers: [.ok("Returns", "In the order they were given")]), body: .bytes(limit: 64 << 20)
        ) { visit in
            let forms = try (visit.input.json("forms")?.array ?? []).map { form throws in
                guard let file = form["file"]?.string, let fields = form["fields"]?.object else {
                    throw Failure(.invalid, "Each form has a “file” and its “fields”.", field: "forms")
                }
                return ReturnedForm(
                    file: file,
                    fields: Dictionary(
                        fields.compactMap { member in member.value.string.map { (member.key, $0) } },
                        uniquingKeysWith: { first, _ in first }))
            }
            let found = try visit.quire.sendings.compare(
                forms, with: visit.id(of: "batch"), marks: visit.input.flag("marks"), by: visit.member())
            return .json(["returns": .array(found.map(\.json))])
        },
        Action(
            .post, "/bounces/reading", .member(.edit),
            .init(
                "Look for mail that came back", tag: "Outbox",
                answers: [.init(.accepted, "A job reads the mailbox", [.init(.json, Schema.ref("Job"))])])
        ) { visit in
            _ = try visit.member()
            guard try visit.quire.settings.bounceAccount() != nil else {
                throw Failure(
                    .conflict, "Nobody has said yet where mail comes back. Enter it under Settings › Mail.")
            }
            // Whoever has just entered the mailbox wants to know whether it can be read.
            if visit.wantsPage, try visit.member().may(.administer) { return try readBounces(visit) }
            let id = try visit.quire.store.write { tx in
                try visit.quire.queue.add(.bounces, in: tx, unique: JobKind.bounces.name)
            }
            return try visit.promised(id, next: "/ledger", notice: nil)
        },
        Action(
            .post, "/bounces", .member(.edit),
            .init(
                "Take in one report about mail that came back",
                description: "The message as it arrived (RFC 5322).",
                tag: "Outbox", requestBody: [.init(.octets, ["type": "string", "format": "binary"])],
                answers: [.ok("BounceReading", "What it changed")]), body: .bytes(limit: 4 << 20)
        ) { visit in
            guard case .bytes(let bytes) = visit.request.body else {
                throw Failure(.invalid, "The message is missing.")
            }
            let reading = try visit.quire.bounces.take(bytes, by: visit.member())
            return .json([
                "bounced": .int(reading.bounced), "suppressed": .int(reading.suppressed),
                "foreign": .int(reading.foreign), "arrived": .int(reading.arrived),
            ])
        },
        Action(
            .get, "/settings/bounces", .member(.administer),
            .init(
                "Get where mail comes back", tag: "Settings",
                answers: [.ok("BounceSettings", "Without its password")])
        ) { visit in
            visit.wantsPage ? .redirect(to: "/settings/mail") : .json(try bounceJSON(visit))
        },
        Action(
            .post, "/settings/bounces", .member(.administer),
            .init(
                "Change where mail comes back",
                description: "An empty `host` reads no mailbox. Leave the password out to keep it.",
                tag: "Settings",
                requestBody: [.init(.json, Schema.bounceChange)],
                answers: [.ok("BounceSettings", "As it is now")]), isGrave: true
        ) { visit in
            let input = try visit.input
            let before = try visit.quire.settings.bounces()
            let word = try input.text("security") ?? before.security.rawValue
            guard let security = MailSettings.Security(rawValue: word) else {
                throw Failure(.invalid, "Choose “tls”, “starttls” or “none”.", field: "security")
            }
            do {
                try visit.quire.settings.change(
                    BounceSettings(
                        host: input.text("host") ?? before.host, port: input.integer("port") ?? before.port,
                        security: security, userName: input.text("username") ?? before.userName,
                        folder: input.text("folder") ?? before.folder,
                        everyReport: input.has("everyReport") || visit.wantsPage
                            ? input.flag("everyReport") : before.everyReport),
                    password: input.text("password").flatMap { $0.isEmpty && visit.wantsPage ? nil : $0 },
                    by: visit.member())
            } catch let failure as Failure where visit.wantsPage && failure.code == .invalid {
                var page = try mailPage(visit)
                page.bounces = MailPage.Bounces(
                    host: try input.text("host") ?? "", port: try input.text("port") ?? "",
                    security: .init(rawValue: security.rawValue) ?? .tls,
                    username: try input.text("username") ?? "", folder: try input.text("folder") ?? "",
                    everyReport: try input.flag("everyReport"),
                    hasPassword: before.hasPassword, error: visit.said(failure), errorField: failure.field)
                return visit.page(Pages.mail(visit.frameAt("/settings/mail"), page), .unprocessable)
            }
            return visit.done(try bounceJSON(visit), next: "/settings/mail", notice: "notice.saved")
        },
        Action(
            .get, "/settings/ledger", .member(.view),
            .init(
                "Get how long the ledger is kept", tag: "Settings",
                answers: [.ok("LedgerSettings", "The rule")])
        ) { visit in .json(try visit.quire.settings.ledger().json) },
        Action(
            .post, "/settings/ledger", .member(.administer),
            .init(
                "Change how long the ledger is kept", description: "`keepDays` null keeps it for ever.",
                tag: "Settings",
                requestBody: [
                    .init(.json, Schema.object([("keepDays", Schema.orNull(Schema.integer(1, 36_500)))]))
                ],
                answers: [.ok("LedgerSettings", "As it is now")])
        ) { visit in
            try visit.quire.settings.change(
                LedgerSettings(keepDays: visit.input.integer("keepDays")), by: visit.member())
            return visit.done(
                try visit.quire.settings.ledger().json, next: "/ledger", notice: "notice.saved")
        },
    ]

    private static func postLetter(_ visit: Visit) throws -> Response {
        let id: ID<Mailing> = try visit.id(of: "mailing")
        let caller = try visit.member()
        let input = try visit.input
        func mailboxes(_ key: String) throws -> [MailAddress] {
            try input.texts(key).compactMap { try visit.mailbox($0, key) }
        }
        let letter = Letter(
            subject: try input.requiredText("subject"), body: try input.text("body") ?? "",
            form: try input.text("form").flatMap(Letter.Form.init(rawValue:)) ?? .markdown)
        let written = letter.asTyped
        let to = try mailboxes("to")
        let about = try input.text("about") ?? ""
        guard about.utf8.count <= 200, about.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw Failure(.invalid, "“about” is a short name without spaces.", field: "about")
        }
        var draft = OutboxMessage.Draft(
            subject: about.isEmpty ? "" : "letter/\(about)",
            recipientName: try input.text("recipient") ?? to.first?.name ?? to.first?.address ?? "",
            addresses: .init(to: to, copies: try mailboxes("cc"), blindCopies: try mailboxes("bcc")),
            title: written.subject, text: written.text, html: written.html)
        for file in input.json("attachments")?.array ?? [] {
            guard let name = file["name"]?.string, let bytes = file["base64"]?.string.flatMap(Base64.decode)
            else {
                throw Failure(
                    .invalid, "An attachment has a name and its bytes in base64.", field: "attachments")
            }
            draft.attachments.append(
                .init(
                    fileName: name, mediaType: file["mediaType"]?.string ?? "application/octet-stream",
                    digest: try visit.quire.store.blobs.put(bytes)))
        }
        let count = try visit.quire.outbox.post([draft], to: id, by: caller)
        return .json(["taken": .int(count)])
    }

    private static func readBounces(_ visit: Visit) throws -> Response {
        do {
            let reading = try visit.quire.bounces.read()
            return visit.goes(
                to: "/settings/mail",
                notice: visit.texts("notice.bounces", ["count": .number(reading.bounced)]))
        } catch let failure as Failure where failure.code != .cancelled {
            var page = try mailPage(visit)
            page.bounces?.error = visit.said(failure)
            return visit.page(Pages.mail(visit.frameAt("/settings/mail"), page), .conflict)
        }
    }

    private static func bounceJSON(_ visit: Visit) throws -> JSON {
        let settings = try visit.quire.settings.bounces()
        return [
            "host": .string(settings.host), "port": .int(settings.port),
            "security": .string(settings.security.rawValue), "username": .string(settings.userName),
            "folder": .string(settings.folder), "everyReport": .bool(settings.everyReport),
            "hasPassword": .bool(settings.hasPassword),
        ]
    }
}

extension Visit {
    func mailbox(_ text: String?, _ field: String) throws(Failure) -> MailAddress? {
        guard let text, !text.isEmpty else { return nil }
        guard let mailbox = MailAddress(parsing: text) else {
            throw .notAnAddress(text, field: field)
        }
        return mailbox
    }

    func timeOfDay(_ input: Input, _ field: String) throws(Failure) -> Int? {
        guard let text = try input.text(field), !text.isEmpty else { return nil }
        guard let minute = TimeOfDay.minute(text) else {
            throw Failure(.invalid, "A time of day is written 08:00.", field: field)
        }
        return minute
    }
}
