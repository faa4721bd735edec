/// Blocks of HTML that people write into their Markdown, such as tables with merged cells (CommonMark 0.31 §4.6).
///
/// Our Markdown is also that of letters, where no HTML may be, so blocks are lifted out before it reads the text and
/// put back into what it makes. Only what stands on pages: nothing that runs, fetches or asks.
enum MarkdownBlocks {
    private static let beginnings: Set<String> = [
        "table", "div", "p", "center", "details", "dl", "ul", "ol", "blockquote", "figure", "section", "h1",
        "h2",
        "h3", "h4", "h5", "h6", "hr", "pre",
    ]
    private static let allowed: Set<String> = beginnings.union([
        "tr", "td", "th", "thead", "tbody", "tfoot", "caption", "colgroup", "col", "br", "b", "i", "u", "s",
        "em",
        "strong", "small", "mark", "sub", "sup", "code", "kbd", "abbr", "del", "ins", "q", "span", "a", "li",
        "dt",
        "dd", "summary", "figcaption", "img",
    ])

    /// A block begins with a tag at the beginning of a line and ends with an empty line.
    static func lifted(out text: String) -> (text: String, blocks: [String]) {
        var blocks: [String] = []
        var result: [Substring] = []
        var block: [Substring] = []
        var fence: Substring?
        func close() {
            guard !block.isEmpty else { return }
            let html = block.joined(separator: "\n")
            if isHarmless(html) {
                result += ["", "\u{E002}\(blocks.count)\u{E003}", ""]
                blocks.append(html)
            } else {
                result += block
            }
            block = []
        }
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            if !block.isEmpty {
                if line.allSatisfy(\.isWhitespace) { close() } else { block.append(line) }
                if block.isEmpty { result.append(line) }
                continue
            }
            let mark = line.prefix(3)
            if let open = fence {
                if mark == open { fence = nil }
            } else if mark == "```" || mark == "~~~" {
                fence = mark
            } else if line.first == "<", beginnings.contains(name(of: line.dropFirst())) {
                block = [line]
                continue
            }
            result.append(line)
        }
        close()
        return (result.joined(separator: "\n"), blocks)
    }

    static func put(_ blocks: [String], into body: String) -> String {
        var body = body
        for (number, block) in blocks.enumerated() {
            let mark = "\u{E002}\(number)\u{E003}"
            for place in ["<p>\(mark)</p>", mark] {
                guard let found = body.firstRange(of: place) else { continue }
                body.replaceSubrange(found, with: block)
                break
            }
        }
        return body
    }

    private static func name(of tag: Substring) -> String {
        tag.prefix { $0.isLetter || $0.isNumber }.lowercased()
    }

    private static func isHarmless(_ html: String) -> Bool {
        TagScanner(html).tags.allSatisfy { tag in
            allowed.contains(tag.name) && !tag.attributes.keys.contains { $0.hasPrefix("on") }
        }
    }
}
