import Bytes

/// Makes properties of a vCard of JSContact (RFC 9555); what vCard has no word for is carried as JSPROP, so that it finds its way
/// back.
struct JSContactReader {
    /// What has not been said yet.
    private var rest: JSON
    private var converted: JSONObject
    private let language: String?
    private var found: [CardProperty] = []
    private var groupCount = 0
    private var alternativeCount = 0

    init(_ card: JSONObject) {
        var rest = card
        var own = rest["vCard"] ?? .object([:])
        converted = own["convertedProperties"]?.object ?? [:]
        own["convertedProperties"] = nil
        rest["vCard"] = nil
        if own != .object([:]) { rest["vCard"] = own }
        language = card["language"]?.string
        self.rest = .object(rest)
    }

    mutating func properties() -> [CardProperty] {
        rest["@type"] = nil
        rest["version"] = nil
        let carried = takeCarried()
        for (member, name) in [("uid", "UID"), ("kind", "KIND"), ("prodId", "PRODID")] {
            guard let text = rest[member]?.string else { continue }
            rest[member] = nil
            var property = CardProperty(name, name == "UID" ? text : CardText.escaped(text))
            if name == "UID", !CardVersions.isAddress(text) {
                property.value = CardText.escaped(text)
                property.parameters = [CardParameter("VALUE", "text")]
            }
            say(property, member)
        }
        for (member, name) in [("created", "CREATED"), ("updated", "REV")] {
            guard let text = rest[member]?.string, let date = CardDate(text) else { continue }
            rest[member] = nil
            say(CardProperty(name, date.basic), member)
        }
        let translations = takeTranslations()
        sayItems(translations)
        for member in ["keywords", "members"] {
            guard let list = rest[member]?.object, !list.isEmpty,
                list.allSatisfy({ $0.value == .bool(true) })
            else { continue }
            rest[member] = nil
            if member == "keywords" {
                say(
                    CardProperty("CATEGORIES", list.map { CardText.escaped($0.key) }.joined(separator: ",")),
                    member)
            } else {
                for entry in list { say(CardProperty("MEMBER", entry.key), member) }
            }
        }
        relations()
        if let gender = rest["speakToAs"]?["grammaticalGender"]?.string {
            rest = rest.setting(nil, at: ["speakToAs", "grammaticalGender"])
            say(CardProperty("GRAMGENDER", gender.uppercased()), "speakToAs/grammaticalGender")
        }
        if rest["speakToAs"] == .object([:]) || rest["speakToAs"] == ["@type": "SpeakToAs"] {
            rest["speakToAs"] = nil
        }
        if let language {
            rest["language"] = nil
            say(CardProperty("LANGUAGE", language), "language")
        }
        found += carried
        for (name, value) in rest.object ?? [:] { carry(value, at: JSContactPlaces.escaped(name)) }
        let needsName = rest["kind"]?.string != "group"
        if needsName, !found.contains(where: { $0.name == "FN" }) {
            let name = ContactCard(found).name
            found.insert(
                CardProperty("FN", CardText.escaped(name), [CardParameter("DERIVED", "TRUE")]), at: 0)
        }
        return found
    }

    // MARK: The ways out

    /// What a vCard said before and JSContact had no place for.
    private mutating func takeCarried() -> [CardProperty] {
        guard let list = rest["vCard"]?["properties"]?.array else { return [] }
        rest = rest.setting(nil, at: ["vCard", "properties"])
        if rest["vCard"] == .object([:]) { rest["vCard"] = nil }
        return list.compactMap(JCardProperty.property)
    }

    private mutating func carry(_ value: JSON, at pointer: String) {
        found.append(
            CardProperty("JSPROP", CardText.escaped(value.text), [CardParameter("JSPTR", pointer)]))
    }

    private mutating func say(_ property: CardProperty, _ pointer: String) {
        var property = property
        apply(pointer, to: &property)
        found.append(property)
    }

