import PDF

/// The fields of a form and their places on its pages: what each record of a merged file has for itself when the
/// fields stay.
struct KeptFields {
    /// The fields nothing is above.
    let tops: [PDFReference]
    /// True when some field is worked out from others. Those have other names in a merged file.
    let computes: Bool
    /// As the form has them, by their numbers.
    private(set) var originals: [PDFReference: PDFDictionary] = [:]

    init(_ form: Form, _ file: PDFFile) {
        var tops: [PDFReference] = []
        for field in form.fields where !tops.contains(field.top) { tops.append(field.top) }
        self.tops = tops
        computes = !form.calculationOrder.isEmpty
        for top in tops { take(top, file, depth: 0) }
        for field in form.fields {
            for widget in field.widgets { take(widget.object, file, depth: 0) }
        }
    }

    private mutating func take(_ reference: PDFReference, _ file: PDFFile, depth: Int) {
        guard depth < 64, originals[reference] == nil, let node = file.dictionary(.reference(reference))
        else { return }
        originals[reference] = node
        for kid in file.array(node["Kids"]) {
            if let kid = kid.reference { take(kid, file, depth: depth + 1) }
        }
    }
}

/// What one record of a merged file has for itself: its fields and their places, the pages its text goes on on. All else
/// these lead to is in the file once.
struct RecordObjects {
    private let source: MergedSource
    private let revision: RevisionObjects
    /// What the objects of the record are in the merged file.
    private var numbers: [PDFReference: PDFReference]
    private var waiting: [PDFReference] = []
    /// Pages of continuation.
    private let added: [PDFReference]
    /// What the topmost fields hang on, and nil when there are none.
    private let node: PDFReference?
    private var stream: PDFStream { source.stream }

    init(_ source: MergedSource, _ filled: Filled, pages: [PDFReference]) throws {
        self.source = source
        revision = try RevisionObjects(filled.added, &source.packs)
        numbers = Dictionary(
            zip(source.pages.map(\.reference), pages), uniquingKeysWith: { first, _ in first })
        var added: [PDFReference] = []
        if filled.addedPages > 0, let root = source.file.catalog["Pages"]?.reference {
            let kids = revision[root]?.value.dictionary?["Kids"]?.array ?? []
            added = kids.suffix(filled.addedPages).compactMap(\.reference)
        }
        self.added = added
        node = source.fields?.tops.isEmpty == false ? source.stream.newReference() : nil
        for page in added { numbers[page] = source.stream.newReference(of: .page) }
    }

    private func dictionary(_ reference: PDFReference) -> PDFDictionary? {
        revision[reference]?.value.dictionary ?? source.fields?.originals[reference]
    }

    private func annotations(of page: Int) -> [PDFReference] {
        let own = source.pages[page]
        guard let listed = revision[own.reference]?.value.dictionary?["Annots"] else { return own.listed }
        return source.file.array(listed).compactMap(\.reference)
    }

    /// The places of fields on a page, and the links to where their text goes on.
    mutating func places(on page: Int) -> [PDFReference] {
        var places: [PDFReference] = []
        for reference in annotations(of: page) {
            let kind = dictionary(reference)?["Subtype"].map { source.file.resolve($0) }?.name
            if kind == "Widget" || kind == "Link" { places.append(number(reference)) }
        }
        return places
    }

    /// The links alone.
    mutating func links(on page: Int) -> [PDFReference] {
        var links: [PDFReference] = []
        for reference in annotations(of: page)
        where revision[reference]?.value.dictionary?["Subtype"]?.name == "Link" {
            links.append(number(reference))
        }
        return links
    }

    /// The pages of continuation, behind the others.
    mutating func writePages(numbers printed: [String], to tree: PageTree) throws -> [PDFReference] {
        var pages: [PDFReference] = []
        for (index, page) in added.enumerated() {
            guard let number = numbers[page], let original = revision[page]?.value.dictionary else {
                continue
            }
            var dictionary = taken(original.without("Parent"))
            if index < printed.count, !printed[index].isEmpty { try stamp(printed[index], &dictionary) }
            dictionary["Parent"] = .reference(try tree.add(number))
            try stream.put(.dictionary(dictionary), at: number)
            pages.append(number)
        }
        try writeWaiting()
        return pages
    }

