/// A row as the readers make it: all cells one after the other in one buffer that is used again for the next row.
/// Reading a million rows this way allocates next to nothing, and the same bytes can be stored as they are.
///
/// ```swift
/// var row = PackedRow()
/// while try table.read(into: &row) { store(row.bytes) }
/// ```
///
/// Each cell begins with a byte: its kind in the low three bits (7: text whose kind is judged when it is asked for),
/// then whether a shown text, a date and a mark of editing follow. The texts are UTF-8 behind their length.
public struct PackedRow: Sendable {
    public internal(set) var place = 0
    public internal(set) var flaw: String?
    /// See `TableRow.source`.
    public internal(set) var source = ""
    public internal(set) var cellCount = 0
    /// The cells, as `PackedCells` reads them.
    public internal(set) var bytes: [UInt8] = []

    public init() {}

    public init(place: Int, cells: [Cell]) {
        self.place = place
        for cell in cells { append(cell) }
    }

    public var cells: [Cell] {
        bytes.withUnsafeBytes { raw in
            var reader = PackedCells(raw)
            var cells: [Cell] = []
            cells.reserveCapacity(cellCount)
            while let cell = reader.next() { cells.append(cell.cell) }
            return cells
        }
    }

    public var row: TableRow { TableRow(place: place, cells: cells, flaw: flaw, source: source) }

    mutating func clear(place: Int) {
        self.place = place
        flaw = nil
        if !source.isEmpty { source = "" }
        cellCount = 0
        bytes.removeAll(keepingCapacity: true)
    }

    public mutating func append(_ cell: Cell) {
        // What only looks like a number is judged by its looks again when it is read.
        if !cell.isTyped, !cell.isEdited, cell.raw == cell.shown, ![.text, .empty].contains(cell.kind) {
            return append(plain: Array(cell.raw.utf8))
        }
        cellCount += 1
        var head = PackedCells.code(cell.kind)
        let hasShown = cell.shown != cell.raw
        if hasShown { head |= PackedCells.hasShown }
        if cell.date != nil { head |= PackedCells.hasDate }
        if cell.isEdited { head |= PackedCells.isEdited }
        bytes.append(head)
        guard head != 0 else { return }
        append(text: cell.raw)
        if hasShown { append(text: cell.shown) }
        if let date = cell.date { append(text: date) }
    }

    /// A cell of a text with separators, whose kind is judged when somebody asks.
    mutating func append(plain text: UnsafeBufferPointer<UInt8>) {
        cellCount += 1
        let text = CSVLine.unguarded(text)
        guard !text.isEmpty else {
            bytes.append(0)
            return
        }
        bytes.append(PackedCells.unjudged)
        append(count: text.count)
        bytes.append(contentsOf: text)
    }

    mutating func append(plain text: [UInt8]) {
        text.withUnsafeBufferPointer { append(plain: $0) }
    }

    /// A cell whose kind its file tells.
    mutating func append(kind: Cell.Kind, _ text: UnsafeBufferPointer<UInt8>) {
        guard !text.isEmpty else { return appendEmpty() }
        cellCount += 1
        bytes.append(PackedCells.code(kind))
        append(count: text.count)
        bytes.append(contentsOf: text)
    }

    mutating func append(kind: Cell.Kind, _ text: [UInt8]) {
        text.withUnsafeBufferPointer { append(kind: kind, $0) }
    }

    mutating func appendEmpty() {
        cellCount += 1
        bytes.append(0)
    }

    private mutating func append(text: String) {
        append(count: text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func append(count: Int) { SevenBits.append(UInt64(count), to: &bytes) }
}

/// Walks through packed cells without making strings of those nobody asks for. Bytes that are no packed cells end
/// the walk.
public struct PackedCells {
    static let unjudged: UInt8 = 7
    static let hasShown: UInt8 = 0x08
    static let hasDate: UInt8 = 0x10
    static let isEdited: UInt8 = 0x20

    private let bytes: UnsafeRawBufferPointer
    /// Where the next cell begins.
    public private(set) var position = 0

    /// The bytes must stay for as long as the cells are used.
    public init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// A cell where it lies.
    public struct Place {
        public let head: UInt8
        public let raw: UnsafeRawBufferPointer
        public let shown: UnsafeRawBufferPointer
        public let date: UnsafeRawBufferPointer?

        public var isEmpty: Bool { shown.isEmpty }
        public var isEdited: Bool { head & PackedCells.isEdited != 0 }

        public var kind: Cell.Kind {
            switch head & 7 {
            case 0: .empty
            case 1: .text
            case 2: .number
            case 3: .date
            case 4: .time
            case 5: .boolean
            default: CellKind.guess(shown.bindMemory(to: UInt8.self))
            }
        }

        public var cell: Cell {
            let rawText = String(decoding: raw, as: UTF8.self)
            guard head & 7 != PackedCells.unjudged || isEdited else { return Cell(rawText) }
            var cell = Cell(
                kind: kind, raw: rawText,
                shown: head & PackedCells.hasShown == 0 ? rawText : String(decoding: shown, as: UTF8.self),
                date: date.map { String(decoding: $0, as: UTF8.self) })
            cell.isEdited = isEdited
            return cell
        }
    }

    static func code(_ kind: Cell.Kind) -> UInt8 {
        switch kind {
        case .empty: 0
        case .text: 1
        case .number: 2
        case .date: 3
        case .time: 4
        case .boolean: 5
        }
    }

    public mutating func next() -> Place? {
        guard position < bytes.count else { return nil }
        let head = bytes[position]
        position += 1
        guard head != 0 else {
            let nothing = UnsafeRawBufferPointer(rebasing: bytes[position..<position])
            return Place(head: 0, raw: nothing, shown: nothing, date: nil)
        }
        guard let raw = text() else { return nil }
        var shown = raw
        if head & Self.hasShown != 0 {
            guard let text = text() else { return nil }
            shown = text
        }
        var date: UnsafeRawBufferPointer?
        if head & Self.hasDate != 0 {
            guard let text = text() else { return nil }
            date = text
        }
        return Place(head: head, raw: raw, shown: shown, date: date)
    }

    private mutating func text() -> UnsafeRawBufferPointer? {
        guard let count = SevenBits.next(bytes, &position), count <= bytes.count - position else {
            position = bytes.count
            return nil
        }
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
    }

}

extension PackedRow {
    /// The cells that were stored as `bytes`.
    public static func cells(in bytes: [UInt8]) -> [Cell] {
        bytes.withUnsafeBytes { raw in
            var reader = PackedCells(raw)
            var cells: [Cell] = []
            while let cell = reader.next() { cells.append(cell.cell) }
            return cells
        }
    }

    /// The row as somebody could have typed it, for mending.
    public init(place: Int, bytes: [UInt8]) {
        self.init()
        self.place = place
        self.bytes = bytes
        cellCount = bytes.withUnsafeBytes { raw in
            var reader = PackedCells(raw)
            var count = 0
            while reader.next() != nil { count += 1 }
            return count
        }
    }
}
