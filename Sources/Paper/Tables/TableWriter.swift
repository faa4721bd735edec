import Archives
public import Work

/// Writes tables that programs of the office open: rows are given one after the other and go out as they come.
///
/// ```swift
/// try TableWriter.xlsx(columns: ["Name", "Born"], modified: now, to: sink) { add in
///     try add([Cell("Ada"), Cell("1815-12-10")])
/// }
/// ```
///
/// What a stranger typed never becomes a formula in somebody's spreadsheet, unless that is asked for.
public enum TableWriter {
    /// UTF-8 with commas (RFC 4180). The mark in front makes Excel read it as UTF-8.
    public static func csv(
        columns: [String], hasMark: Bool = true, guardsFormulas: Bool = true,
        to sink: @escaping ([UInt8]) throws -> Void, rows: (_ add: ([Cell]) throws -> Void) throws -> Void
    ) throws {
        var waiting: [UInt8] = hasMark ? [0xEF, 0xBB, 0xBF] : []
        func line(_ texts: [String]) throws {
            let line =
                guardsFormulas
                ? CSVLine.text(texts) : texts.map(CSVLine.quoted).joined(separator: ",") + "\r\n"
            waiting.append(contentsOf: line.utf8)
            guard waiting.count >= 64 << 10 else { return }
            try sink(waiting)
            waiting.removeAll(keepingCapacity: true)
        }
        if !columns.isEmpty { try line(columns) }
        try rows { cells in try line(cells.map(\.shown)) }
        if !waiting.isEmpty { try sink(waiting) }
    }

    /// A workbook with one sheet. Numbers and dates stay numbers and dates; everything else is text, and text that
    /// begins like a formula is marked as text for those who edit it.
    public static func xlsx(
        columns: [String], sheet: String = "Table", modified: Moment, paper: SheetPaper? = nil,
        to sink: @escaping ([UInt8]) throws -> Void,
        rows: (_ add: ([Cell]) throws -> Void) throws -> Void
    ) throws {
        var zip = ZIPWriter(sink: sink)
        for (name, content) in XLSXParts.fixed(sheet: sheet) {
            try zip.add(name, Array(content.utf8), modified: modified)
        }
        try zip.add("xl/worksheets/sheet1.xml", modified: modified) { borrowed in
            // Lent to the closure that takes the rows, which does not outlive this one either.
            try withoutActuallyEscaping(borrowed) { put in
                var waiting = Array(XLSXParts.sheetStart(columnCount: columns.count, paper).utf8)
                var row = 0
                func add(_ cells: [Cell], isHeader: Bool) throws {
                    row += 1
                    guard row <= 1 << 20 else {
                        throw TableError(
                            "A sheet holds a million rows and no more. Export as CSV, or in parts.")
                    }
                    XLSXParts.append(
                        cells, row: row, isHeader: isHeader, wraps: paper != nil, to: &waiting)
                    guard waiting.count >= 64 << 10 else { return }
                    try put(waiting)
                    waiting.removeAll(keepingCapacity: true)
                }
                if !columns.isEmpty {
                    try add(columns.map { Cell(kind: .text, raw: $0, shown: $0) }, isHeader: true)
                }
                try rows { cells in try add(cells, isHeader: false) }
                waiting += Array("</sheetData>\(paper?.setup ?? "")</worksheet>".utf8)
                try put(waiting)
            }
        }
        try zip.finish()
    }
}

/// How a sheet comes onto paper: columns as wide as what is in them, and all of them side by side where that can still be
/// read.
public struct SheetPaper: Sendable {
    /// In letters.
    private var widths: [Int] = []
    /// More than this is broken into lines.
    static let longest = 50

    public init() {}

    /// Makes room for the cells of a row.
    public mutating func fit(_ cells: some Collection<String>) {
        for (column, text) in cells.enumerated() where column < 16_384 {
            if column == widths.count { widths.append(3) }
            guard widths[column] < Self.longest else { continue }
            // Letters of East Asia are twice as wide.
            let width = text.unicodeScalars.reduce(0) { $0 + ($1.value >= 0x2E80 ? 2 : 1) }
            widths[column] = min(Self.longest, max(widths[column], width))
        }
    }

    private var total: Int { widths.reduce(0) { $0 + $1 + 2 } }
    private var isOnePageWide: Bool { total <= 260 }

    fileprivate var properties: String {
        isOnePageWide ? "<sheetPr><pageSetUpPr fitToPage=\"1\"/></sheetPr>" : ""
    }

