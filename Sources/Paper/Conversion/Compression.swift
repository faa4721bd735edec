import Bytes

/// How far a paper is made smaller.
public enum Compression: Sendable, Hashable {
    /// Packed anew; every dot of its pictures stays.
    case careful
    /// Pictures as fine as a screen needs.
    case balanced
    /// Pictures coarse enough for mail; their small print can suffer.
    case strong
    /// Pictures of so many dots to an inch.
    case dots(Int)
    /// No larger than so many bytes, as gently as that can be; as small as can be where it cannot.
    case fit(Int64)

    /// Those that are always tried, the gentlest first.
    public static let usual: [Compression] = [.careful, .balanced, .strong]
    /// What people may ask for; finer than that is finer than any scanner.
    public static let dotCounts = 20...1200
    public static let leastFit: Int64 = 10_000

    /// `careful`, `150dpi`, `2MB`.
    public init?(_ text: String) {
        let word = text.filter { !$0.isWhitespace }.lowercased()
        if let usual = Self.usual.first(where: { $0.word == word }) {
            self = usual
        } else if word.hasSuffix("dpi"), let count = Int(word.dropLast(3)), Self.dotCounts.contains(count) {
            self = .dots(count)
        } else if word.hasSuffix("b"), let bytes = ByteSize.bytes(word), bytes >= Self.leastFit {
            self = .fit(bytes)
        } else {
            return nil
        }
    }

    public var word: String {
        switch self {
        case .careful: "careful"
        case .balanced: "balanced"
        case .strong: "strong"
        case .dots(let count): "\(count)dpi"
        case .fit(let bytes): "\(bytes)B"
        }
    }

    /// One, or several with commas between: then each makes a paper of its own.
    static func list(_ text: String?) throws(ConversionError) -> [Compression] {
        var list: [Compression] = []
        for word in (text ?? "balanced").split(separator: ",") {
            guard let one = Compression(String(word)), !list.contains(one) else {
                throw .badOption(
                    "Papers are made smaller by careful, balanced or strong, to dots like 150dpi or a size like 2MB, not “\(word)”."
                )
            }
            list.append(one)
        }
        guard !list.isEmpty else { throw .badOption("The step “compress” needs a value, as in compress=….") }
        return list
    }
}
