/// A number as people write it, with exact digits: money is never rounded by binary fractions. Up to 34 digits,
/// 18 of them behind the mark.
public struct Decimal: Sendable, Hashable {
    /// The number is `units` divided by ten to the power of `places`; no zeros at the end of the fraction.
    private let units: Int128
    private let places: Int

    private static let mostPlaces = 18
    private static let mostDigits = 34
    private static let powers: [Int128] = {
        var powers: [Int128] = [1]
        for _ in 0..<37 { powers.append(powers[powers.count - 1] * 10) }
        return powers
    }()

    private init?(units: Int128, places: Int) {
        guard units.magnitude < Self.powers[Self.mostDigits].magnitude else { return nil }
        var units = units
        var places = places
        while places > 0, units % 10 == 0 {
            units /= 10
            places -= 1
        }
        self.units = units
        self.places = places
    }

    public init(_ value: Int) {
        units = Int128(value)
        places = 0
    }

    /// Digits with at most one point and a sign before them: `-1234.50`. Nil for anything else.
    public init?(plain text: some StringProtocol) {
        var units: Int128 = 0
        var places: Int?
        var digits = 0
        var isNegative = false
        for (index, byte) in text.utf8.enumerated() {
            switch byte {
            case 0x2D where index == 0: isNegative = true
            case 0x2B where index == 0: break
            case 0x2E where places == nil: places = 0
            case 0x30...0x39:
                guard digits < Self.mostDigits, (places ?? 0) < Self.mostPlaces else { return nil }
                units = units * 10 + Int128(byte - 0x30)
                digits += 1
                if let behind = places { places = behind + 1 }
            default: return nil
            }
        }
        guard digits > 0 else { return nil }
        self.init(units: isNegative ? -units : units, places: places ?? 0)
    }

    /// A number as workbooks store it: binary, written out with more digits than it has. Fifteen of them are what
    /// somebody typed.
    package init?(stored text: String) {
        var mantissa = text[...]
        var exponent = 0
        if let mark = text.firstIndex(where: { $0 == "e" || $0 == "E" }) {
            guard let power = Int(text[text.index(after: mark)...]), abs(power) <= 40 else { return nil }
            mantissa = text[..<mark]
            exponent = power
        }
        let isNegative = mantissa.hasPrefix("-")
        let parts = mantissa.drop { $0 == "-" || $0 == "+" }.split(
            separator: ".", omittingEmptySubsequences: false)
        guard let whole = parts.first, parts.count <= 2 else { return nil }
        let digits = Array((whole + (parts.count == 2 ? parts[1] : "")).utf8)
        guard !digits.isEmpty, digits.count <= 60, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        let leading = digits.prefix { $0 == 0x30 }.count
        let kept = digits.dropFirst(leading).prefix(15)
        var units = kept.reduce(Int128(0)) { $0 * 10 + Int128($1 - 0x30) }
        if digits.count > leading + 15, digits[leading + 15] >= 0x35 { units += 1 }
        // Where the mark stands, counted from the end of what was kept.
        let places = leading + kept.count - whole.utf8.count - exponent
        guard places > 0 else {
            guard -places < 20 else { return nil }
            self.init(units: (isNegative ? -units : units) * Self.powers[-places], places: 0)
            return
        }
        guard places < Self.powers.count,
            let rounded = Self.rounded(isNegative ? -units : units, from: places, to: Self.mostPlaces)
        else { return nil }
        self = rounded
    }

    public static let zero = Decimal(0)

    public var isNegative: Bool { units < 0 }
    public var isWhole: Bool { places == 0 }

    /// Only when it is whole and fits.
    public var int: Int? { places == 0 ? Int(exactly: units) : nil }

    /// With a point and without groups: `-1234.5`.
    public var text: String {
        let (whole, fraction) = digits()
        return (isNegative ? "-" : "") + whole + (fraction.isEmpty ? "" : "." + fraction)
    }

    /// The digits before and behind the mark, without sign.
    func digits() -> (whole: String, fraction: String) {
        let all = String(units.magnitude)
        guard places > 0 else { return (all, "") }
        let padded = String(repeating: "0", count: max(0, places + 1 - all.utf8.count)) + all
        return (String(padded.dropLast(places)), String(padded.suffix(places)))
    }

    // Nil in all of these: the result has more digits than can be kept.

    func plus(_ other: Decimal) -> Decimal? {
        let most = max(places, other.places)
        let (a, isTooLong) = units.multipliedReportingOverflow(by: Self.powers[most - places])
        let (b, isAlsoTooLong) = other.units.multipliedReportingOverflow(by: Self.powers[most - other.places])
        let (sum, isOver) = a.addingReportingOverflow(b)
        return isTooLong || isAlsoTooLong || isOver ? nil : Decimal(units: sum, places: most)
    }