    /// What the card it came from said about the property that stood here.
    @discardableResult
    private mutating func apply(_ pointer: String, to property: inout CardProperty) -> Bool {
        guard let said = converted[pointer] else { return false }
        if let name = said["name"]?.string?.uppercased(), !name.isEmpty { property.name = name }
        for (name, value) in said["parameters"]?.object ?? [:] {
            let values = (value.array ?? [value]).compactMap(\.string)
            switch name.lowercased() {
            case "group": property.group = values.first
            case "type": property.set(types: property.types + values)
            case "value": property.set("VALUE", values.first)
            default: property.parameters.append(CardParameter(name.uppercased(), values))
            }
        }
        return true
    }

    // MARK: Translations

    private struct Translation {
        var language: String
        /// The item it is about, and that item as it is in the other language.
        var item: String
        var patched: JSON
        var pointers: [String]
    }

    /// The items of other languages, as far as each patch is about an item a property can say.
    private mutating func takeTranslations() -> [Translation] {
        var found: [Translation] = []
        for (language, patches) in rest["localizations"]?.object ?? [:] {
            var items: [String: Translation] = [:]
            for (pointer, value) in patches.object ?? [:] {
                let steps = JSContactPlaces.steps(pointer)
                let depth =
                    steps[0] == "name" ? 1 : steps[0] == "speakToAs" ? 3 : 2
                let isKnown =
                    ["name", "anniversaries", "nicknames", "organizations", "addresses"].contains(steps[0])
                    || JSContactPlaces.places.contains { $0.collection.split(separator: "/")[0] == steps[0] }
                guard isKnown, steps.count >= depth, rest.at(steps.prefix(depth)) != nil else { continue }
                let item = steps.prefix(depth).map(JSContactPlaces.escaped).joined(separator: "/")
                var translation =
                    items[item]
                    ?? Translation(
                        language: language, item: item, patched: rest.at(steps.prefix(depth)) ?? .null,
                        pointers: [])
                translation.patched = translation.patched.setting(value, at: steps.dropFirst(depth))
                translation.pointers.append(pointer)
                items[item] = translation
                rest = rest.setting(nil, at: ["localizations", language, pointer])
            }
            found += items.values.sorted { $0.item < $1.item }
            if rest["localizations"]?[language] == .object([:]) {
                rest = rest.setting(nil, at: ["localizations", language])
            }
        }
        if rest["localizations"] == .object([:]) { rest["localizations"] = nil }
        return found
    }

    private mutating func sayItems(_ translations: [Translation]) {
        let collections =
            ["name", "nicknames", "organizations", "titles", "anniversaries", "addresses"]
            + JSContactPlaces.places.map(\.collection).filter { $0 != "titles" }
        var done: Set<String> = []
        for collection in collections where done.insert(collection).inserted {
            let steps = JSContactPlaces.steps(collection)
            guard let members = rest.at(steps[...])?.object else { continue }
            guard collection != "name" else {
                rest["name"] = nil
                say(.object(members), "name", translations)
                continue
            }
            rest = rest.setting(nil, at: steps[...])
            for (id, item) in members {
                say(item, "\(collection)/\(JSContactPlaces.escaped(id))", translations)
            }
        }
    }

    private mutating func say(_ item: JSON, _ path: String, _ translations: [Translation]) {
        var made: [Made] = self.made(of: item, path)
        var translated: [CardProperty] = []
        for translation in translations where translation.item == path {
            var other: [Made] = self.made(of: translation.patched, path)
            other.removeAll { candidate in made.contains { $0.property == candidate.property } }
            guard !other.isEmpty else { continue }
            alternativeCount += 1
            for place in other.indices {
                let name = other[place].property.name
                guard let main = made.firstIndex(where: { $0.property.name == name }) else { continue }
                apply(
                    "localizations/\(translation.language)/\(JSContactPlaces.escaped(other[place].pointer))",
                    to: &other[place].property)
                other[place].property.parameters.append(CardParameter("LANGUAGE", translation.language))
                if other[place].property["ALT-ID"] == nil {
                    other[place].property.set("ALTID", "\(alternativeCount)")
                    made[main].property.set("ALTID", "\(alternativeCount)")
                }
                made[main].isMain = true
            }
            translated += other.map(\.property)
        }
        for entry in made {
            var property = entry.property
            apply(entry.pointer, to: &property)
            if property["ALT-ID"] != nil { property.set("ALTID", nil) }
            if entry.isMain, property["LANGUAGE"] == nil, let language {
                property.parameters.append(CardParameter("LANGUAGE", language))
            }
            found.append(property)
        }
        found += translated
    }

