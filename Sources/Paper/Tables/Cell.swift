/// One cell of a table: what the file says, what a person sees, and what kind of thing it is.
public struct Cell: Sendable, Equatable {
    public enum Kind: String, Sendable, Equatable, CaseIterable {
        case empty, text, number, date, time, boolean
    }

    public var kind: Kind
    /// As it stands in the file: `45292`, `0.5`, `TRUE`; for a CSV the text itself.
    public var raw: String
    /// As a spreadsheet shows it: `01.01.2024`, `50 %`, `TRUE`. The same as `raw` where the file has no formats.
    public var shown: String
    /// A date as `2024-01-31`, with a time as `2024-01-31T08:30:00`, a time alone as `08:30:00`. Nil where the kind is
    /// neither, and where it cannot be known which number is the month.
    public var date: String?
    /// Typed over by hand: `shown` is what was typed, `raw` what its source said.
    public var isEdited = false
    /// Its file itself says that it is a number, a day or a yes, as workbooks, JSON and databases do. Otherwise `kind` is
    /// what the text looks like, and whoever calculates with it reads it as the locale writes.
    public var isTyped: Bool

    /// A cell whose file says what it is.
    public init(kind: Kind, raw: String, shown: String, date: String? = nil) {
        self.kind = kind
        self.raw = raw
        self.shown = shown
        self.date = date
        isTyped = kind != .text && kind != .empty
    }

    /// A cell of a file without formats: its kind is what it looks like.
    public init(_ text: String) {
        self.init(kind: CellKind.guess(text), raw: text, shown: text)
        if kind == .date || kind == .time { date = CellKind.iso(text) }
        isTyped = false
    }

    public static let empty = Cell(kind: .empty, raw: "", shown: "")
}

/// One row of a table.
public struct TableRow: Sendable, Equatable {
    /// The line of the text or the row of the sheet on which it begins, from 1.
    public var place: Int
    public var cells: [Cell]
    /// Why it should not be used as it is, in a sentence: too many cells, too few, unreadable characters. A row with
    /// a flaw is set aside for somebody to look at; it never stops the others.
    public var flaw: String?
    /// The text of the row as it stands in the file, for mending. Only of rows with a flaw.
    public var source: String

    public init(place: Int, cells: [Cell], flaw: String? = nil, source: String = "") {
        self.place = place
        self.cells = cells
        self.flaw = flaw
        self.source = source
    }
}
