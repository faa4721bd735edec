import Archives

extension QRCode {
    /// The quiet zone around it, in modules.
    static let quiet = 4

    /// A picture in black and white, each module so many pixels wide.
    public func png(scale: Int = 10) -> [UInt8] {
        let scale = min(max(1, scale), 40)
        let side = (size + 2 * Self.quiet) * scale
        var rows: [UInt8] = []
        for y in 0..<side {
            // Each row begins with its filter: none.
            rows.append(0)
            for start in stride(from: 0, to: side, by: 8) {
                var byte: UInt8 = 0
                for x in start..<(start + 8) {
                    let isDark = x < side && self[x / scale - Self.quiet, y / scale - Self.quiet]
                    byte = byte << 1 | (isDark ? 0 : 1)
                }
                rows.append(byte)
            }
        }
        var packed: [UInt8] = []
        var deflater = Deflater(.zlib, level: 9)
        deflater.write(rows, into: &packed)
        deflater.finish(into: &packed)
        // One bit of grey for a pixel (PNG, third edition, 11.2.1).
        let head = Self.bytes(side) + Self.bytes(side) + [1, 0, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + Self.chunk("IHDR", head) + Self.chunk("IDAT", packed) + Self.chunk("IEND", [])
    }

    /// For a terminal: two modules above each other are one sign. Black on white whatever the terminal's colours are.
    public func terminal(styled: Bool = true) -> String {
        let quiet = 2
        var text = ""
        for y in stride(from: -quiet, to: size + quiet, by: 2) {
            if styled { text += "\u{1B}[30;107m" }
            for x in -quiet..<(size + quiet) {
                switch (self[x, y], self[x, y + 1]) {
                case (true, true): text += "█"
                case (true, false): text += "▀"
                case (false, true): text += "▄"
                case (false, false): text += " "
                }
            }
            text += styled ? "\u{1B}[0m\n" : "\n"
        }
        return text
    }

    private static func bytes(_ number: Int) -> [UInt8] {
        (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let named = Array(name.utf8) + content
        return bytes(content.count) + named + bytes(Int(checksum(named)))
    }

    /// CRC-32 as in PNG, annex D.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var rest: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            rest ^= UInt32(byte)
            for _ in 0..<8 { rest = rest & 1 == 1 ? 0xEDB8_8320 ^ rest >> 1 : rest >> 1 }
        }
        return rest ^ 0xFFFF_FFFF
    }
}
