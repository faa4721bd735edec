public import Bytes
import PDF

/// The values of one form without the form: what FDF and XFDF files carry between programs.
public struct FormData: Sendable, Equatable {
    public struct Entry: Sendable, Equatable {
        /// Fully qualified.
        public var name: String
        /// Several for a list of which several were chosen.
        public var values: [String]
        /// True for a box or a group of buttons: what it holds is the name of a state, and no value means off.
        public var isState = false

        public init(name: String, values: [String], isState: Bool = false) {
            self.name = name
            self.values = values
            self.isState = isState
        }
    }

    /// Where the form lies, as far as the data say.
    public var form: String?
    public var entries: [Entry]

    public static let mostEntries = 200_000
    static let deepest = 60

    public init(form: String? = nil, entries: [Entry]) {
        self.form = form
        self.entries = entries
    }

    /// What is in a form now. Fields without a value come too, empty, so that filling them in empties them.
    public init(_ form: Form, name: String? = nil) {
        self.form = name
        entries = []
        var known: [String: Int] = [:]
        for field in form.fields
        where ![.pushButton, .signature, .unknown].contains(field.kind) && !field.name.isEmpty {
            let values = field.value.map(Self.unified)
            if let index = known[field.name] {
                if entries[index].values.isEmpty { entries[index].values = values }
            } else {
                known[field.name] = entries.count
                entries.append(Entry(name: field.name, values: values, isState: field.isBox))
            }
        }
    }

    /// FDF or XFDF, told apart by how the file begins; nil when it is neither.
    public init?(recognising bytes: [UInt8]) throws(FormDataError) {
        if Self.isFDF(bytes) {
            try self.init(fdf: bytes)
        } else if Self.isXFDF(bytes) {
            try self.init(xfdf: bytes)
        } else {
            return nil
        }
    }

    public static func isFDF(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.drop { $0 <= 32 || [0xEF, 0xBB, 0xBF].contains($0) }.starts(with: Array("%FDF-".utf8))
    }

    public static func isXFDF(_ bytes: some Collection<UInt8>) -> Bool {
        let start = bytes.drop { $0 <= 32 || [0xEF, 0xBB, 0xBF].contains($0) }
        return start.starts(with: Array("<?xml".utf8)) || start.starts(with: Array("<xfdf".utf8))
    }

    /// As JSON data for filling spell it: name to text, or to an array of texts.
    public var json: JSON {
        .object(
            JSONObject(
                entries.map { entry in
                    (
                        entry.name,
                        entry.values.count > 1
                            ? .array(entry.values.map(JSON.string)) : .string(entry.values.first ?? "")
                    )
                }))
    }

    /// Line ends of one kind: files of form data use all three.
    static func unified(_ text: String) -> String {
        text.utf8.contains(13) ? text.replacing("\r\n", with: "\n").replacing("\r", with: "\n") : text
    }

    mutating func add(_ entry: Entry) throws(FormDataError) {
        guard entries.count < Self.mostEntries else {
            throw FormDataError("it has more than \(Self.mostEntries) values")
        }
        entries.append(entry)
    }
}

/// Why form data cannot be read, as the end of a sentence.
public struct FormDataError: Error, Sendable, Equatable, CustomStringConvertible {
    public var reason: String
    public init(_ reason: String) { self.reason = reason }
    public var description: String { "The form data cannot be read: \(reason)." }
}

// MARK: FDF

extension FormData {
    public init(fdf bytes: [UInt8]) throws(FormDataError) {
        let file: FDFFile
        do throws(PDFError) { file = try FDFFile(bytes) } catch { throw FormDataError("\(error)") }
        guard let body = file.resolve(file.resolve(file.trailer["Root"]).dictionary?["FDF"]).dictionary else {
            throw FormDataError("it holds no form data")
        }
        form = Self.path(file.resolve(body["F"]), file)
        entries = []
        try take(file.resolve(body["Fields"]).array ?? [], under: "", file, depth: 0)
    }

