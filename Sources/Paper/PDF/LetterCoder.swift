/// Deflates short texts of one kind (RFC 1951) by codes learned from the first of them. For texts of a few hundred
/// bytes zlib spends most of its time on making codes anew for each; here that is done once, and a text is then a
/// walk through a table.
public struct LetterCoder: Sendable {
    private struct Code {
        var bits: UInt32 = 0
        var count: UInt8 = 0
    }

    /// Literals, the end, lengths; then distances.
    private var codes = [Code](repeating: Code(), count: 286)
    private var distanceCodes = [Code](repeating: Code(), count: 30)
    /// The block's head, the same for every text: bits, lowest first.
    private var head: [Bool] = []
    /// The same as bytes, and the bits that are left over.
    private var headBytes: [UInt8] = []
    private var headRest: UInt8 = 0
    private static let end = 256

    /// Learns from samples; nil when they are too few to tell anything.
    public init?(_ samples: [[UInt8]]) {
        var counts = [Int](repeating: 0, count: 286)
        var distances = [Int](repeating: 0, count: 30)
        for sample in samples {
            Self.walk(sample) { byte in
                counts[Int(byte)] += 1
            } repeated: { _, length, distance in
                counts[Self.lengthSymbol(length).symbol] += 1
                distances[Self.distanceSymbol(distance).symbol] += 1
            }
        }
        counts[Self.end] = samples.count
        guard counts.count(where: { $0 > 0 }) >= 3 else { return nil }
        let lengths = Self.lengths(counts, longest: 15)
        var distanceLengths = Self.lengths(distances, longest: 15)
        // One code of one bit stands for "none": a block must have at least one.
        if distanceLengths.allSatisfy({ $0 == 0 }) { distanceLengths[0] = 1 }
        codes = Self.codes(lengths)
        distanceCodes = Self.codes(distanceLengths)
        writeHead(lengths, distanceLengths)
        for start in stride(from: 0, to: head.count, by: 8) {
            var byte: UInt8 = 0
            for (bit, isSet) in head[start..<min(start + 8, head.count)].enumerated() where isSet {
                byte |= 1 << UInt8(bit)
            }
            if start + 8 <= head.count { headBytes.append(byte) } else { headRest = byte }
        }
    }

    // MARK: Repetitions

    private static let hashBits = 10
    private static let shortest = 4
    private static let longest = 258

    /// Goes through a text: bytes as they are, and stretches that were there before.
    @inline(__always)
    private static func walk(
        _ text: [UInt8], byte: (UInt8) -> Void, repeated: (_ at: Int, _ length: Int, _ distance: Int) -> Void
    ) {
        withUnsafeTemporaryAllocation(of: UInt16.self, capacity: 1 << hashBits) { last in
            last.initialize(repeating: 0)
            text.withUnsafeBufferPointer { text in
                var at = 0
                // Nothing farther back than 32 KB can be meant.
                let most = min(text.count, 0x7FFF)
                while at < text.count {
                    guard at + shortest <= most else {
                        byte(text[at])
                        at += 1
                        continue
                    }
                    let four =
                        UInt32(text[at]) | UInt32(text[at + 1]) << 8 | UInt32(text[at + 2]) << 16
                        | UInt32(text[at + 3]) << 24
                    let place = Int((four &* 0x9E37_79B1) >> UInt32(32 - hashBits))
                    let before = Int(last[place]) - 1
                    last[place] = UInt16(truncatingIfNeeded: at + 1)
                    var length = 0
                    if before >= 0 {
                        let limit = min(longest, most - at)
                        while length < limit, text[before + length] == text[at + length] { length += 1 }
                    }
                    if length >= shortest {
                        repeated(at, length, at - before)
                        at += length
                    } else {
                        byte(text[at])
                        at += 1
                    }
                }
            }
        }
    }

    /// The symbol of a length, and what must be said besides (§3.2.5).
    @inline(__always)
    private static func lengthSymbol(_ length: Int) -> (symbol: Int, extra: Int, bits: Int) {
        if length == longest { return (285, 0, 0) }
        let value = length - 3
        if value < 8 { return (257 + value, 0, 0) }
        let bits = Int.bitWidth - value.leadingZeroBitCount - 3
        return (257 + bits * 4 + 4 + (value >> bits & 3), value & (1 << bits - 1), bits)
    }

