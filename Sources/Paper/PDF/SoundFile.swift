import Archives

/// A file that is as the standard wants it, read without qpdf: only what is asked for is looked at. Whoever reads thousands
/// of filled copies of one form pays for the form once, because the parts that copies have in common are kept.
///
/// It repairs nothing. When anything it looks at is not as it should be, `isSound` turns false, and what was read counts
/// for nothing: `PDFFile` has to read it then. One thread at a time.
public final class SoundFile {
    /// Packs of objects and cross-references that were read before, by their bytes.
    public final class Shelf {
        fileprivate var packs: [[UInt8]: Pack] = [:]
        fileprivate var sections: [[UInt8]: [UInt8]] = [:]
        fileprivate static let most = 256

        public init() {}
    }

    public private(set) var isSound = true
    public let trailer: PDFDictionary

    private let bytes: [UInt8]
    private let shelf: Shelf
    private let sections: [Section]
    private var objects: [Int: PDFObject] = [:]
    private var streams: [Int: Range<Int>] = [:]
    private var packs: [Int: Pack] = [:]
    private var depth = 0

    /// Nil for a file that is not plainly sound, or is locked.
    public init?(_ bytes: [UInt8], _ shelf: Shelf = Shelf()) {
        guard bytes.count < 1 << 30, bytes.starts(with: "%PDF-".utf8),
            let chain = CrossReference.chain(bytes, &shelf.sections), let newest = chain.first,
            chain.allSatisfy({ $0.trailer["Encrypt"] == nil && $0.trailer["XRefStm"] == nil }),
            newest.trailer["Root"]?.reference != nil
        else { return nil }
        if shelf.sections.count > Shelf.most { shelf.sections.removeAll() }
        if shelf.packs.count > Shelf.most { shelf.packs.removeAll() }
        self.bytes = bytes
        self.shelf = shelf
        sections = chain
        trailer = newest.trailer
    }

    public var catalog: PDFDictionary { dictionary(trailer["Root"]) ?? [:] }
    public var form: PDFDictionary? { dictionary(catalog["AcroForm"]) }

    /// In the order of their tree.
    public private(set) lazy var pages: [PDFReference] = {
        var pages: [PDFReference] = []
        var seen: Set<PDFReference> = []
        func walk(_ node: PDFObject?, _ depth: Int) {
            guard let reference = node?.reference, seen.insert(reference).inserted, depth < 40,
                let dictionary = dictionary(node)
            else { return isSound = false }
            guard let kids = dictionary["Kids"] else { return pages.append(reference) }
            for kid in array(kids) { walk(kid, depth + 1) }
        }
        walk(catalog["Pages"], 0)
        return pages
    }()

    public func object(_ reference: PDFReference) -> PDFObject {
        if let known = objects[reference.number] { return known }
        let found = read(reference)
        if !Self.hasOnce(found) { isSound = false }
        objects[reference.number] = found
        return found
    }

    public func isStream(_ reference: PDFReference) -> Bool {
        _ = object(reference)
        return streams[reference.number] != nil
    }

    public func stream(_ reference: PDFReference, limit: Int) -> [UInt8]? {
        guard let dictionary = object(reference).dictionary, let range = streams[reference.number] else {
            return nil
        }
        let data = Array(bytes[range])
        guard dictionary["Filter"] != nil else { return data.count <= limit ? data : nil }
        guard resolve(dictionary["Filter"]).name == "FlateDecode", dictionary["DecodeParms"] == nil,
            let plain = inflated(data, limit: limit)
        else {
            isSound = false
            return nil
        }
        return plain
    }

    private func read(_ reference: PDFReference) -> PDFObject {
        for section in sections {
            guard let place = section.place(of: reference.number) else { continue }
            switch place {
            case .nowhere: return .null
            case .at(let offset, let generation):
                guard generation == reference.generation else { break }
                return object(reference, at: offset)
            case .packed(let stream, let index):
                guard reference.generation == 0 else { break }
                return object(reference.number, in: stream, index)
            case .nonsense: break
            }
            isSound = false
            return .null
        }
        return .null
    }

