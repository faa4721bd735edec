/// Bytes made ready for an archive ahead of time, on whatever thread. Contents can be joined: what many entries
/// have in common is packed once, and each of them only adds its own.
///
///     let template = ZIPContent(base)
///     try zip.add("Miller.pdf", template + ZIPContent(revision), modified: now)
public struct ZIPContent: Sendable {
    public let byteCount: Int
    let packed: [[UInt8]]
    let crc: CRC32

    /// `level` goes from 1, fast, to 9, small.
    public init(_ bytes: [UInt8], level: Int = 6) {
        byteCount = bytes.count
        var crc = CRC32()
        bytes.withUnsafeBytes { crc.update($0) }
        self.crc = crc
        guard !bytes.isEmpty else {
            packed = []
            return
        }
        var out: [UInt8] = []
        var deflater = Deflater(.none, level: level)
        deflater.write(bytes, into: &out)
        deflater.flush(into: &out)
        packed = [out]
    }

    public static func + (a: ZIPContent, b: ZIPContent) -> ZIPContent {
        var crc = a.crc
        crc.append(b.crc, byteCount: b.byteCount)
        return ZIPContent(byteCount: a.byteCount + b.byteCount, packed: a.packed + b.packed, crc: crc)
    }

    private init(byteCount: Int, packed: [[UInt8]], crc: CRC32) {
        self.byteCount = byteCount
        self.packed = packed
        self.crc = crc
    }

    /// An empty last block: ends what was only flushed (RFC 1951 §3.2.6).
    static let ending: [UInt8] = [0x03, 0x00]
    var packedCount: Int { packed.reduce(Self.ending.count) { $0 + $1.count } }
}
