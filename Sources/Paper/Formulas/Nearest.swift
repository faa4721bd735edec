/// Finds the word somebody probably meant.
package enum Nearest {
    /// Without what people write now one way and now another: capitals, spaces, dashes, underscores, dots.
    package static func folded(_ word: String) -> String {
        word.lowercased().filter { !$0.isWhitespace && !"-_.".contains($0) }
    }

    package static func word(to word: String, among words: [String]) -> String? {
        let wanted = folded(word)
        guard !wanted.isEmpty else { return nil }
        var best: (word: String, distance: Int)?
        for candidate in words.prefix(2000) {
            let folded = folded(candidate)
            var distance = distance(wanted, folded)
            // A word that only goes on is nearer than its length says.
            if wanted.count >= 3, folded.hasPrefix(wanted) || wanted.hasPrefix(folded) && folded.count >= 3 {
                distance = min(distance, 2)
            }
            if distance < best?.distance ?? Int.max { best = (candidate, distance) }
        }
        guard let best, best.distance <= max(1, min(3, wanted.count / 2)) else { return nil }
        return best.word
    }

    /// How many letters must be changed, added, removed or swapped with their neighbour.
    package static func distance(_ a: String, _ b: String) -> Int {
        let a = Array(a.prefix(48))
        let b = Array(b.prefix(48))
        guard abs(a.count - b.count) <= 8 else { return Int.max }
        var before: [Int] = []
        var above = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var least = min(above[j + 1] + 1, row[j] + 1, above[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, before[j - 1] + 1) }
                row.append(least)
            }
            before = above
            above = row
        }
        return above[b.count]
    }
}

extension String {
    package var trimmed: String {
        let scalars = unicodeScalars.drop { $0.properties.isWhitespace }
        guard let last = scalars.lastIndex(where: { !$0.properties.isWhitespace }) else { return "" }
        return String(scalars[...last])
    }
}
