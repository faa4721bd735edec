/// Objects to append behind a file: they win over older ones of the same number, and not one byte before them
/// changes. Objects are written as they come; `finish` adds the cross-reference section and gives what is to be
/// appended, so that the file itself need not be copied.
public struct PDFRevision: Sendable {
    /// What all revisions behind one file have in common, worked out once.
    public final class Ground: Sendable {
        let start: Int
        let ending: PDFEnding
        /// One more than the highest number in the file: a file that claims more than it has is reported by readers.
        let size: Int
        /// Root, Info and the first half of the identifier, as the trailer of each revision repeats them.
        let entries: [UInt8]
        let identity: [UInt8]?
        private let hides: Bool

        /// `firstFree` is the first object number not in use; `trailer` is the file's newest one. `hides`: behind a
        /// table, too, objects may be packed, where only readers that know PDF 1.5 find them (§7.5.8.4).
        public init(
            behind byteCount: Int, ending: PDFEnding, trailer: PDFDictionary, firstFree: Int,
            hides: Bool = false
        ) {
            start = byteCount
            self.hides = hides
            self.ending = ending
            size = firstFree
            var kept: PDFDictionary = [:]
            for key: PDFName in ["Root", "Info"] { kept[key] = trailer[key] }
            kept["Prev"] = .integer(ending.previous)
            var entries: [UInt8] = []
            kept.writeEntries(into: &entries)
            self.entries = entries
            identity = trailer["ID"]?.array?.first?.bytes.map { PDFObject.string($0).written }
        }

        /// True when small objects may travel in an object stream.
        public var packs: Bool { ending.kind == .stream || hides }
    }

    /// Small objects that are the same in many revisions, deflated once for all of them.
    public final class Pack: Sendable {
        let text: [UInt8]
        fileprivate let rows: [Row]
        fileprivate let ownRow: Int

        /// Nil when there is nothing to pack.
        public init?(_ objects: [(reference: PDFReference, text: [UInt8])], at reference: PDFReference) {
            guard !objects.isEmpty else { return nil }
            let objects = objects.sorted { $0.reference < $1.reference }
            let number = reference.number
            // Its own place is filled in wherever it is put.
            let own = Row(number: Int32(truncatingIfNeeded: number), kind: 1, index: 0, place: 0)
            var rows = objects.enumerated().map { index, object in
                Row(
                    number: Int32(truncatingIfNeeded: object.reference.number), kind: 2,
                    index: UInt16(truncatingIfNeeded: index), place: number)
            }
            rows.insert(own, at: rows.firstIndex { $0.number > own.number } ?? rows.count)
            ownRow = rows.firstIndex { $0.number == own.number } ?? 0
            self.rows = rows
            var head: [UInt8] = []
            var body: [UInt8] = []
            for object in objects {
                head.append(number: object.reference.number)
                head.append(32)
                head.append(number: body.count)
                head.append(32)
                body.append(contentsOf: object.text)
                body.append(10)
            }
            var entries: PDFDictionary = [
                "Type": .name("ObjStm"), "N": .integer(objects.count), "First": .integer(head.count),
            ]
            var data = head + body
            if let packed = Packer(level: 9).packed(data) {
                data = packed
                entries["Filter"] = .name("FlateDecode")
            }
            entries["Length"] = .integer(data.count)
            var text: [UInt8] = []
            text.append(number: number)
            text.append(text: " 0 obj\n")
            PDFObject.dictionary(entries).write(into: &text)
            text.append(text: "\nstream\n")
            text.append(contentsOf: data)
            text.append(text: "\nendstream\nendobj\n")
            self.text = text
        }
    }

    @usableFromInline struct Row: Sendable {
        @usableFromInline var number: Int32
        /// 1: at an offset. 2: in an object stream.
        @usableFromInline var kind: UInt8
        /// The generation, or the index in the object stream.
        @usableFromInline var index: UInt16
        @usableFromInline var place: Int

        @inlinable init(number: Int32, kind: UInt8, index: UInt16, place: Int) {
            self.number = number
            self.kind = kind
            self.index = index
            self.place = place
        }
    }

