public import PDF
public import PDFForms

/// Several papers become one file, with a bookmark for each.
public struct Binder {
    /// Each begins on the front of a sheet: an empty page goes in where the one before it ends there.
    public var duplex = false
    public var info = DocumentInfo()
    public var lock: PDFLock?
    /// One text for each page, given which of them have something on them.
    public var numbers: ([Bool]) -> [String] = { _ in [] }

    public init() {}

    public func bound(
        _ papers: [(name: String, bytes: [UInt8])]
    ) throws -> (bytes: [UInt8], pageCount: Int) {
        var parts: [PDFAssembly.Part] = []
        /// True for each page that has something on it.
        var printed: [Bool] = []
        for (place, paper) in papers.enumerated() {
            let file = try PDFFile(bytes: paper.bytes)
            let count = file.pages.count
            printed += Array(repeating: true, count: count)
            let isLast = place == papers.count - 1
            var blank: PDFFile?
            if duplex, count % 2 == 1, !isLast { blank = try Self.blankPage(like: file) }
            parts.append(PDFAssembly.Part(file, bookmark: papers.count > 1 ? paper.name : nil))
            if let blank {
                parts.append(PDFAssembly.Part(blank))
                printed.append(false)
            }
        }
        var bytes = try PDFAssembly(parts).bytes
        var finish = DocumentFinish()
        finish.numbers = numbers(printed)
        finish.info = info
        bytes = try finish.applied(to: bytes)
        // Read again as it is before it is locked: every page has to be there.
        let count = try PDFFile(bytes: bytes).pages.count
        guard count == printed.count else { throw MakingTrouble("Put together, pages are missing.") }
        if let lock {
            var locked = DocumentFinish()
            locked.lock = lock
            bytes = try locked.applied(to: bytes)
        }
        return (bytes, printed.count)
    }

    /// An empty page as large as the last one of a file.
    public static func blankPage(like file: PDFFile) throws -> PDFFile {
        var size = [0.0, 0.0, 612.0, 792.0]
        if let last = file.pages.last {
            var node = file.dictionary(.reference(last)) ?? [:]
            for _ in 0..<64 {
                let box = file.numbers(node["CropBox"] ?? node["MediaBox"])
                if box.count == 4 {
                    size = box
                    break
                }
                guard let parent = file.dictionary(node["Parent"]) else { break }
                node = parent
            }
        }
        var draft = PDFDraft()
        let tree = draft.newReference()
        let page = draft.add(
            .dictionary([
                "Type": .name("Page"), "Parent": .reference(tree), "Resources": .dictionary([:]),
                "MediaBox": .array(size.map(PDFObject.real)),
            ]))
        draft.put(
            .dictionary([
                "Type": .name("Pages"), "Kids": .array([.reference(page)]), "Count": .integer(1),
            ]), at: tree)
        let root = draft.add(.dictionary(["Type": .name("Catalog"), "Pages": .reference(tree)]))
        return try PDFFile(bytes: draft.bytes(root: root))
    }
}
