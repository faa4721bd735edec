/// How people write how large something may be: `2MB`, `500 kB`, `1.5 M`, in powers of ten, as disks are sold and mail is
/// measured.
public enum ByteSize {
    /// Nil for what is no size, and for nothing.
    public static func bytes(_ text: String) -> Int64? {
        let word = text.filter { !$0.isWhitespace }.uppercased()
        let unit = units.first { word.hasSuffix($0.word) }
        let digits = word.dropLast(unit?.word.count ?? 0).replacing(",", with: ".")
        guard let first = digits.first, first.isASCII, first.isWholeNumber,
            digits.allSatisfy({ $0.isASCII && ($0.isWholeNumber || $0 == ".") }), let value = Double(digits)
        else { return nil }
        let bytes = (value * Double(unit?.bytes ?? 1)).rounded(.down)
        return bytes >= 1 && bytes < 9e18 ? Int64(bytes) : nil
    }

    private static let units: [(word: String, bytes: Int64)] = [
        ("KB", 1000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("K", 1000), ("M", 1_000_000),
        ("G", 1_000_000_000), ("B", 1),
    ]
}
