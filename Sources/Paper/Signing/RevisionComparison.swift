import PDF

/// One thing that is not as it was signed.
public struct LaterChange: Sendable, Hashable {
    /// The more a kind takes, the further down it stands.
    public enum Kind: Int, Sendable, Comparable, CaseIterable {
        /// Proofs for checking later on, and stamps that say when.
        case proofs = 1
        /// What the file says about itself.
        case description
        case signed
        case filled
        /// A signature that is seen, in a place that nobody had left for it.
        case placed
        case notes
        /// What nobody may change who wants the signature to hold.
        case other

        public static func < (a: Kind, b: Kind) -> Bool { a.rawValue < b.rawValue }

        public var name: String {
            switch self {
            case .proofs: "proofs"
            case .description: "description"
            case .signed: "signed"
            case .filled: "filled"
            case .placed: "placed"
            case .notes: "notes"
            case .other: "other"
            }
        }
    }

    public enum Part: String, Sendable, CaseIterable {
        case page, pages, field, signature, actions, form, fonts, permissions, encryption, hidden, file
    }

    public var kind: Kind
    public var part: Part
    /// The name of a field, the number of a page, an entry of the file.
    public var detail: String

    public init(kind: Kind, part: Part, detail: String = "") {
        self.kind = kind
        self.part = part
        self.detail = detail
    }
}

/// A file as it was signed and as it is, walked through side by side: what each difference means depends on where it stands.
/// Numbers of objects mean nothing by themselves, so that one put under another's number is found.
struct RevisionComparison {
    struct Pair: Hashable {
        var before: PDFReference
        var after: PDFReference
    }

    private struct Step {
        var before: PDFObject
        var after: PDFObject
        var part: LaterChange.Part
        var detail: String
    }

    static let mostChanges = 200
    private static let mostNodes = 200_000
    /// More than any paper has that somebody made to be read.
    private static let mostSteps = 5_000_000

    let before: PDFFile
    let after: PDFFile
    private(set) var changes: [LaterChange] = []
    private var known: Set<LaterChange> = []
    private var seen: Set<Pair> = []
    private var pages: [(before: PDFDictionary, after: PDFDictionary, number: Int)] = []
    private var nodes: [(before: PDFDictionary, after: PDFDictionary)] = []
    private var steps: [Step] = []
    private var stepsLeft = mostSteps
    /// False when the file is so entangled that not all of it was looked at.
    var isComplete: Bool { stepsLeft > 0 }

    init(_ before: PDFFile, _ after: PDFFile) {
        self.before = before
        self.after = after
        compare()
    }

    mutating func add(_ kind: LaterChange.Kind, _ part: LaterChange.Part, _ detail: String = "") {
        let change = LaterChange(kind: kind, part: part, detail: detail)
        if changes.count < Self.mostChanges, known.insert(change).inserted { changes.append(change) }
    }

    private mutating func compare() {
        if before.encryption != after.encryption { add(.other, .encryption) }
        let (old, new) = (before.catalog, after.catalog)
        // A signature that certifies points back to all of it.
        pair(before.trailer["Root"], after.trailer["Root"])
        pair(old["AcroForm"], new["AcroForm"])
        pairPages(old["Pages"], new["Pages"])
        let fields = FieldPairs(before, after)
        // Whoever points to one of these from elsewhere finds it dealt with.
        for both in fields.both where both.before.reference != nil {
            pair(both.before, both.after)
        }
        for (a, b, number) in pages { compareAnnotations(a, b, number, fields) }
        for both in fields.both { compareField(both) }
        for field in fields.added {
            guard field.isSignature else {
                add(.other, .field, field.name)
                continue
            }
            add(field.isTimeStamp ? .proofs : .signed, .signature, field.name)
            // Its picture could cover what was certified, and say something else.
            if Self.isSeen(field, after) { add(.placed, .signature, field.name) }
        }
        for field in fields.removed { add(.other, .field, field.name) }
        compareForm(before.dictionary(old["AcroForm"]), after.dictionary(new["AcroForm"]), fields)
        for node in nodes {
            for key in keys(node.before, node.after) where !["Kids", "Parent", "Count", "Type"].contains(key)
            {
                push(node.before[key], node.after[key], .pages, key.text)
            }
        }
        for (a, b, number) in pages {
            for key in keys(a, b)
            where !["Parent", "Annots", "LastModified", "PieceInfo", "Tabs"].contains(key) {
                push(a[key], b[key], .page, "\(number)")
            }
        }
        compareCatalog(old, new)
        if differs(before.trailer["Info"], after.trailer["Info"]) { add(.description, .file) }
        walk()
    }

