import Archives
import Tables
import Testing
import Work

/// A workbook made of the parts a test names, as small as Excel would open it.
struct MadeWorkbook {
    var sheet: String
    var styles = ""
    var strings: [String] = []
    var book = ""
    var others: [(String, String)] = []

    var bytes: [UInt8] {
        get throws {
            var bytes: [UInt8] = []
            var zip = ZIPWriter { bytes += $0 }
            let main = "xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\""
            let relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
            let shared = strings.map { "<si><t xml:space=\"preserve\">\($0)</t></si>" }.joined()
            let parts: [(String, String)] = [
                ("[Content_Types].xml", "<Types/>"),
                (
                    "_rels/.rels",
                    "<Relationships><Relationship Id=\"r\" Type=\"\(relations)/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"
                ),
                (
                    "xl/workbook.xml",
                    "<workbook \(main)>\(book.isEmpty ? "<sheets><sheet name=\"People\" r:id=\"s1\"/></sheets>" : book)</workbook>"
                ),
                (
                    "xl/_rels/workbook.xml.rels",
                    "<Relationships><Relationship Id=\"s1\" Type=\"\(relations)/worksheet\" Target=\"worksheets/sheet1.xml\"/>"
                        + "<Relationship Id=\"s2\" Type=\"\(relations)/worksheet\" Target=\"worksheets/sheet2.xml\"/>"
                        + "<Relationship Id=\"t\" Type=\"\(relations)/styles\" Target=\"styles.xml\"/>"
                        + "<Relationship Id=\"u\" Type=\"\(relations)/sharedStrings\" Target=\"sharedStrings.xml\"/></Relationships>"
                ),
                ("xl/styles.xml", "<styleSheet \(main)>\(styles)</styleSheet>"),
                ("xl/sharedStrings.xml", "<sst \(main)>\(shared)</sst>"),
                ("xl/worksheets/sheet1.xml", "<worksheet \(main)>\(sheet)</worksheet>"),
            ]
            for (name, text) in parts + others {
                try zip.add(name, Array(text.utf8), modified: Moment(milliseconds: 0))
            }
            try zip.finish()
            return bytes
        }
    }

    /// One number under one format.
    static func shown(_ number: String, _ format: String, is1904: Bool = false) throws -> Cell? {
        let code = format.replacing("&", with: "&amp;").replacing("\"", with: "&quot;").replacing(
            "<", with: "&lt;")
        var made = MadeWorkbook(
            sheet:
                "<sheetData><row r=\"1\"><c r=\"A1\" t=\"str\"><v>x</v></c></row><row r=\"2\"><c r=\"A2\" s=\"1\"><v>\(number)</v></c></row></sheetData>",
            styles:
                "<numFmts><numFmt numFmtId=\"200\" formatCode=\"\(code)\"/></numFmts><cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"200\"/></cellXfs>"
        )
        if is1904 {
            made.book = "<workbookPr date1904=\"1\"/><sheets><sheet name=\"A\" r:id=\"s1\"/></sheets>"
        }
        var table = try TableReader(bytes: made.bytes)
        return try table.next()?.cells.first
    }
}

@Suite("Tables from workbooks")
struct WorkbookTests {
    private func rows(
        _ bytes: [UInt8], _ options: TableOptions = TableOptions()
    ) throws -> (TableShape, [TableRow]) {
        var table = try TableReader(bytes: bytes, options: options)
        var rows: [TableRow] = []
        while let row = try table.next() { rows.append(row) }
        return (table.shape, rows)
    }

    @Test(
        "Numbers are shown as their format says",
        arguments: [
            ("123", "00000", "00123"), ("0.5", "0%", "50%"), ("0.1234", "0.0%", "12.3%"),
            ("1234567.891", "#,##0.00", "1,234,567.89"), ("-5", "0;(0)", "(5)"),
            ("0", "0;-0;\"none\"", "none"),
            ("12.5", "[$€-407] #,##0.00", "€ 12.50"), ("1234.5", "\"EUR\" #,##0.00", "EUR 1,234.50"),
            ("1.005", "0.00", "1.01"), ("0.1", "General", "0.1"), ("0.30000000000000004", "General", "0.3"),
            ("1.75", "# ?/?", "1 3/4"), ("0.3333333", "# ??/??", "1/3"), ("12345", "0.00E+00", "1.23E+04"),
            ("1500000", "0.0,,\"M\"", "1.5M"), ("5551234567", "(000) 000-0000", "(555) 123-4567"),
            ("123456789", "000-00-0000", "123-45-6789"), ("5", "[>3]\"many\";\"few\"", "many"),
            ("7", "@", "7"),
            ("12.30", "0.##", "12.3"), ("12", "0.##", "12"), ("-0.001", "0.00", "0.00"),
        ])
    func numbers(_ number: String, _ format: String, _ shown: String) throws {
        #expect(try MadeWorkbook.shown(number, format)?.shown == shown)
    }

