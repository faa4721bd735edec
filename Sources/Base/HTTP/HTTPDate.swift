/// Dates as HTTP writes them, `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7), in whole seconds since 1970.
public enum HTTPDate {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    public static func text(_ seconds: Int64) -> String {
        // The years HTTP can write; a file dated outside them is shown at the edge.
        let seconds = min(max(seconds, -62_135_596_800), 253_402_300_799)
        let day = seconds >= 0 ? seconds / 86_400 : -((-seconds + 86_399) / 86_400)
        let clock = seconds - day * 86_400
        let (year, month, date) = civil(day)
        let weekday = Int(((day % 7) + 11) % 7)
        return "\(days[weekday]), \(two(date)) \(months[month - 1]) \(four(year)) "
            + "\(two(Int(clock / 3600))):\(two(Int(clock / 60 % 60))):\(two(Int(clock % 60))) GMT"
    }

    /// Reads the one form that is still sent; the two obsolete forms count as no date, which is always safe.
    public static func parse(_ text: String) -> Int64? {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 6, words[0].utf8.count == 4, words[0].hasSuffix(","), words[5] == "GMT",
            let date = number(words[1], digits: 2), (1...31).contains(date),
            let month = months.firstIndex(of: String(words[2])), let year = number(words[3], digits: 4)
        else { return nil }
        let clock = words[4].split(separator: ":", omittingEmptySubsequences: false)
        guard clock.count == 3, let hour = number(clock[0], digits: 2), hour < 24,
            let minute = number(clock[1], digits: 2), minute < 60,
            let second = number(clock[2], digits: 2), second <= 60
        else { return nil }
        let day = days1970(year, month + 1, date)
        guard civil(day) == (year, month + 1, date) else { return nil }
        return day * 86_400 + Int64(hour * 3600 + minute * 60 + second)
    }

    private static func number(_ text: Substring, digits: Int) -> Int? {
        text.utf8.count == digits && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    private static func four(_ number: Int) -> String {
        String(repeating: "0", count: max(0, 4 - String(number).count)) + String(number)
    }

    // Days to civil date and back in the proleptic Gregorian calendar, counting eras of 400 years from 1 March.
    private static func civil(_ day: Int64) -> (Int, Int, Int) {
        let z = day + 719_468
        let era = (z >= 0 ? z : z - 146_096) / 146_097
        let dayOfEra = z - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let m = (5 * dayOfYear + 2) / 153
        let date = Int(dayOfYear - (153 * m + 2) / 5 + 1)
        let month = Int(m < 10 ? m + 3 : m - 9)
        return (Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0), month, date)
    }

    private static func days1970(_ year: Int, _ month: Int, _ date: Int) -> Int64 {
        let y = Int64(month <= 2 ? year - 1 : year)
        let era = (y >= 0 ? y : y - 399) / 400
        let yearOfEra = y - era * 400
        let dayOfYear = Int64((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + date - 1)
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
