import Bytes
import Browsing
import Conversion
import HTTP
import Kinds
import Work

/// A form's fields and files, read strictly: every mistake is noted, and all are told at once.
final class GotenbergForm {
    struct File {
        var field: String
        var name: String
        var bytes: [UInt8]
    }

    private let fields: Fields
    let files: [File]
    private(set) var problems: [String] = []

    init(_ fields: Fields, files: [File]) {
        self.fields = fields
        self.files = files
    }

    func text(_ name: String) -> String? {
        guard let value = fields.first(name), !value.isEmpty else { return nil }
        return value
    }

    func needed(_ name: String) -> String {
        if let text = text(name) { return text }
        problems.append("form field '\(name)' is required")
        return ""
    }

    func flag(_ name: String, _ usual: Bool = false) -> Bool {
        guard let text = text(name) else { return usual }
        switch text.lowercased() {
        case "true", "1", "t": return true
        case "false", "0", "f": return false
        default:
            wrong(name, text, "it is neither true nor false")
            return usual
        }
    }

    func number(_ name: String, _ usual: Double, _ range: ClosedRange<Double> = -1e9...1e9) -> Double {
        guard let text = text(name) else { return usual }
        guard let value = Double(text), range.contains(value) else {
            wrong(name, text, "it is no number that fits")
            return usual
        }
        return value
    }

    func integer(_ name: String, _ usual: Int?, _ range: ClosedRange<Int> = 0...1_000_000) -> Int? {
        guard let text = text(name) else { return usual }
        guard let value = Int(text), range.contains(value) else {
            wrong(name, text, "it is no whole number that fits")
            return usual
        }
        return value
    }

    /// In inches; `8.5`, `8.5in`, `210mm`, `21cm`, `612pt`, `816px`, `51pc`.
    func inches(_ name: String, _ usual: Double) -> Double {
        guard let text = text(name) else { return usual }
        let units = [
            ("in", 1.0), ("mm", 1 / 25.4), ("cm", 1 / 2.54), ("pt", 1.0 / 72), ("px", 1.0 / 96),
            ("pc", 1.0 / 6),
        ]
        let unit = units.first { text.hasSuffix($0.0) }
        guard let value = Double(unit.map { String(text.dropLast($0.0.count)) } ?? text), value >= 0 else {
            wrong(name, text, "it is no length")
            return usual
        }
        return value * (unit?.1 ?? 1)
    }

    /// `1s`, `500ms`, `1m30s`, `2.5s`
    func duration(_ name: String) -> Duration? {
        guard let text = text(name) else { return nil }
        guard let duration = GotenbergSettings.duration(text) else {
            wrong(name, text, "it is no duration, such as 1s or 500ms")
            return nil
        }
        return min(duration, .seconds(3600))
    }

    func json(_ name: String) -> JSON? {
        guard let text = text(name) else { return nil }
        guard let value = try? JSON(parsing: text) else {
            wrong(name, text, "it is no JSON")
            return nil
        }
        return value
    }

    func object(_ name: String) -> JSONObject? {
        guard let value = json(name) else { return nil }
        guard let object = value.object else {
            wrong(name, value.text, "it is no JSON object")
            return nil
        }
        return object
    }

    func statuses(_ name: String, _ usual: [Int]) -> [Int] {
        guard let value = json(name) else { return usual }
        guard let list = value.array?.compactMap(\.int), list.allSatisfy({ (100...599).contains($0) }) else {
            wrong(name, value.text, "it is no list of statuses")
            return usual
        }
        return list
    }

    func strings(_ name: String) -> [String] {
        guard let value = json(name) else { return [] }
        guard let list = value.array?.compactMap(\.string) else {
            wrong(name, value.text, "it is no list of words")
            return []
        }
        return list
    }

    /// Those that are to be worked on: not those that are carried inside, or drawn on others.
    var papers: [File] {
        let drawn = ["watermark", "stamp"].filter { text($0 + "Source") != "text" }
            .compactMap { text($0 + "Expression") }
        return files.filter { file in
            !["embeds", "watermark", "stamp", "facturxXml"].contains(file.field) && !drawn.contains(file.name)
        }
    }

    func file(_ name: String) -> File? { files.first { $0.name == name } }

    /// Files with one of these endings, in the order of their names, numbers as numbers.
    func files(endings: Set<String>) -> [File] {
        papers.filter { endings.contains(PaperKind.ending(of: $0.name)) }
            .sorted { PaperNames.areInOrder($0.name, $1.name) }
    }

    func pdfs() -> [Paper] {
        let found = files(endings: ["pdf"])
        if found.isEmpty { problems.append("no form file found for extensions: [.pdf]") }
        return found.map { Paper(name: $0.name, kind: .pdf, bytes: $0.bytes) }
    }

    func wrong(_ name: String, _ value: String, _ why: String) {
        problems.append("form field '\(name)' is invalid (got '\(value.prefix(200))': \(why))")
    }

    func missing(_ what: String) { problems.append(what) }

    /// To be called when everything has been read, before anything is done.
    func check() throws {
        guard problems.isEmpty else {
            throw GotenbergProblem(400, "Invalid form data: " + problems.joined(separator: "; "))
        }
    }
}