    @Test(
        "Days and times are shown as their format says, and given as ISO 8601",
        arguments: [
            ("45292", "dd.mm.yyyy", "01.01.2024", "2024-01-01"), ("45292", "m/d/yy", "1/1/24", "2024-01-01"),
            ("45292.354166666664", "d mmm yyyy h:mm AM/PM", "1 Jan 2024 8:30 AM", "2024-01-01T08:30:00"),
            ("45292", "[$-407]d. mmmm yyyy", "1. Januar 2024", "2024-01-01"),
            ("45292", "dddd", "Monday", "2024-01-01"), ("0.75", "hh:mm:ss", "18:00:00", "18:00:00"),
            ("60", "yyyy-mm-dd", "1900-02-29", "1900-02-29"),
            ("59", "yyyy-mm-dd", "1900-02-28", "1900-02-28"),
            ("61", "yyyy-mm-dd", "1900-03-01", "1900-03-01"), ("1", "yyyy-mm-dd", "1900-01-01", "1900-01-01"),
        ])
    func dates(_ number: String, _ format: String, _ shown: String, _ date: String) throws {
        let cell = try #require(try MadeWorkbook.shown(number, format))
        #expect(cell.shown == shown)
        #expect(cell.date == date)
        #expect(cell.raw == number)
    }

    @Test("Workbooks of old Macs count from 1904")
    func since1904() throws {
        #expect(try MadeWorkbook.shown("43830", "yyyy-mm-dd", is1904: true)?.date == "2024-01-01")
    }

    @Test("Hours beyond a day are no time of day, but a number of days to calculate with")
    func durations() throws {
        let cell = try #require(try MadeWorkbook.shown("1.5", "[h]:mm"))
        #expect(cell.shown == "36:00")
        #expect(cell.date == nil)
        #expect(cell.kind == .number && cell.raw == "1.5" && cell.isTyped)
    }

    @Test("Texts, formulas' values, errors and gaps")
    func cells() throws {
        let made = MadeWorkbook(
            sheet: """
                <sheetData>
                <row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>Town</t></is></c><c r="D1" t="str"><v>Sum</v></c></row>
                <row r="3"><c r="A3" t="s"><v>1</v></c><c r="D3"><f>1+1</f><v>2</v></c></row>
                <row r="4"><c r="A4" t="inlineStr"><is><r><t>Rich </t></r><r><t>text</t></r><rPh><t>no</t></rPh></is></c><c r="B4" t="e"><v>#N/A</v></c><c r="C4" t="b"><v>1</v></c></row>
                </sheetData>
                """, strings: ["Name", "007 &amp; co_x000D_\n"])
        let (shape, rows) = try rows(made.bytes)
        #expect(shape.columns.map(\.name) == ["Name", "Town", "Column 3", "Sum"])
        #expect(rows.map(\.place) == [3, 4])
        #expect(rows[0].cells.map(\.shown) == ["007 & co\n", "", "", "2"])
        #expect(rows[1].cells.map(\.shown) == ["Rich text", "#N/A", "TRUE", ""])
        #expect(rows[1].cells.map(\.kind) == [.text, .text, .boolean, .empty])
    }

    @Test("Hidden rows are left out and counted, unless they are asked for")
    func hiddenRows() throws {
        let made = MadeWorkbook(
            sheet: """
                <sheetData><row r="1"><c t="str"><v>Name</v></c></row><row r="2" hidden="1"><c t="str"><v>Ana</v></c></row>
                <row r="3"><c t="str"><v>Bo</v></c></row></sheetData>
                """)
        #expect(try rows(made.bytes).1.map { $0.cells[0].shown } == ["Bo"])
        var options = TableOptions()
        options.includesHiddenRows = true
        #expect(try rows(made.bytes, options).1.map { $0.cells[0].shown } == ["Ana", "Bo"])
        var table = try TableReader(bytes: made.bytes)
        while try table.next() != nil {}
        #expect(table.hiddenRowCount == 1)
    }

