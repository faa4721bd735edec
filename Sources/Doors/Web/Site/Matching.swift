import Access
import App
import Bytes
import Crypto
import Filling
import Formulas
import HTTP
import Mappings
import Markup
import PDFForms
import PDFReading
import People
import Storage
import Tables
import Work

/// What one part of a batch is filled with, worked out for looking at: the form, the mapping as it stands, the columns
/// of the list, and one person's row.
struct Matching {
    let visit: Visit
    let batch: Batch
    /// The part's place, from 0.
    let part: Int
    let template: Template
    let saved: SavedMapping?
    /// Nothing is written down before somebody decides: until then it is what suggests itself with certainty.
    var mapping: Mapping
    let fields: [TemplateField]
    let facts: [FieldFacts]
    let frames: [PageFrame]
    let list: RecipientList
    let columns: [ColumnFacts]
    let context: FormulaContext
    /// From 1.
    let row: Int
    let rowCount: Int
    let person: Recipient?
    /// Why a field was matched by itself.
    let reasons: [String: String]

    /// How many rows are looked at to suggest what goes where.
    private static let sample = 200

    init(_ visit: Visit, _ batch: Batch, part wanted: Int? = nil, row wantedRow: Int? = nil) throws {
        let caller = try visit.member()
        self.visit = visit
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
        guard let listID = batch.draft.list.flatMap({ ID<RecipientList>($0) }) else {
            throw Failure(.conflict, "Choose for whom first.", field: "list")
        }
        template = try visit.quire.templates.get(id, by: caller)
        fields = try visit.quire.templates.fields(id, by: caller)
        frames = try visit.site.frames.all(of: template.edition.blob.digest)
        let form = try visit.site.forms.form(template.edition.blob.digest)
        let nearby = Dictionary(
            fields.filter { $0.labelSource != .tooltip && $0.labelSource != .name }.map {
                ($0.name, $0.label)
            }, uniquingKeysWith: { $1 })
        let facts = form.form.fields.map { FieldFacts($0, nearby: nearby[$0.name]) }
        self.facts = facts
        let filter = try visit.filter(of: batch)
        let sample = try visit.quire.recipients.page(
            listID, .init(filter, limit: Self.sample), by: caller)
        list = sample.list
        rowCount = sample.matchCount
        row = min(max(1, wantedRow ?? 1), max(1, rowCount))
        if sample.recipients.indices.contains(row - 1) {
            person = sample.recipients[row - 1]
        } else {
            person = try visit.quire.recipients.page(
                listID, .init(filter, offset: row - 1, limit: 1), by: caller
            ).recipients.first
        }
        let columns = list.columns.enumerated().map { place, column in
            ColumnFacts(
                name: column.name, type: FormulaType(column.kind),
                samples: sample.recipients.compactMap { person in
                    guard person.cells.indices.contains(place), !person.cells[place].shown.isEmpty else {
                        return nil
                    }
                    return person.cells[place].shown
                })
        }
        self.columns = columns
        saved = try mappingID.map { try visit.quire.mappings.get($0, by: caller) }
        var mapping = Mapping()
        var reasons: [String: String] = [:]
        if let saved {
            do {
                mapping = try Mapping(parsing: saved.text)
            } catch {
                throw Failure(.conflict, "The matching “\(saved.name)” cannot be read: \(error)")
            }
        } else {
            for suggestion in mapping.takeSuggestions(facts, columns) {
                reasons[suggestion.field] = suggestion.reason
            }
        }
        self.mapping = mapping
        self.reasons = reasons
        let batchLocale = FormulaLocale(batch.draft.options.locale) ?? .standard
        context = FormulaContext(
            columns: FormulaColumns(columns), tables: mapping.tables,
            locale: mapping.ownLocale ?? batchLocale,
            today: try visit.today(), rowCount: rowCount, template: template.name)
    }

    var cells: [Cell] { person?.cells ?? [] }

    /// The form filled for the shown row. A mapping that cannot be compiled leaves out what is wrong with it.
    func filled() throws -> Filled {
        let form = try visit.site.forms.form(template.edition.blob.digest)
        let compiled = try compiled()
        return form.fill(
            columns: form.columns(compiled.fields), row: compiled.row(cells, number: row).values)
    }

