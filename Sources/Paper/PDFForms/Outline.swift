import PDF

/// The bookmarks of a file that grows (ISO 32000-2 §12.3.3): each is written when the next one is known.
final class Outline {
    private struct Item {
        var reference: PDFReference
        var previous: PDFReference?
        var title: String
        var page: PDFReference
    }

    private let stream: PDFStream
    private lazy var root = stream.newReference()
    @exclusivity(unchecked) private var first: PDFReference?
    @exclusivity(unchecked) private var waiting: Item?
    @exclusivity(unchecked) private var count = 0

    init(_ stream: PDFStream) { self.stream = stream }

    func add(_ title: String, to page: PDFReference) throws {
        let item = Item(
            reference: stream.newReference(of: .bookmark), previous: waiting?.reference, title: title,
            page: page)
        first = first ?? item.reference
        count += 1
        if let waiting { try write(waiting, next: item.reference) }
        waiting = item
    }

    private func write(_ item: Item, next: PDFReference?) throws {
        let root = root
        try stream.put(at: item.reference, of: .bookmark) { out in
            out.append(upTo: Self.mostAround) { cursor in
                cursor.put("<</Parent ")
                cursor.put(reference: root)
                if let previous = item.previous {
                    cursor.put("/Prev ")
                    cursor.put(reference: previous)
                }
                if let next {
                    cursor.put("/Next ")
                    cursor.put(reference: next)
                }
                cursor.put("/Dest[")
                cursor.put(reference: item.page)
                cursor.put("/Fit]/Title")
            }
            out.append(title: item.title)
            out.append(text: ">>")
        }
    }

    /// What a bookmark takes beside its title, at most.
    private static let mostAround = 256

    /// The root of the bookmarks; nil when there are none.
    func finish() throws -> PDFReference? {
        guard let waiting, let first else { return nil }
        try write(waiting, next: nil)
        try stream.put(
            .dictionary([
                "Type": .name("Outlines"), "First": .reference(first), "Last": .reference(waiting.reference),
                "Count": .integer(count),
            ]), at: root)
        return root
    }
}

extension [UInt8] {
    /// A title as it is, when a string in parentheses can hold it so.
    fileprivate mutating func append(title: String) {
        let isPut =
            title.utf8.withContiguousStorageIfAvailable { utf8 in
                for byte in utf8 where byte < 32 || byte > 126 || byte == 40 || byte == 41 || byte == 92 {
                    return false
                }
                append(upTo: utf8.count + 2) { $0.put(bareString: utf8) }
                return true
            } ?? false
        if !isPut { append(string: PDFText.encode(title)) }
    }
}
