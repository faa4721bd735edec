import PDF
import PDFDrawing

/// Follows the operators of one picture of a field (ISO 32000-2 §9.4) and says whether it plainly shows a text: each
/// letter in its turn, each with a picture in its font, each inside its place. It says no to whatever it does not know.
struct PictureScan {
    /// A font of single bytes, as a table.
    final class Font {
        /// 0 for a sign that stands for no letter, or for more than one.
        private(set) var scalars: [UInt32] = []
        private(set) var widths: [Double] = []
        private(set) var hasGlyph: [Bool] = []

        init?(_ font: ReadFont) {
            let signs = font.signs((0...255).map { UInt8($0) })
            guard signs.count == 256 else { return nil }
            for sign in signs {
                let text = sign.text.unicodeScalars
                scalars.append(text.count == 1 ? text.first?.value ?? 0 : 0)
                widths.append(sign.width)
                hasGlyph.append(sign.hasGlyph)
            }
        }
    }

    /// The operators, and nothing beyond them.
    private let text: RawText
    private let box: PDFRectangle
    private let fonts: [(name: [UInt8], font: Font)]

    init(_ text: RawText, _ content: Range<Int>, box: PDFRectangle, fonts: [(name: [UInt8], font: Font)]) {
        let content = content.clamped(to: 0..<text.count)
        self.text = RawText(UnsafeBufferPointer(rebasing: text.bytes[content]))
        self.box = box
        self.fonts = fonts
    }

    struct Matrix {
        var a = 1.0
        var b = 0.0
        var c = 0.0
        var d = 1.0
        var e = 0.0
        var f = 0.0

        @inline(__always) mutating func move(_ x: Double, _ y: Double) {
            e += x * a + y * c
            f += x * b + y * d
        }

        @inline(__always) func followed(by next: Matrix) -> Matrix {
            Matrix(
                a: a * next.a + b * next.c, b: a * next.b + b * next.d, c: c * next.a + d * next.c,
                d: c * next.b + d * next.d, e: e * next.a + f * next.c + next.e,
                f: e * next.b + f * next.d + next.f)
        }
    }

    /// What `q` puts aside and `Q` brings back.
    struct State {
        fileprivate var space = Matrix()
        fileprivate var line = Matrix()
        fileprivate var place = Matrix()
        fileprivate var font: Font?
        fileprivate var size = 0.0
        fileprivate var leading = 0.0
        fileprivate var letterSpace = 0.0
        fileprivate var wordSpace = 0.0
        fileprivate var stretch = 1.0
        fileprivate var rise = 0.0
    }

    /// The letters that are still to come.
    private struct Letters {
        let bytes: UnsafeBufferPointer<UInt8>
        var at = 0

        /// The next letter that is seen; nil at the end.
        @inline(__always) mutating func next() -> UInt32? {
            while at < bytes.count {
                let first = UInt32(bytes[at])
                at += 1
                if first < 0x80 {
                    if first > 32, first != 127 { return first }
                    continue
                }
                let more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1
                var scalar = first & (more == 3 ? 7 : more == 2 ? 15 : 31)
                for _ in 0..<more where at < bytes.count {
                    scalar = scalar << 6 | UInt32(bytes[at] & 0x3F)
                    at += 1
                }
                if scalar != 0xA0 { return scalar }
            }
            return nil
        }
    }

