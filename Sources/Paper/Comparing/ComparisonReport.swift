import Marking
import PDF
import PDFDrawing
import PDFReading

/// A paper to be read and printed: a list of what differs, then the second paper with each difference marked on it by its number,
/// and the pages of the first that are gone where they were.
public struct ComparisonReport: Sendable {
    /// The words of it, in the language of whoever reads.
    public struct Words: Sendable {
        public var title: String
        /// What was compared with what, and how much differs.
        public var lede: [String]
        /// One for each change.
        public var lines: [String]
        public var pageAdded: String
        public var pageRemoved: String
        /// Where there is more than is listed.
        public var more: String

        public init(
            title: String, lede: [String], lines: [String], pageAdded: String, pageRemoved: String,
            more: String
        ) {
            self.title = title
            self.lede = lede
            self.lines = lines
            self.pageAdded = pageAdded
            self.pageRemoved = pageRemoved
            self.more = more
        }
    }

    private let comparison: PaperComparison
    private let words: Words

    private static let mostListed = 2_000
    private static let mostMarked = 4_000
    private static let added = Mark.Colour(0xA6, 0xE3, 0xB4)
    private static let addedInk = Mark.Colour(0x0F, 0x6B, 0x3A)
    private static let removed = Mark.Colour(0xC6, 0x28, 0x28)
    private static let other = Mark.Colour(0x1F, 0x4E, 0xB0)
    private static let white = Mark.Colour(0xFF, 0xFF, 0xFF)

    public init(_ comparison: PaperComparison, words: Words) {
        self.comparison = comparison
        self.words = words
    }

    /// - Parameter now: seconds since 1970, for the marks
    public func bytes(
        _ before: [UInt8], _ after: [UInt8], passwords: (before: String?, after: String?) = (nil, nil),
        now: Int64
    ) throws -> [UInt8] {
        let second = try PDFFile(bytes: after, password: passwords.after)
        let frames = second.frames
        let cover = try PDFFile(bytes: list(frames.first ?? .usual))
        let coverCount = cover.pages.count
        let gone = comparison.pairs.filter { $0.after == nil && !$0.isFlowed }.compactMap(\.before)
        var parts = [PDFAssembly.Part(cover), PDFAssembly.Part(second)]
        if !gone.isEmpty {
            let first = try PDFFile(bytes: before, password: passwords.before)
            parts.append(PDFAssembly.Part(first, pages: gone))
        }
        // Where each page comes to lie.
        var order = Array(0..<coverCount)
        var places: (before: [Int: Int], after: [Int: Int]) = ([:], [:])
        var nextGone = 0
        for pair in comparison.pairs {
            if let page = pair.after {
                places.after[page] = order.count
                order.append(coverCount + page)
            } else if let page = pair.before, !pair.isFlowed {
                places.before[page] = order.count
                order.append(coverCount + frames.count + nextGone)
                nextGone += 1
            }
        }
        let whole = try PDFFile(bytes: PDFAssembly(parts).bytes)
        try whole.reorder(order)
        let bytes = try whole.rewritten()
        let marks = marks(places, try PDFFile(bytes: bytes).frames)
        guard !marks.isEmpty else { return bytes }
        var changes = MarkChanges()
        changes.added = marks
        changes.author = "Quire"
        changes.breaksSignatures = true
        var number = 0
        return try MarkedPaper(bytes).changed(changes, now: now) {
            number += 1
            return "difference-\(number)"
        }
    }

    // MARK: Marks