    private static func path(_ object: PDFObject, _ file: FDFFile) -> String? {
        object.text ?? object.dictionary.flatMap { file.resolve($0["UF"] ?? $0["F"]).text }
    }

    private mutating func take(
        _ nodes: [PDFObject], under parent: String, _ file: FDFFile, depth: Int
    ) throws(FormDataError) {
        guard depth < Self.deepest else { throw FormDataError("its fields lie too deep") }
        for node in nodes {
            guard let node = file.resolve(node).dictionary else { continue }
            let own = file.resolve(node["T"]).text ?? ""
            let name = parent.isEmpty ? own : own.isEmpty ? parent : "\(parent).\(own)"
            if let value = node["V"], !name.isEmpty {
                let isState = file.resolve(value).name != nil
                try add(Entry(name: name, values: Self.values(value, file), isState: isState))
            }
            if let kids = file.resolve(node["Kids"]).array {
                try take(kids, under: name, file, depth: depth + 1)
            }
        }
    }

    private static func values(_ object: PDFObject, _ file: FDFFile) -> [String] {
        if let bytes = file.stream(object) { return [unified(PDFText.decode(bytes))] }
        switch file.resolve(object) {
        case .string(let bytes): return [unified(PDFText.decode(bytes))]
        case .name(let name): return [name.text]
        case .array(let items):
            return items.compactMap { item in
                let item = file.resolve(item)
                return item.text.map(unified) ?? item.name?.text
            }
        case .integer, .real: return [String(decoding: file.resolve(object).written, as: UTF8.self)]
        default: return []
        }
    }

    /// As an FDF file, names folded into branches as the standard wants them.
    public var fdf: [UInt8] {
        // All of it is plain letters, so that it can go through a pipe as text.
        var out: [UInt8] = Array("%FDF-1.2\n1 0 obj\n".utf8)
        var body: PDFDictionary = [:]
        if let form { body["F"] = .text(form) }
        body["Fields"] = .array(Branch(entries).kids.map(Self.node))
        PDFObject.dictionary(["FDF": .dictionary(body)]).write(into: &out)
        out.append(text: "\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF\n")
        return out
    }

    private static func node(_ branch: Branch) -> PDFObject {
        var node: PDFDictionary = ["T": .text(branch.name)]
        if let values = branch.values {
            node["V"] =
                branch.isState
                ? .name(PDFName(values.first ?? "Off"))
                : values.count == 1
                    ? .text(values[0]) : values.isEmpty ? .string([]) : .array(values.map(PDFObject.text))
        }
        if !branch.kids.isEmpty { node["Kids"] = .array(branch.kids.map(Self.node)) }
        return .dictionary(node)
    }
}

/// Names with dots as a tree.
final class Branch {
    let name: String
    var values: [String]?
    private(set) var isState = false
    private(set) var kids: [Branch] = []
    private var places: [String: Int] = [:]

    private init(name: String) { self.name = name }

    init(_ entries: [FormData.Entry]) {
        name = ""
        for entry in entries {
            var branch = self
            let parts = entry.name.split(separator: ".", omittingEmptySubsequences: false)
            // A name deeper than any form's stays whole at its end.
            for part in parts.prefix(FormData.deepest - 1) { branch = branch.kid(String(part)) }
            let rest = parts.dropFirst(FormData.deepest - 1)
            if !rest.isEmpty { branch = branch.kid(rest.joined(separator: ".")) }
            branch.values = entry.isState && entry.values.allSatisfy(\.isEmpty) ? ["Off"] : entry.values
            branch.isState = entry.isState
        }
    }

    private func kid(_ name: String) -> Branch {
        if let place = places[name] { return kids[place] }
        places[name] = kids.count
        kids.append(Branch(name: name))
        return kids[kids.count - 1]
    }
}
