import Bytes
import Making
import Tables

/// What is to be said about how a table was read, before anything is made from it.
struct TableReading {
    /// People would miss what is told here.
    var warnings: [String] = []
    /// Might surprise, and is most likely right.
    var remarks: [String] = []

    init(_ table: borrowing FormTable) {
        if table.count == 0 { warnings.append("The table has no rows below its headings.") }
        if table.hiddenRowCount > 0 { warnings.append(Self.hidden(table.hiddenRowCount)) }
        for choice in table.choices where !choice.isGiven {
            remarks += Self.surprise(choice.what.rawValue, choice.value, choice.why)
        }
        remarks += table.notices
    }

    /// The same, as a desk tells it.
    init(_ view: JSON) {
        if let hidden = view["counts"]?["hidden"]?.int, hidden > 0 { warnings.append(Self.hidden(hidden)) }
        for choice in view["choices"]?.array ?? [] where choice["given"]?.bool != true {
            remarks += Self.surprise(
                choice["what"]?.string ?? "", choice["value"]?.string ?? "", choice["why"]?.string ?? "")
        }
        remarks += (view["notices"]?.array ?? []).compactMap(\.string)
    }

    private static func hidden(_ count: Int) -> String {
        "\(Words.count(count, "row", "rows")) that the sheet hides \(count == 1 ? "is" : "are") left out; --hidden-rows takes \(count == 1 ? "it" : "them")."
    }

    /// Letters that are not stored as they mostly are, and headings that stand below other things.
    private static func surprise(_ what: String, _ value: String, _ why: String) -> [String] {
        switch TableChoice.What(rawValue: what) {
        case .encoding where value != "UTF-8": ["Read as \(value), or say --encoding. \(why)"]
        case .headerRow where value != "1": ["The headings are in row \(value), or say --header-row. \(why)"]
        default: []
        }
    }
}