    fileprivate var columns: String {
        guard !widths.isEmpty else { return "" }
        let columns = widths.enumerated().map { place, width in
            "<col min=\"\(place + 1)\" max=\"\(place + 1)\" width=\"\(width + 2)\" customWidth=\"1\"/>"
        }
        return "<cols>\(columns.joined())</cols>"
    }

    fileprivate var setup: String {
        let way = total > 95 ? "landscape" : "portrait"
        return
            "<pageSetup orientation=\"\(way)\"\(isOnePageWide ? " fitToWidth=\"1\" fitToHeight=\"0\"" : "")/>"
    }
}

private enum XLSXParts {
    private static let head = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
    private static let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    private static let relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    private static let package = "http://schemas.openxmlformats.org/package/2006"

    static func fixed(sheet: String) -> [(String, String)] {
        let forbidden: Set<Character> = ["[", "]", ":", "*", "?", "/", "\\"]
        let name = String(sheet.map { forbidden.contains($0) ? " " : $0 }.prefix(31))
        let types = "application/vnd.openxmlformats-officedocument.spreadsheetml"
        return [
            (
                "[Content_Types].xml",
                head + "<Types xmlns=\"\(package)/content-types\">"
                    + "<Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>"
                    + "<Default Extension=\"xml\" ContentType=\"application/xml\"/>"
                    + "<Override PartName=\"/xl/workbook.xml\" ContentType=\"\(types).sheet.main+xml\"/>"
                    + "<Override PartName=\"/xl/worksheets/sheet1.xml\" ContentType=\"\(types).worksheet+xml\"/>"
                    + "<Override PartName=\"/xl/styles.xml\" ContentType=\"\(types).styles+xml\"/></Types>"
            ),
            (
                "_rels/.rels",
                head + "<Relationships xmlns=\"\(package)/relationships\">"
                    + "<Relationship Id=\"rId1\" Type=\"\(relations)/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"
            ),
            (
                "xl/workbook.xml",
                head + "<workbook xmlns=\"\(main)\" xmlns:r=\"\(relations)\"><sheets>"
                    + "<sheet name=\"\(escaped(name.isEmpty ? "Table" : name))\" sheetId=\"1\" r:id=\"rId1\"/></sheets></workbook>"
            ),
            (
                "xl/_rels/workbook.xml.rels",
                head + "<Relationships xmlns=\"\(package)/relationships\">"
                    + "<Relationship Id=\"rId1\" Type=\"\(relations)/worksheet\" Target=\"worksheets/sheet1.xml\"/>"
                    + "<Relationship Id=\"rId2\" Type=\"\(relations)/styles\" Target=\"styles.xml\"/></Relationships>"
            ),
            (
                // 0 plain, 1 bold, 2 date, 3 date and time, 4 text that must stay text, 5 the same in several lines.
                "xl/styles.xml",
                head + "<styleSheet xmlns=\"\(main)\">"
                    + "<numFmts count=\"2\"><numFmt numFmtId=\"164\" formatCode=\"yyyy\\-mm\\-dd\"/><numFmt numFmtId=\"165\" formatCode=\"yyyy\\-mm\\-dd\\ hh:mm:ss\"/></numFmts>"
                    + "<fonts count=\"2\"><font><sz val=\"11\"/><name val=\"Calibri\"/></font><font><b/><sz val=\"11\"/><name val=\"Calibri\"/></font></fonts>"
                    + "<fills count=\"2\"><fill><patternFill patternType=\"none\"/></fill><fill><patternFill patternType=\"gray125\"/></fill></fills>"
                    + "<borders count=\"1\"><border/></borders><cellStyleXfs count=\"1\"><xf/></cellStyleXfs><cellXfs count=\"6\">"
                    + "<xf numFmtId=\"0\"/><xf numFmtId=\"0\" fontId=\"1\" applyFont=\"1\"/>"
                    + "<xf numFmtId=\"164\" applyNumberFormat=\"1\"/><xf numFmtId=\"165\" applyNumberFormat=\"1\"/>"
                    + "<xf numFmtId=\"49\" applyNumberFormat=\"1\" quotePrefix=\"1\"/>"
                    + "<xf numFmtId=\"49\" applyNumberFormat=\"1\" quotePrefix=\"1\" applyAlignment=\"1\"><alignment vertical=\"top\" wrapText=\"1\"/></xf></cellXfs></styleSheet>"
            ),
        ]
    }

