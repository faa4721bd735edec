/// Sixteen bytes that differ when the content does: they name a revision, and the same input gives the same name.
/// Not for secrets.
enum Fingerprint {
    static func of(_ bytes: [UInt8]) -> [UInt8] {
        var a: UInt64 = 0x9E37_79B9_7F4A_7C15 ^ UInt64(bytes.count)
        var b: UInt64 = 0xD1B5_4A32_D192_ED03
        bytes.withUnsafeBytes { raw in
            var at = 0
            // Four at a time, none of which waits for another.
            var c = b &+ a
            var d = b ^ a
            while at + 64 <= raw.count {
                func word(_ place: Int) -> UInt64 {
                    raw.loadUnaligned(fromByteOffset: at &+ place, as: UInt64.self)
                }
                a = mix(a ^ word(0), 0xA076_1D64_78BD_642F ^ word(8))
                b = mix(b ^ word(16), 0xE703_7ED1_A0B4_28DB ^ word(24))
                c = mix(c ^ word(32), 0x8EBC_6AF0_9C88_C6E3 ^ word(40))
                d = mix(d ^ word(48), 0x5899_65CC_7537_4CC3 ^ word(56))
                at &+= 64
            }
            (a, b) = (mix(a ^ c, 0xE703_7ED1_A0B4_28DB), mix(b ^ d, 0xA076_1D64_78BD_642F))
            while at + 32 <= raw.count {
                a = mix(
                    a ^ raw.loadUnaligned(fromByteOffset: at, as: UInt64.self),
                    0xA076_1D64_78BD_642F ^ raw.loadUnaligned(fromByteOffset: at + 8, as: UInt64.self))
                b = mix(
                    b ^ raw.loadUnaligned(fromByteOffset: at + 16, as: UInt64.self),
                    0xE703_7ED1_A0B4_28DB ^ raw.loadUnaligned(fromByteOffset: at + 24, as: UInt64.self))
                at += 32
            }
            while at < raw.count {
                a = mix(a ^ UInt64(raw[at]), 0xA076_1D64_78BD_642F)
                at += 1
            }
            (a, b) = (mix(a ^ b, 0x8EBC_6AF0_9C88_C6E3), mix(b &+ a, 0x5899_65CC_7537_4CC3))
        }
        return [UInt8](unsafeUninitializedCapacity: 16) { room, count in
            let raw = UnsafeMutableRawBufferPointer(room)
            raw.storeBytes(of: a.littleEndian, as: UInt64.self)
            raw.storeBytes(of: b.littleEndian, toByteOffset: 8, as: UInt64.self)
            count = 16
        }
    }

    @inline(__always) private static func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = a.multipliedFullWidth(by: b)
        return product.high ^ product.low
    }
}
