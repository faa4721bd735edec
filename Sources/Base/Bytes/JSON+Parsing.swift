/// Text that is not JSON, and the byte at which that shows.
public struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
    public var offset: Int
    public var reason: String

    public init(offset: Int, reason: String) {
        self.offset = offset
        self.reason = reason
    }

    public var description: String { "\(reason) at byte \(offset)" }
}

extension JSON {
    public static let usualMaximumBytes = 64 << 20

    /// Reads one value; nothing but white space may follow it.
    ///
    /// Stricter than RFC 8259 asks for in two places where leniency hides mistakes: a name may appear once in an
    /// object, and a number must fit a `Double`. A byte order mark is refused, as the RFC allows.
    public init(
        parsing bytes: [UInt8], maximumDepth: Int = 64, maximumBytes: Int = JSON.usualMaximumBytes
    ) throws(JSONError) {
        guard bytes.count <= maximumBytes else {
            throw JSONError(offset: maximumBytes, reason: "more than \(maximumBytes) bytes")
        }
        var parser = JSONParser(bytes: bytes, maximumDepth: maximumDepth)
        self = try parser.document()
    }

    public init(
        parsing text: String, maximumDepth: Int = 64, maximumBytes: Int = JSON.usualMaximumBytes
    ) throws(JSONError) {
        try self.init(parsing: Array(text.utf8), maximumDepth: maximumDepth, maximumBytes: maximumBytes)
    }
}

struct JSONParser {
    let bytes: [UInt8]
    let maximumDepth: Int
    private var offset = 0
    private var depth = 0

    init(bytes: [UInt8], maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
    }

    mutating func document() throws(JSONError) -> JSON {
        skipSpace()
        let value = try value()
        skipSpace()
        guard offset == bytes.count else { throw error("something follows the value") }
        return value
    }

    private mutating func value() throws(JSONError) -> JSON {
        guard let first = peek else { throw error("the text ends where a value is expected") }
        switch first {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw error("no value starts like this")
        }
    }

