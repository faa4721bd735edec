import Storage

/// Pages as people write them: `1-3,7,10-end`, `odd`, `end-1` for all of them backwards.
struct PageChoice {
    /// Counted from 0, in the order that was written.
    let pages: [Int]

    init(_ text: String, of count: Int) throws(Failure) {
        var pages: [Int] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let word = part.filter { $0 != " " }.lowercased()
            switch word {
            case "all": pages += 0..<count
            case "odd": pages += stride(from: 0, to: count, by: 2)
            case "even": pages += stride(from: 1, to: count, by: 2)
            default:
                let ends = word.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
                guard (1...2).contains(ends.count), let first = Self.page(ends[0], count),
                    let last = Self.page(ends[ends.count - 1], count)
                else {
                    throw Failure(
                        .invalid,
                        "“\(part)” names no pages. Write them like 1-3,7,10-end, or odd, even, all.")
                }
                for page in [first, last] where !(1...max(1, count)).contains(page) || count == 0 {
                    throw Failure(.invalid, "There is no page \(page): the file has \(count).")
                }
                pages += first <= last ? Array(first - 1..<last) : (last - 1..<first).reversed()
            }
        }
        // A few digits can ask for more pages than anybody wants.
        guard pages.count <= 100_000 else {
            throw Failure(.invalid, "These are \(pages.count) pages, more than 100,000.")
        }
        self.pages = pages
    }

    private static func page(_ word: String, _ count: Int) -> Int? {
        if word == "end" { return count }
        guard !word.isEmpty, word.count <= 7, word.allSatisfy({ ("0"..."9").contains($0) }) else {
            return nil
        }
        return Int(word)
    }
}
