import PDF
import PDFDrawing

/// A font of a page, as far as one must know it to tell where each sign of a shown text stands and what it means.
final class GlyphFont {
    struct Sign {
        var bytes: Range<Int>
        var code: Int
        var text: String
        /// How far the next one stands from it, in parts of the size; downwards where the font is written so.
        var advance: Double
        /// Word spacing counts for it (§9.3.3).
        var isBlank: Bool
    }

    let isUpright: Bool
    /// Above and below the line, in parts of the size.
    let ascent: Double
    let descent: Double
    /// Of fonts whose signs are small drawings: what they are, by their codes.
    let drawings: [Int: PDFName]
    /// False where codes cannot be told apart: what such a font shows cannot be taken out sign by sign.
    let isKnown: Bool

    private let simple: ReadFont?
    private let scale: Double
    private let widths: [Int: Double]
    private let usualWidth: Double
    private let texts: [Int: String]
    private let codes: CodeSpace

    init(_ file: PDFFile, _ font: PDFDictionary) {
        let kind = file.resolve(font["Subtype"]).name
        guard kind == "Type0" else {
            simple = ReadFont(file, .dictionary(font))
            isUpright = false
            isKnown = simple != nil
            (widths, usualWidth, texts, codes) = ([:], 0, [:], CodeSpace(lengths: [1]))
            guard kind == "Type3" else {
                scale = 0.001
                (ascent, descent) = Self.heights(file, font)
                drawings = [:]
                return
            }
            let matrix =
                PDFMatrix(file.numbers(font["FontMatrix"]))
                ?? PDFMatrix(
                    a: 0.001, b: 0, c: 0, d: 0.001, e: 0, f: 0)
            scale = abs(matrix.a) > 1e-9 ? abs(matrix.a) : abs(matrix.b)
            let box = PDFRectangle(file.numbers(font["FontBBox"]))
            let top = (box?.top ?? 0) * abs(matrix.d)
            let bottom = (box?.bottom ?? 0) * abs(matrix.d)
            (ascent, descent) = top - bottom > 0.05 && top - bottom < 4 ? (top, bottom) : (1, -0.25)
            var drawings: [Int: PDFName] = [:]
            var code = 0
            for item in file.array(file.dictionary(font["Encoding"])?["Differences"]) {
                switch file.resolve(item) {
                case .integer(let value): code = min(max(0, value), 1 << 16)
                case .name(let name):
                    drawings[code] = name
                    code = min(code + 1, 1 << 16)
                default: break
                }
            }
            self.drawings = drawings
            return
        }
        simple = nil
        scale = 0.001
        drawings = [:]
        let below = file.dictionary(file.array(font["DescendantFonts"]).first) ?? [:]
        (ascent, descent) = Self.heights(file, below)
        (widths, usualWidth) = ReadFont.widths(file, below)
        texts =
            font["ToUnicode"]?.reference.flatMap { file.stream($0, limit: 8 << 20) }.map(ReadFont.map) ?? [:]
        switch file.resolve(font["Encoding"]) {
        case .name(let name):
            let text = name.text
            isUpright = text.hasSuffix("-V")
            // The others of the standard's list mix codes of one and two bytes, or more.
            let isTwo = text.hasPrefix("Identity-") || text.contains("UCS2") || text.contains("UTF16")
            codes = CodeSpace(lengths: [2])
            isKnown = isTwo
        default:
            let map = font["Encoding"]?.reference.flatMap { file.stream($0, limit: 8 << 20) } ?? []
            codes = CodeSpace(map)
            isUpright = file.resolve(file.dictionary(font["Encoding"])?["WMode"]).integer == 1
            isKnown = !codes.lengths.isEmpty
        }
    }

    private static func heights(_ file: PDFFile, _ font: PDFDictionary) -> (Double, Double) {
        let descriptor = file.dictionary(font["FontDescriptor"])
        func size(_ key: PDFName) -> Double { (file.resolve(descriptor?[key]).number ?? 0) / 1000 }
        let ascent = size("Ascent")
        let descent = -abs(size("Descent"))
        return (
            ascent > 0.5 && ascent < 1.3 ? ascent : 0.85, descent < -0.05 && descent > -0.6 ? descent : -0.23
        )
    }

    func signs(_ string: [UInt8]) -> [Sign] {
        if let simple {
            return simple.signs(string).enumerated().map { index, sign in
                Sign(
                    bytes: index..<index + 1, code: Int(string[index]), text: sign.text,
                    advance: sign.width * scale, isBlank: string[index] == 32)
            }
        }
        var signs: [Sign] = []
        var at = 0
        while at < string.count {
            let (length, number) = codes.next(string, at)
            let code = string[at..<at + length].reduce(0) { $0 << 8 | Int($1) }
            signs.append(
                Sign(
                    bytes: at..<at + length, code: code, text: texts[code] ?? "",
                    // Downwards a sign takes its whole height, where nothing else is said.
                    advance: isUpright ? -1 : (widths[number] ?? usualWidth) * scale,
                    isBlank: length == 1 && code == 32))
            at += length
        }
        return signs
    }
}

/// How the bytes of a shown text fall into codes (§9.7.6.2), and which number of the font each is.
private struct CodeSpace {
    var lengths: [Int] = []
    private var ranges: [(length: Int, low: Int, high: Int)] = []
    private var numbers: [(low: Int, high: Int, first: Int)] = []

    init(lengths: [Int]) { self.lengths = lengths }

    init(_ map: [UInt8]) {
        var words: [PDFObject] = []
        func code(_ object: PDFObject) -> Int? {
            guard let bytes = object.bytes, (1...4).contains(bytes.count) else { return nil }
            return bytes.reduce(0) { $0 << 8 | Int($1) }
        }
        for word in ContentWords(map) {
            guard case .operation(let name) = word else {
                if case .operand(let object) = word { words.append(object) }
                continue
            }
            switch name {
            case "endcodespacerange":
                for index in stride(from: 0, to: words.count - 1, by: 2) {
                    guard let low = code(words[index]), let high = code(words[index + 1]),
                        let length = words[index].bytes?.count
                    else { continue }
                    ranges.append((length, low, high))
                    if !lengths.contains(length) { lengths.append(length) }
                }
            case "endcidrange":
                for index in stride(from: 0, to: words.count - 2, by: 3) {
                    guard let low = code(words[index]), let high = code(words[index + 1]),
                        let first = words[index + 2].integer
                    else { continue }
                    numbers.append((low, high, first))
                }
            case "endcidchar":
                for index in stride(from: 0, to: words.count - 1, by: 2) {
                    guard let low = code(words[index]), let first = words[index + 1].integer else { continue }
                    numbers.append((low, low, first))
                }
            default: break
            }
            words = []
        }
        lengths.sort()
    }

    func next(_ string: [UInt8], _ at: Int) -> (length: Int, number: Int) {
        var length = min(lengths.first ?? 1, string.count - at)
        for candidate in lengths where ranges.count > 0 && at + candidate <= string.count {
            let code = string[at..<at + candidate].reduce(0) { $0 << 8 | Int($1) }
            if ranges.contains(where: { $0.length == candidate && $0.low <= code && code <= $0.high }) {
                length = candidate
                break
            }
        }
        let code = string[at..<at + length].reduce(0) { $0 << 8 | Int($1) }
        let found = numbers.first { $0.low <= code && code <= $0.high }
        return (length, found.map { $0.first &+ (code - $0.low) } ?? code)
    }
}
