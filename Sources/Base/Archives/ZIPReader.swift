internal import Bytes
public import Work

/// A ZIP archive opened for reading. Nothing in it is believed: sizes are held against limits before a byte is
/// unpacked and again while unpacking, entries may not share bytes, checksums must agree. Any number of threads may
/// read at once.
public struct ZIPReader: Sendable {
    public struct Limits: Sendable {
        public var entries = 200_000
        public var bytesInEntry = 2 << 30
        public var bytesInAll = 8 << 30
        /// How many times larger than packed an entry may be. Only entries over `smallEntry` are measured: a small
        /// one does no harm however well it packs.
        public var growth = 400
        public var smallEntry = 32 << 20

        public init() {}
    }

    public struct Entry: Sendable, Equatable {
        /// As the archive spells it, with `/` between folders.
        public let name: String
        public let byteCount: Int
        public let packedCount: Int
        public let modified: Moment
        public let isFolder: Bool
        /// A link to another file, as Unix archives have them; its bytes are the way there.
        public let isLink: Bool
        /// False for names that would lead out of the folder one unpacks into.
        public var staysInside: Bool {
            !name.hasPrefix("/") && !name.contains("\\") && !name.contains("\0")
                && !name.split(separator: "/").contains("..")
                && !name.dropFirst().hasPrefix(":")
        }

        let method: Int
        let isEncrypted: Bool
        let crc: UInt32
        let offset: Int
    }

    /// In the order of the archive's own list.
    public let entries: [Entry]
    private let source: ByteSource
    private let start: Int
    private let places: [String: Int]

    public init(path: String, limits: Limits = Limits()) throws(ZIPError) {
        try self.init(ByteSource(path: path), limits: limits)
    }

    public init(bytes: [UInt8], limits: Limits = Limits()) throws(ZIPError) {
        try self.init(ByteSource(bytes: bytes), limits: limits)
    }

    public init(_ source: ByteSource, limits: Limits = Limits()) throws(ZIPError) {
        let directory = try ZIPDirectory(source, limits)
        self.source = source
        entries = directory.entries
        start = directory.start
        places = Dictionary(
            entries.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    public subscript(name: String) -> Entry? { places[name].map { entries[$0] } }

    /// The whole entry in memory.
    public func bytes(_ entry: Entry) throws -> [UInt8] {
        var bytes: [UInt8] = []
        // What an archive claims is not a reason to set memory aside.
        bytes.reserveCapacity(min(entry.byteCount, 1 << 20))
        try stream(entry) { bytes.append(contentsOf: $0) }
        return bytes
    }

    /// Unpacks an entry piece by piece. An entry that is not what the archive says ends with an error: what was
    /// given out before is then not to be trusted.
    public func stream(_ entry: Entry, _ each: ([UInt8]) throws -> Void) throws {
        if entry.isEncrypted { throw ZIPError.unsupported(name: entry.name, reason: "it is encrypted") }
        guard entry.method == 0 || entry.method == 8 else {
            throw ZIPError.unsupported(name: entry.name, reason: "it is packed in a way Quire does not know")
        }
        var at = try contentOffset(entry)
        let end = at + entry.packedCount
        var crc = CRC32()
        var count = 0
        func take(_ piece: UnsafeRawBufferPointer) throws {
            count += piece.count
            guard count <= entry.byteCount else {
                throw ZIPError.tooLarge("“\(entry.name)” is larger than it says")
            }
            crc.update(piece)
            try each(Array(piece))
        }
        if entry.method == 0 {
            while at < end {
                let piece = try source.read(at, min(65_536, end - at))
                try piece.withUnsafeBytes { try take($0) }
                at += piece.count
            }
        } else {
            var inflater = Inflater(.none)
            var outcome = Inflater.Outcome.more
            var unused = 0
            while at < end, outcome == .more {
                let piece = try source.read(at, min(65_536, end - at))
                outcome = try piece.withUnsafeBytes { try inflater.write($0, unused: &unused, take) }
                at += piece.count
            }
            guard outcome == .end, unused == 0, at == end else {
                throw ZIPError.damaged("“\(entry.name)” does not unpack")
            }
        }
        guard count == entry.byteCount, crc.value == entry.crc else {
            throw ZIPError.damaged("“\(entry.name)” is not what its checksum says")
        }
    }

    /// An entry to be unpacked as it is asked for.
    public func open(_ entry: Entry) throws(ZIPError) -> ZIPEntryReader {
        if entry.isEncrypted { throw .unsupported(name: entry.name, reason: "it is encrypted") }
        guard entry.method == 0 || entry.method == 8 else {
            throw .unsupported(name: entry.name, reason: "it is packed in a way Quire does not know")
        }
        return ZIPEntryReader(entry, source, at: try contentOffset(entry))
    }

    /// The header in front of the bytes repeats the name and adds fields of its own length.
    private func contentOffset(_ entry: Entry) throws(ZIPError) -> Int {
        let header = try source.read(entry.offset, 30)
        var reader = ByteReader(header)
        do throws(ByteError) {
            guard try reader.uint32(.little) == 0x0403_4B50 else {
                throw reader.error("no entry")
            }
            try reader.skip(22)
            let nameCount = Int(try reader.uint16(.little))
            let extraCount = Int(try reader.uint16(.little))
            let start = entry.offset + 30 + nameCount + extraCount
            guard start + entry.packedCount <= self.start else { throw reader.error("too long") }
            return start
        } catch {
            throw .damaged("“\(entry.name)” is not where it should be")
        }
    }
}
