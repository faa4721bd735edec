public import Formulas

/// Which column, text or formula fills which field: a readable text that people edit and programs change, with its
/// comments and its order kept.
///
///     # Consent form, school list
///     name = {Class}/{Template}_{Full name}_{id}
///     locale = en-US
///
///     [fields]
///     child name = {First name} & " " & {Last name}
///     # 3 of 3: the last digits
///     ssn3 = slice(digits({SSN}), 6, 9)
///     guardian =
///
///     [table teachers]
///     5a = Ms Ito
///
///     [values consent]
///     J = yes
///
/// docs/formats/mappings.md describes it.
public struct Mapping: Sendable, Equatable {
    /// One field and what fills it.
    public struct Entry: Sendable, Equatable {
        public var field: String
        public var source: Source
        /// The line of the text that was read, from 1; 0 where none was.
        public var line: Int
    }

    /// What may stand before the fields.
    public enum Setting: String, Sendable, CaseIterable {
        /// What the documents are called; see `NamePattern`.
        case name
        /// How numbers and dates are read and written; see `FormulaLocale`.
        case locale
        /// What an empty cell does to its field: `clear` (what stands in the form goes) or `keep`.
        case blank
        /// A formula: only rows for which it says yes are used.
        case only
        /// A formula for the password of each document.
        case password
        /// `yes` makes the fields part of the page.
        case flatten
        /// What becomes of fields that are not named: `suggest` (what is certain is filled in) or `keep`.
        case others
    }

    enum Line: Sendable, Equatable {
        /// A comment or nothing, as it stands there.
        case words(String)
        case setting(Setting, String, raw: String)
        case fields(raw: String)
        case entry(String, Source, raw: String)
        case table(String, raw: String)
        case row(table: String, key: String, value: String, raw: String)
        case values(String, raw: String)
        case word(field: String, word: String, Answer, raw: String)

        var raw: String {
            switch self {
            case .words(let raw), .setting(_, _, let raw), .fields(let raw), .entry(_, _, let raw),
                .table(_, let raw), .row(_, _, _, let raw), .values(_, let raw), .word(_, _, _, let raw):
                raw
            }
        }
    }

    var lines: [Line] = []
    /// Somebody has written it, and knows its lines.
    var isRead = false

    public init() {}

    public static func == (one: Mapping, other: Mapping) -> Bool { one.lines == other.lines }

    /// The file, exactly as it was read but for what has been changed since.
    public var text: String {
        lines.isEmpty ? "" : lines.map(\.raw).joined(separator: "\n") + "\n"
    }

    public var entries: [Entry] {
        var number = 1
        return lines.compactMap { line in
            defer { number += 1 + line.raw.count { $0.isNewline } }
            guard case .entry(let field, let source, _) = line else { return nil }
            return Entry(field: field, source: source, line: isRead ? number : 0)
        }
    }

    /// What fills the field; nil when the mapping does not speak of it. Setting keeps everything else as it stands,
    /// comments included.
    public subscript(field: String) -> Source? {
        get {
            for case .entry(let name, let source, _) in lines where name == field { return source }
            return nil
        }
        set {
            let place = lines.firstIndex { if case .entry(field, _, _) = $0 { true } else { false } }
            guard let newValue else {
                if let place { lines.remove(at: place) }
                return
            }
            if let place {
                if case .entry(_, newValue, _) = lines[place] { return }
                lines[place] = MappingText.entry(field, newValue)
            } else {
                insert(MappingText.entry(field, newValue))
            }
        }
    }

    public subscript(setting: Setting) -> String? {
        get {
            for case .setting(setting, let value, _) in lines { return value }
            return nil
        }
        set {
            let place = lines.firstIndex { if case .setting(setting, _, _) = $0 { true } else { false } }
            guard let newValue else {
                if let place { lines.remove(at: place) }
                return
            }
            let line = MappingText.setting(setting, newValue)
            if let place {
                lines[place] = line
            } else {
                lines.insert(line, at: endOfSettings)
            }
        }
    }

    /// True when empty cells leave in the field what the form has in it.
    public var keepsWhatIsThere: Bool { self[.blank]?.lowercased() == "keep" }

    /// True when fields that are not named stay as they are in the form.
    public var keepsOthers: Bool { self[.others]?.lowercased() == "keep" }

    public var locale: FormulaLocale { ownLocale ?? .standard }

    /// The one it names itself; nil when it leaves that to whoever fills with it.
    public var ownLocale: FormulaLocale? { self[.locale].flatMap { FormulaLocale($0) } }

    /// The small tables that `lookup` asks.
    public var tables: [FormulaTable] {
        var names: [String] = []
        var entries: [String: [FormulaTable.Entry]] = [:]
        for line in lines {
            switch line {
            case .table(let name, _): if !names.contains(name) { names.append(name) }
            case .row(let table, let key, let value, _):
                entries[table, default: []].append(FormulaTable.Entry(key: key, value: value))
            case .words, .setting, .fields, .entry, .values, .word: break
            }
        }
        return names.map { FormulaTable(name: $0, entries: entries[$0] ?? []) }
    }

    /// A comment above the field's line, in place of the comments that stand there.
    public mutating func setComment(_ comment: [String], above field: String) {
        guard
            let place = lines.firstIndex(where: { if case .entry(field, _, _) = $0 { true } else { false } })
        else { return }
        var first = place
        while first > 0, case .words(let raw) = lines[first - 1], raw.hasPrefix("#") { first -= 1 }
        lines.replaceSubrange(first..<place, with: comment.map { .words("# \(Self.oneLine($0))") })
    }

    static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    private mutating func insert(_ entry: Line) {
        // Behind the last field, or behind a heading of its own.
        if let last = lines.lastIndex(where: { if case .entry = $0 { true } else { false } })
            ?? lines.lastIndex(where: { if case .fields = $0 { true } else { false } })
        {
            lines.insert(entry, at: last + 1)
            return
        }
        let place =
            lines.firstIndex {
                switch $0 {
                case .table, .values: true
                default: false
                }
            } ?? lines.count
        var added: [Line] = [.fields(raw: "[fields]"), entry]
        if place > 0, lines[place - 1].raw != "" { added.insert(.words(""), at: 0) }
        if place < lines.count { added.append(.words("")) }
        lines.insert(contentsOf: added, at: place)
    }

    private var endOfSettings: Int {
        if let last = lines.lastIndex(where: { if case .setting = $0 { true } else { false } }) {
            return last + 1
        }
        // Behind the words at the very beginning, before the first heading.
        let heading =
            lines.firstIndex {
                switch $0 {
                case .fields, .table, .entry, .values: true
                case .words, .setting, .row, .word: false
                }
            } ?? lines.count
        return lines[..<heading].firstIndex { $0.raw.isEmpty } ?? heading
    }
}
