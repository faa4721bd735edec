public import Work

/// When something happens again and again: a rule as calendars write it (RFC 5545 §3.3.10), or the part of it
/// that schedules need.
///
/// ```swift
/// let nightly = try Recurrence("FREQ=DAILY;BYHOUR=3;BYMINUTE=30")
/// let next = nightly.next(after: now, from: now, zone: try TimeZoneRules(name: "Europe/Berlin"))
/// ```
///
/// Days are counted on the wall in the given zone, so 3:30 stays 3:30 when clocks change; minutes and hours are
/// counted as they pass. What calendars call DTSTART only fills in what the rule leaves open; it is no occurrence
/// by itself.
public struct Recurrence: Sendable, Equatable {
    public enum Frequency: String, Sendable, CaseIterable {
        case minutely = "MINUTELY"
        case hourly = "HOURLY"
        case daily = "DAILY"
        case weekly = "WEEKLY"
        case monthly = "MONTHLY"
        case yearly = "YEARLY"
    }

    public struct Day: Sendable, Equatable {
        /// 1 is Monday.
        public let weekday: Int
        /// 2 is the second of the month, -1 the last; 0 every one.
        public let ordinal: Int
    }

    public let frequency: Frequency
    public let interval: Int
    public let count: Int?
    public let until: Moment?
    public let days: [Day]
    public let monthDays: [Int]
    public let months: [Int]
    public let hours: [Int]
    public let minutes: [Int]

    /// The first occurrence later than `moment`, of those that begin with `start`; nil when there is none, or
    /// none in any sensible time (the 30th of February).
    public func next(after moment: Moment, from start: Moment, zone: TimeZoneRules) -> Moment? {
        var left = count ?? .max
        var period = count == nil ? periodNear(moment, from: start, zone: zone) : 0
        // Of the rules that ever match, none has a longer gap: yearly on 29 February, every 97th year, takes 388.
        for _ in 0..<20_000 {
            guard let occurrences = occurrences(in: period, from: start, zone: zone) else { return nil }
            for occurrence in occurrences where occurrence >= start {
                if let until, occurrence > until { return nil }
                guard left > 0 else { return nil }
                left -= 1
                if occurrence > moment { return occurrence }
            }
            period += 1
        }
        return nil
    }

    /// A period that is surely not after the wanted one.
    private func periodNear(_ moment: Moment, from start: Moment, zone: TimeZoneRules) -> Int64 {
        let from = zone.wallTime(at: start)
        let to = zone.wallTime(at: max(moment, start))
        let units: Int64 =
            switch frequency {
            case .minutely: (moment - start).wholeMilliseconds / 60_000
            case .hourly: (moment - start).wholeMilliseconds / 3_600_000
            case .daily: to.dayNumber - from.dayNumber
            case .weekly: (to.dayNumber - from.dayNumber) / 7
            case .monthly: Int64((to.year - from.year) * 12 + to.month - from.month)
            case .yearly: Int64(to.year - from.year)
            }
        return max(0, units / Int64(interval) - 2)
    }

