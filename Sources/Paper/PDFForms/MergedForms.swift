public import PDF

/// Many filled documents in one file, written as they come: pages' contents, fonts and images are in the file once,
/// however many records show them. Values become part of the pages, or stay in fields of their own, and each record
/// can have a bookmark. Records may have several parts, of different forms. Memory stays the same for any number of
/// records.
///
///     let merged = try MergedForms { try file.write($0) }
///     try merged.add(form, ["name": .text("Zoë Miller")], title: "Zoë Miller")
///     try merged.finish()
public final class MergedForms {
    /// A part of a record: a form with its values, or pages that are the same for everybody.
    public enum Part {
        case form(PreparedForm, values: [String: FieldValue])
        /// A row of a table; `columns` as `PreparedForm.columns(_:)` gave them.
        case row(PreparedForm, columns: FormColumns, values: [FieldValue?])
        case document(MergedDocument)
    }

    public struct Options: Sendable, Equatable {
        /// Fields stay fields. Those of the n-th record are called `n.name`, and `n-2.name` in its second part, so that
        /// typing into one changes no other.
        public var keepsFields = false
        /// Where text goes that is too long for its place: on pages of the same record. Nil leaves it cut off, and said.
        public var continuation: Continuation?
        /// What the file says about itself.
        public var info = DocumentInfo()

        public init() {}
    }

    /// How the sheets of a record lie.
    public struct Sheets {
        /// Told how many pages each part has, it gives what is printed at the foot of each page.
        public var numbers: (([Int]) -> [String])?
        /// Each part begins on the front of a sheet: empty pages fill the backs.
        public var partsBeginOnFront = false
        /// The same for the record behind this one.
        public var nextBeginsOnFront = false

        public init(numbers: (([Int]) -> [String])? = nil) { self.numbers = numbers }
    }

    @exclusivity(unchecked) public private(set) var recordCount = 0
    @exclusivity(unchecked) public private(set) var pageCount = 0
    public var byteCount: Int { stream.byteCount }
    /// What of the forms is not in the merged file, in sentences for a person.
    public private(set) var remarks: [String] = []

    let stream: PDFStream
    private let options: Options
    @exclusivity(unchecked) private var sources: [ObjectIdentifier: MergedSource] = [:]
    /// The forms and documents met so far: their identity is only theirs while they live.
    private var held: [ObjectIdentifier: AnyObject] = [:]
    private var sourceCount = 0
    /// The form of the record before, which most often is that of the next.
    @exclusivity(unchecked) private var lastSource: (form: PreparedForm, source: MergedSource)?
    private let tree: PageTree
    private let outline: Outline
    private let fonts: MergedFonts
    private let layers = MergedLayers()
    private let fields = MergedFields()

    public init(_ options: Options = Options(), sink: @escaping ([UInt8]) throws -> Void) throws {
        self.options = options
        stream = try PDFStream(sink: sink)
        tree = PageTree(stream)
        outline = Outline(stream)
        fonts = MergedFonts(stream)
    }

    /// Adds a record of one form. Gives what a person should know about it.
    @discardableResult
    public func add(
        _ form: PreparedForm, _ values: [String: FieldValue], title: String? = nil
    ) throws -> [Finding] { try add([.form(form, values: values)], title: title) }

    /// Adds a record: its parts one behind the other, under one bookmark when it has a title.
    @discardableResult
    public func add(_ parts: [Part], title: String? = nil, _ sheets: Sheets = Sheets()) throws -> [Finding] {
        var findings: [Finding] = []
        var leaves: [MergedLeaf] = []
        leaves.reserveCapacity(parts.count)
        for part in parts { leaves.append(try leaf(part, &findings)) }
        let printed = sheets.numbers?(leaves.map(\.pageCount)) ?? []
        var first: PDFReference?
        var count = 0
        var printedCount = 0
        for (index, leaf) in leaves.enumerated() {
            var numbers: [String] = []
            if !printed.isEmpty { numbers = Array(printed.dropFirst(printedCount).prefix(leaf.pageCount)) }
            printedCount += leaf.pageCount
            let pages = try write(leaf, index, numbers)
            first = first ?? pages.first
            count += pages.count
            let isLast = index == leaves.count - 1
            if count % 2 == 1, isLast ? sheets.nextBeginsOnFront : sheets.partsBeginOnFront {
                try leaf.source.writeBlank(to: tree)
                count += 1
            }
        }
        pageCount += count
        if let title, let first { try outline.add(title, to: first) }
        recordCount += 1
        return findings
    }

