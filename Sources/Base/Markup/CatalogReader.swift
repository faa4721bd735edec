internal import Bytes

/// A catalog that cannot be used, and where.
public struct CatalogError: Error, Sendable, Hashable, CustomStringConvertible {
    public var key: String
    public var reason: String

    public var description: String { key.isEmpty ? reason : "\(key): \(reason)" }
}

/// Reads the JSON of a `.xcstrings` file (string catalog, format 1.0): the part of it that we use,
/// which is plain values and plural variations.
enum CatalogReader {
    static func read(_ bytes: [UInt8]) throws(CatalogError) -> [String: [Language: Catalog.Entry]] {
        let file: JSON
        do {
            file = try JSON(parsing: bytes)
        } catch {
            throw CatalogError(key: "", reason: "not JSON: \(error)")
        }
        guard let strings = file["strings"]?.object else {
            throw CatalogError(key: "", reason: "not a string catalog: `strings` is missing")
        }
        var entries: [String: [Language: Catalog.Entry]] = [:]
        for (key, value) in strings {
            guard let localizations = value["localizations"]?.object else {
                throw CatalogError(key: key, reason: "has no localizations")
            }
            var perLanguage: [Language: Catalog.Entry] = [:]
            for (tag, text) in localizations {
                guard let language = Language(tag: tag) else {
                    throw CatalogError(key: key, reason: "names a language we do not speak: \(tag)")
                }
                perLanguage[language] = try entry(text, key: key)
            }
            entries[key] = perLanguage
        }
        return entries
    }

    private static func entry(_ text: JSON, key: String) throws(CatalogError) -> Catalog.Entry {
        if let value = text["stringUnit"]?["value"]?.string { return .plain(Message(value)) }
        guard let plural = text["variations"]?["plural"]?.object else {
            throw CatalogError(key: key, reason: "has neither a value nor plural forms")
        }
        var forms: [Plural: Message] = [:]
        for (name, form) in plural {
            guard let category = Plural(rawValue: name), let value = form["stringUnit"]?["value"]?.string
            else {
                throw CatalogError(key: key, reason: "has a plural form we cannot read: \(name)")
            }
            forms[category] = Message(value)
        }
        return .plural(forms)
    }
}
