import Archives
import Kinds
import Testing
import TestSupport
import Work

@Suite("What kind of file it is")
struct KindsTests {
    @Test(
        "The content decides, not the name",
        arguments: [
            (Array("%PDF-1.7\n".utf8), "invoice.exe", "application/pdf"),
            (Array("\n\njunk %PDF-1.4".utf8), "x", "application/pdf"),
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0], "x.pdf", "image/png"),
            ([0xFF, 0xD8, 0xFF, 0xE0, 0], "photo.pdf", "image/jpeg"),
            (Array("GIF89a...".utf8), "x", "image/gif"),
            (Array("RIFF\0\0\0\0WEBPVP8 ".utf8), "x", "image/webp"),
            (Array("\0\0\0\u{18}ftypheic\0\0\0\0".utf8), "IMG_1.HEIC", "image/heic"),
            (Array("\0\0\0\u{18}ftypmp42".utf8), "film.mp4", "application/octet-stream"),
            (Array("II*\0\u{8}".utf8), "x", "image/tiff"), (Array("MM\0*\0".utf8), "x", "image/tiff"),
            (Array("<!DOCTYPE HTML><p>".utf8), "page.txt", "text/html"),
            ([0xEF, 0xBB, 0xBF] + Array("\n <html>".utf8), "x", "text/html"),
            (Array("<html><p>est".utf8) + [0xE1] + Array("n</p>".utf8), "x", "text/html"),
            (
                [0xFF, 0xFE] + "<html>está".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }, "x",
                "text/html"
            ),
            ([0xFE, 0xFF] + "Grüße".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }, "x", "text/plain"),
            (
                [0xFF, 0xFE] + "a;b\n1;2".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }, "a.csv",
                "text/csv"
            ),
            (zip([("Index/Document.iwa", "")]), "Letter.pages", "application/vnd.apple.pages"),
            (zip([("Index/Document.iwa", "")]), "Talk.key", "application/vnd.apple.keynote"),
            (zip([("Index/Document.iwa", "")]), "x.zip", "application/zip"),
            (zip([("notes.txt", "")]), "Letter.pages", "application/zip"),
            (Array("<?xml version=\"1.0\"?><svg xmlns=".utf8), "x", "image/svg+xml"),
            (Array("<?xml version=\"1.0\"?><a/>".utf8), "x.txt", "application/xml"),
            (Array("Grüße an alle\n".utf8), "note", "text/plain"),
            (Array("name;city\nAda;London\n".utf8), "people.CSV", "text/csv"),
            (Array("name;city\nJ".utf8) + [0xF6] + Array("rg\n".utf8), "people.csv", "text/csv"),
            ([0xF6, 0x0A], "note.txt", "text/plain"),
            (Array("# Title\n".utf8), "README.md", "text/markdown"),
            (Array("Received: by x\r\n\tfor y\r\nFrom: a@b\r\n\r\nHi".utf8), "mail", "message/rfc822"),
            (Array("Hello".utf8), "letter.eml", "message/rfc822"),
            (Array("Dear: all\nWe met.\n".utf8), "letter", "text/plain"),
            (Array("BEGIN:VCARD\r\nVERSION:3.0".utf8), "ada", "text/vcard"),
            ([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], "old.DOC", "application/msword"),
            ([0, 1, 2, 3], "x.txt", "application/octet-stream"), ([], "empty", "text/plain"),
            (zip([("a.txt", "")]), "x.docx", "application/zip"),
            (
                zip([("[Content_Types].xml", ""), ("word/document.xml", "")]), "x.zip",
                "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
            ),
            (
                zip([("[Content_Types].xml", ""), ("xl/workbook.xml", "")]), "x",
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
            ),
            (
                zip([("[Content_Types].xml", ""), ("ppt/presentation.xml", "")]), "x",
                "application/vnd.openxmlformats-officedocument.presentationml.presentation"
            ),
            (
                zip([("mimetype", "application/vnd.oasis.opendocument.text"), ("content.xml", "")]), "x",
                "application/vnd.oasis.opendocument.text"
            ),
            (
                zip([("mimetype", "application/epub+zip"), ("META-INF/container.xml", "")]), "x",
                "application/epub+zip"
            ),
            (zip([("mimetype", "text/html")]), "x", "application/zip"),
            (
                Array("PK\u{3}\u{4}".utf8) + [0xFF, 0xFF, 0xFF], "broken.docx",
                "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
            ),
            (Array("PK\u{3}\u{4}".utf8) + [0xFF, 0xFF, 0xFF], "broken.zip", "application/zip"),
            (Array("P5 2 2 255\n....".utf8), "plan.pgm", "image/x-portable-anymap"),
            (Array("P1s are great".utf8), "x", "text/plain"),
            (Array("\0\0\0\u{18}ftypmif1\0\0\0\0avif".utf8), "photo", "image/avif"),
            (Array("<!DOCTYPE html><p><svg/>".utf8), "x", "text/html"),
            (Array("<!-- drawn --><svg/>".utf8), "x", "image/svg+xml"),
            (Array("<table><tr><td>Ada".utf8), "x", "text/html"),
            (Array("<3 from all of us".utf8), "x", "text/plain"),
            (Array("<p> is a tag".utf8), "notes.md", "text/markdown"),
            (Array("From: me\nTo: you\n".utf8), "notes.md", "text/markdown"),
            ([0x1F, 0x8B, 8], "x.pdf", "application/gzip"),
        ] as [([UInt8], String, String)])
    func content(bytes: [UInt8], name: String, mediaType: String) throws {
        #expect(PaperKind.known(bytes, name: name)?.mediaType ?? PaperKind.octets == mediaType)
        // The same of a file as of bytes at hand.
        try withScratchFolder { folder in
            try write(bytes, to: folder + "/x")
            let kind = try PaperKind.known(ByteSource(path: folder + "/x"), name: name)
            #expect(kind?.mediaType ?? PaperKind.octets == mediaType)
        }
    }

    @Test("What can only be kept is not converted; notes for programs are text")
    func whatCanOnlyBeKept() throws {
        #expect(PaperKind.detect([0x1F, 0x8B, 8], name: "x.gz") == nil)
        #expect(PaperKind.detect(Array("{}".utf8), name: "x.json") == .text)
        #expect(PaperKind.known(Array("{}".utf8), name: "x.json") == .json)
        #expect(PaperKind.detect([], name: "x.csv") == nil)
        #expect(PaperKind.named("zip") == nil)
    }

    @Test("Spoilt files never crash it")
    func spoilt() throws {
        let seeds = [
            zip([("[Content_Types].xml", ""), ("word/document.xml", "")]),
            zip([("mimetype", "application/epub+zip"), ("x", "")]),
            Array("Received: by x\r\n\tfor y\r\nFrom: a@b\r\n\r\nHi".utf8),
            Array("\0\0\0\u{18}ftypheic\0\0\0\0".utf8),
            PaperKind.compoundMark + Array(repeating: 0, count: 600),
        ]
        let chance = Chance.seeded(7)
        for run in 0..<8_000 {
            var bytes = seeds[run % seeds.count]
            for _ in 0...chance.integer(below: 6) {
                bytes[chance.integer(below: bytes.count)] = chance.bytes(1)[0]
            }
            if run.isMultiple(of: 3) { bytes.removeLast(chance.integer(below: bytes.count)) }
            let kind = PaperKind.known(bytes, name: "x.csv")
            #expect(kind?.mediaType.contains("/") ?? true)
        }
    }

    @Test("A PDF whose beginning is spoiled is known by its end, and a text that speaks of PDFs stays a text")
    func badlyBegun() {
        let body = "1 0 obj\n<< /Type /Catalog >>\nendobj\n"
        let end = "trailer\n<< /Root 1 0 R >>\nstartxref\n30\n%%EOF\n"
        let noise = String(repeating: "X-Header: of a mail\n", count: 300)
        func kind(_ text: String, _ name: String) -> PaperKind? { .known(Array(text.utf8), name: name) }
        for name in ["lease.pdf", "lease", "lease.bin"] {
            #expect(kind("%PDX-1.4\n" + body + end, name) == .pdf)
            #expect(kind(noise + "%PDF-1.4\n" + body + end, name) == .pdf)
            #expect(kind("<br>Warning: line 3\n%PDF-1.4\n" + body + end, name) == .pdf)
        }
        #expect(kind("\0\0\0\0\0\0" + body + end, "lease.pdf") == .pdf)
        #expect(kind(noise + noise + noise + noise + "%PDF-1.4\n" + body + end, "lease.pdf") == .pdf)
        #expect(kind("%PDX-1.4\n" + body, "lease.pdf") == .pdf)
        #expect(kind("noise\n%PDF-1.4\n" + body + end, "lease.txt") == .pdf)
        let words = "A PDF begins with %PDF-1.7 and ends with startxref, a number and %%EOF.\n"
        for name in ["notes.txt", "notes.md", "mail.eml", "notes.html"] {
            #expect(kind(words + noise, name) != .pdf)
            #expect(kind(noise + words, name) != .pdf)
            #expect(kind(words, name) != .pdf)
        }
        for name in ["notes", "notes.txt", "notes.pdf"] { #expect(kind(noise, name) == .text) }
        #expect(kind(noise + "It ends with startxref and %%EOF.\n", "notes") == .text)
    }

    @Test func bytesAreBelievedAndNamesAreNot() throws {
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        #expect(PaperKind.detect(png, name: "photo.jpg") == .png)
        #expect(PaperKind.detect([0xFF, 0xD8, 0xFF, 0xE0], name: "letter.docx") == .jpeg)
        #expect(PaperKind.detect(Array("%PDF-1.7\n".utf8), name: "x") == .pdf)
        #expect(PaperKind.detect(Array("junk\n%PDF-1.4".utf8), name: "mail.bin") == .pdf)
        #expect(PaperKind.detect(Array("{\\rtf1 hello}".utf8), name: "a.doc") == .rtf)
    }

    @Test func textInUTF16IsKnownByWhatItSays() throws {
        func wide(_ text: String) -> [UInt8] {
            [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        }
        #expect(PaperKind.detect(wide("<!DOCTYPE html><p>está"), name: "x") == .html)
        #expect(PaperKind.detect(wide("Grüße"), name: "x") == .text)
        #expect(PaperKind.detect(wide("a;b\n1;2"), name: "x.csv") == .csv)
    }

    @Test func archivesAreKnownByTheirMembers() throws {
        #expect(PaperKind.detect(zip([("word/document.xml", "<w/>")]), name: "a.zip") == .docx)
        #expect(PaperKind.detect(zip([("xl/workbook.xml", "<w/>")]), name: "a.docx") == .xlsx)
        #expect(PaperKind.detect(zip([("ppt/presentation.xml", "<w/>")])) == .pptx)
        let odt = zip([("mimetype", "application/vnd.oasis.opendocument.text"), ("content.xml", "<x/>")])
        #expect(PaperKind.detect(odt) == .odt)
        #expect(PaperKind.detect(zip([("mimetype", "application/epub+zip")])) == .epub)
        #expect(PaperKind.detect(zip([("holiday.jpg", "x")]), name: "a.zip") == nil)
    }

    @Test func oldKindsThatOnlyLibreOfficeReadsAreKnown() throws {
        #expect(PaperKind.detect([0xFF, 0x57, 0x50, 0x43, 1, 2], name: "a.bin") == .wpd)
        #expect(PaperKind.detect(zip([("mimetype", "application/vnd.sun.xml.calc")])) == .sxc)
        #expect(PaperKind.detect(zip([("visio/document.xml", "<x/>")])) == .vsdx)
        let apple = zip([("Index/Document.iwa", "x")])
        #expect(PaperKind.detect(apple, name: "a.numbers") == .numbers)
        #expect(PaperKind.detect(apple, name: "a.zip") == nil)
        // A table with a column that is called ID is no SYLK, whatever some programs say.
        #expect(PaperKind.detect(Array("ID;Price\n1;2\n".utf8), name: "a.csv") == .csv)
        #expect(PaperKind.detect(Array("ID;PSCALC3\nC;X1;Y1;K1\nE\n".utf8), name: "a.slk") == .slk)
        let table: [UInt8] = [3] + Array(repeating: 0, count: 40)
        #expect(PaperKind.detect(table, name: "a.dbf") == .dbf && PaperKind.detect(table, name: "a") == nil)
    }

    @Test func theNameDecidesAmongKindsOfText() {
        let text = Array("# Title\n\nwords, and more\n".utf8)
        #expect(PaperKind.detect(text, name: "a.md") == .markdown)
        #expect(PaperKind.detect(text, name: "a.csv") == .csv)
        #expect(PaperKind.detect(text, name: "a.pdf") == .text)
        #expect(PaperKind.detect(Array("<!DOCTYPE html><p>".utf8), name: "a.txt") == .html)
        #expect(PaperKind.detect(Array("<svg xmlns='x'/>".utf8)) == .svg)
        let mail = Array("From: a@b.example\r\nDate: now\r\nSubject: x\r\n\r\nHello".utf8)
        #expect(PaperKind.detect(mail) == .mail)
        #expect(PaperKind.detect([0, 1, 2, 3, 4], name: "a.txt") == nil)
    }

    @Test(.enabled(if: CorpusFiles.root != nil, "there is no corpus"))
    func realFilesAreWhatTheirNamesSay() throws {
        for folder in ["office", "ebook", "image"] {
            for name in CorpusFiles.names(folder) {
                guard let expected = PaperKind.named(PaperKind.ending(of: name)) else { continue }
                guard let found = PaperKind.detect(try CorpusFiles.bytes("\(folder)/\(name)"), name: name)
                else {
                    continue
                }
                // Made to be something else than its name says.
                if name.hasSuffix("-not-ocf-error.epub") { continue }
                let isNear = found.family == expected.family
                #expect(isNear, "\(name) was taken for \(found)")
            }
        }
    }
}

/// Always the same archive of the same entries.
private func zip(_ entries: [(String, String)]) -> [UInt8] {
    var bytes: [UInt8] = []
    var writer = ZIPWriter { bytes += $0 }
    do {
        for (name, text) in entries {
            try writer.add(name, Array(text.utf8), modified: Moment(milliseconds: 1_795_260_900_000))
        }
        try writer.finish()
    } catch {
        Issue.record(error)
    }
    return bytes
}
