import Access
import App
import Crypto
import Jobs
import Library
import Storage
import TestSupport
import Testing
import Work

/// What a clock that was wrong by an hour, a day and four years does to all that reckons with time: the table in
/// docs/operating.md. Schedules, leases and jobs are in ScheduleTests, letters in MisbehaviourTests, the order of backups in
/// BackupTests.
@Suite("A clock that was wrong")
struct ClockTests {
    struct Error: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let duration: Duration
    }

    static let errors = [
        Error(testDescription: "an hour", duration: .seconds(3600)),
        Error(testDescription: "a day", duration: .seconds(86_400)),
        Error(testDescription: "four years", duration: .seconds(4 * 365 * 86_400)),
    ]

    private let visitor = Visitor(address: "127.0.0.1", isLoopback: true)

    private func owner(of quire: Quire) throws -> SignedIn {
        quire.access.policy.passwordCost = .least
        return try quire.access.firstOwner.setUp(
            name: "Ada", signInName: "ada", password: "correct horse battery", from: visitor)
    }

    @Test(
        "A session from years ahead has ended; one from a day ahead goes on and locks as it should",
        arguments: errors)
    func sessions(error: Error) throws {
        let hands = HandClock()
        try withQuire(hands: hands) { quire in
            let begun = hands.now
            hands.advance(error.duration)
            let ada = try owner(of: quire)
            func presence(_ who: SignedIn) throws -> Presence {
                try quire.access.sessions.presence(of: who.token.text, from: visitor)
            }
            hands.set(begun)
            quire.access.policy.lockAfter = .seconds(900)
            if error.duration > .seconds(7 * 86_400) {
                #expect(try presence(ada) == .nobody)
            } else {
                guard case .present = try presence(ada) else {
                    Issue.record("a clock put right by a day ends no session")
                    return
                }
                hands.advance(.seconds(900))
                guard case .locked = try presence(ada) else {
                    Issue.record("it is open for as long as the clock was wrong")
                    return
                }
            }
            // Whoever signs in now is in, perhaps at the second try: how often one may is reckoned anew with the first.
            _ = try? quire.access.signIn.withPassword("ada", "correct horse battery", from: visitor)
            hands.advance(.seconds(5))
            let again = try quire.access.signIn.withPassword("ada", "correct horse battery", from: visitor)
            guard case .present = try presence(again) else {
                Issue.record("signing in does not let in")
                return
            }
        }
    }

    @Test("Private folders that were opened ahead of time are closed", arguments: errors)
    func privateOpenings(error: Error) throws {
        let hands = HandClock()
        try withQuire(hands: hands) { quire in
            let begun = hands.now
            hands.advance(error.duration)
            let ada = try owner(of: quire)
            try quire.access.privateOpenings.open(for: ada.session)
            #expect(quire.access.privateOpenings.end(for: ada.session.id) != nil)
            hands.set(begun)
            #expect(quire.access.privateOpenings.end(for: ada.session.id) == nil)
        }
    }

    @Test("Nobody is locked out for longer than by guessing now", arguments: errors)
    func lockOut(error: Error) throws {
        let hands = HandClock()
        try withQuire(hands: hands) { quire in
            _ = try owner(of: quire)
            let begun = hands.now
            hands.advance(error.duration)
            for _ in 0..<12 {
                _ = try? quire.access.signIn.withPassword("ada", "wrong guess", from: visitor)
            }
            hands.set(begun + .seconds(7201))
            _ = try? quire.access.signIn.withPassword("ada", "correct horse battery", from: visitor)
            hands.advance(.seconds(5))
            _ = try quire.access.signIn.withPassword("ada", "correct horse battery", from: visitor)
        }
    }

    @Test("Tokens go on, and the history stays whole and in its order", arguments: errors)
    func history(error: Error) throws {
        let hands = HandClock()
        try withQuire(hands: hands) { quire in
            let ada = try owner(of: quire)
            let begun = hands.now
            hands.advance(error.duration)
            let made = try quire.access.tokens.make(name: "scanner", scopes: [.read], by: ada.caller)
            let late = try quire.documents.add(.bytes([1]), named: "ahead.bin", by: .local).document
            hands.set(begun)
            #expect(try quire.access.tokens.caller(for: made.token.text) != nil)
            let now = try quire.documents.add(.bytes([2]), named: "now.bin", by: .local).document
            #expect(now.id.text > late.id.text, "what came later has the later number")
            #expect(try quire.store.journal.verify() == [])
        }
    }

    @Test("One night with a clock far ahead empties no bin; the next nights do", arguments: errors.suffix(1))
    func bin(error: Error) throws {
        let hands = HandClock()
        try withQuire(hands: hands) { quire in
            let document = try quire.documents.add(.bytes([1, 2, 3]), named: "old.bin", by: .local).document
            try night(quire, hands)
            try quire.documents.trash(document.id, by: .local)
            let right = hands.now
            hands.advance(error.duration)
            try night(quire, hands)
            #expect(try quire.usage().trashedDocuments == 1)
            #expect(try quire.reports.latest(.purge)?.sentence.contains("In case the clock is wrong") == true)
            hands.set(right)
            for _ in 0..<29 { try night(quire, hands) }
            #expect(try quire.usage().trashedDocuments == 1)
            for _ in 0..<3 { try night(quire, hands) }
            #expect(try quire.usage().trashedDocuments == 0)
        }
    }

    // MARK: What was promised for some time

    /// One each of what is made for a week: what opens it now.
    private func promises(_ quire: Quire, by ada: SignedIn) throws -> () throws -> [Bool] {
        let end = quire.store.clock.now() + .days(7)
        let paper = try quire.documents.add(
            .bytes(Array(quire.store.chance.bytes(8))), named: "lease.bin", by: ada.caller)
        let link = try quire.access.shareLinks.make(
            paper.document.subject, .init(expiresAt: end), by: ada.caller)
        let token = try quire.access.tokens.make(
            name: "scanner", scopes: [.read], expiresAt: end, by: ada.caller)
        let invitation = try quire.access.invitations.make(role: .viewer, life: .days(7), by: ada.caller)
        return {
            [
                (try? quire.access.shareLinks.look(link.token.text)) != nil,
                try quire.access.tokens.caller(for: token.token.text) != nil,
                (try? quire.access.invitations.look(invitation.token.text)) != nil,
            ]
        }
    }

    private let open = [true, true, true]
    private let closed = [false, false, false]

    @Test(
        "Links, tokens and invitations made with the clock ahead end when they were to end", arguments: errors
    )
    func promisesFromAhead(error: Error) throws {
        let hands = HandClock()
        try withQuire(hands: hands) { quire in
            let ada = try owner(of: quire)
            let begun = hands.now
            hands.advance(error.duration)
            let doors = try promises(quire, by: ada)
            #expect(try doors() == open)
            hands.set(begun + .seconds(60))
            quire.runner.runUntilIdle()
            #expect(try doors() == open)
            hands.set(begun + .seconds(60) + .days(7))
            #expect(try doors() == closed)
        }
    }

    @Test(
        "With the clock ahead they are closed for so long, and open again for the rest of their time",
        arguments: errors)
    func promisesUnderAhead(error: Error) throws {
        let hands = HandClock()
        try withQuire(hands: hands) { quire in
            let ada = try owner(of: quire)
            try night(quire, hands)
            let doors = try promises(quire, by: ada)
            let begun = hands.now
            hands.advance(error.duration)
            try night(quire, hands)
            #expect(try doors() == (error.duration > .days(7) ? closed : open))
            hands.set(begun + .days(6))
            quire.runner.runUntilIdle()
            #expect(try doors() == open)
            hands.set(begun + .days(7))
            #expect(try doors() == closed)
        }
    }

    @Test("Made with the clock behind they end too early rather than too late", arguments: errors)
    func promisesFromBehind(error: Error) throws {
        let hands = HandClock()
        try withQuire(hands: hands) { quire in
            let begun = hands.now
            hands.set(begun - error.duration)
            let ada = try owner(of: quire)
            let doors = try promises(quire, by: ada)
            hands.set(begun)
            quire.runner.runUntilIdle()
            #expect(try doors() == (error.duration > .days(7) ? closed : open))
            hands.set(begun + .days(7))
            #expect(try doors() == closed)
        }
    }

    // MARK: Keeping

    @Test(
        "No rule puts a paper into the bin, and none lets one go, for a night with the clock ahead",
        arguments: errors)
    func retention(error: Error) throws {
        let hands = HandClock()
        try withQuire(hands: hands) { quire in
            let ada = try owner(of: quire)
            let folder = try quire.documents.makeFolder(named: "Bills", by: ada.caller)
            try quire.documents.addRetentionRule(
                named: "Bills", folder: folder.id, months: 12, trashesAfter: true, by: ada.caller)
            let bill = try quire.documents.add(
                .bytes([1]), named: "bill.bin", into: folder.id, by: ada.caller
            ).document
            try night(quire, hands)
            let right = hands.now
            hands.advance(error.duration)
            try night(quire, hands)
            #expect(try quire.usage().trashedDocuments == 0)
            // One that comes in now is kept for at least as long as the rule says.
            let late = try quire.documents.add(
                .bytes([2]), named: "late.bin", into: folder.id, by: ada.caller
            ).document
            hands.set(right)
            try night(quire, hands)
            #expect(try quire.usage().trashedDocuments == 0)
            #expect(throws: Failure.self) { try quire.documents.purge(bill.id, by: ada.caller) }
            hands.set(right + .days(340))
            // The first night after so long clears nothing away; then the days are counted.
            for _ in 0..<30 { try night(quire, hands) }
            #expect(try quire.documents.get(bill.id, by: ada.caller).isTrashed)
            #expect(
                try quire.documents.get(late.id, by: ada.caller).isTrashed == (error.duration < .days(30)))
        }
    }

    private func night(_ quire: Quire, _ hands: HandClock) throws {
        hands.advance(.days(1))
        try quire.store.write { tx in
            for kind in [JobKind.purge, .sweep, .prune] { _ = try quire.queue.add(kind, in: tx) }
        }
        quire.runner.runUntilIdle()
    }
}
