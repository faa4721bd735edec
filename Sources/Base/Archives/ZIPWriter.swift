internal import Bytes
public import Work

/// A ZIP archive written from front to back (APPNOTE 6.3): nothing is read again or changed afterwards, so it may
/// go straight to a socket. The same entries give the same bytes, and memory stays small however many there are.
///
///     var zip = ZIPWriter { try file.write($0) }
///     try zip.add("letters/Miller.pdf", bytes, modified: now)
///     try zip.finish()
public struct ZIPWriter: ~Copyable {
    private let sink: ([UInt8]) throws -> Void
    private var offset = 0
    private var entryCount = 0
    /// The list of entries for the end of the archive. Names are alike, so packed it takes a few bytes for each; of many
    /// entries most of it waits in a file.
    private var directory = LongBytes()
    private var directoryCount = 0
    private var directoryPacker = Deflater(.none, level: 1)

    public init(sink: @escaping ([UInt8]) throws -> Void) {
        self.sink = sink
    }

    /// How many bytes were written so far.
    public var byteCount: Int { offset }

    public mutating func add(_ name: String, _ bytes: [UInt8], modified: Moment, level: Int = 6) throws {
        try add(name, ZIPContent(bytes, level: level), modified: modified)
    }

    public mutating func add(_ name: String, _ content: ZIPContent, modified: Moment) throws {
        var entry = try Entry(name, modified, offset: offset)
        entry.crc = content.crc
        entry.byteCount = content.byteCount
        entry.packedCount = content.packedCount
        try put(entry.localHeader)
        for piece in content.packed { try put(piece) }
        try put(ZIPContent.ending)
        list(entry)
    }

    /// An entry whose length shows only while it is written: `write` is called once, with the place to put bytes.
    public mutating func add(
        _ name: String, modified: Moment, level: Int = 6,
        write: (_ put: ([UInt8]) throws -> Void) throws -> Void
    ) throws {
        var entry = try Entry(name, modified, offset: offset)
        entry.isStreamed = true
        try put(entry.localHeader)
        let start = offset
        var crc = CRC32()
        var byteCount = 0
        var end = offset
        var waiting: [UInt8] = []
        var deflater = Deflater(.none, level: level)
        let sink = sink
        try write { bytes in
            bytes.withUnsafeBytes { crc.update($0) }
            byteCount += bytes.count
            deflater.write(bytes, into: &waiting)
            guard waiting.count >= 65_536 else { return }
            try sink(waiting)
            end += waiting.count
            waiting.removeAll(keepingCapacity: true)
        }
        deflater.finish(into: &waiting)
        offset = end
        try put(waiting)
        entry.crc = crc
        entry.byteCount = byteCount
        entry.packedCount = offset - start
        try put(entry.descriptor)
        list(entry)
    }

    /// A folder that shall be there even when empty; others come by themselves with the names of their files.
    public mutating func addFolder(_ name: String, modified: Moment) throws {
        var entry = try Entry(name.hasSuffix("/") ? String(name.dropLast()) : name, modified, offset: offset)
        entry.name.append(UInt8(ascii: "/"))
        entry.isFolder = true
        try put(entry.localHeader)
        list(entry)
    }

    /// The list of entries. Without it the archive is none.
    public mutating func finish() throws {
        let start = offset
        directoryPacker.finish(into: &directory.end)
        var unused = 0
        var inflater = Inflater(.none)
        var packed = LongBytes()
        swap(&packed, &directory)
        let isRead = try packed.read { source in
            _ = try inflater.write(source, unused: &unused) { try put(Array($0)) }
        }
        guard isRead else {
            throw ZIPError.notReadable(
                path: "The list of the archive's files", reason: "the place where it waited is gone")
        }
        precondition(offset - start == directoryCount, "we cannot read what we packed")
        var end = ByteWriter()
        let is64 = entryCount >= 0xFFFF || directoryCount >= Zip64.mark || start >= Zip64.mark
        if is64 {
            end.uint32(0x0606_4B50, .little)
            end.uint64(44, .little)
            end.uint16(Entry.madeBy, .little)
            end.uint16(Entry.version64, .little)
            end.uint32(0, .little)
            end.uint32(0, .little)
            end.uint64(UInt64(entryCount), .little)
            end.uint64(UInt64(entryCount), .little)
            end.uint64(UInt64(directoryCount), .little)
            end.uint64(UInt64(start), .little)
            end.uint32(0x0706_4B50, .little)
            end.uint32(0, .little)
            end.uint64(UInt64(offset), .little)
            end.uint32(1, .little)
        }
        end.uint32(0x0605_4B50, .little)
        end.uint32(0, .little)
        end.uint16(UInt16(min(entryCount, 0xFFFF)), .little)
        end.uint16(UInt16(min(entryCount, 0xFFFF)), .little)
        end.uint32(Zip64.short(directoryCount), .little)
        end.uint32(Zip64.short(start), .little)
        end.uint16(0, .little)
        try put(end.bytes)
    }

    private mutating func put(_ bytes: [UInt8]) throws {
        guard !bytes.isEmpty else { return }
        try sink(bytes)
        offset += bytes.count
    }

    private mutating func list(_ entry: Entry) {
        let record = entry.directoryRecord
        entryCount += 1
        directoryCount += record.count
        directoryPacker.write(record, into: &directory.end)
        directory.settle()
    }
}

