import PDF

/// What a DA string asks for: font, size and colour (ISO 32000-2 §12.7.4.3). Later operators win, others are kept
/// out of the way.
public struct DefaultAppearance: Equatable {
    var fontName: PDFName?
    /// 0 means the size is chosen so that the text fits.
    public private(set) var size = 0.0
    /// Of 1 for greys, 3 or 4 for inks.
    public private(set) var colourParts = [0.0]
    /// Colour operators as they are to be written.
    var colour: [UInt8] = Array("0 g".utf8)
    /// Horizontal stretch in percent.
    var stretch = 100.0

    public init(_ text: String?) {
        var operands: [String] = []
        for word in (text ?? "").split(whereSeparator: {
            $0 == " " || $0.isNewline || $0 == "\t" || $0 == "\0"
        }) {
            // "/Helv" may follow a bracket or number without a space in sloppy files.
            let word = String(word)
            switch word {
            case "Tf":
                if operands.count >= 2, let name = operands[operands.count - 2].split(separator: "/").last {
                    fontName = PDFObject(parsing: Array("/\(name)".utf8)).name
                    size = Self.number(operands[operands.count - 1]).map { min(abs($0), 1000) } ?? 0
                }
                operands = []
            case "g", "rg", "k":
                let numbers = operands.compactMap(Self.number)
                let needed = word == "g" ? 1 : word == "rg" ? 3 : 4
                if numbers.count >= needed {
                    colour = []
                    colourParts = numbers.suffix(needed).map { min(max($0, 0), 1) }
                    for number in colourParts {
                        colour.append(number: number, decimals: 4)
                        colour.append(32)
                    }
                    colour.append(contentsOf: word.utf8)
                }
                operands = []
            case "Tz":
                if let value = operands.last.flatMap(Self.number), (10...400).contains(value) {
                    stretch = value
                }
                operands = []
            default:
                if word.hasPrefix("/") || Self.number(word) != nil {
                    operands.append(word)
                } else {
                    operands = []
                }
            }
        }
    }

    private static func number(_ text: String) -> Double? {
        guard let value = Double(text), value.isFinite else { return nil }
        return value
    }
}
