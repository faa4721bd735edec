public import Bytes
import PDF
public import PDFForms
import Tables
public import Work

/// What was written into many forms, side by side: a row for each form, a column for each field that any of them has.
///
///     var harvest = Harvest()
///     let reader = HarvestReader()
///     for file in files { for form in try reader.forms(in: file.bytes, named: file.name) { harvest.add(form) } }
///     let bytes = try harvest.table(.csv, modified: now)
public struct Harvest: Sendable, Equatable {
    public struct Form: Sendable, Equatable {
        public var file: String
        /// In the order of the form.
        public var entries: [FormData.Entry]

        public init(file: String, entries: [FormData.Entry]) {
            self.file = file
            self.entries = entries
        }

        /// What stands in each field, as a cell of a table says it.
        public var texts: [String: String] {
            Dictionary(
                entries.map { ($0.name, $0.values.joined(separator: "; ")) },
                uniquingKeysWith: { first, _ in first })
        }

        public var data: FormData { FormData(form: file, entries: entries) }

        public var json: JSON {
            .object(JSONObject([("file", .string(file))] + data.json.objectMembers.filter { $0.0 != "file" }))
        }
    }

    /// What is to be said of a form without entries, which is a row of nothing.
    public static let noFields =
        "It has no fields: it was flattened, printed or scanned, so nothing can be read out of it."

    public enum Format: String, Sendable, CaseIterable {
        case csv, xlsx, json, fdf, xfdf

        /// One file holds all forms; form data of other programs hold one each.
        public var isTable: Bool { self != .fdf && self != .xfdf }

        public var mediaType: String {
            switch self {
            case .csv: "text/csv; charset=utf-8"
            case .xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
            case .json: "application/json"
            case .fdf: "application/vnd.fdf"
            case .xfdf: "application/vnd.adobe.xfdf"
            }
        }
    }

    /// A column besides those of the fields, behind that of the files' names.
    public struct Column: Sendable, Equatable {
        public var name: String
        public var texts: [String]

        public init(name: String, texts: [String]) {
            self.name = name
            self.texts = texts
        }
    }

    public private(set) var names: [String] = []
    public private(set) var forms: [Form] = []
    private var known: Set<String> = []

    public init() {}

    public mutating func add(_ form: Form) {
        for entry in form.entries where known.insert(entry.name).inserted { names.append(entry.name) }
        forms.append(form)
    }

    /// A row for each form. What somebody wrote never becomes a formula in somebody else's spreadsheet.
    public func table(_ format: Format, and more: [Column] = [], modified: Moment) throws -> [UInt8] {
        if format == .json { return Array((JSON.array(forms.map(\.json)).text + "\n").utf8) }
        let columns = ["file"] + more.map(\.name) + names
        func rows(_ add: ([Cell]) throws -> Void) throws {
            for (place, form) in forms.enumerated() {
                let texts = form.texts
                let besides = more.map { $0.texts.indices.contains(place) ? $0.texts[place] : "" }
                try add(([form.file] + besides + names.map { texts[$0] ?? "" }).map { Cell($0) })
            }
        }
        let output = Output()
        if format == .xlsx {
            try TableWriter.xlsx(
                columns: columns, sheet: "Answers", modified: modified, to: { output.bytes += $0 }, rows: rows
            )
        } else {
            try TableWriter.csv(columns: columns, hasMark: false, to: { output.bytes += $0 }, rows: rows)
        }
        return output.bytes
    }

    private final class Output {
        var bytes: [UInt8] = []
    }
}

extension Harvest.Form {
    /// One form as form data of another program.
    public func exchanged(_ format: Harvest.Format) -> [UInt8] {
        format == .fdf ? data.fdf : Array(data.xfdf.utf8)
    }

    /// The file's name with the ending of that format.
    public func name(as format: Harvest.Format) -> String {
        let name = file.split(separator: "/").last.map(String.init) ?? "form"
        let ending = [".pdf", ".fdf", ".xfdf", ".json"].first { name.lowercased().hasSuffix($0) } ?? ""
        return "\(name.dropLast(ending.count)).\(format.rawValue)"
    }
}

/// Reads filled forms, whatever they came as: PDF, or the form data that other programs exchange. Thousands of copies of one
/// form are read by the same reader, which keeps what they have in common. One thread at a time.
public final class HarvestReader {
    private let shelf = SoundFile.Shelf()

    public init() {}

    /// Form data in JSON may hold several forms; all else holds one.
    public func forms(
        in bytes: [UInt8], named file: String, password: String? = nil
    ) throws -> [Harvest.Form] {
        if let data = try FormData(recognising: bytes) {
            return [.init(file: file, entries: Self.tidy(data.entries))]
        }
        let first = bytes.first { $0 > 32 && ![0xEF, 0xBB, 0xBF].contains($0) }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            return try Self.forms(in: JSON(parsing: bytes), named: file)
        }
        let fields = try FormFields(bytes: bytes, password: password, shelf: shelf).fields
        return [.init(file: file, entries: Self.entries(of: fields))]
    }

    public func forms(at path: String, named file: String, password: String? = nil) throws -> [Harvest.Form] {
        try forms(in: PDFFile.read(path), named: file, password: password)
    }

    private static func entries(of fields: [Field]) -> [FormData.Entry] {
        var entries: [FormData.Entry] = []
        var known: [String: Int] = [:]
        for field in fields
        where ![.pushButton, .signature, .unknown].contains(field.kind) && !field.name.isEmpty {
            // Off is no answer.
            let values = field.isBox && field.value == ["Off"] ? [] : field.value
            if let index = known[field.name] {
                if entries[index].values.isEmpty { entries[index].values = values }
            } else {
                known[field.name] = entries.count
                entries.append(.init(name: field.name, values: values, isState: field.isBox))
            }
        }
        return tidy(entries)
    }

    /// Line ends are those of tables, and boxes that are not ticked say nothing.
    private static func tidy(_ entries: [FormData.Entry]) -> [FormData.Entry] {
        entries.map { entry in
            guard entry.values != ["Off"] else {
                return .init(name: entry.name, values: [], isState: entry.isState)
            }
            guard entry.values.contains(where: { $0.utf8.contains(13) }) else { return entry }
            return .init(
                name: entry.name,
                values: entry.values.map { $0.replacing("\r\n", with: "\n").replacing("\r", with: "\n") },
                isState: entry.isState)
        }
    }

    /// An object, or several in an array, as harvesting writes them.
    private static func forms(in json: JSON, named file: String) throws -> [Harvest.Form] {
        try (json.array ?? [json]).map { item in
            guard let members = item.object else { throw FormDataError("a form in JSON is an object") }
            var form = Harvest.Form(file: item["file"]?.string ?? file, entries: [])
            for (name, value) in members where name != "file" {
                let values: [String]
                switch value {
                case .array(let items): values = items.compactMap(text)
                case .null: values = []
                case .object: continue
                default: values = [text(value) ?? ""]
                }
                form.entries.append(.init(name: name, values: values == [""] ? [] : values))
            }
            form.entries = tidy(form.entries)
            return form
        }
    }

    private static func text(_ value: JSON) -> String? {
        switch value {
        case .string(let text): text
        case .null, .array, .object: nil
        default: value.text
        }
    }
}

extension JSON {
    fileprivate var objectMembers: [(String, JSON)] { (object ?? [:]).map { ($0.key, $0.value) } }
}
