/// What a card may say many times: a telephone number and what it is called, an address, a link, a day.
public struct CardLine: Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
        case phone, email, address, link, organization, title, date
    }

    public var kind: Kind
    /// One of the kind's `types`, or empty.
    public var type: String
    /// What the owner of the card calls it.
    public var label: String
    /// The value; of an address and an organization its parts.
    public var parts: [String]

    public init(_ kind: Kind, _ parts: [String], type: String = "", label: String = "") {
        self.kind = kind
        self.type = type
        self.label = label
        self.parts = parts
    }

    public init(_ kind: Kind, _ value: String, type: String = "", label: String = "") {
        self.init(kind, [value], type: type, label: label)
    }

    public var value: String { parts.first ?? "" }
    public var isEmpty: Bool { parts.allSatisfy(\.isEmpty) }

    /// As one would say it in a line.
    public var text: String {
        guard kind == .address else { return parts.filter { !$0.isEmpty }.joined(separator: ", ") }
        // Box, flat, street, then the postal code before its town.
        var pieces = parts + Array(repeating: "", count: max(0, 7 - parts.count))
        pieces[3] = [pieces[5], pieces[3]].filter { !$0.isEmpty }.joined(separator: " ")
        pieces.remove(at: 5)
        return pieces.filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// Says which line is meant by what it said when it was looked at: whoever changed it meanwhile made another one of it.
    func key(_ number: Int) -> String {
        "\(kind.rawValue)-\(CardText.fingerprint(shape.joined(separator: "\u{1F}")))-\(number)"
    }

    /// Whether it says what the key was made of: then somebody who looked at it left it as it was.
    public func isKnown(by key: String) -> Bool {
        guard let number = key.split(separator: "-").last.flatMap({ Int($0) }) else { return false }
        return self.key(number) == key
    }

    /// What it says, however it is broken into lines: a field of a page holds one.
    private var shape: [String] { ([type, label] + parts).map(CardText.collapsed) }

    func isSame(as other: CardLine) -> Bool { kind == other.kind && shape == other.shape }
}

extension CardLine.Kind {
    /// What a line of the kind may be called without a word of one's own.
    public var types: [String] {
        switch self {
        case .phone: ["cell", "work", "home", "main", "fax", "pager", "other"]
        case .email, .address, .link: ["work", "home", "other"]
        case .organization: []
        case .title: ["title", "role"]
        case .date: ["birthday", "anniversary", "other"]
        }
    }

    /// Of its parts; those of an address stand as a card has them: box, flat, street, town, region, postal code, country.
    public var partCount: Int {
        switch self {
        case .address: 7
        case .organization: 2
        default: 1
        }
    }

    init?(_ name: String) {
        switch name {
        case "TEL": self = .phone
        case "EMAIL": self = .email
        case "ADR": self = .address
        case "URL", "SOCIALPROFILE", "X-SOCIALPROFILE", "IMPP": self = .link
        case "ORG": self = .organization
        case "TITLE", "ROLE": self = .title
        case "BDAY", "ANNIVERSARY", "X-ANNIVERSARY", "X-ABDATE": self = .date
        default: return nil
        }
    }

    fileprivate func name(for type: String) -> String {
        switch self {
        case .phone: "TEL"
        case .email: "EMAIL"
        case .address: "ADR"
        case .link: "URL"
        case .organization: "ORG"
        case .title: type == "role" ? "ROLE" : "TITLE"
        case .date: type == "birthday" ? "BDAY" : type == "anniversary" ? "ANNIVERSARY" : "X-ABDATE"
        }
    }

    /// Whether the name of the property, and no parameter, tells the type.
    fileprivate var isNamed: Bool { self == .title || self == .date }
}

/// What was wrong with a line one wrote.
public struct CardLineFault: Error, Equatable {
    public enum Reason: String, Sendable { case email, phone, link, date, long, many }
    public var kind: CardLine.Kind
    public var value: String
    public var reason: Reason
}

extension CardLine {
    /// Of all lines of a card.
    static let most = 200
    static let longest = 2_000

