/// A new file that is written as it grows: whatever its length, only what is not yet complete is held in memory.
/// Small objects travel in compressed object streams; the cross-reference is written in sections, each pointing to
/// the one before, as a file does that was appended to (ISO 32000-2 §7.5.7, §7.5.8).
public final class PDFStream {
    /// Bytes given to the sink so far.
    @exclusivity(unchecked) public private(set) var byteCount = 0

    private struct Row {
        var number: Int
        /// 1: at an offset. 2: in an object stream.
        var kind: UInt8
        var place: Int
        var index: Int
    }

    private let sink: ([UInt8]) throws -> Void
    private let packer = Packer(level: 6)
    /// For the cross-reference, which hardly gets shorter by more effort.
    private let quickPacker = Packer(level: 1)
    // One hand writes a file. That no two do at once is not asked again for every object.
    @exclusivity(unchecked) private var out: [UInt8] = []
    @exclusivity(unchecked) private var nextNumber = 1
    @exclusivity(unchecked) private var rows: [Row] = []
    @exclusivity(unchecked) private var packs = [Pack](repeating: Pack(), count: Kind.allCases.count + 1)
    private var previousSection: Int?
    /// Memory to pack in, kept for the next.
    @exclusivity(unchecked) private var room: [UInt8] = []
    @exclusivity(unchecked) private var packText: [UInt8] = []

    /// Small objects that wait to be packed. Those of one kind are alike, and are packed by what the first taught.
    private struct Pack {
        var objects: [(number: Int, start: Int)] = []
        var text: [UInt8] = []
        var coder: LetterCoder?
    }

    private static let pieceByteCount = 1 << 18
    private static let packByteCount = 1 << 15
    private static let sectionRowCount = 1 << 15

    public init(sink: @escaping ([UInt8]) throws -> Void) throws {
        self.sink = sink
        // The second line tells file transfer programs that this is no text.
        out.reserveCapacity(Self.pieceByteCount + Self.packByteCount)
        out.append(text: "%PDF-1.7\n%")
        out.append(contentsOf: [0xE2, 0xE3, 0xCF, 0xD3, 10])
    }

    public func newReference() -> PDFReference {
        defer { nextNumber += 1 }
        return PDFReference(nextNumber)
    }

    /// A number from a run of its own kind: neighbours in the cross-reference that are alike pack to nearly nothing.
    public func newReference(of kind: Kind) -> PDFReference {
        if runs[kind.rawValue].isEmpty {
            let count = runCounts[kind.rawValue]
            let first = newNumbers(count)
            runs[kind.rawValue] = first..<first + count
            runCounts[kind.rawValue] = min(count * 2, Self.longestRun)
        }
        return PDFReference(runs[kind.rawValue].removeFirst())
    }

    /// What there is one of for every record.
    public enum Kind: Int, CaseIterable { case page, content, bookmark }

    @exclusivity(unchecked) private var runs = [Range<Int>](repeating: 0..<0, count: Kind.allCases.count)
    /// Each run is twice as long as the one before: some readers refuse a short file with high numbers in it, because only
    /// broken ones used to have them.
    @exclusivity(unchecked) private var runCounts = [Int](repeating: 4, count: Kind.allCases.count)
    private static let longestRun = 512

    /// So many numbers in a row; gives the first.
    public func newNumbers(_ count: Int) -> Int {
        defer { nextNumber += count }
        return nextNumber
    }

    public func put(_ object: PDFObject, at reference: PDFReference) throws {
        try put(at: reference) { object.write(into: &$0) }
    }

    /// An object that is no stream, as text.
    public func put(
        at reference: PDFReference, of kind: Kind? = nil, _ write: (inout [UInt8]) throws -> Void
    ) throws {
        let place = kind.map { $0.rawValue + 1 } ?? 0
        packs[place].objects.append((reference.number, packs[place].text.count))
        try write(&packs[place].text)
        packs[place].text.append(10)
        if packs[place].text.count >= Self.packByteCount { try closePack(place) }
    }

