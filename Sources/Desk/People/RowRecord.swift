import Tables

/// A row as a chunk keeps it: `number place flags [flaw text] length cells`, numbers in seven-bit pieces.
struct RowRecord {
    static let isFlawed: UInt8 = 1
    /// Made out of a flawed row by hand; its text in the file is kept, so that it is known again.
    static let isMended: UInt8 = 2
    /// Some cells were typed over.
    static let isEdited: UInt8 = 4

    var number: UInt32
    var place: Int
    var flags: UInt8 = 0
    var flaw = ""
    var sourceText = ""
    var cells: [UInt8]

    var isFlawed: Bool { flags & Self.isFlawed != 0 }
    var isMended: Bool { flags & Self.isMended != 0 }
    var isEdited: Bool { flags & Self.isEdited != 0 }

    func append(to bytes: inout [UInt8]) {
        cells.withUnsafeBytes { Self.append(to: &bytes, number, place, flags, flaw, sourceText, $0) }
    }

    static func append(
        to bytes: inout [UInt8], _ number: UInt32, _ place: Int, _ flags: UInt8, _ flaw: String,
        _ sourceText: String, _ cells: UnsafeRawBufferPointer
    ) {
        SevenBits.append(UInt64(number), to: &bytes)
        SevenBits.append(UInt64(max(0, place)), to: &bytes)
        bytes.append(flags)
        if flags & (isFlawed | isMended) != 0 {
            SevenBits.append(UInt64(flaw.utf8.count), to: &bytes)
            bytes.append(contentsOf: flaw.utf8)
            SevenBits.append(UInt64(sourceText.utf8.count), to: &bytes)
            bytes.append(contentsOf: sourceText.utf8)
        }
        SevenBits.append(UInt64(cells.count), to: &bytes)
        bytes.append(contentsOf: cells)
    }
}

/// Walks through the rows of a chunk where they lie. A damaged chunk ends the walk early; its count then tells.
struct RowWalk {
    private let bytes: UnsafeRawBufferPointer
    private(set) var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    struct Place {
        /// Where the record begins in its chunk.
        var offset: Int
        var number: UInt32
        var place: Int
        var flags: UInt8
        var flaw: UnsafeRawBufferPointer
        var sourceText: UnsafeRawBufferPointer
        var cells: UnsafeRawBufferPointer

        var record: RowRecord {
            RowRecord(
                number: number, place: place, flags: flags, flaw: String(decoding: flaw, as: UTF8.self),
                sourceText: String(decoding: sourceText, as: UTF8.self), cells: [UInt8](cells))
        }
    }

    mutating func next() -> Place? {
        let offset = position
        guard let number = count(), let place = count(), position < bytes.count, number <= UInt32.max else {
            return nil
        }
        let flags = bytes[position]
        position += 1
        let nothing = UnsafeRawBufferPointer(rebasing: bytes[0..<0])
        var flaw = nothing
        var sourceText = nothing
        if flags & (RowRecord.isFlawed | RowRecord.isMended) != 0 {
            guard let first = piece(), let second = piece() else { return nil }
            flaw = first
            sourceText = second
        }
        guard let cells = piece() else { return nil }
        return Place(
            offset: offset, number: UInt32(number), place: place, flags: flags, flaw: flaw,
            sourceText: sourceText, cells: cells)
    }

    mutating func move(to offset: Int) { position = min(max(0, offset), bytes.count) }

    private mutating func piece() -> UnsafeRawBufferPointer? {
        guard let count = count(), count <= bytes.count - position else { return nil }
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
    }

    private mutating func count() -> Int? { SevenBits.next(bytes, &position) }
}
