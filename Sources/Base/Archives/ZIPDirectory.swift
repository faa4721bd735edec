import Bytes
import Work

/// The list at the end of an archive, read and held against the limits.
struct ZIPDirectory {
    private(set) var entries: [ZIPReader.Entry] = []
    /// Where the list begins: no entry may reach so far.
    private(set) var start = 0

    init(_ source: ByteSource, _ limits: ZIPReader.Limits) throws(ZIPError) {
        let ending = try Ending(source)
        guard ending.entryCount <= limits.entries else {
            throw .tooLarge("it has \(ending.entryCount) entries, more than \(limits.entries)")
        }
        // A record takes at least 46 bytes; a list may not claim more of them than it has room for.
        guard ending.directoryCount <= limits.entries * 1024, ending.entryCount * 46 <= ending.directoryCount
        else {
            throw .damaged("its list of entries makes no sense")
        }
        start = ending.directoryStart
        var reader = ByteReader(try source.read(ending.directoryStart, ending.directoryCount))
        var total = 0
        do throws(ByteError) {
            for _ in 0..<ending.entryCount {
                let entry = try Self.entry(&reader, shift: ending.shift, limit: start)
                total += entry.byteCount
                if entry.byteCount > limits.bytesInEntry || total > limits.bytesInAll {
                    throw ByteError(offset: -1, reason: "“\(entry.name)” would make it too large")
                }
                if entry.byteCount > limits.smallEntry,
                    entry.byteCount / limits.growth > entry.packedCount
                {
                    throw ByteError(
                        offset: -1, reason: "“\(entry.name)” grows more than \(limits.growth)-fold")
                }
                entries.append(entry)
            }
        } catch {
            throw error.offset < 0 ? .tooLarge(error.reason) : .damaged("its list of entries is cut off")
        }
        try checkOverlaps()
    }

    /// Entries that share bytes are how a small file becomes an endless one.
    private func checkOverlaps() throws(ZIPError) {
        var reached = 0
        for entry in entries.sorted(by: { $0.offset < $1.offset }) {
            guard entry.offset >= reached else {
                throw .tooLarge("“\(entry.name)” shares its bytes with another entry")
            }
            // The shortest header there can be; its variable part can only make it longer.
            reached = entry.offset + 30 + entry.packedCount
        }
    }

    private static func entry(
        _ reader: inout ByteReader, shift: Int, limit: Int
    ) throws(ByteError) -> ZIPReader.Entry {
        guard try reader.uint32(.little) == 0x0201_4B50 else { throw reader.error("no entry") }
        let madeBy = try reader.uint16(.little) >> 8
        try reader.skip(2)
        let flags = try reader.uint16(.little)
        let method = Int(try reader.uint16(.little))
        let time = try reader.uint32(.little)
        let crc = try reader.uint32(.little)
        var packedCount = UInt64(try reader.uint32(.little))
        var byteCount = UInt64(try reader.uint32(.little))
        let nameCount = Int(try reader.uint16(.little))
        let extraCount = Int(try reader.uint16(.little))
        let remarkCount = Int(try reader.uint16(.little))
        try reader.skip(4)
        let attributes = try reader.uint32(.little)
        var offset = UInt64(try reader.uint32(.little))
        let nameBytes = try reader.bytes(nameCount)
        var extra = ByteReader(try reader.bytes(extraCount))
        try reader.skip(remarkCount)
        var modified = moment(time)
        while extra.remaining >= 4 {
            let kind = try extra.uint16(.little)
            let count = Int(try extra.uint16(.little))
            // Some programs fill up the field with zeros that are no fields.
            guard count <= extra.remaining else { break }
            var field = ByteReader(try extra.bytes(count))
            if kind == 1 {
                if byteCount == Zip64.mark { byteCount = try field.uint64(.little) }
                if packedCount == Zip64.mark { packedCount = try field.uint64(.little) }
                if offset == Zip64.mark { offset = try field.uint64(.little) }
            } else if kind == 0x5455, count >= 5, try field.uint8() & 1 == 1 {
                let seconds = Int32(bitPattern: try field.uint32(.little))
                modified = Moment(milliseconds: Int64(seconds) * 1000)
            }
        }
        let largest = UInt64(1) << 48
        guard byteCount < largest, packedCount < largest, offset < largest,
            case let place = Int(offset) + shift, place >= 0, place + 30 + Int(packedCount) <= limit
        else { throw reader.error("an entry lies outside the archive") }
        let name = flags & (1 << 11) != 0 ? nil : codePage(nameBytes)
        let text = name ?? String(decoding: nameBytes, as: UTF8.self)
        return ZIPReader.Entry(
            name: text, byteCount: Int(byteCount), packedCount: Int(packedCount), modified: modified,
            isFolder: text.hasSuffix("/") || madeBy == 3 && attributes >> 28 == 4,
            isLink: madeBy == 3 && attributes >> 28 == 0xA, method: method,
            isEncrypted: flags & 1 != 0, crc: crc, offset: place)
    }

