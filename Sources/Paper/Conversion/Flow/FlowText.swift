import Archives
import Bytes
import Markup
import Work

extension Flow {
    /// As Markdown; pictures are named where they stood and do not come along.
    var markdown: String {
        var parts: [(text: String, isItem: Bool)] = []
        for block in blocks {
            switch block {
            case .heading(let level, let spans):
                parts.append((String(repeating: "#", count: level) + " " + Self.marked(spans), false))
            case .paragraph(let spans, _):
                // What would be a list or a heading at the beginning of a line is none.
                var text = Self.marked(spans)
                if let first = text.first, "#+->".contains(first) { text = "\\" + text }
                parts.append((text, false))
            case .item(let spans, let number):
                parts.append(((number.map { "\($0). " } ?? "- ") + Self.marked(spans), true))
            case .table(let rows): parts.append((Self.marked(rows), false))
            case .picture, .newPage: break
            }
        }
        var text = ""
        for (index, part) in parts.enumerated() {
            if index > 0 { text += parts[index - 1].isItem && part.isItem ? "\n" : "\n\n" }
            text += part.text
        }
        return text + "\n"
    }

    private static func marked(_ spans: [Span]) -> String {
        spans.map { span in
            let core = span.text.split(separator: " ").joined(separator: " ")
            guard !core.isEmpty else { return span.text }
            var text = span.isEven && !core.contains("`") ? "`\(core)`" : escaped(core)
            if span.isItalic { text = "*\(text)*" }
            if span.isBold { text = "**\(text)**" }
            if let link = span.link { text = "[\(text)](\(link.replacing(")", with: "%29")))" }
            return (span.text.first == " " ? " " : "") + text + (span.text.last == " " ? " " : "")
        }.joined()
    }

    private static func marked(_ rows: [[String]]) -> String {
        let count = rows.map(\.count).max() ?? 0
        func line(_ row: [String]) -> String {
            "| "
                + (0..<count).map { $0 < row.count ? escaped(row[$0]).replacing("|", with: "\\|") : "" }
                .joined(separator: " | ") + " |"
        }
        guard let first = rows.first else { return "" }
        let rule = "|" + String(repeating: "---|", count: count)
        return ([line(first), rule] + rows.dropFirst().map(line)).joined(separator: "\n")
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { out, letter in
            if "\\`*_[]<".contains(letter) { out.append("\\") }
            out.append(letter)
        }
    }
}

// MARK: Books

