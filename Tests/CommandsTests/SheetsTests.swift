import Bytes
import Glibc
import PDF
import PDFReading
import TestSupport
import Testing
import Work

@testable import Commands

/// What is done over the pages of PDF files, looked at by qpdf, poppler and MuPDF.
@Suite struct SheetsTests {
    // MARK: Papers to try it on

    private static func object(_ text: String) -> PDFObject { PDFObject(parsing: Array(text.utf8)) }

    /// Six pages: upright, turned by each angle (one of them cut), lying, and one of another unit; a field, links, a
    /// highlight, bookmarks and a gradient, and everything that is taken out for safety.
    private static let odd: [UInt8] = {
        var draft = PDFDraft()
        var places: [Int: PDFReference] = [:]
        for number in 1...50 { places[number] = draft.newReference() }
        func put(_ number: Int, _ text: String) { draft.put(object(text), at: PDFReference(number)) }
        func stream(_ number: Int, _ entries: String, _ data: String) {
            draft.putStream(
                object("<<\(entries)>>").dictionary ?? [:], Array(data.utf8), at: PDFReference(number))
        }
        put(
            1,
            "<</Type/Catalog/Pages 2 0 R/Outlines 30 0 R/AcroForm<</Fields[20 0 R 21 0 R]/DA(/F 11 Tf 0 g)"
                + "/DR<</Font<</F 3 0 R>>>>/CO[20 0 R]>>/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>"
                + "/AA<</WC<</S/JavaScript/JS(x)>>>>/Names<</JavaScript<</Names[(a)<</S/JavaScript/JS(y)>>]>>"
                + "/EmbeddedFiles<</Names[(notes.txt) 40 0 R]>>>>/Metadata 42 0 R>>")
        put(
            2,
            "<</Type/Pages/Count 6/Kids[4 0 R 5 0 R 6 0 R 7 0 R 8 0 R 9 0 R]/MediaBox[0 0 612 792]"
                + "/Resources<</Font<</F 3 0 R>>/Pattern<</P 10 0 R>>>>>>")
        put(3, "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>")
        let own = [
            "/Annots[20 0 R 22 0 R 23 0 R 24 0 R 41 0 R]", "/Rotate 90/Annots[21 0 R 25 0 R]",
            "/Rotate 180/CropBox[50 50 500 700]", "/Rotate 270", "/MediaBox[0 0 792 612]",
            "/MediaBox[0 0 306 396]/UserUnit 2",
        ]
        for (index, entries) in own.enumerated() {
            let top = [792, 792, 792, 792, 612, 396][index]
            // It leaves the page stretched, as sloppy programs do.
            stream(
                11 + index, "",
                "q /Pattern cs /P scn 100 200 100 50 re f Q BT /F 20 Tf 1 0 0 1 72 \(top - 120) Tm "
                    + "(Sheet\(index + 1)) Tj ET q 2 0 0 2 0 0 cm")
            put(4 + index, "<</Type/Page/Parent 2 0 R/Contents \(11 + index) 0 R\(entries)>>")
        }
        put(
            10,
            "<</Type/Pattern/PatternType 2/Shading<</ShadingType 2/ColorSpace/DeviceRGB/Coords[100 200 200 200]"
                + "/Function<</FunctionType 2/Domain[0 1]/C0[1 0 0]/C1[0 0 1]/N 1>>>>>>")
        put(
            20,
            "<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(Ada)/F 4/Rect[72 500 272 520]/P 4 0 R"
                + "/DA(/F 12 Tf 0 g)/AA<</K<</S/JavaScript/JS(AFNumber)>>>>>>")
        put(
            21,
            "<</Type/Annot/Subtype/Widget/FT/Tx/T(city)/V(Paris)/F 4/Rect[72 500 272 520]/P 5 0 R>>")
        put(
            22,
            "<</Type/Annot/Subtype/Link/Rect[72 600 272 620]/A<</S/URI/URI(https://example.org/out)>>>>")
        put(23, "<</Type/Annot/Subtype/Link/Rect[300 640 400 690]/Dest[6 0 R/XYZ 100 600 0]>>")
        put(
            24,
            "<</Type/Annot/Subtype/Highlight/Rect[72 665 140 690]/QuadPoints[72 690 140 690 72 665 140 665]"
                + "/C[1 1 0]/Contents(look)/F 4/AP<</N 43 0 R>>>>")
        // Around the word of its page.
        put(25, "<</Type/Annot/Subtype/Link/Rect[68 660 145 700]/Border[0 0 3]/Dest[4 0 R/Fit]>>")
        put(30, "<</Type/Outlines/First 31 0 R/Last 32 0 R/Count 2>>")
        put(31, "<</Title(Third)/Parent 30 0 R/Next 32 0 R/Dest[6 0 R/XYZ 100 600 0]>>")
        put(32, "<</Title(Run)/Parent 30 0 R/Prev 31 0 R/A<</S/Launch/F(calc.exe)>>>>")
        put(40, "<</Type/Filespec/F(notes.txt)/UF(notes.txt)/EF<</F 44 0 R>>>>")
        put(
            41,
            "<</Type/Annot/Subtype/FileAttachment/Rect[400 700 420 720]/FS<</Type/Filespec/F(pin.txt)"
                + "/EF<</F 45 0 R>>>>>>")
        stream(
            42, "/Type/Metadata/Subtype/XML",
            "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF><a>HIDDEN0</a></rdf:RDF></x:xmpmeta>")
        stream(43, "/Type/XObject/Subtype/Form/BBox[72 665 140 690]", "1 1 0 rg 72 665 68 25 re f")
        stream(44, "/Type/EmbeddedFile", "HIDDEN1")
        stream(45, "/Type/EmbeddedFile", "HIDDEN2")
        put(50, "<</Title(Trial)/Author(HIDDEN3)>>")
        return draft.bytes(root: PDFReference(1), extra: ["Info": .reference(PDFReference(50))])
    }()

