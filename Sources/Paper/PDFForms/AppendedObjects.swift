import Archives
import PDF

/// The objects of a file and of what was appended to it, found as any reader finds them: from the last `startxref`,
/// through its cross-reference section, to the places it names (ISO 32000-2 §7.5.8). It shares nothing with what
/// writes revisions, so that the one can be held against the other.
final class AppendedObjects {
    struct Row {
        var number: Int
        var generation: Int
        /// The object stream it lies in, among those of this file; -1 for an object in the open.
        var pack = -1
        /// Its turn there.
        var turn = 0
        var value: Range<Int>
        var stream: Range<Int>?
        var entries = Entries()
        /// How its dictionary begins, among the beginnings that are known; -1 when that is not one of them.
        var head = -1
    }

    /// Where a dictionary says what is asked for again and again; empty where it does not.
    struct Entries {
        var value = 0..<0
        var appearances = 0..<0
        var state = 0..<0
        var resources = 0..<0
        var length = 0..<0
        var isObjectStream = false

        /// One walk along a dictionary; nil when it is none or not whole. `end` is behind it.
        init?(_ text: RawText, _ start: Int, end: inout Int) {
            var entries = RawEntries(text, at: start)
            while let entry = entries.next() {
                let key = entry.key.lowerBound
                switch (entry.key.count, text[key + 1]) {
                case (2, UInt8(ascii: "V")): value = entry.value
                case (3, UInt8(ascii: "A")):
                    if text[key + 2] == UInt8(ascii: "P") { appearances = entry.value }
                    if text[key + 2] == UInt8(ascii: "S") { state = entry.value }
                case (5, UInt8(ascii: "T")):
                    if text.holds("/Type", at: key) {
                        isObjectStream = text.holds("/ObjStm", at: entry.value.lowerBound)
                    }
                case (7, UInt8(ascii: "L")): if text.holds("/Length", at: key) { length = entry.value }
                case (10, UInt8(ascii: "R")): if text.holds("/Resources", at: key) { resources = entry.value }
                default: break
                }
            }
            guard entries.isWhole else { return nil }
            end = entries.at
        }

        init() {}

        /// The same places, so many bytes further on.
        @inline(__always) func moved(by distance: Int) -> Entries {
            func moved(_ range: Range<Int>) -> Range<Int> {
                range.isEmpty ? range : range.lowerBound + distance..<range.upperBound + distance
            }
            var entries = self
            entries.value = moved(value)
            entries.appearances = moved(appearances)
            entries.state = moved(state)
            entries.resources = moved(resources)
            return entries
        }
    }

    /// The beginning of a stream's dictionary, up to its length: copy after copy has the same one, and what was found
    /// in it is there again.
    private struct Head {
        var text: [UInt8]
        /// Counted from where the dictionary begins.
        var entries: Entries
    }

    /// What a trailer says, as places in it.
    private struct TrailerPlaces {
        var root = 0..<0
        var previous = 0..<0
        var size = 0..<0
        var other = 0..<0
        var type = 0..<0
        var widths = 0..<0
        var index = 0..<0
        var length = 0..<0
        var isFiltered = false

        init() {}

        init(_ text: RawText, _ start: Int, end: inout Int) {
            var entries = RawEntries(text, at: start)
            while let entry = entries.next() {
                let key = entry.key.lowerBound
                func says(_ word: StaticString) -> Bool {
                    entry.key.count == word.utf8CodeUnitCount && text.holds(word, at: key)
                }
                switch text[key + 1] {
                case UInt8(ascii: "R"): if says("/Root") { root = entry.value }
                case UInt8(ascii: "P"): if says("/Prev") { previous = entry.value }
                case UInt8(ascii: "S"): if says("/Size") { size = entry.value }
                case UInt8(ascii: "X"): if says("/XRefStm") { other = entry.value }
                case UInt8(ascii: "T"): if says("/Type") { type = entry.value }
                case UInt8(ascii: "W"): if says("/W") { widths = entry.value }
                case UInt8(ascii: "I"): if says("/Index") { index = entry.value }
                case UInt8(ascii: "L"): if says("/Length") { length = entry.value }
                case UInt8(ascii: "F"): if says("/Filter") { isFiltered = true }
                default: break
                }
            }
            isWhole = entries.isWhole
            end = entries.at
        }

        private(set) var isWhole = false
    }

