public import Bytes
import PDF
import PDFForms
public import Storage

/// What was found when a template was taken in: what had to be mended, what is in it, what stands in the way.
public struct ImportReport: Sendable, Equatable {
    public struct Remark: Sendable, Equatable {
        public enum Kind: String, Sendable {
            /// Nothing can be filled in because of this.
            case noFields, dynamicXFA, fillingForbidden, certified, signedAndDamaged
            /// Filling works; this is what one should know.
            case repaired, unlocked, staticXFA, scripts, calculated, signed, formFillingOnly, usageRights
            case hiddenFields, unlistedFields, sameName, duplicate, signatureFields, readOnlyFields
        }

        public var kind: Kind
        /// A whole sentence.
        public var message: String

        public var blocksFilling: Bool {
            switch kind {
            case .noFields, .dynamicXFA, .fillingForbidden, .certified, .signedAndDamaged: true
            default: false
            }
        }
    }

    /// A template that has these very bytes already.
    public struct Twin: Sendable, Equatable {
        public var id: ID<Template>
        public var name: String
    }

    public var pageCount: Int
    public var fieldCount: Int
    /// How many fields there are of each kind.
    public var kinds: [(kind: TemplateField.Kind, count: Int)]
    public var remarks: [Remark]
    public var twins: [Twin]

    public var canBeFilled: Bool { !remarks.contains(where: \.blocksFilling) }

    public static func == (a: ImportReport, b: ImportReport) -> Bool { a.json == b.json }
}

extension ImportReport {
    init(_ form: Form, wasLocked: Bool) {
        pageCount = form.pageCount
        fieldCount = form.fields.count
        twins = []
        remarks = []
        var counts: [TemplateField.Kind: Int] = [:]
        for field in form.fields { counts[TemplateField.Kind(field), default: 0] += 1 }
        kinds = TemplateField.Kind.allCases.compactMap { kind in counts[kind].map { (kind, $0) } }
        noteHindrances(form)
        noteState(form, wasLocked)
        noteFields(form.fields)
    }

    private mutating func note(_ kind: Remark.Kind, _ message: String) {
        remarks.append(Remark(kind: kind, message: message))
    }

    private mutating func noteHindrances(_ form: Form) {
        if form.xfa == .dynamic {
            note(.dynamicXFA, "\(FormError.dynamicXFA)")
        } else if form.fields.isEmpty {
            note(
                .noFields, "The file has no fields yet. Quire can propose some where its lines and boxes are."
            )
        }
        if form.protection == .certified(.noChanges) {
            note(.certified, "\(FormError.certifiedAgainstChanges)")
        }
        if !form.mayFill { note(.fillingForbidden, "\(FormError.fillingForbidden)") }
        if form.protection != .none, form.isReconstructed {
            note(.signedAndDamaged, "\(FormError.signedAndDamaged)")
        }
    }

    private mutating func noteState(_ form: Form, _ wasLocked: Bool) {
        if let sentence = form.repairSentence { note(.repaired, sentence) }
        if wasLocked {
            note(.unlocked, "The file was locked with a password. The template is kept without it.")
        } else if form.isEncrypted {
            note(
                .unlocked,
                "The file is encrypted, but opens without a password. Filled copies are not encrypted.")
        }
        if form.xfa == .static {
            note(
                .staticXFA,
                "The form carries its data a second time, as XFA. Filled copies leave that out, so that every program shows the same."
            )
        }
        switch form.protection {
        case .none, .certified(.noChanges): break
        case .signed:
            note(.signed, "The file is signed. Viewers will say that it was changed after signing.")
        case .certified:
            note(.formFillingOnly, "The file is certified and allows filling: the certificate stays valid.")
        }
        if form.hasUsageRights {
            note(
                .usageRights,
                "The file carries Adobe's usage rights, which end with any change by another program.")
        }
    }

    private mutating func noteFields(_ fields: [Field]) {
        func count(_ condition: (Field) -> Bool) -> Int { fields.count(where: condition) }
        let scripts = count { $0.format == .script }
        if scripts > 0 {
            note(
                .scripts,
                "\(Self.fields(scripts)) checked or shown by a script of the form's own, which is not run.")
        }
        let calculated = count { $0.calculation != nil }
        if calculated > 0 { note(.calculated, "\(Self.fields(calculated)) computed from others.") }
        let hidden = count { !$0.widgets.isEmpty && $0.widgets.allSatisfy(\.isHidden) }
        if hidden > 0 {
            note(.hiddenFields, "\(Self.fields(hidden)) hidden: what is filled in there is not seen.")
        }
        let unlisted = count { !$0.isListed }
        if unlisted > 0 {
            note(
                .unlistedFields,
                "\(Self.fields(unlisted)) known to a page only, and will be added to the form's list.")
        }
        let readOnly = count { $0.flags.contains(.readOnly) }
        if readOnly > 0 {
            note(.readOnlyFields, "\(Self.fields(readOnly)) locked against typing; Quire can fill them.")
        }
        let signatures = count { $0.kind == .signature }
        if signatures > 0 {
            note(
                .signatureFields,
                "\(Self.fields(signatures)) for a signature and left for the person who signs.")
        }
        let names = Dictionary(grouping: fields, by: \.name).filter { $0.value.count > 1 }.keys.sorted()
        if let first = names.first {
            note(.sameName, "Several fields are called “\(first)”; they are all filled alike.")
        }
    }

    private static func fields(_ count: Int) -> String { count == 1 ? "1 field is" : "\(count) fields are" }
}

extension ImportReport {
    public var json: JSON {
        [
            "pageCount": .int(pageCount), "fieldCount": .int(fieldCount), "canBeFilled": .bool(canBeFilled),
            "kinds": .array(kinds.map { ["kind": .string($0.kind.rawValue), "count": .int($0.count)] }),
            "remarks": .array(
                remarks.map {
                    [
                        "kind": .string($0.kind.rawValue), "message": .string($0.message),
                        "blocksFilling": .bool($0.blocksFilling),
                    ]
                }),
            "duplicates": .array(twins.map { ["id": .string($0.id.text), "name": .string($0.name)] }),
        ]
    }

    /// As it was kept; the wordless parts of a report from a newer Quire are left out.
    init(kept json: JSON) {
        pageCount = json["pageCount"]?.int ?? 0
        fieldCount = json["fieldCount"]?.int ?? 0
        kinds = (json["kinds"]?.array ?? []).compactMap { item in
            guard let kind = item["kind"]?.string.flatMap(TemplateField.Kind.init),
                let count = item["count"]?.int
            else { return nil }
            return (kind, count)
        }
        remarks = (json["remarks"]?.array ?? []).compactMap { item in
            guard let kind = item["kind"]?.string.flatMap(Remark.Kind.init),
                let message = item["message"]?.string
            else { return nil }
            return Remark(kind: kind, message: message)
        }
        twins = (json["duplicates"]?.array ?? []).compactMap { item in
            guard let id = item["id"]?.string.flatMap(ID<Template>.init), let name = item["name"]?.string
            else {
                return nil
            }
            return Twin(id: id, name: name)
        }
    }
}
