import PDFReading

/// Which page of one paper is which of the other, in their order.
struct PagePairs {
    private(set) var pairs: [PaperComparison.Pair] = []

    /// `votes` counts the words that two pages have in common, `sizes` the words of each page; `likeness` tells of two others,
    /// at least one of which has no words, how far they look the same: 0 for not at all.
    init(
        votes: [(before: Int, after: Int, count: Int)], sizes: (before: [Int], after: [Int]),
        likeness: (Int, Int) -> Double
    ) {
        let sound = votes.filter { vote in
            let smaller = min(sizes.before[vote.before], sizes.after[vote.after])
            return vote.count * 4 >= smaller || vote.count >= 150
        }
        let chosen = Self.heaviest(sound)
        var both: [(Int, Int)] = []
        var (left, right) = (0, 0)
        for (before, after) in chosen + [(sizes.before.count, sizes.after.count)] {
            both += Self.alike(Array(left..<before), Array(right..<after), likeness)
            if before < sizes.before.count { both.append((before, after)) }
            (left, right) = (before + 1, after + 1)
        }
        (left, right) = (0, 0)
        for (before, after) in both + [(sizes.before.count, sizes.after.count)] {
            pairs += (left..<max(left, before)).map { .init(before: $0, after: nil) }
            pairs += (right..<max(right, after)).map { .init(before: nil, after: $0) }
            if before < sizes.before.count { pairs.append(.init(before: before, after: after)) }
            (left, right) = (before + 1, after + 1)
        }
    }

    mutating func tellFlowed(_ isFlowed: (PaperComparison.Pair) -> Bool) {
        for place in pairs.indices where pairs[place].before == nil || pairs[place].after == nil {
            pairs[place].isFlowed = isFlowed(pairs[place])
        }
    }

    /// The row of pairs, ascending on both sides, that has the most words in common.
    private static func heaviest(_ votes: [(before: Int, after: Int, count: Int)]) -> [(Int, Int)] {
        let votes = votes.sorted { ($0.before, $1.after) < ($1.before, $0.after) }
        let width = (votes.map(\.after).max() ?? -1) + 1
        // A Fenwick tree of the best row that ends at or before each page.
        var best = [(weight: Int, vote: Int)](repeating: (0, -1), count: width + 1)
        var previous = [Int](repeating: -1, count: votes.count)
        var top = (weight: 0, vote: -1)
        for (number, vote) in votes.enumerated() {
            var found = (weight: 0, vote: -1)
            // Pages before this one only; those of the same left page come from right to left.
            var at = vote.after
            while at > 0 {
                if best[at].weight > found.weight { found = best[at] }
                at -= at & -at
            }
            previous[number] = found.vote
            let weight = found.weight + vote.count
            at = vote.after + 1
            while at <= width {
                if weight > best[at].weight { best[at] = (weight, number) }
                at += at & -at
            }
            if weight > top.weight { top = (weight, number) }
        }
        var row: [(Int, Int)] = []
        var at = top.vote
        while at >= 0 {
            row.append((votes[at].before, votes[at].after))
            at = previous[at]
        }
        return row.reversed()
    }

    private static let mostCompared = 40_000

    /// Of pages that have no words in common, those without any are put together by what they look like.
    private static func alike(
        _ before: [Int], _ after: [Int], _ likeness: (Int, Int) -> Double
    ) -> [(Int, Int)] {
        guard !before.isEmpty, !after.isEmpty else { return [] }
        guard before.count * after.count <= mostCompared else {
            return zip(before, after).map { ($0, $1) }
        }
        let width = after.count + 1
        var best = [Double](repeating: 0, count: (before.count + 1) * width)
        var values: [Double] = []
        values.reserveCapacity(before.count * after.count)
        for (i, page) in before.enumerated() {
            for (j, other) in after.enumerated() {
                let value = likeness(page, other)
                values.append(value)
                let skipped = max(best[i * width + j + 1], best[(i + 1) * width + j])
                best[(i + 1) * width + j + 1] = max(skipped, best[i * width + j] + value)
            }
        }
        var row: [(Int, Int)] = []
        var (i, j) = (before.count, after.count)
        while i > 0, j > 0 {
            let value = values[(i - 1) * after.count + j - 1]
            let here = best[i * width + j]
            if value > 0, abs(best[(i - 1) * width + j - 1] + value - here) < 1e-9 {
                row.append((before[i - 1], after[j - 1]))
                i -= 1
                j -= 1
            } else if best[(i - 1) * width + j] >= best[i * width + j - 1] {
                i -= 1
            } else {
                j -= 1
            }
        }
        return row.reversed()
    }
}
