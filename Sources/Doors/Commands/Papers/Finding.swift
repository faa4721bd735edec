import Bytes
import Storage

extension DeskClient {
    /// The paper somebody means by an id, or by the whole of its name.
    func document(_ reference: String, inTrash: Bool = false) throws -> DocumentView {
        if ID<DocumentView>(reference) != nil {
            guard let found = DocumentView(try get("/documents/\(reference)")) else {
                throw Failure(.unavailable, "The desk’s answer about \(reference) cannot be understood.")
            }
            return found
        }
        let found = try documents(matching: reference, inTrash: inTrash, atMost: 100).documents
        let exact = found.filter { $0.name == reference }
        let meant = exact.isEmpty ? found : exact
        guard let first = meant.first else {
            let place = inTrash ? "in the bin" : "on the desk"
            throw Failure(
                .notFound,
                "There is no paper called “\(reference)” \(place). See: quire list\(inTrash ? " --trash" : "")"
            )
        }
        guard meant.count == 1 else {
            let names = meant.prefix(5).map { "\n  \($0.id)  \($0.name)" }.joined()
            throw Failure(
                .conflict,
                "“\(reference)” could be one of \(meant.count) papers; say which by its id:\(names)")
        }
        return first
    }

    /// A page at a time, until there are enough.
    func documents(
        matching words: String, _ filters: [(String, String)] = [], inTrash: Bool = false,
        order: String? = nil, atMost limit: Int
    ) throws -> (documents: [DocumentView], count: Int) {
        var found: [DocumentView] = []
        var count = 0
        var cursor: String?
        repeat {
            var query = [("limit", String(min(200, limit - found.count)))] + filters
            if !words.isEmpty { query.append(("q", words)) }
            if inTrash { query.append(("trash", "1")) }
            if let order { query.append(("sort", order)) }
            if let cursor { query.append(("after", cursor)) }
            let page = try get("/documents", query)
            guard let entries = page["documents"]?.array else {
                throw Failure(.unavailable, "The desk’s list of papers cannot be understood.")
            }
            found += entries.compactMap(DocumentView.init)
            count = page["total"]?.int ?? found.count
            let next = page["next"]?.string
            guard next != cursor, !entries.isEmpty else { break }
            cursor = next
        } while cursor != nil && found.count < limit
        return (found, count)
    }
}
