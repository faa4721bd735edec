import Glibc

/// A long text in which much is looked for: as bytes, which is far quicker than by letters.
public struct Haystack {
    private let bytes: [CChar]

    public init(_ text: String) {
        // A zero would end it for the search.
        bytes = text.utf8.map { CChar(bitPattern: $0 == 0 ? 0x20 : $0) } + [0]
    }

    public func contains(_ words: String) -> Bool { strstr(bytes, words) != nil }
}
