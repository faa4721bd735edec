import Glibc

/// Walks over PDF text (ISO 32000-2 §7.3) without making values of it. What it walks over comes from outside: it never
/// reads beyond the end, and never follows brackets deeper than `deepest`.
struct RawText {
    let bytes: UnsafeBufferPointer<UInt8>

    static let deepest = 40

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    var count: Int { bytes.count }

    /// Beyond the end there are spaces.
    @inline(__always) subscript(at: Int) -> UInt8 {
        UInt(bitPattern: at) < UInt(bitPattern: bytes.count) ? bytes[at] : 0
    }

    /// Spaces and delimiters are not.
    @inline(__always) static func isRegular(_ byte: UInt8) -> Bool {
        switch byte {
        case 0, 9, 10, 12, 13, 32, 37, 40, 41, 47, 60, 62, 91, 93, 123, 125: false
        default: true
        }
    }

    @inline(__always) static func isSpace(_ byte: UInt8) -> Bool {
        byte == 32 || byte == 10 || byte == 13 || byte == 9 || byte == 12 || byte == 0
    }

    @inline(__always) func skipSpace(_ at: inout Int) {
        while at < count {
            let byte = bytes[at]
            if Self.isSpace(byte) {
                at += 1
            } else if byte == UInt8(ascii: "%") {
                while at < count, bytes[at] != 10, bytes[at] != 13 { at += 1 }
            } else {
                return
            }
        }
    }

    @inline(__always) func skipRegular(_ at: inout Int) {
        while at < count, Self.isRegular(bytes[at]) { at += 1 }
    }

    /// A word that must stand here, after spaces.
    func skip(_ word: StaticString, _ at: inout Int) -> Bool {
        skipSpace(&at)
        guard holds(word, at: at) else { return false }
        at += word.utf8CodeUnitCount
        return true
    }

    @inline(__always) func holds(_ word: StaticString, at place: Int) -> Bool {
        let length = word.utf8CodeUnitCount
        guard place >= 0, place <= count - length else { return false }
        let start = word.utf8Start
        for index in 0..<length where bytes[place + index] != start[index] { return false }
        return true
    }

    /// A whole number without a sign, after spaces; nil when there is none or it is beyond all reason.
    func number(_ at: inout Int) -> Int? {
        skipSpace(&at)
        let start = at
        var value = 0
        while at < count, case let byte = bytes[at], byte >= 48, byte < 58 {
            guard at - start < 15 else { return nil }
            value = value * 10 + Int(byte - 48)
            at += 1
        }
        return at > start ? value : nil
    }

    /// The whole number a value is; nil when it is something else.
    func number(in range: Range<Int>) -> Int? {
        var at = range.lowerBound
        guard !range.isEmpty, let found = number(&at), at == range.upperBound else { return nil }
        return found
    }

    /// As many whole numbers as there is room for, in brackets; false when there are more, fewer, or others.
    func numbers(in range: Range<Int>, into out: inout [Int]) -> Bool {
        var at = range.lowerBound
        guard !range.isEmpty, skip("[", &at) else { return false }
        for index in out.indices {
            guard let found = number(&at) else { return false }
            out[index] = found
        }
        return skip("]", &at) && at == range.upperBound
    }

    /// Passes one value. False when there is none.
    func skipValue(_ at: inout Int, depth: Int = 0) -> Bool {
        skipSpace(&at)
        guard at < count, depth < Self.deepest else { return false }
        switch bytes[at] {
        case UInt8(ascii: "/"):
            at += 1
            skipRegular(&at)
            return true
        case UInt8(ascii: "("): return skipString(&at)
        case UInt8(ascii: "["):
            at += 1
            while true {
                skipSpace(&at)
                guard at < count else { return false }
                if bytes[at] == UInt8(ascii: "]") {
                    at += 1
                    return true
                }
                guard skipValue(&at, depth: depth + 1) else { return false }
            }
        case UInt8(ascii: "<"):
            guard self[at + 1] == UInt8(ascii: "<") else {
                while at < count, bytes[at] != UInt8(ascii: ">") { at += 1 }
                at += 1
                return at <= count
            }
            var entries = RawEntries(self, at: at, depth: depth)
            while entries.next() != nil {}
            at = entries.at
            return entries.isWhole
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            skipNumberOrReference(&at)
            return true
        default:
            let start = at
            skipRegular(&at)
            return at > start
        }
    }

    private func skipString(_ at: inout Int) -> Bool {
        var open = 0
        while at < count {
            switch bytes[at] {
            case UInt8(ascii: "("): open += 1
            case UInt8(ascii: ")"):
                open -= 1
                if open == 0 {
                    at += 1
                    return true
                }
            case UInt8(ascii: "\\"): at += 1
            default: break
            }
            at += 1
        }
        return false
    }

    @inline(__always) private func skipNumberOrReference(_ at: inout Int) {
        let isWhole = bytes[at] >= 48
        skipRegular(&at)
        // A generation of some digits and an R, each behind one space, is how all but a few programs write it.
        var ahead = at + 1
        guard isWhole, self[at] == 32, case 48...57 = self[ahead] else { return }
        while case 48...57 = self[ahead] { ahead += 1 }
        while Self.isSpace(self[ahead]), ahead < count { ahead += 1 }
        if self[ahead] == UInt8(ascii: "R"), !Self.isRegular(self[ahead + 1]) { at = ahead + 1 }
    }

