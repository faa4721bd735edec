/// The kinds of files Quire knows by their content or, where the content says too little, by their name.
///
/// The content decides, because names lie: what is shown, converted and sent on follows from the media type.
enum MediaKind {
    static let octets = "application/octet-stream"
    static let pdf = "application/pdf"
    static let html = "text/html"
    static let mail = "message/rfc822"
    static let text = "text/plain"
    static let zip = "application/zip"
    static let drawing = "image/svg+xml"

    /// Bytes at a place that only one kind of file has there.
    static let signatures: [(place: Int, bytes: [UInt8], mediaType: String)] = [
        (0, [0x89] + Array("PNG\r\n".utf8) + [0x1A, 0x0A], "image/png"),
        (0, [0xFF, 0xD8, 0xFF], "image/jpeg"),
        (0, Array("GIF87a".utf8), "image/gif"),
        (0, Array("GIF89a".utf8), "image/gif"),
        (0, Array("II*\0".utf8), "image/tiff"),
        (0, Array("MM\0*".utf8), "image/tiff"),
        (4, Array("jP  \r\n".utf8) + [0x87, 0x0A], "image/jp2"),
        (0, Array("{\\rtf".utf8), "application/rtf"),
        (0, [0x1F, 0x8B], "application/gzip"),
        (0, Array("7z".utf8) + [0xBC, 0xAF, 0x27, 0x1C], "application/x-7z-compressed"),
        (8, Array("WEBP".utf8), "image/webp"),
        (60, Array("BOOKMOBI".utf8), "application/x-mobipocket-ebook"),
    ]

    /// ISO base media files name their brand behind `ftyp`.
    static let brands = [
        "heic": "image/heic", "heix": "image/heic", "heim": "image/heic", "heis": "image/heic",
        "hevc": "image/heic", "mif1": "image/heif", "msf1": "image/heif", "avif": "image/avif",
    ]

    /// The folder that only one kind of Office Open XML package has.
    static let officeFolders = [
        "word/": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "xl/": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "ppt/": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ]

    /// Apple's three are alike on the outside, and are known from other archives by one of these parts.
    static let applePackages = [
        "pages": "application/vnd.apple.pages", "numbers": "application/vnd.apple.numbers",
        "key": "application/vnd.apple.keynote",
    ]
    static let appleParts: Set<String> = ["index.xml", "index.apxl", "Index.zip", "Index/Document.iwa"]

    /// Old Office files are alike on the outside; their names tell them apart.
    static let compoundFiles = [
        "doc": "application/msword", "dot": "application/msword", "xls": "application/vnd.ms-excel",
        "ppt": "application/vnd.ms-powerpoint", "msg": "application/vnd.ms-outlook",
    ]

    /// Plain text of which only the name says what it is for.
    static let texts = [
        "csv": "text/csv", "tsv": "text/tab-separated-values", "md": "text/markdown",
        "markdown": "text/markdown", "json": "application/json", "css": "text/css", "xml": "application/xml",
        "yaml": "application/yaml", "yml": "application/yaml",
    ]

    /// What text begins with, without regard to case, after blanks.
    static let openings: [(text: String, mediaType: String)] = [
        ("<!doctype html", html), ("<html", html), ("<head", html), ("<body", html),
        ("<svg", drawing), ("begin:vcard", "text/vcard"), ("begin:vcalendar", "text/calendar"),
    ]

    private static let knownEndings: [String: [String]] = [
        pdf: ["pdf"], "image/png": ["png"], "image/jpeg": ["jpg", "jpeg", "jpe", "jfif"],
        "image/gif": ["gif"],
        "image/webp": ["webp"], "image/heic": ["heic", "heif"], "image/heif": ["heif", "heic"],
        "image/avif": ["avif"], "image/tiff": ["tiff", "tif"], drawing: ["svg"],
        "image/bmp": ["bmp", "dib"], "image/jp2": ["jp2", "jpx", "jpf"], zip: ["zip"],
        "application/rtf": ["rtf"], "application/gzip": ["gz", "tgz"],
        "application/x-7z-compressed": ["7z"], "application/x-mobipocket-ebook": ["mobi", "azw", "azw3"],
        "application/epub+zip": ["epub"], "application/vnd.oasis.opendocument.text": ["odt"],
        "application/vnd.oasis.opendocument.spreadsheet": ["ods"],
        "application/vnd.oasis.opendocument.presentation": ["odp"],
        "application/vnd.oasis.opendocument.graphics": ["odg"],
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ["docx", "docm", "dotx"],
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ["xlsx", "xlsm", "xltx"],
        "application/vnd.openxmlformats-officedocument.presentationml.presentation": [
            "pptx", "pptm", "potx",
        ],
        "application/msword": ["doc", "dot"], "application/vnd.ms-excel": ["xls"],
        "application/vnd.apple.pages": ["pages"], "application/vnd.apple.numbers": ["numbers"],
        "application/vnd.apple.keynote": ["key"],
        "application/vnd.ms-powerpoint": ["ppt"], "application/vnd.ms-outlook": ["msg"],
        html: ["html", "htm"], "text/csv": ["csv"], "text/tab-separated-values": ["tsv"],
        "text/markdown": ["md", "markdown"], "application/json": ["json"], "application/xml": ["xml"],
        "text/vcard": ["vcf"], "text/calendar": ["ics"], mail: ["eml"],
    ]

    /// The usual one first; nil when any ending will do.
    static func endings(of mediaType: String) -> [String]? {
        knownEndings[String(mediaType.prefix { $0 != ";" })]
    }
}