    /// `dictionary` comes without Length. The data are stored as they are.
    public func putStream(_ dictionary: PDFDictionary, _ data: [UInt8], at reference: PDFReference) throws {
        try putStream(
            at: reference,
            head: {
                dictionary.without("Length").writeEntries(into: &$0)
            }, data)
    }

    /// Deflated unless that makes it longer.
    public func putPacked(_ dictionary: PDFDictionary, _ data: [UInt8], at reference: PDFReference) throws {
        guard let packed = packer.packed(data) else { return try putStream(dictionary, data, at: reference) }
        var dictionary = dictionary
        dictionary["Filter"] = .name("FlateDecode")
        try putStream(dictionary, packed, at: reference)
    }

    /// A stream that is nothing but its data, deflated: by the coder when it can.
    public func putPacked(_ data: [UInt8], by coder: LetterCoder, at reference: PDFReference) throws {
        let isPut = try put(data, packedBy: coder, at: reference) { _ in }
        if !isPut { try putPacked([:], data, at: reference) }
    }

    /// False, and nothing is written, when the coder cannot.
    private func put(
        _ data: [UInt8], packedBy coder: LetterCoder, at reference: PDFReference,
        head: (inout [UInt8]) -> Void
    ) throws -> Bool {
        let most = coder.room(for: data.count)
        if room.count < most { room = [UInt8](repeating: 0, count: most) }
        return try room.withUnsafeMutableBufferPointer { room in
            guard let count = data.withUnsafeBufferPointer({ coder.pack($0, into: room) }) else {
                return false
            }
            try putStream(
                at: reference,
                head: { out in
                    head(&out)
                    out.append(text: "/Filter/FlateDecode")
                }, UnsafeBufferPointer(rebasing: room[..<count]))
            return true
        }
    }

    /// `head` writes the dictionary's entries other than Length.
    private func putStream(
        at reference: PDFReference, head: (inout [UInt8]) -> Void, _ data: some Collection<UInt8>
    ) throws {
        rows.append(Row(number: reference.number, kind: 1, place: byteCount + out.count, index: 0))
        out.append(number: reference.number)
        // In a file of many short streams each line end counts, and these need not be there.
        out.append(text: " 0 obj<<")
        head(&out)
        out.append(text: "/Length ")
        out.append(number: data.count)
        out.append(text: ">>stream\n")
        out.append(contentsOf: data)
        out.append(text: "\nendstream\nendobj\n")
        try passOn()
    }

    /// A whole stream as text: dictionary, data and all.
    public func putWhole(_ text: [UInt8], at reference: PDFReference) throws {
        rows.append(Row(number: reference.number, kind: 1, place: byteCount + out.count, index: 0))
        out.append(number: reference.number)
        out.append(text: " 0 obj\n")
        out.append(contentsOf: text)
        out.append(text: "\nendobj\n")
        try passOn()
    }

    private func passOn() throws {
        if rows.count >= Self.sectionRowCount { try closeSection(root: nil, others: [:]) }
        if out.count >= Self.pieceByteCount { try flush() }
    }

    private func flush() throws {
        guard !out.isEmpty else { return }
        byteCount += out.count
        try sink(out)
        out.removeAll(keepingCapacity: true)
    }

    private func closePack(_ place: Int) throws {
        let count = packs[place].objects.count
        if count == 0 { return }
        let own = newReference()
        packText.removeAll(keepingCapacity: true)
        for (index, object) in packs[place].objects.enumerated() {
            rows.append(Row(number: object.number, kind: 2, place: own.number, index: index))
            packText.append(number: object.number)
            packText.append(32)
            packText.append(number: object.start)
            packText.append(32)
        }
        let first = packText.count
        packText.append(contentsOf: packs[place].text)
        packs[place].objects.removeAll(keepingCapacity: true)
        packs[place].text.removeAll(keepingCapacity: true)
        if place > 0, packs[place].coder == nil, packText.count >= Self.packByteCount {
            packs[place].coder = LetterCoder([packText], isOpen: true)
        }
        if let coder = packs[place].coder {
            let isPut = try put(packText, packedBy: coder, at: own) { out in
                out.append(text: "/Type/ObjStm/N ")
                out.append(number: count)
                out.append(text: "/First ")
                out.append(number: first)
            }
            if isPut { return }
        }
        try putPacked(
            ["Type": .name("ObjStm"), "N": .integer(count), "First": .integer(first)], packText, at: own)
    }

