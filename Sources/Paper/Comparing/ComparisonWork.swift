import PDF
import PDFReading
import Work

/// Two papers whose words are read, on the way to what differs.
struct ComparisonWork {
    private let before: ComparedPaper
    private let after: ComparedPaper
    private let words: WordsOfBoth
    private var partners: [Int32]
    /// For each word of the second paper its partner.
    private var origins: [Int32]
    private var pairs = PagePairs(votes: [], sizes: ([], []), likeness: { _, _ in 0 })
    private var changes: [PaperComparison.Change] = []
    private var counterpart: (ofBefore: [Int], ofAfter: [Int])
    /// Words that need not be told: their field's value is, or they stand where they stood.
    private var isSettled: (before: [Bool], after: [Bool])
    private var changedFields: (before: [Int: [PDFRectangle]], after: [Int: [PDFRectangle]]) = ([:], [:])
    private var digests: (before: [Int: [UInt8]], after: [Int: [UInt8]]) = ([:], [:])
    var remarks: [PaperComparison.Remark] = []

    private var old: ComparedWords { words.before }
    private var new: ComparedWords { words.after }

    init(_ before: ComparedPaper, _ after: ComparedPaper, _ words: WordsOfBoth) {
        self.before = before
        self.after = after
        self.words = words
        partners =
            SequenceDifference(words.before.words.map(\.key), words.after.words.map(\.key)).partners
        origins = [Int32](repeating: -1, count: words.after.words.count)
        isSettled = (
            [Bool](repeating: false, count: words.before.words.count),
            [Bool](repeating: false, count: words.after.words.count)
        )
        counterpart = (
            [Int](repeating: -1, count: before.sheets.count), [Int](repeating: -1, count: after.sheets.count)
        )
        dropChance()
        slide()
        for (place, partner) in partners.enumerated() where partner >= 0 {
            origins[Int(partner)] = Int32(place)
        }
        for (isAfter, pages) in [(false, old.cutPages), (true, new.cutPages)] where !pages.isEmpty {
            remarks.append(.cut(isAfter: isAfter, pages: pages))
        }
    }

    /// One or two words between passages that were written anew are the same by chance only, and nobody could read what is left.
    private mutating func dropChance() {
        var last = (before: -1, after: -1)
        var start = 0
        var gapBefore = 0
        var at = 0
        while at < partners.count {
            guard partners[at] >= 0 else {
                at += 1
                continue
            }
            start = at
            let first = Int(partners[at])
            while at + 1 < partners.count, partners[at + 1] == partners[at] + 1 { at += 1 }
            let length = at - start + 1
            gapBefore = max(start - last.before - 1, first - last.after - 1)
            let end = (before: at, after: Int(partners[at]))
            var next = at + 1
            while next < partners.count, partners[next] < 0 { next += 1 }
            let nextAfter = next < partners.count ? Int(partners[next]) : new.words.count
            let gapAfter = max(next - end.before - 1, nextAfter - end.after - 1)
            if length <= 2, gapBefore >= 2 * length + 1, gapAfter >= 2 * length + 1 {
                for place in start...at { partners[place] = -1 }
            } else {
                last = end
            }
            at += 1
        }
    }

    /// Of words that stand there twice either may be the new ones: it reads best when a change begins where a line or a sentence
    /// does.
    private mutating func slide() {
        var left = 0
        var right = 0
        while left < partners.count || right < new.words.count {
            if left < partners.count, Int(partners[left]) == right {
                left += 1
                right += 1
                continue
            }
            let start = (left, right)
            while left < partners.count, partners[left] < 0 { left += 1 }
            right = left < partners.count ? Int(partners[left]) : new.words.count
            if start.0 == left, right > start.1 {
                let shift = Self.shift(new, start.1..<right, most: start.0) { place in
                    Int(partners[start.0 - place]) == start.1 - place
                }
                for place in 0..<shift { partners[start.0 - 1 - place] = Int32(right - 1 - place) }
            } else if start.1 == right, left > start.0 {
                let shift = Self.shift(old, start.0..<left, most: start.0) { place in
                    Int(partners[start.0 - place]) == start.1 - place
                }
                for place in 0..<shift {
                    partners[left - 1 - place] = partners[start.0 - 1 - place]
                    partners[start.0 - 1 - place] = -1
                }
            }
        }
    }

