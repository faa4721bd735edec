public import Access
import SQL
public import Storage

extension Documents {
    /// The pages of one paper that have all the words, from 1.
    public func pages(of id: ID<Document>, with text: String, by caller: Caller) throws -> [Int] {
        let document = try get(id, by: caller)
        let wanted = Wanted(text)
        guard !wanted.terms.isEmpty else { return [] }
        return try store.read { desk in
            let conditions = wanted.terms.map(\.looseCondition).joined(separator: " AND ")
            return try desk.rows(
                """
                SELECT page FROM document_page WHERE document = \(document.id) AND page > 0 AND \(conditions)
                ORDER BY page
                """
            ).map { try $0.int("page") }
        }
    }
}
