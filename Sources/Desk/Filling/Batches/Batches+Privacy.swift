public import Access
import Bytes
import Library
import SQL
public import Storage

extension Batches {
    /// Which batches have papers that lie where this caller may not look, or forms that were made of such papers.
    public func hidden(from caller: Caller) throws -> Set<ID<Batch>> {
        try store.read { desk in try hidden(from: caller, in: desk) }
    }

    func hidden(
        from caller: Caller, in desk: borrowing some Readable & ~Copyable
    ) throws -> Set<ID<Batch>> {
        guard let papers = try documents.hiddenPapers(from: caller, in: desk) else { return [] }
        let drafts = try desk.rows("SELECT id, draft FROM batch").map {
            (id: try $0.id("id", of: Batch.self), parts: Self.parts(try $0.json("draft")))
        }
        let named = drafts.flatMap(\.parts.documents)
        let closed = Set(
            try desk.rows(
                "SELECT id FROM document WHERE \(Query.column("id", in: named)) AND id IN (\(papers))"
            ).map { try $0.text("id") })
        let forms = try templates.hidden(
            among: drafts.flatMap(\.parts.templates).compactMap(ID.init), from: caller, in: desk)
        return Set(
            drafts.filter { draft in
                draft.parts.documents.contains(where: closed.contains)
                    || draft.parts.templates.compactMap(ID.init).contains(where: forms.contains)
            }.map(\.id))
    }

    /// The batch of an id, for somebody who may see all its papers.
    func find(
        _ id: ID<Batch>, for caller: Caller, in desk: borrowing some Readable & ~Copyable
    ) throws -> Batch {
        let batch = try find(id, in: desk)
        guard try !hidden(from: caller, in: desk).contains(id) else { throw documents.isPrivate }
        return batch
    }

    private static func parts(_ draft: JSON) -> (documents: [String], templates: [String]) {
        let parts = draft["parts"]?.array ?? []
        return (parts.compactMap { $0["document"]?.string }, parts.compactMap { $0["template"]?.string })
    }
}
