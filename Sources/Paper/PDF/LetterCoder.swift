/// Deflates texts of one kind (RFC 1951) by codes learned from the first of them. For texts of a few hundred bytes zlib
/// spends most of its time on making codes anew for each; here that is done once, and a text is then a walk through a
/// table.
public final class LetterCoder: @unchecked Sendable {
    private struct Code {
        var bits: UInt32 = 0
        var count: UInt8 = 0
    }

    /// Bits, lowest first, and from the 24th on how many they are: none for what no sample had. Literals and the end by
    /// their symbols; lengths by themselves, with what must be said besides; distances by their symbols.
    // Nothing is written to once it is made.
    @exclusivity(unchecked) private var literals = [UInt32](repeating: 0, count: 257)
    @exclusivity(unchecked) private var lengths = [UInt32](repeating: 0, count: longest + 1)
    @exclusivity(unchecked) private var distances = [UInt32](repeating: 0, count: 30)
    /// The block's head, the same for every text: bits, lowest first.
    @exclusivity(unchecked) private var head: [Bool] = []
    /// The same as bytes, and the bits that are left over.
    @exclusivity(unchecked) private var headBytes: [UInt8] = []
    @exclusivity(unchecked) private var headRest: UInt8 = 0
    /// Of how many bits the table of what was there before has its places.
    private let tableBits: Int
    private static let end = 256

    /// Learns from samples; nil when they are too few to tell anything. One that is `open` also writes letters that no
    /// sample had.
    public init?(_ samples: [[UInt8]], isOpen: Bool = false) {
        var counter = Counter()
        tableBits = isOpen ? 13 : 10
        for sample in samples { sample.withUnsafeBufferPointer { Self.walk($0, tableBits, &counter) } }
        counter.symbols[Self.end] = samples.count
        guard counter.symbols.count(where: { $0 > 0 }) >= 3 else { return nil }
        if isOpen {
            // Rare ones shall cost the others next to nothing.
            counter.symbols = counter.symbols.map { $0 * 16 + 1 }
            counter.distances = counter.distances.map { $0 * 16 + 1 }
        }
        let lengths = Self.lengths(counter.symbols, longest: 15)
        var distanceLengths = Self.lengths(counter.distances, longest: 15)
        // One code of one bit stands for "none": a block must have at least one.
        if distanceLengths.allSatisfy({ $0 == 0 }) { distanceLengths[0] = 1 }
        keep(Self.codes(lengths), Self.codes(distanceLengths))
        writeHead(lengths, distanceLengths)
        for start in stride(from: 0, to: head.count, by: 8) {
            var byte: UInt8 = 0
            for (bit, isSet) in head[start..<min(start + 8, head.count)].enumerated() where isSet {
                byte |= 1 << UInt8(bit)
            }
            if start + 8 <= head.count { headBytes.append(byte) } else { headRest = byte }
        }
    }

    private func keep(_ codes: [Code], _ distanceCodes: [Code]) {
        func packed(_ code: Code, _ extra: Int = 0, _ bits: Int = 0) -> UInt32 {
            if code.count == 0 { return 0 }
            let all = code.bits | UInt32(extra) << UInt32(code.count)
            return all | (UInt32(code.count) + UInt32(bits)) << 24
        }
        for symbol in literals.indices { literals[symbol] = packed(codes[symbol]) }
        for length in Self.shortest...Self.longest {
            let said = Self.lengthSymbol(length)
            lengths[length] = packed(codes[said.symbol], said.extra, said.bits)
        }
        for symbol in distances.indices { distances[symbol] = packed(distanceCodes[symbol]) }
    }

    // MARK: Repetitions

    private static let shortest = 4
    private static let longest = 258
    /// Nothing farther back can be meant (§3.2.5).
    private static let farthest = 1 << 15

