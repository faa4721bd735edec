import Bytes

/// What a card can be written as.
public enum CardForm: String, Sendable, CaseIterable {
    case vcard21 = "vcard2"
    case vcard3, vcard4, jcard, jscontact, mecard
}

/// A card with what is known of somebody, whatever it was written as.
///
/// Nothing it says is dropped: what nobody knows is carried as it came, and a card that was not changed is written back byte
/// for byte.
///
/// ```swift
/// for found in CardFile(bytes).cards { print(found.name, found.emails) }
/// let bytes = card.bytes(as: .jscontact)
/// ```
public struct ContactCard: Sendable {
    public var properties: [CardProperty]
    /// What it was read from.
    public let form: CardForm
    /// Where it begins in its file, from 1.
    public let line: Int
    /// What was odd about it and was understood all the same.
    public internal(set) var oddities: [CardOddity] = []
    private let original: Original?

    struct Original: Sendable {
        var bytes: [UInt8]
        var properties: [CardProperty]
    }

    public init(_ properties: [CardProperty] = []) {
        self.init(properties, form: .vcard4, line: 0, bytes: nil)
    }

    init(_ properties: [CardProperty], form: CardForm, line: Int, bytes: [UInt8]?) {
        self.properties = properties
        self.form = form
        self.line = line
        original = bytes.map { Original(bytes: $0, properties: properties) }
    }

    /// The bytes it was read from, as long as it says the same.
    public var untouched: [UInt8]? {
        guard let original, original.properties.count == properties.count else { return nil }
        // Most cards are never changed, and still have the very properties that were read.
        let isOne = original.properties.withUnsafeBufferPointer { read in
            properties.withUnsafeBufferPointer { $0.baseAddress == read.baseAddress }
        }
        if isOne { return original.bytes }
        let isSame = zip(original.properties, properties).allSatisfy { $0.source == $1.source && $0 == $1 }
        return isSame ? original.bytes : nil
    }

    /// How a property stood in the card, when it still says the same.
    func written(_ property: CardProperty) -> ArraySlice<UInt8>? {
        guard let source = property.source, let original, source.upperBound <= original.bytes.count else {
            return nil
        }
        return original.bytes[source]
    }

    /// What it was read from, with the properties it had then.
    var kept: (bytes: [UInt8], properties: [CardProperty])? {
        original.map { ($0.bytes, $0.properties) }
    }

    public func all(_ name: String) -> [CardProperty] { properties.filter { $0.name == name } }
    public func first(_ name: String) -> CardProperty? { properties.first { $0.name == name } }

    /// As one of the forms. What was not changed stays byte for byte where the form is the same.
    public func bytes(as form: CardForm) -> [UInt8] {
        if form == self.form, let untouched { return untouched }
        switch form {
        case .vcard21, .vcard3, .vcard4: return CardWriter(self, form).bytes
        case .jcard: return jCard.bytes
        case .jscontact: return jsContact.bytes
        case .mecard: return Array(MECard.text(of: self).text.utf8)
        }
    }
}

extension ContactCard: Equatable {
    /// Two cards are equal when they say the same in the same order.
    public static func == (a: Self, b: Self) -> Bool { a.properties == b.properties }
}

/// What was odd about a card.
public struct CardOddity: Sendable, Equatable {
    public enum Kind: String, Sendable {
        /// The card does not end.
        case noEnd
        case noVersion
        /// A line that says nothing a card can say.
        case unreadable
        /// Bytes that are not the letters they are said to be.
        case letters
    }

    public var line: Int
    public var kind: Kind

    public init(line: Int, kind: Kind) {
        self.line = line
        self.kind = kind
    }
}

/// How much of a stranger's file is read.
public struct CardLimits: Sendable {
    public var cardCount = 250_000
    /// Of one card with its pictures.
    public var cardByteCount = 16 << 20
    /// Of one picture or sound, as it stands in the file.
    public var fileByteCount = 8 << 20
    public var propertyCount = 2_000
    /// Cards within cards, and JSON within JSON.
    public var depth = 8

    public init() {}
}

/// A card that was not taken, and why.
public struct CardRefusal: Sendable, Equatable {
    public enum Reason: Sendable, Equatable {
        case cardTooLarge(limit: Int)
        case pictureTooLarge(limit: Int)
        case tooManyProperties(limit: Int)
        case tooDeep(limit: Int)
        case tooManyCards(limit: Int)
        /// It says nothing.
        case empty
        case noCard
    }

    public var line: Int
    /// Whose card it is, as far as it was read.
    public var name: String
    public var reason: Reason

    public init(line: Int, name: String, reason: Reason) {
        self.line = line
        self.name = name
        self.reason = reason
    }
}

extension CardRefusal: CustomStringConvertible {
    /// Why, for a person.
    public var description: String {
        switch reason {
        case .cardTooLarge(let limit): "The card is larger than \(limit >> 20) MB."
        case .pictureTooLarge(let limit):
            "A picture or sound on the card is larger than \(limit >> 20) MB."
        case .tooManyProperties(let limit): "The card has more than \(limit) lines."
        case .tooDeep(let limit): "The card has more than \(limit) cards in one another."
        case .tooManyCards(let limit):
            "The file has more than \(limit) cards; what comes after them was not read."
        case .empty: "The card says nothing."
        case .noCard: "This is no card."
        }
    }
}
