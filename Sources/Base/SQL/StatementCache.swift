/// Prepared statements by their text; the longest unused one leaves when a new one needs its place.
///
/// A statement is *taken* while it runs and put back afterwards, so that a query running inside the loop over
/// the same query gets a statement of its own.
package struct StatementCache<Statement> {
    private var kept: [String: (statement: Statement, lastUse: UInt64)] = [:]
    private var uses: UInt64 = 0
    let capacity: Int

    package init(capacity: Int) { self.capacity = capacity }

    var count: Int { kept.count }

    package mutating func take(_ text: String) -> Statement? {
        kept.removeValue(forKey: text)?.statement
    }

    /// The statement that has to be closed now: one pushed out, or this one when its text is already kept.
    package mutating func put(_ statement: Statement, for text: String) -> Statement? {
        guard kept[text] == nil else { return statement }
        uses += 1
        kept[text] = (statement, uses)
        guard kept.count > capacity, let oldest = kept.min(by: { $0.value.lastUse < $1.value.lastUse })
        else { return nil }
        return kept.removeValue(forKey: oldest.key)?.statement
    }

    package mutating func removeAll() -> [Statement] {
        defer { kept = [:] }
        return kept.values.map(\.statement)
    }
}
