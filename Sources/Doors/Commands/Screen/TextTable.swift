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
        let widths = headings.indices.map { column in
            ([headings] + rows).map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
        }
        let lines = [style.dim(line(headings, widths))] + rows.map { line($0, widths) }
        return lines.joined(separator: "\n") + "\n"
    }

    private func line(_ cells: [String], _ widths: [Int]) -> String {
        var text = ""
        for (column, cell) in cells.enumerated() where column < widths.count {
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
            let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
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
