import Bytes
import Making
import Formulas
import Glibc
import Mappings
import PDFForms
import Storage
import Tables
import Work

/// Everything checked, nothing made yet.
struct PreparedTask {
    let task: FormTask
    let mapping: Mapping
    let wishes: DocumentWishes
    let run: FormRun
    /// What was found by itself, for fields that nothing was said about.
    let taken: [MappingSuggestion]
    /// Fields that nothing fills, and why.
    let empty: [MappingSuggestion]
    /// What is wrong or worth knowing, worst first; no errors.
    let problems: [MappingProblem]
    private let reading: TableReading
    private var call: Invocation { task.call }

    /// `suggests`: fields that nobody spoke of get what fits them without doubt.
    init(
        _ task: FormTask, _ table: borrowing FormTable, _ given: Mapping, suggests: Bool,
        _ wishes: DocumentWishes, _ settings: FormRun.Settings
    ) throws {
        self.task = task
        self.wishes = wishes
        reading = TableReading(table)
        let flattens = given[.flatten].map { FlagReading.flag($0) ?? false } ?? false
        var options = PreparedForm.Options()
        options.base = .automatic(copies: max(1, table.count))
        options.flattens = flattens ? .all : wishes.flattening
        options.locks = given[.password]?.isEmpty == false
        options.makesReadOnly = wishes.isReadOnly
        let bytes = try task.form.bytes()
        let password = task.call.value("form-password")
        HeldMemory.letGo()
        // Here --password locks what is made.
        let form = try withForms(password: "form-password") {
            try PreparedForm(bytes: bytes, password: password, options: options)
        }
        HeldMemory.letGo()
        try wishes.check(form.form)
        let named = Set(given.entries.map(\.field))
        let isComplete = form.form.fields.allSatisfy {
            named.contains($0.name) || !FieldFacts($0).takesValues
        }
        let facts =
            suggests && !given.keepsOthers && !isComplete
            ? FormFacts.all(form.form, bytes: bytes, password: password)
            : form.form.fields.map { FieldFacts($0) }
        HeldMemory.letGo()
        var mapping = given
        let open = mapping.suggestions(facts, table.facts)
        taken = suggests ? mapping.complete(facts, table.facts) : []
        mapping.decideByPage(facts)
        empty = open.filter { mapping[$0.field] == nil }
        self.mapping = mapping

        let context = task.context(table)
        problems = mapping.check(facts, table.facts, today: context)
        let errors = problems.filter { $0.severity == .error }
        guard errors.isEmpty else { throw Self.failure(errors, mapping, task.call) }
        guard mapping.entries.contains(where: { $0.source != .empty }) else {
            throw Failure(
                .invalid,
                "No column of the table is clearly meant for a field of the form. “quire map” writes a mapping to complete, and --set FIELD={Column} connects one."
            )
        }
        do throws(MappingProblem) {
            let compiled = try CompiledMapping(mapping, fields: facts, context: context)
            let known = compiled.scopes.context
            let part = FormPart(name: task.template, form: form, mapping: compiled)
            var recipe = Recipe(part, naming: try NamePattern(mapping[.name], context: known))
            recipe.only = try Self.read(mapping, .only) { text throws(FormulaError) in
                try Condition(text, known)
            }
            recipe.password = try Self.read(mapping, .password) { text throws(FormulaError) in
                try Formula(text).bound(to: known.columns)
            }
            recipe.extras = wishes.extras
            run = FormRun(recipe, of: part, settings: settings)
        } catch {
            throw Self.failure([error], mapping, task.call)
        }
    }

    private static func read<R>(
        _ mapping: Mapping, _ setting: Mapping.Setting, _ body: (String) throws(FormulaError) -> R?
    ) throws(MappingProblem) -> R? {
        guard let text = mapping[setting], !text.isEmpty else { return nil }
        do throws(FormulaError) { return try body(text) } catch {
            throw MappingProblem("\(setting.rawValue): \(error)", kind: .setting, place: error.place)
        }
    }

    /// All mistakes at once, each formula with a mark below the place.
    private static func failure(_ errors: [MappingProblem], _ mapping: Mapping, _ call: Invocation) -> Failure
    {
        guard !call.isJSON else { return Failure(.invalid, errors.map(\.description).joined(separator: " ")) }
        for error in errors.prefix(10) {
            var lines = ["\(error)"]
            if let place = error.place, let field = error.field, let formula = mapping[field]?.text {
                let picture = FormulaProblem(place, "").picture(in: formula)
                lines += picture.split(separator: "\n").map { "    \($0)" }
            }
            for line in lines { call.terminal.writeError(TextTable.harmless(line) + "\n") }
        }
        return Failure(
            .invalid, "The mapping has \(Words.count(errors.count, "mistake", "mistakes")); nothing was made."
        )
    }

