/// What was typed makes no sense; `hint` says what would.
struct UsageError: Error, Equatable {
    var message: String
    var hint: String
}

/// What was typed, understood.
struct Parsed {
    /// From `quire` down to the command.
    var path: [Command]
    var options: [String: [String]]
    var arguments: [String]

    var command: Command { path[path.count - 1] }
    var title: String { path.map(\.name).joined(separator: " ") }
    func has(_ option: Option) -> Bool { options[option.name] != nil }
}

/// Understands what was typed, by the commands' definitions.
struct Parser {
    let root: Command

    /// Subcommands come first; options may stand anywhere; `--` ends them.
    func parse(_ words: [String]) throws(UsageError) -> Parsed {
        var parsed = Parsed(path: [root], options: [:], arguments: [])
        var left = words[...]
        var onlyArguments = false
        while let word = left.popFirst() {
            if onlyArguments || !word.hasPrefix("-") || word == "-" {
                try takeWord(word, &parsed)
            } else if word == "--" {
                onlyArguments = true
            } else if word.hasPrefix("--") {
                try takeOption(word.dropFirst(2), &left, &parsed)
            } else {
                try takeLetters(word.dropFirst(), &left, &parsed)
            }
        }
        return parsed
    }

    /// Whether everything the command needs was given. Apart from `parse`, so that `--help` always works.
    func check(_ parsed: Parsed) throws(UsageError) {
        let command = parsed.command
        guard command.run != nil else {
            throw UsageError(
                message:
                    "\(parsed.title) needs one of: \(visible(command).map(\.name).joined(separator: ", "))",
                hint: tryHelp(parsed))
        }
        let needed = command.arguments.filter { !$0.isOptional }
        if parsed.arguments.count < needed.count {
            throw UsageError(
                message: "\(parsed.title) needs \(needed[parsed.arguments.count].name): "
                    + needed[parsed.arguments.count].summary,
                hint: tryHelp(parsed))
        }
        if !command.arguments.contains(where: \.isRepeating), parsed.arguments.count > command.arguments.count
        {
            throw UsageError(
                message: "\(parsed.title) has no use for “\(parsed.arguments[command.arguments.count])”",
                hint: tryHelp(parsed))
        }
        // An unset variable of the shell, most likely, and as a part of names nothing fits everything.
        for (index, word) in parsed.arguments.enumerated() where word.isEmpty {
            guard let argument = command.arguments[..<min(index + 1, command.arguments.count)].last,
                !argument.mayBeEmpty
            else { continue }
            throw UsageError(
                message: "\(parsed.title) needs \(argument.name), and was given nothing",
                hint: "Is the variable set?")
        }
    }

    private func takeWord(_ word: String, _ parsed: inout Parsed) throws(UsageError) {
        let command = parsed.command
        guard !command.subcommands.isEmpty, parsed.arguments.isEmpty else {
            parsed.arguments.append(word)
            return
        }
        if let next = command.subcommands.first(where: { $0.name == word }) {
            parsed.path.append(next)
        } else if command.arguments.isEmpty {
            let near = Spelling.command(for: word, among: visible(command).map(\.name))
            throw UsageError(
                message: "\(parsed.title) has no command “\(word)”",
                hint: near.map { "Did you mean “\(parsed.title) \($0)”?" } ?? tryHelp(parsed))
        } else {
            parsed.arguments.append(word)
        }
    }

    private func takeOption(
        _ text: Substring, _ left: inout ArraySlice<String>, _ parsed: inout Parsed
    ) throws(UsageError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first.map(String.init) ?? ""
        let known = options(parsed)
        guard let option = known.first(where: { $0.name == name }) else {
            let near = Spelling.nearest(to: name, among: known.filter { !$0.isHidden }.map(\.name))
            throw UsageError(
                message: "\(parsed.title) has no option --\(name)",
                hint: near.map { "Did you mean --\($0)?" } ?? tryHelp(parsed))
        }
        try take(option, parts.count > 1 ? String(parts[1]) : nil, &left, &parsed)
    }

