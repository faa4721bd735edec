import Alphabet
import PDF

/// A text made ready for one font of the form: the form's font where it has the letters, fonts of this machine for
/// the rest, shaped and in the direction its script runs.
public struct SetText: Sendable {
    /// A stretch of one font on a line, in the order it is seen.
    public enum Run: Sendable {
        /// The codes of the form's font as a string: two bytes each when the font is a composite one.
        case form([UInt8])
        case fallback(Fallback)
    }

    public struct Fallback: Sendable {
        let face: FallbackFace
        let letters: [Letter]
        /// The text, when some glyph stands for no character of its own and it must be said beside the glyphs.
        let words: String?
    }

    /// A glyph and the characters it stands for when text is searched or copied. Readers put what runs left into
    /// order character by character, so there a glyph means one character, and blanks behind it mean the others.
    struct Letter: Sendable {
        var glyph: FallbackFace.Glyph
        var meaning: [UInt32]
        var isBlank = false
    }

    public let font: TemplateFont
    /// Characters that no font at hand can show.
    public private(set) var missing: [Unicode.Scalar] = []
    /// True when the form's own font shows all of it.
    public var isSimple: Bool { faces.isEmpty }
    /// The codes of the form's font; 0 for characters it lacks.
    public private(set) var codes: [UInt8]
    public var count: Int { codes.count }
    /// True when it begins on the right.
    public var runsLeft: Bool { baseLevel % 2 != 0 }

    private var scalars: [UInt32] = []
    /// The codes of a composite font, 0 for characters it lacks; empty when the form's font is a simple one.
    private var wideCodes: [UInt16] = []
    private var faces: [FallbackFace?] = []
    private var levels: [Int8] = []
    private var baseLevel: Int8 = 0

    /// `text` is one paragraph: it holds no line ends.
    public init(_ text: Substring, font: TemplateFont) {
        guard let codes = Self.codes(text, font) else {
            self = SetText(mixed: String(text), font: font)
            return
        }
        self = SetText(codes: codes, font: font)
    }

    private init(codes: [UInt8], font: TemplateFont) {
        self.font = font
        self.codes = codes
    }

