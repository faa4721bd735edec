import PDF
import PDFDrawing
import Synchronization

/// A template read once. Filling it is a pure function of the values, so any number of threads may fill the same
/// form at the same time; each result is the template's bytes and a small revision behind them.
///
///     let form = try PreparedForm(bytes: template)
///     let filled = try form.fill(["name": .text("Zoë Miller"), "agrees": .flag(true)])
///     write(filled.bytes)
public final class PreparedForm: Sendable {
    public enum Base: Sendable {
        /// Appends when the template allows it and few copies are made, rewrites otherwise.
        case automatic(copies: Int)
        /// The template's own bytes first, untouched.
        case append
        /// The template written anew: repaired, decrypted, packed, without what a filled copy must not carry.
        case rewrite
    }

    public struct Options: Sendable {
        public var base = Base.automatic(copies: 1)
        public var flattens = Flattening.none
        /// Copies will be locked with passwords: the template is written anew, and made ready for it.
        public var locks = false
        /// Nothing in a copy can be filled any more, though its fields stay: the template is written anew. Signatures
        /// can still be given.
        public var makesReadOnly = false
        /// Set while a form written by us is completed: whether it asked to be drawn anew before that.
        var asksForAppearances: Bool?
        public init() {}

        var mustRewrite: Bool { locks || makesReadOnly }
    }

    /// Which fields become part of the page.
    public enum Flattening: Sendable, Equatable {
        case none, all
        /// Those of these names, and everything below a name.
        case fields(Set<String>)

        public func takes(_ field: Field) -> Bool {
            switch self {
            case .none: false
            case .all: true
            case .fields(let names):
                names.contains(field.name)
                    || names.contains { field.name.hasPrefix($0 + ".") || field.name.hasPrefix($0 + "[") }
            }
        }
    }

    public let form: Form
    /// True when a filled file begins with exactly the template's bytes.
    public let keepsOriginal: Bool
    /// What was decided about the template, in sentences for a person.
    public let remarks: [String]

    /// What every copy begins with: the template as it was read, or as it was written anew.
    public var templateBytes: [UInt8] { base }

    let base: [UInt8]
    let ending: PDFEnding
    let trailer: PDFDictionary
    /// One more than the highest object number of the base.
    let size: Int
    let ground: PDFRevision.Ground
    /// One more than the highest number reserved for filled places.
    let firstFree: Int
    let plans: [FieldPlan]
    let plansByName: [String: [Int]]
    /// Objects that are the same in every filled copy.
    let fixedObjects: [(reference: PDFReference, text: [UInt8])]
    var hasOddObjects: Bool { fixedObjects.contains { $0.reference.generation > 0 } }
    let fixedPictures: [(reference: PDFReference, text: [UInt8])]
    let flattening: FlatteningPlan?
    /// Fields every copy must draw although nobody fills them.
    let undrawn: [(place: Int, value: FieldValue)]
    let template: TemplateInfo
    let customs: FieldCustoms
    /// The base made ready to be locked again and again.
    let lockable: LockableFile?
    /// The same fields as bare memory, for the values most forms get.
    let plain: PlainFields
    /// No field of the form, for each copy to begin with.
    let noFields: FieldSet
    /// Where the pack of each copy stands, when small objects travel packed.
    let packReference: PDFReference?
    /// Packs made so far, by the fields whose values stand in objects of their own.
    let packs = Mutex<[FieldSet: PDFRevision.Pack]>([:])
    /// Those who read copies again.
    let readers = ProofReaders()
    /// About what a copy adds, learned from the copies so far: room is made for it at once.
    let usualByteCount = Atomic(4096)

    /// From about so many copies on, writing the template anew once costs less than a longer file each time.
    private static let manyCopies = 500

    public convenience init(path: String, password: String? = nil, options: Options = Options()) throws {
        try self.init(bytes: PDFFile.read(path), password: password, options: options)
    }

