import PDF

/// Looks around one field for the words that say what it is for. Forms are written for the eye: what is near, on the
/// same line or just above, in the same cell and not cut off by a line, is what the reader takes as the label.
struct LabelSearch {
    struct Candidate {
        var phrase: Int
        var source: FieldLabel.Source
        var score: Double
    }

    let page: Surroundings
    /// How high most words of the page are.
    private let usual: Double

    init(page: Surroundings) {
        self.page = page
        let heights = page.phrases.map(\.place.height).sorted()
        usual = heights.isEmpty ? 0 : heights[heights.count / 2]
    }

    func candidates(for field: PDFRectangle, isBox: Bool) -> [Candidate] {
        var found: [Candidate] = []
        let cell = page.cell(around: field)
        for (index, phrase) in page.phrases.enumerated() where !phrase.isMark {
            let place = phrase.place
            // Far away is far away; most phrases of a page end here.
            guard place.right > field.left - 420, place.left < field.right + 220,
                place.bottom < field.top + 60, place.top > field.bottom - 30
            else { continue }
            guard var best = isBox ? box(place, field) : line(place, field) else { continue }
            if let cell, cell.contains(x: place.middle.x, y: place.middle.y),
                cell.height < field.height + 60 || best.source == .left || best.source == .right
            {
                best.score += 0.1
            }
            best.phrase = index
            if phrase.isCode { best.score -= 0.3 }
            if best.score > 0.15 { found.append(best) }
        }
        return found.sorted { ($0.score, $1.phrase) > ($1.score, $0.phrase) }
    }

    private func line(_ place: PDFRectangle, _ field: PDFRectangle) -> Candidate? {
        [
            inside(place, field), left(place, field), above(place, field), below(place, field),
            after(place, field),
        ]
        .compactMap { $0 }.max { $0.score < $1.score }
    }

    private func box(_ place: PDFRectangle, _ field: PDFRectangle) -> Candidate? {
        var sides: [Candidate] = []
        if let right = right(place, field) { sides.append(right) }
        if var left = left(place, field) {
            left.score -= 0.22
            sides.append(left)
        }
        if var above = above(place, field) {
            above.score -= 0.3
            sides.append(above)
        }
        if let below = below(place, field) { sides.append(below) }
        return sides.max { $0.score < $1.score }
    }

    private func isOnRow(_ place: PDFRectangle, _ field: PDFRectangle) -> Bool {
        place.sharedHeight(with: field) > 0.45 * min(place.height, field.height)
    }

    private func inside(_ place: PDFRectangle, _ field: PDFRectangle) -> Candidate? {
        guard place.share(coveredBy: field.grown(by: 1)) > 0.7 else { return nil }
        // A caption stands at the top or at the left; in the middle of a tall field it may be anything.
        let isAtTop = field.top - place.top < max(4, 0.25 * field.height)
        let isAtLeft = place.left - field.left < max(12, 0.2 * field.width)
        guard isAtTop || isAtLeft else { return nil }
        return Candidate(phrase: 0, source: .inside, score: isAtTop && isAtLeft ? 0.92 : 0.72)
    }

    private func left(_ place: PDFRectangle, _ field: PDFRectangle) -> Candidate? {
        let gap = field.left - place.right
        guard gap > -0.3 * field.width - 4, place.middle.x < field.left, gap < 400, isOnRow(place, field)
        else {
            return nil
        }
        var score = 0.86 - max(0, gap - 4) * 0.004
        let y = (max(place.bottom, field.bottom) + min(place.top, field.top)) / 2
        if page.isWalled(from: place.right, to: field.left, at: y) { score -= 0.28 }
        if page.hasField(from: place.right, to: field.left, at: y) { score -= 0.45 }
        // Beside a tall field the label stands at its first line.
        if field.height > 30, place.middle.y < field.bottom + field.height / 2 { score -= 0.15 }
        return Candidate(phrase: 0, source: .left, score: max(0.2, score))
    }

