public import Bytes

// jCard, the vCard of the web (RFC 7095): ["vcard", [["fn", {}, "text", "Ana Lima"], …]].
extension ContactCard {
    public var jCard: JSON {
        let properties = CardVersions(self).properties(for: .vcard4)
        var list: [JSON] = [["version", [:], "text", "4.0"]]
        list += properties.map { JCardProperty.json($0) }
        return ["vcard", .array(list)]
    }

    /// Nil for what is no jCard.
    init?(jCard json: JSON, line: Int, bytes: [UInt8]?) {
        guard json[0]?.string?.lowercased() == "vcard", let list = json[1]?.array else { return nil }
        let properties = list.compactMap(JCardProperty.property).filter { $0.name != "VERSION" }
        self.init(properties, form: .jcard, line: line, bytes: bytes)
    }
}

enum JCardProperty {
    /// `isUnsaid` is how JSContact keeps what it has no place for: the kind of a value is “unknown” as long as the card does not
    /// say it (RFC 9555, 2.15.2).
    static func json(_ property: CardProperty, isUnsaid: Bool = false) -> JSON {
        var parameters = JSONObject()
        if let group = property.group { parameters["group"] = .string(group) }
        for parameter in property.parameters where parameter.name != "VALUE" {
            let name = parameter.name.lowercased()
            parameters[name] =
                parameter.values.count == 1
                ? .string(parameter.values[0]) : .array(parameter.values.map(JSON.string))
        }
        let said = property["VALUE"]?.lowercased()
        var type = said ?? (isUnsaid ? "unknown" : type(of: property))
        var values: [JSON]
        switch property.kind {
        case .text: values = [.string(property.text)]
        case .texts: values = property.list.map(JSON.string)
        case .parts:
            values = [
                .array(
                    property.parts.map { $0.count == 1 ? .string($0[0]) : .array($0.map(JSON.string)) })
            ]
        case .plainParts:
            let parts = property.plainParts
            values = parts.count == 1 ? [.string(parts[0])] : [.array(parts.map(JSON.string))]
        case .address: values = [.string(property.text)]
        case .date:
            values = [.string(isUnsaid ? property.text : date(property.text))]
        case .unknown:
            if said == "text" {
                values = [.string(CardText.plain(property.value))]
            } else {
                values = [.string(property.value)]
                if said == nil { type = "unknown" }
            }
        }
        return .array([.string(property.name.lowercased()), .object(parameters), .string(type)] + values)
    }

    private static func type(of property: CardProperty) -> String {
        switch property.kind {
        case .text:
            property.name == "LANG" || property.name == "LANGUAGE" ? "language-tag" : "text"
        case .texts, .parts, .plainParts: "text"
        case .address: property.name == "UID" && !CardVersions.isAddress(property.value) ? "text" : "uri"
        case .date:
            property.name == "REV" || property.name == "CREATED" ? "timestamp" : "date-and-or-time"
        case .unknown: "unknown"
        }
    }

    /// jCard writes days as the web does: 1996-04-15.
    private static func date(_ text: String) -> String {
        guard let date = CardDate(text) else { return text }
        guard let time = date.time else { return date.shown }
        if let utc = date.utc { return utc }
        let signs = Array(time)
        guard signs.count >= 6, signs.prefix(6).allSatisfy(\.isNumber) else { return text }
        let clock = "\(String(signs[0..<2])):\(String(signs[2..<4])):\(String(signs[4..<6]))"
        return "\(date.shown)T\(clock)\(String(signs[6...]))"
    }

    static func property(_ json: JSON) -> CardProperty? {
        guard let list = json.array, list.count >= 4, let name = list[0].string?.uppercased(), !name.isEmpty
        else { return nil }
        var group: String?
        var parameters: [CardParameter] = []
        for (key, value) in list[1].object ?? [:] {
            if key.lowercased() == "group" {
                group = value.string
            } else {
                let values = value.array?.map(word) ?? [word(value)]
                parameters.append(CardParameter(key.uppercased(), values))
            }
        }
        let type = list[2].string?.lowercased() ?? "unknown"
        let kind = CardKind(of: name)
        if type == "uri", kind != .address, kind != .unknown {
            parameters.append(CardParameter("VALUE", "uri"))
        } else if type == "text", kind == .address || kind == .date || kind == .unknown {
            parameters.append(CardParameter("VALUE", "text"))
        } else if kind == .unknown, type != "unknown" {
            parameters.append(CardParameter("VALUE", type))
        }
        let property = CardProperty(name, "", parameters, group: group)
        var written = property
        written.value = list[3...].map { value(of: $0, property.kind, type) }.joined(separator: ",")
        return written
    }

