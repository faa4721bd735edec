import PDFDrawing

/// A place of a field with what plain text needs of it, and nothing that would have to be counted as used: while
/// documents are filled on several threads, counters in shared objects would cost more than the filling.
struct PlainPlace {
    var font: PlainFont
    var size: Double
    var width: Double
    var height: Double
    var inset: Double
    var stretch: Double
    var alignment: Int
    /// 0 unless the field is a comb.
    var cells: Int
    var isParagraphs: Bool

    init(_ widget: WidgetPlan, _ layout: TextAppearance.Layout) {
        font = widget.font.plain
        size = widget.size
        width = widget.width
        height = widget.height
        inset = widget.inset
        stretch = widget.stretch
        alignment = widget.alignment
        isParagraphs = false
        cells = 0
        switch layout {
        case .line: break
        case .comb(let count): cells = count
        case .paragraphs: isParagraphs = true
        }
    }
}

/// Lays out text whose letters are all in the form's own font: what `TextAppearance` does, by the same rules, on bare
/// codes. Most text of most forms is so.
struct PlainText {
    struct Line {
        var x: Double
        var y: Double
        var start: Int
        var end: Int
    }

    private(set) var size = 0.0
    /// True when the text may reach beyond its place.
    private(set) var clips = false
    private(set) var isClipped = false
    /// The size it had to be shrunk to.
    private(set) var shrunk: Double?
    /// Each letter is a line of its own in a comb.
    private(set) var lines: [Line] = []

    init() { lines.reserveCapacity(16) }

    /// Line ends among the codes become spaces where there is one line only.
    mutating func lay(_ codes: UnsafeMutableBufferPointer<UInt8>, in place: PlainPlace) {
        isClipped = false
        shrunk = nil
        size = place.size
        if place.isParagraphs {
            layParagraphs(codes, place)
        } else if place.cells > 0 {
            lines.removeAll(keepingCapacity: true)
            layComb(codes, place)
        } else {
            layLine(codes, place)
        }
    }

    @inline(__always) private func units(
        _ codes: UnsafeMutableBufferPointer<UInt8>, _ start: Int, _ end: Int, _ font: PlainFont
    ) -> Int {
        var sum = 0
        var at = start
        while at < end {
            sum &+= font.width(codes[at])
            at &+= 1
        }
        return sum
    }

    /// Where a line begins that fits its place.
    @inline(__always) private static func start(
        _ width: Double, _ place: PlainPlace, _ inner: Double
    ) -> Double {
        switch place.alignment {
        case 1: left(place) + (inner - width) / 2
        case 2: left(place) + inner - width
        default: left(place)
        }
    }

    /// The same for a line of the form's own size; `units` is the sum of its widths.
    @inline(__always) static func start(of units: Double, in place: PlainPlace) -> Double {
        start(units * place.stretch / 100 * place.size / 1000, place, inner(place))
    }

    private mutating func layLine(_ codes: UnsafeMutableBufferPointer<UInt8>, _ place: PlainPlace) {
        let font = place.font
        var sum = 0
        for at in codes.indices {
            if codes[at] == 10 { codes[at] = font.space }
            sum &+= font.width(codes[at])
        }
        let inner = Self.inner(place)
        let units = Double(sum) * place.stretch / 100
        let widest = units > 0 ? inner * 1000 / units : .infinity
        if size == 0 {
            let tallest = max(1, place.height - 2 * place.inset) / max(0.1, font.lineHeight)
            size = max(TextAppearance.smallestSize, (min(tallest, widest) * 100).rounded(.down) / 100)
        } else if units * size / 1000 > inner + 1 {
            let least = min(size, TextAppearance.smallestShrunkSize)
            let smaller = max(least, (widest * 100).rounded(.down) / 100)
            if smaller < size { shrunk = smaller }
            size = smaller
        }
        let width = units * size / 1000
        isClipped = width > inner + 1.5
        let baseline = (place.height - font.capitals * size) / 2
        clips = width > inner || !Self.isInside(place, size: size)
        // Text that does not fit begins at its beginning, whatever the alignment.
        let x = width > inner ? Self.left(place) : Self.start(width, place, inner)
        let line = Line(x: x, y: max(baseline, 0), start: 0, end: codes.count)
        if lines.count == 1, !codes.isEmpty {
            lines[0] = line
        } else {
            lines.removeAll(keepingCapacity: true)
            if !codes.isEmpty { lines.append(line) }
        }
    }

    /// How wide a line may be.
    @inline(__always) static func inner(_ place: PlainPlace) -> Double {
        max(1, place.width - 2 * place.inset - 2)
    }

    /// Whether the letters of a single line stay in their place, as far as the font says how high and low they reach.
    @inline(__always) static func isInside(_ place: PlainPlace, size: Double) -> Bool {
        let baseline = (place.height - place.font.capitals * size) / 2
        return baseline + place.font.ascent * size <= place.height
            && baseline + place.font.descent * size >= 0
    }

    /// Where text begins on the left.
    @inline(__always) static func left(_ place: PlainPlace) -> Double { place.inset + 1 }

    /// Where a single line stands.
    static func baseline(_ place: PlainPlace, size: Double) -> Double {
        max(0, (place.height - place.font.capitals * size) / 2)
    }