    private func above(_ place: PDFRectangle, _ field: PDFRectangle) -> Candidate? {
        let gap = place.bottom - field.top
        guard gap > -min(0.5 * place.height + 2, 0.6 * field.height), gap < 42,
            place.middle.y > field.middle.y,
            place.sharedWidth(with: field) > min(4, 0.3 * place.width, 0.5 * field.width)
        else { return nil }
        var score = 0.8 - max(0, gap - 2) * 0.014
        if abs(place.left - field.left) < 7 { score += 0.07 }
        // A line that runs on far beyond the field is a sentence, not a label.
        if place.right > field.right + max(30, 0.4 * field.width) { score -= 0.12 }
        if place.left < field.left - max(20, 0.3 * field.width) { score -= 0.2 }
        // Large words are a heading over several fields, if anything else may be the label.
        if usual > 0, place.height > 1.4 * usual { score -= 0.2 }
        let x = (max(place.left, field.left) + min(place.right, field.right)) / 2
        if gap > -1, page.isFloored(from: max(field.top, place.bottom - gap), to: place.bottom, at: x) {
            score -= 0.2
        }
        let between = page.fields.contains {
            $0.sharedWidth(with: field) > 0.3 * min($0.width, field.width) && $0.middle.y > field.top
                && $0.middle.y < place.middle.y
        }
        if between { score -= 0.4 }
        // A caption right below a line to write on belongs to that line.
        let isCaptionOfAnother = page.fields.contains {
            let up = $0.bottom - place.top
            return up > -4 && up < min(8, gap - 0.5) && place.left > $0.left - 6 && place.left < $0.right
                && (page.hasWritingLine(from: place.top - 2, to: $0.bottom + 3, at: place.left + 2)
                    || !isHead(place)
                        && page.isFloored(from: place.top - 2, to: $0.bottom + 3, at: place.left + 2))
        }
        if isCaptionOfAnother { score -= 0.3 }
        return Candidate(phrase: 0, source: .above, score: score)
    }

    private func below(_ place: PDFRectangle, _ field: PDFRectangle) -> Candidate? {
        let gap = field.bottom - place.top
        guard gap > -0.4 * place.height - 1, gap < 16, place.middle.y < field.bottom + 1,
            place.sharedWidth(with: field) > 0.5 * min(place.width, field.width),
            place.width < field.width + 60
        else { return nil }
        var score = 0.66 - max(0, gap - 1) * 0.03
        if place.left < field.left - 10 { score -= 0.15 }
        // The line to write on lies between field and caption; a caption without it belongs to what is below.
        let x = (max(place.left, field.left) + min(place.right, field.right)) / 2
        let hasLine = page.isFloored(from: place.top - 2, to: field.bottom + 3, at: x)
        let isCaption =
            !isHead(place) || page.hasWritingLine(from: place.top - 2, to: field.bottom + 3, at: x)
        score += hasLine ? (gap < 6 && place.height < 9 && isCaption ? 0.18 : 0.04) : -0.2
        if !isCaption { score -= 0.1 }
        return Candidate(phrase: 0, source: .below, score: score)
    }

    /// Whether a place to fill in begins right below: then the words belong to that.
    private func isHead(_ place: PDFRectangle) -> Bool {
        page.fields.contains {
            let down = place.bottom - $0.top
            return down > -0.5 * place.height && down < 12 && $0.middle.y < place.bottom
                && $0.sharedWidth(with: place) > 0.4 * min($0.width, place.width)
        }
    }

    /// Behind a text field: a unit, or a label where nothing else is.
    private func after(_ place: PDFRectangle, _ field: PDFRectangle) -> Candidate? {
        let gap = place.left - field.right
        guard gap > -2, gap < 40, isOnRow(place, field) else { return nil }
        var score = 0.4 - max(0, gap - 3) * 0.008
        if page.isWalled(from: field.right, to: place.left, at: field.middle.y) { score -= 0.25 }
        return Candidate(phrase: 0, source: .right, score: score)
    }

    private func right(_ place: PDFRectangle, _ field: PDFRectangle) -> Candidate? {
        let gap = place.left - field.right
        guard gap > -3, gap < 60, isOnRow(place, field) || abs(place.middle.y - field.middle.y) < 5 else {
            return nil
        }
        var score = 0.93 - max(0, gap - 3) * 0.012
        if page.isWalled(from: field.right + 1, to: place.left, at: field.middle.y) { score -= 0.2 }
        if page.hasField(from: field.right, to: place.left, at: field.middle.y) { score -= 0.45 }
        return Candidate(phrase: 0, source: .right, score: score)
    }
}
