import App
import Bytes
import Crypto
import HTTP
import Jobs
import PDF
import PDFReading
import Signing
import TestSupport
import Testing

@Suite("A paper that is locked", .enabled(if: PageReader.isReady, "poppler is not installed"))
struct UnlockingTests {
    private func locked(_ lock: PDFLock, _ bytes: [UInt8]? = nil) throws -> [UInt8] {
        let plain =
            try bytes ?? PDFFile(bytes: Array(SamplePaper.pages(["The rent is due"]).utf8)).rewritten()
        return try LockableFile(plain).locked(lock)
    }

    private func bring(_ bytes: [UInt8], _ who: Browser) throws -> String {
        let made = try who.bring(bytes, to: "/documents?name=statement.pdf")
        return "/documents/" + (try #require(made.json["documents"]?[0]?["id"]?.string))
    }

    @Test("leads to where its password is taken off, from each page that needs it open, and from there on")
    func opened() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let paper = try bring(locked(PDFLock(userPassword: "sesame")), ada)
            for page in ["marks", "form", "pages", "redaction", "signatures"] {
                let answer = try ada.get(paper + "/" + page)
                #expect(answer.status == .seeOther, "\(page): \(answer.status)")
                #expect(answer.headers["Location"] == paper + "/password?then=" + page)
                // Programs are told what is wrong.
                let told = try ada.fetch(.get, paper + "/" + page)
                #expect(
                    told.json["field"] == "password" || told.json["hindrance"] != nil, "\(page): \(told.text)"
                )
            }
            desk.quire.runner.runUntilIdle()
            #expect(try ada.get(paper).text.contains(paper + "/password"))
            #expect(try ada.get(paper + "/read").text.contains(paper + "/password?then=read"))
            let asked = try ada.get(paper + "/password?then=marks").text
            #expect(asked.contains("type=\"password\"") && asked.contains("value=\"marks\""))
            let wrong = try ada.submit(paper + "/password", ["password": "open", "then": "marks"])
            #expect(wrong.status == .unprocessable && wrong.text.contains("does not open this file"))
            #expect(wrong.text.contains("value=\"marks\"") && !wrong.text.contains("value=\"open\""))
            let right = try ada.submit(paper + "/password", ["password": "sesame", "then": "marks"])
            #expect(right.headers["Location"] == paper + "/marks", "\(right.text)")
            #expect(try ada.get(paper + "/marks").status == .ok)
            #expect(try ada.fetch(.get, paper).json["version"] == 2)
            #expect(try ada.get(paper + "/password").text.contains("has no password"))
            let again = try ada.fetch(.post, paper + "/password", json: ["password": "sesame"])
            #expect(again.status == .conflict && again.text.contains("has no password"))
            // What it was stays among its versions.
            _ = try ada.fetch(.post, paper + "/versions/1/restoration")
            #expect(try ada.get(paper + "/marks").status == .seeOther)
        }
    }

    @Test("goes nowhere else than to a page of the paper afterwards")
    func strangers() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let ben = desk.browser()
            try ada.invite("Ben", as: "viewer", into: ben)
            let paper = try bring(locked(PDFLock(userPassword: "sesame")), ada)
            #expect(
                try ben.fetch(.post, paper + "/password", json: ["password": "sesame"]).status == .forbidden)
            #expect(try !ada.get(paper + "/password?then=//example.org").text.contains("name=\"then\""))
            let gone = try ada.submit(paper + "/password", ["password": "sesame", "then": "//example.org"])
            #expect(gone.headers["Location"] == paper)
            let note = try ada.bring(Array("Dear Ada".utf8), to: "/documents?name=a.txt")
            let text = "/documents/" + (note.json["documents"]?[0]?["id"]?.string ?? "")
            #expect(try ada.fetch(.post, text + "/password", json: [:]).text.contains("is no PDF"))
        }
    }

    @Test("by its maker's limits alone opens for everybody, and loses them when somebody says so")
    func limits() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let paper = try bring(locked(PDFLock(userPassword: "", ownerPassword: "boss")), ada)
            #expect(try ada.get(paper + "/marks").headers["Location"] == paper + "/password?then=marks")
            let asked = try ada.get(paper + "/password?then=marks").text
            #expect(asked.contains("Take the limits off") && !asked.contains("type=\"password\""))
            #expect(
                try ada.submit(paper + "/password", ["then": "marks"]).headers["Location"] == paper + "/marks"
            )
            #expect(try ada.get(paper + "/marks").status == .ok)
        }
    }
}