    @Test("The first sheet that can be seen is taken; any other can be asked for by name")
    func sheets() throws {
        var made = MadeWorkbook(sheet: "<sheetData><row><c t=\"str\"><v>secret</v></c></row></sheetData>")
        made.book =
            "<sheets><sheet name=\"Old\" state=\"hidden\" r:id=\"s1\"/><sheet name=\"New\" r:id=\"s2\"/></sheets>"
        made.others = [
            (
                "xl/worksheets/sheet2.xml",
                "<worksheet><sheetData><row><c t=\"str\"><v>open</v></c></row></sheetData></worksheet>"
            )
        ]
        let (shape, _) = try rows(made.bytes)
        #expect(shape.sheet == "New")
        #expect(
            shape.sheets == [
                TableSheet(name: "Old", isHidden: true), TableSheet(name: "New", isHidden: false),
            ])
        var options = TableOptions()
        options.sheet = "Old"
        #expect(try rows(made.bytes, options).0.columns.map(\.name) == ["secret"])
        options.sheet = "None"
        #expect(throws: TableError("There is no sheet “None”. The file has “Old”, “New”.")) {
            try rows(made.bytes, options)
        }
    }

    @Test("A merged area gives its value to each of its cells")
    func merged() throws {
        let made = MadeWorkbook(
            sheet: """
                <sheetData><row r="1"><c r="A1" t="str"><v>Class</v></c><c r="B1" t="str"><v>Name</v></c></row>
                <row r="2"><c r="A2" t="str"><v>4b</v></c><c r="B2" t="str"><v>Ana</v></c></row>
                <row r="3"><c r="B3" t="str"><v>Bo</v></c></row></sheetData>
                <mergeCells><mergeCell ref="A2:A3"/></mergeCells>
                """)
        #expect(try rows(made.bytes).1.map { $0.cells.map(\.shown) } == [["4b", "Ana"], ["4b", "Bo"]])
    }

    @Test("A title that is merged over all columns is not taken for their names")
    func mergedTitle() throws {
        let made = MadeWorkbook(
            sheet: """
                <sheetData><row r="1"><c r="A1" t="str"><v>Trip to the lake</v></c></row>
                <row r="3"><c r="A3" t="str"><v>Name</v></c><c r="B3" t="str"><v>Class</v></c></row>
                <row r="4"><c r="A4" t="str"><v>Ana</v></c><c r="B4" t="str"><v>4b</v></c></row></sheetData>
                <mergeCells><mergeCell ref="A1:B1"/></mergeCells>
                """)
        let (shape, read) = try rows(made.bytes)
        #expect(shape.columns.map(\.name) == ["Name", "Class"])
        #expect(read.map { $0.cells.map(\.shown) } == [["Ana", "4b"]])
    }

    @Test("What the writer writes the reader reads: texts, numbers, dates, and nothing becomes a formula")
    func roundTrip() throws {
        let cells = [
            [Cell("00123"), Cell("12.5"), Cell("2024-02-29")],
            [Cell("=1+1"), Cell("a & <b> \"c\"\r\n_x0041_"), Cell("2024-02-29T08:30:00")],
            [Cell("Zoë 😀 \u{7}"), Cell(""), Cell("x")],
        ]
        var bytes: [UInt8] = []
        try TableWriter.xlsx(
            columns: ["Code", "Amount", "Day"], modified: Moment(milliseconds: 0), to: { bytes += $0 },
            rows: { add in for row in cells { try add(row) } })
        let (shape, read) = try rows(bytes)
        #expect(shape.columns.map(\.name) == ["Code", "Amount", "Day"])
        #expect(read[0].cells.map(\.shown) == ["00123", "12.5", "2024-02-29"])
        #expect(read[0].cells.map(\.kind) == [.text, .number, .date])
        #expect(read[1].cells.map(\.shown) == ["=1+1", "a & <b> \"c\"\n_x0041_", "2024-02-29 08:30:00"])
        #expect(read[1].cells[2].date == "2024-02-29T08:30:00")
        #expect(read[2].cells.map(\.shown) == ["Zoë 😀 \u{7}", "", "x"])
    }

    @Test("An OpenDocument sheet gives what it showed, with repeated cells and rows")
    func openDocument() throws {
        let (shape, read) = try rows(
            try MadeODS(
                """
                <table:table table:name="Liste"><table:table-row><table:table-cell office:value-type="string"><text:p>Name</text:p></table:table-cell>
                <table:table-cell office:value-type="string"><text:p>Betrag</text:p></table:table-cell><table:table-cell office:value-type="string"><text:p>Tag</text:p></table:table-cell><table:table-cell table:number-columns-repeated="16381"/></table:table-row>
                <table:table-row table:number-rows-repeated="2"><table:table-cell office:value-type="string"><office:annotation><text:p>note</text:p></office:annotation><text:p>Jo<text:s text:c="2"/>hn<text:span>ny</text:span></text:p><text:p>B</text:p></table:table-cell>
                <table:table-cell office:value-type="currency" office:value="12.5"><text:p>12,50 €</text:p></table:table-cell><table:table-cell office:value-type="date" office:date-value="2024-02-29"><text:p>29.02.24</text:p></table:table-cell></table:table-row>
                <table:table-row table:visibility="collapse"><table:table-cell office:value-type="string"><text:p>hidden</text:p></table:table-cell></table:table-row>
                <table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table>
                """
            ).bytes)
        #expect(shape.format == .ods)
        #expect(shape.sheet == "Liste")
        #expect(read.map(\.place) == [2, 3])
        #expect(read[1].cells.map(\.shown) == ["Jo  hnny\nB", "12,50 €", "29.02.24"])
        #expect(read[1].cells.map(\.raw) == ["Jo  hnny\nB", "12.5", "2024-02-29"])
        #expect(read[1].cells[2].date == "2024-02-29")
    }

    @Test(
        "An OpenDocument duration beyond a day, or below nothing, is a number of days to calculate with",
        arguments: [
            ("PT36H30M00S", "36:30", "number", "1.5208333333333333"),
            ("-PT06H00M00S", "-06:00", "number", "-0.25"),
            ("PT08H30M00S", "08:30", "time", "PT08H30M00S"), ("P1Y", "a year", "text", "P1Y"),
        ])
    func openDurations(value: String, shown: String, kind: String, raw: String) throws {
        let (_, read) = try rows(
            try MadeODS(
                """
                <table:table table:name="A"><table:table-row><table:table-cell office:value-type="string"><text:p>Hours</text:p></table:table-cell></table:table-row>
                <table:table-row><table:table-cell office:value-type="time" office:time-value="\(value)"><text:p>\(shown)</text:p></table:table-cell></table:table-row></table:table>
                """
            ).bytes)
        let cell = try #require(read.first?.cells.first)
        #expect(cell.kind.rawValue == kind && cell.raw == raw && cell.shown == shown)
    }
}