    // MARK: What is said before a run

    var warnings: [String] {
        var warnings = reading.warnings + problems.filter { $0.severity == .warning }.map(\.description)
        // Said once for all: forms have many fields that are meant to stay empty.
        if !empty.isEmpty, call.value("map") == nil {
            warnings.append("Left empty: \(Self.list(empty.map(\.field))). “quire map” tells why.")
        }
        return warnings
    }

    /// Tells what will be done with what; `--strict` ends it here when there is something to warn of.
    func tell() throws {
        for remark in reading.remarks + run.form.remarks { call.hint(remark) }
        tellTaken()
        for note in problems where note.severity == .note { call.hint(note.description) }
        let warnings = warnings
        for warning in warnings { call.hint("Warning: \(warning)") }
        if call.has("strict"), !warnings.isEmpty {
            throw Failure(
                .invalid,
                "There \(warnings.count == 1 ? "is a warning" : "are \(warnings.count) warnings"), which --strict takes for failures; nothing was made."
            )
        }
    }

    /// Without a mapping, what is called alike needs no words; beside one, whatever it does not name does.
    private func tellTaken() {
        let hasMapping = call.value("map") != nil
        let told = taken.filter { hasMapping || $0.source != .column($0.field) }
        guard hasMapping || taken.count <= 12 else { return }
        for suggestion in told.prefix(24) {
            let line = "\(suggestion.field) = \(suggestion.source.text) (\(suggestion.reason))"
            call.hint(hasMapping ? "Suggested: \(line)" : line)
        }
        if told.count > 24 { call.hint("Suggested: \(told.count - 24) more, as --json tells.") }
        if hasMapping, !taken.isEmpty {
            call.hint(
                "The mapping does not name \(taken.count == 1 ? "this field" : "these fields"); “FIELD =” leaves one empty, “others = keep” all of them."
            )
        }
    }

    private static func list(_ names: [String]) -> String {
        names.count > 12
            ? names.prefix(12).joined(separator: ", ") + " and \(names.count - 12) more"
            : names.joined(separator: ", ")
    }

    var json: JSON {
        [
            "fields": .array(
                mapping.entries.filter { $0.source != .empty }.map { entry in
                    [
                        "field": .string(entry.field), "source": .string(entry.source.text),
                        "suggested": .bool(taken.contains { $0.field == entry.field }),
                    ]
                }),
            "empty": .array(empty.map { .string($0.field) }),
            "warnings": .array(warnings.map(JSON.string)),
            "notes": .array(problems.filter { $0.severity == .note }.map { .string($0.description) }),
            "remarks": .array(run.form.remarks.map(JSON.string)),
            "keepsOriginal": .bool(run.form.keepsOriginal),
        ]
    }
}

/// One line about one document: why it was not made, or what is to be known about one of its fields.
struct DocumentNote {
    var number: Int
    var place: Int
    var file: String?
    var field: String?
    var kind: String
    var message: String
    var isSerious: Bool
    /// The word that is no choice of the form, or was taken as one.
    var value: String?

    static func all(_ outcome: FormRun.Outcome) -> [DocumentNote] {
        func note(_ field: String?, _ kind: String, _ message: String, _ isSerious: Bool) -> DocumentNote {
            DocumentNote(
                number: outcome.number, place: outcome.place, file: outcome.fileName, field: field,
                kind: kind,
                message: message, isSerious: isSerious)
        }
        var notes = outcome.failure.map { [note(nil, "failed", $0, true)] } ?? []
        notes += outcome.problems.map { problem in
            var told = note(problem.field, problem.kind.rawValue, problem.message, problem.severity > .note)
            told.value = problem.value
            return told
        }
        notes += outcome.findings.map { finding in
            var told = note(finding.field, finding.kind.rawValue, finding.message, finding.isSerious)
            told.value = finding.value
            return told
        }
        return notes
    }

    var line: String { "Row \(place)" + (field.map { ", \($0)" } ?? "") + ": \(message)" }

    var json: JSON {
        [
            "row": .int(place), "file": .optional(file), "field": .optional(field), "kind": .string(kind),
            "message": .string(message), "serious": .bool(isSerious),
        ]
    }

    var cells: [String] { [String(place), file ?? "", field ?? "", kind, message] }
}