    /// The names stay in sight while one scrolls.
    static func sheetStart(columnCount: Int, _ paper: SheetPaper?) -> String {
        head
            + "<worksheet xmlns=\"\(main)\">\(paper?.properties ?? "")<sheetViews><sheetView workbookViewId=\"0\">"
            + (columnCount > 0
                ? "<pane ySplit=\"1\" topLeftCell=\"A2\" activePane=\"bottomLeft\" state=\"frozen\"/>" : "")
            + "</sheetView></sheetViews>\(paper?.columns ?? "")<sheetData>"
    }

    static func append(_ cells: [Cell], row: Int, isHeader: Bool, wraps: Bool, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: "<row r=\"\(row)\">".utf8)
        for (column, cell) in cells.enumerated() where cell.kind != .empty && !cell.shown.isEmpty {
            let place = "\(letters(column))\(row)"
            if let number = number(cell) {
                bytes.append(contentsOf: "<c r=\"\(place)\"><v>\(number)</v></c>".utf8)
            } else if let (serial, hasTime) = serial(cell) {
                bytes.append(
                    contentsOf: "<c r=\"\(place)\" s=\"\(hasTime ? 3 : 2)\"><v>\(serial)</v></c>".utf8)
            } else {
                let isFormulaLike = cell.shown.utf8.first.map { "=+-@\t\r".utf8.contains($0) } ?? false
                let isLong =
                    wraps
                    && (cell.shown.unicodeScalars.count > SheetPaper.longest
                        || cell.shown.contains(where: \.isNewline))
                let style = isHeader ? " s=\"1\"" : isLong ? " s=\"5\"" : isFormulaLike ? " s=\"4\"" : ""
                bytes.append(
                    contentsOf:
                        "<c r=\"\(place)\"\(style) t=\"inlineStr\"><is><t xml:space=\"preserve\">\(escaped(cell.shown))</t></is></c>"
                        .utf8)
            }
        }
        bytes.append(contentsOf: "</row>".utf8)
    }

    /// Only what reads the same as text: a number with a format of its own keeps its shown form.
    private static func number(_ cell: Cell) -> String? {
        guard cell.kind == .number, !cell.isEdited, let number = DecimalText(cell.shown),
            number.plain == cell.shown
        else { return nil }
        return number.plain
    }

    private static func serial(_ cell: Cell) -> (String, hasTime: Bool)? {
        guard cell.kind == .date, let iso = cell.date else { return nil }
        let parts = iso.split(separator: "T")
        let day = parts[0].split(separator: "-").compactMap { Int($0) }
        guard day.count == 3, day[0] >= 1901, day[0] <= 9999 else { return nil }
        // Days since 1970 (years counted from March), then since the end of 1899.
        let year = day[1] <= 2 ? day[0] - 1 : day[0]
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (day[1] > 2 ? day[1] - 3 : day[1] + 9) + 2) / 5 + day[2] - 1
        let days =
            era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468 + 25_569
        guard parts.count > 1 else { return ("\(days)", false) }
        let clock = parts[1].split(separator: ":").compactMap { Int($0) }
        guard clock.count == 3 else { return nil }
        let seconds = clock[0] * 3600 + clock[1] * 60 + clock[2]
        return ("\(Double(days) + Double(seconds) / 86_400)", true)
    }

    static func letters(_ column: Int) -> String {
        var letters = ""
        var rest = column + 1
        while rest > 0 {
            letters = String(Character(Unicode.Scalar(UInt8(65 + (rest - 1) % 26)))) + letters
            rest = (rest - 1) / 26
        }
        return letters
    }

    /// XML has no place for most control characters; a spreadsheet writes them as `_x0007_`.
    static func escaped(_ text: String) -> String {
        // A text that says `_x0041_` itself must not be read as one that hides an A.
        let text = text.contains("_x") ? text.replacing("_x", with: "_x005F_x") : text
        var made = ""
        for scalar in text.unicodeScalars.prefix(32_767) {
            switch scalar {
            case "&": made += "&amp;"
            case "<": made += "&lt;"
            case ">": made += "&gt;"
            case "\"": made += "&quot;"
            case "\r": made += "_x000D_"
            case "\n", "\t": made.unicodeScalars.append(scalar)
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                made += "_x" + String(repeating: "0", count: 4 - digits.utf8.count) + digits + "_"
            default: made.unicodeScalars.append(scalar)
            }
        }
        return made
    }
}
