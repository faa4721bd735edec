import Glibc
import Kinds

/// Files that lie beside a web page on somebody's own disk. Nothing above the page's folder is read, no link is
/// followed, and only what pages are made of.
enum Neighbours {
    private static let kinds: Set<String> = [
        "html", "htm", "xhtml", "css", "js", "mjs", "svg", "png", "jpg", "jpeg", "gif", "webp", "avif", "ico",
        "bmp",
        "woff", "woff2", "ttf", "otf", "json",
    ]

    static func read(_ path: String, beneath folder: String) -> [UInt8]? {
        guard kinds.contains(PaperKind.ending(of: path)) else { return nil }
        let parts = path.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
        guard !parts.isEmpty, !parts.contains(where: { $0 == ".." || $0 == "." || $0.utf8.contains(0) })
        else {
            return nil
        }
        var place = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        for (index, part) in parts.enumerated() {
            guard place >= 0 else { return nil }
            let isLast = index == parts.count - 1
            let next = openat(
                place, part, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | (isLast ? 0 : O_DIRECTORY))
            close(place)
            place = next
        }
        guard place >= 0 else { return nil }
        defer { close(place) }
        var about = stat()
        guard fstat(place, &about) == 0, about.st_mode & S_IFMT == S_IFREG, about.st_size <= 256 << 20 else {
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: Int(about.st_size))
        var filled = 0
        while filled < bytes.count {
            let count = bytes[filled...].withUnsafeMutableBytes {
                Glibc.read(place, $0.baseAddress, $0.count)
            }
            guard count > 0 else { break }
            filled += count
        }
        return Array(bytes.prefix(filled))
    }
}
