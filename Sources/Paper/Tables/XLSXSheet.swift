/// The rows of one sheet of a workbook, read as its XML goes by.
final class XLSXSheet: RowSource {
    private let scanner: MarkupScanner
    private let workbook: XLSXWorkbook
    private let includesHidden: Bool
    private let merges: SheetMerges
    private(set) var hiddenRowCount = 0
    private var isInData = false
    private var rowNumber = 0
    private var value: [UInt8] = []
    private var pending: [CellFacts] = []

    private struct CellFacts {
        var column = 0
        var style = 0
        var type: UInt8 = 0
    }

    init(
        _ scanner: MarkupScanner, _ workbook: XLSXWorkbook, includesHidden: Bool, merges: SheetMerges
    ) {
        self.scanner = scanner
        self.workbook = workbook
        self.includesHidden = includesHidden
        self.merges = merges
    }

    func read(into row: inout PackedRow) throws(TableError) -> Bool {
        while true {
            switch try scanner.next() {
            case .done: return false
            case .start:
                if isInData {
                    guard scanner.isNamed("row") else { continue }
                    if try readRow(&row) { return true }
                } else if scanner.isNamed("sheetData") {
                    isInData = true
                }
            case .end:
                // What follows the rows is no business of ours, but it has to be there for the file to be whole.
                if isInData, scanner.isNamed("sheetData") { isInData = false }
            case .text: break
            }
        }
    }

    /// False when the row is hidden or has no cell.
    private func readRow(_ row: inout PackedRow) throws(TableError) -> Bool {
        var isHidden = false
        var given = 0
        scanner.eachAttribute { name, value in
            switch (name.count, name.first) {
            case (1, UInt8(ascii: "r")): given = Self.number(value) ?? 0
            case (6, UInt8(ascii: "h")): isHidden = Self.isTrue(value)
            default: break
            }
        }
        rowNumber = given > 0 ? given : rowNumber + 1
        if isHidden, !includesHidden {
            hiddenRowCount += 1
            try scanner.skip()
            return false
        }
        row.clear(place: rowNumber)
        var nextColumn = 0
        while true {
            switch try scanner.next() {
            case .done: return false
            case .end:
                // Cells end inside `readCell`, so this is the row's own end.
                if !merges.isEmpty { try merges.fill(&row, rowNumber, workbook.limits) }
                return row.cellCount > 0
            case .start:
                guard scanner.isNamed("c") else {
                    try scanner.skip()
                    continue
                }
                let facts = cellFacts(nextColumn)
                guard facts.column < workbook.limits.columnCount else {
                    throw TableError(
                        line: rowNumber,
                        reason:
                            "the row has more than \(workbook.limits.columnCount) cells, more than a spreadsheet can hold."
                    )
                }
                while row.cellCount < facts.column { row.appendEmpty() }
                nextColumn = max(nextColumn, facts.column) + 1
                try readCell(facts, &row)
                try workbook.limits.check(row: row.bytes.count, line: rowNumber)
            case .text: break
            }
        }
    }

    private func cellFacts(_ next: Int) -> CellFacts {
        var facts = CellFacts()
        facts.column = next
        scanner.eachAttribute { name, value in
            guard name.count == 1 else { return }
            switch name[0] {
            case UInt8(ascii: "r"): if let column = Self.column(value) { facts.column = column }
            case UInt8(ascii: "s"): facts.style = Self.number(value) ?? 0
            case UInt8(ascii: "t"):
                // s, b, e, d, n, inlineStr, str: "str" shares its first letter with shared strings.
                facts.type = value.count == 3 ? UInt8(ascii: "f") : value.first ?? 0
            default: break
            }
        }
        return facts
    }

