extension Query {
    /// The column holds this piece of text, taken as it is: signs that `LIKE` gives a meaning to have none.
    public static func holds(_ piece: String, in column: String) -> Query {
        "\(raw: column) LIKE \("%\(literal(piece))%") ESCAPE '!'"
    }

    /// The column holds each of these pieces. SQLite is asked for all of them at once, in a way of ours that takes a quarter of
    /// the time of `LIKE`.
    public static func holds(all pieces: [String], in column: String, of kind: Database.Kind) -> Query {
        guard !pieces.isEmpty else { return "1 = 1" }
        switch kind {
        case .sqlite:
            let each = pieces.map { ", \($0)" as Query }.joined(separator: "")
            return "held_pieces(\(raw: column)\(each))"
        case .postgres:
            return pieces.map { holds($0, in: column) }.joined(separator: " AND ")
        }
    }

    /// The column, kept in lower case, holds all the words; no words are in every column.
    public static func words(_ text: String, in column: String) -> Query {
        var condition: Query = "1 = 1"
        for word in text.lowercased().split(whereSeparator: \.isWhitespace).prefix(8) {
            condition += " AND " + holds(String(word), in: column)
        }
        return condition
    }

    /// The column begins with this text.
    public static func begins(with start: String, in column: String) -> Query {
        "\(raw: column) LIKE \("\(literal(start))%") ESCAPE '!'"
    }

    private static func literal(_ text: String) -> String {
        text.map { "!%_".contains($0) ? "!\($0)" : String($0) }.joined()
    }
}