    // MARK: Items

    private struct Made {
        var property: CardProperty
        var pointer: String
        var isMain = false
    }

    private mutating func made(of item: JSON, _ path: String) -> [Made] {
        let steps = JSContactPlaces.steps(path)
        let collection = steps.dropLast().joined(separator: "/")
        let id = steps.count > 1 ? steps[steps.count - 1] : ""
        guard var left = item.object else {
            carry(item, at: path)
            return []
        }
        left["@type"] = nil
        switch steps[0] {
        case "name": return name(left, path)
        case "anniversaries": return day(left, path, id)
        case "addresses": return address(left, path, id)
        case "organizations": return organization(left, path, id)
        case "nicknames":
            guard let text = left["name"]?.string else {
                carry(item, at: path)
                return []
            }
            left["name"] = nil
            var property = CardProperty("NICKNAME", CardText.escaped(text))
            finish(&property, &left, path, id)
            return [Made(property: property, pointer: "\(path)/name")]
        default: return plain(item, left, path, collection, id)
        }
    }

    private mutating func plain(
        _ item: JSON, _ members: JSONObject, _ path: String, _ collection: String, _ id: String
    ) -> [Made] {
        var left = members
        let kind = left["kind"]?.string
        let candidates = JSContactPlaces.places.filter { $0.collection == collection && $0.kind != "impp" }
        let place =
            candidates.first { $0.kind == kind } ?? (collection == "titles" ? candidates.first : nil)
        guard let place else {
            carry(item, at: path)
            return []
        }
        var value = place.value
        var parameters: [CardParameter] = []
        if collection == "onlineServices", left["uri"] == nil, left["user"] != nil {
            value = "user"
            parameters.append(CardParameter("VALUE", "text"))
        }
        guard let text = left[value]?.string else {
            carry(item, at: path)
            return []
        }
        left[value] = nil
        left["kind"] = nil
        let isAddress = CardKind(of: place.property) == .address && value == "uri"
        var property = CardProperty(
            place.property, isAddress ? text : CardText.escaped(text), parameters)
        if place.property == "TEL", text.hasPrefix("tel:"),
            converted["\(path)/number"]?["parameters"]?["value"] == nil
        {
            property.parameters.append(CardParameter("VALUE", "uri"))
        }
        // An address has no strokes before its signs, whatever kind of property it stands in.
        if property["VALUE"] == "uri"
            || converted["\(path)/\(value)"]?["parameters"]?["value"]?.string?.lowercased() == "uri"
        {
            property.value = text
        }
        func take(_ member: String, _ parameter: String) {
            guard let text = left[member]?.string else { return }
            left[member] = nil
            property.parameters.append(CardParameter(parameter, text))
        }
        take("mediaType", "MEDIATYPE")
        switch collection {
        case "onlineServices":
            take("service", "SERVICE-TYPE")
            if value == "uri" { take("user", "USERNAME") }
        case "personalInfo":
            if let level = left["level"]?.string {
                left["level"] = nil
                let own =
                    kind == "expertise"
                    ? JSContactPlaces.levels.first { $0.value == level }?.key ?? level : level
                property.parameters.append(CardParameter("LEVEL", own))
            }
        case "phones":
            var types: [String] = []
            for (feature, isSet) in left["features"]?.object ?? [:] where isSet == .bool(true) {
                if let type = JSContactPlaces.features.first(where: { $0.value == feature })?.key {
                    types.append(type)
                    left["features"]?[feature] = nil
                }
            }
            if left["features"] == .object([:]) { left["features"] = nil }
            property.set(types: types)
        case "notes":
            if let created = left["created"]?.string, let date = CardDate(created) {
                left["created"] = nil
                property.parameters.append(CardParameter("CREATED", date.basic))
            }
            if let author = left["author"] {
                if let name = author["name"]?.string {
                    property.parameters.append(CardParameter("AUTHOR-NAME", name))
                }
                if let uri = author["uri"]?.string {
                    property.parameters.append(CardParameter("AUTHOR", uri))
                }
                left["author"] = nil
            }
        case "titles":
            if let organization = left["organizationId"]?.string,
                let group = converted["organizations/\(organization)/name"]?["parameters"]?["group"]?.string
            {
                left["organizationId"] = nil
                property.group = group
            }
        default: break
        }
        finish(&property, &left, path, id)
        return [Made(property: property, pointer: "\(path)/\(value)")]
    }

