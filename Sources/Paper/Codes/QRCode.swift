/// A square code that a phone reads with its camera (ISO/IEC 18004, model 2).
///
///     let code = QRCode("https://desk.example/s/…")
///     page += code.svg(label: "Link for Ana")
///
/// Letters are kept as UTF-8, with at least a quarter of redundancy (level M): enough for a screen or a sheet of paper that
/// is a little dirty. Where there is room for more without a larger code, `boosts` takes it.
public struct QRCode: Sendable, Equatable {
    /// Modules in a row, without the quiet zone.
    public let size: Int
    private var dark: [Bool]

    /// 1 for the smallest.
    public var version: Int { (size - 17) / 4 }
    public let level: QRLevel

    /// The most bytes a code takes; larger ones no phone reads from a screen.
    public static let longest = QRVersion.all(.medium).last.map { $0.dataByteCount - 3 } ?? 0

    /// Which one a text needs at least, without drawing it; nil for one that is too long.
    public static func version(for text: String) -> Int? {
        let bytes = Array(text.utf8)
        return QRVersion.all(.medium).first { $0.takes(bytes) }?.number
    }

    /// Nil when the text is longer than `longest`.
    public init?(_ text: String, boosts: Bool = false) {
        let bytes = Array(text.utf8)
        guard let least = QRVersion.all(.medium).first(where: { $0.takes(bytes) }) else { return nil }
        let better = boosts ? [QRLevel.high, .quartile] : []
        let version =
            better.compactMap { QRVersion(size: least.size, level: $0) }.first { $0.takes(bytes) } ?? least
        var grid = QRGrid(version)
        grid.place(version.codewords(for: bytes))
        let masked = (0..<8).map { grid.masked($0) }
        // The standard wants the mask with the fewest patterns that could be taken for something else (§7.8.3).
        let best = masked.min { $0.penalty < $1.penalty } ?? grid
        size = best.size
        level = version.level
        dark = best.dark
    }

    /// What the modules say, read from them alone as a reader does that sees all of them; nil where anything is wrong.
    public var text: String? {
        var said = 0
        // The first of the two places where level and mask stand, from its last bit on.
        let places =
            (9..<15).reversed().map { (14 - $0, 8) } + [(7, 8), (8, 8), (8, 7)]
            + (0...5).reversed().map { (8, $0) }
        for (x, y) in places { said = said << 1 | (self[x, y] ? 1 : 0) }
        for level in QRLevel.allCases {
            for mask in 0..<8 where QRGrid.format(level, mask: mask) == said {
                guard let version = QRVersion(size: size, level: level) else { return nil }
                let codewords = QRGrid(version).codewords(of: dark, mask: mask)
                return version.bytes(of: codewords).flatMap { String(validating: $0, as: UTF8.self) }
            }
        }
        return nil
    }

    public subscript(x: Int, y: Int) -> Bool {
        guard (0..<size).contains(x), (0..<size).contains(y) else { return false }
        return dark[y * size + x]
    }

    /// The code as a picture of any size, with the quiet zone the standard asks for. The label is for those who
    /// cannot see it.
    public func svg(label: String) -> String {
        let quiet = 4
        var path = ""
        for y in 0..<size {
            var x = 0
            while x < size {
                guard self[x, y] else {
                    x += 1
                    continue
                }
                var end = x
                while self[end, y] { end += 1 }
                path += "M\(x + quiet) \(y + quiet)h\(end - x)v1h-\(end - x)z"
                x = end
            }
        }
        let side = size + 2 * quiet
        let words = label.map { character in
            switch character {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            default: String(character)
            }
        }.joined()
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)" role="img" aria-label="\(words)" \
            shape-rendering="crispEdges"><rect width="\(side)" height="\(side)" fill="#fff"/><path fill="#000" d="\(path)"/></svg>
            """
    }
}

/// How much of a code may be lost before nobody reads it: about 15, 25 and 30 of a hundred. There is one below, and it is
/// never used: a single blot takes it.
public enum QRLevel: Sendable, CaseIterable {
    case medium, quartile, high

    /// As a code says it of itself.
    var bits: Int {
        switch self {
        case .medium: 0b00
        case .quartile: 0b11
        case .high: 0b10
        }
    }
}
