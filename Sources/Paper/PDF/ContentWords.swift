/// The words of a content stream (ISO 32000-2 §7.8.2) or of a character map: operands and operators in turn.
public struct ContentWords: Sequence, IteratorProtocol {
    public enum Word {
        case operand(PDFObject)
        case operation(String)
    }

    private var reader: PDFObjectReader
    private let bytes: [UInt8]

    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        reader = PDFObjectReader(bytes)
    }

    public mutating func next() -> Word? {
        reader.skipSpace()
        guard reader.position < bytes.count else { return nil }
        let byte = bytes[reader.position]
        let isLetter = (65...90).contains(byte) || (97...122).contains(byte)
        if isLetter || byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
            let word = reader.word()
            switch word {
            case "true": return .operand(.boolean(true))
            case "false": return .operand(.boolean(false))
            case "null": return .operand(.null)
            default: return .operation(word)
            }
        }
        let before = reader.position
        let object = reader.object()
        // Stray signs must not hold the reading up.
        if reader.position == before { reader.skipByte() }
        return .operand(object)
    }
}
