import PDF
import PDFDrawing
import PDFForms
import Testing

/// Filled copies do not ask to be drawn anew, so they bring all pictures along.
@Suite("What the template left to the viewer")
struct UndrawnTests {
    private func pictures(_ file: PDFFile) -> [String] {
        file.array(file.dictionary(.reference(file.pages[0]))?["Annots"]).map {
            guard let normal = file.dictionary(file.dictionary($0)?["AP"])?["N"]?.reference else { return "" }
            return String(decoding: file.stream(normal) ?? [], as: UTF8.self)
        }
    }

    @Test("A value without a picture is drawn, though nobody filled the field", arguments: [1, 1000])
    func without(copies: Int) throws {
        let template = FormMaker.make { maker in
            maker.text("name")
            maker.text("town", ["V": .text("Lyon")])
        }
        var options = PreparedForm.Options()
        options.base = .automatic(copies: copies)
        let filled = try PreparedForm(bytes: template, options: options).fill(["name": .text("Ana")])
        #expect(pictures(try PDFFile(bytes: filled.bytes)).map { $0.contains("(Lyon)") } == [false, true])
        #expect(filled.findings.isEmpty)
        #expect(try Form(bytes: filled.bytes).fields.map(\.value) == [["Ana"], ["Lyon"]])
    }

    @Test(
        "Where the form asks for new pictures, an old one is replaced and a right one is kept",
        arguments: [1, 1000])
    func old(copies: Int) throws {
        let template = FormMaker.make { maker in
            maker.form["NeedAppearances"] = .boolean(true)
            maker.text("name")
            for (name, drawn) in [("stale", "Paris"), ("right", "Lyon")] {
                let picture = maker.appearance("/Tx BMC BT /Helv 9 Tf (\(drawn)) Tj ET EMC")
                maker.text(
                    name, ["V": .text("Lyon"), "AP": .dictionary(["N": .reference(picture)])])
            }
        }
        var options = PreparedForm.Options()
        options.base = .automatic(copies: copies)
        let filled = try PreparedForm(bytes: template, options: options).fill(["name": .text("Ana")])
        let found = pictures(try PDFFile(bytes: filled.bytes))
        #expect(found[1].contains("(Lyon)"))
        #expect(found[2] == "/Tx BMC BT /Helv 9 Tf (Lyon) Tj ET EMC")
    }

