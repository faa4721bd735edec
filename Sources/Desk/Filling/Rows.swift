import Bytes
import SQL
import Storage

extension Row {
    /// A value of a closed set, kept as its word.
    func choice<Choice: RawRepresentable<String>>(_ column: String) throws(SQLError) -> Choice {
        let word = try text(column)
        guard let choice = Choice(rawValue: word) else {
            throw SQLError(.wrongType, "column “\(column)” holds “\(word)”")
        }
        return choice
    }

    func json(_ column: String) throws -> JSON {
        try JSON(parsing: try text(column))
    }
}

extension Transaction {
    /// One line in the journal.
    func note(_ verb: String, _ subject: String, by actor: String, _ detail: JSON = [:]) {
        record(JournalEntry(actor: actor, verb: verb, subject: subject, detail: detail))
    }
}

extension Query {
    /// All the words must occur in the column, which is kept in lower case.
    static func words(_ text: String, in column: String) -> Query {
        var condition: Query = "1 = 1"
        for word in text.lowercased().split(whereSeparator: \.isWhitespace).prefix(8) {
            let escaped = word.map { "!%_".contains($0) ? "!\($0)" : String($0) }.joined()
            condition += " AND \(raw: column) LIKE \("%\(escaped)%") ESCAPE '!'"
        }
        return condition
    }
}