    private func object(_ reference: PDFReference, at offset: Int) -> PDFObject {
        guard let start = CrossReference.head(bytes, offset, of: reference) else {
            isSound = false
            return .null
        }
        var reader = PDFObjectReader(bytes, at: start)
        let value = reader.object()
        reader.skipSpace()
        if bytes.has("endobj", at: reader.position) { return value }
        guard bytes.has("stream", at: reader.position), let dictionary = value.dictionary,
            let range = data(dictionary, behind: reader.position + 6)
        else {
            isSound = false
            return .null
        }
        streams[reference.number] = range
        return value
    }

    private func data(_ dictionary: PDFDictionary, behind place: Int) -> Range<Int>? {
        // The length may stand elsewhere, and that elsewhere be this very stream.
        guard depth < 4 else { return nil }
        depth += 1
        defer { depth -= 1 }
        return CrossReference.data(bytes, behind: place, length: resolve(dictionary["Length"]).integer)
    }

    private func object(_ number: Int, in stream: Int, _ index: Int) -> PDFObject {
        let pack: Pack
        if let known = packs[stream] {
            pack = known
        } else {
            guard let opened = open(PDFReference(stream)) else {
                isSound = false
                return .null
            }
            packs[stream] = opened
            pack = opened
        }
        guard let object = pack.object(number, index) else {
            isSound = false
            return .null
        }
        return object
    }

    private func open(_ reference: PDFReference) -> Pack? {
        // A pack lies in no other pack.
        for section in sections {
            guard let place = section.place(of: reference.number) else { continue }
            guard case .at = place else { return nil }
            break
        }
        guard let dictionary = object(reference).dictionary, dictionary["Type"]?.name == "ObjStm",
            let range = streams[reference.number]
        else { return nil }
        let stored = Array(bytes[range])
        if let known = shelf.packs[stored] { return known }
        guard let plain = stream(reference, limit: 64 << 20),
            let count = resolve(dictionary["N"]).integer, let first = resolve(dictionary["First"]).integer,
            let pack = Pack(plain, count: count, first: first)
        else { return nil }
        shelf.packs[stored] = pack
        return pack
    }

    /// What a dictionary says twice is read differently by different programs.
    private static func hasOnce(_ object: PDFObject) -> Bool {
        switch object {
        case .array(let items): return items.allSatisfy(hasOnce)
        case .dictionary(let dictionary):
            let entries = dictionary.entries
            for index in entries.indices {
                for other in 0..<index where entries[other].key == entries[index].key { return false }
                if !hasOnce(entries[index].value) { return false }
            }
            return true
        default: return true
        }
    }
}

/// Objects packed together in one stream (ISO 32000-2 §7.5.7); each is read when it is asked for.
private final class Pack {
    private let plain: [UInt8]
    private var places: [(number: Int, place: Int)] = []
    private var objects: [Int: PDFObject] = [:]

    init?(_ plain: [UInt8], count: Int, first: Int) {
        guard (0...plain.count).contains(first), (0...plain.count).contains(count) else { return nil }
        self.plain = plain
        var reader = PDFObjectReader(Array(plain[..<first]))
        for _ in 0..<count {
            guard let number = reader.object().integer, let place = reader.object().integer,
                (0..<plain.count - first).contains(place)
            else { return nil }
            places.append((number, first + place))
        }
    }

    func object(_ number: Int, _ index: Int) -> PDFObject? {
        if let known = objects[index] { return known }
        guard places.indices.contains(index), places[index].number == number else { return nil }
        var reader = PDFObjectReader(plain, at: places[index].place)
        let object = reader.object()
        objects[index] = object
        return object
    }
}

/// One section of a cross-reference, and the trailer that belongs to it.
private struct Section {
    enum Place {
        case nowhere
        case at(Int, generation: Int)
        case packed(in: Int, index: Int)
        case nonsense
    }

    struct Run {
        var numbers: Range<Int>
        /// Where its rows begin.
        var start: Int
    }

    var trailer: PDFDictionary
    /// What the rows are read from: the file for a table of text, else what was unpacked.
    var rows: [UInt8]
    /// The widths of the columns; nil for a table of text.
    var widths: [Int]?
    var runs: [Run] = []

    /// Nil when this section says nothing about it.
    func place(of number: Int) -> Place? {
        guard let run = runs.first(where: { $0.numbers.contains(number) }) else { return nil }
        let row = number - run.numbers.lowerBound
        return widths.map { packed(run.start + row * $0.reduce(0, +), $0) } ?? text(run.start + row * 20)
    }