    /// How far words without a partner are better begun earlier.
    private static func shift(
        _ words: ComparedWords, _ range: Range<Int>, most: Int, isPartner: (Int) -> Bool
    ) -> Int {
        func score(_ start: Int) -> Int {
            guard start > 0 else { return 3 }
            let (before, first) = (words.words[start - 1], words.words[start])
            return (before.line != first.line ? 2 : 0) + (before.page != first.page ? 1 : 0)
        }
        var best = (shift: 0, score: score(range.lowerBound))
        var shift = 0
        while shift < 30, shift < most, shift < range.lowerBound, isPartner(shift + 1),
            words.words[range.lowerBound - 1 - shift].key == words.words[range.upperBound - 1 - shift].key
        {
            shift += 1
            let here = score(range.lowerBound - shift)
            if here > best.score { best = (shift, here) }
        }
        return best.shift
    }

    // MARK: Pages

    mutating func pairPages(_ looks: PageLooks) throws(ComparisonError) {
        var counts: [Int: Int] = [:]
        let width = after.sheets.count + 1
        for (place, partner) in partners.enumerated() where partner >= 0 {
            counts[Int(old.words[place].page) * width + Int(new.words[Int(partner)].page), default: 0] += 1
        }
        let votes = counts.map { (before: $0.key / width, after: $0.key % width, count: $0.value) }
        let sizes = (before: old.pages.map(\.count), after: new.pages.map(\.count))
        let likeness = try likeness(sizes, looks)
        var pairs = PagePairs(votes: votes, sizes: sizes, likeness: likeness)
        for pair in pairs.pairs {
            guard let left = pair.before, let right = pair.after else { continue }
            counterpart.ofBefore[left] = right
            counterpart.ofAfter[right] = left
        }
        pairs.tellFlowed { pair in
            func isKept(_ range: Range<Int>, _ partners: [Int32]) -> Bool {
                !range.isEmpty && range.count { partners[$0] >= 0 } * 10 >= range.count * 4
            }
            return pair.before.map { isKept(old.pages[$0], partners) }
                ?? pair.after.map { isKept(new.pages[$0], origins) } ?? false
        }
        self.pairs = pairs
        for pair in pairs.pairs where !pair.isFlowed {
            var change = PaperComparison.Change(pair.before == nil ? .pageAdded : .pageRemoved)
            switch (pair.before, pair.after) {
            case (let page?, nil):
                change.before = .init(page: page)
                change.removed = text(old, old.pages[page], longest: 200)
                for place in old.pages[page] { isSettled.before[place] = true }
            case (nil, let page?):
                change.after = .init(page: page)
                change.added = text(new, new.pages[page], longest: 200)
                for place in new.pages[page] { isSettled.after[place] = true }
            case (let left?, let right?):
                let (was, now) = (before.sheets.frames[left], after.sheets.frames[right])
                guard abs(was.width - now.width) > 2 || abs(was.height - now.height) > 2 else { continue }
                change = .init(.pageSize)
                change.before = .init(page: left)
                change.after = .init(page: right)
                change.removed = Self.size(was)
                change.added = Self.size(now)
            case (nil, nil): continue
            }
            changes.append(change)
        }
    }

    private static func size(_ frame: PageFrame) -> String {
        "\(Int(frame.width.rounded())) × \(Int(frame.height.rounded()))"
    }

    /// Pages without words, by what they draw and by what they look like.
    private mutating func likeness(
        _ sizes: (before: [Int], after: [Int]), _ looks: PageLooks
    ) throws(ComparisonError) -> (Int, Int) -> Double {
        let empty = (
            before: sizes.before.indices.filter { sizes.before[$0] == 0 },
            after: sizes.after.indices.filter { sizes.after[$0] == 0 }
        )
        guard !empty.before.isEmpty || !empty.after.isEmpty else { return { _, _ in 0 } }
        // What words are on one side only may look the same all the same: a scan, and the scan made searchable.
        var voted: (before: Set<Int>, after: Set<Int>) = ([], [])
        for (place, partner) in partners.enumerated() where partner >= 0 {
            voted.before.insert(Int(old.words[place].page))
            voted.after.insert(Int(new.words[Int(partner)].page))
        }
        let pages = (
            before: sizes.before.indices.filter { !voted.before.contains($0) },
            after: sizes.after.indices.filter { !voted.after.contains($0) }
        )
        fillDigests(pages.before, pages.after)
        let (left, right) = (digests.before, digests.after)
        let twins = Set(left.values).intersection(right.values)
        func alone(_ pages: [Int], _ digests: [Int: [UInt8]]) -> [Int] {
            pages.filter { page in digests[page].map { !twins.contains($0) } ?? true }
        }
        let small = (
            before: try looks.small(alone(pages.before, left), isAfter: false),
            after: try looks.small(alone(pages.after, right), isAfter: true)
        )
        return { page, other in
            guard sizes.before[page] == 0 || sizes.after[other] == 0 else { return 0 }
            if let digest = left[page], digest == right[other] { return 1 }
            guard let was = small.before[page], let now = small.after[other] else { return 0 }
            return PageLooks.likeness(was, now)
        }
    }

