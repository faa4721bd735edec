/// A kind of paper: what its bytes are, whatever the file is called.
///
/// Most of them Quire can make into a PDF; those of the family `kept` it knows by name and carries as they are.
public struct PaperKind: Hashable, Sendable, CustomStringConvertible {
    /// Its usual ending, which is also what people call it: `docx`.
    public let name: String

    private init(_ name: String) { self.name = name }

    /// By its media type, whatever stands behind it such as a charset.
    public init?(mediaType: some StringProtocol) {
        guard let kind = Self.byMediaType[String(mediaType.prefix { $0 != ";" })] else { return nil }
        self = kind
    }

    public var description: String { name }

    public enum Family: String, Sendable {
        case pdf, picture, text, web, book, mail, writing, sheet, slides, drawing, kept
    }

    private struct Facts {
        let family: Family
        let mediaType: String
        let endings: [String]
        let words: String
    }

    public var family: Family { facts.family }
    public var mediaType: String { facts.mediaType }
    /// Of a file's name, the usual one first.
    public var endings: [String] { facts.endings }
    /// For a sentence: `Word document`.
    public var words: String { facts.words }

    private var facts: Facts {
        Self.table[name]
            ?? Facts(family: .kept, mediaType: Self.octets, endings: [], words: name)
    }

    /// One that is made or converted, by what people call it or by the ending of a file's name, without the dot.
    public static func named(_ word: String) -> PaperKind? {
        byEnding[word.lowercased()].flatMap { $0.family == .kept ? nil : $0 }
    }

    /// What the ending of a file's name speaks for, those that are only kept among them.
    static func spoken(for name: String) -> PaperKind? { byEnding[ending(of: name)] }

    /// A kind Quire can do nothing with but carry it, under the ending it has.
    public static func other(_ fileName: String) -> PaperKind {
        let ending = ending(of: fileName)
        return PaperKind(ending.isEmpty || named(ending) != nil ? "bin" : ending)
    }

    /// The media type of what nobody knows.
    public static let octets = "application/octet-stream"

    /// Those that become a PDF.
    public static let all: [PaperKind] = table.keys.sorted().map(PaperKind.init).filter { $0.family != .kept }

    /// What it is handled as where it is to be converted: notes for programs are text. Nil for what can only be kept.
    public var convertible: PaperKind? {
        if family != .kept { return self }
        return Self.notes.contains(self) ? .text : nil
    }

    static let notes: Set<PaperKind> = [.json, .xml, .yaml, .css, .card, .calendar]

    public static let pdf = PaperKind("pdf")
    public static let jpeg = PaperKind("jpg")
    public static let jpeg2000 = PaperKind("jp2")
    public static let png = PaperKind("png")
    public static let tiff = PaperKind("tiff")
    public static let webp = PaperKind("webp")
    public static let heic = PaperKind("heic")
    public static let heif = PaperKind("heif")
    public static let avif = PaperKind("avif")
    public static let gif = PaperKind("gif")
    public static let bmp = PaperKind("bmp")
    public static let anymap = PaperKind("pnm")
    public static let svg = PaperKind("svg")
    public static let html = PaperKind("html")
    public static let markdown = PaperKind("md")
    public static let text = PaperKind("txt")
    public static let csv = PaperKind("csv")
    public static let tabbed = PaperKind("tsv")
    public static let epub = PaperKind("epub")
    public static let mobi = PaperKind("mobi")
    public static let azw3 = PaperKind("azw3")
    public static let mail = PaperKind("eml")
    public static let docx = PaperKind("docx")
    public static let xlsx = PaperKind("xlsx")
    public static let pptx = PaperKind("pptx")
    public static let doc = PaperKind("doc")
    public static let xls = PaperKind("xls")
    public static let ppt = PaperKind("ppt")
    public static let odt = PaperKind("odt")
    public static let ods = PaperKind("ods")
    public static let odp = PaperKind("odp")
    public static let odg = PaperKind("odg")
    public static let rtf = PaperKind("rtf")
    public static let fodt = PaperKind("fodt")
    public static let fods = PaperKind("fods")
    public static let fodp = PaperKind("fodp")
    public static let fb2 = PaperKind("fb2")
    // What LibreOffice reads besides, and nobody wants made any more.
    public static let fodg = PaperKind("fodg")
    public static let wpd = PaperKind("wpd")
    public static let abw = PaperKind("abw")
    public static let hwp = PaperKind("hwp")
    public static let pages = PaperKind("pages")
    public static let numbers = PaperKind("numbers")
    public static let keynote = PaperKind("key")
    public static let sxw = PaperKind("sxw")
    public static let sxc = PaperKind("sxc")
    public static let sxi = PaperKind("sxi")
    public static let sxd = PaperKind("sxd")
    public static let dbf = PaperKind("dbf")
    public static let dif = PaperKind("dif")
    public static let slk = PaperKind("slk")
    public static let lotus = PaperKind("wk1")
    public static let vsd = PaperKind("vsd")
    public static let vsdx = PaperKind("vsdx")
    public static let pub = PaperKind("pub")
    public static let wmf = PaperKind("wmf")
    public static let emf = PaperKind("emf")
    // Kept as they are.
    public static let zip = PaperKind("zip")
    public static let gzip = PaperKind("gz")
    public static let sevenZip = PaperKind("7z")
    public static let outlook = PaperKind("msg")
    /// One of the small file systems of old office programs, nobody knows of which.
    public static let compound = PaperKind("ole")
    public static let json = PaperKind("json")
    public static let xml = PaperKind("xml")
    public static let yaml = PaperKind("yaml")
    public static let css = PaperKind("css")
    public static let card = PaperKind("vcf")
    public static let calendar = PaperKind("ics")

