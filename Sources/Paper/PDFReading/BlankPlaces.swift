import PDF

/// The places of a page that were left for writing: empty cells, lines, rows of underscores, boxes to tick, combs.
struct BlankPlaces {
    struct Blank {
        var kind: FieldProposal.Kind
        /// On the sheet.
        var place: PDFRectangle
        var cellCount: Int?
        var confidence: Double
    }

    /// In reading order.
    private(set) var found: [Blank] = []

    private let page: Surroundings
    private let words: [PageText.Word]
    private let drawing: PageDrawing
    private let sheet: PDFRectangle
    /// Whether the page's cells hold sentences, as a table that explains something does.
    private var isForReading = false
    /// Empty cells wide enough for words.
    private var wide: [PDFRectangle] = []

    /// Room that a written line needs.
    private static let lineHeight = 13.0
    private static let leastHeight = 7.5
    /// Ends of the search on pages that are no forms.
    private static let mostProbes = 8_000
    private static let mostPlaces = 2_000

    init(_ text: PageText, _ drawing: PageDrawing) {
        self.drawing = drawing
        page = Surroundings(text, drawing, fields: [], isFilled: [])
        words = text.words
        sheet = PDFRectangle(left: 0, bottom: 0, right: text.frame.width, top: text.frame.height)
        takeBoxes()
        takeUnderscores(text)
        takeCells()
        takeLines()
        found.sort { first, second in
            // Rows first, as people read: places that share most of their height are one row.
            let shared = first.place.sharedHeight(with: second.place)
            if shared > 0.5 * min(first.place.height, second.place.height) {
                return first.place.left < second.place.left
            }
            return first.place.top > second.place.top
        }
    }

    private mutating func take(_ blank: Blank) {
        guard found.count < Self.mostPlaces else { return }
        let isTaken = found.contains {
            $0.place.share(coveredBy: blank.place) > 0.25 || blank.place.share(coveredBy: $0.place) > 0.25
        }
        if !isTaken { found.append(blank) }
    }

    // MARK: Boxes to tick

    private mutating func takeBoxes() {
        var squares: [PDFRectangle] = []
        for box in drawing.boxes where box.isOutlined || (box.lightness ?? 0) > 0.95 {
            if isSquare(box.place) { squares.append(box.place) }
        }
        squares += drawing.rounds.filter { (6...16).contains($0.width) }
        // White squares are only boxes when something around them is not white: an outline of the same size.
        var free: [PDFRectangle] = []
        for square in squares where !free.contains(where: { $0.likeness(to: square) > 0.6 }) {
            let isSeen = drawing.boxes.contains {
                $0.place.likeness(to: square) > 0.6 && ($0.isOutlined || ($0.lightness ?? 1) < 0.9)
            }
            let isSeparate = isSeen || drawing.rounds.contains(square)
            if isSeparate, !hasWords(in: square.grown(by: -1.5)) { free.append(square) }
        }
        for row in Self.rows(free) {
            guard row.count > 1 else {
                take(Blank(kind: .checkBox, place: row[0], confidence: 0.95))
                continue
            }
            // Boxes in a row with nothing between them take one character each.
            let whole = row.dropFirst().reduce(row[0]) { $0.union($1) }
            let gap = (row[1].left - row[0].right) / 2
            take(
                Blank(
                    kind: .comb,
                    place: PDFRectangle(
                        left: whole.left - gap, bottom: whole.bottom, right: whole.right + gap, top: whole.top
                    ),
                    cellCount: row.count, confidence: 0.95))
        }
        for word in words {
            guard let first = word.text.unicodeScalars.first, Self.isBoxSign(first) else { continue }
            let side = min(word.place.width / Double(max(1, word.text.count)), word.place.height)
            let middle = word.place.middle.y
            let place = PDFRectangle(
                left: word.place.left, bottom: middle - side / 2, right: word.place.left + side,
                top: middle + side / 2)
            if side > 4 { take(Blank(kind: .checkBox, place: place, confidence: 0.9)) }
        }
        takeSquareCells()
    }

    private func isSquare(_ place: PDFRectangle) -> Bool {
        (5.5...17).contains(place.width) && abs(place.width - place.height) < max(1.5, 0.2 * place.width)
    }

