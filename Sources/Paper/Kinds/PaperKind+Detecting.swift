public import Archives
import Bytes

extension PaperKind {
    /// What the bytes are. They are asked first, because names lie and what is shown, converted and sent on follows from
    /// the kind; the name decides only among kinds that look alike, such as text.
    ///
    /// Nil for what Quire knows nothing about.
    public static func known(_ bytes: [UInt8], name: String = "") -> PaperKind? {
        // Of bytes at hand none is missing.
        (try? known(ByteSource(bytes: bytes), name: name)) ?? nil
    }

    /// The same of a file, of which only a few places are read.
    public static func known(_ source: ByteSource, name: String) throws(ZIPError) -> PaperKind? {
        let named = spoken(for: name)
        let head = try source.glimpse(0, headByteCount)
        if let kind = byMagic(head, named) { return kind }
        if let kind = try byContainer(source, head, named) { return kind }
        if try isBadlyBegun(source, head, named) { return .pdf }
        return byWords(head, named) ?? byTrust(head, named)
    }

    /// What it is handled as where it is to be converted.
    public static func detect(_ bytes: [UInt8], name: String = "") -> PaperKind? {
        bytes.isEmpty ? nil : known(bytes, name: name)?.convertible
    }

    private static let headByteCount = 16 << 10

    /// Old tables that begin with hardly more than a number: their name has to agree with it.
    private static func byTrust(_ head: [UInt8], _ named: PaperKind?) -> PaperKind? {
        guard head.count > 32, let first = head.first else { return nil }
        if named == .dbf, [0x02, 0x03, 0x30, 0x31, 0x43, 0x63, 0x83, 0x8B, 0xF5].contains(first) {
            return .dbf
        }
        return named == .lotus && head.starts(with: [0, 0]) ? .lotus : nil
    }

    private static func byMagic(_ head: [UInt8], _ named: PaperKind?) -> PaperKind? {
        func has(_ bytes: [UInt8], at place: Int = 0) -> Bool { head.dropFirst(place).starts(with: bytes) }
        func begins(_ text: String, at place: Int = 0) -> Bool { has(Array(text.utf8), at: place) }
        // An archive may begin with a PDF that is not packed; that does not make it one.
        if begins("PK\u{3}\u{4}") { return nil }
        if has([0xFF, 0xD8, 0xFF]) { return .jpeg }
        if has([0x89]), begins("PNG", at: 1) { return .png }
        if begins("jP  ", at: 4) || has([0xFF, 0x4F, 0xFF, 0x51]) { return .jpeg2000 }
        if begins("II*\0") || begins("MM\0*") || begins("II+\0") { return .tiff }
        if begins("RIFF"), begins("WEBP", at: 8) { return .webp }
        if begins("GIF87a") || begins("GIF89a") { return .gif }
        // Two letters are too few: four bytes that are kept free, and the size of the second head, have to agree.
        if begins("BM"), has([0, 0, 0, 0], at: 6), has([0, 0, 0], at: 15) { return .bmp }
        if begins("P"), head.count > 8, (UInt8(ascii: "1")...UInt8(ascii: "6")).contains(head[1]),
            [9, 10, 13, 32].contains(head[2]), head[3] == UInt8(ascii: "#") || isDigit(head[3])
        {
            return .anymap
        }
        if begins("ftyp", at: 4) { return brand(head) }
        if begins("BOOKMOBI", at: 60) || begins("TEXtREAd", at: 60) { return .mobi }
        if begins("{\\rtf") { return .rtf }
        if has([0xFF, 0x57, 0x50, 0x43]) { return .wpd }
        if has([0xD7, 0xCD, 0xC6, 0x9A]) { return .wmf }
        if has([1, 0, 0, 0]), begins(" EMF", at: 40) { return .emf }
        if begins("HWP Document File") { return .hwp }
        if has([0x1F, 0x8B]) { return .gzip }
        if has([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]) { return .sevenZip }
        if begins("%PDF-") { return .pdf }
        // Readers accept a little noise before the header (ISO 32000-1, annex H.3), as some mail programs write it. What is
        // called a text may speak of it instead.
        return !(named?.isText ?? false) && find("%PDF-", in: head.prefix(noiseByteCount)) ? .pdf : nil
    }

