import PDF

/// What a document says about itself. Nil leaves what the template says, an empty text takes it away.
public struct DocumentInfo: Sendable, Equatable {
    public var title: String?
    public var author: String?
    public var subject: String?
    /// With commas between them.
    public var keywords: String?

    public init(
        title: String? = nil, author: String? = nil, subject: String? = nil, keywords: String? = nil
    ) {
        self.title = title
        self.author = author
        self.subject = subject
        self.keywords = keywords
    }

    var isEmpty: Bool { self == DocumentInfo() }
    private var entries: [(key: PDFName, value: String?)] {
        [("Title", title), ("Author", author), ("Subject", subject), ("Keywords", keywords)]
    }

    func applied(to dictionary: PDFDictionary) -> PDFDictionary {
        var dictionary = dictionary
        for (key, value) in entries {
            guard let value else { continue }
            dictionary[key] = value.isEmpty ? nil : .text(value)
        }
        return dictionary
    }
}

/// Where a template keeps what it says about itself: the old dictionary, and the same as XMP when it has that too.
/// Programs believe one or the other, so both are kept in agreement.
struct TemplateInfo: Sendable {
    /// Nil when the template has no dictionary yet.
    let place: PDFReference?
    private let dictionary: PDFDictionary
    private let packet: (place: PDFReference, text: String, entries: PDFDictionary)?

    init(_ file: PDFFile) {
        place = file.trailer["Info"]?.reference
        dictionary = file.dictionary(file.trailer["Info"]) ?? [:]
        if let reference = file.catalog["Metadata"]?.reference, file.isStream(reference),
            let bytes = file.stream(reference, limit: 1 << 20)
        {
            packet = (
                reference, String(decoding: bytes, as: UTF8.self),
                (file.dictionary(reference.object) ?? [:]).without("Filter", "DecodeParms", "Length")
            )
        } else {
            packet = nil
        }
    }

    func write(_ info: DocumentInfo, into revision: inout PDFRevision, at place: PDFReference) {
        revision.put(.dictionary(info.applied(to: dictionary)), at: place)
        if let packet {
            revision.putStream(
                packet.entries, Array(XMPPacket(packet.text).setting(info).utf8), at: packet.place)
        }
    }
}

/// An XMP packet as text (ISO 16684-1). Only what changes is touched: other programs keep their own things in it.
struct XMPPacket {
    private let text: String

    init(_ text: String) { self.text = text }

    func setting(_ info: DocumentInfo) -> String {
        var text = self.text
        if !text.contains("</rdf:RDF>") { text = Self.empty }
        var added = ""
        if let title = info.title {
            text = Self.without(["dc:title"], text)
            if !title.isEmpty { added += "<dc:title>\(Self.alternatives(title))</dc:title>" }
        }
        if let author = info.author {
            text = Self.without(["dc:creator"], text)
            if !author.isEmpty {
                added +=
                    "<dc:creator><rdf:Seq><rdf:li>\(Self.escaped(author))</rdf:li></rdf:Seq></dc:creator>"
            }
        }
        if let subject = info.subject {
            text = Self.without(["dc:description"], text)
            if !subject.isEmpty { added += "<dc:description>\(Self.alternatives(subject))</dc:description>" }
        }
        if let keywords = info.keywords {
            text = Self.without(["pdf:Keywords", "dc:subject"], text)
            if !keywords.isEmpty {
                let words = keywords.split { $0 == "," || $0 == ";" }.map { String($0).trimmingSpaces }
                let items = words.map { "<rdf:li>\(Self.escaped($0))</rdf:li>" }.joined()
                added += "<dc:subject><rdf:Bag>\(items)</rdf:Bag></dc:subject>"
                added += "<pdf:Keywords>\(Self.escaped(keywords))</pdf:Keywords>"
            }
        }
        guard !added.isEmpty, let end = text.range(of: "</rdf:RDF>") else { return text }
        // All descriptions of a packet must be about the same thing.
        let about = Self.attribute("rdf:about", in: text) ?? ""
        let description =
            "<rdf:Description rdf:about=\"\(about)\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" "
            + "xmlns:pdf=\"http://ns.adobe.com/pdf/1.3/\">\(added)</rdf:Description>\n"
        return String(text[..<end.lowerBound]) + description + String(text[end.lowerBound...])
    }

    private static let empty = """
        <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        </rdf:RDF></x:xmpmeta>
        <?xpacket end="w"?>
        """

    private static func alternatives(_ text: String) -> String {
        "<rdf:Alt><rdf:li xml:lang=\"x-default\">\(escaped(text))</rdf:li></rdf:Alt>"
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\t", "\n": escaped.unicodeScalars.append(scalar)
            // XML has no way to say these.
            case _ where scalar.value < 32 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: break
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Takes properties away, written as elements or as attributes.
    private static func without(_ names: [String], _ text: String) -> String {
        var text = text
        for name in names {
            while let start = text.range(of: "<\(name)"),
                text[start.upperBound...].first.map({ " >/\t\r\n".contains($0) }) == true
            {
                let close = text[start.upperBound...].range(of: "</\(name)>")
                let tagEnd = text[start.upperBound...].firstIndex(of: ">")
                guard let tagEnd else { break }
                if text[..<tagEnd].last == "/" {
                    text.removeSubrange(start.lowerBound...tagEnd)
                } else if let close {
                    text.removeSubrange(start.lowerBound..<close.upperBound)
                } else {
                    break
                }
            }
            while let (whole, _) = attributeRange(name, in: text) { text.removeSubrange(whole) }
        }
        return text
    }

    private static func attribute(_ name: String, in text: String) -> String? {
        attributeRange(name, in: text).map { String(text[$0.value]) }
    }

    private static func attributeRange(
        _ name: String, in text: String
    ) -> (whole: Range<String.Index>, value: Range<String.Index>)? {
        guard let start = text.range(of: " \(name)=") else { return nil }
        guard let quote = text[start.upperBound...].first, quote == "\"" || quote == "'" else { return nil }
        let from = text.index(after: start.upperBound)
        guard let end = text[from...].firstIndex(of: quote) else { return nil }
        return (start.lowerBound..<text.index(after: end), from..<end)
    }
}

extension StringProtocol {
    /// The first place of a text; letter by letter, as XML compares.
    func range(of word: String) -> Range<Index>? {
        let needle = Array(word.utf8)
        guard let first = needle.first else { return nil }
        var at = utf8.startIndex
        while at < utf8.endIndex {
            guard let start = utf8[at...].firstIndex(of: first) else { return nil }
            if utf8[start...].starts(with: needle) {
                return start..<utf8.index(start, offsetBy: needle.count)
            }
            at = utf8.index(after: start)
        }
        return nil
    }
}
