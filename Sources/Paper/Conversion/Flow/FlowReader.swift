import PDF
import PDFReading

/// Finds out of words, where they stand and how they look what they are: what is larger than the rest is a heading, what
/// stands close and goes on is a paragraph, what stands in columns is a table, what is on every page belongs to none.
struct FlowReader {
    /// Below this, words in columns are taken for text.
    static let leastCertainty = 0.6

    private let texts: [PageText]
    private let looks: [PageLook]
    private var flow = Flow()
    /// How large most letters are.
    private var usual = 10.0
    /// Sizes of headings, the largest first.
    private var sizes: [Double] = []
    private var running: Set<String> = []
    /// Where the longest line of the page ends.
    private var edge = 0.0

    /// A word with its look.
    private struct Word {
        var text: String
        var place: PDFRectangle
        var size: Double
        var span: Flow.Span
    }

    private struct Line {
        var words: [Word]
        var place: PDFRectangle
        var block: Int

        var size: Double {
            words.max { $0.text.count < $1.text.count }?.size ?? 0
        }

        var isBold: Bool { words.allSatisfy(\.span.isBold) }
        /// As a program is written, each line for itself.
        var isEven: Bool { words.allSatisfy(\.span.isEven) }
    }

    static func flow(of texts: [PageText], _ looks: [PageLook], title: String) -> Flow {
        var reader = FlowReader(texts: texts, looks: looks)
        reader.read(title)
        return reader.flow
    }

    private init(texts: [PageText], looks: [PageLook]) {
        self.texts = texts
        self.looks = looks
    }

    private mutating func read(_ title: String) {
        flow.title = title
        if let frame = texts.first?.frame { (flow.width, flow.height) = (frame.width, frame.height) }
        let pages = texts.enumerated().map {
            lines(of: $1, look: looks.indices.contains($0) ? looks[$0] : PageLook())
        }
        measure(pages)
        running = runningLines(pages)
        for (index, lines) in pages.enumerated() {
            if index > 0 { flow.blocks.append(.newPage) }
            read(lines, of: texts[index], look: looks.indices.contains(index) ? looks[index] : PageLook())
        }
        joinPages()
    }

    // MARK: Words and their look

    private func lines(of page: PageText, look: PageLook) -> [Line] {
        // By stretches of height, so that a word is compared with its neighbours only.
        var stretches: [Int: [PageLook.Run]] = [:]
        for run in look.runs {
            let (low, high) = (
                Int((run.place.bottom / 20).rounded(.down)), Int((run.place.top / 20).rounded(.down))
            )
            guard high - low < 50 else { continue }
            for stretch in low...max(low, high) { stretches[stretch, default: []].append(run) }
        }
        return page.lines.map { line in
            let words = line.words.map { word in
                let middle = (
                    (word.place.left + word.place.right) / 2, (word.place.top + word.place.bottom) / 2
                )
                let run = stretches[Int((middle.1 / 20).rounded(.down))]?.first {
                    middle.0 >= $0.place.left - 1 && middle.0 <= $0.place.right + 1
                        && middle.1 >= $0.place.bottom && middle.1 <= $0.place.top
                }
                let text = Self.spelt(word.text)
                return Word(
                    text: text, place: word.place,
                    size: run.map(\.size) ?? (word.place.top - word.place.bottom) * 0.75,
                    span: Flow.Span(
                        text: text, isBold: run?.isBold ?? false, isItalic: run?.isItalic ?? false,
                        isEven: run?.isEven ?? false,
                        link: run?.link.flatMap { $0.words.contains(word.text) ? $0.address : nil }))
            }
            return Line(words: words, place: line.place, block: line.block)
        }
    }

    /// Letters that were joined for their look are letters again; a soft hyphen is none.
    private static func spelt(_ text: String) -> String {
        guard
            text.unicodeScalars.contains(where: { $0.value == 0xAD || (0xFB00...0xFB06).contains($0.value) })
        else { return text }
        let joined = ["ff", "fi", "fl", "ffi", "ffl", "st", "st"]
        return text.unicodeScalars.reduce(into: "") { out, scalar in
            switch scalar.value {
            case 0xAD: break
            case 0xFB00...0xFB06: out += joined[Int(scalar.value - 0xFB00)]
            default: out.unicodeScalars.append(scalar)
            }
        }
    }

    private mutating func measure(_ pages: [[Line]]) {
        var letters: [Double: Int] = [:]
        for word in pages.joined().flatMap(\.words) {
            letters[(word.size * 2).rounded() / 2, default: 0] += word.text.count
        }
        usual = letters.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? 10
        let larger = letters.keys.filter { $0 >= usual * 1.15 }.sorted(by: >)
        // What differs by less than a tenth is one kind of heading.
        for size in larger where sizes.last.map({ size < $0 * 0.92 }) ?? true { sizes.append(size) }
    }

