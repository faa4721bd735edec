/// Finds the row that names the columns among the first rows of a table, and makes the names usable.
struct HeaderFinder {
    /// Where the names stand in `rows`; nil when there are none.
    var index: Int?
    var why = ""
    /// How many columns the table has.
    var width = 0

    init(_ rows: [PackedRow], given: Int?) {
        width = Self.usualWidth(rows)
        if let given {
            guard given > 0 else {
                why = "You said that the table has no names."
                return
            }
            index = rows.firstIndex { $0.place >= given }
            why = "You chose it."
            if let index { widen(to: rows[index], rows) }
            return
        }
        choose(rows)
    }

    /// What most rows have; the wider when two are equally frequent.
    private static func usualWidth(_ rows: [PackedRow]) -> Int {
        var counts: [Int: Int] = [:]
        for row in rows where !row.isBlank { counts[row.cellCount, default: 0] += 1 }
        return counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? 0
    }

    private mutating func choose(_ rows: [PackedRow]) {
        guard !rows.isEmpty else {
            why = "There are no rows."
            return
        }
        // What stands above the names (a title, a date of printing) fills fewer cells than the table does, or says the
        // same in all of them, where they were merged.
        let candidates = rows.prefix(20).enumerated().filter { _, row in
            let filled = row.cells.filter { $0.kind != .empty }.map(\.shown)
            return filled.count * 2 > width && (Set(filled).count > 1 || width == 1)
        }
        guard let (place, header) = candidates.first else {
            index = 0
            width = max(width, rows[0].cellCount)
            why = "It is the first row."
            return
        }
        if let better = Self.completeOne(rows, after: place, width) {
            index = better
            widen(to: rows[better], rows)
            why = "Row \(rows[better].place) names every column, and values begin right below it."
            return
        }
        let names = header.cells
        let values = names.count {
            [.number, .date, .time, .boolean].contains($0.kind) || Self.isAddress($0.shown)
        }
        let below = Array(rows.dropFirst(place + 1).prefix(20))
        let filled = names.count { $0.kind != .empty }
        if values > 0, below.isEmpty ? values == filled : values * 2 >= filled && Self.looksLike(below, names)
        {
            index = nil
            width = max(width, header.cellCount)
            why =
                "The first row holds values like the rows below it (\(Self.example(names))), so the columns have no names."
            return
        }
        index = place
        widen(to: header, rows)
        let line = header.place
        why =
            place == 0
            ? "It is the first row, and its cells are texts."
            : "Row \(line) is the first one that fills the table; what stands above it is no part of it."
    }

    /// Notes may stand above a table in several cells; its names are then the row that fills all columns with
    /// different words, right above the first row that holds a number or a date.
    private static func completeOne(_ rows: [PackedRow], after first: Int, _ width: Int) -> Int? {
        func isWords(_ row: PackedRow) -> Bool {
            row.cells.allSatisfy { $0.kind == .text || $0.kind == .empty }
        }
        guard isWords(rows[first]), rows[first].cells.count(where: { $0.kind != .empty }) < width else {
            return nil
        }
        for place in rows.indices.dropFirst(first + 1).prefix(20) {
            if !isWords(rows[place]) {
                let above = rows[place - 1].cells.map(\.shown).filter { !$0.isEmpty }
                let isComplete = above.count == width && Set(above).count == width
                return place - 1 > first && isComplete ? place - 1 : nil
            }
        }
        return nil
    }

    /// As wide as its names, or as most of its rows where these have more.
    private mutating func widen(to header: PackedRow, _ rows: [PackedRow]) {
        let usual = width
        width = max(1, header.cellCount)
        let same = rows.count { $0.cellCount == usual && !$0.isBlank }
        if usual > width, same * 2 > rows.count { width = usual }
        // Columns without a name and without a value at the end are only formatting.
        while width > 1, header.isNothing(at: width - 1), rows.allSatisfy({ $0.isNothing(at: width - 1) }) {
            width -= 1
        }
    }

    /// The rows below hold the same kinds in the same columns.
    private static func looksLike(_ rows: [PackedRow], _ names: [Cell]) -> Bool {
        var same = 0
        var compared = 0
        for row in rows {
            for (name, cell) in zip(names, row.cells) where cell.kind != .empty && name.kind != .empty {
                compared += 1
                if cell.kind == name.kind, isAddress(cell.shown) == isAddress(name.shown) { same += 1 }
            }
        }
        return same * 4 >= compared * 3
    }

    private static func example(_ cells: [Cell]) -> String {
        let cell = cells.first { [.number, .date, .time].contains($0.kind) || isAddress($0.shown) }
        return "“\(String((cell?.shown ?? "").prefix(40)))”"
    }

    static func isAddress(_ text: String) -> Bool {
        guard let at = text.utf8.firstIndex(of: UInt8(ascii: "@")) else { return false }
        return text.utf8[at...].contains(UInt8(ascii: ".")) && !text.utf8.contains(0x20)
    }
}

extension HeaderFinder {
    /// Names that are there, one line, and unique, with what had to be changed.
    static func names(_ cells: [Cell], width: Int) -> (names: [String], notices: [String]) {
        var names: [String] = []
        var missing: [String] = []
        var double: [String] = []
        var taken: Set<String> = []
        for place in 0..<width {
            var name = place < cells.count ? oneLine(cells[place].shown) : ""
            if name.isEmpty {
                name = "Column \(place + 1)"
                missing.append(name)
            }
            if taken.contains(name.lowercased()) {
                double.append(name)
                var number = 2
                while taken.contains("\(name) \(number)".lowercased()) { number += 1 }
                name += " \(number)"
            }
            taken.insert(name.lowercased())
            names.append(name)
        }
        var notices: [String] = []
        if !missing.isEmpty, cells.contains(where: { $0.kind != .empty }) {
            notices.append(
                missing.count == 1
                    ? "A column has no name and is called “\(missing[0])”."
                    : "\(missing.count) columns have no name and are called “\(missing[0])” and so on.")
        }
        for name in double.prefix(3) {
            notices.append("More than one column is called “\(name)”; the later ones got a number.")
        }
        return (names, notices)
    }

    private static func oneLine(_ text: String) -> String {
        let words = text.unicodeScalars.split {
            $0.properties.isWhitespace || $0.value < 0x20 || $0.value == 0xFEFF
        }
        return words.map { String($0) }.joined(separator: " ").prefix(200).description
    }
}