    /// Memory for objects the file does not have, which are written into it one behind the other.
    public struct Room {
        public var at: UnsafeMutablePointer<UInt8>
        @usableFromInline let start: UnsafeMutablePointer<UInt8>
        @usableFromInline let end: UnsafeMutablePointer<UInt8>
        @usableFromInline var row: UnsafeMutablePointer<Row>
        @usableFromInline let lastRow: UnsafeMutablePointer<Row>
        /// Where the room begins in the file.
        @usableFromInline let place: Int

        @inlinable public func holds(bytes: Int, objects: Int) -> Bool {
            end - at >= bytes && lastRow - row >= objects
        }

        /// The whole text of an object follows, from its number to its `endobj`.
        @inlinable public mutating func begin(object number: Int32) {
            row.initialize(to: Row(number: number, kind: 1, index: 0, place: place + (at - start)))
            row += 1
        }
    }

    public var out: [UInt8] = []
    private let ground: Ground
    private var nextNumber: Int
    private var size: Int
    /// Objects the file has already, and new ones: each kind most often comes in ascending order.
    private var oldRows: [Row] = []
    private var newRows: [Row] = []
    private var rows: [Row] = []
    private var pack: Pack?
    private var packPlace = 0

    public init(behind byteCount: Int, ending: PDFEnding, trailer: PDFDictionary, firstFree: Int) {
        self.init(on: Ground(behind: byteCount, ending: ending, trailer: trailer, firstFree: firstFree))
    }

    public init(on ground: Ground, reserving capacity: Int = 0) {
        self.ground = ground
        nextNumber = ground.size
        size = ground.size
        if capacity > 0 {
            out.reserveCapacity(capacity)
            // As many as the allocator still hands out from its stock.
            newRows.reserveCapacity(60)
        }
        if ground.ending.needsLineEnd { out.append(10) }
    }

    public mutating func newReference() -> PDFReference {
        defer { nextNumber += 1 }
        return PDFReference(nextNumber)
    }

    /// Keeps numbers that were given out beforehand from being given out again.
    public mutating func reserve(upTo number: Int) { nextNumber = max(nextNumber, number) }

    public mutating func put(_ object: PDFObject, at reference: PDFReference) {
        open(reference)
        object.write(into: &out)
        close()
    }

    public mutating func putStream(_ dictionary: PDFDictionary, _ data: [UInt8], at reference: PDFReference) {
        open(reference)
        out.append(text: "<<")
        dictionary.without("Length").writeEntries(into: &out)
        out.append(text: "/Length ")
        out.append(number: data.count)
        out.append(text: ">>\nstream\n")
        out.append(contentsOf: data)
        out.append(text: "\nendstream")
        close()
    }

    /// For objects whose text is known: everything between `obj` and `endobj`.
    public mutating func put(at reference: PDFReference, _ write: (inout [UInt8]) throws -> Void) rethrows {
        open(reference)
        try write(&out)
        close()
    }

    /// An object whose whole text follows in `out`, from its number to its `endobj`.
    /// `further` is how many bytes come before it.
    @inline(__always) public mutating func willWrite(_ reference: PDFReference, further: Int = 0) {
        add(
            Row(
                number: Int32(truncatingIfNeeded: reference.number), kind: 1,
                index: UInt16(truncatingIfNeeded: reference.generation),
                place: ground.start + out.count + further))
    }

    /// Gives what room there is, and at least so much, for objects that the file does not have.
    public mutating func write(bytes: Int, objects: Int, _ body: (inout Room) -> Void) {
        Self.write(bytes, objects, behind: ground.start + out.count, into: &out, &newRows, body)
    }

    private static func write(
        _ bytes: Int, _ objects: Int, behind place: Int, into out: inout [UInt8], _ rows: inout [Row],
        _ body: (inout Room) -> Void
    ) {
        rows.append(addingCapacity: max(objects, rows.capacity - rows.count)) { rows in
            rows.withUnsafeMutableBufferPointer { rows, rowCount in
                out.append(addingCapacity: max(bytes, out.capacity - out.count)) { memory in
                    memory.withUnsafeMutableBufferPointer { memory, count in
                        guard let start = memory.baseAddress, let row = rows.baseAddress else { return }
                        var room = Room(
                            at: start, start: start, end: start + memory.count, row: row,
                            lastRow: row + rows.count, place: place)
                        body(&room)
                        count = room.at - start
                        rowCount = room.row - row
                    }
                }
            }
        }
    }

