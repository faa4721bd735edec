import Bytes

/// Makes JSContact of the properties of a card, as RFC 9555 tells; what has no place there goes into its `vCard` member.
struct JSContactWriter {
    private let properties: [CardProperty]
    private var card: JSON = ["@type": "Card", "version": "1.0"]
    private var converted = JSONObject()
    private var carried: [JSON] = []
    /// What groups are called, until somebody of the group takes it.
    private var labels: [String: CardProperty] = [:]
    /// Where a property of this name and ALTID went, for its other languages.
    private var alternatives: [String: (pointer: String, language: String?)] = [:]
    private var isMade = false

    init(_ properties: [CardProperty]) { self.properties = properties }

    var json: JSON {
        mutating get {
            if !isMade { make() }
            return card
        }
    }

    private mutating func make() {
        isMade = true
        for property in properties where property.name == "X-ABLABEL" {
            if let group = property.group, labels[group] == nil { labels[group] = property }
        }
        let spoken = properties.first { $0.name == "LANGUAGE" }
        if let spoken {
            card["language"] = .string(spoken.text)
            note(spoken, "language", besides: [])
        }
        var isNamed = false
        for property in properties where property.name != "LANGUAGE" || property != spoken {
            switch property.name {
            case "FN": full(property)
            case "N":
                isNamed ? carry(property) : name(property)
                isNamed = true
            case "KIND": single(property, "kind", .string(property.text.lowercased()))
            case "UID": single(property, "uid", .string(property.text))
            case "PRODID": single(property, "prodId", .string(property.text))
            case "CREATED", "REV":
                let place = property.name == "REV" ? "updated" : "created"
                if let utc = CardDate(property.text)?.utc {
                    single(property, place, .string(utc))
                } else {
                    carry(property)
                }
            case "GRAMGENDER":
                single(property, "speakToAs/grammaticalGender", .string(property.text.lowercased()))
            case "NICKNAME": nicknames(property)
            case "CATEGORIES": many(property, "keywords", property.list)
            case "MEMBER": many(property, "members", [property.text])
            case "RELATED": related(property)
            case "ORG": organization(property)
            case "ADR": address(property)
            case "TZ", "GEO": place(property)
            case "BDAY", "DEATHDATE", "ANNIVERSARY": day(property)
            case "BIRTHPLACE", "DEATHPLACE": break
            case "X-ABLABEL": break
            case "JSPROP": break
            case "LANGUAGE": carry(property)
            default:
                if let place = JSContactPlaces.byProperty[property.name] {
                    item(property, place)
                } else {
                    carry(property)
                }
            }
        }
        for property in properties where property.name == "BIRTHPLACE" || property.name == "DEATHPLACE" {
            placeOfDay(property)
        }
        for property in properties where property.name == "JSPROP" { laid(property) }
        // Labels of what has none in JSContact.
        for property in properties where property.name == "X-ABLABEL" {
            guard let group = property.group, labels[group] == property else {
                if property.group == nil || labels[property.group ?? ""] != nil { carry(property) }
                continue
            }
            carry(property)
        }
        var own: JSON = .object([:])
        if !converted.isEmpty { own["convertedProperties"] = .object(converted) }
        if !carried.isEmpty { own["properties"] = .array(carried) }
        if own != .object([:]) { card["vCard"] = own }
    }

    // MARK: The ways in

    private mutating func carry(_ property: CardProperty) {
        carried.append(JCardProperty.json(property, isUnsaid: true))
    }

    /// JSContact has one of it; a second one is carried.
    private mutating func single(_ property: CardProperty, _ pointer: String, _ value: JSON) {
        let steps = JSContactPlaces.steps(pointer)
        guard card.at(steps[...]) == nil else { return carry(property) }
        card = card.setting(value, at: steps[...])
        note(property, pointer, besides: [])
    }

    private mutating func many(_ property: CardProperty, _ pointer: String, _ values: [String]) {
        for value in values { card = card.setting(true, at: [pointer, value][...]) }
        note(property, pointer, besides: [])
    }

