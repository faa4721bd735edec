/// The instructions of a content stream, each with what stands before it and where it is written, so that a stream can be
/// given on with some of them changed and all others as they were.
public struct ContentInstructions: Sequence, IteratorProtocol {
    public struct Instruction {
        public var name: String
        public var operands: [PDFObject]
        /// From the first operand to behind the operator.
        public var range: Range<Int>
        /// Of a picture that is written into the stream: its dictionary, with the short names it has there, and its bytes.
        public var picture: (dictionary: PDFDictionary, bytes: Range<Int>)?
    }

    private static let mostOperands = 64

    private let bytes: [UInt8]
    private var reader: PDFObjectReader

    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        reader = PDFObjectReader(bytes)
    }

    public mutating func next() -> Instruction? {
        var operands: [PDFObject] = []
        var start: Int?
        while true {
            reader.skipSpace()
            guard reader.position < bytes.count else { return nil }
            let here = reader.position
            let byte = bytes[here]
            let isWord = (65...90).contains(byte) || (97...122).contains(byte)
            guard isWord || byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") else {
                let object = reader.object()
                if reader.position == here {
                    // A stray sign, which viewers pass over.
                    reader.skipByte()
                } else {
                    start = start ?? here
                    if operands.count < Self.mostOperands { operands.append(object) }
                }
                continue
            }
            let word = reader.word()
            switch word {
            case "true", "false", "null":
                start = start ?? here
                operands.append(word == "null" ? .null : .boolean(word == "true"))
            case "BI": return picture(from: start ?? here)
            default:
                return Instruction(
                    name: word, operands: operands, range: (start ?? here)..<reader.position)
            }
        }
    }

    private mutating func picture(from start: Int) -> Instruction {
        var entries: [(key: PDFName, value: PDFObject)] = []
        while true {
            reader.skipSpace()
            guard reader.position < bytes.count else { break }
            if bytes[reader.position] == UInt8(ascii: "/"), case .name(let key) = reader.object() {
                reader.skipSpace()
                let before = reader.position
                let value = reader.object()
                if reader.position == before { reader.skipByte() }
                entries.append((key, value))
                continue
            }
            if reader.word() == "ID" { break }
            reader.skipByte()
        }
        let first = Swift.min(reader.position + 1, bytes.count)
        var at = first
        // Its bytes run up to an EI that stands alone (§8.9.7) and has drawing behind it.
        while at + 1 < bytes.count {
            if bytes[at] == UInt8(ascii: "E"), bytes[at + 1] == UInt8(ascii: "I"),
                at == first || PDFObjectReader.isSpace(bytes[at - 1]),
                at + 2 >= bytes.count || !PDFObjectReader.isRegular(bytes[at + 2]), looksLikeText(at + 2)
            {
                break
            }
            at += 1
        }
        let end = Swift.min(at + 2, bytes.count)
        reader = PDFObjectReader(bytes, at: end)
        return Instruction(
            name: "BI", operands: [], range: start..<end,
            picture: (PDFDictionary(entries), first..<Swift.max(first, Swift.min(at, bytes.count))))
    }

    private func looksLikeText(_ start: Int) -> Bool {
        bytes[Swift.min(start, bytes.count)..<Swift.min(start + 12, bytes.count)].allSatisfy {
            PDFObjectReader.isSpace($0) && $0 != 0 || (32..<127).contains($0)
        }
    }
}
