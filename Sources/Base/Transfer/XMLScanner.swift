/// Why a piece of XML was refused, and where.
public struct XMLError: Error, Equatable {
    public var offset: Int
    public var reason: String
}

/// Reads the XML that WebDAV and S3 servers answer with, one event at a time.
///
/// Deliberately less than XML 1.0: no document types and so no entities beyond the five, no processing
/// instructions but the declaration, UTF-8 only, and limits on everything that could grow. What is left cannot
/// be made to fetch, expand or nest without end.
public struct XMLScanner {
    public enum Event: Equatable {
        case open(Name)
        case text(String)
        case close(Name)
    }

    public struct Name: Hashable, Sendable, CustomStringConvertible {
        public var namespace: String
        public var local: String

        public init(namespace: String, local: String) {
            self.namespace = namespace
            self.local = local
        }

        public var description: String { namespace.isEmpty ? local : "{\(namespace)}\(local)" }
    }

    public struct Limits: Sendable {
        public var depth = 32
        public var nameBytes = 256
        public var attributes = 32
        public var textBytes = 64 * 1024

        public init() {}
    }

    private struct Element {
        var raw: ArraySlice<UInt8>
        var name: Name
        var prefixes: [String: String]
    }

    private let bytes: [UInt8]
    private let limits: Limits
    private var position = 0
    private var open: [Element] = []
    private var pendingClose: Name?
    /// What the element that was opened last says of itself, by names as they are written; without what names spaces.
    public private(set) var attributes: [String: String] = [:]
    private var sawRoot = false

