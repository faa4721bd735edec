import SQL
public import Storage

/// A word that papers wear, so that those that belong together are found together wherever they lie.
public struct Tag: Sendable, Equatable {
    public let id: ID<Tag>
    public var name: String
    /// Papers that wear it, those in the trash left out.
    public var paperCount: Int

    static let longest = 60

    /// One line without commas, which part tags from each other; nil when nothing is left.
    static func cleaned(_ text: String) -> String? {
        guard let name = FileName.cleaned(text.map { "/\\,".contains($0) ? "-" : String($0) }.joined())
        else { return nil }
        return String(String.UnicodeScalarView(name.unicodeScalars.prefix(longest)))
    }

    /// What makes two tags the same: `Tax` and `tax`, `Impôts` and `impots`.
    static func folded(_ name: String) -> String {
        let folded = Words.folded(name)
        return folded.isEmpty ? name.lowercased() : folded
    }
}