    private static func isSeen(_ field: FieldPairs.Field, _ file: PDFFile) -> Bool {
        guard let dictionary = file.dictionary(field.object),
            let box = PDFRectangle(file.numbers(dictionary["Rect"]))
        else { return false }
        return box.width > 0 && box.height > 0 && dictionary["AP"] != nil
    }

    private mutating func pair(_ a: PDFObject?, _ b: PDFObject?) {
        if let a = a?.reference, let b = b?.reference { seen.insert(Pair(before: a, after: b)) }
    }

    private mutating func compareCatalog(_ old: PDFDictionary, _ new: PDFDictionary) {
        for key in keys(old, new) {
            switch key {
            case "Pages", "AcroForm", "Extensions", "Version": break
            case "DSS": if differs(old[key], new[key]) { add(.proofs, .file) }
            case "Metadata", "PieceInfo": if differs(old[key], new[key]) { add(.description, .file) }
            case "Perms":
                let (a, b) = (before.dictionary(old[key]), after.dictionary(new[key]))
                if differs(a?["DocMDP"], b?["DocMDP"]) { add(.other, .permissions) }
            case "OpenAction", "AA": push(old[key], new[key], .actions, key.text)
            default: push(old[key], new[key], .file, key.text)
            }
        }
    }

    // MARK: Pages

    private mutating func pairPages(_ old: PDFObject?, _ new: PDFObject?) {
        var work: [(PDFObject?, PDFObject?, Int)] = [(old, new, 0)]
        var count = 0
        while let (a, b, depth) = work.popLast() {
            if let a = a?.reference, let b = b?.reference,
                !seen.insert(Pair(before: a, after: b)).inserted
            {
                continue
            }
            guard let one = before.dictionary(a), let other = after.dictionary(b), depth < 100,
                count < Self.mostNodes
            else {
                if !before.resolve(a).isNull || !after.resolve(b).isNull { add(.other, .pages) }
                continue
            }
            count += 1
            guard one["Kids"] != nil || other["Kids"] != nil else {
                pages.append((one, other, pages.count + 1))
                continue
            }
            nodes.append((one, other))
            let kids = (before.array(one["Kids"]), after.array(other["Kids"]))
            if kids.0.count != kids.1.count { add(.other, .pages) }
            for (kid, twin) in zip(kids.0, kids.1).reversed() { work.append((kid, twin, depth + 1)) }
        }
    }