    /// `wanted` nil: any letters will do. `saved` is room that one scan leaves to the next.
    func shows(_ wanted: UnsafeBufferPointer<UInt8>?, _ saved: inout [State]) -> Bool {
        withUnsafeTemporaryAllocation(of: Double.self, capacity: 8) { numbers in
            numbers.initialize(repeating: 0)
            var letters = wanted.map { Letters(bytes: $0) }
            var state = State()
            saved.removeAll(keepingCapacity: true)
            var count = 0
            var first = 0..<0
            var last = 0..<0
            var sawLetters = false
            var at = 0
            while true {
                text.skipSpace(&at)
                if at >= text.count { break }
                let byte = text[at]
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                    UInt8(ascii: "+"):
                    let before = at
                    let number = text.real(&at)
                    if at == before || RawText.isRegular(text[at]) { return false }
                    if count < 8 { numbers[count] = number }
                    count += 1
                case UInt8(ascii: "/"), UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "<"):
                    let start = at
                    guard text.skipValue(&at) else { return false }
                    last = start..<at
                    if first.isEmpty { first = last }
                default:
                    let start = at
                    text.skipRegular(&at)
                    if at == start { return false }
                    guard
                        operate(
                            start..<at, numbers, count, first, last, &state, &saved, &letters, &sawLetters)
                    else { return false }
                    count = 0
                    first = 0..<0
                    last = 0..<0
                }
            }
            guard sawLetters else { return false }
            return letters == nil || letters?.next() == nil
        }
    }

    private func operate(
        _ word: Range<Int>, _ numbers: UnsafeMutableBufferPointer<Double>, _ count: Int, _ first: Range<Int>,
        _ last: Range<Int>, _ state: inout State, _ saved: inout [State], _ letters: inout Letters?,
        _ sawLetters: inout Bool
    ) -> Bool {
        let one = text[word.lowerBound]
        let two = word.count > 1 ? text[word.lowerBound + 1] : 0
        switch (one, two, word.count) {
        case (UInt8(ascii: "q"), _, 1):
            guard saved.count < 64 else { return false }
            saved.append(state)
        case (UInt8(ascii: "Q"), _, 1): if let last = saved.popLast() { state = last }
        case (UInt8(ascii: "c"), UInt8(ascii: "m"), 2):
            guard count == 6 else { return false }
            state.space = matrix(numbers).followed(by: state.space)
        case (UInt8(ascii: "B"), UInt8(ascii: "T"), 2):
            state.line = Matrix()
            state.place = Matrix()
        case (UInt8(ascii: "T"), UInt8(ascii: "d"), 2), (UInt8(ascii: "T"), UInt8(ascii: "D"), 2):
            guard count == 2 else { return false }
            if two == UInt8(ascii: "D") { state.leading = -numbers[1] }
            state.line.move(numbers[0], numbers[1])
            state.place = state.line
        case (UInt8(ascii: "T"), UInt8(ascii: "m"), 2):
            guard count == 6 else { return false }
            state.line = matrix(numbers)
            state.place = state.line
        case (UInt8(ascii: "T"), UInt8(ascii: "*"), 2):
            state.line.move(0, -state.leading)
            state.place = state.line
        case (UInt8(ascii: "T"), UInt8(ascii: "L"), 2): state.leading = numbers[0]
        case (UInt8(ascii: "T"), UInt8(ascii: "c"), 2): state.letterSpace = numbers[0]
        case (UInt8(ascii: "T"), UInt8(ascii: "w"), 2): state.wordSpace = numbers[0]
        case (UInt8(ascii: "T"), UInt8(ascii: "z"), 2): state.stretch = numbers[0] / 100
        case (UInt8(ascii: "T"), UInt8(ascii: "s"), 2): state.rise = numbers[0]
        case (UInt8(ascii: "T"), UInt8(ascii: "f"), 2):
            guard count == 1, text[first.lowerBound] == UInt8(ascii: "/") else { return false }
            let name = first.lowerBound + 1..<first.upperBound
            guard let font = fonts.first(where: { text.isSame(name, $0.name) }) else { return false }
            state.font = font.font
            state.size = numbers[0]
        case (UInt8(ascii: "T"), UInt8(ascii: "j"), 2):
            return show(last, &state, &letters, &sawLetters)
        case (UInt8(ascii: "T"), UInt8(ascii: "J"), 2):
            guard text[last.lowerBound] == UInt8(ascii: "[") else { return false }
            return showPieces(last, &state, &letters, &sawLetters)
        case (UInt8(ascii: "'"), _, 1), (UInt8(ascii: "\""), _, 1), (UInt8(ascii: "B"), UInt8(ascii: "I"), 2),
            (UInt8(ascii: "D"), UInt8(ascii: "o"), 2):
            return false
        default: break
        }
        return true
    }

    private func matrix(_ numbers: UnsafeMutableBufferPointer<Double>) -> Matrix {
        Matrix(a: numbers[0], b: numbers[1], c: numbers[2], d: numbers[3], e: numbers[4], f: numbers[5])
    }

    private func showPieces(
        _ list: Range<Int>, _ state: inout State, _ letters: inout Letters?, _ sawLetters: inout Bool
    ) -> Bool {
        var at = list.lowerBound + 1
        while at < list.upperBound - 1 {
            text.skipSpace(&at)
            if at >= list.upperBound - 1 { break }
            let start = at
            switch text[at] {
            case UInt8(ascii: "("), UInt8(ascii: "<"):
                guard text.skipValue(&at), show(start..<at, &state, &letters, &sawLetters) else {
                    return false
                }
            default:
                let number = text.real(&at)
                if at == start { return false }
                state.place.move(-number / 1000 * state.size * state.stretch, 0)
            }
        }
        return true
    }

    private func show(
        _ string: Range<Int>, _ state: inout State, _ letters: inout Letters?, _ sawLetters: inout Bool
    ) -> Bool {
        guard let font = state.font, text[string.lowerBound] == UInt8(ascii: "(") else { return false }
        var at = string.lowerBound + 1
        let end = string.upperBound - 1
        while at < end {
            var code = text[at]
            at += 1
            if code == UInt8(ascii: "\\") {
                code = text[at]
                at += 1
                switch code {
                case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "\\"): break
                case 48...55:
                    var value = Int(code - 48)
                    var digits = 1
                    while digits < 3, case 48...55 = text[at] {
                        value = value * 8 + Int(text[at] - 48)
                        at += 1
                        digits += 1
                    }
                    code = UInt8(truncatingIfNeeded: value)
                // Line ends and the like have no place among letters.
                default: return false
                }
            } else if code == 13 || code == 10 {
                return false
            }
            let index = Int(code)
            let scalar = font.scalars[index]
            let glyph = font.widths[index] / 1000 * state.size
            if scalar != 32, scalar != 0xA0 {
                guard scalar > 32, font.hasGlyph[index] else { return false }
                sawLetters = true
                if letters != nil, letters?.next() != scalar { return false }
                guard isInside(state, glyph * state.stretch) else { return false }
            }
            var width = glyph + state.letterSpace
            if code == 32, scalar == 32 { width += state.wordSpace }
            state.place.move(width * state.stretch, 0)
        }
        return true
    }

    /// The middle of a letter lies in the box, and what it stands on as well, or nearly.
    @inline(__always) private func isInside(_ state: State, _ width: Double) -> Bool {
        let place = state.place.followed(by: state.space)
        let left = state.rise * place.c + place.e
        let right = width * place.a + left
        let baseline = state.rise * place.d + place.f
        let middle = (left + right) / 2
        let size = abs(state.size * place.d)
        return middle >= box.left && middle <= box.right && baseline >= box.bottom - 0.3 * size
            && baseline <= box.top
    }
}