    @inline(__always)
    private static func distanceSymbol(_ distance: Int) -> (symbol: Int, extra: Int, bits: Int) {
        let value = distance - 1
        if value < 4 { return (value, 0, 0) }
        let bits = Int.bitWidth - value.leadingZeroBitCount - 2
        return (bits * 2 + 2 + (value >> bits & 1), value & (1 << bits - 1), bits)
    }

    // MARK: Codes

    /// How long each code is, by Huffman's rule; counts are flattened until none is longer than allowed.
    private static func lengths(_ counts: [Int], longest: Int) -> [Int] {
        var counts = counts
        while true {
            var lengths = [Int](repeating: 0, count: counts.count)
            var groups: [(weight: Int, members: [Int])] = counts.enumerated().filter { $0.element > 0 }.map {
                ($0.element, [$0.offset])
            }
            while groups.count > 1 {
                // The order among equals is fixed by the members, so that the same samples give the same codes.
                groups.sort { ($0.weight, $0.members[0]) > ($1.weight, $1.members[0]) }
                let least = groups.removeLast()
                let next = groups.removeLast()
                for member in least.members + next.members { lengths[member] += 1 }
                groups.append((least.weight + next.weight, next.members + least.members))
            }
            if lengths.max() ?? 0 <= longest { return lengths }
            for index in counts.indices where counts[index] > 0 { counts[index] = counts[index] / 2 + 1 }
        }
    }

    /// Codes from their lengths (§3.2.2), bits turned round, since they are written lowest first.
    private static func codes(_ lengths: [Int]) -> [Code] {
        var next: UInt32 = 0
        var codes = [Code](repeating: Code(), count: lengths.count)
        for length in 1...15 {
            next <<= 1
            for index in lengths.indices where lengths[index] == length {
                var turned: UInt32 = 0
                for bit in 0..<length where next >> UInt32(bit) & 1 == 1 {
                    turned |= 1 << UInt32(length - 1 - bit)
                }
                codes[index] = Code(bits: turned, count: UInt8(length))
                next += 1
            }
        }
        return codes
    }

    private mutating func write(_ value: Int, _ count: Int) {
        for bit in 0..<count { head.append(value >> bit & 1 == 1) }
    }

    /// One last block with codes of its own (§3.2.7).
    private mutating func writeHead(_ lengths: [Int], _ distanceLengths: [Int]) {
        var symbols: [(symbol: Int, extra: Int, bits: Int)] = []
        let literalCount = max(257, (lengths.lastIndex { $0 > 0 } ?? 256) + 1)
        let distanceCount = (distanceLengths.lastIndex { $0 > 0 } ?? 0) + 1
        let all = Array(lengths.prefix(literalCount)) + distanceLengths.prefix(distanceCount)
        var at = 0
        while at < all.count {
            var run = 1
            while at + run < all.count, all[at + run] == all[at] { run += 1 }
            // The distances begin anew, but runs may cross over to them.
            if all[at] == 0 {
                while run >= 11 {
                    let part = min(run, 138)
                    symbols.append((18, part - 11, 7))
                    run -= part
                    at += part
                }
                if run >= 3 {
                    symbols.append((17, run - 3, 3))
                    at += run
                    run = 0
                }
            } else {
                symbols.append((all[at], 0, 0))
                at += 1
                run -= 1
                while run >= 3 {
                    let part = min(run, 6)
                    symbols.append((16, part - 3, 2))
                    run -= part
                    at += part
                }
            }
            for _ in 0..<run {
                symbols.append((all[at], 0, 0))
                at += 1
            }
        }
        var counts = [Int](repeating: 0, count: 19)
        for symbol in symbols { counts[symbol.symbol] += 1 }
        let short = Self.lengths(counts, longest: 7)
        let shortCodes = Self.codes(short)
        let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
        var told = 19
        while told > 4, short[order[told - 1]] == 0 { told -= 1 }
        write(1, 1)
        write(2, 2)
        write(literalCount - 257, 5)
        write(distanceCount - 1, 5)
        write(told - 4, 4)
        for index in order.prefix(told) { write(short[index], 3) }
        for symbol in symbols {
            write(Int(shortCodes[symbol.symbol].bits), Int(shortCodes[symbol.symbol].count))
            write(symbol.extra, symbol.bits)
        }
    }

