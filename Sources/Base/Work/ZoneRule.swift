/// The rule for the future at the end of a zone's file: POSIX's `TZ` text with RFC 8536's extension of the
/// hours to ±167 (`<-02>2<-01>,M3.5.0/-1,M10.5.0/0`).
struct ZoneRule: Sendable {
    private struct Change {
        enum Day {
            /// The n-th day of the year, 1 to 365; the 29th of February is never counted.
            case julian(Int)
            /// 0 to 365, leap days counted.
            case zeroBased(Int)
            /// Month, week 1 to 5 (5 is the last), weekday with 0 for Sunday.
            case weekday(month: Int, week: Int, day: Int)
        }

        var day: Day
        /// Seconds after midnight as local clocks showed just before.
        var time: Int
    }

    private let standard: TimeZoneRules.Offset
    private let summer: (offset: TimeZoneRules.Offset, start: Change, end: Change)?

    init?(_ bytes: [UInt8]) {
        var parser = Parser(bytes: bytes)
        guard let name = parser.name(), let west = parser.time(hourLimit: 24) else { return nil }
        standard = .init(seconds: -west, isDaylightSaving: false, abbreviation: name)
        guard !parser.isAtEnd else {
            summer = nil
            return
        }
        guard let summerName = parser.name() else { return nil }
        var seconds = standard.seconds + 3600
        if !parser.isNext(UInt8(ascii: ",")) {
            guard let west = parser.time(hourLimit: 24) else { return nil }
            seconds = -west
        }
        guard parser.skip(UInt8(ascii: ",")), let start = parser.change(), parser.skip(UInt8(ascii: ",")),
            let end = parser.change(), parser.isAtEnd
        else { return nil }
        summer = (.init(seconds: seconds, isDaylightSaving: true, abbreviation: summerName), start, end)
    }

    func offset(at second: Int64) -> TimeZoneRules.Offset {
        guard let summer else { return standard }
        let bounded = min(max(second, -300_000_000_000), 250_000_000_000)
        let year = WallTime(millisecondsAsUTC: bounded * 1000).year
        // A change may be written so late or early that it falls into a neighbouring year.
        var latest: (second: Int64, isSummer: Bool) = (.min, false)
        for year in (year - 1)...(year + 1) {
            let start = Self.second(of: summer.start, year: year) - Int64(standard.seconds)
            let end = Self.second(of: summer.end, year: year) - Int64(summer.offset.seconds)
            // Where one summer ends as the next begins, it is always summer.
            if end <= bounded, end >= latest.second { latest = (end, false) }
            if start <= bounded, start >= latest.second { latest = (start, true) }
        }
        return latest.isSummer ? summer.offset : standard
    }

    /// As if local clocks showed UTC.
    private static func second(of change: Change, year: Int) -> Int64 {
        guard let newYear = WallTime(year: min(max(year, -9999), 9999), month: 1, day: 1) else { return 0 }
        let dayNumber: Int64
        switch change.day {
        case .julian(let day):
            dayNumber = newYear.dayNumber + Int64(day - 1) + (WallTime.isLeap(year) && day >= 60 ? 1 : 0)
        case .zeroBased(let day):
            dayNumber = newYear.dayNumber + Int64(day)
        case .weekday(let month, let week, let weekday):
            guard let first = WallTime(year: newYear.year, month: month, day: 1) else { return 0 }
            let distance = (weekday - first.weekday % 7 + 7) % 7
            var day = 1 + distance + (week - 1) * 7
            if day > WallTime.daysIn(month: month, of: newYear.year) { day -= 7 }
            dayNumber = first.dayNumber + Int64(day - 1)
        }
        return dayNumber * 86_400 + Int64(change.time)
    }

    private struct Parser {
        let bytes: [UInt8]
        var position = 0

        var isAtEnd: Bool { position == bytes.count }

        func isNext(_ byte: UInt8) -> Bool { position < bytes.count && bytes[position] == byte }

        mutating func skip(_ byte: UInt8) -> Bool {
            guard isNext(byte) else { return false }
            position += 1
            return true
        }

        /// Three letters or more, or anything plain between angle brackets.
        mutating func name() -> String? {
            let isQuoted = skip(UInt8(ascii: "<"))
            let start = position
            while position < bytes.count,
                isLetter(bytes[position]) || (isQuoted && isSignOrDigit(bytes[position]))
            {
                position += 1
            }
            let name = bytes[start..<position]
            guard name.count >= 3, !isQuoted || skip(UInt8(ascii: ">")) else { return nil }
            return String(decoding: name, as: UTF8.self)
        }

        /// `[+-]hh[:mm[:ss]]` in seconds.
        mutating func time(hourLimit: Int) -> Int? {
            let sign = skip(UInt8(ascii: "-")) ? -1 : 1
            if sign == 1 { _ = skip(UInt8(ascii: "+")) }
            guard let hours = number(digits: 3, upTo: hourLimit) else { return nil }
            var seconds = hours * 3600
            if skip(UInt8(ascii: ":")) {
                guard let minutes = number(digits: 2, upTo: 59) else { return nil }
                seconds += minutes * 60
                if skip(UInt8(ascii: ":")) {
                    guard let rest = number(digits: 2, upTo: 59) else { return nil }
                    seconds += rest
                }
            }
            return sign * seconds
        }

        mutating func change() -> Change? {
            guard let day = day() else { return nil }
            guard skip(UInt8(ascii: "/")) else { return Change(day: day, time: 7200) }
            guard let time = time(hourLimit: 167) else { return nil }
            return Change(day: day, time: time)
        }

        private mutating func day() -> Change.Day? {
            if skip(UInt8(ascii: "J")) {
                guard let day = number(digits: 3, upTo: 365), day >= 1 else { return nil }
                return .julian(day)
            }
            if skip(UInt8(ascii: "M")) {
                guard let month = number(digits: 2, upTo: 12), month >= 1, skip(UInt8(ascii: ".")),
                    let week = number(digits: 1, upTo: 5), week >= 1, skip(UInt8(ascii: ".")),
                    let day = number(digits: 1, upTo: 6)
                else { return nil }
                return .weekday(month: month, week: week, day: day)
            }
            guard let day = number(digits: 3, upTo: 365) else { return nil }
            return .zeroBased(day)
        }

        private mutating func number(digits: Int, upTo limit: Int) -> Int? {
            let start = position
            var value = 0
            while position < bytes.count, position - start < digits, (0x30...0x39).contains(bytes[position]) {
                value = value * 10 + Int(bytes[position]) - 0x30
                position += 1
            }
            return position > start && value <= limit ? value : nil
        }

        private func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

        private func isSignOrDigit(_ byte: UInt8) -> Bool {
            (0x30...0x39).contains(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
        }
    }
}
