/// Objects to append behind a file: they win over older ones of the same number, and not one byte before them
/// changes. Objects are written as they come; `finish` adds the cross-reference section.
public struct PDFRevision: ~Copyable {
    public private(set) var out: [UInt8]
    private let ending: PDFEnding
    private let trailer: PDFDictionary
    private var nextNumber: Int
    private var offsets: [(number: Int, generation: Int, offset: Int)] = []

    /// `firstFree` is the first object number not in use; `trailer` is the file's newest one.
    public init(after bytes: [UInt8], ending: PDFEnding, trailer: PDFDictionary, firstFree: Int) {
        out = bytes
        if ending.needsLineEnd { out.append(10) }
        self.ending = ending
        self.trailer = trailer
        nextNumber = firstFree
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

    /// For objects whose text is known: everything between `obj` and `endobj`.
    public mutating func put(text parts: [UInt8]..., at reference: PDFReference) {
        open(reference)
        for part in parts { out.append(contentsOf: part) }
        close()
    }

    private mutating func open(_ reference: PDFReference) {
        offsets.append((reference.number, reference.generation, out.count))
        out.append(number: reference.number)
        out.append(32)
        out.append(number: reference.generation)
        out.append(text: " obj\n")
    }

    private mutating func close() { out.append(text: "\nendobj\n") }

    /// The finished file. `identity` becomes the second half of the file identifier: it names this revision.
    public consuming func finish(identity: [UInt8]) -> [UInt8] {
        let section = out.count
        var size = nextNumber
        if ending.kind == .stream {
            offsets.append((nextNumber, 0, section))
            size += 1
        }
        offsets.sort { $0.number < $1.number }
        var entries: PDFDictionary = ["Size": .integer(size), "Prev": .integer(ending.previous)]
        for key: PDFName in ["Root", "Info"] { entries[key] = trailer[key] }
        let first = trailer["ID"]?.array?.first?.bytes ?? identity
        entries["ID"] = .array([.string(first), .string(identity)])
        switch ending.kind {
        case .table: finishTable(entries)
        case .stream: finishStream(entries, number: nextNumber)
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
