/// What a table turned out to be, and why.
public struct TableShape: Sendable, Equatable {
    public var format: TableFormat
    /// Everything that was found rather than given, each with its reason in a sentence.
    public var choices: [TableChoice]
    /// The sheets of a workbook; none for other files.
    public var sheets: [TableSheet]
    public var sheet: String?
    /// The line or row of the names; 0 when the table has none.
    public var headerRow: Int
    public var columns: [TableColumn]
    /// Of a text.
    public var encoding: String?
    public var separator: Character?
    /// Nil also when the cells of a text are not quoted.
    public var quote: Character?
    /// Things worth saying before anybody goes on: names that were missing or double, hidden rows left out.
    public var notices: [String]

    init(format: TableFormat) {
        self.format = format
        choices = []
        sheets = []
        headerRow = 0
        columns = []
        notices = []
    }
}

/// One thing that was found.
public struct TableChoice: Sendable, Equatable {
    public enum What: String, Sendable, CaseIterable {
        case format, encoding, separator, quote, sheet, headerRow, lineEnds
    }

    public var what: What
    /// As an option would say it: `;`, `windows-1252`, `3`.
    public var value: String
    public var why: String
    /// Given by the caller rather than found.
    public var isGiven: Bool

    public init(_ what: What, _ value: String, _ why: String, isGiven: Bool = false) {
        self.what = what
        self.value = value
        self.why = why
        self.isGiven = isGiven
    }
}

public struct TableSheet: Sendable, Equatable {
    public var name: String
    public var isHidden: Bool

    public init(name: String, isHidden: Bool) {
        self.name = name
        self.isHidden = isHidden
    }
}

public struct TableColumn: Sendable, Equatable {
    /// Unique in its table.
    public var name: String
    /// What most of the first rows hold.
    public var kind: Cell.Kind
    /// What stands over it in the file, to the letter; its name where the file has none.
    public var written: String

    public init(name: String, kind: Cell.Kind, written: String? = nil) {
        self.name = name
        self.kind = kind
        self.written = written ?? name
    }
}
