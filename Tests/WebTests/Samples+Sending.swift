import Delivery
import Markup
import Work

@testable import Web

/// The consent forms of the third class, on their way.
extension Samples {
    private static let sendingBatch = BatchLine(
        id: "b1", name: "Consent forms", state: .done, reached: .give, papers: ["Consent form"],
        list: "Pupils 2026", recipientCount: 312, madeCount: 312, changedAt: ago(12))

    private static let letterDraft = {
        var draft = LetterPage.Draft(
            BatchLetter(
                subject: "Consent form for {{child}}",
                body: """
                    Dear {{first_name|family}},

                    please **sign** the form and bring it back.

                    {{sender_name}}
                    """, replyTo: "office@school.example",
                pace: Pace(perMinute: 60, opens: 8 * 60, closes: 18 * 60), version: 3))
        draft.files = [
            EnclosureLine(name: "Map <to> the lake.pdf", mediaType: "application/pdf", byteCount: 48_000)
        ]
        return draft
    }()

    private static func repetition(paused: Bool) -> RepetitionLine {
        RepetitionLine(
            id: "r1", batch: "b1", name: "Consent <forms>", rule: "FREQ=DAILY;BYHOUR=7",
            file: "/x/pupils.csv",
            sends: true, isPaused: paused, isRunning: false, nextAt: now, outcome: "Made 2, sending 2.",
            ranAt: ago(600))
    }

    private static let tokens: [LetterPage.Token] = [
        .init(name: "recipient_name", example: "Zoë Ångström", isColumn: false),
        .init(name: "date", example: "21 November 2026", isColumn: false),
        .init(name: "first_name", example: "Zoë"), .init(name: "child", example: "<b>Ludo</b>"),
        .init(name: "a_column_with_a_name_that_nobody_would_ever_think_of", example: ""),
    ]

    private static let preview = LetterPage.Preview(
        number: 2, count: 287, name: "Zoë Ångström", previous: "k1", next: "k3", packet: "k2",
        from: "School <office@school.example>", replyTo: "office@school.example",
        to: ["Zoë Ångström <zoe@example.org>"], copies: ["parents@example.org"],
        subject: "Consent form for Ludo",
        text: "Dear Zoë,\n\nplease sign the form.",
        html: "<p>Dear Zoë,</p><p>please <strong>sign</strong> the form and bring it back.</p>",
        files: [
            EnclosureLine(name: "Consent form_Zoë.pdf", mediaType: "application/pdf", byteCount: 91_200)
        ], byteCount: 142_000, unknown: ["clas"], empty: ["nickname"],
        problems: [.init(mood: .warn, sentence: "Ada Byron has the same address.")])

    private static let troubles: [SendingPage.Trouble] = [
        .init(
            message: "o1", packet: "k9", name: "Wolfeschlegelsteinhausenbergerdorff",
            address: "wolfe@nowhere.example", state: "refused", reason: "550 5.1.1 No such user here"),
        .init(
            message: "o2", packet: nil, name: "Ada Byron", address: "ada@example.org", state: "uncertain",
            reason: "Quire ended before the mail server answered."),
    ]

    private static func progress(_ state: SendingPage.Progress.State, sent: Int) -> SendingPage.Progress {
        SendingPage.Progress(
            state: state, job: "j9", mailing: "m1", total: 287, sent: sent, waiting: 285 - sent, failed: 1,
            uncertain: 1, trouble: state == .paused ? "535 5.7.8 The password is wrong." : nil,
            nextAt: state == .running ? now : nil, troubles: troubles)
    }

    private static let check = SendingPage.Check(
        total: 312, ready: 287, byteCount: 31_000_000, sender: "School <office@school.example>",
        groups: SendingKinds.all.map { kind in
            .init(
                kind: kind, token: kind.hasSuffix("Token") ? "{{class}}" : nil, count: 25,
                stops: kind != "emptyToken",
                examples: [
                    ("Ada Byron", "There is no address on the list.", "k4"), ("", "Something else.", nil),
                ])
        }, pace: "At most 60 a minute.")

