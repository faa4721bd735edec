public import PDF

/// Many filled documents in one file, written as they come: pages' contents, fonts and images are in the file once,
/// however many records show them. Values become part of the pages, and each record can have a bookmark. Records may
/// have several parts, of different forms. Memory stays the same for any number of records.
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

    public private(set) var recordCount = 0
    public private(set) var pageCount = 0
    public var byteCount: Int { stream.byteCount }

    let stream: PDFStream
    private var sources: [ObjectIdentifier: MergedSource] = [:]
    /// The forms and documents met so far: their identity is only theirs while they live.
    private var held: [AnyObject] = []
    private let tree: PageTree
    private let outline: Outline
    private let fonts = MergedFonts()
    private let layers = MergedLayers()

    public init(sink: @escaping ([UInt8]) throws -> Void) throws {
        stream = try PDFStream(sink: sink)
        tree = PageTree(stream)
        outline = Outline(stream)
    }

    /// Adds a record of one form. Gives what a person should know about it.
    @discardableResult
    public func add(
        _ form: PreparedForm, _ values: [String: FieldValue], title: String? = nil
    ) throws -> [Finding] { try add([.form(form, values: values)], title: title) }

    /// Adds a record: its parts one behind the other, under one bookmark when it has a title.
    @discardableResult
    public func add(_ parts: [Part], title: String? = nil) throws -> [Finding] {
        var findings: [Finding] = []
        var first: PDFReference?
        for part in parts {
            let source = try source(of: part)
            var overlay = MergedOverlay(source, fonts)
            switch part {
            case .document: break
            case .form(let form, let values): findings += form.draw(values, onto: &overlay)
            case .row(let form, let columns, let values):
                findings += form.draw(columns: columns, row: values, onto: &overlay)
            }
            for page in try source.write(overlay, to: tree) {
                first = first ?? page
                pageCount += 1
            }
        }
        if let title, let first { try outline.add(title, to: first) }
        recordCount += 1
        return findings
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
        try fonts.write(to: stream)
        if let properties = layers.properties { catalog["OCProperties"] = .dictionary(properties) }
        try stream.put(.dictionary(catalog), at: stream.root)
        try stream.finish()
    }

    private func source(of part: Part) throws -> MergedSource {
        let key: AnyObject
        switch part {
        case .form(let form, _), .row(let form, _, _): key = form
        case .document(let document): key = document
        }
        if let known = sources[ObjectIdentifier(key)] { return known }
        let source: MergedSource
        switch part {
        case .form(let form, _), .row(let form, _, _):
            if form.form.protection != .none { throw FormError.signedAndFlattened }
            source = try MergedSource(
                form.base, form: form, order: sources.count, stream, fonts, layers)
        case .document(let document):
            source = try MergedSource(
                document.bytes, form: nil, order: sources.count, stream, fonts, layers)
        }
        sources[ObjectIdentifier(key)] = source
        held.append(key)
        return source
    }
}

/// Pages that go into a merged file as they are.
public final class MergedDocument: Sendable {
    let bytes: [UInt8]
    public let pageCount: Int

    public init(bytes: [UInt8], password: String? = nil) throws(PDFError) {
        let file = try PDFFile(bytes: bytes, password: password)
        pageCount = file.pages.count
        self.bytes = file.encryption != nil || !file.repairs.isEmpty ? try file.rewritten() : bytes
    }

    public convenience init(path: String, password: String? = nil) throws(PDFError) {
        try self.init(bytes: PDFFile.read(path), password: password)
    }
}
