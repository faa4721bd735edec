/// Objects to append behind a file: they win over older ones of the same number, and not one byte before them
/// changes. Objects are written as they come; `finish` adds the cross-reference section and gives what is to be
/// appended, so that the file itself need not be copied.
public struct PDFRevision: Sendable {
    public private(set) var out: [UInt8] = []
    private let start: Int
    private let ending: PDFEnding
    private let trailer: PDFDictionary
    private var nextNumber: Int
    /// One more than the highest number in the file: a file that claims more than it has is reported by readers.
    private var size: Int
    private var offsets: [(number: Int, generation: Int, offset: Int)] = []

    /// `firstFree` is the first object number not in use; `trailer` is the file's newest one.
    public init(behind byteCount: Int, ending: PDFEnding, trailer: PDFDictionary, firstFree: Int) {
        start = byteCount
        if ending.needsLineEnd { out.append(10) }
        self.ending = ending
        self.trailer = trailer
        nextNumber = firstFree
        size = firstFree
    }

    public mutating func newReference() -> PDFReference {
        defer { nextNumber += 1 }
        return PDFReference(nextNumber)
    }

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

    /// Keeps numbers that were given out beforehand from being given out again.
    public mutating func reserve(upTo number: Int) { nextNumber = max(nextNumber, number) }

    /// For objects whose text is known: everything between `obj` and `endobj`.
    public mutating func put(at reference: PDFReference, _ write: (inout [UInt8]) throws -> Void) rethrows {
        open(reference)
        try write(&out)
        close()
    }

    private mutating func open(_ reference: PDFReference) {
        offsets.append((reference.number, reference.generation, start + out.count))
        size = max(size, reference.number + 1)
        out.append(number: reference.number)
        out.append(32)
        out.append(number: reference.generation)
        out.append(text: " obj\n")
    }

    private mutating func close() { out.append(text: "\nendobj\n") }

    /// The bytes to append. `identity` becomes the second half of the file identifier: it names this revision.
    public mutating func finish(identity: [UInt8]) -> [UInt8] {
        // A revision of nothing would be a table without rows, which readers take for damage.
        if offsets.isEmpty { return [] }
        let section = start + out.count
        let ownNumber = size
        if ending.kind == .stream {
            offsets.append((ownNumber, 0, section))
            size += 1
        }
        offsets.sort { $0.number < $1.number }
        var entries: PDFDictionary = ["Size": .integer(size), "Prev": .integer(ending.previous)]
        for key: PDFName in ["Root", "Info"] { entries[key] = trailer[key] }
        let first = trailer["ID"]?.array?.first?.bytes ?? identity
        entries["ID"] = .array([.string(first), .string(identity)])
        switch ending.kind {
        case .table: finishTable(entries)
        case .stream: finishStream(entries, number: ownNumber)
        }
        out.append(text: "startxref\n")
        out.append(number: section)
        out.append(text: "\n%%EOF\n")
        return out
    }

    private mutating func finishTable(_ entries: PDFDictionary) {
        out.append(text: "xref\n")
        for run in runs() {
            out.append(number: offsets[run.lowerBound].number)
            out.append(32)
            out.append(number: run.count)
            out.append(10)
            for index in run {
                out.append(padded: offsets[index].offset, width: 10)
                out.append(32)
                out.append(padded: offsets[index].generation, width: 5)
                out.append(text: " n \n")
            }
        }
        out.append(text: "trailer\n<<")
        entries.writeEntries(into: &out)
        out.append(text: ">>\n")
    }

    private mutating func finishStream(_ entries: PDFDictionary, number: Int) {
        var dictionary = entries
        dictionary["Type"] = .name("XRef")
        // One byte of kind, four of offset, two of generation: a row every reader decodes without a filter.
        dictionary["W"] = .array([.integer(1), .integer(4), .integer(2)])
        dictionary["Index"] = .array(
            runs().flatMap { [.integer(offsets[$0.lowerBound].number), .integer($0.count)] })
        dictionary["Length"] = .integer(offsets.count * 7)
        out.append(number: number)
        out.append(text: " 0 obj\n<<")
        dictionary.writeEntries(into: &out)
        out.append(text: ">>\nstream\n")
        for entry in offsets {
            out.append(1)
            for shift in [24, 16, 8, 0] { out.append(UInt8(truncatingIfNeeded: entry.offset >> shift)) }
            out.append(UInt8(truncatingIfNeeded: entry.generation >> 8))
            out.append(UInt8(truncatingIfNeeded: entry.generation))
        }
        out.append(text: "\nendstream\nendobj\n")
    }

    /// Stretches of object numbers without a gap.
    private func runs() -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var start = 0
        for index in offsets.indices.dropFirst() where offsets[index].number != offsets[index - 1].number + 1
        {
            runs.append(start..<index)
            start = index
        }
        if !offsets.isEmpty { runs.append(start..<offsets.count) }
        return runs
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