    private static let deliveryLines: [DeliveryItem] = DeliveryStates.all.enumerated().map { index, state in
        DeliveryItem(
            packet: "k\(index)", number: index + 1, name: "Person <\(index)>",
            address: index == 3 ? "" : "person\(index)@example.org", state: state,
            at: index == 0 ? nil : ago(Int64(index * 7)),
            reason: state == "bounced" ? "550 5.1.1 No such user" : nil, links: index, openings: index % 3)
    }

    private static let delivery: PacketWayPage = {
        var page = PacketWayPage(
            batch: sendingBatch, line: deliveryLines[4], fileName: "Consent form_Zoë.pdf",
            history: DeliveryStates.all.enumerated().map { index, state in
                .init(
                    at: ago(Int64(300 - index)), state: state, actor: "Ana Tremblay",
                    address: "zoe@example.org", detail: index == 2 ? "250 2.0.0 Ok: queued as <4F2>" : "")
            }, messages: [outboxLines[1]],
            links: [
                ShareLine(
                    id: "s1", documentID: "k4", documentName: "", createdAt: ago(60), expiresAt: now,
                    hasPassword: true, openings: 2)
            ])
        page.newLink = .init(
            address: "https://desk.example/s/quire_share_0123456789abcdef",
            code: "<svg viewBox=\"0 0 4 4\"><path d=\"M0 0h2v2H0z\"></path></svg>", hasPassword: true)
        page.mailAddress = "mailto:zoe@example.org?subject=Consent%20form"
        page.canRevert = true
        return page
    }()

    private static let outboxLines: [OutboxLine] = OutboxStates.all.enumerated().map { index, state in
        OutboxLine(
            id: "o\(index)", name: "Person <\(index)>", address: "person\(index)@example.org",
            title: "Consent form for Ludo & co", state: state, at: ago(Int64(index * 9)),
            reason: state == "refused" ? "550 5.1.1 No such user" : nil)
    }

    private static let mailings: [MailingLine] = MailingLine.State.allCases.enumerated().map { index, state in
        MailingLine(
            id: "m\(index)", title: "Consent forms", batch: index == 0 ? "b1" : nil, state: state, sent: 120,
            total: 287, reason: state == .paused ? "The mail server did not take the password." : nil,
            at: ago(20), madeBy: "Ana Tremblay")
    }

    private static let parts: [(key: String, count: Int)] =
        [("", 312), ("unsent", 25), ("sent", 287)] + DeliveryStates.all.map { ($0, 12) }

    private static let figures: FiguresPage = {
        var page = FiguresPage(
            weeks: (0..<26).map { week in
                .init(
                    begins: now - .seconds((25 - week) * 7 * 86_400), kept: week * 7 % 40,
                    made: week * 13 % 90,
                    delivered: week * 11 % 70, bounced: week % 3, opened: week % 9, returned: week % 7)
            })
        page.papers = 512
        page.inStep = 498
        page.untilFirstPaper = .seconds(780)
        page.searches = 1240
        page.tools = [("Compress", 41), ("Convert", 12), ("Recognize text", 1)]
        page.made = 1_204
        page.sent = 1_100
        page.bounced = 26
        page.returned = 78
        page.storage = [("Papers", 48_000_000), ("Database", 9_000_000), ("Pictures", 0)]
        page.ledgerLines = 4_096
        page.ledgerIsSound = true
        page.ledgerCheckedAt = ago(600)
        return page
    }()

