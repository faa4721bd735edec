import PDF
import PDFForms
import Testing

/// Forms as they are and not as they should be, seen the way viewers see them.
@Suite("Odd forms")
struct OddFormTests {
    private func merged(_ bytes: [UInt8], _ records: [[String: FieldValue]]) throws -> [UInt8] {
        var out: [UInt8] = []
        let form = try PreparedForm(bytes: bytes)
        let merged = try MergedForms { out += $0 }
        for record in records { try merged.add(form, record) }
        try merged.finish()
        return out
    }

    /// What each page shows: its content, with the pictures it names in their places.
    private func shown(_ file: PDFFile, _ page: Int) -> String {
        let dictionary = file.dictionary(.reference(file.pages[page])) ?? [:]
        var text = file.array(dictionary["Contents"]).compactMap(\.reference).map {
            String(decoding: file.stream($0) ?? [], as: UTF8.self)
        }.joined(separator: "\n")
        var open = [dictionary["Resources"]]
        var depth = 0
        while let resources = open.popLast(), depth < 100 {
            depth += 1
            for (_, picture) in file.dictionary(file.dictionary(resources)?["XObject"])?.entries ?? [] {
                guard let reference = picture.reference else { continue }
                text += "\n" + String(decoding: file.stream(reference) ?? [], as: UTF8.self)
                open.append(file.dictionary(picture)?["Resources"])
            }
        }
        return text
    }

    @Test(
        "Letters of a TrueType font that names no encoding are written only where all viewers read the same")
    func noEncoding() throws {
        func filled(_ font: PDFDictionary) throws -> (shown: String, doubts: [Finding]) {
            let bytes = FormMaker.make { maker in
                let own = maker.draft.add(.dictionary(font))
                maker.form["DR"] = .dictionary(["Font": .dictionary(["Ari": .reference(own)])])
                maker.text("name", ["DA": .text("/Ari 10 Tf 0 g")])
            }
            let form = try PreparedForm(bytes: bytes)
            let columns = form.columns(["name"])
            let filled = form.fill(columns: columns, row: [.text("Zé000ñ")])
            let file = try PDFFile(bytes: filled.bytes)
            let widget = file.array(file.dictionary(.reference(file.pages[0]))?["Annots"])[0]
            let picture = file.dictionary(file.dictionary(widget)?["AP"])?["N"]?.reference
            return (
                String(decoding: file.stream(try #require(picture)) ?? [], as: UTF8.self),
                form.prove(filled, columns: columns, row: [.text("Zé000ñ")], deeply: true)
            )
        }
        let bare: PDFDictionary = [
            "Type": .name("Font"), "Subtype": .name("TrueType"), "BaseFont": .name("Arial"),
        ]
        let odd = try filled(bare)
        // The letters all agree on stand as they are; é and ñ come from another font.
        #expect(odd.shown.contains("(Z)") || odd.shown.contains("(Z) Tj"))
        #expect(odd.shown.ranges(of: "Tf").count > 2)
        #expect(odd.doubts.isEmpty)
        var named = bare
        named["Encoding"] = .name("WinAnsiEncoding")
        #expect(try filled(named).shown.ranges(of: "Tf").count == 1)
    }

    @Test("Ticks of boxes without a picture of their own are in a merged file")
    func bareBoxes() throws {
        let bytes = FormMaker.make { maker in
            maker.text("name")
            maker.fields.append(
                maker.widget(
                    ["T": .text("bare"), "FT": .name("Btn"), "MK": .dictionary(["CA": .text("8")])],
                    box: [10, 10, 24, 24]))
        }
        let file = try PDFFile(
            bytes: merged(
                bytes,
                [
                    ["name": .text("Ana"), "bare": .flag(true)], ["name": .text("Bo"), "bare": .text("Yes")],
                    ["name": .text("Cy"), "bare": .text("")],
                ]))
        for page in 0..<3 {
            let content = file.array(file.dictionary(.reference(file.pages[page]))?["Contents"])
                .compactMap { $0.reference.flatMap { file.stream($0) } }
                .map { String(decoding: $0, as: UTF8.self) }.joined()
            #expect(content.contains(" Do") == (page < 2))
        }
        #expect(shown(file, 0).contains("cm/W Do"))
        #expect(shown(file, 0).contains("f\nQ"))
    }
}
