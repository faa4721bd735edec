import Access
import App
import Bytes
import HTTP
import Jobs
import Storage
import TestSupport
import Testing
import Work

@testable import Web

@Suite("A phone that was let in to photograph")
struct PhoneTests {
    private func letIn(_ desk: Desk, by ada: Browser) throws -> Browser {
        let made = try ada.fetch(.post, "/phones")
        #expect(made.status == .created, "\(made.text)")
        let address = try #require(made.json["address"]?.string)
        let path = try #require(address.firstRange(of: "/phone/").map { String(address[$0.lowerBound...]) })
        let phone = desk.browser(from: "192.0.2.7")
        let page = try phone.get(path)
        #expect(page.text.contains("For the desk of") == false && page.text.contains("action=\"\(path)\""))
        #expect(try phone.submit(path, [:]).headers["Location"] == "/scan")
        #expect(try desk.browser(from: "192.0.2.8").get(path).status == .notFound, "one phone comes in by it")
        return phone
    }

    @Test("photographs papers, which come to lie on the desk, and sees nothing but what became of them")
    func photographs() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let secret = try ada.bring(Array("Ada's diary".utf8), to: "/documents?name=diary.txt").json
            let diary = try #require(secret["documents"]?[0]?["id"]?.string)
            let own = try ada.fetch(.post, "/conversions", json: ["document": .string(diary), "hold": true])
            try ada.fetch(.post, "/folders", json: ["path": "Taxes"])
            let phone = try letIn(desk, by: ada)
            desk.hands.advance(.seconds(1))
            let page = try phone.get("/scan").text
            #expect(page.contains("<scan-camera") && !page.contains("Taxes") && !page.contains("/documents"))

            let made = try phone.fetch(
                .post, "/conversions", json: ["hold": true, "scan": "auto", "keep": false])
            let place = try #require(made.headers["Location"])
            let brought = try phone.bring(ConversionsTests.red, to: place + "/papers?name=page.png")
            #expect(brought.status == .created, "\(brought.text)")
            #expect(try phone.fetch(.post, place + "/runs").status == .accepted)
            desk.quire.runner.runUntilIdle()
            #expect(try phone.get(place).text.contains("It is on the desk"))
            #expect(try ada.fetch(.get, "/documents").json["total"] == 2)

            // Papers that are there are neither taken along nor looked at by way of a conversion.
            #expect(
                try phone.fetch(.post, "/conversions", json: ["document": .string(diary), "hold": true])
                    .status == .forbidden)
            #expect(
                try phone.fetch(.post, place + "/papers", json: ["document": .string(diary)]).status
                    == .forbidden)
            let others = try #require(own.headers["Location"])
            for (method, path) in [
                (HTTP.Method.get, others), (.patch, others), (.post, others + "/runs"),
                (.post, others + "/papers?name=a.png"),
            ] {
                let answer =
                    try method == .post && path.hasSuffix("png")
                    ? phone.bring(ConversionsTests.red, to: path) : phone.fetch(method, path, json: [:])
                #expect(answer.status == .notFound, "\(method.name) \(path): \(answer.status)")
            }
        }
    }

    @Test("is a stranger at every other route, whatever it asks")
    func stranger() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let phone = try letIn(desk, by: ada)
            var tried = 0
            for action in Site.actions where !action.isForPhones {
                guard case .member = action.who else { continue }
                let path = action.pattern.split(separator: "/").map {
                    $0.hasPrefix("{") ? "018f0000-0000-7000-8000-000000000000" : String($0)
                }.joined(separator: "/")
                let answer = try phone.fetch(
                    action.method, "/" + path, json: action.method.isSafe ? nil : [:])
                #expect(
                    [.unauthorized, .forbidden].contains(answer.status),
                    "\(action.method.name) \(action.pattern): \(answer.status)")
                tried += 1
            }
            #expect(tried > 300, "\(tried)")
            #expect(Site.actions.filter(\.isForPhones).count == 6)
            // Neither the owner's codes nor their settings are a door.
            #expect(try phone.get("/welcome?step=codes").headers["Location"] == "/sign-in")
            #expect(try phone.get("/documents").headers["Location"] == "/scan")
            let phones = try ada.fetch(.get, "/phones").json["phones"]?.array ?? []
            let id = try #require(phones.first?["id"]?.string)
            #expect(phones.count == 1 && phones[0]["onlyCaptures"] == true)
            #expect(try ada.fetch(.delete, "/sessions/\(id)").status == .noContent)
            #expect(try phone.get("/scan").headers["Location"]?.hasPrefix("/sign-in") == true)
        }
    }
}
