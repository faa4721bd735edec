/// A mailbox: `Ana Ruiz <ana@example.org>`.
///
/// What a message's headers and the dialogue with the server are made of, so it is checked once, here: no
/// line break, space, bracket or control character can be inside.
public struct MailAddress: Sendable, Hashable, CustomStringConvertible {
    public let name: String?
    public let address: String

    /// Nil if `address` is not one plain mailbox. The quoted and commented forms of RFC 5322 are refused;
    /// nobody has them. Letters beyond ASCII are allowed (RFC 6531), the server must then offer SMTPUTF8.
    public init?(_ address: String, name: String? = nil) {
        let parts = address.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, address.utf8.count <= 254, parts[0].utf8.count <= 64,
            Self.isDotAtom(parts[0]), Self.isDomain(parts[1])
        else { return nil }
        self.address = address
        // A name may be anything: the header encodes what it must. Only what means nothing is dropped.
        let shown = name.map { String($0.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }) }
        self.name = shown.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Reads `Ana Ruiz <ana@example.org>` or a bare address, as a person types it.
    public init?(parsing text: String) {
        let text = text.trimmingSpaces
        guard text.hasSuffix(">"), let open = text.lastIndex(of: "<") else {
            self.init(text)
            return
        }
        var name = text[..<open].trimmingSpaces
        if name.count >= 2, name.hasPrefix("\""), name.hasSuffix("\"") {
            name = String(name.dropFirst().dropLast())
        }
        self.init(String(text[text.index(after: open)...].dropLast()), name: name.isEmpty ? nil : name)
    }

    /// The same for what somebody has just typed: nothing behind the at sign but a single word is a slip.
    public init?(typed text: String) {
        self.init(parsing: text)
        guard domain.contains(".") else { return nil }
    }

    /// A text of several, taken apart at commas and semicolons that are neither quoted nor between angle brackets.
    public static func parts(of text: String) -> [String] {
        var items: [String] = []
        var item = ""
        var isQuoted = false
        var isAngled = false
        for character in text {
            switch character {
            case "\"": isQuoted.toggle()
            case "<" where !isQuoted: isAngled = true
            case ">" where !isQuoted: isAngled = false
            case ",", ";":
                if !isQuoted, !isAngled {
                    items.append(item)
                    item = ""
                    continue
                }
            default: break
            }
            item.append(character)
        }
        items.append(item)
        return items.map(\.trimmingSpaces).filter { !$0.isEmpty }
    }

    public var domain: String { String(address.drop { $0 != "@" }.dropFirst()) }

    public var description: String { name.map { "\($0) <\(address)>" } ?? address }

    private static func isDotAtom(_ text: Substring) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { atom in
            !atom.isEmpty
                && atom.unicodeScalars.allSatisfy {
                    switch $0 {
                    case "0"..."9", "A"..."Z", "a"..."z": true
                    default: $0.isASCII ? "!#$%&'*+-/=?^_`{|}~".unicodeScalars.contains($0) : isLetterlike($0)
                    }
                }
        }
    }

    private static func isDomain(_ text: Substring) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                && label.unicodeScalars.allSatisfy {
                    switch $0 {
                    case "0"..."9", "A"..."Z", "a"..."z", "-": true
                    default: !$0.isASCII && isLetterlike($0)
                    }
                }
        }
    }

    private static func isLetterlike(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.generalCategory == .nonspacingMark
            || scalar.properties.numericType != nil
    }
}

/// The name a message keeps for ever, `<unique@host>`: a mail program that sees it twice shows it once.
public struct MessageID: Sendable, Hashable, CustomStringConvertible {
    public let text: String

    /// Nil if a part holds anything but letters, digits and `.-_+=` (so it needs no quoting anywhere).
    public init?(unique: String, host: String) {
        for part in [unique, host] {
            guard !part.isEmpty, part.utf8.count <= 200, !part.hasPrefix("."), !part.hasSuffix("."),
                !part.contains(".."),
                part.unicodeScalars.allSatisfy({
                    switch $0 {
                    case "0"..."9", "A"..."Z", "a"..."z", ".", "-", "_", "+", "=": true
                    default: false
                    }
                })
            else { return nil }
        }
        text = "<\(unique)@\(host)>"
    }

    public var description: String { text }
}
