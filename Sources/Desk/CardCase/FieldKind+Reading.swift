import Bytes
public import Storage

extension FieldKind {
    /// What somebody typed or pasted as it is kept.
    public func understood(_ typed: String) throws(Failure) -> String {
        let text = typed.replacing("\r\n", with: "\n").trimmed
        guard !text.isEmpty else { throw Failure(.invalid, "Say what this field holds.", field: "value") }
        guard text.utf8.count <= (isLong ? 1000 : 500), !text.unicodeScalars.contains(where: Self.isControl)
        else { throw Failure(.tooLarge, "This field is too long.", field: "value") }
        guard isLong || !text.contains(where: \.isNewline) else {
            throw Failure(.invalid, "This has to be one line, without control characters.", field: "value")
        }
        switch form {
        case .telephone, .number: return try telephone(text)
        case .mail, .jabber: return try mail(text)
        case .place:
            guard text.split(separator: "\n", omittingEmptySubsequences: false).count <= 5 else {
                throw Failure(
                    .invalid,
                    "An address has at most five lines: street, city, region, postal code, country.",
                    field: "value")
            }
            return text
        case .day: return try day(text)
        case .account: return try account(text)
        case .page: return try page(text)
        case .federated: return try federated(text)
        case .matrix: return try matrix(text)
        case .iban:
            let code = text.filter { $0.isLetter || $0.isNumber }.uppercased()
            guard AccountNumber.isIBAN(code) else {
                throw Failure(
                    .invalid, "This is no IBAN: its check digits do not fit. Look for a mistyped sign.",
                    field: "value")
            }
            return code
        case .clabe:
            let code = text.filter(\.isNumber)
            guard AccountNumber.isCLABE(code) else {
                throw Failure(
                    .invalid, "This is no CLABE: it has 18 digits, of which the last one checks the others.",
                    field: "value")
            }
            return code
        case .code:
            guard text.unicodeScalars.allSatisfy({ $0.isASCII && $0.value > 0x20 || $0 == " " }) else {
                throw Failure(.invalid, "Only letters, digits and signs can stand here.", field: "value")
            }
            return text
        case .line, .lines: return text
        }
    }

    /// Where it leads; nil for what leads nowhere.
    public func link(to value: String) -> String? {
        switch form {
        case .telephone: return "tel:\(Self.dialled(value))"
        case .mail: return place == .mail ? "mailto:\(value)" : nil
        case .page: return value
        case .account(let template):
            return value.contains("://")
                ? value : template.replacing("{}", with: PercentCoding.encode(value))
        case .number(let template):
            return template.replacing("{}", with: String(value.filter { $0.isASCII && $0.isNumber }))
        case .federated:
            let parts = value.dropFirst().split(separator: "@")
            return parts.count == 2 ? "https://\(parts[1])/@\(PercentCoding.encode(String(parts[0])))" : nil
        case .matrix: return "https://matrix.to/#/\(value)"
        case .place, .day, .jabber, .iban, .clabe, .code, .line, .lines: return nil
        }
    }

    /// As a person reads it.
    public func shown(_ value: String) -> String {
        switch form {
        case .account:
            return value.contains("://") ? Self.withoutScheme(value) : value
        case .page: return Self.withoutScheme(value)
        case .iban:
            let letters = Array(value)
            return stride(from: 0, to: letters.count, by: 4).map {
                String(letters[$0..<min($0 + 4, letters.count)])
            }.joined(separator: " ")
        default: return value
        }
    }

    /// Which kind a pasted text is, and its value; a link for an address nobody knows, nil for what says nothing of itself.
    public static func recognise(_ pasted: String) -> (kind: FieldKind, value: String)? {
        let text = pasted.trimmed
        func found(_ id: String, _ value: String? = nil) -> (kind: FieldKind, value: String)? {
            guard let kind = named(id), let value = try? kind.understood(value ?? text) else { return nil }
            return (kind, value)
        }
        let lower = text.lowercased()
        if lower.hasPrefix("mailto:") {
            return found("email", String(text.dropFirst(7).prefix { $0 != "?" }))
        }
        if lower.hasPrefix("tel:") { return found("phone", String(text.dropFirst(4))) }
        if lower.hasPrefix("xmpp:") { return found("xmpp", String(text.dropFirst(5))) }
        if let place = WebPlace(text) {
            // First who knows the whole address, then whose server it is.
            for kind in all where kind.takes(place, text) {
                if let value = try? kind.understood(text) { return (kind, value) }
            }
            for kind in all where kind.owns(place.host) {
                if let value = try? kind.understood(text) { return (kind, value) }
            }
            return found(place.path.hasPrefix("/@") ? "fediverse" : place.path.isEmpty ? "website" : "link")
                ?? found("link")
        }
        let ending = text.split(separator: ".", omittingEmptySubsequences: false).last ?? ""
        if text.contains("."), !text.contains("@"), ending.count > 1, ending.allSatisfy(\.isLetter),
            let page = found("website")
        {
            return page
        }
        if text.hasPrefix("@"), let matrix = found("matrix") { return matrix }
        if text.hasPrefix("@"), let federated = found("fediverse") { return federated }
        if let mail = found("email") { return mail }
        if let iban = found("iban") { return iban }
        if text.filter(\.isNumber).count == 18, let clabe = found("clabe") { return clabe }
        return found("phone")
    }

