import Formulas

extension Mapping {
    private static let mostBytes = 4 << 20
    private static let mostLines = 50_000

    /// Reads a mapping file. Formulas are only looked at by `check`, so that a file with a mistake can still be mended
    /// where it is shown.
    public init(parsing text: String) throws(MappingProblem) {
        guard text.utf8.count <= Self.mostBytes else {
            throw MappingProblem("The mapping is larger than 4 MB.")
        }
        var reader = MappingText()
        var number = 0
        var raws = text.split(omittingEmptySubsequences: false) { $0.isNewline }.map(String.init)
        if raws.last == "" { raws.removeLast() }
        guard raws.count <= Self.mostLines else { throw MappingProblem("The mapping has too many lines.") }
        if raws.first?.unicodeScalars.first == "\u{FEFF}" {
            raws[0] = String(raws[0].unicodeScalars.dropFirst())
        }
        isRead = true
        while number < raws.count {
            let start = number
            var raw = raws[number]
            number += 1
            // What goes on below is moved in.
            if !raw.hasPrefix("#"), !raw.trimmed.isEmpty {
                while number < raws.count, raws[number].first == " " || raws[number].first == "\t",
                    !raws[number].trimmed.isEmpty
                {
                    raw += "\n" + raws[number]
                    number += 1
                }
            }
            lines.append(try reader.line(raw, start + 1))
        }
    }
}

/// Lines of a mapping file, read and written.
struct MappingText {
    private enum Part: Equatable { case settings, fields, table(String), values(String) }
    private var part = Part.settings

    mutating func line(_ raw: String, _ number: Int) throws(MappingProblem) -> Mapping.Line {
        let trimmed = raw.trimmed
        if trimmed.isEmpty || trimmed.hasPrefix("#") { return .words(raw) }
        let isQuoted = trimmed.hasPrefix("[values \"") && trimmed.hasSuffix("\"]")
        if trimmed.hasPrefix("["), trimmed.hasSuffix("]"), isQuoted || !trimmed.contains("=") {
            return try heading(trimmed, raw, number)
        }
        guard let (key, value) = Self.sides(trimmed) else {
            throw MappingProblem(
                "“\(Self.short(trimmed))” has no equals sign.", line: number,
                hint: "A line is written: field = {Column}. Comments begin with #.")
        }
        guard !key.isEmpty else {
            throw MappingProblem("Nothing stands before the equals sign.", line: number)
        }
        switch part {
        case .settings: return try setting(key, value, raw, number)
        case .fields: return .entry(key, Mapping.Source(value), raw: raw)
        case .table(let name):
            return .row(table: name, key: key, value: Quoted.read(value) ?? value, raw: raw)
        case .values(let field): return .word(field: field, word: key, Mapping.Answer(value), raw: raw)
        }
    }

    private mutating func heading(
        _ trimmed: String, _ raw: String, _ number: Int
    ) throws(MappingProblem) -> Mapping.Line {
        let words = trimmed.dropFirst().dropLast().split(maxSplits: 1, whereSeparator: \.isWhitespace).map(
            String.init)
        switch (words.first?.lowercased(), words.count) {
        case ("fields", 1):
            part = .fields
            return .fields(raw: raw)
        case ("table", 2):
            part = .table(words[1].trimmed)
            return .table(words[1].trimmed, raw: raw)
        case ("values", 2):
            let field = Quoted.read(words[1].trimmed) ?? words[1].trimmed
            part = .values(field)
            return .values(field, raw: raw)
        default:
            throw MappingProblem(
                "“\(Self.short(trimmed))” is no heading.", line: number,
                hint: "There are [fields], [table NAME] and [values FIELD].")
        }
    }

    private func setting(
        _ key: String, _ value: String, _ raw: String, _ number: Int
    ) throws(MappingProblem) -> Mapping.Line {
        guard let setting = Mapping.Setting(rawValue: key.lowercased()) else {
            let names = Mapping.Setting.allCases.map(\.rawValue)
            let near = Nearest.word(to: key, among: names)
            throw MappingProblem(
                "There is no setting “\(Self.short(key))”.", line: number,
                hint: near.map { "Did you mean “\($0)”?" }
                    ?? "Fields stand below the line [fields]; settings are \(names.joined(separator: ", ")).")
        }
        return .setting(setting, value, raw: raw)
    }

    /// What stands on both sides of the first equals sign outside of quotation marks.
    static func sides(_ line: String) -> (key: String, value: String)? {
        if line.first == "\"" {
            guard let (key, rest) = Quoted.readBeginning(line[...]) else { return nil }
            let behind = String(rest).trimmed
            guard behind.first == "=" else { return nil }
            return (key, String(behind.dropFirst()).trimmed)
        }
        guard let sign = line.firstIndex(of: "=") else { return nil }
        let value = line[line.index(after: sign)...].split { $0.isNewline }.map { String($0).trimmed }
        return (String(line[..<sign]).trimmed, value.joined(separator: "\n"))
    }

    static func entry(_ field: String, _ source: Mapping.Source) -> Mapping.Line {
        let value = source.text.split { $0.isNewline }.joined(separator: "\n    ")
        return .entry(field, source, raw: value.isEmpty ? "\(key(field)) =" : "\(key(field)) = \(value)")
    }

    static func word(_ word: String, _ answer: Mapping.Answer, of field: String) -> Mapping.Line {
        let text = answer.text
        return .word(
            field: field, word: word, answer, raw: text.isEmpty ? "\(key(word)) =" : "\(key(word)) = \(text)")
    }

    /// A field's name behind the word of a heading.
    static func heading(_ field: String) -> String {
        let isPlain =
            !field.isEmpty && field.trimmed == field && field.first != "\""
            && !field.contains { "=]".contains($0) || $0.isNewline || $0 == "\t" }
        return isPlain ? field : Quoted.write(field)
    }

    static func setting(_ setting: Mapping.Setting, _ value: String) -> Mapping.Line {
        let value = value.split { $0.isNewline }.joined(separator: " ")
        return .setting(setting, value, raw: "\(setting.rawValue) = \(value)")
    }

    /// Names that would be misread stand in quotation marks.
    static func key(_ name: String) -> String {
        let isPlain =
            !name.isEmpty && name.trimmed == name
            && !name.contains { $0 == "=" || $0.isNewline || $0 == "\t" }
            && !"#[\"".contains(name.first ?? "#")
        return isPlain ? name : Quoted.write(name)
    }

    static func short(_ text: String) -> String { text.count > 60 ? text.prefix(59) + "…" : text }
}
