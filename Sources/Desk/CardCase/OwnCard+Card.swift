import Bytes
public import Cards
import Codes
public import Storage
import Work

extension OwnCard {
    /// What there is beside the card itself when it becomes a file.
    public struct Surroundings: Sendable {
        /// Where the card lies; nil for a desk nobody outside reaches.
        public var address: String?
        /// Pictures as JPEGs.
        public var photo: [UInt8]?
        public var logo: [UInt8]?
        /// What kinds are called in the reader's language.
        public var naming: @Sendable (FieldKind) -> String

        public init(
            address: String? = nil, photo: [UInt8]? = nil, logo: [UInt8]? = nil,
            naming: @escaping @Sendable (FieldKind) -> String = { $0.name }
        ) {
            self.address = address
            self.photo = photo
            self.logo = logo
            self.naming = naming
        }
    }

    /// As a card for address books. What is not for others was taken away before: see `seen(by:)`.
    public func contactCard(_ around: Surroundings = Surroundings()) -> ContactCard {
        var properties = head
        var notes = [headline, note].filter { !$0.isEmpty }
        var count = 0
        for field in fields {
            let named = field.title.isEmpty ? around.naming(field.kind) : field.title
            if field.kind.place == .note {
                notes.append("\(named): \(field.shown)")
            } else {
                properties += Self.properties(of: field, named: named, &count)
            }
        }
        if !notes.isEmpty { properties.append(.text("NOTE", notes.joined(separator: "\n"))) }
        if let address = around.address {
            count += 1
            properties.append(CardProperty("URL", address, group: "item\(count)"))
            properties.append(.text("X-ABLABEL", "Quire", group: "item\(count)"))
        }
        for (name, picture) in [("PHOTO", around.photo), ("LOGO", around.logo)] {
            guard let picture else { continue }
            properties.append(CardProperty(name, "data:image/jpeg;base64,\(Base64.encode(picture))"))
        }
        properties.append(CardProperty("LANG", language.rawValue))
        properties.append(CardProperty("UID", "urn:uuid:\(id)"))
        properties.append(CardProperty("REV", changedAt.iso8601.filter { $0 != "-" && $0 != ":" }))
        return ContactCard(properties)
    }

    /// The file of it. Where it would be more than telephones take, it goes without the logo, then without the photo.
    public func file(as form: CardForm, _ around: Surroundings = Surroundings()) -> [UInt8] {
        var around = around
        let whole = contactCard(around).bytes(as: form)
        guard whole.count > OwnCards.longestCard, around.photo != nil || around.logo != nil else {
            return whole
        }
        if around.logo != nil { around.logo = nil } else { around.photo = nil }
        return file(as: form, around)
    }

    /// Who it is.
    private var head: [CardProperty] {
        let called =
            name.plain.isEmpty ? (name.preferred.isEmpty ? organization : name.preferred) : name.plain
        let marks = accreditations.split(separator: ",").map { String($0).trimmed }.filter { !$0.isEmpty }
        let behind = ([name.suffix] + marks).filter { !$0.isEmpty }
        var properties: [CardProperty] = [
            .text("FN", called),
            .parts(
                "N",
                [[name.family], [name.given], [name.middle], [name.prefix], behind.isEmpty ? [""] : behind]),
        ]
        if !name.preferred.isEmpty { properties.append(.text("NICKNAME", name.preferred)) }
        if !name.maiden.isEmpty { properties.append(.text("X-MAIDENNAME", name.maiden)) }
        if !name.pronouns.isEmpty { properties.append(.text("PRONOUNS", name.pronouns)) }
        if !organization.isEmpty || !department.isEmpty {
            properties.append(
                .parts("ORG", [organization, department].filter { !$0.isEmpty }.map { [$0] }))
        }
        if !title.isEmpty { properties.append(.text("TITLE", title)) }
        return properties
    }

