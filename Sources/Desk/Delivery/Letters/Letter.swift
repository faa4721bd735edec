import Markup

/// What to write to many people: a subject and a body with places for each person's own words.
///
///     Subject: Consent form for {{child}}
///     Dear {{first_name|family}}, …
///
/// A place is a name in double braces, with what to say when the person has nothing there after a bar.
public struct Letter: Sendable, Equatable {
    public enum Form: String, Sendable, CaseIterable {
        /// Sent as it is.
        case plain
        /// Sent as text with its marks, and as a page without them.
        case markdown
    }

    public var subject: String
    public var body: String
    public var form: Form

    public init(subject: String, body: String, form: Form = .markdown) {
        self.subject = subject
        self.body = body
        self.form = form
    }

    /// A letter with one person's words in it.
    public struct Written: Sendable, Equatable {
        public var subject: String
        public var text: String
        public var html: String?
        /// Places that nobody knows; they stand in the letter as they were typed.
        public var unknown: [String]
        /// Places for which this person has nothing.
        public var empty: [String]
    }

    public func written(with words: LetterWords) -> Written {
        var unknown: [String] = []
        var empty: [String] = []
        func fill(_ text: String, _ shape: (String) -> String) -> String {
            var output = ""
            for piece in LetterPiece.pieces(of: text) {
                switch piece {
                case .text(let text): output += text
                case .place(let name, let otherwise, let typed):
                    guard let value = words[name] else {
                        if !unknown.contains(name) { unknown.append(name) }
                        output += typed
                        continue
                    }
                    if value.isEmpty, otherwise == nil, !empty.contains(name) { empty.append(name) }
                    output += shape(value.isEmpty ? otherwise ?? "" : value)
                }
            }
            return output
        }
        let subject = fill(subject) { $0.onOneLine }
        let text = fill(body) { $0 }
        // Somebody called *Star* is not to be set in italics: what people bring is never taken for marks.
        let html = form == .markdown ? Markdown.html(fill(body, Self.unmarked)).text : nil
        return Written(subject: subject.onOneLine, text: text, html: html, unknown: unknown, empty: empty)
    }

    /// All places in it, each once.
    public var places: [String] {
        var names: [String] = []
        for text in [subject, body] {
            for case .place(let name, _, _) in LetterPiece.pieces(of: text) where !names.contains(name) {
                names.append(name)
            }
        }
        return names
    }

    private static func unmarked(_ value: String) -> String {
        var output = ""
        for character in value {
            if "\\`*_[]()#>+-.!<~".contains(character) { output += "\\" }
            output.append(character)
        }
        return output
    }
}

/// The words that a person, the sender and the day bring to a letter.
///
/// Every column is known by its name in small letters with underscores: `Last name` is `{{last_name}}`.
public struct LetterWords: Sendable, Equatable {
    private var values: [String: String] = [:]
    public private(set) var names: [String] = []

    public init() {}

    public init(columns: [(name: String, value: String)]) {
        for column in columns { add(column.name, column.value) }
    }

    /// Columns of one name get numbers: `phone`, `phone_2`.
    public mutating func add(_ column: String, _ value: String) {
        let base = Self.key(column)
        var key = base
        var number = 2
        while values[key] != nil {
            key = "\(base)_\(number)"
            number += 1
        }
        values[key] = value
        names.append(key)
    }

    /// Sets what the system knows; it goes before a column of the same name.
    public mutating func set(_ key: String, _ value: String) {
        if values.updateValue(value, forKey: key) == nil { names.append(key) }
    }

    subscript(name: String) -> String? { values[name] ?? values[Self.key(name)] }

    /// `Prénom de l’élève` is `prenom_de_l_eleve`.
    public static func key(_ column: String) -> String {
        var output = ""
        for character in column.lowercased() {
            guard character.isLetter || character.isNumber else {
                if !output.isEmpty, output.last != "_" { output += "_" }
                continue
            }
            // The letter without its accent, where it has one.
            output += character.withoutAccents
        }
        while output.last == "_" { output.removeLast() }
        return output.isEmpty ? "column" : output
    }
}

/// A text taken apart at its places.
enum LetterPiece: Equatable {
    case text(String)
    case place(name: String, otherwise: String?, typed: String)

    static func pieces(of text: String) -> [LetterPiece] {
        var pieces: [LetterPiece] = []
        var rest = text[...]
        while let open = rest.firstRange(of: "{{") {
            let inside = rest[open.upperBound...]
            guard let close = inside.firstRange(of: "}}") else { break }
            let content = inside[..<close.lowerBound]
            let typed = String(rest[open.lowerBound..<close.upperBound])
            pieces.append(.text(String(rest[..<open.lowerBound])))
            let parts = content.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
            let name = parts[0].trimmingSpaces
            if name.isEmpty || content.contains("{") || content.contains(where: \.isNewline) {
                pieces.append(.text(typed))
            } else {
                pieces.append(
                    .place(
                        name: name, otherwise: parts.count > 1 ? parts[1].trimmingSpaces : nil, typed: typed))
            }
            rest = rest[close.upperBound...]
        }
        pieces.append(.text(String(rest)))
        return pieces.filter { $0 != .text("") }
    }
}

extension Character {
    /// `é` is `e` and `ø` is `o`, told by the letter's own name; letters of other scripts stay.
    fileprivate var withoutAccents: String {
        var output = ""
        for scalar in unicodeScalars where scalar.properties.generalCategory != .nonspacingMark {
            let prefix = "LATIN SMALL LETTER "
            if !scalar.isASCII, let name = scalar.properties.name, name.hasPrefix(prefix),
                let end = name.firstRange(of: " WITH ")
            {
                output += name[..<end.lowerBound].dropFirst(prefix.count).lowercased()
            } else {
                output.unicodeScalars.append(scalar)
            }
        }
        return output
    }
}

extension StringProtocol {
    var trimmingSpaces: String {
        var text = drop { $0.isWhitespace }
        while text.last?.isWhitespace ?? false { text = text.dropLast() }
        return String(text)
    }

    /// A subject is one line, whatever a cell holds.
    var onOneLine: String {
        var output = ""
        for scalar in unicodeScalars {
            let isBreak =
                scalar.value < 0x20 || scalar.value == 0x7F || scalar.value == 0x2028
                || scalar.value == 0x2029
            output.unicodeScalars.append(isBreak ? " " : scalar)
        }
        return output.trimmingSpaces
    }
}
