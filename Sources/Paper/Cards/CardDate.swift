/// A day as cards write it: whole, without its year, only a year, with or without a time.
struct CardDate: Equatable {
    var year: Int?
    var month: Int?
    var day: Int?
    /// With its zone, in the basic spelling: `231000Z`.
    var time: String?

    /// Nil for what is no day: “circa 1800”.
    init?(_ text: String) {
        let pieces = text.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
        let day = Array((pieces.first ?? "").utf8)
        if pieces.count > 1 {
            // The strokes of an offset stay: 14:30:00-05:00 is 143000-0500.
            time = String(pieces[1].filter { $0 != ":" })
            guard let time, !time.isEmpty, time.utf8.allSatisfy(Self.isOfTime) else { return nil }
        }
        guard Self.read(day, into: &self) else { return nil }
    }

    init(year: Int?, month: Int?, day: Int?) {
        self.year = year
        self.month = month
        self.day = day
    }

    private static func isOfTime(_ byte: UInt8) -> Bool {
        isDigit(byte) || byte == UInt8(ascii: "Z") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: ".")
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    private static func read(_ bytes: [UInt8], into date: inout CardDate) -> Bool {
        func number(_ range: Range<Int>) -> Int? {
            guard range.upperBound <= bytes.count, bytes[range].allSatisfy(isDigit) else { return nil }
            return bytes[range].reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }
        func isStroke(_ place: Int) -> Bool { place < bytes.count && bytes[place] == UInt8(ascii: "-") }
        switch bytes.count {
        case 10 where isStroke(4) && isStroke(7):
            (date.year, date.month, date.day) = (number(0..<4), number(5..<7), number(8..<10))
            guard date.year != nil, date.month != nil, date.day != nil else { return false }
        case 8:
            (date.year, date.month, date.day) = (number(0..<4), number(4..<6), number(6..<8))
            guard date.year != nil, date.month != nil, date.day != nil else { return false }
        case 7 where isStroke(0) && isStroke(1) && isStroke(4):
            (date.month, date.day) = (number(2..<4), number(5..<7))
            guard date.month != nil, date.day != nil else { return false }
        case 7 where isStroke(4):
            (date.year, date.month) = (number(0..<4), number(5..<7))
            guard date.year != nil, date.month != nil else { return false }
        case 6 where isStroke(0) && isStroke(1):
            (date.month, date.day) = (number(2..<4), number(4..<6))
            guard date.month != nil, date.day != nil else { return false }
        case 5 where isStroke(0) && isStroke(1) && isStroke(2):
            date.day = number(3..<5)
            guard date.day != nil else { return false }
        case 4 where isStroke(0) && isStroke(1):
            date.month = number(2..<4)
            guard date.month != nil else { return false }
        case 4:
            date.year = number(0..<4)
            guard date.year != nil else { return false }
        default: return false
        }
        return (1...12).contains(date.month ?? 1) && (1...31).contains(date.day ?? 1)
    }

    /// Of a birthday or the like. Apple writes 1604 where no year is known, with or without saying so.
    init?(of property: CardProperty) {
        guard property["VALUE"]?.lowercased() != "text" else { return nil }
        self.init(CardText.plain(property.value))
        if year == 1604 || property["X-APPLE-OMIT-YEAR"].flatMap({ Int($0) }) == year { year = nil }
    }

    /// As vCard 4 writes it: `19960415`, `--0415`, `1996-04`.
    var basic: String {
        let head =
            switch (year, month, day) {
            case (let year?, let month?, let day?): digits(year, 4) + digits(month, 2) + digits(day, 2)
            case (let year?, let month?, nil): digits(year, 4) + "-" + digits(month, 2)
            case (let year?, nil, _): digits(year, 4)
            case (nil, let month?, let day?): "--" + digits(month, 2) + digits(day, 2)
            case (nil, let month?, nil): "--" + digits(month, 2)
            case (nil, nil, let day?): "---" + digits(day, 2)
            default: ""
            }
        return head + (time.map { "T" + $0 } ?? "")
    }

    /// As vCard 3 and people write it: `1996-04-15`; 1604 where no year is known.
    var extended: String {
        guard let month, let day else { return basic }
        return "\(digits(year ?? 1604, 4))-\(digits(month, 2))-\(digits(day, 2))"
    }

    /// For a person, without a year that nobody knows: `1996-04-15`, `--04-15`.
    var shown: String {
        guard let month, let day else { return basic }
        return year == nil ? "--\(digits(month, 2))-\(digits(day, 2))" : extended
    }

    /// A moment in the spelling of the web, when it says its zone is UTC: `1953-10-15T23:10:00Z`.
    var utc: String? {
        guard let time, time.hasSuffix("Z"), let year, let month, let day else { return nil }
        let clock = time.dropLast()
        guard clock.utf8.count >= 6, clock.utf8.prefix(6).allSatisfy(Self.isDigit) else { return nil }
        let signs = Array(clock.utf8)
        func two(_ place: Int) -> String { String(decoding: signs[place..<place + 2], as: UTF8.self) }
        return
            "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))T\(two(0)):\(two(2)):\(two(4))\(String(decoding: signs[6...], as: UTF8.self))Z"
    }

    private func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
}
