/// What calendar and clock on a wall show: a date and a time of day without a place on Earth.
public struct WallTime: Sendable, Hashable {
    public let year: Int
    public let month: Int
    public let day: Int
    public let hour: Int
    public let minute: Int
    public let second: Int
    public let millisecond: Int

    /// A date of the Gregorian calendar, years -9999 to 9999; `nil` for a date or time that does not exist.
    public init?(
        year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0,
        millisecond: Int = 0
    ) {
        guard (-9999...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Self.daysIn(month: month, of: year), (0...23).contains(hour), (0...59).contains(minute),
            (0...59).contains(second), (0...999).contains(millisecond)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
        self.millisecond = millisecond
    }

    /// What a wall in Greenwich shows; moments outside the years -9999 to 9999 are moved to the nearest end.
    init(millisecondsAsUTC: Int64) {
        let bounded = min(max(millisecondsAsUTC, Self.earliest), Self.latest)
        let (days, rest) = bounded.dividedFlooring(by: 86_400_000)
        (year, month, day) = Self.date(days: days)
        let inDay = Int(rest)
        hour = inDay / 3_600_000
        minute = inDay / 60_000 % 60
        second = inDay / 1000 % 60
        millisecond = inDay % 1000
    }

    /// Days since 1 January 1970.
    public var dayNumber: Int64 { Self.days(year: year, month: month, day: day) }

    /// 1 is Monday, 7 is Sunday.
    public var weekday: Int { Int((dayNumber + 3).dividedFlooring(by: 7).rest) + 1 }

    public var millisecondsAsUTC: Int64 {
        dayNumber * 86_400_000 + Int64(hour) * 3_600_000 + Int64(minute) * 60_000 + Int64(second) * 1000
            + Int64(millisecond)
    }

    /// The same time of day, so many days later (or earlier).
    public func adding(days: Int) -> WallTime {
        let bounded = Int64(min(max(days, -8_000_000), 8_000_000))
        return WallTime(millisecondsAsUTC: millisecondsAsUTC + bounded * 86_400_000)
    }

    /// `2026-11-21T11:35:00.000`
    public var text: String {
        let sign = year < 0 ? "-" : ""
        return sign + Self.padded(abs(year), 4) + "-" + Self.padded(month, 2) + "-" + Self.padded(day, 2)
            + "T"
            + Self.padded(hour, 2) + ":" + Self.padded(minute, 2) + ":" + Self.padded(second, 2) + "."
            + Self.padded(millisecond, 3)
    }

    public static func daysIn(month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    public static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }
}

extension WallTime: Comparable {
    public static func < (a: WallTime, b: WallTime) -> Bool { a.millisecondsAsUTC < b.millisecondsAsUTC }
}

extension WallTime {
    private static let earliest = days(year: -9999, month: 1, day: 1) * 86_400_000
    private static let latest = days(year: 10_000, month: 1, day: 1) * 86_400_000 - 1

    // Both ways count years from the first of March, so that the leap day is a year's last day, and eras of
    // 400 years (146 097 days), after which the Gregorian calendar repeats itself.
    private static func days(year: Int, month: Int, day: Int) -> Int64 {
        let shiftedYear = Int64(month <= 2 ? year - 1 : year)
        let (era, yearOfEra) = shiftedYear.dividedFlooring(by: 400)
        let dayOfYear = Int64((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1)
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func date(days: Int64) -> (year: Int, month: Int, day: Int) {
        let (era, dayOfEra) = (days + 719_468).dividedFlooring(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (Int(yearOfEra + era * 400 + (month <= 2 ? 1 : 0)), Int(month), Int(day))
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}

extension Int64 {
    /// Division that rounds down, so that the rest is never negative.
    func dividedFlooring(by divisor: Int64) -> (quotient: Int64, rest: Int64) {
        var (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
        if rest < 0 {
            quotient -= 1
            rest += divisor
        }
        return (quotient, rest)
    }
}