    private mutating func object() throws(JSONError) -> JSON {
        try enter()
        var members = JSONObject()
        skipSpace()
        if take(UInt8(ascii: "}")) { return leave(.object(members)) }
        while true {
            skipSpace()
            guard peek == UInt8(ascii: "\"") else { throw error("a member's name in quotes is expected") }
            let start = offset
            let name = try string()
            // Names that differ only in how an accent is composed count as one: Swift would find only one of them.
            guard members[name] == nil else {
                throw JSONError(offset: start, reason: "the name \"\(name.prefix(64))\" appears twice")
            }
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw error("a colon is expected") }
            skipSpace()
            members[name] = try value()
            skipSpace()
            if take(UInt8(ascii: "}")) { return leave(.object(members)) }
            guard take(UInt8(ascii: ",")) else { throw error("a comma or the object's end is expected") }
        }
    }

    private mutating func array() throws(JSONError) -> JSON {
        try enter()
        var elements: [JSON] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return leave(.array(elements)) }
        while true {
            skipSpace()
            elements.append(try value())
            skipSpace()
            if take(UInt8(ascii: "]")) { return leave(.array(elements)) }
            guard take(UInt8(ascii: ",")) else { throw error("a comma or the array's end is expected") }
        }
    }

    private mutating func enter() throws(JSONError) {
        guard depth < maximumDepth else { throw error("more than \(maximumDepth) levels") }
        depth += 1
        offset += 1
    }

    private mutating func leave(_ value: JSON) -> JSON {
        depth -= 1
        return value
    }

    private mutating func word(_ word: StaticString, _ value: JSON) throws(JSONError) -> JSON {
        for place in 0..<word.utf8CodeUnitCount {
            guard offset + place < bytes.count, bytes[offset + place] == word.utf8Start[place] else {
                throw JSONError(offset: offset + place, reason: "\(word) is expected")
            }
        }
        offset += word.utf8CodeUnitCount
        return value
    }

    // RFC 8259 §6: [ minus ] int [ frac ] [ exp ]
    private mutating func number() throws(JSONError) -> JSON {
        let start = offset
        let isNegative = take(UInt8(ascii: "-"))
        let isZeroFirst = peek == UInt8(ascii: "0")
        var magnitude: UInt64? = 0
        let digits = takeDigits { digit in
            guard let sum = magnitude else { return }
            let (product, tooLarge) = sum.multipliedReportingOverflow(by: 10)
            let (total, stillTooLarge) = product.addingReportingOverflow(UInt64(digit))
            magnitude = tooLarge || stillTooLarge ? nil : total
        }
        guard digits > 0 else { throw error("a digit is expected") }
        if isZeroFirst, digits > 1 {
            throw JSONError(offset: start + (isNegative ? 1 : 0), reason: "a number has a leading zero")
        }
        var isWhole = true
        if take(UInt8(ascii: ".")) {
            isWhole = false
            guard takeDigits({ _ in }) > 0 else { throw error("a digit is expected after the point") }
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            isWhole = false
            _ = take(UInt8(ascii: "+")) || take(UInt8(ascii: "-"))
            guard takeDigits({ _ in }) > 0 else { throw error("a digit is expected in the exponent") }
        }
        if isWhole, let magnitude, let value = whole(magnitude, isNegative: isNegative) {
            return .integer(value)
        }
        let text = String(decoding: bytes[start..<offset], as: UTF8.self)
        guard let value = Double(text), value.isFinite else {
            throw JSONError(offset: start, reason: "the number is too large")
        }
        return .number(value)
    }

    /// Nil for what only a `Double` can hold; among them -0, whose sign an integer would lose.
    private func whole(_ magnitude: UInt64, isNegative: Bool) -> Int64? {
        guard isNegative else { return Int64(exactly: magnitude) }
        guard magnitude > 0, magnitude <= Int64.min.magnitude else { return nil }
        return Int64(truncatingIfNeeded: 0 &- magnitude)
    }

    private mutating func takeDigits(_ body: (UInt8) -> Void) -> Int {
        let start = offset
        while let byte = peek, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
            body(byte - UInt8(ascii: "0"))
            offset += 1
        }
        return offset - start
    }

    private mutating func string() throws(JSONError) -> String {
        let opening = offset
        offset += 1
        let start = offset
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte == UInt8(ascii: "\"") {
                defer { offset += 1 }
                return try text(start..<offset)
            }
            if byte == UInt8(ascii: "\\") { return try escapedString(from: start, opening: opening) }
            guard byte >= 0x20 else { throw error("a control character must be escaped") }
            offset += 1
        }
        throw JSONError(offset: opening, reason: "a string has no end")
    }

    /// The rest of a string from its first backslash on, with what was read of it before.
    private mutating func escapedString(from start: Int, opening: Int) throws(JSONError) -> String {
        var result = try text(start..<offset)
        while offset < bytes.count {
            let run = offset
            while offset < bytes.count, bytes[offset] != UInt8(ascii: "\""),
                bytes[offset] != UInt8(ascii: "\\")
            {
                guard bytes[offset] >= 0x20 else { throw error("a control character must be escaped") }
                offset += 1
            }
            if run < offset { result += try text(run..<offset) }
            if take(UInt8(ascii: "\"")) { return result }
            if offset < bytes.count { result.unicodeScalars.append(try escape()) }
        }
        throw JSONError(offset: opening, reason: "a string has no end")
    }

    private mutating func escape() throws(JSONError) -> Unicode.Scalar {
        let start = offset
        offset += 1
        let letter = peek
        offset += 1
        switch letter {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape(from: start)
        default: throw JSONError(offset: start, reason: "there is no such escape")
        }
    }

    /// One scalar from `\uXXXX`, or from two of them when the first is the high half of a surrogate pair.
    private mutating func unicodeEscape(from start: Int) throws(JSONError) -> Unicode.Scalar {
        let unit = try fourDigits()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard unit <= 0xDBFF, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
            throw JSONError(offset: start, reason: "half of a surrogate pair stands alone")
        }
        let low = try fourDigits()
        guard (0xDC00...0xDFFF).contains(low),
            let scalar = Unicode.Scalar(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00))
        else {
            throw JSONError(offset: start, reason: "half of a surrogate pair stands alone")
        }
        return scalar
    }

    private mutating func fourDigits() throws(JSONError) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek, let digit = Hex.value(of: byte) else {
                throw error("four hexadecimal digits are expected")
            }
            unit = unit << 4 | UInt32(digit)
            offset += 1
        }
        return unit
    }

    private func text(_ range: Range<Int>) throws(JSONError) -> String {
        if let text = String(validating: bytes[range], as: UTF8.self) { return text }
        throw JSONError(offset: bytes[range].firstInvalidUTF8 ?? range.lowerBound, reason: "no valid UTF-8")
    }

    private var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        offset += 1
        return true
    }

    private mutating func skipSpace() {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x0A, 0x0D, 0x09: offset += 1
            default: return
            }
        }
    }

    private func error(_ reason: String) -> JSONError {
        JSONError(offset: min(offset, bytes.count), reason: reason)
    }
}
