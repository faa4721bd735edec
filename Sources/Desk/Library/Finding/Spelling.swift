import SQL
import Storage

/// What somebody probably meant, when the papers have no such word.
enum Spelling {
    /// Short words are too much like each other.
    private static let shortest = 3

    /// The word of the papers that is most like this one; nil when none is.
    ///
    /// - Parameter shown: which papers may be told of, as a condition; nil for all of them.
    static func nearest(
        to word: String, among shown: Query?, in desk: borrowing some Readable & ~Copyable
    ) throws -> String? {
        let letters = Array(word.unicodeScalars)
        guard (shortest...40).contains(letters.count) else { return nil }
        let most = letters.count < 5 ? 1 : 2
        var best: (word: String, distance: Int, count: Int)?
        // Most people get the first letter right; those who swapped it with the second are understood as well.
        for start in Set([letters[0], letters[1]]) {
            for entry in try Vocabulary.words(beginning: String(start), in: desk) {
                let other = Array(entry.word.unicodeScalars)
                guard abs(other.count - letters.count) <= most, entry.word != word,
                    let distance = distance(letters, other, most: most)
                else { continue }
                let isNearer = best.map {
                    ($0.distance, -$0.count, $0.word) > (distance, -entry.count, entry.word)
                }
                guard isNearer ?? true,
                    try shown.map({ try Vocabulary.stands(entry.word, among: $0, in: desk) }) ?? true
                else { continue }
                best = (entry.word, distance, entry.count)
            }
        }
        return best?.word
    }

    /// How many letters have to be put in, taken out, changed or swapped with their neighbour; nil when more than `most`.
    static func distance(_ one: [Unicode.Scalar], _ other: [Unicode.Scalar], most: Int) -> Int? {
        var before: [Int] = []
        var last = Array(0...other.count)
        for (row, letter) in one.enumerated() {
            var next = [row + 1]
            next.reserveCapacity(other.count + 1)
            for (column, its) in other.enumerated() {
                var cost = min(last[column + 1] + 1, next[column] + 1, last[column] + (letter == its ? 0 : 1))
                if row > 0, column > 0, letter == other[column - 1], one[row - 1] == its {
                    cost = min(cost, before[column - 1] + 1)
                }
                next.append(cost)
            }
            guard (next.min() ?? 0) <= most else { return nil }
            before = last
            last = next
        }
        return last[other.count] <= most ? last[other.count] : nil
    }
}