    private mutating func compareAnnotations(
        _ old: PDFDictionary, _ new: PDFDictionary, _ number: Int, _ fields: FieldPairs
    ) {
        let (a, b) = (before.array(old["Annots"]), after.array(new["Annots"]))
        let (were, are) = (Set(a.compactMap(\.reference)), Set(b.compactMap(\.reference)))
        func isIn(_ known: Set<PDFReference>, _ object: PDFObject) -> Bool {
            object.reference.map(known.contains) ?? false
        }
        let left = a.filter { !isIn(are, $0) }
        let added = b.filter { !isIn(were, $0) }
        let kept = a.filter { isIn(are, $0) }
        if kept != b.filter({ isIn(were, $0) }) { add(.notes, .page, "\(number)") }
        // What stands in the page itself has no number to be known by.
        var isSame = true
        for (one, other) in zip(left, added) where isSame {
            isSame = one.reference == nil && other.reference == nil && !differs(one, other)
        }
        if left.count != added.count || !isSame {
            for object in left {
                let isWidget = before.resolve(before.dictionary(object)?["Subtype"]).name == "Widget"
                add(isWidget ? .other : .notes, isWidget ? .field : .page, "\(number)")
            }
            for object in added {
                guard let annotation = after.dictionary(object) else { continue }
                if after.resolve(annotation["Subtype"]).name == "Widget" {
                    // Places of new signatures are told with their fields.
                    if !fields.isNewSignature(object) { add(.other, .field, "\(number)") }
                } else if annotation["A"] != nil || annotation["AA"] != nil {
                    add(.other, .actions, "\(number)")
                } else {
                    add(.notes, .page, "\(number)")
                }
            }
        }
        for object in kept {
            guard let reference = object.reference,
                seen.insert(Pair(before: reference, after: reference)).inserted,
                let one = before.dictionary(object), let other = after.dictionary(object)
            else { continue }
            for key in keys(one, other) where !["P", "Parent"].contains(key) && differs(one[key], other[key])
            {
                if before.resolve(one["Subtype"]).name == "Widget" {
                    add(.other, .field, "\(number)")
                } else if ["A", "AA", "Dest", "Subtype"].contains(key) {
                    add(.other, .actions, "\(number)")
                } else {
                    add(.notes, .page, "\(number)")
                }
            }
        }
    }

    // MARK: The form

    private mutating func compareField(_ pair: FieldPairs.Both) {
        guard let one = before.dictionary(pair.before), let other = after.dictionary(pair.after) else {
            return
        }
        let isNowSigned =
            pair.isSignature && before.dictionary(one["V"]) == nil && after.dictionary(other["V"]) != nil
        for key in keys(one, other) where !["Parent", "Kids", "P", "Type", "NM", "M"].contains(key) {
            guard differs(one[key], other[key]) else { continue }
            switch key {
            case "V" where pair.isSignature:
                if isNowSigned {
                    add(pair.isTimeStamp ? .proofs : .signed, .signature, pair.name)
                } else {
                    add(.other, .signature, pair.name)
                }
            case "AP" where pair.isSignature, "MK" where pair.isSignature, "F" where pair.isSignature,
                "DA" where pair.isSignature:
                if !pair.becomesSigned { add(.other, .signature, pair.name) }
            case "V", "AS", "RV", "I": add(.filled, .field, pair.name)
            case "AP": add(pair.isButton ? .other : .filled, .field, pair.name)
            case "Ff":
                let flags = (before.resolve(one[key]).integer ?? 0, after.resolve(other[key]).integer ?? 0)
                if flags.0 | 1 != flags.1 { add(.other, .field, pair.name) }
            case "A", "AA": add(.other, .actions, pair.name)
            default: add(.other, .field, pair.name)
            }
        }
    }

    private mutating func compareForm(_ old: PDFDictionary?, _ new: PDFDictionary?, _ fields: FieldPairs) {
        let (old, new) = (old ?? [:], new ?? [:])
        for key in keys(old, new) {
            switch key {
            case "Fields", "SigFlags": break
            case "NeedAppearances": if differs(old[key], new[key]) { add(.filled, .form) }
            case "DR": compareResources(old[key], new[key])
            case "XFA": compareXFA(old[key], new[key])
            // Said when there was no form before, for the place of the signature.
            case "DA" where old.isEmpty, "Q" where old.isEmpty: break
            default: push(old[key], new[key], .form, key.text)
            }
        }
    }

