import Access
import App
import Crypto
import Jobs
import Library
import Storage
import TestSupport
import Testing
import Work

/// What a clock that was wrong by an hour, a day and four years does to all that reckons with time. Schedules, leases and
/// jobs are in ScheduleTests, the order of backups in BackupTests.
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
            func night() throws {
                hands.advance(.seconds(86_400))
                try quire.store.write { tx in _ = try quire.queue.add(.purge, in: tx) }
                quire.runner.runUntilIdle()
            }
            let document = try quire.documents.add(.bytes([1, 2, 3]), named: "old.bin", by: .local).document
            try night()
            try quire.documents.trash(document.id, by: .local)
            let right = hands.now
            hands.advance(error.duration)
            try night()
            #expect(try quire.usage().trashedDocuments == 1)
            #expect(try quire.reports.latest(.purge)?.sentence.contains("In case the clock is wrong") == true)
            hands.set(right)
            for _ in 0..<29 { try night() }
            #expect(try quire.usage().trashedDocuments == 1)
            for _ in 0..<3 { try night() }
            #expect(try quire.usage().trashedDocuments == 0)
        }
    }
}
