import SQL
import Storage

extension Quire {
    /// Where the names stand of what the journal calls by its kind and id.
    private static let named = [
        "document": (table: "document", column: "name"), "template": ("template", "name"),
        "batch": ("batch", "name"), "packet": ("packet", "recipient_name"), "mailing": ("mailing", "title"),
        "list": ("recipient_list", "name"), "contact-book": ("contact_book", "name"),
        "contact": ("contact", "name"),
        "conversion": ("conversion", "name"), "member": ("member", "name"),
        "repetition": ("repetition", "name"), "card": ("own_card", "name"),
    ]

    /// What people call these, as the journal names them; nothing for what has gone since.
    public func names(of subjects: some Sequence<String>) throws -> [String: String] {
        var ids: [String: [String]] = [:]
        for subject in subjects {
            guard let stroke = subject.firstIndex(of: "/") else { continue }
            ids[String(subject[..<stroke]), default: []].append(String(subject[stroke...].dropFirst()))
        }
        return try store.read { desk in
            var names: [String: String] = [:]
            for (kind, ids) in ids {
                guard let (table, column) = Self.named[kind] else { continue }
                let called = Query(raw: "SELECT id, \(column) AS name FROM \(table) WHERE ")
                for row in try desk.rows(called + .column("id", in: Set(ids))) {
                    names["\(kind)/\(try row.text("id"))"] = try row.text("name")
                }
            }
            return names
        }
    }
}
