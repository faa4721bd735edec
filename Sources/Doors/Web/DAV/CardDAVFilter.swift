import Cards
import Transfer

/// Which cards an `addressbook-query` asks for (RFC 6352 §10.5).
struct CardDAVFilter: Sendable {
    /// What it asks that is not understood here.
    struct Unknown: Error {
        /// In the words of the standard.
        var condition: String
    }

    private struct Words: Sendable {
        var text: String
        var kind: String
        var isExact: Bool
        var isNegated: Bool

        func fit(_ value: String) -> Bool {
            let (value, text) = isExact ? (value, text) : (value.lowercased(), text.lowercased())
            let fits =
                switch kind {
                case "equals": value == text
                case "starts-with": value.hasPrefix(text)
                case "ends-with": value.hasSuffix(text)
                default: text.isEmpty || value.contains(text)
                }
            return fits != isNegated
        }
    }

    private struct Parameter: Sendable {
        var name: String
        /// Nil for one that must not be there; no words for one that must.
        var words: [Words]?

        func fits(_ property: CardProperty) -> Bool {
            let values = property.parameters.filter { $0.name == name }.flatMap(\.values)
            guard let words else { return values.isEmpty }
            return !values.isEmpty && words.allSatisfy { words in values.contains(where: words.fit) }
        }
    }

    private struct Property: Sendable {
        var name: String
        var isAll: Bool
        var isAbsent: Bool
        var words: [Words]
        var parameters: [Parameter]

        func fits(_ card: ContactCard) -> Bool {
            let there = card.all(name)
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

    static let collations = ["i;ascii-casemap", "i;unicode-casemap", "i;octet"]

    private var isAll: Bool
    private var properties: [Property]

    init(_ report: XMLNode) throws(Unknown) {
        let space = CardDAVPlace.space
        guard let filter = report.child("filter", in: space) else {
            throw Unknown(condition: "<C:supported-filter/>")
        }
        func isAll(_ node: XMLNode) -> Bool { node.attributes["test"] == "allof" }
        func words(_ node: XMLNode) throws(Unknown) -> Words {
            let collation = node.attributes["collation"] ?? "i;unicode-casemap"
            guard Self.collations.contains(collation) || collation == "default" else {
                throw Unknown(condition: "<C:supported-collation/>")
            }
            let kind = node.attributes["match-type"] ?? "contains"
            guard ["equals", "contains", "starts-with", "ends-with"].contains(kind) else {
                throw Unknown(condition: "<C:supported-filter/>")
            }
            return Words(
                text: node.text, kind: kind, isExact: collation == "i;octet",
                isNegated: node.attributes["negate-condition"] == "yes")
        }
        self.isAll = isAll(filter)
        properties = []
        for node in filter.children("prop-filter", in: space) {
            var property = Property(
                name: node.attributes["name"]?.split(separator: ".").last?.uppercased() ?? "",
                isAll: isAll(node),
                isAbsent: node.child("is-not-defined", in: space) != nil, words: [], parameters: [])
            for part in node.children("text-match", in: space) { property.words.append(try words(part)) }
            for part in node.children("param-filter", in: space) {
                var parameter = Parameter(name: part.attributes["name"]?.uppercased() ?? "", words: [])
                if part.child("is-not-defined", in: space) != nil { parameter.words = nil }
                for inner in part.children("text-match", in: space) {
                    parameter.words?.append(try words(inner))
                }
                property.parameters.append(parameter)
            }
            properties.append(property)
        }
    }

    func fits(_ card: ContactCard) -> Bool {
        guard !properties.isEmpty else { return true }
        return isAll
            ? properties.allSatisfy { $0.fits(card) } : properties.contains { $0.fits(card) }
    }
}
