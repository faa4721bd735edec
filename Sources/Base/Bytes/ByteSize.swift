/// How people write how large something may be, in powers of ten, as disks are sold and mail is measured.
public enum ByteSize {
    public typealias Unit = (word: String, bytes: Int64)

    /// `500 MB`, `4GB`, `1000000`: whole numbers above nothing, in units of which the longer stand first; nil for all else.
    public static func whole(_ text: String, _ units: [Unit] = units) -> Int64? {
        let (digits, factor) = parted(text, units)
        guard let number = Int64(digits), number > 0,
            case (let bytes, false) = number.multipliedReportingOverflow(by: factor)
        else { return nil }
        return bytes
    }

    /// What people type into a field, too: `1.5 MB`, `2,5M`.
    public static func bytes(_ text: String) -> Int64? {
        let (digits, factor) = parted(text.filter { !$0.isWhitespace }, short)
        let number = digits.replacing(",", with: ".")
        guard let first = number.first, first.isASCII, first.isWholeNumber,
            number.allSatisfy({ $0.isASCII && ($0.isWholeNumber || $0 == ".") }), let value = Double(number)
        else { return nil }
        let bytes = (value * Double(factor)).rounded(.down)
        return bytes >= 1 && bytes < 9e18 ? Int64(bytes) : nil
    }

    private static func parted(_ text: String, _ units: [Unit]) -> (digits: String, factor: Int64) {
        let word = text.uppercased()
        guard let unit = units.first(where: { word.hasSuffix($0.word) }) else { return (word, 1) }
        var digits = word.dropLast(unit.word.count)
        while digits.last?.isWhitespace == true { digits.removeLast() }
        return (String(digits), unit.bytes)
    }

    public static let units: [Unit] = [
        ("KB", 1000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("TB", 1_000_000_000_000), ("B", 1),
    ]
    /// As programs of other systems have them.
    public static let short: [Unit] = [
        ("KB", 1000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("K", 1000), ("M", 1_000_000),
        ("G", 1_000_000_000), ("B", 1),
    ]
}
