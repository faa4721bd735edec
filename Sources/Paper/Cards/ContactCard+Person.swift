extension ContactCard {
    /// What it calls itself, the same wherever the card goes.
    public var uid: String? { nonEmpty(first("UID")?.text) }

    /// What somebody is called; made of the parts of the name, the organization or an address when the card does not say.
    public var name: String {
        if let said = nonEmpty(first("FN")?.text) { return said }
        return nonEmpty(nameOfParts) ?? nonEmpty(first("NICKNAME")?.list.first)
            ?? nonEmpty(organization) ?? emails.first ?? phones.first ?? ""
    }

    /// Title, given, middle and family name, and what comes behind.
    var nameOfParts: String {
        guard let parts = first("N")?.parts else { return "" }
        func part(_ place: Int) -> [String] {
            place < parts.count ? parts[place].map(CardText.trimmed).filter { !$0.isEmpty } : []
        }
        // RFC 9554 says generation and second surname apart, and the old places say them as well.
        let ends = part(4) + part(6).filter { !part(4).contains($0) }
        let families = part(0) + part(5).filter { !part(0).contains($0) }
        return (part(3) + part(1) + part(2) + families + ends).joined(separator: " ")
    }

    public var familyName: String { namePart(0) }
    public var givenName: String { namePart(1) }

    private func namePart(_ place: Int) -> String {
        guard let parts = first("N")?.parts, place < parts.count else { return "" }
        return CardText.trimmed(parts[place].joined(separator: ","))
    }

    /// Preferred ones first.
    public var emails: [String] { preferred("EMAIL", without: "mailto:") }
    public var phones: [String] {
        let found = all("TEL")
        return (found.filter(\.isPreferred) + found.filter { !$0.isPreferred }).map(\.number).filter {
            !$0.isEmpty
        }
    }

    private func preferred(_ name: String, without scheme: String) -> [String] {
        let found = all(name)
        let ordered = found.filter(\.isPreferred) + found.filter { !$0.isPreferred }
        return ordered.map { property in
            let text = CardText.trimmed(property.text)
            return text.lowercased().hasPrefix(scheme) ? String(text.dropFirst(scheme.count)) : text
        }.filter { !$0.isEmpty }
    }

    /// With its departments: `Institut Lumière, Biology`.
    public var organization: String {
        (first("ORG")?.plainParts ?? []).map(CardText.trimmed).filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// The card as text without what would not be looked at: pictures, sounds, keys.
    public var withoutFiles: String {
        guard form == .vcard21 || form == .vcard3 || form == .vcard4, let untouched else {
            var card = self
            card.properties.removeAll { CardKind.holdsFile($0.name) && $0.value.utf8.count > 1024 }
            return String(decoding: CardWriter(card, .vcard4).bytes, as: UTF8.self)
        }
        var text: [UInt8] = []
        var place = 0
        for property in properties where CardKind.holdsFile(property.name) {
            guard let source = property.source, source.lowerBound >= place else { continue }
            text += untouched[place..<source.lowerBound]
            place = source.upperBound
        }
        return String(decoding: text + untouched[place...], as: UTF8.self)
    }

    /// What it says, by the names of columns: `Name`, `E-mail`, `E-mail 2`, `City`, …
    public var fields: [(name: String, value: String)] {
        var cells: [(name: String, value: String)] = []
        func add(_ name: String, _ text: String?) {
            let text = CardText.trimmed(text ?? "")
            if !text.isEmpty, !cells.contains(where: { $0.name == name }) { cells.append((name, text)) }
        }
        func addAll(_ name: String, _ texts: [String]) {
            for (place, text) in texts.prefix(5).enumerated() {
                add(place == 0 ? name : "\(name) \(place + 1)", text)
            }
        }
        add("Name", name)
        let names = first("N")?.parts ?? []
        func namePart(_ place: Int) -> String {
            place < names.count ? names[place].joined(separator: ",") : ""
        }
        add("First name", namePart(1))
        add("Last name", namePart(0))
        add("Middle name", namePart(2))
        add("Title", namePart(3))
        add("Suffix", namePart(4))
        add("Nickname", first("NICKNAME")?.list.joined(separator: ", "))
        addAll("E-mail", emails)
        addAll("Phone", all("TEL").map(\.number))
        let organization = first("ORG")?.plainParts ?? []
        add("Organization", organization.first)
        add("Department", organization.dropFirst().joined(separator: ", "))
        add("Job title", first("TITLE")?.text)
        for (place, address) in all("ADR").prefix(3).enumerated() {
            let number = place == 0 ? "" : " \(place + 1)"
            let parts = address.parts
            func part(_ place: Int) -> String {
                place < parts.count ? CardText.trimmed(parts[place].joined(separator: ",")) : ""
            }
            add(
                "Street\(number)", [part(0), part(1), part(2)].filter { !$0.isEmpty }.joined(separator: ", "))
            add("City\(number)", part(3))
            add("Region\(number)", part(4))
            add("Postal code\(number)", part(5))
            add("Country\(number)", part(6))
        }
        add("Birthday", first("BDAY").map { CardDate(of: $0)?.shown ?? $0.text })
        add("Website", first("URL")?.text)
        add("Note", first("NOTE")?.text)
        add("Categories", all("CATEGORIES").flatMap(\.list).joined(separator: ", "))
        return cells
    }
}

/// Nil for what says nothing.
func nonEmpty(_ text: String?) -> String? {
    guard let text = text.map(CardText.trimmed), !text.isEmpty else { return nil }
    return text
}
