import Access
import App
import Bytes
import Crypto
import Delivery
import Filling
import HTTP
import Library
import Markup
import Storage

extension Site {
    /// The letter of a batch, a look at what would go out, and the sending.
    static let sendingActions: [Action] = [
        Action(
            .get, "/batches/{id}/letter", .member(.view),
            .init(
                "Get the letter of a batch", tag: "Sending",
                answers: [.ok("BatchLetter", "As it was saved; the usual one before that")])
        ) { visit in
            let letter = try visit.quire.sendings.letter(of: visit.id(of: "batch"), by: visit.member())
            if let before = try visit.stepBeforeGiving() { return before }
            return try visit.show(letter.json) { try visit.letterPage() }
        },
        Action(
            .patch, "/batches/{id}/letter", .member(.edit),
            .init(
                "Change the letter of a batch",
                description:
                    "What is left out stays. With `version`, only when nobody else has changed it since. Names in double braces are each recipient's own words; `{{= …}}` is a formula.",
                tag: "Sending", requestBody: [.init(.json, Schema.letterChange)],
                answers: [.ok("BatchLetter", "As it is now")])
        ) { visit in try saveLetter(visit) },
        Action(
            .get, "/batches/{id}/letter/tokens", .member(.view),
            .init(
                "List the names a letter may use", tag: "Sending",
                answers: [.ok("LetterTokens", "With what they say for the first recipient")])
        ) { visit in
            let tokens = try visit.quire.sendings.tokens(of: visit.id(of: "batch"), by: visit.member())
            return .json(["tokens": .array(tokens.map(\.json))])
        },
        Action(
            .post, "/batches/{id}/letter/preview", .member(.view),
            .init(
                "Show what one recipient would get",
                description: "Of the letter given, or the one saved; for the packet named, or the first.",
                tag: "Sending",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [("packet", Schema.orNull(Schema.id)), ("letter", Schema.letterChange)],
                            optional: ["packet", "letter"]))
                ], answers: [.ok("LetterPreview", "Nothing is sent")]), isOnlyAsking: true
        ) { visit in
            let id: ID<Batch> = try visit.id(of: "batch")
            let caller = try visit.member()
            let input = try visit.input
            var letter: BatchLetter?
            if let json = input.json("letter"), !json.isNull {
                letter = try BatchLetter(json, changing: visit.quire.sendings.letter(of: id, by: caller))
            } else if input.whole == nil, input.has("body") {
                letter = try visit.letter()
            }
            return .json(
                try visit.quire.sendings.preview(letter, of: id, for: visit.wantedPacket(), by: caller).json)
        },
        Action(
            .post, "/batches/{id}/letter/files", .member(.edit),
            .init(
                "Attach a file to everybody's letter",
                description:
                    "A form with a file in `file`, the bytes of a file with its name in `name`, or `document` for a paper of the library.",
                tag: "Sending",
                parameters: [.init("name", "The file's name, when the body is the file itself")],
                requestBody: [
                    .init(
                        .multipart,
                        Schema.object([
                            ("file", ["type": "array", "items": ["type": "string", "format": "binary"]])
                        ])), .init(.json, Schema.object([("document", Schema.id)])),
                    .init(.octets, ["type": "string", "format": "binary"]),
                ], answers: [.ok("BatchLetter", "With the file")]), body: .upload(limit: 1 << 30)
        ) { visit in
            let id: ID<Batch> = try visit.id(of: "batch")
            let caller = try visit.member()
            let arrival = try Arrival(visit)
            try visit.keepUsualLetter(of: id)
            var letter: BatchLetter?
            for file in arrival.files where !file.name.isEmpty || file.byteCount > 0 {
                let source: Documents.Source = file.path.map { .upload($0) } ?? .bytes(file.bytes ?? [])
                letter = try visit.quire.sendings.attach(source, named: file.name, to: id, by: caller)
            }
            if letter == nil {
                guard let document = ID<Document>(try arrival.input.requiredText("document")) else {
                    throw Failure(.notFound, "There is no such document.", field: "document")
                }
                letter = try visit.quire.sendings.attach(document, to: id, by: caller)
            }
            return visit.done(letter?.json ?? [:], next: visit.letterPath)
        },
        Action(
            .delete, "/batches/{id}/letter/files/{place}", .member(.edit),
            .init(
                "Take a file out of the letter", description: "`place` counts from 1.", tag: "Sending",
                answers: [.ok("BatchLetter", "Without it")])
        ) { visit in
            guard let place = Int(visit.parameter("place")), place > 0 else {
                throw Failure(.notFound, "The letter has no such file.")
            }
            let letter = try visit.quire.sendings.detach(
                place - 1, from: visit.id(of: "batch"), by: visit.member())
            return visit.done(letter.json, next: visit.letterPath)
        },
        Action(
            .get, "/batches/{id}/sending", .member(.view),
            .init(
                "Tell how far the mail of a batch is", tag: "Sending",
                answers: [.ok("BatchSending", "`sending` is null before anything was sent")])
        ) { visit in
            let sending = try visit.quire.sendings.sending(visit.id(of: "batch"), by: visit.member())
            if let before = try visit.stepBeforeGiving() { return before }
            return try visit.show(["sending": .optional(sending?.json)]) { try visit.sendingPage() }.kept(
                false)
        },
        Action(
            .get, "/batches/{id}/sending/check", .member(.view),
            .init(
                "Look at everybody's letter", description: "Nothing is sent.", tag: "Sending",
                answers: [.ok("SendingCheck", "How many are ready, and why others are not")])
        ) { visit in
            if let before = try visit.stepBeforeGiving() { return before }
            let check = try visit.quire.sendings.check(visit.id(of: "batch"), by: visit.member())
            return try visit.show(check.json) { try visit.sendingPage() }
        },
        Action(
            .post, "/batches/{id}/sending/check", .member(.view),
            .init(
                "Look at everybody's letter before it is saved",
                description: "Nothing is sent, and nothing is saved.",
                tag: "Sending",
                requestBody: [
                    .init(.json, Schema.object([("letter", Schema.letterChange)], optional: ["letter"]))
                ], answers: [.ok("SendingCheck", "How many are ready, and why others are not")]),
            isOnlyAsking: true
        ) { visit in
            let id: ID<Batch> = try visit.id(of: "batch")
            let caller = try visit.member()
            let letter = try visit.input.json("letter").flatMap { $0.isNull ? nil : $0 }.map {
                try BatchLetter($0, changing: visit.quire.sendings.letter(of: id, by: caller))
            }
            return .json(try visit.quire.sendings.check(id, letter, by: caller).json)
        },
        Action(
            .post, "/batches/{id}/sending", .member(.edit),
            .init(
                "Send everybody's letter",
                description:
                    "`count` is the number of letters that are ready; when it is not right any more, nothing is sent.",
                tag: "Sending",
                requestBody: [.init(.json, Schema.object([("count", Schema.integer(0, 10_000_000))]))],
                answers: [
                    .init(.accepted, "A job writes and sends them", [.init(.json, Schema.ref("Sending"))])
                ])
        ) { visit in
            let id: ID<Batch> = try visit.id(of: "batch")
            guard let count = try visit.input.integer("count") else {
                throw Failure(.invalid, "“count” is missing.", field: "count")
            }
            do {
                try visit.keepUsualLetter(of: id)
                let sending = try visit.quire.sendings.start(id, confirming: count, by: visit.member())
                return visit.done(
                    sending.json, .accepted, next: visit.sendingPath, notice: "notice.sending.started",
                    ["count": .number(count)])
            } catch let failure as Failure where visit.wantsPage && failure.code == .conflict {
                // The list is shown as it is now: what one says yes to is what one sees.
                return visit.page(try visit.sendingPage(failure: failure), .conflict)
            }
        },
        Action(
            .post, "/batches/{id}/sending/pause", .member(.edit),
            .init(
                "Hold the mail of a batch", tag: "Sending", answers: [.ok("Sending", "Nothing more goes out")]
            )
        ) { visit in
            let sending = try visit.quire.sendings.pause(visit.id(of: "batch"), by: visit.member())
            return visit.done(sending.json, next: visit.sendingPath)
        },
        Action(
            .post, "/batches/{id}/sending/resumption", .member(.edit),
            .init("Let the mail of a batch go on", tag: "Sending", answers: [.ok("Sending", "It goes on")])
        ) { visit in
            let sending = try visit.quire.sendings.resume(visit.id(of: "batch"), by: visit.member())
            return visit.done(sending.json, next: visit.sendingPath)
        },
        Action(
            .post, "/batches/{id}/sending/cancellation", .member(.edit),
            .init(
                "End the mail of a batch", tag: "Sending",
                answers: [.ok("Sending", "What has not gone out may be sent anew")])
        ) { visit in
            let sending = try visit.quire.sendings.cancel(visit.id(of: "batch"), by: visit.member())
            return visit.done(sending.json, next: visit.sendingPath)
        },
        Action(
            .post, "/batches/{id}/sending/test", .member(.edit),
            .init(
                "Send one recipient's letter to oneself",
                description: "To the sender of the mail settings, or to `to`. It counts as nobody's mail.",
                tag: "Sending",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [("to", Schema.orNull(Schema.string)), ("packet", Schema.orNull(Schema.id))],
                            optional: ["to", "packet"]))
                ],
                answers: [
                    .init(.accepted, "It is in the outbox", [.init(.json, Schema.ref("OutboxReference"))])
                ])
        ) { visit in
            do {
                let to = try visit.input.text("to")
                try visit.keepUsualLetter(of: visit.id(of: "batch"))
                let id = try visit.quire.sendings.test(
                    visit.id(of: "batch"), for: visit.wantedPacket(), to: to, by: visit.member())
                let message = try visit.quire.outbox.get(id, by: visit.member())
                return visit.done(
                    ["message": .string(id.text)], .accepted, at: "/outbox/\(id)", next: visit.sendingPath,
                    notice: "sending.test.sent", ["address": .text(Visit.shown(message.addresses))])
            } catch let failure as Failure
                where visit.wantsPage && [.invalid, .conflict].contains(failure.code)
            {
                return visit.page(try visit.sendingPage(testFailure: failure), .unprocessable)
            }
        },
        Action(
            .get, "/batches/{id}/deliveries", .member(.view),
            .init(
                "List what became of everybody's packet", tag: "Sending", parameters: deliveryParameters,
                answers: [.ok("DeliveryPage", "In the list's order", headers: ["Link"])])
        ) { visit in
            let query = visit.request.query
            let after = try query["after"].flatMap { $0.isEmpty ? nil : $0 }.map { text throws(Failure) in
                guard let place = Int(text) else {
                    throw Failure(.invalid, "“after” is a number.", field: "after")
                }
                return place
            }
            let page = try visit.quire.sendings.deliveries(
                of: visit.id(of: "batch"),
                Sendings.Filter(visit.ledgerPart(), search: query["q"] ?? ""), after: after ?? 0,
                limit: visit.limit(otherwise: 60, most: Ledger.mostPerPage), by: visit.member())
            if visit.wantsPage { return visit.page(try visit.deliveriesPage(page)) }
            return visit.list(
                "deliveries", page.lines.map(\.json), next: page.next.map(String.init),
                total: page.matchCount,
                more: ["tally": page.tally.json])
        },
        Action(
            .get, "/packets/{id}/delivery", .member(.view),
            .init(
                "Tell what became of a packet", tag: "Sending",
                answers: [.ok("PacketDelivery", "All that is known")])
        ) { visit in
            let packet: ID<Packet> = try visit.id(of: "packet")
            if visit.wantsPage { return visit.page(try visit.deliveryPage(of: packet)).kept(false) }
            let delivery = try visit.quire.sendings.delivery(of: packet, by: visit.member())
            return Response.json(delivery.json(visit.now)).kept(false)
        },
        Action(
            .post, "/packets/{id}/sending", .member(.edit),
            .init(
                "Send one packet alone",
                description: "With the letter of its batch; to `to`, or its own address.",
                tag: "Sending",
                requestBody: [
                    .init(.json, Schema.object([("to", Schema.orNull(Schema.string))], optional: ["to"]))
                ],
                answers: [
                    .init(.accepted, "It is in the outbox", [.init(.json, Schema.ref("OutboxReference"))])
                ])
        ) { visit in
            let packet: ID<Packet> = try visit.id(of: "packet")
            return try visit.atPacket(packet) {
                try visit.keepUsualLetter(
                    of: visit.quire.batches.packet(packet, by: visit.member()).packet.batch)
                let id = try visit.quire.sendings.send(
                    packet, to: visit.input.text("to"), by: visit.member())
                return visit.done(
                    ["message": .string(id.text)], .accepted, at: "/outbox/\(id)",
                    next: "/packets/\(packet)/delivery", notice: "notice.sending.started",
                    ["count": .number(1)])
            }
        },
        said(
            "/packets/{id}/handover", "Mark a packet as handed over", "notice.handedOver",
            more: [("way", Schema.choice(["hand", "share"]))]
        ) {
            switch try $0.input.text("way") ?? "hand" {
            case "hand": try $0.quire.sendings.handOver($1, note: $2, by: $0.member())
            case "share": try $0.quire.sendings.handOver($1, note: $2, isShared: true, by: $0.member())
            default: throw Failure(.invalid, "A packet is handed over by “hand” or by “share”.", field: "way")
            }
        },
        said("/packets/{id}/return", "Mark a packet as returned", "notice.returned") {
            try $0.quire.sendings.returned($1, note: $2, by: $0.member())
        },
        Action(
            .delete, "/packets/{id}/handover", .member(.edit),
            .init(
                "Take back what was marked by hand last",
                description: "The ledger keeps the line, and one that it does not hold.", tag: "Sending",
                answers: [.ok("PacketDelivery", "As it is now")])
        ) { visit in
            let packet: ID<Packet> = try visit.id(of: "packet")
            return try visit.atPacket(packet) {
                try visit.quire.sendings.revert(packet, by: visit.member())
                return try visit.delivery(of: packet, notice: "notice.reverted")
            }
        },
        Action(
            .get, "/packets/{id}/shares", .member(.view),
            .init("List the links to a packet", tag: "Shares", answers: [.ok("ShareList", "All of them")])
        ) { visit in
            let links = try visit.quire.sendings.links(to: visit.id(of: "packet"), by: visit.member())
            return .json(["shares": .array(links.map { $0.json(visit.now) })])
        },
        Action(
            .post, "/packets/{id}/shares", .member(.edit),
            .init(
                "Make a link to a packet",
                description:
                    "It leads to this recipient's packet and to nothing else. Its address is told this once.",
                tag: "Shares", requestBody: [.init(.json, Schema.shareTerms)],
                answers: [.made("NewShare", "The link")])
        ) { visit in
            let packet: ID<Packet> = try visit.id(of: "packet")
            let terms: ShareLinks.Terms
            let made: (token: Token, link: ShareLink)
            do {
                terms = try visit.shareTerms()
                guard !terms.isViewOnly else {
                    throw Failure(
                        .invalid,
                        "A link to a packet gives the file. Only links to papers of the library can be for looking only.",
                        field: "viewOnly")
                }
                made = try visit.quire.sendings.link(to: packet, terms, by: visit.member())
            } catch let failure as Failure
                where visit.wantsPage && [.invalid, .conflict].contains(failure.code)
            {
                return visit.page(
                    try visit.deliveryPage(of: packet, linkFailure: failure), .unprocessable)
            }
            let address = "\(visit.origin)/s/\(made.token.text)"
            if visit.wantsPage {
                let new = (address: address, hasPassword: made.link.needsPassword)
                return visit.page(try visit.deliveryPage(of: packet, newLink: new)).kept(false)
            }
            var json = made.link.json(visit.now)
            json["address"] = .string(address)
            return Response.json(json, .created).with("Location", "/shares/\(made.link.id)").kept(false)
        },
        Action(
            .get, "/packets/{id}/message", .member(.view),
            .init(
                "Get a packet's letter for a mail program",
                description: "An `.eml` file: as it was sent, or as a draft to be sent.", tag: "Sending",
                answers: [.init(.ok, "The message (RFC 5322)", [.anything])])
        ) { visit in
            let message = try visit.quire.sendings.message(for: visit.id(of: "packet"), by: visit.member())
            return .message(message.bytes, named: message.fileName)
        },
        Action(
            .get, "/packets/{id}/mailto", .member(.view),
            .init(
                "Get a packet's letter as a mailto address",
                description: "For the mail program at hand; it carries the words, not what is attached.",
                tag: "Sending", answers: [.ok("MailAddress", "The address")])
        ) { visit in
            .json([
                "address": .string(
                    try visit.quire.sendings.mailAddress(for: visit.id(of: "packet"), by: visit.member()))
            ])
        },
    ]

    /// A form is saved while it is written; what is wrong with it is said beside it, and nothing typed is lost.
    private static func saveLetter(_ visit: Visit) throws -> Response {
        var typed: BatchLetter?
        do {
            let letter = try visit.letter()
            typed = letter
            let saved = try visit.quire.sendings.save(
                letter, of: visit.id(of: "batch"), by: visit.member())
            let goesOn = try visit.input.text("then") == "check"
            return visit.done(saved.json, next: goesOn ? visit.sendingPath : visit.letterPath)
        } catch let failure as Failure
            where visit.wantsPage && [.invalid, .conflict, .tooLarge].contains(failure.code)
        {
            return visit.page(
                try visit.letterPage(typed: typed, failure: failure), Site.status(of: failure.code))
        }
    }

    private static func said(
        _ path: String, _ summary: String, _ notice: String, more: [(String, JSON)] = [],
        _ say: @escaping @Sendable (Visit, ID<Packet>, String) throws -> Void
    ) -> Action {
        Action(
            .post, path, .member(.edit),
            .init(
                summary, tag: "Sending",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [("note", Schema.orNull(Schema.string))] + more,
                            optional: Set(["note"] + more.map(\.0))))
                ], answers: [.ok("PacketDelivery", "As it is now")])
        ) { visit in
            let packet: ID<Packet> = try visit.id(of: "packet")
            return try visit.atPacket(packet) {
                try say(visit, packet, visit.input.text("note") ?? "")
                return try visit.delivery(of: packet, notice: notice)
            }
        }
    }

    static let deliveryParameters: [RouteDocumentation.Parameter] = [
        .init(
            "show", "Only these",
            schema: Schema.choice(
                ["", "all", "sent", "unsent", "failed"] + LedgerEvent.allCases.map(\.rawValue))),
        .init("q", "Words that must occur in the name or the address"),
        .init("limit", "How many at most", schema: Schema.integer(1, 500)),
        .init("after", "`next` of the page before"),
    ]
}

