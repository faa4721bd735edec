/// Reads objects from text. What it reads was normalised by qpdf, so it is strict where that costs nothing and
/// gives null for what makes no sense; it never traps and never recurses deeper than `deepest`.
struct PDFObjectReader {
    static let deepest = 250

    private let bytes: [UInt8]
    private(set) var position = 0

    init(_ bytes: [UInt8], at position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    mutating func object(depth: Int = 0) -> PDFObject {
        skipSpace()
        guard position < bytes.count, depth < Self.deepest else { return .null }
        switch bytes[position] {
        case UInt8(ascii: "/"): return .name(name())
        case UInt8(ascii: "("): return .string(literalString())
        case UInt8(ascii: "["): return array(depth)
        case UInt8(ascii: "<"):
            if position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "<") {
                return dictionary(depth)
            }
            return .string(hexString())
        case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return numberOrReference()
        default: return keyword()
        }
    }

    mutating func skipByte() { position += 1 }

    /// Letters and signs up to the next space or bracket.
    mutating func word() -> String {
        let start = position
        while position < bytes.count, Self.isRegular(bytes[position]) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    mutating func skipSpace() {
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "%") {
                while position < bytes.count, bytes[position] != 10, bytes[position] != 13 { position += 1 }
            } else if !Self.isSpace(bytes[position]) {
                return
            } else {
                position += 1
            }
        }
    }

    private mutating func name() -> PDFName {
        position += 1
        let start = position
        var isEscaped = false
        while position < bytes.count, Self.isRegular(bytes[position]) {
            if bytes[position] == UInt8(ascii: "#") { isEscaped = true }
            position += 1
        }
        if !isEscaped {
            return bytes.withUnsafeBufferPointer {
                PDFName(UnsafeBufferPointer(rebasing: $0[start..<position]))
            }
        }
        position = start
        var name: [UInt8] = []
        while position < bytes.count, Self.isRegular(bytes[position]) {
            if bytes[position] == UInt8(ascii: "#"), position + 2 < bytes.count,
                let high = Self.hexDigit(bytes[position + 1]), let low = Self.hexDigit(bytes[position + 2])
            {
                name.append(high << 4 | low)
                position += 3
            } else {
                name.append(bytes[position])
                position += 1
            }
        }
        return PDFName(bytes: name)
    }

    private mutating func literalString() -> [UInt8] {
        position += 1
        var string: [UInt8] = []
        var open = 1
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "("):
                open += 1
                string.append(byte)
            case UInt8(ascii: ")"):
                open -= 1
                if open == 0 { return string }
                string.append(byte)
            case UInt8(ascii: "\\"): escape(into: &string)
            case 13:
                string.append(10)
                if position < bytes.count, bytes[position] == 10 { position += 1 }
            default: string.append(byte)
            }
        }
        return string
    }

    private mutating func escape(into string: inout [UInt8]) {
        guard position < bytes.count else { return }
        let byte = bytes[position]
        position += 1
        switch byte {
        case UInt8(ascii: "n"): string.append(10)
        case UInt8(ascii: "r"): string.append(13)
        case UInt8(ascii: "t"): string.append(9)
        case UInt8(ascii: "b"): string.append(8)
        case UInt8(ascii: "f"): string.append(12)
        case 13: if position < bytes.count, bytes[position] == 10 { position += 1 }
        case 10: break
        case UInt8(ascii: "0")...UInt8(ascii: "7"):
            var value = Int(byte & 7)
            var digits = 1
            while digits < 3, position < bytes.count,
                case UInt8(ascii: "0")...UInt8(ascii: "7") = bytes[position]
            {
                value = value << 3 | Int(bytes[position] & 7)
                position += 1
                digits += 1
            }
            string.append(UInt8(truncatingIfNeeded: value))
        default: string.append(byte)
        }
    }

    private mutating func hexString() -> [UInt8] {
        position += 1
        var string: [UInt8] = []
        var half: UInt8?
        while position < bytes.count, bytes[position] != UInt8(ascii: ">") {
            if let digit = Self.hexDigit(bytes[position]) {
                if let high = half {
                    string.append(high << 4 | digit)
                    half = nil
                } else {
                    half = digit
                }
            }
            position += 1
        }
        position += 1
        if let high = half { string.append(high << 4) }
        return string
    }

    private mutating func array(_ depth: Int) -> PDFObject {
        position += 1
        var items: [PDFObject] = []
        while true {
            skipSpace()
            guard position < bytes.count else { return .array(items) }
            if bytes[position] == UInt8(ascii: "]") {
                position += 1
                return .array(items)
            }
            let before = position
            items.append(object(depth: depth + 1))
            if position == before { return .array(items) }
        }
    }

    private mutating func dictionary(_ depth: Int) -> PDFObject {
        position += 2
        var entries: [(key: PDFName, value: PDFObject)] = []
        while true {
            skipSpace()
            guard position < bytes.count else { return .dictionary(PDFDictionary(entries)) }
            if bytes[position] == UInt8(ascii: ">") {
                position += 2
                return .dictionary(PDFDictionary(entries))
            }
            guard bytes[position] == UInt8(ascii: "/") else { return .dictionary(PDFDictionary(entries)) }
            let key = name()
            let value = object(depth: depth + 1)
            if value != .null { entries.append((key, value)) }
        }
    }

    private mutating func numberOrReference() -> PDFObject {
        let first = number()
        guard case .integer(let number) = first, number > 0 else { return first }
        let mark = position
        skipSpace()
        if position < bytes.count, case UInt8(ascii: "0")...UInt8(ascii: "9") = bytes[position],
            case .integer(let generation) = self.number(), generation < 65536
        {
            skipSpace()
            if position < bytes.count, bytes[position] == UInt8(ascii: "R"),
                position + 1 == bytes.count || !Self.isRegular(bytes[position + 1])
            {
                position += 1
                return .reference(PDFReference(number, generation: generation))
            }
        }
        position = mark
        return first
    }

    private mutating func number() -> PDFObject {
        let start = position
        if let plain = plainNumber() { return plain }
        position = start
        var isReal = false
        while position < bytes.count, Self.isRegular(bytes[position]) {
            if bytes[position] == UInt8(ascii: ".") { isReal = true }
            position += 1
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if !isReal, let value = Int(text) { return .integer(value) }
        return Double(text).map { $0.isFinite ? .real($0) : .null } ?? .null
    }

    private static let powersOfTen: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ]

    /// A number of up to fifteen digits: both its digits and the power of ten to divide by are then exact, and so one
    /// division gives what the library's own reading gives. Nil for any other.
    private mutating func plainNumber() -> PDFObject? {
        var isNegative = false
        if case UInt8(ascii: "-") = bytes[position] {
            isNegative = true
            position += 1
        }
        var value = 0
        var digits = 0
        var decimals: Int?
        while position < bytes.count {
            let byte = bytes[position]
            if case UInt8(ascii: "0")...UInt8(ascii: "9") = byte {
                value = value * 10 + Int(byte - 48)
                digits += 1
                if digits > 15 { return nil }
                if let some = decimals { decimals = some + 1 }
            } else if byte == UInt8(ascii: "."), decimals == nil {
                decimals = 0
            } else if Self.isRegular(byte) {
                return nil
            } else {
                break
            }
            position += 1
        }
        guard digits > 0 else { return nil }
        guard let decimals else { return .integer(isNegative ? -value : value) }
        let size = Double(value) / Self.powersOfTen[decimals]
        return .real(isNegative ? -size : size)
    }

    private mutating func keyword() -> PDFObject {
        let start = position
        while position < bytes.count, Self.isRegular(bytes[position]) { position += 1 }
        if position == start { position += 1 }
        let word = bytes[start..<min(position, bytes.count)]
        if word.elementsEqual("true".utf8) { return .boolean(true) }
        if word.elementsEqual("false".utf8) { return .boolean(false) }
        return .null
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 32 || byte == 10 || byte == 13 || byte == 9 || byte == 12 || byte == 0
    }

    static func isRegular(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "["),
            UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "/"), UInt8(ascii: "%"):
            false
        default: !isSpace(byte)
        }
    }

    static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - 48
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - 87
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - 55
        default: nil
        }
    }
}

extension PDFObject {
    /// The object a piece of PDF text says, or null.
    public init(parsing bytes: [UInt8]) {
        var reader = PDFObjectReader(bytes)
        self = reader.object()
    }
}
