import PDF
import PDFForms
import PDFReading
import TestSupport
import Testing
import Work

/// Small forms whose fields have names that say nothing, so that only the page can tell what they are for.
@Suite(.enabled(if: PageReader.isReady, "poppler-utils is not installed"))
struct LabelTests {
    private static let reader = PageReader(jail: .detect())

    /// A page with words at places, lines, and fields named `f1_01[0]` and so on.
    private func labels(
        words: [(String, Double, Double)], drawing: String = "",
        fields: [(kind: String, box: [Double])], tooltips: [Int: String] = [:]
    ) throws -> [FieldLabel] {
        var content = drawing + " "
        for (text, x, y) in words { content += "BT /F 9 Tf \(x) \(y) Td (\(text)) Tj ET " }
        var maker = PageMaker()
        var widgets: [PDFObject] = []
        for (index, field) in fields.enumerated() {
            var widget: PDFDictionary = [
                "Type": .name("Annot"), "Subtype": .name("Widget"), "FT": .name(PDFName(field.kind)),
                "T": .text("f1_0\(index + 1)[0]"), "Rect": .array(field.box.map(PDFObject.real)),
                "F": .integer(4),
            ]
            if let words = tooltips[index] { widget["TU"] = .text(words) }
            widgets.append(.reference(maker.draft.add(.dictionary(widget))))
        }
        maker.page(content, ["Annots": .array(widgets)])
        let bytes = maker.bytes(catalog: ["AcroForm": .dictionary(["Fields": .array(widgets)])])
        let file = try PDFFile(bytes: bytes)
        let form = try Form(bytes: bytes)
        let labels = FieldLabels(of: form, in: file, reader: Self.reader)
        #expect(labels.trouble == nil)
        return labels.all
    }

    @Test func theWordsBeforeAFieldAreItsLabel() throws {
        let found = try labels(
            words: [("3. Family name:", 20, 203), ("City", 20, 173)],
            fields: [("Tx", [100, 200, 300, 215]), ("Tx", [100, 170, 300, 185])])
        #expect(found.map(\.text) == ["Family name", "City"])
        #expect(found.allSatisfy { $0.source == .left && $0.confidence > 0.5 })
    }

    @Test func theWordsAboveAFieldAreItsLabel() throws {
        let found = try labels(
            words: [("Given name", 20, 220), ("Family name", 180, 220), ("Street", 20, 180)],
            fields: [
                ("Tx", [20, 200, 160, 215]), ("Tx", [180, 200, 340, 215]), ("Tx", [20, 160, 340, 175]),
            ])
        #expect(found.map(\.text) == ["Given name", "Family name", "Street"])
        #expect(found.allSatisfy { $0.source == .above })
    }

    @Test func aCaptionInTheCornerOfItsCellIsTheLabel() throws {
        let found = try labels(
            words: [("Date of birth", 22, 206)], drawing: "20 180 200 36 re S",
            fields: [("Tx", [20, 180, 220, 216])])
        #expect(found.first?.text == "Date of birth")
        #expect(found.first?.source == .inside)
    }

    @Test func theWordsBehindABoxAreItsLabel() throws {
        let found = try labels(
            words: [("I agree to be", 36, 202), ("photographed", 130, 202)],
            fields: [("Btn", [20, 200, 32, 212]), ("Btn", [114, 200, 126, 212])])
        #expect(found.map(\.text) == ["I agree to be", "photographed"])
        #expect(found.allSatisfy { $0.source == .right })
    }

    @Test func boxesThatSayYesAndNoAreCalledByTheirQuestion() throws {
        let found = try labels(
            words: [("Do you have allergies?", 20, 202), ("Yes", 154, 202), ("No", 204, 202)],
            fields: [("Btn", [140, 200, 152, 212]), ("Btn", [190, 200, 202, 212])])
        #expect(found.map(\.text) == ["Do you have allergies?: Yes", "Do you have allergies?: No"])
    }

    @Test func theWordsUnderALineToWriteOnAreItsLabel() throws {
        let found = try labels(
            words: [("This is signed at", 20, 203), ("\\(Place\\)", 140, 188)],
            drawing: "120 199 m 300 199 l S", fields: [("Tx", [120, 200, 300, 213])])
        #expect(found.first.map { ["This is signed at", "(Place)"].contains($0.text) } == true)
        let alone = try labels(
            words: [("Place", 120, 188)], drawing: "120 199 m 300 199 l S",
            fields: [("Tx", [120, 200, 300, 213])])
        #expect(alone.first?.text == "Place")
        #expect(alone.first?.source == .below)
    }

    @Test func fieldsOfOneDateArePartsOfOneLabel() throws {
        let found = try labels(
            words: [("Date of birth", 20, 203), ("/", 132, 203), ("/", 168, 203)],
            fields: [
                ("Tx", [100, 200, 130, 215]), ("Tx", [137, 200, 166, 215]), ("Tx", [173, 200, 220, 215]),
            ])
        #expect(found.map(\.text) == ["Date of birth", "Date of birth", "Date of birth"])
        #expect(found.map(\.part) == [nil, 2, 3])
    }

    @Test func cellsOfATableAreCalledByTheirColumn() throws {
        let found = try labels(
            words: [("Name of child", 24, 236), ("Age", 184, 236)],
            drawing:
                "20 170 200 80 re S 20 230 m 220 230 l S 20 210 m 220 210 l S 20 190 m 220 190 l S 180 170 m 180 250 l S",
            fields: [
                ("Tx", [22, 212, 178, 228]), ("Tx", [182, 212, 218, 228]), ("Tx", [22, 192, 178, 208]),
                ("Tx", [182, 192, 218, 208]),
            ])
        #expect(found.map(\.text) == ["Name of child 1", "Age 1", "Name of child 2", "Age 2"])
        #expect(found.map(\.row) == [1, 1, 2, 2])
        #expect(found.allSatisfy { $0.source == .heading })
    }

    @Test func aNumberAtTheEndOfALineLeadsToTheWordsOfTheLine() throws {
        let found = try labels(
            words: [("4 Total wages . . . . . . . . . . . . .", 20, 203), ("4", 210, 203)],
            fields: [("Tx", [220, 200, 300, 215])])
        #expect(found.first?.text == "Total wages")
    }

    @Test func theAuthorsOwnWordsComeFirst() throws {
        let found = try labels(
            words: [("Nm", 20, 203)], fields: [("Tx", [100, 200, 300, 215])], tooltips: [0: "Full name"])
        #expect(found.first == FieldLabel("Full name", source: .tooltip, confidence: 1))
    }

    @Test func withoutPopplerTheNamesOfTheFieldsHaveToDo() throws {
        var maker = PageMaker()
        let widget = maker.draft.add(
            .dictionary([
                "Type": .name("Annot"), "Subtype": .name("Widget"), "FT": .name("Tx"),
                "T": .text("FamilyName"), "Rect": maker.box(10, 10, 90, 30),
            ]))
        maker.page("", ["Annots": .array([.reference(widget)])])
        let form = maker.bytes(catalog: ["AcroForm": .dictionary(["Fields": .array([.reference(widget)])])])
        let labels = FieldLabels(of: try Form(bytes: form), in: try PDFFile(bytes: form), reader: nil)
        #expect(labels.all.first?.text == "Family Name")
        #expect(labels["FamilyName"]?.source == .name)
    }
}