    /// Keeps what of a property has no other place: its group and the parameters nobody took.
    private mutating func note(
        _ property: CardProperty, _ pointer: String, besides taken: Set<String>, name: String? = nil,
        types: [String]? = nil
    ) {
        var said = converted[pointer] ?? .object([:])
        var parameters = said["parameters"] ?? .object([:])
        if let group = property.group { parameters["group"] = .string(group) }
        func add(_ name: String, _ values: [String]) {
            var all = parameters[name].map { $0.array ?? [$0] } ?? []
            for value in values where !all.contains(.string(value)) { all.append(.string(value)) }
            parameters[name] = all.count == 1 ? all[0] : .array(all)
        }
        for parameter in property.parameters where !taken.contains(parameter.name) {
            switch parameter.name {
            case "PROP-ID": continue
            case "TYPE": if types == nil { add("type", parameter.values) }
            case "VALUE": add("value", parameter.values.map { $0.uppercased() })
            case "DERIVED": add("derived", parameter.values.map { $0.lowercased() })
            default: add(parameter.name.lowercased(), parameter.values)
            }
        }
        if let types, !types.isEmpty { add("type", types) }
        if let name { said["name"] = .string(name) }
        if parameters != .object([:]) { said["parameters"] = parameters }
        if said != .object([:]) { converted[pointer] = said }
    }

    /// A name in a collection that nobody has there: the one it had before, or the next of `k1`, `k2`, …
    private func id(_ property: CardProperty, in collection: String) -> String {
        let steps = JSContactPlaces.steps(collection)
        let there = card.at(steps[...])?.object ?? [:]
        if let said = property["PROP-ID"], !said.isEmpty, there[said] == nil,
            said.utf8.allSatisfy({
                $0 >= 0x30 && $0 <= 0x39 || $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A || $0 == UInt8(ascii: "-")
                    || $0 == UInt8(ascii: "_")
            })
        {
            return said
        }
        var number = there.count + 1
        while there["k\(number)"] != nil { number += 1 }
        return "k\(number)"
    }

    /// Another language of what went somewhere already: true when it has been said there.
    private mutating func isTranslation(
        _ property: CardProperty, _ key: String, value: JSON, at pointer: String? = nil,
        besides taken: Set<String> = []
    ) -> Bool {
        guard let language = property["LANGUAGE"], let main = alternatives[key], language != main.language
        else { return false }
        let pointer = pointer ?? main.pointer
        if card["language"] == nil, let own = main.language { card["language"] = .string(own) }
        card = card.setting(value, at: ["localizations", language, pointer][...])
        note(
            property, "localizations/\(language)/\(JSContactPlaces.escaped(pointer))",
            besides: taken.union(["LANGUAGE", "ALTID"]))
        return true
    }

    /// Notes where the first language of something went, and says whether its ALTID has a use there.
    private mutating func remember(_ property: CardProperty, _ key: String, _ pointer: String) {
        if alternatives[key] == nil { alternatives[key] = (pointer, property["LANGUAGE"]) }
    }

    private func key(_ property: CardProperty) -> String? {
        (property["ALTID"] ?? property["ALT-ID"]).map { "\(property.name)\u{1F}\($0)" }
    }

    // MARK: Names

    private mutating func full(_ property: CardProperty) {
        if isTranslation(property, "FN", value: .string(property.text), at: "name/full") { return }
        guard card["name"]?["full"] == nil else { return carry(property) }
        card = card.setting(.string(property.text), at: ["name", "full"])
        remember(property, "FN", "name/full")
        note(property, "name/full", besides: ["ALTID"])
    }