    private mutating func layComb(_ codes: UnsafeMutableBufferPointer<UInt8>, _ place: PlainPlace) {
        let font = place.font
        let count = codes.count { $0 != 10 }
        let shown = min(count, place.cells)
        if size == 0 {
            let tallest = max(1, place.height - 2 * place.inset) / font.lineHeight
            size = max(
                TextAppearance.smallestSize,
                (min(TextAppearance.largestParagraphSize, tallest) * 100).rounded(.down) / 100)
        }
        let cell = place.width / Double(place.cells)
        let first = Self.firstCell(of: shown, place)
        let baseline = max(0, (place.height - font.capitals * size) / 2)
        clips = baseline + font.ascent * size > place.height || baseline + font.descent * size < 0
        lines.append(addingCapacity: shown) { span in
            span.withUnsafeMutableBufferPointer { room, used in
                guard let start = room.baseAddress else { return }
                var at = 0
                while used < shown {
                    if codes[at] != 10 {
                        let width = Double(font.width(codes[at])) * size / 1000 * place.stretch / 100
                        let x = cell * (Double(first + used) + 0.5) - width / 2
                        (start + used).initialize(to: Line(x: x, y: baseline, start: at, end: at + 1))
                        used += 1
                    }
                    at += 1
                }
            }
        }
    }

    @inline(__always) static func firstCell(of count: Int, _ place: PlainPlace) -> Int {
        place.alignment == 1 ? (place.cells - count) / 2 : place.alignment == 2 ? place.cells - count : 0
    }

    // MARK: Paragraphs

    private mutating func layParagraphs(_ codes: UnsafeMutableBufferPointer<UInt8>, _ place: PlainPlace) {
        let font = place.font
        let inner = Self.inner(place)
        let innerHeight = max(1, place.height - 2 * place.inset)
        if size == 0 { size = TextAppearance.largestParagraphSize }
        let floor =
            place.size == 0
            ? TextAppearance.smallestSize : min(place.size, TextAppearance.smallestShrunkSize)
        // A size the form chose is kept when it is a hair too large; one we choose leaves a little air.
        let slack = place.size == 0 ? -1.0 : 1.0
        func fits(_ count: Int) -> Bool {
            Double(count - 1) * font.lineHeight * size + (font.ascent - font.descent) * size
                <= innerHeight + slack
        }
        breakLines(codes, place, inner)
        while !fits(lines.count), size > floor {
            size = max(floor, size - 0.5)
            breakLines(codes, place, inner)
        }
        isClipped = !fits(lines.count)
        if !isClipped, size < place.size { shrunk = size }
        let reach = Double(lines.count - 1) * font.lineHeight * size + (font.ascent - font.descent) * size
        clips = isClipped || reach > innerHeight - 2
        var baseline = place.height - place.inset - 1 - font.ascent * size
        for index in lines.indices {
            var width = 0.0
            if place.alignment != 0 {
                let sum = units(codes, lines[index].start, lines[index].end, font)
                width = Double(sum) * size / 1000 * place.stretch / 100
            }
            lines[index].x = Self.start(width, place, inner)
            lines[index].y = baseline
            baseline -= font.lineHeight * size
        }
    }

    private mutating func breakLines(
        _ codes: UnsafeMutableBufferPointer<UInt8>, _ place: PlainPlace, _ inner: Double
    ) {
        lines.removeAll(keepingCapacity: true)
        let limit = inner * 1000 / size * 100 / place.stretch
        var start = 0
        while start <= codes.count { start = breakParagraph(codes, start, place.font, limit) + 1 }
    }

    /// Breaks between words and behind hyphens; a word too long for a line is cut. Spaces at the end of a line are no
    /// part of it. Gives where the paragraph ends.
    private mutating func breakParagraph(
        _ codes: UnsafeMutableBufferPointer<UInt8>, _ from: Int, _ font: PlainFont, _ limit: Double
    ) -> Int {
        let (space, hyphen) = (font.space, font.hyphen)
        let count = codes.count
        var start = from
        var width = 0.0
        var at = from
        while at < count, codes[at] != 10 {
            // A word or what else stays together, and the spaces behind it.
            let piece = at
            var bare = 0
            while at < count {
                let code = codes[at]
                if code == space || code == 10 { break }
                bare &+= font.width(code)
                at &+= 1
                if code == hyphen, at < count, mayBreak(codes, at, from, font) { break }
            }
            let trimmed = at
            while at < count, codes[at] == space { at &+= 1 }
            if width + Double(bare) > limit, piece > start {
                add(start, trim(codes, start, piece, space))
                start = piece
                width = 0
            }
            if Double(bare) > limit {
                start = cut(codes, start, at, font, limit)
                width = Double(units(codes, start, at, font))
            } else {
                width += Double(bare + (at - trimmed) * font.width(space))
            }
        }
        add(start, trim(codes, start, at, space))
        return at
    }

    /// Whether a line may end behind the hyphen before this place.
    @inline(__always) private func mayBreak(
        _ codes: UnsafeMutableBufferPointer<UInt8>, _ at: Int, _ from: Int, _ font: PlainFont
    ) -> Bool {
        at - from > 1 && codes[at - 2] != font.space && (codes[at] >= 65 || !font.isASCII)
            && codes[at] != font.space && codes[at] != 10
    }

    @inline(__always) private func trim(
        _ codes: UnsafeMutableBufferPointer<UInt8>, _ start: Int, _ end: Int, _ space: UInt8
    ) -> Int {
        var end = end
        while end > start, codes[end - 1] == space { end -= 1 }
        return end
    }

    private mutating func cut(
        _ codes: UnsafeMutableBufferPointer<UInt8>, _ from: Int, _ to: Int, _ font: PlainFont,
        _ limit: Double
    ) -> Int {
        var start = from
        var sum = 0.0
        for at in from..<to {
            let step = Double(font.width(codes[at]))
            if at > start, sum + step > limit {
                add(start, at)
                start = at
                sum = 0
            }
            sum += step
        }
        return start
    }

    private mutating func add(_ start: Int, _ end: Int) {
        lines.append(Line(x: 0, y: 0, start: start, end: end))
    }
}
