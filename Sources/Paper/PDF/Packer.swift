import CQPDF

/// Deflates many small pieces one after another with one set of tables.
public final class Packer {
    private let packer: OpaquePointer?

    public init(level: Int = 6) { packer = quire_packer_new(Int32(clamping: min(max(level, 1), 9))) }

    deinit { quire_packer_free(packer) }

    /// The bytes as FlateDecode stores them, or nil when they do not get shorter (or memory ran out).
    public func packed(_ bytes: [UInt8]) -> [UInt8]? {
        guard let packer, !bytes.isEmpty else { return nil }
        let packed = [UInt8](unsafeUninitializedCapacity: bytes.count) { room, count in
            count = quire_pack(packer, bytes, bytes.count, room.baseAddress, bytes.count)
        }
        return packed.isEmpty ? nil : packed
    }
}
