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

/// A column that goes nowhere by itself, and the fields that it may be meant for: for a person to choose.
public struct ColumnOffer: Sendable, Equatable {
    public struct Part: Sendable, Equatable {
        public var field: String
        public var source: Mapping.Source
    }

    public struct Choice: Sendable, Equatable {
        /// One field, or several that the value is poured over.
        public var parts: [Part]
        /// 0 to 1.
        public var confidence: Double
        public var reason: String
    }

    public var column: String
    /// The likeliest first, three at most.
    public var choices: [Choice]
}

extension Mapping {
    /// Both at once, for whoever shows both.
    public func matches(
        _ fields: [FieldFacts], _ columns: [ColumnFacts]
    ) -> (suggestions: [MappingSuggestion], offers: [ColumnOffer]) {
        let suggester = Suggester(fields, columns, locale: locale)
        return (open(suggester.suggestions), open(suggester.offers))
    }

    /// Columns that nothing uses yet and that do not go anywhere by themselves, with what they may be meant for. Fields
    /// that are spoken of already are no choice any more.
    public func offers(_ fields: [FieldFacts], _ columns: [ColumnFacts]) -> [ColumnOffer] {
        matches(fields, columns).offers
    }

    private func open(_ offers: [ColumnOffer]) -> [ColumnOffer] {
        let spokenOf = Set(entries.map(\.field))
        let used = entries.map(\.source.text)
        return offers.compactMap { offer in
            guard !used.contains(where: { $0.contains(Source.column(offer.column).text) }) else { return nil }
            var open = offer
            open.choices.removeAll { choice in choice.parts.contains { spokenOf.contains($0.field) } }
            return open.choices.isEmpty ? nil : open
        }
    }

    private func open(_ suggestions: [MappingSuggestion]) -> [MappingSuggestion] {
        let spokenOf = Set(entries.map(\.field))
        return suggestions.filter { !spokenOf.contains($0.field) }
    }

    /// What might fill the fields that nothing fills yet, in the form's order. Fields that are mapped, or left empty on
    /// purpose, are not spoken of.
    public func suggestions(_ fields: [FieldFacts], _ columns: [ColumnFacts]) -> [MappingSuggestion] {
        matches(fields, columns).suggestions
    }

    /// What goes by itself into fields that are not named: what is certain, of columns that nobody has put elsewhere.
    /// Nothing where the mapping says that the others stay as they are.
    public func completions(_ fields: [FieldFacts], _ columns: [ColumnFacts]) -> [MappingSuggestion] {
        let named = Set(entries.map(\.field))
        guard !keepsOthers, fields.contains(where: { $0.takesValues && !named.contains($0.name) }) else {
            return []
        }
        let used = columns.map { Source.column($0.name).text }.filter { column in
            entries.contains { $0.source.text.contains(column) }
        }
        return suggestions(fields, columns).filter { suggestion in
            suggestion.isConfident && !used.contains { suggestion.source.text.contains($0) }
        }
    }

    /// The completions written into the mapping; gives those that were.
    @discardableResult
    public mutating func complete(
        _ fields: [FieldFacts], _ columns: [ColumnFacts]
    ) -> [MappingSuggestion] {
        let added = completions(fields, columns)
        for suggestion in added { self[suggestion.field] = suggestion.source }
        return added
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