    let base: PDFFile
    // One thread at a time, and no two calls at once: to have that watched at each access would cost a tenth of all.
    @exclusivity(unchecked) private(set) var added: [UInt8] = []
    /// By their numbers, ascending.
    @exclusivity(unchecked) private(set) var rows: [Row] = []
    /// Where a number stands among the rows. What earlier files left here is recognised by the row's own number.
    @exclusivity(unchecked) private var slots: [Int32] = []
    @exclusivity(unchecked) private var heads: [Head] = []
    /// The beginning an object of this number had last; -1 for none.
    @exclusivity(unchecked) private var headsOfNumbers: [Int32] = []
    @exclusivity(unchecked) private var trailer = TrailerPlaces()
    /// Object streams met so far: most copies of a form have the same one.
    @exclusivity(unchecked) private var packs: [ReadPack] = []
    @exclusivity(unchecked) private(set) var packsOfFile: [(number: Int, pack: ReadPack)] = []

    private static let mostPacks = 24
    private static let mostHeads = 4096
    /// Larger numbers are looked up, not counted off.
    private static let mostSlots = 1 << 20

    init(_ base: PDFFile) { self.base = base }

    /// What keeps a revision from being read, in a sentence's end.
    struct Flaw: Error {
        var text: String
        /// Nothing is wrong yet: there is more in the file than this reader reads.
        var isUnclear = false

        init(_ text: String, isUnclear: Bool = false) {
            self.text = text
            self.isUnclear = isUnclear
        }
    }

    /// Reads the cross-reference section and checks that each object stands where it says, whole.
    func read(_ added: [UInt8], behind byteCount: Int, previous: Int) throws(Flaw) {
        self.added = added
        rows.removeAll(keepingCapacity: true)
        packsOfFile.removeAll(keepingCapacity: true)
        trailer = TrailerPlaces()
        if added.isEmpty { return }
        let result = added.withUnsafeBufferPointer { bytes in
            Result { () throws(Flaw) in try read(RawText(bytes), byteCount, previous) }
        }
        try result.get()
    }

    private func read(_ text: RawText, _ start: Int, _ previous: Int) throws(Flaw) {
        var at = try sectionPlace(text, start)
        let section = at
        if text.holds("xref", at: at) {
            at += 4
            guard RawText.isSpace(text[at]) else { throw Flaw("its table makes no sense") }
            try readTable(text, &at, start, section)
        } else {
            try readStream(text, section, start, isMain: true)
        }
        try sortRows()
        let before = text.number(in: trailer.previous)
        if let before, before >= start { throw Flaw("it has more than one revision", isUnclear: true) }
        guard before == previous else { throw Flaw("its end does not lead to the template") }
        guard let size = text.number(in: trailer.size), size > rows.last?.number ?? 0 else {
            throw Flaw("it counts its objects wrongly")
        }
        guard !trailer.root.isEmpty, text.reference(trailer.root) != nil else {
            throw Flaw("it does not say where it begins")
        }
        // What lies in object streams is found once those are.
        var place = 0
        var turn = 0
        for index in rows.indices where rows[index].value.isEmpty {
            let number = rows[index].value.lowerBound
            if !packsOfFile.indices.contains(place) || packsOfFile[place].number != number {
                place = packsOfFile.firstIndex { $0.number == number } ?? packsOfFile.count
            }
            guard place < packsOfFile.count,
                let found = packsOfFile[place].pack.object(rows[index].number, near: &turn),
                found.turn == rows[index].turn
            else { throw Flaw("object \(rows[index].number) is not in the stream it is said to be in") }
            rows[index].pack = place
            rows[index].value = found.value
            rows[index].entries = found.entries
        }
        noteSlots()
    }

    private func noteSlots() {
        guard let last = rows.last?.number else { return }
        let count = min(last + 1, Self.mostSlots)
        if slots.count < count {
            slots.append(contentsOf: repeatElement(0, count: count - slots.count))
            headsOfNumbers.append(contentsOf: repeatElement(-1, count: count - headsOfNumbers.count))
        }
        for index in rows.indices where rows[index].number < slots.count {
            slots[rows[index].number] = Int32(truncatingIfNeeded: index)
        }
    }

