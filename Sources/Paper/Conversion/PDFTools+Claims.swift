import PDF

// What a file claims of itself in its metadata (XMP, ISO 16684-1): that it is an invoice, or accessible.
extension PDFTools {
    /// An electronic invoice: the PDF for people, and the same for programs inside it (Factur-X 1.0, ZUGFeRD 2).
    public struct Invoice: Sendable {
        public var xml: [UInt8]
        public var level: String
        public var documentType: String
        public var version: String

        public static let levels = [
            "MINIMUM", "BASIC WL", "BASIC", "EN 16931", "EXTENDED", "XRECHNUNG",
        ]

        public init(
            xml: [UInt8], level: String, documentType: String = "INVOICE", version: String = "1.0"
        ) {
            self.xml = xml
            self.level = level
            self.documentType = documentType
            self.version = version
        }

        /// The two lowest levels lack what an invoice needs, so there the XML only adds to the page.
        var relationship: String { ["MINIMUM", "BASIC WL"].contains(level) ? "Data" : "Alternative" }
        var fileName: String { level == "XRECHNUNG" ? "xrechnung.xml" : "factur-x.xml" }
    }

    /// Makes an invoice of a PDF/A-3; nothing else may carry one.
    public static func invoicing(_ paper: Paper, _ invoice: Invoice) throws(ConversionError) -> Paper {
        let claims = try told(paper.name) { () throws(PDFError) in metadata(try PDFFile(bytes: paper.bytes)) }
        guard let claims, archivePart(claims) == 3 else {
            throw .badOption("“\(paper.name)” is no PDF/A-3, and only that may carry an invoice.")
        }
        guard
            invoice.xml.starts(with: "<".utf8)
                || invoice.xml.starts(with: [0xEF, 0xBB, 0xBF, UInt8(ascii: "<")])
        else { throw .badOption("The invoice is no XML.") }
        let data = Attachment(
            name: invoice.fileName, mediaType: "text/xml", relationship: invoice.relationship,
            bytes: invoice.xml)
        let carrying = try carrying([data], in: paper)
        return try claiming(
            """
            <rdf:Description rdf:about="" xmlns:fx="urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#">
            <fx:DocumentType>\(escaped(invoice.documentType))</fx:DocumentType>
            <fx:DocumentFileName>\(invoice.fileName)</fx:DocumentFileName>
            <fx:Version>\(escaped(invoice.version))</fx:Version>
            <fx:ConformanceLevel>\(escaped(invoice.level))</fx:ConformanceLevel>
            </rdf:Description>
            \(schema)
            """, in: carrying)
    }

    /// PDF/A wants names it does not know explained (ISO 19005-3 §6.6.2.3.2).
    private static let schema: String = {
        let names = ["DocumentFileName", "DocumentType", "Version", "ConformanceLevel"].map { name in
            """
            <rdf:li rdf:parseType="Resource"><pdfaProperty:name>\(name)</pdfaProperty:name>\
            <pdfaProperty:valueType>Text</pdfaProperty:valueType><pdfaProperty:category>external</pdfaProperty:category>\
            <pdfaProperty:description>\(name) of the invoice</pdfaProperty:description></rdf:li>
            """
        }
        return """
            <rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" \
            xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
            <pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
            <pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
            <pdfaSchema:namespaceURI>urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#</pdfaSchema:namespaceURI>
            <pdfaSchema:prefix>fx</pdfaSchema:prefix><pdfaSchema:property><rdf:Seq>
            \(names.joined(separator: "\n"))
            </rdf:Seq></pdfaSchema:property></rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>
            """
    }()

    /// Declares a file accessible (PDF/UA-1, ISO 14289-1) that is marked up for it. What a page means cannot be made up
    /// afterwards, so a file without marks is refused instead of being declared what it is not.
    public static func accessible(_ paper: Paper) throws(ConversionError) -> Paper {
        let (isTagged, claims) = try told(paper.name) { () throws(PDFError) in
            let file = try PDFFile(bytes: paper.bytes)
            let isMarked = file.resolve(file.dictionary(file.catalog["MarkInfo"])?["Marked"]).boolean == true
            return (isMarked && file.dictionary(file.catalog["StructTreeRoot"]) != nil, metadata(file))
        }
        guard isTagged else {
            throw .badOption(
                "“\(paper.name)” is not marked up for screen readers. Convert it from its source as PDF/UA.")
        }
        if let claims, claims.contains("pdfuaid:part") { return paper }
        return try claiming(
            """
            <rdf:Description rdf:about="" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">\
            <pdfuaid:part>1</pdfuaid:part></rdf:Description>
            """, in: paper
        ) { (file, catalog) in
            var preferences = file.dictionary(catalog["ViewerPreferences"]) ?? [:]
            preferences["DisplayDocTitle"] = .boolean(true)
            catalog["ViewerPreferences"] = .dictionary(preferences)
        }
    }

    private static func claiming(
        _ description: String, in paper: Paper,
        _ more: (PDFFile, inout PDFDictionary) -> Void = { _, _ in }
    ) throws(ConversionError) -> Paper {
        try changed(paper) { (file, revision) throws(PDFError) in
            var catalog = file.catalog
            more(file, &catalog)
            let info = file.dictionary(file.trailer["Info"]) ?? [:]
            let title = file.resolve(info["Title"]).text ?? paper.title
            let before = metadata(file) ?? empty(title: title)
            guard let end = before.firstRange(of: "</rdf:RDF>") else {
                throw .damaged("its metadata is no XMP")
            }
            let now = before[..<end.lowerBound] + description + "\n" + before[end.lowerBound...]
            let place = revision.newReference()
            revision.putStream(
                ["Type": .name("Metadata"), "Subtype": .name("XML")], Array(now.utf8), at: place)
            catalog["Metadata"] = .reference(place)
            return catalog
        }
    }

    static func metadata(_ file: PDFFile) -> String? {
        guard let reference = file.catalog["Metadata"]?.reference,
            let bytes = file.stream(reference, limit: 4 << 20)
        else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.contains("</rdf:RDF>") ? text : nil
    }

    private static func empty(title: String) -> String {
        """
        <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title><rdf:Alt>\
        <rdf:li xml:lang="x-default">\(escaped(title))</rdf:li></rdf:Alt></dc:title></rdf:Description>
        </rdf:RDF></x:xmpmeta>
        <?xpacket end="w"?>
        """
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
