import Archives
import Markup
import Work

/// A flow as a file of Word (Office Open XML): styles for headings, real lists and tables, so that it can be gone on with.
struct WordFile {
    private let flow: Flow
    private var body = ""
    private var links: [String] = []
    private var pictures: [[UInt8]] = []

    static func bytes(of flow: Flow, modified: Moment) throws -> [UInt8] {
        var file = WordFile(flow: flow)
        return try file.made(modified)
    }

    private init(flow: Flow) { self.flow = flow }

    private mutating func made(_ modified: Moment) throws -> [UInt8] {
        for block in flow.blocks { write(block) }
        var bytes: [UInt8] = []
        var zip = ZIPWriter { bytes += $0 }
        func add(_ name: String, _ text: String) throws {
            try zip.add(name, Array((Self.head + text).utf8), modified: modified)
        }
        try add("[Content_Types].xml", Self.types)
        try add("_rels/.rels", Self.roots)
        try add("docProps/core.xml", core(modified))
        try add("word/document.xml", document)
        try add("word/styles.xml", Self.styles)
        try add("word/numbering.xml", Self.numbering)
        try add("word/_rels/document.xml.rels", relations)
        for (number, picture) in pictures.enumerated() {
            try zip.add("word/media/\(Self.name(picture, number))", picture, modified: modified, level: 0)
        }
        try zip.finish()
        return bytes
    }

    // MARK: Blocks

    private mutating func write(_ block: Flow.Block) {
        switch block {
        case .heading(let level, let spans): paragraph(spans, "<w:pStyle w:val=\"Heading\(level)\"/>")
        case .paragraph(let spans, let isCentred):
            paragraph(spans, "", isCentred ? "<w:jc w:val=\"center\"/>" : "")
        case .item(let spans, let number):
            // A number stays what it was: a list that a page or a picture has cut would begin anew.
            let text = number.map { [Flow.Span(text: "\($0).\t")] } ?? []
            let list = number == nil ? "<w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"1\"/></w:numPr>" : ""
            paragraph(text + spans, "<w:pStyle w:val=\"ListParagraph\"/>\(list)")
        case .table(let rows): write(rows)
        case .picture(let bytes, let width, let height): write(bytes, width, height)
        case .newPage: body += "<w:p><w:r><w:br w:type=\"page\"/></w:r></w:p>"
        }
    }

    /// `style` and `place` stand where Word wants them, before and behind the direction of reading.
    private mutating func paragraph(_ spans: [Flow.Span], _ style: String, _ place: String = "") {
        let direction = Flow.runsLeft(spans) ? "<w:bidi/>" : ""
        let setting = style + direction + place
        body += "<w:p>\(setting.isEmpty ? "" : "<w:pPr>\(setting)</w:pPr>")\(runs(spans))</w:p>"
    }

    private mutating func write(_ rows: [[String]]) {
        let count = max(1, rows.map(\.count).max() ?? 1)
        let width = Int((flow.width - 2 * Self.margin) * 20)
        // As wide as what is in them, within reason.
        let weights = (0..<count).map { column in
            Double(min(40, max(4, rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 4)))
        }
        let sum = weights.reduce(0, +)
        let widths = weights.map { Int(Double(width) * $0 / sum) }
        body +=
            "<w:tbl><w:tblPr><w:tblStyle w:val=\"TableGrid\"/><w:tblW w:w=\"\(width)\" w:type=\"dxa\"/></w:tblPr><w:tblGrid>"
        body += widths.map { "<w:gridCol w:w=\"\($0)\"/>" }.joined() + "</w:tblGrid>"
        for row in rows {
            body += "<w:tr>"
            for (column, width) in widths.enumerated() {
                let text = column < row.count ? row[column] : ""
                body +=
                    "<w:tc><w:tcPr><w:tcW w:w=\"\(width)\" w:type=\"dxa\"/></w:tcPr><w:p><w:pPr><w:spacing w:after=\"0\"/>"
                // Numbers end below each other.
                if text.contains(where: \.isNumber), !text.contains(where: \.isLetter) {
                    body += "<w:jc w:val=\"right\"/>"
                }
                body += "</w:pPr>\(text.isEmpty ? "" : runs([Flow.Span(text: text)]))</w:p></w:tc>"
            }
            body += "</w:tr>"
        }
        body += "</w:tbl><w:p/>"
    }