    private func owns(_ host: String) -> Bool {
        hosts.contains { host == $0 || host.hasSuffix(".\($0)") }
    }

    /// Whether it is an address this kind makes.
    private func takes(_ place: WebPlace, _ text: String) -> Bool {
        guard owns(place.host) else { return false }
        switch form {
        case .account: return name(in: place) != nil
        case .number: return number(in: text) != nil
        case .matrix: return text.contains("/#/@")
        case .federated: return place.path.hasPrefix("/@")
        default: return false
        }
    }

    // MARK: Each form

    private func telephone(_ text: String) throws(Failure) -> String {
        var text = text
        if case .number = form, let number = number(in: text) { text = "+\(number)" }
        if text.lowercased().hasPrefix("tel:") { text = String(text.dropFirst(4)) }
        let isNumber = text.allSatisfy { "0123456789+-.() /extEXT#,;=*\u{A0}".contains($0) }
        let digits = text.filter { $0.isASCII && $0.isNumber }.count
        guard isNumber, (3...22).contains(digits), !text.dropFirst().contains("+") else {
            throw Failure(
                .invalid, "This is no telephone number. Write it with its country: +1 514 555 0100.",
                field: "value")
        }
        if case .number = form, !text.hasPrefix("+") {
            throw Failure(
                .invalid, "This needs the number with its country, as in +52 55 5555 0100.", field: "value")
        }
        return text
    }

    private func number(in text: String) -> String? {
        guard case .number(let template) = form else { return nil }
        let head = String(template.replacing("{}", with: "").dropFirst("https://".count))
        let plain = Self.withoutScheme(text)
        guard plain.lowercased().hasPrefix(head.lowercased()) else { return nil }
        let digits = plain.dropFirst(head.count).prefix { $0.isASCII && $0.isNumber }
        return digits.count >= 5 ? String(digits) : nil
    }

    private func mail(_ text: String) throws(Failure) -> String {
        let address = text.lowercased().hasPrefix("mailto:") ? String(text.dropFirst(7)) : text
        let parts = address.split(separator: "@", omittingEmptySubsequences: false)
        let isAddress =
            parts.count == 2 && !parts[0].isEmpty && parts[1].contains(".") && !parts[1].hasPrefix(".")
            && !parts[1].hasSuffix(".")
            && address.allSatisfy { !$0.isWhitespace && !"<>()[]\\,;:\"?&%#".contains($0) }
        guard isAddress, address.utf8.count <= 254 else {
            throw .notAnAddress(text, field: "value")
        }
        return address
    }

    private func day(_ text: String) throws(Failure) -> String {
        // Also without a year: --04-15.
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let isYearless = text.hasPrefix("--") && parts.count == 4
        let month = isYearless ? Int(parts[2]) : parts.count == 3 ? Int(parts[1]) : nil
        let day = Int(parts.last ?? "")
        let isYear = isYearless || parts.first.map { $0.count == 4 && Int($0) != nil } ?? false
        guard isYear, let month, let day, (1...12).contains(month), (1...31).contains(day) else {
            throw Failure(
                .invalid, "A day is written 1990-04-15, or --04-15 without its year.", field: "value")
        }
        return text
    }

    private func account(_ text: String) throws(Failure) -> String {
        if let place = WebPlace(text) {
            if owns(place.host) {
                if let name = name(in: place) { return name }
                return try page(text)
            }
            // `ana.bsky.social` is a name as well; a whole address of somebody else is none.
            guard !text.contains("://"), !text.contains("/") else { throw notOfHere }
        }
        let name =
            text.hasPrefix("@") || text.hasPrefix("~") || text.hasPrefix("$")
            ? String(text.dropFirst()) : text
        guard Self.isName(name) else { throw notOfHere }
        return name
    }

    private var notOfHere: Failure {
        Failure(
            .invalid,
            "This is no name on \(name). Write the name alone, such as \(example), or paste its address.",
            field: "value")
    }

    /// What stands in the template's place; nil where it is another page of the service.
    private func name(in place: WebPlace) -> String? {
        guard case .account(let template) = form, let mine = WebPlace(template) else { return nil }
        // The sign before the name (@, ~, $) belongs to the address and not to the name.
        let head = mine.path.replacing("{}", with: "")
        guard place.path.lowercased().hasPrefix(head.lowercased()), hosts.contains(place.host) else {
            return nil
        }
        let coded = place.path.dropFirst(head.count)
        guard !coded.contains("/"), let name = PercentCoding.decode(String(coded)), Self.isName(name),
            !Self.pages.contains(name.lowercased())
        else { return nil }
        return name
    }

