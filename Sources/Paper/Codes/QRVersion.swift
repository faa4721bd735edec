/// A size of code, and how its bytes are divided and secured (ISO/IEC 18004, tables 1 and 9).
struct QRVersion: Sendable {
    let number: Int
    let level: QRLevel
    private let securingByteCount: Int
    private let blockCount: Int

    /// Bytes that secure each block, and blocks, from version 1 on.
    private static let tables: [QRLevel: [(Int, Int)]] = [
        .medium: [
            (10, 1), (16, 1), (26, 1), (18, 2), (24, 2), (16, 4), (18, 4), (22, 4), (22, 5), (26, 5),
            (30, 5), (22, 8), (22, 9), (24, 9), (24, 10), (28, 10), (28, 11), (26, 13), (26, 14), (26, 16),
        ],
        .quartile: [
            (13, 1), (22, 1), (18, 2), (26, 2), (18, 4), (24, 4), (18, 6), (22, 6), (20, 8), (24, 8),
            (28, 8), (26, 10), (24, 12), (20, 16), (30, 12), (24, 17), (28, 16), (28, 18), (26, 21), (30, 20),
        ],
        .high: [
            (17, 1), (28, 1), (22, 2), (16, 4), (22, 4), (28, 4), (26, 5), (26, 6), (24, 8), (28, 8),
            (24, 11), (28, 11), (22, 16), (24, 16), (24, 18), (30, 16), (28, 19), (28, 21), (26, 25),
            (28, 25),
        ],
    ]

    static func all(_ level: QRLevel) -> [QRVersion] {
        (tables[level] ?? []).enumerated().map {
            QRVersion(number: $0 + 1, level: level, securingByteCount: $1.0, blockCount: $1.1)
        }
    }

    /// The one of this size.
    init?(size: Int, level: QRLevel) {
        let number = (size - 17) / 4
        guard let found = Self.all(level).first(where: { $0.number == number && $0.size == size }) else {
            return nil
        }
        self = found
    }

    private init(number: Int, level: QRLevel, securingByteCount: Int, blockCount: Int) {
        self.number = number
        self.level = level
        self.securingByteCount = securingByteCount
        self.blockCount = blockCount
    }

    var size: Int { 17 + 4 * number }

    /// The middle of the small squares, along either side.
    var alignment: [Int] {
        guard number > 1 else { return [] }
        let count = number / 7 + 2
        // Evenly apart, but for the first gap (annex E).
        let gaps = 2 * (count - 1)
        let step = (size - 13 + gaps - 1) / gaps * 2
        return [6] + (0..<(count - 1)).map { size - 7 - step * $0 }.reversed()
    }

    /// All bytes the grid has room for.
    private var byteCount: Int {
        var modules = (16 * number + 128) * number + 64
        if number >= 2 {
            let count = number / 7 + 2
            modules -= (25 * count - 10) * count - 55
            if number >= 7 { modules -= 36 }
        }
        return modules / 8
    }

    var dataByteCount: Int { byteCount - securingByteCount * blockCount }

    private var lengthBitCount: Int { number < 10 ? 8 : 16 }

    /// What says that letters are UTF-8 (ECI 26); readers that are not told guess at what is not ASCII, and guess wrong.
    private static let lettersBitCount = 12

    private static func isPlain(_ bytes: [UInt8]) -> Bool { bytes.allSatisfy { $0 < 0x80 } }

    func takes(_ bytes: [UInt8]) -> Bool {
        let letters = Self.isPlain(bytes) ? 0 : Self.lettersBitCount
        return letters + 4 + lengthBitCount + 8 * bytes.count <= 8 * dataByteCount
    }

