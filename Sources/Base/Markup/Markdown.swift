/// Text with light marks, as people type them into mails, turned into HTML.
///
/// A small part of Markdown: paragraphs, headings, lists, tables, quotes, rules, code, emphasis and links. What is not
/// understood stays as it was typed; HTML in the text is shown, never obeyed. A single line break is kept, as
/// whoever writes a letter expects.
///
///     Markdown.html("Dear **Ada**,\n\n- bring a pen")
public enum Markdown {
    /// Deeper quotes and lists are shown flat, so that no text can exhaust the stack.
    private static let deepest = 8

    public static func html(_ text: String) -> HTML {
        let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        return blocks(lines[...], depth: 0)
    }

    private static func blocks(_ lines: ArraySlice<Substring>, depth: Int) -> HTML {
        var rest = lines
        var output: [HTML] = []
        while let line = rest.first {
            if line.isBlank {
                rest = rest.dropFirst()
            } else if let fence = fence(line) {
                output.append(code(&rest, fence))
            } else if let rows = table(&rest) {
                output.append(rows)
            } else if let (level, title) = heading(line) {
                output.append(.raw("<h\(level)>") + spans(title) + .raw("</h\(level)>"))
                rest = rest.dropFirst()
            } else if isRule(line) {
                output.append("<hr>")
                rest = rest.dropFirst()
            } else if depth < deepest, line.first == ">" {
                let quoted = take(&rest) { $0.first == ">" }.map {
                    $0.dropFirst().dropFirst($0.dropFirst().first == " " ? 1 : 0)
                }
                output.append("<blockquote>\(blocks(quoted[...], depth: depth + 1))</blockquote>")
            } else if depth < deepest, let mark = mark(line) {
                output.append(list(&rest, isOrdered: mark.number != nil, start: mark.number, depth: depth))
            } else {
                output.append(paragraph(&rest, depth: depth))
            }
        }
        return output.joined(separator: "\n")
    }

    private static func paragraph(_ rest: inout ArraySlice<Substring>, depth: Int) -> HTML {
        var lines = [rest.removeFirst()]
        while let line = rest.first, !line.isBlank, fence(line) == nil, heading(line) == nil, !isRule(line),
            depth >= deepest || line.first != ">" && mark(line) == nil
        {
            lines.append(line)
            rest = rest.dropFirst()
        }
        return "<p>\(lines.map { spans($0.trimmed) }.joined(separator: "<br>\n"))</p>"
    }

    private static func code(_ rest: inout ArraySlice<Substring>, _ fence: Substring) -> HTML {
        rest = rest.dropFirst()
        let lines = take(&rest) { !$0.trimmed.hasPrefix(fence) }
        rest = rest.dropFirst()
        return "<pre><code>\(lines.joined(separator: "\n"))</code></pre>"
    }

    /// Rows between upright strokes, the second of them of dashes that say how the columns stand.
    private static func table(_ rest: inout ArraySlice<Substring>) -> HTML? {
        guard let first = rest.first, first.contains("|"), let second = rest.dropFirst().first,
            second.contains("-"), second.allSatisfy({ "|-: \t".contains($0) })
        else { return nil }
        let sides = cells(second).map { cell in
            switch (cell.first == ":", cell.last == ":") {
            case (true, true): " style=\"text-align: center\""
            case (false, true): " style=\"text-align: right\""
            default: ""
            }
        }
        let head = cells(first)
        guard head.count == sides.count else { return nil }
        func row(_ texts: [Substring], _ tag: String) -> HTML {
            let made = sides.indices.map { column in
                .raw("<\(tag)\(sides[column])>") + spans(column < texts.count ? texts[column] : "")
                    + .raw("</\(tag)>")
            }
            return "<tr>\(made)</tr>"
        }
        rest = rest.dropFirst(2)
        let body = take(&rest) { $0.contains("|") && !$0.isBlank }.map { row(cells($0), "td") }
        return "<table><thead>\(row(head, "th"))</thead><tbody>\(body)</tbody></table>"
    }

    private static func cells(_ line: Substring) -> [Substring] {
        var texts: [Substring] = []
        var start = line.startIndex
        var isEscaped = false
        for place in line.indices {
            if line[place] == "|", !isEscaped {
                texts.append(line[start..<place])
                start = line.index(after: place)
            }
            isEscaped = line[place] == "\\" && !isEscaped
        }
        texts.append(line[start...])
        if texts.first?.isBlank == true { texts.removeFirst() }
        if texts.last?.isBlank == true { texts.removeLast() }
        return texts.map(\.trimmed)
    }

