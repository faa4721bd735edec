import Bytes
import Storage

/// What commands about packets ask a desk for: things that have a name for people and an id for programs.
struct NamedThings: Sendable {
    /// The address of the list, and the key under which it answers.
    let path: String
    let key: String
    /// What one of them is called in a sentence, and the command that lists them.
    let noun: String
    let listing: String
    /// Whether the list answers page by page.
    var isPaged = true

    static let templates = NamedThings(
        path: "/templates", key: "templates", noun: "form", listing: "quire template list")
    static let lists = NamedThings(
        path: "/lists", key: "lists", noun: "list of recipients", listing: "quire recipients list",
        isPaged: false)
    static let batches = NamedThings(
        path: "/batches", key: "batches", noun: "batch", listing: "quire batch list")
}

extension DeskClient {
    func all(
        _ things: NamedThings, matching words: String = "", inTrash: Bool = false, limit: Int = 500
    ) throws -> [JSON] {
        var found: [JSON] = []
        var page = 1
        // A page at a time, for as long as they come full.
        while true {
            var query = [("limit", String(limit)), ("page", String(page))]
            if !words.isEmpty { query.append(("q", words)) }
            if inTrash { query.append(("trash", "1")) }
            let more = try get(things.path, query)[things.key]?.array ?? []
            found += more
            guard more.count == limit, page < 200, things.isPaged else { return found }
            page += 1
        }
    }

    /// The one somebody means by an id, or by the whole of its name.
    func one(_ things: NamedThings, _ reference: String, inTrash: Bool = false) throws -> JSON {
        if ID<JSON>(reference) != nil { return try get("\(things.path)/\(reference)") }
        let found = try all(things, matching: reference, inTrash: inTrash)
        let exact = found.filter { $0["name"]?.string == reference }
        let meant = exact.isEmpty ? found : exact
        guard let first = meant.first else {
            throw Failure(
                .notFound,
                inTrash
                    ? "No \(things.noun) called “\(reference)” lies in the trash. See: \(things.listing) --trash"
                    : "There is no \(things.noun) called “\(reference)”. See: \(things.listing)")
        }
        guard meant.count == 1 else {
            let names = meant.prefix(5).map { "“\($0["name"]?.string ?? "")” \($0["id"]?.string ?? "")" }
            throw Failure(
                .conflict,
                "“\(reference)” could be one of \(meant.count); say which by its id: \(names.joined(separator: ", "))\(meant.count > 5 ? ", …" : "")."
            )
        }
        return first
    }

    func remove(_ things: NamedThings, _ references: [String]) throws -> [JSON] {
        let found = try references.map { try one(things, $0) }
        for thing in found { try send("DELETE", "\(things.path)/\(thing["id"]?.string ?? "")") }
        return found
    }

    func restore(_ things: NamedThings, _ references: [String]) throws -> [JSON] {
        let found = try references.map { try one(things, $0, inTrash: true) }
        for thing in found {
            try send("POST", "\(things.path)/\(thing["id"]?.string ?? "")/restoration")
        }
        return found
    }
}

extension Invocation {
    /// Says what was taken away, and that it comes back.
    func sayRemoved(_ removed: [JSON], by restoring: String) {
        answer(["removed": .array(removed)]) {
            removed.map { "“\(TextTable.harmless($0["name"]?.string ?? ""))” lies in the trash.\n" }.joined()
        }
        hint(
            "Back with: \(removed.map { again("\(restoring) \($0["id"]?.string ?? "")") }.joined(separator: "; "))"
        )
    }

    func sayRestored(_ restored: [JSON]) {
        answer(["restored": .array(restored)]) {
            restored.map { "“\(TextTable.harmless($0["name"]?.string ?? ""))” is here again.\n" }.joined()
        }
    }
}

extension Option {
    static let trash = Option("trash", nil, "those in the trash")
}
