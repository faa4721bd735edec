extension ContactCard {
    /// What two made of a card that both knew as `base`, as one card: the other's, and on it whatever was changed here since then.
    ///
    /// Lines, numbers and addresses that were added on either side are all there, and what either took away is gone; a line that
    /// both changed stands twice. Of a name each part is from whoever changed it. Of what a card says once, this side is believed where
    /// both changed it, and the other's name becomes a nickname; two notes become one behind the other. What is of the program
    /// that wrote a card is the other's.
    public func joined(with other: ContactCard, since base: ContactCard) -> ContactCard {
        let mine = asIfWritten(like: other)
        let base = base.asIfWritten(like: other)
        var card = other
        for name in Self.once where mine.values(name) != base.values(name) {
            card.properties.removeAll { $0.name == name }
            card.properties += mine.all(name).map(\.detached)
        }
        let nickname = card.joinName(of: mine, other, base)
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
        if let nickname { card.addNickname(nickname) }
        return card
    }

    /// Makes a name of what either made of its parts, and gives back what the other calls somebody where that is lost.
    private mutating func joinName(
        of mine: ContactCard, _ other: ContactCard, _ base: ContactCard
    ) -> String? {
        func isChanged(_ card: ContactCard) -> Bool {
            ["FN", "N"].contains { card.values($0) != base.values($0) }
        }
        // Names in several languages are not taken apart.
        let isPlain = [mine, other, base].allSatisfy { $0.all("FN").count <= 1 && $0.all("N").count <= 1 }
        guard isPlain, isChanged(mine), isChanged(other) else { return nil }
        let pieces = [mine, other, base].map {
            CardText.split($0.first("N")?.value ?? "", at: UInt8(ascii: ";"))
        }
        let count = pieces.map(\.count).max() ?? 0
        let padded = pieces.map { $0 + Array(repeating: "", count: count - $0.count) }
        var joined = padded[1]
        var isTorn = false
        for place in 0..<count where padded[0][place] != padded[2][place] {
            if padded[1][place] != padded[2][place], padded[1][place] != padded[0][place] { isTorn = true }
            joined[place] = padded[0][place]
        }
        let isMixed = joined != padded[0] && joined != padded[1]
        if isMixed, var name = mine.first("N")?.detached {
            name.value = joined.joined(separator: ";")
            properties.removeAll { $0.name == "N" || $0.name == "FN" }
            properties.append(name)
            properties.append(.text("FN", nameOfParts))
        }
        let isLost = other.values("FN") != base.values("FN") && other.name != name && (isTorn || !isMixed)
        return isLost ? other.name : nil
    }

    private mutating func addNickname(_ name: String) {
        guard let place = properties.firstIndex(where: { $0.name == "NICKNAME" }) else {
            return properties.append(.text("NICKNAME", name))
        }
        guard !properties[place].list.contains(name) else { return }
        properties[place].value += "," + CardText.escaped(name)
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
