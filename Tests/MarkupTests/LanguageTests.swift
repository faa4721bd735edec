import Markup
import Testing

@Suite("Choosing a language")
struct LanguageTests {
    @Test(
        "The browser's wishes are met in their order",
        arguments: [
            ("fr-CA,fr;q=0.9,en;q=0.8", "fr-CA"),
            ("fr-FR", "fr-CA"),
            ("es", "es-MX"),
            ("de, es-ES;q=0.5, en;q=0.4", "es-MX"),
            ("en;q=0.1, fr;q=0.2", "fr-CA"),
            ("fr;q=0, en", "en"),
            ("de", "en"),
            ("", "en"),
            (";;;,,,q=", "en"),
            ("FR-ca", "fr-CA"),
            ("en-XA", "en"),
        ])
    func choosesByHeader(header: String, tag: String) {
        #expect(Language.choose(preference: nil, acceptLanguage: header).tag == tag)
    }

    @Test("What a person chose wins over the browser")
    func preferenceWins() {
        #expect(Language.choose(preference: "es-MX", acceptLanguage: "fr") == .mexicanSpanish)
        #expect(Language.choose(preference: "en-XA", acceptLanguage: "fr") == .pseudo)
        #expect(Language.choose(preference: "tlh", acceptLanguage: "fr") == .canadianFrench)
    }

    @Test("French counts zero as one; Spanish and French have a word for round millions")
    func pluralRules() {
        #expect(Plural.category(of: 0, in: .english) == .other)
        #expect(Plural.category(of: 1, in: .english) == .one)
        #expect(Plural.category(of: 0, in: .canadianFrench) == .one)
        #expect(Plural.category(of: 0, in: .mexicanSpanish) == .other)
        #expect(Plural.category(of: 2_000_000, in: .mexicanSpanish) == .many)
        #expect(Plural.category(of: 1_000_000, in: .canadianFrench) == .many)
        #expect(Plural.category(of: 1_000_001, in: .canadianFrench) == .other)
    }
}
