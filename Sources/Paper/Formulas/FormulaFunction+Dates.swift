import Work

extension FormulaFunction {
    static let dates: [FormulaFunction] = [
        FormulaFunction(
            "date", [.any("text or year"), .any("pattern or month").optional, .number("day").optional],
            gives: .date,
            "a date from a text, from a text in the order of a pattern, or from year, month and day"
        ) { call in
            if call.count == 3 {
                guard let year = try call.count(0), let month = try wholeNumber(call, 1),
                    let day = try call.count(2)
                else { return .blank }
                guard let date = WallTime(year: year, month: month, day: day) else {
                    throw call.fail(-1, "There is no day \(day) in month \(month) of the year \(year).")
                }
                return Datum(.date(date))
            }
            let datum = try call.datum(0)
            if datum.isBlank { return .blank }
            guard call.has(1) else {
                return try call.run.date(datum, call.parts[0]).map { Datum(.date($0)) } ?? .blank
            }
            // A cell that is a date already needs no pattern to be read.
            if case .date(let date) = datum.value { return Datum(.date(date)) }
            let text = try call.text(1)
            guard let pattern = DatePattern(text) else {
                throw call.fail(1, DatePattern.fault(text) ?? "The pattern means nothing.")
            }
            guard let date = pattern.date(datum.text, call.context.locale, today: call.context.today) else {
                throw call.fail(0, "“\(FormulaRun.short(datum.text))” is no date written \(text).")
            }
            return Datum(.date(date))
        },
        FormulaFunction(
            "date_format", aliases: ["format_date"],
            [.date("date"), .text("pattern", as: .datePattern), .text("locale", as: .locale).optional],
            gives: .text,
            "the date by a pattern such as d mmmm yyyy, or short, medium, long, iso"
        ) { call in
            let text = try call.text(1)
            let locale = try call.locale(2, or: call.context.dayLanguage)
            guard let pattern = DatePattern(text, locale) else {
                throw call.fail(1, DatePattern.fault(text) ?? "The pattern means nothing.")
            }
            if !pattern.showsDay, let time = try time(call.datum(0), call.context.locale) {
                return try call.give(pattern.text(time, locale))
            }
            guard let date = try call.date(0) else { return .blank }
            return try call.give(pattern.text(date, locale))
        },
        FormulaFunction("year", [.date("date")], gives: .number, "the year of a date") { call in
            try call.date(0).map { try call.give(Decimal($0.year)) } ?? .blank
        },
        FormulaFunction("month", [.date("date")], gives: .number, "the month of a date, 1 to 12") { call in
            try call.date(0).map { try call.give(Decimal($0.month)) } ?? .blank
        },
        FormulaFunction("day", [.date("date")], gives: .number, "the day of a date within its month") {
            call in
            try call.date(0).map { try call.give(Decimal($0.day)) } ?? .blank
        },
        FormulaFunction(
            "weekday", [.date("date")], gives: .number, "the day of the week, 1 for Monday to 7 for Sunday"
        ) { call in try call.date(0).map { try call.give(Decimal($0.weekday)) } ?? .blank },
        FormulaFunction(
            "age", [.date("birth"), .date("on").optional], gives: .number,
            "how many years old somebody is today, or on another day", usesToday: true
        ) { call in
            guard let birth = try call.date(0) else { return .blank }
            guard let day = call.has(1) ? try call.date(1) : call.context.today else { return .blank }
            guard birth.dayNumber <= day.dayNumber else { throw call.fail(0, "The birth is after that day.") }
            let hadBirthday = (day.month, day.day) >= (birth.month, birth.day)
            return try call.give(Decimal(day.year - birth.year - (hadBirthday ? 0 : 1)))
        },
        FormulaFunction(
            "days", aliases: ["days_between"], [.date("from"), .date("to")], gives: .number,
            "how many days lie between two dates"
        ) { call in
            guard let from = try call.date(0), let to = try call.date(1) else { return .blank }
            return try call.give(Decimal(Int(to.dayNumber - from.dayNumber)))
        },
        FormulaFunction(
            "add_days", [.date("date"), .number("days")], gives: .date, "the date so many days later"
        ) { call in
            guard let date = try call.date(0), let days = try call.count(1) else { return .blank }
            return Datum(.date(date.adding(days: days)))
        },
        FormulaFunction(
            "add_months", aliases: ["edate"], [.date("date"), .number("months")], gives: .date,
            "the date so many months later, at the latest on the month's last day"
        ) { call in
            guard let date = try call.date(0), let months = try call.count(1) else { return .blank }
            return try Datum(.date(later(date, months: months, call)))
        },
        FormulaFunction(
            "add_years", [.date("date"), .number("years")], gives: .date, "the date so many years later"
        ) { call in
            guard let date = try call.date(0), let years = try call.count(1) else { return .blank }
            guard abs(years) < 10_000 else { throw call.fail(1, "That is too far away.") }
            return try Datum(.date(later(date, months: years * 12, call)))
        },
        FormulaFunction(
            "end_of_month", aliases: ["eomonth"], [.date("date")], gives: .date,
            "the last day of the date's month"
        ) { call in
            guard let date = try call.date(0) else { return .blank }
            let last = WallTime.daysIn(month: date.month, of: date.year)
            return WallTime(year: date.year, month: date.month, day: last).map { Datum(.date($0)) } ?? .blank
        },
        FormulaFunction("is_date", [.any("value")], gives: .flag, "whether the value is or reads as a date") {
            call in
            switch try call.datum(0).value {
            case .date: return Datum(.flag(true))
            case .text(let text):
                let date = DateReading.date(text, call.context.locale, today: call.context.today)
                return Datum(.flag(date != nil))
            case .blank, .number, .flag: return Datum(.flag(false))
            }
        },
    ]

    /// The time of day that a cell of a table holds, as a part of a day or as it is written.
    private static func time(_ datum: Datum, _ locale: FormulaLocale) -> WallTime? {
        let days: Decimal?
        switch datum.value {
        case .number(let number): days = number
        case .text(let text): days = ClockReading.days(text)
        case .blank, .date, .flag: days = nil
        }
        return days.flatMap { ClockReading.secondOfDay($0) }.flatMap {
            WallTime(year: 1900, month: 1, day: 1, hour: $0 / 3600, minute: $0 / 60 % 60, second: $0 % 60)
        }
    }

    private static func wholeNumber(_ call: FormulaCall, _ index: Int) throws -> Int? {
        try call.count(index)
    }

    private static func later(_ date: WallTime, months: Int, _ call: FormulaCall) throws -> WallTime {
        let (count, isOver) = (date.year * 12 + date.month - 1).addingReportingOverflow(months)
        let year = count >= 0 ? count / 12 : (count - 11) / 12
        let month = count - year * 12 + 1
        guard !isOver, (-9999...9999).contains(year),
            let result = WallTime(
                year: year, month: month, day: min(date.day, WallTime.daysIn(month: month, of: year)),
                hour: date.hour, minute: date.minute, second: date.second)
        else { throw call.fail(1, "That is too far away.") }
        return result
    }
}
