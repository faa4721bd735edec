public import Formulas
public import PDFForms
public import Tables

/// A mapping worked out for one form and one table, for filling any number of rows.
///
///     let compiled = try CompiledMapping(mapping, fields: facts, context: context)
///     let places = form.columns(compiled.fields)
///     let row = compiled.row(tableRow.cells, number: 1)
///     let filled = form.fill(columns: places, row: row.values)
public struct CompiledMapping: Sendable {
    /// The values of one row, in the order of `fields`, and what could not be worked out.
    public struct Row: Sendable {
        /// Nil leaves the field as it is in the form.
        public var values: [FieldValue?]
        public var problems: [MappingProblem]
    }

    /// The fields that are filled, in the order of the mapping.
    public let fields: [String]
    public let sources: [Mapping.Source]
    public let scopes: RowScopes
    private let steps: [Step]
    private let needsScope: Bool

    /// Throws the first mistake that makes a run impossible; `Mapping.check` finds them all.
    public init(
        _ mapping: Mapping, fields facts: [FieldFacts], context: FormulaContext
    ) throws(MappingProblem) {
        var context = context
        context.tables = mapping.tables
        if let code = mapping[.locale] {
            guard let locale = FormulaLocale(code) else {
                throw MappingProblem("There is no locale “\(code)”.", kind: .setting)
            }
            context.locale = locale
        }
        let byName = Dictionary(facts.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        var fields: [String] = []
        var sources: [Mapping.Source] = []
        var steps: [Step] = []
        var formulas: [Formula] = []
        for entry in mapping.entries where entry.source != .empty {
            guard let field = byName[entry.field] else { throw MappingProblem.unknownField(entry, facts) }
            let step = try Step(entry, field, mapping, context)
            if case .formula(let formula) = step.from { formulas.append(formula) }
            fields.append(entry.field)
            sources.append(entry.source)
            steps.append(step)
        }
        self.fields = fields
        self.sources = sources
        self.steps = steps
        needsScope = !formulas.isEmpty
        scopes = RowScopes(context, for: formulas)
    }

    public func row(_ cells: [Cell], number: Int) -> Row {
        var row = Row(values: [], problems: [])
        row.values.reserveCapacity(steps.count)
        let scope = needsScope ? scopes.scope(cells, row: number) : nil
        for (index, step) in steps.enumerated() {
            switch step.from {
            case .fixed(let value): row.values.append(step.settled(value, &row.problems))
            case .column(let column):
                let cell = column < cells.count ? cells[column] : .empty
                row.values.append(step.settled(step.value(cell, scopes), &row.problems))
            case .formula(let formula):
                guard let scope else {
                    row.values.append(nil)
                    continue
                }
                do throws(FormulaError) {
                    let (value, shown) = try formula.result(scope)
                    let given = step.value(value, shown, scopes.context.locale)
                    row.values.append(step.settled(given, &row.problems))
                } catch {
                    row.values.append(step.ifBlank)
                    row.problems.append(
                        MappingProblem(
                            error.message, kind: .formula, field: fields[index], line: step.line,
                            hint: error.hint,
                            place: error.place))
                }
            }
        }
        for (index, step) in steps.enumerated() where step.isRequired && Self.isMissing(row.values[index]) {
            // Where it could not be worked out, that has been said.
            if row.problems.contains(where: { $0.field == fields[index] && $0.kind == .formula }) { continue }
            row.problems.append(
                MappingProblem(
                    "The form requires this field, and the row has nothing for it.", severity: .warning,
                    kind: .required, field: fields[index], line: step.line))
        }
        return row
    }

    private static func isMissing(_ value: FieldValue?) -> Bool {
        switch value {
        case nil: true
        case .text(let text): text.allSatisfy(\.isWhitespace)
        case .texts(let texts): texts.isEmpty
        case .flag: false
        }
    }

    /// The words that a row has for each field with choices, before any of them is given a meaning.
    func words(_ cells: [Cell], number: Int) -> [(field: Int, words: [String])] {
        let scope = needsScope ? scopes.scope(cells, row: number) : nil
        return steps.enumerated().compactMap { index, step in
            guard step.choices != nil else { return nil }
            let value: FieldValue? =
                switch step.from {
                case .fixed(let value): value
                case .column(let column): step.value(column < cells.count ? cells[column] : .empty, scopes)
                case .formula(let formula):
                    scope.flatMap { scope in
                        (try? formula.result(scope)).flatMap {
                            step.value($0.value, $0.shown, scopes.context.locale)
                        }
                    }
                }
            guard case .text(let text)? = value else { return nil }
            let words = step.parts(text).map(\.trimmed).filter { !$0.isEmpty }
            return words.isEmpty ? nil : (index, words)
        }
    }

    /// The choices of a field, where it has some.
    public func choices(of field: String) -> FieldChoices? {
        fields.firstIndex(of: field).flatMap { steps[$0].choices }
    }

    /// Where the values of a row come from, in the order of `fields`; `place` is the row's place in its file.
    public func origins(_ cells: [Cell], place: Int) -> [FieldOrigin] {
        steps.indices.map { index in
            let columns: [Int] =
                switch steps[index].from {
                case .column(let column): [column]
                case .fixed: []
                case .formula(let formula): formula.columns.compactMap { scopes.context.columns.index($0) }
                }
            return FieldOrigin(
                field: fields[index], source: sources[index], place: place,
                cells: columns.map { column in
                    FieldOrigin.Read(
                        column: scopes.context.columns.names[column],
                        cell: cells.indices.contains(column) ? cells[column] : .empty)
                })
        }
    }

    /// How one field's value comes about for a row, step by step.
    public func explain(_ field: String, _ cells: [Cell], number: Int) -> [FormulaStep] {
        guard let index = fields.firstIndex(of: field) else { return [] }
        let formula = try? sources[index].formula()
        guard let formula else { return [] }
        return formula.explain(
            RowScopes(scopes.context, for: [formula]).scope(cells, row: number))
    }
}

/// Which cell, and what was done with it: what a person sees who asks where a value comes from.
public struct FieldOrigin: Sendable, Equatable {
    public struct Read: Sendable, Equatable {
        public var column: String
        public var cell: Cell
    }

