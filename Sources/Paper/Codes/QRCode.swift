/// A square code that a phone reads with its camera (ISO/IEC 18004, model 2).
///
///     let code = QRCode("https://desk.example/s/…")
///     page += code.svg(label: "Link for Ana")
///
/// Letters are kept as UTF-8, with a quarter of redundancy (level M): enough for a screen or a sheet of paper that is a
/// little dirty.
public struct QRCode: Sendable, Equatable {
    /// Modules in a row, without the quiet zone.
    public let size: Int
    private var dark: [Bool]

    /// The most bytes a code takes; larger ones no phone reads from a screen.
    public static let longest = QRVersion.all.last.map { $0.dataByteCount - 3 } ?? 0

    /// Nil when the text is longer than `longest`.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let version = QRVersion.all.first(where: { $0.takes(bytes.count) }) else { return nil }
        var grid = QRGrid(version)
        grid.place(version.codewords(for: bytes))
        let masked = (0..<8).map { grid.masked($0) }
        // The standard wants the mask with the fewest patterns that could be taken for something else (§7.8.3).
        let best = masked.min { $0.penalty < $1.penalty } ?? grid
        size = best.size
        dark = best.dark
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