    private mutating func name(_ property: CardProperty) {
        var parts = property.parts
        while parts.count < 7 { parts.append([""]) }
        // What RFC 9554 says apart stands in the old places as well.
        let (second, generation) = (parts[5], parts[6])
        if parts[0].count > 1 { parts[0].removeAll { !$0.isEmpty && second.contains($0) } }
        parts[4].removeAll { !$0.isEmpty && generation.contains($0) }
        var components = JSComponents.read(
            property["JSCOMPS"], property.parts, kinds: JSContactPlaces.nameKinds)
        if components == nil {
            components = JSComponents(
                list: parts.prefix(7).enumerated().flatMap { place, values in
                    values.filter { !$0.isEmpty }.map { (JSContactPlaces.nameKinds[place], $0) }
                }, isOrdered: false)
        }
        guard let components, !components.list.isEmpty else { return }
        components.lay(into: &card, at: ["name"])
        if let sorting = property.parameters.first(where: { $0.name == "SORT-AS" }) {
            var sorts = JSONObject()
            let words = sorting.values.flatMap { CardText.split($0, at: UInt8(ascii: ",")) }
            for (place, word) in words.enumerated() where place < 7 && !word.isEmpty {
                sorts[JSContactPlaces.nameKinds[place]] = .string(CardText.plain(word))
            }
            if !sorts.isEmpty { card = card.setting(.object(sorts), at: ["name", "sortAs"]) }
        }
        note(property, "name/components", besides: ["SORT-AS", "JSCOMPS"])
    }

    private mutating func nicknames(_ property: CardProperty) {
        for text in property.list where !text.isEmpty {
            if let key = key(property), isTranslation(property, key, value: .string(text)) { continue }
            let id = id(property, in: "nicknames")
            var item: JSON = ["name": .string(text)]
            let rest = contexts(property, into: &item)
            card = card.setting(item, at: ["nicknames", id])
            if let key = key(property) { remember(property, key, "nicknames/\(id)/name") }
            note(property, "nicknames/\(id)/name", besides: ["PREF"], types: rest)
        }
    }

    private mutating func organization(_ property: CardProperty) {
        let parts = property.plainParts
        if let key = key(property), let main = alternatives[key], let name = parts.first, parts.count == 1,
            isTranslation(property, key, value: .string(name), at: main.pointer)
        {
            return
        }
        let id = id(property, in: "organizations")
        var item: JSON = .object([:])
        if let name = parts.first, !name.isEmpty { item["name"] = .string(name) }
        let sorts =
            property.parameters.first { $0.name == "SORT-AS" }?.values.flatMap {
                CardText.split($0, at: UInt8(ascii: ","))
            }.map(CardText.plain) ?? []
        if let sorting = sorts.first, !sorting.isEmpty { item["sortAs"] = .string(sorting) }
        if parts.count > 1 {
            item["units"] = .array(
                parts.dropFirst().enumerated().map { place, text in
                    var unit: JSON = ["name": .string(text)]
                    if place + 1 < sorts.count, !sorts[place + 1].isEmpty {
                        unit["sortAs"] = .string(sorts[place + 1])
                    }
                    return unit
                })
        }
        let rest = contexts(property, into: &item)
        label(property, into: &item, "organizations/\(id)")
        card = card.setting(item, at: ["organizations", id])
        if let key = key(property) { remember(property, key, "organizations/\(id)/name") }
        note(property, "organizations/\(id)/name", besides: ["SORT-AS", "PREF"], types: rest)
        guard let group = property.group else { return }
        for (title, value) in card["titles"]?.object ?? [:] where value["organizationId"] == nil {
            if converted["titles/\(title)/name"]?["parameters"]?["group"]?.string == group {
                card = card.setting(.string(id), at: ["titles", title, "organizationId"])
            }
        }
    }

    // MARK: Items of a kind

