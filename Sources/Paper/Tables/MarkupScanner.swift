import Glibc

/// Walks through XML without building anything: tags and texts where they lie in the buffer.
///
/// Made for the two spreadsheet formats, so it is strict where they are: no document type (entities could
/// otherwise grow without end or read files), and what is not well-formed ends with a sentence.
final class MarkupScanner {
    enum Event { case start, end, text, done }

    private let input: TextInput
    private let limits: TableLimits
    private var buffer: UnsafeMutablePointer<UInt8>
    private var capacity = 256 << 10
    private var position = 0
    private var end = 0
    private var isAtEnd = false
    /// The name without its prefix, and what follows it in the tag.
    private var nameRange = 0..<0
    private var attributesRange = 0..<0
    private var textRange = 0..<0
    private var isEndWaiting = false
    private var isCharacterData = false
    private(set) var depth = 0

    private static let deepest = 256

    init(_ source: ByteSource, limits: TableLimits) throws(TableError) {
        let head = try source.read(atMost: 4)
        // The formats allow UTF-16, and somebody uses it.
        let encoding =
            head.starts(with: [0xFF, 0xFE])
            ? "UTF-16LE" : head.starts(with: [0xFE, 0xFF]) ? "UTF-16BE" : "UTF-8"
        var rest = head[...]
        if head.starts(with: [0xEF, 0xBB, 0xBF]) { rest = head.dropFirst(3) }
        if encoding != "UTF-8" { rest = head.dropFirst(2) }
        input = try TextInput(ReplayedBytes(rest, then: source), encoding: encoding)
        self.limits = limits
        buffer = .allocate(capacity: capacity)
    }

    deinit { buffer.deallocate() }

    // MARK: What was found

    func isNamed(_ name: StaticString) -> Bool {
        nameRange.count == name.utf8CodeUnitCount
            && memcmp(buffer + nameRange.lowerBound, name.utf8Start, nameRange.count) == 0
    }

    /// The first letter of the name and its length, to choose by before comparing.
    var nameKey: (first: UInt8, count: Int) {
        (nameRange.isEmpty ? 0 : buffer[nameRange.lowerBound], nameRange.count)
    }

    /// As it stands there, with entities.
    var rawText: UnsafeBufferPointer<UInt8> { pointer(textRange) }

    func appendText(to bytes: inout [UInt8]) throws(TableError) {
        // A text may come in pieces, each of them short enough.
        guard bytes.count + rawText.count <= limits.rowByteCount else { throw tooLong }
        Self.append(rawText, to: &bytes, isPlain: isCharacterData)
    }

    /// The value of an attribute, by its name without prefix.
    func attribute(_ name: StaticString) -> String? {
        var found: String?
        eachAttribute { key, value in
            guard found == nil, key.count == name.utf8CodeUnitCount,
                let start = key.baseAddress, memcmp(start, name.utf8Start, key.count) == 0
            else { return }
            var bytes: [UInt8] = []
            Self.append(value, to: &bytes, isPlain: false)
            found = String(decoding: bytes, as: UTF8.self)
        }
        return found
    }

    /// Every attribute of the tag: its name without prefix and its value as it stands there.
    func eachAttribute(
        _ body: (_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) -> Void
    ) {
        var place = attributesRange.lowerBound
        let end = attributesRange.upperBound
        while place < end {
            while place < end, buffer[place] <= 0x20 { place += 1 }
            var start = place
            while place < end, buffer[place] != UInt8(ascii: "="), buffer[place] > 0x20 {
                place += 1
                if buffer[place - 1] == UInt8(ascii: ":") { start = place }
            }
            let name = start..<place
            while place < end, buffer[place] != UInt8(ascii: "="), buffer[place] <= 0x20 { place += 1 }
            guard place < end, buffer[place] == UInt8(ascii: "=") else { return }
            place += 1
            while place < end, buffer[place] <= 0x20 { place += 1 }
            guard place < end else { return }
            let mark = buffer[place]
            guard mark == UInt8(ascii: "\"") || mark == UInt8(ascii: "'") else { return }
            place += 1
            let value = place
            while place < end, buffer[place] != mark { place += 1 }
            body(pointer(name), pointer(value..<place))
            place += 1
        }
    }

