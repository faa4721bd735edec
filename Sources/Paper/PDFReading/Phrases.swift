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
    var phrases: [Phrase] = []
    /// Places of all fields, on the sheet.
    var fields: [PDFRectangle]
    var upright: [PDFRectangle] = []
    var across: [PDFRectangle] = []
    /// Lines to write on: across, and no side of a box.
    var writing: [PDFRectangle] = []
    /// How far the lines of the page reach.
    private var edges = (left: 0.0, right: 0.0)

    /// Forms have hundreds of lines and phrases. Of a map or a drawing with more the longest are enough, and a page of
    /// words without end is not read to its end.
    private static let mostLines = 2_500
    private static let mostPhrases = 6_000

    init(_ text: PageText?, _ drawing: PageDrawing?, fields: [PDFRectangle], isFilled: [Bool]) {
        self.fields = fields
        for rule in drawing?.rules ?? [] where rule.length > 6 {
            if rule.isUpright { upright.append(rule.place) } else { across.append(rule.place) }
        }
        if upright.count > Self.mostLines {
            upright = Array(upright.sorted { $0.height > $1.height }.prefix(Self.mostLines))
        }
        if across.count > Self.mostLines {
            across = Array(across.sorted { $0.width > $1.width }.prefix(Self.mostLines))
        }
        upright.sort { $0.left < $1.left }
        across.sort { $0.bottom < $1.bottom }
        edges = (across.map(\.left).min() ?? 0, across.map(\.right).max() ?? 0)
        let sides = upright
        writing = across.filter { line in
            line.width < 400
                && !sides.contains {
                    $0.bottom - 2 < line.middle.y && $0.top + 2 > line.middle.y && $0.middle.x > line.left - 2
                        && $0.middle.x < line.right + 2
                }
        }
        for line in text?.lines ?? [] where phrases.count < Self.mostPhrases {
            split(line, isFilled: isFilled)
        }
    }

    private mutating func split(_ line: PageText.Line, isFilled: [Bool]) {
        var current: Phrase?
        func flush(_ phrases: inout [Phrase]) {
            if let phrase = current, !phrase.words.isEmpty { phrases.append(phrase) }
            current = nil
        }
        for word in line.words {
            if word.text.count > 3, word.text.allSatisfy({ $0 == "_" }) {
                // A line to write on, typed instead of drawn.
                let y = word.place.bottom + 0.1 * word.place.height
                let line = PDFRectangle(
                    left: word.place.left, bottom: y, right: word.place.right, top: y + 0.5)
                across.append(line)
                writing.append(line)
            }
            // What fills a field is no label of it.
            let isFilling = zip(fields, isFilled).contains { field, isFilled in
                isFilled && word.place.share(coveredBy: field) > 0.6
            }
            // Set upright beside the form, as "staple here" is.
            let isUpright = word.text.count > 2 && word.place.height > 1.6 * word.place.width
            guard let word = Self.withoutSymbols(word), !isFilling, !isUpright else {
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

    /// Without boxes and arrows of symbol fonts, which often stand at the beginning of what is beside them.
    private static func withoutSymbols(_ word: PageText.Word) -> PageText.Word? {
        if LabelText.isLeader(word.text) { return nil }
        let kept = word.text.drop(while: isSymbol)
        guard kept.contains(where: { !isSymbol($0) }) else { return nil }
        guard kept.count < word.text.count else { return word }
        let share = Double(word.text.count - kept.count) / Double(word.text.count)
        var place = word.place
        place.left += share * place.width
        return PageText.Word(String(kept), at: place)
    }

    private static func isSymbol(_ character: Character) -> Bool {
        guard let scalar = character.unicodeScalars.first else { return true }
        return switch scalar.value {
        // The private use area, arrows, boxes, geometric shapes, dingbats.
        case 0xE000...0xF8FF, 0x2190...0x21FF, 0x2500...0x27BF, 0x2B00...0x2BFF, 0xFFFD, 0..<32: true
        default: false
        }
    }

    private func isApart(_ left: PDFRectangle, _ right: PDFRectangle) -> Bool {
        let gap = right.left - left.right
        if gap > max(4.5, 0.82 * right.height) || gap < -right.width { return true }
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

    func hasWritingLine(from bottom: Double, to top: Double, at x: Double) -> Bool {
        writing.contains {
            $0.middle.y > bottom - 0.5 && $0.middle.y < top + 0.5 && $0.left < x && $0.right > x
        }
    }

    /// The cell of a table or the box around a place, as far as lines bound it.
    ///
    /// Of forms that leave out the lines at both edges of the page, `floor` is the line the cell stands on: where it
    /// ends the cell ends too.
    func cell(around place: PDFRectangle, on floor: PDFRectangle? = nil) -> PDFRectangle? {
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
        if let floor {
            if cell.left < 0, floor.left < edges.left + 8 { cell.left = floor.left }
            if cell.right < 0, floor.right > edges.right - 8 { cell.right = floor.right }
            if cell.left < floor.left - 3 || cell.right > floor.right + 3 { return nil }
        }
        guard cell.left >= 0, cell.right >= 0, cell.bottom >= 0, cell.top >= 0 else { return nil }
        return PDFRectangle(left: cell.left, bottom: cell.bottom, right: cell.right, top: cell.top)
    }

    /// Whether another field lies between two places of one row.
    func hasField(from left: Double, to right: Double, at y: Double) -> Bool {
        fields.contains { $0.middle.x > left && $0.middle.x < right && $0.bottom < y && $0.top > y }
    }
}