    /// A PDF whose beginning is spoiled, or behind more noise than readers must accept: what mends it goes by its end, and so
    /// does this. That needs a second sign, since texts speak of PDFs as well: its name, or a header that is nearly one.
    private static func isBadlyBegun(
        _ source: ByteSource, _ head: [UInt8], _ named: PaperKind?
    ) throws(ZIPError) -> Bool {
        let isText = named?.isText ?? false
        let isNearlyBegun =
            !isText && head.starts(with: "%PD".utf8)
            || find("%PDF-", in: isText ? head.prefix(noiseByteCount) : head[...])
        guard named == .pdf || isNearlyBegun else { return false }
        let end = try source.glimpse(max(0, source.count - noiseByteCount), noiseByteCount)
        if hasEnding(end) { return true }
        // Cut off as well: what is called so has at least a thing of a PDF in it.
        return named == .pdf && find(" obj", in: head[...]) && find("endobj", in: head[...])
    }

    private static let noiseByteCount = 1024

    /// `startxref`, a number and `%%EOF`, as no sentence says it.
    private static func hasEnding(_ end: [UInt8]) -> Bool {
        let words = String(decoding: end, as: UTF8.self).split { $0.isWhitespace }
        guard let mark = words.lastIndex(of: "startxref"), mark + 2 < words.count else { return false }
        return Int(words[mark + 1]) != nil && words[mark + 2].hasPrefix("%%EOF")
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// ISO base media files name their brand behind `ftyp`, and then all that can read them.
    private static func brand(_ head: [UInt8]) -> PaperKind? {
        func brand(_ place: Int) -> String {
            String(decoding: head.dropFirst(place).prefix(4), as: UTF8.self)
        }
        let byteCount = Int(head[2]) << 8 | Int(head[3])
        let others = stride(from: 16, to: min(byteCount, 64, head.count), by: 4).map(brand)
        switch brand(8) {
        case "avif", "avis": return .avif
        case "heic", "heix", "hevc", "heim", "heis": return .heic
        case "mif1", "msf1": return others.contains("avif") ? .avif : others.contains("heic") ? .heic : .heif
        default: return nil
        }
    }

    private static func byContainer(
        _ source: ByteSource, _ head: [UInt8], _ named: PaperKind?
    ) throws(ZIPError) -> PaperKind? {
        if head.starts(with: compoundMark) { return try compound(source, named) }
        guard head.starts(with: Array("PK\u{3}\u{4}".utf8)) || head.starts(with: Array("PK\u{5}\u{6}".utf8))
        else { return nil }
        if let kind = firstEntry(head).flatMap(declared) { return kind }
        let zip: ZIPReader
        do throws(ZIPError) {
            zip = try ZIPReader(source)
        } catch {
            if case .notReadable = error { throw error }
            // A damaged one: its engine may mend it, or say what is wrong with it.
            return named.flatMap { $0.isZipped ? $0 : nil } ?? .zip
        }
        return contents(of: zip, named)
    }

    /// OpenDocument and EPUB begin with an entry `mimetype` that holds just that, not compressed; it is there even where the
    /// end of the file is missing.
    private static func firstEntry(_ head: [UInt8]) -> String? {
        var reader = ByteReader(head)
        guard (try? reader.skip(18)) != nil, let size = try? reader.uint32(.little),
            (try? reader.skip(4)) != nil, let nameLength = try? reader.uint16(.little),
            let extraLength = try? reader.uint16(.little),
            (try? reader.expect(Array("mimetype".utf8))) != nil, nameLength == 8, size < 200,
            (try? reader.skip(Int(extraLength))) != nil, let text = try? reader.bytes(Int(size))
        else { return nil }
        return String(decoding: text, as: UTF8.self)
    }

    private static func declared(_ type: String) -> PaperKind? {
        let type = type.filter { $0 > " " }
        return [PaperKind.epub, .odt, .ods, .odp, .odg, .sxw, .sxc, .sxi, .sxd].first {
            [$0.mediaType, $0.mediaType + "-template", $0.mediaType + "-master"].contains(type)
        }
    }

    private static func contents(of zip: ZIPReader, _ named: PaperKind?) -> PaperKind {
        // Packed, or not the first.
        if let entry = zip["mimetype"], entry.byteCount < 200, let text = try? zip.bytes(entry),
            let kind = declared(String(decoding: text, as: UTF8.self))
        {
            return kind
        }
        if zip["META-INF/container.xml"] != nil { return .epub }
        if zip["word/document.xml"] != nil { return .docx }
        if zip["xl/workbook.xml"] != nil || zip["xl/workbook.bin"] != nil { return .xlsx }
        if zip["ppt/presentation.xml"] != nil { return .pptx }
        if zip["visio/document.xml"] != nil { return .vsdx }
        if zip["[Content_Types].xml"] != nil {
            // Some programs choose other names for the main part.
            if zip.entries.contains(where: { $0.name.hasPrefix("word/") }) { return .docx }
            if zip.entries.contains(where: { $0.name.hasPrefix("xl/") }) { return .xlsx }
            if zip.entries.contains(where: { $0.name.hasPrefix("ppt/") }) { return .pptx }
        }
        // Apple's three look alike from outside.
        let isApple = ["index.xml", "index.apxl", "Index.zip", "Index/Document.iwa"].contains {
            zip[$0] != nil
        }
        if isApple, let named, [.pages, .numbers, .keynote].contains(named) { return named }
        return .zip
    }

    private var isZipped: Bool {
        [.docx, .xlsx, .pptx, .odt, .ods, .odp, .odg, .epub].contains(self)
    }

    /// What old office files, and new ones that are locked with a password, begin with.
    public static let compoundMark: [UInt8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]

    /// They are small file systems; the names in them tell which, written in UTF-16.
    private static func compound(_ source: ByteSource, _ named: PaperKind?) throws(ZIPError) -> PaperKind {
        let start = try source.glimpse(0, 4 << 20)
        let end = start.count < source.count ? try source.glimpse(source.count - 1 << 20, 1 << 20) : []
        func has(_ name: String) -> Bool {
            let name: [UInt8] = name.utf8.flatMap { [$0, 0] }
            return find(name, in: start[...]) || find(name, in: end[...])
        }
        if has("EncryptedPackage") {
            return named.flatMap { [.docx, .xlsx, .pptx].contains($0) ? $0 : nil } ?? .docx
        }
        if has("__properties_version1.0") { return .outlook }
        if has("WordDocument") { return .doc }
        if has("Workbook") || has("Book") { return .xls }
        if has("PowerPoint Document") { return .ppt }
        if has("VisioDocument") { return .vsd }
        if has("Quill") { return .pub }
        return named.flatMap { [.doc, .xls, .ppt, .vsd, .pub, .lotus, .outlook].contains($0) ? $0 : nil }
            ?? .compound
    }

    private static func byWords(_ head: [UInt8], _ named: PaperKind?) -> PaperKind? {
        let isWide = head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF])
        // Two bytes for a letter: what is decoded is looked at.
        let letters = isWide ? Array(TextDecoding.text(Array(head.prefix(head.count & ~1))).utf8) : head
        let isPlain = !letters.contains {
            $0 < 0x20 && ![9, 10, 12, 13, 0x1A, 0x1B].contains($0) || $0 == 0x7F
        }
        // Tables and notes hold strange signs now and then; what is called one of them need only not be full of zeros.
        guard isPlain || named?.isText ?? false && !letters.contains(0) else { return nil }
        let text = String(decoding: letters.prefix(8192), as: UTF8.self).drop {
            $0.isWhitespace || $0 == "\u{FEFF}"
        }
        if text.hasPrefix("<"), let kind = marked(text, named) { return kind }
        let start = text.prefix(20).lowercased()
        if start.hasPrefix("begin:vcard") { return .card }
        if start.hasPrefix("begin:vcalendar") { return .calendar }
        // Tables of text may well begin with a column that is called ID, so here the name has a say.
        if named == .slk, text.hasPrefix("ID;") { return .slk }
        if named == .dif, text.hasPrefix("TABLE") { return .dif }
        if named == .mail || named == nil && looksLikeMail(text) { return .mail }
        // Whatever it is called: it is text, and only text may be called what it likes.
        guard let named, named.isText, named != .svg else { return .text }
        return named
    }

    /// Of which only the name says what it is for.
    private var isText: Bool {
        Self.notes.subtracting([.card, .calendar]).contains(self)
            || [.text, .csv, .tabbed, .markdown, .html, .svg, .mail].contains(self)
    }

    /// What begins with a tag, or looks as if it did.
    private static func marked(_ text: Substring, _ named: PaperKind?) -> PaperKind? {
        let start = text.prefix(2000).lowercased()
        func begins(with tags: [String]) -> Bool {
            tags.contains {
                start.hasPrefix($0)
                    && (start.dropFirst($0.count).first.map { " >\n\r\t/".contains($0) } ?? true)
            }
        }
        if start.hasPrefix("<!doctype html") || begins(with: ["<html", "<head", "<body"]) { return .html }
        if start.contains("<fictionbook") { return .fb2 }
        if start.contains("<abiword") { return .abw }
        if text.contains("office:document") {
            if text.contains("opendocument.spreadsheet") { return .fods }
            if text.contains("opendocument.presentation") { return .fodp }
            if text.contains("opendocument.graphics") { return .fodg }
            return .fodt
        }
        if let page = ["<html", "<head", "<body"].compactMap({ start.firstRange(of: $0)?.lowerBound }).min() {
            // A page may hold drawings.
            return (start.firstRange(of: "<svg")?.lowerBound).map { $0 < page } ?? false ? .svg : .html
        }
        if start.contains("<svg") { return .svg }
        if start.hasPrefix("<?xml") { return named == .html ? .html : .xml }
        if named == .html { return .html }
        // Parts of a page, as people save them.
        let parts = [
            "<!--", "<p", "<div", "<table", "<h1", "<h2", "<ul", "<ol", "<a", "<b", "<i", "<br", "<span",
            "<font",
            "<title", "<meta", "<style", "<script", "<section", "<article", "<main", "<iframe",
        ]
        return named == nil && begins(with: parts) ? .html : nil
    }

    /// At least two of the fields that a message has, one of them who wrote it, before anything else.
    private static func looksLikeMail(_ text: Substring) -> Bool {
        var known: Set<String> = []
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).prefix(60) {
            if line.isEmpty { break }
            if line.first == " " || line.first == "\t" { continue }
            guard let colon = line.firstIndex(of: ":") else { return false }
            let name = line[..<colon].lowercased()
            guard name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" }) else { return false }
            known.insert(name)
        }
        return known.contains("from")
            && !known.isDisjoint(with: ["date", "subject", "received", "message-id", "to"])
    }

    private static func find(_ text: String, in bytes: ArraySlice<UInt8>) -> Bool {
        find(Array(text.utf8), in: bytes)
    }

    private static func find(_ wanted: [UInt8], in bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = wanted.first, bytes.count >= wanted.count else { return false }
        return bytes.withUnsafeBufferPointer { buffer in
            for place in 0...buffer.count - wanted.count where buffer[place] == first {
                var matched = 1
                while matched < wanted.count, buffer[place + matched] == wanted[matched] { matched += 1 }
                if matched == wanted.count { return true }
            }
            return false
        }
    }
}
