extension Catalog {
    /// A sentence that was written down in English when something happened, as a language says it: found by the pattern
    /// it was made from, or by those of the clauses it was put together from. What nobody has said otherwise stays English.
    public func said(_ english: String, in language: Language) -> String {
        translated(english, in: language, depth: 0) ?? english
    }

    private func translated(_ english: String, in language: Language, depth: Int) -> String? {
        guard depth < 4, english.utf8.count < 2000 else { return nil }
        let sentences = Self.parts(of: english, after: [".", "!", "?"], keepingSign: true)
        if sentences.count > 1, plain(english, language) == nil {
            let said = sentences.compactMap { matched($0, in: language, depth: depth) }
            if said.count == sentences.count { return said.joined(separator: " ") }
        }
        if let whole = matched(english, in: language, depth: depth) { return whole }
        let clauses = Self.parts(of: english, after: [","], keepingSign: false)
        guard clauses.count > 1 else { return nil }
        var said: [String] = []
        for clause in clauses {
            guard let one = matched(clause, in: language, depth: depth) else { return nil }
            said.append(one)
        }
        return said.joined(separator: ", ")
    }

    private func matched(_ english: String, in language: Language, depth: Int) -> String? {
        if english.contains(" "), let sentence = plain(english, language) {
            return sentence.filled { _ in nil }
        }
        // Of several patterns that fit, the one that says the most itself.
        var best: (weight: Int, key: String, values: [String: String])?
        for sentence in sentences where sentence.weight > best?.weight ?? 0 {
            guard let values = sentence.values(in: english) else { continue }
            best = (sentence.weight, sentence.key, values)
        }
        guard let best, let sentence = plain(best.key, language) else { return nil }
        return sentence.filled { name in
            best.values[name].map { translated($0, in: language, depth: depth + 1) ?? $0 }
        }
    }

    /// Parted where a blank follows one of the signs, but not inside of what is quoted.
    private static func parts(of text: String, after signs: Set<Character>, keepingSign: Bool) -> [String] {
        var parts: [String] = []
        var part = ""
        var depth = 0
        var rest = text[...]
        while let sign = rest.popFirst() {
            if sign == "“" { depth += 1 }
            if sign == "”" { depth -= 1 }
            let isEnd = signs.contains(sign) && depth <= 0 && rest.first == " "
            if !isEnd || keepingSign { part.append(sign) }
            if isEnd {
                rest.removeFirst()
                parts.append(part)
                part = ""
            }
        }
        return parts + [part]
    }
}

/// A sentence among the keys, ready to be found again in what was made from it.
struct SentencePattern: Sendable {
    let key: String
    private let pieces: [Message.Piece]
    /// How many letters of its own it has.
    let weight: Int

    /// Nil for the name of a text, which has no spaces, and for a sentence with nothing in it, which is its own key.
    init?(_ key: String) {
        guard key.contains(" ") else { return nil }
        let message = Message(key)
        let weight = message.pieces.reduce(0) { sum, piece in
            if case .text(let run) = piece { sum + run.count } else { sum }
        }
        guard !message.placeholders.isEmpty, weight >= 4 else { return nil }
        (self.key, pieces, self.weight) = (key, message.pieces, weight)
    }

    /// What was put into the placeholders; nil when this is not what the text was made from.
    func values(in text: String) -> [String: String]? {
        var values: [String: String] = [:]
        var rest = text[...]
        var open: String?
        for (place, piece) in pieces.enumerated() {
            switch piece {
            case .placeholder(let name):
                guard open == nil else { return nil }
                open = name
            case .text(let run):
                let isLast = place == pieces.count - 1
                guard let name = open else {
                    guard rest.hasPrefix(run) else { return nil }
                    rest.removeFirst(run.count)
                    continue
                }
                if isLast {
                    guard rest.hasSuffix(run), rest.count > run.count else { return nil }
                    values[name] = String(rest.dropLast(run.count))
                    rest = ""
                } else {
                    guard let found = rest.firstRange(of: run), found.lowerBound > rest.startIndex
                    else { return nil }
                    values[name] = String(rest[..<found.lowerBound])
                    rest = rest[found.upperBound...]
                }
                open = nil
            }
        }
        if let open {
            guard !rest.isEmpty else { return nil }
            values[open] = String(rest)
            rest = ""
        }
        return rest.isEmpty ? values : nil
    }
}
