public import Formulas
public import Tables

/// What mapping wants to know about a column: its name, its kind, and some of what stands in it.
public struct ColumnFacts: Sendable, Equatable {
    public var name: String
    /// What stands over it in its file. Names are told apart by numbers where only blanks or capitals do; a form may have a
    /// field of each.
    public var written: String
    public var type: FormulaType
    /// Values of some rows, without the empty ones, as the table shows them.
    public private(set) var samples: [String]
    /// The same as formulas see them.
    public private(set) var cells: [FormulaCell]

    /// So many rows tell enough about a column.
    public static let usualSampleCount = 200

    public init(name: String, type: FormulaType = .any, samples: [String] = []) {
        self.name = name
        written = name
        self.type = type
        self.samples = samples
        cells = samples.map { FormulaCell($0) }
    }

    public init(name: String, type: FormulaType, cells: [Cell], written: String? = nil) {
        self.name = name
        self.written = written ?? name
        self.type = type
        let used = cells.filter { !$0.shown.allSatisfy(\.isWhitespace) }
        samples = used.map(\.shown.trimmed)
        self.cells = used.map { FormulaCell($0) }
    }

    public static func gathered(_ columns: [TableColumn], rows: [TableRow]) -> [ColumnFacts] {
        columns.enumerated().map { index, column in
            ColumnFacts(
                name: column.name, type: FormulaType(column.kind),
                cells: rows.compactMap { row in
                    row.flaw == nil && row.cells.indices.contains(index) ? row.cells[index] : nil
                }, written: column.written)
        }
    }
}

extension FormulaType {
    /// What the first rows of a column look like promises nothing for the others: only dates and numbers of typed
    /// tables are relied on, and those are told by their cells.
    public init(_ kind: Cell.Kind) {
        self =
            switch kind {
            case .number: .number
            case .date: .date
            case .boolean: .flag
            case .text: .text
            case .empty, .time: .any
            }
    }
}

extension FormulaColumns {
    public init(_ facts: [ColumnFacts]) {
        self.init(facts.map(\.name), types: facts.map(\.type))
        samples = facts.map(\.cells)
    }
    public init(_ columns: [TableColumn]) {
        self.init(columns.map(\.name), types: columns.map { FormulaType($0.kind) })
    }
}
