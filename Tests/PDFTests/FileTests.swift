import PDF
import Testing

@Suite("PDF files")
struct FileTests {
    /// One page with one note on it.
    private static func paper() -> [UInt8] {
        var draft = PDFDraft()
        let page = draft.newReference()
        let pages = draft.add(
            .dictionary(["Type": .name("Pages"), "Kids": .array([.reference(page)]), "Count": .integer(1)]))
        let content = draft.addStream([:], Array("0 0 m 10 10 l S".utf8))
        draft.put(
            .dictionary([
                "Type": .name("Page"), "Parent": .reference(pages), "Contents": .reference(content),
                "MediaBox": .array([.integer(0), .integer(0), .integer(200), .integer(100)]),
            ]), at: page)
        let root = draft.add(.dictionary(["Type": .name("Catalog"), "Pages": .reference(pages)]))
        return draft.bytes(root: root)
    }

    @Test("A new file opens without repairs")
    func opens() throws {
        let file = try PDFFile(bytes: Self.paper())
        #expect(file.pages.count == 1)
        #expect(file.repairs.isEmpty)
        #expect(
            file.stream(try #require(file.dictionary(.reference(file.pages[0]))?["Contents"]?.reference))?
                .count == 15)
    }

    @Test(
        "A revision leaves every earlier byte as it was and wins over older objects",
        arguments: [false, true])
    func revision(packed: Bool) throws {
        var bytes = Self.paper()
        if packed { bytes = try PDFFile(bytes: bytes).rewritten() }
        let file = try PDFFile(bytes: bytes)
        let ending = try #require(PDFEnding(of: bytes))
        #expect(ending.kind == (packed ? .stream : .table))
        var revision = PDFRevision(
            behind: bytes.count, ending: ending, trailer: file.trailer, firstFree: file.highestObject + 1)
        let note = revision.newReference()
        revision.put(.text("Zoë was here"), at: note)
        var catalog = file.catalog
        catalog["Note"] = .reference(note)
        revision.put(.dictionary(catalog), at: try #require(file.trailer["Root"]?.reference))
        let revised = bytes + revision.finish(identity: Array("0123456789abcdef".utf8))
        let read = try PDFFile(bytes: revised)
        #expect(read.repairs.isEmpty)
        #expect(read.resolve(read.catalog["Note"]).text == "Zoë was here")
        #expect(read.pages.count == 1)
    }

    @Test("A file with a wrong startxref is repaired, and says so")
    func repaired() throws {
        var bytes = Self.paper()
        let mark = bytes.count - 9
        bytes.replaceSubrange(mark..<mark + 2, with: Array("99".utf8))
        let file = try PDFFile(bytes: bytes)
        #expect(file.pages.count == 1)
        #expect(!file.repairs.isEmpty)
    }

    @Test("A locked file asks for its password and refuses a wrong one")
    func locked() throws {
        var writing = PDFFile.Writing()
        writing.passwords = (user: "open sesame", owner: "owner")
        let locked = try PDFFile(bytes: Self.paper()).rewritten(writing)
        #expect(throws: PDFError.passwordNeeded) { try PDFFile(bytes: locked) }
        #expect(throws: PDFError.wrongPassword) { try PDFFile(bytes: locked, password: "no") }
        let file = try PDFFile(bytes: locked, password: "open sesame")
        #expect(file.encryption?.revision == 6)
        #expect(file.pages.count == 1)
    }

    @Test("What is no PDF is refused in words", arguments: ["", "hello", "%PDF-1.7\n"])
    func noPDF(text: String) {
        #expect(throws: PDFError.self) { try PDFFile(bytes: Array(text.utf8)).pages.isEmpty ? nil : 1 }
    }

    @Test("The same input is rewritten to the same bytes")
    func deterministic() throws {
        let once = try PDFFile(bytes: Self.paper()).rewritten()
        let again = try PDFFile(bytes: Self.paper()).rewritten()
        #expect(once == again)
    }
}
