import Access
import App
import Bytes
import Delivery
import Filling
import HTTP
import Markup
import Storage

extension Site {
    /// Letters on their way, one by one and as mailings; addresses nothing is sent to.
    static let outboxActions: [Action] = [
        Action(
            .get, "/outbox", .member(.view),
            .init(
                "List the letters in the outbox", tag: "Outbox",
                parameters: [
                    .init(
                        "show", "Only these",
                        schema: Schema.choice(
                            [""] + Outbox.Part.allCases.map(\.word)
                                + OutboxMessage.State.allCases.map(\.rawValue))),
                    .init("mailing", "Only those of this mailing", schema: Schema.id),
                    .init("batch", "Only those with packets of this batch", schema: Schema.id),
                    .init("q", "Words that must occur in the name or an address"),
                    .init("limit", "How many at most", schema: Schema.integer(1, 500)),
                    .init("after", "`next` of the page before"),
                ],
                answers: [
                    .ok("OutboxPage", "The newest first", headers: ["Link"]),
                    .init(.notFound, "There is no such mailing"),
                ])
        ) { visit in
            let caller = try visit.member()
            let filter = try visit.outboxFilter()
            if visit.wantsPage, filter.mailing == nil { return .redirect(to: visit.sentAddress) }
            let page = try visit.quire.outbox.list(
                filter, before: visit.outboxPlace("after"), limit: visit.limit(otherwise: 50, most: 500),
                by: caller)
            let tally = try visit.quire.outbox.tally(filter.mailing, about: filter.subject, by: caller)
            if visit.wantsPage, let mailing = filter.mailing {
                return visit.page(try visit.outboxPage(page, of: mailing, filter.search, tally))
            }
            return visit.list(
                "messages", page.messages.map(\.json), next: page.next?.text,
                more: [
                    "tally": .object(
                        JSONObject(Outbox.Part.allCases.map { ($0.word, .int(tally[$0] ?? 0)) })),
                    "tests": [
                        "all": .int(try visit.quire.outbox.testCount(about: filter.subject, by: caller)),
                        "sent": .int(
                            try visit.quire.outbox.testCount(.accepted, about: filter.subject, by: caller)),
                    ],
                ])
        },
        Action(
            .post, "/outbox/retry", .member(.edit),
            .init(
                "Send all letters again that failed",
                description:
                    "Those that were refused or came back. What may have arrived is decided letter by letter.",
                tag: "Outbox",
                requestBody: [
                    .init(
                        .json, Schema.object([("mailing", Schema.orNull(Schema.id))], optional: ["mailing"]))
                ],
                answers: [
                    .ok("Retried", "How many go again, and how many were left as they are"),
                    .init(.notFound, "There is no such mailing"),
                ])
        ) { visit in
            let caller = try visit.member()
            var mailing: ID<Mailing>?
            if let text = try visit.input.text("mailing"), !text.isEmpty {
                guard let id = ID<Mailing>(text) else {
                    throw Failure(.notFound, "There is no such mailing.", field: "mailing")
                }
                mailing = try visit.quire.outbox.mailing(id, by: caller).id
            }
            let retried = try visit.quire.outbox.retryFailed(mailing, by: caller)
            return visit.done(
                ["again": .int(retried.count), "left": .int(retried.left)],
                next: mailing.map { "/outbox?mailing=\($0)" } ?? "/ledger",
                notice: "notice.allRetried",
                ["count": .number(retried.count)])
        },
        Action(
            .get, "/outbox/{id}", .member(.view),
            .init("Get a letter", tag: "Outbox", answers: [.ok("OutboxDetails", "With every try to send it")])
        ) { visit in
            visit.wantsPage
                ? visit.page(try visit.messagePage()) : Response.json(try visit.outboxDetails()).kept(false)
        },
        Action(
            .get, "/outbox/{id}/file", .member(.view),
            .init(
                "Get a letter as a file", description: "Exactly as it went or will go out (`.eml`).",
                tag: "Outbox",
                answers: [.init(.ok, "The message (RFC 5322)", [.anything])])
        ) { visit in
            let id: ID<OutboxMessage> = try visit.id(of: "letter")
            return .message(try visit.quire.outbox.copy(id, by: visit.member()), named: "\(id).eml")
        },
        Action(
            .post, "/outbox/{id}/retry", .member(.edit),
            .init(
                "Send a letter again that did not arrive",
                description:
                    "One of an uncertain fate goes out again only by this. With `to` it goes to that address instead.",
                tag: "Outbox",
                requestBody: [
                    .init(.json, Schema.object([("to", Schema.orNull(Schema.string))], optional: ["to"]))
                ],
                answers: [.ok("OutboxDetails", "It waits to be sent")])
        ) { visit in
            let id: ID<OutboxMessage> = try visit.id(of: "letter")
            return try visit.atMessage {
                try visit.quire.outbox.retry(id, to: visit.input.text("to"), by: visit.member())
                return visit.done(
                    try visit.outboxDetails(), next: visit.cameFrom ?? "/outbox/\(id)",
                    notice: "notice.resent")
            }
        },
        Action(
            .post, "/outbox/{id}/cancellation", .member(.edit),
            .init("Stop a letter", tag: "Outbox", answers: [.ok("OutboxDetails", "It is not sent")])
        ) { visit in
            let id: ID<OutboxMessage> = try visit.id(of: "letter")
            return try visit.atMessage {
                try visit.quire.outbox.cancel(id, by: visit.member())
                return visit.done(try visit.outboxDetails(), next: "/outbox/\(id)")
            }
        },
        Action(
            .get, "/mailings", .member(.view),
            .init(
                "List mailings", tag: "Outbox",
                answers: [.ok("MailingList", "The newest first, at most a hundred")])
        ) { visit in
            if visit.wantsPage { return .redirect(to: "/ledger") }
            let mailings = try visit.quire.outbox.mailings(by: visit.member())
            return Response.json(["mailings": .array(mailings.map(\.json))]).kept(false)
        },
        Action(
            .get, "/mailings/{id}", .member(.view),
            .init(
                "Get a mailing", tag: "Outbox",
                answers: [.ok("MailingDetails", "With how many letters are in each state")])
        ) { visit in
            if visit.wantsPage { return .redirect(to: "/outbox?mailing=\(visit.parameter("id"))") }
            return Response.json(try visit.mailingDetails()).kept(false)
        },
        mailing("pause", "Hold a mailing", "Nothing more goes out") {
            try $0.quire.outbox.pause($1, by: $0.member())
        },
        mailing("resumption", "Let a mailing go on", "It goes on") {
            try $0.quire.outbox.release($1, by: $0.member())
        },
        mailing("cancellation", "End a mailing", "What has not gone out stays here") {
            try $0.quire.outbox.cancel($1, by: $0.member())
        },
        Action(
            .get, "/suppressions", .member(.view),
            .init(
                "List addresses nothing is sent to", tag: "Outbox",
                answers: [.ok("SuppressionList", "Mail to them came back, or their owner asked")])
        ) { visit in
            let entries = try visit.quire.outbox.suppressions.list(by: visit.member())
            return try visit.show(["suppressions": .array(entries.map(\.json))]) {
                try visit.suppressionsPage()
            }
        },
        Action(
            .post, "/suppressions", .member(.edit),
            .init(
                "Send nothing to an address any more", tag: "Outbox",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [("address", Schema.string), ("reason", Schema.orNull(Schema.string))],
                            optional: ["reason"]))
                ], answers: [.ok("SuppressionList", "It is on the list")])
        ) { visit in
            let input = try visit.input
            do {
                try visit.quire.outbox.suppressions.add(
                    input.requiredText("address"),
                    reason: input.text("reason") ?? visit.texts("suppressions.asked"), by: visit.member())
            } catch let failure as Failure where visit.wantsPage && failure.code == .invalid {
                return visit.page(
                    try visit.suppressionsPage(
                        failure: failure, typed: input.text("address") ?? ""), .unprocessable)
            }
            let entries = try visit.quire.outbox.suppressions.list(by: visit.member())
            return visit.done(["suppressions": .array(entries.map(\.json))], next: "/suppressions")
        },
        Action(
            .delete, "/suppressions/{address}", .member(.edit),
            .init(
                "Allow mail to an address again", tag: "Outbox",
                answers: [.init(.noContent, "It is off the list")])
        ) { visit in
            try visit.quire.outbox.suppressions.remove(visit.parameter("address"), by: visit.member())
            return visit.done([:], .noContent, next: "/suppressions")
        },
    ]

    private static func mailing(
        _ act: String, _ summary: String, _ outcome: String,
        _ body: @escaping @Sendable (Visit, ID<Mailing>) throws -> Void
    ) -> Action {
        Action(
            .post, "/mailings/{id}/\(act)", .member(.edit),
            .init(summary, tag: "Outbox", answers: [.ok("MailingDetails", outcome)])
        ) { visit in
            try body(visit, visit.id(of: "mailing"))
            return visit.done(try visit.mailingDetails(), next: "/ledger")
        }
    }
}

