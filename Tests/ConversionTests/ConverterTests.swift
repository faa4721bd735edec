import Archives
import Browsing
import Bytes
import Conversion
import Glibc
import Kinds
import Office
import PDF
import PDFReading
import Pictures
import Testing
import TestSupport
import Work

@Suite(.serialized) struct ConverterTests {
    static let engines = Engines(jail: Jail.detect())
    static let converter = Converter(engines)

    private func convert(
        _ name: String, _ bytes: [UInt8], to goal: PaperKind = .pdf,
        _ options: ConversionOptions = ConversionOptions()
    ) throws -> [Paper] {
        try Self.converter.convert([ConversionInput(name: name, .bytes(bytes))], to: goal, options).papers
    }

    private func words(_ paper: Paper) throws -> String {
        let sheets = try Sheets(bytes: paper.bytes)
        return try PageReader(jail: Self.engines.jail).text(of: sheets).map(\.text).joined(separator: "\n")
    }

    /// A PDF of so many pages that say their number, made without any engine.
    private func numbered(_ count: Int) -> [UInt8] {
        var draft = PDFDraft()
        let font = draft.add(
            .dictionary(["Type": .name("Font"), "Subtype": .name("Type1"), "BaseFont": .name("Helvetica")]))
        let tree = draft.newReference()
        let kids = (1...count).map { number -> PDFObject in
            let content = draft.addStream([:], Array("BT /F 40 Tf 72 700 Td (Page \(number)) Tj ET".utf8))
            return .reference(
                draft.add(
                    .dictionary([
                        "Type": .name("Page"), "Parent": .reference(tree),
                        "MediaBox": .array([.integer(0), .integer(0), .integer(612), .integer(792)]),
                        "Contents": .reference(content),
                        "Resources": .dictionary(["Font": .dictionary(["F": .reference(font)])]),
                    ])))
        }
        draft.put(
            .dictionary(["Type": .name("Pages"), "Count": .integer(count), "Kids": .array(kids)]), at: tree)
        let root = draft.add(.dictionary(["Type": .name("Catalog"), "Pages": .reference(tree)]))
        return draft.bytes(root: root)
    }

    private func steps(_ words: String..., on bytes: [UInt8]) throws -> [Paper] {
        var report = ConversionReport()
        return try PaperSteps(Self.converter, ConversionOptions()).run(
            words.map { try PaperStep($0) }, on: [Paper(name: "a.pdf", kind: .pdf, bytes: bytes)],
            report: &report)
    }