    /// Goes through a text: bytes as they are, and stretches that were there before.
    @inline(__always)
    private static func walk(
        _ text: UnsafeBufferPointer<UInt8>, _ tableBits: Int, _ taker: inout some TextTaker
    ) {
        guard let start = text.baseAddress else { return }
        withUnsafeTemporaryAllocation(of: UInt16.self, capacity: 1 << tableBits) { table in
            table.initialize(repeating: 0)
            guard let last = table.baseAddress else { return }
            let bytes = UnsafeRawPointer(start)
            // What takes is held in registers here.
            var own = taker
            defer { taker = own }
            // Places are remembered as 16 bits, with zero for none.
            let count = min(text.count, Int(UInt16.max))
            let shift = UInt32(truncatingIfNeeded: 32 - tableBits)
            var at = 0
            while at &+ shortest <= count {
                let four = bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self)
                let slot = last + Int(truncatingIfNeeded: (four &* 0x9E37_79B1) &>> shift)
                let before = Int(slot.pointee) &- 1
                slot.pointee = UInt16(truncatingIfNeeded: at &+ 1)
                // One question for all three: each could not be foretold.
                let known = bytes.loadUnaligned(fromByteOffset: max(before, 0), as: UInt32.self)
                let apart = known ^ four | UInt32(truncatingIfNeeded: before &>> 63)
                guard apart == 0, at &- before <= farthest else {
                    own.take(start[at])
                    at &+= 1
                    continue
                }
                let length = same(bytes + before, bytes + at, most: min(longest, count - at))
                own.take(start + at, length: length, distance: at &- before)
                at &+= length
            }
            while at < text.count {
                own.take(start[at])
                at += 1
            }
        }
    }

    /// How far two places say the same, of which the first four bytes are known to.
    @inline(__always)
    private static func same(_ one: UnsafeRawPointer, _ other: UnsafeRawPointer, most: Int) -> Int {
        var length = shortest
        while length + 8 <= most {
            let differing =
                one.loadUnaligned(fromByteOffset: length, as: UInt64.self)
                ^ other.loadUnaligned(fromByteOffset: length, as: UInt64.self)
            if differing != 0 { return length + differing.trailingZeroBitCount / 8 }
            length += 8
        }
        while length < most,
            one.load(fromByteOffset: length, as: UInt8.self)
                == other.load(fromByteOffset: length, as: UInt8.self)
        {
            length += 1
        }
        return length
    }

    private struct Counter: TextTaker {
        var symbols = [Int](repeating: 0, count: 286)
        var distances = [Int](repeating: 0, count: 30)

        mutating func take(_ byte: UInt8) { symbols[Int(byte)] += 1 }

        mutating func take(_ text: UnsafePointer<UInt8>, length: Int, distance: Int) {
            symbols[LetterCoder.lengthSymbol(length).symbol] += 1
            distances[LetterCoder.distanceSymbol(distance).symbol] += 1
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
        let value = distance &- 1
        if value < 4 { return (value, 0, 0) }
        let bits = Int.bitWidth &- value.leadingZeroBitCount &- 2
        return (bits &* 2 &+ 2 &+ (value &>> bits & 1), value & (1 &<< bits &- 1), bits)
    }

    // MARK: Codes

    /// How long each code is, by Huffman's rule; counts are flattened until none is longer than allowed.
    private static func lengths(_ counts: [Int], longest: Int) -> [Int] {
        var counts = counts
        let used = counts.indices.filter { counts[$0] > 0 }
        var lengths = [Int](repeating: 0, count: counts.count)
        if used.count == 1 { lengths[used[0]] = 1 }
        guard used.count > 1 else { return lengths }
        while true {
            // The lightest two are joined under a new node until one is left: the root, which comes last. Nodes come about
            // in the order of their weights, so the lightest is the first of those left, of the symbols or of the nodes.
            let symbols = used.sorted { counts[$0] < counts[$1] }
            var weights = symbols.map { counts[$0] }
            var above = [Int](repeating: 0, count: used.count * 2)
            var symbol = 0
            var node = used.count
            func takeLightest() -> Int {
                if symbol < used.count, node == weights.count || weights[symbol] <= weights[node] {
                    symbol += 1
                    return symbol - 1
                }
                node += 1
                return node - 1
            }
            while weights.count < used.count * 2 - 1 {
                let (one, other) = (takeLightest(), takeLightest())
                above[one] = weights.count
                above[other] = weights.count
                weights.append(weights[one] + weights[other])
            }
            var depths = [Int](repeating: 0, count: weights.count)
            for node in depths.indices.dropLast().reversed() { depths[node] = depths[above[node]] + 1 }
            if depths.max() ?? 0 <= longest {
                for (leaf, symbol) in symbols.enumerated() { lengths[symbol] = depths[leaf] }
                return lengths
            }
            for index in used { counts[index] = counts[index] / 2 + 1 }
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

    private func write(_ value: Int, _ count: Int) {
        for bit in 0..<count { head.append(value >> bit & 1 == 1) }
    }

    /// One last block with codes of its own (§3.2.7).
    private func writeHead(_ lengths: [Int], _ distanceLengths: [Int]) {
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

    /// Writes bits, lowest first, into memory that is known to suffice.
    private struct Writer: TextTaker {
        var at: UnsafeMutablePointer<UInt8>
        var waiting: UInt64
        var waitingCount: UInt64
        /// False once something came that has no code.
        var isWhole = true
        let literals: UnsafePointer<UInt32>
        let lengths: UnsafePointer<UInt32>
        let distances: UnsafePointer<UInt32>

        @inline(__always) mutating func put(_ bits: UInt64, _ count: UInt64) {
            waiting |= bits &<< waitingCount
            waitingCount &+= count
            // Whole bytes are passed on; whether there are any is not asked, since it could not be foretold.
            UnsafeMutableRawPointer(at).storeBytes(of: waiting.littleEndian, as: UInt64.self)
            at += Int(truncatingIfNeeded: waitingCount >> 3)
            waiting &>>= waitingCount & ~7
            waitingCount &= 7
        }

        @inline(__always) mutating func put(_ code: UInt32) {
            put(UInt64(code & 0xFF_FFFF), UInt64(code >> 24))
        }

        @inline(__always) mutating func take(_ byte: UInt8) {
            let code = literals[Int(byte)]
            if code == 0 { isWhole = false }
            put(code)
        }

        @inline(__always) mutating func take(_ text: UnsafePointer<UInt8>, length: Int, distance: Int) {
            let code = lengths[length]
            let back = LetterCoder.distanceSymbol(distance)
            let backCode = distances[back.symbol]
            // A repetition unlike those of the samples is written out.
            guard code > 0, backCode > 0 else {
                for place in 0..<length { take(text[place]) }
                return
            }
            // Length and distance, 48 bits at most, go together.
            let count = UInt64(code >> 24)
            var bits = UInt64(code & 0xFF_FFFF) | UInt64(backCode & 0xFF_FFFF) &<< count
            let extraPlace = count &+ UInt64(backCode >> 24)
            bits |= UInt64(truncatingIfNeeded: back.extra) &<< extraPlace
            put(bits, extraPlace &+ UInt64(truncatingIfNeeded: back.bits))
        }

        mutating func finish() {
            put(literals[LetterCoder.end])
            while waitingCount > 0 {
                at.pointee = UInt8(truncatingIfNeeded: waiting)
                at += 1
                waiting >>= 8
                waitingCount = waitingCount > 8 ? waitingCount - 8 : 0
            }
        }
    }

    /// As many bytes as a text can become at most.
    public func room(for byteCount: Int) -> Int { headBytes.count + byteCount * 2 + 24 }

    /// Writes the text as FlateDecode stores it into memory of `room(for:)` bytes, and gives its length; nil when it has
    /// letters that no sample had, or does not get shorter.
    public func pack(
        _ text: UnsafeBufferPointer<UInt8>, into room: UnsafeMutableBufferPointer<UInt8>
    ) -> Int? {
        guard let start = room.baseAddress, room.count >= self.room(for: text.count) else { return nil }
        start[0] = 0x78
        start[1] = 0x01
        headBytes.withUnsafeBufferPointer { head in
            if let first = head.baseAddress { (start + 2).update(from: first, count: head.count) }
        }
        let writer: Writer? = literals.withUnsafeBufferPointer { literals in
            lengths.withUnsafeBufferPointer { lengths in
                distances.withUnsafeBufferPointer { distances in
                    guard let literals = literals.baseAddress, let lengths = lengths.baseAddress,
                        let distances = distances.baseAddress
                    else { return nil }
                    var writer = Writer(
                        at: start + 2 + headBytes.count, waiting: UInt64(headRest),
                        waitingCount: UInt64(head.count % 8), literals: literals, lengths: lengths,
                        distances: distances)
                    Self.walk(text, tableBits, &writer)
                    writer.finish()
                    return writer
                }
            }
        }
        guard let writer, writer.isWhole else { return nil }
        let sums = Self.sums(text)
        UnsafeMutableRawPointer(writer.at).storeBytes(of: sums.bigEndian, as: UInt32.self)
        let count = writer.at - start + 4
        return count < text.count ? count : nil
    }

    public func packed(_ text: [UInt8]) -> [UInt8]? {
        var isPacked = false
        let packed = [UInt8](unsafeUninitializedCapacity: room(for: text.count)) { room, count in
            let packed = text.withUnsafeBufferPointer { pack($0, into: room) }
            isPacked = packed != nil
            count = packed ?? 0
        }
        return isPacked ? packed : nil
    }

    /// Adler's two sums (RFC 1950).
    private static func sums(_ text: UnsafeBufferPointer<UInt8>) -> UInt32 {
        var a: UInt32 = 1
        var b: UInt32 = 0
        var at = 0
        let step = 16
        while at < text.count {
            // So many bytes do not yet need a division.
            let stop = min(text.count, at + 5552)
            if let start = text.baseAddress {
                let bytes = UnsafeRawPointer(start)
                while at + step <= stop {
                    let part = SIMD16<UInt16>(
                        truncatingIfNeeded: bytes.loadUnaligned(fromByteOffset: at, as: SIMD16<UInt8>.self))
                    // Each byte counts in the second sum as often as there are bytes from it to the end of the step.
                    b &+= a &* UInt32(step) &+ UInt32((part &* falling).wrappedSum())
                    a &+= UInt32(part.wrappedSum())
                    at += step
                }
            }
            while at < stop {
                a &+= UInt32(text[at])
                b &+= a
                at += 1
            }
            a %= 65521
            b %= 65521
        }
        return b << 16 | a
    }

    private static let falling = SIMD16<UInt16>(16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)
}

/// Takes what a text is made of, one behind the other.
private protocol TextTaker {
    mutating func take(_ byte: UInt8)
    /// So many bytes of the text that were there before, so far back.
    mutating func take(_ text: UnsafePointer<UInt8>, length: Int, distance: Int)
}
