import Browsing
import Bytes
import Markup

/// A mail message read as a paper: who wrote to whom, what, and what came with it (RFC 5322, RFC 2045-2047).
struct MailPaper {
    struct Attachment {
        var name: String
        var mediaType: String
        var bytes: [UInt8]
    }

    private(set) var heads: [(name: String, value: String)] = []
    private(set) var subject = ""
    private(set) var html: String?
    private(set) var plain: String?
    private(set) var attachments: [Attachment] = []
    /// By content id, for pictures inside the message.
    private(set) var inline: [String: PageSource.File] = [:]

    init(_ bytes: [UInt8]) {
        let (heads, body) = Self.split(bytes[...])
        for name in ["From", "To", "Cc", "Date", "Subject"] {
            guard let value = heads[name.lowercased()] else { continue }
            let words = Self.words(value)
            if name == "Subject" { subject = words } else { self.heads.append((name, words)) }
        }
        take(heads, body, depth: 0)
    }

    /// Everything as a page; pictures of the message lie beside it.
    func page() -> PageSource {
        let head = heads.map { head -> HTML in "<tr><th>\(head.name)</th><td>\(head.value)</td></tr>" }
        var body: HTML
        if let html {
            // In a frame of its own, so that its styles stay with it; the frame grows to what it holds.
            _ = html
            body = "<div class=\"message\"><iframe src=\"message.html\" scrolling=\"no\"></iframe></div>"
        } else {
            body = "<pre>\(plain ?? "")</pre>"
        }
        if !attachments.isEmpty {
            let items = attachments.map { item -> HTML in
                "<li>\(item.name) <span>(\(item.mediaType), \(item.bytes.count) bytes)</span></li>"
            }
            body += "<section class=\"attachments\"><h2>Attachments</h2><ul>\(items)</ul></section>"
        }
        let page: HTML = """
            <header><h1>\(subject)</h1><table>\(head)</table></header>\(body)
            <script>
            addEventListener('load', () => {
                for (const frame of document.querySelectorAll('iframe')) {
                    const inner = frame.contentDocument;
                    if (!inner) continue;
                    frame.style.height = Math.max(inner.documentElement.scrollHeight, inner.body.scrollHeight) + 'px';
                }
            });
            </script>
            """
        var files = inline
        files["index.html"] = .init(
            PageDress.html(title: subject, body: page, style: Self.style),
            mediaType: "text/html; charset=utf-8")
        if let html {
            // No script of a stranger's runs, whatever the page around it does.
            let rule = "<meta http-equiv=\"Content-Security-Policy\" content=\"script-src 'none'\">"
            files["message.html"] = .init(Array((rule + html).utf8), mediaType: "text/html; charset=utf-8")
        }
        return PageSource(.file("index.html"), files: files)
    }

    private static let style =
        PageDress.prose + """
            header { border-bottom: 1px solid #bbb; margin-bottom: 1em; padding-bottom: .6em; }
            header h1 { font-size: 1.3em; } header table { border: 0; } header th, header td { border: 0; background: none; \
            padding: 0 .8em 0 0; font-size: .9em; vertical-align: top; } header th { color: #666; font-weight: normal; }
            pre { background: none; padding: 0; font: inherit; } iframe { border: 0; width: 100%; }
            .attachments { border-top: 1px solid #bbb; margin-top: 1em; } .attachments h2 { font-size: 1em; }
            .attachments span { color: #666; }
            """

    private mutating func take(_ heads: [String: String], _ body: ArraySlice<UInt8>, depth: Int) {
        let type = heads["content-type"] ?? "text/plain"
        let media = Self.value(type).lowercased()
        let disposition = heads["content-disposition"] ?? ""
        if media.hasPrefix("multipart/"), depth < 12, let boundary = Self.parameter("boundary", of: type) {
            for part in Self.parts(body, boundary).prefix(500) {
                let (inner, content) = Self.split(part)
                take(inner, content, depth: depth + 1)
            }
            return
        }
        let bytes = Self.decoded(body, heads["content-transfer-encoding"] ?? "")
        let name = Self.parameter("filename", of: disposition) ?? Self.parameter("name", of: type)
        let isAttached = Self.value(disposition).lowercased() == "attachment"
        if media == "text/html", !isAttached, html == nil {
            html = resolved(TextDecoding.text(bytes, named: Self.parameter("charset", of: type)))
        } else if media == "text/plain", !isAttached, plain == nil, name == nil {
            plain = TextDecoding.text(bytes, named: Self.parameter("charset", of: type))
        } else {
            if let id = heads["content-id"] {
                let plainID = id.filter { $0 != "<" && $0 != ">" && $0 != " " }
                inline["cid/" + plainID] = .init(bytes, mediaType: media)
                if media.hasPrefix("image/"), !isAttached { return }
            }
            attachments.append(
                Attachment(name: name.map(Self.words) ?? "attachment", mediaType: media, bytes: bytes))
        }
    }

