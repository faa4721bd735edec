/// An OpenDocument spreadsheet (ISO 26300): cells carry their value and, beside it, the text as it was shown.
enum ODSTable {
    static func open(_ archive: WorkbookArchive, _ options: TableOptions) throws(TableError) -> OpenedTable {
        if try isEncrypted(archive, options.limits) {
            throw TableError(
                "The file is protected by a password. Open it, remove the password, and save it again.")
        }
        guard archive.contains("content.xml") else {
            throw TableError("The file is damaged: its content is missing.")
        }
        var shape = TableShape(format: .ods)
        let sheets = try sheets(archive, options.limits)
        guard !sheets.isEmpty else { throw TableError("The file has no sheet.") }
        shape.sheets = sheets.map { TableSheet(name: $0.name, isHidden: $0.isHidden) }
        var chosen =
            sheets.firstIndex { !$0.isHidden && $0.hasText } ?? sheets.firstIndex { !$0.isHidden } ?? 0
        var why =
            sheets.count == 1
            ? "It is the only one."
            : "It is the first of \(sheets.count) sheets that can be seen and holds anything."
        if let wanted = options.sheet {
            guard let place = sheets.firstIndex(where: { $0.name == wanted }) else {
                throw SheetChoice.missing(wanted, sheets.map(\.name))
            }
            chosen = place
            why = "You chose it."
        }
        shape.sheet = sheets[chosen].name
        shape.choices.append(TableChoice(.sheet, sheets[chosen].name, why, isGiven: options.sheet != nil))
        guard let source = try archive.open("content.xml") else { throw TableError("The file is damaged.") }
        let rows = ODSSheet(
            try MarkupScanner(source, limits: options.limits), table: chosen, limits: options.limits,
            includesHidden: options.includesHiddenRows)
        var opened = OpenedTable(shape: shape, rows: rows)
        opened.emptySentence = "The sheet “\(sheets[chosen].name)” is empty."
        return opened
    }

    private struct Sheet {
        var name: String
        var isHidden: Bool
        var hasText = false
    }

    private static func isEncrypted(
        _ archive: WorkbookArchive, _ limits: TableLimits
    ) throws(TableError) -> Bool {
        guard let source = try archive.open("META-INF/manifest.xml") else { return false }
        let scanner = try MarkupScanner(source, limits: limits)
        while true {
            let event = try scanner.next()
            if event == .done { return false }
            if event == .start, scanner.isNamed("encryption-data") { return true }
        }
    }

    private static func sheets(
        _ archive: WorkbookArchive, _ limits: TableLimits
    ) throws(TableError) -> [Sheet] {
        guard let source = try archive.open("content.xml") else { return [] }
        let scanner = try MarkupScanner(source, limits: limits)
        var hiddenStyles: Set<String> = []
        var style = ""
        var sheets: [Sheet] = []
        while true {
            switch try scanner.next() {
            case .done: return sheets
            case .start:
                if scanner.isNamed("table") {
                    sheets.append(
                        Sheet(
                            name: scanner.attribute("name") ?? "Sheet \(sheets.count + 1)",
                            isHidden: hiddenStyles.contains(scanner.attribute("style-name") ?? "")))
                } else if scanner.isNamed("style") {
                    style = scanner.attribute("name") ?? ""
                } else if scanner.isNamed("table-properties") {
                    if scanner.attribute("display") == "false" { hiddenStyles.insert(style) }
                } else if scanner.isNamed("p"), !sheets.isEmpty {
                    sheets[sheets.count - 1].hasText = true
                }
            case .end, .text: break
            }
        }
    }
}

/// The rows of one table.
private final class ODSSheet: RowSource {
    private let scanner: MarkupScanner
    private let table: Int
    private let limits: TableLimits
    private let includesHidden: Bool
    private(set) var hiddenRowCount = 0
    private var tablesSeen = -1
    private var isInTable = false
    private var nextRow = 1
    /// A row that is written once and meant many times.
    private var repeated: (row: PackedRow, left: Int)?
    private var text: [UInt8] = []

    private static let mostRows = 1 << 20

    init(_ scanner: MarkupScanner, table: Int, limits: TableLimits, includesHidden: Bool) {
        self.scanner = scanner
        self.table = table
        self.limits = limits
        self.includesHidden = includesHidden
    }

    func read(into row: inout PackedRow) throws(TableError) -> Bool {
        if var again = repeated, again.left > 0 {
            again.left -= 1
            again.row.place += 1
            row = again.row
            repeated = again.left > 0 ? again : nil
            return true
        }
        while true {
            switch try scanner.next() {
            case .done: return false
            case .start:
                if scanner.isNamed("table") {
                    tablesSeen += 1
                    isInTable = tablesSeen == table
                    if !isInTable { try scanner.skip() }
                } else if isInTable, scanner.isNamed("table-row") {
                    if try readRow(&row) { return true }
                }
            case .end: if isInTable, scanner.isNamed("table") { return false }
            case .text: break
            }
        }
    }