extension Flow {
    /// As a book (EPUB 3): a chapter for each of the largest headings, so that readers on phones open it at once.
    func book(modified: Moment) throws -> [UInt8] {
        let chapters = self.chapters
        var pictures: [[UInt8]] = []
        var pages: [String] = []
        for chapter in chapters { pages.append(page(chapter, &pictures)) }
        var bytes: [UInt8] = []
        var zip = ZIPWriter { bytes += $0 }
        // First and as it is, so that programs know the kind by the first bytes.
        try zip.add("mimetype", Array("application/epub+zip".utf8), modified: modified, level: 0)
        func add(_ name: String, _ text: String) throws {
            try zip.add(
                name, Array(("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + text).utf8), modified: modified)
        }
        try add(
            "META-INF/container.xml",
            """
            <container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile \
            full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>
            """)
        // What language a stranger's paper is in nobody said.
        let language = "und"
        let title = HTML(plain: self.title.isEmpty ? "…" : self.title).text
        var manifest =
            "<item id=\"nav\" href=\"nav.xhtml\" media-type=\"application/xhtml+xml\" properties=\"nav\"/>"
        var spine = ""
        var contents = ""
        for (number, chapter) in chapters.enumerated() {
            manifest +=
                "<item id=\"c\(number)\" href=\"c\(number).xhtml\" media-type=\"application/xhtml+xml\"/>"
            spine += "<itemref idref=\"c\(number)\"/>"
            let name = chapter.title.isEmpty ? title : HTML(plain: chapter.title).text
            contents += "<li><a href=\"c\(number).xhtml\">\(name)</a></li>"
            try add("OEBPS/c\(number).xhtml", Self.xhtml(name, language, pages[number]))
        }
        for (number, picture) in pictures.enumerated() {
            let kind = picture.first == 0xFF ? "jpeg" : "png"
            manifest += "<item id=\"p\(number)\" href=\"p\(number).\(kind)\" media-type=\"image/\(kind)\"/>"
            try zip.add("OEBPS/p\(number).\(kind)", picture, modified: modified, level: 0)
        }
        let list =
            "<nav xmlns:epub=\"http://www.idpf.org/2007/ops\" epub:type=\"toc\"><ol>\(contents)</ol></nav>"
        try add("OEBPS/nav.xhtml", Self.xhtml(title, language, list))
        try add(
            "OEBPS/book.opf",
            """
            <package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata \
            xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">urn:quire:\
            \(title.utf8.reduce(UInt64(5381)) { $0 &* 33 &+ UInt64($1) })-\(blocks.count)</dc:identifier>\
            <dc:title>\(title)</dc:title><dc:language>\(language)</dc:language><meta property="dcterms:modified">\
            \(modified.iso8601.prefix(19))Z</meta></metadata><manifest>\(manifest)</manifest><spine>\(spine)</spine></package>
            """)
        try zip.finish()
        return bytes
    }

    private var chapters: [(title: String, blocks: [Block])] {
        let top = blocks.compactMap { if case .heading(let level, _) = $0 { level } else { nil } }.min()
        var chapters: [(title: String, blocks: [Block])] = [("", [])]
        for block in blocks {
            if case .heading(let level, let spans) = block, level == top {
                let title = spans.map(\.text).joined()
                if chapters[chapters.count - 1].blocks.isEmpty {
                    chapters[chapters.count - 1].title = title
                } else {
                    chapters.append((title, []))
                }
            }
            if case .newPage = block { continue }
            chapters[chapters.count - 1].blocks.append(block)
        }
        return chapters
    }

    private static func xhtml(_ title: String, _ language: String, _ body: String) -> String {
        """
        <!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml" xml:lang="\(language)"><head><title>\(title)</title>\
        <style>img{max-width:100%}table{border-collapse:collapse}td{border:1px solid #999;padding:.2em .4em}</style></head>\
        <body>\(body)</body></html>
        """
    }

    private func page(_ chapter: (title: String, blocks: [Block]), _ pictures: inout [[UInt8]]) -> String {
        var text = ""
        var list: String?
        for block in chapter.blocks {
            var kind: String?
            if case .item(_, let number) = block { kind = number == nil ? "ul" : "ol" }
            if kind != list {
                if let list { text += "</\(list)>" }
                if let kind { text += "<\(kind)>" }
                list = kind
            }
            switch block {
            case .heading(let level, let spans): text += "<h\(level)>\(Self.html(spans))</h\(level)>"
            case .paragraph(let spans, let isCentred):
                text += "<p\(isCentred ? " style=\"text-align:center\"" : "")>\(Self.html(spans))</p>"
            case .item(let spans, let number):
                text += "<li\(number.map { " value=\"\($0)\"" } ?? "")>\(Self.html(spans))</li>"
            case .table(let rows):
                let lines = rows.map {
                    "<tr>" + $0.map { "<td>\(HTML(plain: Self.known($0)).text)</td>" }.joined() + "</tr>"
                }
                text += "<table><tbody>\(lines.joined())</tbody></table>"
            case .picture(let bytes, _, _):
                let number = pictures.firstIndex(of: bytes) ?? pictures.count
                if number == pictures.count { pictures.append(bytes) }
                text += "<p><img src=\"p\(number).\(bytes.first == 0xFF ? "jpeg" : "png")\" alt=\"\"/></p>"
            case .newPage: break
            }
        }
        if let list { text += "</\(list)>" }
        return text.isEmpty ? "<p></p>" : text
    }

    private static func html(_ spans: [Span]) -> String {
        spans.map { span in
            var text = HTML(plain: known(span.text)).text
            if span.isEven { text = "<code>\(text)</code>" }
            if span.isItalic { text = "<em>\(text)</em>" }
            if span.isBold { text = "<strong>\(text)</strong>" }
            if let link = span.link { text = "<a href=\"\(HTML(plain: known(link)).text)\">\(text)</a>" }
            return text
        }.joined()
    }

    /// XML knows no control characters, not even as numbers.
    static func known(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.filter { $0.value >= 32 && $0.value != 0xFFFE && $0.value != 0xFFFF }))
    }
}