    /// Lines at the upper or lower edge that most pages have, whatever number is in them.
    private func runningLines(_ pages: [[Line]]) -> Set<String> {
        guard pages.count >= 3 else { return [] }
        var counts: [String: Int] = [:]
        for (index, lines) in pages.enumerated() {
            for key in Set(lines.compactMap { key(of: $0, on: texts[index]) }) {
                counts[key, default: 0] += 1
            }
        }
        return Set(counts.filter { $0.value >= 3 && $0.value * 2 > pages.count }.keys)
    }

    private func key(of line: Line, on page: PageText) -> String? {
        let height = page.frame.height
        guard line.place.bottom > height * 0.9 || line.place.top < height * 0.1 else { return nil }
        let side = line.place.bottom > height * 0.9 ? "top" : "bottom"
        return side
            + line.words.map { $0.text.map { $0.isNumber ? "0" : String($0) }.joined() }.joined(
                separator: " ")
    }

    // MARK: What it is

    private mutating func read(_ all: [Line], of page: PageText, look: PageLook) {
        let lines = all.filter { line in
            guard let key = key(of: line, on: page), running.contains(key) else { return true }
            flow.runningLines += 1
            return false
        }
        edge = lines.map(\.place.right).max() ?? 0
        if lines.isEmpty { flow.wordlessPages.append(page.page + 1) }
        let tables = PageTables(of: page).tables.filter {
            $0.certainty >= Self.leastCertainty && !$0.rows.allSatisfy { Self.marker($0[0]) != nil }
        }
        flow.certainties += tables.map(\.certainty)
        var waiting = kept(look, page, holdsWords: !lines.isEmpty)
        var told = Set<Int>()
        var paragraph: [Line] = []
        var last: Line?
        func isInside(_ line: Line) -> Int? {
            tables.firstIndex {
                line.place.middleHeight <= $0.place.top && line.place.middleHeight >= $0.place.bottom
                    && line.place.right > $0.place.left && line.place.left < $0.place.right
            }
        }
        func pictures(above top: Double) {
            while let picture = waiting.first, picture.place.middleHeight > top {
                close(&paragraph, on: page)
                flow.blocks.append(
                    .picture(
                        picture.bytes, width: picture.place.right - picture.place.left,
                        height: picture.place.top - picture.place.bottom))
                waiting.removeFirst()
            }
        }
        for line in lines {
            if let table = isInside(line) {
                close(&paragraph, on: page)
                if told.insert(table).inserted {
                    pictures(above: tables[table].place.top)
                    flow.blocks.append(.table(tables[table].rows.map { $0.map(Self.spelt) }))
                }
                last = nil
                continue
            }
            pictures(above: line.place.top)
            if let last, !goesOn(last, line, in: paragraph) { close(&paragraph, on: page) }
            paragraph.append(line)
            last = line
        }
        close(&paragraph, on: page)
        pictures(above: -.infinity)
    }

    /// Whether a line belongs to the paragraph of the one before.
    private func goesOn(_ last: Line, _ line: Line, in paragraph: [Line]) -> Bool {
        guard let first = line.words.first, last.block == line.block || isNext(last, line) else {
            return false
        }
        if abs(last.size - line.size) > usual * 0.1 || last.isBold != line.isBold && isHeading([last]) {
            return false
        }
        if last.isEven && line.isEven { return false }
        if Self.marker(first.text) != nil, line.words.count > 1, line.place.left <= last.place.left + 2 {
            return false
        }
        // A line that ends early ends its paragraph, when it ends a sentence.
        let right = paragraph.map(\.place.right).max() ?? last.place.right
        let ends = last.words.last?.text.last.map { ".!?:;".contains($0) } ?? false
        if ends,
            max(right, line.place.right) - last.place.right > 0.15
                * (max(right, line.place.right) - line.place.left)
        {
            return false
        }
        // So does the first line of the next when it is set in.
        if paragraph.count >= 2, line.place.left - last.place.left > usual * 0.8, ends { return false }
        return true
    }

    /// Poppler parts a paragraph where a line of it is set in other fonts; what begins close below on the same edge, behind a
    /// line that is full, goes on all the same.
    private func isNext(_ last: Line, _ line: Line) -> Bool {
        let gap = last.place.bottom - line.place.top
        return abs(last.place.left - line.place.left) < 2 && gap < usual * 0.6 && gap > -usual
            && last.place.right > edge - 0.15 * (edge - last.place.left)
    }

    private func isHeading(_ lines: [Line]) -> Bool {
        guard let first = lines.first, lines.count <= 3 else { return false }
        let words = lines.reduce(0) { $0 + $1.words.count }
        let letters = lines.flatMap(\.words).reduce(0) { $0 + $1.text.count { $0.isLetter } }
        guard words <= 25, letters >= 3 else { return false }
        if first.size >= usual * 1.15 { return true }
        let isWhole = lines.last?.words.last?.text.last.map { !".,;".contains($0) } ?? false
        return lines.count == 1 && words <= 12 && first.isBold && isWhole && first.size >= usual * 0.95
    }

