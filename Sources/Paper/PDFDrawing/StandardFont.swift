/// One of the fonts every viewer has or replaces by one of the same widths (ISO 32000-2 §9.6.2.2).
struct StandardFont: Sendable {
    enum Family: Sendable { case helvetica, times, courier, symbol, dingbats }

    var family: Family
    var isBold: Bool
    var isItalic: Bool

    /// The standard font a name means, or the one nearest to it.
    init(nearest name: String) {
        let plain = name.split(separator: "+").last.map(String.init) ?? name
        let lower = plain.lowercased()
        let letters = Array(lower.utf8)
        func has(_ words: StaticString...) -> Bool { words.contains { Self.holds(letters, $0) } }
        isBold =
            has("bold", "black", "heavy", "-bd", "demi") || lower == "hebo" || lower == "tibo"
            || lower == "cobo"
        isItalic = has("italic", "oblique", "-it")
        if has("zapf", "dingbat") || lower == "zadb" {
            family = .dingbats
        } else if lower == "symbol" || lower == "symb" || has("symbolmt") {
            family = .symbol
        } else if has("courier", "mono", "consol", "typewriter") || lower.hasPrefix("cour") {
            family = .courier
        } else if has(
            "times", "serif", "georgia", "garamond", "minion", "roman", "palatino", "bookman", "cambria")
            && !has("sans") || lower.hasPrefix("tiro") || lower.hasPrefix("tib") || lower.hasPrefix("tii")
        {
            family = .times
        } else {
            family = .helvetica
        }
    }

    /// The library's own search begins with a hundred thousand steps of preparation.
    private static func holds(_ letters: [UInt8], _ word: StaticString) -> Bool {
        let word = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard letters.count >= word.count else { return false }
        return (0...letters.count - word.count).contains { start in
            letters[start..<start + word.count].elementsEqual(word)
        }
    }

    /// Widths of characters, for fonts that have letters.
    func width(_ scalar: UInt32) -> UInt16? {
        guard let code = UInt16(exactly: scalar), let index = Self.index(code) else { return nil }
        switch (family, isBold, isItalic) {
        case (.courier, _, _): return 600
        case (.helvetica, false, _): return StandardWidths.helvetica[index]
        case (.helvetica, true, _): return StandardWidths.helveticaBold[index]
        case (.times, false, false): return StandardWidths.times[index]
        case (.times, true, false): return StandardWidths.timesBold[index]
        case (.times, false, true): return StandardWidths.timesItalic[index]
        case (.times, true, true): return StandardWidths.timesBoldItalic[index]
        default: return nil
        }
    }

    /// Widths by code, for the two fonts that have signs.
    func width(code: Int) -> UInt16? {
        guard code >= 32, code < 256 else { return nil }
        switch family {
        case .symbol: return StandardWidths.symbol[code - 32]
        case .dingbats: return StandardWidths.dingbats[code - 32]
        case .helvetica, .times, .courier: return nil
        }
    }

    private static func index(_ scalar: UInt16) -> Int? {
        let all = StandardWidths.scalars
        var low = 0
        var high = all.count
        while low < high {
            let middle = (low + high) / 2
            if all[middle] < scalar { low = middle + 1 } else { high = middle }
        }
        return low < all.count && all[low] == scalar ? low : nil
    }

    /// Ascent, descent, height of capitals and of the font's box, in thousandths, from the fonts' own descriptions.
    var measures: (ascent: Double, descent: Double, capitals: Double, box: Double) {
        switch family {
        case .helvetica: (718, -207, 718, isBold ? 1190 : 1156)
        case .times: (683, -217, 662, 1116)
        case .courier: (629, -157, 562, 1055)
        case .symbol: (692, -284, 692, 1303)
        case .dingbats: (692, -143, 692, 963)
        }
    }
}
