public import Access
import Mappings
public import Storage

extension SavedMappings {
    /// How a mapping came over to another edition of its form.
    public struct Followed: Sendable, Equatable {
        public var mapping: SavedMapping
        public var kept: Int
        /// Fields that have no certain place any more. What filled them stays in the text as a comment.
        public var lost: [String]
    }

    private static let goneWordMark = "# decided for a field that is gone: "
    private static let goneMark = "# gone with the new edition: "

    /// Moves the mappings that were written for one edition over to the current one: `names` says what each field is
    /// called now. Nothing is thrown away, and what is not certain is left for a person.
    @discardableResult
    public func follow(
        _ template: ID<Template>, from edition: Int, names: [String: String], by caller: Caller
    ) throws -> [Followed] {
        try caller.require(.edit)
        return try all(of: template, by: caller).filter { $0.edition == edition }.compactMap { saved in
            guard let before = try? Mapping(parsing: saved.text) else { return nil }
            var after = before
            for entry in before.entries { after[entry.field] = nil }
            var lost: [String] = []
            var comments = ""
            let decided = before.answeredFields.map { ($0, before.answers(for: $0)) }
            for (field, _) in decided { after.forgetWords(of: field) }
            for entry in before.entries {
                if let name = names[entry.field] {
                    after[name] = entry.source
                } else {
                    lost.append(entry.field)
                    comments += "\(Self.goneMark)\(entry.field) = \(entry.source.text)\n"
                }
            }
            for (field, answers) in decided {
                if let name = names[field] {
                    after.decide(answers, for: name)
                } else {
                    for (word, answer) in answers {
                        comments += "\(Self.goneWordMark)\(field): \(word) = \(answer.text)\n"
                    }
                }
            }
            let changed = try change(
                saved.id, text: comments + after.text, name: nil, ifVersion: saved.version,
                isForNewEdition: true, by: caller)
            return Followed(mapping: changed, kept: before.entries.count - lost.count, lost: lost)
        }
    }

    /// The same, read from a mapping that has come over before.
    public static func followed(_ saved: SavedMapping) -> Followed {
        let lost = saved.text.split(separator: "\n").filter { $0.hasPrefix(goneMark) }.map { line in
            String(line.dropFirst(goneMark.count).prefix { $0 != "=" }).trimmingTrailingSpaces
        }
        let kept = (try? Mapping(parsing: saved.text))?.entries.count ?? 0
        return Followed(mapping: saved, kept: kept, lost: lost)
    }
}

extension String {
    fileprivate var trimmingTrailingSpaces: String {
        String(reversed().drop(while: \.isWhitespace).reversed())
    }
}