    /// What on many services stands where a name would.
    private static let pages: Set<String> = [
        "about", "help", "home", "login", "explore", "search", "settings", "watch", "share", "privacy",
        "terms",
        "signup", "channel", "features", "pricing", "company", "in",
    ]

    private static func isName(_ text: String) -> Bool {
        (1...100).contains(text.count)
            && text.allSatisfy { $0.isLetter || $0.isNumber || "._-~+".contains($0) }
            && text.contains { $0.isLetter || $0.isNumber }
    }

    private func page(_ text: String) throws(Failure) -> String {
        let address = text.contains("://") ? text : "https://\(text)"
        let lower = address.lowercased()
        let isWeb = lower.hasPrefix("https://") || lower.hasPrefix("http://")
        guard isWeb, WebPlace(address) != nil,
            address.unicodeScalars.allSatisfy({
                $0.value > 0x20 && $0 != "\"" && $0 != "<" && $0 != ">" && $0 != "\\"
                    && !$0.properties.isWhitespace
            })
        else {
            throw Failure(
                .invalid, "This is no address on the web. One looks like https://example.org.", field: "value"
            )
        }
        return address
    }

    private func federated(_ text: String) throws(Failure) -> String {
        var parts = text.split(separator: "@").map(String.init)
        if let place = WebPlace(text), place.path.hasPrefix("/@") {
            parts = place.path.dropFirst(2).split(separator: "@").map(String.init)
            if parts.count == 1 { parts.append(place.host) }
        }
        guard parts.count == 2, Self.isName(parts[0]), parts[1].contains("."), Self.isName(parts[1]) else {
            throw Failure(
                .invalid, "This is no name in the Fediverse. One looks like @ana@mastodon.social.",
                field: "value")
        }
        return "@\(parts[0])@\(parts[1].lowercased())"
    }

    private func matrix(_ text: String) throws(Failure) -> String {
        var name = text
        if let at = text.firstRange(of: "/#/") { name = String(text[at.upperBound...].prefix { $0 != "?" }) }
        let parts = name.split(separator: ":", maxSplits: 1)
        guard name.hasPrefix("@"), parts.count == 2, Self.isName(String(parts[0].dropFirst())),
            parts[1].allSatisfy({ $0.isLetter || $0.isNumber || ".-:".contains($0) })
        else {
            throw Failure(
                .invalid, "This is no name on Matrix. One looks like @ana:matrix.org.", field: "value")
        }
        return name
    }

    // MARK: Small things

    /// `+15145550100;ext=5`
    private static func dialled(_ value: String) -> String {
        let lower = value.lowercased()
        let parts = lower.split(separator: "x", maxSplits: 1).map(String.init)
        let number = (parts.first ?? "").filter { $0.isASCII && $0.isNumber || $0 == "+" }
        let more = parts.count > 1 ? parts[1].filter { $0.isASCII && $0.isNumber } : ""
        return more.isEmpty ? number : "\(number);ext=\(more)"
    }

    private static func withoutScheme(_ address: String) -> String {
        var text = address
        for prefix in ["https://", "http://", "www."] where text.lowercased().hasPrefix(prefix) {
            text = String(text.dropFirst(prefix.count))
        }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 && scalar != "\n" || scalar.value == 0x7F
    }
}

/// Numbers that check themselves.
enum AccountNumber {
    /// ISO 13616: the remainder by 97 is 1.
    static func isIBAN(_ code: String) -> Bool {
        guard (15...34).contains(code.count), code.prefix(2).allSatisfy(\.isLetter),
            code.dropFirst(2).prefix(2).allSatisfy(\.isNumber)
        else { return false }
        var rest = 0
        for character in code.dropFirst(4) + code.prefix(4) {
            guard character.isASCII, let value = character.hexDigitValue ?? letter(character) else {
                return false
            }
            rest = (rest * (value > 9 ? 100 : 10) + value) % 97
        }
        return rest == 1
    }

    private static func letter(_ character: Character) -> Int? {
        character.asciiValue.flatMap { (0x41...0x5A).contains($0) ? Int($0) - 0x41 + 10 : nil }
    }

    /// Weights 3, 7, 1, each product by ten.
    static func isCLABE(_ code: String) -> Bool {
        let digits = code.compactMap(\.wholeNumberValue)
        guard digits.count == 18 else { return false }
        let sum = zip(digits.prefix(17), (0..<17).map { [3, 7, 1][$0 % 3] }).reduce(0) {
            $0 + $1.0 * $1.1 % 10
        }
        return (10 - sum % 10) % 10 == digits[17]
    }
}
