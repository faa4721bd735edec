/// A point in time: milliseconds since the first of January 1970, UTC.
///
/// Arithmetic saturates instead of trapping, because moments are read from files and from the network.
public struct Moment: Sendable, Hashable {
    public let milliseconds: Int64

    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Reads `2026-11-21T11:35:00.000Z`; the fraction may be missing and `+02:00` may stand for `Z`.
    public init?(iso8601 text: String) {
        var scanner = DigitScanner(text)
        guard let year = scanner.number(digits: 4), scanner.skip("-"),
            let month = scanner.number(digits: 2), scanner.skip("-"),
            let day = scanner.number(digits: 2), scanner.skip("T") || scanner.skip("t") || scanner.skip(" "),
            let hour = scanner.number(digits: 2), scanner.skip(":"),
            let minute = scanner.number(digits: 2), scanner.skip(":"),
            let second = scanner.number(digits: 2)
        else { return nil }
        var millisecond = 0
        if scanner.skip(".") {
            guard let fraction = scanner.thousandths() else { return nil }
            millisecond = fraction
        }
        var offsetMinutes = 0
        if !scanner.skip("Z") && !scanner.skip("z") {
            let sign = scanner.skip("+") ? 1 : scanner.skip("-") ? -1 : 0
            guard sign != 0, let hours = scanner.number(digits: 2), hours < 24, scanner.skip(":"),
                let minutes = scanner.number(digits: 2), minutes < 60
            else { return nil }
            offsetMinutes = sign * (hours * 60 + minutes)
        }
        guard scanner.isAtEnd,
            let wall = WallTime(
                year: year, month: month, day: day, hour: hour, minute: minute, second: second,
                millisecond: millisecond)
        else { return nil }
        self.init(milliseconds: wall.millisecondsAsUTC - Int64(offsetMinutes) * 60_000)
    }

    /// `2026-11-21T11:35:00.000Z`: always UTC, always milliseconds, so texts sort as their moments do.
    public var iso8601: String { wallTimeInUTC.text + "Z" }

    public var wallTimeInUTC: WallTime { WallTime(millisecondsAsUTC: milliseconds) }
}

extension Moment: Comparable {
    public static func < (a: Moment, b: Moment) -> Bool { a.milliseconds < b.milliseconds }
}

extension Moment: CustomStringConvertible {
    public var description: String { iso8601 }
}

extension Moment {
    public static func + (moment: Moment, duration: Duration) -> Moment {
        Moment(milliseconds: moment.milliseconds.addingSaturating(duration.wholeMilliseconds))
    }

    public static func - (moment: Moment, duration: Duration) -> Moment {
        Moment(milliseconds: moment.milliseconds.addingSaturating(-duration.wholeMilliseconds))
    }

    /// How long after `b` lies `a`.
    public static func - (a: Moment, b: Moment) -> Duration {
        let (difference, overflow) = a.milliseconds.subtractingReportingOverflow(b.milliseconds)
        return .milliseconds(overflow ? (a.milliseconds < b.milliseconds ? Int64.min : .max) : difference)
    }
}

extension Duration {
    /// The duration in milliseconds, the rest cut off; at most about 292 million years either way.
    public var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        // One less than the extremes, so that the result can always be negated.
        guard !overflow else { return seconds < 0 ? -Int64.max : .max }
        return Swift.max(whole.addingSaturating(attoseconds / 1_000_000_000_000_000), -Int64.max)
    }
}

extension Int64 {
    func addingSaturating(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }
}

/// Walks over fixed-width decimal numbers, as dates are written with.
struct DigitScanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) {
        bytes = Array(text.utf8.prefix(64))
    }

    var isAtEnd: Bool { position == bytes.count }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, UInt32(bytes[position]) == character.value else { return false }
        position += 1
        return true
    }

    mutating func number(digits: Int) -> Int? {
        guard bytes.count - position >= digits else { return nil }
        var value = 0
        for byte in bytes[position..<position + digits] {
            guard let digit = Self.digit(byte) else { return nil }
            value = value * 10 + digit
        }
        position += digits
        return value
    }

    /// One to nine digits after the point, of which three count.
    mutating func thousandths() -> Int? {
        var value = 0
        var seen = 0
        while position < bytes.count, let digit = Self.digit(bytes[position]) {
            if seen < 3 { value = value * 10 + digit }
            seen += 1
            position += 1
        }
        guard (1...9).contains(seen) else { return nil }
        for _ in 0..<Swift.max(0, 3 - seen) { value *= 10 }
        return value
    }

    private static func digit(_ byte: UInt8) -> Int? {
        (0x30...0x39).contains(byte) ? Int(byte) - 0x30 : nil
    }
}
