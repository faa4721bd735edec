import Archives

/// Pictures of one width, one below the other, in one PNG (third edition, §9 and §11). Rows are packed one after the
/// other, and only the first of each picture tells itself by the row above it, which it did not have: nothing else has
/// to be looked at.
struct PNGRoll: ~Copyable {
    private var width = 0
    private var height = 0
    /// Depth, colours and the way rows are packed: the same for all.
    private var kind: [UInt8] = []
    private var deflater = Deflater()
    private var rows: [UInt8] = []

    mutating func add(_ picture: [UInt8]) throws(BrowserError) {
        let chunks = Self.chunks(of: picture)
        guard let head = chunks.first, head.name == "IHDR", head.data.count == 13, head.data[8] == 8,
            head.data[12] == 0, let samples = [0: 1, 2: 3, 4: 2, 6: 4][head.data[9]]
        else { throw .lost("its picture is none that can be joined") }
        let (across, down) = (Self.number(head.data[..<4]), Self.number(head.data[4..<8]))
        let ownKind = Array(head.data[8...])
        let packed = chunks.filter { $0.name == "IDAT" }.flatMap(\.data)
        let length = across * samples + 1
        guard height == 0 || (across == width && ownKind == kind),
            var bytes = inflated(packed, limit: length * down), bytes.count == length * down, down > 0
        else { throw .lost("its pictures do not fit together") }
        (width, kind) = (across, ownKind)
        height += down
        Self.free(firstRow: length, of: &bytes, samples: samples)
        deflater.write(bytes, into: &rows)
    }

    consuming func finish() -> [UInt8] {
        deflater.finish(into: &rows)
        var file = Self.signature
        func put(_ name: String, _ data: [UInt8]) {
            let named = Array(name.utf8) + data
            file += Self.bytes(UInt32(data.count)) + named + Self.bytes(crc32(of: named))
        }
        put("IHDR", Self.bytes(UInt32(width)) + Self.bytes(UInt32(height)) + kind)
        for start in stride(from: 0, to: rows.count, by: 1 << 20) {
            put("IDAT", Array(rows[start..<min(start + 1 << 20, rows.count)]))
        }
        put("IEND", [])
        return file
    }

    /// Says the first row without the one above it, which was taken for black. `Up` is then the row itself and Paeth's
    /// choice the pixel to the left; an average is half of that pixel.
    private static func free(firstRow length: Int, of bytes: inout [UInt8], samples: Int) {
        switch bytes[0] {
        case 2: bytes[0] = 0
        case 3:
            bytes[0] = 0
            for place in 1 + samples..<max(length, 1 + samples) {
                bytes[place] &+= bytes[place - samples] / 2
            }
        case 4: bytes[0] = 1
        default: break
        }
    }

    private static func chunks(of file: [UInt8]) -> [(name: String, data: [UInt8])] {
        guard file.starts(with: signature) else { return [] }
        var found: [(name: String, data: [UInt8])] = []
        var rest = file.dropFirst(signature.count)
        while rest.count >= 12 {
            let count = number(rest.prefix(4))
            guard count <= rest.count - 12 else { break }
            rest = rest.dropFirst(4)
            found.append(
                (String(decoding: rest.prefix(4), as: UTF8.self), Array(rest.dropFirst(4).prefix(count))))
            rest = rest.dropFirst(4 + count + 4)
        }
        return found
    }

    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    private static func bytes(_ value: UInt32) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }
}
