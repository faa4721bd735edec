// Days as people write them, and months counted on a calendar.
extension WallTime {
    /// `2026-04-15`, at midnight; nil for what is no day.
    public init?(day text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else {
            return nil
        }
        func number(_ range: Range<Int>) -> Int? {
            bytes[range].reduce(Int?.some(0)) { sum, byte in
                guard let sum, (0x30...0x39).contains(byte) else { return nil }
                return sum * 10 + Int(byte - 0x30)
            }
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), year > 0 else {
            return nil
        }
        self.init(year: year, month: month, day: day)
    }

    /// `2026-04-15`
    public var dayText: String { String(text.prefix(10)) }

    /// The same day of another month, or its last day where that month is shorter.
    public func adding(months: Int) -> WallTime {
        let bounded = min(max(months, -100_000), 100_000)
        let count = year * 12 + month - 1 + bounded
        let year = min(max(Int(Int64(count).dividedFlooring(by: 12).quotient), -9999), 9999)
        let month = Int(Int64(count).dividedFlooring(by: 12).rest) + 1
        let day = min(day, Self.daysIn(month: month, of: year))
        return WallTime(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second,
            millisecond: millisecond) ?? self
    }
}