    private mutating func item(_ property: CardProperty, _ place: JSContactPlaces.Place) {
        let text = property.text
        if let key = key(property), isTranslation(property, key, value: .string(text)) { return }
        let id = id(property, in: place.collection)
        let path = "\(place.collection)/\(id)"
        var item: JSON = .object([:])
        var taken: Set<String> = ["PREF", "INDEX"]
        var value = place.value
        if let kind = place.kind, kind != "impp" { item["kind"] = .string(kind) }
        if place.property == "TITLE", property.kind == .text { item["kind"] = "title" }
        switch place.property {
        case "SOCIALPROFILE", "IMPP":
            taken.formUnion(["SERVICE-TYPE", "USERNAME"])
            if property["VALUE"]?.lowercased() == "text" {
                value = "user"
                taken.insert("VALUE")
            }
            if let service = property["SERVICE-TYPE"] { item["service"] = .string(service) }
            if let user = property["USERNAME"] { item["user"] = .string(user) }
        case "EXPERTISE", "HOBBY", "INTEREST":
            taken.insert("LEVEL")
            if let level = property["LEVEL"]?.lowercased() {
                item["level"] = .string(JSContactPlaces.levels[level] ?? level)
            }
        case "NOTE":
            taken.formUnion(["CREATED", "AUTHOR", "AUTHOR-NAME"])
            if let created = property["CREATED"] {
                item["created"] = .string(CardDate(created)?.utc ?? created)
            }
            if let name = property["AUTHOR-NAME"] {
                item = item.setting(.string(name), at: ["author", "name"])
            }
            if let uri = property["AUTHOR"] { item = item.setting(.string(uri), at: ["author", "uri"]) }
        default: break
        }
        item[value] = .string(text)
        if place.value == "uri" {
            taken.insert("MEDIATYPE")
            if let type = property["MEDIATYPE"] { item["mediaType"] = .string(type) }
        }
        var rest = contexts(property, into: &item)
        if place.property == "TEL" {
            var features = JSONObject()
            rest.removeAll { type in
                guard let feature = JSContactPlaces.features[type] else { return false }
                features[feature] = true
                return true
            }
            if !features.isEmpty { item["features"] = .object(features) }
        }
        if let index = property["INDEX"].flatMap({ Int($0) }) { item["listAs"] = .int(index) }
        if place.collection == "titles", let group = property.group,
            let organization = (card["organizations"]?.object ?? [:]).first(where: {
                converted["organizations/\($0.key)/name"]?["parameters"]?["group"]?.string == group
            })
        {
            item["organizationId"] = .string(organization.key)
        }
        label(property, into: &item, path)
        card = card.setting(item, at: JSContactPlaces.steps(path)[...])
        if let key = key(property) { remember(property, key, "\(path)/\(value)") }
        note(
            property, "\(path)/\(value)", besides: taken, name: place.kind == "impp" ? "impp" : nil,
            types: rest)
    }

    /// Work and home; gives the types that say something else.
    private func contexts(_ property: CardProperty, into item: inout JSON) -> [String] {
        var contexts = JSONObject()
        var rest: [String] = []
        for type in property.types {
            switch type {
            case "work": contexts["work"] = true
            case "home": contexts["private"] = true
            case "billing" where property.name == "ADR", "delivery" where property.name == "ADR":
                contexts[type] = true
            default: rest.append(type)
            }
        }
        if !contexts.isEmpty { item["contexts"] = .object(contexts) }
        if let preference = property["PREF"].flatMap({ Int($0) }), (1...100).contains(preference) {
            item["pref"] = .int(preference)
        }
        return rest
    }

    private mutating func label(_ property: CardProperty, into item: inout JSON, _ path: String) {
        guard let group = property.group, let label = labels[group] else { return }
        labels[group] = nil
        item["label"] = .string(label.text)
        note(label, "\(path)/label", besides: [], name: "x-ablabel")
    }

    private mutating func related(_ property: CardProperty) {
        let uri = property.text
        var relations = card["relatedTo"]?[uri]?["relation"] ?? .object([:])
        for type in property.types { relations[type] = true }
        card = card.setting(["relation": relations], at: ["relatedTo", uri])
        note(property, "relatedTo/\(JSContactPlaces.escaped(uri))", besides: ["TYPE"])
    }

