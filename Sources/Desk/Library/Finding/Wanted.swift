import SQL
import Storage
import Work

/// What somebody types to find papers, understood.
///
///     lease "four rooms" -draft type:pdf by:ada tag:tax folder:2026 after:2026-01-01 pages>3
///
/// Words must all occur, in the name or on a page, each at least as the beginning of a word; a phrase as it stands; what
/// has a minus before it must not occur.
public struct Wanted: Sendable, Equatable {
    /// Words that stand behind each other; the last may go on.
    struct Term: Sendable, Equatable {
        var words: [String]
        var isOpen: Bool

        func stands(in folded: String) -> Bool {
            let sought = " " + words.joined(separator: " ") + (isOpen ? "" : " ")
            return (" " + folded + " ").utf8.firstRange(of: sought.utf8) != nil
        }
    }

    var terms: [Term] = []
    var unwanted: [Term] = []
    var mediaTypes: [String] = []
    var makers: [String] = []
    var tags: [String] = []
    /// Folders by the beginning of a name in their path; those below them count.
    var folders: [String] = []
    var after: Moment?
    var before: Moment?
    var morePagesThan: Int?
    var fewerPagesThan: Int?
    var people: [String] = []
    var values: [Value] = []

    /// What has to be written in a field of the desk.
    struct Value: Equatable {
        enum Relation: String { case equal = ":", over = ">", under = "<" }

        var field: String
        var relation: Relation
        var text: String
    }

    /// Nothing is asked for.
    public var isEmpty: Bool { self == Wanted() }

    /// What is looked for on pages, without what narrows.
    public var plainWords: String { terms.map { $0.words.joined(separator: " ") }.joined(separator: " ") }

    init() {}

    /// Every text asks for something; a filter that makes no sense is a word like any other.
    /// `fields` are the desk's own, folded: only then is `amount>100` more than a word.
    public init(_ text: String, fields: Set<String> = []) {
        for piece in Self.pieces(String(text.prefix(500))).prefix(16) {
            if !piece.isQuoted, !piece.isUnwanted, take(filter: piece.text, fields) { continue }
            let words = Words(piece.text).all.map(\.text)
            guard !words.isEmpty else { continue }
            let term = Term(words: words, isOpen: !piece.isQuoted)
            if piece.isUnwanted { unwanted.append(term) } else { terms.append(term) }
        }
    }

    /// The first filter that makes no sense, with what it takes, for doors where nobody is still typing: `before:soon`.
    public static func misunderstood(in text: String) -> (filter: String, takes: String)? {
        let takes: [(start: String, words: String)] =
            ["after:", "from:", "before:", "until:"].map { ($0, "a day, as in \($0)2026-01-31") }
            + [("pages>", "a number, as in pages>3"), ("pages<", "a number, as in pages<9")]
            + [("type:", "one of \(types.keys.sorted().joined(separator: ", "))")]
        for piece in pieces(String(text.prefix(500))) where !piece.isQuoted && !piece.isUnwanted {
            var wanted = Wanted()
            guard let filter = takes.first(where: { piece.text.lowercased().hasPrefix($0.start) }),
                piece.text.count > filter.start.count, !wanted.take(filter: piece.text, [])
            else { continue }
            return (piece.text, filter.words)
        }
        return nil
    }

    /// Whether all the words stand on one page, which is folded.
    func stands(on page: String) -> Bool { !terms.isEmpty && terms.allSatisfy { $0.stands(in: page) } }

    /// Whether one paper is what is wanted, without asking the index: `pages` are what it says, folded, its label first.
    /// Folders and days are not looked at.
    func fits(_ document: Document, pages: [String], pageCount: Int?) -> Bool {
        func stands(_ term: Term) -> Bool { pages.contains { term.stands(in: $0) } }
        guard terms.allSatisfy(stands), !unwanted.contains(where: stands) else { return false }
        guard mediaTypes.isEmpty || mediaTypes.contains(where: document.blob.mediaType.hasPrefix) else {
            return false
        }
        let worn = Set(document.tags.map(Tag.folded))
        guard tags.allSatisfy({ worn.contains(Tag.folded($0)) }) else { return false }
        let maker = document.addedByName.lowercased()
        guard makers.allSatisfy({ maker.contains($0.lowercased()) }) else { return false }
        if let most = fewerPagesThan { guard let pageCount, pageCount < most else { return false } }
        if let least = morePagesThan { guard let pageCount, pageCount > least else { return false } }
        return true
    }

    private struct Piece {
        var text: String
        var isQuoted: Bool
        var isUnwanted: Bool
    }