    private func inFolder(_ body: (String) throws -> Void) throws {
        try withScratchFolder { folder in
            try put(Self.odd, "\(folder)/a.pdf")
            try body(folder)
        }
    }

    private func put(_ bytes: [UInt8], _ path: String) throws {
        let file = try #require(fopen(path, "we"))
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }

    // MARK: What others see

    private struct Word {
        var text: String
        /// From the upper left corner of the page as it is seen.
        var left: Double
        var top: Double
        var right: Double
        var bottom: Double
    }

    private struct Page {
        var width: Double
        var height: Double
        var words: [Word]

        func word(_ text: String) -> Word? { words.first { $0.text == text } }
    }

    /// The words of each page and where they stand, as poppler finds them; after qpdf has found nothing wrong.
    private func pages(_ path: String) throws -> [Page] {
        let check = try Child("/usr/bin/qpdf", ["--check", path]).run()
        #expect(check.succeeded, "\(check.outputText)\(check.errorText)")
        let text = try Child("/usr/bin/pdftotext", ["-cropbox", "-bbox", path, "-"]).run().outputText
        func numbers(_ line: Substring) -> [Double] {
            line.split(separator: "\"").enumerated().filter { $0.offset % 2 == 1 }.compactMap {
                Double($0.element)
            }
        }
        // Poppler says the size of a turned page as it was before.
        let isOnItsSide = try PDFFile(path: path).frames.map(\.isOnItsSide)
        var found: [Page] = []
        for line in text.split(separator: "\n") {
            if line.contains("<page ") {
                let size = numbers(line)
                let isTurned = isOnItsSide[found.count]
                found.append(
                    Page(width: size[isTurned ? 1 : 0], height: size[isTurned ? 0 : 1], words: []))
            } else if line.contains("<word ") {
                let place = numbers(line)
                let start = try #require(line.firstIndex(of: ">"))
                let word = line[line.index(after: start)...].prefix { $0 != "<" }
                found[found.count - 1].words.append(
                    Word(
                        text: String(word), left: place[0], top: place[1], right: place[2], bottom: place[3])
                )
            }
        }
        return found
    }

    private func opened(_ path: String) throws -> PDFFile { try PDFFile(path: path) }

    /// The colour of a place of a page in fractions from its upper left corner, as poppler draws it.
    private func colour(_ path: String, page: Int, x: Double, y: Double) throws -> [Int] {
        let drawn = try Child(
            "/usr/bin/pdftoppm", ["-cropbox", "-r", "72", "-f", "\(page)", "-l", "\(page)", path]
        ).run().output
        var at = 2
        var numbers: [Int] = []
        while numbers.count < 3 {
            while drawn[at] <= 32 { at += 1 }
            var number = 0
            while drawn[at] > 32 {
                number = number * 10 + Int(drawn[at] - 48)
                at += 1
            }
            numbers.append(number)
        }
        let dot = Int(y * Double(numbers[1])) * numbers[0] + Int(x * Double(numbers[0]))
        return (0..<3).map { Int(drawn[at + 1 + dot * 3 + $0]) }
    }

