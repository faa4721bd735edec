import Access
import App
import Bytes
import Delivery
import HTTP
import Markup
import People
import Storage
import Transfer
import Work

// What members are told, and what they want to be told.
extension Site {
    private static let unread = Schema.object([("unread", Schema.whole)])
    static let noticeChoiceSchema = Schema.object([
        ("topics", Schema.list(of: Schema.choice(Notice.Topic.allCases.map(\.rawValue)))),
        ("mail", Schema.choice(NoticeChoice.Mail.allCases.map(\.rawValue))), ("address", Schema.string),
        ("canMail", Schema.boolean), ("devices", Schema.list(of: deviceSchema)), ("pushKey", Schema.string),
    ])
    private static let deviceSchema = Schema.object([
        ("id", Schema.id), ("name", Schema.string), ("madeAt", Schema.moment),
        ("toldAt", Schema.orNull(Schema.moment)), ("trouble", Schema.orNull(Schema.string)),
    ])
    private static let noticeSchema = Schema.object([
        ("id", Schema.id), ("kind", Schema.choice(Notice.Kind.allCases.map(\.rawValue))),
        ("topic", Schema.choice(Notice.Topic.allCases.map(\.rawValue))), ("subject", Schema.string),
        ("sentence", Schema.string), ("notes", Schema.list(of: Schema.string)), ("count", Schema.whole),
        ("link", Schema.orNull(Schema.string)), ("at", Schema.moment),
        ("readAt", Schema.orNull(Schema.moment)),
    ])

    static let noticeActions: [Action] = [
        Action(
            .get, "/notices", .member(.view),
            .init(
                "List what you were told", tag: "About",
                parameters: [
                    .init("unread", "`true` for those alone that were not read", schema: Schema.boolean),
                    .init("limit", "How many at most", schema: Schema.integer(1, 200)),
                ],
                answers: [
                    .init(
                        .ok, "The newest first",
                        [
                            .init(
                                .json,
                                Schema.object([
                                    ("notices", Schema.list(of: noticeSchema)), ("unread", Schema.whole),
                                ]))
                        ])
                ])
        ) { visit in
            let caller = try visit.member()
            let notices = try visit.access.notices.list(
                unread: visit.request.query["unread"] == "true",
                limit: try visit.limit(otherwise: 100, most: 200), by: caller)
            let count = try visit.access.notices.unreadCount(by: caller)
            let teller = try NoticeTeller(visit.quire, notices, visit.texts, for: caller)
            return try visit.show([
                "notices": .array(notices.map { teller.json($0) }), "unread": .int(count),
            ]) {
                Pages.notices(
                    visit.frame, NoticesPage(lines: notices.map(teller.line), unreadCount: count))
            }
        },
        Action(
            .post, "/notices/read", .member(.view),
            .init(
                "Mark what you were told as read",
                description: "All of it, or what had come until a moment.", tag: "About",
                requestBody: [
                    .init(.json, Schema.object([("until", Schema.moment)], optional: ["until"]))
                ], answers: [.init(.ok, "How many are still unread", [.init(.json, unread)])])
        ) { visit in
            let text = try visit.input.text("until") ?? ""
            let until = Moment(iso8601: text)
            guard text.isEmpty || until != nil else {
                throw Failure(.invalid, "“until” is no moment; one is 2026-01-31T12:00:00Z.", field: "until")
            }
            let caller = try visit.member()
            try visit.access.notices.markRead(until: until, by: caller)
            return visit.done(
                ["unread": .int(try visit.access.notices.unreadCount(by: caller))], next: "/notices",
                notice: "notice.noticesRead")
        },
        Action(
            .get, "/settings/notices", .member(.view),
            .init(
                "Get what you want to be told", tag: "Settings",
                answers: [.init(.ok, "Of what, and how", [.init(.json, noticeChoiceSchema)])])
        ) { visit in
            let model = try choicePage(visit)
            return try visit.show(model.json) { Pages.noticeChoice(visit.frame, model) }
        },
        Action(
            .post, "/settings/notices", .member(.view),
            .init(
                "Choose what you want to be told",
                description:
                    "What is left out stays as it is. Mail goes out `off`, `atOnce` (never more than one an hour) or `daily`.",
                tag: "Settings",
                requestBody: [
                    .init(
                        .json,
                        Schema.object(
                            [
                                (
                                    "topics",
                                    Schema.list(of: Schema.choice(Notice.Topic.allCases.map(\.rawValue)))
                                ),
                                ("mail", Schema.choice(NoticeChoice.Mail.allCases.map(\.rawValue))),
                                ("address", Schema.string),
                            ], optional: ["topics", "mail", "address"]))
                ], answers: [.init(.ok, "As it is now", [.init(.json, noticeChoiceSchema)])])
        ) { visit in
            var model = try choicePage(visit)
            do {
                try read(visit.input, into: &model, isForm: visit.wantsPage)
                try visit.access.notices.choose(model.choice, by: try visit.member())
                try visit.quire.noticeMail.promise()
                return visit.done(
                    try choicePage(visit).json, next: "/settings/notices", notice: "notice.saved")
            } catch let failure as Failure where visit.wantsPage && failure.code == .invalid {
                model.error = visit.said(failure)
                model.errorField = failure.field
                return visit.page(
                    Pages.noticeChoice(visit.frameAt("/settings/notices"), model), .unprocessable)
            }
        },
    ]

