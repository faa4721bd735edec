import Access
import Bytes
import HTTP
import People
import Transfer

/// Who is who, as RFC 3744 lets programs ask: everybody finds nobody but themselves.
struct CardDAVPrincipals {
    let door: CardDAVDoor
    let request: Request
    let caller: Caller
    let root: XMLNode
    let view: CardDAVView

    /// Where principals lie.
    static let reports = ["D:principal-property-search", "D:principal-search-property-set"]
    /// What may be looked for.
    private static let names = [XMLScanner.Name(namespace: "DAV:", local: "displayname")]

    func answer(_ kind: String, at here: CardDAVPlace) throws -> Response {
        if kind == "D:expand-property" { return try expanded(at: here) }
        // They are about the place itself, which is not asked for with another depth.
        guard request.headers["Depth"] ?? "0" == "0", root.children("prop", in: "DAV:").count <= 1 else {
            throw Refusal(.badRequest, "This report is asked for with Depth: 0 and one prop.")
        }
        return switch kind {
        case "D:principal-match": try matching(below: here)
        case "D:principal-property-search": searched
        case "D:principal-search-property-set":
            DAVXML.response(
                "<D:principal-search-property-set xmlns:D=\"DAV:\">\(Self.searchable)</D:principal-search-property-set>",
                .ok)
        default: try principals(of: here)
        }
    }

    private static let searchable = """
        <D:principal-search-property><D:prop><D:displayname/></D:prop>\
        <D:description xml:lang="en">Name</D:description></D:principal-search-property>
        """

    /// Who may do something with a thing.
    private func principals(of here: CardDAVPlace) throws -> Response {
        guard root.child("prop", in: "DAV:") != nil else {
            throw Refusal(.badRequest, "What is to be known of them is said by prop.")
        }
        _ = try door.places(from: here, depth: 0, by: caller)
        return DAVXML.multistatus(view.described(.member))
    }

    /// What leads to whoever asks: they themselves, or what names them in a property.
    private func matching(below here: CardDAVPlace) throws -> Response {
        let places = try door.places(from: here, depth: 3, by: caller)
        if root.child("self", in: "DAV:") != nil {
            let own = places.filter { $0.place.isMember }
            return DAVXML.multistatus(own.map { view.described($0.place) }.joined())
        }
        guard let asked = root.child("principal-property", in: "DAV:")?.children.first else {
            throw Refusal(.badRequest, "It is asked for by self or by a principal-property.")
        }
        var values = try CardDAVView(door.quire, caller, .some([asked.name]), isBrief: false)
        try values.learn(places.compactMap(\.file))
        let found = places.filter { values.leadsHome(asked.name, $0.place, $0.file) }
        return DAVXML.multistatus(
            found.map { view.described($0.place, file: $0.file) }.joined())
    }

    /// Nobody is found by what is not known of them.
    private var searched: Response {
        let isAny = root.attributes["test"] == "anyof"
        let name = view.callerName.lowercased()
        let answers = root.children("property-search", in: "DAV:").map { search in
            let names = search.child("prop", in: "DAV:")?.children.map(\.name) ?? []
            let text = search.value("match", in: "DAV:")?.lowercased() ?? ""
            return !names.isEmpty && names.allSatisfy(Self.names.contains)
                && (text.isEmpty || name.contains(text))
        }
        let isFound = !answers.isEmpty && (isAny ? answers.contains(true) : answers.allSatisfy { $0 })
        return DAVXML.multistatus(isFound ? view.described(.member) : "")
    }

    // MARK: Properties that lead on (RFC 3253 §3.8)

    private func expanded(at here: CardDAVPlace) throws -> Response {
        let depth = ["1": 1, "infinity": 3][request.headers["Depth"]?.lowercased() ?? "0"] ?? 0
        let found = try door.places(from: here, depth: depth, by: caller).map {
            try response($0.place, $0.file, root)
        }
        return DAVXML.multistatus(found.joined())
    }

    /// A thing with those of its properties that are asked for, and what lies there instead of the addresses in them.
    private func response(
        _ place: CardDAVPlace, _ file: Contacts.Served?, _ asked: XMLNode
    ) throws -> String {
        var found = ""
        var missing = ""
        for property in asked.children("property", in: "DAV:") {
            let name = XMLScanner.Name(
                namespace: property.attributes["namespace"] ?? "DAV:", local: try Self.local(property))
            if let value = view.live(name, place, file) {
                found += DAVXML.element(name, try followed(value.content, property))
            } else {
                missing += DAVXML.element(name)
            }
        }
        let stats = DAVXML.propstat(found, .ok) + DAVXML.propstat(missing, .notFound)
        return "<D:response><D:href>\(place.address)</D:href>\(stats)</D:response>"
    }

    private func followed(_ value: String, _ property: XMLNode) throws -> String {
        let href = "<D:href>"
        guard !property.children.isEmpty, value.hasPrefix(href) else { return value }
        let address = String(value.dropFirst(href.count).prefix { $0 != "<" })
        let place = CardDAVPlace(request.path(ofAddress: address, below: CardDAVDoor.first) ?? ["?"])
        switch place {
        case .top, .member, .book: return try response(place, nil, property)
        case .card, .nowhere: return value
        }
    }

    /// It becomes the name of an element.
    private static func local(_ property: XMLNode) throws(Refusal) -> String {
        let name = property.attributes["name"] ?? ""
        let isPlain = name.utf8.allSatisfy {
            $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A || $0 >= 0x30 && $0 <= 0x39 || $0 == 0x2D || $0 == 0x5F
        }
        guard isPlain, let first = name.utf8.first, first >= 0x41 else {
            throw Refusal(.badRequest, "A property has a name.")
        }
        return name
    }
}