    /// Writes what is left of a document that no record will show again, so that not all of them have to be held.
    public func release(_ document: MergedDocument) throws {
        let key = ObjectIdentifier(document.identity)
        // What a form shares is complete only at the end.
        guard document.form == nil, let source = sources.removeValue(forKey: key) else { return }
        try source.finish()
        held[key] = nil
    }

    /// Writes what all records share. Nothing can be added after that; a file of no pages is refused.
    public func finish() throws {
        guard pageCount > 0 else { throw FormError.nothingToMerge }
        var catalog: PDFDictionary = ["Type": .name("Catalog"), "Pages": .reference(try tree.finish())]
        if let bookmarks = try outline.finish() {
            catalog["Outlines"] = .reference(bookmarks)
            catalog["PageMode"] = .name("UseOutlines")
        }
        for source in sources.values.sorted(by: { $0.order < $1.order }) { try source.finish() }
        try fonts.write()
        if let properties = layers.properties { catalog["OCProperties"] = .dictionary(properties) }
        if let form = fields.form {
            let reference = stream.newReference()
            try stream.put(.dictionary(form), at: reference)
            catalog["AcroForm"] = .reference(reference)
        }
        try stream.put(.dictionary(catalog), at: stream.root)
        var others: PDFDictionary = [:]
        if !options.info.isEmpty {
            let reference = stream.newReference()
            try stream.put(.dictionary(options.info.applied(to: [:])), at: reference)
            others["Info"] = .reference(reference)
        }
        try stream.finish(others)
    }

    // MARK: One part of a record

    private func leaf(_ part: Part, _ findings: inout [Finding]) throws -> MergedLeaf {
        switch part {
        case .document(let document):
            let source = try source(of: document)
            return try document.form.map { try leaf($0, $0.columns([]), [], source, &findings) }
                ?? MergedLeaf(source: source, overlay: source.overlay())
        case .row(let form, let columns, let values):
            return try leaf(form, columns, values, source(of: form), &findings)
        case .form(let form, let values):
            let names = values.keys.sorted()
            let columns = form.columns(names)
            for (index, name) in names.enumerated() where columns[index] == nil {
                findings.append(
                    Finding(
                        field: name, kind: .unknownField, message: "The form has no field of this name."))
            }
            return try leaf(form, columns, names.map { values[$0] }, source(of: form), &findings)
        }
    }

    private func leaf(
        _ form: PreparedForm, _ columns: FormColumns, _ row: [FieldValue?], _ source: MergedSource,
        _ findings: inout [Finding]
    ) throws -> MergedLeaf {
        if source.fields != nil {
            let filled = try kept(form, columns, row)
            findings += filled.findings
            return MergedLeaf(source: source, filled: filled)
        }
        let overlay = source.overlay()
        let found = form.draw(columns: columns, row: row, onto: overlay)
        guard let rule = options.continuation,
            let long = form.continued(
                columns: columns, row: row, Filled(base: [], added: [], findings: found), rule)
        else {
            findings += found
            return MergedLeaf(source: source, overlay: overlay)
        }
        overlay.clear()
        _ = form.draw(columns: columns, row: long.row, onto: overlay)
        let filled = try form.continuing(
            form.fill(columns: columns, row: long.row), long.texts, long.names, rule)
        findings += filled.findings
        return MergedLeaf(source: source, overlay: overlay, filled: filled)
    }

    private func kept(_ form: PreparedForm, _ columns: FormColumns, _ row: [FieldValue?]) throws -> Filled {
        let filled = form.fill(columns: columns, row: row, sharing: fonts)
        guard let rule = options.continuation,
            let long = form.continued(columns: columns, row: row, filled, rule)
        else { return filled }
        return try form.continuing(
            form.fill(columns: columns, row: long.row, sharing: fonts), long.texts, long.names, rule)
    }

