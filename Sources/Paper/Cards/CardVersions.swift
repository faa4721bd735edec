/// What the versions of vCard call the same thing, so that nothing is lost between them.
///
/// What a version has no word for is carried under a name that begins with `X-`, and finds its way back from there.
struct CardVersions {
    private let card: ContactCard

    init(_ card: ContactCard) { self.card = card }

    /// What stands in a card of a version, without BEGIN, VERSION and END.
    func properties(for form: CardForm) -> [CardProperty] {
        var found = form == .vcard4 ? modern : older(form)
        if !found.contains(where: { $0.name == "FN" && !$0.value.isEmpty }) {
            // Every card has to say what somebody is called.
            found.removeAll { $0.name == "FN" }
            let name = CardProperty(
                "FN", CardText.escaped(card.name), form == .vcard4 ? [CardParameter("DERIVED", "TRUE")] : [])
            found.insert(name, at: 0)
        }
        if form != .vcard4, !found.contains(where: { $0.name == "N" }) {
            found.insert(
                CardProperty("N", CardText.joined(Self.parts(ofName: card.name))), at: min(1, found.count))
        }
        return found
    }

    /// Two words are a given and a family name; anything else is not taken apart.
    private static func parts(ofName name: String) -> [[String]] {
        let words = name.split(separator: " ")
        return words.count == 2
            ? [[String(words[1])], [String(words[0])], [""], [""], [""]] : [[""], [name], [""], [""], [""]]
    }

    /// One property alone.
    static func converted(_ property: CardProperty, to form: CardForm) -> [CardProperty] {
        form == .vcard4
            ? newer(property).map { [$0] } ?? [] : older(property, form)
    }

    // MARK: To 4.0

    /// As vCard 4 says it.
    var modern: [CardProperty] {
        var found: [CardProperty] = []
        var labels: [CardProperty] = []
        var sorting: CardProperty?
        found.reserveCapacity(card.properties.count)
        for property in card.properties {
            switch property.name {
            case "LABEL", "X-LABEL": labels.append(property)
            case "SORT-STRING": sorting = property
            case "VERSION", "BEGIN", "END": break
            case "PROFILE" where property.value.uppercased() == "VCARD": break
            // A place in the spelling of old is left as it is where it stands in a card of today.
            case "GEO" where card.form != .vcard21 && card.form != .vcard3: found.append(property)
            default: if let newer = Self.newer(property) { found.append(newer) }
            }
        }
        for label in labels {
            let types = Set(Self.newTypes(label).filter { $0 != "pref" })
            let place = found.firstIndex {
                $0.name == "ADR" && $0["LABEL"] == nil && Set($0.types) == types
                    && (label.group == nil || $0.group == label.group)
            }
            if let place {
                found[place].parameters.append(CardParameter("LABEL", label.text))
            } else {
                var address = CardProperty("ADR", ";;;;;;", [], group: label.group)
                address.set(types: Self.newTypes(label))
                address.parameters.append(CardParameter("LABEL", label.text))
                found.append(address)
            }
        }
        if let sorting {
            if let place = found.firstIndex(where: { $0.name == "N" && $0["SORT-AS"] == nil }) {
                found[place].parameters.append(CardParameter("SORT-AS", sorting.text))
            } else {
                found.append(CardProperty("X-SORT-STRING", sorting.value, sorting.parameters))
            }
        }
        return found
    }

    private static let newNames: [String: String] = {
        var names = [
            "MAILER": "X-MAILER", "CLASS": "X-CLASS", "NAME": "X-NAME",
            "X-ADDRESSBOOKSERVER-KIND": "KIND", "X-ADDRESSBOOKSERVER-MEMBER": "MEMBER", "X-N": "N",
            "X-KEY": "KEY",
        ]
        for name in onlyNew { names["X-\(name)"] = name }
        return names
    }()