    @Test(
        "Nothing stands on a page that has only a background, and that is told",
        .enabled(if: Browsers.isInstalled, "Chromium is not installed"))
    func onlyABackground() throws {
        func remarks(_ html: String, background: Bool = false) throws -> [String] {
            var options = ConversionOptions()
            options.print.printsBackground = background
            return try Self.converter.convert(
                [ConversionInput(name: "a.html", .bytes(Array(html.utf8)))], to: .pdf, options
            ).report.remarks
        }
        let red = "<body style=\"background:#f00;height:90vh\"></body>"
        #expect(
            try remarks(red) == [
                "Nothing stands on the pages made of “a.html”.",
                "Colours and pictures behind the words are only printed with “background”.",
            ])
        #expect(try remarks(red, background: true) == [])
        #expect(try remarks("<p>a</p>") == [])
    }

    @Test(
        "Papers that LibreOffice cannot read say that they are locked, are told to be exported, or become the preview they carry",
        .enabled(if: Offices.isInstalled, "LibreOffice is not installed"))
    func unreadableOfficePapers() throws {
        func said(_ name: String, _ bytes: [UInt8]) -> String {
            do {
                _ = try convert(name, bytes)
                return ""
            } catch {
                return "\(error)"
            }
        }
        func zip(_ files: [(String, [UInt8])]) throws -> [UInt8] {
            var bytes: [UInt8] = []
            var writer = ZIPWriter { bytes += $0 }
            for (name, file) in files { try writer.add(name, file, modified: Moment(milliseconds: 0)) }
            try writer.finish()
            return bytes
        }
        let document: [(String, [UInt8])] = [("Index/Document.iwa", [0, 1, 2])]
        #expect(
            try said("a.pages", zip(document + [(".iwpv2", [1])])) == "“a.pages” is locked with a password.")
        #expect(
            try said("a.key", zip(document)).hasPrefix(
                "“a.key” could not be converted: LibreOffice reads only older files of this kind."))
        // The preview lies first in the archive, which is no PDF for that.
        let made = try Self.converter.convert(
            [
                ConversionInput(
                    name: "b.key", .bytes(zip([("QuickLook/Preview.pdf", numbered(2))] + document)))
            ], to: .pdf)
        #expect(made.report.pageCount == 2 && made.report.remarks.count == 1)
        #expect(try words(#require(made.papers.first)).contains("Page 2"))
        // Old slides that are locked: LibreOffice has no word for it.
        let slides = CompoundPaper(["PowerPoint Document", "EncryptedSummary"]).bytes
        #expect(said("a.ppt", slides) == "“a.ppt” is locked with a password.")
        // One that is only damaged is not called locked, and nobody is told of LibreOffice's insides.
        let broken = CompoundPaper(["PowerPoint Document"]).bytes
        #expect(
            said("b.ppt", broken).hasSuffix("LibreOffice cannot read the document."),
            "\(said("b.ppt", broken))")
        // Agile encryption that LibreOffice does not get as far as asking about.
        let package = CompoundPaper(["EncryptionInfo", "EncryptedPackage"]).bytes
        #expect(said("a.docx", package) == "“a.docx” is locked with a password.")
    }

    @Test(.enabled(if: Browsers.isInstalled, "Chromium is not installed"))
    func markdownWithItsTableAndPictureBecomesPages() throws {
        let text =
            "# Plan\n\n| Day | Work |\n|---|---|\n| One | Read |\n\n![a picture](a.svg)\n\n<script>x</script>\n\n"
            + "<table><tr><td colspan=2>Merged cell</td></tr></table>\n\n```\n<table>\n```\n\n"
            + "Underlined\n==========\n\nLooms &amp; engines, `&lt;`\n"
        var input = ConversionInput(name: "plan.md", .bytes(Array(text.utf8)))
        input.companions["a.svg"] = Array(
            "<svg xmlns='http://www.w3.org/2000/svg' width='20' height='20'/>".utf8)
        let result = try Self.converter.convert([input], to: .pdf)
        let found = try words(result.papers[0])
        #expect(found.contains("Plan") && found.contains("Day") && found.contains("Read"))
        #expect(found.contains("<script>"))
        // HTML in Markdown is what it would be elsewhere, save where it is shown as code.
        #expect(found.contains("Merged cell") && !found.contains("<td") && found.contains("<table>"))
        #expect(!found.contains("|") && !found.contains("==") && found.contains("Underlined"))
        #expect(found.contains("Looms & engines") && found.contains("&lt;"))
        #expect(result.report.failed.isEmpty)
        #expect(result.papers[0].name == "plan.pdf")
    }

    @Test(.enabled(if: Browsers.isInstalled, "Chromium is not installed"))
    func aBookIsPrintedInItsOwnOrderWithItsContentsAsBookmarks() throws {
        var bytes: [UInt8] = []
        var zip = ZIPWriter { bytes += $0 }
        let when = Moment(milliseconds: 1_795_260_900_000)
        func add(_ name: String, _ text: String) throws {
            try zip.add(name, Array(text.utf8), modified: when)
        }
        try add("mimetype", "application/epub+zip")
        try add(
            "META-INF/container.xml",
            "<container><rootfiles><rootfile full-path=\"OEBPS/book.opf\"/></rootfiles></container>")
        try add(
            "OEBPS/book.opf",
            """
            <package><metadata><dc:title>Looms &amp; Engines</dc:title></metadata><manifest>
            <item id="c" href="cover.xhtml" media-type="application/xhtml+xml"/>
            <item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
            <item id="b" href="text/two.xhtml" media-type="application/xhtml+xml"/>
            <item id="a" href="text/one%20first.xhtml" media-type="application/xhtml+xml"/>
            </manifest><spine><itemref idref="c"/><itemref idref="a"/><itemref idref="b"/></spine></package>
            """)
        let page = { (words: String) in
            "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><head><title>x</title></head><body><p>\(words)</p></body></html>"
        }
        try add(
            "OEBPS/nav.xhtml",
            "<nav><ol><li><a href=\"text/one%20first.xhtml\">Chapter <b>One</b></a></li></ol></nav>")
        // Taller than a sheet is for its width, as covers are.
        try add(
            "OEBPS/cover.xhtml",
            page(
                "<svg xmlns='http://www.w3.org/2000/svg' width='100%' height='100%' viewBox='0 0 12 18' "
                    + "preserveAspectRatio='none'><rect width='12' height='18'/></svg>"))
        try add("OEBPS/text/one first.xhtml", page("Here it begins"))
        try add("OEBPS/text/two.xhtml", page("Here it ends"))
        try zip.finish()
        let paper = try convert("book.epub", bytes)[0]
        let found = try words(paper)
        let begin = try #require(found.firstRange(of: "Here it begins"))
        let end = try #require(found.firstRange(of: "Here it ends"))
        #expect(begin.lowerBound < end.lowerBound)
        let file = try PDFFile(bytes: paper.bytes)
        let first = file.dictionary(file.dictionary(file.catalog["Outlines"])?["First"])
        #expect(first?["Title"]?.text == "Chapter One")
        #expect(file.pages.count == 3)
    }

    /// Calibre takes some seconds to begin, so this is done only when it is asked for: `QUIRE_BOOKS=1`.
    @Test(
        .enabled(if: getenv("QUIRE_BOOKS") != nil, "QUIRE_BOOKS does not ask for it"),
        .enabled(if: Child.find("ebook-convert") != nil, "Calibre is not installed"),
        .enabled(if: Browsers.isInstalled, "Chromium is not installed"),
        .enabled(if: CorpusFiles.has("ebook/004-lorem-ipsum.mobi"), "there is no corpus"))
    func booksOfAmazonsArePrintedByWayOfCalibre() throws {
        for name in ["004-lorem-ipsum.mobi", "001-lorem-ipsum.azw3"] {
            let paper = try #require(convert(name, CorpusFiles.bytes("ebook/" + name)).first)
            #expect(try words(paper).contains("Lorem ipsum"), "\(name)")
        }
    }

    @Test(.enabled(if: Browsers.isInstalled, "Chromium is not installed"))
    func aMailShowsItsHeadItsPicturesAndItsAttachments() throws {
        let mail = """
            From: =?utf-8?q?J=C3=B6rg?= <joerg@example.org>\r
            To: ada@example.org\r
            Subject: =?utf-8?B?R3LDvMOfZQ==?=\r
            Date: Sat, 21 Nov 2026 10:00:00 +0000\r
            Content-Type: multipart/mixed; boundary="x"\r
            \r
            --x\r
            Content-Type: text/html; charset=utf-8\r
            Content-Transfer-Encoding: quoted-printable\r
            \r
            <p>Sch=C3=B6ne Zeit</p><img src=3D"http://192.168.0.1/track.png"><script>document.body.textContent=3D'gone'</script>\r
            --x\r
            Content-Type: application/octet-stream; name="notes.txt"\r
            Content-Disposition: attachment; filename="notes.txt"\r
            Content-Transfer-Encoding: base64\r
            \r
            SGVsbG8gbm90ZXM=\r
            --x--\r

            """
        var options = ConversionOptions()
        options.appendsAttachments = true
        let result = try Self.converter.convert(
            [ConversionInput(name: "m.eml", .bytes(Array(mail.utf8)))], to: .pdf, options)
        let found = try words(result.papers[0])
        for part in ["Jörg", "Grüße", "Schöne Zeit", "notes.txt", "Hello notes"] {
            #expect(found.contains(part), "\(part) is missing in \(found)")
        }
        #expect(result.report.blocked.contains { $0.address.contains("192.168.0.1") })
    }

    @Test func severalPicturesBecomeOneFileInTheirOrder() throws {
        let tiny: [UInt8] = [
            0x42, 0x4D, 58, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 24,
            0, 0, 0, 0,
            0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 20, 30, 0,
        ]
        let inputs = ["a.bmp", "b.bmp"].map { ConversionInput(name: $0, .bytes(tiny)) }
        let papers = try Self.converter.convert(inputs, to: .pdf).papers
        #expect(papers.count == 1)
        #expect(try PDFFile(bytes: papers[0].bytes).pages.count == 2)
    }

    @Test(.enabled(if: CorpusFiles.has("image"), "there is no corpus"))
    func picturesOfManyProgramsBecomePages() throws {
        var made = 0
        for name in CorpusFiles.names("image") where PaperKind.ending(of: name) != "txt" {
            do {
                let papers = try convert(name, CorpusFiles.bytes("image/\(name)"))
                made += try PDFFile(bytes: papers[0].bytes).pages.count
            } catch let error as ConversionError {
                switch error {
                case .damaged, .tooLarge, .missing: continue
                default: Issue.record("\(name): \(error)")
                }
            }
        }
        #expect(made > 30)
    }

    @Test func pagesBecomePicturesSideBySide() throws {
        var options = ConversionOptions()
        options.dotsPerInch = 30
        let papers = try convert("a.pdf", numbered(5), to: .png, options)
        #expect(papers.map(\.name) == (1...5).map { "a-\($0).png" })
        #expect(papers.allSatisfy { Picture.format(of: $0.bytes) == .png })
        options.pages = "2-3"
        #expect(try convert("a.pdf", numbered(5), to: .jpeg, options).map(\.name) == ["a-2.jpg", "a-3.jpg"])
        options.pages = "9"
        #expect(throws: ConversionError.self) { _ = try convert("a.pdf", numbered(5), to: .png, options) }
    }

    @Test func wordsOfPagesBecomeText() throws {
        let paper = try convert("a.pdf", numbered(2), to: .text)[0]
        let text = String(decoding: paper.bytes, as: UTF8.self)
        #expect(text.contains("Page 1") && text.contains("Page 2"))
    }

    @Test func stepsFollowEachOther() throws {
        #expect(try steps("split=2", on: numbered(5)).count == 3)
        #expect(try PDFFile(bytes: steps("pages=3,1,3", on: numbered(3))[0].bytes).pages.count == 3)
        let merged = try steps("split=1", "merge", on: numbered(4))
        #expect(try PDFFile(bytes: merged[0].bytes).pages.count == 4)
        let marked = try steps("watermark=DRAFT", "stamp=Copy 7", "title=Minutes", on: numbered(2))[0]
        let found = try words(marked)
        #expect(found.contains("Copy 7") && found.contains("Page 2"))
        // Poppler takes words along the diagonal apart.
        #expect(found.contains("DR") && found.contains("AF"))
        let file = try PDFFile(bytes: marked.bytes)
        #expect(file.dictionary(file.trailer["Info"])?["Title"]?.text == "Minutes")
        let locked = try steps("encrypt=secret", on: numbered(1))[0]
        #expect(throws: PDFError.self) { _ = try PDFFile(bytes: locked.bytes) }
        #expect(try PDFFile(bytes: locked.bytes, password: "secret").pages.count == 1)
        let turned = try PDFFile(bytes: steps("rotate=90", on: numbered(1))[0].bytes)
        #expect(turned.dictionary(.reference(turned.pages[0]))?["Rotate"]?.integer == 90)
    }

    @Test func bookmarksAreWrittenAsLinesAndReadBackAsTheSame() throws {
        let lines = "1 Letter\n3 Numbers\n- 4 By month\n-- 5 March\n- 6 By year\n7 Äpfel & Birnen\n"
        let made = try steps("bookmarks=" + lines, on: numbered(7))
        #expect(try PDFTools.bookmarks(made[0]).array?.count == 3)
        let listed = try steps("bookmarks", on: made[0].bytes)[0]
        #expect(listed.name == "a.txt" && String(decoding: listed.bytes, as: UTF8.self) == lines)
        let one = try steps("bookmarks=1 Letter; 3 Numbers; - 4 By month", "bookmarks", on: numbered(7))[0]
        #expect(String(decoding: one.bytes, as: UTF8.self) == "1 Letter\n3 Numbers\n- 4 By month\n")
        let json = #"[{"title": "Letter", "page": 2, "children": []}]"#
        let told = try steps("bookmarks=" + json, "bookmarks", on: numbered(2))[0]
        #expect(String(decoding: told.bytes, as: UTF8.self) == "2 Letter\n")
        #expect(try steps("bookmarks=", "bookmarks", on: made[0].bytes)[0].bytes == [])
        for wrong in [
            "bookmarks=Letter", "bookmarks=0 Letter", "bookmarks=1 A; -- 2 B", "bookmarks=[1",
            "bookmarks=9 Z",
        ] {
            #expect(throws: ConversionError.self, "\(wrong)") { _ = try steps(wrong, on: numbered(2)) }
        }
    }

    @Test func papersAreCarriedInsideOthersAndTakenOutAgain() throws {
        let xml = ConversionInput(name: "data.xml", .bytes(Array("<invoice/>".utf8)))
        let again = ConversionInput(name: "data.xml", .bytes(Array("<reminder/>".utf8)))
        let sly = ConversionInput(name: "../../etc/passwd", .bytes(Array("root".utf8)))
        let first = ConversionInput(name: "a.pdf", .bytes(numbered(1)))
        let wishes = [PaperStep.attach]
        let parts = PaperSteps.carried([first, xml, again, sly], by: wishes)
        #expect(parts.converted.map(\.name) == ["a.pdf"])
        var report = ConversionReport()
        let made = try PaperSteps(Self.converter, ConversionOptions()).run(
            wishes, on: [Paper(name: "a.pdf", kind: .pdf, bytes: numbered(1))], carrying: parts.carried,
            report: &report)
        #expect(made.count == 1 && made[0].kind == .pdf)
        let out = try steps("attachments", on: made[0].bytes)
        #expect(out.map(\.name).sorted() == ["data.xml", "data.xml", "passwd"])
        #expect(
            Set(out.map { String(decoding: $0.bytes, as: UTF8.self) }) == [
                "<invoice/>", "<reminder/>", "root",
            ])
        let left = try PDFTools.dropping(["data.xml"], from: made[0])
        #expect(try PDFTools.attachments(in: left).map(\.name) == ["passwd"])
        #expect(throws: ConversionError.self) { _ = try steps("attachments", on: numbered(1)) }
        #expect(throws: ConversionError.self) { _ = try steps("attach", on: numbered(1)) }
        guard Child.find("gs") != nil else { return }
        // Ghostscript would leave them behind.
        let kept = try steps("compress", "pdfa=3b", on: made[0].bytes)[0]
        #expect(try PDFTools.attachments(in: kept).count == 3)
        _ = try PaperSteps(Self.converter, ConversionOptions()).run(
            [.archive(part: 2)], on: made, report: &report)
        #expect(report.remarks.contains { $0.contains("left out") })
        let plain = try steps("pdfa=2b", on: made[0].bytes)[0]
        #expect(try PDFTools.attachments(in: plain).isEmpty)
        #expect(PDFTools.claimedArchivePart(plain.bytes) == 2)
        // One by one it is not refused, but nothing that is no archive says that it is one.
        let lock = try PaperStep("encrypt=sesame")
        for orders in [
            ["pdfa=2b", "encrypt=sesame"], ["pdfa=2b", "attach"], ["pdfa=1b", "rotate=90", "encrypt=x"],
        ] {
            let wanted = try orders.map { try PaperStep($0) }
            #expect(throws: ConversionError.self) {
                try PaperSteps(Self.converter, ConversionOptions()).run(wanted, on: made, report: &report)
            }
        }
        var told = ConversionReport()
        let locked = try PaperSteps(Self.converter, ConversionOptions()).run(
            [lock], on: [plain], report: &told)
        #expect(told.remarks.contains { $0.contains("does not say so any more") })
        let opened = try PDFFile(bytes: locked[0].bytes, password: "sesame").rewritten()
        #expect(PDFTools.claimedArchivePart(opened) == nil)
        let stamped = try steps("stamp=Copy", on: plain.bytes)[0]
        #expect(PDFTools.claimedArchivePart(stamped.bytes) == nil)
        #expect(PDFTools.claimedArchivePart(try steps("rotate=90", on: plain.bytes)[0].bytes) == 2)
        #expect(PDFTools.claimedArchivePart(kept.bytes) == 3)
    }

    @Test(.enabled(if: Child.find("gs") != nil, "Ghostscript is not installed"))
    func archivesAndSmallFilesAreMade() throws {
        let archive = try steps("pdfa=2b", on: numbered(2))[0]
        let file = try PDFFile(bytes: archive.bytes)
        let metadata = try #require(file.catalog["Metadata"]?.reference)
        #expect(String(decoding: try #require(file.stream(metadata)), as: UTF8.self).contains("pdfaid"))
        let whole = numbered(20)
        #expect(try steps("compress", on: whole)[0].bytes.count <= whole.count)
    }

    @Test(
        .enabled(if: Child.find("gs") != nil, "Ghostscript is not installed"),
        .enabled(if: Browsers.isInstalled, "Chromium is not installed"))
    func wordsOfPrintedPagesStayTheSameInArchivesAndSmallFiles() throws {
        let page = try convert(
            "a.html", Array("<h1 style='font-family: sans-serif'>Minutes of May</h1>".utf8))[0]
        for step in ["pdfa=2b", "compress"] {
            #expect(try words(steps(step, on: page.bytes)[0]).contains("Minutes of May"), "\(step)")
        }
    }

    @Test(
        .enabled(if: Child.find("tesseract") != nil, "Tesseract is not installed"),
        .enabled(if: Browsers.isInstalled, "Chromium is not installed"))
    func wordsInPicturesAreFoundAfterwards() throws {
        let html = "<body style='font: 40px sans-serif'><p>Recognised words stay readable</p></body>"
        let picture = try convert("a.html", Array(html.utf8), to: .png)[0]
        let scan = try convert("scan.png", picture.bytes)[0]
        #expect(try !words(scan).contains("Recognised"))
        let found = try words(try steps("ocr", on: scan.bytes)[0])
        #expect(found.contains("Recognised") && found.contains("readable"))
        #expect(throws: ConversionError.self) { _ = try steps("ocr=xyz", on: scan.bytes) }
    }

    @Test(
        .enabled(
            if: ["eng", "rus"].allSatisfy(Recognizer.installed.contains),
            "Tesseract does not know English and Russian"),
        .enabled(if: Browsers.isInstalled, "Chromium is not installed"))
    func aScanInOtherLettersIsReadInItsLanguage() throws {
        let text = """
            Уважаемые родители! Просим вас подписать согласие и вернуть его
            классному руководителю до пятницы. Без подписи мы не сможем взять
            вашего ребёнка на экскурсию в музей.
            """
        let html = "<meta charset='utf-8'><body style='font: 24px sans-serif'><p>\(text)</p></body>"
        let scan = try convert("scan.png", convert("a.html", Array(html.utf8), to: .png)[0].bytes)[0]
        let found = try words(try steps("ocr", on: scan.bytes)[0])
        #expect(found.contains("согласие") && found.contains("экскурсию"))
    }

    @Test(.enabled(if: Offices.isInstalled, "LibreOffice is not installed"))
    func aTableOnAPageBecomesCellsAgain() throws {
        let csv = "Name,Born,Sum\nAda,1815,12.5\nCharles,1791,7\nGrace,1906,3\n"
        let page = try convert("t.csv", Array(csv.utf8))[0]
        let back = String(decoding: try convert("t.pdf", page.bytes, to: .csv)[0].bytes, as: UTF8.self)
        #expect(back.contains("Name,Born,Sum") && back.contains("Charles,1791,7"))
    }

    @Test(.enabled(if: Offices.isInstalled, "LibreOffice is not installed"))
    func columnsOfATableAreAsWideAsWhatIsInThem() throws {
        let long = "A model that was extended, and is now longer than one line of its column can ever be"
        let csv = "Year,Description,Price\n1999,\"\(long)\",4900\n2001,\"Two\nlines\",END\n"
        let page = try convert("t.csv", Array(csv.utf8))[0]
        let texts = try PageReader(jail: Self.engines.jail).text(of: Sheets(bytes: page.bytes))
        #expect(texts.count == 1)
        let words = texts.flatMap(\.words)
        let price = try #require(words.first { $0.text == "Price" })
        let described = words.filter { long.split(separator: " ").contains(Substring($0.text)) }
        // Nothing of it is hidden behind the next column, and the rest of it stands below.
        #expect(described.count == long.split(separator: " ").count)
        #expect(described.allSatisfy { $0.place.right <= price.place.left + 2 })
        #expect(Set(described.map { Int($0.place.top) }).count > 1)
    }

    @Test(.enabled(if: Browsers.isInstalled, "Chromium is not installed"))
    func aPictureThatEndsInTheMiddleIsSaidTo() throws {
        let picture = try convert("a.html", Array("<h1>Whole</h1>".utf8), to: .jpeg)[0].bytes
        func remarks(_ bytes: [UInt8]) throws -> [String] {
            try Self.converter.convert([ConversionInput(name: "a.jpg", .bytes(bytes))], to: .pdf).report
                .remarks
        }
        #expect(try remarks(picture) == [])
        // Cameras write more behind the picture.
        #expect(try remarks(picture + Array("more".utf8)) == [])
        #expect(try remarks(Array(picture.dropLast(200))).first?.contains("ends in the middle") == true)
    }

    @Test func cellsOfSeveralLinesDoNotTakeATableApart() throws {
        let lines = [
            [(72, "Name"), (250, "Work"), (450, "Sum")],
            [(72, "Ada"), (250, "Notes on the engine,"), (450, "12")],
            [(250, "and what it weaves")],
            [(72, "Charles"), (250, "The engine"), (450, "7")],
            [(72, "All of this was written down long before anybody could build it")],
        ]
        var content = "BT /F 11 Tf "
        for (number, line) in lines.enumerated() {
            for (x, words) in line { content += "1 0 0 1 \(x) \(700 - number * 14) Tm (\(words)) Tj " }
        }
        let table = try convert("t.pdf", sheet(content + "ET"), to: .csv)[0]
        #expect(
            String(decoding: table.bytes, as: UTF8.self).filter { $0 != "\u{FEFF}" }.split(
                whereSeparator: \.isNewline
            ).map(String.init) == [
                "Name,Work,Sum", "Ada,\"Notes on the engine,\",12", ",and what it weaves,",
                "Charles,The engine,7",
            ])
    }

    @Test(
        "A page that the list of pages does not lead to is drawn, and not as one dot",
        arguments: [PaperKind.png, .jpeg], ["/Kids[] /Count 5", "/Kids [99 0 R] /Count 1", "/Count 1"])
    func aPageNobodyNames(_ kind: PaperKind, _ list: String) throws {
        var bytes = Array("%PDF-1.4\n".utf8)
        var places: [Int] = []
        let content = "0 0 1 rg 10 10 50 50 re f"
        for (number, text) in [
            "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages \(list)>>",
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Contents 4 0 R>>",
            "<</Length \(content.utf8.count)>>stream\n\(content)\nendstream",
        ].enumerated() {
            places.append(bytes.count)
            bytes += Array("\(number + 1) 0 obj\n\(text)\nendobj\n".utf8)
        }
        let table = bytes.count
        let lines = places.map { String(repeating: "0", count: 10 - "\($0)".count) + "\($0) 00000 n \n" }
        bytes += Array("xref\n0 5\n0000000000 65535 f \n\(lines.joined())".utf8)
        bytes += Array("trailer\n<</Size 5/Root 1 0 R>>\nstartxref\n\(table)\n%%EOF\n".utf8)
        var options = ConversionOptions()
        options.dotsPerInch = 72
        let made = try convert("a.pdf", bytes, to: kind, options)
        #expect(made.count == 1)
        let picture = try Picture(made[0].bytes)
        #expect(picture.width == 200 && picture.height == 100)
    }

    /// A page with this drawn on it.
    private func sheet(_ content: String) -> [UInt8] {
        var draft = PDFDraft()
        let font = draft.add(
            .dictionary(["Type": .name("Font"), "Subtype": .name("Type1"), "BaseFont": .name("Helvetica")]))
        let tree = draft.newReference()
        let stream = draft.addStream([:], Array(content.utf8))
        let page = draft.add(
            .dictionary([
                "Type": .name("Page"), "Parent": .reference(tree),
                "MediaBox": .array([.integer(0), .integer(0), .integer(612), .integer(792)]),
                "Contents": .reference(stream),
                "Resources": .dictionary(["Font": .dictionary(["F": .reference(font)])]),
            ]))
        draft.put(
            .dictionary(["Type": .name("Pages"), "Count": .integer(1), "Kids": .array([.reference(page)])]),
            at: tree)
        let root = draft.add(.dictionary(["Type": .name("Catalog"), "Pages": .reference(tree)]))
        return draft.bytes(root: root)
    }

    /// A missing engine or a damaged paper is told of, and stops nothing else.
    @Test func onePaperThatFailsStopsNoOther() throws {
        let inputs = [
            ("a.pdf", numbered(1)), ("b.pdf", Array("%PDF-1.7 and no more".utf8)), ("c.pdf", numbered(2)),
        ]
        .map { ConversionInput(name: $0, .bytes($1)) }
        let result = try Self.converter.convert(inputs, to: .text, goesOn: true)
        #expect(result.papers.map(\.name) == ["a.txt", "c.txt"])
        #expect(result.failures.map(\.name) == ["b.pdf"])
        #expect(throws: ConversionError.self) { _ = try Self.converter.convert(inputs, to: .text) }
    }

    @Test func whatCannotBeConvertedSaysWhy() throws {
        #expect(throws: ConversionError.self) { _ = try convert("a.bin", [0, 1, 2, 3]) }
        #expect(throws: ConversionError.self) { _ = try convert("a.pdf", []) }
        do {
            _ = try convert("a.png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3])
            Issue.record("a damaged picture was taken")
        } catch let error as ConversionError {
            #expect(error.description.contains("“a.png”"))
        }
    }
}

