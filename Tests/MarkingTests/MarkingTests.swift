import Bytes
import Crypto
import Marking
import PDF
import PDFReading
import Signing
import TestSupport
import Testing
import Work

/// 2026-11-21 11:35 UTC
private let noon: Int64 = 1_795_260_900

@Suite("What is written on papers", .enabled(if: PageReader.isReady, "poppler-utils is not installed"))
struct MarkingTests {
    private static func paper(rotation: Int = 0, crop: Bool = false) -> [UInt8] {
        PageMaker.make { maker in
            var entries: PDFDictionary = ["Rotate": .integer(rotation)]
            if crop { entries["CropBox"] = maker.box(50, 40, 350, 260) }
            maker.page("BT /F 12 Tf 60 200 Td (The notice period is three months.) Tj ET", entries)
            maker.page("BT /F 12 Tf 60 200 Td (Signed by both.) Tj ET 2 0 0 2 10 10 cm")
        }
    }

    private func area(_ x: Double, _ y: Double, _ width: Double = 0, _ height: Double = 0) -> Mark.Area {
        Mark.Area(x: x, y: y, width: width, height: height)
    }

    private func mark(_ kind: Mark.Kind, page: Int = 0, _ change: (inout Mark) -> Void = { _ in }) -> Mark {
        var mark = Mark(kind, page: page)
        change(&mark)
        return mark
    }

    /// Links are only felt.
    private static let seen = Mark.Kind.allCases.filter { $0 != .link }

    /// One of each kind.
    private var all: [Mark] {
        Self.seen.enumerated().map { place, kind in
            mark(kind) {
                $0.areas = [area(20 + Double(place % 5) * 40, 20 + Double(place / 5) * 50, 38, 30)]
                switch kind {
                case .text, .stamp, .note, .signature: $0.text = "Agreed – Łódź 東京"
                case .line, .arrow, .ink:
                    let left = 20 + Double(place % 5) * 40
                    $0.strokes = [
                        [
                            .init(x: left, y: 150, pressure: 0.2), .init(x: left + 20, y: 170, pressure: 0.9),
                            .init(x: left + 38, y: 160, pressure: 0.5),
                        ]
                    ]
                case .picture: $0.picture = Self.dot
                default: break
                }
            }
        }
    }

    /// A red dot, half of it let through.
    private static let dot: [UInt8] =
        Base64.decode(
            "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAYAAABytg0kAAAAFUlEQVR4nGP4z8DwH4gbGEAEEDMAAD9aBfxGNvGhAAAAAElFTkSuQmCC"
        ) ?? []

    private func changed(
        _ bytes: [UInt8], now: Int64 = noon, _ change: (inout MarkChanges) -> Void
    ) throws -> [UInt8] {
        var changes = MarkChanges()
        changes.author = "Ana Gómez"
        change(&changes)
        var number = 0
        return try MarkedPaper(bytes).changed(changes, now: now) {
            number += 1
            return "mark-\(now)-\(number)"
        }
    }

    /// What two other programs say of it, neither of which knows this one.
    private func text(_ bytes: [UInt8]) throws -> String {
        try Jail.detect().cell { cell in
            try cell.put(bytes, named: "in.pdf")
            let sound = try cell.run("qpdf", ["--check", "in.pdf"], output: .captured(limit: 1 << 16))
            #expect(sound.succeeded, "\(sound.outputText) \(sound.errorText)")
            return try cell.run("pdftotext", ["-q", "in.pdf", "-"], output: .captured(limit: 1 << 20))
                .outputText
        }
    }

    private func pixels(_ bytes: [UInt8], page: Int = 0) throws -> PagePixels {
        let sheets = try Sheets(bytes: bytes)
        let width = Int(sheets.frames[page].width)
        return try PageReader(jail: .detect()).pixels(of: sheets, page: page, width: width)
    }