    public init(_ bytes: [UInt8], limits: Limits = Limits()) throws(XMLError) {
        self.bytes = bytes
        self.limits = limits
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw XMLError(offset: 0, reason: "not UTF-8")
        }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        if matches("<?xml"), position + 5 < bytes.count, Self.isSpace(bytes[position + 5]) {
            try skip(past: "?>")
        }
    }

    /// The next event, or nil after the root element has ended.
    public mutating func next() throws(XMLError) -> Event? {
        if let name = pendingClose {
            pendingClose = nil
            return .close(name)
        }
        while position < bytes.count {
            if bytes[position] != UInt8(ascii: "<") {
                if let text = try text() { return .text(text) }
            } else if matches("<!--") {
                try skipComment()
            } else if matches("<![CDATA[") {
                if let text = try literalText() { return .text(text) }
            } else if matches("<!") || matches("<?") {
                throw error("document types and instructions are refused")
            } else if matches("</") {
                return try closeTag()
            } else {
                return try openTag()
            }
        }
        guard open.isEmpty, sawRoot else { throw error("it ends too early") }
        return nil
    }

    private mutating func openTag() throws(XMLError) -> Event {
        guard !(open.isEmpty && sawRoot) else { throw error("something follows the root element") }
        guard open.count < limits.depth else { throw error("elements are nested too deeply") }
        position += 1
        let raw = try name()
        var prefixes: [String: String] = [:]
        var seen: [ArraySlice<UInt8>] = []
        attributes = [:]
        while true {
            let hadSpace = skipSpace()
            if matches("/>") {
                position += 2
                let element = try element(raw, prefixes)
                sawRoot = true
                pendingClose = element.name
                return .open(element.name)
            }
            if matches(">") {
                position += 1
                let element = try element(raw, prefixes)
                open.append(element)
                sawRoot = true
                return .open(element.name)
            }
            guard hadSpace else { throw error("a tag is malformed") }
            let attribute = try name()
            guard !seen.contains(attribute), seen.count < limits.attributes else {
                throw error("attributes are repeated or too many")
            }
            seen.append(attribute)
            let value = try attributeValue()
            let text = String(decoding: attribute, as: UTF8.self)
            guard text != "xmlns:" else { throw error("a namespace without a prefix") }
            if text == "xmlns" {
                prefixes[""] = value
            } else if text.hasPrefix("xmlns:") {
                guard !value.isEmpty else { throw error("a prefix cannot mean nothing") }
                prefixes[String(text.dropFirst(6))] = value
            } else {
                attributes[text] = value
            }
        }
    }

    private mutating func closeTag() throws(XMLError) -> Event {
        position += 2
        let raw = try name()
        _ = skipSpace()
        guard matches(">"), let element = open.last, element.raw == raw else {
            throw error("a closing tag fits nothing")
        }
        position += 1
        open.removeLast()
        return .close(element.name)
    }

    private func element(_ raw: ArraySlice<UInt8>, _ prefixes: [String: String]) throws(XMLError) -> Element {
        var scope = open.last?.prefixes ?? [:]
        scope.merge(prefixes) { $1 }
        guard scope.count <= limits.attributes * 2 else { throw error("too many namespaces") }
        let parts = raw.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        let texts = parts.map { String(decoding: $0, as: UTF8.self) }
        guard texts.count <= 2, texts.allSatisfy({ !$0.isEmpty }), let local = texts.last else {
            throw error("a name has too many colons")
        }
        if texts.count == 1 {
            return Element(raw: raw, name: Name(namespace: scope[""] ?? "", local: local), prefixes: scope)
        }
        guard let namespace = scope[texts[0]] else { throw error("a prefix means nothing") }
        return Element(raw: raw, name: Name(namespace: namespace, local: local), prefixes: scope)
    }

    private mutating func text() throws(XMLError) -> String? {
        var output: [UInt8] = []
        while position < bytes.count, bytes[position] != UInt8(ascii: "<") {
            if bytes[position] == UInt8(ascii: "&") {
                output += try reference()
            } else {
                output.append(try character())
            }
            guard output.count <= limits.textBytes else { throw error("a text is too long") }
        }
        if open.isEmpty {
            guard output.allSatisfy(Self.isSpace) else {
                throw error("there is text outside the root element")
            }
            return nil
        }
        return String(decoding: output, as: UTF8.self)
    }

    private mutating func literalText() throws(XMLError) -> String? {
        guard !open.isEmpty else { throw error("there is text outside the root element") }
        position += 9
        let start = position
        try skip(past: "]]>")
        guard position - 3 - start <= limits.textBytes else { throw error("a text is too long") }
        let end = position
        position = start
        var output: [UInt8] = []
        while position < end - 3 { output.append(try character()) }
        position = end
        return output.isEmpty ? nil : String(decoding: output, as: UTF8.self)
    }

    private mutating func attributeValue() throws(XMLError) -> String {
        _ = skipSpace()
        guard matches("=") else { throw error("an attribute has no value") }
        position += 1
        _ = skipSpace()
        guard position < bytes.count, [0x22, 0x27].contains(bytes[position]) else {
            throw error("an attribute's value has no quotes")
        }
        let quote = bytes[position]
        position += 1
        var output: [UInt8] = []
        while true {
            guard position < bytes.count, bytes[position] != UInt8(ascii: "<") else {
                throw error("an attribute's value does not end")
            }
            if bytes[position] == quote { break }
            if bytes[position] == UInt8(ascii: "&") {
                output += try reference()
            } else {
                output.append(try character())
            }
            guard output.count <= limits.textBytes else { throw error("an attribute is too long") }
        }
        position += 1
        return String(decoding: output, as: UTF8.self)
    }

    /// One byte of character data. XML 1.0 §2.2 knows no control characters but tab and line ends.
    private mutating func character() throws(XMLError) -> UInt8 {
        let byte = bytes[position]
        guard byte >= 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D else {
            throw error("a control character")
        }
        position += 1
        return byte
    }

    private mutating func reference() throws(XMLError) -> [UInt8] {
        let end = bytes[position...].prefix(12).firstIndex(of: UInt8(ascii: ";"))
        guard let end else { throw error("a reference does not end") }
        let text = String(decoding: bytes[(position + 1)..<end], as: UTF8.self)
        guard let scalar = Self.scalar(text) else { throw error("a reference to something unknown") }
        position = end + 1
        return Array(String(scalar).utf8)
    }

    private static func scalar(_ reference: String) -> Unicode.Scalar? {
        switch reference {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default: break
        }
        let isHex = reference.hasPrefix("#x")
        let digits = reference.dropFirst(isHex ? 2 : 1)
        guard reference.hasPrefix("#"), !digits.isEmpty, digits.allSatisfy({ $0.isHexDigit && $0.isASCII }),
            let value = UInt32(digits, radix: isHex ? 16 : 10), let scalar = Unicode.Scalar(value),
            value >= 0x20 || value == 0x09 || value == 0x0A || value == 0x0D, value & 0xFFFE != 0xFFFE
        else { return nil }
        return scalar
    }

    private mutating func name() throws(XMLError) -> ArraySlice<UInt8> {
        let start = position
        while position < bytes.count, Self.isNameByte(bytes[position]) { position += 1 }
        let name = bytes[start..<position]
        guard let first = name.first, name.count <= limits.nameBytes,
            !(0x30...0x39).contains(first), first != UInt8(ascii: "-"), first != UInt8(ascii: ".")
        else { throw error("a name is malformed") }
        return name
    }

    private mutating func skipComment() throws(XMLError) {
        position += 4
        try skip(past: "--")
        guard matches(">") else { throw error("a comment holds two dashes") }
        position += 1
    }

    private mutating func skip(past mark: String) throws(XMLError) {
        let mark = Array(mark.utf8)
        while position + mark.count <= bytes.count {
            if bytes[position..<position + mark.count].elementsEqual(mark) {
                position += mark.count
                return
            }
            position += 1
        }
        throw error("it ends too early")
    }

    private mutating func skipSpace() -> Bool {
        let start = position
        while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
        return position > start
    }

    private func matches(_ text: StaticString) -> Bool {
        guard bytes.count - position >= text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { bytes[position..<position + $0.count].elementsEqual($0) }
    }

    private func error(_ reason: String) -> XMLError { XMLError(offset: position, reason: reason) }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    /// Every byte beyond ASCII counts as a letter: such names are compared, never shown.
    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x3A, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x80...: true
        default: false
        }
    }
}

