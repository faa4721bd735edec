import Tables
import Testing

@Suite("Tables from texts")
struct TableReaderTests {
    private func read(
        _ text: String, _ options: TableOptions = TableOptions()
    ) throws -> (TableShape, [TableRow]) {
        try read(Array(text.utf8), options)
    }

    private func read(
        _ bytes: [UInt8], _ options: TableOptions = TableOptions()
    ) throws -> (TableShape, [TableRow]) {
        var table = try TableReader(bytes: bytes, options: options)
        var rows: [TableRow] = []
        while let row = try table.next() { rows.append(row) }
        return (table.shape, rows)
    }

    private func why(_ what: TableChoice.What, _ shape: TableShape) -> String? {
        shape.choices.first { $0.what == what }?.why
    }

    @Test("The separator is the one that gives rows of one length", arguments: [",", ";", "\t", "|"])
    func separators(_ mark: String) throws {
        let text =
            ["name", "amount", "note"].joined(separator: mark) + "\n"
            + ["Ana", "3,50", "a; b"].map { "\"\($0)\"" }.joined(separator: mark) + "\n"
            + ["Bo", "4", "c"].joined(separator: mark) + "\n"
        let (shape, rows) = try read(text)
        #expect(shape.separator == mark.first)
        #expect(rows.map { $0.cells.map(\.raw) } == [["Ana", "3,50", "a; b"], ["Bo", "4", "c"]])
        #expect(why(.separator, shape)?.contains("every row looked at (3) has 3 cells") == true)
    }

    @Test("“sep=;” in the first line is believed and is no row")
    func separatorLine() throws {
        let (shape, rows) = try read("sep=;\r\na;b,c\r\n1;2,3\r\n")
        #expect(shape.columns.map(\.name) == ["a", "b,c"])
        #expect(rows.map(\.place) == [3])
    }

    @Test("Lines may end in any way, also mixed, and empty ones are no rows")
    func lineEnds() throws {
        let (shape, rows) = try read("a,b\r\n1,2\n\n3,4\r5,6")
        #expect(rows.map { $0.cells.map(\.raw) } == [["1", "2"], ["3", "4"], ["5", "6"]])
        #expect(rows.map(\.place) == [2, 4, 5])
        #expect(shape.choices.first { $0.what == .lineEnds }?.value == "mixed")
    }

    @Test("A blank line between the names and the rows does no harm")
    func blankLine() throws {
        let (shape, rows) = try read("name,town\n\n,\nAna,Rome\n")
        #expect(shape.columns.map(\.name) == ["name", "town"])
        #expect(rows.map { $0.cells.map(\.raw) } == [["Ana", "Rome"]])
    }

    @Test("A title above the table is no part of it")
    func title() throws {
        let (shape, rows) = try read(
            "Members 2026,,\n\nname,town,born\nAna,Rome,1990-01-02\nBo,Oslo,1991-03-04\n")
        #expect(shape.headerRow == 3)
        #expect(shape.columns.map(\.kind) == [.text, .text, .date])
        #expect(rows.count == 2)
    }

    @Test("Without names the columns are numbered, and the first row is kept")
    func noNames() throws {
        let (shape, rows) = try read("1,ana@example.org,3.5\n2,bo@example.org,4\n3,cy@example.org,5\n")
        #expect(shape.headerRow == 0)
        #expect(shape.columns.map(\.name) == ["Column 1", "Column 2", "Column 3"])
        #expect(rows.count == 3)
        var options = TableOptions()
        options.headerRow = 1
        #expect(try read("1,2\n3,4\n", options).0.columns.map(\.name) == ["1", "2"])
    }

    @Test("Names that are missing or double get one that is not")
    func names() throws {
        let (shape, _) = try read("id,,Name,name\n1,2,3,4\n")
        #expect(shape.columns.map(\.name) == ["id", "Column 2", "Name", "name 2"])
        #expect(shape.notices.count == 2)
    }

    @Test("A row of another length is set aside with its line and its text, and the others go on")
    func ragged() throws {
        let (_, rows) = try read("a,b,c\n1,2,3\n4,5\n6,7,8,9\n1,2,3,\n")
        #expect(rows.map { $0.flaw == nil } == [true, false, false, true])
        #expect(rows[1].source == "4,5")
        #expect(rows[1].flaw == "The row has only 2 of 3 cells.")
        #expect(rows[2].place == 4)
        #expect(rows[2].flaw == "The row has 4 cells, but the table has 3 columns.")
        var options = TableOptions()
        options.fillsShortRows = true
        #expect(try read("a,b,c\n4,5\n", options).1.first?.cells.count == 3)
    }

    @Test("A quotation mark that is never closed costs one row, not the rest of the table")
    func unclosed() throws {
        let (_, rows) = try read("a,b\n1,2\n\"x,y\nz,3\n")
        #expect(rows.map { $0.flaw == nil } == [true, false, true])
        #expect(rows[1].source == "\"x,y")
    }

