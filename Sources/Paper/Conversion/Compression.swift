/// How far a paper is made smaller, the gentlest first.
public enum Compression: String, Sendable, CaseIterable {
    /// Packed anew; every dot of its pictures stays.
    case careful
    /// Pictures as fine as a screen needs.
    case balanced
    /// Pictures coarse enough for mail; their small print can suffer.
    case strong

    /// One, or several with commas between: then each makes a paper of its own.
    static func list(_ text: String?) throws(ConversionError) -> [Compression] {
        var list: [Compression] = []
        for word in (text ?? "balanced").split(separator: ",") {
            guard let one = Compression(rawValue: word.filter { $0 != " " }.lowercased()), !list.contains(one)
            else {
                throw .badOption("Papers are made smaller by careful, balanced or strong, not “\(word)”.")
            }
            list.append(one)
        }
        guard !list.isEmpty else { throw .badOption("The step “compress” needs a value, as in compress=….") }
        return list
    }
}
