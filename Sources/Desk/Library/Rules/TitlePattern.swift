import Work

/// A title made out of what a paper is and says: `{date} {line}`.
///
/// `{name}` is its name without the ending, `{line}` the first line of what it says, `{date}` the first day written in it
/// (otherwise its own, or the one it was added on), `{by}` who added it.
struct TitlePattern {
    static let parts = ["name", "line", "date", "by"]

    private let text: String

    init(_ text: String) { self.text = text }

    /// With the paper's own ending; nil when nothing is left to be called by.
    func title(of document: Document, saying words: String) -> String? {
        let ending = FileName.ending(of: document.name)
        let stem = ending.isEmpty ? document.name : String(document.name.dropLast(ending.count + 1))
        let line = words.split(whereSeparator: \.isNewline)
            .first { !$0.allSatisfy(\.isWhitespace) }.map { String($0.prefix(80)) }
        var title = text
        for (part, value) in [
            ("name", stem), ("line", line ?? stem), ("by", document.addedByName),
            (
                "date",
                Self.day(in: words) ?? (document.date.isEmpty ? nil : document.date)
                    ?? String(document.addedAt.iso8601.prefix(10))
            ),
        ] {
            title = title.replacing("{\(part)}", with: value)
        }
        let room = FileName.longest - ending.count - 1
        guard let cleaned = FileName.title(title) else { return nil }
        return ending.isEmpty ? cleaned : "\(cleaned.prefix(room)).\(ending)"
    }

    /// The first day in a text, written as 2026-11-21 or 21.11.2026; other ways are not the same everywhere.
    static func day(in text: String) -> String? {
        let numbers = text.prefix(20_000).split { !$0.isNumber && $0 != "-" && $0 != "." }
        for piece in numbers {
            let dashed = piece.split(separator: "-", omittingEmptySubsequences: false)
            let dotted = piece.split(separator: ".", omittingEmptySubsequences: true)
            var day: String?
            if dashed.count == 3, dashed[0].count == 4, dashed[1].count == 2, dashed[2].prefix(2).count == 2 {
                day = "\(dashed[0])-\(dashed[1])-\(dashed[2].prefix(2))"
            } else if dotted.count == 3, dotted[2].count == 4, let first = Int(dotted[0]),
                let second = Int(dotted[1])
            {
                day = "\(dotted[2])-\(second < 10 ? "0" : "")\(second)-\(first < 10 ? "0" : "")\(first)"
            }
            if let day, Moment(iso8601: day + "T00:00:00Z") != nil { return day }
        }
        return nil
    }
}
