import PDF
import PDFForms

/// What labels are looked for: a field, or a place where one could be.
struct LabelSubject {
    /// One or more places on the sheet of this page, by the number of the widget.
    var places: [(widget: Int, place: PDFRectangle)]
    var isBox: Bool
    /// How many places it has on all pages.
    var widgetCount = 1
    /// Whether something stands in it that is no label.
    var isFilled = false
    /// Its technical name as words, which often agree with those on the page.
    var name = ""
}

/// The labels of one page's fields, found together: a phrase that fits one field best is rarely meant for another.
struct PageLabels {
    /// By the subject's place in the list that was given.
    private(set) var labels: [(Int, FieldLabel)] = []

    struct Spot {
        var field: Int
        var widget: Int
        var place: PDFRectangle
        var isBox: Bool
    }

    /// Fields of one page that labels are looked for; no form has so many.
    private static let mostSpots = 2_500

    private let search: LabelSearch
    /// The place each phrase fits best, and how well.
    private var claims: [Int: (score: Double, spot: Int)] = [:]
    /// Whether the words are more likely those of a field than a heading over several.
    func isLabel(_ phrase: Int) -> Bool { claims[phrase].map { $0.score > 0.5 } ?? false }
    let spots: [Spot]
    var page: Surroundings { search.page }

    init(_ form: Form, _ text: PageText, _ drawing: PageDrawing?) {
        let subjects = form.fields.map { field in
            let isChoice = field.kind == .combo || field.kind == .list
            return LabelSubject(
                places: field.kind == .pushButton
                    ? []
                    : field.widgets.enumerated().filter { $0.element.page == text.page }
                        .map { ($0.offset, text.frame.shown($0.element.rectangle)) },
                isBox: field.isBox, widgetCount: field.widgets.count,
                isFilled: !field.isBox && (isChoice || field.value.contains { !$0.isEmpty }),
                name: field.readableName)
        }
        self.init(subjects, text, drawing)
    }

    init(_ subjects: [LabelSubject], _ text: PageText, _ drawing: PageDrawing?) {
        var spots: [Spot] = []
        for (index, subject) in subjects.enumerated() {
            for (widget, place) in subject.places
            where place.width > 0.5 && place.height > 0.5 && spots.count < Self.mostSpots {
                spots.append(Spot(field: index, widget: widget, place: place, isBox: subject.isBox))
            }
        }
        self.spots = spots
        search = LabelSearch(
            page: Surroundings(
                text, drawing, fields: spots.map(\.place), isFilled: spots.map { subjects[$0.field].isFilled }
            ))
        find(subjects)
    }