    /// The root every section names, since a reader may begin with any. It must be put before `finish`.
    public lazy var root: PDFReference = newReference()

    /// Writes what is left. `others` are entries of the trailer besides those the file needs.
    public func finish(_ others: PDFDictionary = [:]) throws {
        _ = root
        for place in packs.indices { try closePack(place) }
        try closeSection(root: root, others: others)
        out.append(text: "startxref\n")
        out.append(number: previousSection ?? 0)
        out.append(text: "\n%%EOF\n")
        try flush()
    }

    private func closeSection(root: PDFReference?, others: PDFDictionary) throws {
        let own = newReference()
        let place = byteCount + out.count
        rows.append(Row(number: own.number, kind: 1, place: place, index: 0))
        if previousSection == nil { rows.append(Row(number: 0, kind: 0, place: 0, index: 0xFFFF)) }
        rows.sort { $0.number < $1.number }
        var runs: [PDFObject] = []
        var start = 0
        for index in 1...rows.count
        where index == rows.count || rows[index].number != rows[index - 1].number + 1 {
            runs += [.integer(rows[start].number), .integer(index - start)]
            start = index
        }
        var entries = others
        entries["Type"] = .name("XRef")
        entries["Size"] = .integer(nextNumber)
        entries["Root"] = .reference(self.root)
        entries["Prev"] = previousSection.map(PDFObject.integer)
        // Places take as many bytes as the farthest of them needs.
        let farthest = rows.reduce(0) { max($0, $1.place) }
        let placeWidth = max(1, (Int.bitWidth - farthest.leadingZeroBitCount + 7) / 8)
        let width = placeWidth + 3
        entries["W"] = .array([.integer(1), .integer(placeWidth), .integer(2)])
        entries["Index"] = .array(runs)
        // Differences to the row above (PNG's "up"): most rows differ from their neighbour in a byte or two.
        entries["DecodeParms"] = .dictionary(["Predictor": .integer(12), "Columns": .integer(width)])
        entries["Filter"] = .name("FlateDecode")
        var table: [UInt8] = []
        table.reserveCapacity(rows.count * (width + 1))
        var above: (kind: UInt8, place: Int, index: Int) = (0, 0, 0)
        for row in rows {
            table.append(2)
            table.append(row.kind &- above.kind)
            Self.append(row.place, above: above.place, bytes: placeWidth, to: &table)
            Self.append(row.index, above: above.index, bytes: 2, to: &table)
            above = (row.kind, row.place, row.index)
        }
        rows.removeAll(keepingCapacity: true)
        if let packed = quickPacker.packed(table) {
            table = packed
        } else {
            // Too short to shrink: stored blocks are valid, but plain rows need no filter at all.
            entries["Filter"] = nil
            entries["DecodeParms"] = nil
            table = Self.unfiltered(table, width)
        }
        entries["Length"] = .integer(table.count)
        out.append(number: own.number)
        out.append(text: " 0 obj\n")
        PDFObject.dictionary(entries).write(into: &out)
        out.append(text: "\nstream\n")
        out.append(contentsOf: table)
        out.append(text: "\nendstream\nendobj\n")
        previousSection = place
    }

    /// A number as its bytes differ from those of the one above it.
    @inline(__always)
    private static func append(_ number: Int, above: Int, bytes: Int, to table: inout [UInt8]) {
        var shift = bytes * 8
        while shift > 0 {
            shift -= 8
            table.append(
                UInt8(truncatingIfNeeded: number >> shift) &- UInt8(truncatingIfNeeded: above >> shift))
        }
    }

    private static func unfiltered(_ table: [UInt8], _ width: Int) -> [UInt8] {
        var above = [UInt8](repeating: 0, count: width)
        var plain: [UInt8] = []
        for row in stride(from: 0, to: table.count, by: width + 1) {
            for column in 0..<width {
                above[column] &+= table[row + 1 + column]
                plain.append(above[column])
            }
        }
        return plain
    }
}
