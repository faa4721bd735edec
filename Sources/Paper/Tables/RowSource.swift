/// What a format gives: rows as they stand in the file, the names of the columns among them, blank rows left out.
protocol RowSource: AnyObject {
    /// False at the end.
    func read(into row: inout PackedRow) throws(TableError) -> Bool

    /// The text of the row read last, until the next one is read; empty where the file is no text.
    var lastSource: String { get }

    /// See `TableReader.hiddenRowCount`.
    var hiddenRowCount: Int { get }
}

extension RowSource {
    var lastSource: String { "" }
    var hiddenRowCount: Int { 0 }
}
