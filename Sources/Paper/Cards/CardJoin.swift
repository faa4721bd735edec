extension ContactCard {
    /// What two made of a card that both knew as `base`, as one card: the other's, and on it whatever was changed here since then.
    ///
    /// Lines, numbers and addresses that were added on either side are all there, and what either took away is gone; a line that
    /// both changed stands twice. Of what a card says once, such as the name, this side is believed where both changed it; two
    /// notes become one behind the other. What is of the program that wrote a card is the other's.
    public func joined(with other: ContactCard, since base: ContactCard) -> ContactCard {
        let mine = asIfWritten(like: other)
        let base = base.asIfWritten(like: other)
        var card = other
        for name in Self.once where mine.values(name) != base.values(name) {
            card.properties.removeAll { $0.name == name }
            card.properties += mine.all(name).map(\.detached)
        }
        let notes = (base: base[.note], mine: mine[.note], other: other[.note])
        if notes.mine != notes.base {
            let bothChanged = notes.other != notes.base && notes.other != notes.mine
            let all = bothChanged ? [notes.mine, notes.other] : [notes.mine]
            card.set(.note, all.filter { !$0.isEmpty }.joined(separator: "\n\n"))
        }
        if mine.tags != base.tags {
            let gone = Set(base.tags).subtracting(mine.tags)
            let kept = other.tags.filter { !gone.contains($0) }
            card.setTags(kept + mine.tags.filter { !base.tags.contains($0) && !kept.contains($0) })
        }
        var gone = Self.counted(base.units)
        for unit in mine.units { gone[unit.key, default: 0] -= 1 }
        for (key, count) in gone where count > 0 {
            for _ in 0..<count {
                guard let unit = card.units.first(where: { $0.key == key }) else { break }
                card.drop(unit)
            }
        }
        var known = Self.counted(base.units)
        var there = Self.counted(card.units)
        var groups: [String: String] = [:]
        for unit in mine.units {
            if known[unit.key, default: 0] > 0 {
                known[unit.key, default: 0] -= 1
            } else if there[unit.key, default: 0] > 0 {
                // Both added the same.
                there[unit.key, default: 0] -= 1
            } else {
                card.take(mine.properties[unit.place], from: mine, &groups)
            }
        }
        return card
    }

    /// A line with what is said about it, whatever their group is called.
    private struct Unit {
        var place: Int
        var key: String
    }

    private var units: [Unit] {
        properties.indices.compactMap { place in
            let property = properties[place]
            guard !Self.apart.contains(property.name), !isCompanion(property) else { return nil }
            let said = companions(of: property).map { Self.shape($0) }.sorted()
            return Unit(place: place, key: ([Self.shape(property)] + said).joined(separator: "\u{1E}"))
        }
    }

    private func isCompanion(_ property: CardProperty) -> Bool {
        property.group != nil && property.name.hasPrefix("X-AB") && CardLine.Kind(property.name) == nil
    }

    private func companions(of property: CardProperty) -> [CardProperty] {
        guard let group = property.group else { return [] }
        return properties.filter { $0.group == group && isCompanion($0) }
    }

    private mutating func drop(_ unit: Unit) {
        let property = properties[unit.place]
        properties.remove(at: unit.place)
        guard let group = property.group,
            !properties.contains(where: { $0.group == group && !isCompanion($0) })
        else { return }
        properties.removeAll { $0.group == group }
    }

    private static func shape(_ property: CardProperty) -> String {
        let parameters = property.parameters.map { "\($0.name)=\($0.values.joined(separator: ","))" }.sorted()
        return ([property.name] + parameters + [property.value]).joined(separator: "\u{1F}")
    }

    private static func counted(_ units: [Unit]) -> [String: Int] {
        Dictionary(units.map { ($0.key, 1) }, uniquingKeysWith: +)
    }

    private func values(_ name: String) -> [String] { all(name).map(Self.shape) }

    /// The same in the words of another card's version, where they differ.
    private func asIfWritten(like other: ContactCard) -> ContactCard {
        guard form != other.form else { return self }
        return CardFile(bytes(as: other.form)).cards.first ?? self
    }

    private static let once = [
        "FN", "N", "KIND", "GENDER", "BDAY", "ANNIVERSARY", "PHOTO", "SORT-STRING", "CLASS", "MAILER", "TZ",
        "GEO",
    ]
    /// Joined in ways of their own, or the program's that wrote the card.
    private static let apart: Set<String> = Set(
        once + ["NOTE", "CATEGORIES", "VERSION", "UID", "REV", "PRODID", "CREATED", "BEGIN", "END"])
}
