import Bundling
import Bytes
import Filling
import Formulas
import Mappings
import PDF
import PDFForms
import PDFReading
import Storage
public import Work

extension BundleView {
    /// All of it is read as it will be used; what cannot be used at all is a failure.
    init(_ bundle: Bundle, leftOut: [String], today: WallTime) throws {
        name = bundle.name
        naming = bundle.naming.isEmpty ? BatchDraft.usualNaming : bundle.naming
        options = try BatchOptions(.object(bundle.options))
        letter = try bundle.letter.map { try BatchLetter(words: $0) }
        options.leaveUnsigned()
        // Nobody but whoever takes it in says who gets their papers, and who can open them.
        if options.dropSharedPassword() { notTaken.insert(.password) }
        if letter?.dropAddresses() == true { notTaken.insert(.addresses) }
        files = bundle.files.map(\.name)
        columns = bundle.columns.map(\.name)
        rows = bundle.rows
        hasRealRows = bundle.hasRealRows
        self.leftOut = leftOut
        let facts = bundle.columnFacts
        parts = try bundle.parts.map { part in
            switch part.content {
            case .form(let bytes, let mapping):
                try Part(form: part, bytes, mapping, facts, today)
            case .paper:
                Part(kind: .paper, name: part.name, condition: part.condition)
            case .attachment(let pattern):
                Part(kind: .attachment, name: pattern, condition: part.condition)
            }
        }
    }
}

extension BundleView.Part {
    fileprivate init(
        form part: Bundle.Part, _ bytes: [UInt8], _ text: String?, _ columns: [ColumnFacts],
        _ today: WallTime
    ) throws {
        let form = try Templates.explained { try Form(bytes: bytes) }
        self.init(kind: .form, name: part.name, condition: part.condition)
        pageCount = form.pageCount
        fieldCount = form.fields.count
        guard let text else { return }
        let mapping: Mapping
        do throws(MappingProblem) {
            mapping = try Mapping(parsing: text)
        } catch {
            throw Failure(.invalid, "\(error)", field: "file")
        }
        let fields = form.fields.map { FieldFacts($0) }
        self.mapping = text
        keepsOthers = mapping.keepsOthers
        lines = mapping.entries.filter { $0.source != .empty }.map {
            Line(field: $0.field, source: $0.source.text)
        }
        // What is missing in an example is nobody's fault; only what does not hold together is told.
        problems = mapping.check(
            fields, columns, today: FormulaContext(columns: FormulaColumns(columns), today: today)
        ).filter { $0.severity == .error || $0.kind == .unknownField }.map { "\($0)" }
    }
}

extension Bundle {
    var columnFacts: [ColumnFacts] {
        columns.enumerated().map { index, column in
            ColumnFacts(name: column.name, samples: rows.map { $0[index] }.filter { !$0.isEmpty })
        }
    }
}

extension BatchLetter {
    /// The words of a letter without whoever writes: from whom, and where answers go, is said on each desk anew.
    init(words: JSONObject) throws(Failure) {
        var words = words
        for key in Self.ownWords { words[key] = nil }
        try self.init(.object(words), changing: BatchLetter(subject: "", body: ""))
        version = 0
        self = try checked()
    }

    static let ownWords = ["from", "replyTo", "zone", "files", "version"]
}

extension BundleView {
    /// Of a file, without a desk.
    public init(reading bytes: [UInt8], at now: Moment) throws {
        let (bundle, leftOut) = try Bundles.read(bytes)
        try self.init(bundle, leftOut: leftOut, today: TimeZoneRules.utc.wallTime(at: now))
    }
}
