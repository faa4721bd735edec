/// A label for one version of a resource (RFC 9110 §8.8.3). Strong: the bytes are the same. Weak: the meaning is.
public struct ETag: Hashable, Sendable, CustomStringConvertible {
    public let label: String
    public let isWeak: Bool

    public init(_ label: String, isWeak: Bool = false) {
        precondition(ETag.isLabel(label), "an entity tag of ours is made of plain characters")
        self.label = label
        self.isWeak = isWeak
    }

    public init?(parsing text: String) {
        var rest = Substring(text)
        let weak = rest.hasPrefix("W/")
        if weak { rest.removeFirst(2) }
        guard rest.utf8.count >= 2, rest.hasPrefix("\""), rest.hasSuffix("\"") else { return nil }
        let label = String(rest.dropFirst().dropLast())
        guard ETag.isLabel(label) else { return nil }
        self.label = label
        self.isWeak = weak
    }

    public var description: String { (isWeak ? "W/" : "") + "\"\(label)\"" }

    /// RFC 9110 §8.8.3.2: for ranges and for writing.
    public func matchesStrongly(_ other: ETag) -> Bool { !isWeak && !other.isWeak && label == other.label }
    /// RFC 9110 §8.8.3.2: good enough to say "you have it already".
    public func matchesWeakly(_ other: ETag) -> Bool { label == other.label }

    /// Packed bytes are another representation and so need another strong label.
    func packed(_ coding: ContentCoding) -> ETag { ETag("\(label)-\(coding.rawValue)", isWeak: isWeak) }

    private static func isLabel(_ label: String) -> Bool {
        label.utf8.allSatisfy { $0 >= 0x21 && $0 != 0x22 && $0 != 0x7F }
    }
}

/// The value of `If-Match` or `If-None-Match`.
public enum ETagCondition {
    case any
    case tags([ETag])

    /// Lines that break the grammar name no tag, so they never match.
    public init?(_ lines: [String]) {
        guard !lines.isEmpty else { return nil }
        let items = lines.flatMap { Token.list($0) }
        self = items == ["*"] ? .any : .tags(items.compactMap { ETag(parsing: $0) })
    }

    /// As `If-Match` compares; packed bytes are as good as the plain ones. What is there may have no tag.
    public func isMetStrongly(by tag: ETag?, isThere: Bool) -> Bool {
        isMet(by: tag, isThere) { $0.matchesStrongly($1) }
    }

    /// As `If-None-Match` compares.
    public func isMetWeakly(by tag: ETag?, isThere: Bool) -> Bool {
        isMet(by: tag, isThere) { $0.matchesWeakly($1) }
    }

    private func isMet(by tag: ETag?, _ isThere: Bool, _ same: (ETag, ETag) -> Bool) -> Bool {
        switch self {
        case .any: isThere
        case .tags(let tags):
            tag.map { tag in
                let forms = [tag] + ContentCoding.allCases.map(tag.packed)
                return tags.contains { named in forms.contains { same(named, $0) } }
            } ?? false
        }
    }
}
