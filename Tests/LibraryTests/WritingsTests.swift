import Access
import Archives
import Jobs
import Library
import PDFReading
import Storage
import TestSupport
import Testing
import Work

@Suite("Finding what was written in office programs")
struct WritingsTests {
    @Test("A letter is found by its text, its notes and its comments, and not by what was deleted from it")
    func letter() throws {
        let letter = try package([
            (
                "word/document.xml",
                """
                <w:document><w:body><w:p><w:r><w:t>Dear Ma</w:t></w:r><w:r><w:t>dame Lefèvre &amp; co,</w:t></w:r></w:p>
                <w:p><w:del><w:r><w:delText>rhubarb</w:delText></w:r></w:del><w:r><w:instrText>PAGEREF quince</w:instrText>
                <w:t xml:space="preserve">your pear</w:t><w:tab/><w:t>tree</w:t></w:r></w:p></w:body></w:document>
                """
            ),
            (
                "word/footnotes.xml",
                "<w:footnotes><w:footnote><w:p><w:r><w:t>medlar</w:t></w:r></w:p></w:footnote></w:footnotes>"
            ),
            ("word/styles.xml", "<w:styles><w:t>gooseberry</w:t></w:styles>"),
        ])
        try expect(
            letter, "letter.docx", isFoundBy: ["\"dear madame lefevre\"", "pear tree", "medlar", "\"& co\""],
            notBy: ["rhubarb", "quince", "gooseberry"])
        try withPaper(letter, "letter.docx") { documents in
            let find = try #require(try documents.find("pear", by: viewer).finds.first)
            #expect(find.snippet?.text.contains("your pear tree") == true)
        }
    }

    @Test("A table is found by the words and numbers in its cells")
    func table() throws {
        let table = try package([
            (
                "xl/sharedStrings.xml",
                "<sst><si><t>Rent</t></si><si><r><t>Gar</t></r><r><t>age</t></r><rPh><t>kana</t></rPh></si></sst>"
            ),
            (
                "xl/worksheets/sheet1.xml",
                """
                <worksheet><sheetData><row><c r="A1" t="s"><v>77</v></c><c r="B1"><v>1250.5</v></c>
                <c r="C1" t="inlineStr"><is><t>March</t></is></c><c r="D1"><f>SUM(B1:B9)</f><v>4711</v></c></row></sheetData></worksheet>
                """
            ),
        ])
        try expect(
            table, "costs.xlsx", isFoundBy: ["rent", "garage", "1250.5", "march", "4711"],
            notBy: ["77", "sum", "kana"])
    }

    @Test(
        "Days in a table are found as they are shown there, and rows hold together, under the name of their sheet"
    )
    func days() throws {
        let table = try package([
            (
                "xl/workbook.xml",
                "<workbook><sheets><sheet name=\"Arrears\" sheetId=\"1\" r:id=\"r1\"/></sheets></workbook>"
            ),
            (
                "xl/_rels/workbook.xml.rels",
                """
                <Relationships><Relationship Id="r1" Type="x/worksheet" Target="worksheets/sheet1.xml"/><Relationship \
                Id="r2" Type="x/styles" Target="styles.xml"/><Relationship Id="r3" Type="x/sharedStrings" \
                Target="sharedStrings.xml"/></Relationships>
                """
            ),
            (
                "_rels/.rels",
                "<Relationships><Relationship Id=\"r0\" Type=\"x/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"
            ),
            (
                "xl/styles.xml",
                "<styleSheet><cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/></cellXfs></styleSheet>"
            ),
            ("xl/sharedStrings.xml", "<sst><si><t>Rent</t></si><si><t>Garage</t></si></sst>"),
            (
                "xl/worksheets/sheet1.xml",
                """
                <worksheet><sheetData><row r="1"><c r="A1" t="s"><v>1</v></c><c r="B1"><v>12</v></c></row>
                <row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2" s="1"><v>44197</v></c></row></sheetData></worksheet>
                """
            ),
        ])
        try expect(
            table, "costs.xlsx", isFoundBy: ["\"garage 12 rent\"", "rent 2021", "arrears"], notBy: ["44197"])
    }

