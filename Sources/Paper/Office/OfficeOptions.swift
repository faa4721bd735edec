import Bytes

/// What is to be done with an office paper on its way.
public struct OfficeOptions: Sendable {
    public enum Value: Sendable, Equatable {
        case boolean(Bool)
        case number(Int)
        case text(String)

        fileprivate var json: JSON {
            switch self {
            case .boolean(let value): ["type": "boolean", "value": .string(value ? "true" : "false")]
            case .number(let value): ["type": "long", "value": .string("\(value)")]
            case .text(let value): ["type": "string", "value": .string(value)]
            }
        }
    }

    /// A LibreOffice name of what comes out: `pdf`, `docx`, `odt`, `xlsx`, `csv`, `html`, `txt`, …
    public var format = "pdf"
    /// Of LibreOffice's PDF export, by its names: `PageRange`, `Quality`, `SelectPdfVersion`, …
    public var export: [String: Value] = [:]
    public var password: String?
    public var isLandscape = false
    /// Tracked changes as marks on the page; otherwise as if all were accepted. Nil leaves it to the document.
    public var showsChanges: Bool?
    public var updatesIndexes = false
    public var time = Duration.seconds(120)

    public init() {}

    /// Archives' PDF: 1, 2 or 3 for PDF/A-1b, -2b, -3b.
    public mutating func setArchive(part: Int) { export["SelectPdfVersion"] = .number(part) }

    var filterOptions: String {
        guard format == "pdf" else { return "" }
        // A link to a neighbour would lead into the cell, which is gone by then.
        let export = export.merging(["ExportLinksRelativeFsys": .boolean(true)]) { told, _ in told }
        return JSON.object(JSONObject(export.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) })).text
    }

    /// What the macro in the profile is told to do with a paper of this kind of name.
    func preparation(suffix: String) -> String {
        var words: [String] = []
        if format == "pdf", export["SinglePageSheets"] == nil, Self.sheets.contains(suffix) {
            words.append("bounds")
        }
        if isLandscape { words.append("landscape") }
        if let showsChanges { words.append(showsChanges ? "changes" : "nochanges") }
        if updatesIndexes { words.append("indexes") }
        return words.isEmpty ? "" : "macro:///Standard.Quire.Prepare(\"\(words.joined(separator: " "))\")"
    }

    /// Workbooks whose sheets are printed whole when nothing is said of them. In OpenDocument a sheet may be one that
    /// is not to be printed at all, which nobody can ask LibreOffice about.
    private static let sheets: Set = ["xlsx", "xlsm", "xltx", "xltm", "xlsb", "xls", "xlt"]
}
