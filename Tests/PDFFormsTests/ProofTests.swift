import PDF
import Testing

@testable import PDFForms

/// A fault of ours, put into a finished document on purpose, must not get past the proof.
@Suite("What the proof finds")
struct ProofFaultTests {
    private func doubts(_ from: String, _ to: String, of value: String = "Anna") throws -> [String] {
        let template = FormMaker.make { maker in
            maker.text("name", ["DA": .text("/Helv 10 Tf 0 g")])
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
        #expect(try doubts("/Helv 10 Tf", "/Holv 10 Tf") == ["A place uses a font that is not there: Holv."])
    }

    @Test("Letters of many scripts, set in fonts of this machine, are proven glyph by glyph")
    func scripts() throws {
        let template = FormMaker.make { maker in maker.text("name", box: [0, 0, 300, 30]) }
        let form = try PreparedForm(bytes: template)
        let columns = form.columns(["name"])
        for value in ["Дарья", "王小明", "مريم الأحمد", "नमस्ते कृष्ण", "Łukasz (ok)", "עברית 12"] {
            let filled = form.fill(columns: columns, row: [.text(value)])
            #expect(form.prove(filled, columns: columns, row: [.text(value)]).isEmpty)
        }
    }
}