    @Test("A comb with a border shows its cells, filled or not")
    func cells() throws {
        let template = FormMaker.make { maker in
            maker.text(
                "code",
                [
                    "Ff": .integer(1 << 24), "MaxLen": .integer(4),
                    "MK": .dictionary(["BC": .array([.integer(0)])]),
                ],
                box: [0, 0, 80, 20])
        }
        for values: [String: FieldValue] in [["code": .text("12")], [:]] {
            let file = try PDFFile(bytes: PreparedForm(bytes: template).fill(values).bytes)
            for x in ["20 0 m", "40 0 m", "60 0 m"] { #expect(pictures(file)[0].contains(x)) }
        }
    }

    @Test("In a comb the first letter of a word that runs left stands rightmost; numbers stay as they are")
    func combRunsLeft() {
        #expect(CellOrder.visual(Array("אב12")) == ["1", "2", "ב", "א"])
        #expect(CellOrder.visual(Array("A1")) == ["A", "1"])
    }

    @Test("A field that no page shows is kept and said")
    func nowhere() throws {
        let template = FormMaker.make { maker in
            maker.text("name")
            maker.text("lost")
            maker.annotations.removeLast()
        }
        let filled = try PreparedForm(bytes: template).fill(["lost": .text("x"), "name": .text("y")])
        #expect(filled.findings.map(\.kind) == [.notSeen])
        #expect(try Form(bytes: filled.bytes).fields.last?.value == ["x"])
    }

    @Test("A box that names its states and has no pictures is drawn under those names, ticked and not")
    func named() throws {
        let template = FormMaker.make { maker in
            for name in ["first", "second"] {
                maker.fields.append(
                    maker.widget([
                        "T": .text(name), "FT": .name("Btn"), "AS": .name("Off"),
                        "MK": .dictionary(["BC": .array([.integer(0)]), "CA": .text("4")]),
                        "AP": .dictionary(["N": .dictionary(["true": .dictionary([:])])]),
                    ]))
            }
        }
        let form = try PreparedForm(bytes: template)
        let file = try PDFFile(bytes: form.fill(["first": .text("true")]).bytes)
        let boxes = file.array(file.dictionary(.reference(file.pages[0]))?["Annots"]).compactMap {
            file.dictionary($0)
        }
        #expect(boxes.map { file.resolve($0["AS"]).name } == ["true", "Off"])
        for (box, marks) in zip(boxes, [true, false]) {
            let pictures = try #require(file.dictionary(file.dictionary(box["AP"])?["N"]))
            #expect(Set(pictures.keys) == ["true", "Off"])
            let shown = try #require(file.resolve(box["AS"]).name.flatMap { pictures[$0]?.reference })
            let content = String(decoding: try #require(file.stream(shown)), as: UTF8.self)
            #expect(content.contains("re s"))
            #expect(content.contains(" l\n") == marks)
        }
        #expect(file.repairs.isEmpty)
    }

    @Test("A box whose value came from the field above keeps its own when that field is filled too")
    func above() throws {
        let template = FormMaker.make { maker in
            let top = maker.draft.newReference()
            func button(_ state: PDFName, _ entries: PDFDictionary) -> PDFObject {
                var entries = entries
                entries["AP"] = .dictionary(["N": .dictionary([state: .reference(maker.appearance())])])
                entries["AS"] = .name(state == "1" ? "1" : "Off")
                entries["Parent"] = .reference(top)
                return .reference(maker.widget(entries))
            }
            let kids = [button("1", ["T": .text("first")]), button("2", [:])]
            maker.draft.put(
                .dictionary([
                    "T": .text("pick"), "FT": .name("Btn"), "Ff": .integer(1 << 15), "V": .name("1"),
                    "Kids": .array(kids),
                ]), at: top)
            maker.fields.append(top)
        }
        let form = try PreparedForm(bytes: template)
        let columns = form.columns(["pick.first", "pick"])
        let row: [FieldValue?] = [.text("1"), .text("2")]
        #expect(form.prove(form.fill(columns: columns, row: row), columns: columns, row: row).isEmpty)
    }

    @Test("A place that does not tell its field is told it, so that others find the way")
    func parent() throws {
        let template = FormMaker.make { maker in
            let place = maker.widget([:])
            maker.fields.append(
                maker.draft.add(
                    .dictionary([
                        "T": .text("name"), "FT": .name("Tx"), "Kids": .array([.reference(place)]),
                    ])))
        }
        let file = try PDFFile(bytes: PreparedForm(bytes: template).fill(["name": .text("Ana")]).bytes)
        let place = file.dictionary(file.array(file.dictionary(.reference(file.pages[0]))?["Annots"]).first)
        #expect(file.resolve(file.dictionary(place?["Parent"])?["V"]).text == "Ana")
    }

    @Test("Boxes of one name in several dictionaries are one field: only the meant one is ticked")
    func twins() throws {
        let template = FormMaker.make { maker in
            for state: PDFName in ["0", "1"] {
                let picture = maker.appearance()
                maker.fields.append(
                    maker.widget([
                        "T": .text("agrees"), "FT": .name("Btn"),
                        "AP": .dictionary(["N": .dictionary([state: .reference(picture)])]),
                    ]))
            }
        }
        for (value, states) in [("0", ["0", "Off"]), ("1", ["Off", "1"])] {
            let bytes = try PreparedForm(bytes: template).fill(["agrees": .text(value)]).bytes
            let file = try PDFFile(bytes: bytes)
            let shown = file.array(file.dictionary(.reference(file.pages[0]))?["Annots"]).map {
                file.resolve(file.dictionary($0)?["AS"]).name?.text
            }
            #expect(shown == states)
            #expect(try Form(bytes: bytes).fields.map(\.value) == [[value], [value]])
        }
    }
}
