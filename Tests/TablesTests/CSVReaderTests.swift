import Tables
import Testing

@Suite("Reading tables")
struct CSVReaderTests {
    private func rows(_ text: String) throws -> [[String]] {
        var reader = CSVReader(Array(text.utf8))
        var rows: [[String]] = []
        while let row = try reader.row() { rows.append(row.cells) }
        return rows
    }

    @Test("Quoted cells may hold separators, quotation marks and line ends")
    func quoting() throws {
        #expect(
            try rows("a,b\r\n\"x, y\",\"say \"\"hi\"\"\nthere\"\n") == [
                ["a", "b"], ["x, y", "say \"hi\"\nthere"],
            ])
    }

    @Test("The separator is found in the first line", arguments: [",", ";", "\t", "|"])
    func separators(_ separator: String) throws {
        #expect(
            try rows("name\(separator)city\nAna\(separator)Rome\n") == [["name", "city"], ["Ana", "Rome"]])
    }

    @Test("A byte order mark is no part of the first name, empty lines are no rows, empty cells stay")
    func edges() throws {
        #expect(try rows("\u{FEFF}a,b\n\n,2\n3,\n") == [["a", "b"], ["", "2"], ["3", ""]])
        #expect(try rows("") == [])
        #expect(try rows("a") == [["a"]])
    }

    @Test("Bytes that are no UTF-8 are read as Windows-1252")
    func windows() throws {
        var reader = CSVReader([0x5A, 0x6F, 0xEB, 0x2C, 0x80, 10])
        #expect(try reader.row()?.cells == ["Zoë", "€"])
    }

    @Test("A quotation mark that is never closed is named with its line")
    func unclosed() {
        #expect(throws: TableError(line: 2, reason: "a quotation mark is never closed")) {
            try rows("a,b\n\"x,y\nz")
        }
    }

    @Test("A row knows the line it begins on")
    func lines() throws {
        var reader = CSVReader(Array("a\n\"1\n2\"\nb\n".utf8))
        var lines: [Int] = []
        while let row = try reader.row() { lines.append(row.line) }
        #expect(lines == [1, 2, 4])
    }

    @Test("Pieces of one byte give the same rows")
    func pieces() throws {
        var rest = Array("a;b\r\n\"c;\"\"d\";é\r\n".utf8)[...]
        var reader = CSVReader { _ in
            defer { rest = rest.dropFirst() }
            return Array(rest.prefix(1))
        }
        _ = try reader.row()
        #expect(try reader.row()?.cells == ["c;\"d", "é"])
    }
}
