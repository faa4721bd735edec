public import PDF

/// Where the bookmarks and links of a file lead within it.
public struct Destinations {
    private let file: PDFFile
    private let numbers: [PDFReference: Int]
    private var named: [[UInt8]: PDFObject]?

    public init(_ file: PDFFile) {
        self.file = file
        numbers = Dictionary(
            file.pages.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
    }

    /// The page, counted from 0, to which a bookmark or a link leads; nil where it is none of this file.
    public mutating func page(of entry: PDFDictionary) -> Int? {
        var destination = file.resolve(entry["Dest"])
        if destination.isNull, let action = file.dictionary(entry["A"]),
            file.resolve(action["S"]).name == "GoTo"
        {
            destination = file.resolve(action["D"])
        }
        if let name = destination.bytes ?? destination.name?.bytes { destination = place(named: name) }
        return destination.array?.first?.reference.flatMap { numbers[$0] }
    }

    private mutating func place(named name: [UInt8]) -> PDFObject {
        if let old = file.dictionary(file.catalog["Dests"])?[PDFName(bytes: name)] { return whole(old) }
        if named == nil {
            let tree = file.entries(ofNameTree: file.dictionary(file.catalog["Names"])?["Dests"])
            named = Dictionary(tree.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        }
        return named?[name].map(whole) ?? .null
    }

    private func whole(_ object: PDFObject) -> PDFObject {
        let value = file.resolve(object)
        return value.dictionary.map { file.resolve($0["D"]) } ?? value
    }
}

extension PDFFile {
    /// What a tree of names holds (ISO 32000-2 §7.9.6), in its order.
    public func entries(ofNameTree root: PDFObject?) -> [(name: [UInt8], value: PDFObject)] {
        entries(ofNameTree: root, depth: 0)
    }

    private func entries(
        ofNameTree root: PDFObject?, depth: Int
    ) -> [(name: [UInt8], value: PDFObject)] {
        guard depth < 20, let node = dictionary(root) else { return [] }
        var found: [(name: [UInt8], value: PDFObject)] = []
        let list = array(node["Names"])
        for index in stride(from: 0, to: list.count - 1, by: 2) {
            if let name = resolve(list[index]).bytes { found.append((name, list[index + 1])) }
        }
        for kid in array(node["Kids"]).prefix(1000) { found += entries(ofNameTree: kid, depth: depth + 1) }
        return found
    }
}
