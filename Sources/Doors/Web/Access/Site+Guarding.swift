import Access
import App
import Bytes
import HTTP
import Markup
import Storage
import Work

// How the desk is guarded, in one look: the page, the API and `quire doctor --security` say the same.

extension Site {
    static let guardingActions: [Action] = [
        Action(
            .get, "/security", .member(.administer),
            .init(
                "Say how the desk is guarded",
                description:
                    "Which walls stand, where everybody is signed in, which programs have a key, what links are open, and who came in or tried to.",
                tag: "Security", answers: [.ok("Guarding", "As it is now")])
        ) { visit in
            let guarding = try Guarding(visit)
            return try visit.show(guarding.json) { Pages.guarding(visit.frame, guarding.page(visit.texts)) }
        }
    ]
}

/// What owners look at to see whether somebody is in who should not be.
struct Guarding {
    private static let latest = 12

    var walls: [Finding]
    var sessions: [(member: Member, session: Session)]
    var tokens: [APIToken]
    var links: [ShareLink]
    /// Who came in or tried to, the newest first.
    var entries: [AuditJournal.Line]
    var now: Moment

    init(_ visit: Visit) throws {
        let caller = try visit.member()
        walls = visit.quire.doctor.walls(visit.quire.jail)
        sessions = try visit.access.members.list().flatMap { member in
            try visit.access.sessions.list(of: member.id, by: caller).map { (member, $0) }
        }.sorted { $0.session.seenAt > $1.session.seenAt }
        tokens = try visit.access.tokens.list(by: caller)
        let now = visit.now
        // Only those whoever looks may see: others would tell how much there is of what is private.
        links = try visit.shownLinks().filter { !$0.isExpired(at: now) && !$0.isUsedUp }
        entries = try ["session.started", "sign-in."].flatMap { verb in
            try visit.access.journal.page(.init(verbPrefix: verb), limit: Self.latest, by: caller).lines
        }.sorted { $0.number > $1.number }
        entries = Array(entries.prefix(Self.latest))
        self.now = now
    }

    var endlessLinks: Int { links.count { $0.expiresAt == nil } }
    var openLinks: Int { links.count { !$0.needsPassword } }

    func page(_ texts: Texts) -> GuardingPage {
        GuardingPage(
            walls: walls.map { AboutPage.Finding($0, texts) },
            sessions: sessions.map {
                .init(
                    member: $0.member.name, device: $0.session.device, address: $0.session.address,
                    lastSeenAt: $0.session.seenAt)
            },
            tokens: tokens.map(TokensPage.Token.init),
            entries: entries.map { line in
                .init(
                    who: line.actorName, isGood: line.verb == "session.started",
                    from: [line.detail["device"], line.detail["address"]].compactMap { $0?.string },
                    at: line.at)
            }, linkCount: links.count, linksWithoutPassword: openLinks, linksWithoutEnd: endlessLinks)
    }

    var json: JSON {
        [
            "walls": .array(walls.map(\.json)),
            "sessions": .array(
                sessions.map { member, session in
                    [
                        "id": .string(session.id.text), "member": .string(member.name),
                        "device": .string(session.device), "address": .string(session.address),
                        "seenAt": .moment(session.seenAt),
                    ]
                }),
            "tokens": .array(tokens.map(\.json)),
            "links": [
                "count": .int(links.count), "withoutEnd": .int(endlessLinks),
                "withoutPassword": .int(openLinks),
            ],
            "signIns": .array(entries.map(\.json)),
        ]
    }
}