    static let pushActions: [Action] = [
        Action(
            .post, "/settings/notices/devices", .member(.view),
            .init(
                "Be told on a device",
                description:
                    "What the browser gave for `pushKey` when somebody there said yes. Notices are shown on it, also while no page is open, as long as the session lasts in which it was asked for.",
                tag: "Settings",
                requestBody: [
                    .init(
                        .json,
                        Schema.object([
                            ("endpoint", Schema.string), ("p256dh", Schema.string), ("auth", Schema.string),
                        ]))
                ],
                answers: [.init(.created, "The device", [.init(.json, deviceSchema)])])
        ) { visit in
            let input = try visit.input
            let device = try visit.access.notices.addDevice(
                input.requiredText("endpoint"), point: Base64.urlDecode(input.requiredText("p256dh")) ?? [],
                secret: Base64.urlDecode(input.requiredText("auth")) ?? [], origin: visit.origin,
                from: visit.visitor, by: visit.member())
            return visit.done(
                NoticeChoicePage.Device(device, visit.texts).json, .created, at: "/settings/notices",
                next: "/settings/notices",
                notice: "notice.push.on")
        },
        Action(
            .delete, "/settings/notices/devices/{id}", .member(.view),
            .init(
                "Be told on a device no more", tag: "Settings",
                answers: [.init(.noContent, "It is told nothing more")])
        ) { visit in
            try visit.access.notices.removeDevice(visit.id(of: "device"), by: visit.member())
            return visit.done([:], .noContent, next: "/settings/notices", notice: "notice.push.off")
        },
        Action(
            .post, "/settings/notices/devices/{id}/trial", .member(.view),
            .init(
                "Show a word on a device", description: "To see that notices arrive there.",
                tag: "Settings",
                answers: [.init(.noContent, "The service of its browser took it")])
        ) { visit in
            try visit.quire.noticePush.tryOut(visit.id(of: "device"), by: visit.member())
            return visit.done([:], .noContent, next: "/settings/notices", notice: "notice.push.tried")
        },
    ]

    private static func choicePage(_ visit: Visit) throws -> NoticeChoicePage {
        let caller = try visit.member()
        let member = try caller.memberID.map { try visit.access.members.get($0) }
        return NoticeChoicePage(
            topics: Notice.Topic.open(to: caller.role), choice: try visit.access.notices.choice(by: caller),
            signInName: member?.signInName ?? "", canMail: visit.hasMailAccount,
            devices: try visit.access.notices.devices(by: caller).map { .init($0, visit.texts) },
            // A desk that cannot write a key now shows everything else.
            pushKey: visit.session == nil
                ? "" : (try? visit.quire.noticePush.publicKey()).map { Base64.urlEncode($0) } ?? "")
    }

