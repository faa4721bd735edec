import Alphabet

/// What counts of a text when it is compared with letters found on a page: no blanks, nothing that acts without being
/// seen, accents put together with their letters, and no order, as lines that run left are found in another one.
public enum PlainLetters {
    /// The same for letters in lines that run left, where a bracket is drawn by its counterpart's picture.
    public static func mirrored(_ text: String) -> [UInt32] {
        of(text).map { min($0, Directions.mirrored($0)) }.sorted()
    }

    /// True when some of it may run from right to left.
    public static func mayRunLeft(_ text: String) -> Bool {
        Directions.mayRunLeft(text.unicodeScalars.lazy.map(\.value))
    }

    public static func of(_ text: String) -> [UInt32] {
        LineBreaks.composed(text).unicodeScalars.filter {
            switch $0.properties.generalCategory {
            case .format, .control, .spaceSeparator, .lineSeparator, .paragraphSeparator: false
            default: !(0xFE00...0xFE0F).contains($0.value)
            }
        }.map(\.value).sorted()
    }
}