    // MARK: Places and days

    private mutating func address(_ property: CardProperty) {
        let id = id(property, in: "addresses")
        var item: JSON = .object([:])
        let parts = property.parts
        var components = JSComponents.read(
            property["JSCOMPS"], parts, kinds: JSContactPlaces.addressKinds)
        if components == nil {
            // The old places say in one text what the new ones say apart.
            let isNew = parts.dropFirst(7).contains { $0.contains { !$0.isEmpty } }
            components = JSComponents(
                list: parts.prefix(18).enumerated().flatMap { place, values in
                    isNew && (place == 1 || place == 2)
                        ? [] : values.filter { !$0.isEmpty }.map { (JSContactPlaces.addressKinds[place], $0) }
                }, isOrdered: false)
        }
        if let components, !components.list.isEmpty { components.lay(into: &item, at: []) }
        for (name, member) in [
            ("LABEL", "full"), ("CC", "countryCode"), ("GEO", "coordinates"), ("TZ", "timeZone"),
        ] {
            if let text = property[name] { item[member] = .string(text) }
        }
        let rest = contexts(property, into: &item)
        label(property, into: &item, "addresses/\(id)")
        guard item != .object([:]) else { return carry(property) }
        card = card.setting(item, at: ["addresses", id])
        note(
            property, "addresses/\(id)", besides: ["LABEL", "CC", "GEO", "TZ", "PREF", "JSCOMPS"], types: rest
        )
    }

    /// A place in the world or its time, of which vCard does not say to which address it belongs.
    private mutating func place(_ property: CardProperty) {
        let isZone = property.name == "TZ"
        let text = property.text
        guard !isZone || text.first != "+" && text.first != "-" || Self.zone(text) != nil else {
            return carry(property)
        }
        let id = id(property, in: "addresses")
        let member = isZone ? "timeZone" : "coordinates"
        var item: JSON = .object([:])
        item[member] = .string(isZone ? Self.zone(text) ?? text : text)
        let rest = contexts(property, into: &item)
        card = card.setting(item, at: ["addresses", id])
        note(
            property, "addresses/\(id)/\(member)", besides: ["PREF"], name: property.name.lowercased(),
            types: rest)
    }

    /// An offset of whole hours; those of tz have the opposite sign.
    static func zone(_ text: String) -> String? {
        let signs = Array(text.filter { $0 != ":" })
        guard signs.count == 5 || signs.count == 3, signs[0] == "+" || signs[0] == "-",
            let hours = Int(String(signs[1..<3])), hours <= 14, signs.dropFirst(3).allSatisfy({ $0 == "0" })
        else { return nil }
        return hours == 0 ? "Etc/UTC" : "Etc/GMT\(signs[0] == "+" ? "-" : "+")\(hours)"
    }

    private mutating func day(_ property: CardProperty) {
        guard let kind = JSContactPlaces.days.first(where: { $0.date == property.name })?.kind,
            let date = CardDate(of: property)
        else { return carry(property) }
        if kind != "wedding", anniversary(kind) != nil { return carry(property) }
        let id = id(property, in: "anniversaries")
        var value: JSON
        if date.time != nil {
            guard let utc = date.utc else { return carry(property) }
            value = ["@type": "Timestamp", "utc": .string(utc)]
        } else {
            value = ["@type": "PartialDate"]
            if let year = date.year { value["year"] = .int(year) }
            if let month = date.month { value["month"] = .int(month) }
            if let day = date.day { value["day"] = .int(day) }
            if let scale = property["CALSCALE"], scale.lowercased() != "gregorian" {
                value["calendarScale"] = .string(scale.lowercased())
            }
        }
        card = card.setting(["kind": .string(kind), "date": value], at: ["anniversaries", id])
        note(property, "anniversaries/\(id)/date", besides: ["CALSCALE"])
    }

