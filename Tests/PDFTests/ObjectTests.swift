import PDF
import Testing

@Suite("PDF objects")
struct ObjectTests {
    @Test("An object written and read again is the same")
    func roundTrip() {
        let object: PDFObject = .dictionary([
            "Name": .name(PDFName("Jä#a b")), "Text": .string(Array("a(b)\\c\r\n".utf8)),
            "Binary": .string([0, 200, 13]),
            "List": .array([.integer(-5), .real(1.25), .boolean(true), .reference(PDFReference(12)), .null]),
            "Inner": .dictionary(["X": .integer(0)]),
        ])
        #expect(PDFObject(parsing: object.written) == object)
    }

    @Test(
        "Text that is no object gives null or what can be made of it, never a crash",
        arguments: [
            "", "<<", "[", "(abc", "<4", "/", "<< /A", "[[[[", "1 0", "99999999999999999999 0 R", "+-.", "]",
            ">>",
        ])
    func broken(text: String) {
        _ = PDFObject(parsing: Array(text.utf8))
    }

    @Test("Arrays nested beyond all reason end in null")
    func deep() {
        let object = PDFObject(parsing: [UInt8](repeating: UInt8(ascii: "["), count: 100_000))
        #expect(object.array != nil)
    }

    @Test("Numbers are written without exponent and without needless zeros")
    func numbers() {
        func text(_ value: Double) -> String {
            var out: [UInt8] = []
            out.append(number: value, decimals: 5)
            return String(decoding: out, as: UTF8.self)
        }
        #expect(text(0.00001) == "0.00001")
        #expect(text(-12.5) == "-12.5")
        #expect(text(100) == "100")
        #expect(text(1e-9) == "0")
        #expect(text(.nan) == "0")
    }

    @Test(
        "Text is ASCII as it is, otherwise UTF-16 with its mark, and both are read back",
        arguments: ["Plain", "Zoë", "王小明", "😀", ""])
    func text(_ text: String) {
        #expect(PDFText.decode(PDFText.encode(text)) == text)
    }

    @Test("PDFDocEncoding is not Latin 1")
    func docEncoding() {
        #expect(PDFText.decode([0x80, 0x92, 0xA0, 0x18, 0xE9]) == "•™€˘é")
        #expect(PDFText.decode([0xEF, 0xBB, 0xBF, 0xC3, 0xA9]) == "é")
        #expect(PDFText.decode([0xFE, 0xFF, 0, 0x1B, 0, 0x65, 0, 0x6E, 0, 0x1B, 0, 0x41]) == "A")
    }
}