    private static func codes(_ text: Substring, _ font: TemplateFont) -> [UInt8]? {
        if font.isASCII {
            let plain = text.utf8.withContiguousStorageIfAvailable { utf8 -> [UInt8]? in
                utf8.allSatisfy { $0 >= 32 && $0 < 127 } ? Array(utf8) : nil
            }
            if let plain = plain ?? nil { return plain }
        }
        var codes: [UInt8] = []
        codes.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            guard let code = font.code(scalar.value) else { return nil }
            codes.append(code)
        }
        return codes
    }

    private init(mixed text: String, font: TemplateFont) {
        self.font = font
        scalars = LineBreaks.composed(text).unicodeScalars.map(\.value).filter { !Self.isControl($0) }
        codes = scalars.map { font.code($0) ?? 0 }
        if let composite = font.composite { wideCodes = scalars.map { composite.code($0) ?? 0 } }
        faces = [FallbackFace?](repeating: nil, count: scalars.count)
        chooseFaces()
        if font.composite == nil, faces.allSatisfy({ $0 == nil }), !scalars.contains(where: Self.isInvisible)
        {
            faces = []
            return
        }
        if Directions.mayRunLeft(scalars) { (levels, baseLevel) = Directions.levels(scalars) }
    }

    private static func isControl(_ scalar: UInt32) -> Bool { scalar < 32 || (0x7F..<0xA0).contains(scalar) }

    /// Joiners, direction marks and the like: they act on their neighbours and show nothing themselves.
    private static func isInvisible(_ scalar: UInt32) -> Bool {
        (0x200B...0x200F).contains(scalar) || (0x202A...0x202E).contains(scalar)
            || (0x2060...0x206F).contains(scalar)
            || scalar == 0xFEFF || scalar == 0xAD || (0xFE00...0xFE0F).contains(scalar)
    }

    private static func isMark(_ scalar: UInt32) -> Bool {
        switch Unicode.Scalar(scalar)?.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark: true
        default: false
        }
    }

    private mutating func chooseFaces() {
        let finder = FontFinder.shared
        for index in scalars.indices where codes[index] == 0 && !isWide(index) {
            let scalar = scalars[index]
            let before = index > 0 ? faces[index - 1] : nil
            if Self.isInvisible(scalar) {
                faces[index] = before
            } else if let before, before.has(scalar) {
                // Staying in one font keeps words whole for shaping.
                faces[index] = before
            } else if let face = finder.face(
                for: scalar, isBold: font.isBold, isSerif: font.isSerif, isFixed: font.isFixed)
            {
                faces[index] = face
                if Self.isMark(scalar), index > 0, face.has(scalars[index - 1]) {
                    setInFallback(index - 1, face)
                }
            } else if let character = Unicode.Scalar(scalar) {
                if !missing.contains(character) { missing.append(character) }
                codes[index] = font.code(0x3F) ?? 0
                if let composite = font.composite { wideCodes[index] = composite.code(0x3F) ?? 0 }
            }
        }
        takeNeighbours()
    }

    private func isWide(_ index: Int) -> Bool { !wideCodes.isEmpty && wideCodes[index] != 0 }

    private mutating func setInFallback(_ index: Int, _ face: FallbackFace) {
        faces[index] = face
        codes[index] = 0
        if !wideCodes.isEmpty { wideCodes[index] = 0 }
    }

    /// Spaces and signs between two words of one fallback font are set in it too, so that the line stays one run.
    private mutating func takeNeighbours() {
        var index = 0
        while index < scalars.count {
            guard faces[index] == nil, index > 0, let before = faces[index - 1] else {
                index += 1
                continue
            }
            var end = index
            while end < scalars.count, faces[end] == nil, !Self.isWordPart(scalars[end]),
                before.has(scalars[end])
            { end += 1 }
            if end < scalars.count, faces[end] === before {
                for inner in index..<end { setInFallback(inner, before) }
            }
            index = max(end, index + 1)
        }
    }

    private static func isWordPart(_ scalar: UInt32) -> Bool {
        Unicode.Scalar(scalar).map { $0.properties.isAlphabetic || $0.properties.numericType != nil } ?? false
    }

    /// A stretch as a literal string in the codes of the form's font.
    public func writeCodes(_ range: Range<Int>, into out: inout [UInt8]) {
        out.append(40)
        let stretch = codes[range]
        if stretch.allSatisfy({ $0 != 40 && $0 != 41 && $0 != 92 && $0 != 13 && $0 != 10 }) {
            out.append(contentsOf: stretch)
        } else {
            for code in stretch { out.append(escaping: code) }
        }
        out.append(41)
    }

    // MARK: Measuring

    /// The width of a stretch in thousandths of the size.
    public func width(_ range: Range<Int>) -> Double {
        if isSimple {
            var sum = 0
            for index in range { sum += Int(font.widths[Int(codes[index])]) }
            return Double(sum)
        }
        return runs(range).reduce(0) { $0 + width($1) }
    }

    public func width(_ run: Run) -> Double {
        switch run {
        case .form(let codes):
            if let composite = font.composite {
                stride(from: 0, to: codes.count - 1, by: 2).reduce(0) {
                    $0 + composite.width(UInt16(codes[$1]) << 8 | UInt16(codes[$1 + 1]))
                }
            } else {
                Double(codes.reduce(0) { $0 + Int(font.widths[Int($1)]) })
            }
        case .fallback(let fallback): fallback.letters.reduce(0) { $0 + $1.glyph.advance }
        }
    }

    /// How far the letters reach above and below the line, in sizes; fallback fonts may reach further.
    public var reach: (up: Double, down: Double) {
        var up = font.ascent
        var down = font.descent
        for case let face? in faces {
            up = max(up, face.ascent)
            down = min(down, face.descent)
        }
        return (up, down)
    }

    /// How far these letters themselves reach: a font leaves room for its tallest and its deepest.
    public var ink: (up: Double, down: Double) {
        var ink = (up: font.capitals, down: 0.0)
        for run in runs(0..<count) {
            switch run {
            case .form: ink.down = min(ink.down, font.descent)
            case .fallback(let fallback):
                for letter in fallback.letters where !letter.isBlank {
                    guard let own = fallback.face.ink(letter.glyph.number) else { continue }
                    let rise = letter.glyph.up / 1000
                    ink = (max(ink.up, own.up + rise), min(ink.down, own.down + rise))
                }
            }
        }
        return ink
    }

    // MARK: Lines

    /// Stretches that fit the width (in thousandths of the size), broken where the script allows; a word too long
    /// for a line is cut. Spaces at the end of a line are no part of it.
    public func lines(fitting limit: Double) -> [Range<Int>] {
        guard count > 0 else { return [0..<0] }
        if isSimple, width(0..<count) <= limit { return [0..<count] }
        let breaks = isSimple ? simpleBreaks() : LineBreaks.allowed(in: scalars[...])
        var lines: [Range<Int>] = []
        var start = 0
        var lineWidth = 0.0
        var pieceStart = 0
        while pieceStart < count {
            var pieceEnd = pieceStart + 1
            while pieceEnd < count, !breaks[pieceEnd] { pieceEnd += 1 }
            let piece = width(trimmed(pieceStart..<pieceEnd))
            if lineWidth + piece > limit, pieceStart > start {
                lines.append(trimmed(start..<pieceStart))
                start = pieceStart
                lineWidth = 0
            }
            if piece > limit {
                start = cut(start..<pieceEnd, limit, into: &lines)
                lineWidth = width(start..<pieceEnd)
            } else {
                lineWidth += width(pieceStart..<pieceEnd)
            }
            pieceStart = pieceEnd
        }
        lines.append(trimmed(start..<count))
        return lines
    }

    private func simpleBreaks() -> [Bool] {
        var breaks = [Bool](repeating: false, count: count)
        let space = font.code(32) ?? 0
        let hyphen = font.code(0x2D) ?? 0
        for index in breaks.indices.dropFirst() where codes[index] != space {
            if codes[index - 1] == space { breaks[index] = true }
            if codes[index - 1] == hyphen, index > 1, codes[index - 2] != space,
                codes[index] >= 65 || !font.isASCII
            {
                breaks[index] = true
            }
        }
        return breaks
    }

    private func trimmed(_ range: Range<Int>) -> Range<Int> {
        var end = range.upperBound
        while end > range.lowerBound, isSpace(end - 1) { end -= 1 }
        return range.lowerBound..<end
    }

    private func isSpace(_ index: Int) -> Bool {
        isSimple ? codes[index] == font.code(32) : scalars[index] == 32
    }

    /// Cuts a word that is wider than a line; gives where its last line begins.
    private func cut(_ range: Range<Int>, _ limit: Double, into lines: inout [Range<Int>]) -> Int {
        var start = range.lowerBound
        var end = start + 1
        var sum = width(start..<end)
        while end < range.upperBound {
            var next = end + 1
            while next < range.upperBound, !isSimple, Self.isMark(scalars[next]) { next += 1 }
            let step = width(end..<next)
            if sum + step > limit {
                lines.append(start..<end)
                start = end
                sum = 0
            }
            sum += step
            end = next
        }
        return start
    }

    // MARK: Runs

    /// What a line shows, from left to right.
    public func runs(_ line: Range<Int>) -> [Run] {
        if isSimple { return [.form(Array(codes[line]))] }
        var stretches: [(range: Range<Int>, level: Int8)] = []
        var start = line.lowerBound
        while start < line.upperBound {
            var end = start + 1
            while end < line.upperBound, faces[end] === faces[start], level(end) == level(start) { end += 1 }
            stretches.append((start..<end, level(start)))
            start = end
        }
        return Directions.visual(stretches, level: \.level).compactMap { run($0.range, level: $0.level) }
    }

    private func level(_ index: Int) -> Int8 { levels.isEmpty ? 0 : levels[index] }

    private func run(_ range: Range<Int>, level: Int8) -> Run? {
        let runsLeft = level & 1 == 1
        guard let face = faces[range.lowerBound] else {
            if let composite = font.composite {
                let shown = range.compactMap { index -> UInt16? in
                    let mirrored = runsLeft ? composite.code(Directions.mirrored(scalars[index])) : nil
                    let code = mirrored ?? wideCodes[index]
                    return code == 0 ? nil : code
                }
                let ordered = runsLeft ? shown.reversed() : shown
                let string = ordered.flatMap {
                    [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)]
                }
                return string.isEmpty ? nil : .form(string)
            }
            var shown = range.compactMap { index -> UInt8? in
                let code =
                    runsLeft ? font.code(Directions.mirrored(scalars[index])) ?? codes[index] : codes[index]
                return code == 0 ? nil : code
            }
            if runsLeft { shown.reverse() }
            return shown.isEmpty ? nil : .form(shown)
        }
        let glyphs = face.shape(scalars[range], rightToLeft: runsLeft)
        let letters = letters(glyphs, range, runsLeft: runsLeft, blank: face.blank)
        let isSaid = letters.allSatisfy { !$0.meaning.isEmpty }
        let words =
            isSaid ? nil : String(String.UnicodeScalarView(scalars[range].compactMap(Unicode.Scalar.init)))
        return .fallback(Fallback(face: face, letters: letters, words: words))
    }

    /// Shares the characters of each cluster out among its glyphs, in reading order, the last glyph taking the rest.
    private func letters(
        _ glyphs: [FallbackFace.Glyph], _ range: Range<Int>, runsLeft: Bool, blank: UInt32
    ) -> [Letter] {
        var letters: [Letter] = []
        letters.reserveCapacity(glyphs.count)
        var start = 0
        while start < glyphs.count {
            var end = start + 1
            while end < glyphs.count, glyphs[end].cluster == glyphs[start].cluster { end += 1 }
            let next =
                runsLeft
                ? (start > 0 ? glyphs[start - 1].cluster : range.upperBound)
                : (end < glyphs.count ? glyphs[end].cluster : range.upperBound)
            let cluster = glyphs[start].cluster
            let meant =
                cluster < next && range.contains(cluster)
                ? scalars[cluster..<next].filter { !Self.isInvisible($0) } : []
            add(glyphs[start..<end], meant, runsLeft: runsLeft, blank: blank, to: &letters)
            start = end
        }
        return letters
    }

    private func add(
        _ glyphs: ArraySlice<FallbackFace.Glyph>, _ meant: [UInt32], runsLeft: Bool, blank: UInt32,
        to letters: inout [Letter]
    ) {
        let count = glyphs.count
        for (position, glyph) in glyphs.enumerated() {
            let turn = runsLeft ? count - 1 - position : position
            let isLast = turn == count - 1
            let own = meant.dropFirst(turn).prefix(isLast ? meant.count : 1)
            guard runsLeft, own.count > 1, let last = own.last else {
                letters.append(Letter(glyph: glyph, meaning: Array(own)))
                continue
            }
            letters.append(Letter(glyph: glyph, meaning: [last]))
            for scalar in own.dropLast().reversed() {
                let nothing = FallbackFace.Glyph(
                    number: blank, cluster: glyph.cluster, advance: 0, right: 0, up: 0)
                letters.append(Letter(glyph: nothing, meaning: [scalar], isBlank: true))
            }
        }
    }
}