    /// `-qv` is `-q -v`; what follows a letter that takes a value is the value.
    private func takeLetters(
        _ letters: Substring, _ left: inout ArraySlice<String>, _ parsed: inout Parsed
    ) throws(UsageError) {
        var letters = letters
        while let letter = letters.popFirst() {
            guard let option = options(parsed).first(where: { $0.letter == letter }) else {
                throw UsageError(message: "\(parsed.title) has no option -\(letter)", hint: tryHelp(parsed))
            }
            if option.placeholder != nil, !letters.isEmpty {
                let value = String(letters)
                letters = ""
                try take(option, value, &left, &parsed)
            } else {
                try take(option, nil, &left, &parsed)
            }
        }
    }

    private func take(
        _ option: Option, _ attached: String?, _ left: inout ArraySlice<String>, _ parsed: inout Parsed
    ) throws(UsageError) {
        guard let placeholder = option.placeholder else {
            if let attached, option.takesTruth {
                parsed.options[option.name] = [attached]
                return
            }
            if let attached {
                throw UsageError(
                    message: "--\(option.name) takes no value, but “\(attached)” was given",
                    hint: tryHelp(parsed))
            }
            parsed.options[option.name] = parsed.options[option.name] ?? []
            return
        }
        guard let value = attached ?? left.popFirst() else {
            throw UsageError(message: "--\(option.name) needs a value: \(placeholder)", hint: tryHelp(parsed))
        }
        if option.isRepeating {
            parsed.options[option.name, default: []].append(value)
        } else {
            parsed.options[option.name] = [value]
        }
    }

    private func options(_ parsed: Parsed) -> [Option] {
        Option.everywhere + parsed.path.reversed().flatMap(\.options)
    }

    private func visible(_ command: Command) -> [Command] { command.subcommands.filter { !$0.isHidden } }

    private func tryHelp(_ parsed: Parsed) -> String { "See “\(parsed.title) --help”." }
}

/// Finds the word somebody probably meant.
enum Spelling {
    /// What people call putting away. None of it is ever a slip of something else: “remove” is one letter away from
    /// “move”, and “release” lifts a hold.
    private static let takingAway = ["delete", "remove", "del", "rm", "erase", "discard", "unlink"]
    /// As commands here call it, the kindest first.
    private static let puttingAway = ["trash", "remove", "revoke", "delete", "forget"]

    static func command(for word: String, among words: [String]) -> String? {
        let usual = nearest(to: word, among: words)
        let away = word.count < 4 ? takingAway.first { $0 == word } : nearest(to: word, among: takingAway)
        guard let away else { return usual }
        let isNearer = distance(word, away) - (usual.map { distance(word, $0) } ?? .max)
        // “rmove” is as near to “move” as to “remove”; “remane” is a slip of “rename”.
        let isRisky = usual == "move" || usual == "release"
        guard isNearer < 0 || isNearer == 0 && isRisky else { return usual }
        return puttingAway.first(where: words.contains)
    }

    static func nearest(to word: String, among words: [String]) -> String? {
        let best = words.map { (word: $0, distance: distance(word, $0)) }.min { $0.distance < $1.distance }
        guard let best, best.distance <= max(1, min(3, word.count / 2)) || best.word.hasPrefix(word) else {
            return words.first { $0.hasPrefix(word) && !word.isEmpty }
        }
        return best.word
    }

    /// How many letters must be changed, added, removed or swapped with their neighbour.
    static func distance(_ a: String, _ b: String) -> Int {
        let a = Array(a.prefix(64))
        let b = Array(b.prefix(64))
        var rows = [Array(0...b.count)]
        for i in 0..<a.count {
            var row = [i + 1]
            for j in 0..<b.count {
                let cost = a[i] == b[j] ? 0 : 1
                var best = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + cost)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                    best = min(best, rows[i - 1][j - 1] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }
}
