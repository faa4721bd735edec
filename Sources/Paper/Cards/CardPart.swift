/// What a card says once: a piece of the name, a note, where one met.
public enum CardPart: String, Sendable, CaseIterable {
    case name, prefix, given, middle, family, suffix, maiden, nickname, pronouns, tags, note, language
    case metAt, metOn

    /// Its place among the pieces of a name.
    fileprivate var place: Int? {
        switch self {
        case .family: 0
        case .given: 1
        case .middle: 2
        case .prefix: 3
        case .suffix: 4
        default: nil
        }
    }

    /// What a card calls it, in whatever version; a new one gets the first.
    fileprivate var names: [String] {
        switch self {
        case .name: ["FN"]
        case .prefix, .given, .middle, .family, .suffix: ["N"]
        case .maiden: ["X-MAIDENNAME"]
        case .nickname: ["NICKNAME"]
        case .pronouns: ["PRONOUNS", "X-PRONOUNS"]
        case .tags: ["CATEGORIES"]
        case .note: ["NOTE"]
        case .language: ["LANG", "X-LANG"]
        case .metAt: ["X-MET-AT"]
        case .metOn: ["X-MET-ON"]
        }
    }
}

extension ContactCard {
    /// What the card says of it, for a person to read and change.
    public subscript(part: CardPart) -> String {
        switch part {
        case .name: return CardText.trimmed(first("FN")?.text ?? "")
        case .tags: return tags.joined(separator: ", ")
        case .nickname: return first("NICKNAME")?.list.joined(separator: ", ") ?? ""
        case .note:
            return all("NOTE").map(\.text).filter { !$0.isEmpty }.prefix(1).joined()
        case .metOn: return first(part.names[0]).map { CardDate(of: $0)?.shown ?? $0.text } ?? ""
        default:
            guard let place = part.place else {
                return CardText.trimmed(
                    part.names.lazy.compactMap { self.first($0)?.text }.first ?? "")
            }
            guard let parts = first("N")?.parts, place < parts.count else { return "" }
            return CardText.trimmed(parts[place].joined(separator: ", "))
        }
    }

    /// Tags and groups, each once.
    public var tags: [String] {
        var known: Set<String> = []
        return all("CATEGORIES").flatMap(\.list).map(CardText.trimmed).filter {
            !$0.isEmpty && known.insert($0).inserted
        }
    }

    /// Says it anew, and leaves whatever else the card says as it stands.
    mutating func set(_ part: CardPart, _ text: String) {
        let text = CardText.trimmed(text)
        guard text != self[part] else { return }
        switch part {
        case .tags: return setTags(Self.list(text))
        case .nickname:
            write(part.names, Self.list(text).map(CardText.escaped).joined(separator: ","))
        case .metOn: write(part.names, CardDate(text)?.extended ?? CardText.escaped(text))
        default:
            guard let place = part.place else { return write(part.names, CardText.escaped(text)) }
            // The other pieces stay as they are spelled.
            var pieces = CardText.split(first("N")?.value ?? "", at: UInt8(ascii: ";"))
            while pieces.count < 5 { pieces.append("") }
            let values = part == .middle || part == .suffix || part == .prefix ? Self.list(text) : [text]
            pieces[place] = values.map(CardText.escaped).joined(separator: ",")
            write(part.names, pieces.joined(separator: ";"), keepsEmpty: true)
        }
    }

    /// Those that go are wiped from wherever they stand; those that come stand behind the others.
    public mutating func setTags(_ tags: [String]) {
        let before = self.tags
        let gone = Set(before).subtracting(tags)
        let come = tags.filter { !before.contains($0) }
        if !gone.isEmpty {
            for place in properties.indices.reversed() where properties[place].name == "CATEGORIES" {
                let list = properties[place].list
                let kept = list.filter { !gone.contains(CardText.trimmed($0)) }
                guard kept.count < list.count else { continue }
                if kept.isEmpty {
                    properties.remove(at: place)
                } else {
                    properties[place].value = kept.map(CardText.escaped).joined(separator: ",")
                }
            }
        }
        guard !come.isEmpty else { return }
        let spelled = come.map(CardText.escaped).joined(separator: ",")
        if let place = properties.firstIndex(where: { $0.name == "CATEGORIES" }) {
            properties[place].value += (properties[place].value.isEmpty ? "" : ",") + spelled
        } else {
            properties.append(CardProperty("CATEGORIES", spelled))
        }
    }

    private static func list(_ text: String) -> [String] {
        var known: Set<String> = []
        return text.split(separator: ",").map { CardText.trimmed(String($0)) }.filter {
            !$0.isEmpty && known.insert($0).inserted
        }
    }

    private mutating func write(_ names: [String], _ value: String, keepsEmpty: Bool = false) {
        let isEmpty = value.utf8.allSatisfy { $0 == UInt8(ascii: ";") }
        guard let place = properties.firstIndex(where: { names.contains($0.name) }) else {
            if !isEmpty { properties.append(CardProperty(names[0], value)) }
            return
        }
        if isEmpty, !keepsEmpty {
            properties.remove(at: place)
        } else {
            properties[place].value = value
        }
    }
}