    @Test("A quotation mark that is not doubled is pointed out")
    func undoubled() throws {
        let (_, rows) = try read("a,b\n\"say \"hi\" now\",2\n3,4\n")
        #expect(rows[0].flaw != nil)
        #expect(rows[1].flaw == nil)
    }

    @Test("Backslashes before quotation marks are recognised")
    func escapes() throws {
        let (_, rows) = try read("a,b\n\"say \\\"hi\\\", Bo\",2\n\"x\",3\n")
        #expect(rows[0].cells.map(\.raw) == ["say \"hi\", Bo", "2"])
        #expect(rows[0].flaw == nil)
    }

    @Test("Zeros in front, long numbers and doubtful dates stay what they are")
    func kinds() {
        #expect(Cell("00123").kind == .text)
        #expect(Cell("4111111111111111").kind == .text)
        #expect(Cell("2.30").kind == .number)
        #expect(Cell("1.234,50").kind == .number)
        #expect(Cell("1,234,567").kind == .number)
        #expect(Cell("1.2.3").kind == .text)
        #expect(Cell("1e5").kind == .text)
        #expect(Cell("2024-02-29").date == "2024-02-29")
        #expect(Cell("31.12.1999").date == "1999-12-31")
        #expect(Cell("03/04/2020").kind == .date)
        #expect(Cell("03/04/2020").date == nil)
        #expect(Cell("12/31/2020").date == "2020-12-31")
        #expect(Cell("31.02.2020").kind == .text)
        #expect(Cell("8:05").date == "08:05:00")
        #expect(Cell("2024-01-31T08:30:00").date == "2024-01-31T08:30:00")
    }

    @Test("Packed cells come out as they went in")
    func packing() {
        let cells = [
            Cell.empty, Cell("Ana"), Cell(kind: .date, raw: "45292", shown: "01.01.24", date: "2024-01-01"),
            Cell(kind: .number, raw: "0.5", shown: "50 %"), Cell(String(repeating: "ä", count: 300)),
        ]
        #expect(PackedRow(place: 1, cells: cells).cells == cells)
    }

    @Test("Bytes that are no packed cells end the walk instead of the program")
    func damaged() {
        for bytes: [UInt8] in [[7], [7, 0xFF], [7, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F], [0x1F, 1, 65]] {
            bytes.withUnsafeBytes { raw in
                var cells = PackedCells(raw)
                #expect(cells.next() == nil)
            }
        }
    }
}

@Suite("Encodings of texts")
struct EncodingTests {
    /// Texts in their encodings, made once by Python's codecs: name, bytes, and the first cell below the names.
    private static let samples: [(encoding: String, bytes: [UInt8], cell: String)] = [
        ("UTF-8", Array("Vorname;Ort\nJürgen;Köln\n".utf8), "Jürgen"),
        (
            "windows-1252",
            [0x4E, 0x3B, 0x4F, 10, 0x4D, 0xFC, 0x6C, 0x6C, 0x65, 0x72, 0x3B, 0x4B, 0xF6, 0x6C, 0x6E, 10],
            "Müller"
        ),
        (
            "macintosh",
            [0x4E, 0x3B, 0x4F, 13, 0x4D, 0x9F, 0x6C, 0x6C, 0x65, 0x72, 0x3B, 0x4B, 0x9A, 0x6C, 0x6E, 13],
            "Müller"
        ),
        (
            "windows-1250",
            [0x4E, 0x3B, 0x4F, 10, 0xA3, 0x75, 0x6B, 0x61, 0x73, 0x7A, 0x3B, 0xA3, 0xF3, 0x64, 0x9F, 10],
            "Łukasz"
        ),
        (
            "windows-1251",
            [0x4E, 0x3B, 0x4F, 10, 0xC8, 0xE2, 0xE0, 0xED, 0x3B, 0xCC, 0xEE, 0xF1, 0xEA, 0xE2, 0xE0, 10],
            "Иван"
        ),
        (
            "Shift_JIS",
            [
                0x4E, 0x2C, 0x4F, 10, 0x8E, 0x52, 0x93, 0x63, 0x91, 0xBE, 0x98, 0x59, 0x2C, 0x93, 0x8C, 0x8B,
                0x9E, 0x93, 0x73, 10,
            ],
            "山田太郎"
        ),
        // Names in narrow kana beside characters whose second byte is a backslash.
        (
            "Shift_JIS",
            [
                0x8E, 0x81, 0x96, 0xBC, 0x2C, 0x8B, 0xE6, 10, 0xD4, 0xCF, 0xC0, 0xDE, 0x20, 0xC0, 0xDB, 0xB3,
                0x2C, 0x95, 0x5C, 10, 0x83, 0x5C, 0x95, 0x5C, 0x94, 0x5C, 0x2C, 0x42, 10,
            ],
            "ﾔﾏﾀﾞ ﾀﾛｳ"
        ),
        (
            "windows-1251", [0x6E, 0x2C, 0x78, 10, 0xC8, 0xC2, 0xC0, 0xCD, 0xCE, 0xC2, 0x2C, 0x31, 10],
            "ИВАНОВ"
        ),
        (
            "UTF-16LE",
            [0xFF, 0xFE] + "N;O\nJürgen;Köln\n".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }, "Jürgen"
        ),
        ("UTF-16BE", "N;O\nJürgen;Köln\n".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }, "Jürgen"),
    ]

    @Test("The encoding is found and explained", arguments: samples.indices)
    func found(_ place: Int) throws {
        let sample = Self.samples[place]
        var table = try TableReader(bytes: sample.bytes)
        #expect(table.shape.encoding == sample.encoding)
        #expect(try table.next()?.cells.first?.shown == sample.cell)
        let choice = table.shape.choices.first { $0.what == .encoding }
        #expect(choice?.why.isEmpty == false)
        #expect(choice?.isGiven == false)
    }

    @Test("A given encoding is used, and one that nobody knows is refused")
    func given() throws {
        var options = TableOptions()
        options.encoding = "windows-1252"
        var table = try TableReader(bytes: Array("a;b\nJürgen;x\n".utf8), options: options)
        #expect(try table.next()?.cells.first?.shown == "JÃ¼rgen")
        options.encoding = "klingon"
        #expect(throws: TableError.self) { _ = try TableReader(bytes: [0x61], options: options) }
    }

    @Test("The first umlaut may come late in a long list")
    func late() throws {
        let plain = String(repeating: "Ana;Rome\n", count: 60_000)
        var table = try TableReader(bytes: Array("n;o\n\(plain)".utf8) + [0x4D, 0xFC, 0x6C, 0x3B, 0x41, 10])
        #expect(table.shape.encoding == "windows-1252")
        var last: TableRow?
        while let row = try table.next() { last = row }
        #expect(last?.cells.first?.shown == "Mül")
        #expect(last?.flaw == nil)
    }

    @Test("A row in another encoding than the rest is set aside instead of misread")
    func mixed() throws {
        let good = String(repeating: "Jürgen;Köln\n", count: 30_000)
        var table = try TableReader(bytes: Array("n;o\n\(good)".utf8) + [0x4D, 0xFC, 0x6C, 0x3B, 0x41, 10])
        #expect(table.shape.encoding == "UTF-8")
        var flaws = 0
        while let row = try table.next() { if row.flaw != nil { flaws += 1 } }
        #expect(flaws == 1)
    }
}

