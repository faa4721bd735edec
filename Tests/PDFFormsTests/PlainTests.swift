import PDF
import PDFForms
import TestSupport
import Testing

@Suite("Plain values")
struct PlainTests {
    private static let texts = [
        "", "Ana", "Maximilian Mustermann", "A. (B) \\ C", "Zoë Çelik", "123456789", "1,234.50",
        " two  spaces",
        "well-known, half-hearted co-op", String(repeating: "W", count: 40),
        "first line\nsecond line, which goes on and on until it must be broken somewhere\n\nlast",
        "Donaudampfschifffahrtsgesellschaftskapitänswitwenrente and the rest of it", "tab\there", "مريم", "-",
        "a-1",
    ]

    /// Fields of each kind of line: alignments, sizes, combs, paragraphs, a place too low for its letters.
    private static func form() -> [UInt8] {
        FormMaker.make { maker in
            var number = 0
            for size in ["0", "7.5", "12"] {
                for alignment in 0...2 {
                    for entries: PDFDictionary in [
                        [:], ["Ff": .integer(1 << 12)], ["Ff": .integer(1 << 24), "MaxLen": .integer(12)],
                        ["MaxLen": .integer(6)],
                    ] {
                        var entries = entries
                        entries["DA"] = .text("/Helv \(size) Tf 0 g")
                        entries["Q"] = .integer(alignment)
                        let low = number % 5 == 4
                        let height = entries["Ff"]?.integer == 1 << 12 ? 40.0 : low ? 7 : 18
                        maker.text(
                            "f\(number)", entries, box: [20, 20, number % 2 == 0 ? 160 : 90.5, 20 + height])
                        number += 1
                    }
                }
            }
        }
    }

    @Test(
        "come out as they would by the way that all values can go",
        arguments: [PreparedForm.Base.append, .rewrite])
    func sameAsOthers(base: PreparedForm.Base) throws {
        var options = PreparedForm.Options()
        options.base = base
        let form = try PreparedForm(bytes: Self.form(), options: options)
        let names = form.form.fields.map(\.name)
        let columns = form.columns(names)
        var dice = Dice(7)
        for _ in 0..<40 {
            let texts = names.map { _ in Self.texts[dice.below(Self.texts.count)] }
            let plain = form.fill(columns: columns, row: texts.map { .text($0) })
            // Several texts for one field are never plain.
            let others = form.fill(columns: columns, row: texts.map { .texts([$0]) })
            #expect(plain.findings == others.findings)
            let (ours, theirs) = (try pictures(plain), try pictures(others))
            #expect(ours.count == names.count)
            for (place, name) in names.enumerated() {
                #expect(isSame(ours[place], theirs[place]), "\(name): \(ours[place]), \(theirs[place])")
            }
        }
    }

    /// Gaps of a comb may be rounded up here and down there.
    private func isSame(_ a: String, _ b: String) -> Bool {
        let (a, b) = (words(a), words(b))
        return a.count == b.count
            && zip(a, b).allSatisfy { one, other in
                if one == other { return true }
                guard let one = Int(one), let other = Int(other) else { return false }
                return abs(one - other) <= 1
            }
    }

    private func words(_ text: String) -> [Substring] { text.split { " ()[]\n".contains($0) } }

    /// The value of each field and what its place shows, whether something is cut off around it or not.
    private func pictures(_ filled: Filled) throws -> [String] {
        let file = try PDFFile(bytes: filled.bytes)
        #expect(file.repairs.isEmpty)
        return file.array(file.dictionary(.reference(file.pages[0]))?["Annots"]).map { reference in
            let widget = file.dictionary(reference) ?? [:]
            let picture = file.dictionary(widget["AP"])?["N"]?.reference
            let content = picture.flatMap { file.stream($0) } ?? []
            return "\(file.resolve(widget["V"]).text ?? "") "
                + String(decoding: content, as: UTF8.self).split(separator: "\n")
                .filter { !$0.hasSuffix(" re W n") }.joined(separator: "\n")
        }
    }
}
