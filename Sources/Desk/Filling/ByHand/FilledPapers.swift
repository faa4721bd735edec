public import Access
public import Library
import PDF
public import PDFForms
public import PDFReading
public import Storage

/// Forms of the library that somebody fills in by hand. The engine is the one of packets, and so are its rules; each time it is kept
/// the paper becomes a new version, and what it was stays.
public struct FilledPapers: Sendable {
    private let documents: Documents
    private let store: Store
    private let reader: @Sendable () -> PageReader?

    private static let largest = 64 << 20
    /// More are not worked out again while somebody types.
    private static let largestTried = 16 << 20

    public init(_ store: Store, documents: Documents, reader: @escaping @Sendable () -> PageReader?) {
        self.store = store
        self.documents = documents
        self.reader = reader
    }

    /// A form as somebody sees it who fills it in.
    public struct Look: Sendable {
        /// In the form's order; a name may stand there twice.
        public var fields: [TemplateField]
        public var frames: [PageFrame]
        /// Fields that the form works out from others.
        public var computed: Set<String>
        /// What signatures forbid to change.
        public var locked: Set<String>
        /// Why nothing can be filled in, where it is not that there are no fields.
        public var hindrance: Failure?

        /// What can be written or chosen, and is seen.
        public func takes(_ field: TemplateField) -> Bool {
            field.canBeFilled && field.kind != .barcode && !field.isReadOnly
                && !field.isHidden && !computed.contains(field.name) && !locked.contains(field.name)
        }

        /// Required and empty. Nothing in a form says whether a picture was put into it.
        public var missing: [TemplateField] {
            fields.filter {
                $0.isRequired && $0.kind != .image && takes($0) && $0.value.allSatisfy(\.isEmpty)
            }
        }
    }

    /// What would be kept, or was.
    public struct Outcome: Sendable {
        /// Nil while it is only tried.
        public var document: Document?
        public var problems: [PacketProblem]
        /// What the form worked out, by the fields' names.
        public var computed: [String: String]
    }

    /// - Parameter isNamed: with the words that stand beside the fields, for which the pages are read
    public func look(
        at document: Document, isNamed: Bool = true, by caller: Caller
    ) throws -> Look {
        try caller.require(.view)
        guard document.blob.mediaType == Self.pdf else {
            return Look(fields: [], frames: [], computed: [], locked: [], hindrance: .noPDF(document))
        }
        return try Self.look(at: bytes(of: document), reader: isNamed ? reader() : nil)
    }

    /// The same for a form that is no paper of the library.
    public static func look(at bytes: [UInt8], reader: PageReader? = nil) throws -> Look {
        let edition = try Templates.explained { try FormEdition(bytes: bytes, reader: reader) }
        return Look(
            fields: zip(edition.form.fields, edition.labels).map(TemplateField.init),
            frames: edition.frames, computed: computed(edition.form),
            locked: Set(edition.form.fields.filter { $0.lockedBy != nil }.map(\.name)),
            hindrance: edition.form.hindrance.flatMap {
                $0 == .noFields ? nil : Failure(.unsupported, "\($0)")
            })
    }

    /// What these values would come to, without keeping anything.
    public func tried(
        _ document: Document, _ values: [String: FieldValue], by caller: Caller
    ) throws -> Outcome {
        try caller.require(.edit)
        guard document.blob.byteCount <= Self.largestTried else {
            return Outcome(problems: [], computed: [:])
        }
        let made = try Self.made(bytes(of: document), values)
        return Outcome(problems: made.problems, computed: made.computed)
    }

    /// - Parameters:
    ///   - asPage: what is written becomes part of the page, and nothing can be filled in any more
    ///   - anyway: also where something would not be seen as it was written
    public func fill(
        _ document: Document, _ values: [String: FieldValue], asPage: Bool = false, anyway: Bool = false,
        ifVersion version: Int? = nil, by caller: Caller
    ) throws -> Outcome {
        try caller.require(.edit)
        try document.checkIsHere()
        guard !values.isEmpty || asPage else { throw Failure(.invalid, "Nothing was written yet.") }
        let made = try Self.made(bytes(of: document), values, flattening: asPage ? .all : .none)
        if !anyway, let problem = made.problems.first(where: Self.isInTheWay) {
            let field = problem.field ?? ""
            throw Failure(
                .invalid, "What is written in “\(field)” would not stand there as it is. Nothing was kept.",
                field: field, cause: problem.message)
        }
        let revised = try documents.revise(
            document.id, with: .bytes(made.bytes), ifVersion: version ?? document.version, by: caller)
        switch revised {
        case .same(let document), .revised(let document):
            return Outcome(document: document, problems: made.problems, computed: made.computed)
        }
    }

    /// Whoever wrote it would miss it: also a secret, which no file keeps.
    public static func isInTheWay(_ problem: PacketProblem) -> Bool {
        problem.isSerious || problem.kind == .notKept
    }

    /// A form with these values in it.
    ///
    /// - Parameter flattening: which of its fields become part of the page
    public static func made(
        _ bytes: [UInt8], _ values: [String: FieldValue], flattening: PreparedForm.Flattening = .none
    ) throws -> (bytes: [UInt8], problems: [PacketProblem], computed: [String: String]) {
        try Templates.explained {
            var options = PreparedForm.Options()
            options.flattens = flattening
            let form = try PreparedForm(bytes: bytes, options: options)
            let filled = form.fill(values)
            var computed: [String: String] = [:]
            let names = self.computed(form.form)
            if !names.isEmpty, flattening == .none {
                for field in try Form(bytes: filled.bytes).fields where names.contains(field.name) {
                    computed[field.name] = field.value.first ?? ""
                }
            }
            return (filled.bytes, filled.findings.map { PacketProblem($0) }, computed)
        }
    }

    private static func computed(_ form: Form) -> Set<String> {
        let order = Set(form.calculationOrder)
        return Set(form.fields.filter { order.contains($0.name) && $0.calculation != nil }.map(\.name))
    }

    private static let pdf = "application/pdf"

    private func bytes(of document: Document) throws -> [UInt8] {
        guard document.blob.mediaType == Self.pdf else { throw Failure.noPDF(document) }
        guard document.blob.byteCount <= Self.largest else {
            throw Failure(
                .tooLarge,
                "“\(document.name)” is larger than \(Self.largest >> 20) MB, which is more than is filled in by hand."
            )
        }
        return try store.blobs.read(document.blob.digest, atMost: Self.largest)
    }
}
