import Bytes
import Glibc

/// Reads vCards of every version, and what telephones make of them, out of bytes.
///
/// It goes once over the bytes and makes texts only of what a card says, since an address book may have a hundred thousand.
struct CardReader {
    let limits: CardLimits
    let letters: String

    func each(_ bytes: [UInt8], _ body: (CardFile.Found) throws -> Void) rethrows {
        try bytes.withUnsafeBufferPointer { bytes in
            var lines = CardLines(bytes)
            var open = OpenCard(start: 0, line: 0)
            var isOpen = false
            var count = 0
            func close(at end: Int) throws {
                isOpen = false
                try body(open.finished(bytes, end: end))
            }
            while let line = lines.next() {
                if Self.is(line.content, "BEGIN:VCARD") {
                    if isOpen, open.isAtAgent {
                        open.nest(lines.nested(line, limits.depth), limits)
                        continue
                    }
                    if isOpen {
                        open.oddities.append(CardOddity(line: open.line, kind: .noEnd))
                        try close(at: line.start)
                    }
                    count += 1
                    guard count <= limits.cardCount else {
                        return try body(
                            .refusal(
                                CardRefusal(
                                    line: line.number, name: "",
                                    reason: .tooManyCards(limit: limits.cardCount))))
                    }
                    open = OpenCard(start: line.start, line: line.number)
                    isOpen = true
                } else if isOpen {
                    if Self.is(line.content, "END:VCARD") {
                        try close(at: line.end)
                    } else {
                        open.take(line, self)
                    }
                }
            }
            if isOpen {
                open.oddities.append(CardOddity(line: open.line, kind: .noEnd))
                try close(at: bytes.count)
            }
        }
    }

    /// Whether a line says nothing else, without regard to case and white space behind it.
    static func `is`(_ line: UnsafeBufferPointer<UInt8>, _ words: StaticString) -> Bool {
        var count = line.count
        let length = words.utf8CodeUnitCount
        guard count >= length else { return false }
        while count > length, line[count - 1] <= 0x20 { count -= 1 }
        guard count == length, let start = line.baseAddress else { return false }
        return words.withUTF8Buffer { words in
            words.withMemoryRebound(to: CChar.self) { words in
                start.withMemoryRebound(to: CChar.self, capacity: length) { start in
                    words.baseAddress.map { strncasecmp(start, $0, length) == 0 } ?? false
                }
            }
        }
    }
}

/// A card of which the end has not come yet.
private struct OpenCard {
    let start: Int
    let line: Int
    var properties: [CardProperty] = []
    var oddities: [CardOddity] = []
    var memberCount = 0
    var version: CardForm?
    var refusal: CardRefusal.Reason?

    init(start: Int, line: Int) {
        self.start = start
        self.line = line
        properties.reserveCapacity(16)
    }

    /// vCard 2.1 lays the card of an agent inside, line by line.
    var isAtAgent: Bool {
        guard let last = properties.last else { return false }
        return last.name == "AGENT" && last.value.isEmpty
    }

    mutating func nest(_ nested: (text: [UInt8]?, end: Int), _ limits: CardLimits) {
        guard let text = nested.text else {
            refusal = refusal ?? .tooDeep(limit: limits.depth)
            return
        }
        guard let agent = properties.popLast() else { return }
        properties.append(
            CardProperty(
                agent.name, CardText.escaped(String(decoding: text, as: UTF8.self)), agent.parameters,
                group: agent.group, source: agent.source.map { $0.lowerBound..<nested.end - start }))
    }

    mutating func take(_ line: CardLines.Line, _ reader: CardReader) {
        guard refusal == nil else { return }
        guard properties.count - memberCount < reader.limits.propertyCount else {
            refusal = .tooManyProperties(limit: reader.limits.propertyCount)
            return
        }
        guard line.end - start <= reader.limits.cardByteCount else {
            refusal = .cardTooLarge(limit: reader.limits.cardByteCount)
            return
        }
        guard
            let property = PropertyReader(
                line.content, isQuotedPrintable: line.isQuotedPrintable, version: version,
                letters: reader.letters
            ).read(source: line.start - start..<line.end - start)
        else {
            goOn(line, reader.limits)
            return
        }
        if CardKind.holdsFile(property.name), property.value.utf8.count > reader.limits.fileByteCount {
            refusal = .pictureTooLarge(limit: reader.limits.fileByteCount)
            return
        }
        if property.name == "VERSION", version == nil {
            let said = property.value
            version = said.hasPrefix("2") ? .vcard21 : said.hasPrefix("4") ? .vcard4 : .vcard3
        }
        if property.value.utf8.contains(0xEF), property.value.unicodeScalars.contains("\u{FFFD}") {
            oddities.append(CardOddity(line: line.number, kind: .letters))
        }
        if ContactCard.isMembership(property.name) { memberCount += 1 }
        properties.append(property)
    }

    /// A line without a colon goes on what the one before it said: Google breaks long addresses of pictures so, and telephones
    /// base64. Of anything else it is odd, and lives on among the card's bytes.
    private mutating func goOn(_ line: CardLines.Line, _ limits: CardLimits) {
        let text = CardText.trimmed(String(decoding: line.content, as: UTF8.self))
        guard !text.isEmpty else { return }
        let last = properties.count - 1
        guard last >= 0, CardKind.holdsFile(properties[last].name) else {
            oddities.append(CardOddity(line: line.number, kind: .unreadable))
            return
        }
        properties[last].append(text, until: line.end - start)
        if properties[last].value.utf8.count > limits.fileByteCount {
            refusal = .pictureTooLarge(limit: limits.fileByteCount)
        }
    }

