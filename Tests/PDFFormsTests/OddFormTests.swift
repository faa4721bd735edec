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

    /// Two pages that list the same places: one a field by itself, one the only place of a field.
    private static let onTwoPages: [UInt8] = {
        var draft = PDFDraft()
        let pages = draft.newReference()
        let city = draft.newReference()
        let name = draft.add(
            .dictionary([
                "Type": .name("Annot"), "Subtype": .name("Widget"), "FT": .name("Tx"), "T": .text("name"),
                "Rect": .array([20, 300, 220, 320].map(PDFObject.integer)), "F": .integer(4),
            ]))
        let place = draft.add(
            .dictionary([
                "Type": .name("Annot"), "Subtype": .name("Widget"), "Parent": .reference(city),
                "Rect": .array([20, 200, 220, 220].map(PDFObject.integer)), "F": .integer(4),
            ]))
        draft.put(
            .dictionary(["FT": .name("Tx"), "T": .text("city"), "Kids": .array([.reference(place)])]),
            at: city)
        let list = draft.add(.array([.reference(name), .reference(place)]))
        let kids = (0..<2).map { _ in
            draft.add(
                .dictionary([
                    "Type": .name("Page"), "Parent": .reference(pages), "Annots": .reference(list),
                    "MediaBox": .array([0, 0, 400, 400].map(PDFObject.integer)),
                ]))
        }
        draft.put(
            .dictionary([
                "Type": .name("Pages"), "Kids": .array(kids.map(PDFObject.reference)), "Count": .integer(2),
            ]), at: pages)
        let form = draft.add(
            .dictionary([
                "Fields": .array([.reference(name), .reference(city)]), "DA": .text("/Helv 9 Tf 0 g"),
            ]))
        let root = draft.add(
            .dictionary([
                "Type": .name("Catalog"), "Pages": .reference(pages), "AcroForm": .reference(form),
            ]))
        return draft.bytes(root: root)
    }()

    @Test("A place that two pages list is filled, flattened and merged on both")
    func onTwoPages() throws {
        let values: [String: FieldValue] = ["name": .text("Ana"), "city": .text("Lima")]
        var options = PreparedForm.Options()
        options.flattens = .all
        let form = try PreparedForm(bytes: Self.onTwoPages, options: options)
        let flat = try PDFFile(bytes: form.fill(values).bytes)
        let many = try PDFFile(bytes: merged(Self.onTwoPages, [values]))
        for file in [flat, many] {
            for page in 0..<2 {
                #expect(shown(file, page).contains("(Ana)"))
                #expect(shown(file, page).contains("(Lima)"))
            }
        }
        let filled = try Form(bytes: PreparedForm(bytes: Self.onTwoPages).fill(values).bytes)
        #expect(filled.fields.allSatisfy { $0.value == [$0.name == "name" ? "Ana" : "Lima"] })
        #expect(Set(filled.fields.flatMap { $0.widgets.map(\.page) }) == [0, 1])
    }

    @Test("A list whose font only its own old picture knows is filled like any other")
    func fontOfOldPicture() throws {
        let bytes = FormMaker.make { maker in
            let old = maker.draft.addStream(
                [
                    "Type": .name("XObject"), "Subtype": .name("Form"),
                    "BBox": .array([0, 0, 200, 20].map(PDFObject.integer)),
                    "Resources": .dictionary([
                        "Font": .dictionary([
                            "Odd": .dictionary([
                                "Type": .name("Font"), "Subtype": .name("Type1"),
                                "BaseFont": .name("Helvetica"), "Encoding": .name("WinAnsiEncoding"),
                            ])
                        ])
                    ]),
                ], Array("/Tx BMC EMC".utf8))
            maker.form = [:]
            let options: [PDFObject] = [.text("red"), .text("green")]
            maker.fields.append(
                maker.widget([
                    "T": .text("colour"), "FT": .name("Ch"), "Opt": .array(options),
                    "DA": .text("/Odd 10 Tf 0 g"), "AP": .dictionary(["N": .reference(old)]),
                ]))
            maker.text("name", ["DA": .text("/Helv 10 Tf 0 g")])
        }
        let values: [String: FieldValue] = ["colour": .text("green"), "name": .text("Ana")]
        for copies in [1, 1000] {
            var options = PreparedForm.Options()
            options.base = .automatic(copies: copies)
            let form = try PreparedForm(bytes: bytes, options: options)
            let columns = form.columns(["colour", "name"])
            let filled = form.fill(columns: columns, row: [values["colour"], values["name"]])
            #expect(filled.findings.isEmpty)
            #expect(
                form.prove(filled, columns: columns, row: [values["colour"], values["name"]]).isEmpty)
            let read = try Form(bytes: filled.bytes)
            #expect(read.fields.map(\.value) == [["green"], ["Ana"]])
            #expect(read.repairs.isEmpty)
        }
        let file = try PDFFile(bytes: merged(bytes, [values]))
        #expect(shown(file, 0).contains("(green)"))
    }

    @Test(
        "No object of a merged file has a number that only broken files have", arguments: [1, 2, 7, 40, 400])
    func lowNumbers(count: Int) throws {
        let bytes = try merged(
            FormMaker.make { $0.text("name") },
            (0..<count).map { ["name": .text("Person \($0)")] })
        let size = try PDFFile(bytes: bytes).trailer["Size"]?.integer ?? .max
        #expect(size * 3 < bytes.count)
    }

    @Test(
        "A form with fields to fill is filled whatever draws it in Adobe's programs; a notice without any is not"
    )
    func dynamicRender() throws {
        func form(_ describe: (inout FormMaker) -> Void) -> [UInt8] {
            FormMaker.make { maker in
                let config = maker.draft.addStream(
                    [:],
                    Array("<config><acrobat><common><dynamicRender>required</dynamicRender></config>".utf8))
                maker.form["XFA"] = .array([.text("config"), .reference(config)])
                describe(&maker)
            }
        }
        let filled = try PreparedForm(bytes: form { $0.text("name") }).fill(["name": .text("Ana")])
        let read = try Form(bytes: filled.bytes)
        #expect(read.fields[0].value == ["Ana"] && read.xfa == .none)
        let notice = form { maker in
            maker.fields.append(maker.draft.add(.dictionary(["T": .text("form1"), "FT": .name("Tx")])))
        }
        #expect(throws: FormError.dynamicXFA) { try PreparedForm(bytes: notice) }
    }
}