    private static func read(_ input: Input, into model: inout NoticeChoicePage, isForm: Bool) throws {
        if isForm || input.has("topics") {
            let words = try input.texts("topics")
            let topics = words.compactMap(Notice.Topic.init(rawValue:))
            guard topics.count == words.count else {
                throw Failure(
                    .invalid,
                    "Notices are about \(Notice.Topic.allCases.map(\.rawValue).joined(separator: ", ")).",
                    field: "topics")
            }
            // What is not offered to this reader stays as it was.
            model.choice.topics.subtract(model.topics)
            model.choice.topics.formUnion(topics)
        }
        model.choice.address = (try input.text("address") ?? model.choice.address).filter { !$0.isWhitespace }
        if let word = try input.text("mail") {
            guard let mail = NoticeChoice.Mail(rawValue: word) else {
                throw Failure(.invalid, "Mail goes out off, atOnce or daily.", field: "mail")
            }
            model.choice.mail = mail
        }
        guard model.choice.address.isEmpty || MailAddress(model.choice.address) != nil else {
            throw Failure.notAnAddress(model.choice.address, field: "address")
        }
        guard
            model.choice.mail == .off
                || NoticeMail.address(of: model.choice, signInName: model.signInName) != nil
        else { throw Failure(.invalid, "Say to which address the notices go.", field: "address") }
    }
}

extension NoticeChoicePage {
    var json: JSON {
        [
            "topics": .array(topics.filter(choice.topics.contains).map { .string($0.rawValue) }),
            "mail": .string(choice.mail.rawValue), "address": .string(choice.address),
            "canMail": .bool(canMail),
            "devices": .array(devices.map(\.json)), "pushKey": .string(pushKey),
        ]
    }
}

extension NoticeChoicePage.Device {
    fileprivate init(_ device: PushDevice, _ texts: Texts) {
        self.init(
            id: device.id.text, name: device.name, endpoint: device.endpoint, madeAt: device.madeAt,
            toldAt: device.toldAt, trouble: device.trouble.map(texts.said))
    }

    fileprivate var json: JSON {
        [
            "id": .string(id), "name": .string(name), "madeAt": .moment(madeAt),
            "toldAt": .optional(toldAt?.iso8601), "trouble": .optional(trouble),
        ]
    }
}

/// Notices in the words of one reader, without the names of what is private and not open to them.
struct NoticeTeller {
    private let texts: Texts
    private let names: [String: String]
    private let hidden: Set<String>
    /// Whom to get back to by now.
    private let waiting: [String]

    init(_ quire: Quire, _ notices: [Notice], _ texts: Texts, for caller: Caller) throws {
        self.texts = texts
        let hidden = try quire.hidden(among: notices.flatMap { [$0.subject, $0.about] }, from: caller)
        self.hidden = hidden
        names = try quire.names(of: notices.map(\.subject).filter { !hidden.contains($0) })
        let isDue = notices.contains { $0.kind == .followUpsDue && $0.readAt == nil }
        let found = try isDue ? quire.contacts.waiting(limit: 5, by: caller) : nil
        waiting =
            (found?.contacts.map(\.name) ?? [])
            + ((found?.matchCount ?? 0) > (found?.contacts.count ?? 0) ? ["…"] : [])
    }

    func sentence(_ notice: Notice) -> String {
        texts("notices.\(notice.kind.rawValue)", ["count": .number(notice.count)])
    }

    /// What it is about, and what came of it. In a mail nothing is said of one's own cards: others may read it in the
    /// outbox.
    func notes(_ notice: Notice, inMail: Bool = false) -> [String] {
        guard !hidden.contains(notice.subject), !hidden.contains(notice.about) else { return [] }
        if inMail, notice.kind.topic == .cards { return [] }
        if notice.kind == .followUpsDue {
            return notice.readAt == nil && !waiting.isEmpty ? [waiting.joined(separator: ", ")] : []
        }
        return [names[notice.subject] ?? "", texts.said(notice.words)].filter { !$0.isEmpty }
    }

    func link(_ notice: Notice) -> String? {
        switch notice.kind {
        case .repetitionRan, .repetitionWaits, .repetitionFailed:
            names[notice.subject] == nil
                ? "/repetitions" : "/\(notice.subject.replacing("repetition/", with: "repetitions/"))"
        case .mailBack, .sendingStopped: "/ledger?show=\(notice.kind == .mailBack ? "failed" : "unsent")"
        case .cardBack: "/cards"
        case .followUpsDue: "/contacts?due=planned"
        case .papersCame: "/documents"
        case .formBack: formPlace(notice.subject)
        case .papersWait: "/suggestions"
        case .backupFailed: "/settings/storage"
        case .jobFailed: "/activity"
        case .question: nil
        }
    }

