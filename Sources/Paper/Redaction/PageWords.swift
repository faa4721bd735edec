import PDF

/// The signs of a page put together to texts that can be searched, in more than one way: as they are drawn and as they stand on
/// the page, with words that are divided at a line's end as they are and whole. What is found in any of them is found.
struct PageWords {
    struct Hit {
        /// Numbers of signs.
        var glyphs: [Int]
        var text: String
        var before: String
        var after: String
    }

    let glyphs: [PageWalker.Glyph]
    /// Which line of the page each stands in.
    private let lines: [Int]
    private let texts: [Text]

    private struct Text {
        var units: [UInt16] = []
        /// For each unit the sign it belongs to; -1 for what only stands between them.
        var glyphs: [Int] = []

        mutating func add(_ text: String, _ glyph: Int) {
            for unit in text.utf16 {
                units.append(unit)
                glyphs.append(glyph)
            }
        }

        /// Words that are divided at the end of a line, whole.
        var joined: Text? {
            var joined = Text()
            var index = 0
            var isChanged = false
            while index < units.count {
                let isHyphen = units[index] == 0x2D || units[index] == 0xAD || units[index] == 0x2010
                if isHyphen, index + 1 < units.count, units[index + 1] == PageWords.lineEnd {
                    isChanged = true
                    index += 2
                    continue
                }
                joined.units.append(units[index])
                joined.glyphs.append(glyphs[index])
                index += 1
            }
            return isChanged ? joined : nil
        }
    }

    /// Between lines a blank, so that an expression's blank goes over the end of a line.
    static let lineEnd: UInt16 = 0x2028
    /// Between columns something that no expression takes for a blank.
    private static let wideGap: UInt16 = 0x1F

    init(_ glyphs: [PageWalker.Glyph]) {
        self.glyphs = glyphs
        let order = Self.placed(glyphs)
        lines = order.lines
        let drawn = Self.text(glyphs, Array(glyphs.indices), order.lines)
        let placed = Self.text(glyphs, order.sequence, order.lines)
        var texts = [drawn]
        if placed.units != drawn.units { texts.append(placed) }
        texts += texts.compactMap(\.joined)
        self.texts = texts
    }

    var letterCount: Int { glyphs.count { !$0.text.isEmpty && $0.text != " " } }
    /// Signs of which nobody says what they mean.
    var unknownCount: Int { glyphs.count { $0.text.isEmpty || $0.text == "\u{FFFD}" } }

    func hits(_ search: TextSearch) throws(RedactionError) -> [Hit] {
        var hits: [Hit] = []
        var known: Set<[Int]> = []
        for text in texts {
            for range in try search.places(in: text.units) {
                let found = Array(Set(text.glyphs[range].filter { $0 >= 0 })).sorted()
                guard !found.isEmpty, known.insert(found).inserted else { continue }
                let around = Surroundings(of: range, in: text.units)
                hits.append(
                    Hit(
                        glyphs: found, text: Self.shown(text.units[range]),
                        before: Self.shown(around.before), after: Self.shown(around.after)))
            }
        }
        return hits.sorted {
            ($0.glyphs.first ?? 0, $0.glyphs.count) < ($1.glyphs.first ?? 0, $1.glyphs.count)
        }
    }

    /// What the signs cover, a place for each line.
    func places(_ numbers: [Int]) -> [Quad] {
        var parts: [Int: [PageWalker.Glyph]] = [:]
        for number in numbers { parts[lines[number], default: []].append(glyphs[number]) }
        return parts.sorted { $0.key < $1.key }.map { line, part -> Quad in
            let quads = part.map(\.quad)
            let direction = Self.direction(part[0])
            guard part.contains(where: \.isInvisible) else {
                return Quad(around: quads, along: direction, grownBy: 0.4)
            }
            // A layer of words under a scan stands only about where they are seen: up to their neighbours everything may be theirs.
            return Quad(
                around: quads, along: direction, grownBy: room(around: part, line: line, along: direction),
                upBy: min(6, part[0].size * 0.08))
        }.filter(\.isSound)
    }