    private func done(_ words: [String], _ folder: String, _ place: SourceLocation = #_sourceLocation) -> Said
    {
        let said = quire(words, home: folder)
        #expect(said.code == .done, "\(said)", sourceLocation: place)
        return said
    }

    // MARK: Numbers

    @Test("Numbers stand upright at the lower edge of what is seen of each page, however it is turned or cut")
    func numbers() throws {
        try inFolder { folder in
            _ = done(["number", "a.pdf", "-o", "n.pdf", "--format", "No. {page} of {pages}"], folder)
            let pages = try pages("\(folder)/n.pdf")
            #expect(pages.count == 6)
            for (index, page) in pages.enumerated() {
                let word = try #require(page.word("No."), "page \(index + 1)")
                let last = try #require(page.words.last { $0.text == "6" })
                #expect(page.word("\(index + 1)") != nil)
                // On one line, in the middle, a centimetre from the edge.
                #expect(abs(word.top - last.top) < 1)
                #expect(abs((word.left + last.right) / 2 - page.width / 2) < 2, "\(index + 1): \(word)")
                // Poppler knows no units: what is ten points to a reader is five of the last page's own.
                let unit = index == 5 ? 2.0 : 1
                #expect((26...34).contains((page.height - word.bottom) * unit), "\(index + 1): \(word)")
                #expect((6...16).contains((word.bottom - word.top) * unit))
            }
            // What was there is where it was, and fields, links and bookmarks are as they were.
            let before = try self.pages("\(folder)/a.pdf")
            for (old, new) in zip(before, pages) {
                let sheet = try #require(old.words.first { $0.text.hasPrefix("Sheet") })
                let same = try #require(new.word(sheet.text))
                #expect(abs(sheet.left - same.left) < 0.1 && abs(sheet.top - same.top) < 0.1)
            }
            let fields = quire(["fields", "n.pdf", "--json"], home: folder).output
            #expect(fields.contains("name") && fields.contains("city"), "\(fields)")
        }
    }

    @Test("Numbers of a case go on through all files, and what was given is told")
    func bates() throws {
        try inFolder { folder in
            try put(Self.odd, "\(folder)/b.pdf")
            let said = done(
                ["number", "a.pdf", "b.pdf", "-o", "case/", "--bates", "ABC0099", "--pages", "2-", "--json"],
                folder)
            let files = try JSON(parsing: Array(said.output.utf8))["files"]?.array ?? []
            #expect(files.map { $0["first"]?.string } == ["ABC0099", "ABC0104"])
            #expect(files.map { $0["last"]?.string } == ["ABC0103", "ABC0108"])
            let pages = try pages("\(folder)/case/b.pdf")
            #expect(pages[0].words.contains { $0.text.hasPrefix("ABC") } == false)
            for index in 1..<6 {
                let word = try #require(pages[index].word("ABC0\(103 + index)"), "\(index)")
                #expect(word.left > pages[index].width / 2 && word.top > pages[index].height / 2)
            }
        }
    }

    @Test("The first numbered page has the number that is said, and two-sided print has it on the outside")
    func start() throws {
        try inFolder { folder in
            _ = done(
                [
                    "number", "a.pdf", "-o", "n.pdf", "--start", "1", "--pages", "2-", "--place",
                    "top-right",
                    "--mirrored", "--format", "n{page}/{pages}",
                ], folder)
            let pages = try pages("\(folder)/n.pdf")
            #expect(pages[0].words.contains { $0.text.hasPrefix("n") } == false)
            for index in 1..<6 {
                let word = try #require(pages[index].word("n\(index)/5"), "\(pages[index].words)")
                let isRight = word.left > pages[index].width / 2
                #expect(isRight == (index % 2 == 0) && word.top < 60)
            }
        }
    }

    // MARK: Stamps

    @Test("Words lie across each page in any script, or at their place, with lines above and below")
    func stamps() throws {
        try inFolder { folder in
            _ = done(["stamp", "a.pdf", "-o", "w.pdf", "--text", "DRAFT Ωλ 草稿", "--watermark"], folder)
            let text = try Child("/usr/bin/pdftotext", ["-raw", "\(folder)/w.pdf", "-"]).run().outputText
            #expect(text.split(separator: "\u{C}").count == 6)
            #expect(text.filter { $0 == "λ" }.count == 6 && text.filter { $0 == "稿" }.count == 6, "\(text)")
            _ = done(
                [
                    "stamp", "a.pdf", "-o", "s.pdf", "--text", "COPY", "--place", "bottom-left", "--header",
                    "Left | Mid | p{page}", "--footer", "Foot",
                ], folder)
            for (index, page) in try pages("\(folder)/s.pdf").enumerated() {
                let copy = try #require(page.word("COPY"))
                #expect(copy.left < 40 && copy.bottom > page.height - 40)
                let (left, middle) = (try #require(page.word("Left")), try #require(page.word("Mid")))
                let right = try #require(page.word("p\(index + 1)"))
                #expect(left.right < middle.left && middle.right < right.left && right.bottom < 60)
                let foot = try #require(page.word("Foot"))
                #expect(abs((foot.left + foot.right) / 2 - page.width / 2) < 2)
                #expect(foot.top > page.height - 60)
            }
        }
    }

    @Test("A picture covers what is there, or lies below it")
    func pictures() throws {
        try inFolder { folder in
            // A blue dot.
            let png = try #require(
                Base64.decode(
                    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNgYPgPAAEDAQAIicLsAAAAAElFTkSuQmCC"
                ))
            try put(png, "\(folder)/dot.png")
            let words = ["stamp", "a.pdf", "--picture", "dot.png", "--place", "middle", "--width", "600pt"]
            _ = done(words + ["-o", "over.pdf"], folder)
            _ = done(words + ["-o", "under.pdf", "--under"], folder)
            // In the middle of the gradient, and beside it.
            let (x, y) = (102.0 / 612, 1 - 225.0 / 792)
            #expect(try colour("\(folder)/over.pdf", page: 1, x: x, y: y) == [0, 0, 255])
            let below = try colour("\(folder)/under.pdf", page: 1, x: x, y: y)
            #expect(below[0] > 200, "\(below)")
            #expect(try colour("\(folder)/under.pdf", page: 1, x: 0.5, y: 0.5) == [0, 0, 255])
        }
    }

    // MARK: Sheets

    @Test("Several pages stand on a side in their order, with what fields and notes show")
    func nup() throws {
        try inFolder { folder in
            let said = done(["nup", "a.pdf", "-o", "n.pdf", "--count", "6", "--paper", "a4"], folder)
            #expect(said.error.contains("fields and notes are drawn"), "\(said)")
            let pages = try pages("\(folder)/n.pdf")
            #expect(
                pages.count == 1 && pages[0].width > pages[0].height && abs(pages[0].width - 841.89) < 0.1)
            let words = try (1...6).map { try #require(pages[0].word("Sheet\($0)")) }
            func cell(_ word: Word) -> Int {
                let column = Int((word.left + word.right) / 2 / (pages[0].width / 3))
                return column + 3 * Int((word.top + word.bottom) / 2 / (pages[0].height / 2))
            }
            #expect(words.map(cell) == [0, 1, 2, 3, 4, 5])
            #expect(pages[0].word("Ada") != nil && pages[0].word("Paris") != nil)
            _ = done(
                ["nup", "a.pdf", "-o", "d.pdf", "--count", "6", "--paper", "a4", "--order", "down"], folder)
            let down = try self.pages("\(folder)/d.pdf")
            #expect(try (1...6).map { cell(try #require(down[0].word("Sheet\($0)"))) } == [0, 3, 1, 4, 2, 5])
            _ = done(["nup", "a.pdf", "-o", "r.pdf", "--right-to-left", "--border"], folder)
            let two = try self.pages("\(folder)/r.pdf")
            #expect(two.count == 3 && two.allSatisfy { $0.width > $0.height })
            let (first, second) = (try #require(two[0].word("Sheet1")), try #require(two[0].word("Sheet2")))
            #expect(first.left > two[0].width / 2 && second.right < two[0].width / 2)
        }
    }

    @Test(
        "Links lie where their words are seen on a sheet, and lead, as bookmarks do, to the sheet of their page"
    )
    func leading() throws {
        try inFolder { folder in
            func links(_ name: String) throws -> [[(box: PDFRectangle, page: Int?, address: String?)]] {
                let file = try PDFFile(path: "\(folder)/\(name)")
                var destinations = Destinations(file)
                return file.pages.map { page in
                    file.array(file.dictionary(.reference(page))?["Annots"]).compactMap { object in
                        guard let link = file.dictionary(object),
                            let box = PDFRectangle(file.numbers(link["Rect"]))
                        else { return nil }
                        let address = file.resolve(file.dictionary(link["A"])?["URI"]).text
                        return (box, destinations.page(of: link), address)
                    }
                }
            }
            func outline(_ name: String) throws -> String {
                try Child("/usr/bin/mutool", ["show", "\(folder)/\(name)", "outline"]).run().outputText
            }
            _ = done(["nup", "a.pdf", "-o", "n.pdf", "--count", "2", "--paper", "a4"], folder)
            let (made, pages) = (try links("n.pdf"), try pages("\(folder)/n.pdf"))
            #expect(made.map(\.count) == [3, 0, 0])
            let (out, third, back) = (made[0][0], made[0][1], made[0][2])
            #expect(out.address == "https://example.org/out" && third.page == 1 && back.page == 0)
            let (first, second) = (
                try #require(pages[0].word("Sheet1")), try #require(pages[0].word("Sheet2"))
            )
            // Half as large as on the page, below the word that it was below of.
            #expect(abs(out.box.left - first.left) < 0.5 && out.box.width < 200 && out.box.width > 100)
            #expect(pages[0].height - out.box.top > first.bottom)
            // Around the word of a page that is turned.
            #expect(back.box.left < second.left && back.box.right > second.right, "\(back.box) \(second)")
            #expect(
                pages[0].height - back.box.top < second.top
                    && pages[0].height - back.box.bottom > second.bottom,
                "\(back.box) \(second)")
            let shown = try outline("n.pdf")
            #expect(shown.contains("Third") && shown.contains("#page=2"), "\(shown)")
            #expect(!shown.contains("Run"), "\(shown)")
            // Who leaves the page out leaves out what leads there.
            _ = done(["booklet", "a.pdf", "-o", "b.pdf", "--pages", "1-2"], folder)
            #expect(try links("b.pdf").flatMap(\.self).count == 2)
            #expect(try !outline("b.pdf").contains("Third"))
            // Of a poster only that sheet has a link on which it is seen.
            _ = done(["poster", "a.pdf", "-o", "p.pdf", "--pages", "1", "--paper", "letter"], folder)
            #expect(try links("p.pdf").map(\.count) == [1, 0, 0, 0])
        }
    }

    @Test("A poster has each page on several sheets, of which a part is on two, and nothing in the margins")
    func poster() throws {
        try inFolder { folder in
            _ = done(
                [
                    "poster", "a.pdf", "-o", "p.pdf", "--pages", "1", "--paper", "letter", "--marks",
                    "--overlap", "20mm",
                ],
                folder)
            let pages = try pages("\(folder)/p.pdf")
            #expect(pages.count == 4 && pages.allSatisfy { $0.width == 612 && $0.height == 792 })
            // The word at the upper left of the page, almost twice as large, is on the first sheet alone.
            let word = try #require(pages[0].word("Sheet1"))
            #expect((28...40).contains(word.bottom - word.top), "\(word)")
            // The gradient is red on the left and blue on the right of a band, which lies on the third sheet.
            let band = try colour("\(folder)/p.pdf", page: 3, x: 0.45, y: 0.44)
            #expect(band[0] + band[2] > 200 && band[1] < 40, "\(band)")
            // White in the margin, also where the page would go on.
            for page in 1...4 {
                #expect(try colour("\(folder)/p.pdf", page: page, x: 0.02, y: 0.5) == [255, 255, 255])
            }
            let said = quire(["poster", "a.pdf", "-o", "x.pdf", "--sheets", "1x1"], home: folder)
            #expect(said.code == .usage && said.error.contains("as in 2x3"), "\(said)")
            let thick = quire(
                ["poster", "a.pdf", "-o", "x.pdf", "--paper", "a5", "--margin", "200mm"], home: folder)
            #expect(thick.code == .invalid && thick.error.contains("nothing of a sheet"), "\(thick)")
        }
    }

    @Test("A letterhead lies below the pages, its last page below all that are left; or a color does")
    func background() throws {
        try inFolder { folder in
            _ = done(
                ["stamp", "a.pdf", "-o", "head.pdf", "--text", "HEAD{page}", "--place", "top-left"], folder)
            _ = done(["pages", "head.pdf", "two.pdf", "--keep", "1-2"], folder)
            _ = done(["background", "a.pdf", "-o", "b.pdf", "--with", "two.pdf"], folder)
            let pages = try pages("\(folder)/b.pdf")
            #expect(pages.count == 6 && pages[0].word("HEAD1") != nil)
            for page in pages.dropFirst() { #expect(page.word("HEAD2") != nil, "\(page.words)") }
            for (index, page) in pages.enumerated() { #expect(page.word("Sheet\(index + 1)") != nil) }
            // Fields and bookmarks are as they were.
            #expect(quire(["fields", "b.pdf", "--json"], home: folder).output.contains("city"))
            _ = done(["background", "a.pdf", "-o", "c.pdf", "--colour", "#fdf6e3", "--pages", "1-3"], folder)
            #expect(try colour("\(folder)/c.pdf", page: 2, x: 0.9, y: 0.3) == [253, 246, 227])
            #expect(try colour("\(folder)/c.pdf", page: 3, x: 0.1, y: 0.3) == [253, 246, 227])
            #expect(try colour("\(folder)/c.pdf", page: 4, x: 0.9, y: 0.3) == [255, 255, 255])
            #expect(quire(["background", "a.pdf", "-o", "x.pdf"], home: folder).code == .usage)
        }
    }

    @Test("A booklet has its pages in the order of folded sheets, filled up to four, from either side")
    func booklet() throws {
        try inFolder { folder in
            let said = done(["booklet", "a.pdf", "-o", "b.pdf", "--paper", "a4", "--json"], folder)
            #expect(said.output.contains("\"sheets\":2"), "\(said)")
            func sides(_ name: String) throws -> [[Int?]] {
                try pages("\(folder)/\(name)").map { page in
                    #expect(abs(page.width - 841.89) < 0.1 && abs(page.height - 595.28) < 0.1)
                    return [0.0, 0.5].map { half in
                        page.words.first {
                            $0.text.hasPrefix("Sheet") && ($0.left > page.width / 2) == (half > 0)
                        }.flatMap { Int($0.text.dropFirst(5)) }
                    }
                }
            }
            let left = try sides("b.pdf")
            #expect(left == [[nil, 1], [2, nil], [6, 3], [4, 5]])
            _ = done(["booklet", "a.pdf", "-o", "r.pdf", "--paper", "a4", "--right-to-left"], folder)
            let right = try sides("r.pdf")
            #expect(right == [[1, nil], [nil, 2], [3, 6], [5, 4]])
        }
    }

    @Test("Pages on another paper take their fields, links, bookmarks and gradients along")
    func resize() throws {
        try inFolder { folder in
            _ = done(["resize", "a.pdf", "-o", "r.pdf", "--paper", "a5"], folder)
            let pages = try pages("\(folder)/r.pdf")
            for (index, page) in pages.enumerated() {
                let isLying = [1, 3, 4].contains(index)
                #expect(abs(page.width - (isLying ? 595.28 : 419.53)) < 0.1, "\(index + 1)")
                #expect(abs(page.height - (isLying ? 419.53 : 595.28)) < 0.1)
                #expect(page.word("Sheet\(index + 1)") != nil)
            }
            // 612 points fit into 419.53; what is left is white above and below.
            let scale = 419.53 / 612
            let spare = (595.276 - 792 * scale) / 2
            let word = try #require(pages[0].word("Sheet1"))
            #expect(abs(word.left - 72 * scale) < 1, "\(word)")
            // The gradient begins where it did.
            let y = 1 - (225 * scale + spare) / 595.276
            let red = try colour("\(folder)/r.pdf", page: 1, x: 104.0 / 612, y: y)
            let blue = try colour("\(folder)/r.pdf", page: 1, x: 196.0 / 612, y: y)
            #expect(red[0] > 230 && red[2] < 30 && blue[2] > 230 && blue[0] < 30, "\(red) \(blue)")
            let file = try opened("\(folder)/r.pdf")
            let marks = file.array(file.dictionary(.reference(file.pages[0]))?["Annots"])
            #expect(marks.count == 5)
            let field = try #require(file.dictionary(marks[0]))
            let rect = file.numbers(field["Rect"])
            #expect(abs(rect[0] - 72 * scale) < 0.1 && abs(rect[1] - (500 * scale + spare)) < 0.1, "\(rect)")
            #expect(file.resolve(field["V"]).text == "Ada")
            #expect(file.resolve(field["DA"]).text == "/F 8.23 Tf 0 g")
            let quads = file.numbers(file.dictionary(marks[3])?["QuadPoints"])
            #expect(quads.count == 8 && abs(quads[0] - 72 * scale) < 0.1)
            // The third page is seen 450 points wide and 650 high.
            let third = 595.276 / 650
            let first = file.dictionary(file.dictionary(file.catalog["Outlines"])?["First"])
            let led = file.numbers(.array(Array(file.array(first?["Dest"]).dropFirst(2))))
            #expect(abs(led[0] - 50 * third - (419.53 - 450 * third) / 2) < 0.2, "\(led)")
            let link = file.array(file.dictionary(marks[2])?["Dest"])
            #expect(abs((link[2].number ?? 0) - led[0]) < 0.01)
            // The last page's unit is gone, and its words are as large as they were.
            #expect(file.dictionary(.reference(file.pages[5]))?["UserUnit"] == nil)
            // The value is filled in again as small as it is shown.
            #expect(quire(["fields", "r.pdf"], home: folder).code == .done)
        }
    }

    @Test("Edges are hidden as they are seen, and it is said that they are not gone")
    func crop() throws {
        try inFolder { folder in
            let said = done(["crop", "a.pdf", "-o", "c.pdf", "--top", "36pt", "--left", "18pt"], folder)
            #expect(said.error.contains("hidden, not gone"), "\(said)")
            let (before, after) = (try pages("\(folder)/a.pdf"), try pages("\(folder)/c.pdf"))
            for index in 0..<6 {
                let unit = index == 5 ? 2.0 : 1
                #expect(abs(before[index].width - after[index].width - 18 / unit) < 0.1)
                #expect(abs(before[index].height - after[index].height - 36 / unit) < 0.1)
                let name = "Sheet\(index + 1)"
                let (old, new) = (
                    try #require(before[index].word(name)), try #require(after[index].word(name))
                )
                #expect(
                    abs(old.left - new.left - 18 / unit) < 0.5 && abs(old.top - new.top - 36 / unit) < 0.5)
            }
            _ = done(["crop", "a.pdf", "-o", "auto.pdf", "--auto", "--margin", "10pt"], folder)
            let auto = try pages("\(folder)/auto.pdf")
            // From the note that is drawn highest to the gradient that is drawn lowest.
            #expect(auto[4].width < 300 && auto[4].height < 400, "\(auto[4])")
            let word = try #require(auto[4].word("Sheet5"))
            #expect((8...16).contains(word.left), "\(word)")
        }
    }

    @Test(
        "What a file would lose in bytes is said first, and one that would not become smaller is not written")
    func compress() throws {
        try inFolder { folder in
            try put(SamplePaper.scan(["A letter"]), "\(folder)/scan.pdf")
            let dry = done(["compress", "scan.pdf", "--dry-run", "--json"], folder)
            let file = try JSON(parsing: Array(dry.output.utf8))["files"]?.array?.first
            let before = try #require(file?["byteCount"]?.int)
            let ways = file?["ways"]?.array ?? []
            #expect(ways.map { $0["way"] } == ["careful", "balanced", "strong"], "\(dry.output)")
            #expect(ways.allSatisfy { ($0["byteCount"]?.int ?? before) < before })
            #expect(
                quire(["compress", "scan.pdf", "--dry-run"], home: folder).output.contains(
                    "Nothing was written."))
            let said = done(["compress", "scan.pdf", "-o", "small.pdf", "--way", "careful"], folder)
            #expect(said.output.contains("instead of"), "\(said)")
            #expect(try contents(of: "\(folder)/small.pdf").count == ways[0]["byteCount"]?.int)
            let again = done(["compress", "small.pdf", "-o", "none.pdf", "--way", "careful"], folder)
            #expect(again.output.contains("would not become smaller"), "\(again)")
            #expect(!Files.exists("\(folder)/none.pdf"))
            #expect(
                quire(["compress", "scan.pdf", "-o", "x.pdf", "--way", "hard"], home: folder).code == .usage)
            for wrong in [
                ["--target", "2"], ["--target", "big"], ["--dpi", "5"], ["--dpi", "150", "--target", "2MB"],
            ] {
                #expect(quire(["compress", "scan.pdf", "-o", "x.pdf"] + wrong, home: folder).code == .usage)
            }
        }
    }

