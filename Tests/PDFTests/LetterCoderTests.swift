import PDF
import Testing

@Suite("Short texts packed by learned codes")
struct LetterCoderTests {
    private let samples = (0..<64).map { row in
        let lines = (0..<8).map { "\($0 * 7).5 -\(24 + $0) Td(Person \(row * 7919 + $0), Elm Street)Tj\n" }
        return Array("BT\n0 g\n59.6 687.7 Td/QF0 9 Tf(\(row))Tj\n\(lines.joined())ET\n".utf8)
    }

    /// What another program makes of it: qpdf, through a file that holds it.
    private func unpacked(_ packed: [UInt8]) throws -> [UInt8]? {
        var draft = PDFDraft()
        let text = draft.addStream(["Filter": .name("FlateDecode")], packed)
        let pages = draft.add(
            .dictionary(["Type": .name("Pages"), "Kids": .array([]), "Count": .integer(0)]))
        let root = draft.add(.dictionary(["Type": .name("Catalog"), "Pages": .reference(pages)]))
        return try PDFFile(bytes: draft.bytes(root: root)).stream(text)
    }

    @Test("A text like the samples gets shorter and is read back as it was")
    func back() throws {
        let coder = try #require(LetterCoder(samples))
        for sample in samples {
            let packed = try #require(coder.packed(sample))
            #expect(packed.count < sample.count)
            #expect(try unpacked(packed) == sample)
        }
    }

    @Test("A text with letters no sample had is left to others")
    func strange() throws {
        let coder = try #require(LetterCoder(samples))
        #expect(coder.packed(Array("BT\n(©®¥)Tj\nET\n".utf8)) == nil)
    }

    @Test("An open coder writes letters no sample had, and repetitions as far back as the format can say")
    func open() throws {
        let coder = try #require(LetterCoder(samples, isOpen: true))
        var text = Array((0...255).map { UInt8($0) })
        while text.count < 40_000 { text += samples[text.count % samples.count] }
        text += Array((0...255).map { UInt8($0) })
        let packed = try #require(coder.packed(text))
        #expect(packed.count < text.count / 2)
        #expect(try unpacked(packed) == text)
    }

    @Test("Long repetitions and long texts keep within what the format can say")
    func long() throws {
        let long = Array(String(repeating: "0 -24 Td(Elm Street)Tj\n", count: 4000).utf8)
        let coder = try #require(LetterCoder(samples + [long, Array(repeating: 65, count: 700)]))
        for text in [long, Array(repeating: 65, count: 700)] {
            let packed = try #require(coder.packed(text))
            #expect(try unpacked(packed) == text)
        }
    }

    @Test("Samples that tell nothing give no coder")
    func nothing() { #expect(LetterCoder([]) == nil) }
}
