/// A catalog that cannot be used, and where.
public struct CatalogError: Error, Sendable, Hashable, CustomStringConvertible {
    public var key: String
    public var reason: String

    public var description: String { key.isEmpty ? reason : "\(key): \(reason)" }
}

/// Reads a `.texts` file: a line for each key, and behind it, set in, one for each language, or for each of its plural
/// forms. Without an English line the key itself is the English text. `\n` begins a new line inside a text.
///
/// ```
/// # The library
/// filing.count
///   en.one: One paper
///   en.other: {count} papers
///   fr-CA: …
/// ```
enum CatalogReader {
    static func read(_ bytes: [UInt8]) throws(CatalogError) -> [String: [Language: Catalog.Entry]] {
        guard let file = String(validating: bytes, as: UTF8.self) else {
            throw CatalogError(key: "", reason: "not text in UTF-8")
        }
        var entries: [String: [Language: Catalog.Entry]] = [:]
        var key: String?
        for line in file.split(separator: "\n") where !line.hasPrefix("#") {
            if line.hasPrefix("  ") {
                guard let key else { throw CatalogError(key: "", reason: "begins without a key: \(line)") }
                try add(line.dropFirst(2), to: &entries[key, default: [:]], key: key)
            } else {
                guard entries[String(line)] == nil else {
                    throw CatalogError(key: String(line), reason: "stands there twice")
                }
                try finish(key, &entries)
                key = String(line)
                entries[String(line)] = [:]
            }
        }
        try finish(key, &entries)
        return entries
    }

    private static func finish(
        _ key: String?, _ entries: inout [String: [Language: Catalog.Entry]]
    ) throws(CatalogError) {
        guard let key else { return }
        guard entries[key]?.isEmpty == false else { throw CatalogError(key: key, reason: "has no texts") }
        if entries[key]?[.english] == nil { entries[key]?[.english] = .plain(Message(key)) }
    }

    private static func add(
        _ line: Substring, to texts: inout [Language: Catalog.Entry], key: String
    ) throws(CatalogError) {
        guard let colon = line.firstRange(of: ": ") else {
            throw CatalogError(key: key, reason: "has a line without a text: \(line)")
        }
        let place = line[..<colon.lowerBound].split(separator: ".", omittingEmptySubsequences: false)
        guard let language = Language(tag: String(place[0])) else {
            throw CatalogError(key: key, reason: "names a language we do not speak: \(place[0])")
        }
        let text = String(line[colon.upperBound...]).replacing("\\n", with: "\n")
        guard place.count > 1 else {
            guard texts.updateValue(.plain(Message(text)), forKey: language) == nil else {
                throw CatalogError(key: key, reason: "has two texts for \(place[0])")
            }
            return
        }
        guard let category = Plural(rawValue: String(place[1])) else {
            throw CatalogError(key: key, reason: "has a plural form we do not know: \(place[1])")
        }
        var forms: [Plural: Message] = [:]
        switch texts[language] {
        case .plural(let known)?: forms = known
        case .plain?: throw CatalogError(key: key, reason: "has two texts for \(place[0])")
        case nil: break
        }
        forms[category] = Message(text)
        texts[language] = .plural(forms)
    }
}
