/// The catalog seen by one reader: a page is handed this and never asks which language it speaks.
///
/// ```swift
/// let texts = Texts(catalog, .canadianFrench)
/// texts("library.title")
/// texts("jobs.running", ["count": 3])
/// ```
public struct Texts: Sendable {
    public let catalog: Catalog
    public let language: Language

    public init(_ catalog: Catalog, _ language: Language) {
        self.catalog = catalog
        self.language = language
    }

    public func callAsFunction(_ key: String, _ arguments: [String: Catalog.Argument] = [:]) -> String {
        catalog.text(key, arguments, in: language)
    }

    /// What was written down in English when it happened.
    public func said(_ english: String) -> String { catalog.said(english, in: language) }

    /// Nil where nobody has written any.
    public func find(_ key: String) -> String? { catalog.has(key) ? self(key) : nil }

    public func html(
        _ key: String, _ arguments: [String: Catalog.Argument] = [:], markup: [String: HTML]
    ) -> HTML {
        catalog.html(key, arguments, markup: markup, in: language)
    }
}
