import Access
import Bytes
import Library
import PDF
import PDFReading
import SQL
import Storage
import TestSupport
import Testing
import Work

@Suite(
    "Scans and photos",
    .enabled(if: PageReader.isReady && Recognizer(jail: .detect()).isReady, "no poppler or Tesseract here"))
struct RecognitionTests {
    @Test(
        "A scan is found by what is to be seen on it, and its bytes stay as they are",
        arguments: Database.Kind.here)
    func scan(kind: Database.Kind) throws {
        try withLibrary(kind) { documents, _, store in
            let bytes = try SamplePaper.scan(["Invoice for the harbour", "Payment within thirty days"])
            let scan = try documents.add(.bytes(bytes), named: "scan.pdf", by: ada).document
            try documents.read()
            #expect(try documents.found("harbour") == [])
            #expect(try documents.recognition.pendingCount() == 1)
            #expect(try documents.recognition.catchUp() == 2)
            #expect(try documents.found("harbour") == ["scan.pdf"])
            #expect(try documents.find("thirty", by: viewer).finds.map(\.page) == [2])
            #expect(try documents.recognition.pendingCount() == 0)
            #expect(try store.blobs.read(scan.blob.digest) == bytes)
        }
    }

    @Test("Recognised words stand where they are seen, and can be marked in the reader")
    func places() throws {
        try withLibrary { documents, _, store in
            let scan = try documents.add(
                .bytes(SamplePaper.scan(["Invoice for the harbour"])), named: "scan.pdf", by: ada
            ).document
            try documents.read()
            try documents.recognition.catchUp()
            let reader = PageReader(jail: .detect())
            let pages = PaperPages(
                documents, previews: PagePreviews(in: store.home.previews, clock: store.clock) { reader }
            ) { reader }
            let words = try pages.words(of: scan, page: 0).words
            #expect(words.map(\.text) == ["Invoice", "for", "the", "harbour"])
            let place = try #require(words.first?.place)
            // Twelve points high on a line at 72, 700.
            #expect(
                abs(place.left - 72) < 3 && abs(place.bottom - 700) < 3 && (6...12).contains(place.height))
        }
    }

    @Test("Of a paper with words and pictures only the pictures are looked at")
    func mixed() throws {
        try withLibrary { documents, _, _ in
            _ = try documents.add(
                .bytes(Array(SamplePaper.pages(["Words of its own", ""]).utf8)), named: "half.pdf", by: ada)
            try documents.read()
            #expect(try documents.recognition.catchUp() == 1)
            #expect(try documents.recognition.catchUp() == 0)
            #expect(try documents.found("words own") == ["half.pdf"])
        }
    }

    @Test("A photo is found by its words, and a broken one keeps nobody waiting")
    func photo() throws {
        try withLibrary { documents, _, _ in
            let sheets = try Sheets(bytes: Array(SamplePaper.pages(["Grüße from Ada"]).utf8))
            let picture = try PageReader(jail: .detect()).picture(of: sheets, page: 0, width: 1600)
            _ = try documents.add(.bytes(picture), named: "photo.png", by: ada)
            _ = try documents.add(.bytes(Array(picture.prefix(400))), named: "broken.png", by: ada)
            try documents.read()
            try documents.recognition.catchUp()
            #expect(try documents.found("ada") == ["photo.png"])
            #expect(try documents.recognition.pendingCount() == 0)
        }
    }

    @Test("A new version is looked at anew")
    func revised() throws {
        try withLibrary { documents, _, _ in
            let scan = try documents.add(
                .bytes(SamplePaper.scan(["Harbour"])), named: "scan.pdf", by: ada
            ).document
            try documents.read()
            try documents.recognition.catchUp()
            try documents.revise(scan.id, with: .bytes(SamplePaper.scan(["Mountain"])), by: ada)
            #expect(try documents.found("harbour") == [])
            try documents.read()
            try documents.recognition.catchUp()
            #expect(try documents.found("mountain") == ["scan.pdf"])
        }
    }
}

extension Documents {
    fileprivate var recognition: PaperRecognition {
        PaperRecognition(self, lanes: 2) {
            PageReader(jail: .detect())
        } recognizer: {
            Recognizer(jail: .detect(), languages: ["eng"])
        }
    }
}
