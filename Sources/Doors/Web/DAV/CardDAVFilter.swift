import Cards
import Transfer

/// Which cards an `addressbook-query` asks for (RFC 6352 §10.5).
struct CardDAVFilter: Sendable {
    /// What it asks that is not understood here.
    struct Unknown: Error {
        /// In the words of the standard.
        var condition: String

        static let element = Unknown(condition: "<C:supported-filter/>")
        static let form = Unknown(condition: "<C:valid-filter/>")
        static let collation = Unknown(condition: "<C:supported-collation/>")
    }

    /// Which letters are taken for the same.
    private enum Collation: String, CaseIterable, Sendable {
        case ascii = "i;ascii-casemap"
        case unicode = "i;unicode-casemap"
        case octet = "i;octet"
    }

    private enum Match: String, Sendable {
        case equals, contains
        case start = "starts-with"
        case end = "ends-with"

        func fits<T: BidirectionalCollection>(_ value: T, _ text: T) -> Bool where T.Element: Equatable {
            switch self {
            case .equals: value.elementsEqual(text)
            case .start: value.starts(with: text)
            case .end: value.reversed().starts(with: text.reversed())
            case .contains: text.isEmpty || value.firstRange(of: text) != nil
            }
        }
    }

    private struct Words: Sendable {
        var text: String
        var match: Match
        var collation: Collation
        var isNegated: Bool

        init(_ node: XMLNode) throws(Unknown) {
            let wanted = node.attributes["collation"] ?? "default"
            guard let collation = wanted == "default" ? .unicode : Collation(rawValue: wanted) else {
                throw .collation
            }
            guard let match = Match(rawValue: node.attributes["match-type"] ?? "contains") else {
                throw .form
            }
            text = node.text
            self.match = match
            self.collation = collation
            isNegated = try CardDAVFilter.answer(node, "negate-condition", ["no", "yes"]) == "yes"
        }

        func fit(_ value: String) -> Bool {
            let fits =
                switch collation {
                case .octet: match.fits(Array(value.utf8), Array(text.utf8))
                case .ascii: match.fits(Self.small(value), Self.small(text))
                case .unicode: match.fits(value.lowercased(), text.lowercased())
                }
            return fits != isNegated
        }

        private static func small(_ text: String) -> [UInt8] {
            text.utf8.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
        }
    }

    private struct Parameter: Sendable {
        var name: String
        /// Nil for one that must not be there; no words for one that must.
        var words: [Words]?

        init(_ node: XMLNode) throws(Unknown) {
            name = try CardDAVFilter.name(node)
            if try CardDAVFilter.isAbsent(node, ["text-match"]) { return }
            var words: [Words] = []
            for part in node.children { words.append(try Words(part)) }
            self.words = words
        }

        func fits(_ property: CardProperty) -> Bool {
            let values = property.parameters.filter { $0.name == name }.flatMap(\.values)
            guard let words else { return values.isEmpty }
            return !values.isEmpty && words.allSatisfy { words in values.contains(where: words.fit) }
        }
    }

    private struct Property: Sendable {
        /// Only those that are tied together by this name.
        var group: String?
        var name: String
        var isAll: Bool
        var isAbsent: Bool
        var words: [Words] = []
        var parameters: [Parameter] = []

        init(_ node: XMLNode) throws(Unknown) {
            let parts = try CardDAVFilter.name(node).split(separator: ".").map { String($0) }
            guard let name = parts.last, parts.count <= 2 else { throw .form }
            self.name = name
            group = parts.count == 2 ? parts[0] : nil
            isAll = try CardDAVFilter.isAll(node)
            isAbsent = try CardDAVFilter.isAbsent(node, ["text-match", "param-filter"])
            guard !isAbsent else { return }
            for part in node.children {
                if part.name.local == "text-match" {
                    words.append(try Words(part))
                } else {
                    parameters.append(try Parameter(part))
                }
            }
        }

        func fits(_ card: ContactCard) -> Bool {
            let there = card.all(name).filter { group == nil || $0.group?.uppercased() == group }
            if isAbsent { return there.isEmpty }
            guard !words.isEmpty || !parameters.isEmpty else { return !there.isEmpty }
            return there.contains { property in
                let value = property.text
                let answers =
                    words.map { $0.fit(value) || !$0.isNegated && $0.fit(property.value) }
                    + parameters.map { $0.fits(property) }
                return isAll ? answers.allSatisfy { $0 } : answers.contains(true)
            }
        }
    }

    static let collations = Collation.allCases.map(\.rawValue)

    private var isAll = false
    private var properties: [Property] = []

    /// Without a filter everybody is meant.
    init(_ report: XMLNode) throws(Unknown) {
        guard let filter = report.child("filter", in: CardDAVPlace.space) else { return }
        isAll = try Self.isAll(filter)
        try Self.check(filter, ["prop-filter"])
        for node in filter.children { properties.append(try Property(node)) }
    }

    func fits(_ card: ContactCard) -> Bool {
        guard !properties.isEmpty else { return true }
        return isAll
            ? properties.allSatisfy { $0.fits(card) } : properties.contains { $0.fits(card) }
    }

    // MARK: Reading

    /// What an attribute answers, of which the first is meant where it is not there.
    private static func answer(
        _ node: XMLNode, _ attribute: String, _ answers: [String]
    ) throws(Unknown) -> String {
        let answer = node.attributes[attribute] ?? answers[0]
        guard answers.contains(answer) else { throw .form }
        return answer
    }

    private static func isAll(_ node: XMLNode) throws(Unknown) -> Bool {
        try answer(node, "test", ["anyof", "allof"]) == "allof"
    }

    private static func name(_ node: XMLNode) throws(Unknown) -> String {
        guard let name = node.attributes["name"], !name.isEmpty else { throw .form }
        return name.uppercased()
    }

    /// Whether something must not be there; then nothing else can be asked of it.
    private static func isAbsent(_ node: XMLNode, _ others: [String]) throws(Unknown) -> Bool {
        try check(node, others + ["is-not-defined"])
        guard node.child("is-not-defined", in: CardDAVPlace.space) != nil else { return false }
        guard node.children.count == 1 else { throw .form }
        return true
    }

    private static func check(_ node: XMLNode, _ known: [String]) throws(Unknown) {
        let isKnown = node.children.allSatisfy {
            $0.name.namespace == CardDAVPlace.space && known.contains($0.name.local)
        }
        guard isKnown else { throw .element }
    }
}