    private func readCell(_ facts: CellFacts, _ row: inout PackedRow) throws(TableError) {
        value.removeAll(keepingCapacity: true)
        var isInValue = false
        var hasText = false
        let outside = scanner.depth - 1
        while true {
            switch try scanner.next() {
            case .done: return
            case .start:
                let key = scanner.nameKey
                if key.count == 1, key.first == UInt8(ascii: "v") {
                    isInValue = !hasText
                } else if key.count == 1, key.first == UInt8(ascii: "t") {
                    if !hasText { value.removeAll(keepingCapacity: true) }
                    hasText = true
                    isInValue = true
                } else if key.count == 1, key.first == UInt8(ascii: "f") {
                    try scanner.skip()
                } else if scanner.isNamed("rPh") {
                    try scanner.skip()
                }
            case .end:
                isInValue = false
                if scanner.depth == outside {
                    // Out of order cells are put where they can still go: at the end.
                    if row.cellCount <= facts.column || facts.column < 0 { put(facts, hasText, &row) }
                    return
                }
            case .text: if isInValue { try scanner.appendText(to: &value) }
            }
        }
    }

    // MARK: What a cell holds

    private func put(_ facts: CellFacts, _ hasText: Bool, _ row: inout PackedRow) {
        if hasText {
            putText(facts, &row)
            return
        }
        guard !value.isEmpty else {
            row.appendEmpty()
            return
        }
        switch facts.type {
        case UInt8(ascii: "s"): putShared(facts, &row)
        case UInt8(ascii: "f"), UInt8(ascii: "i"): putText(facts, &row)
        case UInt8(ascii: "b"):
            let isTrue =
                value.first == UInt8(ascii: "1") || value.first.map { $0 | 0x20 } == UInt8(ascii: "t")
            row.append(
                Cell(
                    kind: .boolean, raw: String(decoding: value, as: UTF8.self),
                    shown: isTrue ? "TRUE" : "FALSE"))
        case UInt8(ascii: "e"): row.append(kind: .text, value)
        case UInt8(ascii: "d"): putISODate(facts, &row)
        default: putNumber(facts, &row)
        }
    }

    private func putText(_ facts: CellFacts, _ row: inout PackedRow) {
        SheetText.unescape(&value)
        putString(value, facts, &row)
    }

    private func putShared(_ facts: CellFacts, _ row: inout PackedRow) {
        let number = value.withUnsafeBufferPointer { Self.number($0) } ?? -1
        if facts.style == 0 || !hasTextFormat(facts.style) {
            let isThere: Void? = workbook.strings.with(number) { row.append(kind: .text, $0) }
            if isThere == nil { row.appendEmpty() }
        } else {
            let text = workbook.strings.with(number) { Array($0) } ?? []
            putString(text, facts, &row)
        }
    }

    private func hasTextFormat(_ style: Int) -> Bool {
        style < workbook.formats.count && workbook.formats[style].changesTexts
    }

    private func putString(_ text: [UInt8], _ facts: CellFacts, _ row: inout PackedRow) {
        // A format may say the text many times over.
        guard hasTextFormat(facts.style), text.count <= 64 << 10 else {
            row.append(kind: .text, text)
            return
        }
        let raw = String(decoding: text, as: UTF8.self)
        row.append(Cell(kind: .text, raw: raw, shown: workbook.formats[facts.style].shown(text: raw)))
    }

    private func putNumber(_ facts: CellFacts, _ row: inout PackedRow) {
        let format =
            facts.style < workbook.formats.count && facts.style >= 0
            ? workbook.formats[facts.style] : NumberFormat.general
        if format.isGeneral, isPlain(value) {
            row.append(kind: .number, value)
            return
        }
        guard let number = value.withUnsafeBufferPointer({ DecimalText($0) }) else {
            row.append(kind: .text, value)
            return
        }
        let raw = String(decoding: value, as: UTF8.self)
        if format.isGeneral || format.isText {
            row.append(Cell(kind: format.isText ? .text : .number, raw: raw, shown: number.plain))
            return
        }
        let shown = format.shown(number, is1904: workbook.is1904)
        row.append(Cell(kind: shown.kind, raw: raw, shown: shown.text, date: shown.date))
    }

    /// Whole numbers and short decimals are shown as they are stored.
    private func isPlain(_ bytes: [UInt8]) -> Bool {
        guard bytes.count <= 15 else { return false }
        var hasPoint = false
        for (place, byte) in bytes.enumerated() {
            if CellKind.isDigit(byte) || byte == UInt8(ascii: "-") && place == 0 { continue }
            guard byte == UInt8(ascii: "."), !hasPoint else { return false }
            hasPoint = true
        }
        return !hasPoint
            || bytes.last != 0x30 && bytes.first != UInt8(ascii: ".") && bytes.last != UInt8(ascii: ".")
    }

