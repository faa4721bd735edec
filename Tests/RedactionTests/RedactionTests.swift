import Bytes
import PDF
import PDFReading
import Redaction
import TestSupport
import Testing
import Work

/// Words, places and pages taken out for good. Every paper here is made so that something of the words would be left by somebody
/// who only covers them; other programs are asked afterwards.
@Suite(.enabled(if: PageReader.isReady, "poppler-utils is not installed"))
struct RedactionTests {
    private let redactor = Redactor(reader: PageReader(jail: .detect()))

    private func words(_ words: String..., change: (inout RedactionWish) -> Void = { _ in }) -> RedactionWish
    {
        var wish = RedactionWish()
        wish.words = words
        change(&wish)
        return wish
    }

    /// A place of a sheet 300 points high, from its lower left corner.
    private func area(
        _ page: Int, _ left: Double, _ bottom: Double, _ right: Double, _ top: Double, of height: Double = 300
    ) -> RedactionWish {
        var wish = RedactionWish()
        wish.areas = [
            .init(page: page, x: left, y: height - top, width: right - left, height: top - bottom)
        ]
        return wish
    }

    /// What two other programs read, and everything a file holds when each of its streams is unpacked.
    private func read(_ bytes: [UInt8]) throws -> (text: String, inside: String) {
        try Jail.detect().cell { cell in
            try cell.put(bytes, named: "in.pdf")
            let limits = Child.Limits()
            let text = try cell.run(
                "pdftotext", ["-q", "in.pdf", "-"], output: .captured(limit: 1 << 20), limits: limits)
            let inside = try cell.run(
                "qpdf", ["--qdf", "--object-streams=disable", "in.pdf", "-"],
                output: .captured(limit: 8 << 20), limits: limits)
            #expect(inside.succeeded)
            return (text.outputText, String(decoding: inside.output, as: UTF8.self))
        }
    }