    private mutating func find(_ subjects: [LabelSubject]) {
        let boxesLabelledAtLeft = rowsLabelledAtLeft()
        var candidates = spots.enumerated().map { number, spot in
            var found = search.candidates(for: spot.place, isBox: spot.isBox)
            if boxesLabelledAtLeft.contains(number) {
                for index in found.indices {
                    if found[index].source == .left { found[index].score += 0.25 }
                    if found[index].source == .right { found[index].score -= 0.35 }
                }
                found.sort { $0.score > $1.score }
            }
            return found
        }
        for (number, spot) in spots.enumerated() { favour(subjects[spot.field].name, &candidates[number]) }
        settleRivals(&candidates)
        let columns = columns(candidates)

        let found = spots.indices.map { label($0, candidates, columns) }
        var answers: [Int: String] = [:]
        for (number, label) in found.enumerated() where spots[number].isBox { answers[number] = label?.text }
        var best: [Int: FieldLabel] = [:]
        var choices: [Int: [Int: String]] = [:]
        for (number, spot) in spots.enumerated() {
            guard var label = found[number] else { continue }
            if spot.isBox {
                choices[spot.field, default: [:]][spot.widget] = label.text
                if subjects[spot.field].widgetCount == 1, let question = question(number, answers) {
                    label.text = "\(question.text): \(label.text)"
                    label.confidence = min(label.confidence, question.confidence)
                }
            }
            if let known = best[spot.field], known.confidence >= label.confidence { continue }
            best[spot.field] = label
        }
        for (field, words) in choices where subjects[field].widgetCount > 1 {
            guard var label = group(field) ?? best[field] else { continue }
            label.choices = (0..<subjects[field].widgetCount).map { words[$0] ?? "" }
            best[field] = label
        }
        labels = best.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    // MARK: Who gets which phrase

    /// Boxes to tick have their words behind them, except on forms where a row begins with words and ends with a box.
    private func rowsLabelledAtLeft() -> Set<Int> {
        var result: Set<Int> = []
        let boxes = spots.indices.filter { spots[$0].isBox }
        var rest = boxes
        while let first = rest.first {
            let row = rest.filter {
                spots[$0].place.sharedHeight(with: spots[first].place) > 0.5 * spots[first].place.height
            }
            rest.removeAll(where: row.contains)
            let sorted = row.sorted { spots[$0].place.left < spots[$1].place.left }
            guard let leftmost = sorted.first, let rightmost = sorted.last else { continue }
            let left = nearest(spots[leftmost].place, atRight: false)
            let right = nearest(spots[rightmost].place, atRight: true)
            if (left ?? 99) < 14, (right ?? 99) > 24 { result.formUnion(row) }
        }
        return result
    }

    private func nearest(_ place: PDFRectangle, atRight: Bool) -> Double? {
        page.phrases.compactMap { phrase -> Double? in
            guard !phrase.isCode,
                phrase.place.sharedHeight(with: place) > 0.4 * min(phrase.place.height, place.height)
            else { return nil }
            let gap = atRight ? phrase.place.left - place.right : place.left - phrase.place.right
            guard gap > -3 else { return nil }
            let isWalled =
                atRight
                ? page.isWalled(from: place.right + 1, to: phrase.place.left, at: place.middle.y)
                : page.isWalled(from: phrase.place.right, to: place.left - 1, at: place.middle.y)
            return isWalled ? gap + 15 : gap
        }.min()
    }

    /// Words that the technical name has too are most likely meant.
    private func favour(_ name: String, _ found: inout [LabelSearch.Candidate]) {
        guard LabelText.saysSomething(name) else { return }
        let name = LabelText.words(name).map { $0.filter(\.isLetter) }.filter { $0.count > 2 }
        for index in found.indices {
            let words = page.phrases[found[index].phrase].words.prefix(12)
            let shares = words.contains { word in
                LabelText.words(word).contains { part in
                    name.contains { $0 == part || ($0.count > 3 && part.hasPrefix($0)) }
                }
            }
            if shares { found[index].score += 0.14 }
        }
        found.sort { $0.score > $1.score }
    }

    /// A phrase that says clearly more to another field counts less here.
    private mutating func settleRivals(_ candidates: inout [[LabelSearch.Candidate]]) {
        for (number, found) in candidates.enumerated() {
            for candidate in found where candidate.score > (claims[candidate.phrase]?.score ?? 0) {
                claims[candidate.phrase] = (candidate.score, number)
            }
        }
        for (number, found) in candidates.enumerated() {
            candidates[number] = found.map { candidate in
                var candidate = candidate
                if let rival = claims[candidate.phrase], rival.spot != number,
                    spots[rival.spot].field != spots[number].field
                {
                    candidate.score -= min(0.3, max(0, rival.score - candidate.score) * 0.9)
                }
                return candidate
            }.sorted { $0.score > $1.score }
        }
    }

    // MARK: Tables

    private struct Column {
        var heading: FieldLabel?
        /// Spots from the top.
        var rows: [Int]
    }

    /// Fields of one width exactly below each other, with nothing of their own beside them.
    private func columns(_ candidates: [[LabelSearch.Candidate]]) -> [Int: Column] {
        var below: [Int: Int] = [:]
        var hasAbove: Set<Int> = []
        let order = spots.indices.sorted { spots[$0].place.top > spots[$1].place.top }
        for (position, upper) in order.enumerated() {
            let place = spots[upper].place
            for lower in order[(position + 1)...] {
                let next = spots[lower].place
                let gap = place.bottom - next.top
                if gap > 1.6 * max(place.height, 8) { break }
                guard gap > -3, abs(place.left - next.left) < 5, abs(place.width - next.width) < 8,
                    spots[upper].isBox == spots[lower].isBox, abs(place.height - next.height) < 6,
                    !hasWordsBetween(place, next)
                else { continue }
                if below[upper] == nil, !hasAbove.contains(lower) {
                    below[upper] = lower
                    hasAbove.insert(lower)
                }
            }
        }
        var columns: [Int: Column] = [:]
        for top in order where !hasAbove.contains(top) && below[top] != nil {
            var rows = [top]
            while let next = rows.last.flatMap({ below[$0] }) { rows.append(next) }
            let own = rows.filter { spot in
                rowWords(spot, candidates) != nil
                    || candidates[spot].contains { candidate in
                        candidate.score > 0.62 && candidate.source != .above
                            && !page.phrases[candidate.phrase].isCode
                    }
            }
            let isFirst = rows.allSatisfy { leftNeighbour(of: $0) == nil }
            // Lines with words of their own are no table, unless more cells follow on the same lines.
            if own.count * 2 > rows.count, isFirst || spots[top].isBox,
                !rows.contains(where: hasRightNeighbour)
            {
                continue
            }
            let heading = heading(of: spots[top].place)
            guard heading != nil else { continue }
            for row in rows { columns[row] = Column(heading: heading, rows: rows) }
        }
        return columns
    }

    private func hasWordsBetween(_ upper: PDFRectangle, _ lower: PDFRectangle) -> Bool {
        page.phrases.contains {
            !$0.isMark && $0.place.middle.y < upper.bottom + 1 && $0.place.middle.y > lower.top - 1
                && $0.place.sharedWidth(with: upper) > 0.4 * min($0.place.width, upper.width)
        }
    }

    /// What stands before the first field of a row: words, or a number with words before it.
    private func rowWords(_ spot: Int, _ candidates: [[LabelSearch.Candidate]]) -> String? {
        for candidate in candidates[spot] {
            let phrase = page.phrases[candidate.phrase]
            if spots[spot].isBox, candidate.source == .right, candidate.score > 0.5, !phrase.isCode {
                return words(of: candidate, for: spots[spot])
            }
            guard candidate.source == .left, candidate.score > (phrase.isCode ? 0.2 : 0.5) else { continue }
            if phrase.isCode, before(candidate.phrase) == nil { continue }
            return words(of: candidate, for: spots[spot])
        }
        return nil
    }

    private func heading(of place: PDFRectangle) -> FieldLabel? {
        let above = page.phrases.indices.filter { index in
            let phrase = page.phrases[index].place
            return phrase.bottom > place.top - 3 && phrase.bottom < place.top + 46
                && phrase.middle.x > place.left - 6 && phrase.middle.x < place.right + 6
                && phrase.width < place.width + 30 && !page.phrases[index].isMark
                && !isTaken(index, by: place)
        }
        guard
            let lowest = above.filter({ !page.phrases[$0].isCode }).min(by: {
                page.phrases[$0].place.bottom < page.phrases[$1].place.bottom
            })
        else { return nil }
        guard page.phrases[lowest].place.bottom < place.top + 30 else { return nil }
        let text = stacked(lowest, over: place)
        return text.isEmpty ? nil : FieldLabel(text, source: .heading, confidence: 0.7)
    }

    /// Whether a phrase is clearly the label of something beside it.
    private func isTaken(_ phrase: Int, by place: PDFRectangle) -> Bool {
        guard let claim = claims[phrase], claim.score > 0.88 else { return false }
        return spots[claim.spot].place.sharedWidth(with: place) < 2
    }

    private func leftNeighbour(of spot: Int) -> Int? {
        let place = spots[spot].place
        return spots.indices.filter {
            $0 != spot && spots[$0].place.right <= place.left + 2 && place.left - spots[$0].place.right < 40
                && spots[$0].place.sharedHeight(with: place) > 0.6 * min(place.height, spots[$0].place.height)
        }.max { spots[$0].place.right < spots[$1].place.right }
    }

    private func hasRightNeighbour(_ spot: Int) -> Bool {
        spots.indices.contains { leftNeighbour(of: $0) == spot && $0 != spot }
    }

    // MARK: One label

    private func label(
        _ number: Int, _ candidates: [[LabelSearch.Candidate]], _ columns: [Int: Column]
    ) -> FieldLabel? {
        let spot = spots[number]
        let found = candidates[number]
        if let column = columns[number], let heading = column.heading,
            let row = column.rows.firstIndex(of: number)
        {
            // Captions inside each cell say it better than a heading.
            if found.first?.source != .inside {
                return tableLabel(number, heading, row: row, candidates)
            }
        }
        // A number at the end of a line leads back to the line's words.
        if !spot.isBox,
            let number = found.first(where: { $0.source == .left && page.phrases[$0.phrase].isCode }),
            number.score > 0.15, found.first.map({ $0.score < 0.75 || $0.source == .left }) ?? true,
            before(number.phrase) != nil
        {
            let text = words(of: number, for: spot)
            if !text.isEmpty {
                return FieldLabel(text, source: .left, confidence: Self.confidence(number.score + 0.3))
            }
        }
        if let first = found.first(where: { !page.phrases[$0.phrase].isCode }),
            first.score > 0.5 || (found.first?.score ?? 0) <= first.score + 0.3
        {
            // The same words before several small fields: parts of one thing.
            if !spot.isBox, first.score < 0.6, let part = part(number, candidates) { return part }
            return FieldLabel(
                words(of: first, for: spot), source: first.source, confidence: Self.confidence(first.score))
        }
        if !spot.isBox, let part = part(number, candidates) { return part }
        guard let first = found.first else { return nil }
        let text = words(of: first, for: spot)
        guard !text.isEmpty else { return nil }
        return FieldLabel(text, source: first.source, confidence: Self.confidence(first.score))
    }

    private static func confidence(_ score: Double) -> Double {
        (min(max(score, 0.05), 0.97) * 100).rounded() / 100
    }

    private func tableLabel(
        _ number: Int, _ heading: FieldLabel, row: Int, _ candidates: [[LabelSearch.Candidate]]
    ) -> FieldLabel {
        var label = heading
        label.row = row + 1
        var first = number
        var steps = 0
        while let left = leftNeighbour(of: first), steps < 30 {
            first = left
            steps += 1
        }
        if let words = rowWords(first, candidates) {
            label.text = "\(words), \(heading.text)"
        } else {
            label.text = "\(heading.text) \(row + 1)"
        }
        return label
    }

    /// The label of the field before this one on the row, when only signs such as `/` or `-` stand between.
    private func part(_ number: Int, _ candidates: [[LabelSearch.Candidate]]) -> FieldLabel? {
        var chain = [number]
        while let last = chain.last, let left = leftNeighbour(of: last), chain.count < 8 {
            let gap = (spots[left].place.right, spots[last].place.left)
            let y = spots[last].place.middle.y
            guard gap.1 - gap.0 < 24, !spots[left].isBox,
                !page.phrases.contains(where: {
                    !$0.isMark && $0.place.middle.x > gap.0 && $0.place.middle.x < gap.1
                        && $0.place.bottom < y && $0.place.top > y
                })
            else { break }
            chain.append(left)
        }
        guard chain.count > 1, let first = chain.last,
            let words = candidates[first].first(where: { !page.phrases[$0.phrase].isCode }),
            words.score > 0.5
        else { return nil }
        return FieldLabel(
            self.words(of: words, for: spots[first]), source: words.source,
            confidence: Self.confidence(words.score - 0.2), part: chain.count)
    }

    /// The question over a group of boxes: beside the first of them or above all.
    private func group(_ field: Int) -> FieldLabel? {
        let own = spots.filter { $0.field == field }
        guard let first = own.first else { return nil }
        let whole = own.dropFirst().reduce(first.place) { $0.union($1.place) }
        let found = search.candidates(for: whole, isBox: false).filter {
            ($0.source == .left || $0.source == .above) && !page.phrases[$0.phrase].isCode
        }
        guard let best = found.first, best.score > 0.45 else { return nil }
        return FieldLabel(
            words(of: best, for: first), source: best.source, confidence: Self.confidence(best.score - 0.1))
    }

    private static let answers: Set<String> = [
        "yes", "no", "n/a", "na", "y", "n", "ja", "nein", "oui", "non", "sí", "si", "i do not know",
        "unknown",
        "not applicable", "don't know", "none", "other",
    ]

    /// Of a box that only says yes or no: the question it answers. Two fields called “Yes” help nobody.
    private func question(_ number: Int, _ answers: [Int: String]) -> FieldLabel? {
        guard Self.answers.contains(answers[number]?.lowercased() ?? "") else { return nil }
        var whole = spots[number].place
        for _ in 0..<4 {
            for (other, words) in answers where Self.answers.contains(words.lowercased()) {
                let place = spots[other].place
                let isBeside =
                    place.sharedHeight(with: whole) > 3
                    && max(place.left - whole.right, whole.left - place.right) < 90
                let isBelow =
                    abs(place.left - whole.left) < 4
                    && max(place.bottom - whole.top, whole.bottom - place.top) < 16
                if isBeside || isBelow { whole = whole.union(place) }
            }
        }
        let found = search.candidates(for: whole, isBox: false).filter {
            let phrase = page.phrases[$0.phrase]
            let words = LabelText.clean(phrase.words).lowercased()
            return ($0.source == .left || $0.source == .above) && !phrase.isCode
                && !Self.answers.contains(words) && words.count > 3
        }
        guard let best = found.first, best.score > 0.3 else { return nil }
        let text = words(of: best, for: Spot(field: 0, widget: 0, place: whole, isBox: false))
        guard !text.isEmpty else { return nil }
        return FieldLabel(text, source: best.source, confidence: Self.confidence(best.score - 0.05))
    }

    // MARK: Words

    /// The phrase and what belongs to it: the lines above it, or the words before a mere item number.
    private func words(of candidate: LabelSearch.Candidate, for spot: Spot) -> String {
        let phrase = page.phrases[candidate.phrase]
        switch candidate.source {
        case .left:
            if phrase.isCode, let before = before(candidate.phrase) {
                return LabelText.clean(wrapped(before))
            }
            return LabelText.clean(wrapped(candidate.phrase))
        case .above, .inside: return stacked(candidate.phrase, over: spot.place)
        case .right: return LabelText.clean(continued(candidate.phrase, spot))
        default: return LabelText.clean(phrase.words)
        }
    }

    private func before(_ index: Int) -> Int? {
        let phrase = page.phrases[index]
        let found = page.phrases.indices.filter {
            let other = page.phrases[$0]
            return other.place.right <= phrase.place.left + 1 && !other.isCode
                && other.place.sharedHeight(with: phrase.place) > 0.5 * phrase.place.height
        }.max { page.phrases[$0].place.right < page.phrases[$1].place.right }
        guard let found,
            !page.hasField(
                from: page.phrases[found].place.right, to: phrase.place.left, at: phrase.place.middle.y)
        else { return nil }
        return found
    }

    /// A sentence that runs over lines: the lines above that it goes on from.
    private func wrapped(_ index: Int) -> [String] {
        var words = page.phrases[index].words
        var current = page.phrases[index]
        for _ in 0..<2 {
            guard let first = words.first?.first(where: \.isLetter), first.isLowercase,
                let above = page.phrases.first(where: {
                    let gap = $0.place.bottom - current.place.top
                    return gap > -0.5 * current.place.height && gap < 0.7 * current.place.height
                        && $0.place.left < current.place.left + 12 && $0.place.left > current.place.left - 30
                        && abs($0.place.height - current.place.height) < 2
                        && $0.place.middle.y > current.place.top - 2
                })
            else { break }
            words = above.words + words
            current = above
        }
        return words
    }

    /// Words behind a box that go on in the next lines.
    private func continued(_ index: Int, _ spot: Spot) -> [String] {
        var words = page.phrases[index].words
        var current = page.phrases[index]
        for _ in 0..<2 where words.count < 20 {
            let next = page.phrases.first {
                let gap = current.place.bottom - $0.place.top
                return gap > -0.5 * current.place.height && gap < 0.6 * current.place.height
                    && abs($0.place.left - page.phrases[index].place.left) < 3
                    && abs($0.place.height - current.place.height) < 1.5
                    && $0.words.first?.first?.isLowercase == true
            }
            guard let next,
                !page.fields.contains(where: {
                    next.place.sharedHeight(with: $0) > 3 && $0.right < next.place.left + 2
                        && next.place.left - $0.right < 20
                })
            else { break }
            words += next.words
            current = next
        }
        return words
    }

    /// Lines of one caption above each other, read from the top.
    private func stacked(_ index: Int, over place: PDFRectangle) -> String {
        var lines = [page.phrases[index]]
        for _ in 0..<3 {
            guard let top = lines.first else { break }
            let next = page.phrases.first {
                let gap = $0.place.bottom - top.place.top
                return gap > -0.45 * top.place.height && gap < 0.5 * top.place.height
                    && $0.place.middle.y > top.place.middle.y + 2
                    && abs($0.place.height - top.place.height) < 2
                    && (abs($0.place.left - top.place.left) < 4
                        || abs($0.place.middle.x - top.place.middle.x) < 6)
                    && $0.place.right < place.right + 40 && $0.place.left > place.left - 30
                    && !page.isFloored(
                        from: top.place.top - 0.5, to: $0.place.bottom + 0.5, at: top.place.middle.x)
            }
            guard let next, !next.isMark, next.block == top.block || next.place.width < place.width + 10
            else {
                break
            }
            // A heading set above captions is no part of them.
            if page.fields.contains(where: { $0.contains(x: next.place.middle.x, y: next.place.middle.y) }) {
                break
            }
            lines.insert(next, at: 0)
        }
        return LabelText.clean(lines.flatMap(\.words))
    }
}
