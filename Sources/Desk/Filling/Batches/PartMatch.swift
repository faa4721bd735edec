public import Access
public import Formulas
import Making
public import Mappings
public import PDFForms
import Storage
public import Tables
import Work

/// What one part of a batch is filled with, worked out for looking at: the form, the mapping as it stands, the columns of
/// the list, and one person's row. What it shows is what this person's packet is made of.
public struct PartMatch: Sendable {
    public let batch: Batch
    /// The part's place, from 0.
    public let part: Int
    public let template: Template
    public let saved: SavedMapping?
    /// Nothing is written down before somebody decides: until then it is what was decided for the same form before, and
    /// what suggests itself with certainty. What a kept mapping does not name is filled in the same way.
    public let mapping: Mapping
    /// Why a field was matched by itself.
    public let reasons: [String: String]
    public let fields: [TemplateField]
    public let facts: [FieldFacts]
    public let list: RowSource.List
    public let columns: [ColumnFacts]
    public let context: FormulaContext
    /// From 1.
    public let row: Int
    public let person: PacketRow?
    let form: FormPart

    public var rowCount: Int { list.count }
    public var cells: [Cell] { person?.cells ?? [] }

    /// How many rows are looked at to suggest what goes where.
    static let sample = 200

    fileprivate init(
        _ batches: Batches, _ batch: Batch, part wanted: Int?, row wantedRow: Int?, by caller: Caller
    ) throws {
        self.batch = batch
        let forms = batch.draft.parts.indices.filter { place in
            if case .template = batch.draft.parts[place].content { true } else { false }
        }
        guard let first = forms.first else {
            throw Failure(.conflict, "This packet has no form to fill. Choose one first.", field: "parts")
        }
        part = wanted.flatMap { forms.contains($0 - 1) ? $0 - 1 : nil } ?? first
        guard case .template(let id, let mappingID) = batch.draft.parts[part].content else {
            throw Failure(.notFound, "There is no such part.")
        }
        guard let whom = batch.draft.whom else {
            throw Failure(.conflict, "Choose for whom first.", field: "list")
        }
        template = try batches.templates.get(id, by: caller)
        (fields, facts) = try batches.templates.known(of: template)
        list = try batches.rows.list(whom)
        row = min(max(1, wantedRow ?? 1), max(1, list.count))
        let sample = try batches.rows.some(whom, 0, Self.sample)
        person =
            sample.indices.contains(row - 1)
            ? sample[row - 1]
            : try batches.rows.some(whom, row - 1, 1).first
        columns = list.facts(sample)
        saved = try mappingID.map { try batches.mappings.get($0, by: caller) }
        var mapping = Mapping()
        var reasons: [String: String] = [:]
        if let saved {
            do {
                mapping = try Mapping(parsing: saved.text)
            } catch {
                throw Failure(.conflict, "The matching “\(saved.name)” cannot be read: \(error)")
            }
            for suggestion in mapping.complete(facts, columns) {
                reasons[suggestion.field] = suggestion.reason
            }
            if !reasons.isEmpty { mapping.decideByPage(facts) }
        } else {
            (mapping, reasons) = try batches.mappings.begun(for: template, facts, columns)
        }
        self.mapping = mapping
        self.reasons = reasons
        var context = FormulaContext(
            columns: FormulaColumns(list.columns), tables: mapping.tables,
            locale: (try? batch.draft.options.formulaLocale()) ?? .standard,
            today: batches.circumstances.today(batches.store.clock.now()), rowCount: list.count,
            template: template.name)
        if let own = mapping.ownLocale { context.locale = own }
        self.context = context
        let key = FormShelf.Key(digest: template.edition.blob.digest, flattens: batch.draft.options.flattens)
        form = FormPart(
            name: template.name, form: try batches.templates.shelf.form(key),
            mapping: try Self.sound(mapping, facts, context))
    }

    /// A mapping that cannot be compiled leaves out what is wrong with it: each wrong line in turn, so that the others can
    /// be looked at meanwhile.
    private static func sound(
        _ mapping: Mapping, _ facts: [FieldFacts], _ context: FormulaContext
    ) throws -> CompiledMapping {
        var sound = mapping
        for _ in 0...sound.entries.count {
            do throws(MappingProblem) {
                return try CompiledMapping(sound, fields: facts, context: context)
            } catch {
                guard let field = error.field, sound[field] != nil else {
                    throw Failure(.conflict, "\(error)")
                }
                sound[field] = nil
            }
        }
        throw Failure(.conflict, "This matching cannot be used.")
    }

    /// What the shown row puts into each field.
    public var values: [(field: String, value: FieldValue?)] {
        let row = form.mapping.row(cells, number: row)
        return Array(zip(form.mapping.fields, row.values)).map { ($0, $1) }
    }

    /// The choices of a field that something fills, where it has some.
    public func choices(of field: String) -> FieldChoices? { form.mapping.choices(of: field) }

    /// The form filled for the shown row.
    public func filled() throws -> Filled {
        let extras = DocumentExtras(
            continuation: batch.draft.options.overflow == .continuation ? Continuation() : nil)
        return try Templates.explained {
            try form.fill(form.mapping.row(cells, number: row).values, extras)
        }
    }

    /// A formula while it is being written, for the shown row.
    public func tried(
        _ text: String
    ) throws(FormulaError) -> (shown: String, steps: [FormulaStep]) {
        let formula = try Formula(text, for: context)
        let scope = RowScopes(context, for: [formula]).scope(cells, row: row)
        return (try formula.words(scope), formula.explain(scope))
    }
}

extension Batches {
    /// Looks at one part of a batch for one row; `part` and `row` count from 1, and without them it is the first.
    public func match(
        _ batch: Batch, part: Int? = nil, row: Int? = nil, by caller: Caller
    ) throws -> PartMatch {
        try caller.require(.view)
        return try PartMatch(self, batch, part: part, row: row, by: caller)
    }

    /// What is wrong with a condition of the batch's parts; nil when nothing is.
    public func mistake(inCondition text: String, of batch: Batch, by caller: Caller) throws -> String? {
        try caller.require(.view)
        do {
            guard !text.isEmpty else { return nil }
            guard let whom = batch.draft.whom else {
                // What can be right for no list is told before one is chosen.
                _ = try Formula(text)
                return nil
            }
            let list = try rows.list(whom)
            _ = try Condition(
                text,
                FormulaContext(
                    columns: FormulaColumns(list.columns), today: circumstances.today(store.clock.now())))
            return nil
        } catch let error as FormulaError {
            return error.description
        }
    }
}

extension RowSource.List {
    /// The columns as suggestions want to know them, with what stands in some rows.
    func facts(_ rows: [PacketRow]) -> [ColumnFacts] {
        columns.enumerated().map { index, column in
            ColumnFacts(
                name: column.name, type: FormulaType(column.kind),
                cells: rows.compactMap { row in
                    row.cells.indices.contains(index) ? row.cells[index] : nil
                })
        }
    }
}