    static func sendingPages(_ f: (String) -> Frame) -> [(name: String, html: HTML)] {
        func sending(_ progress: SendingPage.Progress?, _ check: SendingPage.Check? = nil) -> HTML {
            Pages.sending(
                f("/batches/b1/sending"),
                SendingPage(
                    batch: sendingBatch, check: check, progress: progress, ownAddress: "ana@school.example"))
        }
        var empty = check
        empty.ready = 0
        empty.canStart = false
        empty.reason = "There is no mail account yet."
        var letter = LetterPage(batch: sendingBatch, draft: letterDraft, tokens: tokens, preview: preview)
        letter.postedCount = 12
        var wrong = LetterPage(
            batch: sendingBatch, draft: letterDraft, tokens: tokens,
            previewError: "There is no such packet.")
        wrong.hasAccount = false
        wrong.draft["attaches"] = "link"
        wrong.error = "“office” is not a mail address."
        wrong.errorField = "replyTo"
        return [
            ("letter", Pages.letter(f("/batches/b1/letter"), letter)),
            ("letter-wrong", Pages.letter(f("/batches/b1/letter"), wrong)),
            ("sending-check", sending(nil, check)), ("sending-none", sending(nil, empty)),
            ("sending-preparing", sending(progress(.preparing, sent: 0))),
            ("sending-running", sending(progress(.running, sent: 120))),
            ("sending-paused", sending(progress(.paused, sent: 120))),
            ("sending-cancelled", sending(progress(.cancelled, sent: 120), check)),
            ("sending-done", sending(progress(.done, sent: 285))),
            (
                "deliveries",
                Pages.deliveries(
                    f("/batches/b1/deliveries"),
                    DeliveriesPage(
                        batch: sendingBatch, lines: deliveryLines, parts: parts, next: 50, matchCount: 312,
                        sent: 287, total: 312))
            ),
            (
                "deliveries-none",
                Pages.deliveries(
                    f("/batches/b1/deliveries"),
                    DeliveriesPage(
                        batch: sendingBatch, lines: [], part: "bounced", parts: parts, filter: "zzz",
                        matchCount: 0, sent: 287, total: 312))
            ),
            (
                "deliveries-empty",
                Pages.deliveries(
                    f("/batches/b1/deliveries"),
                    DeliveriesPage(batch: sendingBatch, lines: [], matchCount: 0, sent: 0, total: 0))
            ),
            ("delivery", Pages.delivery(f("/packets/k4/delivery"), delivery)),
            (
                "outbox",
                Pages.outbox(
                    f("/outbox"),
                    OutboxPage(
                        lines: outboxLines, mailing: mailings[0], part: "failed",
                        parts: [("", 9), ("failed", 2)],
                        next: "o9"))
            ),
            (
                "outbox-nothing-found",
                Pages.outbox(f("/outbox"), OutboxPage(lines: [], mailing: mailings[0], hasAccount: false))
            ),
            (
                "message",
                Pages.message(
                    f("/outbox/o4"),
                    MessagePage(
                        line: outboxLines[4], heads: [("From", "School <office@school.example>")],
                        text: "Dear Zoë", html: nil, files: preview.files,
                        attempts: [
                            .init(
                                at: ago(3), outcome: "waiting", words: "451 4.7.1 Try again later",
                                refused: "ada@example.org: 550", digest: String(repeating: "ab", count: 32))
                        ], tries: 1, dueAt: now, packet: "k4"))
            ),
            (
                "suppressions",
                Pages.suppressions(
                    f("/suppressions"),
                    SuppressionsPage(entries: [("ada@example.org", "550 5.1.1 No such user", ago(600))]))
            ),
            (
                "suppressions-empty",
                Pages.suppressions(
                    f("/suppressions"), SuppressionsPage(entries: [], error: "No.", typed: "ada"))
            ),
            (
                "ledger",
                Pages.ledger(
                    f("/ledger"),
                    LedgerPage(
                        items: deliveryLines.enumerated().map { index, line in
                            .init(
                                subject: index == 1 ? "message/o1" : "packet/\(line.packet)",
                                recipient: line.name, address: line.address, state: line.state, at: now)
                        }, part: "failed", parts: parts, next: "40", sent: 287, total: 312,
                        mailings: mailings, failedLetters: 2,
                        verdict: .init(problems: [], at: now, head: "287:9f86d081<884c"), kept: "18:9f86"))
            ),
            (
                "ledger-kept-wrong",
                Pages.ledger(
                    f("/ledger"),
                    LedgerPage(items: [], sent: 2, total: 3, kept: "18", keptProblem: "It is <none>."))
            ),
            (
                "ledger-tampered",
                Pages.ledger(
                    f("/ledger"),
                    LedgerPage(
                        items: [], filter: "zzz", run: "batch/b1", runTitle: "Consent forms", sent: 2,
                        total: 3,
                        verdict: .init(problems: ["Line 7 of the ledger was changed."], at: now)))
            ),
            ("harvests-empty", Pages.harvests(f("/harvests"), HarvestsPage(error: "Choose the forms."))),
            (
                "harvests",
                Pages.harvests(
                    f("/harvests"),
                    HarvestsPage(
                        lines: [
                            .init(id: "h1", batch: "Consent <forms>", formCount: 312, at: now, madeBy: "Ana")
                        ], batches: [("b1", "Consent <forms>")], chosen: "b1"))
            ),
            (
                "harvest",
                Pages.harvest(
                    f("/harvests/h1"),
                    HarvestPage(
                        id: "h1", batch: ("b1", "Consent forms"), names: ["child name", "a <b> name"],
                        rows: [
                            .init(
                                file: "scan 1.pdf",
                                match: .init(
                                    packet: "k2", name: "Zoë Ångström", how: "texts",
                                    changed: [("class", "5a", "<6b>"), ("phone", "555", "")],
                                    added: ["note"]), cells: ["Zoë Ångström", "=1+1"]),
                            .init(
                                file: "scan 2.pdf",
                                match: .init(
                                    packet: nil, name: "", how: "unclear", changed: [], added: []),
                                cells: ["", ""]),
                        ], formCount: 300, found: 1, problems: [("holiday.jpg", "It is no form.")], at: now))
            ),
            (
                "harvest-none",
                Pages.harvest(
                    f("/harvests/h2"),
                    HarvestPage(
                        id: "h2", names: [], rows: [], formCount: 0,
                        problems: [("a.pdf", "It is locked with a password."), ("b", "It is no form.")],
                        at: now))
            ),
            ("repetitions-empty", Pages.repetitions(f("/repetitions"), RepetitionsPage())),
            (
                "repetitions",
                Pages.repetitions(
                    f("/repetitions"),
                    RepetitionsPage(
                        lines: [repetition(paused: false), repetition(paused: true)],
                        batches: [("b1", "Consent forms")], chosen: "b1", file: "../x",
                        error: "Name a file in the folder.", errorField: "file"))
            ),
            (
                "repetition",
                Pages.repetition(
                    f("/repetitions/r1"),
                    RepetitionPage(
                        line: repetition(paused: false), zone: "America/Denver", newest: "b1",
                        runs: [
                            .init(at: now, outcome: "Made 2, sending 2.", batch: "b1"),
                            .init(at: ago(600), outcome: "Nothing is new or changed."),
                        ],
                        forecast: .init(
                            planned: 30, new: 28, changed: 2, names: ["Zoë Ångström", "<b>Ludo</b>"])))
            ),
            (
                "repetition-quiet",
                Pages.repetition(
                    f("/repetitions/r1"),
                    RepetitionPage(
                        line: repetition(paused: true), zone: "UTC", newest: "b1",
                        forecast: .init(planned: 0, new: 0, changed: 0, names: []), error: "No."))
            ),
            ("ledger-empty", Pages.ledger(f("/ledger"), LedgerPage(items: [], sent: 0, total: 0))),
            (
                "ledger-lines",
                Pages.ledgerLines(
                    f("/ledger/lines"),
                    LedgerLinesPage(
                        item: .init(
                            subject: "message/o1", recipient: "", address: "", state: "accepted", at: now),
                        lines: [
                            .init(
                                number: 12, at: now, state: "accepted", address: "ada@example.org",
                                actor: "quire/delivery", detail: "250 Ok")
                        ]))
            ),
            ("figures", Pages.activity(f("/activity"), ActivityPage(view: .figures, figures: figures))),
            (
                "figures-empty",
                Pages.activity(
                    f("/activity"),
                    ActivityPage(
                        view: .figures, figures: FiguresPage(weeks: [.init(begins: now)])))
            ),
        ]
    }
}

/// The words the desk uses; a test holds them against the desk's own lists where those can be seen.
enum DeliveryStates {
    static let all = [
        "made", "posted", "cancelled", "suppressed", "refused", "uncertain", "handedOver", "shared",
        "accepted",
        "bounced", "opened", "returned", "corrected",
    ]
}

enum OutboxStates {
    static let all = [
        "waiting", "sending", "ending", "accepted", "refused", "uncertain", "suppressed", "bounced",
        "cancelled",
    ]
}

enum SendingKinds {
    static let all = [
        "noAddress", "badAddress", "suppressed", "sentAlready", "notMade", "tooLarge", "noPassword",
        "duplicateAddress",
        "heldBack", "emptyToken", "unknownToken", "badValue", "badFormula", "noSubject", "noAccount",
        "noOrigin",
        "notFilled", "underWay",
    ]
}
