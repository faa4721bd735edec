/// The kinds of files a table can come from.
public enum TableFormat: String, Sendable, Equatable, CaseIterable {
    case csv, xlsx, ods, json, ndjson, vcard, sql
}

/// What is known better than the file shows. Everything left out is found by looking.
public struct TableOptions: Sendable, Equatable {
    public var format: TableFormat?
    /// Between the cells of a CSV: one ASCII character.
    public var separator: Character?
    /// Around cells that hold a separator: one ASCII character, or an empty text for none.
    public var quote: String?
    /// A name as IANA spells it: `windows-1252`, `UTF-16LE`, `Shift_JIS`.
    public var encoding: String?
    /// The name of a sheet.
    public var sheet: String?
    /// The line or row with the names of the columns; 0 when there is none.
    public var headerRow: Int?
    public var includesHiddenRows = false
    /// A row that ends before its last column: taken as if the rest were empty, instead of set aside.
    public var fillsShortRows = false
    public var limits = TableLimits()

    public init() {}
}

/// Where a table stops being one. What is beyond is refused with a sentence.
public struct TableLimits: Sendable, Equatable {
    /// As many as the largest sheet has.
    public var columnCount = 16_384
    public var cellByteCount = 1 << 20
    public var rowByteCount = 16 << 20
    /// What a compressed file may become.
    public var unpackedByteCount: Int64 = 8 << 30
    /// For what has to be held whole: shared strings, JSON that is one array.
    public var heldByteCount = 256 << 20
    /// What all cells together may always take, and beyond that how many times the bytes of their file. What grows
    /// further was made to fill disks: one long text named by every cell, a row that is repeated a million times.
    public var cellsByteCount = 128 << 20
    public var mostGrowth = 64

    public init() {}

    /// Holds what has been read so far against the file it comes from.
    public func check(
        cells byteCount: Int, ofFile fileByteCount: @autoclosure () -> Int, line: Int
    ) throws(TableError) {
        guard byteCount > cellsByteCount, byteCount / mostGrowth > fileByteCount() else { return }
        throw TableError(
            line: line,
            reason:
                "up to here its cells take more than \(cellsByteCount >> 20) MB and over \(mostGrowth) times as much as the file itself, because it says the same again and again, and it is refused. Save the sheet as CSV to see what is in it."
        )
    }

    /// What is held in memory for one row.
    func check(row byteCount: Int, line: Int) throws(TableError) {
        guard byteCount > rowByteCount else { return }
        throw TableError(line: line, reason: "the row is longer than \(rowByteCount >> 20) MB.")
    }
}
