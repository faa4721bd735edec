/// A workbook of Excel (ECMA-376): which sheets it has, how numbers are shown, and the texts that cells share.
final class XLSXWorkbook {
    struct Sheet {
        var name: String
        var isHidden: Bool
        var path: String
    }

    let archive: WorkbookArchive
    let limits: TableLimits
    private(set) var sheets: [Sheet] = []
    private(set) var is1904 = false
    /// By the number of a cell's style.
    private(set) var formats: [NumberFormat] = []
    private(set) var strings = SharedStrings()

    init(_ archive: WorkbookArchive, limits: TableLimits) throws(TableError) {
        self.archive = archive
        self.limits = limits
        let root = try Self.relations(archive, of: "", limits)
        let path =
            root.first { $0.value.type.hasSuffix("/officeDocument") }?.value.target ?? "xl/workbook.xml"
        let relations = try Self.relations(archive, of: path, limits)
        guard let book = try archive.open(path) else {
            throw TableError(
                archive.contains("content.xml")
                    ? "The file is damaged: it says it is a workbook of Excel and is none."
                    : "This ZIP archive is no spreadsheet.")
        }
        try readBook(try MarkupScanner(book, limits: limits), relations)
        if let styles = relations.first(where: { $0.value.type.hasSuffix("/styles") })?.value.target,
            let source = try archive.open(styles)
        {
            try readStyles(try MarkupScanner(source, limits: limits))
        }
        if let shared = relations.first(where: { $0.value.type.hasSuffix("/sharedStrings") })?.value.target,
            let source = try archive.open(shared)
        {
            strings = try SharedStrings(try MarkupScanner(source, limits: limits), limits: limits)
        }
    }

    // MARK: Relations

    struct Relation {
        var type: String
        var target: String
    }

    private static func relations(
        _ archive: WorkbookArchive, of path: String, _ limits: TableLimits
    ) throws(TableError) -> [String: Relation] {
        let folder = path.split(separator: "/").dropLast().map { String($0) }
        let name = path.split(separator: "/").last.map { String($0) } ?? ""
        let place = (folder + ["_rels", name + ".rels"]).joined(separator: "/")
        guard let source = try archive.open(place) else { return [:] }
        let scanner = try MarkupScanner(source, limits: limits)
        var relations: [String: Relation] = [:]
        while true {
            let event = try scanner.next()
            if event == .done { return relations }
            guard event == .start, scanner.isNamed("Relationship"), let id = scanner.attribute("Id"),
                let target = scanner.attribute("Target")
            else { continue }
            relations[id] = Relation(
                type: scanner.attribute("Type") ?? "", target: resolved(target, in: folder))
        }
    }

    private static func resolved(_ target: String, in folder: [String]) -> String {
        var parts = target.hasPrefix("/") ? [] : folder
        for part in target.split(separator: "/") {
            switch part {
            case ".": continue
            case "..": if !parts.isEmpty { parts.removeLast() }
            default: parts.append(String(part))
            }
        }
        return parts.joined(separator: "/")
    }

    private func readBook(_ scanner: MarkupScanner, _ relations: [String: Relation]) throws(TableError) {
        while true {
            let event = try scanner.next()
            if event == .done { break }
            guard event == .start else { continue }
            if scanner.isNamed("workbookPr") {
                let flag = scanner.attribute("date1904")
                is1904 = flag == "1" || flag == "true"
            } else if scanner.isNamed("sheet") {
                // `r:id` loses its prefix here; a plain `id` does not exist beside it.
                guard let id = scanner.attribute("id"), let relation = relations[id],
                    relation.type.hasSuffix("/worksheet")
                else { continue }
                let state = scanner.attribute("state") ?? "visible"
                sheets.append(
                    Sheet(
                        name: scanner.attribute("name") ?? "Sheet \(sheets.count + 1)",
                        isHidden: state != "visible", path: relation.target))
            }
        }
        guard !sheets.isEmpty else { throw TableError("The workbook has no sheet with cells.") }
    }

