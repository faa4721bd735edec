import PDF
import PDFForms
import Testing

/// A fault of ours, put into a finished document on purpose, must not get past the proof.
@Suite("What the proof finds")
struct ProofFaultTests {
    private func doubts(
        _ from: String, _ to: String, of value: String = "Anna", inTheOpen: Bool = false
    ) throws -> [String] {
        let template = FormMaker.make { maker in
            maker.text("name", ["DA": .text("/Helv 10 Tf 0 g")])
            guard inTheOpen else { return }
            // In a copy of a form for the archive nothing is packed.
            let archive = Array("<rdf:Description pdfaid:part='1'/>".utf8)
            maker.catalog["Metadata"] = .reference(
                maker.draft.addStream(["Type": .name("Metadata")], archive))
        }
        let form = try PreparedForm(bytes: template)
        let columns = form.columns(["name"])
        let filled = form.fill(columns: columns, row: [.text(value)])
        var spoiled = filled.added
        let place = try #require(spoiled.firstRange(of: Array(from.utf8)))
        try #require(from.utf8.count == to.utf8.count)
        spoiled.replaceSubrange(place, with: Array(to.utf8))
        let changed = Filled(base: filled.base, added: spoiled, findings: [])
        return form.prove(changed, columns: columns, row: [.text(value)]).map(\.message)
    }

    @Test("Other letters in the picture than in the value")
    func letters() throws {
        #expect(try doubts("(Anna) Tj", "(Anne) Tj") == ["The letters shown are not the ones given."])
    }

    @Test("Letters outside of their place")
    func outside() throws {
        #expect(
            try doubts("/Helv 10 Tf", "/Helv 99 Tf").contains {
                $0.hasPrefix("Letters stand outside")
            })
    }

    @Test("A letter the font has no picture for")
    func glyph() throws {
        #expect(try doubts("(Anna) Tj", "(Ann\u{1}) Tj") == ["The font has no picture of “”."])
    }

    @Test("A font that is not there")
    func font() throws {
        let found = try doubts("/Helv 10 Tf (", "/Holv 10 Tf (")
        #expect(found == ["A place uses a font that is not there: Holv."])
    }

    @Test("A picture of another field's text")
    func exchanged() throws {
        let found = try doubts("(Anna)", "(Hans)")
        #expect(found.contains("The value is not the one given."))
    }

    @Test("A place that was moved, and a field that was given another name")
    func moved() throws {
        let change = "More of the field was changed than its value."
        #expect(try doubts("/Rect[20 370", "/Rect[99 370", inTheOpen: true).contains(change))
        #expect(try doubts("/T(name)", "/T(nome)", inTheOpen: true).contains(change))
    }

    @Test("A flattened copy is read as well: other letters, another state, a place that shows nothing")
    func flattened() throws {
        var options = PreparedForm.Options()
        options.flattens = .all
        let template = FormMaker.make { maker in
            maker.text("name", ["DA": .text("/Helv 10 Tf 0 g")])
            let (on, off) = (maker.appearance("1 1 8 8 re S"), maker.appearance("2 2 6 6 re S"))
            maker.fields.append(
                maker.widget([
                    "T": .text("agrees"), "FT": .name("Btn"), "AS": .name("Off"),
                    "AP": .dictionary([
                        "N": .dictionary(["On": .reference(on), "Off": .reference(off)])
                    ]),
                ]))
        }
        let form = try PreparedForm(bytes: template, options: options)
        let columns = form.columns(["name", "agrees"])
        let row: [FieldValue?] = [.text("Anna"), .flag(true)]
        let filled = form.fill(columns: columns, row: row)
        #expect(form.prove(filled, columns: columns, row: row).isEmpty)
        let other = form.prove(filled, columns: columns, row: [.text("Anna"), .flag(false)])
        #expect(other.map(\.message) == ["A place shows another state."])
        for (from, to, doubt) in [
            ("(Anna)", "(Anne)", "The letters shown are not the ones given."),
            ("(Anna) Tj", "(Anna) T*", "A place shows no letters."),
        ] {
            var spoiled = filled.added
            spoiled.replaceSubrange(
                try #require(spoiled.firstRange(of: Array(from.utf8))), with: Array(to.utf8))
            let changed = Filled(base: filled.base, added: spoiled, findings: [])
            let found = form.prove(changed, columns: columns, row: row).map(\.message)
            #expect(found.contains(doubt))
        }
    }

    @Test("A box whose picture of being off has no width shows nothing, and rightly so, in a flattened copy")
    func pictureWithoutWidth() throws {
        var options = PreparedForm.Options()
        options.flattens = .all
        let template = FormMaker.make { maker in
            let (on, off) = (maker.appearance("1 1 8 8 re S"), maker.appearance("", box: [0, 0, 0, 0]))
            maker.fields.append(
                maker.widget([
                    "T": .text("agrees"), "FT": .name("Btn"), "AS": .name("Off"),
                    "AP": .dictionary([
                        "N": .dictionary(["On": .reference(on), "Off": .reference(off)])
                    ]),
                ]))
        }
        let form = try PreparedForm(bytes: template, options: options)
        let columns = form.columns(["agrees"])
        for isOn in [true, false] {
            let row: [FieldValue?] = [.flag(isOn)]
            let filled = form.fill(columns: columns, row: row)
            #expect(form.prove(filled, columns: columns, row: row).isEmpty)
            #expect(!form.prove(filled, columns: columns, row: [.flag(!isOn)]).isEmpty)
        }
    }

    @Test("Letters of many scripts, set in fonts of this machine, are proven glyph by glyph")
    func scripts() throws {
        let template = FormMaker.make { maker in maker.text("name", box: [0, 0, 300, 30]) }
        let form = try PreparedForm(bytes: template)
        let columns = form.columns(["name"])
        for value in [
            "Дарья", "王小明", "مريم الأحمد", "नमस्ते कृष्ण", "Łukasz (ok)", "עברית 12", "עברית 12 (",
            "[עברית 12 (ok)",
        ] {
            let filled = form.fill(columns: columns, row: [.text(value)])
            #expect(form.prove(filled, columns: columns, row: [.text(value)]).isEmpty)
        }
    }
}