    private mutating func fillDigests(_ left: [Int], _ right: [Int]) {
        func fill(_ file: PDFFile, _ pages: [Int], _ known: inout [Int: [UInt8]]) {
            let missing = pages.filter { known[$0] == nil }
            guard !missing.isEmpty else { return }
            let reading = PageDigests(file)
            let references = file.pages
            for page in missing where page < references.count {
                if let digest = reading.digest(references[page]) { known[page] = digest }
            }
        }
        fill(before.file, left, &digests.before)
        fill(after.file, right, &digests.after)
    }

    // MARK: Words

    mutating func findWords() {
        findFields()
        findRunning()
        settleWhatStands()
        var hunks = hunks()
        hunks.removeAll { hunk in
            let (left, right) = (letters(old, hunk.before), letters(new, hunk.after))
            return left == right
        }
        tellMoved(&hunks)
        for hunk in hunks { changes.append(change(.words, hunk)) }
    }

    /// Words without a partner that follow each other.
    private struct Hunk {
        var before: [Int] = []
        var after: [Int] = []
        /// Words that stayed, in front of it and behind it.
        var lead: (before: Int, after: Int)
        var trail: (before: Int, after: Int)
    }

    private func hunks() -> [Hunk] {
        var hunks: [Hunk] = []
        var (left, right) = (0, 0)
        var lead = (before: -1, after: -1)
        while left < old.words.count || right < new.words.count {
            if left < old.words.count, partners[left] >= 0, Int(partners[left]) == right {
                lead = (left, right)
                left += 1
                right += 1
                continue
            }
            let start = (left, right)
            var hunk = Hunk(lead: lead, trail: (-1, -1))
            while left < old.words.count, partners[left] < 0 {
                if !isSettled.before[left] { hunk.before.append(left) }
                left += 1
            }
            while right < new.words.count, origins[right] < 0 {
                if !isSettled.after[right] { hunk.after.append(right) }
                right += 1
            }
            precondition(start != (left, right), "partners stand in one order")
            hunk.trail = (left < old.words.count ? left : -1, right < new.words.count ? right : -1)
            if !hunk.before.isEmpty || !hunk.after.isEmpty { hunks.append(hunk) }
        }
        return hunks
    }

    /// What is read in another order, and stands where it stood, is the same.
    private mutating func settleWhatStands() {
        var there: [Int64: [Int]] = [:]
        func name(_ page: Int, _ key: Int32) -> Int64 { Int64(page) << 32 | Int64(key) }
        for place in new.words.indices where origins[place] < 0 && !isSettled.after[place] {
            there[name(Int(new.words[place].page), new.words[place].key), default: []].append(place)
        }
        guard !there.isEmpty else { return }
        for place in old.words.indices where partners[place] < 0 && !isSettled.before[place] {
            let word = old.words[place]
            let page = counterpart.ofBefore[Int(word.page)]
            guard page >= 0, let others = there[name(page, word.key)] else { continue }
            let twin = others.prefix(200).first {
                !isSettled.after[$0] && new.words[$0].box.isNear(word.box, 3)
            }
            guard let twin else { continue }
            isSettled.before[place] = true
            isSettled.after[twin] = true
        }
    }

    /// Without the blanks: programs do not agree where words end.
    private func letters(_ words: ComparedWords, _ numbers: [Int]) -> String {
        numbers.map { self.words.vocabulary.texts[Int(words.words[$0].key)] }.joined()
    }

    private static let fewestMoved = 6