    @Test("Slides come in their order, and with what is said to them")
    func slides() throws {
        let slide = { (text: String) in "<p:sld><a:p><a:r><a:t>\(text)</a:t></a:r></a:p></p:sld>" }
        let slides = try package([
            ("ppt/slides/slide10.xml", slide("finally")), ("ppt/slides/slide2.xml", slide("secondly")),
            ("ppt/slides/slide1.xml", slide("firstly")),
            ("ppt/notesSlides/notesSlide1.xml", slide("breathe")),
        ])
        try expect(slides, "talk.pptx", isFoundBy: ["\"firstly secondly finally breathe\""])
    }

    @Test("Files of LibreOffice and books are found by what they say")
    func openDocumentAndBook() throws {
        let letter = try package(
            [
                (
                    "content.xml",
                    """
                    <office:document-content><office:body><text:tracked-changes><text:p>rhubarb</text:p></text:tracked-changes>
                    <text:p>An <text:span>un</text:span>usual<text:s/>offer</text:p></office:body></office:document-content>
                    """
                )
            ], kind: "application/vnd.oasis.opendocument.text")
        try expect(letter, "offer.odt", isFoundBy: ["\"an unusual offer\""], notBy: ["rhubarb"])
        let book = try package(
            [
                (
                    "OPS/chapter1.xhtml",
                    "<html><style>p { color: teal }</style><body><p>Call me <i>Ish</i>mael.</p></body></html>"
                ),
                ("OPS/chapter2.xhtml", "<html><body><p>The Carpet&#45;Bag &Uuml;ber</p></body></html>"),
            ], kind: "application/epub+zip")
        try expect(
            book, "whale.epub", isFoundBy: ["\"call me ishmael\"", "\"carpet bag uber\""], notBy: ["teal"])
    }

