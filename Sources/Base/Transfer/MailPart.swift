import Bytes

/// A mail from somewhere, taken apart as far as reports about lost mail need it (RFC 5322, 2045). Whatever it holds,
/// reading ends: sizes, depth and numbers are limited, and what makes no sense is left out.
struct MailPart {
    private static let deepest = 6
    private static let mostParts = 500
    private static let mostFields = 500

    private(set) var fields: [(name: String, value: String)] = []
    let body: ArraySlice<UInt8>
    private let depth: Int

    init(_ bytes: ArraySlice<UInt8>, depth: Int = 0) {
        self.depth = depth
        var rest = bytes
        var fields: [(name: String, value: String)] = []
        while let line = Self.line(&rest), !line.isEmpty {
            let text = TextDecoding.text(Array(line.prefix(4000)))
            if text.first == " " || text.first == "\t" {
                guard !fields.isEmpty, fields[fields.count - 1].value.utf8.count < 16_000 else { continue }
                fields[fields.count - 1].value += " " + text.trimmingSpaces
            } else if let colon = text.firstIndex(of: ":"), fields.count < Self.mostFields {
                fields.append((text[..<colon].lowercased(), text[text.index(after: colon)...].trimmingSpaces))
            }
        }
        self.fields = fields
        body = rest
    }

    func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    /// `multipart/report`
    var mediaType: String {
        (field("content-type") ?? "text/plain").prefix { $0 != ";" }.trimmingSpaces.lowercased()
    }

    /// As it is written, with its parameters.
    var type: String { field("content-type") ?? "" }

    func parameter(_ name: String) -> String? {
        for piece in type.split(separator: ";").dropFirst() {
            let pair = piece.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0].trimmingSpaces.lowercased() == name else { continue }
            let value = pair[1].trimmingSpaces
            return value.hasPrefix("\"") ? String(value.dropFirst().prefix { $0 != "\"" }) : value
        }
        return nil
    }

    /// The parts of a multipart, none of anything else.
    var parts: [MailPart] {
        guard mediaType.hasPrefix("multipart/"), depth < Self.deepest, let boundary = parameter("boundary"),
            (1...200).contains(boundary.utf8.count)
        else { return [] }
        let mark = Array("--\(boundary)".utf8)
        var parts: [MailPart] = []
        var start: Int?
        var rest = body
        while parts.count < Self.mostParts {
            let at = rest.startIndex
            guard let line = Self.line(&rest) else { break }
            guard line.starts(with: mark) else { continue }
            if let start { parts.append(MailPart(body[start..<at], depth: depth + 1)) }
            start = rest.startIndex
            if line.dropFirst(mark.count).starts(with: "--".utf8) { return parts }
        }
        // Cut off in the middle: what is there counts.
        if let start, start < body.endIndex, parts.count < Self.mostParts {
            parts.append(MailPart(body[start...], depth: depth + 1))
        }
        return parts
    }

    /// The body without its transfer encoding.
    var content: [UInt8] {
        switch field("content-transfer-encoding")?.lowercased() {
        case "base64": return Self.base64(body)
        case "quoted-printable": return Self.unquoted(body)
        default: return Array(body)
        }
    }

    /// As far as it makes sense: letters of the code only, and whole groups of them.
    static func base64(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var letters = bytes.filter {
            switch $0 {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
                true
            default: false
            }
        }
        if letters.count % 4 == 1 { letters.removeLast() }
        letters += Array(repeating: UInt8(ascii: "="), count: (4 - letters.count % 4) % 4)
        return Base64.decode(String(decoding: letters, as: UTF8.self)) ?? []
    }

    static func unquoted(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "=") else {
                output.append(byte)
                continue
            }
            if rest.first == 0x0A {
                rest = rest.dropFirst()
            } else if rest.starts(with: [0x0D, 0x0A]) {
                rest = rest.dropFirst(2)
            } else if let value = Hex.decode(String(decoding: rest.prefix(2), as: UTF8.self)),
                value.count == 1
            {
                output.append(value[0])
                rest = rest.dropFirst(2)
            } else {
                output.append(byte)
            }
        }
        return output
    }

    /// The next line without its end; nil when there is none.
    static func line(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard !rest.isEmpty else { return nil }
        let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
        var line = rest[rest.startIndex..<end]
        rest = rest[min(end + 1, rest.endIndex)...]
        if line.last == 0x0D { line = line.dropLast() }
        return line
    }
}