    /// Passages that stand elsewhere word for word.
    private mutating func tellMoved(_ hunks: inout [Hunk]) {
        var gone: [[Int32]: [Int]] = [:]
        for (number, hunk) in hunks.enumerated()
        where hunk.after.isEmpty && hunk.before.count >= Self.fewestMoved {
            gone[hunk.before.map { old.words[$0].key }, default: []].append(number)
        }
        guard !gone.isEmpty else { return }
        var told: Set<Int> = []
        for (number, hunk) in hunks.enumerated()
        where hunk.before.isEmpty && hunk.after.count >= Self.fewestMoved {
            let keys = hunk.after.map { new.words[$0].key }
            guard let origin = gone[keys]?.popLast() else { continue }
            var moved = hunk
            moved.before = hunks[origin].before
            var change = change(.moved, moved)
            change.removed = ""
            changes.append(change)
            told.insert(number)
            told.insert(origin)
        }
        hunks = hunks.enumerated().filter { !told.contains($0.offset) }.map(\.element)
    }

    private func change(_ kind: PaperComparison.Kind, _ hunk: Hunk) -> PaperComparison.Change {
        var change = PaperComparison.Change(kind)
        change.removed = text(old, hunk.before, longest: PaperComparison.longestText)
        change.added = text(new, hunk.after, longest: PaperComparison.longestText)
        func place(
            _ words: ComparedWords, _ numbers: [Int], lead: Int, trail: Int
        ) -> PaperComparison.Place? {
            let areas = words.areas(numbers)
            if let first = areas.first { return .init(page: first.page, areas: areas) }
            let near = lead >= 0 ? lead : trail
            guard near >= 0 else { return nil }
            // Between two words: beside the nearer one.
            let word = words.words[near]
            var area = words.area(word.box, on: Int(word.page))
            if lead >= 0 { area.x += area.width }
            area.width = 0
            return .init(page: area.page, areas: [area])
        }
        change.before = place(old, hunk.before, lead: hunk.lead.before, trail: hunk.trail.before)
        change.after = place(new, hunk.after, lead: hunk.lead.after, trail: hunk.trail.after)
        let source = hunk.after.isEmpty ? old : new
        let (lead, trail) =
            hunk.after.isEmpty
            ? (hunk.lead.before, hunk.trail.before) : (hunk.lead.after, hunk.trail.after)
        if lead >= 0 { change.lead = text(source, max(0, lead - 4)..<lead + 1, longest: 120) }
        if trail >= 0 {
            change.trail = text(source, trail..<min(source.words.count, trail + 5), longest: 120)
        }
        return change
    }

    private func text(_ words: ComparedWords, _ numbers: some Collection<Int>, longest: Int) -> String {
        var out = ""
        for number in numbers {
            if !out.isEmpty { out += " " }
            out += self.words.text(words.words[number])
            if out.utf8.count > longest {
                return String(out.unicodeScalars.prefix(longest)) + " …"
            }
        }
        return out
    }

    private mutating func findRunning() {
        for isAtTop in [true, false] {
            let was = old.running.filter { $0.isAtTop == isAtTop }
            let now = new.running.filter { $0.isAtTop == isAtTop }
            let gone = was.filter { line in !now.contains { $0.text == line.text } }
            let come = now.filter { line in !was.contains { $0.text == line.text } }
            for number in 0..<max(gone.count, come.count) {
                var change = PaperComparison.Change(.running)
                if number < gone.count {
                    change.removed = gone[number].text
                    change.before = gone[number].place
                    change.pageCount = gone[number].pageCount
                }
                if number < come.count {
                    change.added = come[number].text
                    change.after = come[number].place
                    change.pageCount = come[number].pageCount
                }
                changes.append(change)
            }
        }
    }

    private mutating func findFields() {
        let now = Dictionary(
            after.fields.map { ($0.name, $0.field) }, uniquingKeysWith: { first, _ in first })
        let was = Dictionary(
            before.fields.map { ($0.name, $0.field) }, uniquingKeysWith: { first, _ in first })
        let names = before.fields.map(\.name) + after.fields.map(\.name).filter { was[$0] == nil }
        for name in names {
            let (left, right) = (was[name], now[name])
            guard left?.values ?? [] != right?.values ?? [] else { continue }
            var change = PaperComparison.Change(.field)
            change.field = name
            change.label = [right?.label, left?.label].compactMap { $0 }.first { !$0.isEmpty }
            change.removed = Self.cut((left?.values ?? []).joined(separator: "; "))
            change.added = Self.cut((right?.values ?? []).joined(separator: "; "))
            change.before = left.flatMap { field in
                field.places.first.map { .init(page: $0.page, areas: field.places) }
            }
            change.after = right.flatMap { field in
                field.places.first.map { .init(page: $0.page, areas: field.places) }
            }
            for (page, boxes) in left?.boxes ?? [:] { changedFields.before[page, default: []] += boxes }
            for (page, boxes) in right?.boxes ?? [:] { changedFields.after[page, default: []] += boxes }
            changes.append(change)
        }
        Self.settle(old, changedFields.before, &isSettled.before)
        Self.settle(new, changedFields.after, &isSettled.after)
    }

