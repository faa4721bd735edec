/// A part of a formula that has a value.
indirect enum FormulaNode: Sendable {
    case literal(FormulaValue, Range<Int>)
    case column(String, index: Int?, Range<Int>)
    case special(FormulaWord, Range<Int>)
    case call(FormulaFunction, [FormulaNode], Range<Int>)
    /// Texts set one behind the other.
    case joined([FormulaNode], Range<Int>)
    case arithmetic(Arithmetic, FormulaNode, FormulaNode, Range<Int>)
    case negative(FormulaNode, Range<Int>)
    case comparison(Comparison, FormulaNode, FormulaNode, Range<Int>)
    case all([FormulaNode], Range<Int>)
    case some([FormulaNode], Range<Int>)
    case not(FormulaNode, Range<Int>)

    enum Arithmetic: String, Sendable { case plus = "+", minus = "-", times = "*", divided = "/" }
    enum Comparison: String, Sendable {
        case equal = "=", different = "<>", less = "<", lessOrEqual = "<=", more = ">", moreOrEqual = ">="
    }

    var place: Range<Int> {
        switch self {
        case .literal(_, let place), .column(_, _, let place), .special(_, let place), .call(_, _, let place),
            .joined(_, let place), .arithmetic(_, _, _, let place), .negative(_, let place),
            .comparison(_, _, _, let place), .all(_, let place), .some(_, let place), .not(_, let place):
            place
        }
    }

    var parts: [FormulaNode] {
        switch self {
        case .literal, .column, .special: []
        case .call(_, let parts, _), .joined(let parts, _), .all(let parts, _), .some(let parts, _): parts
        case .arithmetic(_, let a, let b, _), .comparison(_, let a, let b, _): [a, b]
        case .negative(let part, _), .not(let part, _): [part]
        }
    }

    /// The same with every column's place looked up.
    func bound(to columns: FormulaColumns) -> FormulaNode {
        func bound(_ nodes: [FormulaNode]) -> [FormulaNode] { nodes.map { $0.bound(to: columns) } }
        return switch self {
        case .literal, .special: self
        case .column(let name, _, let place): .column(name, index: columns.index(name), place)
        case .call(let function, let parts, let place): .call(function, bound(parts), place)
        case .joined(let parts, let place): .joined(bound(parts), place)
        case .arithmetic(let sign, let a, let b, let place):
            .arithmetic(sign, a.bound(to: columns), b.bound(to: columns), place)
        case .negative(let part, let place): .negative(part.bound(to: columns), place)
        case .comparison(let sign, let a, let b, let place):
            .comparison(sign, a.bound(to: columns), b.bound(to: columns), place)
        case .all(let parts, let place): .all(bound(parts), place)
        case .some(let parts, let place): .some(bound(parts), place)
        case .not(let part, let place): .not(part.bound(to: columns), place)
        }
    }
}

/// Words with a meaning of their own.
enum FormulaWord: String, Sendable, CaseIterable {
    case today, row, rowcount, template

    var type: FormulaType {
        switch self {
        case .today: .date
        case .row, .rowcount: .number
        case .template: .text
        }
    }
}