    /// The bytes with their length, filled up, divided, secured and woven together.
    func codewords(for bytes: [UInt8]) -> [UInt8] {
        var bits: [Bool] = []
        func add(_ value: Int, _ count: Int) {
            for place in (0..<count).reversed() { bits.append(value >> place & 1 == 1) }
        }
        if !Self.isPlain(bytes) { add(0b0111_0001_1010, Self.lettersBitCount) }
        // 0100: bytes follow.
        add(4, 4)
        add(bytes.count, lengthBitCount)
        for byte in bytes { add(Int(byte), 8) }
        add(0, min(4, 8 * dataByteCount - bits.count))
        add(0, (8 - bits.count % 8) % 8)
        var data = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<(start + 8)].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
        }
        var filler: UInt8 = 0xEC
        while data.count < dataByteCount {
            data.append(filler)
            filler ^= 0xEC ^ 0x11
        }
        return woven(data)
    }

    /// How many bytes each block has for data; the last ones have one more.
    private var blockLengths: [Int] {
        let longCount = byteCount % blockCount
        let shortLength = byteCount / blockCount - securingByteCount
        return (0..<blockCount).map { shortLength + ($0 >= blockCount - longCount ? 1 : 0) }
    }

    private func woven(_ data: [UInt8]) -> [UInt8] {
        let code = ReedSolomon(securingByteCount)
        var blocks: [[UInt8]] = []
        var rest = data[...]
        for length in blockLengths {
            blocks.append(Array(rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        let securing = blocks.map(code.remainder)
        var output: [UInt8] = []
        for place in 0..<(blockLengths.last ?? 0) {
            for block in blocks where place < block.count { output.append(block[place]) }
        }
        for place in 0..<securingByteCount { for block in securing { output.append(block[place]) } }
        return output
    }

    /// The way back; nil unless every block is as it was secured.
    func bytes(of codewords: [UInt8]) -> [UInt8]? {
        guard codewords.count >= byteCount else { return nil }
        let lengths = blockLengths
        var blocks = [[UInt8]](repeating: [], count: blockCount)
        var place = 0
        for row in 0..<(lengths.last ?? 0) {
            for block in 0..<blockCount where row < lengths[block] {
                blocks[block].append(codewords[place])
                place += 1
            }
        }
        var securing = [[UInt8]](repeating: [], count: blockCount)
        for _ in 0..<securingByteCount {
            for block in 0..<blockCount {
                securing[block].append(codewords[place])
                place += 1
            }
        }
        let code = ReedSolomon(securingByteCount)
        guard zip(blocks, securing).allSatisfy({ code.remainder($0) == $1 }) else { return nil }
        return content(of: blocks.flatMap { $0 })
    }

    private func content(of data: [UInt8]) -> [UInt8]? {
        var place = 0
        func number(_ count: Int) -> Int? {
            guard place + count <= data.count * 8 else { return nil }
            defer { place += count }
            return (place..<(place + count)).reduce(0) {
                $0 << 1 | Int(data[$1 / 8] >> UInt8(7 - $1 % 8) & 1)
            }
        }
        var mode = number(4)
        if mode == 0b0111 {
            guard number(8) == 26 else { return nil }
            mode = number(4)
        }
        guard mode == 0b0100, let count = number(lengthBitCount) else { return nil }
        let bytes = (0..<count).compactMap { _ in number(8).map(UInt8.init) }
        return bytes.count == count ? bytes : nil
    }
}

/// The bytes that let a reader repair what it could not see: the remainder of a division over GF(2⁸) with the
/// polynomial x⁸ + x⁴ + x³ + x² + 1 (§7.5).
struct ReedSolomon {
    private let divisor: [UInt8]

    init(_ count: Int) {
        var product = [UInt8](repeating: 0, count: count)
        product[count - 1] = 1
        var root: UInt8 = 1
        for _ in 0..<count {
            for place in 0..<count {
                product[place] = Self.multiply(product[place], root)
                if place + 1 < count { product[place] ^= product[place + 1] }
            }
            root = Self.multiply(root, 2)
        }
        divisor = product
    }

    func remainder(_ data: [UInt8]) -> [UInt8] {
        var rest = [UInt8](repeating: 0, count: divisor.count)
        for byte in data {
            let factor = byte ^ rest[0]
            rest.removeFirst()
            rest.append(0)
            for place in rest.indices { rest[place] ^= Self.multiply(divisor[place], factor) }
        }
        return rest
    }

    private static func multiply(_ a: UInt8, _ b: UInt8) -> UInt8 {
        var product: UInt16 = 0
        for place in (0..<8).reversed() {
            product = product << 1 ^ (product >> 7 & 1) * 0x11D
            if b >> place & 1 == 1 { product ^= UInt16(a) }
        }
        return UInt8(truncatingIfNeeded: product)
    }
}
