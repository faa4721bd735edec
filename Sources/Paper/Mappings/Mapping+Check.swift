public import Formulas
import PDFForms

extension Mapping {
    /// What is wrong or worth knowing before any row, worst first.
    public func check(
        _ fields: [FieldFacts], _ columns: [ColumnFacts], today context: FormulaContext
    ) -> [MappingProblem] {
        var context = context
        let roles = context.columns.names == columns.map(\.name) ? context.columns.roles : nil
        context.columns = FormulaColumns(columns)
        if let roles { context.columns.roles = roles }
        context.tables = tables
        context.locale = ownLocale ?? context.locale
        var problems = checkSettings(context)
        let byName = Dictionary(fields.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        var seen: Set<String> = []
        var used: Set<Int> = []
        for entry in entries {
            guard let field = byName[entry.field] else {
                problems.append(.unknownField(entry, fields))
                continue
            }
            if !seen.insert(entry.field).inserted {
                problems.append(
                    MappingProblem(
                        "The field is mapped twice.", kind: .mappedTwice, field: entry.field, line: entry.line
                    ))
            }
            guard entry.source != .empty else { continue }
            if !field.takesValues {
                problems.append(
                    MappingProblem(
                        "A field of this kind takes no value.", severity: .warning, kind: .notFillable,
                        field: entry.field, line: entry.line))
            }
            do throws(FormulaError) {
                guard let formula = try entry.source.formula() else { continue }
                problems += formula.check(context).map { MappingProblem(entry, $0) }
                used.formUnion(formula.columns.compactMap { context.columns.index($0) })
                if formula.asksForTheName { used.formUnion(Self.nameColumns(context.columns)) }
                problems += fit(entry, field, formula, columns, context)
            } catch {
                problems.append(MappingProblem(entry, error))
            }
        }
        problems += required(fields, columns, context)
        problems += checkAnswers(byName)
        for setting in [Setting.only, .password, .name] {
            guard let text = self[setting] else { continue }
            let formulas =
                setting == .name
                ? (try? NamePattern(text, context: context))?.formulas ?? []
                : (try? Formula(text)).map { [$0] } ?? []
            for formula in formulas {
                used.formUnion(formula.columns.compactMap { context.columns.index($0) })
                if formula.asksForTheName { used.formUnion(Self.nameColumns(context.columns)) }
            }
        }
        let unused = columns.indices.filter { !used.contains($0) }.map { columns[$0].name }
        if !unused.isEmpty {
            problems.append(
                MappingProblem(
                    "Not used: \(unused.joined(separator: ", ")).", severity: .note, kind: .unusedColumn))
        }
        return problems.enumerated().sorted {
            ($1.element.severity, $0.offset) < ($0.element.severity, $1.offset)
        }.map(\.element)
    }

    /// Decisions about words: for a field that is there, and for choices that it has.
    private func checkAnswers(_ fields: [String: FieldFacts]) -> [MappingProblem] {
        var problems: [MappingProblem] = []
        for name in answeredFields {
            guard let field = fields[name] else {
                problems.append(
                    MappingProblem(
                        "The form has no field “\(MappingText.short(name))”, for which words were decided.",
                        severity: .warning, kind: .unknownField, field: name))
                continue
            }
            guard let choices = FieldChoices(field), !choices.takesOthers else { continue }
            let wrong = answers(for: name).compactMap { word, answer -> String? in
                guard case .choice(let choice) = answer, choices.named(choice) == nil else { return nil }
                return "“\(MappingText.short(word))” is to be “\(MappingText.short(choice))”"
            }
            guard !wrong.isEmpty else { continue }
            problems.append(
                MappingProblem(
                    "No choice of the form: \(wrong.prefix(5).joined(separator: ", ")).", severity: .warning,
                    kind: .noSuchChoice, field: name))
        }
        return problems
    }

    private static func nameColumns(_ columns: FormulaColumns) -> [Int] {
        [ColumnRole.fullName, .firstName, .middleName, .lastName].compactMap { columns.roles[$0] }
    }

    private func checkSettings(_ context: FormulaContext) -> [MappingProblem] {
        var problems: [MappingProblem] = []
        func add(_ message: String, _ hint: String? = nil, place: Range<Int>? = nil) {
            problems.append(MappingProblem(message, kind: .setting, hint: hint, place: place))
        }
        if let code = self[.locale], FormulaLocale(code) == nil {
            add("There is no locale “\(code)”.", "For example en-US, en-GB, de, fr-CA, es-MX.")
        }
        if let blank = self[.blank], !["keep", "clear"].contains(blank.lowercased()) {
            add("The setting blank is keep or clear, not “\(blank)”.")
        }
        if let flatten = self[.flatten], FlagReading.flag(flatten) == nil {
            add("The setting flatten is yes or no, not “\(flatten)”.")
        }
        if let others = self[.others], !["suggest", "keep"].contains(others.lowercased()) {
            add("The setting others is suggest or keep, not “\(others)”.")
        }
        for setting in [Setting.only, .password] {
            guard let text = self[setting], !text.isEmpty else { continue }
            do throws(FormulaError) {
                for problem in try Formula(text).check(context) where !problem.isWarning { throw problem }
            } catch {
                add("\(setting.rawValue): \(error.message)", error.hint, place: error.place)
            }
        }
        if let text = self[.name], !text.isEmpty {
            do throws(MappingProblem) { _ = try NamePattern(text, context: context) } catch {
                problems.append(error)
            }
        }
        return problems
    }

    /// What the samples of the columns tell about a field's limits.
    private func fit(
        _ entry: Entry, _ field: FieldFacts, _ formula: Formula, _ columns: [ColumnFacts],
        _ context: FormulaContext
    ) -> [MappingProblem] {
        var problems: [MappingProblem] = []
        func add(_ kind: MappingProblem.Kind, _ message: String, _ severity: MappingProblem.Severity) {
            problems.append(
                MappingProblem(message, severity: severity, kind: kind, field: entry.field, line: entry.line))
        }
        let values: [String]
        let isCertain: Bool
        switch entry.source {
        case .fixed(let text): (values, isCertain) = ([text], true)
        case .column(let name):
            (values, isCertain) = (context.columns.index(name).map { columns[$0].samples } ?? [], false)
        case .empty, .formula: (values, isCertain) = ([], false)
        }
        let severity: MappingProblem.Severity = isCertain ? .error : .warning
        if let limit = field.maximumLength, field.kind == .text,
            let long = values.first(where: { $0.count > limit })
        {
            add(
                .tooLong,
                "The field takes \(limit) characters; “\(MappingText.short(long))” has \(long.count).",
                severity)
        }
        if let choices = FieldChoices(field) {
            let decided = DecidedWords(answers(for: entry.field))
            let strange = Set(values.flatMap { choices.parts($0) }).filter {
                decided?[$0] == nil && choices.meaning(of: $0) == .unknown
            }
            .sorted()
            if !strange.isEmpty {
                let names = choices.choices.prefix(8).map(\.name).joined(separator: ", ")
                add(
                    .noSuchChoice,
                    "No choice of the form: \(strange.prefix(5).map { "“\(MappingText.short($0))”" }.joined(separator: ", ")). It has \(names)\(choices.choices.count > 8 ? ", …" : "").",
                    severity)
            }
        }
        let type = formula.type(context)
        switch (field.format, type) {
        case (.date, .number), (.date, .flag):
            add(
                .kind, "The field takes a date, and this is \(type == .number ? "a number" : "yes or no").",
                .warning)
        case (.number, .date), (.number, .flag):
            add(
                .kind, "The field takes a number, and this is \(type == .date ? "a date" : "yes or no").",
                .warning)
        default: break
        }
        if field.isBox, type == .date {
            add(.kind, "The field is a box, and this is a date.", .warning)
        }
        return problems
    }

    private func required(
        _ fields: [FieldFacts], _ columns: [ColumnFacts], _ context: FormulaContext
    ) -> [MappingProblem] {
        fields.compactMap { field in
            guard field.isRequired, field.takesValues, field.value.allSatisfy(\.isEmpty) else { return nil }
            let source = self[field.name] ?? .empty
            guard source == .empty else { return nil }
            return MappingProblem(
                "The form requires this field, and nothing fills it.", severity: .warning, kind: .required,
                field: field.name)
        }
    }
}
