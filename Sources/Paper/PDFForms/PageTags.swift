import PDF

/// What the structure tree of a tagged document says of its fields (ISO 32000-2 §14.7), changed for a page on which
/// they are no annotations any more: an element that stood for an annotation stands for marked content then, so that
/// what was filled in is still read aloud in its place.
struct PageTags {
    /// The number of the marked content of each place, by the widget it was.
    private(set) var numbers: [PDFReference: Int] = [:]
    private(set) var objects: [(reference: PDFReference, text: [UInt8])] = []

    private static let deepest = 40
    private static let most = 200_000

    init(
        _ file: PDFFile, gone: [(widget: PDFReference, page: PDFReference)], newReference: () -> PDFReference
    ) {
        guard let rootReference = file.catalog["StructTreeRoot"]?.reference,
            var root = file.dictionary(rootReference.object)
        else { return }
        var entries: [Int: PDFObject] = [:]
        Self.collect(file, root["ParentTree"], into: &entries, depth: 0)
        var elements: [PDFReference: PDFDictionary] = [:]
        var added: [Int: [PDFObject]] = [:]
        for (widget, page) in gone {
            guard let key = file.resolve(file.dictionary(widget.object)?["StructParent"]).integer,
                let element = entries[key]?.reference,
                var dictionary = elements[element] ?? file.dictionary(element.object),
                let pageKey = file.resolve(file.dictionary(page.object)?["StructParents"]).integer
            else { continue }
            let number = file.array(entries[pageKey]).count + (added[pageKey]?.count ?? 0)
            let content: PDFObject = .dictionary([
                "Type": .name("MCR"), "Pg": .reference(page), "MCID": .integer(number),
            ])
            guard let kids = Self.replaced(file, dictionary["K"], widget, by: content) else { continue }
            dictionary["K"] = kids
            elements[element] = dictionary
            numbers[widget] = number
            added[pageKey, default: []].append(.reference(element))
            entries[key] = nil
        }
        guard !numbers.isEmpty else { return }
        for (key, more) in added { entries[key] = .array(file.array(entries[key]) + more) }
        let tree = newReference()
        root["ParentTree"] = .reference(tree)
        objects.append((rootReference, PDFObject.dictionary(root).written))
        let numbers = entries.sorted { $0.key < $1.key }.flatMap { [.integer($0.key), $0.value] }
        objects.append((tree, PDFObject.dictionary(["Nums": .array(numbers)]).written))
        for (element, dictionary) in elements.sorted(by: { $0.key < $1.key }) {
            objects.append((element, PDFObject.dictionary(dictionary).written))
        }
    }

    /// Everything a number tree holds; the larger of two entries with one key wins nowhere: the first stays.
    private static func collect(
        _ file: PDFFile, _ node: PDFObject?, into entries: inout [Int: PDFObject], depth: Int
    ) {
        guard depth < deepest, entries.count < most, let dictionary = file.dictionary(node) else { return }
        let numbers = file.array(dictionary["Nums"])
        for index in stride(from: 0, to: numbers.count - 1, by: 2) {
            guard let key = file.resolve(numbers[index]).integer, entries[key] == nil else { continue }
            entries[key] = numbers[index + 1]
        }
        for kid in file.array(dictionary["Kids"]) { collect(file, kid, into: &entries, depth: depth + 1) }
    }

    /// The kids of an element with the reference to this annotation replaced; nil when it is not among them.
    private static func replaced(
        _ file: PDFFile, _ kids: PDFObject?, _ widget: PDFReference, by content: PDFObject
    ) -> PDFObject? {
        func isMeant(_ kid: PDFObject) -> Bool { file.dictionary(kid)?["Obj"]?.reference == widget }
        if let list = file.resolve(kids).array {
            guard let place = list.firstIndex(where: isMeant) else { return nil }
            var list = list
            list[place] = content
            return .array(list)
        }
        return kids.map(isMeant) == true ? content : nil
    }
}
