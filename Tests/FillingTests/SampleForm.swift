import PDF

/// Small forms for the tests: one page, fields as the test names them.
struct SampleForm {
    private var draft = PDFDraft()
    private var fields: [PDFReference] = []
    private var form: PDFDictionary = ["DA": .text("/Helv 0 Tf 0 g")]

    /// A line of text; narrow when `width` says so.
    mutating func text(_ name: String, width: Double = 300, _ more: PDFDictionary = [:]) {
        var widget = more
        let bottom = 760 - 30 * Double(fields.count)
        widget["T"] = .text(name)
        widget["FT"] = .name("Tx")
        if widget["DA"] == nil { widget["DA"] = .text("/Helv 10 Tf 0 g") }
        add(&widget, box: [20, bottom, 20 + width, bottom + 20])
    }

    mutating func box(_ name: String) {
        let bottom = 760 - 30 * Double(fields.count)
        let on = draft.addStream(
            ["Subtype": .name("Form"), "BBox": .array([0, 0, 20, 20].map(PDFObject.integer))],
            Array("2 2 16 16 re f".utf8))
        var widget: PDFDictionary = [
            "T": .text(name), "FT": .name("Btn"),
            "AP": .dictionary(["N": .dictionary(["Yes": .reference(on)])]),
        ]
        add(&widget, box: [20, bottom, 40, bottom + 20])
    }

    /// One of several words.
    mutating func choice(_ name: String, _ options: [String]) {
        let bottom = 760 - 30 * Double(fields.count)
        var widget: PDFDictionary = [
            "T": .text(name), "FT": .name("Ch"), "Ff": .integer(1 << 17),
            "Opt": .array(options.map(PDFObject.text)), "DA": .text("/Helv 10 Tf 0 g"),
        ]
        add(&widget, box: [20, bottom, 320, bottom + 20])
    }

    private mutating func add(_ widget: inout PDFDictionary, box: [Double]) {
        widget["Type"] = .name("Annot")
        widget["Subtype"] = .name("Widget")
        widget["Rect"] = .array(box.map(PDFObject.real))
        widget["F"] = .integer(4)
        fields.append(draft.add(.dictionary(widget)))
    }

    static func make(pages: Int = 1, _ describe: (inout SampleForm) -> Void) -> [UInt8] {
        var form = SampleForm()
        let helvetica = form.draft.add(
            .dictionary([
                "Type": .name("Font"), "Subtype": .name("Type1"), "BaseFont": .name("Helvetica"),
                "Encoding": .name("WinAnsiEncoding"),
            ]))
        form.form["DR"] = .dictionary(["Font": .dictionary(["Helv": .reference(helvetica)])])
        describe(&form)
        let tree = form.draft.newReference()
        let kids = (0..<pages).map { number in
            form.draft.add(
                .dictionary([
                    "Type": .name("Page"), "Parent": .reference(tree),
                    "MediaBox": .array([0, 0, 595, 842].map(PDFObject.integer)),
                    "Annots": .array(number == 0 ? form.fields.map(PDFObject.reference) : []),
                ]))
        }
        form.draft.put(
            .dictionary([
                "Type": .name("Pages"), "Kids": .array(kids.map(PDFObject.reference)),
                "Count": .integer(pages),
            ]), at: tree)
        form.form["Fields"] = .array(form.fields.map(PDFObject.reference))
        let root = form.draft.add(
            .dictionary([
                "Type": .name("Catalog"), "Pages": .reference(tree), "AcroForm": .dictionary(form.form),
            ]))
        return form.draft.bytes(root: root)
    }

    /// Name, class and consent.
    static func consent() -> [UInt8] {
        make { form in
            form.text("name")
            form.text("class", width: 100)
            form.box("agrees")
        }
    }
}