    func finished(_ bytes: UnsafeBufferPointer<UInt8>, end: Int) -> CardFile.Found {
        func refused(_ reason: CardRefusal.Reason) -> CardFile.Found {
            let card = ContactCard(properties, form: .vcard3, line: line, bytes: nil)
            return .refusal(CardRefusal(line: line, name: card.name, reason: reason))
        }
        if let refusal { return refused(refusal) }
        return .card(
            {
                var card = ContactCard(
                    properties, form: version ?? .vcard3, line: line, bytes: Array(bytes[start..<end]))
                card.oddities = oddities
                if version == nil { card.oddities.append(CardOddity(line: line, kind: .noVersion)) }
                return card
            }())
    }
}

/// The lines of a file of cards, with folded ones put together (RFC 6350, 3.2) and those of vCard 2.1 that go on after a `=`.
struct CardLines {
    struct Line {
        var content: UnsafeBufferPointer<UInt8>
        var number: Int
        /// Where it begins and ends among the bytes, its end of line included.
        var start: Int
        var end: Int
        var isQuotedPrintable: Bool
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private var place: Int
    private var number = 0
    /// Holds a folded line while it is looked at.
    private let joined = Joined()

    private final class Joined {
        var room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 4096)
        var count = 0

        deinit { room.deallocate() }

        func append(_ more: UnsafeBufferPointer<UInt8>) {
            if count + more.count > room.count {
                let larger = UnsafeMutableBufferPointer<UInt8>.allocate(
                    capacity: max(room.count * 2, count + more.count))
                _ = larger.update(fromContentsOf: room.prefix(count))
                room.deallocate()
                room = larger
            }
            guard !more.isEmpty else { return }
            _ = UnsafeMutableBufferPointer(rebasing: room[count...]).update(fromContentsOf: more)
            count += more.count
        }

        var content: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: room[..<count]) }
    }

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        place = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// Empty lines say nothing, wherever they are.
    mutating func next() -> Line? {
        while true {
            let start = place
            guard let first = physical() else { return nil }
            guard !first.isEmpty else { continue }
            let line = number
            var content = UnsafeBufferPointer(rebasing: bytes[first])
            let isQuoted = content.last == UInt8(ascii: "=") && Self.saysQuotedPrintable(content)
            var isJoined = false
            while place < bytes.count {
                let isSoft = isQuoted && (isJoined ? joined.content : content).last == UInt8(ascii: "=")
                guard isSoft || bytes[place] == 0x20 || bytes[place] == 0x09 else { break }
                guard let more = physical() else { break }
                if !isJoined {
                    joined.count = 0
                    joined.append(content)
                    isJoined = true
                }
                if isSoft { joined.count -= 1 }
                joined.append(UnsafeBufferPointer(rebasing: bytes[isSoft ? more : more.dropFirst()]))
            }
            if isJoined { content = joined.content }
            return Line(
                content: content, number: line, start: start, end: place,
                isQuotedPrintable: isQuoted || Self.saysQuotedPrintable(content))
        }
    }

    /// The lines of a card within a card, and where it ends; no text when there are too many cards in one another.
    mutating func nested(_ begin: Line, _ limit: Int) -> (text: [UInt8]?, end: Int) {
        var depth = 1
        var deepest = 1
        var text = Array("BEGIN:VCARD\n".utf8)
        while depth > 0, let line = physical() {
            let content = UnsafeBufferPointer(rebasing: bytes[line])
            text += content
            if CardReader.is(content, "BEGIN:VCARD") { depth += 1 }
            if CardReader.is(content, "END:VCARD") { depth -= 1 }
            deepest = max(deepest, depth)
            if depth > 0 { text.append(0x0A) }
        }
        return (deepest <= limit ? text : nil, place)
    }

    /// One line as it stands, without its end.
    private mutating func physical() -> Range<Int>? {
        guard place < bytes.count, let base = bytes.baseAddress else { return nil }
        number += 1
        let start = place
        let left = bytes.count - start
        var end = bytes.count
        if let found = memchr(base + start, 0x0A, left) {
            end = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            place = end + 1
        } else {
            place = bytes.count
        }
        if let found = memchr(base + start, 0x0D, end - start) {
            let carriage = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            // A lone CR ends a line as well; several before an LF are one end.
            if bytes[carriage..<end].contains(where: { $0 != 0x0D }) { place = carriage + 1 }
            end = carriage
        }
        return start..<end
    }

    private static func saysQuotedPrintable(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        // Before the colon; most lines have no equals sign there at all.
        guard let base = line.baseAddress, let found = memchr(base, 0x3A, line.count) else { return false }
        let head = UnsafeBufferPointer(
            start: base, count: UnsafeRawPointer(found) - UnsafeRawPointer(base))
        guard head.count > 16, let semicolon = head.firstIndex(of: 0x3B) else { return false }
        let words = UnsafeBufferPointer(rebasing: head[semicolon...])
        guard words.contains(where: { $0 | 0x20 == UInt8(ascii: "q") }) else { return false }
        return String(decoding: words, as: UTF8.self).uppercased().contains("QUOTED-PRINTABLE")
    }
}
