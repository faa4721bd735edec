/// Writes rows of a table with commas.
public enum CSVLine {
    /// One row with its line end. A cell that a spreadsheet would take for a formula gets a quotation mark in
    /// front, so that no sheet runs what a stranger typed into a form. Our own readers take it off again.
    public static func text(_ cells: [String]) -> String {
        cells.map(cell).joined(separator: ",") + "\r\n"
    }

    private static func cell(_ text: String) -> String { quoted(isRisky(text) ? "'" + text : text) }

    /// What begins with a mark already needs another one, or it would lose its own when it is read.
    private static func isRisky(_ text: String) -> Bool {
        let marked = text.utf8.drop { $0 == 0x27 }
        guard let first = marked.first, starts.contains(first) else { return false }
        return marked.count < text.utf8.count || Double(text) == nil && !isPhone(text)
    }

    /// `+34 (91) 123-45.67`: of these signs alone no program makes anything, and people call them.
    private static func isPhone(_ text: String) -> Bool {
        text.utf8.first == UInt8(ascii: "+") && text.utf8.count { CellKind.isDigit($0) } >= 6
            && text.utf8.dropFirst().allSatisfy { CellKind.isDigit($0) || " ().-/".utf8.contains($0) }
    }

    private static let starts = Set("=+-@\t\r".utf8)

    /// A cell of a file without the mark that keeps it from being a formula.
    static func unguarded(_ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        guard text.first == 0x27, let next = text.first(where: { $0 != 0x27 }), starts.contains(next) else {
            return text
        }
        return UnsafeBufferPointer(rebasing: text.dropFirst())
    }

    static func quoted(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 34 || $0 == 44 || $0 == 10 || $0 == 13 || $0 == 59 }) else {
            return text
        }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}
