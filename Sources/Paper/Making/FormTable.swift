import Bytes
public import Mappings
import PDFForms
public import Tables

/// The rows of a table for filling, whatever file they come from, with what must be known before the first of them:
/// its columns, what stands in them, and how many rows there are.
public struct FormTable: ~Copyable {
    public let name: String
    public let columns: [TableColumn]
    /// Samples of every column, from the first rows.
    public let facts: [ColumnFacts]
    /// About how many rows there are; exact but for texts with blank lines.
    public let count: Int
    /// What was found out about the file, each with its reason.
    public let choices: [TableChoice]
    public let notices: [String]
    /// Rows that the sheet hides and that are left out for it.
    public let hiddenRowCount: Int

    private var ahead: ArraySlice<TableRow>
    private let rest: Source

    public init(_ file: InputFile, options: TableOptions = TableOptions()) throws {
        // Form data from other programs hold the values of one form: a table of one row.
        let beginning = file.beginning(512).drop { $0 <= 32 || [0xEF, 0xBB, 0xBF].contains($0) }
        if options.format == nil, FormData.isFDF(beginning) || FormData.isXFDF(beginning),
            let data = try FormData(recognising: file.bytes())
        {
            var options = options
            options.format = .json
            let bytes = Array(JSON.array([data.json]).text.utf8)
            let source = Source(try TableReader(bytes: bytes, name: file.name, options: options))
            try self.init(source, name: file.name, count: 1, hiddenRowCount: 0)
            return
        }
        let source = Source(try TableReader(path: file.path, name: file.name, options: options))
        let count: Int
        var hidden = 0
        switch source.shape.format {
        case .csv:
            let headerRow = source.shape.headerRow
            count = max(0, try file.countLines() - (headerRow > 0 ? headerRow : 0))
        default:
            (count, hidden) = try Self.counted(
                TableReader(path: file.path, name: file.name, options: options))
        }
        try self.init(source, name: file.name, count: count, hiddenRowCount: hidden)
    }

    private init(_ source: Source, name: String, count: Int, hiddenRowCount: Int) throws {
        self.name = name
        columns = source.shape.columns
        self.count = count
        choices = source.shape.choices
        notices = source.shape.notices
        self.hiddenRowCount = hiddenRowCount
        var ahead: [TableRow] = []
        while ahead.count < ColumnFacts.usualSampleCount, let row = try source.next() { ahead.append(row) }
        facts = ColumnFacts.gathered(columns, rows: ahead)
        self.ahead = ahead[...]
        rest = source
    }

    public mutating func next() throws -> TableRow? {
        if let row = ahead.popFirst() { return row }
        return try rest.next()
    }

    private static func counted(_ reader: consuming TableReader) throws -> (rows: Int, hidden: Int) {
        var row = PackedRow()
        var count = 0
        while try reader.read(into: &row) { count += 1 }
        return (count, reader.hiddenRowCount)
    }
}

/// The reader with its place in the file.
private final class Source {
    private var reader: TableReader
    let shape: TableShape

    init(_ reader: consuming TableReader) {
        shape = reader.shape
        self.reader = reader
    }

    func next() throws -> TableRow? { try reader.next() }
}
