extension FormulaFunction {
    static let texts: [FormulaFunction] = [
        FormulaFunction("upper", [.text("text")], gives: .text, "the text in capitals") {
            try $0.give($0.text(0).uppercased())
        },
        FormulaFunction("lower", [.text("text")], gives: .text, "the text in small letters") {
            try $0.give($0.text(0).lowercased())
        },
        FormulaFunction(
            "title", aliases: ["proper"], [.text("text")], gives: .text,
            "each word with a capital at its beginning"
        ) { try $0.give(Texts.titled($0.text(0))) },
        FormulaFunction("trim", [.text("text")], gives: .text, "the text without blanks around it") {
            try $0.give($0.text(0).trimmed)
        },
        FormulaFunction(
            "squeeze", [.text("text")], gives: .text,
            "the text with single blanks between its words, on one line"
        ) { try $0.give($0.text(0).split(whereSeparator: \.isWhitespace).joined(separator: " ")) },
        FormulaFunction(
            "left", [.text("text"), .number("count")], gives: .text, "so many characters from the beginning"
        ) { try $0.give(String($0.text(0).prefix(max(0, $0.count(1) ?? 0)))) },
        FormulaFunction(
            "right", [.text("text"), .number("count")], gives: .text, "so many characters from the end"
        ) { try $0.give(String($0.text(0).suffix(max(0, $0.count(1) ?? 0)))) },
        FormulaFunction(
            "mid", aliases: ["substring"], [.text("text"), .number("start"), .number("count")], gives: .text,
            "so many characters from a place on; the first character is 1"
        ) { call in
            guard let start = try call.count(1), let count = try call.count(2) else { return .blank }
            guard start >= 1 else { throw call.fail(1, "The first character is 1.") }
            return try call.give(String(call.text(0).dropFirst(start - 1).prefix(max(0, count))))
        },
        FormulaFunction(
            "slice", [.text("text"), .number("first"), .number("last").optional], gives: .text,
            "the characters from one place to another, both included; -1 is the last"
        ) { call in
            let text = try call.text(0)
            guard let first = try call.count(1) else { return .blank }
            let last = call.has(2) ? try call.count(2) ?? -1 : -1
            return try call.give(Texts.slice(text, first, last))
        },
        FormulaFunction(
            "replace", aliases: ["substitute"], [.text("text"), .text("old"), .text("new")], gives: .text,
            "the text with every `old` turned into `new`"
        ) { call in
            let text = try call.text(0)
            let old = try call.text(1)
            let new = try call.text(2)
            guard !old.isEmpty else { throw call.fail(1, "There must be something to look for.") }
            // Counted first, so that no short formula makes a text without end.
            let count = Texts.places(of: old, in: text).count
            guard text.utf8.count + count * new.utf8.count <= FormulaRun.longestText else {
                throw call.fail(0, "The text grows too long.")
            }
            return try call.give(text.replacing(old, with: new))
        },
        FormulaFunction(
            "split", aliases: ["part"], [.text("text"), .text("separator"), .number("part")], gives: .text,
            "one of the parts between separators; 1 is the first, -1 the last; nothing when there are not so many"
        ) { call in
            let text = try call.text(0)
            let separator = try call.text(1)
            guard let number = try call.count(2) else { return .blank }
            guard !separator.isEmpty else { throw call.fail(1, "The separator is empty.") }
            guard number != 0 else { throw call.fail(2, "The first part is 1, the last one -1.") }
            let parts = text.split(separator: separator, omittingEmptySubsequences: false)
            let index = number > 0 ? number - 1 : parts.count + number
            return parts.indices.contains(index) ? try call.give(String(parts[index]).trimmed) : .blank
        },
        FormulaFunction(
            "word", [.text("text"), .number("number")], gives: .text, "one of the words; -1 is the last"
        ) {
            call in
            let words = try call.text(0).split(whereSeparator: \.isWhitespace)
            guard let number = try call.count(1) else { return .blank }
            let index = number > 0 ? number - 1 : words.count + number
            return number != 0 && words.indices.contains(index) ? try call.give(String(words[index])) : .blank
        },
        FormulaFunction(
            "length", aliases: ["len"], [.text("text")], gives: .number, "how many characters the text has"
        ) { try $0.give(Decimal($0.text(0).count)) },
        FormulaFunction("digits", [.text("text")], gives: .text, "only the digits of the text") {
            try $0.give(Texts.digits($0.text(0)))
        },
        FormulaFunction("letters", [.text("text")], gives: .text, "only the letters of the text") {
            try $0.give($0.text(0).filter(\.isLetter))
        },
        FormulaFunction(
            "pad", [.text("text"), .number("width"), .text("filler").optional], gives: .text,
            "the text made so long by filling it from the left, with zeros unless told otherwise"
        ) { call in
            let text = try call.text(0)
            let width = min(try call.count(1) ?? 0, 1000)
            let filler = call.has(2) ? try call.text(2) : "0"
            guard filler.count == 1 else { throw call.fail(2, "It is filled with one character.") }
            return try call.give(String(repeating: filler, count: max(0, width - text.count)) + text)
        },
        FormulaFunction("repeat", [.text("text"), .number("count")], gives: .text, "the text so many times") {
            call in
            let text = try call.text(0)
            let count = max(0, try call.count(1) ?? 0)
            guard count * text.utf8.count <= FormulaRun.longestText else {
                throw call.fail(1, "The text grows too long.")
            }
            return try call.give(String(repeating: text, count: count))
        },
        FormulaFunction(
            "join", [.text("separator"), .any("value").repeated], gives: .text,
            "the values that are not blank, with the separator between them"
        ) { try $0.give($0.texts(from: 1).joined(separator: $0.text(0))) },
        FormulaFunction(
            "lines", [.any("value").repeated], gives: .text,
            "the values that are not blank, each on a line of its own"
        ) { try $0.give($0.texts(from: 0).joined(separator: "\n")) },
        FormulaFunction(
            "line", [.text("text"), .number("number")], gives: .text,
            "one of the lines of a text; nothing when there are not so many"
        ) { call in
            let lines = try call.text(0).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            guard let number = try call.count(1) else { return .blank }
            let index = number > 0 ? number - 1 : lines.count + number
            return number != 0 && lines.indices.contains(index)
                ? try call.give(String(lines[index]).trimmed) : .blank
        },
        FormulaFunction(
            "initials", [.text("name").optional.repeated], gives: .text,
            "the first letters of all words of a name; without a name, of the first and the last name of the person in the row",
            needsName: true
        ) { call in
            let letters =
                try call.count == 0
                ? Texts.initials(call.run) : Texts.initials(call.texts(from: 0).joined(separator: " "))
            return letters.isEmpty ? .blank : try call.give(letters)
        },
        FormulaFunction(
            "full_name", aliases: ["fullname"], [.text("part").optional.repeated], gives: .text,
            "the parts of a name with blanks between them; without parts, the person in the row",
            needsName: true
        ) { call in
            let name =
                try call.count == 0 ? Texts.person(call.run) : call.texts(from: 0).joined(separator: " ")
            return name.isEmpty ? .blank : try call.give(name)
        },
        FormulaFunction(
            "contains", [.text("text"), .text("part")], gives: .flag,
            "whether the part stands somewhere in the text, whatever the capitals"
        ) { Datum(.flag(try $0.text(0).lowercased().contains($0.text(1).lowercased()))) },
        FormulaFunction(
            "starts", aliases: ["starts_with"], [.text("text"), .text("part")], gives: .flag,
            "whether the text begins so, whatever the capitals"
        ) { Datum(.flag(try $0.text(0).lowercased().hasPrefix($0.text(1).lowercased()))) },
        FormulaFunction(
            "ends", aliases: ["ends_with"], [.text("text"), .text("part")], gives: .flag,
            "whether the text ends so, whatever the capitals"
        ) { Datum(.flag(try $0.text(0).lowercased().hasSuffix($0.text(1).lowercased()))) },
        FormulaFunction(
            "matches", aliases: ["like"], [.text("text"), .text("pattern")], gives: .flag,
            "whether the text looks like the pattern, where ? is one character and * any number of them"
        ) {
            Datum(
                .flag(Texts.matches(Array(try $0.text(0).lowercased()), Array(try $0.text(1).lowercased()))))
        },
        FormulaFunction(
            "exact", [.text("text"), .text("other")], gives: .flag,
            "whether two texts are the same, capitals and blanks included"
        ) { Datum(.flag(try $0.text(0) == $0.text(1))) },
        FormulaFunction(
            "find", [.text("text"), .text("part")], gives: .number,
            "where the part first stands in the text; nothing when it does not"
        ) { call in
            let text = try call.text(0).lowercased()
            guard let place = text.firstRange(of: try call.text(1).lowercased())?.lowerBound else {
                return .blank
            }
            return try call.give(Decimal(text.distance(from: text.startIndex, to: place) + 1))
        },
    ]
}