    public var field: String
    public var source: Mapping.Source
    /// The line of the text or the row of the sheet.
    public var place: Int
    /// The cells that were looked at.
    public var cells: [Read]

    /// For a receipt: `{SSN}, row 12`, or the formula and its cells.
    public var text: String {
        switch source {
        case .empty: ""
        case .fixed: "\(source.text), the same in every row"
        case .column: "\(source.text), row \(place)"
        case .formula(let formula): "\(formula), row \(place)"
        }
    }
}

extension CompiledMapping {
    /// How one field gets its value.
    private struct Step: Sendable {
        enum From: Sendable {
            case fixed(FieldValue?)
            case column(Int)
            case formula(Formula)
        }

        let from: From
        let line: Int
        /// What nothing does to the field.
        let ifBlank: FieldValue?
        /// True when somebody has to put something into it, and the form has nothing there yet.
        let isRequired: Bool
        private let field: String
        fileprivate let choices: FieldChoices?
        private let decided: DecidedWords?
        private let isBox: Bool
        private let isNumber: Bool
        private let date: DatePattern?

        init(
            _ entry: Mapping.Entry, _ field: FieldFacts, _ mapping: Mapping, _ context: FormulaContext
        ) throws(MappingProblem) {
            line = entry.line
            self.field = field.name
            choices = FieldChoices(field)
            decided = DecidedWords(mapping.answers(for: entry.field))
            isBox = field.kind == .checkBox || field.kind == .radio
            isNumber = if case .number = field.format { true } else { false }
            date =
                switch field.format {
                case .date(let pattern), .time(let pattern): DatePattern(pattern, context.locale)
                default: nil
                }
            // A field in which nothing stands needs no clearing.
            let holdsSomething = field.value.contains { !$0.isEmpty && !(field.isBox && $0 == "Off") }
            isRequired = field.isRequired && !field.isBox && !(mapping.keepsWhatIsThere && holdsSomething)
            ifBlank = mapping.keepsWhatIsThere || !holdsSomething ? nil : .text("")
            switch entry.source {
            case .empty: from = .fixed(nil)
            case .fixed(let text): from = .fixed(.text(text))
            case .column(let name):
                guard let index = context.columns.index(name) else {
                    throw MappingProblem.unknownColumn(name, entry, context.columns)
                }
                from = .column(index)
            case .formula(let text):
                do throws(FormulaError) {
                    from = .formula(try Formula(text, for: context))
                } catch {
                    throw MappingProblem(entry, error)
                }
            }
        }

        /// A cell goes into the field as it looks, but where the field's own format says what it means.
        func value(_ cell: Cell, _ scopes: RowScopes) -> FieldValue? {
            let shown = cell.shown
            guard cell.kind != .empty, !shown.isEmpty else { return ifBlank }
            if date != nil || isNumber || isBox, !cell.isEdited {
                let typed = FormulaCell(cell)
                switch typed.value {
                case .date, .flag: return value(typed.value, shown, scopes.context.locale)
                case .number(let number) where isNumber && cell.kind != .time: return .text(number.text)
                case .text where isNumber && scopes.context.locale.decimalMark != ".":
                    return .text(NumberReading.number(shown, scopes.context.locale)?.text ?? shown)
                case .text where date != nil:
                    // A text that can be only one day, wherever it was written.
                    if let day = cell.date.flatMap({ DateReading.date($0, .standard, today: nil) }) {
                        return value(.date(day), shown, scopes.context.locale)
                    }
                case .text, .number, .blank: break
                }
            }
            return .text(shown)
        }

