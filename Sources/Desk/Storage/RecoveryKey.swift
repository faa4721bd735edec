import Bytes
import Crypto
public import Work

/// What opens the encrypted backups of a desk, as it stands on a sheet of paper: eight groups of five letters, the last
/// letter of each telling whether the group was typed as it is printed, and in its place.
public struct RecoveryKey: Sendable, Equatable {
    /// Where programs find it.
    public static let variable = "QUIRE_RECOVERY_KEY"
    public static let groupCount = 8
    public static let groupLength = 5
    private static let byteCount = 20

    /// 160 random bits: nobody guesses them, so they need no dear digest as a passphrase does.
    public let secret: [UInt8]

    public init(_ chance: Chance) { secret = chance.bytes(Self.byteCount) }

    /// Nil for what is no secret of a key.
    public init?(secret: [UInt8]) {
        guard secret.count == Self.byteCount else { return nil }
        self.secret = secret
    }

    public var groups: [String] {
        var digits: [UInt8] = []
        for start in stride(from: 0, to: secret.count, by: 5) {
            let number = secret[start..<start + 5].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            for place in (0..<8).reversed() { digits.append(UInt8(number >> (place * 5) & 31)) }
        }
        return (0..<Self.groupCount).map { group in
            let own = digits[group * 4..<group * 4 + 4]
            return String(
                decoding: (own + [Self.check(own, group)]).map { ReadableCode.alphabet[Int($0)] },
                as: UTF8.self)
        }
    }

    public var text: String { groups.joined(separator: "-") }

    /// As a person types it: in any case, with blanks or hyphens or without. Throws a sentence that names what is mistyped.
    public init(typed: String) throws(Failure) {
        let words = typed.split { $0 == "-" || $0.isWhitespace }.map(String.init)
        var digits: [UInt8] = []
        for letter in words.flatMap({ ReadableCode.plain($0) }) {
            guard let digit = letter.asciiValue.flatMap({ ReadableCode.alphabet.firstIndex(of: $0) }) else {
                throw Failure(
                    .invalid,
                    "“\(letter)” is in no recovery key. They are made of digits and of letters from A to Z, without U.",
                    field: "key")
            }
            digits.append(UInt8(digit))
        }
        if words.count == Self.groupCount,
            let odd = words.firstIndex(where: { ReadableCode.plain($0).count != Self.groupLength })
        {
            throw Failure(
                .invalid,
                "Group \(odd + 1) of the recovery key has to have \(Self.groupLength) letters. Compare it with the sheet.",
                field: "key")
        }
        guard digits.count == Self.groupCount * Self.groupLength else {
            throw Failure(
                .invalid,
                "A recovery key has \(Self.groupCount) groups of \(Self.groupLength) letters; these are \(digits.count) letters in all.",
                field: "key")
        }
        var secret: [UInt8] = []
        var mistyped: [String] = []
        var number: UInt64 = 0
        for group in 0..<Self.groupCount {
            let own = digits[group * Self.groupLength..<(group + 1) * Self.groupLength]
            if Self.check(own.dropLast(), group) != own.last { mistyped.append("\(group + 1)") }
            number = own.dropLast().reduce(number) { $0 << 5 | UInt64($1) }
            if group % 2 == 1 {
                secret += (0..<5).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
                number = 0
            }
        }
        guard mistyped.isEmpty else {
            throw mistyped.count == 1
                ? Failure(
                    .invalid,
                    "Group \(mistyped[0]) of the recovery key is mistyped. Compare it with the sheet.",
                    field: "key")
                : Failure(
                    .invalid,
                    "Groups \(mistyped.joined(separator: ", ")) of the recovery key are mistyped. Compare them with the sheet.",
                    field: "key")
        }
        self.secret = secret
    }

    /// A sum over the field of 32 elements, each letter weighing another of its elements: it tells any one letter that is
    /// wrong and any two neighbours that changed places. It begins with the group's own number, so that groups that changed
    /// places are told, too.
    private static func check(_ digits: ArraySlice<UInt8>, _ group: Int) -> UInt8 {
        // Times α; x⁵ + x³ + 1, as in bech32.
        func times(_ digit: UInt8) -> UInt8 { digit << 1 & 31 ^ (digit & 16 == 0 ? 0 : 0b01001) }
        return digits.reduce(times(UInt8(group + 1))) { times($0 ^ $1) }
    }
}

extension RecoveryKey: CustomStringConvertible, CustomDebugStringConvertible {
    /// Kept out of logs.
    public var description: String { "a recovery key" }
    public var debugDescription: String { description }
}