    private static let table: [String: Facts] = {
        let office = "application/vnd.openxmlformats-officedocument."
        let open = "application/vnd.oasis.opendocument."
        let sun = "application/vnd.sun.xml."
        let rows: [(Family, String, [String], String)] = [
            (.pdf, "application/pdf", ["pdf"], "PDF file"),
            (.picture, "image/jpeg", ["jpg", "jpeg", "jpe", "jfif"], "JPEG picture"),
            (.picture, "image/jp2", ["jp2", "jpx", "j2k", "jpf"], "JPEG 2000 picture"),
            (.picture, "image/png", ["png", "apng"], "PNG picture"),
            (.picture, "image/tiff", ["tiff", "tif"], "TIFF picture"),
            (.picture, "image/webp", ["webp"], "WebP picture"),
            (.picture, "image/heic", ["heic"], "HEIC picture"),
            (.picture, "image/heif", ["heif"], "HEIF picture"),
            (.picture, "image/avif", ["avif"], "AVIF picture"),
            (.picture, "image/gif", ["gif"], "GIF picture"),
            (.picture, "image/bmp", ["bmp", "dib"], "BMP picture"),
            (.picture, "image/x-portable-anymap", ["pnm", "ppm", "pgm", "pbm"], "PNM picture"),
            (.web, "image/svg+xml", ["svg"], "SVG drawing"),
            (.web, "text/html", ["html", "htm", "xhtml"], "web page"),
            (.text, "text/markdown", ["md", "markdown"], "Markdown text"),
            (.text, "text/plain", ["txt", "text", "log"], "plain text"),
            (.sheet, "text/csv", ["csv"], "table of text"),
            (.sheet, "text/tab-separated-values", ["tsv"], "table of text with tabs"),
            (.book, "application/epub+zip", ["epub"], "EPUB book"),
            (.book, "application/x-mobipocket-ebook", ["mobi", "prc", "azw"], "Mobipocket book"),
            (.book, "application/vnd.amazon.mobi8-ebook", ["azw3", "kf8"], "Kindle book"),
            (.book, "application/x-fictionbook+xml", ["fb2"], "FictionBook"),
            (.mail, "message/rfc822", ["eml"], "mail message"),
            (
                .writing, office + "wordprocessingml.document", ["docx", "docm", "dotx", "dotm"],
                "Word document"
            ),
            (.sheet, office + "spreadsheetml.sheet", ["xlsx", "xlsm", "xltx", "xlsb"], "Excel workbook"),
            (
                .slides, office + "presentationml.presentation", ["pptx", "pptm", "ppsx", "potx", "ppsm"],
                "PowerPoint slides"
            ),
            (.writing, "application/msword", ["doc", "dot", "wps"], "Word document (old)"),
            (.sheet, "application/vnd.ms-excel", ["xls", "xlt"], "Excel workbook (old)"),
            (.slides, "application/vnd.ms-powerpoint", ["ppt", "pps", "pot"], "PowerPoint slides (old)"),
            (.writing, open + "text", ["odt", "ott", "odm"], "OpenDocument text"),
            (.sheet, open + "spreadsheet", ["ods", "ots"], "OpenDocument spreadsheet"),
            (.slides, open + "presentation", ["odp", "otp"], "OpenDocument slides"),
            (.drawing, open + "graphics", ["odg", "otg"], "OpenDocument drawing"),
            (.writing, "application/rtf", ["rtf"], "rich text"),
            (.writing, open + "text-flat-xml", ["fodt"], "flat OpenDocument text"),
            (.sheet, open + "spreadsheet-flat-xml", ["fods"], "flat OpenDocument spreadsheet"),
            (.slides, open + "presentation-flat-xml", ["fodp"], "flat OpenDocument slides"),
            (.drawing, open + "graphics-flat-xml", ["fodg"], "flat OpenDocument drawing"),
            (.writing, "application/vnd.wordperfect", ["wpd", "wp"], "WordPerfect document"),
            (.writing, "application/x-abiword", ["abw", "zabw"], "AbiWord document"),
            (.writing, "application/x-hwp", ["hwp"], "Hangul document"),
            (.writing, "application/vnd.apple.pages", ["pages"], "Pages document"),
            (.sheet, "application/vnd.apple.numbers", ["numbers"], "Numbers sheet"),
            (.slides, "application/vnd.apple.keynote", ["key"], "Keynote slides"),
            (.writing, sun + "writer", ["sxw", "stw"], "StarOffice text"),
            (.sheet, sun + "calc", ["sxc", "stc"], "StarOffice spreadsheet"),
            (.slides, sun + "impress", ["sxi", "sti"], "StarOffice slides"),
            (.drawing, sun + "draw", ["sxd", "std"], "StarOffice drawing"),
            (.sheet, "application/x-dbf", ["dbf"], "dBASE table"),
            (.sheet, "application/x-dif", ["dif"], "table in Data Interchange Format"),
            (.sheet, "application/x-sylk", ["slk", "sylk"], "SYLK table"),
            (
                .sheet, "application/vnd.lotus-1-2-3", ["wk1", "wks", "wk3", "wk4", "123"],
                "Lotus 1-2-3 sheet"
            ),
            (.drawing, "application/vnd.visio", ["vsd", "vst"], "Visio drawing (old)"),
            (.drawing, "application/vnd.ms-visio.drawing", ["vsdx", "vsdm", "vstx"], "Visio drawing"),
            (.drawing, "application/x-mspublisher", ["pub"], "Publisher document"),
            (.drawing, "image/wmf", ["wmf"], "Windows metafile"),
            (.drawing, "image/emf", ["emf"], "enhanced metafile"),
            (.kept, "application/zip", ["zip"], "ZIP archive"),
            (.kept, "application/gzip", ["gz", "tgz"], "gzip archive"),
            (.kept, "application/x-7z-compressed", ["7z"], "7-Zip archive"),
            (.kept, "application/vnd.ms-outlook", ["msg"], "mail message of Outlook"),
            (.kept, "application/x-ole-storage", ["ole"], "old office file"),
            (.kept, "application/json", ["json"], "JSON text"),
            (.kept, "application/xml", ["xml"], "XML text"),
            (.kept, "application/yaml", ["yaml", "yml"], "YAML text"),
            (.kept, "text/css", ["css"], "style sheet"),
            (.kept, "text/vcard", ["vcf"], "contact card"),
            (.kept, "text/calendar", ["ics"], "calendar"),
        ]
        return Dictionary(
            uniqueKeysWithValues: rows.map { row in
                (row.2[0], Facts(family: row.0, mediaType: row.1, endings: row.2, words: row.3))
            })
    }()

    private static let byEnding: [String: PaperKind] = {
        var found: [String: PaperKind] = [:]
        for (name, facts) in table { for ending in facts.endings { found[ending] = PaperKind(name) } }
        return found
    }()

    private static let byMediaType = Dictionary(
        uniqueKeysWithValues: table.map { ($1.mediaType, PaperKind($0)) })

    /// The ending of a file's name, in small letters; empty when there is none.
    public static func ending(of name: String) -> String {
        let last = name.split(separator: "/").last ?? ""
        guard let dot = last.lastIndex(of: "."), dot != last.startIndex else { return "" }
        return String(last[last.index(after: dot)...]).lowercased()
    }
}
