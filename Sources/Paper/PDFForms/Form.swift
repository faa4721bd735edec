public import PDF

/// A form that was opened: its fields, and what one must know before writing to it.
public struct Form: Sendable {
    public enum XFA: String, Sendable {
        case none
        /// The XFA data describe the same fields as the PDF does: the PDF fields are filled, the XFA copy is dropped.
        case `static`
        /// The page is only a notice; the form itself exists for Adobe's programs alone.
        case dynamic
    }

    /// What the signatures in a file still allow (ISO 32000-2 §12.8.2.2).
    public enum Protection: Sendable, Equatable {
        case none
        /// Signed, without saying what may change: filling shows as a change after signing.
        case signed
        case certified(Certification)
    }

    public enum Certification: Int, Sendable { case noChanges = 1, formFilling = 2, formFillingAndNotes = 3 }

    public var fields: [Field]
    public var pageCount: Int
    public var xfa: XFA
    public var protection: Protection
    public var hasUsageRights: Bool
    public var asksForAppearances: Bool
    public var isEncrypted: Bool
    public var mayFill: Bool
    /// Names of fields in the order the form computes them.
    public var calculationOrder: [String]
    /// What qpdf had to repair on opening.
    public var repairs: [String]
    /// True when the places of the objects had to be searched for: then nothing can be appended.
    /// What was repaired, in a sentence; nil when nothing was.
    public var repairSentence: String? {
        guard !repairs.isEmpty else { return nil }
        let words = PDFFlaw.of(repairs).map(\.words).joined(separator: "; ")
        return "The file was damaged and has been repaired\(words.isEmpty ? "" : ": ")\(words)."
    }
    public var isReconstructed: Bool { repairs.contains { $0.contains("reconstruct") } }

    public init(bytes: [UInt8], password: String? = nil) throws(PDFError) {
        self.init(try Form.opened(bytes, password).file)
    }

    public init(path: String, password: String? = nil) throws(PDFError) {
        try self.init(bytes: PDFFile.read(path), password: password)
    }

    /// A file in which every field is an object of its own.
    static func opened(
        _ bytes: [UInt8], _ password: String?
    ) throws(PDFError) -> (file: PDFFile, wasRewritten: Bool) {
        let file = try PDFFile(bytes: bytes, password: password)
        guard file.isolateFields() else { return (file, false) }
        return (try PDFFile(bytes: file.rewritten()), true)
    }

    init(_ file: PDFFile) {
        fields = FieldTree(file).fields
        pageCount = file.pages.count
        let form = file.form ?? [:]
        asksForAppearances = file.resolve(form["NeedAppearances"]).boolean ?? false
        isEncrypted = file.encryption != nil
        mayFill = file.encryption?.mayFillForms ?? true
        let locks = FieldLocks(file, fields)
        for index in fields.indices { fields[index].lockedBy = locks.signature(locking: fields[index].name) }
        let permissions = file.dictionary(file.catalog["Perms"]) ?? [:]
        hasUsageRights = permissions["UR3"] != nil || permissions["UR"] != nil
        protection = Self.protection(file, permissions, fields, locks)
        xfa = Self.xfa(file, form, fields)
        let names = Dictionary(fields.map { ($0.object, $0.name) }, uniquingKeysWith: { first, _ in first })
        calculationOrder = file.array(form["CO"]).compactMap { $0.reference.flatMap { names[$0] } }
        Self.lookAtDrawings(of: file)
        repairs = file.repairs
    }

    /// Flaws come to light when an object is looked at. Nothing above looks at what pages draw, and a drawing that is
    /// broken hides what stands behind it.
    private static func lookAtDrawings(of file: PDFFile) {
        for page in file.pages {
            let contents = file.dictionary(.reference(page))?["Contents"]
            guard case .array(let parts) = file.resolve(contents) else { continue }
            for part in parts { _ = file.resolve(part) }
        }
    }

    /// Why nothing can be filled in, whatever the copies are to be like.
    public var hindrance: FormError? {
        if xfa == .dynamic { return .dynamicXFA }
        if fields.isEmpty { return .noFields }
        if protection == .certified(.noChanges) { return .certifiedAgainstChanges }
        if !mayFill { return .fillingForbidden }
        guard protection != .none else { return nil }
        return isEncrypted ? .signedAndEncrypted : isReconstructed ? .signedAndDamaged : nil
    }

    private static func protection(
        _ file: PDFFile, _ permissions: PDFDictionary, _ fields: [Field], _ locks: FieldLocks
    ) -> Protection {
        if let signature = file.dictionary(permissions["DocMDP"]) {
            let transforms = file.array(signature["Reference"]).compactMap { file.dictionary($0) }
            let parameters = transforms.first { file.resolve($0["TransformMethod"]).name == "DocMDP" }
                .flatMap { file.dictionary($0["TransformParams"]) }
            let level = file.resolve(parameters?["P"]).integer ?? 2
            let strictest = min(level, locks.level?.rawValue ?? level)
            return .certified(Certification(rawValue: strictest) ?? .formFilling)
        }
        let isSigned = fields.contains {
            $0.kind == .signature && file.dictionary(file.dictionary($0.object.object)?["V"]) != nil
        }
        if isSigned, locks.level == .noChanges { return .certified(.noChanges) }
        return isSigned ? .signed : .none
    }

    private static func xfa(_ file: PDFFile, _ form: PDFDictionary, _ fields: [Field]) -> XFA {
        guard let packets = form["XFA"], file.resolve(packets) != .null else { return .none }
        guard !fields.isEmpty else { return .dynamic }
        let items = file.array(packets)
        for (index, item) in items.enumerated() where file.resolve(item).text == "config" {
            guard index + 1 < items.count, let reference = items[index + 1].reference,
                let config = file.stream(reference, limit: 4 << 20)
            else { continue }
            let text = String(decoding: config, as: UTF8.self)
            // Where pages have fields to fill, whatever draws the form otherwise: the notice that stands for a form of Adobe's
            // alone has none.
            let isFillable = fields.contains { field in
                ![.unknown, .pushButton, .signature].contains(field.kind)
                    && field.widgets.contains { $0.isOnPage && !$0.isHidden }
            }
            if text.contains("<dynamicRender>required"), !isFillable { return .dynamic }
        }
        return .static
    }
}