    /// What items of all kinds have, and what is left of one.
    private mutating func finish(
        _ property: inout CardProperty, _ left: inout JSONObject, _ path: String, _ id: String
    ) {
        var types: [String] = []
        for (context, type) in [
            ("work", "work"), ("private", "home"), ("billing", "billing"), ("delivery", "delivery"),
        ] {
            guard left["contexts"]?[context] == .bool(true) else { continue }
            if type.first == "b" || type.first == "d", property.name != "ADR" { continue }
            types.append(type)
            left["contexts"]?[context] = nil
        }
        if left["contexts"] == .object([:]) { left["contexts"] = nil }
        if !types.isEmpty { property.set(types: types + property.types) }
        for (member, parameter) in [("pref", "PREF"), ("listAs", "INDEX")] {
            if let number = left[member]?.int {
                left[member] = nil
                property.parameters.append(CardParameter(parameter, "\(number)"))
            }
        }
        property.parameters.append(CardParameter("PROP-ID", id))
        if let text = left["label"]?.string {
            left["label"] = nil
            var label = CardProperty("X-ABLABEL", CardText.escaped(text))
            apply("\(path)/label", to: &label)
            let group = property.group ?? label.group ?? nextGroup()
            property.group = group
            label.group = group
            found.append(label)
        }
        for (name, value) in left { carry(value, at: "\(path)/\(JSContactPlaces.escaped(name))") }
        left = [:]
    }

    private mutating func nextGroup() -> String {
        let taken = Set(
            converted.compactMap { $0.value["parameters"]?["group"]?.string } + found.compactMap(\.group))
        repeat { groupCount += 1 } while taken.contains("item\(groupCount)")
        return "item\(groupCount)"
    }

    private mutating func name(_ members: JSONObject, _ path: String) -> [Made] {
        var left = members
        var made: [Made] = []
        if let full = left["full"]?.string {
            left["full"] = nil
            made.append(Made(property: CardProperty("FN", CardText.escaped(full)), pointer: "name/full"))
        }
        if let components = JSONComponents(left),
            let said = components.parts.parts(
                kinds: JSContactPlaces.nameKinds, count: 7)
        {
            var parts = said.parts
            parts[0] += parts[5]
            parts[4] += parts[6]
            var property = CardProperty("N", CardText.joined(parts.map { $0.isEmpty ? [""] : $0 }))
            if let sorts = left["sortAs"]?.object {
                let words = JSContactPlaces.nameKinds.map { sorts[$0]?.string ?? "" }
                let count = (words.lastIndex { !$0.isEmpty } ?? -1) + 1
                if sorts.allSatisfy({ JSContactPlaces.nameKinds.contains($0.key) }) { left["sortAs"] = nil }
                property.parameters.append(
                    CardParameter(
                        "SORT-AS", words.prefix(count).map(CardText.escaped).joined(separator: ",")))
            }
            if components.parts.isOrdered {
                property.parameters.append(CardParameter("JSCOMPS", said.order))
                left["isOrdered"] = nil
                left["defaultSeparator"] = nil
            }
            if !components.saysMore { left["components"] = nil }
            made.append(Made(property: property, pointer: "name/components"))
            if members["full"] == nil {
                let text =
                    components.parts.isOrdered
                    ? components.text : ContactCard([property]).nameOfParts
                made.insert(
                    Made(
                        property: CardProperty(
                            "FN", CardText.escaped(text), [CardParameter("DERIVED", "TRUE")]),
                        pointer: "name/full"), at: 0)
            }
        }
        for (name, value) in left { carry(value, at: "\(path)/\(JSContactPlaces.escaped(name))") }
        return made
    }

