public import Formulas
public import Mappings
public import PDF
public import PDFForms
public import Tables

/// Makes papers out of rows, the same for everybody who asks: the command line, plans, previews, packets and letters. A
/// recipe is read and checked once; after that a paper is a pure function of its row, so any number of threads may think
/// and make at the same time, and whoever makes a paper again gets the same bytes.
///
///     let maker = Maker(recipe)
///     let thought = maker.think(row.cells, number: 1)    // values, names and problems: cheap
///     let looked = try maker.look(at: row, of: form)     // and what the form's places would not show
///     let filled = try maker.fill(row, of: form)         // bytes
public struct Maker: Sendable {
    public let recipe: Recipe
    public var parts: [Recipe.Part] { recipe.parts }
    private let scopes: RowScopes
    /// Conditions, passwords and the like ask for the row; most recipes have none.
    private let asksForRow: Bool

    public init(_ recipe: Recipe) {
        self.recipe = recipe
        var formulas = recipe.info.formulas
        if let password = recipe.password { formulas.append(password) }
        for part in recipe.parts {
            if let condition = part.condition { formulas.append(condition.formula) }
            if case .own(let pattern) = part.content { formulas += pattern.formulas }
        }
        asksForRow =
            !formulas.isEmpty
            || recipe.parts.contains { if case .own = $0.content { true } else { false } }
        formulas += recipe.naming.formulas
        if let only = recipe.only { formulas.append(only.formula) }
        scopes = RowScopes(recipe.context, for: formulas)
    }

    /// The row as formulas of the recipe see it.
    public func scope(_ cells: [Cell], number: Int) -> FormulaScope { scopes.scope(cells, row: number) }

    /// Whether the row is to be used at all.
    public func isMeant(_ scope: FormulaScope) throws(FormulaError) -> Bool {
        try recipe.only?.holds(scope) ?? true
    }

    /// What the paper is called, below the folder of all and without its ending.
    public func name(_ scope: FormulaScope, _ problems: inout [MappingProblem]) -> String {
        recipe.naming.path(scope, problems: &problems)
    }

    public func think(_ cells: [Cell], number: Int) -> Thought {
        var thought = Thought(number: number)
        let scope = asksForRow ? scope(cells, number: number) : nil
        for (index, part) in parts.enumerated() where applies(part, index, scope, &thought.remarks) {
            switch part.content {
            case .form(let form):
                let row = form.mapping.row(cells, number: number)
                thought.pieces.append(Thought.Piece(part: index, content: .form(row)))
            case .paper(let key, let pageCount):
                thought.pieces.append(
                    Thought.Piece(part: index, content: .paper(key: key, pageCount: pageCount)))
            case .own(let pattern):
                guard let scope else { continue }
                var problems: [MappingProblem] = []
                let name = pattern.path(scope, problems: &problems)
                thought.remarks += problems.map { .init(about: .part(index), problem: $0) }
                thought.pieces.append(Thought.Piece(part: index, content: .own(name: name)))
            }
        }
        thought.info = recipe.extras.info
        if let scope { around(scope, &thought) }
        return thought
    }

    private func applies(
        _ part: Recipe.Part, _ index: Int, _ scope: FormulaScope?, _ remarks: inout [Thought.Remark]
    ) -> Bool {
        guard let condition = part.condition, let scope else { return true }
        do throws(FormulaError) {
            return try condition.holds(scope)
        } catch {
            remarks.append(
                .init(
                    about: .part(index),
                    problem: MappingProblem(
                        "Whether “\(part.name)” belongs to it: \(error)", kind: .formula, place: error.place))
            )
            return false
        }
    }

    /// What goes around the papers instead of into them.
    private func around(_ scope: FormulaScope, _ thought: inout Thought) {
        func text(_ formula: Formula?, _ fixed: String?) -> String? {
            formula.map { (try? $0.words(scope)) ?? "" } ?? fixed
        }
        thought.info = DocumentInfo(
            title: text(recipe.info.title, thought.info.title),
            author: text(recipe.info.author, thought.info.author),
            subject: text(recipe.info.subject, thought.info.subject),
            keywords: text(recipe.info.keywords, thought.info.keywords))
        guard let password = recipe.password else { return }
        do throws(FormulaError) {
            let text = try password.result(scope).shown.trimmed
            thought.password = text
            guard text.isEmpty else { return }
            add("The password is empty.", to: &thought)
        } catch {
            thought.password = ""
            add("The password cannot be worked out: \(error)", to: &thought)
        }
    }

    private func add(_ message: String, to thought: inout Thought) {
        thought.remarks.append(
            .init(about: .password, problem: MappingProblem(message, kind: .formula)))
    }

    /// What filling one of the forms would find.
    public func look(at row: CompiledMapping.Row, of form: FormPart) throws(PDFError) -> Looked {
        try form.look(row.values, recipe.extras.continuation)
    }

    /// One of the forms filled, with nothing around it yet.
    public func fill(_ row: CompiledMapping.Row, of form: FormPart) throws(PDFError) -> Filled {
        try form.fill(row.values, DocumentExtras(continuation: recipe.extras.continuation))
    }

    /// A paper that is one form, with what it says about itself and its lock.
    public func fillAlone(
        _ thought: Thought, _ row: CompiledMapping.Row, of form: FormPart, opened: Bool = false
    ) throws -> Filled {
        var extras = recipe.extras
        extras.info = thought.info
        if !opened, let lock = try lock(thought) { extras.lock = lock }
        return try form.fill(row.values, extras)
    }

    /// A paper that should be locked is not made open.
    public func lock(_ thought: Thought) throws(MakingTrouble) -> PDFLock? {
        guard let password = thought.password else { return nil }
        guard !password.isEmpty else {
            let said = thought.remarks.first { if case .password = $0.about { true } else { false } }
            throw MakingTrouble(said?.problem.message ?? "The password is empty.")
        }
        do throws(PDFError) {
            return try PDFLock(userPassword: password)
        } catch {
            throw MakingTrouble("The password cannot be used. \(error)")
        }
    }
}
