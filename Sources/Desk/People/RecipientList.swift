public import Access
import Bytes
public import Storage
public import Tables
public import Work

/// People to make papers for: rows from files, from contacts and typed by hand, under common columns.
public struct RecipientList: Sendable, Equatable {
    public let id: ID<RecipientList>
    public var name: String
    public var columns: [RecipientColumn]
    /// Where its rows come from, in the order they were first brought in.
    public var sources: [RecipientSource]
    /// Recipients; rows set aside are not counted.
    public var count: Int
    /// Rows that wait to be mended, see `Recipients.quarantine`.
    public var flawCount: Int
    /// Rises with every change of rows or columns. What was worked out for one edition may be wrong for the next.
    public var edition: Int
    public var madeAt: Moment
    public var madeBy: String
    public var madeByName: String
    public var changedAt: Moment
    public var trashedAt: Moment?
    /// It follows the contacts: see `question`.
    public var isSmart = false
    /// Whoever matches it is on the list; nil for one that was put together, and where it cannot be read any more.
    public var question: ContactQuestion?
    /// What `Recipients.undo` would take back; nil when there is nothing to take back.
    public var lastAct: RecipientAct?

    public var isTrashed: Bool { trashedAt != nil }

    public var subject: Subject { Self.subject(id) }
    public static func subject(_ id: ID<RecipientList>) -> Subject { Subject(kind: "list", id: id.text) }

    /// The place of a column among the cells of its recipients.
    public func place(of column: String) -> Int? {
        columns.firstIndex { $0.name == column }
            ?? columns.firstIndex { Folding.key($0.name) == Folding.key(column) }
    }

    public func places(of role: ColumnRole) -> [Int] {
        columns.indices.filter { columns[$0].role == role }
    }

    public func source(_ number: Int) -> RecipientSource? { sources.first { $0.number == number } }
}

public struct RecipientColumn: Sendable, Equatable {
    public var name: String
    public var kind: Cell.Kind
    public var role: ColumnRole?

    public init(name: String, kind: Cell.Kind = .text, role: ColumnRole? = nil) {
        self.name = name
        self.kind = kind
        self.role = role
    }
}

/// What a column is for. Several columns may have the same role: each of them is then one more address to write to.
public enum ColumnRole: String, Sendable, CaseIterable {
    case email, cc, bcc, firstName, lastName, name, phone
    /// Tells recipients apart when their file is brought in again.
    case key
}

/// Where rows of a list come from.
public struct RecipientSource: Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
        case file, pasted, query, contacts, manual
    }

    /// Within its list.
    public let number: Int
    public var kind: Kind
    /// The name of the file, or what else tells it.
    public var name: String
    public var count: Int
    public var flawCount: Int
    public var importedAt: Moment
    public var importedByName: String
    /// The file as it came, and how it was read; for looking at it again.
    public var digest: Digest?
    public var format: TableFormat?
    public var keyColumn: String?
    public var hiddenRowCount = 0
    /// How its rows are cut and where its columns went.
    var layout = SourceLayout()
}

/// A change of a list, as far as it can be taken back.
public struct RecipientAct: Sendable, Equatable {
    /// The edition it made; `Recipients.undo` wants to hear it, so that nobody takes back what somebody else did.
    public var edition: Int
    public var act: Act
    public var at: Moment
    public var byName: String

    public enum Act: String, Sendable, CaseIterable {
        case made, imported, followed, sourceRemoved, added, changed, removed, mended, dropped, columnsChanged
        /// As another desk has it.
        case received
    }
}

/// One person, or whatever else a row stands for.
public struct Recipient: Sendable, Equatable {
    public let id: ID<Recipient>
    public let list: ID<RecipientList>
    /// See `RecipientList.sources`.
    public var source: Int
    /// The line or row of the source, from 1; 0 for those typed by hand.
    public var place: Int
    /// One for each of the list's columns.
    public var cells: [Cell]
    /// What to call them: by the columns with the roles of names, else the first that is not empty.
    public var name: String
    /// The first address; `emails` has them all.
    public var email: String
    public var emails: [String]
    public var cc: [String]
    public var bcc: [String]
    /// Why the row was set aside, and its text in the file; nil for those in order.
    public var flaw: String?
    public var sourceText: String
}

/// How the rows of a source are cut into cells, and which of the list's columns they fill.
struct SourceLayout: Sendable, Equatable {
    var separator: Character = "\t"
    var quote: String?
    /// For each column of the file its place in the list.
    var places: [Int] = []

    var view: JSON {
        [
            "separator": .string(String(separator)), "quote": .optional(quote),
            "places": .array(places.map(JSON.int)),
        ]
    }

    init() {}

    init(_ view: JSON?) {
        separator = view?["separator"]?.string?.first ?? "\t"
        quote = view?["quote"]?.string
        places = (view?["places"]?.array ?? []).compactMap(\.int)
    }
}
