public import Access
import SQL
public import Storage

extension Documents {
    /// A paper that is like another, and the words they share.
    public struct Alike: Sendable, Equatable {
        public var document: Document
        /// Those that tell most, first.
        public var words: [String]
    }

    /// Words that stand on more pages say little about any of them.
    private static let commonWord = 2_000
    private static let mostWordsCompared = 12

    /// Papers that speak about the same things: that share the words this one uses more than others do.
    public func alike(_ id: ID<Document>, limit: Int = 10, by caller: Caller) throws -> [Alike] {
        try caller.require(.view)
        return try store.read { desk in
            let document = try find(id, for: caller, in: desk)
            let shown = try shown(to: caller, in: desk)
            let telling = try tellingWords(of: document, among: shown, in: desk)
            var shared: [String: (weight: Double, words: [String])] = [:]
            for (word, weight) in telling {
                let term = Wanted.Term(words: [word], isOpen: false)
                let papers = try desk.rows(
                    """
                    SELECT DISTINCT document FROM document_page
                    WHERE \(term.condition(in: desk.kind)) AND document <> \(id) LIMIT 500
                    """)
                for paper in papers {
                    let other = try paper.text("document")
                    shared[other, default: (0, [])].weight += weight
                    shared[other]?.words.append(word)
                }
            }
            let best = shared.filter { $0.value.words.count > 1 || telling.count == 1 }
                .sorted { ($1.value.weight, $0.key) < ($0.value.weight, $1.key) }
            var alike: [Alike] = []
            let condition: Query = shown.map { " AND " + $0 } ?? ""
            for (other, found) in best {
                guard alike.count < max(1, limit) else { break }
                let row = try desk.row(
                    "SELECT * FROM document WHERE id = \(other) AND trashed_at IS NULL\(condition)")
                guard let row else { continue }
                alike.append(Alike(document: try Document(row), words: found.words))
            }
            return alike
        }
    }

    /// The words that a paper uses often and others rarely, the most telling first.
    private func tellingWords(
        of document: Document, among shown: Query?, in desk: borrowing some Readable & ~Copyable
    ) throws -> [(word: String, weight: Double)] {
        let pages = try desk.rows(
            "SELECT text FROM document_page WHERE document = \(document.id) ORDER BY page LIMIT 40")
        var counts: [Substring: Int] = [:]
        let texts = try pages.map { Words.folded(try $0.text("text")) }
        for text in texts {
            for word in text.split(separator: " ") where Self.maySayMuch(word) {
                counts[word, default: 0] += 1
            }
        }
        let often = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(60)
        var telling: [(word: String, weight: Double)] = []
        for (word, count) in often {
            let pageCount = try Vocabulary.pageCount(
                of: String(word), most: Self.commonWord, among: shown, in: desk)
            // A word nobody else uses leads nowhere.
            guard pageCount > 1, pageCount <= Self.commonWord else { continue }
            telling.append((String(word), Double(min(count, 8)) / Double(pageCount).squareRoot()))
        }
        return Array(
            telling.sorted { ($1.weight, $0.word) < ($0.weight, $1.word) }.prefix(Self.mostWordsCompared))
    }

    /// Numbers are dates and amounts, short words are what every sentence is made of; a Chinese sign is a word.
    private static func maySayMuch(_ word: Substring) -> Bool {
        guard let first = word.unicodeScalars.first else { return false }
        return first.value >= 0x3040
            ? true : word.unicodeScalars.count > 3 && !word.contains(where: \.isNumber)
    }
}