    private static func properties(of field: Field, named: String, _ count: inout Int) -> [CardProperty] {
        func labelled(_ property: CardProperty) -> [CardProperty] {
            count += 1
            var property = property
            property.group = "item\(count)"
            return [property, .text("X-ABLABEL", named, group: "item\(count)")]
        }
        let own = !field.title.isEmpty
        func plain(_ property: CardProperty) -> [CardProperty] { own ? labelled(property) : [property] }
        switch field.kind.place {
        case .telephone(let type):
            let types = type == "work" || type == "home" ? [type, "voice"] : [type]
            let link = field.link ?? ""
            return plain(
                CardProperty("TEL", link, [CardParameter("VALUE", "uri"), CardParameter("TYPE", types)]))
        case .mail: return plain(.text("EMAIL", field.value))
        case .address:
            let lines = field.value.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            let parts = (0..<5).map { [$0 < lines.count ? lines[$0].trimmed : ""] }
            return plain(.parts("ADR", [[""], [""]] + parts))
        case .birthday:
            return [
                CardProperty(
                    "BDAY",
                    field.value.hasPrefix("--")
                        ? "--" + field.value.filter(\.isNumber) : field.value.filter(\.isNumber))
            ]
        case .page: return labelled(CardProperty("URL", field.link ?? field.value))
        case .profile:
            let link = field.link ?? field.value
            return [CardProperty("SOCIALPROFILE", link, [CardParameter("SERVICE-TYPE", field.kind.name)])]
                + labelled(CardProperty("URL", link))
        case .messages(let scheme):
            let service = [CardParameter("SERVICE-TYPE", field.kind.name)]
            let value = field.kind.form == .matrix ? "u/\(field.value.dropFirst())" : field.value
            let coded = value.filter { !$0.isWhitespace && $0 != "(" && $0 != ")" }
            let messages = CardProperty("IMPP", "\(scheme):\(coded)", service)
            guard let link = field.link else { return [messages] }
            return (field.value.contains("://") ? [] : [messages]) + labelled(CardProperty("URL", link))
        case .key: return [CardProperty("KEY", field.value)]
        case .feed: return [CardProperty("FBURL", field.value)]
        case .note: return []
        }
    }
}

/// What a square code of a card holds.
public enum CodeContent: String, Sendable, CaseIterable {
    /// Where the card lies: the smallest code, and never out of date.
    case address
    /// The card itself, for where there is no network.
    case vcard
    /// The same for telephones of old: one name, no title.
    case mecard
}

extension OwnCard {
    /// What goes into a square code, and the names of what found no room.
    ///
    /// Up to version 10 a code can be read from a card of paper (25 mm); what is most wanted may take it to version 15.
    public func codeText(
        _ content: CodeContent, _ around: Surroundings
    ) throws(Failure) -> (text: String, leftOut: [String]) {
        switch content {
        case .address:
            guard let address = around.address else {
                throw Failure(
                    .conflict,
                    "This desk has no address that others reach. Choose the card itself for the code, or set a public address.",
                    field: "as")
            }
            return (address, [])
        case .vcard: return small(around) { String(decoding: $0.bytes(as: .vcard3), as: UTF8.self) }
        case .mecard: return small(around) { MECard.text(of: $0).text }
        }
    }

    private func small(
        _ around: Surroundings, _ write: (ContactCard) -> String
    ) -> (text: String, leftOut: [String]) {
        var chosen: [CardProperty] = head.filter { ["FN", "N"].contains($0.name) }
        var leftOut: [String] = []
        let heads = head.filter { ["ORG", "TITLE"].contains($0.name) }
        var first: [(name: String, properties: [CardProperty])] = []
        var rest: [(name: String, properties: [CardProperty])] = []
        var hasPhone = false
        var hasMail = false
        for field in fields {
            let called = field.title.isEmpty ? around.naming(field.kind) : field.title
            var count = 0
            let all = field.kind.place == .note ? [] : Self.properties(of: field, named: called, &count)
            // What a line is called takes more room than it is worth here.
            var properties = all.filter { $0.name != "X-ABLABEL" && $0.name != "SOCIALPROFILE" }
            for place in properties.indices { properties[place].group = nil }
            switch field.kind.place {
            case .telephone where !hasPhone:
                hasPhone = true
                first.insert((called, properties), at: 0)
            case .mail where !hasMail:
                hasMail = true
                first.append((called, properties))
            case .note: leftOut.append(called)
            default: rest.append((called, properties))
            }
        }
        var wanted = first.map { ($0.name, $0.properties, 15) }
        wanted += heads.map { ($0.text, [$0], 15) }
        if let address = around.address { wanted.append((address, [CardProperty("URL", address)], 15)) }
        wanted += rest.map { ($0.name, $0.properties, 10) }
        for (name, properties, limit) in wanted {
            let text = write(ContactCard(chosen + properties))
            if let version = QRCode.version(for: text), version <= limit {
                chosen += properties
            } else {
                leftOut.append(name)
            }
        }
        return (write(ContactCard(chosen)), leftOut)
    }
}
