import PDF
import PDFForms
import Testing
import Work

@Suite("Filling a form")
struct FillingTests {
    /// A filled form, opened again: what a stranger would find in it.
    private struct Result {
        let filled: Filled
        let file: PDFFile
        let form: Form

        init(_ filled: Filled) throws {
            self.filled = filled
            file = try PDFFile(bytes: filled.bytes)
            form = try Form(bytes: filled.bytes)
        }

        func value(_ name: String) -> [String] { form.fields.first { $0.name == name }?.value ?? [] }

        /// The content of each appearance on the page, in the order of the annotations.
        func pictures() -> [String] {
            widgets().map { widget in
                guard let normal = file.dictionary(widget["AP"])?["N"]?.reference,
                    let content = file.stream(normal)
                else {
                    return ""
                }
                return String(decoding: content, as: UTF8.self)
            }
        }

        func widgets() -> [PDFDictionary] {
            file.array(file.dictionary(.reference(file.pages[0]))?["Annots"]).compactMap {
                file.dictionary($0)
            }
        }

        func states() -> [String] { widgets().map { file.resolve($0["AS"]).name?.text ?? "" } }
    }

    private func fill(
        _ values: [String: FieldValue], options: PreparedForm.Options = .init(),
        _ describe: (inout FormMaker) -> Void
    ) throws -> Result {
        try Result(PreparedForm(bytes: FormMaker.make(describe), options: options).fill(values))
    }

    @Test("The text is kept, drawn in the form's own font, and not one byte of the template changes")
    func text() throws {
        let template = FormMaker.make { $0.text("name") }
        let form = try PreparedForm(bytes: template)
        let result = try Result(form.fill(["name": .text("Zoë (Miller)")]))
        let isUntouched = result.filled.bytes.starts(with: template)
        #expect(isUntouched)
        #expect(result.value("name") == ["Zoë (Miller)"])
        #expect(result.pictures()[0].contains("/Helv"))
        #expect(result.filled.findings.isEmpty)
        #expect(result.file.repairs.isEmpty)
    }

    @Test("The same values give the same bytes, on any number of threads")
    func deterministic() throws {
        let form = try PreparedForm(bytes: FormMaker.make { $0.text("name") })
        let first = form.fill(["name": .text("王小明")])
        #expect(first.bytes == form.fill(["name": .text("王小明")]).bytes)
    }

    @Test("Every place of a field shows the value, in its own size")
    func places() throws {
        let result = try fill(["name": .text("Ana")]) { maker in
            let field = maker.draft.newReference()
            let first = maker.widget(["Parent": .reference(field), "DA": .text("/Helv 8 Tf 0 g")])
            let second = maker.widget([
                "Parent": .reference(field), "DA": .text("/Helv 11 Tf 1 0 0 rg"), "Q": .integer(2),
            ])
            maker.draft.put(
                .dictionary([
                    "T": .text("name"), "FT": .name("Tx"),
                    "Kids": .array([.reference(first), .reference(second)]),
                ]), at: field)
            maker.fields.append(field)
        }
        #expect(result.value("name") == ["Ana"])
        #expect(result.pictures()[0].contains("/Helv 8 Tf"))
        #expect(result.pictures()[1].contains("/Helv 11 Tf"))
        #expect(result.pictures()[1].contains("1 0 0 rg"))
    }

    @Test("Two fields of one name are both filled")
    func twins() throws {
        let result = try fill(["name": .text("Ana")]) { maker in
            maker.text("name")
            maker.text("name")
        }
        #expect(result.form.fields.map(\.value) == [["Ana"], ["Ana"]])
        #expect(result.pictures().allSatisfy { $0.contains("(Ana)") })
    }

    @Test("A value longer than the field takes is cut, and said")
    func tooLong() throws {
        let result = try fill(["code": .text("123456")]) { $0.text("code", ["MaxLen": .integer(4)]) }
        #expect(result.value("code") == ["1234"])
        #expect(result.filled.findings.map(\.kind) == [.tooLong])
    }