/// The same document as a tree, for answers that are small by their nature.
public struct XMLNode: Sendable {
    public var name: XMLScanner.Name
    public var attributes: [String: String] = [:]
    public var text = ""
    public var children: [XMLNode] = []

    public static func root(
        of bytes: [UInt8], maximumNodes: Int = 200_000, limits: XMLScanner.Limits = XMLScanner.Limits()
    ) throws(XMLError) -> XMLNode {
        var scanner = try XMLScanner(bytes, limits: limits)
        var open: [XMLNode] = []
        var count = 0
        while let event = try scanner.next() {
            switch event {
            case .open(let name):
                count += 1
                guard count <= maximumNodes else { throw XMLError(offset: 0, reason: "too many elements") }
                open.append(XMLNode(name: name, attributes: scanner.attributes))
            case .text(let text):
                if !open.isEmpty { open[open.count - 1].text += text }
            case .close:
                guard let node = open.popLast() else { break }
                if open.isEmpty {
                    // Reading on makes sure that nothing but space follows.
                    while try scanner.next() != nil {}
                    return node
                }
                open[open.count - 1].children.append(node)
            }
        }
        throw XMLError(offset: bytes.count, reason: "there is no element")
    }

    public func children(_ local: String, in namespace: String? = nil) -> [XMLNode] {
        children.filter { $0.name.local == local && (namespace == nil || $0.name.namespace == namespace) }
    }

    public func child(_ local: String, in namespace: String? = nil) -> XMLNode? {
        children(local, in: namespace).first
    }

    /// The text of a child, without the space around it that pretty printers add.
    public func value(_ local: String, in namespace: String? = nil) -> String? {
        child(local, in: namespace)?.trimmed
    }

    /// The text without the space around it.
    public var trimmed: String {
        String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
