import Access
import Mappings
import SQL
import Storage

extension SavedMappings {
    /// What a list begins with on a form: what was decided before for the very same form, by the fingerprint of its file, as
    /// far as this list has the columns for it, and then what suggests itself with certainty. The latest decision counts.
    func begun(
        for template: Template, _ facts: [FieldFacts], _ columns: [ColumnFacts]
    ) throws -> (mapping: Mapping, reasons: [String: String]) {
        let kept = try store.read { desk in
            try desk.rows(
                """
                SELECT m.name, m.text FROM mapping m
                JOIN template_edition e ON e.template = m.template AND e.number = m.edition
                WHERE e.digest = \(template.edition.blob.digest) AND m.trashed_at IS NULL
                ORDER BY m.changed_at DESC, m.id LIMIT 16
                """
            ).map { (name: try $0.text("name"), text: try $0.text("text")) }
        }
        let names = Set(columns.map(\.name))
        var mapping = Mapping()
        var reasons: [String: String] = [:]
        var emptied: Set<String> = []
        for (name, text) in kept {
            guard let earlier = try? Mapping(parsing: text) else { continue }
            for entry in earlier.entries where mapping[entry.field] == nil {
                if entry.source == .empty { emptied.insert(entry.field) }
                guard !emptied.contains(entry.field), Self.fits(entry.source, names) else { continue }
                mapping[entry.field] = entry.source
                mapping.decide(earlier.answers(for: entry.field), for: entry.field)
                reasons[entry.field] = "as decided before in “\(name)”"
            }
        }
        let decided = mapping.entries.map(\.source.text)
        for suggestion in mapping.suggestions(facts, columns) where suggestion.isConfident {
            // A column that was taken from this field and put into another stays there.
            let isMoved = columns.contains { column in
                let reference = Mapping.Source.column(column.name).text
                return suggestion.source.text.contains(reference)
                    && decided.contains { $0.contains(reference) }
            }
            if emptied.contains(suggestion.field), isMoved { continue }
            mapping[suggestion.field] = suggestion.source
            reasons[suggestion.field] = suggestion.reason
        }
        mapping.decideByPage(facts)
        return (mapping, reasons)
    }

    /// Only columns as they are: a text or a formula was written for one list, and is not put into the papers of another.
    private static func fits(_ source: Mapping.Source, _ columns: Set<String>) -> Bool {
        switch source {
        case .empty, .fixed: return false
        case .column(let name): return columns.contains(name)
        case .formula: return false
        }
    }
}