    private static func value(of json: JSON, _ kind: CardKind, _ type: String) -> String {
        if let parts = json.array {
            return parts.map { part in
                (part.array ?? [part]).map { CardText.escaped(word($0)) }.joined(separator: ",")
            }.joined(separator: ";")
        }
        let text = word(json)
        switch kind {
        case .text, .texts, .parts, .plainParts: return CardText.escaped(text)
        case .date: return CardDate(text)?.basic ?? CardText.escaped(text)
        case .address: return text
        case .unknown: return type == "text" ? CardText.escaped(text) : text
        }
    }

    private static func word(_ json: JSON) -> String {
        switch json {
        case .string(let text): text
        case .null: ""
        default: json.text
        }
    }
}

/// Files of cards in JSON: one card, or an array of them.
struct JSONCards {
    private let bytes: [UInt8]
    private let limits: CardLimits

    init(_ bytes: [UInt8], _ limits: CardLimits) {
        self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        self.limits = limits
    }

    func each(_ body: (CardFile.Found) throws -> Void) rethrows {
        var count = 0
        for (range, line) in pieces() {
            count += 1
            guard count <= limits.cardCount else {
                return try body(
                    .refusal(
                        CardRefusal(line: line, name: "", reason: .tooManyCards(limit: limits.cardCount))))
            }
            try body(found(Array(bytes[range]), line))
        }
    }

    private func found(_ bytes: [UInt8], _ line: Int) -> CardFile.Found {
        func refused(_ reason: CardRefusal.Reason, _ name: String = "") -> CardFile.Found {
            .refusal(CardRefusal(line: line, name: name, reason: reason))
        }
        guard bytes.count <= limits.cardByteCount else {
            return refused(.cardTooLarge(limit: limits.cardByteCount))
        }
        let json: JSON
        do throws(JSONError) {
            json = try JSON(
                parsing: bytes, maximumDepth: limits.depth * 4, maximumBytes: limits.cardByteCount)
        } catch {
            return refused(error.reason.hasSuffix("levels") ? .tooDeep(limit: limits.depth * 4) : .noCard)
        }
        let card =
            json.object == nil
            ? ContactCard(jCard: json, line: line, bytes: bytes)
            : ContactCard(jsContact: json, line: line, bytes: bytes)
        guard let card else { return refused(.noCard) }
        guard card.properties.count(where: { !ContactCard.isMembership($0.name) }) <= limits.propertyCount
        else {
            return refused(.tooManyProperties(limit: limits.propertyCount), card.name)
        }
        if card.properties.contains(where: {
            CardKind.holdsFile($0.name) && $0.value.utf8.count > limits.fileByteCount
        }) {
            return refused(.pictureTooLarge(limit: limits.fileByteCount), card.name)
        }
        return .card(card)
    }

    /// Where each card stands, so that it is kept as it came: the whole file, or the elements of its array.
    private func pieces() -> [(range: Range<Int>, line: Int)] {
        var place = 0
        var line = 1
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }
        while place < bytes.count, isSpace(bytes[place]) {
            if bytes[place] == 0x0A { line += 1 }
            place += 1
        }
        guard place < bytes.count else { return [] }
        let whole = [(range: 0..<bytes.count, line: line)]
        guard bytes[place] == UInt8(ascii: "[") else { return whole }
        // ["vcard", …] is one card, [[…], …] and [{…}, …] are several.
        let first = bytes[(place + 1)...].first { !isSpace($0) }
        guard first == UInt8(ascii: "[") || first == UInt8(ascii: "{") else { return whole }
        var found: [(range: Range<Int>, line: Int)] = []
        var depth = 0
        var start = 0
        var startLine = line
        var isString = false
        var isBehindStroke = false
        for at in place..<bytes.count {
            let byte = bytes[at]
            if byte == 0x0A { line += 1 }
            if isString {
                if isBehindStroke {
                    isBehindStroke = false
                } else if byte == 0x5C {
                    isBehindStroke = true
                } else if byte == UInt8(ascii: "\"") {
                    isString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isString = true
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                if depth == 2 { (start, startLine) = (at, line) }
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                if depth == 1 { found.append((start..<at + 1, startLine)) }
                if depth == 0 { return found }
            default: break
            }
        }
        // An array that does not end: what stands behind the last whole card is none.
        return found + (depth > 1 ? [(start..<bytes.count, startLine)] : [])
    }
}