    private static func moment(_ time: UInt32) -> Moment {
        let date = Int(time >> 16)
        let wall = WallTime(
            year: 1980 + date >> 9, month: date >> 5 & 15, day: date & 31, hour: Int(time >> 11 & 31),
            minute: Int(time >> 5 & 63), second: Int(time & 31) * 2)
        return Moment(milliseconds: wall?.millisecondsAsUTC ?? 315_532_800_000)
    }

    /// Names not marked as UTF-8 are in the code page of the first PCs, unless they happen to be valid UTF-8: then
    /// the mark was only forgotten.
    private static func codePage(_ bytes: [UInt8]) -> String? {
        if bytes.allSatisfy({ $0 < 128 }) || String(validating: bytes, as: UTF8.self) != nil { return nil }
        let upper = Array(
            """
            ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀\
            αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}
            """)
        var text = ""
        for byte in bytes {
            let index = Int(byte) - 128
            text.append(
                index < 0 ? Character(Unicode.Scalar(byte)) : index < upper.count ? upper[index] : "?")
        }
        return text
    }
}

/// Where the list is, read from the last bytes of the archive.
private struct Ending {
    var entryCount: Int
    var directoryCount: Int
    var directoryStart: Int
    /// How much stands in front of the archive: programs that unpack themselves put their code there.
    var shift: Int

    init(_ source: ByteSource) throws(ZIPError) {
        let tail = min(source.count, 22 + 65_535)
        let bytes = try source.read(source.count - tail, tail)
        guard let place = Self.place(bytes) else { throw .notAnArchive }
        let end = source.count - tail + place
        var reader = ByteReader(bytes[place...])
        do throws(ByteError) {
            try reader.skip(4)
            let disk = try reader.uint16(.little)
            try reader.skip(4)
            var entryCount = UInt64(try reader.uint16(.little))
            var directoryCount = UInt64(try reader.uint32(.little))
            var directoryStart = UInt64(try reader.uint32(.little))
            guard disk == 0 || disk == 0xFFFF else { throw reader.error("in several parts") }
            var directoryEnd = end
            if entryCount == 0xFFFF || directoryCount == Zip64.mark || directoryStart == Zip64.mark,
                let large = try Self.large(source, before: end)
            {
                (entryCount, directoryCount, directoryStart) = large.numbers
                directoryEnd = large.place
            }
            let largest = UInt64(1) << 48
            guard entryCount < largest, directoryCount < largest, directoryStart < largest else {
                throw reader.error("too large")
            }
            self.entryCount = Int(entryCount)
            self.directoryCount = Int(directoryCount)
            self.directoryStart = directoryEnd - self.directoryCount
            shift = self.directoryStart - Int(directoryStart)
            guard self.directoryStart >= 0, shift >= 0 else { throw reader.error("outside") }
        } catch {
            throw .damaged("its end makes no sense")
        }
    }

    /// The mark nearest to the end whose remark reaches exactly to the end.
    private static func place(_ bytes: [UInt8]) -> Int? {
        var at = bytes.count - 22
        while at >= 0 {
            if bytes[at...].starts(with: [0x50, 0x4B, 5, 6]),
                at + 22 + Int(bytes[at + 20]) + Int(bytes[at + 21]) << 8 == bytes.count
            {
                return at
            }
            at -= 1
        }
        return nil
    }

    private static func large(
        _ source: ByteSource, before end: Int
    ) throws(ByteError) -> (numbers: (UInt64, UInt64, UInt64), place: Int)? {
        guard end >= 20, let pointer = try? source.read(end - 20, 20) else { return nil }
        var reader = ByteReader(pointer)
        guard try reader.uint32(.little) == 0x0706_4B50 else { return nil }
        try reader.skip(4)
        let claimed = try reader.uint64(.little)
        // With something in front of the archive the record is not where it says, but right before its pointer.
        for place in [Int(exactly: claimed) ?? -1, end - 20 - 56] where place >= 0 && place <= end - 20 - 56 {
            guard let record = try? source.read(place, 56) else { continue }
            var reader = ByteReader(record)
            guard try reader.uint32(.little) == 0x0606_4B50 else { continue }
            try reader.skip(28)
            let count = try reader.uint64(.little)
            let size = try reader.uint64(.little)
            return ((count, size, try reader.uint64(.little)), place)
        }
        return nil
    }
}
