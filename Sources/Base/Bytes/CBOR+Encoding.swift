extension CBOR {
    /// Shortest lengths, floats in eight bytes, map entries in the order given.
    public var encoded: [UInt8] {
        var writer = ByteWriter()
        write(to: &writer)
        return writer.bytes
    }

    private func write(to writer: inout ByteWriter) {
        switch self {
        case .unsigned(let value): head(0, value, &writer)
        case .negative(let value): head(1, value, &writer)
        case .bytes(let value):
            head(2, UInt64(value.count), &writer)
            writer.append(value)
        case .text(let value):
            head(3, UInt64(value.utf8.count), &writer)
            writer.append(value)
        case .array(let elements):
            head(4, UInt64(elements.count), &writer)
            for element in elements { element.write(to: &writer) }
        case .map(let entries):
            head(5, UInt64(entries.count), &writer)
            for entry in entries {
                entry.key.write(to: &writer)
                entry.value.write(to: &writer)
            }
        case .tagged(let tag, let value):
            head(6, tag, &writer)
            value.write(to: &writer)
        case .bool(let value): writer.append(value ? 0xF5 : 0xF4)
        case .null: writer.append(0xF6)
        case .undefined: writer.append(0xF7)
        case .simple(let value): head(7, UInt64(value), &writer)
        case .float(let value):
            writer.append(0xFB)
            writer.uint64(value.bitPattern)
        }
    }

    private func head(_ kind: UInt8, _ argument: UInt64, _ writer: inout ByteWriter) {
        switch argument {
        case 0..<24: writer.append(kind << 5 | UInt8(argument))
        case 24...0xFF:
            writer.append(kind << 5 | 24)
            writer.append(UInt8(argument))
        case 0x100...0xFFFF:
            writer.append(kind << 5 | 25)
            writer.uint16(UInt16(argument))
        case 0x1_0000...0xFFFF_FFFF:
            writer.append(kind << 5 | 26)
            writer.uint32(UInt32(argument))
        default:
            writer.append(kind << 5 | 27)
            writer.uint64(argument)
        }
    }
}
