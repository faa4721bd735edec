import PDF

/// Takes a content stream apart into operators and what stands before them (ISO 32000-2 §7.8.2). Only what drawing
/// needs is kept: numbers and one name; strings, arrays and inline pictures are passed over.
struct ContentScanner {
    /// More numbers than any drawing operator takes.
    private static let mostNumbers = 16

    private let bytes: [UInt8]
    private var position = 0
    private(set) var numbers: [Double] = []
    private(set) var name: PDFName?

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The next operator; its operands are in `numbers` and `name` until the next call.
    mutating func nextOperator() -> Substring? {
        numbers.removeAll(keepingCapacity: true)
        name = nil
        var depth = 0
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case 0, 9, 10, 12, 13, 32: position += 1
            case UInt8(ascii: "%"):
                while position < bytes.count, bytes[position] != 10, bytes[position] != 13 { position += 1 }
            case UInt8(ascii: "("): skipString()
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                position += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth = max(0, depth - 1)
                position += 1
            case UInt8(ascii: "<"):
                if position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "<") {
                    position += 2
                } else {
                    while position < bytes.count, bytes[position] != UInt8(ascii: ">") { position += 1 }
                    position += 1
                }
            case UInt8(ascii: ">"), UInt8(ascii: ")"): position += 1
            case UInt8(ascii: "/"):
                position += 1
                name = PDFName(bytes: Array(word()))
            case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), 48...57:
                let number = number()
                if depth == 0, numbers.count < Self.mostNumbers { numbers.append(number) }
            default:
                let word = word()
                guard !word.isEmpty else {
                    position += 1
                    continue
                }
                guard depth == 0 else { continue }
                if word.elementsEqual("ID".utf8) { skipPicture() }
                return Substring(decoding: word.prefix(8), as: UTF8.self)
            }
        }
        return nil
    }

    private mutating func word() -> ArraySlice<UInt8> {
        let start = position
        while position < bytes.count, Self.isRegular(bytes[position]) { position += 1 }
        return bytes[start..<position]
    }

    private static func isRegular(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...32, UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "<"), UInt8(ascii: ">"),
            UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "/"),
            UInt8(ascii: "%"):
            false
        default: true
        }
    }

    private mutating func number() -> Double {
        var isNegative = false
        var value = 0.0
        var place = 0.0
        var digits = 0
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "-"): isNegative = digits == 0 ? true : isNegative
            case UInt8(ascii: "+"): break
            case UInt8(ascii: "."): place = place == 0 ? 1 : place
            case 48...57:
                digits += 1
                if place == 0 {
                    value = value * 10 + Double(byte - 48)
                } else {
                    place /= 10
                    value += Double(byte - 48) * place
                }
            default: return finish()
            }
            position += 1
        }
        func finish() -> Double {
            let signed = isNegative ? -value : value
            return signed.isFinite && abs(signed) < 1e9 ? signed : 0
        }
        return finish()
    }

    private mutating func skipString() {
        var depth = 0
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\\"): position += 1
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"):
                depth -= 1
                if depth == 0 {
                    position += 1
                    return
                }
            default: break
            }
            position += 1
        }
    }

    /// The bytes of an inline picture run up to `EI` with white space around it (§8.9.7).
    private mutating func skipPicture() {
        while position + 3 < bytes.count {
            if bytes[position] <= 32, bytes[position + 1] == UInt8(ascii: "E"),
                bytes[position + 2] == UInt8(ascii: "I"), bytes[position + 3] <= 32
            {
                position += 3
                return
            }
            position += 1
        }
        position = bytes.count
    }
}
