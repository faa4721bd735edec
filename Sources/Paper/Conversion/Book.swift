import Archives
import Browsing
import Bytes
import Kinds

/// An EPUB opened: its parts in reading order, and everything they show (EPUB 3.3 §5, §4.2.6).
struct Book {
    struct Part {
        var path: String
        /// From the table of contents; nil for parts it does not name.
        var title: String?
    }

    let title: String
    let parts: [Part]
    let files: [String: PageSource.File]

    /// What may be unpacked of one book.
    private static let mostByteCount = 512 << 20

    init(_ bytes: [UInt8], name: String) throws(ConversionError) {
        var limits = ZIPReader.Limits()
        limits.bytesInAll = Self.mostByteCount
        limits.bytesInEntry = 128 << 20
        limits.entries = 20_000
        let zip: ZIPReader
        do throws(ZIPError) {
            zip = try ZIPReader(bytes: bytes, limits: limits)
        } catch {
            throw .damaged(name, reason: "\(error)")
        }
        func text(_ path: String) -> String? {
            zip[path].flatMap { try? zip.bytes($0) }.map { TextDecoding.text($0) }
        }
        guard let container = text("META-INF/container.xml"),
            let package = TagScanner(container).tags.first(where: { $0.name == "rootfile" })?.attributes[
                "full-path"],
            let opf = text(package)
        else { throw .damaged(name, reason: "it does not say what is in it") }
        let root = Self.folder(package)
        var items: [String: (path: String, type: String, properties: String)] = [:]
        var spine: [String] = []
        var title = ""
        var tableID: String?
        for tag in TagScanner(opf).tags where !tag.isClosing {
            switch tag.name {
            case "title" where title.isEmpty: title = tag.text.trimmingBlanks
            case "item":
                guard let id = tag.attributes["id"], let href = tag.attributes["href"] else { continue }
                items[id] = (
                    Self.resolve(href, in: root), tag.attributes["media-type"] ?? "",
                    tag.attributes["properties"] ?? ""
                )
            case "spine": tableID = tag.attributes["toc"]
            case "itemref":
                if let id = tag.attributes["idref"], tag.attributes["linear"] != "no" { spine.append(id) }
            default: continue
            }
        }
        if let encryption = text("META-INF/encryption.xml") {
            let locked = Set(TagScanner(encryption).tags.compactMap { $0.attributes["uri"] })
            if spine.contains(where: { id in items[id].map { locked.contains($0.path) } ?? false }) {
                throw .damaged(name, reason: "it is locked by its seller")
            }
        }
        var files: [String: PageSource.File] = [:]
        var total = 0
        for entry in zip.entries where !entry.isFolder && entry.staysInside {
            guard let bytes = try? zip.bytes(entry) else { continue }
            total += bytes.count
            guard total <= Self.mostByteCount else {
                throw .tooLarge("“\(name)” unpacks to more than half a gigabyte.")
            }
            let type = items.values.first { $0.path == entry.name }?.type
            files[entry.name] = PageSource.File(
                bytes, mediaType: type ?? PaperKind.mediaType(ofName: entry.name))
        }
        var titles: [String: String] = [:]
        if let nav = items.values.first(where: { $0.properties.split(separator: " ").contains("nav") }),
            let page = text(nav.path)
        {
            titles = Self.titles(ofPage: page, in: Self.folder(nav.path))
        } else if let table =
            (tableID.flatMap { items[$0] } ?? items.values.first { $0.type.hasSuffix("ncx+xml") }),
            let list = text(table.path)
        {
            titles = Self.titles(ofList: list, in: Self.folder(table.path))
        }
        parts = spine.compactMap { items[$0] }.filter { files[$0.path] != nil }
            .map { Part(path: $0.path, title: titles[$0.path]) }
        guard !parts.isEmpty else { throw .damaged(name, reason: "it has no pages") }
        for part in parts {
            if let bytes = files[part.path]?.bytes { files[part.path]?.bytes = Self.fitted(bytes) }
        }
        self.title = title
        self.files = files
    }

    /// A reader's screen shows a picture as large as the screen. On paper one that is a little taller than the sheet,
    /// as most covers are, would be cut in two. First in the head, so that the book may say otherwise.
    private static func fitted(_ page: [UInt8]) -> [UInt8] {
        guard let head = page.firstRange(of: Array("<head".utf8)),
            let end = page[head.upperBound...].firstIndex(of: UInt8(ascii: ">")),
            page[end - 1] != UInt8(ascii: "/")
        else { return page }
        let style =
            "<style>svg, img { max-height: 98vh } img { max-width: 100%; object-fit: contain }</style>"
        return page[...end] + Array(style.utf8) + page[(end + 1)...]
    }

    private static func titles(ofPage page: String, in folder: String) -> [String: String] {
        var titles: [String: String] = [:]
        let tags = TagScanner(page).tags
        for (index, tag) in tags.enumerated() where tag.name == "a" && !tag.isClosing {
            guard let href = tag.attributes["href"] else { continue }
            var words = tag.text
            for inner in tags[(index + 1)...].prefix(8) {
                if inner.name == "a", inner.isClosing { break }
                words += inner.text
            }
            let path = resolve(href, in: folder)
            if titles[path] == nil, !words.trimmingBlanks.isEmpty { titles[path] = words.trimmingBlanks }
        }
        return titles
    }

    private static func titles(ofList list: String, in folder: String) -> [String: String] {
        var titles: [String: String] = [:]
        var words = ""
        for tag in TagScanner(list).tags where !tag.isClosing {
            if tag.name == "text" { words = tag.text.trimmingBlanks }
            if tag.name == "content", let source = tag.attributes["src"] {
                let path = resolve(source, in: folder)
                if titles[path] == nil, !words.isEmpty { titles[path] = words }
            }
        }
        return titles
    }

    private static func folder(_ path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }

    /// An address within the book, without what follows a hash.
    static func resolve(_ address: String, in folder: String) -> String {
        var parts = folder.split(separator: "/").map(String.init)
        let plain = address.prefix { $0 != "#" && $0 != "?" }
        for part in PageSource.decoded(String(plain)).split(separator: "/") {
            switch part {
            case ".": continue
            case "..": if !parts.isEmpty { parts.removeLast() }
            default: parts.append(String(part))
            }
        }
        return parts.joined(separator: "/")
    }
}

extension String {
    var trimmingBlanks: String {
        let words = split(whereSeparator: \.isWhitespace)
        return words.joined(separator: " ")
    }
}