    /// As it is kept: without white space around it, a link with its scheme. Throws for what can be no line of its kind.
    func cleaned() throws(CardLineFault) -> CardLine {
        var line = self
        line.parts = parts.prefix(kind.partCount).map(CardText.trimmed)
        while line.parts.count < kind.partCount { line.parts.append("") }
        line.label = CardText.trimmed(label)
        guard line.parts.allSatisfy({ $0.utf8.count <= Self.longest }), line.label.utf8.count <= 200 else {
            throw fault(.long)
        }
        guard !line.isEmpty else { return line }
        switch kind {
        case .email:
            let halves = line.value.split(separator: "@", omittingEmptySubsequences: false)
            guard halves.count == 2, halves.allSatisfy({ !$0.isEmpty }), !line.value.contains(" ") else {
                throw fault(.email)
            }
        case .phone:
            guard line.value.contains(where: \.isNumber) else { throw fault(.phone) }
        case .link:
            if !CardVersions.isAddress(line.value) { line.parts[0] = "https://" + line.value }
            guard line.value.contains("."), CardVersions.isAddress(line.value) else {
                // An address of a chat needs no point: `xmpp:ana@desk`.
                guard CardVersions.isAddress(value) else { throw fault(.link) }
                break
            }
        case .date:
            guard let date = CardDate(line.value), date.time == nil else { throw fault(.date) }
            line.parts[0] = date.shown
        case .address, .organization, .title: break
        }
        return line
    }

    private func fault(_ reason: CardLineFault.Reason) -> CardLineFault {
        CardLineFault(kind: kind, value: String(text.prefix(100)), reason: reason)
    }
}

extension ContactCard {
    /// A line of the card, and what it is known by while somebody looks at it.
    public struct KeyedLine: Sendable, Equatable {
        public var key: String
        public var line: CardLine
        /// Where its property stands.
        let place: Int
    }

    /// In the order of the card.
    public var lines: [KeyedLine] {
        var counts: [String: Int] = [:]
        return properties.indices.compactMap { place in
            guard let line = line(properties[place]), !line.isEmpty else { return nil }
            let key = line.key(0)
            let number = counts[key, default: 0]
            counts[key] = number + 1
            return KeyedLine(key: line.key(number), line: line, place: place)
        }
    }

    private func line(_ property: CardProperty) -> CardLine? {
        guard let kind = CardLine.Kind(property.name) else { return nil }
        var parts: [String]
        switch kind {
        case .phone: parts = [property.number]
        case .email:
            let text = CardText.trimmed(property.text)
            parts = [text.lowercased().hasPrefix("mailto:") ? String(text.dropFirst(7)) : text]
        case .address: parts = property.parts.map { CardText.trimmed($0.joined(separator: ", ")) }
        case .organization:
            let said = property.plainParts.map(CardText.trimmed)
            parts = [
                said.first ?? "", said.dropFirst().filter { !$0.isEmpty }.joined(separator: ", "),
            ]
        case .date: parts = [CardDate(of: property)?.shown ?? CardText.trimmed(property.text)]
        case .link, .title: parts = [CardText.trimmed(property.text)]
        }
        parts = Array(parts.prefix(kind.partCount))
        while parts.count < kind.partCount { parts.append("") }
        return CardLine(kind, parts, type: type(property, kind), label: label(of: property))
    }

    private func type(_ property: CardProperty, _ kind: CardLine.Kind) -> String {
        switch property.name {
        case "BDAY": return "birthday"
        case "ANNIVERSARY", "X-ANNIVERSARY": return "anniversary"
        case "X-ABDATE": return "other"
        case "TITLE": return "title"
        case "ROLE": return "role"
        default:
            let said = property.types
            // A fax at work is told as a fax.
            if kind == .phone, said.contains("fax") { return "fax" }
            return kind.types.first { said.contains($0) } ?? ""
        }
    }

    /// `_$!<Mobile>!$_` is how Apple marks words that each telephone says in its own language.
    private func label(of property: CardProperty) -> String {
        let own = property.group.flatMap { group in
            properties.first { $0.name == "X-ABLABEL" && $0.group == group }?.text
        }
        let text = own ?? service(property) ?? ""
        guard text.hasPrefix("_$!<"), text.hasSuffix(">!$_") else { return CardText.trimmed(text) }
        return String(text.dropFirst(4).dropLast(4))
    }

