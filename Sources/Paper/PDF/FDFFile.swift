/// The objects of a forms data file (ISO 32000-2 §12.7.8): written like a PDF, but short, and nothing needs to be
/// found by a cross-reference.
public struct FDFFile: Sendable {
    public static let largestByteCount = 64 << 20

    public private(set) var trailer: PDFDictionary = [:]
    private var objects: [Int: PDFObject] = [:]
    private var streams: [Int: [UInt8]] = [:]

    public init(_ bytes: [UInt8]) throws(PDFError) {
        guard bytes.count <= Self.largestByteCount else { throw .tooLarge(byteCount: bytes.count) }
        var at = 0
        // Some programs write a mark or blank lines first.
        while at < min(bytes.count, 1024), !bytes[at...].starts(with: Array("%FDF-".utf8)) { at += 1 }
        guard at < min(bytes.count, 1024) else { throw .damaged("it does not begin as form data do") }
        while at < bytes.count {
            if PDFObjectReader.isSpace(bytes[at]) {
                at += 1
            } else if bytes[at] == UInt8(ascii: "%") {
                while at < bytes.count, bytes[at] != 10, bytes[at] != 13 { at += 1 }
            } else if case 48...57 = bytes[at] {
                takeObject(bytes, &at)
            } else if bytes[at...].starts(with: Array("trailer".utf8)) {
                var reader = PDFObjectReader(bytes, at: at + 7)
                if let found = reader.object().dictionary { trailer = found }
                at = max(at + 7, reader.position)
            } else {
                // A table of places, marks of an end: nothing that is needed here.
                while at < bytes.count, !PDFObjectReader.isSpace(bytes[at]) { at += 1 }
            }
        }
    }

    private mutating func takeObject(_ bytes: [UInt8], _ at: inout Int) {
        func number() -> Int? {
            while at < bytes.count, PDFObjectReader.isSpace(bytes[at]) { at += 1 }
            var value = 0
            var digits = 0
            while at < bytes.count, case 48...57 = bytes[at] {
                if digits < 10 { value = value * 10 + Int(bytes[at] - 48) }
                digits += 1
                at += 1
            }
            return digits > 0 && digits <= 10 ? value : nil
        }
        func word(_ text: String) -> Bool {
            var place = at
            while place < bytes.count, PDFObjectReader.isSpace(bytes[place]) { place += 1 }
            guard place < bytes.count, bytes[place...].starts(with: text.utf8) else { return false }
            at = place + text.utf8.count
            return true
        }
        guard let first = number(), number() != nil, word("obj") else { return }
        var reader = PDFObjectReader(bytes, at: at)
        let value = reader.object()
        at = max(at + 1, reader.position)
        objects[first] = value
        if word("stream") {
            if at < bytes.count, bytes[at] == 13 { at += 1 }
            if at < bytes.count, bytes[at] == 10 { at += 1 }
            guard let length = value.dictionary?["Length"]?.integer, length >= 0, at + length <= bytes.count
            else { return }
            streams[first] = Array(bytes[at..<at + length])
            at += length
            _ = word("endstream")
        }
        _ = word("endobj")
    }

    public func resolve(_ object: PDFObject?) -> PDFObject {
        var object = object ?? .null
        for _ in 0..<20 {
            guard case .reference(let reference) = object else { return object }
            object = objects[reference.number] ?? .null
        }
        return .null
    }

    /// The bytes of a stream that is not packed.
    public func stream(_ object: PDFObject?) -> [UInt8]? {
        guard let reference = object?.reference, objects[reference.number]?.dictionary?["Filter"] == nil
        else { return nil }
        return streams[reference.number]
    }
}