struct MadeODS {
    var content: String
    init(_ content: String) { self.content = content }

    var bytes: [UInt8] {
        get throws {
            var bytes: [UInt8] = []
            var zip = ZIPWriter { bytes += $0 }
            let now = Moment(milliseconds: 0)
            try zip.add(
                "mimetype", Array("application/vnd.oasis.opendocument.spreadsheet".utf8), modified: now)
            let text =
                "<office:document-content><office:body><office:spreadsheet>\(content)</office:spreadsheet></office:body></office:document-content>"
            try zip.add("content.xml", Array(text.utf8), modified: now)
            try zip.finish()
            return bytes
        }
    }
}

@Suite("Hostile workbooks")
struct HostileWorkbookTests {
    private func trouble(_ bytes: [UInt8], _ options: TableOptions = TableOptions()) -> String? {
        do {
            var table = try TableReader(bytes: bytes, options: options)
            while try table.next() != nil {}
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test("A workbook that would unpack to gigabytes is refused")
    func bomb() throws {
        var bytes: [UInt8] = []
        var zip = ZIPWriter { bytes += $0 }
        for (name, text) in [
            (
                "_rels/.rels",
                "<Relationships><Relationship Id=\"r\" Type=\"x/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"
            ),
            ("xl/workbook.xml", "<workbook><sheets><sheet name=\"A\" r:id=\"s\"/></sheets></workbook>"),
            (
                "xl/_rels/workbook.xml.rels",
                "<Relationships><Relationship Id=\"s\" Type=\"x/worksheet\" Target=\"s.xml\"/></Relationships>"
            ),
        ] {
            try zip.add(name, Array(text.utf8), modified: Moment(milliseconds: 0))
        }
        let zeros = [UInt8](repeating: 0x20, count: 1 << 20)
        try zip.add("xl/s.xml", modified: Moment(milliseconds: 0)) { put in for _ in 0..<64 { try put(zeros) }
        }
        try zip.finish()
        #expect(trouble(bytes)?.contains("refused") == true)
    }

    /// So that little is much.
    private var narrow: TableOptions {
        var options = TableOptions()
        options.limits.cellsByteCount = 1 << 20
        options.limits.rowByteCount = 1 << 20
        return options
    }

    @Test("One long text named by every cell is refused before it becomes a table of gigabytes")
    func sharedText() throws {
        let rows = (1...400).map { "<row r=\"\($0)\"><c t=\"s\"><v>\($0 % 2)</v></c></row>" }.joined()
        let long = String(repeating: "quire ", count: 2000)
        let bytes = try MadeWorkbook(sheet: "<sheetData>\(rows)</sheetData>", strings: [long, long + "!"])
            .bytes
        #expect(trouble(bytes, narrow)?.contains("its cells take more than 1 MB and over 64 times") == true)
        // The same texts are no trouble where they are not much.
        #expect(trouble(bytes) == nil)
    }

    @Test("One long text for a wide merged area is refused before the row is made")
    func mergedText() throws {
        let long = String(repeating: "quire ", count: 2000)
        let bytes = try MadeWorkbook(
            sheet:
                "<sheetData><row r=\"1\"><c r=\"A1\" t=\"s\"><v>0</v></c></row></sheetData><mergeCells><mergeCell ref=\"A1:XFD1\"/></mergeCells>",
            strings: [long]
        ).bytes
        #expect(trouble(bytes, narrow) == "line 1: the row is longer than 1 MB.")
    }

    @Test(
        "What an OpenDocument sheet says many times over is refused as well",
        arguments: [
            ("number-columns-repeated=\"9000\"", "", "line 1: the row is longer than 1 MB."),
            ("", "number-rows-repeated=\"1000000\"", "its cells take more than 1 MB"),
        ])
    func repeated(_ cell: String, _ row: String, _ reason: String) throws {
        var bytes: [UInt8] = []
        var zip = ZIPWriter { bytes += $0 }
        let long = String(repeating: "quire ", count: 100)
        let content =
            "<document><table name=\"A\"><table-row \(row)><table-cell \(cell)><p>\(long)</p></table-cell></table-row></table></document>"
        try zip.add("content.xml", Array(content.utf8), modified: Moment(milliseconds: 0))
        try zip.finish()
        #expect(trouble(bytes, narrow)?.contains(reason) == true)
    }

    @Test("Many names and then many empty objects do not become a wide table of nothing")
    func wideJSON() throws {
        let names = (0..<5000).map { "\"n\($0)\":1" }.joined(separator: ",")
        let bytes = Array("[{\(names)}\(String(repeating: ",{\"n1\":2}", count: 2000))]".utf8)
        #expect(trouble(bytes, narrow)?.contains("its cells take more than 1 MB") == true)
    }

    @Test("A document type is refused: entities could grow without end or read files")
    func entities() throws {
        let made = MadeWorkbook(sheet: "<!DOCTYPE x [<!ENTITY a \"aaaa\">]><sheetData/>")
        #expect(trouble(try made.bytes)?.contains("document type") == true)
    }

    @Test("Column two hundred thousand is refused with its row")
    func columns() throws {
        let made = MadeWorkbook(
            sheet: "<sheetData><row r=\"7\"><c r=\"KIUK7\"><v>1</v></c></row></sheetData>")
        #expect(trouble(try made.bytes)?.contains("line 7: the row has more than 16384 cells") == true)
    }

    @Test("Files cut off anywhere end with a sentence, never with a crash")
    func truncated() throws {
        let made = try MadeWorkbook(
            sheet: "<sheetData><row r=\"1\"><c r=\"A1\" t=\"s\"><v>0</v></c></row></sheetData>",
            strings: ["Name"]
        ).bytes
        for length in stride(from: 0, to: made.count, by: 7) {
            #expect(trouble(Array(made.prefix(length))) != nil)
        }
    }

    @Test("Any byte may be wrong")
    func flipped() throws {
        let made = try MadeWorkbook(
            sheet:
                "<sheetData><row r=\"1\"><c r=\"A1\" t=\"s\"><v>0</v></c><c r=\"B1\"><v>5</v></c></row></sheetData>",
            strings: ["Name"]
        ).bytes
        for place in stride(from: 0, to: made.count, by: 3) {
            var bytes = made
            bytes[place] ^= 0x55
            _ = trouble(bytes)
        }
    }

    @Test("XML that is none ends with a sentence")
    func markup() throws {
        for sheet in [
            "<sheetData><row><c><v>1", "</a></b></c>",
            "<sheetData><row r=\"99999999999999999999\"><c r=\"ZZZZZZZZ1\"/></row>",
            "<a b=<c>", "<", "<sheetData><row><c t=\"s\"><v>-5</v></c></row></sheetData>", "<![CDATA[",
            "<!-- ",
            String(repeating: "<a>", count: 300),
        ] {
            _ = trouble(try MadeWorkbook(sheet: sheet).bytes)
        }
    }
}
