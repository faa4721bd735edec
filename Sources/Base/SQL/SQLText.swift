/// Reads SQL just closely enough to tell words from strings and comments, so that table definitions written
/// once can be spelled for either database.
package struct SQLText {
    package enum Piece: Equatable {
        case word(String)
        case other(String)
    }

    /// Words are letters, digits and `_`; strings, quoted names, comments, blanks and signs are `other`, each
    /// sign by itself. Joined again they give the text back.
    package static func pieces(_ text: String) -> [Piece] {
        var pieces: [Piece] = []
        let bytes = Array(text.utf8)
        var start = 0
        while start < bytes.count {
            let end = pieceEnd(bytes, start)
            let piece = String(decoding: bytes[start..<end], as: UTF8.self)
            pieces.append(isWord(bytes[start]) ? .word(piece) : .other(piece))
            start = end
        }
        return pieces
    }

    private static func pieceEnd(_ bytes: [UInt8], _ start: Int) -> Int {
        let first = bytes[start]
        let second = start + 1 < bytes.count ? bytes[start + 1] : 0
        var end = start + 1
        switch first {
        case UInt8(ascii: "'"), UInt8(ascii: "\""):
            // A doubled quote ends one string and begins the next; together they are copied unchanged.
            while end < bytes.count, bytes[end] != first { end += 1 }
            return min(end + 1, bytes.count)
        case UInt8(ascii: "-") where second == UInt8(ascii: "-"):
            while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
            return end
        case UInt8(ascii: "/") where second == UInt8(ascii: "*"):
            end += 1
            while end < bytes.count,
                !(bytes[end] == UInt8(ascii: "*") && at(bytes, end + 1) == UInt8(ascii: "/"))
            {
                end += 1
            }
            return min(end + 2, bytes.count)
        case _ where isWord(first):
            while end < bytes.count, isWord(bytes[end]) { end += 1 }
            return end
        case _ where isBlank(first):
            while end < bytes.count, isBlank(bytes[end]) { end += 1 }
            return end
        default:
            return end
        }
    }

    private static func at(_ bytes: [UInt8], _ place: Int) -> UInt8 { place < bytes.count ? bytes[place] : 0 }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (9...13).contains(byte)
    }
}

extension SQLText.Piece {
    var text: String {
        switch self {
        case .word(let text), .other(let text): text
        }
    }

    var upper: String? {
        if case .word(let text) = self { text.uppercased() } else { nil }
    }

    var isSilent: Bool {
        guard case .other(let text) = self else { return false }
        return text.utf8.first.map { $0 <= 32 } ?? true || text.hasPrefix("--") || text.hasPrefix("/*")
    }
}

extension SQLText {
    /// The statements of a script, without their semicolons. The body of a trigger stays in one piece.
    package static func statements(_ script: String) -> [String] {
        var statements: [[Piece]] = [[]]
        var isTrigger = false
        for piece in pieces(script) {
            let current = statements[statements.count - 1]
            if piece == .other(";") {
                let words = current.filter { !$0.isSilent }
                if !isTrigger || words.last?.upper == "END" {
                    statements.append([])
                    isTrigger = false
                    continue
                }
            } else if piece.upper == "TRIGGER" {
                isTrigger = isTrigger || leadingWords(current).first == "CREATE"
            }
            statements[statements.count - 1].append(piece)
        }
        return statements.filter { !$0.allSatisfy(\.isSilent) }.map { $0.map(\.text).joined() }
    }

    private static func leadingWords(_ pieces: [Piece]) -> [String] {
        Array(pieces.lazy.filter { !$0.isSilent }.prefix { $0.upper != nil }.compactMap(\.upper).prefix(6))
    }

    /// A statement of the portable subset as the given database spells it.
    package static func spelled(_ statement: String, for kind: Database.Kind) -> String {
        let parts = pieces(statement)
        let words = leadingWords(parts)
        guard words.first == "CREATE" || words.first == "ALTER", words.contains("TABLE"),
            !words.contains("VIRTUAL")
        else { return statement }
        return switch kind {
        case .sqlite: strict(parts, isCreation: words.first == "CREATE")
        case .postgres: translated(parts)
        }
    }

    private static func strict(_ parts: [Piece], isCreation: Bool) -> String {
        let text = parts.map(\.text).joined()
        guard isCreation, let close = parts.lastIndex(of: .other(")")) else { return text }
        let options = parts[(close + 1)...].compactMap(\.upper)
        if options.contains("STRICT") { return text }
        let head = parts[...close].map(\.text).joined()
        return options.isEmpty ? head + " STRICT" : text + ", STRICT"
    }

    private static func translated(_ parts: [Piece]) -> String {
        let isCreation = leadingWords(parts).first == "CREATE"
        // What follows the column list (STRICT, WITHOUT ROWID) is SQLite's alone.
        let end = isCreation ? parts.lastIndex(of: .other(")")).map { $0 + 1 } ?? parts.count : parts.count
        let loud = parts[..<end].indices.filter { !parts[$0].isSilent }
        var spelled = parts[..<end].map(\.text)
        for (rank, place) in loud.enumerated() {
            func neighbour(_ offset: Int) -> Piece? {
                loud.indices.contains(rank + offset) ? parts[loud[rank + offset]] : nil
            }
            let before = neighbour(-1)
            // `(name TYPE`, `, name TYPE`, `ADD COLUMN name TYPE` and `CAST(x AS TYPE)`: anywhere else
            // these words are names.
            let isCast = before?.upper == "AS"
            let startsColumn =
                switch neighbour(-2) {
                case .other("("), .other(","): true
                case let piece: piece?.upper == "COLUMN" || piece?.upper == "ADD"
                }
            let followsName = before?.upper != "COLUMN" && before != .other("(") && before != .other(",")
            guard isCast || (startsColumn && followsName) else { continue }
            switch parts[place].upper {
            case "INTEGER" where neighbour(1)?.upper == "PRIMARY" && neighbour(2)?.upper == "KEY":
                spelled[place] = "BIGINT GENERATED BY DEFAULT AS IDENTITY"
                if neighbour(3)?.upper == "AUTOINCREMENT" { spelled[loud[rank + 3]] = "" }
            case "INTEGER": spelled[place] = "BIGINT"
            case "REAL": spelled[place] = "DOUBLE PRECISION"
            case "BLOB": spelled[place] = "BYTEA"
            case "TEXT" where !isCast: spelled[place] = "TEXT COLLATE \"C\""
            default: break
            }
        }
        return spelled.joined()
    }
}
