/// Characters by glyph name (Adobe Glyph List), for fonts whose encoding speaks in names.
enum GlyphNames {
    /// Where each name begins in the list. The list is searched as it is: making a dictionary of it would take longer
    /// than most forms take to read.
    private static let starts: [Int] = {
        var starts: [Int] = []
        var isName = true
        var at = 0
        while at < list.utf8CodeUnitCount {
            if isName { starts.append(at) }
            isName.toggle()
            while at < list.utf8CodeUnitCount, list.utf8Start[at] != 32 { at += 1 }
            at += 1
        }
        return starts
    }()

    private static func listed(_ name: UnsafeBufferPointer<UInt8>) -> UInt32? {
        let text = UnsafeBufferPointer(start: list.utf8Start, count: list.utf8CodeUnitCount)
        var low = 0
        var high = starts.count
        while low < high {
            let middle = (low + high) / 2
            let known = text[starts[middle]...].prefix { $0 != 32 }
            if known.elementsEqual(name) {
                let code = text[(known.endIndex + 1)...].prefix { $0 != 32 }
                return UInt32(String(decoding: code, as: UTF8.self), radix: 16)
            }
            if known.lexicographicallyPrecedes(name) { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    /// The character a glyph name stands for, `uni20AC`, `u1F600` and variants like `a.alt` included.
    static func scalar(_ name: String) -> UInt32? {
        var name = name
        if let known = name.withUTF8(listed) { return known }
        if let dot = name.firstIndex(of: "."), dot != name.startIndex { return scalar(String(name[..<dot])) }
        for prefix in ["uni", "u"] where name.hasPrefix(prefix) {
            let digits = name.dropFirst(prefix.count)
            if (4...6).contains(digits.count), let value = UInt32(digits, radix: 16),
                Unicode.Scalar(value) != nil
            {
                return value
            }
        }
        return nil
    }
}