extension Visit {
    var sendingPath: String { "/batches/\(parameter("id"))/sending" }

    /// Back to the message, and to whose copy of it one was looking at.
    var letterPath: String {
        let packet = (try? wantedPacket()).flatMap { $0.map { "?packet=\($0)" } } ?? ""
        return "/batches/\(parameter("id"))/letter\(packet)"
    }

    /// What could not be done to a packet is said on its page.
    func atPacket(_ packet: ID<Packet>, _ body: () throws -> Response) throws -> Response {
        do {
            return try body()
        } catch let failure as Failure where wantsPage && [.invalid, .conflict].contains(failure.code) {
            return page(try deliveryPage(of: packet, failure: failure), Site.status(of: failure.code))
        }
    }

    /// As it was saved; before that the usual one, on a page in the words of whoever reads it.
    func shownLetter(of id: ID<Batch>) throws -> BatchLetter {
        var letter = try quire.sendings.letter(of: id, by: member())
        if letter.version == 0, wantsPage {
            let desk = try quire.settings.region().language
            if language != .english || !desk.isEmpty { letter.language = language.tag }
            letter.body = """
                \(texts("example.greeting", ["parent": .text("{{recipient_name}}")]))

                \(texts("letter.usual"))

                {{sender_name}}
                """
        }
        return letter
    }

