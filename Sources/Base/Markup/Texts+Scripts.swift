internal import Bytes

extension Texts {
    /// The texts under a prefix as JSON for the page's scripts: a pattern, or patterns by plural category.
    ///
    /// The browser chooses the form with `Intl.PluralRules`, whose rules are the same ones, and `zero` as we do.
    public func forScripts(prefix: String) -> String {
        var object = JSONObject()
        for key in catalog.keys where key.hasPrefix(prefix) {
            guard let entry = catalog.entry(key, language) else { continue }
            let name = String(key.dropFirst(prefix.count))
            switch entry {
            case .plain(let message): object[name] = .string(message.pattern)
            case .plural(let forms):
                var byCategory = JSONObject()
                for category in Plural.allCases {
                    byCategory[category.rawValue] = forms[category].map { .string($0.pattern) }
                }
                object[name] = .object(byCategory)
            }
        }
        return JSON.object(object).text
    }
}