/// What functions do with texts.
package enum Texts {
    /// A letter behind an apostrophe is a capital in O'Brien and D'Angelo, and none in John's.
    static func titled(_ text: String) -> String {
        var result = ""
        var lettersBefore = 0
        var isAfterApostrophe = false
        for character in text {
            guard character.isLetter || character.isNumber else {
                isAfterApostrophe = (character == "'" || character == "’") && lettersBefore == 1
                lettersBefore = (character == "'" || character == "’") && !isAfterApostrophe ? 2 : 0
                result.append(character)
                continue
            }
            result += lettersBefore == 0 ? character.uppercased() : character.lowercased()
            lettersBefore += 1
        }
        return result
    }

    /// Places from 1, or from -1 at the end; what is beyond the text is left out.
    package static func slice(_ text: String, _ first: Int, _ last: Int) -> String {
        let count = text.count
        let from = first < 0 ? count + first : first - 1
        let to = last < 0 ? count + last : last - 1
        guard from <= to, to >= 0, from < count else { return "" }
        return String(text.dropFirst(max(0, from)).prefix(to - max(0, from) + 1))
    }

    /// Digits of other scripts become those that forms expect.
    static func digits(_ text: String) -> String {
        String(
            text.compactMap { $0.wholeNumberValue }.filter { (0...9).contains($0) }.map {
                Character(String($0))
            })
    }

    static func initials(_ name: String) -> String {
        withoutNicknames(name).split { $0.isWhitespace || $0 == "-" || $0 == "." }
            .compactMap { $0.first { $0.isLetter } }
            .map { $0.uppercased() }.joined()
    }

    /// As people sign: one letter of the first name and one of the last, however many words these have.
    static func initials(_ run: FormulaRun) -> String {
        let (first, last) = (part(.firstName, run), part(.lastName, run))
        if !first.isEmpty, !last.isEmpty { return initial(first) + initial(last) }
        let name = withoutNicknames(person(run))
        // "De Vries, Jan"
        let turned = name.split(separator: ",", maxSplits: 1).map { String($0).trimmed }
        if turned.count == 2, !suffixes.contains(plain(turned[1])) {
            return initial(turned[1]) + initial(turned[0])
        }
        let words = name.split { $0.isWhitespace || $0 == "," }.filter { $0.contains(where: \.isLetter) }
        guard let given = words.first else { return "" }
        var family = words.dropFirst()
        while let end = family.last, family.count > 1, suffixes.contains(plain(String(end))) {
            family.removeLast()
        }
        guard var start = family.indices.last else { return initial(String(given)) }
        while start > family.startIndex, particles.contains(plain(String(family[start - 1]))) { start -= 1 }
        return initial(String(given)) + initial(String(family[start]))
    }

    /// Words that a last name may begin with, and such as stand behind one.
    private static let particles: Set<String> = [
        "al", "bin", "da", "de", "del", "della", "den", "der", "des", "di", "do", "dos", "du", "el", "ibn",
        "la", "las", "le",
        "los", "st", "ten", "ter", "van", "vom", "von", "zu", "zum", "zur",
    ]
    private static let suffixes: Set<String> = ["jr", "sr", "ii", "iii", "iv", "phd", "md", "esq"]

    private static func plain(_ word: String) -> String { word.filter(\.isLetter).lowercased() }

    private static func initial(_ name: String) -> String {
        withoutNicknames(name).first { $0.isLetter }.map { $0.uppercased() } ?? ""
    }

    /// Robert "Bob" Smith, or Robert (Bob) Smith, is Robert Smith.
    private static func withoutNicknames(_ name: String) -> String {
        let ends: [Character: Character] = ["\"": "\"", "“": "”", "„": "“", "«": "»", "(": ")"]
        var rest = name[...]
        var kept = ""
        while let sign = rest.popFirst() {
            if let end = ends[sign], let place = rest.firstIndex(of: end) {
                rest = rest[rest.index(after: place)...]
            } else {
                kept.append(sign)
            }
        }
        return kept
    }

    private static func part(_ role: ColumnRole, _ run: FormulaRun) -> String {
        guard let index = run.context.columns.roles[role], run.scope.cells.indices.contains(index) else {
            return ""
        }
        return run.scope.cells[index].shown.trimmed
    }

    /// The name of the person in the row: the column of whole names, or first, middle and last name.
    static func person(_ run: FormulaRun) -> String {
        let roles = run.context.columns.roles
        let parts = [ColumnRole.firstName, .middleName, .lastName].map { part($0, run) }.filter {
            !$0.isEmpty
        }
        if roles[.firstName] != nil, roles[.lastName] != nil, !parts.isEmpty {
            return parts.joined(separator: " ")
        }
        let whole = part(.fullName, run)
        return whole.isEmpty ? parts.joined(separator: " ") : whole
    }

    static func places(of part: String, in text: String) -> [Range<String.Index>] { text.ranges(of: part) }

    /// A star takes as little as possible and more only when the rest does not fit: time grows with the product of
    /// the lengths at most.
    static func matches(_ text: [Character], _ pattern: [Character]) -> Bool {
        var at = 0
        var want = 0
        var star: (pattern: Int, text: Int)?
        while at < text.count {
            if want < pattern.count, pattern[want] == "*" {
                star = (want, at)
                want += 1
            } else if want < pattern.count, pattern[want] == "?" || pattern[want] == text[at] {
                at += 1
                want += 1
            } else if let last = star {
                star = (last.pattern, last.text + 1)
                want = last.pattern + 1
                at = last.text + 1
            } else {
                return false
            }
        }
        return pattern[want...].allSatisfy { $0 == "*" }
    }
}