    public mutating func put(_ pack: Pack) {
        self.pack = pack
        packPlace = ground.start + out.count
        out.append(contentsOf: pack.text)
    }

    @inline(__always) private mutating func add(_ row: Row) {
        if Int(row.number) < ground.size { oldRows.append(row) } else { newRows.append(row) }
    }

    /// All rows by their numbers. Most often each kind comes in order, and the packed ones between the others.
    private mutating func joinRows() {
        Self.join(oldRows, newRows, pack, at: packPlace, into: &rows)
        if let last = rows.last { size = max(size, Int(last.number) + 1) }
    }

    private static func join(
        _ old: [Row], _ new: [Row], _ pack: Pack?, at packPlace: Int, into rows: inout [Row]
    ) {
        let packed = pack?.rows ?? []
        let count = old.count + new.count + packed.count
        // One more for the cross-reference stream itself.
        rows.reserveCapacity(count + 1)
        rows.append(addingCapacity: count) { span in
            span.withUnsafeMutableBufferPointer { room, used in
                guard let start = room.baseAddress else { return }
                var row = start
                var at = 0
                for (index, next) in packed.enumerated() {
                    while at < old.count, old[at].number < next.number {
                        row.initialize(to: old[at])
                        row += 1
                        at += 1
                    }
                    row.initialize(to: next)
                    if index == pack?.ownRow { row.pointee.place = packPlace }
                    row += 1
                }
                for next in old[at...] {
                    row.initialize(to: next)
                    row += 1
                }
                for next in new {
                    row.initialize(to: next)
                    row += 1
                }
                used = count
            }
        }
        var index = 1
        while index < count, rows[index - 1].number < rows[index].number { index += 1 }
        if index < count { rows.sort { $0.number < $1.number } }
    }

    private mutating func open(_ reference: PDFReference) {
        willWrite(reference)
        out.append(number: reference.number)
        out.append(32)
        out.append(number: reference.generation)
        out.append(text: " obj\n")
    }

    private mutating func close() { out.append(text: "\nendobj\n") }

    /// The bytes to append. `identity` becomes the second half of the file identifier: it names this revision.
    public mutating func finish(identity: [UInt8]) -> [UInt8] {
        // A revision of nothing would be a table without rows, which readers take for damage.
        joinRows()
        if rows.isEmpty { return [] }
        let section: Int
        switch ground.ending.kind {
        case .stream: section = finishStream(identity)
        case .table where pack != nil: section = finishHybrid(identity)
        case .table:
            section = ground.start + out.count
            out.append(text: "xref\n")
            appendTable(rows)
            finishTrailer(identity)
        }
        out.append(text: "startxref\n")
        out.append(number: section)
        out.append(text: "\n%%EOF\n")
        return out
    }

    private mutating func appendTable(_ rows: [Row]) {
        var start = 0
        while start < rows.count {
            let end = Self.endOfRun(rows, start)
            out.append(number: Int(rows[start].number))
            out.append(32)
            out.append(number: end - start)
            out.append(10)
            for index in start..<end {
                out.append(padded: rows[index].place, width: 10)
                out.append(32)
                out.append(padded: Int(rows[index].index), width: 5)
                out.append(text: " n \n")
            }
            start = end
        }
    }

    private mutating func finishTrailer(_ identity: [UInt8], hidden: Int? = nil) {
        out.append(text: "trailer\n<<")
        appendEntries(identity)
        if let hidden {
            out.append(text: "/XRefStm ")
            out.append(number: hidden)
        }
        out.append(text: ">>\n")
    }

    /// The number a cross-reference stream gets, and its row.
    private mutating func newSection() -> Row {
        defer { size += 1 }
        return Row(
            number: Int32(truncatingIfNeeded: size), kind: 1, index: 0, place: ground.start + out.count)
    }

    private mutating func finishStream(_ identity: [UInt8]) -> Int {
        let own = newSection()
        rows.append(own)
        out.append(number: Int(own.number))
        out.append(text: " 0 obj\n<</Type/XRef")
        appendEntries(identity)
        finishRows()
        return own.place
    }