    /// The number of the object a reference names.
    func reference(_ range: Range<Int>) -> Int? {
        var at = range.lowerBound
        guard let found = number(&at), number(&at) != nil, skip("R", &at), at == range.upperBound else {
            return nil
        }
        return found
    }

    /// A number with or without sign and fraction.
    @inline(__always) func real(_ at: inout Int) -> Double {
        var isNegative = false
        if self[at] == UInt8(ascii: "-") || self[at] == UInt8(ascii: "+") {
            isNegative = self[at] == UInt8(ascii: "-")
            at += 1
        }
        var value = 0.0
        while at < count, case let byte = bytes[at], byte >= 48, byte < 58 {
            value = value * 10 + Double(byte - 48)
            at += 1
        }
        if self[at] == UInt8(ascii: ".") {
            at += 1
            var unit = 0.1
            while at < count, case let byte = bytes[at], byte >= 48, byte < 58 {
                value += Double(byte - 48) * unit
                unit *= 0.1
                at += 1
            }
        }
        return isNegative ? -value : value
    }

    /// The bytes of a string, literal or hexadecimal; false when it is none.
    func string(_ range: Range<Int>, into out: inout [UInt8]) -> Bool {
        out.removeAll(keepingCapacity: true)
        var at = range.lowerBound
        let end = min(range.upperBound, count)
        if self[at] == UInt8(ascii: "<") {
            var half: UInt8?
            at += 1
            while at < end, bytes[at] != UInt8(ascii: ">") {
                let byte = bytes[at]
                at += 1
                let digit: UInt8
                switch byte {
                case 48...57: digit = byte - 48
                case 65...70: digit = byte - 55
                case 97...102: digit = byte - 87
                default: continue
                }
                if let high = half {
                    out.append(high << 4 | digit)
                    half = nil
                } else {
                    half = digit
                }
            }
            if let half { out.append(half << 4) }
            return true
        }
        guard self[at] == UInt8(ascii: "(") else { return false }
        at += 1
        var open = 1
        while at < end {
            let byte = bytes[at]
            at += 1
            switch byte {
            case UInt8(ascii: "("):
                open += 1
                out.append(byte)
            case UInt8(ascii: ")"):
                open -= 1
                if open == 0 { return true }
                out.append(byte)
            case UInt8(ascii: "\\"): escape(&at, end, into: &out)
            case 13:
                if self[at] == 10 { at += 1 }
                out.append(10)
            default: out.append(byte)
            }
        }
        return false
    }

    private func escape(_ at: inout Int, _ end: Int, into out: inout [UInt8]) {
        guard at < end else { return }
        let byte = bytes[at]
        at += 1
        switch byte {
        case UInt8(ascii: "n"): out.append(10)
        case UInt8(ascii: "r"): out.append(13)
        case UInt8(ascii: "t"): out.append(9)
        case UInt8(ascii: "b"): out.append(8)
        case UInt8(ascii: "f"): out.append(12)
        case 13: if self[at] == 10 { at += 1 }
        case 10: break
        case 48...55:
            var value = Int(byte - 48)
            var digits = 1
            while digits < 3, at < end, case 48...55 = bytes[at] {
                value = value * 8 + Int(bytes[at] - 48)
                at += 1
                digits += 1
            }
            out.append(UInt8(truncatingIfNeeded: value))
        default: out.append(byte)
        }
    }

    func isSame(_ range: Range<Int>, _ other: [UInt8]) -> Bool {
        guard range.count == other.count, range.upperBound <= count else { return false }
        return other.withUnsafeBufferPointer { isSame(range, $0) }
    }

    func isSame(_ range: Range<Int>, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard range.count == other.count, range.lowerBound >= 0, range.upperBound <= count else {
            return false
        }
        guard let mine = bytes.baseAddress, let start = other.baseAddress else { return true }
        return memcmp(mine + range.lowerBound, start, other.count) == 0
    }

    func copy(_ range: Range<Int>) -> [UInt8] {
        Array(bytes[max(0, range.lowerBound)..<max(0, min(range.upperBound, count))])
    }
}

/// The entries of a dictionary in turn, as places in the text.
struct RawEntries {
    struct Entry {
        /// With its slash.
        var key: Range<Int>
        var value: Range<Int>
    }

    private let text: RawText
    private let depth: Int
    private(set) var at: Int
    /// True once the closing brackets were met.
    private(set) var isWhole = false

    /// `at`: where the opening brackets stand.
    init(_ text: RawText, at: Int, depth: Int = 0) {
        self.text = text
        self.depth = depth
        self.at = at
        guard text.skip("<<", &self.at) else {
            self.at = text.count
            return
        }
    }

    /// The value of one entry.
    static func place(of key: StaticString, _ text: RawText, _ dictionary: Int) -> Range<Int>? {
        var entries = RawEntries(text, at: dictionary)
        while let entry = entries.next() {
            if entry.key.count == key.utf8CodeUnitCount, text.holds(key, at: entry.key.lowerBound) {
                return entry.value
            }
        }
        return nil
    }

    mutating func next() -> Entry? {
        text.skipSpace(&at)
        guard at < text.count else { return nil }
        if text.holds(">>", at: at) {
            at += 2
            isWhole = true
            return nil
        }
        guard text[at] == UInt8(ascii: "/") else { return nil }
        let start = at
        at += 1
        text.skipRegular(&at)
        let key = start..<at
        text.skipSpace(&at)
        let value = at
        guard text.skipValue(&at, depth: depth + 1) else { return nil }
        return Entry(key: key, value: value..<at)
    }
}
