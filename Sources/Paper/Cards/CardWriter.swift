import Bytes

/// Writes a card as vCard 2.1, 3.0 or 4.0: to the letter of the standard, whatever it was read from.
struct CardWriter {
    private let card: ContactCard
    private let form: CardForm

    init(_ card: ContactCard, _ form: CardForm) {
        self.card = card
        self.form = form
    }

    var bytes: [UInt8] {
        if let spliced { return spliced }
        var text: [UInt8] = []
        text.reserveCapacity(1024)
        text += "BEGIN:VCARD\r\n".utf8
        let version = form == .vcard21 ? "2.1" : form == .vcard3 ? "3.0" : "4.0"
        text += "VERSION:\(version)\r\n".utf8
        // In its own form, only what was changed is written anew.
        let isOwnForm = form == card.form
        if isOwnForm {
            for property in card.properties where property.name != "VERSION" {
                if let written = card.written(property) {
                    text += written
                    if written.last != 0x0A { text += "\r\n".utf8 }
                } else {
                    for converted in CardVersions.converted(property, to: form) {
                        Self.append(converted, form, to: &text)
                    }
                }
            }
        } else {
            for property in CardVersions(card).properties(for: form) {
                Self.append(property, form, to: &text)
            }
        }
        text += "END:VCARD\r\n".utf8
        return text
    }

    /// The card as it came with only the lines written anew that say something else: what belongs to no property, how lines end
    /// and how they are folded stays. Nil for what did not come in this form, or stands in another order now.
    private var spliced: [UInt8]? {
        guard form == card.form, let (bytes, before) = card.kept else { return nil }
        let ranges = before.compactMap(\.source)
        guard ranges.count == before.count, let first = ranges.first,
            zip(ranges, ranges.dropFirst()).allSatisfy({ $0.upperBound <= $1.lowerBound })
        else { return nil }
        var text = Array(bytes[..<first.lowerBound])
        var place = first.lowerBound
        var range = 0
        /// What stands before `end` and is no property.
        func rest(until end: Int) {
            while range < ranges.count, ranges[range].upperBound <= end {
                text += bytes[place..<ranges[range].lowerBound]
                place = ranges[range].upperBound
                range += 1
            }
            if place < end { text += bytes[place..<end] }
            place = max(place, end)
        }
        let kept = Set(card.properties.compactMap { $0.source?.lowerBound })
        for property in card.properties {
            if let source = property.source {
                guard source.lowerBound >= place, source.upperBound <= bytes.count else { return nil }
                rest(until: source.lowerBound)
                text += bytes[source]
                place = source.upperBound
                while range < ranges.count, ranges[range].upperBound <= place { range += 1 }
            } else {
                // It stands where the one it took the place of stood.
                if range < ranges.count, !kept.contains(ranges[range].lowerBound) {
                    rest(until: ranges[range].upperBound)
                }
                if let last = text.last, last != 0x0A, last != 0x0D { text += "\r\n".utf8 }
                for converted in CardVersions.converted(property, to: form) {
                    Self.append(converted, form, to: &text)
                }
            }
        }
        rest(until: bytes.count)
        return text
    }

