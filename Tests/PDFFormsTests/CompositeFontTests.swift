import PDF
import PDFDrawing
import PDFForms
import Testing

/// Forms whose fields name a composite font: it is used where it has the letters, as any other font of the form.
@Suite("Composite fonts of a form") struct CompositeFontTests {
    /// A form with a font that has just the letters of some words, as a subset made elsewhere would have.
    private static func form(letters: String) throws -> PreparedForm {
        let file = try PDFFile(bytes: FormMaker.make { $0.text("name") })
        let bytes = FormMaker.make { maker in
            var fonts = FallbackFonts()
            var ignored: [UInt8] = []
            let set = SetText(letters[...], font: TemplateFont.standard(near: "Helv", name: "Helv", file))
            for case .fallback(let run) in set.runs(0..<set.count) {
                _ = fonts.show(run, size: 10, into: &ignored) { maker.draft.newReference() }
            }
            fonts.write(newReference: { maker.draft.newReference() }) { reference, entries, data in
                if let data {
                    maker.draft.putStream(entries, data, at: reference)
                } else {
                    maker.draft.put(.dictionary(entries), at: reference)
                }
            }
            maker.form["DR"] = .dictionary([
                "Font": .dictionary(["Wide": .reference(fonts.used[0].reference)])
            ])
            maker.text("name", ["DA": .text("/Wide 11 Tf 0 g")])
            maker.text(
                "comb", ["DA": .text("/Wide 11 Tf 0 g"), "Ff": .integer(1 << 24), "MaxLen": .integer(8)])
        }
        return try PreparedForm(bytes: bytes)
    }

    private func picture(_ filled: Filled, _ name: String) throws -> String {
        let file = try PDFFile(bytes: filled.bytes)
        let fields = file.array(file.form?["Fields"]).compactMap { file.dictionary($0) }
        let field = try #require(fields.first { $0["T"]?.text == name })
        let normal = file.dictionary(field["AP"])?["N"]?.reference
        return String(decoding: file.stream(try #require(normal)) ?? [], as: UTF8.self)
    }

    @Test("Letters it has are shown in it, in a comb as well", arguments: ["name", "comb"])
    func own(field: String) throws {
        let form = try Self.form(letters: "Анна Чехова")
        let columns = form.columns([field])
        let filled = form.fill(columns: columns, row: [.text("Анна")])
        #expect(filled.findings.isEmpty)
        let content = try picture(filled, field)
        #expect(content.contains("/Wide 11 Tf"))
        #expect(!content.contains("/QuireF"))
        #expect(form.prove(filled, columns: columns, row: [.text("Анна")], deeply: true).isEmpty)
        #expect(form.prove(filled, columns: columns, row: [.text("Анна")]).isEmpty)
    }

    @Test("Letters it lacks, and such as must be shaped, come from another font beside it")
    func others() throws {
        let form = try Self.form(letters: "Анна Чехова")
        let columns = form.columns(["name"])
        for value in ["Анна Жук", "Анна 王", "مريم Анна", "नमस्ते"] {
            let filled = form.fill(columns: columns, row: [.text(value)])
            #expect(filled.findings.isEmpty)
            #expect(try picture(filled, "name").contains("/QuireF"))
            #expect(
                form.prove(filled, columns: columns, row: [.text(value)], deeply: true).isEmpty, "\(value)")
        }
    }
}
