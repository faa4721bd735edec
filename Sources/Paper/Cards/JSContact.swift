public import Bytes

// JSContact (RFC 9553), reached from vCard and back by RFC 9555.
extension ContactCard {
    public var jsContact: JSON {
        var writer = JSContactWriter(CardVersions(self).modern)
        return writer.json
    }

    /// Nil for what is no card of JSContact.
    init?(jsContact json: JSON, line: Int, bytes: [UInt8]?) {
        guard let object = json.object else { return nil }
        let type = object["@type"]?.string
        let isOne =
            type == "Card"
            || type == nil
                && ["name", "uid", "emails", "phones", "organizations"].contains { object[$0] != nil }
        guard isOne else { return nil }
        var reader = JSContactReader(object)
        self.init(reader.properties(), form: .jscontact, line: line, bytes: bytes)
    }
}

/// The places of JSContact and the properties of vCard that mean the same.
enum JSContactPlaces {
    /// Where an item lives, what of it is the value, and what kind of item it is there.
    struct Place {
        var property: String
        var collection: String
        var value: String
        var kind: String?
    }

    static let places: [Place] = [
        Place(property: "EMAIL", collection: "emails", value: "address"),
        Place(property: "TEL", collection: "phones", value: "number"),
        Place(property: "LANG", collection: "preferredLanguages", value: "language"),
        Place(property: "SOCIALPROFILE", collection: "onlineServices", value: "uri"),
        Place(property: "IMPP", collection: "onlineServices", value: "uri", kind: "impp"),
        Place(property: "URL", collection: "links", value: "uri"),
        Place(property: "CONTACT-URI", collection: "links", value: "uri", kind: "contact"),
        Place(property: "SOURCE", collection: "directories", value: "uri", kind: "entry"),
        Place(property: "ORG-DIRECTORY", collection: "directories", value: "uri", kind: "directory"),
        Place(property: "PHOTO", collection: "media", value: "uri", kind: "photo"),
        Place(property: "LOGO", collection: "media", value: "uri", kind: "logo"),
        Place(property: "SOUND", collection: "media", value: "uri", kind: "sound"),
        Place(property: "KEY", collection: "cryptoKeys", value: "uri"),
        Place(property: "CALURI", collection: "calendars", value: "uri", kind: "calendar"),
        Place(property: "FBURL", collection: "calendars", value: "uri", kind: "freeBusy"),
        Place(property: "CALADRURI", collection: "schedulingAddresses", value: "uri"),
        Place(property: "EXPERTISE", collection: "personalInfo", value: "value", kind: "expertise"),
        Place(property: "HOBBY", collection: "personalInfo", value: "value", kind: "hobby"),
        Place(property: "INTEREST", collection: "personalInfo", value: "value", kind: "interest"),
        Place(property: "NOTE", collection: "notes", value: "note"),
        Place(property: "TITLE", collection: "titles", value: "name", kind: "title"),
        Place(property: "ROLE", collection: "titles", value: "name", kind: "role"),
        Place(property: "PRONOUNS", collection: "speakToAs/pronouns", value: "pronouns"),
    ]

    static let byProperty = Dictionary(
        places.map { ($0.property, $0) }, uniquingKeysWith: { first, _ in first })

    static let nameKinds = ["surname", "given", "given2", "title", "credential", "surname2", "generation"]
    static let addressKinds = [
        "postOfficeBox", "apartment", "name", "locality", "region", "postcode", "country", "room",
        "apartment",
        "floor", "number", "name", "building", "block", "subdistrict", "district", "landmark", "direction",
    ]

    static let features = [
        "text": "text", "voice": "voice", "fax": "fax", "cell": "mobile", "video": "video", "pager": "pager",
        "textphone": "textphone", "main-number": "main-number",
    ]
    static let levels = ["beginner": "low", "average": "medium", "expert": "high"]

    /// Days of somebody's life: the property of the day, of its place, and what JSContact calls it.
    static let days = [
        (date: "BDAY", place: "BIRTHPLACE", kind: "birth"),
        (date: "DEATHDATE", place: "DEATHPLACE", kind: "death"),
        (date: "ANNIVERSARY", place: "", kind: "wedding"),
    ]

    static func escaped(_ name: String) -> String {
        name.replacing("~", with: "~0").replacing("/", with: "~1")
    }

    static func steps(_ pointer: String) -> [String] {
        pointer.split(separator: "/", omittingEmptySubsequences: false).map {
            String($0).replacing("~1", with: "/").replacing("~0", with: "~")
        }
    }
}

extension JSON {
    func at(_ steps: ArraySlice<String>) -> JSON? {
        guard let first = steps.first else { return self }
        if let place = Int(first), array != nil { return self[place]?.at(steps.dropFirst()) }
        return self[first]?.at(steps.dropFirst())
    }

    /// Lays a value where the steps lead, making objects on the way; nil takes away.
    func setting(_ value: JSON?, at steps: ArraySlice<String>) -> JSON {
        guard let first = steps.first else { return value ?? .null }
        if var list = array, let place = Int(first), list.indices.contains(place) {
            list[place] = list[place].setting(value, at: steps.dropFirst())
            return .array(list)
        }
        var members = object ?? JSONObject()
        if steps.count == 1 {
            members[first] = value
        } else {
            members[first] = (members[first] ?? .object([:])).setting(value, at: steps.dropFirst())
        }
        return .object(members)
    }
}