    /// The last `startxref`, with nothing but the end behind it.
    private func sectionPlace(_ text: RawText, _ start: Int) throws(Flaw) -> Int {
        var end = text.count
        while end > 0, RawText.isSpace(text[end - 1]) { end -= 1 }
        guard text.holds("%%EOF", at: end - 5) else { throw Flaw("its end is missing") }
        var at = end - 5
        while at > 0, RawText.isSpace(text[at - 1]) { at -= 1 }
        while at > 0, case 48...57 = text[at - 1] { at -= 1 }
        var digits = at
        guard RawText.isSpace(text[at - 1]), let offset = text.number(&digits) else {
            throw Flaw("its end is missing")
        }
        while at > 0, RawText.isSpace(text[at - 1]) { at -= 1 }
        guard text.holds("startxref", at: at - 9), offset >= start, offset - start < at - 9 else {
            throw Flaw("its end points to nothing")
        }
        return offset - start
    }

    // MARK: Cross-references

    private func readTable(_ text: RawText, _ at: inout Int, _ start: Int, _ section: Int) throws(Flaw) {
        while true {
            text.skipSpace(&at)
            if text.holds("trailer", at: at) { break }
            guard let first = text.number(&at), let count = text.number(&at), count < 1 << 20 else {
                throw Flaw("its table makes no sense")
            }
            for offset in 0..<count {
                guard let place = text.number(&at), let generation = text.number(&at),
                    RawText.isSpace(text[at]), text.skip("n", &at)
                else {
                    throw Flaw("its table makes no sense")
                }
                try takeObject(text, first + offset, generation, place - start, section)
            }
        }
        at += 7
        trailer = TrailerPlaces(text, at, end: &at)
        guard trailer.isWhole else { throw Flaw("its trailer makes no sense") }
        // A hybrid (§7.5.8.4): what lies in object streams is listed apart, for those who know of them.
        guard let other = text.number(in: trailer.other) else { return }
        let main = trailer
        try readStream(text, other - start, start, isMain: false)
        trailer = main
    }

    private func readStream(
        _ text: RawText, _ section: Int, _ start: Int, isMain: Bool
    ) throws(Flaw) {
        var at = section
        guard section >= 0, section < text.count else { throw Flaw("its end points to nothing") }
        guard let own = text.number(&at), text.number(&at) != nil, text.skip("obj", &at) else {
            throw Flaw("its end points to nothing")
        }
        var isListed = false
        trailer = TrailerPlaces(text, at, end: &at)
        var widths = [0, 0, 0]
        guard trailer.isWhole, text.isSame(trailer.type, Self.crossReferences), !trailer.isFiltered,
            let size = text.number(in: trailer.size), text.numbers(in: trailer.widths, into: &widths),
            widths.allSatisfy({ (0...8).contains($0) }), widths[0] > 0, !trailer.index.isEmpty,
            text[trailer.index.lowerBound] == UInt8(ascii: "["),
            let data = streamRange(text, trailer.length, &at)
        else { throw Flaw("its cross-references make no sense") }
        var place = data.lowerBound
        func field(_ width: Int) -> Int {
            var value = 0
            for _ in 0..<width {
                value = value << 8 | Int(text[place])
                place += 1
            }
            return value
        }
        let (kindWidth, secondWidth, thirdWidth) = (widths[0], widths[1], widths[2])
        let rowWidth = kindWidth + secondWidth + thirdWidth
        var run = trailer.index.lowerBound + 1
        while true {
            text.skipSpace(&run)
            if run == trailer.index.upperBound - 1 { break }
            guard let first = text.number(&run), let count = text.number(&run),
                run < trailer.index.upperBound, first < 1 << 31, count <= data.count, first + count <= size
            else { throw Flaw("its cross-references make no sense") }
            for offset in 0..<count {
                guard place + rowWidth <= data.upperBound else {
                    throw Flaw("its cross-references are cut off")
                }
                let kind = field(kindWidth)
                let second = field(secondWidth)
                let third = field(thirdWidth)
                switch kind {
                case 1:
                    if first + offset == own, second - start == section { isListed = true }
                    try takeObject(text, first + offset, third, second - start, section)
                case 2:
                    var row = Row(number: first + offset, generation: 0, value: second..<second)
                    row.turn = third
                    add(row)
                default: throw Flaw("it takes objects away")
                }
            }
        }
        guard place == data.upperBound else { throw Flaw("its cross-references make no sense") }
        // A place a few bytes beside it may look like a beginning, too.
        guard isListed || !isMain else { throw Flaw("its end points to nothing") }
    }

    private static let crossReferences = Array("/XRef".utf8)

    private func add(_ row: Row) { rows.append(row) }

