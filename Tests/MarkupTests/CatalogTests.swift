import Markup
import Testing

@Suite("String catalogs")
struct CatalogTests {
    static let file = """
        # Whom one meets first.
        greeting
          en: Hello {name}, {{welcome
          es-MX: Hola, {name}

        papers
          en.one: One paper
          en.other: {count} papers
          en.zero: No papers
          fr-CA.one: {count} document
          fr-CA.many: {count} de documents
          fr-CA.other: {count} documents
        """

    static func catalog(_ text: String = file) throws -> Catalog {
        var catalog = Catalog()
        try catalog.add(texts: Array(text.utf8))
        return catalog
    }

    @Test("A text is filled in, and falls back to English")
    func fillsAndFallsBack() throws {
        let catalog = try Self.catalog()
        #expect(catalog.text("greeting", ["name": "Ana"], in: .mexicanSpanish) == "Hola, Ana")
        #expect(catalog.text("greeting", ["name": "Ana"], in: .canadianFrench) == "Hello Ana, {welcome")
        #expect(catalog.text("greeting", in: .mexicanSpanish) == "Hola, {name}")
        #expect(catalog.text("no.such.key", in: .english) == "no.such.key")
    }

    @Test("The count chooses the form and is grouped as the language does")
    func choosesPluralForms() throws {
        let catalog = try Self.catalog()
        #expect(catalog.text("papers", ["count": 1], in: .english) == "One paper")
        #expect(catalog.text("papers", ["count": 12345], in: .english) == "12,345 papers")
        #expect(catalog.text("papers", ["count": 0], in: .english) == "No papers")
        #expect(catalog.text("papers", ["count": 0], in: .canadianFrench) == "0 document")
        #expect(catalog.text("papers", ["count": 12345], in: .canadianFrench) == "12\u{A0}345 documents")
        #expect(
            catalog.text("papers", ["count": 1_000_000], in: .canadianFrench)
                == "1\u{A0}000\u{A0}000 de documents")
        #expect(Catalog.grouped(-1234, in: .english) == "-1,234")
    }

    @Test("Names are escaped in HTML, markup is not")
    func fillsMarkup() throws {
        let texts = Texts(try Self.catalog(), .mexicanSpanish)
        #expect(texts.html("greeting", ["name": "<Ana>"], markup: [:]).text == "Hola, &lt;Ana&gt;")
        #expect(texts.html("greeting", markup: ["name": "<b>Ana</b>"]).text == "Hola, <b>Ana</b>")
    }

    @Test("The pseudo-locale is accented, bracketed and at least four tenths longer")
    func disguises() throws {
        let text = try Self.catalog().text("greeting", ["name": "Ana"], in: .pseudo)
        #expect(text.hasPrefix("[Ĥéļļö Ana"))
        #expect(text.hasSuffix("]"))
        #expect(text.count >= "Hello Ana, {welcome".count * 14 / 10)
    }

    @Test("Scripts get patterns, by plural form where there are several")
    func speaksToScripts() throws {
        let texts = Texts(try Self.catalog(), .canadianFrench)
        #expect(
            texts.forScripts(prefix: "pap")
                == #"{"ers":{"one":"{count} document","many":"{count} de documents","other":"{count} documents"}}"#
        )
        #expect(texts.forScripts(prefix: "greet") == #"{"ing":"Hello {name}, {{welcome"}"#)
    }

    @Test("What is missing is named")
    func complains() throws {
        let complaints = try Self.catalog().complaints()
        #expect(
            complaints == [
                "greeting: no text for fr-CA",
                "papers: no text for es-MX",
            ])
    }

    @Test(
        "A file that is no catalog is refused with a reason",
        arguments: [
            "a", "  en: a text of no key", "a\n  en", "a\n  en: one\n  en: two", "a\n  tlh: x",
            "a\n  en.few: x",
            "a\n  en: x\na\n  en: y", "a\n  en.one: x\n  en: y",
        ])
    func refusesNonsense(text: String) {
        #expect(throws: CatalogError.self) { try Self.catalog(text) }
    }

    @Test("A sentence stands for its own English, and a new line in a text is written as two signs")
    func sentences() throws {
        let catalog = try Self.catalog("There is no {1}.\n  fr-CA: Il n’y a pas\\nde {1}.\n")
        #expect(catalog.pattern("There is no {1}.", in: .english) == "There is no {1}.")
        #expect(catalog.pattern("There is no {1}.", in: .canadianFrench) == "Il n’y a pas\nde {1}.")
        #expect(catalog.complaints() == ["There is no {1}.: no text for es-MX"])
    }

    @Test("One key may not stand in two files")
    func refusesDoubles() throws {
        var catalog = try Self.catalog()
        #expect(throws: CatalogError.self) { try catalog.add(texts: Array(Self.file.utf8)) }
    }
}

@Suite("Sentences that were written down in English")
struct StoredSentencesTests {
    private func said(_ english: String) throws -> String {
        let file = """
            Convert “{1}”
              fr-CA: Convertir « {1} »
            The disk is full.
              fr-CA: Le disque est plein.
            but {1}
              fr-CA: mais {1}
            called alike
              fr-CA: noms semblables
            it stands below “{1}”
              fr-CA: il est sous « {1} »
            perhaps {1}
              fr-CA: peut-être {1}
            {1} of {2} are done.
              fr-CA: {1} sur {2} sont faits.
            """
        return try CatalogTests.catalog(file).said(english, in: .canadianFrench)
    }

    @Test("are found by the pattern they were made from, with what was put in")
    func whole() throws {
        #expect(try said("The disk is full.") == "Le disque est plein.")
        #expect(try said("Convert “a, b”") == "Convertir « a, b »")
        #expect(try said("3 of 12 are done.") == "3 sur 12 sont faits.")
    }

    @Test("are put together again from their clauses")
    func clauses() throws {
        #expect(
            try said("called alike, but it stands below “Name, first”")
                == "noms semblables, mais il est sous « Name, first »")
        #expect(try said("perhaps called alike") == "peut-être noms semblables")
    }

    @Test("stay as they are when one of their parts is not known")
    func unknown() throws {
        for english in [
            "", "Something else.", "called alike, but", "Convert “”", "The disk is full",
            "called alike, as ever",
        ] {
            #expect(try said(english) == english)
        }
    }
}
