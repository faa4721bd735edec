import Archives
import Bytes

extension PaperKind {
    /// What the bytes are. They are asked first; the name decides only among kinds that look alike, such as text.
    ///
    /// Nil for what Quire knows nothing about.
    public static func detect(_ bytes: [UInt8], name: String = "") -> PaperKind? {
        let named = named(ending(of: name))
        return byMagic(bytes) ?? byContainer(bytes, named) ?? byWords(bytes, named) ?? byTrust(bytes, named)
    }

    /// Old tables that begin with hardly more than a number: their name has to agree with it.
    private static func byTrust(_ bytes: [UInt8], _ named: PaperKind?) -> PaperKind? {
        guard bytes.count > 32, let first = bytes.first else { return nil }
        if named == .dbf, [0x02, 0x03, 0x30, 0x31, 0x43, 0x63, 0x83, 0x8B, 0xF5].contains(first) {
            return .dbf
        }
        return named == .lotus && bytes.starts(with: [0, 0]) ? .lotus : nil
    }

    private static func byMagic(_ bytes: [UInt8]) -> PaperKind? {
        func begins(_ text: String, at place: Int = 0) -> Bool {
            bytes.count >= place && bytes.dropFirst(place).starts(with: text.utf8)
        }
        // Readers look for the head within the first kilobyte, as some mail programs write lines in front of it.
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return .png }
        if begins("jP  ", at: 4) || bytes.starts(with: [0xFF, 0x4F, 0xFF, 0x51]) { return .jpeg2000 }
        if begins("II*\0") || begins("MM\0*") || bytes.starts(with: [0x49, 0x49, 0x2B, 0]) { return .tiff }
        if begins("RIFF"), begins("WEBP", at: 8) { return .webp }
        if begins("GIF87a") || begins("GIF89a") { return .gif }
        if begins("BM"), bytes.count > 26, bytes[6] == 0, bytes[7] == 0 { return .bmp }
        if bytes.count > 8, bytes[0] == UInt8(ascii: "P"),
            (UInt8(ascii: "1")...UInt8(ascii: "6")).contains(bytes[1]),
            [9, 10, 13, 32].contains(bytes[2])
        {
            return .bmp
        }
        if begins("ftyp", at: 4) {
            let brand = String(decoding: bytes.dropFirst(8).prefix(4), as: UTF8.self)
            if ["heic", "heix", "hevc", "heim", "heis", "mif1", "msf1", "avif", "avis"].contains(brand) {
                return .heic
            }
        }
        if begins("BOOKMOBI", at: 60) || begins("TEXtREAd", at: 60) { return .mobi }
        if begins("{\\rtf") { return .rtf }
        if bytes.starts(with: [0xFF, 0x57, 0x50, 0x43]) { return .wpd }
        if bytes.starts(with: [0xD7, 0xCD, 0xC6, 0x9A]) { return .wmf }
        if bytes.starts(with: [1, 0, 0, 0]), begins(" EMF", at: 40) { return .emf }
        if begins("HWP Document File") { return .hwp }
        // An archive may begin with a PDF that lies in it.
        if begins("PK\u{3}\u{4}") { return nil }
        let head = bytes.prefix(1024)
        if find("%PDF-", in: head) != nil { return .pdf }
        return nil
    }

    private static func byContainer(_ bytes: [UInt8], _ named: PaperKind?) -> PaperKind? {
        if bytes.starts(with: [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]) {
            return compound(bytes, named)
        }
        guard bytes.starts(with: [0x50, 0x4B]) else { return nil }
        guard let zip = try? ZIPReader(bytes: bytes) else {
            // A damaged archive: its engine may mend it, or say what is wrong with it.
            return named.flatMap { $0.isZipped ? $0 : nil }
        }
        if let entry = zip["mimetype"], entry.byteCount < 200, let text = try? zip.bytes(entry) {
            let type = String(decoding: text, as: UTF8.self).filter { $0 > " " }
            if type == "application/epub+zip" { return .epub }
            for kind in [PaperKind.odt, .ods, .odp, .odg, .sxw, .sxc, .sxi, .sxd] {
                if type == kind.mediaType || type == kind.mediaType + "-template"
                    || type == kind.mediaType + "-master"
                {
                    return kind
                }
            }
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
        return nil
    }

    /// Old office files, and new ones locked with a password, are small file systems; the names in them tell which,
    /// written in UTF-16.
    private static func compound(_ bytes: [UInt8], _ named: PaperKind?) -> PaperKind? {
        func has(_ name: String) -> Bool {
            find(name.utf8.flatMap { [$0, 0] }, in: bytes.prefix(4 << 20)) != nil
                || find(name.utf8.flatMap { [$0, 0] }, in: bytes.suffix(1 << 20)) != nil
        }
        if has("EncryptedPackage") {
            return named.flatMap { [.docx, .xlsx, .pptx].contains($0) ? $0 : nil } ?? .docx
        }
        if has("WordDocument") { return .doc }
        if has("Workbook") || has("Book") { return .xls }
        if has("PowerPoint Document") { return .ppt }
        if has("VisioDocument") { return .vsd }
        if has("Quill") { return .pub }
        return named.flatMap { [.doc, .xls, .ppt, .vsd, .pub, .lotus].contains($0) ? $0 : nil }
    }

    private static func byWords(_ bytes: [UInt8], _ named: PaperKind?) -> PaperKind? {
        let head = bytes.prefix(8192)
        let isWide = head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF])
        guard isWide || !head.contains(0) else { return nil }
        let letters = isWide ? TextDecoding.text(Array(head)) : String(decoding: head, as: UTF8.self)
        let text = letters.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        let lower = text.prefix(2000).lowercased()
        if lower.hasPrefix("<?xml") || lower.hasPrefix("<") {
            if lower.contains("<svg") { return .svg }
            if lower.contains("<fictionbook") { return .fb2 }
            if lower.contains("<abiword") { return .abw }
            if text.contains("office:document") {
                if text.contains("opendocument.spreadsheet") { return .fods }
                if text.contains("opendocument.presentation") { return .fodp }
                if text.contains("opendocument.graphics") { return .fodg }
                return .fodt
            }
            if ["<!doctype html", "<html", "<head", "<body"].contains(where: { lower.contains($0) }) {
                return .html
            }
            if named == .markdown { return .markdown }
            if lower.hasPrefix("<?xml"), named != .html { return .text }
            return named == nil || named?.family == .web ? .html : named?.family == .text ? named : .text
        }
        // Tables of text may well begin with a column that is called ID, so here the name has a say.
        if named == .slk, text.hasPrefix("ID;") { return .slk }
        if named == .dif, text.hasPrefix("TABLE") { return .dif }
        if named == .mail || named == nil, looksLikeMail(text) { return .mail }
        // Whatever it is called: it is text, and only text may be called what it likes.
        if let named, [.text, .csv, .markdown, .html, .mail, .svg].contains(named) {
            return named == .mail || named == .svg ? .text : named
        }
        return bytes.isEmpty ? nil : .text
    }

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

    private var isZipped: Bool {
        [.docx, .xlsx, .pptx, .odt, .ods, .odp, .odg, .epub].contains(self)
    }

    private static func find(_ text: String, in bytes: ArraySlice<UInt8>) -> Int? {
        find(Array(text.utf8), in: bytes)
    }

    private static func find(_ wanted: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard let first = wanted.first, bytes.count >= wanted.count else { return nil }
        return bytes.withUnsafeBufferPointer { buffer in
            for place in 0...buffer.count - wanted.count where buffer[place] == first {
                var matched = 1
                while matched < wanted.count, buffer[place + matched] == wanted[matched] { matched += 1 }
                if matched == wanted.count { return place }
            }
            return nil
        }
    }
}
