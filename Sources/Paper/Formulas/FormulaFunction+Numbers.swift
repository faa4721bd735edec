import Work

extension FormulaFunction {
    static let numbers: [FormulaFunction] = [
        FormulaFunction(
            "number", aliases: ["value"], [.any("text"), .text("locale", as: .locale).optional],
            gives: .number,
            "the text read as a number, with the marks of the locale"
        ) { call in
            let datum = try call.datum(0)
            if datum.isBlank { return .blank }
            if case .number = datum.value { return Datum(datum.value) }
            guard let number = NumberReading.number(datum.text, try call.locale(1)) else {
                throw call.fail(0, "“\(FormulaRun.short(datum.text))” is no number.")
            }
            return Datum(.number(number))
        },
        FormulaFunction(
            "round", [.number("number"), .number("places").optional], gives: .number,
            "rounded to so many places, halves away from zero"
        ) { call in
            guard let number = try call.number(0) else { return .blank }
            return try call.give(number.rounded(to: try call.count(1) ?? 0))
        },
        FormulaFunction(
            "floor", aliases: ["round_down"], [.number("number")], gives: .number,
            "the next whole number below"
        ) { call in try call.number(0).map { Datum(.number($0.roundedDown())) } ?? .blank },
        FormulaFunction(
            "ceiling", aliases: ["round_up"], [.number("number")], gives: .number,
            "the next whole number above"
        ) { call in try call.number(0).map { Datum(.number($0.roundedUp())) } ?? .blank },
        FormulaFunction("abs", [.number("number")], gives: .number, "the number without its sign") { call in
            try call.number(0).map { Datum(.number($0.magnitude)) } ?? .blank
        },
        FormulaFunction(
            "mod", [.number("number"), .number("divisor")], gives: .number, "what is left after dividing"
        ) { call in
            guard let number = try call.number(0), let divisor = try call.number(1) else { return .blank }
            guard divisor != .zero else { throw call.fail(1, "Nothing can be divided by zero.") }
            return try call.give(number.modulo(divisor))
        },
        FormulaFunction(
            "sum", [.number("number").repeated], gives: .number,
            "all of them together; what is blank counts nothing"
        ) { call in try call.give(total(call).sum) },
        FormulaFunction(
            "average", aliases: ["mean"], [.number("number").repeated], gives: .number,
            "the mean of those that are not blank"
        ) { call in
            let (sum, count) = try total(call)
            return count == 0 ? .blank : try call.give(sum?.divided(by: Decimal(count)))
        },
        FormulaFunction(
            "min", [.any("value").repeated], gives: nil, "the least of numbers, or the first of dates"
        ) {
            try outermost($0) { $0 < $1 }
        },
        FormulaFunction(
            "max", [.any("value").repeated], gives: nil, "the greatest of numbers, or the last of dates"
        ) {
            try outermost($0) { $1 < $0 }
        },
        FormulaFunction(
            "number_format", aliases: ["format_number"],
            [.number("number"), .text("pattern", as: .numberPattern), .text("locale", as: .locale).optional],
            gives: .text, "the number by a pattern such as #,##0.00, with the marks of the locale"
        ) { call in
            let pattern = try call.text(1)
            guard let format = NumberPattern(pattern) else {
                throw call.fail(1, NumberPattern.fault(pattern) ?? "The pattern means nothing.")
            }
            guard let number = try call.number(0) else { return .blank }
            return try call.give(format.text(number, try call.locale(2)))
        },
        FormulaFunction(
            "is_number", [.any("value")], gives: .flag, "whether the value is or reads as a number"
        ) { call in
            switch try call.datum(0).value {
            case .number: return Datum(.flag(true))
            case .text(let text): return Datum(.flag(NumberReading.number(text, call.context.locale) != nil))
            case .blank, .date, .flag: return Datum(.flag(false))
            }
        },
    ]

    private static func total(_ call: FormulaCall) throws -> (sum: Decimal?, count: Int) {
        var sum: Decimal? = .zero
        var count = 0
        for index in 0..<call.count {
            guard let number = try call.number(index) else { continue }
            sum = sum?.plus(number)
            count += 1
        }
        return (sum, count)
    }

    private static func outermost(
        _ call: FormulaCall, _ isBefore: (Datum.Rank, Datum.Rank) -> Bool
    ) throws -> Datum {
        var best: (datum: Datum, rank: Datum.Rank)?
        for index in 0..<call.count {
            let datum = try call.datum(index)
            if datum.isBlank { continue }
            let rank: Datum.Rank
            if case .date(let date) = datum.value {
                rank = .date(date)
            } else if let number = try? call.run.number(datum, call.parts[index]) {
                rank = .number(number)
            } else if let date = try call.run.date(datum, call.parts[index]) {
                rank = .date(date)
            } else {
                continue
            }
            guard let before = best else {
                best = (datum, rank)
                continue
            }
            guard before.rank.isLike(rank) else {
                throw call.fail(index, "Numbers and dates cannot be compared with each other.")
            }
            if isBefore(rank, before.rank) { best = (datum, rank) }
        }
        return best?.datum ?? .blank
    }
}

extension Datum {
    /// What has an order.
    enum Rank: Comparable {
        case number(Decimal)
        case date(WallTime)

        func isLike(_ other: Rank) -> Bool {
            switch (self, other) {
            case (.number, .number), (.date, .date): true
            default: false
            }
        }
    }
}