    // MARK: Taking out

    @Test(
        "Scripts, programs, files, links out and metadata are told and really gone; fields and inner links stay"
    )
    func sanitise() throws {
        try inFolder { folder in
            let dry = done(["sanitise", "a.pdf", "--dry-run", "--json"], folder)
            let found =
                try JSON(parsing: Array(dry.output.utf8))["files"]?.array?.first?["found"]?.array ?? []
            let counts = found.map { "\($0["kind"]?.string ?? "") \($0["count"]?.int ?? 0)" }
            #expect(counts == ["scripts 4", "launch 1", "files 2", "links 1", "metadata 3"], "\(dry.output)")
            let said = done(["sanitise", "a.pdf", "-o", "c.pdf"], folder)
            #expect(said.output.contains("2 files carried inside (notes.txt, pin.txt)"), "\(said)")
            let bare = try Child(
                "/usr/bin/qpdf", ["--qdf", "--object-streams=disable", "\(folder)/c.pdf", "-"]
            ).run().outputText
            for word in [
                "JavaScript", "Launch", "EmbeddedFile", "HIDDEN", "example.org", "Trial", "/AA", "XMP",
            ] {
                #expect(!bare.contains(word), "\(word)")
            }
            #expect(
                quire(["sanitise", "c.pdf", "--dry-run"], home: folder).output.contains("nothing of the kind")
            )
            let file = try opened("\(folder)/c.pdf")
            #expect(file.array(file.dictionary(.reference(file.pages[0]))?["Annots"]).count == 3)
            #expect(try pages("\(folder)/c.pdf")[0].word("Sheet1") != nil)
            #expect(quire(["fields", "c.pdf", "--json"], home: folder).output.contains("Ada"))
            _ = done(["sanitise", "a.pdf", "-o", "k.pdf", "--keep", "links,metadata"], folder)
            let kept = try Child(
                "/usr/bin/qpdf", ["--qdf", "--object-streams=disable", "\(folder)/k.pdf", "-"]
            ).run().outputText
            #expect(kept.contains("example.org") && kept.contains("Trial") && !kept.contains("JavaScript"))
        }
    }

    // MARK: What is refused

    @Test("What cannot be done is said, and nothing is written")
    func refusals() throws {
        try inFolder { folder in
            try put(Array("no paper".utf8), "\(folder)/no.pdf")
            _ = quire(["encrypt", "a.pdf", "locked.pdf", "--user-password", "sesame"], home: folder)
            for (words, code, said) in [
                (["number", "a.pdf"], ExitCode.usage, "--out"),
                (["number", "a.pdf", "-o", "x.pdf", "--format", "Page"], .usage, "number"),
                (["number", "a.pdf", "-o", "x.pdf", "--bates", "ABC"], .usage, "ABC0001"),
                (["number", "a.pdf", "-o", "x.pdf", "--place", "above"], .usage, "bottom-right"),
                (["number", "a.pdf", "-o", "x.pdf", "--pages", "9"], .invalid, "no page 9"),
                (["stamp", "a.pdf", "-o", "x.pdf"], .usage, "say the words"),
                (["stamp", "a.pdf", "-o", "x.pdf", "--text", "x", "--colour", "red"], .usage, "#c62828"),
                (["stamp", "a.pdf", "-o", "x.pdf", "--picture", "no.pdf"], .invalid, "PNG and JPEG"),
                (["nup", "a.pdf", "-o", "x.pdf", "--count", "5"], .usage, "2, 4, 6, 8, 9, 16"),
                (["resize", "a.pdf", "-o", "x.pdf"], .usage, "210mmx297mm"),
                (["resize", "a.pdf", "-o", "x.pdf", "--paper", "1e999x1mm"], .usage, "size of paper"),
                (["crop", "a.pdf", "-o", "x.pdf"], .usage, "10mm"),
                (["crop", "a.pdf", "-o", "x.pdf", "--by", "200mm"], .invalid, "Nothing would be left"),
                (["sanitise", "a.pdf", "-o", "x.pdf", "--keep", "bugs"], .usage, "scripts"),
                (["sanitise", "no.pdf", "-o", "x.pdf"], .damaged, ""),
                (["booklet", "locked.pdf", "-o", "x.pdf"], .denied, "--password"),
                (["number", "a.pdf", "-o", "a.pdf"], .conflict, "--force"),
            ] {
                let answer = quire(words, home: folder)
                #expect(answer.code == code && answer.error.contains(said), "\(words): \(answer)")
            }
            #expect(!Files.exists("\(folder)/x.pdf"))
            #expect(try contents(of: "\(folder)/a.pdf") == Self.odd)
            _ = done(["booklet", "locked.pdf", "-o", "x.pdf", "--password", "sesame"], folder)
        }
    }

    @Test("Signatures that would not hold are told first, and left out when that is wished")
    func signed() throws {
        try inFolder { folder in
            // A signature as files say it of themselves.
            let file = try PDFFile(bytes: Self.odd)
            var form = try #require(file.form)
            form["Fields"] = .array(file.array(form["Fields"]) + [.reference(PDFReference(60))])
            form["SigFlags"] = .integer(3)
            var catalog = file.catalog
            catalog["AcroForm"] = .dictionary(form)
            let ending = try #require(PDFEnding(of: Self.odd))
            var revision = PDFRevision(
                behind: Self.odd.count, ending: ending, trailer: file.trailer, firstFree: 70)
            revision.put(.dictionary(catalog), at: PDFReference(1))
            revision.put(
                Self.object(
                    "<</FT/Sig/T(sig)/V<</Type/Sig/Name(Ana Gomez)/Filter/Adobe.PPKLite/Contents<00>>>>>"),
                at: PDFReference(60))
            try put(Self.odd + revision.finish(identity: [1]), "\(folder)/s.pdf")
            for words in [
                ["number"], ["stamp", "--text", "x"], ["nup"], ["booklet"], ["resize", "--paper", "a4"],
                ["crop", "--by", "1mm"], ["sanitise"], ["compress"],
            ] {
                let call = words + ["s.pdf", "-o", "\(words[0]).pdf"]
                let refused = quire(call, home: folder)
                #expect(
                    refused.code == .conflict && refused.error.contains("The signature of Ana Gomez"),
                    "\(refused)")
                #expect(!Files.exists("\(folder)/\(words[0]).pdf"))
                let said = done(call + ["--break-signatures"], folder)
                #expect(said.error.contains("they were left out"), "\(said)")
                #expect(try opened("\(folder)/\(words[0]).pdf").signatures.isEmpty)
            }
        }
    }

    // MARK: Real papers

    @Test(
        "Real forms and papers come through with their pages, words and fields",
        .enabled(if: CorpusFiles.has("form"), "there is no corpus beside the checkout"))
    func corpus() throws {
        let root = try #require(CorpusFiles.root)
        let names =
            try Files.below(root + "/form", depth: 1).sorted() + Files.below(root + "/pdf", depth: 1).sorted()
        var tried = 0
        for path in names where path.hasSuffix(".pdf") {
            guard let before = try? PDFFile(path: path), before.encryption == nil, !before.pages.isEmpty,
                before.pages.count <= 12, before.signatures.isEmpty, before.repairs.isEmpty,
                before.frames.allSatisfy({ min($0.width, $0.height) > 100 })
            else { continue }
            tried += 1
            let count = before.pages.count
            try withScratchFolder { folder in
                let fields = before.array(before.form?["Fields"]).count
                for (words, sides) in [
                    (["number", "--bates", "Q001"], count), (["resize", "--paper", "a4"], count),
                    (["crop", "--by", "1mm"], count), (["sanitise"], count),
                    (["booklet"], (count + 3) / 4 * 2),
                ] {
                    let result = "\(folder)/\(words[0]).pdf"
                    let said = quire(words + [path, "-o", result], home: folder)
                    // Every command over whole files refuses what brings its reader down.
                    let isRefused = said.code == .damaged && said.error.contains("too badly damaged")
                    #expect(said.code == .done || isRefused, "\(said)")
                    guard said.code == .done else { continue }
                    let check = try Child("/usr/bin/qpdf", ["--check", result]).run()
                    #expect(
                        check.succeeded || String(check.errorText + check.outputText).contains("WARNING"),
                        "\(path) \(words): \(check.outputText)\(check.errorText)")
                    let made = try PDFFile(path: result)
                    #expect(made.pages.count == sides, "\(path) \(words)")
                    if words[0] != "booklet" {
                        #expect(made.array(made.form?["Fields"]).count == fields, "\(path) \(words)")
                    }
                }
                guard Files.exists("\(folder)/number.pdf") else { return }
                let numbered = try Child("/usr/bin/pdftotext", ["\(folder)/number.pdf", "-"]).run().outputText
                #expect(numbered.contains("Q001"), "\(path)")
            }
        }
        #expect(tried > 10)
    }
}