    /// What only vCard 4 and what followed it know.
    private static let onlyNew: Set<String> = [
        "ANNIVERSARY", "BIRTHPLACE", "DEATHPLACE", "DEATHDATE", "CALADRURI", "CALURI", "FBURL",
        "CLIENTPIDMAP",
        "EXPERTISE", "HOBBY", "INTEREST", "GENDER", "KIND", "LANG", "MEMBER", "ORG-DIRECTORY", "RELATED",
        "XML",
        "CONTACT-URI", "CREATED", "GRAMGENDER", "PRONOUNS", "LANGUAGE", "JSPROP",
    ]

    /// Types that vCard 4 has no more; they are carried with `x-` before them.
    private static let oldTypes: Set<String> = [
        "bbs", "car", "isdn", "modem", "msg", "pcs", "dom", "intl", "parcel", "postal", "x400", "aol",
        "applelink", "attmail", "cis", "eworld", "ibmmail", "mcimail", "powershare", "prodigy", "tlx",
    ]

    /// Types of telephones that only vCard 4 has.
    private static let newTelephoneTypes: Set<String> = ["text", "textphone", "main-number"]

    private static let newParameters: Set<String> = [
        "ALTID", "PID", "MEDIATYPE", "CALSCALE", "SORT-AS", "GEO", "TZ", "LABEL", "LEVEL", "INDEX", "PROP-ID",
        "JSCOMPS", "JSPTR", "CC", "AUTHOR", "AUTHOR-NAME", "CREATED", "DERIVED", "PHONETIC", "SCRIPT",
        "SERVICE-TYPE", "USERNAME",
    ]

    private static func newTypes(_ property: CardProperty) -> [String] {
        property.parameters.filter { $0.name == "TYPE" }.flatMap(\.values).compactMap { type in
            let lower = type.lowercased()
            if lower == "internet", property.name == "EMAIL" { return nil }
            if oldTypes.contains(lower) { return "x-\(lower)" }
            if lower.hasPrefix("x-"), newTelephoneTypes.contains(String(lower.dropFirst(2))) {
                return String(lower.dropFirst(2))
            }
            return lower == type || lower.uppercased() == type ? lower : type
        }
    }

    private static func newer(_ property: CardProperty) -> CardProperty? {
        var new = property
        if let name = newNames[new.name] { new.name = name }
        var types = newTypes(property)
        if types.contains(where: { $0.lowercased() == "pref" }) {
            types.removeAll { $0.lowercased() == "pref" }
            if new["PREF"] == nil { new.parameters.append(CardParameter("PREF", "1")) }
        }
        for place in new.parameters.indices where new.parameters[place].name.hasPrefix("X-") {
            let name = String(new.parameters[place].name.dropFirst(2))
            if name == "PREF" || newParameters.contains(name) { new.parameters[place].name = name }
        }
        new.parameters.removeAll { $0.name == "CHARSET" || $0.name == "ENCODING" }
        switch new.name {
        case "BDAY", "ANNIVERSARY", "DEATHDATE", "X-EVOLUTION-ANNIVERSARY", "X-MS-ANNIVERSARY":
            if let date = CardDate(of: property) {
                if new.name.hasPrefix("X-") { break }
                var date = date
                date.time = date.time ?? new["X-TIME"]
                new.value = date.basic
                new.set("X-TIME", nil)
                new.set("X-APPLE-OMIT-YEAR", nil)
                new.set("VALUE", nil)
            } else if new["VALUE"]?.lowercased() != "text" {
                new.value = CardText.escaped(new.text)
                new.set("VALUE", "text")
            }
        case "X-BDAY", "X-DEATHDATE":
            new.name = String(new.name.dropFirst(2))
            new.set("VALUE", "text")
        case "REV", "CREATED":
            if let date = CardDate(new.text) { new.value = date.basic }
            new.set("VALUE", nil)
        case "GEO":
            let parts = CardText.split(new.value, at: UInt8(ascii: ";"))
            if parts.count == 2, parts.allSatisfy({ Double(CardText.trimmed($0)) != nil }) {
                new.value = "geo:\(parts.map(CardText.trimmed).joined(separator: ","))"
            } else {
                new.value = CardText.address(new.value)
            }
        case "PHOTO", "LOGO", "SOUND", "KEY":
            new.value = CardText.address(new.value)
            let kinds = types.compactMap(FileKind.mediaType)
            types.removeAll { FileKind.mediaType(of: $0) != nil }
            if let kind = kinds.first, !new.value.hasPrefix("data:"), new["MEDIATYPE"] == nil {
                new.parameters.append(CardParameter("MEDIATYPE", kind))
            }
            if new["VALUE"]?.lowercased() != "text" { new.set("VALUE", nil) }
        case "AGENT":
            if new["VALUE"] != nil || !new.value.uppercased().hasPrefix("BEGIN:") {
                new.name = "RELATED"
                new.value = CardText.address(new.value)
                new.set("VALUE", nil)
                types.append("agent")
            } else {
                new.name = "X-AGENT"
            }
        case "URL", "SOURCE", "IMPP", "CALURI", "CALADRURI", "FBURL", "MEMBER", "RELATED", "CONTACT-URI",
            "ORG-DIRECTORY", "SOCIALPROFILE", "UID":
            if new["VALUE"]?.lowercased() != "text" {
                new.value = CardText.address(new.value)
                if new["VALUE"]?.lowercased() != "uri" || new.name != "UID" { new.set("VALUE", nil) }
                if ["UID", "RELATED"].contains(new.name), !isAddress(new.value) {
                    new.value = CardText.escaped(new.value)
                    new.set("VALUE", "text")
                }
            }
        case "N", "ADR": new.value = CardText.joined(property.parts)
        case "ORG", "GENDER", "CLIENTPIDMAP":
            new.value = property.plainParts.map(CardText.escaped).joined(separator: ";")
        case "NICKNAME", "CATEGORIES":
            new.value = property.list.map(CardText.escaped).joined(separator: ",")
        default:
            if new.kind == .text { new.value = CardText.escaped(property.text) }
        }
        new.set(types: types)
        if new.value.isEmpty, !new.name.hasPrefix("X-") { return nil }
        return new
    }

