/// The place of a page where somebody's words stand, with a little around it.
public struct Snippet: Sendable, Equatable {
    public struct Piece: Sendable, Equatable {
        public var text: String
        /// One of the words looked for.
        public var isHit: Bool
    }

    public var pieces: [Piece]

    public var text: String { pieces.map(\.text).joined() }
}

extension Snippet {
    /// The stretch of a text with the first of the terms; nil when none of them is there.
    init?(of text: String, for terms: [Wanted.Term], around: Int = 90) {
        let words = Words(text).all
        var hits: [Range<Int>] = []
        for start in words.indices {
            for term in terms where Self.stands(term, at: start, in: words) {
                let last = words[start + term.words.count - 1]
                hits.append(words[start].place.lowerBound..<last.place.upperBound)
                break
            }
        }
        guard let first = hits.first else { return nil }
        let bytes = text.utf8
        func index(_ offset: Int) -> String.Index { bytes.index(bytes.startIndex, offsetBy: offset) }
        // From the beginning of a word to the end of one.
        let begin =
            words.first { $0.place.lowerBound >= first.lowerBound - around }?.place.lowerBound
            ?? first.lowerBound
        let end =
            words.last { $0.place.upperBound <= first.upperBound + around }?.place.upperBound
            ?? first.upperBound
        var pieces: [Piece] = []
        func add(_ range: Range<Int>, isHit: Bool) {
            guard !range.isEmpty else { return }
            let words = text[index(range.lowerBound)..<index(range.upperBound)]
            let flat = words.split(omittingEmptySubsequences: false, whereSeparator: \.isWhitespace)
            let joined = flat.enumerated().filter {
                $0.offset == 0 || $0.offset == flat.count - 1 || !$0.element.isEmpty
            }
            pieces.append(Piece(text: joined.map { String($0.element) }.joined(separator: " "), isHit: isHit))
        }
        if begin > (words.first?.place.lowerBound ?? 0) { pieces.append(Piece(text: "… ", isHit: false)) }
        var place = begin
        for hit in hits where hit.lowerBound >= place && hit.upperBound <= max(end, first.upperBound) {
            add(place..<hit.lowerBound, isHit: false)
            add(hit, isHit: true)
            place = hit.upperBound
        }
        add(place..<max(end, place), isHit: false)
        if end < (words.last?.place.upperBound ?? 0) { pieces.append(Piece(text: " …", isHit: false)) }
        self.pieces = pieces
    }

    private static func stands(_ term: Wanted.Term, at start: Int, in words: [Words.Word]) -> Bool {
        guard start + term.words.count <= words.count else { return false }
        for (offset, wanted) in term.words.enumerated() {
            let word = words[start + offset].text
            let isLast = offset == term.words.count - 1
            guard isLast && term.isOpen ? word.hasPrefix(wanted) : word == wanted else { return false }
        }
        return true
    }
}
