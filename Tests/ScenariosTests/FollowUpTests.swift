import Access
import App
import Bytes
import HTTP
import People
import Storage
import TestSupport
import Testing
import Web
import Work

@Suite("Getting back to people")
struct FollowUpTests {
    private static let ana = "BEGIN:VCARD\r\nVERSION:4.0\r\nUID:1\r\nFN:Ana Pérez\r\nEND:VCARD\r\n"

    private func withAna(_ body: (Desk, Browser, _ path: String) throws -> Void) throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            try desk.quire.contacts.bring(cards: Array(Self.ana.utf8), named: "a.vcf", by: .local)
            let id = try #require(try desk.quire.contacts.page(by: .local).contacts.first?.id)
            try body(desk, ada, "/contacts/\(id)")
        }
    }

    @Test("A calendar reads them at an address of one's own, until it is turned off")
    func calendar() throws {
        try withAna { desk, ada, path in
            let note = "the hall; bring keys, and \(String(repeating: "é", count: 60))"
            _ = try desk.command(
                .post, path + "/follow-up",
                json: ["on": "2027-01-31", "every": "month", "note": .string(note)])
            #expect(try ada.get("/contacts?due=planned").text.contains("Make an address"))
            #expect(try ada.submit("/contacts/reminders", [:]).status == .seeOther)
            let page = try ada.get("/contacts?due=planned")
            let address = try #require(
                page.text.firstMatch(of: /\/reminders\/quire_cal_[A-Za-z0-9_-]+\/follow-ups\.ics/))
            let place = String(address.output)
            // Calendars come without a session, from anywhere.
            let phone = desk.browser(from: "192.0.2.9")
            let feed = try phone.fetch(.get, place)
            #expect(feed.status == .ok && feed.mediaType?.essence == "text/calendar")
            let lines = feed.text.split(separator: "\r\n", omittingEmptySubsequences: false)
            #expect(
                lines.allSatisfy { $0.utf8.count <= 75 } && lines.last == "" && !feed.text.contains("\n\n"))
            let whole = feed.text.replacing("\r\n ", with: "")
            #expect(whole.contains("DTSTART;VALUE=DATE:20270131\r\n"))
            #expect(whole.contains("RRULE:FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1\r\n"))
            #expect(whole.contains("SUMMARY:Get back to Ana Pérez\r\n"))
            #expect(whole.contains("DESCRIPTION:the hall\\; bring keys\\, and ééé"))
            // The same entry whatever becomes of it.
            let name = try #require(whole.firstMatch(of: /UID:(\S+)/)).output.1
            _ = try desk.command(.patch, path + "/follow-up", json: ["on": "2027-02-10"])
            let moved = try phone.fetch(.get, place).text
            #expect(moved.contains("UID:\(name)") && moved.contains("20270210"))
            #expect(try ada.get("/contacts?due=planned").text.contains("Last read"))
            // A new address ends the one before; turned off, there is none.
            _ = try ada.submit("/contacts/reminders", [:])
            #expect(try phone.fetch(.get, place).status == .notFound)
            let now = try ada.fetch(.get, "/contacts/reminders").json["calendar"]?["address"]?.string ?? ""
            let other = String(now[try #require(now.firstRange(of: "/reminders/")).lowerBound...])
            #expect(try phone.fetch(.get, other).status == .ok)
            _ = try ada.submit("/contacts/reminders", ["_method": "DELETE"])
            #expect(try phone.fetch(.get, other).status == .notFound)
            #expect(try phone.fetch(.get, "/reminders/quire_cal_x/follow-ups.ics").status == .notFound)
        }
    }

    @Test(
        "One tap plans it; when the day has come Home and the list say so; done, it is over; Undo brings it back"
    )
    func page() throws {
        try withAna { desk, ada, path in
            #expect(try !ada.get("/").text.contains("Get back to"))
            try ada.get(path)
            let planned = try ada.submit(
                path + "/follow-up", ["in": "twoWeeks", "every": "once", "note": "the <hall>", "on": ""])
            #expect(planned.status == .seeOther)
            #expect(try ada.get(path).text.contains("the &lt;hall&gt;"))
            #expect(try !ada.get("/").text.contains("Get back to one person"))
            desk.hands.advance(.seconds(15 * 86_400))
            _ = try ada.tries(["login": "ada@example.org", "password": Browser.password])
            #expect(try ada.get("/").text.contains("Get back to one person"))
            let list = try ada.get("/contacts?due=overdue").text
            #expect(list.contains("Ana Pérez") && list.contains("Overdue"))
            #expect(try !ada.get("/contacts?due=week").text.contains("person-item"))
            try ada.get(path)
            let done = try ada.submit(path + "/follow-up/done", [:])
            #expect(done.status == .seeOther)
            let after = try ada.get(path).text
            #expect(after.contains("Follow-up done.") && after.contains("Get back to them"))
            #expect(try desk.quire.contacts.page(due: .planned, by: .local).matchCount == 0)
            let act = try #require(try desk.quire.contacts.acts(.followUp, by: .local).first)
            #expect(
                try ada.submit("/contacts/undoings", ["id": act.id.text, "next": path]).headers["Location"]
                    == path)
            #expect(try ada.get(path).text.contains("Overdue"))
        }
    }

    @Test("A day that is none is said beside its field, and what was typed is still there")
    func mistaken() throws {
        try withAna { _, ada, path in
            try ada.get(path)
            let answer = try ada.submit(
                path + "/follow-up", ["on": "2026-02-30", "every": "month", "note": "tea"])
            #expect(answer.status == .unprocessable)
            #expect(answer.text.contains("f-follow-on-error") && answer.text.contains("value=\"tea\""))
        }
    }

    @Test("Programs plan, postpone and end it, and who may only look may not")
    func program() throws {
        try withAna { desk, ada, path in
            let made = try ada.fetch(
                .post, path + "/follow-up", json: ["on": "2030-01-31", "every": "month", "note": "tea"])
            #expect(
                made.json["followUp"]
                    == ["on": "2030-01-31", "every": "month", "note": "tea", "due": .null])
            let later = try ada.fetch(.patch, path + "/follow-up", json: ["in": "week"])
            #expect(later.json["followUp"]?["due"] == .null || later.json["followUp"]?["due"] == "week")
            #expect(
                try ada.fetch(.get, "/contacts?due=planned").json["contacts"]?[0]?["followUp"]?["note"]
                    == "tea")
            #expect(try ada.fetch(.get, "/contacts?due=soon").status == .unprocessable)
            #expect(try ada.fetch(.post, path + "/follow-up", json: ["in": "soon"]).status == .unprocessable)
            #expect(
                try ada.fetch(.post, path + "/follow-up", json: ["every": "week"]).status == .unprocessable)
            #expect(try ada.fetch(.delete, path + "/follow-up").status == .noContent)
            #expect(try ada.fetch(.post, path + "/follow-up/done", json: [:]).status == .conflict)
            let vera = desk.browser()
            try ada.invite("Vera", as: "viewer", into: vera)
            #expect(try vera.fetch(.post, path + "/follow-up", json: ["in": "week"]).status == .forbidden)
            #expect(try !vera.get(path).text.contains("/follow-up"))
        }
    }
}