    /// Pictures inside the message are asked for by their ids.
    private func resolved(_ html: String) -> String {
        var result = ""
        var rest = html[...]
        while let found = rest.firstRange(of: "cid:") {
            result += rest[..<found.lowerBound] + "cid/"
            rest = rest[found.upperBound...]
        }
        return result + rest
    }

    private static func split(
        _ bytes: ArraySlice<UInt8>
    ) -> (heads: [String: String], body: ArraySlice<UInt8>) {
        var heads: [String: String] = [:]
        var rest = bytes
        var last: String?
        while !rest.isEmpty {
            let line = rest.prefix { $0 != 10 }
            rest = rest.dropFirst(line.count + 1)
            let text = TextDecoding.text(Array(line.last == 13 ? line.dropLast() : line))
            if text.isEmpty { break }
            if let first = text.first, first == " " || first == "\t" {
                if let last { heads[last, default: ""] += " " + text.drop { $0 == " " || $0 == "\t" } }
            } else if let colon = text.firstIndex(of: ":") {
                let name = text[..<colon].lowercased()
                last = heads[name] == nil ? name : nil
                if heads[name] == nil {
                    heads[name] = String(text[text.index(after: colon)...].drop { $0 == " " })
                }
            }
        }
        return (heads, rest)
    }

    private static func parts(_ body: ArraySlice<UInt8>, _ boundary: String) -> [ArraySlice<UInt8>] {
        let mark = Array("--\(boundary)".utf8)
        var starts: [(mark: Int, content: Int)] = []
        var place = body.startIndex
        while place < body.endIndex {
            let line = body[place...].prefix { $0 != 10 }
            if line.starts(with: mark) { starts.append((place, min(body.endIndex, line.endIndex + 1))) }
            place = line.endIndex + 1
        }
        return zip(starts, starts.dropFirst()).compactMap { start, next in
            start.content <= next.mark ? body[start.content..<next.mark] : nil
        }
    }

    private static func decoded(_ body: ArraySlice<UInt8>, _ encoding: String) -> [UInt8] {
        switch encoding.lowercased().filter({ $0 != " " }) {
        case "base64":
            let letters = body.filter { $0 > 32 && $0 != UInt8(ascii: "=") }
            let whole = letters.count / 4 * 4
            let text = String(decoding: letters, as: UTF8.self)
            let padding = String(
                repeating: "=", count: letters.count == whole ? 0 : 4 - (letters.count - whole))
            return Base64.decode(text + padding) ?? []
        case "quoted-printable": return quoted(body)
        default: return Array(body)
        }
    }

    private static func quoted(_ body: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var rest = body
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "=") else {
                result.append(byte)
                continue
            }
            if rest.first == 10 {
                rest = rest.dropFirst()
            } else if rest.starts(with: [13, 10]) {
                rest = rest.dropFirst(2)
            } else if let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
                rest.count >= 2
            {
                result.append(value)
                rest = rest.dropFirst(2)
            } else {
                result.append(byte)
            }
        }
        return result
    }

    private static func value(_ field: String) -> String {
        String(field.prefix { $0 != ";" }).filter { $0 != " " }
    }

    private static func parameter(_ name: String, of field: String) -> String? {
        for part in field.split(separator: ";").dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1).map { $0.trimmingSpaces }
            guard pair.count == 2 else { continue }
            let key = pair[0].lowercased()
            guard key == name || key == name + "*" || key == name + "*0" else { continue }
            let value = pair[1].filter { $0 != "\"" }
            // RFC 2231: charset, language and percent signs.
            if key.hasSuffix("*"), let quote = value.lastIndex(of: "'") {
                return PageSource.decoded(String(value[value.index(after: quote)...]))
            }
            return value
        }
        return nil
    }

    /// `=?utf-8?q?J=C3=B6rg?=` as its words.
    private static func words(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "=?") {
            let before = rest[..<start.lowerBound]
            let parts = rest[start.upperBound...].split(
                separator: "?", maxSplits: 3, omittingEmptySubsequences: false)
            guard parts.count == 4, parts[3].first == "=" else {
                result += before + "=?"
                rest = rest[start.upperBound...]
                continue
            }
            // Blanks between two coded words are no blanks.
            if !(before.allSatisfy(\.isWhitespace) && !result.isEmpty) { result += before }
            let coded = Array(parts[2].utf8)
            let bytes =
                parts[1].lowercased() == "b"
                ? decoded(coded[...], "base64")
                : quoted(coded.map { $0 == UInt8(ascii: "_") ? 32 : $0 }[...])
            result += TextDecoding.text(bytes, named: String(parts[0]))
            rest = parts[3].dropFirst()
        }
        return result + rest
    }
}

extension Substring {
    fileprivate var trimmingSpaces: String {
        var text = drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text = text.dropLast() }
        return String(text)
    }
}
