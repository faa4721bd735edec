extension Catalog {
    /// A sentence that was written down in English when something happened, as a language says it: found by the pattern
    /// it was made from, or by those of the clauses it was put together from. What nobody has said otherwise stays English.
    public func said(_ english: String, in language: Language) -> String {
        translated(english, in: language, depth: 0) ?? english
    }

    private func translated(_ english: String, in language: Language, depth: Int) -> String? {
        guard depth < 4, english.utf8.count < 2000 else { return nil }
        if let whole = matched(english, in: language, depth: depth) { return whole }
        let clauses = Self.clauses(of: english)
        guard clauses.count > 1 else { return nil }
        var said: [String] = []
        for clause in clauses {
            guard let one = matched(clause, in: language, depth: depth) else { return nil }
            said.append(one)
        }
        return said.joined(separator: ", ")
    }

    private func matched(_ english: String, in language: Language, depth: Int) -> String? {
        if let pattern = sentences.plain.contains(english) ? pattern(english, in: language) : nil {
            return Message(pattern).filled { _ in nil }
        }
        // Of several patterns that fit, the one that says the most itself.
        var best: (weight: Int, key: String, values: [String: String])?
        for sentence in sentences.patterns where sentence.weight > best?.weight ?? 0 {
            guard let values = sentence.values(in: english) else { continue }
            best = (sentence.weight, sentence.key, values)
        }
        guard let best, let pattern = pattern(best.key, in: language) else { return nil }
        return Message(pattern).filled { name in
            best.values[name].map { translated($0, in: language, depth: depth + 1) ?? $0 }
        }
    }

    /// Parted at commas, but not inside of what is quoted.
    private static func clauses(of sentence: String) -> [String] {
        var clauses: [String] = []
        var clause = ""
        var depth = 0
        var rest = sentence[...]
        while let sign = rest.popFirst() {
            if sign == "“" { depth += 1 }
            if sign == "”" { depth -= 1 }
            if sign == ",", depth <= 0, rest.first == " " {
                rest.removeFirst()
                clauses.append(clause)
                clause = ""
            } else {
                clause.append(sign)
            }
        }
        return clauses + [clause]
    }
}

/// The sentences among the keys, ready to be found again in what was made from them.
struct Sentences: Sendable {
    struct Pattern: Sendable {
        let key: String
        let pieces: [Message.Piece]
        /// How many letters of its own it has.
        let weight: Int

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

    var plain: Set<String> = []
    var patterns: [Pattern] = []

    /// Keys that are sentences have spaces; names of texts have none.
    mutating func add(_ key: String) {
        guard key.contains(" ") else { return }
        let pieces = Message(key).pieces
        let weight = pieces.reduce(0) { sum, piece in
            if case .text(let run) = piece { sum + run.count } else { sum }
        }
        if pieces.allSatisfy({ if case .text = $0 { true } else { false } }) {
            plain.insert(key)
        } else if weight >= 4 {
            patterns.append(Pattern(key: key, pieces: pieces, weight: weight))
        }
    }
}
