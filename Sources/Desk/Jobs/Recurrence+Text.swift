import Work

public struct RecurrenceError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The part of the rule that is wrong.
    public let part: String
    public let reason: String

    public var description: String { part.isEmpty ? reason : "\(part): \(reason)" }
}

extension Recurrence {
    /// Reads `FREQ=WEEKLY;BYDAY=MO,WE;BYHOUR=9;BYMINUTE=0`.
    public init(_ text: String) throws(RecurrenceError) {
        var parts: [String: String] = [:]
        guard text.utf8.count <= 500 else { throw RecurrenceError(part: "", reason: "the rule is too long") }
        for part in text.split(separator: ";", omittingEmptySubsequences: false) {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2, !sides[1].isEmpty else {
                throw RecurrenceError(part: String(part), reason: "NAME=VALUE is wanted")
            }
            let name = sides[0].uppercased()
            guard Self.names.contains(name) else {
                throw RecurrenceError(part: String(part), reason: "this part is not known here")
            }
            guard parts.updateValue(sides[1].uppercased(), forKey: name) == nil else {
                throw RecurrenceError(part: String(part), reason: "given twice")
            }
        }
        guard let frequency = parts["FREQ"].flatMap({ Frequency(rawValue: $0) }) else {
            throw RecurrenceError(
                part: "FREQ",
                reason: "one of \(Frequency.allCases.map(\.rawValue).joined(separator: ", ")) is wanted")
        }
        self.frequency = frequency
        interval = try Self.number(parts, "INTERVAL", 1...10_000) ?? 1
        count = try Self.number(parts, "COUNT", 1...10_000)
        until = try Self.until(parts)
        days = try Self.days(parts)
        monthDays = try Self.numbers(parts, "BYMONTHDAY", -31...31).filter { $0 != 0 }
        months = try Self.numbers(parts, "BYMONTH", 1...12)
        hours = try Self.numbers(parts, "BYHOUR", 0...23)
        minutes = try Self.numbers(parts, "BYMINUTE", 0...59)
        try refuseWhatWeCannot()
    }

    private static let names: Set<String> = [
        "FREQ", "INTERVAL", "COUNT", "UNTIL", "BYDAY", "BYMONTHDAY", "BYMONTH", "BYHOUR", "BYMINUTE",
    ]
    private static let weekdays = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

    public var text: String {
        func list(_ name: String, _ values: [Int]) -> String? {
            values.isEmpty ? nil : "\(name)=\(values.map(String.init).joined(separator: ","))"
        }
        let days = self.days.map { day in
            (day.ordinal == 0 ? "" : "\(day.ordinal)") + Self.weekdays[day.weekday - 1]
        }
        let parts: [String?] = [
            "FREQ=\(frequency.rawValue)", interval == 1 ? nil : "INTERVAL=\(interval)",
            list("BYMONTH", months), list("BYMONTHDAY", monthDays),
            days.isEmpty ? nil : "BYDAY=\(days.joined(separator: ","))", list("BYHOUR", hours),
            list("BYMINUTE", minutes), count.map { "COUNT=\($0)" }, until.map { "UNTIL=\(Self.compact($0))" },
        ]
        return parts.compactMap(\.self).joined(separator: ";")
    }

    private func refuseWhatWeCannot() throws(RecurrenceError) {
        if count != nil, until != nil {
            throw RecurrenceError(part: "COUNT", reason: "COUNT and UNTIL exclude each other")
        }
        if days.contains(where: { $0.ordinal != 0 }), frequency != .monthly, frequency != .yearly {
            throw RecurrenceError(part: "BYDAY", reason: "numbered weekdays are for MONTHLY and YEARLY")
        }
        if frequency == .yearly, !days.isEmpty, months.isEmpty {
            throw RecurrenceError(part: "BYDAY", reason: "weekdays of a YEARLY rule need BYMONTH")
        }
        if frequency == .minutely || frequency == .hourly, !(months.isEmpty && monthDays.isEmpty) {
            throw RecurrenceError(
                part: "FREQ", reason: "HOURLY and MINUTELY cannot be limited to months or their days")
        }
    }

    private static func numbers(
        _ parts: [String: String], _ name: String, _ range: ClosedRange<Int>
    ) throws(RecurrenceError) -> [Int] {
        var numbers: Set<Int> = []
        guard let value = parts[name] else { return [] }
        for word in value.split(separator: ",", omittingEmptySubsequences: false) {
            guard let number = Int(word), range.contains(number) else {
                throw RecurrenceError(
                    part: "\(name)=\(value)",
                    reason: "“\(word)” is not between \(range.lowerBound) and \(range.upperBound)")
            }
            numbers.insert(number)
        }
        return numbers.sorted()
    }

    private static func number(
        _ parts: [String: String], _ name: String, _ range: ClosedRange<Int>
    ) throws(RecurrenceError) -> Int? {
        let numbers = try numbers(parts, name, range)
        guard numbers.count <= 1 else { throw RecurrenceError(part: name, reason: "one number is wanted") }
        return numbers.first
    }

    private static func days(_ parts: [String: String]) throws(RecurrenceError) -> [Day] {
        guard let value = parts["BYDAY"] else { return [] }
        var days: [Day] = []
        for word in value.split(separator: ",", omittingEmptySubsequences: false) {
            let number = word.dropLast(2)
            guard let weekday = weekdays.firstIndex(of: String(word.suffix(2))),
                let ordinal = number.isEmpty ? 0 : Int(number), (-5...5).contains(ordinal),
                number.isEmpty || ordinal != 0
            else { throw RecurrenceError(part: "BYDAY=\(value)", reason: "“\(word)” is no weekday") }
            let day = Day(weekday: weekday + 1, ordinal: ordinal)
            if !days.contains(day) { days.append(day) }
        }
        return days
    }

    /// `20261231T235959Z`; always UTC, as a rule should mean the same wherever it is read.
    private static func until(_ parts: [String: String]) throws(RecurrenceError) -> Moment? {
        guard let value = parts["UNTIL"] else { return nil }
        let digits = Array(value)
        if digits.count == 16, digits[8] == "T", digits[15] == "Z" {
            func piece(_ range: Range<Int>) -> String { String(digits[range]) }
            let iso =
                "\(piece(0..<4))-\(piece(4..<6))-\(piece(6..<8))T\(piece(9..<11)):\(piece(11..<13)):\(piece(13..<15))Z"
            if let moment = Moment(iso8601: iso) { return moment }
        }
        throw RecurrenceError(part: "UNTIL=\(value)", reason: "a moment like 20261231T235959Z is wanted")
    }

    private static func compact(_ moment: Moment) -> String {
        moment.iso8601.prefix { $0 != "." }.filter { $0 != "-" && $0 != ":" } + "Z"
    }
}
