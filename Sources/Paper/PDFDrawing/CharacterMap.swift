/// Adds the table from characters to glyphs (`cmap`) to a cut-down TrueType program, which a simple font needs and a
/// composite one does not (ISO 32000-2 §9.6.5.4).
enum CharacterMap {
    static func adding(_ map: [(scalar: UInt32, glyph: UInt32)], to program: [UInt8]) -> [UInt8] {
        var tables = tables(of: program)
        tables.append(("cmap", table(map)))
        tables.sort { $0.name < $1.name }
        return file(tables)
    }

    /// Format 4, a stretch for each run of neighbours whose glyphs are neighbours too.
    private static func table(_ map: [(scalar: UInt32, glyph: UInt32)]) -> [UInt8] {
        var runs: [(first: UInt32, last: UInt32, glyph: UInt32)] = []
        for entry in map.sorted(by: { $0.scalar < $1.scalar }) where entry.scalar < 0xFFFF {
            if let run = runs.last, run.last + 1 == entry.scalar,
                run.glyph + (entry.scalar - run.first) == entry.glyph
            {
                runs[runs.count - 1].last = entry.scalar
            } else {
                runs.append((entry.scalar, entry.scalar, entry.glyph))
            }
        }
        runs.append((0xFFFF, 0xFFFF, 0))
        let count = runs.count
        var power = 1
        var exponent = 0
        while power * 2 <= count {
            power *= 2
            exponent += 1
        }
        var out: [UInt8] = []
        // One table, for Windows and Unicode.
        for value in [
            0, 1, 3, 1, 0, 12, 4, 16 + count * 8, 0, count * 2, power * 2, exponent, (count - power) * 2,
        ] {
            append(value, to: &out)
        }
        for run in runs { append(Int(run.last), to: &out) }
        append(0, to: &out)
        for run in runs { append(Int(run.first), to: &out) }
        for run in runs {
            let shift = run.first == 0xFFFF ? 1 : Int(run.glyph) - Int(run.first)
            append(shift & 0xFFFF, to: &out)
        }
        for _ in runs { append(0, to: &out) }
        return out
    }

    private static func tables(of program: [UInt8]) -> [(name: String, bytes: [UInt8])] {
        guard program.count >= 12 else { return [] }
        let count = Int(program[4]) << 8 | Int(program[5])
        return (0..<count).compactMap { number in
            let at = 12 + number * 16
            guard at + 16 <= program.count else { return nil }
            let place = long(program, at + 8)
            let length = long(program, at + 12)
            guard place + length <= program.count else { return nil }
            return (
                String(decoding: program[at..<at + 4], as: UTF8.self), Array(program[place..<place + length])
            )
        }
    }

    private static func file(_ tables: [(name: String, bytes: [UInt8])]) -> [UInt8] {
        var power = 1
        var exponent = 0
        while power * 2 <= tables.count {
            power *= 2
            exponent += 1
        }
        var out: [UInt8] = [0, 1, 0, 0]
        for value in [tables.count, power * 16, exponent, (tables.count - power) * 16] {
            append(value, to: &out)
        }
        var place = 12 + tables.count * 16
        for table in tables {
            out += Array(table.name.utf8)
            appendLong(sum(table.bytes), to: &out)
            appendLong(UInt32(place), to: &out)
            appendLong(UInt32(table.bytes.count), to: &out)
            place += (table.bytes.count + 3) & ~3
        }
        for table in tables {
            out += table.bytes
            while out.count % 4 != 0 { out.append(0) }
        }
        return out
    }

    private static func append(_ value: Int, to out: inout [UInt8]) {
        out.append(UInt8(truncatingIfNeeded: value >> 8))
        out.append(UInt8(truncatingIfNeeded: value))
    }

    private static func appendLong(_ value: UInt32, to out: inout [UInt8]) {
        for shift: UInt32 in [24, 16, 8, 0] { out.append(UInt8(truncatingIfNeeded: value >> shift)) }
    }

    private static func long(_ bytes: [UInt8], _ at: Int) -> Int {
        Int(bytes[at]) << 24 | Int(bytes[at + 1]) << 16 | Int(bytes[at + 2]) << 8 | Int(bytes[at + 3])
    }

    private static func sum(_ bytes: [UInt8]) -> UInt32 {
        stride(from: 0, to: bytes.count, by: 4).reduce(0) { sum, at in
            var word: UInt32 = 0
            for index in at..<at + 4 { word = word << 8 | (index < bytes.count ? UInt32(bytes[index]) : 0) }
            return sum &+ word
        }
    }
}