        /// What the form is given for it: the choice that is meant, where the field has choices. A guess is told.
        func settled(_ value: FieldValue?, _ problems: inout [MappingProblem]) -> FieldValue? {
            guard choices != nil || decided != nil, let value else { return value }
            switch value {
            case .flag(let flag):
                if decided?[flag ? "yes" : "no"] != nil { return settled(flag ? "yes" : "no", &problems) }
                return choices?.choice(flag)?.value ?? value
            case .texts: return value
            case .text(let text):
                let parts = parts(text)
                guard parts.count > 1 else { return settled(text, &problems) }
                return .texts(parts.flatMap { settled($0, &problems)?.words ?? [] })
            }
        }

        /// The words of a cell that each have a meaning of their own.
        func parts(_ text: String) -> [String] {
            guard let choices, decided?[text.trimmed] == nil else { return [text] }
            return choices.parts(text)
        }

        private func settled(_ text: String, _ problems: inout [MappingProblem]) -> FieldValue? {
            switch decided?[text.trimmed] {
            case .choice(let name): return choices?.named(name)?.value ?? .text(name)
            case .empty: return ifBlank
            case .hold:
                var problem = MappingProblem(
                    "What “\(MappingText.short(text.trimmed))” means is still to be decided.",
                    severity: .warning,
                    kind: .noSuchChoice, field: field, line: line)
                problem.value = text.trimmed
                problems.append(problem)
                return ifBlank
            case nil: return choices.map { settled(text, $0, &problems) } ?? .text(text)
            }
        }

        private func settled(
            _ text: String, _ choices: FieldChoices, _ problems: inout [MappingProblem]
        ) -> FieldValue {
            switch choices.meaning(of: text) {
            case .itself, .unknown: return .text(text)
            case .same(let choice): return choice.value
            case .guess(let choice):
                var problem = MappingProblem(
                    "“\(MappingText.short(text.trimmed))” was taken as “\(MappingText.short(choice.name))”.",
                    severity: .warning, kind: .takenAs, field: field, line: line)
                problem.value = text.trimmed
                problem.meant = choice.name
                problems.append(problem)
                return choice.value
            }
        }

        func value(_ value: FormulaValue, _ shown: String, _ locale: FormulaLocale) -> FieldValue? {
            if value.isBlank, shown.isEmpty || shown.allSatisfy(\.isWhitespace) { return ifBlank }
            switch value {
            case .blank: return ifBlank
            case .flag(let flag): return isBox ? .flag(flag) : .text(shown)
            case .date(let day):
                if let date { return .text(date.text(day, locale)) }
                return .text(value.words(shown: shown, locale))
            case .number(let number):
                if isNumber { return .text(number.text) }
                return .text(value.words(shown: shown, locale))
            case .text: return .text(shown)
            }
        }
    }
}

extension MappingProblem {
    static func unknownField(_ entry: Mapping.Entry, _ fields: [FieldFacts]) -> MappingProblem {
        let near = Nearest.word(to: entry.field, among: fields.map(\.name))
        return MappingProblem(
            "The form has no field “\(MappingText.short(entry.field))”.", kind: .unknownField,
            field: entry.field,
            line: entry.line, hint: near.map { "Did you mean “\($0)”?" } ?? "“quire fields” lists them.")
    }

    static func unknownColumn(
        _ name: String, _ entry: Mapping.Entry, _ columns: FormulaColumns
    ) -> MappingProblem {
        let near = Nearest.word(to: name, among: columns.names)
        let list = columns.names.prefix(12).joined(separator: ", ")
        return MappingProblem(
            "The table has no column “\(MappingText.short(name))”.", kind: .unknownColumn, field: entry.field,
            line: entry.line,
            hint: near.map { "Did you mean “\($0)”?" }
                ?? "It has \(list)\(columns.names.count > 12 ? ", …" : "").")
    }

    init(_ entry: Mapping.Entry, _ error: FormulaProblem) {
        self.init(
            error.message, severity: error.isWarning ? .warning : .error,
            kind: error.message.hasPrefix("The table has no column") ? .unknownColumn : .formula,
            field: entry.field,
            line: entry.line, hint: error.hint, place: error.place)
    }
}

extension FieldValue {
    fileprivate var words: [String] {
        switch self {
        case .text(let text): [text]
        case .texts(let texts): texts
        case .flag(let flag): [flag ? "yes" : "no"]
        }
    }
}