    /// A table with one row, that of a stream with all others: readers look there before they follow Prev.
    private mutating func finishHybrid(_ identity: [UInt8]) -> Int {
        let own = newSection()
        out.append(number: Int(own.number))
        out.append(text: " 0 obj\n<</Type/XRef/Size ")
        out.append(number: size)
        finishRows()
        let section = ground.start + out.count
        out.append(text: "xref\n")
        appendTable([own])
        finishTrailer(identity, hidden: own.place)
        return section
    }

    /// The rest of a cross-reference stream, from how its rows are made.
    private mutating func finishRows() {
        // A byte of kind, three or four of offset, one or two of generation or index: no filter needed.
        let isFar = ground.start + out.count >= 1 << 24
        var indexes: UInt16 = 0
        for row in rows { indexes |= row.index }
        let isWide = indexes > 255
        out.append(text: "/W[1 ")
        out.append(number: isFar ? 4 : 3)
        out.append(32)
        out.append(number: isWide ? 2 : 1)
        out.append(text: "]/Index[")
        appendRuns(rows)
        out.append(text: "]/Length ")
        out.append(number: rows.count * (1 + (isFar ? 4 : 3) + (isWide ? 2 : 1)))
        out.append(text: ">>\nstream\n")
        let rows = rows
        out.append(addingCapacity: rows.count * 7 + 8) { span in
            span.withUnsafeMutableBufferPointer { room, used in
                guard let start = room.baseAddress else { return }
                let table = UnsafeMutableRawPointer(start)
                var at = 0
                // Each row as one number of eight bytes, the last of which the next row writes over.
                for row in rows {
                    var word = UInt64(row.kind)
                    var shift: UInt64 = 8
                    let place = UInt64(UInt32(truncatingIfNeeded: row.place).byteSwapped)
                    word |= (isFar ? place : place >> 8) << shift
                    shift += isFar ? 32 : 24
                    word |= UInt64(isWide ? row.index.byteSwapped : row.index) << shift
                    table.storeBytes(of: word.littleEndian, toByteOffset: at, as: UInt64.self)
                    at += Int(shift >> 3) + (isWide ? 2 : 1)
                }
                used = at
            }
        }
        out.append(text: "\nendstream\nendobj\n")
    }

    /// For each stretch of numbers without a gap its first number and how many they are.
    private mutating func appendRuns(_ rows: [Row]) {
        out.append(addingCapacity: rows.count * 24) { span in
            span.withUnsafeMutableBufferPointer { room, used in
                func put(_ number: Int) {
                    var digits = 1
                    var limit = 10
                    while number >= limit, digits < 10 {
                        digits += 1
                        limit *= 10
                    }
                    var rest = number
                    for place in (used..<used + digits).reversed() {
                        room[place] = UInt8(truncatingIfNeeded: 48 + rest % 10)
                        rest /= 10
                    }
                    used += digits
                }
                var start = 0
                while start < rows.count {
                    let end = Self.endOfRun(rows, start)
                    if start > 0 {
                        room[used] = 32
                        used += 1
                    }
                    put(Int(rows[start].number))
                    room[used] = 32
                    used += 1
                    put(end - start)
                    start = end
                }
            }
        }
    }

    private mutating func appendEntries(_ identity: [UInt8]) {
        out.append(text: "/Size ")
        out.append(number: size)
        out.append(contentsOf: ground.entries)
        out.append(text: "/ID[")
        if let first = ground.identity { out.append(contentsOf: first) } else { out.append(string: identity) }
        out.append(string: identity)
        out.append(text: "]")
    }

    /// The end of a stretch of object numbers without a gap.
    private static func endOfRun(_ rows: [Row], _ start: Int) -> Int {
        var end = start + 1
        while end < rows.count, rows[end].number == rows[end - 1].number + 1 { end += 1 }
        return end
    }
}

extension [UInt8] {
    mutating func append(padded value: Int, width: Int) {
        var divisor = 1
        for _ in 1..<width { divisor *= 10 }
        while divisor > 0 {
            append(UInt8(48 + value / divisor % 10))
            divisor /= 10
        }
    }
}
