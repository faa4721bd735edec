public import Work

/// What a formula knows that is the same for every row.
public struct FormulaContext: Sendable, Equatable {
    public var columns: FormulaColumns
    /// Small tables for `lookup`, by their names.
    public var tables: [FormulaTable]
    public var locale: FormulaLocale
    /// In which language days are written out, where that is not that of the papers: in a letter, that of its readers. What is a
    /// number is written as on the papers, so that both say the same.
    public var letters: FormulaLocale?
    public var today: WallTime
    /// How many rows there are, where that is known.
    public var rowCount: Int?
    /// What the form is called.
    public var template: String

    public init(
        columns: FormulaColumns, tables: [FormulaTable] = [], locale: FormulaLocale = .standard,
        today: WallTime, rowCount: Int? = nil, template: String = ""
    ) {
        self.columns = columns
        self.tables = tables
        self.locale = locale
        self.today = today
        self.rowCount = rowCount
        self.template = template
    }

    public var dayLanguage: FormulaLocale { letters ?? locale }

    func table(_ name: String) -> FormulaTable? {
        let key = Nearest.folded(name)
        return tables.first { Nearest.folded($0.name) == key }
    }
}

/// One cell of the row at hand: what it holds, and how the table shows it.
public struct FormulaCell: Sendable, Equatable {
    public var value: FormulaValue
    public var shown: String

    public init(_ value: FormulaValue, shown: String) {
        self.value = value
        self.shown = shown
    }

    /// A cell of a table of texts.
    public init(_ text: String) { self.init(.text(text), shown: text) }

    public static let blank = FormulaCell(.blank, shown: "")
}

/// A row, and what surrounds it. The cells are in the order of the context's columns.
public struct FormulaScope: Sendable {
    public var context: FormulaContext
    public var cells: [FormulaCell]
    /// Counted from 1.
    public var row: Int

    public init(_ context: FormulaContext, cells: [FormulaCell], row: Int = 1) {
        self.context = context
        self.cells = cells
        self.row = row
    }
}

/// A small table that turns one text into another. Capitals do not matter.
public struct FormulaTable: Sendable, Equatable {
    public let name: String
    public let entries: [Entry]
    private let places: [String: Int]

    public struct Entry: Sendable, Equatable {
        public var key: String
        public var value: String
        public init(key: String, value: String) {
            self.key = key
            self.value = value
        }
    }

    public init(name: String, entries: [Entry]) {
        self.name = name
        self.entries = entries
        places = Dictionary(
            entries.enumerated().map { (Self.folded($1.key), $0) }, uniquingKeysWith: { first, _ in first })
    }

    public func value(_ key: String) -> String? { places[Self.folded(key)].map { entries[$0].value } }

    private static func folded(_ key: String) -> String { key.trimmed.lowercased() }
}