    public init(bytes: [UInt8], password: String? = nil, options: Options = Options()) throws {
        let (opened, wasIsolated) = try Form.opened(bytes, password)
        let form = Form(opened)
        try Self.checkFillable(form, options)
        var remarks: [String] = []
        let repairs = form.repairs
        let mustRewrite =
            options.mustRewrite || wasIsolated || !repairs.isEmpty || form.isEncrypted
            || PDFEnding(of: bytes) == nil
        // Small flaws do not hinder appending, and a signature forbids anything else.
        let mayAppend =
            !wasIsolated && !form.isEncrypted && !form.isReconstructed && PDFEnding(of: bytes) != nil
        if form.protection != .none, !mayAppend {
            throw form.isEncrypted ? FormError.signedAndEncrypted : .signedAndDamaged
        }
        let rewrites: Bool
        switch options.base {
        case .rewrite: rewrites = form.protection == .none
        case .append: rewrites = mustRewrite && form.protection == .none
        case .automatic(let copies):
            rewrites =
                mustRewrite || copies >= Self.manyCopies && form.protection == .none && !form.hasUsageRights
        }
        if let sentence = form.repairSentence { remarks.append(sentence) }
        if wasIsolated {
            remarks.append(
                "The form is written anew: some of its fields were not objects of their own, or stood on two pages at once."
            )
        }
        if form.isEncrypted { remarks.append("The template is encrypted; the filled copies are not.") }
        if form.xfa == .static {
            remarks.append(
                "The XFA copy of the data is left out, so that every program shows the same values.")
        }
        let file: PDFFile
        // Where objects keep their numbers, the file that was opened stands for the new one, all but its trailer.
        var isCompact = false
        if rewrites {
            if form.hasUsageRights {
                remarks.append("Adobe's usage rights end with the rewrite and are left out.")
            }
            Self.slim(opened, form, options)
            let isDrawn = options.asksForAppearances != nil || !Undrawn.mightBe(in: form, opened)
            if isDrawn, repairs.isEmpty, let compact = opened.compacted() {
                base = compact
                file = opened
                isCompact = true
            } else {
                file = try PDFFile(bytes: Self.rewritten(consume opened, form, isDrawn: isDrawn))
                base = file.bytes
            }
        } else {
            file = opened
            base = file.bytes
        }
        self.form = rewrites ? Form(file) : form
        keepsOriginal = !rewrites
        self.remarks = remarks
        guard let ending = PDFEnding(of: base) else { throw PDFError.damaged("its end makes no sense") }
        self.ending = ending
        let trailer = isCompact ? ending.trailer(behind: 0, in: base) ?? file.trailer : file.trailer
        self.trailer = trailer
        size = isCompact ? trailer["Size"]?.integer ?? 0 : file.highestObject + 1
        let isSigned = form.protection != .none
        let hides = ending.kind == .table && !isSigned && options.flattens == .none && Self.mayHide(file)
        ground = PDFRevision.Ground(
            behind: base.count, ending: ending, trailer: trailer, firstFree: size, hides: hides)
        let counter = Counter(size)
        // Values that stand apart leave the dictionaries of the fields the same in every copy, so that those can be
        // packed once for all. What checks signatures knows values in the fields themselves only.
        let points = ground.packs && !isSigned && options.flattens == .none
        packReference = points ? counter.next() : nil
        var planner = WidgetPlanner(
            file, sharesResources: points || options.flattens != .none, newReference: counter.next)
        var pictures: [(reference: PDFReference, text: [UInt8])] = []
        planner.meetFonts(of: self.form.fields)
        plans = self.form.fields.map { field in
            FieldPlan(
                field, file, &planner, points: points, isFlattened: options.flattens != .none,
                pictures: &pictures, newReference: counter.next)
        }
        fixedPictures = pictures
        plain = PlainFields(plans, keepsBoxes: options.flattens == .none, packs: points)
        noFields = FieldSet(count: plans.count, boxCount: plain.packedBoxes.count)
        // Of a signed form nothing may change but what is filled.
        let asks = form.asksForAppearances || options.asksForAppearances == true
        undrawn =
            form.protection != .none
            ? []
            : plans.enumerated().compactMap { place, plan in
                Undrawn.value(plan, asksForAppearances: asks, file).map { (place, $0) }
            }
        var plansByName: [String: [Int]] = [:]
        for (index, plan) in plans.enumerated() { plansByName[plan.field.name, default: []].append(index) }
        self.plansByName = plansByName
        if options.flattens != .none {
            let plan = FlatteningPlan(file, plans, options.flattens, newReference: counter.next)
            flattening = plan
            fixedObjects =
                plan.fixed + planner.resources.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        } else {
            flattening = nil
            // Of a signed form nothing may change but what is filled.
            fixedObjects = isSigned ? [] : Self.formObjects(file, self.form.fields, hides: hides)
        }
        firstFree = counter.value
        template = TemplateInfo(file)
        customs = FieldCustoms(
            self.form.fields, language: file.resolve(file.catalog["Lang"]).text)
        // Letters from other fonts and pages of continuation need numbers too.
        lockable = options.locks ? try LockableFile(base, firstFree: firstFree + 100) : nil
    }

    /// Hands out object numbers.
    private final class Counter {
        private(set) var value: Int
        init(_ value: Int) { self.value = value }

        func next() -> PDFReference {
            defer { value += 1 }
            return PDFReference(value)
        }
    }

    /// Takes out what a filled copy must not carry, and what only makes it longer.
    private static func slim(_ file: PDFFile, _ form: Form, _ options: Options) {
        prune(file)
        file.slim()
        if options.makesReadOnly { makeReadOnly(file, form.fields) }
    }

