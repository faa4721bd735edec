extension PaperKind {
    /// The media type that a file's name speaks for, where nobody looks at its bytes: parts of a page, things attached.
    public static func mediaType(ofName name: String) -> String {
        switch ending(of: name) {
        case "xhtml": "application/xhtml+xml"
        case "js", "mjs": "text/javascript"
        case "ico": "image/x-icon"
        case "woff": "font/woff"
        case "woff2": "font/woff2"
        case "ttf": "font/ttf"
        case "otf": "font/otf"
        case "mp4": "video/mp4"
        case "mp3": "audio/mpeg"
        case "txt": "text/plain; charset=utf-8"
        default: spoken(for: name)?.mediaType ?? octets
        }
    }
}