extension Visit {
    /// What could not be done to a letter is said on its page.
    func atMessage(_ body: () throws -> Response) throws -> Response {
        do {
            return try body()
        } catch let failure as Failure where wantsPage && [.conflict, .invalid].contains(failure.code) {
            return page(
                try messagePage(failure: failure), failure.code == .conflict ? .conflict : .unprocessable)
        }
    }

    /// The page of a batch or the outbox that a button was pressed on.
    var cameFrom: String? {
        guard let referrer = request.headers["Referer"], referrer.hasPrefix(origin + "/") else { return nil }
        let path = String(referrer.dropFirst(origin.utf8.count))
        return path.hasPrefix("/batches/") && path.hasSuffix("/sending") ? path : nil
    }

    /// Where all that was sent is looked at, narrowed as the outbox is.
    fileprivate var sentAddress: String {
        let (query, show) = (request.query, request.query["show"] ?? "")
        let part = OutboxMessage.State(rawValue: show).map { state in
            ["waiting", "sending", "ending"].contains(state.rawValue) ? "posted" : state.rawValue
        }
        let run = query["batch"].map { $0.isEmpty ? "" : "batch/\($0)" } ?? ""
        let words = Pages.queryEncoded(query["q"] ?? "")
        return "/ledger?show=\(part ?? show)&q=\(words)&run=\(Pages.queryEncoded(run))"
    }

