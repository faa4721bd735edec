/// What people write in Markdown that our own, which is that of letters, knows otherwise: headings underlined, and signs
/// by their names in HTML (CommonMark 0.31 §4.3 and §2.5). Code stays as it is.
enum MarkdownHabits {
    static func plain(_ text: String) -> String {
        var result: [String] = []
        var fence: Substring?
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let mark = line.prefix(3)
            if let open = fence {
                if mark == open { fence = nil }
                result.append(String(line))
            } else if mark == "```" || mark == "~~~" {
                fence = mark
                result.append(String(line))
            } else if let level = underline(line), let title = heading(result) {
                result[result.count - 1] = "\(level) \(title)"
                result.append("")
            } else {
                result.append(named(line))
            }
        }
        return result.joined(separator: "\n")
    }

    private static func underline(_ line: Substring) -> String? {
        let line = String(line).trimmingBlanks
        guard line.count >= 3 else { return nil }
        return line.allSatisfy { $0 == "=" } ? "#" : line.allSatisfy { $0 == "-" } ? "##" : nil
    }

    /// The line above, when it is one that stands alone and begins nothing else.
    private static func heading(_ lines: [String]) -> String? {
        guard let last = lines.last, let first = last.first, lines.dropLast().last?.isEmpty ?? true,
            !"#>-*+|<`~ \t=".contains(first), !last.prefix(4).contains("."), !last.contains("|")
        else { return nil }
        return last
    }

    private static let names = [
        "&lt;": "<", "&gt;": ">", "&quot;": "\"", "&#39;": "'", "&apos;": "'", "&nbsp;": "\u{A0}",
        "&copy;": "©", "&reg;": "®", "&ndash;": "–", "&mdash;": "—", "&hellip;": "…", "&euro;": "€",
        "&times;": "×",
    ]

    private static func named(_ line: Substring) -> String {
        guard line.contains("&") else { return String(line) }
        // Between two backticks is code.
        let parts = line.split(separator: "`", omittingEmptySubsequences: false)
        return parts.enumerated().map { place, part in
            guard place % 2 == 0 || place == parts.count - 1 else { return String(part) }
            var text = String(part)
            for (name, sign) in names { text = text.replacing(name, with: sign) }
            return text.replacing("&amp;", with: "&")
        }.joined(separator: "`")
    }
}
