import Access
import App
import Bytes
import Conversion
import Converting
import HTTP
import Jobs
import Kinds
import Library
import PDF
import PDFReading
import Storage
import TestSupport
import Testing
import Web
import Work

@Suite(
    "A paper is made smaller", .enabled(if: Child.find("gs") != nil, "Ghostscript is not installed"),
    .enabled(if: PageReader.isReady, "poppler is not installed"))
struct SmallerTests {
    private func bring(_ bytes: [UInt8], _ who: Browser) throws -> String {
        let made = try who.bring(bytes, to: "/documents?name=scan.pdf")
        return "/documents/" + (try #require(made.json["documents"]?[0]?["id"]?.string))
    }

    private func ways(_ answer: Response) -> [String: JSON] {
        var found: [String: JSON] = [:]
        for way in answer.json["ways"]?.array ?? [] { found[way["way"]?.string ?? ""] = way }
        return found
    }

    @Test("when somebody has seen what each way saves, and not before; what was seen is what is kept")
    func seenFirst() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let paper = try bring(
                SamplePaper.scan(["A long letter", "Its end"], dotsPerInch: 300, grain: true), ada)
            #expect(try ada.fetch(.get, paper + "/smaller").json["state"] == .null)
            #expect(try ada.get(paper + "/smaller").text.contains("Nothing changes before you keep one"))
            let begun = try ada.fetch(.post, paper + "/smaller", json: [:])
            #expect(begun.status == .accepted && begun.json["state"] == "waiting", "\(begun.text)")
            // Whoever asks as well waits for the same.
            let again = try ada.fetch(.post, paper + "/smaller", json: [:])
            #expect(again.json["conversion"] == begun.json["conversion"])
            desk.quire.runner.runUntilIdle()
            let known = try ada.fetch(.get, paper + "/smaller")
            let found = ways(known)
            #expect(found.count == 3 && known.json["state"] == "done", "\(known.text)")
            let before = try #require(known.json["byteCount"]?.int)
            let strong = try #require(found["strong"])
            #expect(strong["offered"] == true && (strong["byteCount"]?.int ?? before) < before / 4)
            #expect(strong["lost"] == .object([:]), "\(strong)")
            let page = try ada.get(paper + "/smaller?way=strong&page=2&large=1").text
            #expect(page.contains("/results/3/pages/2?width=1600") && page.contains("/versions/1/pages/2"))
            // It is not among what waits to be added, and the paper is what it was.
            #expect(try ada.fetch(.get, "/conversions").json["conversions"] == [])
            #expect(try ada.fetch(.get, paper).json["version"] == 1)

            let trial = try #require(known.json["conversion"]?.string)
            let shown = try ada.fetch(.get, "/conversions/\(trial)").json["results"]?[2]?["digest"]
            let kept = try ada.fetch(
                .post, paper + "/versions",
                json: ["conversion": .string(trial), "result": 3, "base": known.json["version"] ?? .null])
            #expect(kept.status == .created, "\(kept.text)")
            let now = try ada.fetch(.get, paper).json
            #expect(now["version"] == 2 && now["digest"] == shown && now["name"] == "scan.pdf", "\(now)")
            #expect(try ada.fetch(.get, "/conversions/\(trial)").status == .notFound)
            // And back.
            _ = try ada.fetch(.post, paper + "/versions/1/restoration", json: [:])
            #expect(try ada.fetch(.get, paper).json["byteCount"]?.int == before)
        }
    }

    @Test("below a size that somebody needs: as fine as that allows, and said where it cannot be")
    func fitting() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let paper = try bring(
                SamplePaper.scan(["A long letter"], dotsPerInch: 200, grain: true), ada)
            _ = try ada.fetch(.post, paper + "/smaller", json: [:])
            desk.quire.runner.runUntilIdle()
            let before = ways(try ada.fetch(.get, paper + "/smaller"))
            let strong = try #require(before["strong"]?["byteCount"]?.int)
            let most = strong / 2
            let begun = try ada.fetch(.post, paper + "/smaller", json: ["most": .int(most)])
            #expect(begun.json["state"] == "waiting", "\(begun.text)")
            desk.quire.runner.runUntilIdle()
            let found = ways(try ada.fetch(.get, paper + "/smaller"))
            let fit = try #require(found["fit"])
            #expect(found.count == 4 && fit["most"]?.int == most && fit["result"] == 4)
            #expect(fit["offered"] == true && (fit["byteCount"]?.int ?? .max) <= most, "\(fit)")
            // The others are what they were, and what has worked is not worked out again, whoever asks for less.
            for way in ["careful", "balanced", "strong"] { #expect(found[way] == before[way], "\(way)") }
            #expect(try ada.fetch(.post, paper + "/smaller", json: [:]).json["state"] == "done")
            let long = try bring(
                SamplePaper.scan((1...10).map { "Page \($0)" }, dotsPerInch: 72, grain: true), ada)
            _ = try ada.fetch(.post, long + "/smaller", json: ["most": "10 kB"])
            desk.quire.runner.runUntilIdle()
            #expect(try ada.get(long + "/smaller?way=fit").text.contains("It cannot be that small"))

            try ada.get(paper + "/smaller")
            let typed = try ada.submit(paper + "/smaller", ["most": "plenty"])
            #expect(typed.status == .unprocessable && typed.text.contains("value=\"plenty\""))
            #expect(try ada.submit(paper + "/smaller", ["most": "1,5"]).status == .seeOther)
            #expect(try ada.fetch(.post, paper + "/smaller", json: ["most": 5]).status == .unprocessable)
        }
    }

    @Test("with pictures of as many dots as somebody says")
    func dots() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let paper = try bring(
                SamplePaper.scan(["A long letter"], dotsPerInch: 300, grain: true), ada)
            for count in [150, 40] {
                _ = try ada.fetch(.post, paper + "/smaller", json: ["dots": .int(count)])
                desk.quire.runner.runUntilIdle()
                let found = ways(try ada.fetch(.get, paper + "/smaller"))
                let made = try #require(found["dots"])
                #expect(
                    made["dots"]?.int == count && made["offered"] == true && made["result"] == 4, "\(made)")
                let small = try ada.get(paper + "/smaller?way=dots")
                #expect(small.text.contains("\(count) dots to an inch"))
            }
            try ada.get(paper + "/smaller")
            for typed in ["many", "5", "5000"] {
                let refused = try ada.submit(paper + "/smaller", ["dots": typed])
                #expect(refused.status == .unprocessable && refused.text.contains("value=\"\(typed)\""))
                #expect(refused.text.contains("20 to 1200 dots"))
            }
            #expect(try ada.submit(paper + "/smaller", ["dots": "150"]).status == .seeOther)
        }
    }

    @Test("never over what somebody else made of it meanwhile")
    func meanwhile() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let paper = try bring(SamplePaper.scan(["A letter"], dotsPerInch: 300, grain: true), ada)
            _ = try ada.fetch(.post, paper + "/smaller", json: [:])
            desk.quire.runner.runUntilIdle()
            let known = try ada.fetch(.get, paper + "/smaller").json
            _ = try ada.bring(
                SamplePaper.scan(["A longer letter"], dotsPerInch: 300, grain: true), to: paper + "/versions")
            // What was worked out of it before counts no more.
            #expect(try ada.fetch(.get, paper + "/smaller").json["state"] == .null)
            let late = try ada.fetch(
                .post, paper + "/versions",
                json: ["conversion": known["conversion"] ?? .null, "result": 3, "base": 1])
            #expect(late.status == .conflict, "\(late.text)")
            #expect(try ada.fetch(.get, paper).json["version"] == 2)
        }
    }

    @Test("or it is said that it would not be, and nothing is kept")
    func notSmaller() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let packed = try PDFFile(bytes: Array(SamplePaper.pages(["Short"]).utf8)).rewritten()
            let paper = try bring(packed, ada)
            _ = try ada.fetch(.post, paper + "/smaller", json: [:])
            desk.quire.runner.runUntilIdle()
            let known = try ada.fetch(.get, paper + "/smaller")
            #expect(ways(known).values.allSatisfy { $0["offered"] == false }, "\(known.text)")
            #expect(try ada.get(paper + "/smaller").text.contains("It would not become smaller"))
            _ = try ada.fetch(.delete, paper + "/smaller")
            #expect(try ada.fetch(.get, paper + "/smaller").json["state"] == .null)
        }
    }

    @Test("What nobody keeps is gone after a day")
    func thrownAway() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let paper = try bring(SamplePaper.scan(["A letter"]), ada)
            _ = try ada.fetch(.post, paper + "/smaller", json: [:])
            desk.quire.runner.runUntilIdle()
            #expect(try desk.quire.conversions.forget() == 0)
            desk.hands.advance(.seconds(24 * 3600 + 1))
            #expect(try desk.quire.conversions.forget() == 1)
        }
    }

    @Test("not by those who may only look, nor what is no PDF, is locked, or lies in the trash")
    func refused() throws {
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let ben = desk.browser()
            try ada.invite("Ben", as: "viewer", into: ben)
            let paper = try bring(SamplePaper.scan(["A letter"]), ada)
            #expect(try ben.fetch(.post, paper + "/smaller", json: [:]).status == .forbidden)
            #expect(try !ben.get(paper).text.contains("/smaller"))
            let note = try ada.bring(Array("Dear Ada".utf8), to: "/documents?name=a.txt")
            let text = "/documents/" + (note.json["documents"]?[0]?["id"]?.string ?? "")
            #expect(try ada.fetch(.post, text + "/smaller", json: [:]).text.contains("is no PDF"))
            let locked = try LockableFile(PDFFile(bytes: SamplePaper.scan(["Secret"])).rewritten()).locked(
                PDFLock(userPassword: "sesame"))
            let closed = try bring(locked, ada)
            _ = try ada.fetch(.post, closed + "/smaller", json: [:])
            desk.quire.runner.runUntilIdle()
            let failed = try ada.fetch(.get, closed + "/smaller").json
            #expect(
                failed["state"] == "failed" && failed["reason"]?.string?.contains("password") == true,
                "\(failed)")
            _ = try ada.fetch(.delete, paper)
            let trashed = try ada.fetch(.post, paper + "/smaller", json: [:])
            #expect(trashed.status == .conflict && trashed.text.contains("trash"), "\(trashed.text)")
        }
    }

    @Test("with a word before about fields that would be lost")
    func fields() throws {
        let form = try SamplePaper.scan(["A form"], dotsPerInch: 300, grain: true)
        var file = try PDFFile(bytes: form)
        guard let ending = PDFEnding(of: form) else { throw PDFError.damaged("no end") }
        var revision = PDFRevision(
            behind: form.count, ending: ending, trailer: file.trailer, firstFree: file.highestObject + 1)
        let field = PDFReference(file.highestObject + 1)
        var page = try #require(file.dictionary(.reference(file.pages[0])))
        page["Annots"] = .array([.reference(field)])
        revision.put(.dictionary(page), at: file.pages[0])
        var catalog = file.catalog
        catalog["AcroForm"] = .dictionary(["Fields": .array([.reference(field)])])
        revision.put(.dictionary(catalog), at: try #require(file.trailer["Root"]?.reference))
        revision.put(
            PDFObject(
                parsing: Array(
                    "<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/F 4/Rect[72 500 272 520]>>".utf8)), at: field)
        let bytes = form + revision.finish(identity: Array("form".utf8))
        file = try PDFFile(bytes: bytes)
        #expect(file.form != nil)
        try withDesk { desk throws in
            let ada = desk.browser()
            try ada.becomeOwner()
            let paper = try bring(bytes, ada)
            _ = try ada.fetch(.post, paper + "/smaller", json: [:])
            desk.quire.runner.runUntilIdle()
            let found = ways(try ada.fetch(.get, paper + "/smaller"))
            #expect(found["careful"]?["lost"] == .object([:]), "\(found)")
            #expect(found["strong"]?["lost"]?["fields"] == 1, "\(found)")
            // What costs nothing is looked at first.
            let page = try ada.get(paper + "/smaller").text
            #expect(page.contains("Something is lost") && page.contains("/results/1/pages/1"))
            #expect(
                try ada.get(paper + "/smaller?way=strong").text.contains(
                    "One field can no longer be filled in"))
        }
        // The step that asks nobody leaves it a form.
        var report = ConversionReport()
        let small = try PaperSteps(
            Converter(Engines(jail: .detect(), settings: .ofThisMachine)), ConversionOptions()
        ).run(
            [PaperStep("compress=strong")], on: [Paper(name: "form.pdf", kind: .pdf, bytes: bytes)],
            report: &report)
        #expect(try PDFFile(bytes: small[0].bytes).form != nil)
        #expect(report.remarks.contains { $0.contains("could not be filled in") }, "\(report.remarks)")
    }
}
