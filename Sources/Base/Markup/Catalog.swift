/// The program's texts in all its languages, read from `.texts` files.
///
/// A key is looked up in the language asked for, then in English; a key nobody knows is shown as itself.
///
/// ```swift
/// catalog.text("desk.waiting", ["count": 3], in: .canadianFrench)
/// ```
public struct Catalog: Sendable {
    public enum Argument: Sendable, Hashable {
        case text(String)
        case number(Int)
    }

    /// A text that is the same for every count, or one form per plural category.
    enum Entry: Sendable, Hashable {
        case plain(Message)
        case plural([Plural: Message])

        func message(for count: Int?, in language: Language) -> Message? {
            switch self {
            case .plain(let message): message
            case .plural(let forms):
                (count == 0 ? forms[.zero] : nil) ?? forms[Plural.category(of: count ?? 0, in: language)]
                    ?? forms[.other]
            }
        }

        var disguised: Entry {
            switch self {
            case .plain(let message): .plain(Disguise.put(on: message))
            case .plural(let forms): .plural(forms.mapValues(Disguise.put(on:)))
            }
        }
    }

    private var entries: [String: [Language: Entry]] = [:]
    /// Sentences with something in them, to be found again in what was made from them.
    private(set) var sentences: [SentencePattern] = []

    public init() {}

    /// Adds the texts of one file; a key may stand in one file only.
    public mutating func add(texts bytes: [UInt8]) throws(CatalogError) {
        for (key, localizations) in try CatalogReader.read(bytes) {
            guard entries[key] == nil else { throw CatalogError(key: key, reason: "stands in two catalogs") }
            entries[key] = localizations
            if let sentence = SentencePattern(key) { sentences.append(sentence) }
        }
    }

    public var keys: [String] { entries.keys.sorted() }

    public func has(_ key: String) -> Bool { entries[key] != nil }

    /// The text with its placeholders filled; `count` chooses the plural form. Numbers are grouped as the language does.
    public func text(
        _ key: String, _ arguments: [String: Argument] = [:], in language: Language
    ) -> String {
        guard let found = message(key, arguments["count"], language) else { return key }
        return found.filled { name in arguments[name].map { shown($0, in: language) } }
    }

    /// The same with markup for some placeholders; the text around them is escaped.
    public func html(
        _ key: String, _ arguments: [String: Argument] = [:], markup: [String: HTML], in language: Language
    ) -> HTML {
        guard let found = message(key, arguments["count"], language) else { return HTML(plain: key) }
        return found.filled { name in
            markup[name] ?? arguments[name].map { HTML(plain: shown($0, in: language)) }
        }
    }

    /// The text itself, with its placeholders; nil where nobody has written any in this language.
    public func pattern(_ key: String, in language: Language) -> String? { plain(key, language)?.pattern }

    /// A text that is the same for every count.
    func plain(_ key: String, _ language: Language) -> Message? {
        guard case .plain(let message)? = entry(key, language) else { return nil }
        return message
    }

    private func message(_ key: String, _ count: Argument?, _ language: Language) -> Message? {
        var number: Int?
        if case .number(let value) = count { number = value }
        return entry(key, language)?.message(for: number, in: language)
    }

    /// What is known in the language itself, else in English, in disguise for the pseudo-locale.
    func entry(_ key: String, _ language: Language) -> Entry? {
        guard let localizations = entries[key] else { return nil }
        if let entry = localizations[language] { return entry }
        let english = localizations[.english]
        return language == .pseudo ? english?.disguised : english
    }

    private func shown(_ argument: Argument, in language: Language) -> String {
        switch argument {
        case .text(let text): text
        case .number(let number): Catalog.grouped(number, in: language)
        }
    }

    /// 12345 as people write it: `12,345` in English and Mexican Spanish, `12 345` in Canadian French.
    public static func grouped(_ number: Int, in language: Language) -> String {
        let separator = language == .canadianFrench ? "\u{A0}" : ","
        let digits = String(number.magnitude)
        guard digits.count > 3 else { return String(number) }
        var text = number < 0 ? "-" : ""
        for (place, digit) in digits.enumerated() {
            if place > 0, (digits.count - place) % 3 == 0 { text += separator }
            text.append(digit)
        }
        return text
    }
}

extension Catalog {
    /// What is wrong with the texts: a language missing, a plural form missing, placeholders that differ.
    public func complaints() -> [String] {
        var found: [String] = []
        for (key, localizations) in entries.sorted(by: { $0.key < $1.key }) {
            guard let english = localizations[.english] else {
                found.append("\(key): no English text")
                continue
            }
            let wanted = Catalog.placeholders(of: english)
            for language in Language.offered {
                guard let entry = localizations[language] else {
                    found.append("\(key): no text for \(language.tag)")
                    continue
                }
                if Catalog.placeholders(of: entry) != wanted {
                    found.append("\(key): other placeholders in \(language.tag)")
                }
                guard case .plural(let forms) = entry else { continue }
                for category in Plural.categories(in: language) where forms[category] == nil {
                    found.append("\(key): no form '\(category.rawValue)' in \(language.tag)")
                }
            }
        }
        return found
    }

    private static func placeholders(of entry: Entry) -> Set<String> {
        switch entry {
        case .plain(let message): message.placeholders
        // "One document" may leave the number out, so the forms are taken together.
        case .plural(let forms): forms.values.reduce(into: ["count"]) { $0.formUnion($1.placeholders) }
        }
    }
}

extension Catalog.Argument: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral {
    public init(stringLiteral value: String) { self = .text(value) }
    public init(integerLiteral value: Int) { self = .number(value) }
}