    private func readRow(_ row: inout PackedRow) throws(TableError) -> Bool {
        let times = min(max(1, count("number-rows-repeated")), Self.mostRows)
        let visibility = scanner.attribute("visibility")
        let isHidden = visibility == "collapse" || visibility == "filter"
        row.clear(place: nextRow)
        nextRow += times
        if isHidden, !includesHidden {
            try scanner.skip()
            hiddenRowCount += times
            return false
        }
        var waiting = 0
        let outside = scanner.depth - 1
        while true {
            switch try scanner.next() {
            case .done: return false
            case .end:
                guard scanner.depth == outside else { continue }
                guard row.cellCount > 0 else { return false }
                if times > 1 { repeated = (row, times - 1) }
                return true
            case .start:
                guard scanner.isNamed("table-cell") || scanner.isNamed("covered-table-cell") else { continue }
                let repeats = min(max(1, count("number-columns-repeated")), 1 << 20)
                guard let cell = try readCell() else {
                    waiting += repeats
                    continue
                }
                // Empty cells at the end of a row are thousands and none.
                guard row.cellCount + waiting + repeats <= limits.columnCount else {
                    throw TableError(
                        line: row.place,
                        reason:
                            "the row has more than \(limits.columnCount) cells, more than a spreadsheet can hold."
                    )
                }
                let byteCount = cell.raw.utf8.count + cell.shown.utf8.count
                try limits.check(row: row.bytes.count + repeats * byteCount, line: row.place)
                for _ in 0..<waiting { row.appendEmpty() }
                waiting = 0
                for _ in 0..<repeats { row.append(cell) }
            case .text: break
            }
        }
    }

    private func count(_ name: StaticString) -> Int { scanner.attribute(name).flatMap { Int($0) } ?? 1 }

    /// Nil for an empty one.
    private func readCell() throws(TableError) -> Cell? {
        let type = scanner.attribute("value-type") ?? ""
        let number = scanner.attribute("value")
        let date = scanner.attribute("date-value")
        let time = scanner.attribute("time-value")
        let boolean = scanner.attribute("boolean-value")
        text.removeAll(keepingCapacity: true)
        var paragraphs = 0
        let outside = scanner.depth - 1
        var isInParagraph = 0
        while true {
            switch try scanner.next() {
            case .done: return nil
            case .end:
                if scanner.isNamed("p"), isInParagraph > 0 { isInParagraph -= 1 }
                guard scanner.depth == outside else { continue }
                return cell(type, number, date, time, boolean)
            case .start:
                if scanner.isNamed("annotation") {
                    try scanner.skip()
                } else if scanner.isNamed("p") {
                    if paragraphs > 0 { text.append(10) }
                    paragraphs += 1
                    isInParagraph += 1
                } else if isInParagraph > 0, scanner.isNamed("s") {
                    text.append(contentsOf: [UInt8](repeating: 0x20, count: min(max(1, count("c")), 1000)))
                } else if isInParagraph > 0, scanner.isNamed("tab") {
                    text.append(9)
                } else if isInParagraph > 0, scanner.isNamed("line-break") {
                    text.append(10)
                }
            case .text: if isInParagraph > 0 { try scanner.appendText(to: &text) }
            }
        }
    }

    private func cell(
        _ type: String, _ number: String?, _ date: String?, _ time: String?, _ boolean: String?
    ) -> Cell? {
        let shown = String(decoding: text, as: UTF8.self)
        switch type {
        case "float", "percentage", "currency":
            let raw = number ?? shown
            return Cell(
                kind: .number, raw: raw, shown: shown.isEmpty ? DecimalText(raw)?.plain ?? raw : shown)
        case "date":
            guard let date else { return shown.isEmpty ? nil : Cell(kind: .text, raw: shown, shown: shown) }
            let iso = String(date.prefix { $0 != "." })
            return Cell(kind: .date, raw: date, shown: shown.isEmpty ? iso : shown, date: iso)
        case "time":
            guard let time else { return shown.isEmpty ? nil : Cell(kind: .text, raw: shown, shown: shown) }
            let look = shown.isEmpty ? time : shown
            guard let duration = Self.duration(time) else { return Cell(kind: .text, raw: time, shown: look) }
            // Longer than a day it is no time of day but days and parts of one, as in a workbook.
            guard duration.seconds >= 0, duration.seconds < 86_400, let iso = duration.clock else {
                return Cell(kind: .number, raw: "\(duration.seconds / 86_400)", shown: look)
            }
            return Cell(kind: .time, raw: time, shown: shown.isEmpty ? iso : shown, date: iso)
        case "boolean":
            let isTrue = boolean == "true"
            return Cell(
                kind: .boolean, raw: boolean ?? "", shown: shown.isEmpty ? (isTrue ? "TRUE" : "FALSE") : shown
            )
        default: return shown.isEmpty ? nil : Cell(kind: .text, raw: shown, shown: shown)
        }
    }

    /// `PT08H30M00S` as seconds, and as 08:30:00 where that is a time of day; nil for anything but hours, minutes and
    /// seconds.
    private static func duration(_ text: String) -> (seconds: Double, clock: String?)? {
        let isNegative = text.hasPrefix("-")
        let text = isNegative ? text.dropFirst() : text[...]
        guard text.hasPrefix("PT"), text.utf8.count > 2, text.utf8.count < 40 else { return nil }
        var numbers: [Character: Double] = [:]
        var digits = ""
        for character in text.dropFirst(2) {
            if character.isNumber || character == "." {
                digits.append(character)
            } else {
                guard "HMS".contains(character), let number = Double(digits) else { return nil }
                numbers[character] = number
                digits = ""
            }
        }
        guard digits.isEmpty else { return nil }
        let (hours, minutes, seconds) = (numbers["H"] ?? 0, numbers["M"] ?? 0, numbers["S"] ?? 0)
        let all = (hours * 60 + minutes) * 60 + seconds
        guard !isNegative, hours < 24, minutes < 60, seconds < 60 else {
            return (isNegative ? -all : all, nil)
        }
        return (all, [hours, minutes, seconds].map { CellKind.twoDigits(Int($0)) }.joined(separator: ":"))
    }
}
