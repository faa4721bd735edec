public import Access
import PDFReading
import SQL
public import Storage

extension Documents {
    /// The pages of one paper that have all the words, from 1.
    public func pages(of id: ID<Document>, with text: String, by caller: Caller) throws -> [Int] {
        let document = try get(id, by: caller)
        let wanted = Wanted(text)
        guard !wanted.terms.isEmpty else { return [] }
        return try store.read { desk in
            let conditions = wanted.terms.map { $0.looseCondition(in: desk.kind) }.joined(separator: " AND ")
            return try desk.rows(
                """
                SELECT page FROM document_page WHERE document = \(document.id) AND page > 0 AND \(conditions)
                ORDER BY page
                """
            ).map { try $0.int("page") }
        }
    }

    /// The words that were recognised on a page that is a picture; nil when none were. Pages count from 1.
    func recognised(_ page: Int, of document: Document) -> [PageText.Line]? {
        try? store.read { desk in
            let row = try desk.row(
                """
                SELECT document_page.places AS places FROM document_page
                JOIN document ON document.id = document_page.document
                WHERE document = \(document.id) AND page = \(page) AND digest = \(document.blob.digest)
                """)
            return try row?.optionalText("places").map { WordPlaces(text: $0).lines }
        }
    }
}
