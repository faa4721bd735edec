extension PDFObject {
    public func write(into out: inout [UInt8]) {
        switch self {
        case .null: out.append(text: "null")
        case .boolean(let value): out.append(text: value ? "true" : "false")
        case .integer(let value): out.append(number: value)
        case .real(let value): out.append(number: value, decimals: 5)
        case .string(let bytes): out.append(string: bytes)
        case .name(let name): out.append(name: name)
        case .reference(let reference): out.append(reference: reference)
        case .array(let items):
            out.append(UInt8(ascii: "["))
            for (index, item) in items.enumerated() {
                if index > 0 { out.append(32) }
                item.write(into: &out)
            }
            out.append(UInt8(ascii: "]"))
        case .dictionary(let dictionary):
            out.append(text: "<<")
            dictionary.writeEntries(into: &out)
            out.append(text: ">>")
        }
    }

    public var written: [UInt8] {
        var out: [UInt8] = []
        write(into: &out)
        return out
    }
}

extension PDFDictionary {
    /// The entries without the brackets, so that more may follow.
    public func writeEntries(into out: inout [UInt8]) {
        for (key, value) in entries {
            out.append(name: key)
            switch value {
            case .null, .boolean, .integer, .real, .reference: out.append(32)
            case .string, .name, .array, .dictionary: break
            }
            value.write(into: &out)
        }
    }
}

extension [UInt8] {
    @inlinable public mutating func append(text: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    public mutating func append(number value: Int) {
        append(addingCapacity: 20) { room in
            room.withUnsafeMutableBufferPointer { room, used in
                var rest = value.magnitude
                var digits = 1
                var limit: UInt = 10
                while rest >= limit, digits < 19 {
                    digits += 1
                    limit *= 10
                }
                if value < 0 {
                    room[0] = UInt8(ascii: "-")
                    digits += 1
                }
                used = digits
                for _ in value < 0 ? 1..<digits : 0..<digits {
                    digits -= 1
                    room[digits] = UInt8(truncatingIfNeeded: 48 + rest % 10)
                    rest /= 10
                }
            }
        }
    }

    /// A number without exponent (PDF knows none), rounded, trailing zeros dropped.
    public mutating func append(number value: Double, decimals: Int = 2) {
        guard value.isFinite, abs(value) < 1e12 else {
            append(UInt8(ascii: "0"))
            return
        }
        var scale = 1
        for _ in 0..<decimals { scale *= 10 }
        let scaled = Int((abs(value) * Double(scale)).rounded())
        if value < 0, scaled > 0 { append(UInt8(ascii: "-")) }
        append(number: scaled / scale)
        var fraction = scaled % scale
        guard fraction > 0 else { return }
        append(UInt8(ascii: "."))
        while fraction > 0 {
            scale /= 10
            append(UInt8(48 + fraction / scale))
            fraction %= scale
        }
    }

    public mutating func append(reference: PDFReference) {
        append(number: reference.number)
        append(32)
        append(number: reference.generation)
        append(text: " R")
    }

    public mutating func append(name: PDFName) {
        append(UInt8(ascii: "/"))
        name.withBytes { bytes in
            for byte in bytes {
                if byte > 32, byte < 127, byte != UInt8(ascii: "#"), PDFObjectReader.isRegular(byte) {
                    append(byte)
                } else {
                    append(UInt8(ascii: "#"))
                    append(hex: byte)
                }
            }
        }
    }

    /// A string: literal when it is plain text, hexadecimal otherwise. Both are safe in every reader.
    public mutating func append(string bytes: [UInt8]) {
        let isPlain = bytes.allSatisfy { ($0 >= 32 && $0 < 127) || $0 == 10 || $0 == 13 || $0 == 9 }
        guard isPlain else {
            appendHex(bytes)
            return
        }
        append(UInt8(ascii: "("))
        let isBare = bytes.allSatisfy { $0 >= 32 && $0 != 40 && $0 != 41 && $0 != 92 || $0 == 9 }
        if isBare { append(contentsOf: bytes) } else { for byte in bytes { append(escaping: byte) } }
        append(UInt8(ascii: ")"))
    }

    private mutating func appendHex(_ bytes: [UInt8]) {
        append(addingCapacity: bytes.count * 2 + 2) { room in
            room.withUnsafeMutableBufferPointer { room, used in
                room[0] = UInt8(ascii: "<")
                used = 1
                for byte in bytes {
                    let (high, low) = (byte >> 4, byte & 15)
                    room[used] = high < 10 ? 48 + high : 55 + high
                    room[used + 1] = low < 10 ? 48 + low : 55 + low
                    used += 2
                }
                room[used] = UInt8(ascii: ">")
                used += 1
            }
        }
    }

    @inlinable public mutating func append(escaping byte: UInt8) {
        switch byte {
        case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "\\"):
            append(UInt8(ascii: "\\"))
            append(byte)
        case 10: append(text: "\\n")
        case 13: append(text: "\\r")
        default: append(byte)
        }
    }

    @inlinable public mutating func append(hex byte: UInt8) {
        let high = byte >> 4
        let low = byte & 15
        append(high < 10 ? 48 + high : 55 + high)
        append(low < 10 ? 48 + low : 55 + low)
    }
}
