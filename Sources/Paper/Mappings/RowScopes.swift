public import Formulas
public import Tables

/// Turns rows of a table into what formulas ask for; only the columns that some formula names are looked at.
public struct RowScopes: Sendable {
    public let context: FormulaContext
    private let used: [Int]
    private let blank: [FormulaCell]

    public init(_ context: FormulaContext, for formulas: [Formula]) {
        self.context = context
        var used = Set(formulas.flatMap(\.columns).compactMap { context.columns.index($0) })
        if formulas.contains(where: \.asksForTheName) {
            for role in [ColumnRole.firstName, .middleName, .lastName, .fullName] {
                if let index = context.columns.roles[role] { used.insert(index) }
            }
        }
        self.used = used.sorted()
        blank = [FormulaCell](repeating: .blank, count: context.columns.names.count)
    }

    public func scope(_ cells: [Cell], row: Int) -> FormulaScope {
        var values = blank
        for index in used where index < cells.count {
            values[index] = FormulaCell(cells[index])
        }
        return FormulaScope(context, cells: values, row: row)
    }
}

extension FormulaCell {
    /// What the file says it is; else its text, which is read as the locale writes when somebody calculates with it.
    public init(_ cell: Cell) {
        guard cell.kind != .empty else {
            self = .blank
            return
        }
        guard cell.isTyped, !cell.isEdited else {
            self.init(cell.shown)
            return
        }
        switch cell.kind {
        case .number:
            self.init(Decimal(stored: cell.raw).map { .number($0) } ?? .text(cell.shown), shown: cell.shown)
        case .date:
            let date = cell.date.flatMap { DateReading.date($0, .standard, today: nil) }
            self.init(date.map { .date($0) } ?? .text(cell.shown), shown: cell.shown)
        case .boolean:
            let flag = FlagReading.flag(cell.raw) ?? FlagReading.flag(cell.shown)
            self.init(flag.map { .flag($0) } ?? .text(cell.shown), shown: cell.shown)
        case .time:
            let days = Decimal(stored: cell.raw) ?? cell.date.flatMap { ClockReading.days($0) }
            self.init(days.map { .number($0) } ?? .text(cell.shown), shown: cell.shown)
        case .empty, .text: self.init(cell.shown)
        }
    }
}
