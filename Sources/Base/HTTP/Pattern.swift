/// The shape of a path, such as `/documents/{id}/file`. A last `{...}` takes whatever follows, also nothing.
public struct Pattern: Sendable, Hashable, CustomStringConvertible {
    enum Segment: Hashable, Sendable {
        case literal(String)
        case parameter(String)
        case rest
    }

    public let description: String
    let segments: [Segment]

    public init(_ text: String) {
        precondition(text.hasPrefix("/"), "a route's pattern begins with a slash: \(text)")
        description = text
        segments =
            text == "/"
            ? []
            : text.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { piece in
                precondition(!piece.isEmpty, "a route's pattern has no empty segment: \(text)")
                if piece == "{...}" { return .rest }
                return piece.hasPrefix("{") && piece.hasSuffix("}")
                    ? .parameter(String(piece.dropFirst().dropLast())) : .literal(String(piece))
            }
        precondition(!segments.dropLast().contains(.rest), "{...} is the end of a pattern: \(text)")
        let names = parameterNames
        precondition(Set(names).count == names.count, "a route's pattern names each parameter once: \(text)")
    }

    public var parameterNames: [String] {
        segments.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
    }
}
