/// XFDF (ISO 19444-1): form data as XML. Less than XML is read: no document types, so nothing can be fetched or expanded.
extension FormData {
    public init(xfdf bytes: [UInt8]) throws(FormDataError) {
        guard bytes.count <= 64 << 20 else { throw FormDataError("it is larger than 64 MB") }
        form = nil
        entries = []
        var scanner = try MarkupScanner(bytes)
        var names: [String?] = []
        var values: [[String]] = []
        var path: [String] = []
        var text = ""
        while let event = try scanner.next() {
            switch event {
            case .open(let tag, let attributes):
                guard path.count < Self.deepest * 2 else { throw FormDataError("its elements lie too deep") }
                if path.isEmpty, tag != "xfdf" { throw FormDataError("it is XML, but no XFDF") }
                path.append(tag)
                switch tag {
                case "f": form = attributes["href"]
                case "field":
                    names.append(attributes["name"])
                    values.append([])
                case "value": text = ""
                default: break
                }
            case .text(let part): if path.last == "value" { text += part }
            case .close(let tag):
                guard path.popLast() == tag else { throw FormDataError("its elements do not close in order") }
                if tag == "value", !values.isEmpty { values[values.count - 1].append(Self.unified(text)) }
                guard tag == "field", let found = values.popLast() else { continue }
                let name = names.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ".")
                names.removeLast()
                if !found.isEmpty, !name.isEmpty { try add(Entry(name: name, values: found)) }
            }
        }
        guard path.isEmpty else { throw FormDataError("it is cut off") }
    }

    public var xfdf: String {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <xfdf xmlns="http://ns.adobe.com/xfdf/" xml:space="preserve">

            """
        if let form { text += "<f href=\"\(Self.escaped(form, isAttribute: true))\"/>\n" }
        text += "<fields>\n"
        for kid in Branch(entries).kids { Self.write(kid, into: &text) }
        text += "</fields>\n</xfdf>\n"
        return text
    }

    private static func write(_ branch: Branch, into text: inout String) {
        text += "<field name=\"\(escaped(branch.name, isAttribute: true))\">"
        if let values = branch.values {
            for value in values.isEmpty ? [""] : values { text += "<value>\(escaped(value))</value>" }
        }
        if !branch.kids.isEmpty { text += "\n" }
        for kid in branch.kids { write(kid, into: &text) }
        text += "</field>\n"
    }

    public static func escaped(_ text: String, isAttribute: Bool = false) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"" where isAttribute: escaped += "&quot;"
            case "\t", "\n":
                // Readers make blanks of bare line ends in attributes.
                escaped += isAttribute ? "&#\(scalar.value);" : String(Character(scalar))
            // XML has no way to say these.
            case _ where scalar.value < 32 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: break
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

/// Tags, their attributes and the text between them.
public struct MarkupScanner {
    public enum Event: Equatable {
        /// Names without their prefix.
        case open(String, [String: String])
        case text(String)
        case close(String)
    }

    private let bytes: [UInt8]
    private var at = 0
    private var pending: Event?

    public init(_ bytes: [UInt8]) throws(FormDataError) {
        // Windows programs write UTF-16; it is turned into UTF-8 before anything is looked at.
        if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
            let isBig = bytes[0] == 0xFE
            var units: [UInt16] = []
            for index in stride(from: 2, to: bytes.count - 1, by: 2) {
                units.append(
                    isBig
                        ? UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
                        : UInt16(bytes[index + 1]) << 8 | UInt16(bytes[index]))
            }
            self.bytes = Array(String(decoding: units, as: UTF16.self).utf8)
        } else {
            guard String(validating: bytes, as: UTF8.self) != nil else {
                throw FormDataError("it is no UTF-8")
            }
            self.bytes = bytes
            if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
        }
    }

    public mutating func next() throws(FormDataError) -> Event? {
        if let event = pending {
            pending = nil
            return event
        }
        while at < bytes.count {
            guard bytes[at] == UInt8(ascii: "<") else { return .text(try text(until: UInt8(ascii: "<"))) }
            if matches("<!--") {
                try skip(past: "-->")
            } else if matches("<![CDATA[") {
                let start = at + 9
                try skip(past: "]]>")
                return .text(String(decoding: bytes[start..<at - 3], as: UTF8.self))
            } else if matches("<?") {
                try skip(past: "?>")
            } else if matches("<!") {
                throw FormDataError("it declares a document type, which is not read")
            } else if matches("</") {
                at += 2
                let tag = name()
                skipSpace()
                guard at < bytes.count, bytes[at] == UInt8(ascii: ">") else { throw cut }
                at += 1
                return .close(tag)
            } else {
                return try open()
            }
        }
        return nil
    }

    private var cut: FormDataError { FormDataError("its XML breaks off at byte \(at)") }

    private mutating func open() throws(FormDataError) -> Event {
        at += 1
        let tag = name()
        guard !tag.isEmpty else { throw cut }
        var attributes: [String: String] = [:]
        while true {
            skipSpace()
            guard at < bytes.count else { throw cut }
            if bytes[at] == UInt8(ascii: ">") {
                at += 1
                return .open(tag, attributes)
            }
            if matches("/>") {
                at += 2
                pending = .close(tag)
                return .open(tag, attributes)
            }
            let key = name()
            skipSpace()
            guard !key.isEmpty, at < bytes.count, bytes[at] == UInt8(ascii: "=") else { throw cut }
            at += 1
            skipSpace()
            guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") || bytes[at] == UInt8(ascii: "'") else {
                throw cut
            }
            let quote = bytes[at]
            at += 1
            let value = try text(until: quote)
            guard at < bytes.count, attributes.count < 64 else { throw cut }
            at += 1
            attributes[key] = value
        }
    }

    private mutating func name() -> String {
        let start = at
        while at < bytes.count, bytes[at] > 32, !Array(" =<>/\"'".utf8).contains(bytes[at]) { at += 1 }
        let whole = String(decoding: bytes[start..<at], as: UTF8.self)
        return whole.split(separator: ":").last.map(String.init) ?? ""
    }

    private mutating func text(until end: UInt8) throws(FormDataError) -> String {
        var text: [UInt8] = []
        while at < bytes.count, bytes[at] != end {
            if bytes[at] == UInt8(ascii: "&") {
                guard let stop = bytes[at...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else { throw cut }
                let word = String(decoding: bytes[at + 1..<stop], as: UTF8.self)
                guard let scalar = Self.scalar(word) else {
                    throw FormDataError("“&\(word);” means nothing in it")
                }
                text.append(contentsOf: Array(String(Character(scalar)).utf8))
                at = stop + 1
            } else {
                text.append(bytes[at])
                at += 1
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func scalar(_ word: String) -> Unicode.Scalar? {
        switch word {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            guard word.hasPrefix("#") else { return nil }
            let isHex = word.dropFirst().hasPrefix("x")
            let digits = word.dropFirst(isHex ? 2 : 1)
            return UInt32(digits, radix: isHex ? 16 : 10).flatMap(Unicode.Scalar.init)
        }
    }

    private func matches(_ text: StaticString) -> Bool {
        bytes[at...].starts(with: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func skip(past mark: String) throws(FormDataError) {
        while at < bytes.count, !bytes[at...].starts(with: mark.utf8) { at += 1 }
        guard at < bytes.count else { throw cut }
        at += mark.utf8.count
    }

    private mutating func skipSpace() { while at < bytes.count, bytes[at] <= 32 { at += 1 } }
}
