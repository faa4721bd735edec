import Bytes

/// A mail as somebody kept it, taken apart: who wrote to whom, what it says, and the files that came with it
/// (RFC 5322, 2045 to 2047, 2231).
public struct MailFile: Sendable {
    public struct Attachment: Sendable, Equatable {
        /// As the sender called it; empty when they did not.
        public var name: String
        public var bytes: [UInt8]
    }

    public private(set) var subject = ""
    public private(set) var from = ""
    public private(set) var to = ""
    public private(set) var date = ""
    /// What it says, without what was attached; HTML where there was no plain text.
    public private(set) var text = ""
    public private(set) var isHTML = false
    public private(set) var attachments: [Attachment] = []

    public init(_ bytes: [UInt8]) {
        let mail = MailPart(bytes[...])
        func words(_ name: String) -> String { Self.words(mail.field(name) ?? "") }
        subject = words("subject")
        from = words("from")
        to = words("to")
        date = words("date")
        take(mail)
    }

    private mutating func take(_ part: MailPart) {
        if part.mediaType.hasPrefix("multipart/") {
            // A multipart whose boundary makes no sense has no parts: the mail itself stays whole.
            for inner in part.parts { take(inner) }
            return
        }
        let disposition = part.field("content-disposition") ?? ""
        let name = Self.parameter("filename", of: disposition) ?? Self.parameter("name", of: part.type) ?? ""
        let isAttached = disposition.lowercased().hasPrefix("attachment")
        let isWords = part.mediaType == "text/plain" || part.mediaType == "text/html"
        if isWords, !isAttached, name.isEmpty {
            let isHTML = part.mediaType == "text/html"
            if text.isEmpty || self.isHTML && !isHTML {
                text = Self.decoded(part.content, charset: part.parameter("charset"))
                self.isHTML = isHTML
            }
            return
        }
        // Pictures that the words refer to are a part of the letter and no papers of their own.
        if part.mediaType.hasPrefix("image/"), part.field("content-id") != nil, !isAttached { return }
        var called = Self.words(name)
        if called.isEmpty, part.mediaType == "message/rfc822" {
            let subject = MailPart(part.content[...]).field("subject").map(Self.words) ?? ""
            called = (subject.isEmpty ? "Mail" : subject) + ".eml"
        }
        attachments.append(Attachment(name: called, bytes: part.content))
    }

    /// A parameter of a field, also where it is written in pieces or percent signs. Web servers name files in the same
    /// way (RFC 6266).
    public static func parameter(_ name: String, of field: String) -> String? {
        var pieces: [(number: Int, text: String)] = []
        var plain: String?
        for piece in split(field).dropFirst() {
            let pair = piece.split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else { continue }
            let key = String(pair[0]).trimmingSpaces.lowercased()
            var value = String(pair[1]).trimmingSpaces
            if value.hasPrefix("\"") { value = unquoted(value) }
            if key == name { plain = value }
            // Where a name is given twice, the second is for programs that read more than ASCII.
            guard key.hasPrefix(name + "*") else { continue }
            let marks = key.dropFirst(name.count).split(separator: "*")
            let isCoded = key.hasSuffix("*")
            let number = marks.first.flatMap { Int($0) } ?? 0
            if isCoded {
                // The first piece says in which letters: utf-8''r%C3%A9sum%C3%A9.pdf
                let quotes = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
                let charset = quotes.count == 3 ? String(quotes[0]) : nil
                value = decoded(percentBytes(String(quotes.last ?? "")), charset: charset)
            }
            pieces.append((number, value))
            if pieces.count > 100 { break }
        }
        guard !pieces.isEmpty else { return plain }
        return pieces.sorted { $0.number < $1.number }.map(\.text).joined()
    }

    /// At semicolons that do not stand in quotes.
    private static func split(_ field: String) -> [String] {
        var parts = [""]
        var isQuoted = false
        var isEscaped = false
        for character in field {
            if character == ";", !isQuoted {
                parts.append("")
                continue
            }
            if character == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = character == "\\" && !isEscaped
            parts[parts.count - 1].append(character)
        }
        return parts
    }

    private static func unquoted(_ value: String) -> String {
        var text = ""
        var isEscaped = false
        for character in value.dropFirst() {
            if isEscaped {
                text.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                break
            } else {
                text.append(character)
            }
        }
        return text
    }

    public static func percentDecoded(_ text: String) -> String {
        String(decoding: percentBytes(text), as: UTF8.self)
    }

    private static func percentBytes(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"),
                let value = Hex.decode(String(decoding: rest.prefix(2), as: UTF8.self)), value.count == 1
            {
                bytes.append(value[0])
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    /// `=?utf-8?q?J=C3=B6rg?=` as its words.
    static func words(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        var wasCoded = false
        while let start = rest.firstRange(of: "=?") {
            let before = rest[..<start.lowerBound]
            let parts = rest[start.upperBound...].split(
                separator: "?", maxSplits: 3, omittingEmptySubsequences: false)
            guard parts.count == 4, parts[3].first == "=", !parts[0].isEmpty else {
                result += before + "=?"
                rest = rest[start.upperBound...]
                wasCoded = false
                continue
            }
            // Blanks between two coded words are no blanks.
            if !(wasCoded && before.allSatisfy(\.isWhitespace)) { result += before }
            let bytes =
                parts[1].lowercased() == "b"
                ? Base64.decode(String(parts[2])) ?? []
                : MailPart.unquoted(parts[2].utf8.map { $0 == UInt8(ascii: "_") ? 0x20 : $0 }[...])
            result += decoded(bytes, charset: String(parts[0].prefix { $0 != "*" }))
            rest = parts[3].dropFirst()
            wasCoded = true
        }
        return (result + rest).trimmingSpaces
    }

    /// UTF-8, or the letters of Western Europe, which is what nearly all mail is written in.
    private static func decoded(_ bytes: [UInt8], charset: String?) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        switch charset?.lowercased() {
        case nil, "iso-8859-1", "iso-8859-15", "windows-1252", "us-ascii", "latin1":
            return String(
                String.UnicodeScalarView(
                    bytes.map { Unicode.Scalar(windows[$0] ?? UInt16($0)) ?? "\u{FFFD}" }))
        default: return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Where Windows puts letters between 0x80 and 0x9F, as its mail programs do whatever they say.
    private static let windows: [UInt8: UInt16] = [
        0x80: 0x20AC, 0x82: 0x201A, 0x83: 0x0192, 0x84: 0x201E, 0x85: 0x2026, 0x86: 0x2020, 0x87: 0x2021,
        0x8A: 0x0160, 0x8B: 0x2039, 0x8C: 0x0152, 0x8E: 0x017D, 0x91: 0x2018, 0x92: 0x2019, 0x93: 0x201C,
        0x94: 0x201D, 0x95: 0x2022, 0x96: 0x2013, 0x97: 0x2014, 0x99: 0x2122, 0x9A: 0x0161, 0x9B: 0x203A,
        0x9C: 0x0153, 0x9E: 0x017E, 0x9F: 0x0178,
    ]
}
