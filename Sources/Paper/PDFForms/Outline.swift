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
        try stream.put(at: item.reference, of: .bookmark) { out in
            out.append(text: "<</Parent ")
            out.append(reference: root)
            if let previous = item.previous {
                out.append(text: "/Prev ")
                out.append(reference: previous)
            }
            if let next {
                out.append(text: "/Next ")
                out.append(reference: next)
            }
            out.append(text: "/Dest[")
            out.append(reference: item.page)
            out.append(text: "/Fit]/Title")
            out.append(string: PDFText.encode(item.title))
            out.append(text: ">>")
        }
    }

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
