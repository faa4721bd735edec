public import Bytes
public import PDF
import PDFReading

/// The pages that a paper is to have, one after the other: its own in any order, turned or more than once, blank ones, and those
/// of other papers.
public struct PageOrder: Sendable, Equatable {
    public struct Sheet: Sendable, Equatable {
        public enum Source: Sendable, Equatable {
            /// Both are counted from 0; the paper itself is the first of the files.
            case page(Int, of: Int)
            /// As large as the page before it, or behind it where it is the first.
            case blank
        }

        public var source: Source
        /// Clockwise, in whole right angles.
        public var turn: Int

        public init(_ source: Source, turn: Int = 0) {
            self.source = source
            self.turn = turn
        }
    }

    public var sheets: [Sheet]

    public init(_ sheets: [Sheet]) { self.sheets = sheets }

    public init(_ pages: [Int]) { sheets = pages.map { Sheet(.page($0, of: 0)) } }

    /// Whether a file of so many pages would stay as it is.
    public func isAsBefore(_ count: Int) -> Bool {
        sheets == (0..<count).map { Sheet(.page($0, of: 0)) }
    }

    /// The file that has these pages, and what had to be changed on the way. Nothing else of the first file is lost as long as each
    /// of its pages stays; what only left out pages needed is really gone.
    public func made(of files: [[UInt8]]) throws(PDFError) -> (bytes: [UInt8], remarks: [PDFAssembly.Remark])
    {
        guard !sheets.isEmpty else { throw .noPages }
        let first = try PDFFile(bytes: files[0])
        let own = sheets.compactMap { sheet -> Int? in
            if case .page(let page, 0) = sheet.source { page } else { nil }
        }
        if own.count == sheets.count, own.sorted() == Array(first.pages.indices) {
            if own != Array(first.pages.indices) { try first.reorder(own) }
            return (try turned(first).rewritten(), [])
        }
        let (parts, places) = try gathered(files, first)
        let assembly = try PDFAssembly(parts)
        let file = try PDFFile(bytes: assembly.bytes)
        if places != Array(places.indices) { try file.reorder(places) }
        return (try turned(file).rewritten(), assembly.remarks)
    }

    private func turned(_ file: PDFFile) throws(PDFError) -> PDFFile {
        for (place, sheet) in sheets.enumerated() where sheet.turn % 360 != 0 {
            try file.rotate(page: place, by: (sheet.turn % 360 + 360) % 360)
        }
        return file
    }

    /// As few parts as there can be, as a page stands in a part once only; and for each sheet the place it has behind them all.
    private func gathered(
        _ files: [[UInt8]], _ first: PDFFile
    ) throws(PDFError) -> (parts: [PDFAssembly.Part], places: [Int]) {
        struct Part: Hashable {
            var file: Int
            var turn: Int
        }
        var pages: [Part: [(page: Int, sheet: Int)]] = [:]
        var seen: [[Int]: Int] = [:]
        var blanks: [Int] = []
        for (place, sheet) in sheets.enumerated() {
            guard case .page(let page, let file) = sheet.source else {
                blanks.append(place)
                continue
            }
            let times = seen[[file, page], default: 0]
            seen[[file, page]] = times + 1
            pages[Part(file: file, turn: times), default: []].append((page, place))
        }
        var parts: [PDFAssembly.Part] = []
        var sheetsInOrder: [Int] = []
        var frames: [Int: [PageFrame]] = [:]
        for part in pages.keys.sorted(by: { ($0.file, $0.turn) < ($1.file, $1.turn) }) {
            guard files.indices.contains(part.file) else { throw .damaged("a file is missing") }
            let isFirst = part == Part(file: 0, turn: 0)
            let file = isFirst ? first : try PDFFile(bytes: files[part.file])
            if !blanks.isEmpty, frames[part.file] == nil { frames[part.file] = file.frames }
            let held = (pages[part] ?? []).sorted { $0.page < $1.page }
            parts.append(PDFAssembly.Part(file, pages: held.map(\.page)))
            sheetsInOrder += held.map(\.sheet)
        }
        if !blanks.isEmpty {
            let sizes = blanks.map { size(ofBlank: $0, frames) }
            parts.append(PDFAssembly.Part(try PDFFile(bytes: Self.blank(sizes))))
            sheetsInOrder += blanks
        }
        var places = [Int](repeating: 0, count: sheets.count)
        for (place, sheet) in sheetsInOrder.enumerated() { places[sheet] = place }
        return (parts, places)
    }

    private func size(
        ofBlank place: Int, _ frames: [Int: [PageFrame]]
    ) -> (width: Double, height: Double) {
        let near = sheets[..<place].reversed() + sheets[place...]
        for sheet in near {
            guard case .page(let page, let file) = sheet.source, let known = frames[file],
                known.indices.contains(page)
            else { continue }
            let isLying = sheet.turn % 180 != 0
            let frame = known[page]
            return isLying ? (frame.height, frame.width) : (frame.width, frame.height)
        }
        return (PageFrame.usual.width, PageFrame.usual.height)
    }

    /// Empty pages of these sizes.
    static func blank(_ sizes: [(width: Double, height: Double)]) -> [UInt8] {
        var draft = PDFDraft()
        let tree = draft.newReference()
        let kids = sizes.map { size in
            draft.add(
                .dictionary([
                    "Type": .name("Page"), "Parent": .reference(tree), "Resources": .dictionary([:]),
                    "MediaBox": .array([.integer(0), .integer(0), .real(size.width), .real(size.height)]),
                ]))
        }
        draft.put(
            .dictionary([
                "Type": .name("Pages"), "Count": .integer(kids.count),
                "Kids": .array(kids.map(PDFObject.reference)),
            ]), at: tree)
        let root = draft.add(.dictionary(["Type": .name("Catalog"), "Pages": .reference(tree)]))
        return draft.bytes(root: root)
    }
}

extension PDFAssembly.Remark {
    public var json: JSON {
        switch self {
        case .renamed(let old, let new): ["kind": "renamed", "field": .string(old), "name": .string(new)]
        case .signatureDropped: ["kind": "signatureDropped"]
        case .xfaDropped: ["kind": "xfaDropped"]
        case .tagsDropped: ["kind": "tagsDropped"]
        }
    }
}
