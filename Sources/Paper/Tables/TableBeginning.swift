/// The first rows of a table, looked at to find out what its columns are.
struct TableBeginning {
    var shape: TableShape
    /// Those that are still to be given to whoever reads.
    var rows: ArraySlice<PackedRow>

    private static let looksAhead = 100

    init(_ opened: OpenedTable, _ options: TableOptions) throws(TableError) {
        shape = opened.shape
        var rows: [PackedRow] = []
        var heldByteCount = 0
        var row = PackedRow()
        let wanted = max(Self.looksAhead, min(options.headerRow ?? 0, 10_000) + 20)
        while rows.count < wanted, heldByteCount < 4 << 20, try opened.rows.read(into: &row) {
            // Whether a row has a flaw is known only when the columns are.
            row.source = opened.rows.lastSource
            heldByteCount += row.bytes.count
            rows.append(row)
        }
        self.rows = rows[...]
        let names: [String]
        var written: [String] = []
        if let given = opened.columnNames {
            names = given
        } else {
            (names, written) = try chooseHeader(rows, options)
        }
        guard !names.isEmpty else { throw TableError(opened.emptySentence) }
        shape.columns = Self.columns(names, written, self.rows)
    }

    private mutating func chooseHeader(
        _ rows: [PackedRow], _ options: TableOptions
    ) throws(TableError) -> (names: [String], written: [String]) {
        let whole = rows.filter { $0.flaw == nil }
        let usable = whole.isEmpty ? rows : whole
        let finder = HeaderFinder(usable, given: options.headerRow)
        let header = finder.index.map { usable[$0] }
        if let wanted = options.headerRow, wanted > 0, header == nil {
            throw TableError("There is no row \(wanted) that could name the columns.")
        }
        if let header, let place = rows.firstIndex(where: { $0.place == header.place }) {
            self.rows = rows[(place + 1)...]
        }
        let (names, notices) = HeaderFinder.names(header?.cells ?? [], width: finder.width)
        shape.headerRow = header?.place ?? 0
        shape.choices.append(
            TableChoice(
                .headerRow, String(shape.headerRow), finder.why, isGiven: options.headerRow != nil))
        shape.notices += notices
        return (names, header?.cells.map(\.shown) ?? [])
    }

    private static func columns(
        _ names: [String], _ written: [String], _ rows: ArraySlice<PackedRow>
    ) -> [TableColumn] {
        var counts = [[Cell.Kind: Int]](repeating: [:], count: names.count)
        for row in rows.prefix(looksAhead) where row.flaw == nil {
            for (place, cell) in row.cells.prefix(names.count).enumerated() where cell.kind != .empty {
                counts[place][cell.kind, default: 0] += 1
            }
        }
        return zip(names, counts).enumerated().map { place, column in
            let (name, counts) = column
            let words = written.indices.contains(place) && !written[place].isEmpty ? written[place] : nil
            let all = counts.values.reduce(0, +)
            // One word among numbers makes a column of texts: nothing is lost by calling it so.
            let only = counts.first { $0.value == all }?.key
            return TableColumn(name: name, kind: only ?? (all == 0 ? .empty : .text), written: words)
        }
    }
}
