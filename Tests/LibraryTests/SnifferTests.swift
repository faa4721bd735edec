@testable import Access
@testable import Library
import Storage
import TestSupport
import Testing
import Work

@Suite("What kind of file it is")
struct SnifferTests {
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
            (zip(["Index/Document.iwa"]), "Letter.pages", "application/vnd.apple.pages"),
            (zip(["Index/Document.iwa"]), "Talk.key", "application/vnd.apple.keynote"),
            (zip(["Index/Document.iwa"]), "x.zip", "application/zip"),
            (zip(["notes.txt"]), "Letter.pages", "application/zip"),
            (Array("<?xml version=\"1.0\"?><svg xmlns=".utf8), "x", "image/svg+xml"),
            (Array("<?xml version=\"1.0\"?><a/>".utf8), "x.txt", "application/xml"),
            (Array("Grüße an alle\n".utf8), "note", "text/plain"),
            (Array("name;city\nAda;London\n".utf8), "people.CSV", "text/csv"),
            (Array("name;city\nJ".utf8) + [0xF6] + Array("rg\n".utf8), "people.csv", "text/csv"),
            ([0xF6, 0x0A], "note.txt", "application/octet-stream"),
            (Array("# Title\n".utf8), "README.md", "text/markdown"),
            (Array("Received: by x\r\n\tfor y\r\nFrom: a@b\r\n\r\nHi".utf8), "mail", "message/rfc822"),
            (Array("Hello".utf8), "letter.eml", "message/rfc822"),
            (Array("Dear: all\nWe met.\n".utf8), "letter", "text/plain"),
            (Array("BEGIN:VCARD\r\nVERSION:3.0".utf8), "ada", "text/vcard"),
            ([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], "old.DOC", "application/msword"),
            ([0, 1, 2, 3], "x.txt", "application/octet-stream"), ([], "empty", "text/plain"),
            (zip(["a.txt"]), "x.docx", "application/zip"),
            (
                zip(["[Content_Types].xml", "_rels/.rels", "word/document.xml"]), "x.zip",
                "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
            ),
            (
                zip(["[Content_Types].xml", "xl/workbook.xml"]), "x",
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
            ),
            (
                zip(["[Content_Types].xml", "ppt/presentation.xml"]), "x",
                "application/vnd.openxmlformats-officedocument.presentationml.presentation"
            ),
            (
                zip(["mimetype", "content.xml"], first: "application/vnd.oasis.opendocument.text"), "x",
                "application/vnd.oasis.opendocument.text"
            ),
            (
                zip(["mimetype", "META-INF/container.xml"], first: "application/epub+zip"), "x",
                "application/epub+zip"
            ),
            (zip(["mimetype"], first: "text/html"), "x", "application/zip"),
            (Array("PK\u{3}\u{4}".utf8) + [0xFF, 0xFF, 0xFF], "broken.docx", "application/zip"),
        ] as [([UInt8], String, String)])
    func content(bytes: [UInt8], name: String, mediaType: String) throws {
        try withLibrary { documents, _, _ in
            let document = try documents.add(.bytes(bytes), named: name, by: ada).document
            #expect(document.blob.mediaType == mediaType)
        }
    }

    @Test("Spoilt files never crash it")
    func fuzzing() throws {
        let seeds = [
            zip(["[Content_Types].xml", "word/document.xml"]),
            zip(["mimetype", "x"], first: "application/epub+zip"),
            Array("Received: by x\r\n\tfor y\r\nFrom: a@b\r\n\r\nHi".utf8),
            Array("\0\0\0\u{18}ftypheic\0\0\0\0".utf8),
        ]
        let chance = Chance.seeded(7)
        try withScratchFolder { folder in
            for run in 0..<8_000 {
                var bytes = seeds[run % seeds.count]
                for _ in 0...chance.integer(below: 6) {
                    bytes[chance.integer(below: bytes.count)] = chance.bytes(1)[0]
                }
                if run.isMultiple(of: 3) { bytes.removeLast(chance.integer(below: bytes.count)) }
                try writeFile(folder + "/spoilt", bytes)
                let type = try Sniffer.mediaType(ofFile: folder + "/spoilt", named: "x.csv")
                #expect(type.contains("/"))
            }
        }
    }

    @Test(
        "A name shows what it is, on one line, and fits",
        arguments: [
            ("/home/ada/Lease.pdf", "Lease.pdf"), ("..\\..\\evil.txt", "evil.txt"),
            ("  a \t b\r\n.txt", "a b .txt"),
            ("invoice\u{202E}fdp.exe", "invoicefdp.exe"), ("nul\u{0}l\u{7F}.txt", "nul l.txt"),
            ("", "Untitled"),
            ("...", "Untitled"), ("dir/", "dir"), ("Ελλάδα 😀👩‍👧.pdf", "Ελλάδα 😀👩‍👧.pdf"),
            (String(repeating: "a", count: 500) + ".pdf", String(repeating: "a", count: 196) + ".pdf"),
        ])
    func names(given: String, name: String) throws {
        try withLibrary { documents, _, _ in
            let document = try documents.addText(given, "x")
            #expect(document.name == name)
        }
    }

    @Test(
        "On somebody's disk it gets the ending that opens it",
        arguments: [
            ("Lease", "Lease.pdf"), ("Lease.PDF", "Lease.PDF"), ("Lease v1.2", "Lease v1.2.pdf"),
            ("setup.exe", "setup.exe.pdf"),
        ])
    func endings(name: String, fileName: String) throws {
        try withLibrary { documents, _, _ in
            let document = try documents.addText(name, "%PDF-1.7")
            #expect(document.fileName == fileName)
        }
    }
}

/// A ZIP file with empty entries, the first of which may hold a text.
private func zip(_ names: [String], first: String = "") -> [UInt8] {
    func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> ($0 * 8) & 255) } }
    var file: [UInt8] = []
    var list: [UInt8] = []
    for (rank, name) in names.enumerated() {
        let content = rank == 0 ? Array(first.utf8) : []
        let sizes =
            little(content.count, 4) + little(content.count, 4) + little(name.utf8.count, 2) + little(0, 2)
        let start = file.count
        file +=
            Array("PK".utf8) + [3, 4] + [UInt8](repeating: 0, count: 14) + sizes + Array(name.utf8) + content
        list += Array("PK".utf8) + [1, 2] + [UInt8](repeating: 0, count: 16) + sizes
        list += [UInt8](repeating: 0, count: 10) + little(start, 4) + Array(name.utf8)
    }
    let end = Array("PK".utf8) + [5, 6, 0, 0, 0, 0] + little(names.count, 2) + little(names.count, 2)
    return file + list + end + little(list.count, 4) + little(file.count, 4) + [0, 0]
}