    /// The template written anew. It is let go before the new one is opened, since both hold all they have read.
    private static func rewritten(
        _ file: consuming PDFFile, _ form: Form, isDrawn: Bool
    ) throws -> [UInt8] {
        let written = try file.rewritten()
        return isDrawn ? written : try drawn(written, asksForAppearances: form.asksForAppearances)
    }

    /// The template with a picture for every field that had none. Only what was written by us comes here, so it can be
    /// appended to.
    private static func drawn(_ bytes: [UInt8], asksForAppearances: Bool) throws -> [UInt8] {
        var options = Options()
        options.asksForAppearances = asksForAppearances
        options.base = .append
        let form = try PreparedForm(bytes: bytes, options: options)
        guard form.keepsOriginal, !form.undrawn.isEmpty else { return bytes }
        return try PDFFile(bytes: form.fill([:]).bytes).rewritten()
    }

    private static func checkFillable(_ form: Form, _ options: Options) throws(FormError) {
        if let hindrance = form.hindrance { throw hindrance }
        guard form.protection != .none else { return }
        if options.flattens != .none { throw .signedAndFlattened }
        if options.locks { throw .signedAndLocked }
        if options.makesReadOnly { throw .signedAndReadOnly }
    }

    /// Takes out what a filled copy must not carry: data that only some programs read, rights that any change ends.
    private static func prune(_ file: PDFFile) {
        guard let root = file.trailer["Root"]?.reference else { return }
        var catalog = file.catalog.without("Perms")
        if let form = catalog["AcroForm"]?.reference {
            file.replace(form, with: .dictionary(cleaned(file.dictionary(form.object) ?? [:])))
        } else if let form = catalog["AcroForm"]?.dictionary {
            catalog["AcroForm"] = .dictionary(cleaned(form))
        }
        file.replace(root, with: .dictionary(catalog))
    }

    private static func makeReadOnly(_ file: PDFFile, _ fields: [Field]) {
        for field in fields where field.kind != .signature && !field.flags.contains(.readOnly) {
            guard var dictionary = file.dictionary(field.object.object) else { continue }
            dictionary["Ff"] = .integer(field.flags.union(.readOnly).rawValue)
            file.replace(field.object, with: .dictionary(dictionary))
        }
    }

    private static func cleaned(_ form: PDFDictionary) -> PDFDictionary {
        form.without("XFA", "NeedAppearances")
    }

    /// Whether objects may be packed behind a table. PDF/A has rules of its own about that.
    private static func mayHide(_ file: PDFFile) -> Bool {
        guard let reference = file.catalog["Metadata"]?.reference,
            let metadata = file.stream(reference, limit: 4 << 20)
        else { return true }
        return !String(decoding: metadata, as: UTF8.self).contains("pdfaid:")
    }

    /// True when the file says that it is older than packed objects.
    private static func precedesPacking(_ file: PDFFile) -> Bool {
        func isOld(_ version: some Collection<UInt8>) -> Bool {
            version.starts(with: "1.".utf8)
                && version.dropFirst(2).first.map { $0 < UInt8(ascii: "5") } ?? false
        }
        return isOld(file.bytes.dropFirst(5).prefix(3))
            && (file.resolve(file.catalog["Version"]).name.map { isOld($0.bytes) } ?? true)
    }

    /// The form's dictionary without XFA and without the request to draw what we have drawn; with the fields that only
    /// a page knew, which some viewers would not show. When objects are packed, the catalog says so.
    private static func formObjects(
        _ file: PDFFile, _ fields: [Field], hides: Bool
    ) -> [(reference: PDFReference, text: [UInt8])] {
        guard let root = file.trailer["Root"]?.reference else { return [] }
        var catalog = file.catalog
        var changes: [PDFReference: PDFDictionary] = [:]
        if hides, precedesPacking(file) {
            catalog["Version"] = .name("1.5")
            changes[root] = catalog
        }
        let form = file.form ?? [:]
        let listed = file.array(form["Fields"])
        var orphans: [PDFObject] = []
        for field in fields where !field.isListed {
            let top = PDFObject.reference(field.top)
            if !orphans.contains(top), !listed.contains(top) { orphans.append(top) }
        }
        if form["XFA"] != nil || form["NeedAppearances"] != nil || !orphans.isEmpty {
            var changed = cleaned(form)
            if !orphans.isEmpty { changed["Fields"] = .array(listed + orphans) }
            if let reference = catalog["AcroForm"]?.reference {
                changes[reference] = changed
            } else {
                catalog["AcroForm"] = .dictionary(changed)
                changes[root] = catalog
            }
        }
        return changes.sorted { $0.key < $1.key }.map { ($0.key, PDFObject.dictionary($0.value).written) }
    }
}
