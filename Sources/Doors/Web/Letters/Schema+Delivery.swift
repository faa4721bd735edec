import Bytes
import Delivery
import Filling

/// Letters, the outbox, the ledger.
extension Schema {
    static let delivery: [(String, JSON)] = [
        ("BatchLetter", with([("files", list(of: object(letterFile)))], letter)),
        (
            "LetterTokens",
            object([
                (
                    "tokens",
                    list(of: object([("name", string), ("column", orNull(string)), ("example", string)]))
                )
            ])
        ),
        (
            "LetterPreview",
            with(
                [
                    ("packet", ref("Packet")), ("from", orNull(string)), ("replyTo", orNull(string)),
                    ("subject", string), ("text", string), ("html", orNull(string)), ("byteCount", whole),
                    ("unknown", list(of: string)), ("empty", list(of: string)),
                    ("problems", list(of: ref("SendingProblem"))),
                    (
                        "attachments",
                        list(of: object([("name", string), ("mediaType", string), ("byteCount", whole)]))
                    ),
                ], addresses)
        ),
        (
            "SendingProblem",
            object([
                ("kind", choice(SendingProblem.Kind.allCases.map(\.rawValue))), ("packet", orNull(id)),
                ("name", string), ("message", string), ("stops", boolean),
            ])
        ),
        (
            "SendingCheck",
            object([
                ("total", whole), ("ready", whole), ("leftOut", whole), ("byteCount", whole),
                ("canStart", boolean), ("reason", orNull(string)),
                (
                    "groups",
                    list(
                        of: object([
                            ("kind", choice(SendingProblem.Kind.allCases.map(\.rawValue))),
                            ("token", orNull(string)), ("stops", boolean),
                            ("count", whole), ("examples", list(of: ref("SendingProblem"))),
                        ]))
                ),
            ])
        ),
        ("BatchSending", object([("sending", ["anyOf": [ref("Sending"), ["type": "null"]]])])),
        (
            "Sending",
            object([
                ("mailing", id), ("title", string), ("state", choice(Mailing.State.allCases.map(\.rawValue))),
                ("job", orNull(id)), ("isPreparing", boolean), ("isFinished", boolean), ("total", whole),
                ("sent", whole), ("unsent", whole), ("failed", whole), ("uncertain", whole),
                ("counts", counts),
                ("trouble", orNull(string)), ("nextAt", orNull(moment)), ("begunAt", moment),
                ("begunBy", string),
            ])
        ),
        ("OutboxReference", object([("message", id)])),
        ("MailAddress", object([("address", string)])),
        (
            "DeliveryPage",
            object([
                ("deliveries", list(of: ref("Delivery"))), ("next", orNull(string)), ("total", whole),
                ("tally", ref("LedgerTally")),
            ])
        ),
        (
            "Delivery",
            object([
                ("packet", ref("Packet")), ("state", orNull(event)), ("at", orNull(moment)),
                ("address", string),
                ("message", orNull(id)), ("reason", orNull(string)), ("links", whole), ("openings", whole),
            ])
        ),
        (
            "PacketDelivery",
            object([
                ("delivery", ref("Delivery")), ("history", list(of: ref("LedgerLine"))),
                ("messages", list(of: ref("OutboxMessage"))), ("links", list(of: ref("Share"))),
            ])
        ),
        ("OutboxMessage", object(message + addresses)),
        (
            "OutboxDetails",
            object(
                message + addresses + [
                    ("attempts", list(of: object(attempt))),
                    (
                        "attachments",
                        list(of: object([("name", string), ("mediaType", string), ("digest", string)]))
                    ),
                ])
        ),
        (
            "OutboxPage",
            object([
                ("messages", list(of: ref("OutboxMessage"))), ("next", orNull(string)),
                ("tally", object(Outbox.Part.allCases.map { ($0.word, whole) })),
                ("tests", object([("all", whole), ("sent", whole)])),
            ])
        ),
        ("Mailing", object(mailing)), ("MailingList", object([("mailings", list(of: ref("Mailing")))])),
        ("MailingDetails", with([("counts", counts)], mailing)),
        (
            "SuppressionList",
            object([
                ("suppressions", list(of: object([("address", string), ("reason", string), ("at", moment)])))
            ])
        ),
        (
            "LedgerItem",
            object([
                ("subject", string), ("run", string), ("recipient", string), ("address", string),
                ("state", event), ("isSent", boolean), ("at", moment), ("line", whole),
                ("title", string), ("forms", list(of: string)),
                ("method", orNull(choice(LedgerAccount.Method.allCases.map(\.rawValue)))),
                ("file", string), ("note", string),
            ])
        ),
        (
            "LedgerPage",
            object([
                ("items", list(of: ref("LedgerItem"))), ("next", orNull(string)),
                ("tally", ref("LedgerTally")),
            ])
        ),
        (
            "LedgerLine",
            object([
                ("number", whole), ("at", moment), ("event", event), ("subject", string), ("run", string),
                ("recipient", string), ("address", string), ("actor", string), ("detail", string),
            ])
        ),
        ("LedgerLines", page("lines", of: "LedgerLine")),
        (
            "LedgerTally",
            object([
                ("sent", whole), ("total", whole), ("unmade", whole),
                ("states", object(LedgerEvent.allCases.map { ($0.rawValue, whole) })),
            ])
        ),
        (
            "LedgerVerification",
            object([
                ("isSound", boolean), ("head", orNull(string)), ("lines", whole),
                ("problems", list(of: string)),
            ])
        ),
        (
            "Returns",
            object([
                (
                    "returns",
                    list(
                        of: object([
                            ("file", string), ("packet", orNull(id)), ("name", string),
                            ("how", choice(ReturnMatch.How.allCases.map(\.rawValue))),
                            (
                                "changed",
                                list(of: object([("field", string), ("sent", string), ("returned", string)]))
                            ), ("added", list(of: string)),
                        ]))
                )
            ])
        ),
        ("Posted", object([("taken", whole)])),
        (
            "BounceReading",
            object([("bounced", whole), ("suppressed", whole), ("foreign", whole), ("arrived", whole)])
        ),
        ("BounceSettings", with([("hasPassword", boolean)], bounces)),
        ("LedgerSettings", object([("keepDays", orNull(whole))])),
        ("RepetitionList", object([("repetitions", list(of: ref("Repetition")))])),
        (
            "Repetition",
            object([
                ("id", id), ("batch", id), ("name", string), ("rule", string), ("zone", string),
                ("file", string), ("source", string), ("waits", boolean),
                ("sends", boolean), ("current", orNull(id)), ("newest", id), ("outcome", string),
                ("ranAt", orNull(moment)), ("nextAt", orNull(moment)), ("isPaused", boolean),
                ("madeAt", moment), ("madeBy", string),
            ])
        ),
        (
            "RepetitionRuns",
            object([
                (
                    "runs",
                    list(of: object([("at", moment), ("outcome", string), ("batch", orNull(id))]))
                )
            ])
        ),
        (
            "RepetitionForecast",
            object([
                ("planned", whole), ("new", whole), ("changed", whole), ("same", whole),
                ("names", list(of: string)),
            ])
        ),
        (
            "HarvestList",
            object([
                (
                    "harvests",
                    list(
                        of: object([
                            ("id", id), ("batch", orNull(id)), ("forms", whole), ("madeAt", moment),
                            ("madeBy", string),
                        ]))
                )
            ])
        ),
        (
            "Harvest",
            object([
                ("id", id), ("batch", orNull(id)), ("madeAt", moment), ("madeBy", string),
                ("names", list(of: string)),
                (
                    "forms",
                    list(
                        of: object([
                            ("file", string), ("fields", ["type": "object"]),
                            ("match", ["type": ["object", "null"]]),
                        ]))
                ), ("problems", list(of: object([("file", string), ("message", string)]))),
            ])
        ),
        ("HarvestMarks", object([("marked", whole)])),
        ("Retried", object([("again", whole), ("left", whole)])),
        (
            "ActivityFigures",
            object([
                (
                    "weeks",
                    list(
                        of: object([
                            ("begins", moment), ("kept", whole), ("searches", whole), ("made", whole),
                            ("sent", whole),
                            ("delivered", whole),
                            ("bounced", whole), ("opened", whole), ("returned", whole), ("refused", whole),
                        ]))
                ), ("papers", whole), ("inStep", orNull(whole)), ("firstPaperSeconds", orNull(whole)),
                ("tools", orNull(list(of: object([("name", string), ("uses", whole)])))),
                ("tally", ref("LedgerTally")), ("lines", whole), ("oldestAt", orNull(moment)),
                ("storage", ref("Usage")),
            ])
        ),
    ]

