import Access
import App
import Storage
import TestSupport
import SQL
import Testing
import Work

@Suite("How the desk is to work with", .serialized)
struct FeedbackTests {
    @Test(
        "A member is asked after a week, three times a version at most with weeks in between, and never again when they say so",
        arguments: Database.Kind.here)
    func asked(kind: Database.Kind) throws {
        let hands = HandClock()
        try withQuire(kind, hands: hands) { quire in
            let vera = try viewer(on: quire)
            func isAsked(_ who: Caller, _ version: String = "1.0") throws -> Bool {
                let member = try quire.access.members.get(try #require(who.memberID))
                return try FeedbackPrompt(quire.store, version: version).isDue(for: member)
            }
            func answer(_ answer: FeedbackPrompt.Answer, _ who: Caller, _ version: String = "1.0") throws {
                try FeedbackPrompt(quire.store, version: version).answer(answer, by: who)
            }
            #expect(try !isAsked(vera))
            hands.advance(.seconds(7 * 86_400))
            // It stays for a day, or until it is put off.
            #expect(try isAsked(vera))
            #expect(try isAsked(vera))
            try answer(.later, vera)
            #expect(try !isAsked(vera))
            hands.advance(.seconds(13 * 86_400))
            #expect(try !isAsked(vera))
            hands.advance(.seconds(86_400))
            #expect(try isAsked(vera), "the second time")
            hands.advance(.seconds(86_400))
            #expect(try !isAsked(vera), "nobody is asked for longer than a day")
            hands.advance(.seconds(14 * 86_400))
            #expect(try isAsked(vera), "the third time")
            hands.advance(.seconds(100 * 86_400))
            #expect(try !isAsked(vera), "and no more in this version")
            #expect(try isAsked(vera, "1.1"))
            try answer(.good, vera, "1.1")
            hands.advance(.seconds(100 * 86_400))
            #expect(try !isAsked(vera, "1.1"))
            #expect(try isAsked(vera, "1.2"))

            try answer(.never, vera, "1.2")
            hands.advance(.seconds(500 * 86_400))
            #expect(try !isAsked(vera, "1.2"))
            #expect(try !isAsked(vera, "2.0"), "never is for good")
        }
    }
}
