import Glibc

/// Bytes of text in whatever letters, turned into a string. Nothing is refused: what makes no sense becomes a mark.
public enum TextDecoding {
    /// `named` is what a mail or a page says of itself.
    public static func text(_ bytes: [UInt8], named: String? = nil) -> String {
        if bytes.starts(with: [0xFF, 0xFE]) { return converted(Array(bytes.dropFirst(2)), from: "UTF-16LE") }
        if bytes.starts(with: [0xFE, 0xFF]) { return converted(Array(bytes.dropFirst(2)), from: "UTF-16BE") }
        let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        if let named, !["utf-8", "us-ascii", "ascii", "utf8"].contains(named.lowercased()) {
            return converted(bytes, from: named.lowercased() == "iso-8859-1" ? "WINDOWS-1252" : named)
        }
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        return converted(bytes, from: "WINDOWS-1252")
    }

    /// A page of the web, in the letters that a browser would find.
    public static func text(ofPage bytes: [UInt8]) -> String { text(bytes, named: charset(saidBy: bytes)) }

    /// Which letters a page says that it is written in, within its first kilobyte (WHATWG HTML, 13.2.3.2); nil when it does
    /// not say.
    public static func charset(saidBy page: [UInt8]) -> String? {
        let head = String(decoding: page.prefix(1024).map { $0 < 0x80 ? $0 : 0x20 }, as: UTF8.self)
            .lowercased()
        var rest = Substring(head)
        while let tag = rest.firstRange(of: "<meta") {
            rest = rest[tag.upperBound...]
            let inside = rest.prefix { $0 != ">" }
            guard let name = inside.firstRange(of: "charset") else { continue }
            let value = inside[name.upperBound...].drop { $0.isWhitespace }
            guard value.first == "=" else { continue }
            let said = value.dropFirst().drop { $0.isWhitespace || "\"'".contains($0) }
                .prefix { !$0.isWhitespace && !"\"';/>".contains($0) }
            // Read as bytes it cannot have been UTF-16.
            if !said.isEmpty { return said.hasPrefix("utf-16") ? "utf-8" : String(said) }
        }
        return nil
    }

    private static func converted(_ bytes: [UInt8], from charset: String) -> String {
        guard let handle = iconv_open("UTF-8", charset), handle != iconv_t(bitPattern: -1) else {
            return String(decoding: bytes, as: UTF8.self)
        }
        defer { iconv_close(handle) }
        var input = bytes.map { CChar(bitPattern: $0) }
        var output: [UInt8] = []
        let whole = input.count
        input.withUnsafeMutableBufferPointer { buffer in
            var from = buffer.baseAddress
            var left = whole
            var room = [CChar](repeating: 0, count: 4096)
            while left > 0 {
                let (code, made) = room.withUnsafeMutableBufferPointer { room -> (Int, Int) in
                    var to = room.baseAddress
                    var space = room.count
                    let code = iconv(handle, &from, &left, &to, &space)
                    return (code == Int.max || code == -1 ? Int(errno) : 0, room.count - space)
                }
                output += room[..<made].map { UInt8(bitPattern: $0) }
                if code == 0 { break }
                if code != E2BIG {
                    output += Array("\u{FFFD}".utf8)
                    from = from.map { $0 + 1 }
                    left -= 1
                }
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}
