import CFriBidi

/// Which way the text runs (UAX #9): even levels to the right, odd ones to the left.
enum Directions {
    /// Hebrew, Arabic and their neighbours, or marks that turn the direction.
    static func mayRunLeft(_ scalars: some Sequence<UInt32>) -> Bool {
        scalars.contains {
            (0x590...0x8FF).contains($0) || (0xFB1D...0xFDFF).contains($0) || (0xFE70...0xFEFF).contains($0)
                || (0x10800...0x10FFF).contains($0) || (0x1E800...0x1EFFF).contains($0) || $0 == 0x200F
                || (0x202A...0x202E).contains($0) || (0x2066...0x2069).contains($0)
        }
    }

    /// The level of each character of a paragraph, and of the paragraph itself.
    static func levels(_ scalars: [UInt32]) -> (levels: [Int8], base: Int8) {
        var types = [UInt32](repeating: 0, count: scalars.count)
        var brackets = types
        var levels = [Int8](repeating: 0, count: scalars.count)
        let base = fribidi_levels(scalars, Int32(clamping: scalars.count), &types, &brackets, &levels)
        guard base >= 0 else { return ([Int8](repeating: 0, count: scalars.count), 0) }
        return (levels, Int8(base))
    }

    /// Stretches of one level, put in the order they are seen from left to right (rule L2).
    static func visual<Run>(_ runs: [Run], level: (Run) -> Int8) -> [Run] {
        var order = runs
        let highest = runs.map(level).max() ?? 0
        guard highest > 0 else { return runs }
        for threshold in stride(from: highest, through: 1, by: -1) {
            var start = 0
            while start < order.count {
                guard level(order[start]) >= threshold else {
                    start += 1
                    continue
                }
                var end = start
                while end < order.count, level(order[end]) >= threshold { end += 1 }
                order[start..<end].reverse()
                start = end
            }
        }
        return order
    }

    /// Brackets turn round when the text runs left.
    static func mirrored(_ scalar: UInt32) -> UInt32 {
        switch scalar {
        case 0x28: 0x29
        case 0x29: 0x28
        case 0x3C: 0x3E
        case 0x3E: 0x3C
        case 0x5B: 0x5D
        case 0x5D: 0x5B
        case 0x7B: 0x7D
        case 0x7D: 0x7B
        case 0xAB: 0xBB
        case 0xBB: 0xAB
        default: scalar
        }
    }
}
