import Bytes

/// `Content-Disposition`, written for every browser (RFC 6266) and read as browsers write it (RFC 7578 §4.2).
public enum Disposition {
    public static func text(inline: Bool, fileName: String?) -> String {
        let kind = inline ? "inline" : "attachment"
        guard let fileName else { return kind }
        // Old clients get an ASCII likeness, all others the true name.
        let plain = fileName.unicodeScalars.map { scalar in
            scalar.value >= 0x20 && scalar.value < 0x7F && !"\"\\/%".unicodeScalars.contains(scalar)
                ? Character(scalar) : "_"
        }
        let visible = fileName.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }
        // A stroke would begin a folder, and some clients believe it.
        let exact = String(String(String.UnicodeScalarView(visible)).map { "/\\".contains($0) ? "-" : $0 })
        return "\(kind); filename=\"\(String(plain))\"; filename*=UTF-8''\(PercentCoding.encode(exact))"
    }

    /// The `name` and `filename` of a form part. Browsers escape `"` in names as `%22`, and CR and LF likewise.
    static func read(_ value: String) -> (name: String, fileName: String?)? {
        let pieces = Token.list(value, separator: UInt8(ascii: ";"))
        guard let kind = pieces.first, Token.same(kind, "form-data") else { return nil }
        var name: String?
        var fileName: String?
        for piece in pieces.dropFirst() {
            guard let equals = piece.firstIndex(of: "="),
                let text = Token.unquoted(String(piece[piece.index(after: equals)...]))
            else { return nil }
            let plain = replacing(text, ["%22": "\"", "%0D": "", "%0A": ""])
            switch Token.lowered(piece[..<equals]) {
            case "name" where name == nil: name = plain
            case "filename" where fileName == nil: fileName = lastComponent(plain)
            default: break
            }
        }
        return name.map { ($0, fileName) }
    }

    /// What is left of `C:\fakepath\letter.pdf` or `../../etc/passwd`: a name, never a path.
    static func lastComponent(_ path: String) -> String {
        let last = path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? ""
        let visible = String(
            String.UnicodeScalarView(last.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
        return visible == "." || visible == ".." ? "" : String(visible.prefix(255))
    }

    private static func replacing(_ text: String, _ table: [String: String]) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
        var result = ""
        var rest = Substring(text)
        while !rest.isEmpty {
            if let found = table.first(where: { rest.hasPrefix($0.key) }) {
                result += found.value
                rest = rest.dropFirst(found.key.count)
            } else {
                result.append(rest.removeFirst())
            }
        }
        return result
    }
}