/// An old office file with streams of these names, and nothing in them.
private struct CompoundPaper {
    let bytes: [UInt8]

    init(_ names: [String]) {
        func number(_ value: UInt32) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
        let (free, end, table, none) = (UInt32.max, UInt32(0xFFFF_FFFE), UInt32(0xFFFF_FFFD), UInt32.max)
        var head: [UInt8] =
            [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1] + [UInt8](repeating: 0, count: 16)
        head += [0x3E, 0, 3, 0, 0xFE, 0xFF, 9, 0, 6, 0] + [UInt8](repeating: 0, count: 10)
        head +=
            number(1) + number(1) + number(0) + number(4096) + number(end) + number(0) + number(end)
            + number(0)
        head += number(0) + (0..<108).flatMap { _ in number(free) }
        let sectors = number(table) + number(end) + (0..<126).flatMap { _ in number(free) }
        var folder: [UInt8] = []
        for (place, name) in (["Root Entry"] + names).enumerated() {
            var units = name.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
            let length = UInt8(units.count + 2)
            units += [UInt8](repeating: 0, count: 64 - units.count)
            folder += units + [length, 0, place == 0 ? 5 : 2, 1] + number(none)
            // Each names the next one as its right neighbour.
            folder += number(place > 0 && place < names.count ? UInt32(place + 1) : none)
            folder += number(place == 0 ? 1 : none) + [UInt8](repeating: 0, count: 36)
            folder += number(end) + number(0) + number(0)
        }
        folder += [UInt8](repeating: 0, count: 512 - folder.count)
        bytes = head + sectors + folder
    }
}