    private func sortRows() throws(Flaw) {
        var isSorted = true
        for index in rows.indices.dropFirst() where rows[index - 1].number >= rows[index].number {
            isSorted = false
        }
        if isSorted { return }
        rows.sort { $0.number < $1.number }
        for index in rows.indices.dropFirst() where rows[index - 1].number == rows[index].number {
            throw Flaw("object \(rows[index].number) is listed twice")
        }
    }

    private func takeObject(
        _ text: RawText, _ number: Int, _ generation: Int, _ place: Int, _ section: Int
    ) throws(Flaw) {
        var at = place
        guard place >= 0, place <= section, case 48...57 = text[place], text.number(&at) == number,
            RawText.isSpace(text[at]), text.number(&at) == generation, RawText.isSpace(text[at]),
            text.skip("obj", &at)
        else { throw Flaw("object \(number) is not where it is said to be") }
        text.skipSpace(&at)
        let from = at
        var row = Row(number: number, generation: generation, value: 0..<0)
        if takeKnownHead(text, &row, from, &at) {
            row.stream = streamRange(text, row.entries.length, &at)
        } else if text.holds("<<", at: from) {
            guard let entries = Entries(text, from, end: &at) else {
                throw Flaw("object \(number) makes no sense")
            }
            row.entries = entries
            row.value = from..<at
            noteHead(text, &row)
            row.stream = streamRange(text, entries.length, &at)
        } else {
            guard text.skipValue(&at) else { throw Flaw("object \(number) makes no sense") }
            row.value = from..<at
        }
        guard text.skip("endobj", &at) else { throw Flaw("object \(number) is not whole") }
        add(row)
        if let stream = row.stream, row.entries.isObjectStream {
            try takePack(text, number, row.value, stream)
        }
    }

    /// True when a dictionary begins as the last one of this number did, and nothing follows its length.
    @inline(__always)
    private func takeKnownHead(_ text: RawText, _ row: inout Row, _ from: Int, _ at: inout Int) -> Bool {
        guard row.number < headsOfNumbers.count, case let known = Int(headsOfNumbers[row.number]), known >= 0,
            case let count = heads[known].text.count, text.isSame(from..<from + count, heads[known].text)
        else { return false }
        var end = from + count
        guard case 48...57 = text[end] else { return false }
        while case 48...57 = text[end] { end += 1 }
        let length = from + count..<end
        text.skipSpace(&end)
        guard text.holds(">>", at: end) else { return false }
        at = end + 2
        row.entries = heads[known].entries.moved(by: from)
        row.entries.length = length
        row.value = from..<at
        row.head = known
        return true
    }

    private func noteHead(_ text: RawText, _ row: inout Row) {
        let length = row.entries.length
        guard !length.isEmpty, !row.entries.isObjectStream, row.number < headsOfNumbers.count,
            heads.count < Self.mostHeads
        else { return }
        var end = length.upperBound
        text.skipSpace(&end)
        guard end == row.value.upperBound - 2 else { return }
        let from = row.value.lowerBound
        row.head = heads.count
        headsOfNumbers[row.number] = Int32(heads.count)
        heads.append(
            Head(text: text.copy(from..<length.lowerBound), entries: row.entries.moved(by: -from)))
    }

    /// The data behind a dictionary, as long as it says and no longer.
    private func streamRange(_ text: RawText, _ length: Range<Int>, _ at: inout Int) -> Range<Int>? {
        var ahead = at
        guard text.skip("stream", &ahead) else { return nil }
        if text[ahead] == 13 { ahead += 1 }
        if text[ahead] == 10 { ahead += 1 }
        var digits = length.lowerBound
        guard let count = text.number(&digits), digits == length.upperBound, count <= text.count - ahead
        else {
            return nil
        }
        let data = ahead..<ahead + count
        ahead = data.upperBound
        guard text.skip("endstream", &ahead) else { return nil }
        at = ahead
        return data
    }

    private func takePack(
        _ text: RawText, _ number: Int, _ value: Range<Int>, _ data: Range<Int>
    ) throws(Flaw) {
        let whole = value.lowerBound..<data.upperBound
        if let known = packs.first(where: { text.isSame(whole, $0.source) }) {
            packsOfFile.append((number, known))
            return
        }
        guard
            let pack = ReadPack(
                PDFObject(parsing: text.copy(value)).dictionary ?? [:], text.copy(data),
                source: text.copy(whole))
        else { throw Flaw("object \(number) cannot be unpacked") }
        packsOfFile.append((number, pack))
        if packs.count >= Self.mostPacks { packs.removeFirst() }
        packs.append(pack)
    }

