import Bytes
import Formulas
import Making
import Mappings
import PDFForms
import Storage
import Tables
import Work

/// What was held fast for a batch, as a recipe of papers.
struct PacketRecipe {
    private let pins: Pins
    private let shelf: FormShelf

    init(_ pins: Pins, _ shelf: FormShelf) {
        self.pins = pins
        self.shelf = shelf
    }

    func recipe() throws -> Recipe {
        let context = try pins.context()
        let naming = try Self.told("naming") { () throws(MappingProblem) in
            try NamePattern(pins.naming, context: context)
        }
        var recipe = Recipe(
            context: context, parts: try pins.parts.map { try part($0, context) }, naming: naming)
        if pins.options.signer != nil, !pins.options.password.isEmpty {
            throw Failure(
                .invalid,
                "Papers that ask for a password cannot be signed. Leave out the password or the signature.",
                field: "signer")
        }
        try Self.checkWitnesses(pins.options)
        recipe.password = try Self.formula(pins.options.password, "password", context)
        let metadata = pins.options.metadata
        recipe.info.title = try Self.formula(metadata.title, "metadata", context)
        recipe.info.author = try Self.formula(metadata.author, "metadata", context)
        recipe.info.subject = try Self.formula(metadata.subject, "metadata", context)
        recipe.info.keywords = try Self.formula(metadata.keywords, "metadata", context)
        if pins.options.overflow == .continuation { recipe.extras.continuation = Continuation() }
        return recipe
    }

    private static func checkWitnesses(_ options: BatchOptions) throws(Failure) {
        _ = try options.witnesses()
        guard options.signer != nil || options.timestamp == nil && !options.asksForProofs else {
            throw Failure(
                .invalid,
                "Only papers that are signed have a time stamp or proofs. Say in whose name they are signed.",
                field: "signer")
        }
    }

    private func part(_ part: Pins.Part, _ context: FormulaContext) throws -> Recipe.Part {
        let condition: Condition?
        do throws(FormulaError) {
            condition = try Condition(part.condition, context)
        } catch {
            throw Failure(.invalid, "The condition “\(part.condition)”: \(error)", field: "parts")
        }
        let content: Recipe.Part.Content
        switch part.content {
        case .form(_, _, let digest, let text, _):
            let key = FormShelf.Key(
                digest: digest, flattens: pins.options.flattens,
                locks: !pins.options.password.isEmpty && pins.parts.count == 1
                    && pins.options.numbering == nil,
                isForMany: pins.rowCount >= FormShelf.many)
            let form = try shelf.form(key)
            var context = context
            context.template = part.name
            let mapping = try Self.told("mapping") { () throws(MappingProblem) in
                try CompiledMapping(
                    Mapping(parsing: text), fields: form.form.fields.map { FieldFacts($0) }, context: context)
            }
            content = .form(FormPart(name: part.name, form: form, mapping: mapping))
        case .paper(_, let digest, let pageCount): content = .paper(key: digest.hex, pageCount: pageCount)
        case .attachment(let pattern):
            content = .own(
                try Self.told("parts") { () throws(MappingProblem) in
                    try NamePattern(pattern, context: context)
                })
        }
        return Recipe.Part(name: part.name, condition: condition, content: content)
    }

    private static func formula(_ text: String, _ field: String, _ context: FormulaContext) throws -> Formula?
    {
        guard text.contains(where: { !$0.isWhitespace }) else { return nil }
        do throws(FormulaError) {
            return try Formula(text, for: context)
        } catch {
            throw Failure(.invalid, "The formula “\(text)”: \(error)", field: field)
        }
    }

    private static func told<R>(_ field: String, _ body: () throws(MappingProblem) -> R) throws -> R {
        do throws(MappingProblem) {
            return try body()
        } catch {
            throw Failure(.invalid, "\(error)", field: field)
        }
    }
}

extension Pins {
    /// What every formula of the plan knows beside the row.
    func context() throws -> FormulaContext {
        guard let today = WallTime(day: today) else {
            throw Failure(.damaged, "What was written down for this batch cannot be read.")
        }
        return FormulaContext(
            columns: FormulaColumns(
                columns.map {
                    RowSource.Column(
                        name: $0.name, kind: Cell.Kind(rawValue: $0.kind) ?? .text, role: $0.role)
                }
            ), locale: try options.formulaLocale(), today: today, rowCount: rowCount, template: templateName)
    }
}

extension FormulaColumns {
    /// The columns of a list, with what the list says they are for.
    init(_ columns: [RowSource.Column]) {
        self.init(columns.map(\.name), types: columns.map { FormulaType($0.kind) })
        for (index, column) in columns.enumerated() {
            if let role = column.role.flatMap(Formulas.ColumnRole.init) { roles[role] = index }
        }
    }
}

extension BatchOptions {
    /// What the papers depend on beside their values.
    var contentText: JSON {
        var view = json
        for key in ["needsSecondMember", "makesDespiteProblems", "onlyChanged", "proof"] { view[key] = nil }
        // As it was before packets could be signed: what was planned then is still the same.
        if signer == nil { view["signer"] = nil }
        if timestamp == nil { view["timestamp"] = nil }
        if !asksForProofs { view["proofs"] = nil }
        return view
    }

    /// Names the usual locale where none is named, for a desk that would begin with another.
    public mutating func nameLocale() {
        if locale.isEmpty { locale = FormulaLocale.standard.code }
    }

    func formulaLocale() throws -> FormulaLocale {
        guard !locale.isEmpty else { return .standard }
        guard let known = FormulaLocale(locale) else {
            throw Failure(.invalid, "There is no locale “\(locale)”.", field: "locale")
        }
        return known
    }
}