/// Numbers that do not fit into 32 bits are written as this, and in full in an extra field.
enum Zip64 {
    static let mark = 0xFFFF_FFFF
    static func short(_ value: Int) -> UInt32 { UInt32(min(value, mark)) }
}

/// One entry as the archive describes it, in front of its bytes and once more at the end.
private struct Entry {
    var name: [UInt8]
    var offset: Int
    var crc = CRC32()
    var byteCount = 0
    var packedCount = 0
    var isStreamed = false
    var isFolder = false
    private let time: UInt32
    private let seconds: Int32?

    /// Unix, version 4.5 of the format: what decides over how the file's permissions are understood.
    static let madeBy: UInt16 = 3 << 8 | 45
    static let version64: UInt16 = 45

    init(_ name: String, _ modified: Moment, offset: Int) throws(ZIPError) {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        let isSound =
            parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." } && name.utf8.count < 65_000
            && !name.unicodeScalars.contains { $0.value < 32 || $0 == "\\" || $0.value == 0x7F }
        guard isSound else { throw .badName(name) }
        self.name = Array(name.utf8)
        self.offset = offset
        let wall = modified.wallTimeInUTC
        // The old form knows the years 1980 to 2107 and even seconds; the extra field says it exactly.
        let year = min(max(wall.year, 1980), 2107)
        let date = (year - 1980) << 9 | wall.month << 5 | wall.day
        time = UInt32(date << 16 | wall.hour << 11 | wall.minute << 5 | wall.second / 2)
        seconds = Int32(exactly: modified.milliseconds / 1000)
    }

    private var isLarge: Bool { byteCount >= Zip64.mark || packedCount >= Zip64.mark }
    /// Bit 11: the name is UTF-8. Bit 3: the sizes follow behind the bytes.
    private var flags: UInt16 { 1 << 11 | (isStreamed ? 1 << 3 : 0) }
    private var method: UInt16 { isFolder ? 0 : 8 }

    var localHeader: [UInt8] {
        var out = ByteWriter(capacity: 64 + name.count)
        let isLarge = isLarge && !isStreamed
        out.uint32(0x0403_4B50, .little)
        out.uint16(isLarge ? Self.version64 : 20, .little)
        out.uint16(flags, .little)
        out.uint16(method, .little)
        out.uint32(time, .little)
        out.uint32(isStreamed ? 0 : crc.value, .little)
        out.uint32(isStreamed ? 0 : isLarge ? UInt32.max : UInt32(packedCount), .little)
        out.uint32(isStreamed ? 0 : isLarge ? UInt32.max : UInt32(byteCount), .little)
        var extra = timeExtra
        if isLarge { extra += wide([byteCount, packedCount]) }
        out.uint16(UInt16(name.count), .little)
        out.uint16(UInt16(extra.count), .little)
        out.append(name)
        out.append(extra)
        return out.bytes
    }

    /// What follows the bytes of an entry whose sizes were not known in front of it.
    var descriptor: [UInt8] {
        var out = ByteWriter()
        out.uint32(0x0807_4B50, .little)
        out.uint32(crc.value, .little)
        if isLarge {
            out.uint64(UInt64(packedCount), .little)
            out.uint64(UInt64(byteCount), .little)
        } else {
            out.uint32(UInt32(packedCount), .little)
            out.uint32(UInt32(byteCount), .little)
        }
        return out.bytes
    }

    var directoryRecord: [UInt8] {
        var out = ByteWriter(capacity: 64 + name.count)
        out.uint32(0x0201_4B50, .little)
        out.uint16(Self.madeBy, .little)
        out.uint16(isLarge || offset >= Zip64.mark ? Self.version64 : 20, .little)
        out.uint16(flags, .little)
        out.uint16(method, .little)
        out.uint32(time, .little)
        out.uint32(crc.value, .little)
        out.uint32(isLarge ? UInt32.max : UInt32(packedCount), .little)
        out.uint32(isLarge ? UInt32.max : UInt32(byteCount), .little)
        var far = isLarge ? [byteCount, packedCount] : []
        if offset >= Zip64.mark { far.append(offset) }
        let extra = timeExtra + (far.isEmpty ? [] : wide(far))
        out.uint16(UInt16(name.count), .little)
        out.uint16(UInt16(extra.count), .little)
        out.uint16(0, .little)
        out.uint16(0, .little)
        out.uint16(0, .little)
        // Permissions as Unix has them, and the old mark for a folder.
        out.uint32(isFolder ? 0o040755 << 16 | 0x10 : 0o100644 << 16, .little)
        out.uint32(Zip64.short(offset), .little)
        out.append(name)
        out.append(extra)
        return out.bytes
    }

    private var timeExtra: [UInt8] {
        guard let seconds else { return [] }
        var out = ByteWriter()
        out.uint16(0x5455, .little)
        out.uint16(5, .little)
        out.append(UInt8(1))
        out.uint32(UInt32(bitPattern: seconds), .little)
        return out.bytes
    }

    private func wide(_ numbers: [Int]) -> [UInt8] {
        var out = ByteWriter()
        out.uint16(1, .little)
        out.uint16(UInt16(numbers.count * 8), .little)
        for number in numbers { out.uint64(UInt64(number), .little) }
        return out.bytes
    }
}
