/// `Accept`, `Accept-Encoding` and their kin: a list of choices with weights (RFC 9110 §12.4.2).
public struct AcceptList: Sendable, Equatable {
    public struct Choice: Sendable, Equatable {
        /// Lower case, without parameters.
        public let name: String
        /// From 0 (never) to 1000 (best).
        public let weight: Int
    }

    public let choices: [Choice]

    public init(_ header: String) {
        choices = Token.list(header).prefix(64).map { item in
            let pieces = Token.list(item, separator: UInt8(ascii: ";"))
            let weight = pieces.dropFirst().first { Token.lowered($0.prefix(2)) == "q=" }
            return Choice(
                name: Token.lowered(pieces.first ?? ""),
                weight: weight.map { Self.weight($0.dropFirst(2)) } ?? 1000)
        }
    }

    /// How much `type` is wanted; the most specific entry that fits decides (RFC 9110 §12.5.1).
    public func weight(of type: MediaType) -> Int {
        for name in [type.essence, "\(type.type)/*", "*/*"] {
            if let choice = choices.first(where: { $0.name == name }) { return choice.weight }
        }
        return 0
    }

    /// How much a plain name such as `gzip` is wanted; `*` stands for the rest.
    public func weight(of name: String) -> Int? {
        (choices.first { $0.name == name } ?? choices.first { $0.name == "*" })?.weight
    }

    /// At most three decimals, as the grammar has it; anything else counts as not wanted.
    private static func weight(_ text: Substring) -> Int {
        let halves = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = halves.first, whole == "0" || whole == "1" else { return 0 }
        var weight = whole == "1" ? 1000 : 0
        if halves.count == 2 {
            guard halves[1].utf8.count <= 3, halves[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                return 0
            }
            let digits = halves[1] + String(repeating: "0", count: 3 - halves[1].utf8.count)
            weight += Int(digits) ?? 0
        }
        return min(weight, 1000)
    }
}