    private func marks(_ places: (before: [Int: Int], after: [Int: Int]), _ frames: [PageFrame]) -> [Mark] {
        var marks: [Mark] = []
        var taken: [Int: Int] = [:]
        for (index, change) in comparison.changes.enumerated() where marks.count < Self.mostMarked {
            let text = words.lines.indices.contains(index) ? words.lines[index] : ""
            switch change.kind {
            case .pageRemoved:
                guard let page = change.before.flatMap({ places.before[$0.page] }) else { continue }
                var box = Mark(.box, page: page)
                box.areas = [
                    .init(x: 4, y: 4, width: frames[page].width - 8, height: frames[page].height - 8)
                ]
                box.colour = Self.removed
                box.thickness = 3
                marks.append(box)
                marks.append(tag(index, words.pageRemoved, page, x: 8, y: 8, Self.removed))
            case .pageAdded:
                guard let page = change.after.flatMap({ places.after[$0.page] }) else { continue }
                marks.append(tag(index, words.pageAdded, page, x: 8, y: 8, Self.addedInk))
            default:
                guard let place = change.after, places.after[place.page] != nil else { continue }
                marks += self.marks(change, place, places.after, frames, text)
                let area = place.areas.first
                let page = (area?.page).flatMap { places.after[$0] } ?? places.after[place.page] ?? 0
                let ink =
                    change.kind == .words
                    ? (change.added.isEmpty ? Self.removed : Self.addedInk) : Self.other
                // Beside the line, in the margin, and beside the numbers that are there.
                let y = min(max(0, area?.y ?? 8), max(0, frames[page].height - 12))
                let row = page * 10_000 + Int(y / 9)
                let x = 4 + Double(taken[row, default: 0]) * 14
                taken[row, default: 0] += 1
                marks.append(tag(index, "", page, x: x, y: y, ink))
            }
        }
        return marks
    }

    private func marks(
        _ change: PaperComparison.Change, _ place: PaperComparison.Place, _ pages: [Int: Int],
        _ frames: [PageFrame], _ text: String
    ) -> [Mark] {
        var byPage: [Int: [PaperComparison.Area]] = [:]
        for area in place.areas where pages[area.page] != nil { byPage[area.page, default: []].append(area) }
        var marks: [Mark] = []
        for (own, areas) in byPage.sorted(by: { $0.key < $1.key }) {
            guard let page = pages[own] else { continue }
            let frame = frames[page]
            func seen(_ area: PaperComparison.Area) -> Bool {
                area.x < frame.width && area.y < frame.height && area.x + max(area.width, 1) > 0
                    && area.y + area.height > 0 && area.height > 0
            }
            let wide = areas.filter { $0.width > 0 && seen($0) }.map {
                Mark.Area(x: $0.x, y: $0.y, width: $0.width, height: $0.height)
            }
            switch change.kind {
            case .words, .moved, .running:
                for area in areas where area.width <= 0 && seen(area) {
                    var line = Mark(.line, page: page)
                    line.strokes = [
                        [.init(x: area.x, y: area.y), .init(x: area.x, y: area.y + area.height)]
                    ]
                    line.colour = Self.removed
                    line.text = text
                    marks.append(line)
                }
                for start in stride(from: 0, to: wide.count, by: 500) {
                    var mark = Mark(.highlight, page: page)
                    mark.areas = Array(wide[start..<min(start + 500, wide.count)])
                    mark.colour = change.kind == .words ? Self.added : Mark.Colour(0xBF, 0xD7, 0xFF)
                    mark.text = text
                    marks.append(mark)
                }
            default:
                for area in wide {
                    var box = Mark(.box, page: page)
                    box.areas = [
                        .init(x: area.x - 1, y: area.y - 1, width: area.width + 2, height: area.height + 2)
                    ]
                    box.colour = Self.other
                    box.text = text
                    marks.append(box)
                }
            }
        }
        return marks
    }

    /// Its number in the list.
    private func tag(
        _ index: Int, _ text: String, _ page: Int, x: Double, y: Double, _ ink: Mark.Colour
    ) -> Mark {
        var mark = Mark(.text, page: page)
        mark.text = text.isEmpty ? "\(index + 1)" : "\(index + 1)  \(text)"
        mark.areas = [.init(x: x, y: y, width: 0, height: 0)]
        mark.size = text.isEmpty ? 7 : 11
        mark.colour = Self.white
        mark.fill = ink
        return mark
    }

    // MARK: The list

    /// Pages of their own, on the sheet of the second paper where that is a usual one.
    private func list(_ frame: PageFrame) throws(PDFError) -> [UInt8] {
        var lines: [PlainReport.Line] = [.title(words.title)] + words.lede.map { .text($0) } + [.gap]
        for (number, line) in words.lines.prefix(Self.mostListed).enumerated() {
            let isLong = line.unicodeScalars.count > 700
            let text = isLong ? String(line.unicodeScalars.prefix(700)) + " …" : line
            lines.append(.item("\(number + 1)", text))
        }
        if words.lines.count > Self.mostListed { lines.append(.text(words.more)) }
        return try PlainReport(lines, onLetter: abs(min(frame.width, frame.height) - 612) < 6).bytes()
    }
}
