import PDF

/// Objects of a file that a merged file takes over once, under new numbers, with all they lead to.
final class SharedObjects {
    private let file: PDFFile
    private let stream: PDFStream
    private let pages: Set<PDFReference>
    private var numbers: [PDFReference: PDFReference] = [:]
    private var waiting: [PDFReference] = []

    init(_ file: PDFFile, _ stream: PDFStream) {
        self.file = file
        self.stream = stream
        pages = Set(file.pages)
    }

    func copy(of reference: PDFReference) -> PDFReference {
        if let known = numbers[reference] { return known }
        let number = stream.newReference()
        numbers[reference] = number
        waiting.append(reference)
        return number
    }

    /// The object with references to copies. Pages are shown many times, so nothing shared can point to one.
    func shared(_ object: PDFObject) -> PDFObject {
        switch object {
        case .reference(let reference):
            pages.contains(reference) ? .null : .reference(copy(of: reference))
        case .array(let items): .array(items.map(shared))
        case .dictionary(let dictionary):
            .dictionary(
                PDFDictionary(
                    dictionary.entries.filter { !Self.isTie($0.key) }.map { ($0.key, shared($0.value)) }))
        default: object
        }
    }

    /// Ties to the page, the form and the structure tree a thing was part of.
    private static func isTie(_ key: PDFName) -> Bool {
        ["Parent", "P", "StructParent", "StructParents", "Popup", "IRT", "B"].contains(key)
    }

    /// An annotation for one of the pages that show it: what it leads to on this document's pages, it leads to on
    /// this record's.
    func annotation(_ dictionary: PDFDictionary, pages own: [PDFReference: PDFReference]) -> PDFDictionary {
        func taken(_ object: PDFObject) -> PDFObject {
            switch object {
            case .reference(let reference):
                own[reference].map { .reference($0) } ?? shared(object)
            case .array(let items): .array(items.map(taken))
            case .dictionary(let inner):
                .dictionary(
                    PDFDictionary(
                        inner.entries.filter { !Self.isTie($0.key) }.map { ($0.key, taken($0.value)) }))
            default: object
            }
        }
        var copy = dictionary
        // Where a link leads may stand in an object of its own; then it must be taken out of it.
        for key: PDFName in ["Dest", "A"] {
            guard let target = copy[key] else { continue }
            var plain = file.resolve(target)
            if var action = plain.dictionary, let place = action["D"] {
                action["D"] = file.resolve(place)
                plain = .dictionary(action)
            }
            copy[key] = plain
        }
        return taken(.dictionary(copy)).dictionary ?? [:]
    }

    /// Writes what is waiting, and what that leads to.
    func write() throws {
        while let reference = waiting.popLast() {
            guard let number = numbers[reference] else { continue }
            let object = file.object(reference)
            if file.isStream(reference) {
                let dictionary =
                    shared(.dictionary((object.dictionary ?? [:]).without("Length"))).dictionary ?? [:]
                let data = file.storedStream(reference) ?? []
                // What another program left unpacked is packed, but for metadata, which are read as they stand.
                if dictionary["Filter"] == nil {
                    try stream.putPacked(dictionary, data, at: number)
                } else {
                    try stream.putStream(dictionary, data, at: number)
                }
            } else {
                try stream.put(shared(object), at: number)
            }
        }
    }
}
