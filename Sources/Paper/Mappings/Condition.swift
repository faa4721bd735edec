public import Formulas

/// Whether something is meant for a row: a row of a run, a part of a packet. One reading of yes and no, in all languages
/// that are spoken here, wherever a condition stands.
public struct Condition: Sendable {
    public let formula: Formula

    /// Nil for a text of blanks, which is no condition at all. Throws the mistake that makes it impossible.
    public init?(_ text: String, _ context: FormulaContext) throws(FormulaError) {
        guard text.contains(where: { !$0.isWhitespace }) else { return nil }
        formula = try Formula(text, for: context)
    }

    /// Nothing, no and zero mean no. What is neither yes nor no is told: guessing would make a paper that nobody asked for,
    /// or leave one out.
    public func holds(_ scope: FormulaScope) throws(FormulaError) -> Bool {
        let value = try formula.value(scope)
        if value.isBlank { return false }
        switch value {
        case .flag(let flag): return flag
        case .number(let number): return number != .zero
        case .blank, .text, .date:
            guard let flag = FlagReading.flag(value.text) else {
                throw FormulaError(
                    0..<formula.text.count, "“\(value.text)” is neither yes nor no.",
                    hint: "To ask whether something is there, write not(is_blank(…)).")
            }
            return flag
        }
    }
}
