/// A small expression over the cells of a row, read once and worked out for each row.
///
///     let formula = try Formula("if(age({Birth date}) < 18, {Guardian}, full_name())")
///     let problems = formula.check(context)      // unknown columns, wrong types: before any row
///     let value = try formula.bound(to: context.columns).value(scope)
///
/// It can name columns and call the functions of docs/formats/formulas.md. It cannot loop, read files or ask for
/// anything that is not given to it, so that it always ends, and the same row always gives the same value.
public struct Formula: Sendable {
    /// As it was written.
    public let text: String
    /// The columns it names, in the order in which they first appear.
    public let columns: [String]
    let node: FormulaNode

    private static let longestText = 8000
    private static let deepest = 60

    /// Refuses what cannot be right for any table: mistakes of grammar, functions that do not exist, a text where
    /// a number must be.
    public init(_ text: String) throws(FormulaError) {
        guard text.count <= Self.longestText else {
            throw FormulaProblem(0..<text.count, "A formula may have \(Self.longestText) characters.")
        }
        var parser = try FormulaParser(text)
        let node = try parser.formula()
        guard Self.depth(node) <= Self.deepest else {
            throw FormulaProblem(0..<text.count, "The formula is nested too deeply.")
        }
        var check = FormulaCheck(nil)
        _ = check.type(node)
        if let problem = check.problems.first(where: { !$0.isWarning }) { throw problem }
        self.text = text
        self.node = node
        columns = Self.columns(node)
    }

    /// Ready for many rows of one table: refuses also what can be right for none of them.
    public init(_ text: String, for context: FormulaContext) throws(FormulaError) {
        let formula = try Formula(text)
        if let problem = formula.check(context).first(where: { !$0.isWarning }) { throw problem }
        self = formula.bound(to: context.columns)
    }

    private init(text: String, columns: [String], node: FormulaNode) {
        self.text = text
        self.columns = columns
        self.node = node
    }

    /// What is wrong with it for this table, worst first: columns and small tables that do not exist, and kinds of
    /// values that do not fit.
    public func check(_ context: FormulaContext) -> [FormulaProblem] {
        var check = FormulaCheck(context)
        _ = check.type(node)
        return check.problems.filter { !$0.isWarning } + check.problems.filter(\.isWarning)
    }

    /// The kind of its values, as far as that is known before any row.
    public func type(_ context: FormulaContext) -> FormulaType {
        var check = FormulaCheck(context)
        return check.type(node)
    }

    /// The same formula with its columns looked up, which makes it faster for many rows.
    public func bound(to columns: FormulaColumns) -> Formula {
        Formula(text: text, columns: self.columns, node: node.bound(to: columns))
    }

    public func value(_ scope: FormulaScope) throws(FormulaError) -> FormulaValue {
        try result(scope).value
    }

    /// The value and how it is shown: a cell that is passed on keeps its own look.
    public func result(_ scope: FormulaScope) throws(FormulaError) -> (value: FormulaValue, shown: String) {
        let run = FormulaRun(scope)
        let datum = try run.top(node)
        return (datum.value, datum.text)
    }

    /// The value as it goes into a form, a letter or a title.
    public func words(_ scope: FormulaScope) throws(FormulaError) -> String {
        let (value, shown) = try result(scope)
        return value.words(shown: shown, scope.context.locale)
    }

    /// How the value comes about, innermost part first. Where it cannot be worked out, the last step says why.
    public func explain(_ scope: FormulaScope) -> [FormulaStep] {
        let run = FormulaRun(scope, traces: Array(text))
        do throws(FormulaError) {
            _ = try run.top(node)
        } catch {
            run.steps.append(
                FormulaStep(part: run.part(error.place), value: error.description, isProblem: true))
        }
        return run.steps
    }

    /// True when it asks which row it is on, how many there are, or what day it is: the same cells may then give
    /// another value.
    public var dependsOnMoreThanTheRow: Bool { Self.hasWords(node) }

    /// True when it speaks of the person in the row without naming columns.
    package var asksForTheName: Bool { Self.asksForName(node) }

    private static func asksForName(_ node: FormulaNode) -> Bool {
        if case .call(let function, let parts, _) = node, function.needsName, parts.isEmpty { return true }
        return node.parts.contains(where: asksForName)
    }

    private static func hasWords(_ node: FormulaNode) -> Bool {
        switch node {
        case .special(let word, _): word != .template
        case .call(let function, let parts, _): function.usesToday || parts.contains(where: hasWords)
        default: node.parts.contains(where: hasWords)
        }
    }

    private static func depth(_ node: FormulaNode) -> Int { 1 + (node.parts.map(depth).max() ?? 0) }

    private static func columns(_ node: FormulaNode) -> [String] {
        var seen: Set<String> = []
        var columns: [String] = []
        func visit(_ node: FormulaNode) {
            if case .column(let name, _, _) = node, seen.insert(name).inserted { columns.append(name) }
            for part in node.parts { visit(part) }
        }
        visit(node)
        return columns
    }
}

/// One step of how a value came about.
public struct FormulaStep: Sendable, Equatable {
    /// The part of the formula, as it was written.
    public var part: String
    /// What it gave, texts in quotation marks; or why it gave nothing.
    public var value: String
    public var isProblem: Bool

    public init(part: String, value: String, isProblem: Bool = false) {
        self.part = part
        self.value = value
        self.isProblem = isProblem
    }
}