    /// Squares of one size at equal small distances; most are rows of one.
    private static func rows(_ squares: [PDFRectangle]) -> [[PDFRectangle]] {
        let sorted = squares.sorted { ($0.bottom.rounded(), $0.left) < ($1.bottom.rounded(), $1.left) }
        var rows: [[PDFRectangle]] = []
        for square in sorted {
            guard let row = rows.last, let last = row.last, abs(square.bottom - last.bottom) < 1.2,
                abs(square.width - last.width) < 1.5
            else {
                rows.append([square])
                continue
            }
            let gap = square.left - last.right
            let before = row.count > 1 ? last.left - row[row.count - 2].right : gap
            if gap > -1.6, gap < 0.45 * square.width, abs(gap - before) < 1.3 {
                rows[rows.count - 1].append(square)
            } else {
                rows.append([square])
            }
        }
        return rows
    }

    /// ☐ and its kin, also where symbol fonts keep them.
    private static func isBoxSign(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x25A1, 0x25AB, 0x25FB, 0x25FD, 0x2610, 0x274F...0x2752, 0x25CB, 0x274D, 0x2B1C: true
        case 0xF06F, 0xF0A8, 0xF071, 0xF072, 0xF0A1, 0xF070: true
        default: false
        }
    }

    /// Squares made of single lines.
    private mutating func takeSquareCells() {
        let short = page.across.filter { (5.5...17).contains($0.width) }
        for floor in short {
            guard
                let cell = page.cell(
                    around: PDFRectangle(
                        left: floor.middle.x - 1, bottom: floor.top + 1, right: floor.middle.x + 1,
                        top: floor.top + 3)),
                isSquare(cell), abs(cell.width - floor.width) < 2, !hasWords(in: cell.grown(by: -1.5))
            else { continue }
            take(Blank(kind: .checkBox, place: cell, confidence: 0.85))
        }
    }

    // MARK: Underscores and dots

    private mutating func takeUnderscores(_ text: PageText) {
        for line in text.lines {
            var run: PDFRectangle?
            var count = 0
            func flush(_ found: inout [Blank], dotted: Bool, endsLine: Bool) {
                defer {
                    run = nil
                    count = 0
                }
                guard let place = run, place.width > 14, !dotted || (place.width > 60 && endsLine) else {
                    return
                }
                let bottom = place.bottom + 0.12 * place.height
                let blank = PDFRectangle(
                    left: place.left, bottom: bottom, right: place.right,
                    top: bottom + max(Self.lineHeight, place.height * 1.1))
                found.append(
                    Blank(
                        kind: .text, place: reach(blank), confidence: dotted ? 0.6 : 0.97))
            }
            var blanks: [Blank] = []
            for word in line.words {
                let blanksInWord = Self.blankPart(word, sign: "_")
                if let place = blanksInWord {
                    if let known = run, place.left - known.right > 6 {
                        flush(&blanks, dotted: false, endsLine: false)
                        _ = known
                    }
                    run = run?.union(place) ?? place
                    count += 1
                } else if run != nil {
                    flush(&blanks, dotted: false, endsLine: false)
                }
            }
            flush(&blanks, dotted: false, endsLine: true)
            // Dots that lead nowhere are a place to write; dots that lead to something are only a way.
            if blanks.isEmpty, let last = line.words.last, let dots = Self.blankPart(last, sign: "."),
                !leadsSomewhere(dots)
            {
                run = dots
                flush(&blanks, dotted: true, endsLine: true)
            }
            for blank in blanks { take(blank) }
        }
    }

    /// The part of a word that is a row of one sign.
    private static func blankPart(_ word: PageText.Word, sign: Character) -> PDFRectangle? {
        let characters = Array(word.text)
        guard let start = characters.firstIndex(of: sign) else { return nil }
        let end = characters[start...].firstIndex { $0 != sign } ?? characters.count
        guard end - start >= 3 else { return nil }
        let width = word.place.width / Double(characters.count)
        // Letters are wider than dots and about as wide as underscores: near enough for a word or two.
        let right = end == characters.count ? word.place.right : word.place.left + width * Double(end)
        return PDFRectangle(
            left: start == 0 ? word.place.left : word.place.left + width * Double(start),
            bottom: word.place.bottom, right: right, top: word.place.top)
    }

    private func leadsSomewhere(_ dots: PDFRectangle) -> Bool {
        words.contains {
            $0.place.left > dots.right - 1 && $0.place.left < dots.right + 60
                && $0.place.sharedHeight(with: dots) > 0.4 * dots.height && !LabelText.isLeader($0.text)
        }
            || page.upright.contains {
                $0.middle.x > dots.right - 2 && $0.middle.x < dots.right + 30 && $0.bottom < dots.middle.y
                    && $0.top > dots.middle.y
            }
    }

    /// A written line may reach up to what stands above it, but not into it.
    private func reach(_ blank: PDFRectangle) -> PDFRectangle {
        var top = blank.top
        for word in words
        where word.place.sharedWidth(with: blank) > 1 && word.place.bottom > blank.bottom + 3
            && word.place.bottom < top && !LabelText.isLeader(word.text)
        {
            top = word.place.bottom
        }
        return PDFRectangle(
            left: blank.left, bottom: blank.bottom, right: blank.right, top: max(top, blank.bottom + 8))
    }

    // MARK: Cells

    private mutating func takeCells() {
        var cells: [PDFRectangle] = []
        var seen: Set<[Int]> = []
        var probes = 0
        func note(_ cell: PDFRectangle) {
            let key = cell.numbers.map { Int(($0 / 1.5).rounded()) }
            guard cells.count < 3000, seen.insert(key).inserted else { return }
            cells.append(cell)
        }
        for floor in page.across where floor.width > 8 {
            var x = floor.left + 3
            while x < floor.right - 2, probes < Self.mostProbes {
                probes += 1
                let probe = PDFRectangle(
                    left: x - 0.5, bottom: floor.top + 0.6, right: x + 0.5, top: floor.top + 2.6)
                guard let cell = page.cell(around: probe, on: floor), cell.left <= x, cell.right > x else {
                    x += 6
                    continue
                }
                if abs(cell.bottom - floor.middle.y) < 3 { note(cell) }
                x = max(cell.right + 2, x + 4)
            }
        }
        for box in drawing.boxes where box.isOutlined || box.lightness == 1 {
            // A white box on a grey ground is a place to write as well.
            guard box.isOutlined || isOnGrey(box.place) else { continue }
            if !cells.contains(where: {
                box.place.share(coveredBy: $0) > 0.6 && $0.area < box.place.area * 1.3
            }) {
                note(box.place)
            }
        }
        // Small cells first: a box around several cells is no field.
        cells.sort { $0.area < $1.area }
        takeCombs(&cells)
        let contents = cells.map { (cell: $0, phrases: phrases(in: $0)) }
        isForReading =
            Self.holdsSentences(contents.map { $0.phrases.reduce(0) { $0 + $1.words.count } })
            || Self.isAnswered(
                contents.filter { !$0.phrases.isEmpty && below($0.phrases, in: $0.cell) != nil }
                    .map { $0.phrases.map(\.text).joined(separator: " ") })
        wide = cells.filter { $0.width > 40 && phrases(in: $0).isEmpty }
        for cell in cells { takeCell(cell, behindCaptions: false) }
        for cell in cells { takeCell(cell, behindCaptions: true) }
    }

    /// Captions ask; cells that say “Yes”, “Yes”, “No” have been answered.
    private static func isAnswered(_ captions: [String]) -> Bool {
        let answers = captions.filter {
            ["yes", "no", "n/a", "ja", "nein", "oui", "non"].contains($0.lowercased())
        }
        return answers.count >= 6 && answers.count * 8 >= captions.count
    }

    private static func holdsSentences(_ wordCounts: [Int]) -> Bool {
        let full = wordCounts.filter { $0 >= 12 }.count
        return full >= 5 && full * 4 > wordCounts.filter { $0 > 0 }.count
    }

    private func isOnGrey(_ place: PDFRectangle) -> Bool {
        drawing.boxes.contains {
            ($0.lightness ?? 1) < 0.97 && $0.place.area > place.area * 1.15
                && place.share(coveredBy: $0.place) > 0.95
        }
    }

    /// Several small cells of one size side by side take one character each.
    private mutating func takeCombs(_ cells: inout [PDFRectangle]) {
        var used: Set<Int> = []
        let order = cells.indices.sorted {
            (cells[$0].bottom.rounded(), cells[$0].left) < (cells[$1].bottom.rounded(), cells[$1].left)
        }
        for start in order where !used.contains(start) {
            guard isTooth(cells[start]) else { continue }
            var row = [start]
            while let last = row.last,
                let next = order.first(where: {
                    !used.contains($0) && isTooth(cells[$0]) && abs(cells[$0].left - cells[last].right) < 1.6
                        && abs(cells[$0].bottom - cells[last].bottom) < 1.5
                        && abs(cells[$0].width - cells[last].width) < 2.5
                        && abs(cells[$0].height - cells[last].height) < 1.5
                }), next != last
            {
                row.append(next)
                if row.count > 100 { break }
            }
            // Two cells alone may as well be two boxes to tick; as wide as letters they are a comb.
            guard row.count >= 3 || (row.count == 2 && cells[start].height > 11 && cells[start].width > 11)
            else { continue }
            used.formUnion(row)
            let place = row.dropFirst().reduce(cells[start]) { $0.union(cells[$1]) }
            take(Blank(kind: .comb, place: place, cellCount: row.count, confidence: 0.95))
        }
        cells = cells.enumerated().filter { !used.contains($0.offset) }.map(\.element)
    }

    private func isTooth(_ cell: PDFRectangle) -> Bool {
        (7...24).contains(cell.width) && (8...34).contains(cell.height) && cell.height > 0.6 * cell.width
            && !hasWords(in: cell.grown(by: -1))
    }

    private mutating func takeCell(_ cell: PDFRectangle, behindCaptions: Bool) {
        guard cell.width > 16, cell.height > Self.leastHeight, cell.area < 0.5 * sheet.area,
            cell.width < 0.98 * sheet.width, !isShaded(cell)
        else { return }
        // What holds places of its own is a frame around them.
        guard !found.contains(where: { $0.place.share(coveredBy: cell) > 0.6 }) else { return }
        let inside = phrases(in: cell)
        let free: PDFRectangle
        var confidence: Double
        if inside.isEmpty {
            guard !isTail(cell) else { return }
            free = cell
            confidence = cell.height > 160 ? 0.5 : 0.85
        } else {
            let part = behindCaptions ? behind(inside, in: cell) : below(inside, in: cell)
            guard let part else { return }
            free = part
            // Cells full of sentences are a table to read, however much room is left in some of them.
            let count = inside.reduce(0) { $0 + $1.words.count }
            let isSentence = inside.contains { $0.words.last?.hasSuffix(".") == true && $0.words.count > 3 }
            confidence = count > 40 || (count > 7 && isSentence) ? 0.3 : count > 25 ? 0.6 : 0.9
            if isForReading { confidence *= 0.25 }
            if behindCaptions, hasRoomBelow(cell) { return }
        }
        let place = free.grown(by: -0.8)
        guard place.width > 14, place.height > Self.leastHeight - 0.5 else { return }
        if let count = ticks(in: place) {
            take(Blank(kind: .comb, place: place, cellCount: count, confidence: confidence))
            return
        }
        if (7...20).contains(place.width), (7...17).contains(place.height), inside.isEmpty,
            hasWordsBehind(place)
        {
            take(Blank(kind: .checkBox, place: place, confidence: 0.85))
            return
        }
        if place.width < 12 { confidence -= 0.3 }
        take(
            Blank(
                kind: place.height > 34 && place.width > 60 ? .multiline : .text, place: place,
                confidence: confidence))
    }

    private func phrases(in cell: PDFRectangle) -> [Phrase] {
        page.phrases.filter { cell.contains(x: $0.place.middle.x, y: $0.place.middle.y) }
    }

    /// What is left of a cell below its caption.
    private func below(_ phrases: [Phrase], in cell: PDFRectangle) -> PDFRectangle? {
        let low = phrases.map(\.place.bottom).min() ?? cell.top
        let high = phrases.map(\.place.top).max() ?? cell.top
        let height = phrases.map(\.place.height).max() ?? 8
        let room = low - cell.bottom
        // Words in the middle of a high cell are what the cell says, not its caption.
        guard room >= max(8.5, 0.9 * height), cell.top - high < max(6, 0.6 * room) else { return nil }
        return PDFRectangle(left: cell.left, bottom: cell.bottom, right: cell.right, top: low)
    }

    /// What is left of a cell behind a caption of one line, as in “Name: ______”.
    private func behind(_ phrases: [Phrase], in cell: PDFRectangle) -> PDFRectangle? {
        guard below(phrases, in: cell) == nil else { return nil }
        let right = phrases.map(\.place.right).max() ?? cell.left
        let left = phrases.map(\.place.left).min() ?? cell.right
        let height = phrases.map(\.place.height).max() ?? 8
        guard cell.right - right >= max(30, 0.25 * cell.width), cell.height < 3.2 * height,
            left - cell.left < 0.3 * cell.width
        else { return nil }
        return PDFRectangle(left: right + 3, bottom: cell.bottom, right: cell.right, top: cell.top)
    }

    /// A row with nothing but a caption, above the row to write in.
    private func hasRoomBelow(_ cell: PDFRectangle) -> Bool {
        found.contains {
            abs($0.place.top - cell.bottom) < 5 && $0.place.sharedWidth(with: cell) > 0.4 * cell.width
        }
    }

    /// The narrow cell for cents behind an amount, or for the number of a line before it.
    private func isTail(_ cell: PDFRectangle) -> Bool {
        guard cell.width < 27 else { return false }
        return wide.contains {
            (abs($0.right - cell.left) < 3 || abs($0.left - cell.right) < 3)
                && abs($0.bottom - cell.bottom) < 3 && abs($0.top - cell.top) < 3
        }
    }

    private func isShaded(_ cell: PDFRectangle) -> Bool {
        let (x, y) = cell.middle
        var shade = 1.0
        for box in drawing.boxes where box.place.contains(x: x, y: y) {
            if let lightness = box.lightness, cell.share(coveredBy: box.place) > 0.8 { shade = lightness }
        }
        return shade < 0.8
    }

    private func hasWordsBehind(_ place: PDFRectangle) -> Bool {
        page.phrases.contains {
            $0.place.left > place.right - 1 && $0.place.left < place.right + 12
                && $0.place.sharedHeight(with: place) > 0.5 * min($0.place.height, place.height)
        }
    }

    /// Short upright strokes that divide a place evenly.
    private func ticks(in place: PDFRectangle) -> Int? {
        let strokes = page.upright.filter {
            $0.middle.x > place.left + 2 && $0.middle.x < place.right - 2
                && $0.sharedHeight(with: place) > 2 && $0.height < place.height * 1.6
                && $0.bottom < place.bottom + 0.5 * place.height
        }.map(\.middle.x).sorted()
        guard strokes.count >= 2 else { return nil }
        let edges = [place.left] + strokes + [place.right]
        let widths = zip(edges, edges.dropFirst()).map { $1 - $0 }
        guard let least = widths.min(), let most = widths.max(), least > 5, most < 1.5 * least else {
            return nil
        }
        return widths.count
    }

    // MARK: Lines

    private mutating func takeLines() {
        for line in page.writing where line.width > 22 && line.width < 0.93 * sheet.width && line.height < 2.2
        {
            let room = reach(
                PDFRectangle(
                    left: line.left, bottom: line.top, right: line.right, top: line.top + Self.lineHeight))
            guard room.height > 7.5 else { continue }
            // Words right on the line: it underlines them. Words at its beginning are a label, the rest is free.
            let on = words.filter {
                $0.place.sharedWidth(with: room) > 1 && $0.place.middle.y > room.bottom
                    && $0.place.bottom < room.bottom + 7 && !LabelText.isLeader($0.text)
            }
            var free = room
            if let right = on.map(\.place.right).max() {
                guard line.right - right > max(30, 0.3 * line.width) else { continue }
                free.left = right + 3
            }
            take(Blank(kind: .text, place: free, confidence: on.isEmpty ? 0.85 : 0.7))
        }
    }

    private func hasWords(in place: PDFRectangle) -> Bool {
        guard place.width > 0, place.height > 0 else { return false }
        return words.contains { word in
            guard let first = word.text.unicodeScalars.first, !Self.isBoxSign(first) else { return false }
            return place.contains(x: word.place.middle.x, y: word.place.middle.y)
                || place.share(coveredBy: word.place) > 0.3
        }
    }
}