    /// What the file says it begins with.
    var root: PDFReference? {
        added.withUnsafeBufferPointer { PDFObject(parsing: RawText($0).copy(trailer.root)).reference }
    }

    /// True when that is this object.
    func begins(with root: [UInt8]) -> Bool {
        added.withUnsafeBufferPointer { RawText($0).isSame(trailer.root, root) }
    }

    // MARK: Objects

    func row(_ number: Int) -> Row? {
        index(number).map { rows[$0] }
    }

    @inline(__always) func index(_ number: Int) -> Int? {
        if number >= 0, number < slots.count {
            let index = Int(slots[number])
            return index < rows.count && rows[index].number == number ? index : nil
        }
        if number < Self.mostSlots { return nil }
        var low = 0
        var high = rows.count
        while low < high {
            let middle = (low + high) / 2
            if rows[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return low < rows.count && rows[low].number == number ? low : nil
    }

    func with<Answer>(_ row: Row, _ body: (RawText) -> Answer) -> Answer {
        if row.pack >= 0 { return body(packsOfFile[row.pack].pack.text) }
        return added.withUnsafeBufferPointer { body(RawText($0)) }
    }
}

extension AppendedObjects: ObjectSource {
    func object(_ reference: PDFReference) -> PDFObject {
        guard let row = row(reference.number), row.generation == reference.generation else {
            return base.object(reference)
        }
        return PDFObject(parsing: with(row) { $0.copy(row.value) })
    }

    func isStream(_ reference: PDFReference) -> Bool {
        guard let row = row(reference.number), row.generation == reference.generation else {
            return base.isStream(reference)
        }
        return row.stream != nil
    }

    func stream(_ reference: PDFReference, limit: Int) -> [UInt8]? {
        guard let row = row(reference.number), row.generation == reference.generation else {
            return base.stream(reference, limit: limit)
        }
        guard let range = row.stream else { return nil }
        let data = Array(added[range])
        switch resolve(object(reference).dictionary?["Filter"]) {
        case .null: return data.count <= limit ? data : nil
        case .name("FlateDecode"): return inflated(data, limit: limit)
        default: return nil
        }
    }
}

/// An object stream read once (ISO 32000-2 §7.5.7).
final class ReadPack {
    /// The bytes it was read from: the same bytes need not be read again.
    let source: [UInt8]
    private let data: UnsafeMutableBufferPointer<UInt8>
    typealias Found = (number: Int, turn: Int, value: Range<Int>, entries: AppendedObjects.Entries)
    /// By their numbers.
    private var objects: [Found] = []
    /// Set once its objects were looked at.
    var isAccepted = false

    init?(_ dictionary: PDFDictionary, _ stored: [UInt8], source: [UInt8]) {
        let isPacked = dictionary["Filter"]?.name == "FlateDecode"
        guard isPacked || dictionary["Filter"] == nil,
            let plain = isPacked ? inflated(stored, limit: 16 << 20) : stored,
            let count = dictionary["N"]?.integer, let first = dictionary["First"]?.integer, count >= 0,
            count <= plain.count, (0...plain.count).contains(first)
        else { return nil }
        self.source = source
        data = .allocate(capacity: max(1, plain.count))
        _ = data.initialize(from: plain)
        let text = RawText(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(data)[..<plain.count]))
        byteCount = plain.count
        var at = 0
        for turn in 0..<count {
            guard let number = text.number(&at), let offset = text.number(&at), at <= first else {
                return nil
            }
            var end = first + offset
            text.skipSpace(&end)
            let start = end
            var entries = AppendedObjects.Entries()
            if text.holds("<<", at: start) {
                guard let found = AppendedObjects.Entries(text, start, end: &end) else { return nil }
                entries = found
            } else if !text.skipValue(&end) {
                return nil
            }
            objects.append((number, turn, start..<end, entries))
        }
        // Of two with one number the last counts, as it would for a reader who takes them in turn.
        objects.sort { ($0.number, -$0.turn) < ($1.number, -$1.turn) }
    }

    deinit { data.deallocate() }

    private let byteCount: Int
    var text: RawText { RawText(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(data)[..<byteCount])) }

    /// `place` is where to look first: who asks in ascending order finds each at once.
    func object(_ number: Int, near place: inout Int) -> Found? {
        if !objects.indices.contains(place) || objects[place].number > number { place = 0 }
        while place < objects.count, objects[place].number < number { place += 1 }
        return place < objects.count && objects[place].number == number ? objects[place] : nil
    }
}
