public import Access
import Making
public import Mappings

extension Batches {
    /// So many rows are gone through for their words; the check sees all.
    public static let wordRows = 2000

    /// The words that the list has for fields with choices, each with what it is taken as.
    public func words(_ match: PartMatch, by caller: Caller) throws -> FieldWords {
        try caller.require(.view)
        var words = FieldWords(match.form.mapping, match.mapping)
        guard words.asksForRows, let whom = match.batch.draft.whom else { return words }
        let rows = try self.rows.some(whom, 0, Self.wordRows)
        for (place, row) in rows.enumerated() { words.add(row.cells, number: place + 1) }
        return words
    }
}
