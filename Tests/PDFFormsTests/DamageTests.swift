import PDF
import PDFForms
import Testing

@Suite("Damaged forms")
struct DamageTests {
    /// A small generator, so that the same damage is done every time.
    private struct Dice {
        var state: UInt64

        mutating func roll(_ sides: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state >> 16) % max(1, sides)
        }
    }

    private static let words = [
        "/Kids[1 0 R]", "/Parent 4 0 R", "99999999999", "-1", "null", "[[[[", "<<<<", "/MaxLen 2147483647",
        "/Rect[1e30 nan -5 0]",
        "/DA(/X 1e9 Tf)", "/Opt[[()]]", "/AP<</N null>>", "/Ff 4294967295", "/Ff -9223372036854775808",
        "/Q 99999999999",
    ].map { Array($0.utf8) }

    private static func form() -> [UInt8] {
        FormMaker.make { maker in
            maker.text("line", ["MaxLen": .integer(9)])
            maker.text("lines", ["Ff": .integer(1 << 12), "V": .text("old")])
            maker.text(
                "comb",
                ["Ff": .integer(1 << 24), "MaxLen": .integer(8), "MK": .dictionary(["R": .integer(90)])])
            let picture = maker.appearance()
            maker.fields.append(
                maker.widget([
                    "T": .text("box"), "FT": .name("Btn"),
                    "AP": .dictionary(["N": .dictionary(["On": .reference(picture)])]),
                ]))
            maker.fields.append(
                maker.widget([
                    "T": .text("list"), "FT": .name("Ch"), "Opt": .array([.text("a"), .text("b")]),
                ]))
        }
    }

    @Test("A table of objects that begins below 0 is read by looking for its objects")
    func belowZero() throws {
        // Found by spoiling forms.
        var form = Self.form()
        let table = Array("xref\n0 ".utf8)
        let place = try #require(form.indices.first { form[$0...].starts(with: table) })
        form.replaceSubrange(place..<place + table.count, with: Array("xref\n-1 ".utf8))
        let filled = try PreparedForm(bytes: form).fill(["line": .text("Ana")])
        #expect(try Form(bytes: filled.bytes).fields.first { $0.name == "line" }?.value == ["Ana"])
    }

    @Test("A few bytes that ask for gigabytes are refused before anything is made ready for them")
    func gigabytes() {
        // Found by spoiling forms: a cross-reference stream with rows of four gigabytes.
        let text = """
            %PDF-1.7
            7 0 obj
            <</Type/XRef/Length 2/Filter/FlateDecode/DecodeParms<</Columns 4294967294/Predictor 12>>/W[1 2 1]/Root 2 0 R/Size 8>>
            stream
            xx
            endstream
            endobj
            startxref
            9
            %%EOF
            """
        #expect(throws: PDFError.self) { try PDFFile(bytes: Array(text.utf8)) }
    }

    @Test(
        "Whatever is done to a form, it is filled or refused, and never brings the program down",
        arguments: 1...8)
    func damage(seed: Int) {
        let original = Self.form()
        var dice = Dice(state: UInt64(seed) &* 0x9E37_79B9_7F4A_7C15)
        for _ in 0..<60 {
            var bytes = original
            for _ in 0...dice.roll(8) {
                let place = dice.roll(bytes.count)
                switch dice.roll(4) {
                case 0: bytes[place] = UInt8(dice.roll(256))
                case 1: bytes.removeSubrange(place..<min(bytes.count, place + dice.roll(30)))
                case 2: bytes.insert(contentsOf: Self.words[dice.roll(Self.words.count)], at: place)
                default:
                    let word = Self.words[dice.roll(Self.words.count)]
                    bytes.replaceSubrange(place..<min(bytes.count, place + word.count), with: word)
                }
            }
            var options = PreparedForm.Options()
            options.flattens = dice.roll(2) == 0 ? .all : .none
            if let form = try? PreparedForm(bytes: bytes, options: options) {
                let values = Dictionary(
                    form.form.fields.map {
                        ($0.name, FieldValue.text(["Zoë", "a", "On", "王小明 مريم"][dice.roll(4)]))
                    },
                    uniquingKeysWith: { first, _ in first })
                _ = form.fill(values).bytes
            }
        }
    }
}
