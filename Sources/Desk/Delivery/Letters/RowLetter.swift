public import Formulas
import Mappings
public import Tables
public import Transfer
public import Work

/// A letter to somebody whose row is at hand and no batch, as for a folder of filled forms. It knows what the letter of a
/// batch knows, and the fields of the form besides.
public struct RowLetter: Sendable {
    public struct Row: Sendable {
        /// Of the table.
        public var columns: [String]
        public var cells: [Cell]
        /// Of the form, by their names.
        public var fields: [(name: String, value: String)]
        /// Of the paper.
        public var fileName: String
        /// From 1.
        public var number: Int
        /// How the run that made the paper read numbers and days.
        public var locale: FormulaLocale

        public init(
            columns: [String], cells: [Cell], fields: [(name: String, value: String)], fileName: String,
            number: Int = 1, locale: FormulaLocale = .standard
        ) {
            self.columns = columns
            self.cells = cells
            self.fields = fields
            self.fileName = fileName
            self.number = number
            self.locale = locale
        }
    }

    /// What is the same for everybody.
    public struct Sender: Sendable {
        public var mailbox: MailAddress?
        public var organization: String
        /// What the papers are called together.
        public var title: String
        public var today: WallTime

        /// In which language days are written out in letters about papers whose run asked for nothing.
        public var language: FormulaLocale

        public init(
            mailbox: MailAddress?, organization: String, title: String, today: WallTime,
            language: FormulaLocale = .standard
        ) {
            self.language = language
            self.mailbox = mailbox
            self.organization = organization
            self.title = title
            self.today = today
        }
    }

    public struct Written: Sendable {
        /// With its marks, for who sends it from elsewhere.
        public var letter: Letter
        /// Mailboxes, as they were written.
        public var to: [String]
        public var copies: [String]
        public var blindCopies: [String]
        /// Of the person.
        public var name: String
        /// In their braces, as in the letter of a batch.
        public var unknown: [String]
        public var empty: [String]
        /// Why nothing can be sent like this.
        public var problems: [String]
    }

    private let letter: Letter
    private let to: String
    private let copies: String
    private let blindCopies: String
    private let sender: Sender

    /// An empty `to` is the first address in the row.
    public init(
        _ letter: Letter, to: String = "", copies: String = "", blindCopies: String = "", from sender: Sender
    ) {
        self.letter = letter
        self.to = to
        self.copies = copies
        self.blindCopies = blindCopies
        self.sender = sender
    }

    public func written(for row: Row) -> Written {
        var context = FormulaContext(
            columns: FormulaColumns(row.columns), locale: row.locale, today: sender.today,
            template: sender.title)
        if row.locale == .standard { context.letters = sender.language }
        let addressed = AddressedLetter(
            letter, to: to, copies: copies, blindCopies: blindCopies, context)
        let scope = addressed.scope(row.cells, number: row.number)
        let address = Self.address(in: row)
        let name = Self.name(in: row, context.columns)
        let words = words(row, name: name, address: address, addressed)
        var notes = PreparedText.Notes()
        let filled = addressed.prepared.filled(with: words, scope: scope, &notes)
        let written = addressed.mailboxes(words, scope, &notes)
        return Written(
            letter: filled, to: to.trimmingSpaces.isEmpty ? [address].filter { !$0.isEmpty } : written.to,
            copies: written.copies, blindCopies: written.blindCopies, name: name,
            unknown: notes.unknown.map(AddressedLetter.braced),
            empty: notes.empty.map(AddressedLetter.braced),
            problems: addressed.mistakes.map { "A formula cannot be worked out: \($0)" } + notes.problems)
    }

    private func words(
        _ row: Row, name: String, address: String, _ letter: AddressedLetter
    ) -> LetterWords {
        var words = LetterWords()
        for own in letter.own(
            name: name, address: address, fileName: row.fileName, sender: sender.mailbox,
            organization: sender.organization, title: sender.title)
        {
            words.set(own.name, own.value)
        }
        // What stands on the paper goes before what the table says.
        for field in row.fields { words.add(field.name, field.value) }
        let known = Set(words.names)
        for (column, cell) in zip(row.columns, row.cells) where !known.contains(LetterWords.key(column)) {
            words.add(column, cell.shown)
        }
        return words
    }

    private static func address(in row: Row) -> String {
        let values = row.fields.map(\.value) + row.cells.map(\.shown)
        return values.first { $0.contains("@") && MailAddress(parsing: $0) != nil } ?? ""
    }

    /// By the columns that hold names, else by the first that is not empty, else by the paper.
    private static func name(in row: Row, _ columns: FormulaColumns) -> String {
        func cell(_ role: Formulas.ColumnRole) -> String {
            columns.roles[role].flatMap { row.cells.indices.contains($0) ? row.cells[$0].shown : nil } ?? ""
        }
        let whole = cell(.fullName)
        if !whole.isEmpty { return whole }
        let parts = [cell(.firstName), cell(.lastName)].filter { !$0.isEmpty }
        if !parts.isEmpty { return parts.joined(separator: " ") }
        return row.cells.first { !$0.shown.trimmingSpaces.isEmpty }?.shown ?? row.fileName
    }
}
