import Access
import App
import Bytes
import HTTP
import Library
import PDF
import PDFReading
import Storage
import TestSupport
import Testing
import Web
import Work

@Suite("Pages are arranged", .enabled(if: PageReader.isReady, "poppler is not installed"))
struct ArrangingTests {
    private func bring(_ lines: [String], _ name: String, to desk: Desk) throws -> String {
        try bring(Array(SamplePaper.pages(lines).utf8), name, to: desk)
    }

    private func bring(_ bytes: [UInt8], _ name: String, to desk: Desk) throws -> String {
        let made = try desk.command(
            .post, "/documents?name=\(name)", ["Content-Type": "application/octet-stream"],
            body: .bytes(bytes))
        return try #require(made.headers["Location"])
    }

    private func id(_ place: String) -> JSON { .string(String(place.split(separator: "/").last ?? "")) }

    private func paper(_ place: String, _ desk: Desk) throws -> Document {
        let document = try #require(ID<Document>(id(place).string ?? ""))
        return try desk.quire.documents.get(document, by: .local)
    }

    private func bytes(_ place: String, _ desk: Desk) throws -> [UInt8] {
        try desk.quire.store.blobs.read(paper(place, desk).blob.digest)
    }

    /// What poppler reads on each page.
    private func words(_ place: String, _ desk: Desk) throws -> [String] {
        try desk.quire.pages.texts(of: paper(place, desk)).map { text in
            text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
    }

    private static let lines = ["First", "Second", "Third", "Fourth"]

    @Test("moved, turned, doubled, left out, with blank ones and those of another paper between them")
    func arranged() throws {
        try withDesk { desk throws in
            let lease = try bring(Self.lines, "lease.pdf", to: desk)
            let annex = try bring(["Annex"], "annex.pdf", to: desk)
            let answer = try desk.command(
                .post, lease + "/pages",
                json: [
                    "pages": [
                        ["page": 4], ["page": 1, "turn": 90], ["document": id(annex), "page": 1],
                        ["blank": true], ["page": 1],
                    ], "base": 1,
                ])
            #expect(answer.status == .ok, "\(answer.text)")
            #expect(answer.json["version"] == 2 && answer.json["remarks"] == [])
            #expect(try words(lease, desk) == ["Fourth", "First", "Annex", "", "First"])
            let pages = try desk.command(.get, lease + "/pages").json["pages"]
            #expect(pages?[1]?["width"]?.number == 792, "turned")
            #expect(pages?[3]?["width"]?.number == 612, "as large as the page before it")
            let path = try desk.quire.store.blobs.path(of: paper(lease, desk).blob.digest)
            let sound = try Child("/usr/bin/qpdf", ["--check", path]).run()
            #expect(sound.ending == .exited(0), "\(sound.outputText)")
            // What it was is there, and what was left out is nowhere in what it is.
            let versions = try desk.command(.get, lease + "/versions").json["versions"]?.array ?? []
            #expect(versions.count == 2)
            #expect(try words(annex, desk) == ["Annex"])
            let file = try PDFFile(bytes: bytes(lease, desk))
            let streams = (1...file.highestObject).compactMap { file.stream(PDFReference($0)) }
            #expect(!streams.contains { String(decoding: $0, as: UTF8.self).contains("Second") })
        }
    }

    @Test("cropped as they are seen, also when they are turned, and what is cut off is hidden")
    func cropped() throws {
        try withDesk { desk throws in
            let lease = try bring(Self.lines, "lease.pdf", to: desk)
            let margins = try desk.command(.get, lease + "/margins?pages=1-2")
            let first = try #require(margins.json["pages"]?[0])
            #expect(first["number"] == 1 && (first["bottom"]?.number ?? 0) > 100, "\(margins.text)")
            let answer = try desk.command(
                .post, lease + "/pages",
                json: [
                    "pages": [
                        ["page": 1, "crop": ["left": 36, "bottom": 200]],
                        ["page": 2, "turn": 90, "crop": ["left": 36, "bottom": 200]],
                        ["page": 3], ["page": 4, "crop": ["top": 0]],
                    ]
                ])
            #expect(answer.status == .ok, "\(answer.text)")
            let frames = try desk.quire.pages.frames(of: paper(lease, desk))
            #expect(frames.map(\.width) == [576, 592, 612, 612])
            #expect(frames.map(\.height) == [592, 576, 792, 792])
            // What was at the left of the second page lies above now.
            #expect(frames[1].cropBox.left == 36 && frames[1].cropBox.bottom == 200, "\(frames[1])")
            #expect(frames[0].mediaBox.width == 612, "It can be brought back.")
            #expect(try words(lease, desk) == Self.lines)
            for crop: JSON in [["left": -1], ["middle": 3], 7, ["top": 20_000]] {
                let refused = try desk.command(
                    .post, lease + "/pages", json: ["pages": [["page": 1, "crop": crop]]])
                #expect(refused.status == .unprocessable, "\(crop): \(refused.text)")
            }
            let gone = try desk.command(
                .post, lease + "/pages", json: ["pages": [["page": 1, "crop": ["left": 600]]]])
            #expect(gone.status == .unprocessable && gone.text.contains("Nothing would be left of page 1"))
            #expect(try desk.command(.get, lease).json["version"] == 2)
            #expect(try desk.command(.get, lease + "/margins?pages=9").status.code >= 400)
        }
    }

    @Test("into papers of their own, beside the paper, which stays")
    func extracts() throws {
        try withDesk { desk throws in
            let folder = try desk.command(.post, "/folders", json: ["path": "Home"]).json["id"]
            let lease = try bring(Self.lines, "lease.pdf", to: desk)
            _ = try desk.command(.patch, lease, json: ["folder": folder ?? .null])
            let made = try desk.command(
                .post, lease + "/extracts",
                json: ["papers": [[["page": 2], ["page": 1]], [["page": 4]]]])
            #expect(made.status == .created, "\(made.text)")
            let documents = made.json["documents"]?.array ?? []
            #expect(documents.map { $0["name"] } == ["lease-1.pdf", "lease-2.pdf"])
            #expect(documents.allSatisfy { $0["folder"] == folder })
            let first = "/documents/\(documents.first?["id"]?.string ?? "")"
            #expect(try words(first, desk) == ["Second", "First"])
            #expect(try desk.command(.get, lease).json["version"] == 1)
        }
    }

    @Test("a photo comes in as a page")
    func photo() throws {
        try withDesk { desk throws in
            let lease = try bring(["First"], "lease.pdf", to: desk)
            let photo = try bring(SamplePaper.tiff(["A receipt"]), "receipt.tiff", to: desk)
            let answer = try desk.command(
                .post, lease + "/pages", json: ["pages": [["page": 1], ["document": id(photo), "page": 1]]])
            #expect(answer.status == .ok, "\(answer.text)")
            #expect(try desk.command(.get, lease + "/pages").json["count"] == 2)
        }
    }

    @Test("and what cannot be done is said, and changes nothing")
    func refused() throws {
        try withDesk { desk throws in
            let lease = try bring(Self.lines, "lease.pdf", to: desk)
            func says(_ words: String, _ pages: JSON, _ more: JSONObject = [:]) throws {
                var json = more
                json["pages"] = pages
                let answer = try desk.command(.post, lease + "/pages", json: .object(json))
                #expect(
                    answer.status.code >= 400 && answer.text.contains(words), "\(words): \(answer.text)")
            }
            try says("No page would be left.", [])
            try says("There is no page 5: the paper has 4.", [["page": 5]])
            try says("There is no page 0", [["page": 0]])
            try says("cannot be read", [["page": 1, "turn": 45]])
            try says("cannot be read", [["page": 1, "blank": true]])
            try says("cannot be read", [["document": "nobody", "page": 1]])
            try says("The pages are missing.", .null)
            try says("in this order already", [["page": 1], ["page": 2], ["page": 3], ["page": 4]])
            try says("Somebody else has changed", [["page": 1]], ["base": 7])
            let letter = try bring(Array("Dear Ada".utf8), "letter.txt", to: desk)
            #expect(
                try desk.command(.post, letter + "/pages", json: ["pages": [["page": 1]]]).text.contains(
                    "is no PDF"))
            #expect(try desk.command(.post, lease + "/extracts", json: ["papers": []]).status.code >= 400)
            #expect(try desk.command(.get, lease).json["version"] == 1)
            #expect(try desk.command(.get, "/documents").json["total"] == 2)
        }
    }

    @Test("by words where there are no scripts")
    func typed() throws {
        try withDesk { desk throws in
            let lease = try bring(Self.lines, "lease.pdf", to: desk)
            let browser = desk.browser()
            try browser.becomeOwner()
            #expect(try browser.get(lease + "/pages").text.contains("Pages in their order"))
            let wrong = try browser.submit(lease + "/pages", ["order": "1-9", "turn": "0"])
            #expect(wrong.status == .unprocessable)
            #expect(wrong.text.contains("There is no page 9") && wrong.text.contains("value=\"1-9\""))
            let done = try browser.submit(lease + "/pages", ["order": "3-,1", "turn": "180"])
            #expect(done.headers["Location"] == lease + "/pages")
            #expect(try words(lease, desk).count == 3)
            _ = try browser.submit(lease + "/pages", ["order": "", "turn": "0", "crop": "36pt"])
            #expect(try desk.quire.pages.frames(of: paper(lease, desk)).map(\.width) == [540, 540, 540])
            let odd = try browser.submit(lease + "/pages", ["order": "", "turn": "0", "crop": "a bit"])
            #expect(odd.status == .unprocessable && odd.text.contains("value=\"a bit\""))
        }
    }
}