    private func readStyles(_ scanner: MarkupScanner) throws(TableError) {
        var codes: [Int: String] = [:]
        var isInCells = false
        while true {
            switch try scanner.next() {
            case .done: return
            case .start:
                if scanner.isNamed("numFmt") {
                    if let id = scanner.attribute("numFmtId").flatMap({ Int($0) }),
                        let code = scanner.attribute("formatCode"),
                        // Excel itself takes 255 characters.
                        code.utf8.count <= 4096
                    {
                        codes[id] = code
                    }
                } else if scanner.isNamed("cellXfs") {
                    isInCells = true
                } else if isInCells, scanner.isNamed("xf"), formats.count < 100_000 {
                    let id = scanner.attribute("numFmtId").flatMap { Int($0) } ?? 0
                    formats.append(made(id, codes))
                }
            case .end: if scanner.isNamed("cellXfs") { isInCells = false }
            case .text: break
            }
        }
    }

    private var known: [Int: NumberFormat] = [:]

    private func made(_ id: Int, _ codes: [Int: String]) -> NumberFormat {
        if let format = known[id] { return format }
        // The numbers from 27 on are dates of the Far East, whose spelling depends on the machine's country.
        let code =
            codes[id] ?? NumberFormat.builtIn[id]
            ?? ((27...36).contains(id) || (50...58).contains(id) ? "yyyy-mm-dd" : "General")
        let format = NumberFormat(code)
        known[id] = format
        return format
    }
}

/// Texts that cells refer to by number, in one buffer.
struct SharedStrings {
    private var bytes: [UInt8] = []
    private var ends: [Int] = []

    init() {}

    var count: Int { ends.count }

    init(_ scanner: MarkupScanner, limits: TableLimits) throws(TableError) {
        var isInItem = false
        var isInText = false
        var text: [UInt8] = []
        while true {
            switch try scanner.next() {
            case .done: return
            case .start:
                if scanner.isNamed("si") {
                    isInItem = true
                    text.removeAll(keepingCapacity: true)
                } else if scanner.isNamed("t") {
                    isInText = isInItem
                } else if scanner.isNamed("rPh") {
                    // How to pronounce what is written; no part of it.
                    try scanner.skip()
                }
            case .end:
                if scanner.isNamed("t") {
                    isInText = false
                } else if scanner.isNamed("si") {
                    isInItem = false
                    SheetText.unescape(&text)
                    bytes.append(contentsOf: text)
                    ends.append(bytes.count)
                    guard bytes.count + ends.count * 8 <= limits.heldByteCount else {
                        throw TableError(
                            "The texts of the workbook take more than \(limits.heldByteCount >> 20) MB. Save the sheet as CSV."
                        )
                    }
                }
            case .text: if isInText { try scanner.appendText(to: &text) }
            }
        }
    }

    func with<R>(_ number: Int, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R? {
        guard number >= 0, number < ends.count else { return nil }
        let start = number == 0 ? 0 : ends[number - 1]
        return bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[start..<ends[number]])) }
    }
}

enum SheetText {
    /// `_x000D_` stands for a character that XML does not allow (ECMA-376 Part 1, 22.9.2.19).
    static func unescape(_ text: inout [UInt8]) {
        guard text.contains(UInt8(ascii: "_")) else { return }
        var made: [UInt8] = []
        var place = 0
        while place < text.count {
            if text[place] == UInt8(ascii: "_"), place + 6 < text.count, text[place + 1] == UInt8(ascii: "x"),
                text[place + 6] == UInt8(ascii: "_"),
                let value = UInt32(
                    String(decoding: text[(place + 2)..<(place + 6)], as: UTF8.self), radix: 16),
                value != 0, let scalar = Unicode.Scalar(value)
            {
                // A carriage return before a line feed says nothing more.
                if !(value == 13 && place + 7 < text.count && text[place + 7] == 10) {
                    made.append(contentsOf: String(Character(scalar)).utf8)
                }
                place += 7
            } else {
                made.append(text[place])
                place += 1
            }
        }
        text = made
    }
}