    private func anniversary(_ kind: String) -> String? {
        (card["anniversaries"]?.object ?? [:]).first { $0.value["kind"]?.string == kind }?.key
    }

    private mutating func placeOfDay(_ property: CardProperty) {
        let kind = property.name == "BIRTHPLACE" ? "birth" : "death"
        let isGeo = property.value.lowercased().hasPrefix("geo:")
        let value = property.kind == .address || !isGeo ? property.text : CardText.plain(property.value)
        if isTranslation(property, property.name, value: .string(value)) { return }
        let id = anniversary(kind) ?? id(property, in: "anniversaries")
        let member = isGeo ? "coordinates" : "full"
        guard card.at(["anniversaries", id, "place"][...]) == nil else { return carry(property) }
        card = card.setting(.string(kind), at: ["anniversaries", id, "kind"])
        card = card.setting(.string(value), at: ["anniversaries", id, "place", member])
        remember(property, property.name, "anniversaries/\(id)/place/\(member)")
        note(
            property, "anniversaries/\(id)/place/\(member)", besides: isGeo ? ["ALTID", "VALUE"] : ["ALTID"])
    }

    /// What only JSContact knows, carried by a vCard.
    private mutating func laid(_ property: CardProperty) {
        guard let pointer = property["JSPTR"],
            let value = try? JSON(parsing: CardText.plain(property.value), maximumDepth: 32)
        else { return carry(property) }
        card = card.setting(value, at: JSContactPlaces.steps(pointer)[...])
    }
}

/// The parts of a name or an address, which may have an order and signs between them.
struct JSComponents {
    var list: [(kind: String, value: String)]
    var isOrdered: Bool
    var defaultSeparator: String?

    /// By the order a vCard says (RFC 9555, 3.3.1): `;1;0`, `s,\, ;10;s, ;11;3`.
    static func read(_ said: String?, _ parts: [[String]], kinds: [String]) -> JSComponents? {
        guard let said else { return nil }
        var found = JSComponents(list: [], isOrdered: true)
        for (number, entry) in CardText.split(said, at: UInt8(ascii: ";")).enumerated() {
            let words = CardText.split(entry, at: UInt8(ascii: ",")).map(CardText.plain)
            if words.first == "s" {
                let sign = words.dropFirst().joined(separator: ",")
                if number == 0 {
                    found.defaultSeparator = sign
                } else {
                    found.list.append(("separator", sign))
                }
            } else if number > 0 {
                guard let place = words.first.flatMap({ Int($0) }), parts.indices.contains(place),
                    kinds.indices.contains(place)
                else { return nil }
                let value = words.count > 1 ? Int(words[1]) ?? -1 : 0
                guard parts[place].indices.contains(value) else { return nil }
                found.list.append((kinds[place], parts[place][value]))
            }
        }
        return found
    }

    func lay(into json: inout JSON, at path: [String]) {
        let values = list.map { component -> JSON in
            ["kind": .string(component.kind), "value": .string(component.value)]
        }
        json = json.setting(.array(values), at: (path + ["components"])[...])
        guard isOrdered else { return }
        json = json.setting(true, at: (path + ["isOrdered"])[...])
        if let defaultSeparator {
            json = json.setting(.string(defaultSeparator), at: (path + ["defaultSeparator"])[...])
        }
    }

    /// The parts a vCard has, and the order in which they are to be read.
    func parts(kinds: [String], count: Int) -> (parts: [[String]], order: String)? {
        var parts = [[String]](repeating: [], count: count)
        var order = [defaultSeparator.map { "s,\(CardText.escaped($0))" } ?? ""]
        for (kind, value) in list {
            if kind == "separator" {
                order.append("s,\(CardText.escaped(value))")
                continue
            }
            guard let place = kinds.prefix(count).lastIndex(of: kind) else { return nil }
            order.append(parts[place].isEmpty ? "\(place)" : "\(place),\(parts[place].count)")
            parts[place].append(value)
        }
        return (parts, order.joined(separator: ";"))
    }
}