    private static func list(
        _ rest: inout ArraySlice<Substring>, isOrdered: Bool, start: Int?, depth: Int
    ) -> HTML {
        var items: [HTML] = []
        while let line = rest.first, let mark = mark(line), (mark.number != nil) == isOrdered {
            var lines = [line.dropFirst(mark.width)]
            rest = rest.dropFirst()
            // Lines that are indented belong to the item; so does a blank one between them.
            while let next = rest.first {
                if next.isBlank {
                    guard let after = rest.dropFirst().first, after.hasPrefix("  ") else { break }
                } else if !next.hasPrefix("  ") {
                    break
                }
                lines.append(next.dropFirst(min(mark.width, next.prefix { $0 == " " }.count)))
                rest = rest.dropFirst()
            }
            while let next = rest.first, next.isBlank, let after = rest.dropFirst().first,
                self.mark(after) != nil
            {
                rest = rest.dropFirst()
            }
            let isOneLine = lines.count == 1
            items.append(
                "<li>\(isOneLine ? spans(lines[0].trimmed) : blocks(lines[...], depth: depth + 1))</li>")
        }
        let tag = isOrdered ? "ol" : "ul"
        let from = start.map { $0 == 1 ? "" : " start=\"\($0)\"" } ?? ""
        return .raw("<\(tag)\(from)>") + items.joined() + .raw("</\(tag)>")
    }

    private static func take(
        _ rest: inout ArraySlice<Substring>, while isWanted: (Substring) -> Bool
    ) -> [Substring] {
        let taken = Array(rest.prefix(while: isWanted))
        rest = rest.dropFirst(taken.count)
        return taken
    }

    private static func fence(_ line: Substring) -> Substring? {
        let line = line.trimmed
        return ["```", "~~~"].first { line.hasPrefix($0) }.map { $0[...] }
    }

    private static func heading(_ line: Substring) -> (level: Int, title: Substring)? {
        let level = line.prefix { $0 == "#" }.count
        guard (1...6).contains(level), line.dropFirst(level).first == " " else { return nil }
        return (level, line.dropFirst(level).trimmed)
    }

    private static func isRule(_ line: Substring) -> Bool {
        let marks = line.filter { $0 != " " }
        return marks.count >= 3 && (marks.allSatisfy { $0 == "-" } || marks.allSatisfy { $0 == "*" })
    }

    /// `- `, `* `, `+ ` or `1. ` at the start, and how wide it is.
    private static func mark(_ line: Substring) -> (width: Int, number: Int?)? {
        if let first = line.first, "-*+".contains(first), line.dropFirst().first == " " { return (2, nil) }
        let digits = line.prefix { $0.isASCII && $0.isNumber }
        guard (1...6).contains(digits.count), let number = Int(digits) else { return nil }
        let after = line.dropFirst(digits.count)
        guard let dot = after.first, dot == "." || dot == ")", after.dropFirst().first == " " else {
            return nil
        }
        return (digits.count + 2, number)
    }

    // MARK: Within a line

    /// Marks inside a line. Each kind is looked for once from where it opens; what does not close is text.
    private static func spans(_ text: Substring, depth: Int = 0) -> HTML {
        // A letter's line is short; whoever types one of a million stars gets them back as text.
        guard text.utf8.count <= 8000 else { return HTML(plain: text) }
        var output = HTML.empty
        var plain = ""
        var rest = text
        func flush() {
            guard !plain.isEmpty else { return }
            output += HTML(plain: plain)
            plain = ""
        }
        while let character = rest.first {
            if character == "\\", let next = rest.dropFirst().first, next.isASCII,
                next.isPunctuation || next.isSymbol
            {
                plain.append(next)
                rest = rest.dropFirst(2)
            } else if character == "`", let (inside, after) = enclosed(rest, "`", "`") {
                flush()
                output += "<code>\(String(inside))</code>"
                rest = after
            } else if depth < deepest, let (tag, inside, after) = emphasis(rest, before: plain.last) {
                flush()
                output += .raw("<\(tag)>") + spans(inside, depth: depth + 1) + .raw("</\(tag)>")
                rest = after
            } else if depth < deepest, character == "[", let (label, address, after) = link(rest) {
                flush()
                output += "<a href=\"\(url: String(address))\">\(spans(label, depth: depth + 1))</a>"
                rest = after
            } else if character == "h", plain.last.map({ !$0.isLetter && !$0.isNumber }) ?? true,
                let address = bareAddress(rest)
            {
                flush()
                output += "<a href=\"\(url: String(address))\">\(String(address))</a>"
                rest = rest.dropFirst(address.count)
            } else {
                plain.append(character)
                rest = rest.dropFirst()
            }
        }
        flush()
        return output
    }

