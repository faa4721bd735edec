import Crypto
import Formulas
import Mappings
import PDFForms
import Storage

/// A form of a packet with what fills it, worked out for all rows.
struct FormPart: Sendable {
    let name: String
    let digest: Digest
    let form: PreparedForm
    let mapping: CompiledMapping
    /// Where in the form the mapping's fields are.
    let columns: FormColumns
    let base: HashedBase
    /// Fields the form says must be filled in: their place in the mapping, or nil when nothing fills them.
    private let required: [(name: String, label: String, place: Int?)]
    /// The mapping's fields in the order of their names, so that moving lines in a mapping changes no packet.
    private let byName: [Int]

    init(
        name: String, digest: Digest, form: PreparedForm, mapping text: String, context: FormulaContext
    ) throws {
        self.name = name
        self.digest = digest
        self.form = form
        let facts = form.form.fields.map { FieldFacts($0) }
        mapping = try PacketMaker.told("mapping") { () throws(MappingProblem) in
            try CompiledMapping(Mapping(parsing: text), fields: facts, context: context)
        }
        columns = form.columns(mapping.fields)
        base = HashedBase(form.fill([:]).base)
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

    func fill(_ values: [FieldValue?]) -> Filled { form.fill(columns: columns, row: values) }

    func fill(_ values: [FieldValue?], _ extras: DocumentExtras) throws -> Filled {
        guard extras != DocumentExtras() else { return fill(values) }
        return try form.fill(columns: columns, row: values, extras: extras)
    }

    func problems(_ row: CompiledMapping.Row, _ findings: [Finding], part: Int) -> [PacketProblem] {
        // What the form requires is said below, also for fields that the mapping does not know.
        var problems = row.problems.filter { $0.kind != .required }.map {
            PacketProblem(.formula, part: part, field: $0.field, $0.message)
        }
        for field in required {
            guard field.place.flatMap({ row.values[$0] })?.isNothing ?? true else { continue }
            problems.append(
                PacketProblem(
                    .missingValue, part: part, field: field.name,
                    "“\(field.label)” must be filled in, and this row has nothing for it."))
        }
        return problems + findings.map { PacketProblem($0, part: part) }
    }

    func hash(_ values: [FieldValue?], into content: inout SHA256Stream) {
        var text = digest.hex
        for place in byName {
            guard let value = values[place] else { continue }
            text += "\u{1}\(mapping.fields[place])\u{2}"
            switch value {
            case .text(let words): text += words
            case .texts(let words): text += words.joined(separator: "\u{3}")
            case .flag(let flag): text += flag ? "\u{4}" : "\u{5}"
            }
        }
        content.update(Array(text.utf8))
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

/// The digest of what all copies of a form begin with, so that each copy costs only what it adds.
final class HashedBase: Sendable {
    private let byteCount: Int
    private let stream: SHA256Stream

    init(_ base: [UInt8]) {
        var stream = SHA256Stream()
        stream.update(base)
        self.stream = stream
        byteCount = base.count
    }

    func digest(of filled: Filled) -> [UInt8] {
        var copy = filled.base.count == byteCount ? SHA256Stream(copying: stream) : SHA256Stream()
        if filled.base.count != byteCount { copy.update(filled.base) }
        copy.update(filled.added)
        return copy.finish()
    }
}