    /// What a page has shown is what goes out.
    func keepUsualLetter(of id: ID<Batch>) throws {
        let shown = try shownLetter(of: id)
        guard try shown != quire.sendings.letter(of: id, by: member()) else { return }
        try quire.sendings.save(shown, of: id, by: member())
    }

    /// The saved letter with what the request says about it, in JSON or in a form.
    func letter() throws -> BatchLetter {
        let id: ID<Batch> = try id(of: "batch")
        let saved = try shownLetter(of: id)
        let input = try input
        var letter = try BatchLetter(input.json(of: BatchLetter.fields), changing: saved)
        if input.whole == nil, let version = try input.integer("version") { letter.version = version }
        return letter
    }

    func wantedPacket() throws -> ID<Packet>? {
        guard let text = try input.text("packet") ?? request.query["packet"], !text.isEmpty else {
            return nil
        }
        guard let id = ID<Packet>(text) else {
            throw Failure(.notFound, "There is no such packet.", field: "packet")
        }
        return id
    }

    func ledgerPart() throws(Failure) -> Ledger.Filter.Part {
        switch request.query["show"] ?? "" {
        case "", "all": return .all
        case "sent": return .sent
        case "unsent": return .unsent
        case "failed": return .failed
        case let word:
            guard let event = LedgerEvent(rawValue: word) else {
                throw Failure(.invalid, "There is no such state.", field: "show")
            }
            return .state(event)
        }
    }

    func delivery(of packet: ID<Packet>, notice: String) throws -> Response {
        let json = try quire.sendings.delivery(of: packet, by: member()).json(now)
        return done(json, next: "/packets/\(packet)/delivery", notice: notice)
    }

    /// What whoever makes a link chooses.
    func shareTerms() throws -> ShareLinks.Terms {
        let input = try input
        return ShareLinks.Terms(
            note: try input.text("note") ?? "", expiresAt: try input.days("days", from: now),
            password: try input.text("password"), maximumOpenings: try input.integer("limit"),
            isViewOnly: try input.flag("viewOnly"), takesReplies: try input.flag("takesReplies"))
    }
}

extension Response {
    /// A mail as a file.
    static func message(_ bytes: [UInt8], named name: String) -> Response {
        Response.bytes(bytes, MediaType("message/rfc822") ?? .octets).with(
            "Content-Disposition", Disposition.text(inline: false, fileName: name)
        ).with("Cache-Control", "private, no-cache").with(
            "Content-Security-Policy", SecurityHeaders.fileContents)
    }
}