    private func expectGone(
        _ bytes: [UInt8], _ gone: String, stays: String..., at location: SourceLocation = #_sourceLocation
    ) throws {
        let (text, inside) = try read(bytes)
        #expect(!text.contains(gone) && !inside.contains(gone), sourceLocation: location)
        let wide = gone.utf16.map {
            "\\\(String($0 >> 8, radix: 8))" + String(UnicodeScalar(UInt8($0 & 255)))
        }
        #expect(!inside.contains(wide.joined()), sourceLocation: location)
        // What stands at an angle is read in pieces.
        for word in stays {
            #expect(
                text.contains(word) || inside.contains(word), "“\(word)” is missing", sourceLocation: location
            )
        }
    }

    @Test("A word goes, and its neighbours stay where they stood")
    func word() throws {
        let paper = PageMaker.make { $0.page("BT /F 12 Tf 20 200 Td (Dear Ann Miller, good day.) Tj ET") }
        let made = try redactor.redact(words("Ann Miller"), in: paper)
        try expectGone(made.bytes, "Miller", stays: "Dear", "good day.")
        #expect(made.hits.map(\.text) == ["Ann Miller"])
        #expect(made.proof.changedPages == [0] && made.proof.checks.count == 5)
        let reader = PageReader(jail: .detect())
        func place(of word: String, _ bytes: [UInt8]) throws -> PDFRectangle? {
            try reader.text(of: Sheets(bytes: bytes))[0].words.first { $0.text == word }?.place
        }
        let (before, after) = (try place(of: "good", paper), try place(of: "good", made.bytes))
        #expect(abs((before?.left ?? 0) - (after?.left ?? 99)) < 0.01)
        #expect(abs((before?.right ?? 0) - (after?.right ?? 99)) < 0.01)
    }

    @Test("A hit that was looked at and chosen to stay stays, and everything else of it goes")
    func spared() throws {
        let paper = PageMaker.make {
            $0.page("BT /F 12 Tf 20 200 Td (Dear Ann Miller,) Tj 0 -40 Td (Mill owner: Ann Miller.) Tj ET")
            $0.page("BT /F 12 Tf 20 200 Td (Miller, Ann Miller and Bob) Tj ET")
        }
        var wish = words("Ann Miller", "Bob")
        let found = try redactor.find(wish, in: paper).hits
        #expect(found.map(\.text) == ["Ann Miller", "Ann Miller", "Ann Miller", "Bob"])
        wish.spared = [found[1]]
        // As a page and the API hand it back.
        wish = try RedactionWish(json: wish.json)
        let made = try redactor.redact(wish, in: paper)
        #expect(made.hits.map(\.text) == ["Ann Miller", "Ann Miller", "Bob"])
        #expect(made.remarks.contains(.spared(1)))
        let (text, inside) = try read(made.bytes)
        let lines = text.split(whereSeparator: \.isNewline).map(String.init)
        #expect(lines.contains("Mill owner: Ann Miller."))
        #expect(!lines.contains { $0.contains("Dear Ann") } && text.contains("Dear"))
        #expect(!inside.contains("Bob") && text.contains("Miller,"))
        // Of a later state of the paper the same words elsewhere are another hit.
        var moved = wish
        moved.spared[0].areas[0].y += 12
        #expect(try redactor.redact(moved, in: paper).hits.count == 4)
        wish.words = ["Ann Miller"]
        wish.spared = Array(found.prefix(3))
        #expect(throws: RedactionError.allSpared) { try redactor.redact(wish, in: paper) }
    }

    @Test("Words around a hit are whole")
    func surroundings() throws {
        let paper = PageMaker.make {
            $0.page(
                "BT /F 8 Tf 20 200 Td (Deductions came to 9,150 this year, so Miller pays within thirty days of it.) Tj ET"
            )
        }
        let hit = try #require(redactor.find(words("Miller"), in: paper).hits.first)
        #expect(hit.before == "to 9,150 this year, so" && hit.after == "pays within thirty days")
    }

    @Test("Only what stands on a page by itself can stay")
    func sparedBeside() throws {
        let paper = PageMaker.make { maker in
            maker.page("BT /F 12 Tf 20 200 Td (Ann Miller) Tj ET")
        }
        var hit = try redactor.find(words("Ann"), in: paper).hits[0]
        hit.place = .field
        let wish: JSON = ["words": ["Ann"], "except": [hit.json]]
        #expect(throws: RedactionError.cannotStay("Ann")) { try RedactionWish(json: wish) }
        #expect(throws: RedactionError.badWish("except")) {
            try RedactionWish(json: ["words": ["Ann"], "except": ["Ann"]])
        }
    }

    @Test("Only whole words count, whatever their capitals, and a star stands for the rest")
    func wholeWords() throws {
        let paper = PageMaker.make {
            $0.page("BT /F 12 Tf 20 200 Td (MILLER and Millerton, Millers\\) \\(Miller\\)) Tj ET")
        }
        func hits(_ word: String) throws -> [String] {
            try redactor.find(words(word), in: paper).hits.map(\.text)
        }
        #expect(try hits("miller") == ["MILLER", "Miller"])
        #expect(try hits("miller*") == ["MILLER", "Millerton", "Millers", "Miller"])
        #expect(try hits("mill") == [])
    }

    @Test(
        "A word is found however it is drawn",
        arguments: [
            // Sign by sign, with the places between them.
            "BT /F 12 Tf 20 200 Td [(M) -40 (i) 20 (l) (l) 10 (e) -30 (r)] TJ 80 0 Td (stays) Tj ET",
            "BT /F 12 Tf 20 200 Td (M) Tj 10 0 Td (i) Tj 3 0 Td (l) Tj 3 0 Td (l) Tj 3 0 Td (e) Tj 7 0 Td (r) Tj 60 0 Td (stays) Tj ET",
            // From the last sign to the first.
            "BT /F 12 Tf 1 0 0 1 45.4 200 Tm (r) Tj 1 0 0 1 38.7 200 Tm (e) Tj 1 0 0 1 36 200 Tm (l) Tj 1 0 0 1 33.4 200 Tm (l) Tj 1 0 0 1 30.7 200 Tm (i) Tj 1 0 0 1 20 200 Tm (M) Tj 1 0 0 1 90 200 Tm (stays) Tj ET",
            // With spacing, stretched, over the end of a line, divided there, and by the other operators.
            "BT /F 12 Tf 2 Tc 80 Tz 14 TL 20 200 Td (Miller) Tj (stays) ' ET",
            "BT /F 12 Tf 14 TL 20 200 Td 3 1 (Miller stays) \" ET",
            "BT /F 12 Tf 14 TL 20 200 Td (so Mil-) Tj (ler stays) ' ET",
            // Upright, at an angle, mirrored, tiny.
            "BT /F 12 Tf 0 1 -1 0 100 50 Tm (Miller stays) Tj ET",
            "BT /F 12 Tf 0.87 0.5 -0.5 0.87 50 50 Tm (Miller stays) Tj ET",
            "q 0.1 0 0 0.1 0 0 cm BT /F 120 Tf 200 2000 Td (Miller stays) Tj ET Q",
            // Unseen: without ink, white on white, and with a state that nobody closed.
            "BT /F 12 Tf 3 Tr 20 200 Td (Miller stays) Tj ET",
            "1 g BT /F 12 Tf 20 200 Td (Miller stays) Tj ET",
            "q 0.5 0 0 0.5 100 100 cm q BT /F 12 Tf 20 200 Td (Miller stays) Tj",
            "BT /F 12 Tf 20 200 Td (Miller stays) Tj ET Q Q",
            // Twice over each other.
            "BT /F 12 Tf 20 200 Td (Miller) Tj ET BT /F 12 Tf 20.3 200 Td (Miller) Tj 90 0 Td (stays) Tj ET",
        ])
    func drawn(_ content: String) throws {
        let paper = PageMaker.make { $0.page(content) }
        let made = try redactor.redact(words("Miller"), in: paper)
        try expectGone(made.bytes, "Miller", stays: "stays")
    }

    @Test("A turned page with a cut sheet is blacked out where one sees it", arguments: [0, 90, 180, 270])
    func turned(_ angle: Int) throws {
        let paper = PageMaker.make {
            $0.page(
                "BT /F 12 Tf 120 150 Td (Miller stays) Tj ET",
                ["Rotate": .integer(angle), "CropBox": $0.box(50, 50, 350, 250)])
        }
        let hit = try #require(try redactor.find(words("Miller"), in: paper).hits.first?.areas.first)
        var wish = RedactionWish()
        wish.areas = [hit]
        // By words and by the place where the word was seen, the same comes out.
        let byWord = try redactor.redact(words("Miller"), in: paper)
        let byPlace = try redactor.redact(wish, in: paper)
        try expectGone(byWord.bytes, "Miller", stays: "stays")
        try expectGone(byPlace.bytes, "Miller", stays: "stays")
    }

    @Test(
        "Words in drawings inside drawings go, and a drawing that another page has as well stays whole there")
    func forms() throws {
        let paper = PageMaker.make { maker in
            func form(_ content: String, _ objects: PDFDictionary) -> PDFReference {
                maker.draft.addStream(
                    [
                        "Type": .name("XObject"), "Subtype": .name("Form"), "BBox": maker.box(0, 0, 400, 300),
                        "Resources": .dictionary([
                            "Font": .dictionary(["F": .reference(maker.font)]),
                            "XObject": .dictionary(objects),
                        ]),
                    ], Array(content.utf8))
            }
            let inner = form("BT /F 12 Tf 20 200 Td (Miller stays) Tj ET", [:])
            let outer = form("q 1 0 0 1 30 -20 cm /I Do Q", ["I": .reference(inner)])
            let resources: PDFObject = .dictionary([
                "Font": .dictionary(["F": .reference(maker.font)]),
                // The second page has it in its list, and never draws it.
                "XObject": .dictionary(["O": .reference(outer), "I": .reference(inner)]),
            ])
            maker.page("/O Do", ["Resources": resources])
            maker.page("BT /F 12 Tf 20 200 Td (Nothing here) Tj ET", ["Resources": resources])
        }
        let made = try redactor.redact(words("Miller"), in: paper)
        try expectGone(made.bytes, "Miller", stays: "stays", "Nothing here")
    }

    @Test("Words that tags, properties, bookmarks, names, links and notes repeat go with them")
    func around() throws {
        var maker = PageMaker()
        let link = maker.draft.add(
            .dictionary([
                "Type": .name("Annot"), "Subtype": .name("Link"), "Rect": maker.box(20, 100, 80, 110),
                "A": .dictionary(["S": .name("URI"), "URI": .text("https://example.org/Miller")]),
            ]))
        let note = maker.draft.add(
            .dictionary([
                "Type": .name("Annot"), "Subtype": .name("Text"), "Rect": maker.box(300, 100, 320, 120),
                "Contents": .text("ask Müller and Miller"),
            ]))
        let page = maker.page(
            "/Span <</MCID 0/ActualText (Miller)>> BDC BT /F 12 Tf 20 200 Td (Miller) Tj ET EMC "
                + "BT /F 12 Tf 90 200 Td (stays) Tj ET",
            ["Annots": .array([.reference(link), .reference(note)]), "StructParents": .integer(0)])
        let tree = maker.draft.newReference()
        let element = maker.draft.add(
            .dictionary([
                "Type": .name("StructElem"), "S": .name("P"), "P": .reference(tree), "Pg": .reference(page),
                "K": .integer(0), "Alt": .text("a letter to M."), "T": .text("Miller"),
            ]))
        maker.draft.put(
            .dictionary(["Type": .name("StructTreeRoot"), "K": .reference(element)]), at: tree)
        let outlines = maker.draft.newReference()
        let bookmark = maker.draft.add(
            .dictionary([
                "Title": .text("Letter to Müller, that is Miller"), "Parent": .reference(outlines),
                "Dest": .array([.reference(page), .name("Fit")]),
            ]))
        maker.draft.put(
            .dictionary([
                "Type": .name("Outlines"), "First": .reference(bookmark), "Last": .reference(bookmark),
                "Count": .integer(1),
            ]), at: outlines)
        let data = maker.draft.addStream(["Type": .name("Metadata")], Array("<x>Miller</x>".utf8))
        let attached = maker.draft.addStream(["Type": .name("EmbeddedFile")], Array("Miller's file".utf8))
        let paper = maker.bytes(catalog: [
            "StructTreeRoot": .reference(tree), "Outlines": .reference(outlines),
            "Metadata": .reference(data),
            "Names": .dictionary([
                "EmbeddedFiles": .dictionary([
                    "Names": .array([
                        .text("a"), .dictionary(["EF": .dictionary(["F": .reference(attached)])]),
                    ])
                ])
            ]),
            "OpenAction": .dictionary(["S": .name("JavaScript"), "JS": .text("app.alert('Miller')")]),
        ])
        let made = try redactor.redact(words("Miller"), in: paper)
        try expectGone(made.bytes, "Miller", stays: "stays")
        let inside = try read(made.bytes).inside
        #expect(!inside.contains("a letter to M."))
        #expect(
            inside.contains("Letter to M") || inside.contains("\\000L\\000e") || inside.contains("Outlines"))
        #expect(made.remarks.contains(.attachments) && made.remarks.contains(.scripts))
        #expect(made.remarks.contains(.notes(2)) && made.remarks.contains(.metadata))
        #expect(Set(made.hits.map(\.place)) == [.page, .note, .bookmark, .hidden])
    }

    @Test("A field whose value says it goes with its value, at every place where it is shown")
    func fields() throws {
        var maker = PageMaker()
        let field = maker.draft.newReference()
        func look(_ text: String) -> PDFObject {
            .dictionary([
                "N": .reference(
                    maker.draft.addStream(
                        [
                            "Type": .name("XObject"), "Subtype": .name("Form"),
                            "BBox": maker.box(0, 0, 200, 20),
                            "Resources": .dictionary(["Font": .dictionary(["F": .reference(maker.font)])]),
                        ], Array("BT /F 12 Tf 2 5 Td (\(text)) Tj ET".utf8)))
            ])
        }
        let kids = [100.0, 40].map { bottom in
            maker.draft.add(
                .dictionary([
                    "Type": .name("Annot"), "Subtype": .name("Widget"), "Parent": .reference(field),
                    "Rect": maker.box(20, bottom, 220, bottom + 20), "AP": look("Ann Miller"),
                ]))
        }
        let other = maker.draft.add(
            .dictionary([
                "Type": .name("Annot"), "Subtype": .name("Widget"), "FT": .name("Tx"), "T": .text("town"),
                "TU": .text("Where Ann Miller lives"), "V": .text("Oakbridge"),
                "Rect": maker.box(20, 10, 220, 30), "AP": look("Oakbridge"),
            ]))
        maker.draft.put(
            .dictionary([
                "FT": .name("Tx"), "T": .text("name"), "V": .text("Ann Miller"),
                "RV": .text("<p>Ann Miller</p>"), "Kids": .array(kids.map(PDFObject.reference)),
            ]), at: field)
        maker.page("BT /F 12 Tf 20 200 Td (Your name) Tj ET", ["Annots": .array([.reference(kids[0])])])
        maker.page("", ["Annots": .array([.reference(kids[1]), .reference(other)])])
        maker.fields = [field, other]
        let made = try redactor.redact(words("Miller"), in: maker.bytes())
        try expectGone(made.bytes, "Miller", stays: "Your name", "Oakbridge")
        #expect(made.proof.changedPages == [0, 1] && made.remarks.contains(.fields(1)))
        // What a field is called is covered, and the field stays.
        #expect(try read(made.bytes).inside.contains("(town)"))
    }

    @Test(
        "Words in what something is filled with, or in its mask, are found, and go with the page as a picture",
        arguments: ["pattern", "mask"])
    func beneath(_ kind: String) throws {
        let paper = PageMaker.make { maker in
            // Sign by sign, as nobody finds it who only searches the bytes.
            let words = Array("BT /F 12 Tf 2 5 Td [(M) -10 (i) -10 (l) -10 (l) -10 (e) -10 (r)] TJ ET".utf8)
            let fonts: PDFObject = .dictionary(["Font": .dictionary(["F": .reference(maker.font)])])
            var resources: PDFDictionary = ["Font": .dictionary(["F": .reference(maker.font)])]
            if kind == "pattern" {
                let cell = maker.draft.addStream(
                    [
                        "Type": .name("Pattern"), "PatternType": .integer(1), "PaintType": .integer(1),
                        "TilingType": .integer(1), "BBox": maker.box(0, 0, 80, 20), "XStep": .integer(80),
                        "YStep": .integer(20), "Resources": fonts,
                    ], words)
                resources["Pattern"] = .dictionary(["P": .reference(cell)])
            } else {
                let group = maker.draft.addStream(
                    [
                        "Type": .name("XObject"), "Subtype": .name("Form"), "BBox": maker.box(0, 0, 400, 300),
                        "Group": .dictionary(["S": .name("Transparency"), "CS": .name("DeviceGray")]),
                        "Resources": fonts,
                    ], Array("1 g 1 0 0 1 40 100 cm ".utf8) + words)
                resources["ExtGState"] = .dictionary([
                    "M": .dictionary([
                        "SMask": .dictionary(["S": .name("Luminosity"), "G": .reference(group)])
                    ])
                ])
            }
            let fill = kind == "pattern" ? "/Pattern cs /P scn" : "/M gs 0 g"
            maker.page(
                "q \(fill) 40 95 120 60 re f Q BT /F 12 Tf 20 200 Td (Dear Miller, it stays) Tj ET",
                ["Resources": .dictionary(resources)])
        }
        #expect(try redactor.find(words("Miller"), in: paper).hits.count == 2)
        #expect(throws: RedactionError.knotted([0])) { try redactor.redact(words("Miller"), in: paper) }
        let made = try redactor.redact(words("Miller") { $0.makesPictures = true }, in: paper)
        try expectGone(made.bytes, "Miller")
        #expect(try !read(made.bytes).inside.contains("(M)"))
    }

    @Test("What is told beside a drawing goes where the drawing does not say it")
    func told() throws {
        let paper = PageMaker.make {
            $0.page(
                "/Figure <</ActualText (Miller)/Alt (the name)>> BDC 20 100 m 90 120 l S EMC "
                    + "/Own <</Was (Miller)/Kept (Oak)>> DP BT /F 12 Tf 20 200 Td (It stays) Tj ET")
        }
        let made = try redactor.redact(words("Miller"), in: paper)
        try expectGone(made.bytes, "Miller", stays: "It stays", "Oak", "90 120 l")
        #expect(made.hits.map(\.place) == [.hidden, .hidden] || made.hits.map(\.place) == [.hidden])
        #expect(throws: RedactionError.nothingFound) { try redactor.redact(words("Myers"), in: paper) }
    }

    @Test("A drawing that no page shows is no place to keep it either")
    func unshown() throws {
        let paper = PageMaker.make { maker in
            let drawing = maker.draft.addStream(
                [
                    "Type": .name("XObject"), "Subtype": .name("Form"), "BBox": maker.box(0, 0, 400, 300),
                    "Resources": .dictionary(["Font": .dictionary(["F": .reference(maker.font)])]),
                ], Array("BT /F 12 Tf 2 5 Td [(Mil) -10 (ler)] TJ ET".utf8))
            maker.page("BT /F 12 Tf 20 200 Td (Dear Miller) Tj ET")
            maker.page(
                "BT /F 12 Tf 20 200 Td (Nothing here) Tj ET",
                [
                    "Resources": .dictionary([
                        "Font": .dictionary(["F": .reference(maker.font)]),
                        "XObject": .dictionary(["D": .reference(drawing)]),
                    ])
                ])
        }
        #expect {
            try redactor.redact(words("Miller"), in: paper)
        } throws: { error in
            if case .notProven? = error as? RedactionError { true } else { false }
        }
    }

    @Test(
        "A box to tick that is named like it goes as well, and a font that keeps a whole word as one sign is a doubt"
    )
    func names() throws {
        var maker = PageMaker()
        let look = maker.draft.addStream(
            ["Type": .name("XObject"), "Subtype": .name("Form"), "BBox": maker.box(0, 0, 12, 12)],
            Array("0 0 12 12 re S".utf8))
        let box = maker.draft.add(
            .dictionary([
                "Type": .name("Annot"), "Subtype": .name("Widget"), "FT": .name("Btn"), "T": .text("choice"),
                "V": .name("Miller"), "AS": .name("Miller"), "Rect": maker.box(20, 100, 32, 112),
                "AP": .dictionary(["N": .dictionary(["Miller": .reference(look), "Off": .reference(look)])]),
            ]))
        maker.page("BT /F 12 Tf 20 200 Td (Ann Miller stays) Tj ET", ["Annots": .array([.reference(box)])])
        maker.fields = [box]
        let made = try redactor.redact(words("Miller"), in: maker.bytes())
        try expectGone(made.bytes, "Miller", stays: "stays")

        let paper = PageMaker.make { maker in
            let map = maker.draft.addStream(
                [:], Array("1 beginbfchar <7E> <004D0069006C006C00650072> endbfchar".utf8))
            let font = maker.draft.add(
                .dictionary([
                    "Type": .name("Font"), "Subtype": .name("Type1"), "BaseFont": .name("Helvetica"),
                    "Encoding": .name("WinAnsiEncoding"), "ToUnicode": .reference(map),
                ]))
            maker.page(
                "BT /W 12 Tf 20 200 Td (Dear ~ stays) Tj ET",
                ["Resources": .dictionary(["Font": .dictionary(["W": .reference(font)])])])
        }
        #expect(try redactor.find(words("Miller"), in: paper).hits.count == 1)
        #expect {
            try redactor.redact(words("Miller"), in: paper)
        } throws: { error in
            if case .notProven? = error as? RedactionError { true } else { false }
        }
    }

    @Test("Earlier states of a file do not come along")
    func revisions() throws {
        let paper = PageMaker.make { $0.page("BT /F 12 Tf 20 200 Td (Dear Ann) Tj ET") }
        // What was there before lies in front of it, and a later table leads past it.
        var old = Array("%PDF-1.4\n% Ann Miller of 12 Main Street\n".utf8)
        old += paper
        let made = try redactor.redact(words("Ann"), in: old)
        try expectGone(made.bytes, "Main Street", stays: "Dear")
        let again = try redactor.redact(words("Ann"), in: old)
        #expect(again.bytes == made.bytes)
    }

    @Test(
        "Dots under a box go from a picture, and the others stay",
        arguments: ["plain", "indexed", "mask", "inline"])
    func pictures(_ kind: String) throws {
        // A chessboard of 16 dots; the area covers its lower left quarter.
        let grey = (0..<256).map { UInt8((($0 / 16) + $0 % 16) % 2 == 0 ? 250 : 40) }
        let bits = (0..<16).flatMap { row -> [UInt8] in row % 2 == 0 ? [0xAA, 0xAA] : [0x55, 0x55] }
        let paper = PageMaker.make { maker in
            var entries: PDFDictionary = [
                "Type": .name("XObject"), "Subtype": .name("Image"), "Width": .integer(16),
                "Height": .integer(16), "BitsPerComponent": .integer(8), "ColorSpace": .name("DeviceGray"),
            ]
            var data = grey
            switch kind {
            case "indexed":
                entries["BitsPerComponent"] = .integer(1)
                entries["ColorSpace"] = .array([
                    .name("Indexed"), .name("DeviceRGB"), .integer(1), .string([200, 0, 0, 0, 0, 200]),
                ])
                data = bits
            case "mask":
                entries = entries.without("ColorSpace")
                entries["ImageMask"] = .boolean(true)
                entries["BitsPerComponent"] = .integer(1)
                data = bits
            default: break
            }
            let place = "q 160 0 0 160 100 100 cm"
            if kind == "inline" {
                let hex = grey.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
                maker.page("\(place) BI /W 16 /H 16 /BPC 8 /CS /G /F /AHx ID \(hex)> EI Q")
            } else {
                let picture = maker.draft.addStream(entries, data)
                maker.page(
                    "\(place) /P Do Q",
                    ["Resources": .dictionary(["XObject": .dictionary(["P": .reference(picture)])])])
            }
        }
        let made = try redactor.redact(area(0, 100, 100, 180, 180), in: paper)
        let file = try PDFFile(bytes: made.bytes)
        let objects = file.dictionary(
            file.dictionary(file.dictionary(.reference(file.pages[0]))?["Resources"])?["XObject"])
        let picture = try #require(objects?.entries.first?.value.reference)
        #expect(objects?.entries.count == 1)
        let dots = try #require(file.stream(picture))
        if kind == "plain" {
            var covered: Set<UInt8> = []
            for row in 9..<16 { covered.formUnion(dots[(row * 16)..<(row * 16 + 7)]) }
            #expect(covered.count == 1)
            #expect(Array(dots[0..<16]) == Array(grey[0..<16]))
        } else if kind == "indexed" || kind == "mask" {
            var covered: Set<UInt8> = []
            for row in 9..<16 { covered.insert(dots[row * 2] & 0xFE) }
            #expect(covered.count == 1)
            #expect(Array(dots[0..<2]) == Array(bits[0..<2]))
        }
    }

    @Test(
        "A picture that lies wholly under a box goes, and one that is drawn there and elsewhere stays elsewhere"
    )
    func wholePictures() throws {
        let paper = PageMaker.make { maker in
            let picture = maker.draft.addStream(
                [
                    "Type": .name("XObject"), "Subtype": .name("Image"), "Width": .integer(2),
                    "Height": .integer(2), "BitsPerComponent": .integer(8), "ColorSpace": .name("DeviceGray"),
                ], [10, 90, 170, 250])
            maker.page(
                "q 50 0 0 50 20 20 cm /P Do Q q 50 0 0 50 200 20 cm /P Do Q",
                ["Resources": .dictionary(["XObject": .dictionary(["P": .reference(picture)])])])
        }
        let both = try redactor.redact(area(0, 10, 10, 390, 80), in: paper)
        #expect(!(try read(both.bytes).inside.contains("/Image")))
        let one = try redactor.redact(area(0, 10, 10, 80, 80), in: paper)
        #expect(try read(one.bytes).inside.contains("/Image"))
    }

    @Test("Signs that are small drawings do not stay in their font when nobody shows them any more")
    func typeThree() throws {
        let paper = PageMaker.make { maker in
            let procedures: [PDFReference] = ["secret", "other"].map { name in
                let height = name == "secret" ? "612" : "500"
                return maker.draft.addStream([:], Array("600 0 d0 100 0 400 \(height) re f".utf8))
            }
            let map = maker.draft.addStream(
                [:], Array("2 beginbfchar <61> <0053> <62> <004F> endbfchar".utf8))
            var look: PDFDictionary = ["Type": .name("Font"), "Subtype": .name("Type3")]
            look["FontMatrix"] = maker.box(0.001, 0, 0, 0.001, 0, 0)
            look["FontBBox"] = maker.box(0, 0, 600, 700)
            look["FirstChar"] = .integer(97)
            look["LastChar"] = .integer(98)
            look["Widths"] = .array([.integer(600), .integer(600)])
            look["ToUnicode"] = .reference(map)
            let names: [PDFObject] = [.integer(97), .name("secret"), .name("other")]
            look["Encoding"] = .dictionary(["Differences": .array(names)])
            look["CharProcs"] = .dictionary([
                "secret": .reference(procedures[0]), "other": .reference(procedures[1]),
            ])
            let font = maker.draft.add(.dictionary(look))
            maker.page(
                "BT /T 20 Tf 20 200 Td (aa) Tj 100 0 Td (bb) Tj ET",
                ["Resources": .dictionary(["Font": .dictionary(["T": .reference(font)])])])
        }
        let made = try redactor.redact(words("SS"), in: paper)
        let inside = try read(made.bytes).inside
        #expect(!inside.contains("612 re") && inside.contains("500 re"))
    }

    @Test("Letters drawn as outlines go where an area covers them, and rules and frames stay")
    func outlines() throws {
        let curves = "40 100 m 45 110 55 110 60 100 c 55 90 45 90 40 100 c h f"
        let paper = PageMaker.make { $0.page("0 g \(curves) 10 80 380 1 re f 5 5 390 290 re S") }
        let made = try redactor.redact(area(0, 30, 85, 70, 120), in: paper)
        let inside = try read(made.bytes).inside
        #expect(!inside.contains("45 110 55 110") && inside.contains("380 1 re"))
    }

    @Test("Where drawing cannot be taken apart nothing is kept, unless such pages become pictures")
    func knots() throws {
        let paper = PageMaker.make { maker in
            let tile = maker.draft.addStream(
                [
                    "Type": .name("Pattern"), "PatternType": .integer(1), "PaintType": .integer(1),
                    "TilingType": .integer(1), "BBox": maker.box(0, 0, 100, 20), "XStep": .integer(100),
                    "YStep": .integer(20),
                    "Resources": .dictionary(["Font": .dictionary(["F": .reference(maker.font)])]),
                ], Array("BT /F 12 Tf 2 4 Td (Miller) Tj ET".utf8))
            maker.page(
                "/Pattern cs /P scn 20 100 300 100 re f BT /F 12 Tf 0 g 20 50 Td (Below) Tj ET",
                [
                    "Resources": .dictionary([
                        "Pattern": .dictionary(["P": .reference(tile)]),
                        "Font": .dictionary(["F": .reference(maker.font)]),
                    ])
                ])
        }
        var wish = area(0, 50, 120, 150, 160)
        #expect(throws: RedactionError.knotted([0])) { try redactor.redact(wish, in: paper) }
        wish.makesPictures = true
        let made = try redactor.redact(wish, in: paper)
        try expectGone(made.bytes, "Miller")
        #expect(try read(made.bytes).text.split(whereSeparator: \.isWhitespace).isEmpty)
    }

    @Test("A page of a scan cannot be searched, and that is said instead of passed over")
    func scans() throws {
        let scan = try SamplePaper.scan(["Dear Ann Miller"], dotsPerInch: 72)
        #expect(throws: RedactionError.unreadablePages([0])) {
            try redactor.redact(words("Miller"), in: scan)
        }
        #expect(try redactor.find(words("Miller"), in: scan).unreadablePages == [0])
        var wish = words("Miller")
        wish.passesOverPictures = true
        #expect(throws: RedactionError.nothingFound) { try redactor.redact(wish, in: scan) }
        let made = try redactor.redact(area(0, 60, 680, 300, 720, of: 792), in: scan)
        #expect(made.proof.changedPages == [0])
    }

    @Test("A whole page goes, and what it held with it")
    func wholePage() throws {
        let paper = PageMaker.make {
            $0.page("BT /F 12 Tf 20 200 Td (Miller) Tj ET")
            $0.page("BT /F 12 Tf 20 200 Td (stays) Tj ET")
        }
        var wish = RedactionWish()
        wish.pages = [0]
        let made = try redactor.redact(wish, in: paper)
        try expectGone(made.bytes, "Miller", stays: "stays")
        #expect(try PDFFile(bytes: made.bytes).pages.count == 2)
    }

    @Test(
        "Patterns know mails, telephones, accounts and numbers of persons, and days and amounts from them",
        arguments: [
            (RedactionWish.Pattern.mail, ["ann.miller@example.org", "a+b@mail.example.co.uk"]),
            (.phone, ["(555) 123-4567", "+49 30 1234567", "555.123.4567"]),
            (.account, ["DE89 3704 0044 0532 0130 00", "4111 1111 1111 1111"]),
            (.ssn, ["078-05-1120", "046 454 286"]),
        ])
    func patterns(_ pattern: RedactionWish.Pattern, _ meant: [String]) throws {
        let others = ["2026-11-26", "26.11.2026", "1,234.56", "page 12 of 34", "046 454 287", "12345"]
        let all = [
            "ann.miller@example.org", "a+b@mail.example.co.uk", "(555) 123-4567", "+49 30 1234567",
            "555.123.4567", "DE89 3704 0044 0532 0130 00", "4111 1111 1111 1111", "078-05-1120",
            "046 454 286",
        ]
        let lines = (all + others).map {
            "(" + $0.replacing("(", with: "\\(").replacing(")", with: "\\)") + ") '"
        }
        let paper = PageMaker.make {
            $0.page("BT /F 9 Tf 14 TL 20 280 Td " + lines.joined(separator: " ") + " ET")
        }
        var wish = RedactionWish()
        wish.patterns = [pattern]
        let hits = Set(try redactor.find(wish, in: paper).hits.map(\.text))
        #expect(hits.isSuperset(of: meant))
        #expect(hits.isDisjoint(with: others.filter { $0 != "046 454 287" }))
    }

    @Test("An expression that is none, or takes for ever, is told")
    func expressions() throws {
        let paper = PageMaker.make {
            $0.page("BT /F 4 Tf 2 200 Td (\(String(repeating: "a", count: 60))!) Tj ET")
        }
        var wish = RedactionWish()
        wish.expressions = ["(a"]
        #expect(throws: RedactionError.noExpression("(a")) { try redactor.find(wish, in: paper) }
        wish.expressions = ["(a+)+$b"]
        #expect(throws: RedactionError.expressionTooSlow) { try redactor.find(wish, in: paper) }
        wish.expressions = ["a{60}"]
        #expect(try redactor.find(wish, in: paper).hits.count == 1)
    }

    @Test("What was marked by hand and stands elsewhere, too, is told")
    func elsewhere() throws {
        let paper = PageMaker.make {
            $0.page("BT /F 12 Tf 20 200 Td (Ann Miller) Tj ET")
            $0.page("BT /F 12 Tf 20 200 Td (Ann Miller once more) Tj ET")
        }
        let made = try redactor.redact(area(0, 15, 190, 120, 215), in: paper)
        #expect(made.remarks.contains(.stillThere("Ann Miller", pages: [1])))
    }

    @Test("A locked paper is opened by its password, and that it no longer is locked is told")
    func locked() throws {
        let plain = PageMaker.make { $0.page("BT /F 12 Tf 20 200 Td (Dear Miller) Tj ET") }
        let lock = try PDFLock(userPassword: "secret", ownerPassword: nil, permissions: .all)
        let paper = try LockableFile(PDFFile(bytes: plain).rewritten()).locked(lock)
        let made = try redactor.redact(words("Miller"), in: paper, password: "secret")
        try expectGone(made.bytes, "Miller", stays: "Dear")
        #expect(made.remarks.contains(.lock))
    }

    @Test(
        "Papers of many makers come out proven, or are refused",
        .enabled(if: CorpusFiles.root != nil, "there is no corpus beside the checkout"))
    func corpus() throws {
        let reader = PageReader(jail: .detect())
        var (proven, refused) = (0, 0)
        for folder in ["pdf", "letter"] {
            for name in CorpusFiles.names(folder).filter({ $0.hasSuffix(".pdf") }).prefix(60) {
                let bytes = try CorpusFiles.bytes("\(folder)/\(name)")
                guard let sheets = try? Sheets(bytes: bytes), sheets.count < 12,
                    let texts = try? reader.text(of: sheets),
                    let word = texts.flatMap(\.words).map(\.text).first(where: {
                        $0.count > 4 && $0.allSatisfy { $0.isASCII && $0.isLetter }
                    })
                else { continue }
                var wish = words(word)
                wish.passesOverPictures = true
                do {
                    let made = try redactor.redact(wish, in: bytes)
                    proven += 1
                    let left = try reader.text(of: Sheets(bytes: made.bytes)).flatMap(\.words)
                    #expect(!left.contains { $0.text.lowercased() == word.lowercased() }, "\(name): \(word)")
                } catch {
                    refused += 1
                    Issue.record("\(name), “\(word)”: \(error)")
                }
            }
        }
        #expect(proven > 20)
        #expect(refused == 0)
    }
}
