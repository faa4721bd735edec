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

        /// `firstFree` is the first object number not in use; `trailer` is the file's newest one.
        public init(behind byteCount: Int, ending: PDFEnding, trailer: PDFDictionary, firstFree: Int) {
            start = byteCount
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
        public var packs: Bool { ending.kind == .stream }
    }

    /// Small objects that are the same in many revisions, deflated once for all of them.
    public final class Pack: Sendable {
        let text: [UInt8]
        fileprivate let number: Int
        fileprivate let rows: [Row]

        /// Nil when there is nothing to pack.
        public init?(_ objects: [(reference: PDFReference, text: [UInt8])], at reference: PDFReference) {
            guard !objects.isEmpty else { return nil }
            let objects = objects.sorted { $0.reference < $1.reference }
            let number = reference.number
            self.number = number
            rows = objects.enumerated().map { index, object in
                Row(
                    number: Int32(truncatingIfNeeded: object.reference.number), kind: 2,
                    index: UInt16(truncatingIfNeeded: index), place: number)
            }
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

    fileprivate struct Row {
        var number: Int32
        /// 1: at an offset. 2: in an object stream.
        var kind: UInt8
        /// The generation, or the index in the object stream.
        var index: UInt16
        var place: Int
    }

    public var out: [UInt8] = []
    private let ground: Ground
    private var nextNumber: Int
    private var size: Int
    /// Objects the file has already, and new ones: each kind most often comes in ascending order.
    private var oldRows: [Row] = []
    private var newRows: [Row] = []
    private var packRows: [Row] = []
    private var rows: [Row] = []
    private var pack: Pack?

    public init(behind byteCount: Int, ending: PDFEnding, trailer: PDFDictionary, firstFree: Int) {
        self.init(on: Ground(behind: byteCount, ending: ending, trailer: trailer, firstFree: firstFree))
    }

    public init(on ground: Ground, reserving capacity: Int = 0) {
        self.ground = ground
        nextNumber = ground.size
        size = ground.size
        out.reserveCapacity(capacity)
        newRows.reserveCapacity(64)
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

    public mutating func put(_ pack: Pack) {
        self.pack = pack
        packRows.append(
            Row(
                number: Int32(truncatingIfNeeded: pack.number), kind: 1, index: 0,
                place: ground.start + out.count))
        out.append(contentsOf: pack.text)
    }

    @inline(__always) private mutating func add(_ row: Row) {
        if Int(row.number) < ground.size { oldRows.append(row) } else { newRows.append(row) }
    }

    /// All rows by their numbers. What comes in order needs only be joined.
    private mutating func joinRows() {
        func sort(_ rows: inout [Row]) {
            var index = 1
            while index < rows.count, rows[index - 1].number < rows[index].number { index += 1 }
            if index < rows.count { rows.sort { $0.number < $1.number } }
        }
        sort(&oldRows)
        sort(&newRows)
        let packed = pack?.rows ?? []
        rows.reserveCapacity(oldRows.count + newRows.count + packed.count + 1)
        var at = 0
        for list in [oldRows, packRows, newRows] {
            for row in list {
                while at < packed.count, packed[at].number < row.number {
                    rows.append(packed[at])
                    at += 1
                }
                rows.append(row)
            }
        }
        rows.append(contentsOf: packed[at...])
        if let last = rows.last { size = max(size, Int(last.number) + 1) }
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
        let section = ground.start + out.count
        let ownNumber = size
        if ground.ending.kind == .stream {
            size += 1
            rows.append(
                Row(number: Int32(truncatingIfNeeded: ownNumber), kind: 1, index: 0, place: section))
        }
        switch ground.ending.kind {
        case .table: finishTable(identity)
        case .stream: finishStream(identity, number: ownNumber)
        }
        out.append(text: "startxref\n")
        out.append(number: section)
        out.append(text: "\n%%EOF\n")
        return out
    }

    private mutating func finishTable(_ identity: [UInt8]) {
        out.append(text: "xref\n")
        var start = 0
        while start < rows.count {
            let end = endOfRun(start)
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
        out.append(text: "trailer\n<<")
        appendEntries(identity)
        out.append(text: ">>\n")
    }

    private mutating func finishStream(_ identity: [UInt8], number: Int) {
        out.append(number: number)
        out.append(text: " 0 obj\n<</Type/XRef")
        appendEntries(identity)
        // A byte of kind, three or four of offset, one or two of generation or index: no filter needed.
        let isFar = ground.start + out.count >= 1 << 24
        let isWide = rows.contains { $0.index > 255 }
        out.append(text: "/W[1 ")
        out.append(number: isFar ? 4 : 3)
        out.append(32)
        out.append(number: isWide ? 2 : 1)
        out.append(text: "]/Index[")
        var start = 0
        while start < rows.count {
            let end = endOfRun(start)
            if start > 0 { out.append(32) }
            out.append(number: Int(rows[start].number))
            out.append(32)
            out.append(number: end - start)
            start = end
        }
        out.append(text: "]/Length ")
        out.append(number: rows.count * (1 + (isFar ? 4 : 3) + (isWide ? 2 : 1)))
        out.append(text: ">>\nstream\n")
        let width = 1 + (isFar ? 4 : 3) + (isWide ? 2 : 1)
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: rows.count * width) { table in
            var at = 0
            for row in rows {
                table[at] = row.kind
                at += 1
                for shift in stride(from: isFar ? 24 : 16, through: 0, by: -8) {
                    table[at] = UInt8(truncatingIfNeeded: row.place >> shift)
                    at += 1
                }
                if isWide {
                    table[at] = UInt8(truncatingIfNeeded: row.index >> 8)
                    at += 1
                }
                table[at] = UInt8(truncatingIfNeeded: row.index)
                at += 1
            }
            out.append(contentsOf: UnsafeBufferPointer(table))
        }
        out.append(text: "\nendstream\nendobj\n")
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
    private func endOfRun(_ start: Int) -> Int {
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