    /// Where a profile is: `LinkedIn`.
    private func service(_ property: CardProperty) -> String? {
        guard CardLine.Kind(property.name) == .link, property.name != "URL" else { return nil }
        return property["SERVICE-TYPE"] ?? property["X-SERVICE-TYPE"]
            ?? property.parameters.first { $0.name == "TYPE" }?.values.first {
                !["work", "home", "pref", "other"].contains($0.lowercased())
            }
    }

    // MARK: Changing

    /// Puts another line in the place of one; one that says nothing goes, and what it was called with it.
    mutating func change(_ old: KeyedLine, to line: CardLine) {
        guard !line.isSame(as: old.line) else { return }
        guard !line.isEmpty else { return remove(at: old.place) }
        let kind = line.kind
        if line.parts != old.line.parts {
            let value = Self.value(line, instead: properties[old.place])
            properties[old.place].value = value
            properties[old.place].parameters.removeAll {
                ["VALUE", "ENCODING", "CHARSET", "X-APPLE-OMIT-YEAR", "LABEL", "X-TIME"].contains($0.name)
            }
        }
        if line.type != old.line.type {
            if kind.isNamed {
                properties[old.place].name = kind.name(for: line.type)
            } else {
                var types = properties[old.place].types.filter { $0 != old.line.type }
                if !line.type.isEmpty { types.insert(line.type, at: 0) }
                properties[old.place].set(types: types)
            }
        }
        if line.label != old.line.label { label(at: old.place, line.label) }
    }

    mutating func add(_ line: CardLine) {
        guard !line.isEmpty else { return }
        var property = CardProperty(line.kind.name(for: line.type), Self.value(line))
        if !line.kind.isNamed, !line.type.isEmpty { property.set(types: [line.type]) }
        properties.append(property)
        if !line.label.isEmpty { label(at: properties.count - 1, line.label) }
    }

    private mutating func remove(at place: Int) {
        let group = properties.remove(at: place).group
        // What it was called goes as well, when nothing else is called so.
        guard let group, properties.allSatisfy({ $0.group != group || $0.name.hasPrefix("X-AB") }) else {
            return
        }
        properties.removeAll { $0.group == group }
    }

    private mutating func label(at place: Int, _ text: String) {
        let group = properties[place].group
        if let group,
            let said = properties.firstIndex(where: { $0.name == "X-ABLABEL" && $0.group == group })
        {
            if text.isEmpty {
                properties.remove(at: said)
            } else {
                properties[said].value = CardText.escaped(text)
            }
            return
        }
        guard !text.isEmpty else { return }
        let own = group ?? unusedGroup
        if group == nil { properties[place].group = own }
        properties.insert(CardProperty("X-ABLABEL", CardText.escaped(text), group: own), at: place + 1)
    }

    var unusedGroup: String {
        let used = Set(properties.compactMap { $0.group?.lowercased() })
        return (1...).lazy.map { "item\($0)" }.first { !used.contains($0) } ?? "item"
    }

    private static func value(_ line: CardLine, instead of: CardProperty? = nil) -> String {
        switch line.kind {
        case .phone, .email, .title: CardText.escaped(line.value)
        case .link: line.value
        case .date: CardDate(line.value)?.basic ?? CardText.escaped(line.value)
        case .organization:
            ([line.value]
                + (line.parts.count > 1 && !line.parts[1].isEmpty ? [line.parts[1]] : []))
                .map(CardText.escaped).joined(separator: ";")
        case .address:
            // A part that did not change stays as it is spelled.
            line.parts.enumerated().map { place, part in
                let before = of.map { CardText.split($0.value, at: UInt8(ascii: ";")) } ?? []
                let parts = of?.parts ?? []
                if place < before.count, place < parts.count,
                    CardText.trimmed(parts[place].joined(separator: ", ")) == part
                {
                    return before[place]
                }
                return CardText.escaped(part)
            }.joined(separator: ";")
        }
    }
}