@Suite("Tables that are none")
struct HostileTextTests {
    private func trouble(_ bytes: [UInt8]) -> String? {
        do {
            var table = try TableReader(bytes: bytes)
            while try table.next() != nil {}
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test("What is uploaded by mistake is called by its name")
    func mistakes() {
        #expect(trouble([]) == "The file is empty.")
        #expect(trouble(Array("\n\n\n".utf8)) == "The table is empty: there is no row in it.")
        #expect(trouble(Array("%PDF-1.7\n".utf8)) == "This is a PDF, not a table.")
        #expect(trouble([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1])?.contains(".xls") == true)
        #expect(trouble([0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 3, count: 100)) != nil)
        #expect(
            trouble(Array("<!doctype html><table><tr><td>a</td></tr></table>".utf8))?.contains("web page")
                == true)
    }

    @Test("A hundred thousand columns are refused with a reason")
    func columns() {
        let text = String(repeating: "a,", count: 100_000) + "a\n"
        #expect(trouble(Array(text.utf8))?.contains("more than 16384 cells") == true)
    }

    @Test("A cell without end is refused before it fills the memory")
    func endless() throws {
        var given = 0
        do {
            var table = try TableReader(stream: { count in
                given += count
                return given > 1 << 30 ? [] : [UInt8](repeating: 0x61, count: count)
            })
            while try table.next() != nil {}
            Issue.record("a cell of 1 GB was read")
        } catch {
            #expect(error.reason.contains("longer than 16 MB"))
        }
        #expect(given < 256 << 20)
    }

    @Test("An endless quoted cell costs its line, and what follows is still read")
    func endlessQuote() throws {
        let filler = String(repeating: "some text without any mark\n", count: 800_000)
        var table = try TableReader(bytes: Array("a,b\n\"open,1\n\(filler)".utf8))
        let first = try table.next()
        #expect(first?.flaw == "A quotation mark that is opened here is never closed.")
    }

    @Test(
        "What the writer guards against spreadsheets the reader takes off again",
        arguments: [
            ("+34 (91) 123-45.67", "+34 (91) 123-45.67"), ("=1+1", "'=1+1"), ("+1+cmd", "'+1+cmd"),
            ("-x", "'-x"),
            ("@sum", "'@sum"), ("-5", "-5"), ("'=1", "''=1"), ("''@a", "'''@a"), ("'quoted'", "'quoted'"),
            ("it's", "it's"), ("+12", "+12"), ("+1-2", "'+1-2"), ("'", "'"),
        ])
    func guards(_ text: String, _ written: String) throws {
        #expect(CSVLine.text([text, "x"]) == "\(written),x\r\n")
        var table = try TableReader(bytes: Array("A,B\r\n\(CSVLine.text([text, "x"]))".utf8), name: "a.csv")
        #expect(try table.next()?.cells.map(\.shown) == [text, "x"])
    }
}
