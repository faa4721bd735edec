/// Rows under headings, as wide as what stands in them.
struct TextTable {
    private let headings: [String]
    private var rows: [[String]] = []
    private let rightAligned: Set<Int>

    init(_ headings: [String], rightAligned: Set<Int> = []) {
        self.headings = headings
        self.rightAligned = rightAligned
    }

    mutating func add(_ cells: [String]) { rows.append(cells.map(Self.harmless)) }

    func text(_ style: Style) -> String {
        var widths = headings.indices.map { column in
            ([headings] + rows).map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
        }
        if let width = style.width { Self.fit(&widths, into: width) }
        let lines = [style.dim(line(headings, widths))] + rows.map { line($0, widths) }
        return lines.joined(separator: "\n") + "\n"
    }

    /// An id, which others have to be told whole, is no longer than this.
    private static let leastShortened = 40

    /// One long name must not break every line of the table.
    private static func fit(_ widths: inout [Int], into width: Int) {
        let tooMuch = widths.reduce(2 * (widths.count - 1), +) - width
        guard tooMuch > 0, let widest = widths.indices.max(by: { widths[$0] < widths[$1] }) else { return }
        widths[widest] = max(min(leastShortened, widths[widest]), widths[widest] - tooMuch)
    }

    /// With its end, by which files are told apart.
    private static func shortened(_ cell: String, to width: Int) -> String {
        guard cell.count > width else { return cell }
        let end = (width - 1) / 3
        return "\(cell.prefix(width - 1 - end))…\(cell.suffix(end))"
    }

    private func line(_ cells: [String], _ widths: [Int]) -> String {
        var text = ""
        for (column, whole) in cells.enumerated() where column < widths.count {
            let cell = Self.shortened(whole, to: widths[column])
            let gap = String(repeating: " ", count: max(0, widths[column] - cell.count))
            if rightAligned.contains(column) {
                text += gap + cell
            } else {
                text += cell + (column == cells.count - 1 ? "" : gap)
            }
            if column < cells.count - 1 { text += "  " }
        }
        return text
    }

    /// Names come from anywhere: none may move the cursor or change colours.
    static func harmless(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            let isControl =
                scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
                // Signs of direction make what follows read otherwise than it is written.
                || (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
            // What only breaks lines is a gap between words: addresses have it.
            let isGap = scalar == "\n" || scalar == "\r" || scalar == "\t" || scalar == "\u{2028}"
            if isGap {
                if result.last != " " { result += " " }
            } else {
                result.unicodeScalars.append(isControl ? "\u{FFFD}" : scalar)
            }
        }
        return result
    }
}