    private mutating func organization(_ members: JSONObject, _ path: String, _ id: String) -> [Made] {
        var left = members
        let units = left["units"]?.array ?? []
        var parts = [left["name"]?.string ?? ""]
        var sorts = [left["sortAs"]?.string ?? ""]
        left["name"] = nil
        left["sortAs"] = nil
        var isWhole = true
        for unit in units {
            parts.append(unit["name"]?.string ?? "")
            sorts.append(unit["sortAs"]?.string ?? "")
            isWhole =
                isWhole && (unit.object ?? [:]).allSatisfy { ["name", "sortAs", "@type"].contains($0.key) }
        }
        if isWhole { left["units"] = nil }
        var property = CardProperty("ORG", parts.map(CardText.escaped).joined(separator: ";"))
        if let last = sorts.lastIndex(where: { !$0.isEmpty }) {
            property.parameters.append(
                CardParameter("SORT-AS", sorts[...last].map(CardText.escaped).joined(separator: ",")))
        }
        finish(&property, &left, path, id)
        return [Made(property: property, pointer: "\(path)/name")]
    }

    private mutating func address(_ members: JSONObject, _ path: String, _ id: String) -> [Made] {
        var left = members
        for (name, member) in [("tz", "timeZone"), ("geo", "coordinates")] {
            guard converted["\(path)/\(member)"]?["name"]?.string == name, let text = left[member]?.string,
                left.allSatisfy({ ["@type", member, "pref", "contexts"].contains($0.key) })
            else { continue }
            left[member] = nil
            let value = member == "timeZone" ? Self.offset(text) ?? text : text
            var property = CardProperty(
                name.uppercased(), name == "geo" ? value : CardText.escaped(value))
            finish(&property, &left, path, id)
            property.set("PROP-ID", nil)
            return [Made(property: property, pointer: "\(path)/\(member)")]
        }
        var property = CardProperty("ADR", ";;;;;;")
        if let components = JSONComponents(left) {
            let old = Set(JSContactPlaces.addressKinds.prefix(7) + ["separator"])
            let isOld = components.parts.list.allSatisfy { old.contains($0.kind) }
            if let said = components.parts.parts(
                kinds: JSContactPlaces.addressKinds, count: isOld ? 7 : 18)
            {
                var parts = said.parts
                if !isOld {
                    // For readers who know the old places only.
                    parts[1] = parts[7] + parts[8] + parts[9] + parts[12]
                    parts[2] = parts[10] + parts[11] + parts[13] + parts[17]
                }
                property.value = CardText.joined(parts.map { $0.isEmpty ? [""] : $0 })
                if components.parts.isOrdered {
                    property.parameters.append(CardParameter("JSCOMPS", said.order))
                    left["isOrdered"] = nil
                    left["defaultSeparator"] = nil
                }
                if !components.saysMore { left["components"] = nil }
            }
        }
        for (member, parameter) in [
            ("full", "LABEL"), ("countryCode", "CC"), ("coordinates", "GEO"), ("timeZone", "TZ"),
        ] {
            guard let text = left[member]?.string else { continue }
            left[member] = nil
            property.parameters.append(CardParameter(parameter, text))
        }
        finish(&property, &left, path, id)
        return [Made(property: property, pointer: path)]
    }

