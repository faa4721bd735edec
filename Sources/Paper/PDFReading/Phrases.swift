import PDF

/// A few words that belong together on a page: what stands between two gaps, lines or fields.
struct Phrase: Sendable {
    var words: [String]
    var place: PDFRectangle
    var block: Int

    var text: String { words.joined(separator: " ") }
    var isCode: Bool { LabelText.isCode(text) }
    var isMark: Bool { LabelText.isMark(text) }
}

/// A page as the search for labels sees it: phrases, fields and the lines between them.
struct Surroundings {
    var phrases: [Phrase]
    /// Places of all fields, on the sheet.
    var fields: [PDFRectangle]
    var upright: [PDFRectangle] = []
    var across: [PDFRectangle] = []

    init(_ text: PageText?, _ drawing: PageDrawing?, fields: [PDFRectangle], values: [String]) {
        self.fields = fields
        for rule in drawing?.rules ?? [] where rule.length > 6 {
            if rule.isUpright { upright.append(rule.place) } else { across.append(rule.place) }
        }
        upright.sort { $0.left < $1.left }
        across.sort { $0.bottom < $1.bottom }
        phrases = []
        for line in text?.lines ?? [] { split(line, values: values) }
    }

    private mutating func split(_ line: PageText.Line, values: [String]) {
        var current: Phrase?
        func flush(_ phrases: inout [Phrase]) {
            if let phrase = current, !phrase.words.isEmpty { phrases.append(phrase) }
            current = nil
        }
        for word in line.words {
            // What fills a field is no label of it.
            let isFilling = fields.enumerated().contains { index, field in
                word.place.share(coveredBy: field) > 0.6 && values[index].contains(word.text)
            }
            if LabelText.isLeader(word.text) || isFilling {
                flush(&phrases)
                continue
            }
            if var phrase = current, !isApart(phrase.place, word.place) {
                phrase.words.append(word.text)
                phrase.place = phrase.place.union(word.place)
                current = phrase
            } else {
                flush(&phrases)
                current = Phrase(words: [word.text], place: word.place, block: line.block)
            }
        }
        flush(&phrases)
    }

    private func isApart(_ left: PDFRectangle, _ right: PDFRectangle) -> Bool {
        let gap = right.left - left.right
        if gap > max(6, 1.1 * right.height) || gap < -right.width { return true }
        guard gap > 1 else { return false }
        let y = (max(left.bottom, right.bottom) + min(left.top, right.top)) / 2
        if upright.contains(where: {
            $0.middle.x > left.right - 1 && $0.middle.x < right.left + 1 && $0.bottom < y && $0.top > y
        }) {
            return true
        }
        return fields.contains {
            $0.middle.x > left.right && $0.middle.x < right.left && $0.bottom < y && $0.top > y
        }
    }

    /// An upright line between two places that lie beside each other.
    func isWalled(from left: Double, to right: Double, at y: Double) -> Bool {
        upright.contains {
            $0.middle.x > left - 0.5 && $0.middle.x < right + 0.5 && $0.bottom < y && $0.top > y
        }
    }

    /// A line across between two places above each other.
    func isFloored(from bottom: Double, to top: Double, at x: Double) -> Bool {
        across.contains {
            $0.middle.y > bottom - 0.5 && $0.middle.y < top + 0.5 && $0.left < x && $0.right > x
        }
    }

    /// The cell of a table or the box around a place, as far as lines bound it.
    func cell(around place: PDFRectangle) -> PDFRectangle? {
        let (x, y) = place.middle
        let slack = 2.5
        var cell = (left: -1.0, right: -1.0, bottom: -1.0, top: -1.0)
        for line in upright where line.bottom < y && line.top > y {
            if line.middle.x <= place.left + slack { cell.left = max(cell.left, line.middle.x) }
            if line.middle.x >= place.right - slack, cell.right < 0 { cell.right = line.middle.x }
        }
        for line in across where line.left < x && line.right > x {
            if line.middle.y <= place.bottom + slack { cell.bottom = max(cell.bottom, line.middle.y) }
            if line.middle.y >= place.top - slack, cell.top < 0 { cell.top = line.middle.y }
        }
        guard cell.left >= 0, cell.right >= 0, cell.bottom >= 0, cell.top >= 0 else { return nil }
        return PDFRectangle(left: cell.left, bottom: cell.bottom, right: cell.right, top: cell.top)
    }

    /// Whether another field lies between two places of one row.
    func hasField(from left: Double, to right: Double, at y: Double) -> Bool {
        fields.contains { $0.middle.x > left && $0.middle.x < right && $0.bottom < y && $0.top > y }
    }
}