    private func write(_ leaf: MergedLeaf, _ index: Int, _ numbers: [String]) throws -> [PDFReference] {
        if let overlay = leaf.overlay {
            return try leaf.source.write(overlay, continued: leaf.filled, numbers: numbers, to: tree)
        }
        guard let filled = leaf.filled else { return [] }
        let name = index == 0 ? "\(recordCount + 1)" : "\(recordCount + 1)-\(index + 1)"
        let (pages, node) = try leaf.source.write(filled, called: name, numbers: numbers, to: tree)
        if let node { fields.add(node) }
        return pages
    }

    // MARK: Sources

    private func source(of form: PreparedForm) throws -> MergedSource {
        if let lastSource, lastSource.form === form { return lastSource.source }
        if form.form.protection != .none { throw FormError.signedAndFlattened }
        let source = try sources[ObjectIdentifier(form)] ?? newSource(form.base, form, as: form)
        lastSource = (form, source)
        return source
    }

    private func source(of document: MergedDocument) throws -> MergedSource {
        let key = document.identity
        if let known = sources[ObjectIdentifier(key)] { return known }
        return try newSource(document.form?.base ?? document.bytes, document.form, as: key)
    }

    private func newSource(_ bytes: [UInt8], _ form: PreparedForm?, as key: AnyObject) throws -> MergedSource
    {
        let source = try MergedSource(
            bytes, form: form, order: sourceCount, keepsFields: options.keepsFields, stream, fonts, layers)
        sourceCount += 1
        sources[ObjectIdentifier(key)] = source
        held[ObjectIdentifier(key)] = key
        for remark in source.remarks where !remarks.contains(remark) { remarks.append(remark) }
        if source.fields != nil { fields.take(source.formEntries) }
        return source
    }
}

/// A part of a record, worked out and not yet written.
struct MergedLeaf {
    var source: MergedSource
    /// What is drawn onto the pages; nil when the fields stay.
    var overlay: MergedOverlay?
    /// The part as a document of its own: where its fields, or its pages of continuation, are taken from.
    var filled: Filled?

    var pageCount: Int { source.pageCount + (filled?.addedPages ?? 0) }
}

/// Pages that go into a merged file as they are.
public final class MergedDocument: Sendable {
    let bytes: [UInt8]
    public let pageCount: Int
    /// When the pages have fields: what they show belongs to the pages.
    let form: PreparedForm?

    public init(bytes: [UInt8], password: String? = nil) throws(PDFError) {
        let file = try PDFFile(bytes: bytes, password: password)
        try file.requirePages()
        pageCount = file.pages.count
        let bytes = file.encryption != nil || !file.repairs.isEmpty ? try file.rewritten() : bytes
        self.bytes = bytes
        form = file.array(file.form?["Fields"]).isEmpty ? nil : try? PreparedForm(bytes: bytes)
    }

    public convenience init(path: String, password: String? = nil) throws(PDFError) {
        try self.init(bytes: PDFFile.read(path), password: password)
    }

    var identity: AnyObject { self }
}

/// The fields of a merged file: a node for each record, and what all of them are set in.
final class MergedFields {
    private var nodes: [PDFReference] = []
    private var entries: PDFDictionary = [:]
    private var resources: [(key: PDFName, entries: PDFDictionary)] = []

    func add(_ node: PDFReference) { nodes.append(node) }

    /// The entries of a form's dictionary. Of two fonts with one name the first stays: text that is typed later may
    /// then be set in another face; what is there already has its fonts with it.
    func take(_ form: PDFDictionary) {
        if entries["DA"] == nil { entries["DA"] = form["DA"] }
        for (key, value) in form["DR"]?.dictionary?.entries ?? [] {
            guard let more = value.dictionary else { continue }
            let place = resources.firstIndex { $0.key == key } ?? resources.endIndex
            if place == resources.endIndex { resources.append((key, [:])) }
            for (name, object) in more.entries where resources[place].entries[name] == nil {
                resources[place].entries[name] = object
            }
        }
    }

    var form: PDFDictionary? {
        guard !nodes.isEmpty else { return nil }
        var form = entries
        form["Fields"] = .array(nodes.map(PDFObject.reference))
        if !resources.isEmpty {
            form["DR"] = .dictionary(PDFDictionary(resources.map { ($0.key, .dictionary($0.entries)) }))
        }
        return form
    }
}
