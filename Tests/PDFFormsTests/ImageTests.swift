import Bytes
import PDF
import PDFForms
import Testing

@Suite("Image fields")
struct ImageTests {
    /// A PNG of two dots in one row.
    private func png(kind: UInt8, rows: [UInt8]) throws -> String {
        func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
            let length = UInt32(content.count)
            // The checksum at the end is not looked at.
            return (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) } + Array(name.utf8)
                + content
                + [0, 0, 0, 0]
        }
        let packed = try #require(deflated(rows))
        let bytes: [UInt8] =
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", [0, 0, 0, 2, 0, 0, 0, 1, 8, kind, 0, 0, 0]) + chunk("IDAT", packed)
            + chunk("IEND", [])
        return "data:image/png;base64,\(Base64.encode(bytes))"
    }

    private func template(_ fit: PDFDictionary = [:]) -> [UInt8] {
        FormMaker.make { maker in
            maker.fields.append(
                maker.widget(
                    [
                        "T": .text("photo"), "FT": .name("Btn"), "Ff": .integer(1 << 16),
                        "MK": .dictionary(["TP": .integer(1), "IF": .dictionary(fit)]),
                    ], box: [0, 0, 102, 22]))
        }
    }

    private func image(_ filled: Filled) throws -> (file: PDFFile, dots: PDFReference, content: String) {
        let file = try PDFFile(bytes: filled.bytes)
        let button = file.dictionary(file.array(file.dictionary(.reference(file.pages[0]))?["Annots"]).first)
        let picture = try #require(file.dictionary(button?["AP"])?["N"]?.reference)
        let resources = file.dictionary(file.dictionary(.reference(picture))?["Resources"])
        let dots = try #require(file.dictionary(resources?["XObject"])?["Image"]?.reference)
        return (file, dots, String(decoding: try #require(file.stream(picture)), as: UTF8.self))
    }

    @Test("A PNG goes in as it is, in proportion and in the middle")
    func plain() throws {
        let form = try PreparedForm(bytes: template())
        let columns = form.columns(["photo"])
        let row: [FieldValue?] = [.text(try png(kind: 2, rows: [0, 255, 0, 0, 0, 0, 255]))]
        let filled = form.fill(columns: columns, row: row)
        #expect(filled.findings.isEmpty)
        #expect(form.prove(filled, columns: columns, row: row).isEmpty)
        let (file, dots, content) = try image(filled)
        #expect(file.stream(dots) == [255, 0, 0, 0, 0, 255])
        #expect(content.contains("40 0 0 20 31 1 cm /Image Do"))
        #expect(file.repairs.isEmpty)
    }

    @Test("Transparency becomes a mask of its own")
    func transparent() throws {
        let text = try png(kind: 6, rows: [0, 255, 0, 0, 128, 0, 0, 255, 255])
        let (file, dots, _) = try image(PreparedForm(bytes: template()).fill(["photo": .text(text)]))
        #expect(file.stream(dots) == [255, 0, 0, 0, 0, 255])
        let mask = try #require(file.dictionary(.reference(dots))?["SMask"]?.reference)
        #expect(file.stream(mask) == [128, 255])
    }

    @Test("The button's own wish how to fit is followed")
    func fit() throws {
        let text = try png(kind: 2, rows: [0, 255, 0, 0, 0, 0, 255])
        let wishes: [(PDFDictionary, String)] = [
            (["S": .name("A")], "100 0 0 20 1 1 cm"), (["SW": .name("N")], "2 0 0 1 50 10.5 cm"),
            (["A": .array([.integer(0), .integer(0)])], "40 0 0 20 1 1 cm"),
            (["SW": .name("B")], "2 0 0 1 50 10.5 cm"),
        ]
        for (wish, place) in wishes {
            let (_, _, content) = try image(PreparedForm(bytes: template(wish)).fill(["photo": .text(text)]))
            #expect(content.contains(place))
        }
    }

    @Test("What is no picture is said, and the button is left alone")
    func others() throws {
        for text in ["Ana", "data:image/png;base64,AAAA", "data:image/jpeg;base64,/9j/"] {
            let filled = try PreparedForm(bytes: template()).fill(["photo": .text(text)])
            #expect(filled.findings.map(\.kind) == [.notFillable])
        }
    }
}
