/// What might fill a field that nothing fills yet.
public struct MappingSuggestion: Sendable, Equatable {
    public struct Candidate: Sendable, Equatable {
        public var source: Mapping.Source
        /// 0 to 1.
        public var confidence: Double
        /// Why, in a sentence's end: “called alike”.
        public var reason: String
    }

    public var field: String
    /// The best first; none when nothing fits.
    public var candidates: [Candidate]
    /// Why there is no confident match although something fits.
    public var doubt: String?

    /// Only when one candidate is good, and clearly better than the next one.
    public var isConfident: Bool { doubt == nil && !candidates.isEmpty }
    /// What to use: empty unless it is certain enough.
    public var source: Mapping.Source { isConfident ? candidates[0].source : .empty }
    public var confidence: Double { candidates.first?.confidence ?? 0 }
    public var reason: String { doubt ?? candidates.first?.reason ?? "" }
    public var runnerUp: Candidate? { candidates.count > 1 ? candidates[1] : nil }
}

extension Mapping {
    /// What might fill the fields that nothing fills yet, in the form's order. Fields that are mapped, or left empty on
    /// purpose, are not spoken of.
    public func suggestions(_ fields: [FieldFacts], _ columns: [ColumnFacts]) -> [MappingSuggestion] {
        let spokenOf = Set(entries.map(\.field))
        let suggester = Suggester(fields, columns, locale: locale)
        return suggester.suggestions.filter { !spokenOf.contains($0.field) }
    }

    /// The confident suggestions written into the mapping; gives those that were.
    @discardableResult
    public mutating func takeSuggestions(
        _ fields: [FieldFacts], _ columns: [ColumnFacts]
    ) -> [MappingSuggestion] {
        let confident = suggestions(fields, columns).filter(\.isConfident)
        for suggestion in confident { self[suggestion.field] = suggestion.source }
        return confident
    }
}
