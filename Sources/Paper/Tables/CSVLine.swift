/// Writes rows of a table with commas.
public enum CSVLine {
    /// One row with its line end. A cell that a spreadsheet would take for a formula gets a quotation mark in
    /// front, so that no sheet runs what a stranger typed into a form.
    public static func text(_ cells: [String]) -> String {
        cells.map(cell).joined(separator: ",") + "\r\n"
    }

    private static func cell(_ text: String) -> String {
        var text = text
        if let first = text.unicodeScalars.first, "=+-@\t\r".unicodeScalars.contains(first),
            Double(text) == nil
        {
            text = "'" + text
        }
        return quoted(text)
    }

    static func quoted(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 34 || $0 == 44 || $0 == 10 || $0 == 13 || $0 == 59 }) else {
            return text
        }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}