    private func packed(_ start: Int, _ widths: [Int]) -> Place {
        var values: [Int] = []
        var at = start
        for width in widths {
            var value = 0
            for _ in 0..<width {
                value = value << 8 | Int(rows[at])
                at += 1
            }
            values.append(value)
        }
        // A missing first column means that all are of kind 1.
        switch widths[0] == 0 ? 1 : values[0] {
        case 0: return .nowhere
        case 1: return .at(values[1], generation: values[2])
        case 2: return .packed(in: values[1], index: values[2])
        default: return .nonsense
        }
    }

    /// `0000001234 00000 n`, twenty bytes with the end of its line.
    private func text(_ start: Int) -> Place {
        guard let offset = rows.number(start, 10), rows[start + 10] == 32,
            let generation = rows.number(start + 11, 5), rows[start + 16] == 32
        else { return .nonsense }
        switch rows[start + 17] {
        case UInt8(ascii: "n"): return offset == 0 ? .nonsense : .at(offset, generation: generation)
        case UInt8(ascii: "f"): return .nowhere
        default: return .nonsense
        }
    }
}

/// Finds its way through a file's cross-references (§7.5.4, §7.5.8).
private enum CrossReference {
    private static let most = 64

    /// The newest first; nil when anything is not as it should be.
    static func chain(_ bytes: [UInt8], _ known: inout [[UInt8]: [UInt8]]) -> [Section]? {
        guard var place = start(bytes) else { return nil }
        var chain: [Section] = []
        var seen: Set<Int> = []
        while true {
            guard chain.count < most, seen.insert(place).inserted, (0..<bytes.count).contains(place),
                let section = bytes.has("xref", at: place)
                    ? table(bytes, place) : stream(bytes, place, &known)
            else { return nil }
            chain.append(section)
            guard let previous = section.trailer["Prev"] else { return chain }
            guard let next = previous.integer else { return nil }
            place = next
        }
    }

    private static func start(_ bytes: [UInt8]) -> Int? {
        let word = Array("startxref".utf8)
        var at = bytes.count - word.count
        let end = max(0, bytes.count - 1100)
        while at >= end {
            if bytes[at] == word[0], bytes.has("startxref", at: at) {
                var reader = PDFObjectReader(bytes, at: at + word.count)
                return reader.object().integer
            }
            at -= 1
        }
        return nil
    }

    private static func table(_ bytes: [UInt8], _ place: Int) -> Section? {
        var section = Section(trailer: [:], rows: bytes, widths: nil)
        var reader = PDFObjectReader(bytes, at: place + 4)
        while true {
            reader.skipSpace()
            if bytes.has("trailer", at: reader.position) {
                reader = PDFObjectReader(bytes, at: reader.position + 7)
                guard let trailer = reader.object().dictionary else { return nil }
                section.trailer = trailer
                return section
            }
            guard let first = reader.object().integer, let count = reader.object().integer, first >= 0,
                (0...10_000_000).contains(count), first < 1 << 31
            else { return nil }
            reader.skipSpace()
            let start = reader.position
            guard start + count * 20 <= bytes.count else { return nil }
            section.runs.append(.init(numbers: first..<first + count, start: start))
            reader = PDFObjectReader(bytes, at: start + count * 20)
        }
    }

    private static func stream(
        _ bytes: [UInt8], _ place: Int, _ known: inout [[UInt8]: [UInt8]]
    ) -> Section? {
        guard let start = head(bytes, place, of: nil) else { return nil }
        var reader = PDFObjectReader(bytes, at: start)
        guard let trailer = reader.object().dictionary, trailer["Type"]?.name == "XRef" else { return nil }
        reader.skipSpace()
        guard bytes.has("stream", at: reader.position),
            let range = data(bytes, behind: reader.position + 6, length: trailer["Length"]?.integer)
        else { return nil }
        let widths = (trailer["W"]?.array ?? []).compactMap(\.integer)
        guard widths.count == 3, widths.allSatisfy((0...7).contains), widths[1] > 0 else { return nil }
        let stored = Array(bytes[range])
        let rows: [UInt8]
        if let unpacked = known[stored] {
            rows = unpacked
        } else {
            guard let unpacked = self.rows(stored, trailer, widths.reduce(0, +)) else { return nil }
            known[stored] = unpacked
            rows = unpacked
        }
        var section = Section(trailer: trailer, rows: rows, widths: widths)
        let size = trailer["Size"]?.integer ?? 0
        let index = trailer["Index"].map { ($0.array ?? []).compactMap(\.integer) } ?? [0, size]
        guard index.count.isMultiple(of: 2) else { return nil }
        var at = 0
        for pair in stride(from: 0, to: index.count, by: 2) {
            let (first, count) = (index[pair], index[pair + 1])
            guard first >= 0, first < 1 << 31, (0...rows.count).contains(count),
                at + count * widths.reduce(0, +) <= rows.count
            else { return nil }
            section.runs.append(.init(numbers: first..<first + count, start: at))
            at += count * widths.reduce(0, +)
        }
        return section
    }