    private static func offset(_ zone: String) -> String? {
        if zone == "Etc/UTC" { return "+0000" }
        guard zone.hasPrefix("Etc/GMT"), let hours = Int(zone.dropFirst(7)), (-14...12).contains(hours) else {
            return nil
        }
        return "\(hours > 0 ? "-" : "+")\(abs(hours) < 10 ? "0" : "")\(abs(hours))00"
    }

    private mutating func day(_ members: JSONObject, _ path: String, _ id: String) -> [Made] {
        var left = members
        guard let kind = left["kind"]?.string,
            let names = JSContactPlaces.days.first(where: { $0.kind == kind })
        else {
            carry(.object(members), at: path)
            return []
        }
        left["kind"] = nil
        var made: [Made] = []
        if let date = left["date"] {
            var property: CardProperty?
            if let utc = date["utc"]?.string, let moment = CardDate(utc) {
                property = CardProperty(names.date, moment.basic)
            } else {
                let day = CardDate(
                    year: date["year"]?.int, month: date["month"]?.int, day: date["day"]?.int)
                if !day.basic.isEmpty { property = CardProperty(names.date, day.basic) }
                if let scale = date["calendarScale"]?.string {
                    property?.parameters.append(CardParameter("CALSCALE", scale))
                }
            }
            if var property {
                left["date"] = nil
                property.parameters.append(CardParameter("PROP-ID", id))
                made.append(Made(property: property, pointer: "\(path)/date"))
            }
        }
        if !names.place.isEmpty, let place = left["place"] {
            let member = place["full"] != nil ? "full" : "coordinates"
            let isOnly = (place.object ?? [:]).allSatisfy { [member, "@type"].contains($0.key) }
            if isOnly, let text = place[member]?.string {
                left["place"] = nil
                var property = CardProperty(
                    names.place, member == "full" ? CardText.escaped(text) : text,
                    [CardParameter("PROP-ID", id)])
                if member == "coordinates" { property.parameters.append(CardParameter("VALUE", "uri")) }
                made.append(Made(property: property, pointer: "\(path)/place/\(member)"))
            }
        }
        for (name, value) in left { carry(value, at: "\(path)/\(JSContactPlaces.escaped(name))") }
        return made
    }

    private mutating func relations() {
        guard let list = rest["relatedTo"]?.object else { return }
        rest["relatedTo"] = nil
        for (uri, relation) in list {
            let types = (relation["relation"]?.object ?? [:]).filter { $0.value == .bool(true) }.map(\.key)
            var property = CardProperty("RELATED", uri)
            if !CardVersions.isAddress(uri) {
                property.value = CardText.escaped(uri)
                property.parameters.append(CardParameter("VALUE", "text"))
            }
            property.set(types: types)
            say(property, "relatedTo/\(JSContactPlaces.escaped(uri))")
        }
    }
}

/// The components of a name or an address as JSON says them.
private struct JSONComponents {
    var parts: JSComponents
    /// Whether a component says more than a vCard can.
    var saysMore = false

    init?(_ members: JSONObject) {
        guard let list = members["components"]?.array else { return nil }
        parts = JSComponents(
            list: [], isOrdered: members["isOrdered"]?.bool ?? false,
            defaultSeparator: members["defaultSeparator"]?.string)
        for component in list {
            guard let kind = component["kind"]?.string, let value = component["value"]?.string else {
                return nil
            }
            parts.list.append((kind, value))
            if (component.object ?? [:]).contains(where: { !["kind", "value", "@type"].contains($0.key) }) {
                saysMore = true
            }
        }
    }

    /// In its order, with the signs it has between.
    var text: String {
        var text = ""
        var isAfterSeparator = true
        for (kind, value) in parts.list {
            if kind == "separator" {
                text += value
                isAfterSeparator = true
            } else {
                if !isAfterSeparator { text += parts.defaultSeparator ?? " " }
                text += value
                isAfterSeparator = false
            }
        }
        return text
    }
}
