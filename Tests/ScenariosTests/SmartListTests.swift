import Access
import App
import Bytes
import Filling
import HTTP
import Jobs
import People
import Storage
import TestSupport
import Testing
import Web
import Work

@Suite("Smart lists on a desk")
struct SmartListTests {
    private func card(_ uid: Int, _ name: String, _ tag: String) -> String {
        [
            "BEGIN:VCARD", "VERSION:4.0", "UID:\(uid)", "FN:\(name)", "EMAIL:\(uid)@example.org",
            "CATEGORIES:\(tag)", "END:VCARD", "",
        ].joined(separator: "\r\n")
    }

    private func bring(_ desk: Desk, _ cards: [String]) throws {
        try desk.quire.contacts.bring(cards: Array(cards.joined().utf8), named: "a.vcf", by: .local)
    }

    @Test("A search is kept, its count is of now, its question is changed, and each step is taken back")
    func page() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            try bring(desk, [card(1, "Ana Pérez", "Choir"), card(2, "Bo Lind", "Board")])
            #expect(try !ada.get("/contacts").text.contains("Keep as a smart list"))
            #expect(try ada.get("/contacts?tag=Choir").text.contains("Keep as a smart list"))
            let kept = try ada.submit(
                "/lists", ["smart": "yes", "name": "Singers", "words": "", "tag": "Choir", "due": "any"])
            let path = try #require(kept.headers["Location"])
            let page = try ada.get(path).text
            #expect(page.contains("One person matches now") && page.contains("Ana Pérez"))
            #expect(!page.contains("id=\"add\"") && !page.contains("name=\"action\" value=\"remove\""))
            #expect(page.contains("Kept as the smart list “Singers”.") && page.contains("data-undo"))
            try bring(desk, [card(3, "Cy Ng", "Choir")])
            for place in ["/lists", "/contacts"] {
                #expect(try ada.get(place).text.contains("2 people match now"))
            }
            // Asked for whom nobody is: said, and with a way back.
            let asked = try ada.submit(
                path, ["_method": "PATCH", "smart": "yes", "words": "", "tag": "Gone", "due": "any"])
            #expect(asked.status == .seeOther)
            let empty = try ada.get(path).text
            #expect(empty.contains("Nobody matches now"))
            #expect(empty.contains("Nobody has the tag “Gone” any more."))
            let undo = try ada.submit(
                path, ["_method": "PATCH", "smart": "yes", "words": "", "tag": "Choir", "due": "any"])
            #expect(undo.status == .seeOther)
            #expect(try ada.get(path).text.contains("2 people match now"))
            let refused = try ada.submit(
                path, ["_method": "PATCH", "smart": "yes", "words": "", "tag": "", "due": "any"])
            #expect(refused.status == .unprocessable && refused.text.contains("Say whom the list is for"))
            #expect(try ada.submit(path, ["_method": "DELETE"]).status == .seeOther)
            #expect(try !ada.get("/lists").text.contains("people match now"))
            #expect(try ada.submit(path + "/restoration", [:]).status == .seeOther)
            #expect(try ada.get("/lists").text.contains("2 people match now"))
        }
    }

    @Test("Papers are planned for whoever matches then; who comes or goes is seen, what is made stays")
    func sendOut() throws {
        try withDesk { desk throws in
            try bring(desk, [card(1, "Ana Pérez", "Choir"), card(2, "Bo Lind", "Board")])
            let made = try desk.command(
                .post, "/lists", json: ["name": "Singers", "question": ["tag": "Choir"]])
            #expect(
                made.json["question"] == ["words": "", "tag": "Choir", "due": "any"]
                    && made.json["count"] == 1)
            let list = try #require(made.json["id"]?.string)
            let template = try desk.addConsentForm()
            let batch = try desk.command(
                .post, "/batches", json: ["template": template["id"] ?? .null, "list": .string(list)])
            let id = try #require(batch.json["id"]?.string)
            func people() throws -> [String] {
                let packets = try desk.command(.get, "/batches/\(id)/packets").json["packets"]?.array ?? []
                return packets.compactMap { $0["name"]?.string ?? $0["recipient"]?.string }.sorted()
            }
            _ = try desk.command(.post, "/batches/\(id)/plan")
            #expect(try desk.command(.get, "/batches/\(id)/packets").text.contains("Ana Pérez"))
            #expect(try people().count == 1)
            desk.hands.advance(.seconds(1))
            try bring(desk, [card(3, "Cy Ng", "Choir"), card(1, "Ana Pérez", "Board")])
            let stale = try desk.quire.batches.isStale(
                desk.quire.batches.get(ID(id)!, by: .local), by: .local)
            #expect(stale)
            _ = try desk.command(.post, "/batches/\(id)/plan")
            let now = try desk.command(.get, "/batches/\(id)/packets").text
            #expect(try now.contains("Cy Ng") && !now.contains("Ana Pérez") && people().count == 1)
            _ = try desk.command(.post, "/batches/\(id)/filling")
            desk.quire.runner.runUntilIdle()
            try bring(desk, [card(3, "Cy Ng", "Board")])
            #expect(try desk.command(.get, "/lists/\(list)").json["count"] == 0)
            #expect(try desk.command(.get, "/batches/\(id)/packets").text.contains("Cy Ng"))

            let patched = try desk.command(
                .patch, "/lists/\(list)", json: ["question": ["tag": "", "words": "lind"]])
            #expect(patched.json["count"] == 1 && patched.json["question"]?["words"] == "lind")
            for question: JSON in [[:], ["due": "never"], "lind", ["words": 3], ["tag": "\u{7}"]] {
                let refused = try desk.command(
                    .post, "/lists", json: ["name": "X", "question": question])
                #expect(refused.status == .unprocessable, "\(question.text)")
            }
            #expect(
                try desk.command(.post, "/lists/\(list)/recipients", json: ["cells": ["Name": "Eve"]]).status
                    == .conflict)
            #expect(try desk.command(.get, "/lists").json["lists"]?.array?.count == 1)
        }
    }
}
