import PDF
import PDFForms
import PDFReading
import TestSupport
import Testing
import Work

/// The proof that asks poppler what it draws and reads.
@Suite(.enabled(if: PageReader.isReady, "poppler-utils is not installed"))
struct PictureProofTests {
    private let reader = PageReader(jail: .detect())

    /// A form with a text in a given font, a list to choose from and a box that came without pictures.
    private func form(_ font: PDFDictionary) throws -> PreparedForm {
        var maker = PageMaker()
        let own = maker.draft.add(.dictionary(font))
        func place(_ entries: PDFDictionary, bottom: Double) -> PDFReference {
            var widget = entries
            widget["Type"] = .name("Annot")
            widget["Subtype"] = .name("Widget")
            widget["F"] = .integer(4)
            widget["Rect"] = maker.box(20, bottom, 220, bottom + 20)
            return maker.draft.add(.dictionary(widget))
        }
        let look = PDFObject.text("/Own 11 Tf 0 g")
        let places = [
            place(["T": .text("name"), "FT": .name("Tx"), "DA": look], bottom: 200),
            place(["T": .text("town"), "FT": .name("Tx"), "DA": look, "V": .text("Old")], bottom: 160),
            place(
                [
                    "T": .text("kind"), "FT": .name("Ch"), "Ff": .integer(1 << 17), "DA": look,
                    "Opt": .array([
                        .array([.text("a"), .text("Apple")]), .array([.text("b"), .text("Berry")]),
                    ]),
                ], bottom: 120),
        ]
        maker.page(
            "BT /F 9 Tf 20 230 Td (Name of the person) Tj ET",
            ["Annots": .array(places.map(PDFObject.reference))])
        maker.fields = places
        let resources: PDFDictionary = ["Font": .dictionary(["Own": .reference(own)])]
        maker.draft.put(
            .dictionary([
                "Type": .name("Pages"), "Kids": .array(maker.pages.map(PDFObject.reference)),
                "Count": .integer(1),
            ]), at: maker.tree)
        let root = maker.draft.add(
            .dictionary([
                "Type": .name("Catalog"), "Pages": .reference(maker.tree),
                "AcroForm": .dictionary([
                    "Fields": .array(places.map(PDFObject.reference)), "DR": .dictionary(resources),
                ]),
            ]))
        return try PreparedForm(bytes: maker.draft.bytes(root: root))
    }

    private func font(_ kind: String, encoding: String?) -> PDFDictionary {
        var font: PDFDictionary = [
            "Type": .name("Font"), "Subtype": .name(PDFName(kind)), "BaseFont": .name("Arial"),
        ]
        if let encoding { font["Encoding"] = .name(PDFName(encoding)) }
        return font
    }

    private func doubts(
        _ form: PreparedForm, writing row: [FieldValue?], believing given: [FieldValue?]? = nil
    ) throws -> [String] {
        let columns = form.columns(["name", "town", "kind"])
        let filled = form.fill(columns: columns, row: row)
        return try PictureProof(form, reader: reader).doubts(filled, columns: columns, row: given ?? row)
            .map { "\($0.field): \($0.message)" }
    }

    @Test(
        "What a viewer reads is what was given, in fonts with an encoding and without",
        arguments: [("Type1", "WinAnsiEncoding"), ("TrueType", "WinAnsiEncoding"), ("TrueType", nil)])
    func read(kind: String, encoding: String?) throws {
        let form = try form(font(kind, encoding: encoding))
        #expect(try doubts(form, writing: [.text("Zé000ñ d'Île"), .text("Oslo"), .text("b")]) == [])
    }

    @Test("Letters that a viewer reads otherwise are told, with the field and the page")
    func misread() throws {
        let form = try form(font("Type1", encoding: "WinAnsiEncoding"))
        let written: [FieldValue?] = [.text("ZØ000æ"), .text("Oslo"), .text("b")]
        let given: [FieldValue?] = [.text("Zé000ñ"), .text("Oslo"), .text("b")]
        #expect(
            try doubts(form, writing: written, believing: given) == [
                "name: A viewer does not read the value on page 1; missing: “é”, “ñ”."
            ])
        // Another choice than the one given; the letters of what is printed beside it do not hide that.
        #expect(
            try doubts(form, writing: [nil, nil, .text("a")], believing: [nil, nil, .text("b")]).count == 1)
    }

    @Test("Rows of one file for all are looked at where they begin, and doubted where another's stand")
    func merged() throws {
        let form = try form(font("Type1", encoding: "WinAnsiEncoding"))
        let columns = form.columns(["name", "town", "kind"])
        let rows: [[FieldValue?]] = [
            [.text("Zoe Miller"), .text("Oslo"), .text("b")],
            [.text("Ben Quick"), .text("Graz"), .text("a")],
        ]
        var bytes: [UInt8] = []
        let merged = try MergedForms { bytes += $0 }
        for row in rows { try merged.add([.row(form, columns: columns, values: row)]) }
        try merged.finish()
        let sheets = try Sheets(bytes: bytes)
        let proof = try PictureProof(form, reader: reader)
        for (page, row) in rows.enumerated() {
            #expect(try proof.doubts(sheets, from: page, [], columns: columns, row: row) == [])
            let other = try proof.doubts(sheets, from: 1 - page, [], columns: columns, row: row)
            #expect(other.contains { $0.field == "name" && $0.message.hasPrefix("A viewer does not read") })
        }
        #expect(
            try proof.doubts(sheets, from: 2, [], columns: columns, row: rows[0]).map(\.message)
                == ["Page 1 is missing."])
    }
}
