import PDF

/// Makes small forms for the tests: one page, fields as the test describes them.
struct FormMaker {
    var draft = PDFDraft()
    var fields: [PDFReference] = []
    var annotations: [PDFReference] = []
    var form: PDFDictionary = ["DA": .text("/Helv 0 Tf 0 g")]
    var catalog: PDFDictionary = ["Type": .name("Catalog")]
    var page: PDFDictionary = [
        "Type": .name("Page"),
        "MediaBox": .array([.integer(0), .integer(0), .integer(400), .integer(400)]),
    ]

    /// What the page shows by itself.
    var content = ""

    /// A widget on the page at a place of its own unless told otherwise; merged with its field when it has FT.
    mutating func widget(_ entries: PDFDictionary, box: [Double]? = nil) -> PDFReference {
        let bottom = 370 - 30 * Double(annotations.count)
        var widget = entries
        widget["Type"] = .name("Annot")
        widget["Subtype"] = .name("Widget")
        widget["Rect"] = .array((box ?? [20, bottom, 220, bottom + 20]).map(PDFObject.real))
        if widget["F"] == nil { widget["F"] = .integer(4) }
        let reference = draft.add(.dictionary(widget))
        annotations.append(reference)
        return reference
    }

    @discardableResult
    mutating func text(_ name: String, _ entries: PDFDictionary = [:], box: [Double]? = nil) -> PDFReference {
        var entries = entries
        entries["T"] = .text(name)
        entries["FT"] = .name("Tx")
        let reference = widget(entries, box: box)
        fields.append(reference)
        return reference
    }

    mutating func appearance(
        _ content: String = "0 0 10 10 re f", box: [Int] = [0, 0, 20, 20]
    ) -> PDFReference {
        draft.addStream(
            [
                "Type": .name("XObject"), "Subtype": .name("Form"),
                "BBox": .array(box.map(PDFObject.integer)),
            ], Array(content.utf8))
    }

    static func make(_ describe: (inout FormMaker) throws -> Void) rethrows -> [UInt8] {
        var maker = FormMaker()
        let helvetica = maker.draft.add(
            .dictionary([
                "Type": .name("Font"), "Subtype": .name("Type1"), "BaseFont": .name("Helvetica"),
                "Encoding": .name("WinAnsiEncoding"),
            ]))
        maker.form["DR"] = .dictionary(["Font": .dictionary(["Helv": .reference(helvetica)])])
        try describe(&maker)
        let page = maker.draft.newReference()
        let pages = maker.draft.add(
            .dictionary(["Type": .name("Pages"), "Kids": .array([.reference(page)]), "Count": .integer(1)]))
        maker.page["Parent"] = .reference(pages)
        maker.page["Annots"] = .array(maker.annotations.map(PDFObject.reference))
        if !maker.content.isEmpty {
            maker.page["Contents"] = .reference(maker.draft.addStream([:], Array(maker.content.utf8)))
        }
        maker.draft.put(.dictionary(maker.page), at: page)
        maker.form["Fields"] = .array(maker.fields.map(PDFObject.reference))
        maker.catalog["Pages"] = .reference(pages)
        maker.catalog["AcroForm"] = .dictionary(maker.form)
        let root = maker.draft.add(.dictionary(maker.catalog))
        return maker.draft.bytes(root: root)
    }
}