/// Copies that were spoiled after they were made, in the ways disks, programs and people spoil them.
@Suite("Spoiled copies") struct SpoiledCopyTests {
    private static func template(packs: Bool) throws -> [UInt8] {
        let bytes = FormMaker.make { maker in
            maker.text("name")
            maker.text("town", ["DA": .text("/Helv 9 Tf 0 g"), "V": .text("Lisboa")])
            let on = maker.appearance()
            let agrees = maker.widget([
                "T": .text("agrees"), "FT": .name("Btn"), "AS": .name("Off"),
                "AP": .dictionary(["N": .dictionary(["Ja": .reference(on)])]),
            ])
            maker.fields.append(agrees)
        }
        var writing = PDFFile.Writing()
        writing.packsObjects = packs
        return try PDFFile(bytes: bytes).rewritten(writing)
    }

    private struct Copy {
        let form: PreparedForm
        let columns: FormColumns
        let row: [FieldValue?] = [.text("Zoë (née Ł)"), .text("ja")]
        var filled: Filled

        init(packs: Bool) throws {
            form = try PreparedForm(bytes: SpoiledCopyTests.template(packs: packs))
            columns = form.columns(["name", "agrees"])
            filled = form.fill(columns: columns, row: row)
        }

        func doubts(_ added: [UInt8], deeply: Bool = false) -> [Finding] {
            var filled = filled
            filled.added = added
            return form.prove(filled, columns: columns, row: row, deeply: deeply)
        }
    }

    @Test("A copy as it was made has no doubts, read either way", arguments: [false, true])
    func whole(packs: Bool) throws {
        let copy = try Copy(packs: packs)
        #expect(copy.doubts(copy.filled.added).isEmpty)
        #expect(copy.doubts(copy.filled.added, deeply: true).isEmpty)
        // The reader keeps what it learned; the second time tells the same.
        #expect(copy.doubts(copy.filled.added).isEmpty)
    }

    @Test("A copy that is cut off anywhere is not taken", arguments: [false, true])
    func cut(packs: Bool) throws {
        let copy = try Copy(packs: packs)
        let whole = copy.filled.added
        // Only the line end behind the last sign may be missing.
        for count in 0..<whole.count - 1 { #expect(!copy.doubts(Array(whole[..<count])).isEmpty, "\(count)") }
    }

    @Test(
        "What is accepted with one byte changed says what was given all the same", arguments: [false, true])
    func changed(packs: Bool) throws {
        let copy = try Copy(packs: packs)
        var accepted = 0
        for place in copy.filled.added.indices {
            var added = copy.filled.added
            added[place] = added[place] == 48 ? 49 : 48
            guard copy.doubts(added).isEmpty else { continue }
            accepted += 1
            let whole = try PDFFile(bytes: copy.filled.base + added)
            let fields = try Form(bytes: whole.bytes).fields
            #expect(fields.first { $0.name == "name" }?.value == ["Zoë (née Ł)"], "byte \(place)")
            #expect(fields.first { $0.name == "agrees" }?.value == ["Ja"], "byte \(place)")
            #expect(fields.first { $0.name == "town" }?.value == ["Lisboa"], "byte \(place)")
        }
        // Fingerprints, colours and the like: a byte there is not a value.
        #expect(accepted < copy.filled.added.count / 2)
    }

    @Test("A copy of another row is not taken for this one")
    func otherRow() throws {
        let copy = try Copy(packs: true)
        let other = copy.form.fill(columns: copy.columns, row: [.text("Zoë (née L)"), .text("ja")])
        #expect(!copy.doubts(other.added).isEmpty)
        let unticked = copy.form.fill(columns: copy.columns, row: [copy.row[0], .text("nein")])
        #expect(!copy.doubts(unticked.added).isEmpty)
    }

    @Test("A value that nobody gave is found in a field nobody named", arguments: [false, true])
    func unasked(packs: Bool) throws {
        let copy = try Copy(packs: packs)
        let filled = copy.form.fill([
            "name": .text("Zoë (née Ł)"), "agrees": .text("ja"), "town": .text("Porto"),
        ])
        #expect(copy.doubts(filled.added).map(\.message) == ["The field has a value that nobody gave."])
    }

    @Test("A copy whose template was changed is read whole")
    func otherBase() throws {
        let copy = try Copy(packs: false)
        var filled = copy.filled
        let text = String(decoding: filled.base, as: UTF8.self).replacing("/Rect", with: "/Rxct")
        filled.base = Array(text.utf8)
        #expect(!copy.form.prove(filled, columns: copy.columns, row: copy.row).isEmpty)
    }
}
