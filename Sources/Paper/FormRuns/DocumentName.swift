public import PDFForms

/// Names files after what is in their row: `{last name} {first name}` with the table's columns in braces, `{row}`
/// for the number of the row. Whatever the cells hold, the name stays inside its folder.
public struct DocumentName: Sendable {
    private enum Part: Sendable, Equatable {
        case words(String)
        case column(Int)
        case row
    }

    public struct Unknown: Error, Sendable, Equatable, CustomStringConvertible {
        public var column: String
        public init(column: String) { self.column = column }
        public var description: String { "The table has no column “\(column)” to name files by." }
    }

    private var parts: [Part] = []
    private let digits: Int

    /// `count` is how many files there will be, so that numbers are padded alike.
    public init(_ pattern: String, columns: [String], count: Int) throws(Unknown) {
        digits = max(3, String(count).count)
        var words = ""
        var rest = pattern[...]
        while let character = rest.popFirst() {
            guard character == "{", let end = rest.firstIndex(of: "}") else {
                words.append(character)
                continue
            }
            let name = String(rest[..<end])
            rest = rest[rest.index(after: end)...]
            if !words.isEmpty { parts.append(.words(words)) }
            words = ""
            if let index = columns.firstIndex(of: name)
                ?? columns.firstIndex(where: { $0.lowercased() == name.lowercased() })
            {
                parts.append(.column(index))
            } else if name == "row" {
                parts.append(.row)
            } else {
                throw Unknown(column: name)
            }
        }
        if !words.isEmpty { parts.append(.words(words)) }
        if parts.isEmpty { parts = [.row] }
    }

    /// True when two rows cannot have one name: each begins with its number, and all numbers are equally long.
    public var tellsRowsApart: Bool { parts.first == .row }

    /// The name without its extension.
    public func name(row: Int, values: [FieldValue?]) -> String {
        var text = ""
        for part in parts {
            switch part {
            case .words(let words): text += words
            case .row:
                let number = String(row)
                text += String(repeating: "0", count: max(0, digits - number.count)) + number
            case .column(let index):
                switch values.indices.contains(index) ? values[index] : nil {
                case .text(let value): text += value
                case .texts(let values): text += values.joined(separator: " ")
                case .flag(let flag): text += flag ? "yes" : "no"
                case nil: break
                }
            }
        }
        return Self.safe(text, otherwise: String(row))
    }

    /// No separators, no control characters, no leading dots, not longer than file systems allow.
    static func safe(_ text: String, otherwise: String) -> String {
        var safe = ""
        var byteCount = 0
        for character in text {
            let isForbidden = character.unicodeScalars.contains {
                $0.value < 32 || $0.value == 0x7F || "/\\:*?\"<>|".unicodeScalars.contains($0)
                    || (0x202A...0x202E).contains($0.value) || (0x2066...0x2069).contains($0.value)
            }
            let kept: Character =
                isForbidden ? (character.isNewline || character == "\t" ? " " : "-") : character
            byteCount += kept.utf8.count
            // Room is left for a number and the extension within 255 bytes.
            if byteCount > 200 { break }
            safe.append(kept)
        }
        while safe.first == "." || safe.first == " " { safe.removeFirst() }
        while safe.last == "." || safe.last == " " { safe.removeLast() }
        return safe.isEmpty ? otherwise : safe
    }
}
