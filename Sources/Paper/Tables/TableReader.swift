/// Reads a table from any file it may come in, row by row, in memory that does not grow with the table.
///
/// ```swift
/// var table = try TableReader(path: "members.csv")
/// print(table.shape.columns.map(\.name), table.shape.choices.map(\.why))
/// while let row = try table.next() {
///     guard row.flaw == nil else { continue }  // set aside, see `TableRow.flaw`
///     print(row.cells.map(\.shown))
/// }
/// ```
///
/// What the file does not say (encoding, separator, sheet, where the names stand) is found by looking, with a
/// reason for each choice in `shape.choices`; `TableOptions` overrides any of it. Every row without a flaw has
/// exactly one cell for each column.
public struct TableReader: ~Copyable {
    public let shape: TableShape
    private let source: any RowSource
    private let width: Int
    private let fillsShortRows: Bool
    /// Rows that were looked at to find the names, and are still to be given.
    private var ahead: ArraySlice<PackedRow>
    private var scratch = PackedRow()
    private let limits: TableLimits
    /// Of the file, as far as it has come: a stream tells it only as it goes by.
    private let fileByteCount: () -> Int
    private var cellsByteCount = 0

    /// `name` is what the file was called, where its path does not say.
    public init(
        path: String, name: String? = nil, options: TableOptions = TableOptions()
    ) throws(TableError) {
        try self.init(try OpenedTable(path: path, name: name, options: options), options)
    }

    public init(
        bytes: [UInt8], name: String? = nil, options: TableOptions = TableOptions()
    ) throws(TableError) {
        try self.init(try OpenedTable(bytes: bytes, name: name, options: options), options)
    }

    /// From a pipe. `next` gives up to so many bytes, and none at the end. What has to be read from its end (a
    /// workbook) is held in memory.
    public init(
        name: String? = nil, options: TableOptions = TableOptions(),
        stream next: @escaping (Int) throws -> [UInt8]
    ) throws(TableError) {
        try self.init(try OpenedTable(stream: StreamBytes(next), name: name, options: options), options)
    }

    init(_ opened: OpenedTable, _ options: TableOptions) throws(TableError) {
        let beginning = try TableBeginning(opened, options)
        shape = beginning.shape
        source = opened.rows
        width = beginning.shape.columns.count
        fillsShortRows = options.fillsShortRows || beginning.shape.format != .csv
        ahead = beginning.rows
        limits = options.limits
        fileByteCount = opened.fileByteCount
    }

    /// Rows left out so far because their sheet hides them.
    public var hiddenRowCount: Int { source.hiddenRowCount }

    /// The next row that is not blank, or nil at the end.
    public mutating func next() throws(TableError) -> TableRow? {
        // Lent out and taken back, so that its buffer serves for every row.
        var row = PackedRow()
        swap(&row, &scratch)
        let found = try read(into: &row) ? row.row : nil
        swap(&row, &scratch)
        return found
    }

    /// The same without making strings of every cell; false at the end.
    public mutating func read(into row: inout PackedRow) throws(TableError) -> Bool {
        while true {
            var isHeld = false
            if let held = ahead.popFirst() {
                row = held
                isHeld = true
            } else if !(try source.read(into: &row)) {
                return false
            }
            guard row.flaw != nil || !row.isBlank else { continue }
            if row.flaw == nil, row.cellCount != width { row.fit(width, fillsShort: fillsShortRows) }
            if row.flaw == nil {
                if isHeld { row.source = "" }
            } else {
                if !isHeld { row.source = source.lastSource }
                if row.source.isEmpty { row.source = PackedRow.joined(row) }
            }
            cellsByteCount += row.bytes.count + row.source.utf8.count
            try limits.check(cells: cellsByteCount, ofFile: fileByteCount(), line: row.place)
            return true
        }
    }
}

extension PackedRow {
    /// Makes a row as wide as the table, or says why that cannot be done without guessing.
    mutating func fit(_ width: Int, fillsShort: Bool) {
        if cellCount > width {
            if holdsNothing(from: width) {
                cut(to: width)
            } else {
                flaw =
                    width == 1
                    ? "The row has \(cellCount) cells, but the table has 1 column."
                    : "The row has \(cellCount) cells, but the table has \(width) columns."
            }
        } else if fillsShort {
            while cellCount < width { appendEmpty() }
        } else {
            flaw = "The row has only \(cellCount) of \(width) cells."
        }
    }

    /// Every cell is empty: a line of separators, as spreadsheets leave them behind.
    var isBlank: Bool { bytes.allSatisfy { $0 == 0 } }

    func holdsNothing(from width: Int) -> Bool {
        bytes.withUnsafeBytes { raw in
            var cells = PackedCells(raw)
            var place = 0
            while let cell = cells.next() {
                if place >= width, !cell.isEmpty { return false }
                place += 1
            }
            return true
        }
    }

    func isNothing(at place: Int) -> Bool {
        bytes.withUnsafeBytes { raw in
            var cells = PackedCells(raw)
            for _ in 0..<place where cells.next() == nil { return true }
            return cells.next()?.isEmpty ?? true
        }
    }

    mutating func cut(to width: Int) {
        let end = bytes.withUnsafeBytes { raw in
            var cells = PackedCells(raw)
            var place = 0
            while place < width, cells.next() != nil { place += 1 }
            return cells.position
        }
        bytes.removeSubrange(end...)
        cellCount = min(cellCount, width)
    }

    /// A row of a sheet as somebody could have typed it.
    static func joined(_ row: PackedRow) -> String {
        row.cells.map(\.shown).joined(separator: "\t")
    }
}