    private mutating func write(_ bytes: [UInt8], _ width: Double, _ height: Double) {
        let scale = min(
            1, (flow.width - 2 * Self.margin) / max(1, width),
            (flow.height - 2 * Self.margin) / max(1, height))
        let (wide, high) = (Int(width * scale * 12_700), Int(height * scale * 12_700))
        let number = pictures.firstIndex(of: bytes) ?? pictures.count
        if number == pictures.count { pictures.append(bytes) }
        let id = "p\(number)"
        body += """
            <w:p><w:r><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent cx="\(wide)" cy="\(high)"/>\
            <wp:docPr id="\(body.utf8.count)" name="\(id)"/><a:graphic><a:graphicData \
            uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="\(number + 1)" \
            name="\(id)"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="\(id)"/><a:stretch><a:fillRect/>\
            </a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="\(wide)" cy="\(high)"/></a:xfrm>\
            <a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline>\
            </w:drawing></w:r></w:p>
            """
    }

    private mutating func runs(_ spans: [Flow.Span]) -> String {
        spans.map { span in
            var look = ""
            if span.link != nil { look += "<w:rStyle w:val=\"Hyperlink\"/>" }
            if span.isEven {
                look += "<w:rFonts w:ascii=\"Courier New\" w:hAnsi=\"Courier New\" w:cs=\"Courier New\"/>"
            }
            if span.isBold { look += "<w:b/>" }
            if span.isItalic { look += "<w:i/>" }
            if Flow.runsLeft([span]) { look += "<w:rtl/>" }
            let parts = span.text.split(separator: "\t", omittingEmptySubsequences: false).map {
                "<w:t xml:space=\"preserve\">\(Self.plain(String($0)))</w:t>"
            }
            let run =
                "<w:r>\(look.isEmpty ? "" : "<w:rPr>\(look)</w:rPr>")\(parts.joined(separator: "<w:tab/>"))</w:r>"
            guard let link = span.link else { return run }
            let number = links.firstIndex(of: link) ?? links.count
            if number == links.count { links.append(link) }
            return "<w:hyperlink r:id=\"l\(number)\">\(run)</w:hyperlink>"
        }.joined()
    }

    private static func plain(_ text: String) -> String { HTML(plain: Flow.known(text)).text }

    // MARK: Parts

    private static let margin = 56.7
    private static let head = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"

    private var document: String {
        """
        <w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" \
        xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" \
        xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" \
        xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" \
        xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><w:body>\(body)\
        <w:sectPr><w:pgSz w:w="\(Int(flow.width * 20))" w:h="\(Int(flow.height * 20))"\(flow.width > flow.height ? " w:orient=\"landscape\"" : "")/>\
        <w:pgMar w:top="1134" w:right="1134" w:bottom="1134" w:left="1134" w:header="709" w:footer="709" w:gutter="0"/>\
        </w:sectPr></w:body></w:document>
        """
    }

    private func core(_ modified: Moment) -> String {
        """
        <cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" \
        xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" \
        xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>\(Self.plain(flow.title))</dc:title>\
        <dcterms:modified xsi:type="dcterms:W3CDTF">\(modified.iso8601.prefix(19))Z</dcterms:modified></cp:coreProperties>
        """
    }