    @Test("lies behind the paper, of which no byte changes, and is found again as it was put there")
    func put() throws {
        let before = Self.paper()
        let made = try changed(before) { $0.added = all }
        #expect(made.starts(with: before))
        #expect(try text(made).contains("three months"))
        let found = try MarkedPaper(made).marks
        #expect(found.map(\.kind) == Self.seen.map(\.rawValue))
        #expect(
            found.allSatisfy { $0.author == "Ana Gómez" && $0.time == noon && $0.page == 0 && !$0.isDone })
        #expect(Set(found.map(\.id)).count == found.count)
        let box = try #require(found.first { $0.kind == "box" })
        let given = try #require(all.first { $0.kind == .box }).area
        #expect(abs(box.area.x - given.x) < 0.01 && abs(box.area.y - given.y) < 0.01)
        #expect(abs(box.area.width - given.width) < 0.01 && abs(box.area.height - given.height) < 0.01)
        #expect(found.first { $0.kind == "text" }?.text == "Agreed – Łódź 東京")
        // Once more, behind what was put behind it.
        let again = try changed(made, now: noon + 60) { $0.added = [all[0]] }
        #expect(again.starts(with: made))
        #expect(try MarkedPaper(again).marks.count == found.count + 1)
        _ = try text(again)
    }

    @Test("is seen where it was put, however the page is turned and cut", arguments: [0, 90, 180, 270])
    func turned(rotation: Int) throws {
        for crop in [false, true] {
            for isPart in [false, true] {
                let made = try changed(Self.paper(rotation: rotation, crop: crop)) {
                    $0.isPartOfPage = isPart
                    $0.added = [
                        mark(.box) {
                            $0.areas = [area(20, 30, 40, 25)]
                            $0.fill = Mark.Colour(0, 0, 0)
                            $0.colour = Mark.Colour(0, 0, 0)
                        }
                    ]
                }
                let sheets = try Sheets(bytes: made)
                let frame = sheets.frames[0]
                let seen = try pixels(made)
                func dark(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Double {
                    seen.darkness(
                        in: (
                            x / frame.width, y / frame.height, width / frame.width, height / frame.height
                        ))
                }
                #expect(dark(22, 32, 36, 21) > 0.97, "\(rotation) \(crop) \(isPart)")
                #expect(dark(0, 0, frame.width, 25) < 0.001 || rotation != 0)
                #expect(dark(62, 20, 20, 40) < 0.2)
                _ = try text(made)
            }
        }
    }

    @Test("words stand upright on a page that lies on its side, and are read by other programs")
    func upright() throws {
        for rotation in [0, 90, 270] {
            let made = try changed(Self.paper(rotation: rotation)) {
                $0.isPartOfPage = true
                $0.added = [
                    mark(.text) {
                        $0.areas = [area(30, 40)]
                        $0.text = "Ana Miller\nOaxaca"
                    }
                ]
            }
            let words = try PageReader(jail: .detect()).text(of: Sheets(bytes: made))[0].words
            let name = try #require(words.first { $0.text == "Miller" })
            #expect(name.place.width > name.place.height)
            let town = try #require(words.first { $0.text == "Oaxaca" })
            #expect(town.place.top < name.place.bottom + 3)
        }
    }

    @Test("becomes part of the page, over whatever the page left turned, and is no note then")
    func partOfPage() throws {
        let made = try changed(Self.paper()) {
            $0.isPartOfPage = true
            $0.added = [
                mark(.text, page: 1) {
                    $0.areas = [area(100, 100)]
                    $0.text = "Received"
                }
            ]
        }
        #expect(try MarkedPaper(made).marks.isEmpty)
        let words = try PageReader(jail: .detect()).text(of: Sheets(bytes: made))[1].words
        let word = try #require(words.first { $0.text == "Received" })
        #expect(abs(word.place.left - 100) < 1 && abs(300 - word.place.top - 100) < 5)
        #expect(words.contains { $0.text == "both." })
    }

    @Test("lies where it was put on pages that open too much, or close too much")
    func sloppy() throws {
        let words = "BT /F 12 Tf 60 200 Td (Here.) Tj ET"
        for content in [
            "q 2 0 0 2 50 50 cm \(words)", "Q Q \(words) 2 0 0 2 50 50 cm", "q BT /F 9 Tf 0.5 0 0 0.5 9 9 cm",
        ] {
            let paper = PageMaker.make { $0.page(content) }
            let made = try changed(paper) {
                $0.isPartOfPage = true
                $0.added = [
                    mark(.text) {
                        $0.areas = [area(100, 100)]
                        $0.text = "Received"
                    }
                ]
            }
            let read = try PageReader(jail: .detect()).text(of: Sheets(bytes: made))[0].words
            let word = try #require(read.first { $0.text == "Received" }, "\(content)")
            #expect(abs(word.place.left - 100) < 1 && abs(300 - word.place.top - 100) < 5, "\(content)")
            _ = try text(made)
        }
    }

    @Test("is answered, settled, opened again, said anew and taken off with all its answers")
    func discussed() throws {
        let one = try changed(Self.paper()) {
            $0.added = [
                mark(.note) {
                    $0.areas = [area(300, 50)]; $0.text = "Two?"
                }
            ]
        }
        let id = try #require(try MarkedPaper(one).marks.first?.id)
        let two = try changed(one, now: noon + 1) { $0.replies = [.init(id, "Three.")] }
        let three = try changed(two, now: noon + 2) { $0.done = [id] }
        let settled = try #require(try MarkedPaper(three).marks.first)
        #expect(settled.isDone && settled.replies.map(\.text) == ["Three."])
        #expect(settled.replies.first?.author == "Ana Gómez")
        let four = try changed(three, now: noon + 3) {
            $0.reopened = [id]
            $0.reworded = [.init(id, "Two months?")]
        }
        let open = try #require(try MarkedPaper(four).marks.first)
        #expect(!open.isDone && open.text == "Two months?" && open.replies.count == 1)
        // Neither answer nor state is drawn on the page.
        #expect(PageDifference(try pixels(one), try pixels(four)).share == 0)
        let five = try changed(four, now: noon + 4) { $0.removed = [id] }
        #expect(try MarkedPaper(five).marks.isEmpty)
        let annotations = try PDFFile(bytes: five)
        let page = try #require(annotations.pages.first)
        let left = annotations.array(annotations.dictionary(.reference(page))?["Annots"])
        #expect(left.isEmpty)
        #expect(PageDifference(try pixels(Self.paper()), try pixels(five)).share == 0)
    }

    @Test("an answer to an answer belongs to what both are about")
    func answered() throws {
        let paper = PageMaker.make { maker in
            func note(_ text: String, _ more: PDFDictionary = [:]) -> PDFReference {
                var entries = more
                entries["Subtype"] = .name("Text")
                entries["Contents"] = .text(text)
                entries["Rect"] = maker.box(10, 10, 30, 30)
                return maker.draft.add(.dictionary(entries))
            }
            let first = note("One?")
            let second = note("Two.", ["IRT": .reference(first)])
            let third = note("Three.", ["IRT": .reference(second)])
            maker.page("", ["Annots": .array([first, second, third].map(PDFObject.reference))])
        }
        let marks = try MarkedPaper(paper).marks
        #expect(marks.map(\.text) == ["One?"] && marks[0].replies.map(\.text) == ["Two.", "Three."])
        #expect(try MarkedPaper(changed(paper) { $0.removed = [marks[0].id] }).marks.isEmpty)
    }

    @Test("words on the page are drawn anew when they are said anew")
    func reworded() throws {
        let one = try changed(Self.paper()) {
            $0.added = [
                mark(.text) {
                    $0.areas = [area(60, 150, 200, 0)]
                    $0.text = "Yes"
                    $0.size = 18
                }
            ]
        }
        let id = try #require(try MarkedPaper(one).marks.first?.id)
        let two = try changed(one) { $0.reworded = [.init(id, "Certainly not")] }
        #expect(try MarkedPaper(two).marks.first?.text == "Certainly not")
        #expect(PageDifference(try pixels(one), try pixels(two)).share > 0.001)
    }

    @Test("goes to other programs as XFDF and comes back the same, once")
    func xfdf() throws {
        for rotation in [0, 90] {
            let blank = Self.paper(rotation: rotation, crop: true)
            let made = try changed(blank) { $0.added = all }
            let paper = try MarkedPaper(made)
            let text = paper.xfdf
            #expect(text.contains("<highlight") && text.contains("tail=\"OpenArrow\""))
            var taken = try MarkedPaper(blank).changes(xfdf: Array(text.utf8))
            let carried = paper.marks.filter {
                !["picture", "signature", "tick", "cross", "dot"].contains($0.kind)
            }
            #expect(taken.added.map(\.kind.rawValue) == carried.map(\.kind))
            taken.author = "Ben"
            let back = try MarkedPaper(
                MarkedPaper(blank).changed(taken, now: noon, newName: { Hex.encode([UInt8].random) }))
            for (one, other) in zip(carried, back.marks) {
                #expect(one.kind == other.kind && one.text == other.text && one.author == other.author)
                #expect(
                    abs(one.area.x - other.area.x) < 1 && abs(one.area.y - other.area.y) < 1, "\(one.kind)")
            }
            // What lies there already is not put there twice.
            #expect(try paper.changes(xfdf: Array(text.utf8)).added.isEmpty)
        }
        for broken in ["", "<xfdf>", "<a/>", "<xfdf><annots><ink page='0'></annots></xfdf>", "\u{1}"] {
            #expect(throws: MarkError.self) {
                try MarkedPaper(Self.paper()).changes(xfdf: Array(broken.utf8))
            }
        }
        let odd = """
            <xfdf><annots><highlight page="9" rect="1,2,3,4" coords="x"/><ink page="0"><inklist><gesture>nan,1;2</gesture></inklist></ink>
            <square page="0" rect="1e999,0,5,5"/><text page="0" rect="10,10,30,30" color="#zz"><contents>Fine</contents></text></annots></xfdf>
            """
        let taken = try MarkedPaper(Self.paper()).changes(xfdf: Array(odd.utf8))
        #expect(taken.added.map(\.text) == ["Fine"])
    }

    @Test("what would end a signature is said, and not done unless somebody wants it")
    func signatures() throws {
        let authority = try SigningIdentity.authority(named: "Desk", from: noon - 86_400)
        let ana = try authority.issue(to: "Ana Gómez", from: noon - 86_400)
        func signed(_ certifies: CheckedSignature.Allowance?) throws -> [UInt8] {
            var wish = SigningWish(at: noon)
            wish.certifies = certifies
            return try PaperSigner(Self.paper(), now: noon).sign(with: Signatory(ana.writer), wish)
        }
        func check(_ bytes: [UInt8]) throws -> CheckedSignature {
            try #require(
                SignedPaper(
                    bytes, trusting: TrustAnchors([authority.certificate], includesSystem: false), now: noon
                ).signatures.first)
        }
        let note = mark(.highlight) { $0.areas = [area(60, 90, 120, 14)] }
        for certifies in [nil, CheckedSignature.Allowance.notes] {
            let made = try changed(signed(certifies)) { $0.added = [note] }
            let one = try check(made)
            #expect(one.verdict == .good && one.heaviestChange == .notes, "\(one.findings)")
            // A part of the page is another matter.
            #expect(throws: MarkError.breaks(signatureOf: "Ana Gómez")) {
                try changed(signed(certifies)) {
                    $0.added = [note]
                    $0.isPartOfPage = true
                }
            }
        }
        for certifies in [CheckedSignature.Allowance.nothing, .filling] {
            let paper = try signed(certifies)
            #expect(throws: MarkError.breaks(signatureOf: "Ana Gómez")) {
                try changed(paper) { $0.added = [note] }
            }
            let made = try changed(paper) {
                $0.added = [note]
                $0.breaksSignatures = true
            }
            #expect(try check(made).verdict != .good)
        }
    }

    @Test("nonsense is refused in words, and no paper brings it down")
    func nonsense() throws {
        for json: JSON in [
            [:], ["kind": "text", "page": 1, "x": 1, "y": 1], ["kind": "box", "page": 0],
            ["kind": "box", "page": 1], ["kind": "ink", "page": 1],
            ["kind": "ink", "page": 1, "strokes": [[]]],
            ["kind": "box", "page": 9, "x": 1, "y": 1, "width": 9, "height": 9],
            ["kind": "box", "page": 1, "x": 9999, "y": 1, "width": 9, "height": 9],
            ["kind": "box", "page": 1, "x": 1, "y": 1, "width": -9, "height": 9],
            ["kind": "text", "page": 1, "x": 1, "y": 1, "text": "a", "size": 9000],
            ["kind": "text", "page": 1, "x": 1, "y": 1, "text": "a", "colour": "red"],
            ["kind": "picture", "page": 1, "x": 1, "y": 1, "width": 9, "height": 9, "picture": "AAAA"],
            ["kind": "signature", "page": 1, "x": 1, "y": 1, "width": 9, "height": 9],
        ] {
            #expect(throws: MarkError.self, "\(json.text)") {
                let changes = try MarkChanges(json: ["add": [json]])
                _ = try changed(Self.paper()) { $0 = changes }
            }
        }
        #expect(throws: MarkError.nothing) { try changed(Self.paper()) { _ in } }
        #expect(throws: MarkError.noSuchMark("x")) { try changed(Self.paper()) { $0.removed = ["x"] } }
        let odd = PageMaker.make { maker in
            let loop = maker.draft.newReference()
            maker.draft.put(
                .dictionary([
                    "Subtype": .name("Text"), "IRT": .reference(loop), "NM": .integer(3), "Rect": .text("?"),
                ]), at: loop)
            maker.page(
                "",
                [
                    "Annots": .array([
                        .integer(1), .null, .reference(loop),
                        .dictionary([
                            "Subtype": .name("Highlight"), "QuadPoints": .array([.real(1)]),
                            "C": .array([.real(9), .real(-3), .integer(0)]), "Contents": .text("Here"),
                        ]),
                    ])
                ])
        }
        let marks = try MarkedPaper(odd).marks
        #expect(marks.map(\.text) == ["Here"])
        #expect(try MarkedPaper(changed(odd) { $0.removed = [marks[0].id] }).marks.isEmpty)
    }

    @Test("a highlight on a large paper adds little and is quick to put there")
    func small() throws {
        let made = try changed(Self.paper()) {
            $0.added = [mark(.highlight) { $0.areas = [area(60, 90, 120, 14)] }]
        }
        #expect(made.count - Self.paper().count < 5_000)
    }

    @Test("a picture that lies in many places is written once")
    func pictureOnce() throws {
        func made(_ count: Int) throws -> [UInt8] {
            try changed(Self.paper()) {
                $0.added = (0..<count).map { place in
                    mark(.picture) {
                        $0.areas = [area(10 + Double(place) * 20, 30, 15, 15)]
                        $0.picture = Self.dot
                    }
                }
            }
        }
        func pictures(_ bytes: [UInt8]) throws -> Int {
            let file = try PDFFile(bytes: bytes)
            return (1...file.highestObject).count { number in
                file.dictionary(file.object(PDFReference(number)))?["Subtype"] == .name("Image")
            }
        }
        #expect(try pictures(made(1)) > 0)
        #expect(try pictures(made(5)) == pictures(made(1)))
        #expect(try MarkedPaper(made(5)).marks.count == 5)
    }

    @Test("is said as JSON and understood again")
    func json() throws {
        for mark in all {
            #expect(try Mark(json: mark.json) == mark)
        }
    }
}

extension [UInt8] {
    fileprivate static var random: [UInt8] { (0..<8).map { _ in .random(in: 0...255) } }
}
