import Bytes

/// A mail as somebody kept it, taken apart: who wrote to whom, what it says, and the files that came with it
/// (RFC 5322, 2045 to 2047, 2231).
public struct MailFile: Sendable {
    public struct Attachment: Sendable, Equatable {
        /// As the sender called it; empty when they did not.
        public var name: String
        /// As the sender says.
        public var mediaType: String
        public var bytes: [UInt8]
    }

    /// What the words refer to by its id, as `cid:logo@example.org`.
    public struct Inline: Sendable, Equatable {
        public var id: String
        public var mediaType: String
        public var bytes: [UInt8]
    }

    public private(set) var subject = ""
    public private(set) var from = ""
    public private(set) var to = ""
    public private(set) var cc = ""
    public private(set) var date = ""
    /// What it says, without what was attached; a mail may say it in both ways.
    public private(set) var plain: String?
    public private(set) var html: String?
    public private(set) var attachments: [Attachment] = []
    public private(set) var inline: [Inline] = []

    public init(_ bytes: [UInt8]) {
        let mail = MailPart(bytes[...])
        func words(_ name: String) -> String { Self.words(mail.field(name) ?? "") }
        subject = words("subject")
        from = words("from")
        to = words("to")
        cc = words("cc")
        date = words("date")
        take(mail)
    }

    private mutating func take(_ part: MailPart) {
        let media = part.mediaType
        if media.hasPrefix("multipart/") {
            // A multipart whose boundary makes no sense has no parts: the mail itself stays whole.
            for inner in part.parts { take(inner) }
            return
        }
        let disposition = part.field("content-disposition") ?? ""
        let name = Self.parameter("filename", of: disposition) ?? Self.parameter("name", of: part.type) ?? ""
        let isAttached = disposition.lowercased().hasPrefix("attachment")
        if media == "text/plain" || media == "text/html", !isAttached, name.isEmpty {
            let text = TextDecoding.text(part.content, named: part.parameter("charset"))
            // Some programs write in several pieces, before and after what they attach.
            if media == "text/html" {
                html = (html ?? "") + text
            } else {
                plain = plain.map { $0 + "\n" + text } ?? text
            }
            return
        }
        let content = part.content
        if let id = part.field("content-id") {
            let bare = id.filter { !"<> ".contains($0) }
            inline.append(Inline(id: bare, mediaType: media, bytes: content))
            // Pictures that the words refer to are a part of the letter and no papers of their own.
            if media.hasPrefix("image/"), !isAttached { return }
        }
        var called = Self.words(name)
        if called.isEmpty, media == "message/rfc822" {
            let subject = MailPart(content[...]).field("subject").map(Self.words) ?? ""
            called = (subject.isEmpty ? "Mail" : subject) + ".eml"
        }
        attachments.append(Attachment(name: called, mediaType: media, bytes: content))
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
                value = TextDecoding.text(PercentCoding.lenient(quotes.last ?? ""), named: charset)
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
                ? MailPart.base64(parts[2].utf8)
                : MailPart.unquoted(parts[2].utf8.map { $0 == UInt8(ascii: "_") ? 0x20 : $0 }[...])
            result += TextDecoding.text(bytes, named: String(parts[0].prefix { $0 != "*" }))
            rest = parts[3].dropFirst()
            wasCoded = true
        }
        return (result + rest).trimmingSpaces
    }
}
