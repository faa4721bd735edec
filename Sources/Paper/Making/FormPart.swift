public import Mappings
public import PDF
public import PDFForms

/// A form with what fills it, worked out for all rows.
public struct FormPart: Sendable {
    public let name: String
    public let form: PreparedForm
    public let mapping: CompiledMapping
    /// Where in the form the mapping's fields are.
    public let columns: FormColumns
    /// Fields the form says must be filled in: their place in the mapping, or nil when nothing fills them.
    private let required: [(name: String, label: String, place: Int?)]
    /// The mapping's fields in the order of their names, so that moving lines in a mapping changes no paper.
    private let byName: [Int]

    public init(name: String, form: PreparedForm, mapping: CompiledMapping) {
        self.name = name
        self.form = form
        self.mapping = mapping
        columns = form.columns(mapping.fields)
        let places = Dictionary(
            mapping.fields.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        required = form.form.fields.compactMap { field in
            let isFilled = field.value.contains { !$0.isEmpty && $0 != "Off" }
            guard field.flags.contains(.required), !isFilled, FieldFacts(field).takesValues else {
                return nil
            }
            return (field.name, field.label, places[field.name])
        }
        let fields = mapping.fields
        byName = fields.indices.sorted { fields[$0] < fields[$1] }
    }

    public func fill(_ values: [FieldValue?], _ extras: DocumentExtras) throws(PDFError) -> Filled {
        guard extras != DocumentExtras() else { return form.fill(columns: columns, row: values) }
        return try form.fill(columns: columns, row: values, extras: extras)
    }

    /// What filling would find, without making a document of it.
    public func look(_ values: [FieldValue?], _ continuation: Continuation?) throws(PDFError) -> Looked {
        let (findings, addedPages) = try form.look(
            columns: columns, row: values, continuation: continuation)
        return Looked(findings: findings, addedPages: addedPages)
    }

    /// Fields that the form asks for and that the row has nothing for, each with its label; also those that the mapping
    /// does not know.
    public func missing(_ values: [FieldValue?]) -> [(field: String, label: String)] {
        required.compactMap { field in
            let isThere = field.place.flatMap { values[$0] }.map { !$0.isNothing } ?? false
            return isThere ? nil : (field.name, field.label)
        }
    }

    /// All that the values say, in one text: the same for two rows whose papers differ in nothing a reader could see.
    public func wording(_ values: [FieldValue?]) -> String {
        var text = ""
        for place in byName {
            guard let value = values[place] else { continue }
            text += "\u{1}\(mapping.fields[place])\u{2}"
            switch value {
            case .text(let words): text += words
            case .texts(let words): text += words.joined(separator: "\u{3}")
            case .flag(let flag): text += flag ? "\u{4}" : "\u{5}"
            }
        }
        return text
    }
}

extension FieldValue {
    fileprivate var isNothing: Bool {
        switch self {
        case .text(let text): text.allSatisfy(\.isWhitespace)
        case .texts(let texts): texts.allSatisfy { $0.allSatisfy(\.isWhitespace) }
        case .flag: false
        }
    }
}
