import Conversion
import Markup

/// What the files of a page are, and Markdown as the inside of one.
enum PageMedia {
    static func type(of name: String) -> String {
        switch PaperKind.ending(of: name) {
        case "css": "text/css"
        case "js", "mjs": "text/javascript"
        case "json": "application/json"
        case "woff2": "font/woff2"
        case "woff": "font/woff"
        case "ttf": "font/ttf"
        case "otf": "font/otf"
        case "ico": "image/x-icon"
        case let ending: PaperKind.named(ending)?.mediaType ?? "application/octet-stream"
        }
    }

    static func html(markdown: String) -> String { Markdown.html(markdown).text }
}