    private mutating func close(_ lines: inout [Line], on page: PageText) {
        defer { lines = [] }
        guard let first = lines.first else { return }
        if isHeading(lines), Self.marker(first.words[0].text) == nil || first.size >= usual * 1.15 {
            let level = (sizes.firstIndex { first.size >= $0 * 0.92 } ?? sizes.count) + 1
            flow.blocks.append(.heading(level: min(level, 6), Self.spans(lines).map { $0.plain }))
            return
        }
        if let marker = Self.marker(first.words[0].text), first.words.count > 1 {
            lines[0].words.removeFirst()
            flow.blocks.append(.item(Self.spans(lines), number: marker.number))
            return
        }
        let middle = page.frame.width / 2
        let isCentred = lines.allSatisfy {
            abs(($0.place.left + $0.place.right) / 2 - middle) < 4 && $0.place.left > page.frame.width * 0.2
        }
        flow.blocks.append(.paragraph(Self.spans(lines), isCentred: isCentred))
    }

    private enum Marker {
        case bullet, number(Int)

        var number: Int? { if case .number(let number) = self { number } else { nil } }
    }

    /// What stands before an item of a list; nil for what is none.
    private static func marker(_ text: String) -> Marker? {
        if ["•", "◦", "▪", "‣", "●", "○", "■", "–", "—", "-", "*", "\u{F0B7}", "\u{2022}"].contains(text) {
            return .bullet
        }
        guard let end = text.last, ".)".contains(end), text.count <= 4, let number = Int(text.dropLast())
        else {
            return nil
        }
        return .number(number)
    }

    private static func spans(_ lines: [Line]) -> [Flow.Span] {
        var spans: [Flow.Span] = []
        for (index, line) in lines.enumerated() {
            for (place, word) in line.words.enumerated() {
                var span = word.span
                // A word that was broken at the end of its line is whole again.
                let isLast = place == line.words.count - 1
                let next = index + 1 < lines.count ? lines[index + 1].words.first?.text.first : nil
                let isBroken =
                    isLast && span.text.count > 2 && span.text.last == "-" && (next?.isLowercase ?? false)
                    && span.text.dropLast().last?.isLetter == true
                if isBroken { span.text.removeLast() } else { span.text += " " }
                if var before = spans.last, before.looks(like: span) {
                    before.text += span.text
                    spans[spans.count - 1] = before
                } else {
                    spans.append(span)
                }
            }
        }
        if let text = spans.last?.text, text.last == " " { spans[spans.count - 1].text.removeLast() }
        return spans
    }

    // MARK: Pictures

    private func kept(_ look: PageLook, _ page: PageText, holdsWords: Bool) -> [PageLook.Picture] {
        let sheet = page.frame.width * page.frame.height
        return look.pictures.filter { picture in
            let (width, height) = (
                picture.place.right - picture.place.left, picture.place.top - picture.place.bottom
            )
            let isKnown =
                picture.bytes.starts(with: [0x89, 0x50, 0x4E, 0x47])
                || picture.bytes.starts(with: [0xFF, 0xD8])
            // Lines and dots are how a page was drawn, and what lies below all of the words is its paper.
            return isKnown && width >= 12 && height >= 12 && !(holdsWords && width * height > sheet * 0.85)
        }.sorted { $0.place.top > $1.place.top }
    }

    // MARK: From page to page

    /// A sentence that the end of a page has cut is one again; other pages begin as they did.
    private mutating func joinPages() {
        var blocks: [Flow.Block] = []
        for block in flow.blocks {
            guard case .paragraph(let spans, let isCentred) = block, !isCentred, blocks.count >= 2,
                case .newPage = blocks[blocks.count - 1],
                case .paragraph(var before, isCentred: false) = blocks[blocks.count - 2],
                spans.first?.text.first?.isLowercase == true,
                let end = before.last?.text.last, !".!?:;".contains(end)
            else {
                blocks.append(block)
                continue
            }
            blocks.removeLast(2)
            before[before.count - 1].text += " "
            blocks.append(.paragraph(before + spans, isCentred: false))
        }
        while case .newPage? = blocks.last { blocks.removeLast() }
        flow.blocks = blocks
    }
}

extension Flow.Span {
    func looks(like other: Flow.Span) -> Bool {
        isBold == other.isBold && isItalic == other.isItalic && isEven == other.isEven && link == other.link
    }

    /// As a heading has it, which is bold by being one.
    var plain: Flow.Span { Flow.Span(text: text, isItalic: isItalic, link: link) }
}

extension PDFRectangle {
    var middleHeight: Double { (top + bottom) / 2 }
}
