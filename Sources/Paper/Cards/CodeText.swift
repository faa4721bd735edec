/// What somebody's square code says, or what was pasted in place of it.
public enum CodeText: Sendable {
    case cards([ContactCard])
    /// It leads to a page.
    case address(String)
    case words(String)

    /// vCard, jCard, JSContact, MECARD and BIZCARD are cards; so is an address to write to or a number to call.
    public init(_ whole: String) {
        let text = CardText.trimmed(whole)
        let (scheme, rest) = Self.parted(text)
        switch scheme {
        case "mailto": self = Self.reached(by: Self.mail(rest), text)
        case "matmsg": self = Self.reached(by: Self.mail(Self.field("TO", of: rest)), text)
        case "tel": self = Self.reached(by: Self.phone(rest), text)
        case "sms", "smsto", "mmsto": self = Self.reached(by: Self.phone(rest, "cell"), text)
        case "http", "https": self = Self.hasBlank(text) ? .words(text) : .address(text)
        case "urlto": self = CodeText(rest)
        default:
            let cards = Self.cards(in: whole, begun: text)
            if !cards.isEmpty {
                self = .cards(cards)
            } else if text.lowercased().hasPrefix("www."), !Self.hasBlank(text) {
                self = .address("https://\(text)")
            } else {
                self = Self.reached(by: Self.mail(text), text)
            }
        }
    }

    private static func parted(_ text: String) -> (scheme: String, rest: String) {
        guard let colon = text.firstIndex(of: ":") else { return ("", text) }
        return (text[..<colon].lowercased(), String(text[text.index(after: colon)...]))
    }

    private static func hasBlank(_ text: String) -> Bool { text.contains(where: \.isWhitespace) }

    /// A card is kept as it came, with whatever stands around it.
    private static func cards(in whole: String, begun text: String) -> [ContactCard] {
        let head = text.prefix(12).uppercased()
        guard
            ["BEGIN:VCARD", "MECARD:", "BIZCARD:", "[", "{"].contains(where: { head.hasPrefix($0) })
        else { return [] }
        return CardFile(Array(whole.utf8)).cards.filter { card in
            !card.properties.allSatisfy { $0.name == "VERSION" || $0.value.isEmpty }
        }
    }

    private static func reached(by lines: [CardLine], _ text: String) -> Self {
        var edit = CardEdit()
        for line in lines { edit.add(line) }
        guard !lines.isEmpty, let card = try? ContactCard().edited(edit) else { return .words(text) }
        return .cards([card])
    }

    /// `a@example.org,b@example.org?subject=…`, perhaps with signs spelled by their numbers (RFC 6068).
    private static func mail(_ text: String) -> [CardLine] {
        let addresses = text.prefix { $0 != "?" }.split(separator: ",")
        guard addresses.count <= 20 else { return [] }
        let lines = addresses.map { CardLine(.email, unescaped(CardText.trimmed(String($0)))) }
        return lines.allSatisfy { !$0.isEmpty && !hasBlank($0.value) && (try? $0.cleaned()) != nil }
            ? lines : []
    }

    /// `+41-44-123;ext=5`, or for a message `+41441234567:text` (RFC 3966, RFC 5724).
    private static func phone(_ text: String, _ type: String = "") -> [CardLine] {
        let number = unescaped(String(text.prefix { !";?:".contains($0) }))
        guard number.contains(where: \.isWholeNumber) else { return [] }
        let line = CardLine(.phone, number, type: type)
        return (try? line.cleaned()) == nil ? [] : [line]
    }

    /// Of `MATMSG:TO:…;SUB:…;BODY:…;;`.
    private static func field(_ name: String, of text: String) -> String {
        text.split(separator: ";").first { $0.uppercased().hasPrefix("\(name):") }
            .map { String($0.dropFirst(name.count + 1)) } ?? ""
    }

    private static func unescaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        var rest = Substring(text).utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
