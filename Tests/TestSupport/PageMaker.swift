public import PDF

/// Makes small documents for the tests: pages with drawing as the test spells it, Helvetica as `/F`.
public struct PageMaker {
    public var draft = PDFDraft()
    public var pages: [PDFReference] = []
    /// Make the document a form when there are any.
    public var fields: [PDFReference] = []
    /// A form that has more than a list of fields.
    public var form: PDFDictionary?
    public let tree: PDFReference
    public let font: PDFReference

    public init() {
        tree = draft.newReference()
        font = draft.add([
            "Type": .name("Font"), "Subtype": .name("Type1"), "BaseFont": .name("Helvetica"),
            "Encoding": .name("WinAnsiEncoding"),
        ])
    }

    @discardableResult
    public mutating func page(_ content: String, _ entries: PDFDictionary = [:]) -> PDFReference {
        let stream = draft.addStream([:], Array(content.utf8))
        var page = entries
        page["Type"] = .name("Page")
        page["Parent"] = .reference(tree)
        page["Contents"] = .reference(stream)
        if page["Resources"] == nil {
            page["Resources"] = .dictionary(["Font": .dictionary(["F": .reference(font)])])
        }
        if page["MediaBox"] == nil { page["MediaBox"] = box(0, 0, 400, 300) }
        let reference = draft.add(.dictionary(page))
        pages.append(reference)
        return reference
    }

    public func box(_ numbers: Double...) -> PDFObject { .array(numbers.map(PDFObject.real)) }

    public mutating func bytes(catalog: PDFDictionary = [:]) -> [UInt8] {
        draft.put(
            .dictionary([
                "Type": .name("Pages"), "Kids": .array(pages.map(PDFObject.reference)),
                "Count": .integer(pages.count),
            ]), at: tree)
        var root = catalog
        if let form { root["AcroForm"] = .dictionary(form) }
        if !fields.isEmpty {
            root["AcroForm"] = .dictionary(["Fields": .array(fields.map(PDFObject.reference))])
        }
        root["Type"] = .name("Catalog")
        root["Pages"] = .reference(tree)
        let catalog = draft.add(.dictionary(root))
        return draft.bytes(root: catalog)
    }

    public static func make(_ describe: (inout PageMaker) throws -> Void) rethrows -> [UInt8] {
        var maker = PageMaker()
        try describe(&maker)
        return maker.bytes()
    }
}

extension PDFDraft {
    fileprivate mutating func add(_ dictionary: PDFDictionary) -> PDFReference {
        add(.dictionary(dictionary))
    }
}
