import Access
import Bytes
import SQL
import Storage
import TestSupport
import Testing
import Work

@Suite("Notices")
struct NoticesTests {
    private func tell(
        _ desk: Desk, _ kind: Notice.Kind, _ subject: String, _ words: String = "",
        to member: ID<Member>? = nil
    ) throws {
        try desk.store.write { tx in
            try desk.access.notices.tell(
                kind, subject, words, to: member.map { .member($0) } ?? .everybody, in: tx)
        }
    }

    @Test(
        "go to whoever can do something about it, and wait at the machine too", arguments: Database.Kind.here)
    func readers(kind: Database.Kind) throws {
        try withDesk(kind) { desk in
            let notices = desk.access.notices
            let eve = try desk.join("Eve", as: .editor).caller
            let vera = try desk.join("Vera", as: .viewer).caller
            let ada = desk.ada.caller
            try tell(desk, .mailBack, "batch/1")
            try tell(desk, .backupFailed, "report/backup")
            try tell(desk, .cardBack, "card/1", to: vera.memberID)
            #expect(try notices.list(by: ada).map(\.kind) == [.backupFailed, .mailBack])
            #expect(try notices.list(by: eve).map(\.kind) == [.mailBack])
            #expect(try notices.list(by: vera).map(\.kind) == [.cardBack])
            #expect(try notices.unreadCount(by: .local) == 2)
            // Who may do less now reads no more of it; who is gone leaves nothing.
            let id = try #require(eve.memberID)
            try desk.access.members.change(id, to: .viewer, by: ada)
            let now = try desk.access.members.caller(actor: "member/\(id)")
            #expect(try notices.list(by: now).isEmpty && notices.unreadCount(by: now) == 0)
            try desk.access.members.remove(id, by: ada)
            let left = try desk.store.read { desk in try desk.rows("SELECT owner FROM notice").count }
            #expect(left == 5)
        }
    }

    @Test("gather what happens again until they are read", arguments: Database.Kind.here)
    func gathered(kind: Database.Kind) throws {
        try withDesk(kind) { desk in
            let notices = desk.access.notices
            let ada = desk.ada.caller
            try tell(desk, .repetitionRan, "repetition/1", "Made 1.")
            desk.clock.advance(.seconds(60))
            try tell(desk, .repetitionRan, "repetition/1", "Made 2.")
            try tell(desk, .repetitionWaits, "repetition/1", "Planned 4.")
            let seen = try #require(try notices.list(by: ada).first?.at)
            #expect(try notices.list(by: ada).map(\.count).sorted() == [1, 2])
            desk.clock.advance(.seconds(60))
            try tell(desk, .repetitionRan, "repetition/2", "Made 3.")
            // What came since the page was shown stays unread.
            try notices.markRead(until: seen, by: ada)
            #expect(try notices.list(unread: true, by: ada).map(\.subject) == ["repetition/2"])
            #expect(try notices.unreadCount(by: .local) == 3)
            try tell(desk, .repetitionRan, "repetition/1", "Made 4.")
            #expect(try notices.list(unread: true, by: ada).map(\.words) == ["Made 4.", "Made 3."])
            #expect(try notices.list(by: ada).count == 4)
            try tell(desk, .repetitionWaits, "repetition/1", "Planned 5.")
            try desk.store.write { tx in try notices.settle([.repetitionWaits], "repetition/1", in: tx) }
            #expect(try notices.list(unread: true, by: ada).count == 2)
            desk.clock.advance(.seconds(91 * 86_400))
            try desk.access.sweep()
            #expect(try notices.list(by: .local).isEmpty)
        }
    }

    @Test(
        "are left out where nobody wants to be told, and mailed once while unread",
        arguments: Database.Kind.here)
    func chosen(kind: Database.Kind) throws {
        try withDesk(kind) { desk in
            let notices = desk.access.notices
            let ada = desk.ada.caller
            func posts() throws -> [Notices.Post] {
                try desk.store.read { reading in try notices.posts(in: reading, now: desk.clock.now) }
            }
            try notices.choose(NoticeChoice(topics: [.mail, .work], mail: .daily), by: ada)
            #expect(try notices.choice(by: ada) == NoticeChoice(topics: [.mail, .work], mail: .daily))
            try tell(desk, .repetitionRan, "repetition/1")
            try tell(desk, .mailBack, "batch/1")
            try tell(desk, .jobFailed, "job/x")
            let post = try #require(try posts().first)
            #expect(try posts().count == 1 && post.notices.map(\.kind) == [.mailBack, .jobFailed])
            #expect(post.signInName == "ada@example.org" && !post.caller.seesPrivate)
            try desk.store.write { tx in try notices.markMailed(post, in: tx) }
            #expect(try posts().isEmpty)
            // More of the same is news; a trouble that stays is told again the next day.
            try tell(desk, .mailBack, "batch/1")
            try tell(desk, .jobFailed, "job/x")
            #expect(try posts().first?.notices.map(\.kind) == [.mailBack])
            desk.clock.advance(.seconds(90_000))
            try tell(desk, .jobFailed, "job/x")
            #expect(try posts().first?.notices.count == 2)
            try notices.markRead(by: ada)
            #expect(try posts().isEmpty)
        }
    }

    @Test("carry what a member writes to whoever looks after the desk, and to nobody else")
    func questions() throws {
        try withDesk(.sqlite) { desk in
            let notices = desk.access.notices
            let vera = try desk.join("Vera", as: .viewer).caller
            let eve = try desk.join("Eve", as: .editor).caller
            try notices.ask("  Where is the lease?\n", by: vera)
            try notices.ask("And the keys?", by: vera)
            #expect(
                try notices.list(by: desk.ada.caller).map(\.words) == [
                    "Vera: And the keys?", "Vera: Where is the lease?",
                ])
            #expect(try notices.list(by: eve).isEmpty && notices.list(by: vera).isEmpty)
            for text in ["", " \n", String(repeating: "x", count: 1_001)] {
                #expect(failure { try notices.ask(text, by: vera) }?.field == "text")
            }
            #expect(failure { try notices.ask("To myself", by: desk.ada.caller) }?.code == .unsupported)
            // Enough for whoever has trouble.
            for _ in 0..<8 { try notices.ask("Again", by: vera) }
            #expect(failure { try notices.ask("Again", by: vera) }?.code == .tooMany)
            try notices.ask("Another person", by: eve)
        }
    }
}
