extension CBOR {
    /// Reads exactly one value.
    public init(
        decoding bytes: [UInt8], maximumDepth: Int = 16, maximumItems: Int = 4096
    ) throws(ByteError) {
        var reader = ByteReader(bytes)
        self = try CBOR(from: &reader, maximumDepth: maximumDepth, maximumItems: maximumItems)
        guard reader.isAtEnd else { throw reader.error("something follows the value") }
    }

    /// Reads the value at the cursor and leaves the cursor behind it: authenticator data carries a key with more
    /// bytes after it.
    public init(
        from reader: inout ByteReader, maximumDepth: Int = 16, maximumItems: Int = 4096
    ) throws(ByteError) {
        var decoder = CBORDecoder(reader: reader, items: maximumItems)
        self = try decoder.value(levels: maximumDepth)
        reader = decoder.reader
    }
}

private struct CBORDecoder {
    var reader: ByteReader
    /// How many values may still be read.
    var items: Int

    mutating func value(levels: Int) throws(ByteError) -> CBOR {
        guard items > 0 else { throw reader.error("too many values") }
        items -= 1
        let start = reader
        let first = try reader.uint8()
        let detail = first & 31
        if first >> 5 == 7 { return try simpleOrFloat(detail, start) }
        let argument = try argument(detail, start)
        switch first >> 5 {
        case 0: return .unsigned(argument)
        case 1: return .negative(argument)
        case 2: return .bytes(try bytes(argument))
        case 3:
            let place = reader
            guard let text = String(validating: try bytes(argument), as: UTF8.self) else {
                throw place.error("no valid UTF-8")
            }
            return .text(text)
        case 4: return .array(try array(argument, levels: levels))
        case 5: return .map(try map(argument, levels: levels))
        default:
            guard levels > 0 else { throw start.error("too many levels") }
            return .tagged(argument, try value(levels: levels - 1))
        }
    }

    private mutating func argument(_ detail: UInt8, _ start: ByteReader) throws(ByteError) -> UInt64 {
        switch detail {
        case 0..<24: return UInt64(detail)
        case 24: return UInt64(try reader.uint8())
        case 25: return UInt64(try reader.uint16())
        case 26: return UInt64(try reader.uint32())
        case 27: return try reader.uint64()
        case 31: throw start.error("indefinite lengths are not canonical")
        default: throw start.error("reserved length")
        }
    }

    private mutating func bytes(_ count: UInt64) throws(ByteError) -> [UInt8] {
        guard let count = Int(exactly: count) else { throw reader.error("longer than memory") }
        return try reader.bytes(count)
    }

    private mutating func array(_ count: UInt64, levels: Int) throws(ByteError) -> [CBOR] {
        let count = try room(for: count, eachTaking: 1, levels: levels)
        var elements: [CBOR] = []
        for _ in 0..<count { elements.append(try value(levels: levels - 1)) }
        return elements
    }

    private mutating func map(_ count: UInt64, levels: Int) throws(ByteError) -> [CBOR.Entry] {
        let count = try room(for: count, eachTaking: 2, levels: levels)
        var entries: [CBOR.Entry] = []
        for _ in 0..<count {
            let place = reader
            let key = try value(levels: levels - 1)
            guard !entries.contains(where: { $0.key == key }) else {
                throw place.error("a key appears twice")
            }
            entries.append(CBOR.Entry(key, try value(levels: levels - 1)))
        }
        return entries
    }

    /// Refuses a count that the bytes left cannot hold before anything is allocated for it.
    private func room(for count: UInt64, eachTaking size: Int, levels: Int) throws(ByteError) -> Int {
        guard levels > 0 else { throw reader.error("too many levels") }
        guard let count = Int(exactly: count), count <= reader.remaining / size, count <= items / size else {
            throw reader.error("too many values")
        }
        return count
    }

    private mutating func simpleOrFloat(_ detail: UInt8, _ start: ByteReader) throws(ByteError) -> CBOR {
        switch detail {
        case 20: return .bool(false)
        case 21: return .bool(true)
        case 22: return .null
        case 23: return .undefined
        case 0..<20: return .simple(detail)
        case 24:
            let value = try reader.uint8()
            guard value >= 32 else { throw start.error("a simple value is written too long") }
            return .simple(value)
        case 25: return .float(half(try reader.uint16()))
        case 26: return .float(Double(Float(bitPattern: try reader.uint32())))
        case 27: return .float(Double(bitPattern: try reader.uint64()))
        default: throw start.error("reserved value")
        }
    }

    /// RFC 8949 appendix D, as `Float16` is not there on every processor.
    private func half(_ bits: UInt16) -> Double {
        let sign: UInt64 = UInt64(bits >> 15) << 63
        let exponent = UInt64(bits >> 10 & 31)
        let fraction = UInt64(bits & 0x3FF)
        switch exponent {
        case 0:
            let magnitude = Double(fraction) / 16_777_216
            return sign == 0 ? magnitude : -magnitude
        case 31: return Double(bitPattern: sign | 0x7FF << 52 | fraction << 42)
        default: return Double(bitPattern: sign | (exponent + 1008) << 52 | fraction << 42)
        }
    }
}