    private func pointer(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: buffer + range.lowerBound, count: range.count)
    }

    // MARK: Going on

    func next() throws(TableError) -> Event {
        if isEndWaiting {
            isEndWaiting = false
            depth -= 1
            return .end
        }
        while true {
            if position == end, !(try fill()) {
                guard depth == 0 else { throw cutOff }
                return .done
            }
            if buffer[position] != UInt8(ascii: "<") { return try text() }
            // Four bytes tell all kinds of markup apart, but for the longest.
            while end - position < 9, try fill() {}
            guard end - position >= 2 else { throw cutOff }
            switch buffer[position + 1] {
            case UInt8(ascii: "/"):
                let close = try find(">", from: position + 2)
                setName(position + 2, close)
                position = close + 1
                depth -= 1
                guard depth >= 0 else { throw wrong }
                return .end
            case UInt8(ascii: "?"):
                position = try find("?>", from: position + 2) + 2
            case UInt8(ascii: "!"):
                if begins(with: "<!--") {
                    position = try find("-->", from: position + 4) + 3
                } else if begins(with: "<![CDATA[") {
                    let close = try find("]]>", from: position + 9)
                    textRange = position + 9..<close
                    position = close + 3
                    isCharacterData = true
                    return .text
                } else {
                    throw TableError("The file declares a document type, which no spreadsheet does.")
                }
            default: return try tag()
            }
        }
    }

    /// Everything up to the end of the element whose start was found last.
    func skip() throws(TableError) {
        let outside = depth - 1
        while depth > outside {
            if try next() == .done { return }
        }
    }

    private func tag() throws(TableError) -> Event {
        var close = position + 1
        while true {
            guard close < end else {
                let offset = close - position
                guard try fill() else { throw cutOff }
                close = position + offset
                continue
            }
            let byte = buffer[close]
            if byte == UInt8(ascii: ">") { break }
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                // A value may hold the sign that ends tags.
                close = try find(byte, from: close + 1)
            }
            close += 1
        }
        let isEmpty = buffer[close - 1] == UInt8(ascii: "/")
        setName(position + 1, close - (isEmpty ? 1 : 0))
        guard !nameRange.isEmpty else { throw wrong }
        position = close + 1
        depth += 1
        guard depth < Self.deepest else { throw wrong }
        isEndWaiting = isEmpty
        return .start
    }

    private func setName(_ first: Int, _ close: Int) {
        var place = first
        var start = first
        while place < close, buffer[place] > 0x20 {
            if buffer[place] == UInt8(ascii: ":") { start = place + 1 }
            place += 1
        }
        nameRange = start..<place
        attributesRange = place..<close
    }

    private func text() throws(TableError) -> Event {
        isCharacterData = false
        var from = 0
        while true {
            if let found = memchr(buffer + position + from, 0x3C, end - position - from) {
                let close = found - UnsafeMutableRawPointer(buffer)
                textRange = position..<close
                position = close
                return .text
            }
            from = end - position
            guard try fill() else {
                textRange = position..<end
                position = end
                return .text
            }
        }
    }

    /// Where this byte is next; everything from `position` on stays in the buffer.
    private func find(_ byte: UInt8, from first: Int) throws(TableError) -> Int {
        var offset = first - position
        while true {
            if position + offset < end,
                let found = memchr(buffer + position + offset, Int32(byte), end - position - offset)
            {
                return found - UnsafeMutableRawPointer(buffer)
            }
            offset = max(offset, end - position)
            guard try fill() else { throw cutOff }
        }
    }

    private func find(_ mark: StaticString, from first: Int) throws(TableError) -> Int {
        var offset = first - position
        while true {
            let place = try find(mark.utf8Start[0], from: position + offset)
            offset = place - position
            while end - (position + offset) < mark.utf8CodeUnitCount {
                guard try fill() else { throw cutOff }
            }
            if memcmp(buffer + position + offset, mark.utf8Start, mark.utf8CodeUnitCount) == 0 {
                return position + offset
            }
            offset += 1
        }
    }

    private func begins(with mark: StaticString) -> Bool {
        end - position >= mark.utf8CodeUnitCount
            && memcmp(buffer + position, mark.utf8Start, mark.utf8CodeUnitCount) == 0
    }

    private func fill() throws(TableError) -> Bool {
        guard !isAtEnd else { return false }
        if position > 0 {
            buffer.update(from: buffer + position, count: end - position)
            end -= position
            position = 0
        }
        if end == capacity {
            guard capacity <= limits.rowByteCount else { throw tooLong }
            let wider = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2)
            wider.update(from: buffer, count: end)
            buffer.deallocate()
            buffer = wider
            capacity *= 2
        }
        let room = UnsafeMutableRawBufferPointer(start: buffer + end, count: capacity - end)
        let count = try input.read(into: room)
        end += count
        isAtEnd = count == 0
        return count > 0
    }

    private var tooLong: TableError { TableError("A cell is longer than \(limits.rowByteCount >> 20) MB.") }
    private var cutOff: TableError { TableError("The file is cut off: it ends in the middle of the table.") }
    private var wrong: TableError { TableError("The file is damaged: its XML is not well-formed.") }

    // MARK: Entities

    /// The five entities and character numbers; any other would need a document type.
    static func append(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8], isPlain: Bool) {
        guard !isPlain, let start = text.baseAddress, memchr(start, 0x26, text.count) != nil else {
            bytes.append(contentsOf: text)
            return
        }
        var place = 0
        while place < text.count {
            let byte = text[place]
            guard byte == UInt8(ascii: "&") else {
                bytes.append(byte)
                place += 1
                continue
            }
            let rest = text[(place + 1)...].prefix(12)
            guard let close = rest.firstIndex(of: UInt8(ascii: ";")) else {
                bytes.append(byte)
                place += 1
                continue
            }
            let name = String(decoding: rest[..<close], as: UTF8.self)
            switch name {
            case "amp": bytes.append(0x26)
            case "lt": bytes.append(0x3C)
            case "gt": bytes.append(0x3E)
            case "quot": bytes.append(0x22)
            case "apos": bytes.append(0x27)
            default:
                if name.hasPrefix("#"), let scalar = scalar(name.dropFirst()) {
                    bytes.append(contentsOf: String(Character(scalar)).utf8)
                } else {
                    bytes.append(contentsOf: text[place...close])
                }
            }
            place = close + 1
        }
    }

    private static func scalar(_ digits: Substring) -> Unicode.Scalar? {
        let number = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return number.flatMap { $0 == 0 ? nil : Unicode.Scalar($0) }
    }
}
