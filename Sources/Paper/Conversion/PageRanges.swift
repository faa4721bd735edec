/// Pages as people write them: `1-3,7,10-`, `odd`, `even`, `all`. Counted from 0 inside.
public struct PageRanges: Sendable {
    public let pages: [Int]

    public init(_ text: String, of count: Int) throws(ConversionError) {
        var pages: [Int] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let word = part.filter { $0 != " " }.lowercased()
            if let step = ["all": (0, 1), "odd": (0, 2), "even": (1, 2)][word] {
                pages += stride(from: step.0, to: count, by: step.1)
                continue
            }
            let ends = word.replacing("end", with: "\(count)").split(
                separator: "-", omittingEmptySubsequences: false)
            let first = ends.first.flatMap { $0.isEmpty ? (ends.count == 2 ? 1 : nil) : Int($0) }
            let last =
                ends.count == 1
                ? first : ends.count == 2 ? (ends[1].isEmpty ? count : Int(ends[1])) : nil
            guard let first, let last, first >= 1, first <= last else {
                throw .badOption("“\(text)” names no pages. Write them like 1-3,7,10-.")
            }
            guard last <= count else { throw .badOption("There is no page \(last): the paper has \(count).") }
            pages += first - 1..<last
            guard pages.count <= 100_000 else { throw .badOption("These are more than 100,000 pages.") }
        }
        self.pages = pages
    }
}