    @Test(
        "Text that has no room shows its beginning: on the left, or on the right where it runs left",
        arguments: [
            ("The long way home to Saint-Étienne", true), ("شارع الملك فهد في الرياض عند النهر", false),
        ])
    func beginning(text: String, isOnTheLeft: Bool) throws {
        let result = try fill(["road": .text(text)]) {
            $0.text("road", ["DA": .text("/Helv 12 Tf 0 g"), "Q": .integer(2)], box: [0, 0, 60, 20])
        }
        #expect(result.filled.findings.map(\.kind).contains(.clipped))
        let words = result.pictures()[0].split(whereSeparator: \.isWhitespace)
        let move = try #require(words.firstIndex(of: "Td"))
        let start = try #require(Double(words[move - 2]))
        #expect(isOnTheLeft ? start == 2 : start < 0)
    }

    @Test("Comb: one letter in the middle of each cell, from the right when the form says so")
    func comb() throws {
        let result = try fill(["code": .text("iW")]) {
            $0.text(
                "code",
                [
                    "MaxLen": .integer(4), "Ff": .integer(1 << 24), "Q": .integer(2),
                    "DA": .text("/Helv 10 Tf"),
                ],
                box: [0, 0, 80, 20])
        }
        // Cells are 20 wide; an i of 2.22 in the third begins at 48.89 and ends at 51.11, a W of 9.44 in the fourth
        // begins at 65.28: the gap between them is 1417 thousandths of the size.
        #expect(result.pictures()[0].contains("48.89 6.41 Td /Helv 10 Tf [(i)-1417(W)] TJ"))
    }

    @Test("Paragraphs are broken between words and keep their own line ends")
    func paragraphs() throws {
        let result = try fill(["note": .text("one two three four five\r\nsix")]) {
            $0.text("note", ["Ff": .integer(1 << 12), "DA": .text("/Helv 10 Tf")], box: [0, 0, 60, 80])
        }
        #expect(result.value("note") == ["one two three four five\rsix"])
        for line in ["(one two)", "(three four)", "(five)", "(six)"] {
            #expect(result.pictures()[0].contains(line))
        }
    }

