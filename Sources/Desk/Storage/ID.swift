public import SQL

/// The name of one thing of one kind: a UUIDv7 (RFC 9562), so later things sort after earlier ones.
///
/// The kind is part of the type, so that the id of a document cannot be taken for the id of a person.
public struct ID<Of>: Hashable, Sendable {
    let high: UInt64
    let low: UInt64

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Only the one usual spelling: 36 characters, lower case, four hyphens.
    public init?(_ text: String) {
        let characters = Array(text.utf8)
        guard characters.count == 36 else { return nil }
        var halves: [UInt64] = [0, 0]
        var digits = 0
        for (place, character) in characters.enumerated() {
            if [8, 13, 18, 23].contains(place) {
                guard character == UInt8(ascii: "-") else { return nil }
                continue
            }
            let value: UInt8
            switch character {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = character - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = character - UInt8(ascii: "a") + 10
            default: return nil
            }
            halves[digits / 16] = halves[digits / 16] << 4 | UInt64(value)
            digits += 1
        }
        self.init(high: halves[0], low: halves[1])
    }

    public var text: String {
        var characters: [UInt8] = []
        characters.reserveCapacity(36)
        for digit in 0..<32 {
            if [8, 12, 16, 20].contains(digit) { characters.append(UInt8(ascii: "-")) }
            let half = digit < 16 ? high : low
            let value = UInt8(half >> UInt64(60 - digit % 16 * 4) & 15)
            characters.append(value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10)
        }
        return String(decoding: characters, as: UTF8.self)
    }
}

// Things that come by the hundred thousand do not each need an id of their own making: they are counted within a
// series whose id ends in 32 zero bits.
extension ID {
    /// This id with its last 32 bits cleared, as the id of a series.
    public var asSeries: ID { ID(high: high, low: low & ~0xFFFF_FFFF) }

    /// The id of the n-th member of this series.
    public func member<Member>(_ number: UInt32, of: Member.Type = Member.self) -> ID<Member> {
        ID<Member>(high: high, low: low & ~0xFFFF_FFFF | UInt64(number))
    }

    /// The series that a member belongs to.
    public func series<Series>(of: Series.Type = Series.self) -> ID<Series> {
        ID<Series>(high: high, low: low & ~0xFFFF_FFFF)
    }

    /// Which member of its series it is.
    public var memberNumber: UInt32 { UInt32(truncatingIfNeeded: low) }
}

extension ID: Comparable {
    public static func < (a: ID, b: ID) -> Bool { (a.high, a.low) < (b.high, b.low) }
}

extension ID: CustomStringConvertible {
    public var description: String { text }
}

extension ID: SQLConvertible {
    public var sqlValue: SQLValue { .text(text) }
}

extension Row {
    public func id<Of>(_ column: String, of: Of.Type = Of.self) throws -> ID<Of> {
        guard let id: ID<Of> = try optionalID(column) else {
            throw SQLError(.wrongType, "column “\(column)” is NULL")
        }
        return id
    }

    public func optionalID<Of>(_ column: String, of: Of.Type = Of.self) throws -> ID<Of>? {
        guard let text = try optionalText(column) else { return nil }
        guard let id = ID<Of>(text) else { throw SQLError(.wrongType, "column “\(column)” holds no id") }
        return id
    }
}
