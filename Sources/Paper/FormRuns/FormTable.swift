public import Bytes
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
    /// True when the file itself tells numbers and dates from texts.
    public let isTyped: Bool
    /// About how many rows there are; exact but for texts with blank lines.
    public let count: Int
    /// What was found out about the file, each with its reason.
    public let choices: [TableChoice]
    public let notices: [String]
    /// Rows that the sheet hides and that are left out for it.
    public let hiddenRowCount: Int

    private var ahead: ArraySlice<TableRow>
    private let rest: () throws -> TableRow?

    public init(_ file: InputFile, options: TableOptions = TableOptions()) throws {
        let beginning = file.beginning(512).drop { $0 <= 32 || [0xEF, 0xBB, 0xBF].contains($0) }
        if options.format == .json || options.format == nil && beginning.first == UInt8(ascii: "[") {
            try self.init(json: JSON(parsing: file.bytes()), name: file.name)
            return
        }
        // Form data from other programs hold the values of one form: a table of one row.
        if options.format == nil, FormData.isFDF(beginning) || FormData.isXFDF(beginning),
            let data = try FormData(recognising: file.bytes())
        {
            try self.init(json: .array([data.json]), name: file.name)
            return
        }
        let source = Source(try TableReader(path: file.path, name: file.name, options: options))
        let shape = source.shape
        let count: Int
        var hidden = 0
        switch shape.format {
        case .csv: count = max(0, try file.countLines() - (shape.headerRow > 0 ? shape.headerRow : 0))
        default:
            (count, hidden) = try Self.counted(
                TableReader(path: file.path, name: file.name, options: options))
        }
        try self.init(
            name: file.name, columns: shape.columns, isTyped: [.xlsx, .ods, .sql].contains(shape.format),
            count: count,
            choices: shape.choices, notices: shape.notices, hiddenRowCount: hidden,
            next: { try source.next() })
    }

    /// A JSON array of objects: a member is a column.
    public init(json: JSON, name: String = "JSON") throws {
        guard let items = json.array else { throw TableError("the JSON is no array of objects") }
        var columns: [TableColumn] = []
        var known: [String: Int] = [:]
        for item in items {
            for (name, _) in item.object ?? [:] where known[name] == nil {
                known[name] = columns.count
                columns.append(TableColumn(name: name, kind: .text))
            }
        }
        guard !columns.isEmpty || items.isEmpty else { throw TableError("the JSON is no array of objects") }
        var place = 0
        let width = columns.count
        try self.init(
            name: name, columns: columns, isTyped: true, count: items.count, choices: [], notices: [],
            next: {
                guard place < items.count else { return nil }
                place += 1
                return Self.row(items[place - 1], place, known, width)
            })
    }

    private init(
        name: String, columns: [TableColumn], isTyped: Bool, count: Int, choices: [TableChoice],
        notices: [String], hiddenRowCount: Int = 0,
        next: @escaping () throws -> TableRow?
    ) throws {
        self.name = name
        self.columns = columns
        self.isTyped = isTyped
        self.count = count
        self.choices = choices
        self.notices = notices
        self.hiddenRowCount = hiddenRowCount
        var ahead: [TableRow] = []
        while ahead.count < ColumnFacts.usualSampleCount, let row = try next() { ahead.append(row) }
        facts = ColumnFacts.gathered(columns, rows: ahead)
        self.ahead = ahead[...]
        rest = next
    }

    public mutating func next() throws -> TableRow? {
        if let row = ahead.popFirst() { return row }
        return try rest()
    }

    private static func counted(_ reader: consuming TableReader) throws -> (rows: Int, hidden: Int) {
        var row = PackedRow()
        var count = 0
        while try reader.read(into: &row) { count += 1 }
        return (count, reader.hiddenRowCount)
    }

    private static func row(_ item: JSON, _ place: Int, _ known: [String: Int], _ width: Int) -> TableRow {
        var row = TableRow(place: place, cells: [Cell](repeating: .empty, count: width))
        guard let object = item.object else {
            row.flaw = "Item \(place) of the JSON is no object."
            return row
        }
        for (name, value) in object {
            guard let index = known[name] else { continue }
            guard let cell = cell(value) else {
                row.flaw = "The value of “\(name)” is no text, array of texts, number or boolean."
                continue
            }
            row.cells[index] = cell
        }
        return row
    }

    private static func cell(_ json: JSON) -> Cell? {
        switch json {
        case .string(let text): return text.isEmpty ? .empty : Cell(kind: .text, raw: text, shown: text)
        case .bool(let flag):
            return Cell(kind: .boolean, raw: flag ? "TRUE" : "FALSE", shown: flag ? "yes" : "no")
        case .integer, .number: return Cell(kind: .number, raw: json.text, shown: json.text)
        case .array(let items):
            let texts = items.compactMap(\.string)
            guard texts.count == items.count else { return nil }
            // What a list takes for several choices.
            return Cell(kind: .text, raw: json.text, shown: texts.joined(separator: "\n"))
        case .null: return .empty
        case .object: return nil
        }
    }
}

/// The reader with its place in the file, shared by the closure that asks it for rows.
private final class Source {
    private var reader: TableReader
    let shape: TableShape

    init(_ reader: consuming TableReader) {
        shape = reader.shape
        self.reader = reader
    }

    func next() throws -> TableRow? { try reader.next() }
}