    private static func pieces(_ text: String) -> [Piece] {
        var pieces: [Piece] = []
        var rest = Substring(text)
        while let first = rest.first {
            if first.isWhitespace {
                rest = rest.dropFirst()
                continue
            }
            let isUnwanted = first == "-" && rest.dropFirst().first.map { !$0.isWhitespace } == true
            if isUnwanted { rest = rest.dropFirst() }
            if let quote = rest.first, "\"“”„«»".contains(quote) {
                rest = rest.dropFirst()
                let phrase = rest.prefix { !"\"“”„«»".contains($0) }
                rest = rest[phrase.endIndex...].dropFirst()
                pieces.append(Piece(text: String(phrase), isQuoted: true, isUnwanted: isUnwanted))
            } else {
                let word = rest.prefix { !$0.isWhitespace }
                // The value of a filter may be of several words: tag:"open bills".
                if let colon = word.firstIndex(of: ":"), word[word.index(after: colon)...].first == "\"" {
                    let start = word.index(colon, offsetBy: 2)
                    let value = rest[start...].prefix { $0 != "\"" }
                    pieces.append(
                        Piece(text: String(word[...colon]) + value, isQuoted: false, isUnwanted: isUnwanted))
                    rest = rest[value.endIndex...].dropFirst()
                    continue
                }
                rest = rest[word.endIndex...]
                pieces.append(Piece(text: String(word), isQuoted: false, isUnwanted: isUnwanted))
            }
        }
        return pieces
    }

    private mutating func take(filter: String, _ fields: Set<String>) -> Bool {
        if let mark = filter.firstIndex(where: { ":<>".contains($0) }),
            case let field = Tag.folded(String(filter[..<mark])), fields.contains(field),
            case let value = filter[filter.index(after: mark)...], !value.isEmpty,
            let relation = Value.Relation(rawValue: String(filter[mark]))
        {
            values.append(Value(field: field, relation: relation, text: String(value)))
            return true
        }
        for sign in ["pages>", "pages<"] where filter.hasPrefix(sign) {
            guard let count = Int(filter.dropFirst(sign.count)), (0...1_000_000).contains(count) else {
                return false
            }
            if sign.hasSuffix(">") { morePagesThan = count } else { fewerPagesThan = count }
            return true
        }
        guard let colon = filter.firstIndex(of: ":") else { return false }
        let value = String(filter[filter.index(after: colon)...])
        guard !value.isEmpty else { return false }
        switch filter[..<colon].lowercased() {
        case "type":
            guard let starts = Self.types[value.lowercased()] else { return false }
            mediaTypes += starts
        case "by": makers.append(value)
        case "tag": tags.append(value)
        case "person": people.append(value)
        case "folder", "in": folders.append(value)
        case "after", "from":
            guard let day = Moment(iso8601: value + "T00:00:00Z") else { return false }
            after = day
        case "before", "until":
            guard let day = Moment(iso8601: value + "T00:00:00Z") else { return false }
            before = day
        default: return false
        }
        return true
    }

    /// What people call a kind, and how its media types begin.
    private static let types: [String: [String]] = [
        "pdf": ["application/pdf"], "image": ["image/"], "photo": ["image/"], "text": ["text/"],
        "mail": ["message/"],
        "table": [
            "text/csv", "text/tab-separated-values", "application/vnd.ms-excel",
            "application/vnd.openxmlformats-officedocument.spreadsheetml",
            "application/vnd.oasis.opendocument.spreadsheet",
        ],
        "word": [
            "application/msword", "application/vnd.openxmlformats-officedocument.wordprocessingml",
            "application/vnd.oasis.opendocument.text", "application/rtf",
        ],
    ]
}

extension Wanted.Term {
    /// Pages that hold it. The words consist of letters and digits alone, so no sign of the index's own language is
    /// among them.
    func condition(in kind: Database.Kind) -> Query {
        switch kind {
        case .sqlite:
            return "number IN (SELECT rowid FROM page_words WHERE page_words MATCH \(phrase))"
        case .postgres:
            var lexemes = words.map { "'\($0)'" }
            if isOpen, let last = lexemes.popLast() { lexemes.append(last + ":*") }
            return
                "to_tsvector('simple', folded) @@ to_tsquery('simple', \(lexemes.joined(separator: " <-> ")))"
        }
    }

    /// In the language of SQLite's index.
    var phrase: String { "\"\(words.joined(separator: " "))\"\(isOpen ? "*" : "")" }

    /// Pages that hold it in the middle of a word too; slow where there is much to read.
    func looseCondition(in kind: Database.Kind) -> Query {
        .holds(words.joined(separator: " "), in: kind == .sqlite ? PaperIndex.folded : "folded")
    }

    /// The same of labels, which are kept folded on both databases.
    var looseLabelCondition: Query { "page = 0 AND " + .holds(words.joined(separator: " "), in: "folded") }
}