    /// Fonts may come to those there are; none may become another.
    private mutating func compareResources(_ old: PDFObject?, _ new: PDFObject?) {
        guard let old = before.dictionary(old) else { return }
        let new = after.dictionary(new) ?? [:]
        for (kind, entries) in old.entries {
            guard let entries = before.dictionary(entries) else {
                push(before.resolve(entries), after.resolve(new[kind]), .fonts, kind.text)
                continue
            }
            let others = after.dictionary(new[kind]) ?? [:]
            for (name, value) in entries.entries { push(value, others[name], .fonts, name.text) }
        }
    }

    private mutating func compareXFA(_ old: PDFObject?, _ new: PDFObject?) {
        let (a, b) = (before.array(old), after.array(new))
        guard a.count == b.count, !a.isEmpty else {
            if differs(old, new) { add(.other, .form, "XFA") }
            return
        }
        for at in stride(from: 0, to: a.count - 1, by: 2) {
            let name = before.resolve(a[at]).text ?? ""
            guard name == after.resolve(b[at]).text else { return add(.other, .form, "XFA") }
            guard differs(a[at + 1], b[at + 1]) else { continue }
            add(name == "datasets" || name == "form" ? .filled : .other, .form, "XFA")
        }
    }

    // MARK: Walking

    private func keys(_ a: PDFDictionary, _ b: PDFDictionary) -> [PDFName] {
        a.keys + b.keys.filter { a[$0] == nil }
    }

    private mutating func push(_ a: PDFObject?, _ b: PDFObject?, _ part: LaterChange.Part, _ detail: String) {
        steps.append(Step(before: a ?? .null, after: b ?? .null, part: part, detail: detail))
    }

    private mutating func walk() {
        while let step = steps.popLast(), isComplete {
            stepsLeft -= 1
            if let a = step.before.reference, let b = step.after.reference,
                !seen.insert(Pair(before: a, after: b)).inserted
            {
                continue
            }
            var inner: [(PDFObject?, PDFObject?)] = []
            if isUnequal(step.before, step.after, &inner) {
                add(.other, step.part, step.detail)
            } else {
                for (a, b) in inner { push(a, b, step.part, step.detail) }
            }
        }
    }

    /// Whether two things are not the same, whatever they lead to.
    private mutating func differs(_ a: PDFObject?, _ b: PDFObject?) -> Bool {
        var visited: Set<Pair> = []
        var work: [(PDFObject?, PDFObject?)] = [(a, b)]
        while let (a, b) = work.popLast(), isComplete {
            stepsLeft -= 1
            if let a = a?.reference, let b = b?.reference {
                let pair = Pair(before: a, after: b)
                if seen.contains(pair) || !visited.insert(pair).inserted { continue }
            }
            if isUnequal(a ?? .null, b ?? .null, &work) { return true }
        }
        return false
    }

    /// Looks at the things themselves; what they lead to is for the caller.
    private func isUnequal(
        _ a: PDFObject, _ b: PDFObject, _ inner: inout [(PDFObject?, PDFObject?)]
    ) -> Bool {
        let (one, other) = (before.resolve(a), after.resolve(b))
        switch (one, other) {
        case (.dictionary(let one), .dictionary(let other)):
            if let a = lastReference(a, before), let b = lastReference(b, after) {
                let isStream = before.isStream(a)
                guard isStream == after.isStream(b) else { return true }
                if isStream, before.storedStream(a) != after.storedStream(b) { return true }
            }
            for key in keys(one, other) where key != "Parent" && key != "Length" {
                inner.append((one[key], other[key]))
            }
            return false
        case (.array(let one), .array(let other)):
            guard one.count == other.count else { return true }
            inner.append(contentsOf: zip(one, other).map { ($0, $1) })
            return false
        default:
            if let a = one.number, let b = other.number { return abs(a - b) > 1e-5 }
            return one != other
        }
    }

    private func lastReference(_ object: PDFObject, _ file: PDFFile) -> PDFReference? {
        var reference = object.reference
        for _ in 0..<20 {
            guard let next = reference, case .reference(let further) = file.object(next) else { break }
            reference = further
        }
        return reference
    }
}
