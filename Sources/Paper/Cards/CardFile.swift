import Bytes

/// A file of cards: vCards of every version, jCards, JSContact, or what a square code holds.
public struct CardFile: Sendable {
    public enum Found: Sendable {
        case card(ContactCard)
        case refusal(CardRefusal)
    }

    public var cards: [ContactCard] = []
    public var refusals: [CardRefusal] = []

    /// `letters` names what a file is written in that does not say so and is no UTF-8.
    public init(_ bytes: [UInt8], limits: CardLimits = CardLimits(), letters: String = "WINDOWS-1252") {
        Self.each(bytes, limits: limits, letters: letters) { found in
            switch found {
            case .card(let card): cards.append(card)
            case .refusal(let refusal): refusals.append(refusal)
            }
        }
    }

    /// One after the other, so that a large file is never held as cards.
    public static func each(
        _ bytes: [UInt8], limits: CardLimits = CardLimits(), letters: String = "WINDOWS-1252",
        _ body: (Found) throws -> Void
    ) rethrows {
        // UTF-16 mostly says so with its first two bytes; a card of it is kept as UTF-8.
        let isMarked = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
        if isMarked || letters.uppercased().hasPrefix("UTF-16") {
            let text = Array(TextDecoding.text(bytes, named: letters).utf8)
            return try each(text, limits: limits, letters: "UTF-8", body)
        }
        let head = bytes.prefix(64).drop { $0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
        switch head.first {
        case UInt8(ascii: "["), UInt8(ascii: "{"): try JSONCards(bytes, limits).each(body)
        case UInt8(ascii: "M"), UInt8(ascii: "m"), UInt8(ascii: "B"), UInt8(ascii: "b"):
            if let card = MECard.read(bytes, limits) { return try body(.card(card)) }
            fallthrough
        default: try CardReader(limits: limits, letters: letters).each(bytes, body)
        }
    }
}