    static func line(_ property: CardProperty, _ form: CardForm) -> String {
        var bytes: [UInt8] = []
        append(property, form, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(_ property: CardProperty, _ form: CardForm, to text: inout [UInt8]) {
        var property = property
        var line: [UInt8] = []
        if let group = property.group.map(word), !group.isEmpty { line += "\(group).".utf8 }
        line += (spelled[property.name] ?? word(property.name)).utf8
        var value = form == .vcard21 ? plainer(property) : property.value
        // One control character stops whole telephones.
        value.unicodeScalars.removeAll {
            $0.value < 0x20 && $0 != "\t" && (form != .vcard21 || $0 != "\n" && $0 != "\r")
        }
        if form == .vcard21, value.utf8.contains(where: { $0 >= 0x80 || $0 == 0x0A || $0 == 0x0D }) {
            property.parameters += [
                CardParameter("CHARSET", "UTF-8"), CardParameter("ENCODING", "QUOTED-PRINTABLE"),
            ]
            for parameter in property.parameters { append(parameter, form, to: &line) }
            line.append(UInt8(ascii: ":"))
            return quotedPrintable(value, behind: line, to: &text)
        }
        for parameter in property.parameters { append(parameter, form, to: &line) }
        line.append(UInt8(ascii: ":"))
        line += value.utf8
        FoldedLine.write(line, to: &text)
        // vCard 2.1 ends what is base64 with an empty line.
        if form == .vcard21, property["ENCODING"] == "BASE64" { text += "\r\n".utf8 }
    }

    /// As those spell them who made them up; a name means the same in any letters, but not to every program.
    private static let spelled = ["X-ABLABEL": "X-ABLabel", "X-ABSHOWAS": "X-ABShowAs"]

    private static func append(_ parameter: CardParameter, _ form: CardForm, to line: inout [UInt8]) {
        guard !parameter.values.isEmpty else { return }
        if form == .vcard21 {
            for value in parameter.values {
                var plain = value
                plain.unicodeScalars.removeAll { $0.value < 0x20 || ";:,\"".unicodeScalars.contains($0) }
                line +=
                    parameter.name == "TYPE"
                    ? ";\(plain.uppercased())".utf8 : ";\(word(parameter.name))=\(plain)".utf8
            }
            return
        }
        line += ";\(word(parameter.name))=".utf8
        // Several types go into one pair of marks, as the examples of the standard do: all of them is one list either way.
        let values = parameter.values.map { coded($0) }
        line += values.joined(separator: ",").utf8
    }

    /// RFC 6868, and marks around what would end the value.
    private static func coded(_ value: String) -> String {
        var coded = ""
        var needsMarks = value.isEmpty
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\n": coded += "^n"
            case "^": coded += "^^"
            case "\"": coded += "^'"
            case ",", ";", ":":
                needsMarks = true
                coded.unicodeScalars.append(scalar)
            default: if scalar.value >= 0x20 || scalar == "\t" { coded.unicodeScalars.append(scalar) }
            }
        }
        return needsMarks ? "\"\(coded)\"" : coded
    }

    /// A name holds letters, digits and strokes; whatever else came is a stroke.
    private static func word(_ name: String) -> String {
        func isFit(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: "-") || byte >= 0x30 && byte <= 0x39
                || byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A
        }
        guard !name.utf8.allSatisfy(isFit) else { return name }
        return String(
            decoding: name.utf8.map { isFit($0) || $0 == UInt8(ascii: ".") ? $0 : UInt8(ascii: "-") },
            as: UTF8.self)
    }

    /// In vCard 2.1 only a semicolon has a stroke, and an end of line is one.
    private static func plainer(_ property: CardProperty) -> String {
        switch property.kind {
        case .text: return property.text
        case .texts: return property.list.joined(separator: ",")
        case .parts, .plainParts:
            return property.plainParts.map { $0.replacing(";", with: "\\;") }.joined(separator: ";")
        default: return property.value
        }
    }

    private static func quotedPrintable(
        _ value: String, behind head: [UInt8], to text: inout [UInt8]
    ) {
        text += head
        var width = head.count
        var wasReturn = false
        func put(_ letters: [UInt8]) {
            if width + letters.count > 75 {
                text += "=\r\n".utf8
                width = 0
            }
            text += letters
            width += letters.count
        }
        for byte in value.utf8 {
            switch byte {
            case 0x0A:
                if !wasReturn { put(Array("=0D=0A".utf8)) }
            case 0x0D: put(Array("=0D=0A".utf8))
            case 0x21...0x3C, 0x3E...0x7E, 0x20: put([byte])
            default: put(Array("=\(Hex.encode([byte]).uppercased())".utf8))
            }
            wasReturn = byte == 0x0D
        }
        text += "\r\n".utf8
    }
}

/// As cards and calendars write a line.
public enum FoldedLine {
    /// At most 75 octets, never cut within a letter or between a stroke and its sign.
    public static func write(_ line: [UInt8], to text: inout [UInt8]) {
        var start = 0
        var room = 75
        while line.count - start > room {
            var end = start + room
            while end > start + 1, line[end] & 0xC0 == 0x80 { end -= 1 }
            var strokes = 0
            while end - strokes > start + 1, line[end - strokes - 1] == 0x5C { strokes += 1 }
            if strokes % 2 == 1, end > start + 2 { end -= 1 }
            text += line[start..<end]
            text += "\r\n ".utf8
            start = end
            room = 74
        }
        text += line[start...]
        text += "\r\n".utf8
    }
}