    @Test("Rich text is found by its words, in its code page and in Unicode")
    func richText() throws {
        let text = #"""
            {\rtf1\ansi\ansicpg1250\deff0{\fonttbl{\f0 Gooseberry;}}{\*\generator Rhubarb;}{\info{\title Quince}}
            \pard Pan \'8aail Nov\'e1k\par {\b bo}ld \u26481?\u20140?\uc2\u233 xxs{\pict\bin6 {{{{{{ff}\cell ende\u-10179?\u-8704?}
            """#
        try expect(
            Array(text.utf8), "letter.rtf", isFoundBy: ["\"pan sail novak\"", "bold", "東京", "éS", "ende"],
            notBy: ["gooseberry", "rhubarb", "quince"])
    }

    @Test("Rich text has letters of its fonts, each in its own code page")
    func fontsOfRichText() throws {
        let text = #"""
            {\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fcharset0 Arial;}{\f1\fnil\fcharset128 Gothic;}{\f2\fcharset204 Cyr;}}
            \f1\'93\'8c\'8b\'9e {\f2\'cc\'ee\'f1\'ea\'e2\'e0} \'91\'e5\f0  caf\'e9}
            """#
        try expect(
            Array(text.utf8), "letter.rtf", isFoundBy: ["東京", "москва", "大", "café"], notBy: ["gothic"])
    }

    @Test("A page of the web is found in whatever letters it says it is written")
    func lettersOfPages() throws {
        let start = Array("<html><meta charset=shift_jis><p>".utf8)
        try expect(start + [0x93, 0x8C, 0x8B, 0x9E], "a.html", isFoundBy: ["東京"], notBy: [])
        let old = Array("<html><head><META content='text/html; CHARSET = windows-1251'><p>".utf8)
        try expect(old + [0xCC, 0xEE, 0xF1, 0xEA, 0xE2, 0xE0], "b.html", isFoundBy: ["москва"], notBy: [])
        try expect(Array("<html><p>est".utf8) + [0xE1], "c.html", isFoundBy: ["está"], notBy: [])
    }

    @Test("A page of the web is found by what it shows: letters written as words, and words with tags within")
    func page() throws {
        let page =
            "<!doctype html><p>Gr&uuml;&szlig;e aus K&#246;ln, <b>un</b>glaublich<br>fern</p><!-- quince --><script>if (a<b) rhubarb()</script> 3 < 4"
        try expect(
            Array(page.utf8), "page.html", isFoundBy: ["grüße", "\"köln unglaublich fern\"", "\"3 4\""],
            notBy: ["quince", "rhubarb"])
    }

    @Test(
        "What is locked, damaged or a bomb is kept, and why its words are not read is said",
        arguments: [
            ("locked", "It is locked with a password, so its words are not read."),
            ("damaged", "It is damaged: it cannot be unpacked, so its words are not read."),
            ("bomb", "It would unpack to far more than it should, so its words are not read."),
        ])
    func refused(what: String, reason: String) throws {
        // Packed, as only then it is much smaller than what it claims to be.
        var bytes = try package(
            [("word/document.xml", what == "locked" ? "\u{1}\u{2}\u{0}garbled<" : "<w:t>secret</w:t>")]
                + (what == "bomb" ? [("word/footnotes.xml", String(repeating: " ", count: 40 << 20))] : []),
            level: what == "bomb" ? 6 : 0)
        if what == "damaged" {
            // The checksum that the list at the end gives.
            let name = try #require(bytes.ranges(of: Array("word/document.xml".utf8)).last)
            bytes[name.lowerBound - 30] ^= 0xFF
        }
        try withPaper(bytes, "paper.docx") { documents in
            let paper = try #require(try documents.list(by: ada).documents.first)
            #expect(try documents.wordState(of: paper.id, by: viewer) == .none(reason: reason))
            #expect(try documents.found("paper") == ["paper.docx"])
        }
    }

    @Test(
        "Old office files are read from the pages an engine sets them on, after all others, and locked ones say so"
    )
    func oldFiles() throws {
        try withLibrary { documents, _, store in
            let previews = PagePreviews(in: store.home.previews, clock: store.clock) {
                PageReader(jail: .detect())
            }
            let order = Told()
            let copies = ReadingCopies(store, previews: previews) { document, _ in
                order.note(document.name)
                if document.name == "locked.doc" { throw Failure(.unsupported, "It is locked.") }
                return Array(SamplePaper.pages(["the first page", "an old letter"]).utf8)
            }
            defer { copies.stop() }
            _ = try documents.add(.bytes(Self.old), named: "lease.doc", by: ada)
            let locked = try documents.add(.bytes(Self.old + [1]), named: "locked.doc", by: ada).document
            for number in 0..<69 { _ = try documents.addText("\(number).txt") }
            let reading = PaperReading(documents, copies: copies) { PageReader(jail: .detect()) }
            let left = Monitor<[Int]>([])
            try reading.catchUp(then: {
                let count = try reading.pendingCount()
                left.update { $0.append(count) }
            })
            #expect(left.read { $0 } == [7, 2, 1, 0])
            #expect(order.acts == ["locked.doc", "lease.doc"])
            let found = try #require(try documents.find("\"old letter\"", by: viewer).finds.first)
            #expect(found.document.name == "lease.doc" && found.page == 2 && found.document.pageCount == 2)
            #expect(try documents.wordState(of: locked.id, by: viewer) == .none(reason: "It is locked."))
        }
    }

    @Test("Where an engine is missing it is said, and tried again when Quire begins the next time")
    func missingEngine() throws {
        try withLibrary { documents, _, store in
            let previews = PagePreviews(in: store.home.previews, clock: store.clock) {
                PageReader(jail: .detect())
            }
            let reason = "LibreOffice is needed and not installed."
            let copies = ReadingCopies(store, previews: previews) { _, _ in
                throw Failure(.unavailable, reason)
            }
            defer { copies.stop() }
            let paper = try documents.add(.bytes(Self.old), named: "lease.doc", by: ada).document
            let reading = PaperReading(documents, copies: copies) { PageReader(jail: .detect()) }
            #expect(try reading.catchUp() == 1)
            #expect(try documents.wordState(of: paper.id, by: viewer) == .none(reason: reason))
            #expect(try reading.pendingCount() == 0)
            try reading.promise(in: JobQueue(store))
            #expect(try reading.pendingCount() == 1)
        }
    }

    private static let old: [UInt8] =
        [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1] + [UInt8](repeating: 0, count: 600)

    @Test(
        "Spoiled files of every kind are refused or read in part, and never harm",
        arguments: [7, 8, 9] as [UInt64])
    func spoiled(seed: UInt64) throws {
        var dice = Dice(seed)
        let kinds: [(name: String, bytes: [UInt8])] = [
            (
                "a.docx",
                try package([
                    ("word/document.xml", "<w:p><w:t>one &amp; two</w:t></w:p><![CDATA[x]]><!-- y -->")
                ])
            ),
            ("b.xlsx", try package([("xl/worksheets/sheet1.xml", "<c t=\"s\"><v>1</v></c><c><v>2</v></c>")])),
            ("c.rtf", Array(#"{\rtf1\ansi\uc1 a\'e4\u228?{\*\x y}\bin3 abc \par}"#.utf8)),
            ("d.html", Array("<html><p>a&auml;<script>1<2</script><b/>".utf8)),
        ]
        try withLibrary { documents, _, _ in
            for round in 0..<60 {
                for kind in kinds {
                    var bytes = kind.bytes
                    for _ in 0...dice.below(6) {
                        let place = dice.below(bytes.count)
                        if dice.below(4) == 0 { bytes.removeSubrange(place...) }
                        if bytes.isEmpty || place >= bytes.count { break }
                        bytes[place] = UInt8(truncatingIfNeeded: dice.next())
                    }
                    if !bytes.isEmpty {
                        _ = try documents.add(.bytes(bytes), named: "\(round)\(kind.name)", by: ada)
                    }
                }
            }
            try documents.read()
            #expect(try documents.find("a", by: viewer).unreadCount == 0)
        }
    }

    private func expect(
        _ bytes: [UInt8], _ name: String, isFoundBy shown: [String], notBy hidden: [String] = [],
        _ place: SourceLocation = #_sourceLocation
    ) throws {
        try withPaper(bytes, name) { documents in
            for words in shown + hidden {
                let found = try documents.found(words)
                #expect(found == (hidden.contains(words) ? [] : [name]), "\(words)", sourceLocation: place)
            }
        }
    }

    private func withPaper(_ bytes: [UInt8], _ name: String, _ body: (Documents) throws -> Void) throws {
        try withLibrary { documents, _, _ in
            _ = try documents.add(.bytes(bytes), named: name, by: ada)
            try documents.read()
            try body(documents)
        }
    }

    /// A file of an office program: of Microsoft's, or one that names its kind first.
    private func package(
        _ parts: [(name: String, text: String)], kind: String? = nil, level: Int = 0
    ) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var zip = ZIPWriter { bytes += $0 }
        let moment = Moment(milliseconds: 1_700_000_000_000)
        let all = kind == nil ? [("[Content_Types].xml", "<Types/>")] + parts : parts
        for part in all { try zip.add(part.name, Array(part.text.utf8), modified: moment, level: level) }
        try zip.finish()
        return Array((kind.map(Self.mark) ?? "").utf8) + bytes
    }

    /// The first entry, which is not packed.
    private static func mark(_ kind: String) -> String {
        let zeros = String(repeating: "\0", count: 14)
        return "PK\u{3}\u{4}\(zeros)\(size(kind))\0\0\0\(size(kind))\0\0\0\u{8}\0\0\0mimetype\(kind)"
    }

    private static func size(_ text: String) -> String { String(UnicodeScalar(UInt8(text.utf8.count))) }
}