    static let bounceChange = object(
        bounces + [("password", orNull(string))], optional: Set(bounces.map(\.0) + ["password"]))

    private static let bounces: [(String, JSON)] = [
        ("host", string), ("port", integer(1, 65_535)), ("security", choice(["tls", "starttls", "none"])),
        ("username", string), ("folder", string), ("everyReport", boolean),
    ]

    static let letterChange = object(letter, optional: Set(letter.map(\.0)))

    private static let terms: [(String, JSON)] = [
        ("days", orNull(integer(1, 3_650))), ("password", orNull(["type": "string", "maxLength": 200])),
        ("limit", orNull(integer(1, 1_000_000))), ("note", orNull(["type": "string", "maxLength": 200])),
        ("viewOnly", boolean), ("takesReplies", boolean),
    ]
    static let selectionShare = object(
        [("documents", ["type": "array", "items": id, "minItems": 1, "maxItems": 500])] + terms,
        optional: Set(terms.map(\.0)))
    static let shareTerms = object(terms, optional: Set(terms.map(\.0)))
    static let folderShare = object(
        [("kind", choice(["show", "request"]))] + terms, optional: Set(terms.map(\.0)).union(["kind"]))

    private static let event = choice(LedgerEvent.allCases.map(\.rawValue))
    private static let counts = object(OutboxMessage.State.allCases.map { ($0.rawValue, whole) })
    private static let letterFile: [(String, JSON)] = [
        ("name", string), ("mediaType", string), ("digest", string), ("byteCount", whole),
    ]
    private static let letter: [(String, JSON)] = of(BatchLetter.fields) + [("version", whole)]
    private static let addresses: [(String, JSON)] = [
        ("to", list(of: string)), ("cc", list(of: string)), ("bcc", list(of: string)),
    ]
    private static let message: [(String, JSON)] = [
        ("id", id), ("mailing", id), ("about", string), ("recipient", string), ("messageId", string),
        ("subject", string), ("text", string), ("html", orNull(string)),
        ("state", choice(OutboxMessage.State.allCases.map(\.rawValue))), ("dueAt", moment), ("tries", whole),
        ("reason", orNull(string)), ("postedAt", moment), ("changedAt", moment),
    ]
    private static let attempt: [(String, JSON)] = [
        ("at", moment), ("outcome", string), ("code", orNull(whole)), ("words", string),
        ("refused", orNull(string)), ("sentDigest", orNull(string)),
    ]
    private static let mailing: [(String, JSON)] = [
        ("id", id), ("title", string), ("about", string), ("kind", string),
        ("state", choice(Mailing.State.allCases.map(\.rawValue))), ("from", string),
        ("replyTo", orNull(string)),
        ("perMinute", orNull(whole)), ("opens", orNull(string)), ("closes", orNull(string)), ("zone", string),
        ("reason", orNull(string)), ("isPrepared", boolean), ("madeAt", moment), ("madeBy", string),
    ]
}
