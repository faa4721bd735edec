/// Makes a label out of words as they stand on a page: without leaders, item numbers and colons.
enum LabelText {
    static let longest = 160

    static func clean(_ words: some Sequence<String>) -> String {
        var kept: [Substring] = []
        for word in words {
            let bare = word.drop { isLeader($0) }
            guard !bare.isEmpty else { continue }
            // Dots that lead to a field may hang on the last word.
            var end = bare.endIndex
            while end > bare.startIndex, isLeader(bare[bare.index(before: end)]) {
                end = bare.index(before: end)
            }
            let dots = bare[end...].count
            kept.append(dots == 1 && bare.last == "." ? bare : bare[..<end])
        }
        var text = kept.joined(separator: " ")
        text = withoutItemNumber(text)
        // An arrow of a symbol font, read as the letter it has the place of.
        for arrow in [" a", " u"] where text.hasSuffix(arrow) && kept.count > 2 { text.removeLast(2) }
        while let last = text.last, ":*·•-–—=".contains(last) || last.isWhitespace { text.removeLast() }
        while let first = text.first, "*·•:-–—►▶➤→".contains(first) || first.isWhitespace {
            text.removeFirst()
        }
        guard text.count > longest else { return text }
        let cut = text.prefix(longest)
        return String(cut.lastIndex(of: " ").map { cut[..<$0] } ?? cut) + "…"
    }

    static func isLeader(_ character: Character) -> Bool {
        character == "." || character == "_" || character == "…" || character == "‥"
            || character == "\u{2024}"
    }

    /// Whether a word is nothing but dots or underscores: a place to write on, or the way to it.
    static func isLeader(_ word: String) -> Bool { !word.isEmpty && word.allSatisfy(isLeader) }

    /// `7`, `1a`, `(3)`, `b.`: the number of an item, not its words.
    static func isCode(_ text: String) -> Bool {
        let core = text.filter { $0.isLetter || $0.isNumber }
        guard core.count <= 4 else { return false }
        if core.isEmpty { return true }
        if core.contains(where: \.isNumber) { return core.filter(\.isLetter).count <= 1 }
        return core.count == 1
    }

    /// Signs between the parts of one field: `/`, `-`, `(`, `)`.
    static func isMark(_ text: String) -> Bool { !text.contains { $0.isLetter || $0.isNumber } }

    private static func withoutItemNumber(_ text: String) -> String {
        var rest = Substring(text)
        for _ in 0..<2 {
            guard let space = rest.firstIndex(of: " ") else { break }
            let first = rest[..<space]
            let after = rest[space...].drop { $0 == " " }
            guard isItemNumber(first), after.filter(\.isLetter).count >= 3 else { break }
            rest = after
        }
        return String(rest)
    }

    private static func isItemNumber(_ word: Substring) -> Bool {
        let core = word.filter { $0.isLetter || $0.isNumber }
        guard !core.isEmpty, core.count <= 3, isCode(String(word)) else { return false }
        if core.allSatisfy(\.isLetter) { return word.last == "." || word.last == ")" }
        return true
    }

    /// Names that programs give to fields and nobody reads.
    private static let empty: Set<String> = [
        "text", "textfield", "field", "box", "check", "checkbox", "button", "radio", "radiobutton",
        "undefined",
        "fill", "form", "page", "group", "row", "untitled", "topmostsubform", "subform", "numeric",
        "choice", "combobox", "dropdown", "list", "listbox", "cell", "table", "col", "column", "f", "c", "tf",
        "cb", "rb", "fld", "txt", "chk", "btn", "field_", "textbox", "input", "of", "in",
        "pg", "line", "toggle", "readorder",
    ]

    /// Whether a technical name, made readable, says anything. `Text1`, `f1_07` and `Check Box 3` do not.
    static func saysSomething(_ name: String) -> Bool {
        // Codes of an author's own, unless they are words everybody writes so.
        if !name.contains(" "), name.uppercased() == name, name.lowercased() != name { return known(name) }
        let words = name.lowercased().split { !$0.isLetter }
        return words.contains { word in
            word.count >= 3 && !empty.contains(String(word))
                && word.contains { "aeiouyäöüáéíóúå".contains($0) }
        }
    }

    private static func known(_ name: String) -> Bool {
        [
            "NAME", "ADDRESS", "CITY", "STATE", "ZIP", "PHONE", "EMAIL", "DATE", "SSN", "TOTAL", "AMOUNT",
            "COUNTRY", "COUNTY", "TITLE", "SIGNATURE", "GENDER", "AGE",
        ].contains(name)
    }

    static func words(_ text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
}