    private func stamp(_ text: String, _ page: inout PDFDictionary) throws {
        let box = PDFRectangle(page["MediaBox"]?.array?.compactMap(\.number) ?? [])
        var content: [UInt8] = []
        PageStamp(box: box ?? PDFRectangle(left: 0, bottom: 0, right: 612, top: 792), turn: 0).print(
            text, into: &content)
        let reference = stream.newReference(of: .content)
        try stream.putPacked([:], content, at: reference)
        page["Contents"] = .array((page["Contents"].map { [$0] } ?? []) + [.reference(reference)])
        var resources = page["Resources"]?.dictionary ?? [:]
        var fonts = resources["Font"]?.dictionary ?? [:]
        fonts[PageStamp.fontName] = .reference(try source.numberFont())
        resources["Font"] = .dictionary(fonts)
        page["Resources"] = .dictionary(resources)
    }

    /// The fields, below a node that sets their names apart from those of other records; nil when there are none.
    mutating func writeFields(called name: String) throws -> PDFReference? {
        guard let fields = source.fields, let node else { return nil }
        var kids: [PDFObject] = []
        for top in fields.tops { kids.append(.reference(number(top))) }
        try writeWaiting()
        var entries: PDFDictionary = ["T": .text(name), "Kids": .array(kids)]
        // Forms of several kinds may come together, each with a default of its own.
        let form = source.file.form ?? [:]
        for key: PDFName in ["DA", "Q"] { entries[key] = form[key].map { source.file.resolve($0) } }
        try stream.put(.dictionary(entries), at: node)
        return node
    }

    // MARK: Copying

    private mutating func number(_ reference: PDFReference) -> PDFReference {
        if let known = numbers[reference] { return known }
        let number = stream.newReference()
        numbers[reference] = number
        waiting.append(reference)
        return number
    }

    private mutating func taken(_ object: PDFObject) -> PDFObject {
        switch object {
        case .reference(let reference):
            if let known = numbers[reference] { return .reference(known) }
            if let font = MergedFonts.near(reference) { return .reference(font) }
            // Marks of boxes that the engine draws: the same for all records.
            if let mark = source.pictures[reference] { return .reference(mark) }
            if revision[reference] != nil || source.fields?.originals[reference] != nil {
                return .reference(number(reference))
            }
            return source.copies.shared(object)
        case .array(let items):
            var copies: [PDFObject] = []
            copies.reserveCapacity(items.count)
            for item in items { copies.append(taken(item)) }
            return .array(copies)
        case .dictionary(let dictionary): return .dictionary(taken(dictionary))
        default: return object
        }
    }

    private mutating func taken(_ dictionary: PDFDictionary) -> PDFDictionary {
        var entries: [(key: PDFName, value: PDFObject)] = []
        entries.reserveCapacity(dictionary.entries.count)
        for (key, value) in dictionary.entries where !Self.isTie(key) { entries.append((key, taken(value))) }
        return PDFDictionary(entries)
    }

    /// Ties to the structure tree, and to other notes.
    private static func isTie(_ key: PDFName) -> Bool {
        ["StructParent", "StructParents", "Popup", "IRT"].contains(key)
    }

    private mutating func writeWaiting() throws {
        while let reference = waiting.popLast() {
            guard let number = numbers[reference] else { continue }
            if let data = revision[reference]?.data {
                let dictionary = taken((dictionary(reference) ?? [:]).without("Length"))
                if dictionary["Filter"] == nil {
                    try stream.putPacked(dictionary, data, at: number)
                } else {
                    try stream.putStream(dictionary, data, at: number)
                }
            } else if let field = dictionary(reference) {
                try stream.put(.dictionary(copy(of: field, reference)), at: number)
            } else if let object = revision[reference] {
                try stream.put(taken(object.value), at: number)
            }
        }
    }

    private mutating func copy(of original: PDFDictionary, _ reference: PDFReference) -> PDFDictionary {
        var field = original
        // A value in an object of its own comes back into its field: there is no copy to share it with.
        if let value = field["V"]?.reference, let object = revision[value], object.data == nil {
            field["V"] = object.value
        }
        if source.file.resolve(field["FT"]).name == "Sig" { field["V"] = nil }
        if let actions = field["AA"].flatMap({ source.file.dictionary($0) }), actions["C"] != nil {
            let rest = actions.without("C")
            field["AA"] = rest.isEmpty ? nil : .dictionary(rest)
        }
        if let node, source.fields?.tops.contains(reference) == true {
            field["Parent"] = nil
            field = taken(field)
            field["Parent"] = .reference(node)
            return field
        }
        return taken(field)
    }
}
