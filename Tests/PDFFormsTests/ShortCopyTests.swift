import PDF
import PDFForms
import Testing

/// What keeps copies short, and what it must not cost.
@Suite("Short copies")
struct ShortCopyTests {
    private func template(version: String = "1.7", metadata: String? = nil) -> [UInt8] {
        var bytes = FormMaker.make { maker in
            maker.text("name")
            maker.text("town")
            if let metadata {
                let stream = maker.draft.addStream(["Type": .name("Metadata")], Array(metadata.utf8))
                maker.catalog["Metadata"] = .reference(stream)
            }
        }
        bytes.replaceSubrange(5..<8, with: Array(version.utf8))
        return bytes
    }

    private func holds(_ bytes: [UInt8], _ words: String) -> Bool {
        bytes.firstRange(of: Array(words.utf8)) != nil
    }

    @Test("Behind a table, dictionaries are packed, and the table still leads to all that was there")
    func hidden() throws {
        let bytes = template()
        let filled = try PreparedForm(bytes: bytes).fill(["name": .text("Zoë"), "town": .text("Ghent")])
        #expect(filled.bytes.starts(with: bytes))
        #expect(holds(filled.added, "/XRefStm") && holds(filled.added, "/ObjStm"))
        let read = try Form(bytes: filled.bytes)
        #expect(read.repairs.isEmpty)
        #expect(read.fields.map(\.value) == [["Zoë"], ["Ghent"]])
    }

    @Test("A template older than packed objects is said to be newer in its copies")
    func version() throws {
        let filled = try PreparedForm(bytes: template(version: "1.4")).fill(["name": .text("Zoë")])
        let file = try PDFFile(bytes: filled.bytes)
        #expect(file.resolve(file.catalog["Version"]).name == "1.5")
        #expect(try Form(bytes: filled.bytes).fields.map(\.value) == [["Zoë"], []])
    }

    @Test("A template that promises to be PDF/A keeps its one table")
    func archive() throws {
        let bytes = template(metadata: "<x:xmpmeta><pdfaid:part>1</pdfaid:part></x:xmpmeta>")
        let filled = try PreparedForm(bytes: bytes).fill(["name": .text("Zoë")])
        #expect(!holds(filled.added, "/XRefStm") && !holds(filled.added, "/ObjStm"))
        #expect(try Form(bytes: filled.bytes).fields.map(\.value) == [["Zoë"], []])
    }

    @Test("Boxes that look alike share one picture in a template written anew, and keep their states")
    func pictures() throws {
        let bytes = FormMaker.make { maker in
            for name in ["a", "b", "c"] {
                let on = maker.appearance()
                let off = maker.appearance("")
                maker.fields.append(
                    maker.widget([
                        "T": .text(name), "FT": .name("Btn"), "AS": .name("Off"),
                        "AP": .dictionary([
                            "N": .dictionary(["Yes": .reference(on), "Off": .reference(off)])
                        ]),
                    ]))
            }
        }
        var options = PreparedForm.Options()
        options.base = .rewrite
        let filled = try PreparedForm(bytes: bytes, options: options).fill(["b": .flag(true)])
        let file = try PDFFile(bytes: filled.bytes)
        let widgets = file.array(file.dictionary(.reference(file.pages[0]))?["Annots"]).compactMap {
            file.dictionary($0)
        }
        #expect(widgets.map { file.resolve($0["AS"]).name } == ["Off", "Yes", "Off"])
        let shown = widgets.map {
            file.dictionary(file.dictionary($0["AP"])?["N"])?["Yes"]?.reference
        }
        #expect(Set(shown).count == 1 && shown[0] != nil)
    }

    @Test("The values of a row may stand in any order, and of two for one field the last counts")
    func twice() throws {
        let form = try PreparedForm(bytes: template())
        let columns = form.columns(["town", "name", "name", "nothing"])
        let row: [FieldValue?] = [.text("Ghent"), .text("Ann"), .text("Zoë"), .text("?")]
        let read = try Form(bytes: form.fill(columns: columns, row: row).bytes)
        #expect(read.repairs.isEmpty)
        #expect(read.fields.map(\.value) == [["Zoë"], ["Ghent"]])
    }

    @Test(
        "Text comes back as it was given, whatever signs are in it",
        arguments: [
            "plain", "(", ")", "\\", "a (b) \\c", "one\ntwo", "12345678", "1234567(", "Zoë", "tab\tbed",
            String(repeating: "long (text) ", count: 300), String(repeating: "l\n", count: 900),
        ])
    func signs(text: String) throws {
        let form = try PreparedForm(
            bytes: FormMaker.make { $0.text("name", ["Ff": .integer(1 << 12)], box: [0, 0, 200, 100]) })
        let filled = form.fill(columns: form.columns(["name"]), row: [.text(text)])
        let read = try Form(bytes: filled.bytes)
        #expect(read.repairs.isEmpty)
        #expect(read.fields[0].value.map { $0.replacing("\r", with: "\n") } == [text])
    }
}
