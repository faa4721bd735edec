@testable import Library
import Storage
import TestSupport
import Testing
import Work

@Suite("The name of a file")
struct FileNameTests {
    @Test(
        "What a paper is follows from its bytes, not from its name",
        arguments: [
            ("invoice.exe", "%PDF-1.7\n", "application/pdf"),
            ("plan.pgm", "P5 2 2 255\n....", "image/x-portable-anymap"),
            ("noise", "\u{0}\u{1}\u{2}", "application/octet-stream"),
        ])
    func content(name: String, text: String, mediaType: String) throws {
        try withLibrary { documents, _, _ in
            let document = try documents.addText(name, text)
            #expect(document.blob.mediaType == mediaType)
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