    private static func cut(_ text: String) -> String {
        text.utf8.count > PaperComparison.longestText
            ? String(text.unicodeScalars.prefix(PaperComparison.longestText)) + " …" : text
    }

    /// The value of a field is told by its field.
    private static func settle(
        _ words: ComparedWords, _ boxes: [Int: [PDFRectangle]], _ isSettled: inout [Bool]
    ) {
        for (page, boxes) in boxes where words.pages.indices.contains(page) {
            for place in words.pages[page] {
                let box = words.words[place].box
                let (x, y) = (Double(box.left + box.right) / 2, Double(box.bottom + box.top) / 2)
                if boxes.contains(where: { $0.left <= x && x <= $0.right && $0.bottom <= y && y <= $0.top }) {
                    isSettled[place] = true
                }
            }
        }
    }

    // MARK: Looks

    mutating func findLooks(_ looks: PageLooks) throws(ComparisonError) {
        let both = pairs.pairs.compactMap { pair in
            pair.before.flatMap { left in pair.after.map { (left, $0) } }
        }
        fillDigests(both.map(\.0), both.map(\.1))
        var tasks: [PageLooks.Task] = []
        var isWhole: Set<Int> = []
        for (left, right) in both {
            if let digest = digests.before[left], digest == digests.after[right] {
                isWhole.insert(left)
                continue
            }
            let (was, now) = (before.sheets.frames[left], after.sheets.frames[right])
            guard abs(was.width - now.width) <= 2, abs(was.height - now.height) <= 2 else { continue }
            if let task = task(left, right) {
                tasks.append(task)
                isWhole.insert(left)
            }
        }
        addPatches(&tasks, isWhole)
        guard !tasks.isEmpty else { return }
        looks.progress.set(done: 0, total: Int64(tasks.count))
        let outcome = try looks.differences(tasks.sorted { ($0.after, $0.before) < ($1.after, $1.before) })
        for difference in outcome.differences {
            var change = PaperComparison.Change(.look)
            change.before = .init(page: difference.before, areas: difference.areasBefore)
            change.after = .init(page: difference.after, areas: difference.areasAfter)
            let seen = new.pages[difference.after].filter { place in
                let box = new.area(new.words[place].box, on: difference.after)
                return difference.areasAfter.contains {
                    $0.x <= box.x + box.width / 2 && box.x + box.width / 2 <= $0.x + $0.width
                        && $0.y <= box.y + box.height / 2 && box.y + box.height / 2 <= $0.y + $0.height
                }
            }
            change.added = text(new, seen, longest: 300)
            changes.append(change)
        }
        if !outcome.undrawn.isEmpty { remarks.append(.undrawn(pages: outcome.undrawn.sorted())) }
    }

    /// What need not be looked at: words that were told, and everything as far as words stand elsewhere now. Nil where most do.
    private func task(_ left: Int, _ right: Int) -> PageLooks.Task? {
        var task = PageLooks.Task(
            before: left, after: right, isWhole: true,
            passedBefore: (old.runningPlaces[left] ?? []) + (changedFields.before[left] ?? []),
            passedAfter: (new.runningPlaces[right] ?? []) + (changedFields.after[right] ?? []))
        var moved: (bottom: Float, top: Float)?
        var counts = (still: 0, moved: 0)
        func mark(_ box: ComparedWords.Box) {
            moved = (min(moved?.bottom ?? box.bottom, box.bottom), max(moved?.top ?? box.top, box.top))
        }
        for place in old.pages[left] {
            let word = old.words[place]
            let partner = Int(partners[place])
            guard partner >= 0, Int(new.words[partner].page) == right else {
                if !isSettled.before[place] || partner >= 0 { task.passedBefore.append(word.box.rectangle) }
                continue
            }
            if isStill(place) {
                counts.still += 1
            } else {
                counts.moved += 1
                mark(word.box)
                mark(new.words[partner].box)
            }
        }
        for place in new.pages[right] {
            let origin = Int(origins[place])
            guard origin < 0 || Int(old.words[origin].page) != left else { continue }
            if !isSettled.after[place] || origin >= 0 {
                task.passedAfter.append(new.words[place].box.rectangle)
            }
        }
        if counts.moved > counts.still { return nil }
        if let moved {
            let room: Float = 24
            let frame = before.sheets.frames[left]
            task.passedBefore.append(
                PDFRectangle(
                    left: 0, bottom: Double(moved.bottom - room), right: frame.width,
                    top: Double(moved.top + 2)))
        }
        return task
    }

