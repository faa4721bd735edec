/// One entry of an archive, unpacked as it is asked for: where `ZIPReader.stream` pushes, this one waits.
///
/// ```swift
/// var reader = try zip.open(entry)
/// while let piece = try reader.next() { … }
/// ```
public struct ZIPEntryReader: ~Copyable {
    private let entry: ZIPReader.Entry
    private let source: ByteSource
    private var at: Int
    private let end: Int
    private var inflater = Inflater(.none)
    private var outcome = Inflater.Outcome.more
    private var crc = CRC32()
    private var count = 0

    /// Deflated bytes unpack to at most 1032 times their length, so a small step keeps the largest piece small.
    private static let step = 8 << 10

    init(_ entry: ZIPReader.Entry, _ source: ByteSource, at start: Int) {
        self.entry = entry
        self.source = source
        at = start
        end = start + entry.packedCount
    }

    /// The next bytes, or nil at the end. When the entry is not what the archive says, the last call throws.
    public mutating func next() throws(ZIPError) -> [UInt8]? {
        var piece: [UInt8] = []
        while piece.isEmpty, at < end, outcome == .more {
            let packed = try source.read(at, min(entry.method == 0 ? 64 << 10 : Self.step, end - at))
            at += packed.count
            guard entry.method != 0 else {
                piece = packed
                break
            }
            var unused = 0
            outcome = packed.withUnsafeBytes { bytes in
                inflater.write(bytes, unused: &unused) { piece.append(contentsOf: $0) }
            }
            guard outcome != .damaged, unused == 0 else {
                throw .damaged("“\(entry.name)” does not unpack")
            }
        }
        guard piece.isEmpty else {
            piece.withUnsafeBytes { crc.update($0) }
            count += piece.count
            guard count <= entry.byteCount else { throw .tooLarge("“\(entry.name)” is larger than it says") }
            return piece
        }
        guard entry.method == 0 || outcome == .end || entry.byteCount == 0, at == end else {
            throw .damaged("“\(entry.name)” does not unpack")
        }
        guard count == entry.byteCount, crc.value == entry.crc else {
            throw .damaged("“\(entry.name)” is not what its checksum says")
        }
        return nil
    }
}