    @Test("Text too long for its place is made smaller down to a floor, then said to be cut off")
    func overflow() throws {
        let result = try fill([
            "short": .text("Maximilian Mustermann"), "long": .text(String(repeating: "W", count: 60)),
        ]) {
            $0.text("short", ["DA": .text("/Helv 12 Tf")], box: [0, 0, 80, 20])
            $0.text("long", ["DA": .text("/Helv 12 Tf")], box: [0, 30, 80, 50])
        }
        #expect(
            Set(result.filled.findings.map { "\($0.field) \($0.kind.rawValue)" }) == [
                "short shrunk", "long shrunk", "long clipped",
            ])
    }

    @Test(
        "Letters that reach lower than the form's own keep their feet, be it in smaller letters",
        arguments: [[:], ["Ff": .integer(1 << 24), "MaxLen": .integer(3)]] as [PDFDictionary])
    func feet(entries: PDFDictionary) throws {
        /// How high the ink of the text is in a place so high, and the size it was set in.
        func picture(height: Double, size: Double) throws -> (ink: Int, size: Double) {
            var entries = entries
            entries["DA"] = .text("/Helv \(size) Tf 0 g")
            let result = try fill(["low": .text("ججج")]) {
                $0.text("low", entries, box: [20, 300, 140, 300 + height])
            }
            let words = result.pictures()[0].split(whereSeparator: \.isWhitespace)
            let set = try #require(words.firstIndex(of: "Tf"))
            let drawn = try Child(
                "pdftoppm", ["-gray", "-r", "432", "-"], input: .bytes(result.filled.bytes),
                output: .captured(limit: 1 << 26)
            ).run().output
            let width = 2400
            let rows = stride(from: drawn.count - width * width, to: drawn.count, by: width)
            return (rows.count { drawn[$0..<$0 + width].contains { $0 < 96 } }, Double(words[set - 1]) ?? 0)
        }
        let low = try picture(height: 10, size: 12)
        #expect((5..<12).contains(low.size))
        let free = try picture(height: 40, size: low.size)
        #expect(free.size == low.size)
        #expect(abs(low.ink - free.ink) <= 1)
    }

    @Test("A secret is shown as stars and not kept")
    func password() throws {
        let result = try fill(["pin": .text("1234")]) { $0.text("pin", ["Ff": .integer(1 << 13)]) }
        #expect(result.value("pin") == [])
        #expect(result.pictures()[0].contains("(****)"))
        #expect(result.filled.findings.map(\.kind) == [.notKept])
        #expect(!String(decoding: result.filled.added, as: UTF8.self).contains("1234)"))
    }

    @Test(
        "A box is ticked by its state, by yes and by true, under whatever name the file gives it",
        arguments: [
            (FieldValue.flag(true), "Jä a"), (.text("Jä a"), "Jä a"), (.text("/Jä a"), "Jä a"),
            (.text("yes"), "Jä a"),
            (.text("X"), "Jä a"), (.text("0"), "Off"), (.flag(false), "Off"), (.text(""), "Off"),
            (.text("Off"), "Off"),
        ])
    func box(value: FieldValue, state: String) throws {
        let result = try fill(["agrees": value]) { maker in
            let picture = maker.appearance()
            maker.fields.append(
                maker.widget([
                    "T": .text("agrees"), "FT": .name("Btn"),
                    "AP": .dictionary(["N": .dictionary([PDFName("Jä a"): .reference(picture)])]),
                ]))
        }
        #expect(result.value("agrees") == [state])
        #expect(result.states() == [state])
        #expect(result.filled.findings.isEmpty)
    }

    @Test("A box without any picture gets a drawn tick")
    func bareBox() throws {
        let result = try fill(["agrees": .flag(true)]) { maker in
            maker.fields.append(
                maker.widget(["T": .text("agrees"), "FT": .name("Btn")], box: [10, 10, 24, 24]))
        }
        #expect(result.value("agrees") == ["Yes"])
        #expect(result.states() == ["Yes"])
        #expect(result.form.fields[0].states == ["Yes"])
    }

    private func radios(_ maker: inout FormMaker, options: [String] = []) {
        let field = maker.draft.newReference()
        var kids: [PDFObject] = []
        for state in ["0", "1", "2"] {
            let picture = maker.appearance()
            let states: PDFDictionary = [PDFName(state): .reference(picture), "Off": .reference(picture)]
            kids.append(
                .reference(
                    maker.widget([
                        "Parent": .reference(field), "AP": .dictionary(["N": .dictionary(states)]),
                        "AS": .name("Off"),
                    ])))
        }
        var entries: PDFDictionary = [
            "T": .text("colour"), "FT": .name("Btn"), "Ff": .integer(1 << 15 | 1 << 14), "Kids": .array(kids),
        ]
        if !options.isEmpty { entries["Opt"] = .array(options.map(PDFObject.text)) }
        maker.draft.put(.dictionary(entries), at: field)
        maker.fields.append(field)
    }

    @Test("Of a radio group one is on and the others are off")
    func radio() throws {
        let result = try fill(["colour": .text("1")]) { radios(&$0) }
        #expect(result.value("colour") == ["1"])
        #expect(result.states() == ["Off", "1", "Off"])
    }

    @Test("A radio group with export values takes those too")
    func radioOptions() throws {
        let result = try fill(["colour": .text("green")]) { radios(&$0, options: ["red", "blue", "green"]) }
        #expect(result.states() == ["Off", "Off", "2"])
    }

    @Test("A state whose name was escaped twice is meant by what it says")
    func escapedTwice() throws {
        let result = try fill(["colour": .text("dark red")]) { maker in
            let field = maker.draft.newReference()
            let kids = ["dark#20red", "gr#C3#BCn"].map { state in
                maker.widget([
                    "Parent": .reference(field), "AS": .name("Off"),
                    "AP": .dictionary(["N": .dictionary([PDFName(state): .reference(maker.appearance())])]),
                ])
            }
            maker.draft.put(
                .dictionary([
                    "T": .text("colour"), "FT": .name("Btn"), "Ff": .integer(1 << 15),
                    "Kids": .array(kids.map(PDFObject.reference)),
                ]), at: field)
            maker.fields.append(field)
        }
        #expect(result.states() == ["dark#20red", "Off"])
        #expect(result.filled.findings.isEmpty)
    }

    @Test("Radio buttons of one state go on together when the form says so")
    func unison() throws {
        let result = try fill(["colour": .text("red")]) { maker in
            let field = maker.draft.newReference()
            let kids = ["red", "blue", "red"].map { state in
                let states: PDFDictionary = [PDFName(state): .reference(maker.appearance())]
                return PDFObject.reference(
                    maker.widget([
                        "Parent": .reference(field), "AP": .dictionary(["N": .dictionary(states)]),
                        "AS": .name("Off"),
                    ]))
            }
            maker.draft.put(
                .dictionary([
                    "T": .text("colour"), "FT": .name("Btn"), "Ff": .integer(1 << 15 | 1 << 25),
                    "Kids": .array(kids),
                ]), at: field)
            maker.fields.append(field)
        }
        #expect(result.value("colour") == ["red"])
        #expect(result.states() == ["red", "Off", "red"])
    }

    @Test("Buttons that nobody can click off can still be cleared: a program speaks for the whole form")
    func noToggleToOff() throws {
        for value in ["", "Off"] {
            let result = try fill(["colour": .text(value)]) { radios(&$0) }
            #expect(result.filled.findings.isEmpty)
            #expect(result.states() == ["Off", "Off", "Off"])
        }
    }

    @Test("A field that selects a file keeps and shows its path")
    func fileSelect() throws {
        let result = try fill(["attachment": .text("/home/ana/(1) scan.pdf")]) { maker in
            maker.text("attachment", ["Ff": .integer(1 << 20), "DA": .text("/Helv 9 Tf 0 g")])
        }
        #expect(result.value("attachment") == ["/home/ana/(1) scan.pdf"])
        #expect(result.pictures()[0].contains("scan.pdf) Tj"))
        #expect(result.filled.findings.isEmpty)
    }

    @Test("A barcode keeps its value, and one that nothing is known about or that is too long is told")
    func barcodes() throws {
        func filled(_ symbology: String, _ value: String) throws -> Result {
            try fill(["code": .text(value)]) { maker in
                maker.text(
                    "code",
                    ["PMD": .dictionary(["Symbology": .name(PDFName(symbology)), "ECC": .integer(1)])],
                    box: [20, 200, 320, 300])
            }
        }
        for symbology in ["PDF417", "QRCode", "DataMatrix"] {
            let result = try filled(symbology, "Zoë, 4711")
            #expect(result.value("code") == ["Zoë, 4711"])
            #expect(result.filled.findings.isEmpty)
            #expect(result.pictures()[0].split(separator: "\n").count { $0.hasSuffix(" re") } > 40)
            let long = try filled(symbology, String(repeating: "too long ", count: 900))
            #expect(long.filled.findings.map(\.kind) == [.tooLong])
            let kept = long.value("code").joined()
            #expect(kept.isEmpty)
        }
        let unknown = try filled("Aztec", "x")
        #expect(unknown.filled.findings.map(\.kind) == [.notFillable])
        let fine = try filled("QRCode", String(repeating: "0123456789", count: 200))
        #expect(fine.filled.findings.isEmpty)
    }

    @Test("A value that is no state changes nothing and is said")
    func noState() throws {
        let result = try fill(["colour": .text("purple")]) { radios(&$0) }
        #expect(result.filled.findings.map(\.kind) == [.noSuchChoice])
        #expect(result.states() == ["Off", "Off", "Off"])
    }

    private func choice(_ flags: Int, _ maker: inout FormMaker) {
        func pair(_ export: String, _ display: String) -> PDFObject {
            .array([.text(export), .text(display)])
        }
        maker.fields.append(
            maker.widget(
                [
                    "T": .text("land"), "FT": .name("Ch"), "Ff": .integer(flags),
                    "DA": .text("/Helv 10 Tf 0 g"),
                    "Opt": .array([pair("DE", "Germany"), pair("FR", "France"), pair("IT", "Italy")]),
                ], box: [0, 0, 100, 60]))
    }

    @Test("A combo stores the export value and shows the display value", arguments: ["DE", "Germany"])
    func combo(value: String) throws {
        let result = try fill(["land": .text(value)]) { choice(1 << 17, &$0) }
        #expect(result.value("land") == ["DE"])
        #expect(result.pictures()[0].contains("(Germany)"))
    }

    @Test("A free text goes into an editable combo, and is refused by another")
    func freeText() throws {
        let editable = try fill(["land": .text("Peru")]) { choice(1 << 17 | 1 << 18, &$0) }
        #expect(editable.value("land") == ["Peru"])
        let closed = try fill(["land": .text("Peru")]) { choice(1 << 17, &$0) }
        #expect(closed.value("land") == [])
        #expect(closed.filled.findings.map(\.kind) == [.noSuchChoice])
    }

    @Test(
        "A list with several choices stores them in order with their places",
        arguments: [FieldValue.texts(["IT", "DE"]), .text("Italy; DE")])
    func list(value: FieldValue) throws {
        let result = try fill(["land": value]) { choice(1 << 21, &$0) }
        #expect(result.value("land") == ["DE", "IT"])
        #expect(result.file.numbers(result.widgets()[0]["I"]) == [0, 2])
    }

    @Test(
        "Formats of the form are shown, the value itself stays",
        arguments: [("1234.5", "$1,234.50"), ("-0.005", "-$0.01"), ("abc", "abc"), ("0", "$0.00")])
    func number(value: String, shown: String) throws {
        let result = try fill(["sum": .text(value)]) {
            $0.text(
                "sum",
                [
                    "AA": .dictionary([
                        "F": .dictionary([
                            "S": .name("JavaScript"),
                            "JS": .text("AFNumber_Format(2, 0, 0, 0, \"$\", true);"),
                        ])
                    ])
                ])
        }
        #expect(result.value("sum") == [value])
        #expect(result.pictures()[0].contains("(\(shown))"))
    }

    @Test("A sum the form asks for is computed")
    func sum() throws {
        let result = try fill(["a": .text("1,000.25"), "b": .text("2")]) { maker in
            maker.text("a")
            maker.text("b")
            let total = maker.text(
                "total",
                [
                    "AA": .dictionary([
                        "C": .dictionary([
                            "JS": .text("AFSimple_Calculate(\"SUM\", new Array (\"a\", \"b\"));")
                        ])
                    ])
                ])
            maker.form["CO"] = .array([.reference(total)])
        }
        #expect(result.value("total") == ["1002.25"])
    }

    @Test(
        "Letters the form's font lacks come from a font of this machine, shaped, as a subset that can be read back",
        arguments: ["王小明", "مريم لا", "नमस्ते", "Žofie Ψ"])
    func fallback(text: String) throws {
        let result = try fill(["name": .text(text)]) { $0.text("name") }
        #expect(result.value("name") == [text])
        #expect(result.filled.findings.isEmpty)
        #expect(result.pictures()[0].contains("/QuireF1"))
        #expect(result.filled.added.count < 60_000)
        #expect(result.file.repairs.isEmpty)
    }

    @Test("Letters no font has are named")
    func notShown() throws {
        let result = try fill(["name": .text("a\u{10FFFD}")]) { $0.text("name") }
        #expect(result.filled.findings.map(\.kind) == [.notShown])
        #expect(result.filled.findings[0].message.contains("U+10FFFD"))
    }

    @Test("Names and kinds that take no value are said, and the rest is filled")
    func findings() throws {
        let result = try fill(["nobody": .text("x"), "push": .text("x"), "name": .text("Ana")]) { maker in
            maker.text("name")
            maker.fields.append(
                maker.widget(["T": .text("push"), "FT": .name("Btn"), "Ff": .integer(1 << 16)]))
        }
        #expect(result.filled.findings.map(\.kind) == [.unknownField, .notFillable])
        #expect(result.value("name") == ["Ana"])
    }

    @Test(
        "XFA data and the request to draw again are taken out, so that every program shows the same",
        arguments: [false, true])
    func stale(rewrites: Bool) throws {
        var options = PreparedForm.Options()
        options.base = rewrites ? .rewrite : .append
        let result = try fill(["name": .text("Ana")], options: options) { maker in
            maker.text("name")
            maker.form["XFA"] = .array([])
            maker.form["NeedAppearances"] = .boolean(true)
        }
        #expect(result.form.xfa == .none)
        #expect(!result.form.asksForAppearances)
        #expect(result.value("name") == ["Ana"])
    }

    @Test("Old rich text goes with the old value")
    func richText() throws {
        let result = try fill(["name": .text("new")]) {
            $0.text("name", ["V": .text("old"), "RV": .text("<p>old</p>")])
        }
        #expect(result.widgets()[0]["RV"] == nil)
        #expect(result.value("name") == ["new"])
    }

    @Test(
        "A form of Adobe's dynamic kind, one without fields and one certified against changes are refused in words"
    )
    func refused() throws {
        #expect(throws: FormError.dynamicXFA) {
            try PreparedForm(bytes: FormMaker.make { $0.form["XFA"] = .array([]) })
        }
        #expect(throws: FormError.noFields) { try PreparedForm(bytes: FormMaker.make { _ in }) }
        #expect(throws: FormError.certifiedAgainstChanges) {
            try PreparedForm(
                bytes: FormMaker.make { maker in
                    maker.text("name")
                    let reference: PDFObject = .dictionary([
                        "TransformMethod": .name("DocMDP"),
                        "TransformParams": .dictionary(["P": .integer(1)]),
                    ])
                    let signature = maker.draft.add(
                        .dictionary(["Type": .name("Sig"), "Reference": .array([reference])]))
                    maker.catalog["Perms"] = .dictionary(["DocMDP": .reference(signature)])
                })
        }
    }

    @Test("An encrypted form that may be filled is filled, and it is said that the copies are not encrypted")
    func encrypted() throws {
        var writing = PDFFile.Writing()
        writing.passwords = (user: "", owner: "secret")
        let locked = try PDFFile(bytes: FormMaker.make { $0.text("name") }).rewritten(writing)
        let form = try PreparedForm(bytes: locked)
        #expect(form.remarks == ["The template is encrypted; the filled copies are not."])
        #expect(try Result(form.fill(["name": .text("Ana")])).value("name") == ["Ana"])
    }

    @Test("A damaged form is repaired before it is filled")
    func repaired() throws {
        var bytes = FormMaker.make { $0.text("name") }
        bytes.replaceSubrange(bytes.count - 9..<bytes.count - 7, with: Array("99".utf8))
        let form = try PreparedForm(bytes: bytes)
        #expect(!form.keepsOriginal)
        let result = try Result(form.fill(["name": .text("Ana")]))
        #expect(result.value("name") == ["Ana"])
        #expect(result.file.repairs.isEmpty)
    }

    @Test("Flattened: no field is left, the pictures are on the page, other annotations stay")
    func flattened() throws {
        var options = PreparedForm.Options()
        options.flattens = .all
        let template = FormMaker.make { maker in
            maker.text("name")
            let link = maker.draft.add(
                .dictionary([
                    "Type": .name("Annot"), "Subtype": .name("Link"),
                    "Rect": .array([.integer(0), .integer(0), .integer(5), .integer(5)]),
                ]))
            maker.annotations.append(link)
        }
        let filled = try PreparedForm(bytes: template, options: options).fill(["name": .text("Ana")])
        let file = try PDFFile(bytes: filled.bytes)
        #expect(file.form == nil)
        let page = try #require(file.dictionary(.reference(file.pages[0])))
        #expect(file.array(page["Annots"]).count == 1)
        let contents = file.array(page["Contents"]).compactMap(\.reference).compactMap { file.stream($0) }
        #expect(String(decoding: contents.joined(), as: UTF8.self).contains("1 0 0 1 20 370 cm /QuireW"))
    }

    @Test("Appending to an appended form keeps both revisions")
    func again() throws {
        let template = FormMaker.make { maker in
            maker.text("first")
            maker.text("last")
        }
        let once = try PreparedForm(bytes: template).fill(["first": .text("Ana")]).bytes
        let twice = try Result(PreparedForm(bytes: once).fill(["last": .text("Silva")]))
        let isUntouched = twice.filled.bytes.starts(with: once)
        #expect(isUntouched)
        #expect(twice.value("first") == ["Ana"])
        #expect(twice.value("last") == ["Silva"])
    }
}