    /// All occurrences of one period, in order; nil when the calendar has come to its end.
    private func occurrences(in period: Int64, from start: Moment, zone: TimeZoneRules) -> [Moment]? {
        let steps = period.multipliedReportingOverflow(by: Int64(interval))
        guard !steps.overflow, steps.partialValue.magnitude < 1 << 40 else { return nil }
        let wall = zone.wallTime(at: start)
        let walls: [WallTime]
        switch frequency {
        case .minutely, .hourly:
            let unit = Duration.seconds(frequency == .minutely ? 60 : 3600)
            let at = zone.wallTime(at: start + unit * Int(steps.partialValue))
            guard at.year < 9999 else { return nil }
            guard hours.isEmpty || hours.contains(at.hour), matches(at) else { return [] }
            // Counted as time passes: an hour that clocks show twice happens twice.
            let moment = start + unit * Int(steps.partialValue)
            if minutes.isEmpty { return [moment] }
            if frequency == .minutely { return minutes.contains(at.minute) ? [moment] : [] }
            let hour = moment - .seconds(at.minute * 60 + at.second) - .milliseconds(at.millisecond)
            return minutes.map { hour + .seconds($0 * 60) }
        case .daily:
            guard let day = day(wall.dayNumber + steps.partialValue) else { return nil }
            walls = matches(day) ? times(on: day, hours: hours, from: wall) : []
        case .weekly:
            let monday = wall.dayNumber - Int64(wall.weekday - 1) + 7 * steps.partialValue
            guard let first = day(monday) else { return nil }
            let wanted = days.isEmpty ? [wall.weekday] : days.map(\.weekday)
            walls = (0..<7).map { first.adding(days: $0) }
                .filter { wanted.contains($0.weekday) && matches($0) }
                .flatMap { times(on: $0, hours: hours, from: wall) }
        case .monthly, .yearly:
            let length: Int64 = frequency == .monthly ? 1 : 12
            let (number, overflow) = steps.partialValue.multipliedReportingOverflow(by: length)
            guard !overflow else { return nil }
            let first = Int64(wall.year) * 12 + Int64(frequency == .monthly ? wall.month - 1 : 0) + number
            guard first / 12 < 9999 else { return nil }
            let yearly = months.isEmpty && monthDays.isEmpty ? [wall.month] : Array(1...12)
            let wanted = frequency == .monthly ? [Int(first % 12) + 1] : yearly
            walls = wanted.flatMap { month in
                daysOf(month: month, year: Int(first / 12), from: wall)
                    .flatMap { times(on: $0, hours: hours, from: wall) }
            }
        }
        // A time that clocks skip may be shown as a later one that is also meant.
        return Set(walls.map { zone.moment(of: $0) }).sorted()
    }

    private func day(_ number: Int64) -> WallTime? {
        guard abs(number) < 3_000_000 else { return nil }
        return Moment(milliseconds: number * 86_400_000).wallTimeInUTC
    }

    private func daysOf(month: Int, year: Int, from start: WallTime) -> [WallTime] {
        let all = (1...31).compactMap { WallTime(year: year, month: month, day: $0) }
        if days.isEmpty && monthDays.isEmpty { return all.filter { $0.day == start.day && matches($0) } }
        return all.filter { day in
            matches(day, daysInMonth: all.count)
                && (days.isEmpty
                    || days.contains { wanted in
                        wanted.weekday == day.weekday
                            && (wanted.ordinal == 0 || wanted.ordinal == (day.day - 1) / 7 + 1
                                || wanted.ordinal == -((all.count - day.day) / 7 + 1))
                    })
        }
    }

    /// What only leaves out and never adds.
    private func matches(_ day: WallTime, daysInMonth: Int? = nil) -> Bool {
        if !months.isEmpty, !months.contains(day.month) { return false }
        if !monthDays.isEmpty {
            let length =
                daysInMonth ?? (28...31).last { WallTime(year: day.year, month: day.month, day: $0) != nil }
                ?? 31
            guard monthDays.contains(day.day) || monthDays.contains(day.day - length - 1) else {
                return false
            }
        }
        switch frequency {
        case .minutely, .hourly, .daily: return days.isEmpty || days.contains { $0.weekday == day.weekday }
        case .weekly, .monthly, .yearly: return true
        }
    }

    private func times(on day: WallTime, hours: [Int], from start: WallTime) -> [WallTime] {
        let second = self.hours.isEmpty && minutes.isEmpty ? start.second : 0
        return (hours.isEmpty ? [start.hour] : hours).flatMap { hour in
            (minutes.isEmpty ? [start.minute] : minutes).compactMap { minute in
                WallTime(
                    year: day.year, month: day.month, day: day.day, hour: hour, minute: minute, second: second
                )
            }
        }
    }
}
