extension JSON {
    /// On one line, without spaces.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    public var bytes: [UInt8] { written() }

    /// On several lines, indented by two spaces, for people.
    public var pretty: String { String(decoding: written(indented: true), as: UTF8.self) }

    /// Safe between `<script>` tags: what could end the script or open a comment is escaped. Inside a JSON text
    /// these characters occur in strings only, so escaping changes nothing for who reads it.
    public var textForScript: String { String(decoding: written(forScript: true), as: UTF8.self) }

    private func written(indented: Bool = false, forScript: Bool = false) -> [UInt8] {
        var writer = JSONWriter(isIndented: indented, isForScript: forScript)
        writer.write(self)
        return writer.bytes
    }
}

extension JSON: CustomStringConvertible {
    public var description: String { text }
}

struct JSONWriter {
    let isIndented: Bool
    let isForScript: Bool
    private(set) var bytes: [UInt8] = []
    private var depth = 0

    init(isIndented: Bool, isForScript: Bool) {
        self.isIndented = isIndented
        self.isForScript = isForScript
    }

    mutating func write(_ value: JSON) {
        switch value {
        case .null: append("null")
        case .bool(let value): append(value ? "true" : "false")
        case .integer(let value): bytes.append(contentsOf: String(value).utf8)
        // JSON has no word for infinity or "not a number".
        case .number(let value): bytes.append(contentsOf: (value.isFinite ? value.description : "null").utf8)
        case .string(let value): write(value)
        case .array(let elements):
            list("[", elements, "]") { writer, element in writer.write(element) }
        case .object(let members):
            list("{", members, "}") { writer, member in
                writer.write(member.key)
                writer.append(writer.isIndented ? ": " : ":")
                writer.write(member.value)
            }
        }
    }

    private mutating func list<Elements: Collection>(
        _ opening: StaticString, _ elements: Elements, _ closing: StaticString,
        _ body: (inout JSONWriter, Elements.Element) -> Void
    ) {
        append(opening)
        depth += 1
        var isFirst = true
        for element in elements {
            if !isFirst { append(",") }
            isFirst = false
            newLine()
            body(&self, element)
        }
        depth -= 1
        if !isFirst { newLine() }
        append(closing)
    }

    private mutating func newLine() {
        guard isIndented else { return }
        append("\n")
        for _ in 0..<depth { append("  ") }
    }

    private mutating func write(_ text: String) {
        append("\"")
        var text = text
        text.withUTF8 { utf8 in
            // Runs without anything to escape are copied whole.
            var run = 0
            for place in utf8.indices where needsEscape(utf8, place) {
                bytes.append(contentsOf: utf8[run..<place])
                run = place + escape(utf8, place)
            }
            bytes.append(contentsOf: utf8[run...])
        }
        append("\"")
    }

    private func needsEscape(_ utf8: UnsafeBufferPointer<UInt8>, _ place: Int) -> Bool {
        switch utf8[place] {
        case 0..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"): true
        case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"): isForScript
        case 0xE2: isForScript && isLineSeparator(utf8, place)
        default: false
        }
    }

    /// U+2028 and U+2029 ended a line in JavaScript strings before 2019.
    private func isLineSeparator(_ utf8: UnsafeBufferPointer<UInt8>, _ place: Int) -> Bool {
        place + 2 < utf8.count && utf8[place + 1] == 0x80 && utf8[place + 2] & 0xFE == 0xA8
    }

    /// Writes the escape and says how many bytes it stands for.
    private mutating func escape(_ utf8: UnsafeBufferPointer<UInt8>, _ place: Int) -> Int {
        switch utf8[place] {
        case UInt8(ascii: "\""): append("\\\"")
        case UInt8(ascii: "\\"): append("\\\\")
        case 0x0A: append("\\n")
        case 0x0D: append("\\r")
        case 0x09: append("\\t")
        case 0xE2:
            append(utf8[place + 2] == 0xA8 ? "\\u2028" : "\\u2029")
            return 3
        case let byte:
            append("\\u00")
            bytes.append(Hex.digit(byte >> 4))
            bytes.append(Hex.digit(byte & 15))
        }
        return 1
    }

    private mutating func append(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