    private static func rows(_ stored: [UInt8], _ trailer: PDFDictionary, _ width: Int) -> [UInt8]? {
        guard let filter = trailer["Filter"] else { return stored }
        guard filter.name == "FlateDecode", let plain = inflated(stored, limit: 64 << 20) else { return nil }
        guard let how = trailer["DecodeParms"]?.dictionary else {
            return trailer["DecodeParms"] == nil ? plain : nil
        }
        switch how["Predictor"]?.integer ?? 1 {
        case 1: return plain
        case 10...15:
            guard how["Columns"]?.integer == width, how["Colors"]?.integer ?? 1 == 1,
                how["BitsPerComponent"]?.integer ?? 8 == 8
            else { return nil }
            return unpredicted(plain, width)
        default: return nil
        }
    }

    /// Rows that tell only how they differ from the row above (PNG's filters without the last two).
    private static func unpredicted(_ plain: [UInt8], _ width: Int) -> [UInt8]? {
        guard width > 0, plain.count.isMultiple(of: width + 1) else { return nil }
        var out = [UInt8](repeating: 0, count: plain.count / (width + 1) * width)
        for row in 0..<plain.count / (width + 1) {
            let from = row * (width + 1) + 1
            let to = row * width
            switch plain[from - 1] {
            case 0: for column in 0..<width { out[to + column] = plain[from + column] }
            case 1:
                for column in 0..<width {
                    out[to + column] = plain[from + column] &+ (column > 0 ? out[to + column - 1] : 0)
                }
            case 2:
                for column in 0..<width {
                    out[to + column] = plain[from + column] &+ (row > 0 ? out[to + column - width] : 0)
                }
            default: return nil
            }
        }
        return out
    }

    /// `12 0 obj`: gives where the object begins.
    static func head(_ bytes: [UInt8], _ place: Int, of reference: PDFReference?) -> Int? {
        guard (0..<bytes.count).contains(place), case 48...57 = bytes[place],
            place == 0 || PDFObjectReader.isSpace(bytes[place - 1])
        else { return nil }
        var reader = PDFObjectReader(bytes, at: place)
        guard let number = reader.object().integer, let generation = reader.object().integer,
            reference.map({ $0.number == number && $0.generation == generation }) ?? true
        else { return nil }
        reader.skipSpace()
        return bytes.has("obj", at: reader.position) ? reader.position + 3 : nil
    }

    static func data(_ bytes: [UInt8], behind place: Int, length: Int?) -> Range<Int>? {
        var start = place
        if start < bytes.count, bytes[start] == 13 { start += 1 }
        guard start < bytes.count, bytes[start] == 10 else { return nil }
        start += 1
        guard let length, (0...bytes.count - start).contains(length) else { return nil }
        var end = start + length
        while end < bytes.count, PDFObjectReader.isSpace(bytes[end]) { end += 1 }
        return bytes.has("endstream", at: end) ? start..<start + length : nil
    }
}

extension [UInt8] {
    fileprivate func has(_ word: StaticString, at place: Int) -> Bool {
        let length = word.utf8CodeUnitCount
        guard place >= 0, place <= count - length else { return false }
        for index in 0..<length where self[place + index] != word.utf8Start[index] { return false }
        return true
    }

    /// So many digits and nothing else.
    fileprivate func number(_ place: Int, _ length: Int) -> Int? {
        guard place >= 0, place + length + 8 <= count else { return nil }
        var value = 0
        for index in place..<place + length {
            guard case 48...57 = self[index] else { return nil }
            value = value * 10 + Int(self[index] - 48)
        }
        return value
    }
}
