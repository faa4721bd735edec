/// Reads TZif (RFC 8536 §3).
struct ZoneReader {
    struct Contents {
        var transitions: [(second: Int64, offset: TimeZoneRules.Offset)]
        var earliest: TimeZoneRules.Offset
        var footer: ZoneRule?
    }

    private struct Header {
        var version: UInt8
        var utcFlags, standardFlags, leapSeconds, times, types, letters: Int
    }

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func contents() throws(TimeZoneError) -> Contents {
        let old = try header()
        guard old.version >= UInt8(ascii: "2") else { return try block(old, timeByteCount: 4) }
        // The first block is for readers that know only 32 bits.
        try skip(
            old.times * 5 + old.types * 6 + old.letters + old.leapSeconds * 8 + old.standardFlags
                + old.utcFlags)
        var contents = try block(header(), timeByteCount: 8)
        contents.footer = try footer()
        return contents
    }

    private mutating func header() throws(TimeZoneError) -> Header {
        guard try take(4).elementsEqual("TZif".utf8) else {
            throw .damaged(offset: 0, reason: "not a time zone file")
        }
        let version = try take(1).first ?? 0
        try skip(15)
        let header = Header(
            version: version, utcFlags: try count(), standardFlags: try count(), leapSeconds: try count(),
            times: try count(), types: try count(), letters: try count())
        guard (1...256).contains(header.types) else { throw failure("no local time types") }
        return header
    }

    private mutating func block(_ header: Header, timeByteCount: Int) throws(TimeZoneError) -> Contents {
        var seconds: [Int64] = []
        for _ in 0..<header.times {
            let raw = try integer(timeByteCount)
            let second = timeByteCount == 4 ? Int64(Int32(truncatingIfNeeded: raw)) : raw
            if let last = seconds.last, second <= last { throw failure("transitions out of order") }
            seconds.append(second)
        }
        let indices = try Array(take(header.times))
        var types: [(seconds: Int32, isDaylightSaving: Bool, letter: Int)] = []
        for _ in 0..<header.types {
            let offset = Int32(truncatingIfNeeded: try integer(4))
            // More than a day from UTC is no place on Earth.
            guard (-93_600...93_600).contains(offset) else { throw failure("offset out of bounds") }
            let flags = try Array(take(2))
            types.append((offset, flags[0] != 0, Int(flags[1])))
        }
        let letters = try Array(take(header.letters))
        try skip(header.leapSeconds * (timeByteCount + 4) + header.standardFlags + header.utcFlags)

        var offsets: [TimeZoneRules.Offset] = []
        for type in types {
            guard type.letter < letters.count else { throw failure("abbreviation out of bounds") }
            let name = letters[type.letter...].prefix { $0 != 0 }
            offsets.append(
                .init(
                    seconds: Int(type.seconds), isDaylightSaving: type.isDaylightSaving,
                    abbreviation: String(decoding: name.prefix(16), as: UTF8.self)))
        }
        var transitions: [(Int64, TimeZoneRules.Offset)] = []
        for (second, index) in zip(seconds, indices) {
            guard Int(index) < offsets.count else { throw failure("type out of bounds") }
            transitions.append((second, offsets[Int(index)]))
        }
        return Contents(transitions: transitions, earliest: offsets[0], footer: nil)
    }

    /// `\nCET-1CEST,M3.5.0,M10.5.0/3\n`, or nothing between the line ends.
    private mutating func footer() throws(TimeZoneError) -> ZoneRule? {
        guard try take(1).first == 0x0A else { throw failure("no last line") }
        let line = bytes[position...].prefix { $0 != 0x0A }
        guard position + line.count < bytes.count, line.count <= 128 else { throw failure("no last line") }
        if line.isEmpty { return nil }
        guard let rule = ZoneRule(Array(line)) else { throw failure("last line not understood") }
        return rule
    }

    private func failure(_ reason: String) -> TimeZoneError { .damaged(offset: position, reason: reason) }

    private mutating func take(_ count: Int) throws(TimeZoneError) -> ArraySlice<UInt8> {
        guard count <= bytes.count - position else { throw failure("ends too early") }
        defer { position += count }
        return bytes[position..<position + count]
    }

    private mutating func skip(_ count: Int) throws(TimeZoneError) {
        _ = try take(count)
    }

    private mutating func integer(_ byteCount: Int) throws(TimeZoneError) -> Int64 {
        Int64(bitPattern: try take(byteCount).reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// A count no larger than the file, so that products of it stay small.
    private mutating func count() throws(TimeZoneError) -> Int {
        let count = try integer(4)
        guard count <= bytes.count else { throw failure("more entries than bytes") }
        return Int(count)
    }
}
