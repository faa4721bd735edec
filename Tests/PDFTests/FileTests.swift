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

    @Test("A compact file has every object under its number, and nothing that nothing leads to")
    func compact() throws {
        let file = try PDFFile(bytes: Self.paper())
        let root = try #require(file.trailer["Root"]?.reference)
        var catalog = file.catalog
        catalog["Note"] = .string([0, 10, 13, 40, 41, 92, 255])
        catalog["Odd name # (1)"] = .array([.real(-0.5), .reference(PDFReference(99)), .null, .boolean(true)])
        file.replace(root, with: .dictionary(catalog))
        let bytes = try #require(file.compacted())
        #expect(bytes == file.compacted())
        let read = try PDFFile(bytes: bytes)
        #expect(read.repairs.isEmpty)
        #expect(read.trailer["Root"]?.reference == root)
        #expect(read.pages == file.pages)
        #expect(read.catalog["Note"] == .string([0, 10, 13, 40, 41, 92, 255]))
        #expect(read.array(read.catalog["Odd name # (1)"]).first?.number == -0.5)
        let content = try #require(read.dictionary(.reference(read.pages[0]))?["Contents"]?.reference)
        #expect(read.stream(content) == Array("0 0 m 10 10 l S".utf8))
        #expect(PDFEnding(of: bytes)?.kind == .stream)
    }

    @Test("A locked or mended file is not made compact")
    func notCompact() throws {
        var writing = PDFFile.Writing()
        writing.passwords = (user: "", owner: "owner")
        let locked = try PDFFile(bytes: Self.paper()).rewritten(writing)
        #expect(try PDFFile(bytes: locked).compacted() == nil)
        var bytes = Self.paper()
        bytes.replaceSubrange(bytes.count - 9..<bytes.count - 7, with: Array("99".utf8))
        #expect(try PDFFile(bytes: bytes).compacted() == nil)
    }

    @Test(
        "Short names and long ones are kept and told apart",
        arguments: [
            "", "a", "fifteen letters", "sixteen letters!", "much longer than the room for short names",
        ])
    func names(text: String) {
        let name = PDFName(text)
        #expect(name.text == text && name.bytes == Array(text.utf8) && name.count == text.utf8.count)
        #expect(name == PDFName(bytes: Array(text.utf8)))
        #expect(name != PDFName(text + "x") && name != PDFName("x" + text.dropFirst() + "y"))
    }
}
