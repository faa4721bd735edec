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
