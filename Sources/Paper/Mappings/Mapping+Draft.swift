import Formulas
import PDFForms

extension Mapping {
    /// The mapping with every field of the form in it, for a person to complete: confident suggestions are filled in,
    /// and above each new field stands what it takes, why it was matched, and what came second. What the mapping says
    /// already stays as it is.
    public func draft(_ fields: [FieldFacts], _ columns: [ColumnFacts], title: String) -> Mapping {
        var draft = self
        let (found, offers) = matches(fields, columns)
        if draft.lines.isEmpty {
            draft.lines = [
                .words("# \(title)"),
                .words("#"),
                .words(
                    "# Left of = stands a field of the form; right of it a {Column}, a \"text\" or a formula such as"
                ),
                .words(
                    "# upper({Last name}) or date_format({Birth date}, \"mm/dd/yyyy\"). Fields with nothing there stay empty."
                ),
                .words("# Lines with # are for you. Columns of the table:"),
            ]
            draft.lines += Self.wrapped(columns.map { Source.column($0.name).text }).map {
                .words("#   \($0)")
            }
            if !offers.isEmpty {
                draft.lines.append(
                    .words(
                        "# Columns that may be meant for more than one field, or for none; decide yourself:"))
                draft.lines += offers.flatMap(Self.comment).map { .words("#   \($0)") }
            }
            draft.lines += [
                .words(""), MappingText.setting(.name, NamePattern.standard(for: FormulaColumns(columns))),
                .words(""),
            ]
        }
        let facts = Dictionary(fields.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        for suggestion in found {
            draft[suggestion.field] = suggestion.source
            draft.setComment(Self.comment(suggestion, facts[suggestion.field]), above: suggestion.field)
        }
        draft.decideByPage(fields)
        return draft
    }

    private static func comment(_ offer: ColumnOffer) -> [String] {
        offer.choices.enumerated().map { place, choice in
            let fields = choice.parts.map(\.field).joined(separator: ", ")
            return
                "\(place == 0 ? "\(Source.column(offer.column).text) for" : "  or") \(short(fields)): \(short(choice.reason))"
        }
    }

    private static func comment(_ suggestion: MappingSuggestion, _ field: FieldFacts?) -> [String] {
        var words = field.map { [kind($0)] } ?? []
        if let label = field?.label, !label.isEmpty, label != field?.name {
            words.insert("“\(short(label))”", at: 0)
        }
        if suggestion.isConfident {
            words.append(suggestion.reason)
        } else if let first = suggestion.candidates.first {
            words.append("perhaps \(first.source.text): \(suggestion.doubt ?? first.reason)")
        } else {
            words.append("no column fits")
        }
        var lines = [words.joined(separator: " · ")]
        if let second = suggestion.runnerUp { lines.append("or \(second.source.text): \(second.reason)") }
        return lines
    }

    private static func kind(_ field: FieldFacts) -> String {
        var words: String
        switch field.kind {
        case .text: words = field.isMultiline ? "lines of text" : field.isComb ? "comb" : "text"
        case .checkBox: words = "box"
        case .radio: words = "one of \(field.states.prefix(8).joined(separator: ", "))"
        case .combo, .list:
            let choices = field.options.prefix(8).map(\.display).joined(separator: ", ")
            words =
                "\(field.isMultiSelect ? "some" : "one") of \(choices)\(field.options.count > 8 ? ", …" : "")"
        case .pushButton, .signature, .barcode, .unknown: words = field.kind.rawValue
        }
        if let format = field.format, format != .script { words = format.word }
        if let limit = field.maximumLength, field.kind == .text { words += ", \(limit) characters" }
        if field.isRequired { words += ", required" }
        if field.isReadOnly { words += ", read-only" }
        return short(words)
    }

    private static func short(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.count > 90 ? line.prefix(89) + "…" : line
    }

    private static func wrapped(_ words: [String]) -> [String] {
        var lines: [String] = []
        for word in words {
            if let last = lines.last, last.count + word.count < 90 {
                lines[lines.count - 1] = "\(last), \(word)"
            } else {
                lines.append(word)
            }
        }
        return lines
    }
}