    /// How far it is to the nearest sign beside these on their line, or most of it, and never far.
    private func room(
        around part: [PageWalker.Glyph], line: Int, along direction: (x: Double, y: Double)
    ) -> Double {
        func along(_ point: (x: Double, y: Double)) -> Double {
            point.x * direction.x + point.y * direction.y
        }
        let own = Set(part.map(\.number))
        let start = part.map { along($0.start) }.min() ?? 0
        let end = part.map { along($0.end) }.max() ?? 0
        var gap = part[0].size * 0.7
        for glyph in glyphs
        where lines[glyph.number] == line && !own.contains(glyph.number) && glyph.text != " " {
            let (from, to) = (along(glyph.start), along(glyph.end))
            if from >= end { gap = min(gap, (from - end) * 0.9) }
            if to <= start { gap = min(gap, (start - to) * 0.9) }
        }
        return max(0.5, gap.isFinite ? min(gap, 12) : 1)
    }

    /// The text of these signs as they are drawn, a piece for each line.
    func pieces(_ numbers: [Int]) -> [String] {
        let wanted = Set(numbers)
        var pieces: [Int: Text] = [:]
        var last: [Int: Int] = [:]
        for index in glyphs.indices where wanted.contains(index) {
            let line = lines[index]
            if let before = last[line] {
                pieces[line]?.units += Self.between(glyphs[before], glyphs[index]).map { [$0] } ?? []
            }
            pieces[line, default: Text()].add(glyphs[index].text, index)
            last[line] = index
        }
        return pieces.values.map { Self.shown($0.units[...]) }.filter { !$0.isEmpty }
    }

    private static func shown(_ units: ArraySlice<UInt16>) -> String {
        let text = String(decoding: units.map { $0 == wideGap || $0 == lineEnd ? 32 : $0 }, as: UTF16.self)
        return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    static func direction(_ glyph: PageWalker.Glyph) -> (x: Double, y: Double) {
        let x = glyph.quad.corners[1].x - glyph.quad.corners[0].x
        let y = glyph.quad.corners[1].y - glyph.quad.corners[0].y
        let length = (x * x + y * y).squareRoot()
        return length > 1e-6 && length.isFinite ? (x / length, y / length) : (1, 0)
    }

    /// Lines as one sees them: signs of one direction that stand level, from left to right.
    private static func placed(_ glyphs: [PageWalker.Glyph]) -> (sequence: [Int], lines: [Int]) {
        struct Place {
            var index: Int
            var angle: Int
            var along: Double
            var across: Double
        }
        let places = glyphs.indices.map { index in
            let direction = direction(glyphs[index])
            let start = glyphs[index].start
            return Place(
                index: index,
                angle: Int((direction.y * 20).rounded()) * 100 + Int((direction.x * 20).rounded()),
                along: start.x * direction.x + start.y * direction.y,
                across: start.y * direction.x - start.x * direction.y)
        }
        let sorted = places.filter { $0.along.isFinite && $0.across.isFinite }.sorted {
            ($0.angle, -$0.across, $0.along) < ($1.angle, -$1.across, $1.along)
        }
        var lines = [Int](repeating: -1, count: glyphs.count)
        var sequence: [Int] = []
        var start = 0
        var number = 0
        while start < sorted.count {
            var end = start + 1
            let room = max(1, min(glyphs[sorted[start].index].size * 0.35, 20))
            while end < sorted.count, sorted[end].angle == sorted[start].angle,
                sorted[start].across - sorted[end].across < room
            {
                end += 1
            }
            for place in sorted[start..<end].sorted(by: { ($0.along, $0.index) < ($1.along, $1.index) }) {
                lines[place.index] = number
                sequence.append(place.index)
            }
            number += 1
            start = end
        }
        return (sequence, lines)
    }

    private static func text(
        _ glyphs: [PageWalker.Glyph], _ sequence: [Int], _ lines: [Int]
    ) -> Text {
        var text = Text()
        var last: Int?
        for index in sequence {
            if let last {
                if lines[last] != lines[index] {
                    text.units.append(lineEnd)
                    text.glyphs.append(-1)
                } else if let gap = between(glyphs[last], glyphs[index]) {
                    text.units.append(gap)
                    text.glyphs.append(-1)
                }
            }
            text.add(glyphs[index].text, index)
            last = index
        }
        return text
    }

    /// A blank where there is room for one and none is drawn, something wider between columns.
    private static func between(_ a: PageWalker.Glyph, _ b: PageWalker.Glyph) -> UInt16? {
        let direction = direction(a)
        let gap = (b.start.x - a.end.x) * direction.x + (b.start.y - a.end.y) * direction.y
        let size = max(a.size, 0.1)
        // Back to where something was drawn before: not the same word, unless it is drawn twice.
        if gap < -size * 0.5 { return gap < -size * 1.5 ? wideGap : nil }
        if gap > size * 3 { return wideGap }
        return gap > size * 0.16 ? 32 : nil
    }
}
