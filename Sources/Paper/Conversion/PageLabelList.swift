public import PDF

/// What readers call pages instead of counting them, as people write it: the page and its name, from which the following
/// ones count on. `1 i; 5 1; 40 A-1` is i to iv, then 1, 2, 3 and so on, then A-1.
///
///     let list = try PageLabelList("1 Cover; 2 i; 6 1")
public struct PageLabelList: Sendable, Equatable {
    public struct Range: Sendable, Equatable {
        /// Counted from 1.
        public var page: Int
        public var prefix = ""
        /// `D`, `r`, `R`, `a`, `A` as PDF names it (ISO 32000-2 table 161); nil: the prefix alone.
        public var style: String?
        public var start = 1
    }

    public let ranges: [Range]

    public init(_ text: String) throws(ConversionError) {
        var ranges: [Range] = []
        for line in text.split(whereSeparator: { $0.isNewline || $0 == ";" }) {
            let line = String(line).trimmingBlanks
            guard !line.isEmpty else { continue }
            let digits = line.prefix { ("0"..."9").contains($0) }
            let name = String(line.dropFirst(digits.count)).trimmingBlanks
            guard let page = Int(digits), page > 0, page <= 100_000, !name.isEmpty, name.count <= 100,
                line.dropFirst(digits.count).first?.isWhitespace == true
            else {
                throw .badOption(
                    "“\(line)” names no pages. Write the page and what it is called, as in “5 1” or “1 i”.")
            }
            guard page > ranges.last?.page ?? 0 else {
                throw .badOption("Page \(page) is named behind one that comes later. Write them in order.")
            }
            ranges.append(Self.range(page, name))
        }
        guard !ranges.isEmpty else {
            throw .badOption(
                "No pages are named. Write the page and what it is called, as in “5 1” or “1 i”.")
        }
        self.ranges = ranges
    }

    private static func range(_ page: Int, _ name: String) -> Range {
        let digits = String(name.reversed().prefix { ("0"..."9").contains($0) }.reversed())
        if !digits.isEmpty, let start = Int(digits), start > 0 {
            return Range(page: page, prefix: String(name.dropLast(digits.count)), style: "D", start: start)
        }
        // What stands alone counts; a letter at the end of a word belongs to it.
        let last = String(name.reversed().prefix(while: \.isLetter).reversed())
        guard let counted = Self.counted(last) else { return Range(page: page, prefix: name) }
        return Range(
            page: page, prefix: String(name.dropLast(last.count)), style: counted.style,
            start: counted.start)
    }

    /// `iv` and `IV` are four, `c` is the third letter.
    private static func counted(_ word: String) -> (style: String, start: Int)? {
        for (signs, style) in [("ivx", "r"), ("IVX", "R")] where word.allSatisfy(signs.contains) {
            let start = (1...39).first { roman($0).lowercased() == word.lowercased() }
            if let start { return (style, start) }
        }
        guard word.utf8.count == 1, let letter = word.utf8.first else { return nil }
        switch letter {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): return ("a", Int(letter - UInt8(ascii: "a")) + 1)
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): return ("A", Int(letter - UInt8(ascii: "A")) + 1)
        default: return nil
        }
    }

    /// Those of a file; nil where its pages are only counted.
    public init?(of file: PDFFile) {
        var found: [Range] = []
        func read(_ node: PDFObject?, depth: Int) {
            guard depth < 20, found.count < 10_000, let node = file.dictionary(node) else { return }
            let numbers = file.array(node["Nums"])
            for place in stride(from: 0, to: numbers.count - 1, by: 2) {
                guard let page = file.resolve(numbers[place]).integer, page >= 0, page < 100_000 else {
                    continue
                }
                let label = file.dictionary(numbers[place + 1]) ?? [:]
                found.append(
                    Range(
                        page: page + 1, prefix: file.resolve(label["P"]).text ?? "",
                        style: file.resolve(label["S"]).name?.text,
                        start: max(1, file.resolve(label["St"]).integer ?? 1)))
            }
            for kid in file.array(node["Kids"]).prefix(1000) { read(kid, depth: depth + 1) }
        }
        read(file.catalog["PageLabels"], depth: 0)
        guard !found.isEmpty else { return nil }
        ranges = found.sorted { $0.page < $1.page }
    }

    /// The same lines again, with semicolons between them.
    public var text: String {
        ranges.map { range in
            let first =
                switch range.style {
                case "D": "\(range.start)"
                case "r": Self.roman(range.start).lowercased()
                case "R": Self.roman(range.start)
                case "a", "A": Self.letters(range.start, isLarge: range.style == "A")
                default: ""
                }
            return "\(range.page) \(range.prefix)\(first)"
        }.joined(separator: "; ")
    }

    static func roman(_ number: Int) -> String {
        let signs = [
            (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"),
            (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
        ]
        var (left, text) = (min(number, 100_000), "")
        for (value, sign) in signs {
            while left >= value {
                text += sign
                left -= value
            }
        }
        return text
    }

    /// A to Z, then AA, BB and so on.
    private static func letters(_ number: Int, isLarge: Bool) -> String {
        let (place, times) = ((number - 1) % 26, min(100, (number - 1) / 26 + 1))
        let letter = UnicodeScalar(UInt8(ascii: isLarge ? "A" : "a") + UInt8(place))
        return String(repeating: String(Character(letter)), count: times)
    }

    var object: PDFObject {
        var ranges = ranges
        // The first page must be named (§12.4.2).
        if ranges.first?.page != 1 { ranges.insert(Range(page: 1, style: "D"), at: 0) }
        return .dictionary([
            "Nums": .array(
                ranges.flatMap { range -> [PDFObject] in
                    var label: PDFDictionary = [:]
                    if let style = range.style { label["S"] = .name(PDFName(style)) }
                    if !range.prefix.isEmpty { label["P"] = .text(range.prefix) }
                    if range.start != 1 { label["St"] = .integer(range.start) }
                    return [.integer(range.page - 1), .dictionary(label)]
                })
        ])
    }
}

extension PDFTools {
    /// Nil: they are only counted from now on.
    public static func labelled(_ paper: Paper, _ list: PageLabelList?) throws(ConversionError) -> Paper {
        let count = try pageCount(paper.bytes, name: paper.name)
        if let last = list?.ranges.last, last.page > count {
            throw .badOption("There is no page \(last.page): the paper has \(count).")
        }
        return try changed(paper) { (file, _) throws(PDFError) in
            var catalog = file.catalog
            catalog["PageLabels"] = list?.object
            return catalog
        }
    }
}