    func outboxFilter() throws -> Outbox.Filter {
        let query = request.query
        var filter = Outbox.Filter(search: query["q"] ?? "")
        switch query["show"] ?? "" {
        case "": break
        case let word:
            if let part = Outbox.Part(word: word) {
                filter.part = part
            } else if let state = OutboxMessage.State(rawValue: word) {
                filter.state = state
            } else {
                throw Failure(.invalid, "There is no such state.", field: "show")
            }
        }
        if let text = query["mailing"], !text.isEmpty {
            guard let id = ID<Mailing>(text) else {
                throw Failure(.notFound, "There is no such mailing.", field: "mailing")
            }
            filter.mailing = id
        }
        if let text = query["batch"], !text.isEmpty {
            guard let id = ID<Batch>(text) else {
                throw Failure(.notFound, "There is no such batch.", field: "batch")
            }
            filter.subject = try "batch/\(quire.batches.get(id, by: member()).id)"
        }
        return filter
    }

    func outboxPlace(_ name: String) throws -> ID<OutboxMessage>? {
        guard let text = request.query[name], !text.isEmpty else { return nil }
        guard let id = ID<OutboxMessage>(text) else {
            throw Failure(.invalid, "“\(name)” is not a letter.", field: name)
        }
        return id
    }

    func outboxDetails() throws -> JSON {
        let id: ID<OutboxMessage> = try id(of: "letter")
        let caller = try member()
        var json = try quire.outbox.get(id, by: caller).json
        json["attempts"] = .array(try quire.outbox.attempts(of: id, by: caller).map(\.json))
        json["attachments"] = .array(try quire.outbox.attachments(of: id, by: caller).map(\.json))
        return json
    }

    func mailingDetails() throws -> JSON { try mailingDetails(id(of: "mailing")) }

    func mailingDetails(_ id: ID<Mailing>) throws -> JSON {
        let caller = try member()
        var json = try quire.outbox.mailing(id, by: caller).json
        let counts = try quire.outbox.counts(of: id, by: caller)
        json["counts"] = .object(
            JSONObject(OutboxMessage.State.allCases.map { ($0.rawValue, .int(counts[$0] ?? 0)) }))
        return json
    }
}
