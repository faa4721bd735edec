import Glibc
import PDF
import PDFForms
import TestSupport
import Testing
import Work

@Suite("X-ray of a form")
struct XRayTests {
    @Test("shows each field's name in its place, and tells on a page of its own what has no room")
    func names() throws {
        let long = "topmostSubform[0].Page1[0].a very long name that has no room[0]"
        let template = FormMaker.make { maker in
            maker.text("full name", ["V": .text("Secret")], box: [20, 100, 40, 300])
            maker.text(long, box: [60, 20, 80, 40])
            maker.text("straße 北京", box: [100, 100, 120, 300])
            maker.page["Rotate"] = .integer(90)
        }
        let bytes = try XRay(template).bytes
        let file = try PDFFile(bytes: bytes)
        #expect(file.form == nil)
        #expect(file.pages.count == 2)
        try withScratchFolder { folder in
            let out = try #require(fopen("\(folder)/x.pdf", "wb"))
            fwrite(bytes, 1, bytes.count, out)
            fclose(out)
            #expect(try Child("/usr/bin/qpdf", ["--check", "\(folder)/x.pdf"]).run().succeeded)
            let text = try Child("/usr/bin/pdftotext", ["\(folder)/x.pdf", "-"]).run().outputText
            let pages = text.split(separator: "\u{C}")
            #expect(pages[0].contains("full name") && pages[0].contains("straße") && pages[0].contains("北京"))
            #expect(!pages[0].contains(long) && !text.contains("Secret"))
            #expect(pages[1].contains("2") && pages[1].contains(long))
        }
    }
}