    /// Whether a text is an address: `urn:uuid:…`, `https://…`.
    static func isAddress(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), colon != text.startIndex else {
            return false
        }
        return text[..<colon].utf8.allSatisfy {
            $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A || $0 >= 0x30 && $0 <= 0x39 || $0 == UInt8(ascii: "+")
                || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
        } && !text.utf8.contains(0x20)
    }

    // MARK: To 3.0 and 2.1

    private func older(_ form: CardForm) -> [CardProperty] {
        var found = card.properties.filter { $0.name != "VERSION" }.flatMap { Self.older($0, form) }
        // There is one name; those in other languages or letters are carried.
        var isNamed = false
        for place in found.indices where found[place].name == "N" {
            if isNamed { found[place].name = "X-N" }
            isNamed = true
        }
        return found
    }

    private static func older(_ property: CardProperty, _ form: CardForm) -> [CardProperty] {
        // What came as 2.1 or 3.0 is first said anew, so that there is one way down.
        if property.name == "LABEL" || property.name == "SORT-STRING" || property.name == "AGENT" {
            var same = property
            if property.name != "AGENT" { same.value = CardText.escaped(property.text) }
            return [same]
        }
        guard var old = newer(property) else { return [] }
        var more: [CardProperty] = []
        var types = old.types.map { type in
            type.hasPrefix("x-") && oldTypes.contains(String(type.dropFirst(2)))
                ? String(type.dropFirst(2)).uppercased() : type.uppercased()
        }
        if let preference = old["PREF"] {
            old.set("PREF", nil)
            if preference == "1" {
                types.append("PREF")
            } else {
                old.parameters.append(CardParameter("X-PREF", preference))
            }
        }
        switch old.name {
        case "N":
            if let sorting = old.parameters.first(where: { $0.name == "SORT-AS" }) {
                old.set("SORT-AS", nil)
                more.append(
                    CardProperty("SORT-STRING", CardText.escaped(sorting.values.joined(separator: ","))))
            }
        case "ADR":
            if let label = old["LABEL"] {
                old.set("LABEL", nil)
                var said = CardProperty("LABEL", CardText.escaped(label), [], group: old.group)
                said.set(types: types)
                more.append(said)
                if old.parts.allSatisfy({ $0.allSatisfy(\.isEmpty) }) { return more }
            }
        case "EMAIL":
            if !types.contains("INTERNET"), !types.contains("X400") { types.insert("INTERNET", at: 0) }
        case "TEL":
            types = types.map { newTelephoneTypes.contains($0.lowercased()) ? "X-\($0)" : $0 }
            if old.value.lowercased().hasPrefix("tel:") {
                old.value = CardText.escaped(old.number)
                old.set("VALUE", nil)
            }
        case "BDAY", "ANNIVERSARY", "DEATHDATE":
            if let date = CardDate(of: old), date.month != nil, date.day != nil {
                // With a time many telephones lose the day.
                old.value = date.extended
                if old.name == "BDAY" {
                    if date.year == nil { old.parameters.append(CardParameter("X-APPLE-OMIT-YEAR", "1604")) }
                    old.set("VALUE", "date")
                } else {
                    old.set("VALUE", nil)
                    old.value = date.basic
                }
                if let time = date.time, old.name == "BDAY" {
                    old.parameters.append(CardParameter("X-TIME", time))
                }
            } else if old.name == "BDAY" {
                old.name = "X-BDAY"
                old.set("VALUE", nil)
            } else {
                old.set("VALUE", nil)
            }
        case "REV": if let date = CardDate(old.value), let utc = date.utc { old.value = utc }
        case "GEO":
            if old.value.lowercased().hasPrefix("geo:") {
                let place = old.value.dropFirst(4).split(separator: ";").first ?? ""
                old.value = place.split(separator: ",").prefix(2).joined(separator: ";")
            }
        case "KEY" where !old.value.hasPrefix("data:"): old.name = "X-KEY"
        case "PHOTO", "LOGO", "SOUND", "KEY": oldFile(&old, &types, form)
        case "RELATED" where types.contains("AGENT"):
            types.removeAll { $0 == "AGENT" }
            old.name = "AGENT"
            old.set("VALUE", "uri")
        case "X-MAILER", "X-CLASS", "X-NAME": old.name = String(old.name.dropFirst(2))
        case "X-AGENT": old.name = "AGENT"
        case "KIND" where old.value.lowercased() == "group": old.name = "X-ADDRESSBOOKSERVER-KIND"
        case "MEMBER": old.name = "X-ADDRESSBOOKSERVER-MEMBER"
        case "SOCIALPROFILE":
            old.name = "X-SOCIALPROFILE"
            if let service = old["SERVICE-TYPE"] {
                old.set("SERVICE-TYPE", nil)
                types.append(service)
            }
        case "UID": old.set("VALUE", nil)
        default: break
        }
        if onlyNew.contains(old.name) { old.name = "X-\(old.name)" }
        for place in old.parameters.indices where newParameters.contains(old.parameters[place].name) {
            old.parameters[place].name = "X-\(old.parameters[place].name)"
        }
        old.set(types: types)
        return [old] + more
    }

    /// `data:image/jpeg;base64,…` as `ENCODING=b;TYPE=JPEG`.
    private static func oldFile(_ old: inout CardProperty, _ types: inout [String], _ form: CardForm) {
        guard old.value.hasPrefix("data:"), let comma = old.value.firstIndex(of: ",") else {
            if let kind = old["MEDIATYPE"], let word = FileKind.word(of: kind) {
                old.set("MEDIATYPE", nil)
                types.append(word)
            }
            if old["VALUE"] == nil {
                old.parameters.append(CardParameter("VALUE", form == .vcard21 ? "URL" : "uri"))
            }
            return
        }
        let head = old.value[..<comma].dropFirst(5).split(separator: ";")
        guard head.last == "base64" else { return }
        let kind = head.first.map { String($0) } ?? ""
        old.value = String(old.value[old.value.index(after: comma)...])
        old.parameters.append(CardParameter("ENCODING", form == .vcard21 ? "BASE64" : "b"))
        if let word = FileKind.word(of: kind) {
            types.append(word)
        } else if kind != "application/octet-stream", kind != "base64" {
            types.append(kind)
        }
    }
}
