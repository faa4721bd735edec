/// Two cards of one person, made one: field by field as somebody chooses, and without losing what nobody asked about.
///
/// The first card is kept as it stands; what only the second says is written behind it.
public struct CardMerge: Sendable {
    public enum Side: String, Sendable, CaseIterable { case first, second, both }

    /// What a card says once, so that one of two has to be chosen.
    public enum Field: String, Sendable, CaseIterable {
        case name, photo, maiden, nickname, pronouns, note, language, metAt, metOn

        /// Only of notes both can stay.
        public var sides: [Side] { self == .note ? Side.allCases : [.first, .second] }

        fileprivate var part: CardPart? { CardPart(rawValue: rawValue) }
    }

    public struct Line: Sendable, Equatable {
        /// Which it is among the lines of both.
        public var key: String
        public var side: Side
        public var line: CardLine
        /// The first card says the same, or says what there can be only one of.
        public var isDouble: Bool
    }

    public let first: ContactCard
    public let second: ContactCard
    /// Which card is believed where they differ; the first that says anything where nothing was chosen.
    public var choices: [Field: Side] = [:]
    /// Keys of lines that do not come along.
    public var without: Set<String>

    public init(_ first: ContactCard, _ second: ContactCard) {
        self.first = first
        self.second = second
        without = []
        without = Set(lines.filter(\.isDouble).map(\.key))
    }

    /// What the cards say of a field; a photo only whether there is one.
    public func said(_ field: Field, by side: Side) -> String {
        let card = side == .second ? second : first
        switch field {
        case .name: return card.name
        case .photo: return card.first("PHOTO").map(\.value) ?? ""
        default: return field.part.map { card[$0] } ?? ""
        }
    }

    /// Where both say something, and not the same.
    public var differing: [Field] {
        Field.allCases.filter { field in
            let (one, other) = (said(field, by: .first), said(field, by: .second))
            return !one.isEmpty && !other.isEmpty && one != other
        }
    }

    /// Of both, those of the first in front.
    public var lines: [Line] {
        let own = first.lines.map {
            Line(key: "first/\($0.key)", side: .first, line: $0.line, isDouble: false)
        }
        var known = Set(own.map { Self.shape($0.line) })
        return own
            + second.lines.map { line in
                let isNew = known.insert(Self.shape(line.line)).inserted
                return Line(key: "second/\(line.key)", side: .second, line: line.line, isDouble: !isNew)
            }
    }

    /// Two lines with the same shape say the same: a number however it is written, one birthday.
    private static func shape(_ line: CardLine) -> String {
        let said: String
        switch line.kind {
        case .phone:
            let digits = line.value.filter(\.isWholeNumber)
            said = digits.utf8.count >= 9 ? String(digits.suffix(9)) : digits
        case .date where line.type != "other": said = line.type
        case .link:
            var text = CardText.collapsed(line.value).lowercased()
            while text.hasSuffix("/") { text.removeLast() }
            said = text
        default: said = line.parts.map(CardText.collapsed).joined(separator: "\u{1F}").lowercased()
        }
        return "\(line.kind.rawValue)\u{1F}\(said)"
    }

    private func side(_ field: Field) -> Side {
        if let chosen = choices[field], field.sides.contains(chosen) { return chosen }
        return said(field, by: .first).isEmpty ? .second : .first
    }

    public var merged: ContactCard {
        var card = first
        for known in first.lines.reversed() where without.contains("first/\(known.key)") {
            card.change(known, to: CardLine(known.line.kind, ""))
        }
        for field in Field.allCases { take(field, into: &card) }
        card.setTags(first.tags + second.tags.filter { !first.tags.contains($0) })
        var groups: [String: String] = [:]
        let lines = second.lines
        for place in second.properties.indices {
            let property = second.properties[place]
            if let line = lines.first(where: { $0.place == place }) {
                guard !without.contains("second/\(line.key)") else { continue }
                // There is one birthday; another one that is wanted all the same is some other day.
                if line.line.kind == .date, line.line.type != "other",
                    card.lines.contains(where: { $0.line.type == line.line.type && $0.line.kind == .date })
                {
                    card.add(CardLine(.date, line.line.parts, type: "other", label: line.line.type))
                    continue
                }
            } else if !isCarried(property, by: card) {
                continue
            }
            card.take(property, from: second, &groups)
        }
        return card
    }

    private func take(_ field: Field, into card: inout ContactCard) {
        let side = side(field)
        guard side != .first, !said(field, by: .second).isEmpty else { return }
        switch field {
        case .name:
            for name in ["FN", "N"] {
                let own = second.first(name)
                guard let place = card.properties.firstIndex(where: { $0.name == name }) else {
                    if let own { card.properties.append(own.detached) }
                    continue
                }
                if let own {
                    card.properties[place] = own.detached
                } else {
                    card.properties.remove(at: place)
                }
            }
        case .photo:
            card.properties.removeAll { $0.name == "PHOTO" }
            if let photo = second.first("PHOTO") { card.properties.append(photo.detached) }
        case .note where side == .both:
            card.set(.note, [first[.note], second[.note]].filter { !$0.isEmpty }.joined(separator: "\n\n"))
        default: if let part = field.part { card.set(part, second[part]) }
        }
    }

    /// What is no line and no field comes along when the first card does not say it, or nothing it could say only once.
    private func isCarried(_ property: CardProperty, by card: ContactCard) -> Bool {
        if Self.ofItsOwn.contains(property.name) || property.name.hasPrefix("X-AB") && property.group != nil {
            return false
        }
        if Self.onlyOnce.contains(property.name) { return card.first(property.name) == nil }
        return !card.properties.contains(property.detached)
    }

    /// Of each card alone, or decided field by field.
    private static let ofItsOwn: Set<String> = [
        "VERSION", "UID", "REV", "PRODID", "CREATED", "FN", "N", "PHOTO", "CATEGORIES", "NOTE", "NICKNAME",
        "PRONOUNS", "X-PRONOUNS", "X-MAIDENNAME", "LANG", "X-LANG", "X-MET-AT", "X-MET-ON", "SORT-STRING",
    ]

    private static let onlyOnce: Set<String> = [
        "KIND", "GENDER", "X-GENDER", "GRAMGENDER", "TZ", "GEO", "MAILER", "CLASS", "NAME", "PROFILE",
        "X-ABSHOWAS", "X-PHONETIC-FIRST-NAME", "X-PHONETIC-MIDDLE-NAME", "X-PHONETIC-LAST-NAME", "LANGUAGE",
        "DEATHDATE", "BIRTHPLACE", "DEATHPLACE",
    ]
}

extension CardProperty {
    /// The same, without its place in the card it comes from.
    var detached: CardProperty { CardProperty(name, value, parameters, group: group) }
}

extension ContactCard {
    /// Writes a property of another card behind the others, with what it is called there.
    mutating func take(
        _ property: CardProperty, from other: ContactCard, _ groups: inout [String: String]
    ) {
        var own = property.detached
        guard let group = property.group else { return properties.append(own) }
        if let known = groups[group] {
            own.group = known
            return properties.append(own)
        }
        let name = unusedGroup
        groups[group] = name
        own.group = name
        properties.append(own)
        for said in other.properties where said.group == group && said.name.hasPrefix("X-AB") {
            guard CardLine.Kind(said.name) == nil else { continue }
            var said = said.detached
            said.group = name
            properties.append(said)
        }
    }
}
