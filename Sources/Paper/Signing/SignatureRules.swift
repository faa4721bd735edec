import PDF

/// What a signature says may be done to its paper afterwards (ISO 32000-2 §12.8.2).
struct SignatureRules {
    /// Nil for one that does not certify.
    private(set) var certifies: CheckedSignature.Allowance?
    private(set) var allows = CheckedSignature.Allowance.notes
    private var action: PDFName?
    private var names: Set<String> = []

    init(_ signature: PDFDictionary, _ file: PDFFile) {
        for object in file.array(signature["Reference"]) {
            guard let reference = file.dictionary(object) else { continue }
            let parameters = file.dictionary(reference["TransformParams"]) ?? [:]
            switch file.resolve(reference["TransformMethod"]).name {
            case "DocMDP":
                let level = file.resolve(parameters["P"]).integer ?? 2
                let allowed = CheckedSignature.Allowance(rawValue: level) ?? .filling
                certifies = allowed
                allows = allowed
            case "FieldMDP":
                action = file.resolve(parameters["Action"]).name
                names = Set(file.array(parameters["Fields"]).compactMap { file.resolve($0).text })
                // Of PDF 2.0: it may also say what the whole paper allows from now on.
                if let level = file.resolve(parameters["P"]).integer,
                    let allowed = CheckedSignature.Allowance(rawValue: level),
                    allowed.rawValue < allows.rawValue
                {
                    allows = allowed
                }
            default: break
            }
        }
    }

    /// A name locks all fields below it, too.
    func locks(_ field: String) -> Bool {
        let isNamed = names.contains { field == $0 || field.hasPrefix($0 + ".") }
        return switch action {
        case "All": true
        case "Include": isNamed
        case "Exclude": !isNamed
        default: false
        }
    }
}