    func compiled() throws -> CompiledMapping {
        var sound = mapping
        // Each wrong line is left out in turn, so that the others can be looked at meanwhile.
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

    /// Changes with anything that would change the picture.
    var version: String {
        String(
            Hex.encode(
                SHA256.hash(
                    Array("\(template.edition.blob.digest.hex)\(mapping.text)\(list.edition)".utf8))
            ).prefix(12))
    }

    func page(chosen: String?, formula: String?) throws -> MatchPage {
        let values = try values()
        let problems = mapping.check(facts, columns, today: context)
        let suggestions = Dictionary(
            mapping.suggestions(facts, columns).map { ($0.field, $0) }, uniquingKeysWith: { $1 })
        let lines = fields.map { FieldLine($0, frames) }
        let taken = facts.filter(\.takesValues).map(\.name)
        let takesValue = Set(taken)
        let entries = lines.filter { takesValue.contains($0.name) }.map { line -> MatchPage.Entry in
            var entry = MatchPage.Entry(field: line, source: source(of: line.name), value: values[line.name])
            entry.problem = problems.first { $0.field == line.name }.map { problem in
                problem.hint.map { "\(problem.message) \($0)" } ?? problem.message
            }
            entry.reason = reasons[line.name]
            if let found = suggestions[line.name], found.isConfident {
                entry.suggestion = .init(
                    column: found.source.text, shown: MatchPage.Source(found.source),
                    reason: found.reason, runnerUp: found.runnerUp.map { $0.source.text })
            }
            return entry
        }
        let used = Set(
            mapping.entries.compactMap { entry -> String? in
                if case .column(let name) = entry.source { name } else { nil }
            })
        let wrong = Set(entries.filter { $0.problem != nil }.map(\.field.name))
        let matched = Set(entries.filter { $0.source != .nothing }.map(\.field.name))
        let path = "/batches/\(batch.id)"
        let number = part + 1
        return MatchPage(
            batch: try visit.line(of: batch), parts: parts, part: number,
            pages: PagePicture.all(
                frames, of: lines.filter { takesValue.contains($0.name) },
                address: { "\(path)/preview/\($0)?part=\(number)&row=\(row)&v=\(version)" },
                field: { "\(path)/mapping?part=\(number)&row=\(row)&field=\(Pages.queryEncoded($0))" },
                mood: { wrong.contains($0.name) ? .problem : matched.contains($0.name) ? .matched : .plain },
                chosen: chosen), entries: entries,
            columns: list.columns.enumerated().map { place, column in
                MatchPage.Column(
                    name: column.name, kind: column.kind.rawValue,
                    example: cells.indices.contains(place) ? cells[place].shown : "",
                    isUsed: used.contains(column.name))
            }, chosen: chosen, draft: formula.map(draft), row: row, rowCount: rowCount,
            rowName: person?.name ?? visit.texts("match.nobody"),
            suggestionCount: entries.count { $0.suggestion != nil },
            savedMappings: try visit.quire.mappings.all(of: template.id, by: visit.member()).filter {
                $0.id != saved?.id
            }.map { ($0.id.text, $0.name) })
    }

    private var parts: [(number: Int, name: String)] {
        batch.draft.parts.enumerated().compactMap { place, part in
            guard case .template(let id, _) = part.content,
                let template = try? visit.quire.templates.get(id, by: visit.member())
            else { return nil }
            return (place + 1, template.name)
        }
    }

    private func source(of field: String) -> MatchPage.Source {
        mapping[field].map { MatchPage.Source($0) } ?? .nothing
    }

    /// What the shown row puts into each field.
    private func values() throws -> [String: String] {
        let compiled = try compiled()
        let row = compiled.row(cells, number: row)
        var values: [String: String] = [:]
        for (field, value) in zip(compiled.fields, row.values) {
            switch value {
            case .text(let text)?: values[field] = text
            case .texts(let texts)?: values[field] = texts.joined(separator: ", ")
            case .flag(let flag)?: values[field] = flag ? "☑" : "☐"
            case nil: values[field] = ""
            }
        }
        return values
    }

    /// A formula while it is being written: its error where it is, or what it gives for the shown row.
    private func draft(_ text: String) -> MatchPage.Draft {
        var draft = MatchPage.Draft(formula: text)
        do throws(FormulaError) {
            let formula = try Formula(text)
            if let problem = formula.check(context).first(where: { !$0.isWarning }) { throw problem }
            let scope = RowScopes(context, isTyped: false, for: [formula]).scope(cells, row: row)
            draft.value = try formula.result(scope).shown
            draft.steps = formula.explain(scope).map { ($0.part, $0.value) }
        } catch {
            draft.error = error.description
            draft.errorAt = error.place.lowerBound
        }
        return draft
    }
}

extension MatchPage.Source {
    init(_ source: Mapping.Source) {
        self =
            switch source {
            case .empty: .empty
            case .column(let name): .column(name)
            case .fixed(let text): .fixed(text)
            case .formula(let text): .formula(text)
            }
    }
}
