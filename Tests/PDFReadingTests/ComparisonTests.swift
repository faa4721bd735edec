import PDF
import PDFForms
import PDFReading
import TestSupport
import Testing
import Work

@Suite struct ComparisonTests {
    /// A form of one page: name, label, kind and distance from the lower edge.
    private func edition(
        _ fields: [(name: String, label: String, y: Double)], kind: PDFName = "Tx"
    ) throws -> FormEdition {
        var maker = PageMaker()
        var widgets: [PDFObject] = []
        for field in fields {
            widgets.append(
                .reference(
                    maker.draft.add(
                        .dictionary([
                            "Type": .name("Annot"), "Subtype": .name("Widget"), "FT": .name(kind),
                            "T": .text(field.name), "TU": .text(field.label),
                            "Rect": maker.box(100, field.y, 300, field.y + 15),
                        ]))))
        }
        maker.page("", ["Annots": .array(widgets)])
        let bytes = maker.bytes(catalog: ["AcroForm": .dictionary(["Fields": .array(widgets)])])
        return try FormEdition(bytes: bytes, reader: nil)
    }

    @Test func anEditionIsTheSameAsItself() throws {
        let form = try edition([("a", "First name", 250), ("b", "Last name", 230)])
        let comparison = FormComparison(old: form, new: form)
        #expect(comparison.isSame)
        #expect(comparison.matches.map(\.confidence) == [1, 1])
    }

    @Test func aRenamedFieldIsFoundByItsLabelAndPlace() throws {
        let comparison = FormComparison(
            old: try edition([("f1_01", "First name", 250), ("f1_02", "Last name", 230)]),
            new: try edition([("given", "First name", 248), ("family", "Last name", 228)]))
        #expect(comparison.name(now: "f1_01") == "given")
        #expect(comparison.name(now: "f1_02") == "family")
        #expect(comparison.matches.first?.changes == [.renamed])
        #expect(comparison.gone.isEmpty && comparison.added.isEmpty)
    }

    /// The trap the comparison is for: filling by name would put every value one line too high.
    @Test func aLineThatWasPutInShiftsNamesButNotMeanings() throws {
        let comparison = FormComparison(
            old: try edition([("f1", "First name", 250), ("f2", "Last name", 230), ("f3", "City", 210)]),
            new: try edition([
                ("f1", "First name", 250), ("f2", "Middle name", 230), ("f3", "Last name", 210),
                ("f4", "City", 190),
            ]))
        #expect(comparison.name(now: "f1") == "f1")
        #expect(comparison.name(now: "f2") == "f3")
        #expect(comparison.name(now: "f3") == "f4")
        #expect(comparison.added == ["f2"])
        #expect(!comparison.isSame)
    }

    @Test func aFieldThatIsGoneIsListed() throws {
        let comparison = FormComparison(
            old: try edition([("a", "First name", 250), ("fax", "Fax number", 230)]),
            new: try edition([("a", "First name", 250)]))
        #expect(comparison.gone == ["fax"])
        #expect(comparison.name(now: "fax") == nil)
    }

    @Test func aFieldThatBecameABoxIsNoMatch() throws {
        let comparison = FormComparison(
            old: try edition([("married", "Married", 250)]),
            new: try edition([("married", "Married", 250)], kind: "Btn"))
        #expect(comparison.matches.isEmpty)
        #expect(comparison.gone == ["married"] && comparison.added == ["married"])
    }

    @Test func twoFieldsThatFitEquallyWellAreAGuess() throws {
        let comparison = FormComparison(
            old: try edition([("x", "Date", 200)]),
            new: try edition([("p", "Date", 215), ("q", "Date", 185)]))
        #expect(comparison.matches.count == 1)
        #expect(comparison.unsure.count == 1)
    }

    /// Real forms, edited as publishers do: all fields renamed, the lower half of each page moved down, every
    /// twentieth field taken out.
    @Test(
        .enabled(if: Corpus.isThere && PageReader.isReady, "no corpus of real forms, or poppler is missing"))
    func realFormsAreRecognisedAfterAnEdit() throws {
        let reader = PageReader(jail: .detect())
        var right = 0
        var wrong = 0
        var all = 0
        for start in ["002", "004", "006", "009", "010", "026", "032", "042"] {
            guard let bytes = Corpus.form(start) else { continue }
            let old = try FormEdition(bytes: bytes, reader: reader)
            var edited = old.form
            var kept: [Int] = []
            for index in edited.fields.indices where index % 20 != 19 {
                kept.append(index)
                edited.fields[index].name = "topmost.page.\(index * 7 + 3)"
                for widget in edited.fields[index].widgets.indices {
                    let place = edited.fields[index].widgets[widget].rectangle
                    if place.bottom < 400 {
                        edited.fields[index].widgets[widget].rectangle = PDFRectangle(
                            left: place.left, bottom: place.bottom - 14, right: place.right,
                            top: place.top - 14)
                    }
                }
            }
            edited.fields = kept.map { edited.fields[$0] }
            let new = FormEdition(form: edited, labels: kept.map { old.labels[$0] }, frames: old.frames)
            let comparison = FormComparison(old: old, new: new)
            for index in kept {
                guard old.form.fields.filter({ $0.name == old.form.fields[index].name }).count == 1 else {
                    continue
                }
                all += 1
                let found = comparison.name(now: old.form.fields[index].name)
                if found == "topmost.page.\(index * 7 + 3)" { right += 1 } else if found != nil { wrong += 1 }
            }
        }
        print("editions: \(right) of \(all) fields found again, \(wrong) mistaken for another")
        #expect(right * 100 >= all * 93)
        #expect(wrong * 100 <= all * 3)
    }
}