    // MARK: Texts

    /// The text as FlateDecode stores it; nil when it has letters that no sample had, or does not get shorter.
    public func packed(_ text: [UInt8]) -> [UInt8]? {
        var isWhole = true
        let most = head.count / 8 + text.count * 2 + 16
        let packed = [UInt8](unsafeUninitializedCapacity: most) { room, count in
            room[0] = 0x78
            room[1] = 0x01
            var at = 2
            var waiting: UInt64 = 0
            var waitingCount: UInt64 = 0
            for byte in headBytes {
                room[at] = byte
                at += 1
            }
            waiting = UInt64(headRest)
            waitingCount = UInt64(head.count % 8)
            func put(_ bits: UInt32, _ bitCount: UInt64) {
                waiting |= UInt64(bits) << waitingCount
                waitingCount += bitCount
                if waitingCount >= 32 { Self.flush(&waiting, &waitingCount, room, &at) }
            }
            codes.withUnsafeBufferPointer { codes in
                distanceCodes.withUnsafeBufferPointer { distanceCodes in
                    Self.walk(text) { byte in
                        let code = codes[Int(byte)]
                        if code.count == 0 { isWhole = false }
                        put(code.bits, UInt64(code.count))
                    } repeated: { at, length, distance in
                        let said = Self.lengthSymbol(length)
                        let code = codes[said.symbol]
                        let back = Self.distanceSymbol(distance)
                        let backCode = distanceCodes[back.symbol]
                        // A repetition unlike those of the samples is written out.
                        guard code.count > 0, backCode.count > 0 else {
                            for byte in text[at..<at + length] {
                                let code = codes[Int(byte)]
                                if code.count == 0 { isWhole = false }
                                put(code.bits, UInt64(code.count))
                            }
                            return
                        }
                        put(code.bits, UInt64(code.count))
                        put(UInt32(truncatingIfNeeded: said.extra), UInt64(said.bits))
                        put(backCode.bits, UInt64(backCode.count))
                        put(UInt32(truncatingIfNeeded: back.extra), UInt64(back.bits))
                    }
                }
                let code = codes[Self.end]
                put(code.bits, UInt64(code.count))
            }
            let (a, b) = Self.sums(text)
            while waitingCount > 0 {
                room[at] = UInt8(truncatingIfNeeded: waiting)
                at += 1
                waiting >>= 8
                waitingCount = waitingCount > 8 ? waitingCount - 8 : 0
            }
            for part in [b >> 8, b, a >> 8, a] {
                room[at] = UInt8(truncatingIfNeeded: part)
                at += 1
            }
            count = at
        }
        return isWhole && packed.count < text.count ? packed : nil
    }

    /// Adler's two sums (RFC 1950).
    private static func sums(_ text: [UInt8]) -> (UInt32, UInt32) {
        var a: UInt32 = 1
        var b: UInt32 = 0
        text.withUnsafeBufferPointer { text in
            var index = 0
            while index < text.count {
                // So many bytes do not yet need a division.
                let stop = min(text.count, index + 5552)
                while index < stop {
                    a &+= UInt32(text[index])
                    b &+= a
                    index += 1
                }
                a %= 65521
                b %= 65521
            }
        }
        return (a, b)
    }

    @inline(__always) private static func flush(
        _ waiting: inout UInt64, _ count: inout UInt64, _ room: UnsafeMutableBufferPointer<UInt8>,
        _ at: inout Int
    ) {
        for shift: UInt64 in [0, 8, 16, 24] {
            room[at] = UInt8(truncatingIfNeeded: waiting >> shift)
            at += 1
        }
        waiting >>= 32
        count -= 32
    }
}