    func minus(_ other: Decimal) -> Decimal? { plus(other.negated) }

    func times(_ other: Decimal) -> Decimal? {
        let (product, isOver) = units.multipliedReportingOverflow(by: other.units)
        guard !isOver else { return nil }
        // The fraction may be longer than is kept; what is behind is rounded.
        return Decimal.rounded(product, from: places + other.places, to: Self.mostPlaces)
    }

    /// Eighteen places at most, the last one rounded. The divisor is not zero.
    func divided(by other: Decimal) -> Decimal? {
        guard other.units != 0 else { return nil }
        let (a, isTooLong) = units.multipliedReportingOverflow(by: Self.powers[other.places])
        let (b, isAlsoTooLong) = other.units.multipliedReportingOverflow(by: Self.powers[places])
        guard !isTooLong, !isAlsoTooLong else { return nil }
        // Long division, as on paper: one digit after the other as long as there is room for it.
        var (quotient, rest) = a.quotientAndRemainder(dividingBy: b)
        var behind = 0
        while rest != 0, behind < Self.mostPlaces {
            let (next, isOver) = rest.multipliedReportingOverflow(by: 10)
            let (longer, isLonger) = quotient.multipliedReportingOverflow(by: 10)
            guard !isOver, !isLonger, longer.magnitude < Self.powers[Self.mostDigits].magnitude else { break }
            quotient = longer + next / b
            rest = next % b
            behind += 1
        }
        if rest.magnitude >= b.magnitude - rest.magnitude, rest != 0 {
            quotient += (a < 0) == (b < 0) ? 1 : -1
        }
        return Decimal(units: quotient, places: behind)
    }

    /// What is left when `other` is taken away as often as it fits; never negative for a positive `other`.
    func modulo(_ other: Decimal) -> Decimal? {
        guard other.units != 0, let quotient = divided(by: other)?.roundedDown(),
            let product = quotient.times(other)
        else { return nil }
        return minus(product)
    }

    var negated: Decimal { Decimal(units: -units, places: places) ?? self }
    var magnitude: Decimal { isNegative ? negated : self }

    /// To so many places behind the mark, halves away from zero as taught at school; -2 rounds to hundreds.
    /// What a calculation was to give, had its numbers not been cut: a workbook keeps 8:30 as 0.354166666666667, and 24 times
    /// that is 8.5.
    var settled: Decimal {
        guard places >= 9 else { return self }
        let digits = String(units.magnitude).utf8.count
        guard digits >= 14, let shorter = rounded(to: places - (digits - 12)),
            String(shorter.units.magnitude).utf8.count <= 9
        else { return self }
        return shorter
    }

    func rounded(to wanted: Int = 0) -> Decimal? {
        let wanted = min(max(wanted, -Self.mostDigits), Self.mostPlaces)
        return Self.rounded(units, from: places, to: wanted)
    }

    func roundedDown() -> Decimal {
        let (quotient, rest) = units.quotientAndRemainder(dividingBy: Self.powers[places])
        return Decimal(units: rest < 0 ? quotient - 1 : quotient, places: 0) ?? self
    }

    func roundedUp() -> Decimal { negated.roundedDown().negated }

    private static func rounded(_ units: Int128, from places: Int, to wanted: Int) -> Decimal? {
        let gone = places - wanted
        guard gone > 0 else { return Decimal(units: units, places: places) }
        guard gone < powers.count else { return .zero }
        var (quotient, rest) = units.quotientAndRemainder(dividingBy: powers[gone])
        if rest.magnitude * 2 >= powers[gone].magnitude { quotient += units < 0 ? -1 : 1 }
        guard wanted < 0 else { return Decimal(units: quotient, places: wanted) }
        let (whole, isOver) = quotient.multipliedReportingOverflow(by: powers[-wanted])
        return isOver ? nil : Decimal(units: whole, places: 0)
    }
}

extension Decimal: Comparable {
    public static func < (a: Decimal, b: Decimal) -> Bool {
        // Whole parts first: both numbers on one scale may need more digits than there are.
        let (aWhole, aRest) = a.units.quotientAndRemainder(dividingBy: powers[a.places])
        let (bWhole, bRest) = b.units.quotientAndRemainder(dividingBy: powers[b.places])
        if aWhole != bWhole { return aWhole < bWhole }
        return aRest * powers[mostPlaces - a.places] < bRest * powers[mostPlaces - b.places]
    }
}
