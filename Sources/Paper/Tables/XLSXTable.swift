/// A workbook of Excel: which sheet, and its rows.
enum XLSXTable {
    /// Sheets whose XML is larger are not read twice for the sake of merged cells.
    private static let mergeLimit = 24 << 20

    static func open(_ archive: WorkbookArchive, _ options: TableOptions) throws(TableError) -> OpenedTable {
        let workbook = try XLSXWorkbook(archive, limits: options.limits)
        var shape = TableShape(format: .xlsx)
        shape.sheets = workbook.sheets.map { TableSheet(name: $0.name, isHidden: $0.isHidden) }
        let (sheet, why) = try choose(workbook, options)
        shape.sheet = sheet.name
        shape.choices.append(TableChoice(.sheet, sheet.name, why, isGiven: options.sheet != nil))
        var merges = SheetMerges()
        if archive.byteCount(sheet.path) <= mergeLimit, let source = try archive.open(sheet.path) {
            merges = try SheetMerges(try MarkupScanner(source, limits: options.limits), limit: 10_000)
            if !merges.isEmpty {
                shape.notices.append(
                    merges.count == 1
                        ? "The sheet has 1 merged area: each cell in it counts as having its value."
                        : "The sheet has \(merges.count) merged areas: each cell in one counts as having its value."
                )
            }
        }
        var opened = OpenedTable(shape: shape, rows: try rows(of: sheet, workbook, options, merges))
        opened.emptySentence = "The sheet “\(sheet.name)” is empty."
        return opened
    }

    private static func rows(
        of sheet: XLSXWorkbook.Sheet, _ workbook: XLSXWorkbook, _ options: TableOptions, _ merges: SheetMerges
    ) throws(TableError) -> XLSXSheet {
        guard let source = try workbook.archive.open(sheet.path) else {
            throw TableError("The sheet “\(sheet.name)” is missing from the file.")
        }
        return XLSXSheet(
            try MarkupScanner(source, limits: options.limits), workbook,
            includesHidden: options.includesHiddenRows, merges: merges)
    }

    private static func choose(
        _ workbook: XLSXWorkbook, _ options: TableOptions
    ) throws(TableError) -> (XLSXWorkbook.Sheet, String) {
        if let wanted = options.sheet {
            guard let sheet = workbook.sheets.first(where: { $0.name == wanted }) else {
                throw SheetChoice.missing(wanted, workbook.sheets.map(\.name))
            }
            return (sheet, "You chose it.")
        }
        let visible = workbook.sheets.filter { !$0.isHidden }
        for sheet in visible {
            var row = PackedRow()
            guard try rows(of: sheet, workbook, options, SheetMerges()).read(into: &row) else { continue }
            return (
                sheet,
                workbook.sheets.count == 1
                    ? "It is the only one."
                    : "It is the first of \(workbook.sheets.count) sheets that can be seen and holds anything."
            )
        }
        return (visible.first ?? workbook.sheets[0], "None of the sheets that can be seen holds anything.")
    }
}

enum SheetChoice {
    static func missing(_ wanted: String, _ names: [String]) -> TableError {
        let listed = names.prefix(10).map { "“\($0)”" }.joined(separator: ", ")
        return TableError("There is no sheet “\(wanted)”. The file has \(listed).")
    }
}
