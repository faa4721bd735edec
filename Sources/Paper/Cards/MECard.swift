/// Cards small enough for a square code: MECARD of the Japanese telephones, and BIZCARD.
public enum MECard {
    /// What of a card fits, and the names of what does not.
    public static func text(of card: ContactCard) -> (text: String, leftOut: [String]) {
        var text = "MECARD:"
        var leftOut: [String] = []
        func add(_ key: String, _ value: String) {
            let value = CardText.trimmed(value)
            if !value.isEmpty { text += "\(key):\(escaped(value));" }
        }
        let family = card.familyName
        let given = card.givenName
        // A comma parts the two names, so it is none of the signs with a stroke there.
        text += "N:"
        text +=
            family.isEmpty && given.isEmpty
            ? escaped(card.name) : given.isEmpty ? escaped(family) : "\(escaped(family)),\(escaped(given))"
        text += ";"
        var taken: Set<String> = ["N", "FN", "VERSION"]
        for phone in card.phones { add("TEL", phone) }
        for email in card.emails { add("EMAIL", email) }
        taken.formUnion(["TEL", "EMAIL"])
        for (name, key) in [("NICKNAME", "NICKNAME"), ("ORG", "ORG"), ("URL", "URL"), ("NOTE", "NOTE")] {
            taken.insert(name)
            for property in card.all(name) {
                add(
                    key,
                    name == "ORG"
                        ? property.plainParts.joined(separator: ", ")
                        : name == "NICKNAME" ? property.list.joined(separator: ", ") : property.text)
            }
        }
        taken.insert("ADR")
        for address in card.all("ADR") {
            add(
                "ADR",
                address.parts.prefix(7).map { $0.joined(separator: " ") }.filter { !$0.isEmpty }
                    .joined(separator: ", "))
        }
        if let born = card.first("BDAY"), let date = CardDate(of: born), date.year != nil, date.day != nil {
            taken.insert("BDAY")
            add("BDAY", CardDate(year: date.year, month: date.month, day: date.day).basic)
        }
        for property in card.properties where !taken.contains(property.name) {
            if !leftOut.contains(property.name) { leftOut.append(property.name) }
        }
        return (text + ";", leftOut)
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text.replacing("\r\n", with: " ").replacing("\n", with: " ")
        where character.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) {
            if "\\;:,\"".contains(character) { result.append("\\") }
            result.append(character)
        }
        return result
    }

    /// Nil for what is none of the two.
    static func read(_ bytes: [UInt8], _ limits: CardLimits) -> ContactCard? {
        // The largest square code holds 2,953 bytes.
        guard bytes.count <= 16 << 10 else { return nil }
        let text = CardText.trimmed(String(decoding: bytes, as: UTF8.self))
        let upper = text.prefix(8).uppercased()
        let isBusiness = upper.hasPrefix("BIZCARD:")
        guard isBusiness || upper.hasPrefix("MECARD:") else { return nil }
        var properties: [CardProperty] = []
        var given = ""
        for field in CardText.split(String(text.dropFirst(isBusiness ? 8 : 7)), at: UInt8(ascii: ";")) {
            let pieces = CardText.split(field, at: UInt8(ascii: ":"))
            guard pieces.count > 1 else { continue }
            let key = CardText.trimmed(pieces[0]).uppercased()
            let value = pieces.dropFirst().joined(separator: ":")
            let plain = plain(value)
            guard !plain.isEmpty else { continue }
            func add(_ name: String, _ parameters: [CardParameter] = []) {
                properties.append(
                    CardProperty(
                        name, CardKind(of: name) == .address ? plain : CardText.escaped(plain), parameters))
            }
            switch key {
            case "N" where isBusiness: given = plain
            case "X" where isBusiness:
                properties.insert(
                    CardProperty("N", CardText.joined([[plain], [given], [""], [""], [""]])), at: 0)
            case "N":
                let names = CardText.split(value, at: UInt8(ascii: ",")).map(Self.plain)
                properties.append(
                    CardProperty(
                        "N",
                        CardText.joined([
                            [names[0]], [names.dropFirst().joined(separator: " ")], [""], [""], [""],
                        ])))
                properties.append(
                    CardProperty("FN", CardText.escaped(names.reversed().joined(separator: " "))))
            case "TEL", "B", "M", "F", "TEL-AV":
                let type =
                    key == "B"
                    ? "work" : key == "M" ? "cell" : key == "F" ? "fax" : key == "TEL-AV" ? "video" : nil
                add("TEL", type.map { [CardParameter("TYPE", $0)] } ?? [])
            case "EMAIL", "E": add("EMAIL")
            case "URL", "NOTE", "NICKNAME", "TITLE": add(key)
            case "ORG", "C": add("ORG")
            case "T": add("TITLE")
            case "ADR", "A":
                properties.append(
                    CardProperty("ADR", ";;\(CardText.escaped(plain));;;;"))
            case "BDAY": add("BDAY")
            case "SOUND": add("X-PHONETIC-LAST-NAME")
            default: add("X-MECARD-\(key)")
            }
        }
        if isBusiness, !given.isEmpty, !properties.contains(where: { $0.name == "N" }) {
            properties.insert(CardProperty("FN", CardText.escaped(given)), at: 0)
        }
        guard !properties.isEmpty else { return nil }
        return ContactCard(properties, form: .mecard, line: 1, bytes: bytes)
    }

    /// Any sign may have a stroke before it.
    private static func plain(_ text: String) -> String {
        var result = ""
        var isBehindStroke = false
        for character in text {
            if character == "\\", !isBehindStroke {
                isBehindStroke = true
            } else {
                result.append(character)
                isBehindStroke = false
            }
        }
        return CardText.trimmed(result)
    }
}
