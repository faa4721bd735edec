/// A language the program speaks.
public struct Language: Sendable, Hashable {
    /// BCP 47, as written in `<html lang>` and in the catalogs.
    public let tag: String
    /// What its speakers call it.
    public let name: String

    public static let english = Language(tag: "en", name: "English")
    public static let mexicanSpanish = Language(tag: "es-MX", name: "Español (México)")
    public static let canadianFrench = Language(tag: "fr-CA", name: "Français (Canada)")

    /// English in disguise, longer and accented: shows texts that were forgotten and boxes that are too tight.
    public static let pseudo = Language(tag: "en-XA", name: "[Ƥšéûðö]")

    public static let offered: [Language] = [.english, .mexicanSpanish, .canadianFrench]

    /// The language with exactly this tag; the pseudo-locale counts, for those who ask for it by name.
    public init?(tag: String) {
        let wanted = tag.lowercased()
        let known = Language.offered + [.pseudo]
        guard let found = known.first(where: { $0.tag.lowercased() == wanted }) else { return nil }
        self = found
    }

    private init(tag: String, name: String) {
        self.tag = tag
        self.name = name
    }

    /// What a person chose wins; then the browser's wishes in their order; then English.
    public static func choose(preference: String?, acceptLanguage: String?) -> Language {
        if let preference, let chosen = Language(tag: preference) { return chosen }
        for wish in wishes(in: acceptLanguage ?? "") {
            if let exact = offered.first(where: { $0.tag.lowercased() == wish }) { return exact }
            let primary = wish.prefix { $0 != "-" }
            if let close = offered.first(where: { $0.tag.prefix { $0 != "-" } == primary }) { return close }
        }
        return .english
    }

    /// The tags of an Accept-Language header (RFC 9110 §12.5.4), dearest first, refused ones left out.
    public static func wishes(in header: String) -> [String] {
        var weighed: [(tag: String, weight: Int)] = []
        for part in header.split(separator: ",").prefix(20) {
            let pieces = part.split(separator: ";").map { String($0).lowercased().filter { $0 != " " } }
            guard let tag = pieces.first, !tag.isEmpty else { continue }
            var weight = 1000
            for parameter in pieces.dropFirst() where parameter.hasPrefix("q=") {
                weight = thousandths(parameter.dropFirst(2))
            }
            if weight > 0 { weighed.append((tag, weight)) }
        }
        // Sorting keeps the header's order among equals: Swift's sort is stable.
        return weighed.sorted { $0.weight > $1.weight }.map(\.tag)
    }

    private static func thousandths(_ text: Substring) -> Int {
        guard let value = Double(text), value >= 0 else { return 0 }
        return Int(min(value, 1) * 1000)
    }
}
