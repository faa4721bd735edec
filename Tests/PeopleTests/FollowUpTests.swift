import Cards
import People
import SQL
import Storage
import TestSupport
import Testing
import Work

@Suite("People to get back to", .serialized)
struct FollowUpTests {
    private static let cards =
        "BEGIN:VCARD\nVERSION:3.0\nUID:1\nFN:Ana Pérez\nEND:VCARD\nBEGIN:VCARD\nVERSION:3.0\nUID:2\nFN:Bo\nEND:VCARD\n"

    private func withTwo<R>(
        _ kind: Database.Kind = .sqlite,
        _ body: (Contacts, _ ana: ID<Contact>, _ bo: ID<Contact>) throws -> R
    ) throws -> R {
        try withRecipients(kind) { recipients, _ in
            let contacts = Contacts(recipients)
            try contacts.bring(cards: Array(Self.cards.utf8), named: "a.vcf", by: ada)
            let all = try contacts.page(by: ada).contacts
            return try body(contacts, all[0].id, all[1].id)
        }
    }

    private func day(_ contacts: Contacts, plus days: Int) -> String {
        contacts.today.adding(days: days).dayText
    }

    @Test(
        "A follow-up is planned, is found when its day comes, is done, and each step is taken back",
        arguments: Database.Kind.here)
    func planning(kind: Database.Kind) throws {
        try withTwo(kind) { contacts, ana, bo in
            let before = try contacts.card(of: ana, by: ada).untouched
            let wish = FollowUp(on: day(contacts, plus: -1), every: .week, note: "  the hall ")
            #expect(throws: Failure.self) { try contacts.plan(wish, of: ana, by: viewer) }
            let planned = try #require(try contacts.plan(wish, of: ana, by: ada))
            try contacts.plan(FollowUp(on: day(contacts, plus: 6)), of: bo, by: ada)
            #expect(try contacts.page(due: .overdue, by: ada).contacts.map(\.name) == ["Ana Pérez"])
            #expect(try contacts.page(due: .week, by: ada).contacts.map(\.name) == ["Bo"])
            #expect(
                try contacts.page(due: .planned, by: ada).contacts.map(\.followUp?.note) == ["the hall", ""])
            #expect(try contacts.dueCounts(by: viewer) == [.overdue: 1, .week: 1, .planned: 2])
            #expect(try contacts.waiting(limit: 5, by: viewer).contacts.map(\.name) == ["Ana Pérez"])

            // What repeats moves on by its own rhythm, what does not is over.
            let done = try #require(try contacts.followedUp(ana, by: ada))
            #expect(try contacts.get(ana, by: ada).followUp?.on == day(contacts, plus: 6))
            try contacts.followedUp(bo, by: ada)
            #expect(try contacts.get(bo, by: ada).followUp == nil)
            #expect(throws: Failure.self) { try contacts.followedUp(bo, by: ada) }

            #expect(try contacts.undo(done.id, by: ada).restored == 1)
            #expect(try contacts.get(ana, by: ada).followUp?.on == wish.on)
            let later = try #require(try contacts.postpone(ana, by: .twoWeeks, by: ada))
            #expect(try contacts.get(ana, by: ada).followUp?.on == day(contacts, plus: 14))
            try contacts.undo(later.id, by: ada)
            let removed = try #require(try contacts.removeFollowUp(of: ana, by: ada))
            #expect(try contacts.removeFollowUp(of: ana, by: ada) == nil)
            try contacts.undo(removed.id, by: ada)
            #expect(try contacts.get(ana, by: ada).followUp?.note == "the hall")
            #expect(try contacts.undo(planned.id, by: ada).restored == 1)
            #expect(try contacts.page(due: .planned, by: ada).matchCount == 0)
            // The card itself never said anything of it.
            #expect(try contacts.card(of: ana, by: ada).untouched == before)
        }
    }

    @Test("A card that comes again, an edit and a removal taken back leave the follow-up as it was")
    func staying() throws {
        try withTwo { contacts, ana, _ in
            let on = day(contacts, plus: 3)
            try contacts.plan(FollowUp(on: on, note: "tea"), of: ana, by: ada)
            try contacts.bring(
                cards: Array(Self.cards.replacing("FN:Ana Pérez", with: "FN:Ana P.").utf8), named: "b.vcf",
                by: ada)
            #expect(try contacts.get(ana, by: ada).name == "Ana P.")
            #expect(try contacts.get(ana, by: ada).followUp?.on == on)
            let act = try #require(try contacts.remove([ana], by: ada))
            try contacts.undo(act.id, by: ada)
            #expect(try contacts.get(ana, by: ada).followUp?.note == "tea")
            #expect(try contacts.page(due: .week, by: ada).matchCount == 1)
        }
    }

    @Test(
        "Of two who become one the nearer day stays, with what both are about; taken back, each has their own"
    )
    func merging() throws {
        try withTwo { contacts, ana, bo in
            try contacts.plan(FollowUp(on: day(contacts, plus: 9), note: "hall"), of: ana, by: ada)
            try contacts.plan(
                FollowUp(on: day(contacts, plus: 2), every: .year, note: "key"), of: bo, by: ada)
            let act = try contacts.merge(ana, with: bo, by: ada)
            let one = try #require(try contacts.get(ana, by: ada).followUp)
            #expect(one.on == day(contacts, plus: 2) && one.every == .year && one.note == "hall · key")
            try contacts.undo(act.id, by: ada)
            #expect(try contacts.get(ana, by: ada).followUp?.note == "hall")
            #expect(try contacts.get(bo, by: ada).followUp?.note == "key")
        }
    }

    @Test(
        "A rhythm keeps its day of the month over shorter months, and leaves out what has passed",
        arguments: [
            ("2026-01-31", FollowUp.Rhythm.month, "2026-01-31", "2026-02-28"),
            ("2024-01-31", .month, "2024-02-10", "2024-02-29"),
            ("2024-02-29", .year, "2024-02-29", "2025-02-28"),
            ("2026-08-31", .quarter, "2026-11-01", "2026-11-30"),
            ("2026-01-05", .twoWeeks, "2026-02-02", "2026-02-16"),
            ("1999-12-31", .week, "2026-11-27", "2026-12-04"),
            ("2026-12-01", .halfYear, "2026-11-27", "2027-06-01"),
        ])
    func rhythm(on: String, every: FollowUp.Rhythm, today: String, next: String) throws {
        let today = try #require(WallTime(day: today))
        #expect(FollowUp(on: on, every: every).next(after: today)?.on == next)
    }

    @Test("The 31st comes back after February")
    func lastDay() throws {
        var followUp = FollowUp(on: "2026-01-31", every: .month)
        var days: [String] = []
        for _ in 0..<3 {
            let today = try #require(WallTime(day: followUp.on))
            followUp = try #require(followUp.next(after: today))
            // As it is kept and read again.
            followUp = try #require(FollowUp(kept: followUp.kept))
            days.append(followUp.on)
        }
        #expect(days == ["2026-02-28", "2026-03-31", "2026-04-30"])
        let today = try #require(WallTime(day: "2026-01-31"))
        #expect(FollowUp(on: "2026-01-31").next(after: today) == nil)
    }

    @Test(
        "What is no day, and what is too long, is refused",
        arguments: ["", "tomorrow", "2026-02-30", "2026-2-3", "12026-01-01"])
    func refused(on: String) throws {
        try withTwo { contacts, ana, _ in
            #expect(throws: Failure.self) { try contacts.plan(FollowUp(on: on), of: ana, by: ada) }
            #expect(throws: Failure.self) {
                try contacts.plan(
                    FollowUp(on: "2026-12-01", note: String(repeating: "a", count: 501)), of: ana, by: ada)
            }
        }
    }
}
