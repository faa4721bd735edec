import PDF

/// Which fields a signature has locked (ISO 32000-2 §12.8.2.4, tables 236 and 258): changing one would make the
/// signature invalid. A lock that waits in a field nobody has signed yet binds nobody.
struct FieldLocks {
    private struct Rule {
        enum Action { case all, include, exclude }
        var signature: String
        var action: Action
        var names: [String]

        func holds(_ name: String) -> Bool {
            // A name stands for the whole branch below it.
            let isNamed = names.contains { name == $0 || name.hasPrefix($0 + ".") }
            switch action {
            case .all: return true
            case .include: return isNamed
            case .exclude: return !isNamed
            }
        }
    }

    private var rules: [Rule] = []
    /// The strictest level an approval signature asks for by its lock (P, since PDF 2.0).
    private(set) var level: Form.Certification?

    init(_ file: PDFFile, _ fields: [Field]) {
        for field in fields where field.kind == .signature {
            guard let signature = file.dictionary(file.dictionary(field.object.object)?["V"]) else {
                continue
            }
            var locks: [PDFDictionary] = []
            for transform in file.array(signature["Reference"]).compactMap({ file.dictionary($0) })
            where file.resolve(transform["TransformMethod"]).name == "FieldMDP" {
                if let parameters = file.dictionary(transform["TransformParams"]) { locks.append(parameters) }
            }
            if let lock = file.dictionary(file.dictionary(field.object.object)?["Lock"]) {
                locks.append(lock)
                if let asked = file.resolve(lock["P"]).integer.flatMap(Form.Certification.init) {
                    level = Form.Certification(rawValue: min(asked.rawValue, level?.rawValue ?? 3))
                }
            }
            for lock in locks {
                let names = file.array(lock["Fields"]).compactMap { file.resolve($0).text }
                let action: Rule.Action? =
                    switch file.resolve(lock["Action"]).name {
                    case "All": .all
                    case "Include": .include
                    case "Exclude": .exclude
                    default: nil
                    }
                if let action { rules.append(Rule(signature: field.name, action: action, names: names)) }
            }
        }
    }

    /// The signature that locks a field.
    func signature(locking name: String) -> String? { rules.first { $0.holds(name) }?.signature }
}