    /// `**strong**`, `__strong__`, `*emphasis*`, `_emphasis_`; the underscore not inside a word: `file_name_2`.
    private static func emphasis(
        _ rest: Substring, before: Character?
    ) -> (tag: String, inside: Substring, after: Substring)? {
        for (mark, tag) in [("**", "strong"), ("__", "strong"), ("*", "em"), ("_", "em")]
        where rest.hasPrefix(mark) {
            let isWordMark = mark.first == "_"
            if isWordMark, let before, before.isLetter || before.isNumber { return nil }
            guard let (inside, after) = enclosed(rest, mark, mark), inside.first != " ", inside.last != " "
            else { continue }
            if isWordMark, let next = after.first, next.isLetter || next.isNumber { continue }
            return (tag, inside, after)
        }
        return nil
    }

    private static func link(_ rest: Substring) -> (label: Substring, address: Substring, after: Substring)? {
        guard let (label, after) = enclosed(rest, "[", "]"), after.first == "(",
            let (address, end) = enclosed(after, "(", ")"), !address.contains(" ")
        else { return nil }
        return (label, address, end)
    }

    private static func bareAddress(_ rest: Substring) -> Substring? {
        guard rest.hasPrefix("https://") || rest.hasPrefix("http://") else { return nil }
        var address = rest.prefix { !$0.isWhitespace && !"<>\"".contains($0) }
        // The stop at the end of a sentence is not part of the address.
        while let last = address.last, ".,;:!?)'".contains(last) { address = address.dropLast() }
        return address.count > 8 ? address : nil
    }

    /// What stands between an opening mark at the start and the first closing one.
    private static func enclosed(
        _ rest: Substring, _ open: String, _ close: String
    ) -> (inside: Substring, after: Substring)? {
        guard rest.hasPrefix(open) else { return nil }
        let body = rest.dropFirst(open.count)
        var at = body.startIndex
        let limit = body.index(body.startIndex, offsetBy: 500, limitedBy: body.endIndex) ?? body.endIndex
        while at < limit {
            if body[at...].hasPrefix(close) {
                return at > body.startIndex ? (body[..<at], body[at...].dropFirst(close.count)) : nil
            }
            at = body.index(after: at)
        }
        return nil
    }
}

// As text without marks, for those who read mail without pages.
extension Markdown {
    /// The same words as in `html`: emphasis without its stars, `label (address)` for a link; lists and quotes keep the
    /// marks that read well as they are.
    public static func plain(_ text: String) -> String {
        var output: [String] = []
        var fence: Substring?
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            if let open = fence {
                if line.trimmed.hasPrefix(open) { fence = nil } else { output.append(String(line)) }
            } else if let open = self.fence(line) {
                fence = open
            } else if let (_, title) = heading(line) {
                output.append(plainSpans(title))
            } else {
                // A star that begins a list is no emphasis.
                let indent = line.prefix { $0 == " " || $0 == ">" }
                let rest = line.dropFirst(indent.count)
                let width = mark(rest)?.width ?? 0
                output.append(indent + rest.prefix(width) + plainSpans(rest.dropFirst(width)))
            }
        }
        return output.joined(separator: "\n")
    }

    private static func plainSpans(_ text: Substring, depth: Int = 0) -> String {
        guard text.utf8.count <= 8000 else { return String(text) }
        var output = ""
        var rest = text
        while let character = rest.first {
            if character == "\\", let next = rest.dropFirst().first, next.isASCII,
                next.isPunctuation || next.isSymbol
            {
                output.append(next)
                rest = rest.dropFirst(2)
            } else if character == "`", let (inside, after) = enclosed(rest, "`", "`") {
                output += inside
                rest = after
            } else if depth < deepest, let (_, inside, after) = emphasis(rest, before: output.last) {
                output += plainSpans(inside, depth: depth + 1)
                rest = after
            } else if depth < deepest, character == "[", let (label, address, after) = link(rest) {
                let words = plainSpans(label, depth: depth + 1)
                output += words == address ? words : "\(words) (\(address))"
                rest = after
            } else if character == "h", output.last.map({ !$0.isLetter && !$0.isNumber }) ?? true,
                let address = bareAddress(rest)
            {
                output += address
                rest = rest.dropFirst(address.count)
            } else {
                output.append(character)
                rest = rest.dropFirst()
            }
        }
        return output
    }
}

extension Substring {
    fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }

    fileprivate var trimmed: Substring {
        var text = drop(while: \.isWhitespace)
        while text.last?.isWhitespace ?? false { text = text.dropLast() }
        return text
    }
}