    /// Where the replies to it stand.
    private func formPlace(_ subject: String) -> String {
        guard names[subject] != nil else { return "/documents" }
        return subject.hasPrefix("batch/")
            ? subject.replacing("batch/", with: "/harvests?batch=")
            : subject.replacing("document/", with: "/documents/") + "#share"
    }

    func line(_ notice: Notice) -> NoticeLine {
        NoticeLine(
            sentence: sentence(notice), notes: notes(notice), address: link(notice),
            icon: Self.icon(notice.kind), at: notice.at, isUnread: notice.readAt == nil)
    }

    func json(_ notice: Notice) -> JSON {
        [
            "id": .string(notice.id.text), "kind": .string(notice.kind.rawValue),
            "topic": .string(notice.kind.topic.rawValue),
            "subject": .string(hidden.contains(notice.subject) ? "" : notice.subject),
            "sentence": .string(sentence(notice)), "notes": .array(notes(notice).map(JSON.string)),
            "count": .int(notice.count), "link": .optional(link(notice)), "at": .string(notice.at.iso8601),
            "readAt": .optional(notice.readAt?.iso8601),
        ]
    }

    private static func icon(_ kind: Notice.Kind) -> Icon {
        switch kind {
        case .repetitionRan: .again
        case .repetitionWaits: .clock
        case .repetitionFailed, .sendingStopped, .jobFailed: .warning
        case .mailBack: .mail
        case .cardBack: .person
        case .followUpsDue: .calendar
        case .papersCame: .upload
        case .formBack: .reply
        case .papersWait: .folder
        case .backupFailed: .backup
        case .question: .note
        }
    }

    private static func texts(of caller: Caller, _ quire: Quire, _ catalog: Catalog) throws -> Texts {
        let own = try caller.memberID.map { try quire.settings.preferences(of: $0).language } ?? ""
        let tag = own.isEmpty ? try quire.settings.region().language : own
        return Texts(catalog, Language.choose(preference: tag, acceptLanguage: nil))
    }

    /// What a device shows: the one thing that happened, or how many and the newest of them.
    static func push(_ push: Notices.Push, _ quire: Quire, _ catalog: Catalog) throws -> NoticePush.Words {
        let texts = try texts(of: push.caller, quire, catalog)
        let teller = try NoticeTeller(quire, push.notices, texts, for: push.caller)
        guard let newest = push.notices.last else {
            return NoticePush.Words(
                title: texts("push.trial.title"), text: texts("push.trial.text"), link: "/settings/notices")
        }
        guard push.notices.count > 1 else {
            return NoticePush.Words(
                title: teller.sentence(newest), text: teller.notes(newest).joined(separator: "\n"),
                link: teller.link(newest) ?? "/notices")
        }
        return NoticePush.Words(
            title: texts("notices.mail.title", ["count": .number(push.notices.count)]),
            text: push.notices.suffix(5).reversed().map(teller.sentence).joined(separator: "\n"),
            link: "/notices")
    }

    /// A mail with one line for each, in the language its reader has chosen.
    static func mail(
        _ post: Notices.Post, _ quire: Quire, _ catalog: Catalog, origin: String?
    ) throws
        -> NoticeMail.Words
    {
        let texts = try texts(of: post.caller, quire, catalog)
        let teller = try NoticeTeller(quire, post.notices, texts, for: post.caller)
        let lines = post.notices.map { notice in
            let said = ([teller.sentence(notice)] + teller.notes(notice, inMail: true)).joined(
                separator: "\n  ")
            let link = origin.flatMap { origin in teller.link(notice).map { "\n  \(origin)\($0)" } }
            return "• \(said)\(link ?? "")"
        }
        let end = texts("notices.mail.end") + (origin.map { "\n\($0)/settings/notices" } ?? "")
        return NoticeMail.Words(
            title: texts("notices.mail.title", ["count": .number(post.notices.count)]),
            text: (lines + [end]).joined(separator: "\n\n") + "\n")
    }
}