    /// A word whose page has its counterpart, and that stands there where it stood.
    private func isStill(_ place: Int) -> Bool {
        let partner = Int(partners[place])
        guard partner >= 0 else { return false }
        return counterpart.ofBefore[Int(old.words[place].page)] == Int(new.words[partner].page)
            && new.words[partner].box.isNear(old.words[place].box, 1.2)
    }

    /// Words that stand elsewhere are looked at where they stand: a line that was struck out and moved is struck out all the same.
    private func addPatches(_ tasks: inout [PageLooks.Task], _ isWhole: Set<Int>) {
        var patches: [Int: [PageLooks.Patch]] = [:]
        let width = after.sheets.count + 1
        var run: (patch: PageLooks.Patch, at: Int, dx: Float, dy: Float)?
        func flush() {
            guard let done = run else { return }
            let word = old.words[done.at]
            let page = Int(new.words[Int(partners[done.at])].page)
            patches[Int(word.page) * width + page, default: []].append(done.patch)
            run = nil
        }
        for place in old.words.indices {
            let word = old.words[place]
            let partner = Int(partners[place])
            guard partner >= 0, word.rest < 0, new.words[partner].rest < 0,
                !(isWhole.contains(Int(word.page)) && isStill(place))
            else {
                flush()
                continue
            }
            let now = new.words[partner]
            let (dx, dy) = (now.box.left - word.box.left, now.box.bottom - word.box.bottom)
            // Letters of another size look different all over, and those moved by a part of a dot are drawn otherwise.
            let isWholeDots = abs(dx - dx.rounded()) < 0.06 && abs(dy - dy.rounded()) < 0.06
            guard isWholeDots, abs(now.box.right - word.box.right - dx) < 1.2,
                abs(now.box.top - word.box.top - dy) < 1.2
            else {
                flush()
                continue
            }
            if let open = run, open.at == place - 1, Int(partners[place - 1]) == partner - 1,
                old.words[place - 1].line == word.line, new.words[partner - 1].line == now.line,
                abs(open.dx - dx) < 0.3, abs(open.dy - dy) < 0.3
            {
                run?.patch.before = open.patch.before.joined(word.box.rectangle)
                run?.patch.after = open.patch.after.joined(now.box.rectangle)
                run?.at = place
            } else {
                flush()
                run = (.init(before: word.box.rectangle, after: now.box.rectangle), place, dx, dy)
            }
        }
        flush()
        for index in tasks.indices {
            tasks[index].patches =
                patches.removeValue(forKey: tasks[index].before * width + tasks[index].after) ?? []
        }
        for (key, patches) in patches {
            tasks.append(
                .init(before: key / width, after: key % width, isWhole: false, patches: patches))
        }
    }

    // MARK: All of it

    func finished() -> PaperComparison {
        var order: (before: [Int: Int], after: [Int: Int]) = ([:], [:])
        for (number, pair) in pairs.pairs.enumerated() {
            if let page = pair.before { order.before[page] = number }
            if let page = pair.after { order.after[page] = number }
        }
        func rank(_ change: PaperComparison.Change) -> (Int, Double) {
            if let place = change.after {
                return (
                    order.after[place.page] ?? 0, place.areas.first?.y ?? change.before?.areas.first?.y ?? 0
                )
            }
            return (change.before.flatMap { order.before[$0.page] } ?? 0, change.before?.areas.first?.y ?? 0)
        }
        let ranked = changes.enumerated().map { (rank($0.element), $0.offset) }.sorted {
            ($0.0.0, $0.0.1, $0.1) < ($1.0.0, $1.0.1, $1.1)
        }
        var sorted = ranked.map { changes[$0.1] }
        var remarks = remarks
        if sorted.count > PaperComparison.mostChanges {
            remarks.append(.more(sorted.count - PaperComparison.mostChanges))
            sorted = Array(sorted.prefix(PaperComparison.mostChanges))
        }
        return PaperComparison(
            pairs: pairs.pairs, changes: sorted, remarks: remarks, pagesBefore: before.sheets.count,
            pagesAfter: after.sheets.count)
    }
}