    /// `t="d"`: a date as ISO 8601, shown in the cell's format by way of its number.
    private func putISODate(_ facts: CellFacts, _ row: inout PackedRow) {
        let text = String(decoding: value, as: UTF8.self)
        let iso = CellKind.iso(text)
        row.append(Cell(kind: iso == nil ? .text : .date, raw: text, shown: iso ?? text, date: iso))
    }

    // MARK: Attributes

    /// `AB12` is column 27, from 0.
    static func column(_ reference: UnsafeBufferPointer<UInt8>) -> Int? {
        var column = 0
        for byte in reference {
            let letter = byte & 0xDF
            guard (0x41...0x5A).contains(letter), column < 1 << 24 else { break }
            column = column * 26 + Int(letter - 0x40)
        }
        return column > 0 ? column - 1 : nil
    }

    static func number(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard !bytes.isEmpty, bytes.count < 12 else { return nil }
        var value = 0
        for byte in bytes {
            guard CellKind.isDigit(byte) else { return nil }
            value = value * 10 + Int(byte - 0x30)
        }
        return value
    }

    private static func isTrue(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.first == UInt8(ascii: "1") || bytes.first == UInt8(ascii: "t")
    }
}

/// Cells that are one on the page count as many with the same value: a name that spans the rows of a family
/// belongs to each of them.
final class SheetMerges {
    struct Area {
        var rows: ClosedRange<Int>
        var columns: ClosedRange<Int>
        var value: Cell?
    }

    private var areas: [Area]
    var isEmpty: Bool { areas.isEmpty }
    var count: Int { areas.count }

    init(_ areas: [Area] = []) { self.areas = areas }

    /// Merges stand behind the rows, so a sheet that is not too large is read twice.
    convenience init(_ scanner: MarkupScanner, limit: Int) throws(TableError) {
        var areas: [Area] = []
        while areas.count < limit {
            let event = try scanner.next()
            if event == .done { break }
            guard event == .start else { continue }
            if scanner.isNamed("sheetData") {
                try scanner.skip()
            } else if scanner.isNamed("mergeCell"), let text = scanner.attribute("ref"),
                let area = Self.area(text)
            {
                areas.append(area)
            }
        }
        self.init(areas)
    }

    private static func area(_ text: String) -> Area? {
        let corners = text.split(separator: ":")
        guard corners.count == 2, let a = corner(corners[0]), let b = corner(corners[1]), a.row <= b.row,
            a.column <= b.column
        else { return nil }
        return Area(rows: a.row...b.row, columns: a.column...b.column)
    }

    private static func corner(_ text: Substring) -> (row: Int, column: Int)? {
        var text = String(text)
        return text.withUTF8 { bytes in
            guard let column = XLSXSheet.column(bytes),
                let row = XLSXSheet.number(UnsafeBufferPointer(rebasing: bytes.drop { $0 > 0x39 }))
            else { return nil }
            return (row, column)
        }
    }

    func fill(_ row: inout PackedRow, _ number: Int, _ limits: TableLimits) throws(TableError) {
        let touched = areas.indices.filter {
            areas[$0].rows.contains(number) && areas[$0].columns.upperBound < 16_384
        }
        guard !touched.isEmpty else { return }
        var cells = row.cells
        for index in touched {
            let area = areas[index]
            if number == area.rows.lowerBound {
                areas[index].value =
                    area.columns.lowerBound < cells.count ? cells[area.columns.lowerBound] : .empty
            }
            guard let value = areas[index].value, value.kind != .empty else { continue }
            while cells.count <= area.columns.upperBound { cells.append(.empty) }
            for column in area.columns { cells[column] = value }
        }
        // Before they are written one after the other: one long text may stand in all of them.
        let byteCount = cells.reduce(0) { $0 + $1.raw.utf8.count + $1.shown.utf8.count }
        try limits.check(row: byteCount, line: number)
        var filled = PackedRow(place: row.place, cells: cells)
        swap(&filled, &row)
    }
}