    private var relations: String {
        let base = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
        var text = "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">"
        text += "<Relationship Id=\"s\" Type=\"\(base)/styles\" Target=\"styles.xml\"/>"
        text += "<Relationship Id=\"n\" Type=\"\(base)/numbering\" Target=\"numbering.xml\"/>"
        for (number, picture) in pictures.enumerated() {
            text +=
                "<Relationship Id=\"p\(number)\" Type=\"\(base)/image\" Target=\"media/\(Self.name(picture, number))\"/>"
        }
        for (number, link) in links.enumerated() {
            text +=
                "<Relationship Id=\"l\(number)\" Type=\"\(base)/hyperlink\" Target=\"\(Self.plain(link))\" TargetMode=\"External\"/>"
        }
        return text + "</Relationships>"
    }

    private static func name(_ picture: [UInt8], _ number: Int) -> String {
        "\(number + 1).\(picture.first == 0xFF ? "jpg" : "png")"
    }

    private static let types = """
        <Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">\
        <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>\
        <Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/>\
        <Default Extension="jpg" ContentType="image/jpeg"/>\
        <Override PartName="/word/document.xml" \
        ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>\
        <Override PartName="/word/styles.xml" \
        ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/>\
        <Override PartName="/word/numbering.xml" \
        ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml"/>\
        <Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>
        """

    private static let roots = """
        <Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">\
        <Relationship Id="d" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" \
        Target="word/document.xml"/><Relationship Id="c" \
        Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" \
        Target="docProps/core.xml"/></Relationships>
        """

    private static let styles: String = {
        let sizes = [40, 32, 28, 26, 24, 22]
        let headings = sizes.enumerated().map { index, size in
            """
            <w:style w:type="paragraph" w:styleId="Heading\(index + 1)"><w:name w:val="heading \(index + 1)"/>\
            <w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:qFormat/><w:pPr><w:keepNext/><w:spacing w:before="240" \
            w:after="80"/><w:outlineLvl w:val="\(index)"/></w:pPr><w:rPr><w:b/><w:sz w:val="\(size)"/></w:rPr></w:style>
            """
        }
        let sides = ["top", "left", "bottom", "right", "insideH", "insideV"].map {
            "<w:\($0) w:val=\"single\" w:sz=\"4\" w:space=\"0\" w:color=\"A0A0A0\"/>"
        }
        return """
            <w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:docDefaults><w:rPrDefault><w:rPr>\
            <w:rFonts w:ascii="Arial" w:hAnsi="Arial" w:cs="Arial" w:eastAsia="Arial"/><w:sz w:val="21"/></w:rPr></w:rPrDefault>\
            <w:pPrDefault><w:pPr><w:spacing w:after="120" w:line="264" w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults>\
            <w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:qFormat/></w:style>\
            \(headings.joined())\
            <w:style w:type="paragraph" w:styleId="ListParagraph"><w:name w:val="List Paragraph"/><w:basedOn w:val="Normal"/>\
            <w:pPr><w:tabs><w:tab w:val="left" w:pos="567"/></w:tabs><w:spacing w:after="60"/><w:ind w:left="567" \
            w:hanging="397"/></w:pPr></w:style>\
            <w:style w:type="character" w:styleId="Hyperlink"><w:name w:val="Hyperlink"/><w:rPr><w:color w:val="0563C1"/>\
            <w:u w:val="single"/></w:rPr></w:style>\
            <w:style w:type="table" w:styleId="TableGrid"><w:name w:val="Table Grid"/><w:tblPr><w:tblBorders>\
            \(sides.joined())</w:tblBorders><w:tblCellMar><w:left w:w="85" w:type="dxa"/><w:right w:w="85" w:type="dxa"/>\
            </w:tblCellMar></w:tblPr></w:style></w:styles>
            """
    }()

    private static let numbering = """
        <w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:abstractNum w:abstractNumId="0">\
        <w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="bullet"/><w:lvlText w:val="•"/><w:lvlJc w:val="left"/>\
        <w:pPr><w:ind w:left="567" w:hanging="397"/></w:pPr></w:lvl></w:abstractNum><w:num w:numId="1">\
        <w:abstractNumId w:val="0"/></w:num></w:numbering>
        """
}
