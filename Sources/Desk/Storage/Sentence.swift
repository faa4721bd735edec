/// What a person is told, kept apart from what stands in it, so that it can be said in each language.
///
/// Written as any text with something in it. Its English is the key by which catalogs know it:
///
/// ```swift
/// throw Failure(.notFound, "There is no folder “\(name)”.")   // “There is no folder “{1}”.”
/// ```
public struct Sentence: Sendable {
    /// The English words, with `{1}`, `{2}` where something stands.
    public let pattern: String
    public let parts: [String]

    /// Words that came from elsewhere and are said as they are.
    public init(verbatim text: String) {
        pattern = "{1}"
        parts = [text]
    }

    public var english: String { filled(pattern) }

    /// The same said by another pattern; `said` may say what stands in it in other words.
    public func filled(_ pattern: String, _ said: (String) -> String = { $0 }) -> String {
        guard !parts.isEmpty else { return pattern }
        var text = ""
        var rest = pattern[...]
        while let brace = rest.firstIndex(of: "{") {
            text += rest[..<brace]
            rest = rest[brace...]
            let inside = rest.dropFirst().prefix { $0.isNumber }
            let after = rest.dropFirst(1 + inside.count)
            if let number = Int(inside), parts.indices.contains(number - 1), after.first == "}" {
                text += said(parts[number - 1])
                rest = after.dropFirst()
            } else {
                text.append("{")
                rest = rest.dropFirst()
            }
        }
        return text + rest
    }
}

/// Two that tell the same are the same.
extension Sentence: Equatable {
    public static func == (a: Sentence, b: Sentence) -> Bool { a.english == b.english }
}

extension Sentence: ExpressibleByStringInterpolation {
    public struct StringInterpolation: StringInterpolationProtocol {
        var pattern = ""
        var parts: [String] = []

        public init(literalCapacity: Int, interpolationCount: Int) {
            pattern.reserveCapacity(literalCapacity)
        }

        public mutating func appendLiteral(_ literal: String) { pattern += literal }

        public mutating func appendInterpolation<Value>(_ value: Value) {
            parts.append(String(describing: value))
            pattern += "{\(parts.count)}"
        }
    }

    public init(stringInterpolation: StringInterpolation) {
        pattern = stringInterpolation.pattern
        parts = stringInterpolation.parts
    }

    public init(stringLiteral value: String) {
        pattern = value
        parts = []
    }
}
