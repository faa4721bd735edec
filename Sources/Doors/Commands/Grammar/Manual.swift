import App

/// The manual page, `quire(1)`, in the language of `man`.
struct Manual {
    let root: Command

    var text: String {
        var page = Roff()
        page.line(".TH QUIRE 1 \"\" \"Quire \(Version.number)\" \"User Commands\"")
        page.section("NAME")
        page.text("quire \\- \(Roff.escaped(root.summary))", isEscaped: true)
        page.section("SYNOPSIS")
        page.usage("quire COMMAND [OPTIONS]")
        page.section("DESCRIPTION")
        page.paragraphs(root.discussion)
        page.section("OPTIONS OF EVERY COMMAND")
        for option in Option.everywhere { page.item(Self.term(option), option.summary) }
        page.section("COMMANDS")
        for group in CommandGroup.all {
            for name in group.names {
                if let command = root.subcommands.first(where: { $0.name == name }) {
                    describe(command, "quire", &page)
                }
            }
        }
        page.section("CONFIGURATION")
        page.paragraphs(
            "Each value comes from the last of these that names it: what is built in, the file config.json, an "
                + "environment variable, the flag of a command. “quire config” shows every value and where it came from."
        )
        for key in ConfigKey.all {
            let standard = key.standard.isEmpty ? "" : " Standard: \(key.standard)."
            page.item("\(key.name), \(key.variable)", "\(key.summary).\(standard)")
        }
        page.section("EXIT STATUS")
        for row in ExitCode.table { page.item(String(row.code.rawValue), row.meaning) }
        page.section("ENVIRONMENT")
        for (name, meaning) in Self.environment { page.item(name, meaning) }
        page.section("FILES")
        page.item(
            "$XDG_DATA_HOME/quire, ~/.local/share/quire",
            "the desk, unless --home or QUIRE_HOME names another folder")
        page.item("config.json", "in the desk’s folder, or in $XDG_CONFIG_HOME/quire")
        page.section("EXAMPLES")
        for example in root.examples { page.item(example.line, example.meaning) }
        return page.text
    }

    private static let environment = [
        ("QUIRE_HOME, QUIRE_PORT, …", "the configuration, see above"),
        ("QUIRE_CONFIG", "the configuration file to read"),
        ("QUIRE_SERVER, QUIRE_TOKEN", "like --server and --token"),
        ("QUIRE_RECOVERY_KEY", "what opens an encrypted backup, for restore and verify"),
        ("NO_COLOR", "set to anything: no colours and no bold text"),
    ]

    private static func term(_ option: Option) -> String {
        (option.letter.map { "-\($0), " } ?? "") + option.usage
    }

    private func describe(_ command: Command, _ title: String, _ page: inout Roff) {
        let title = "\(title) \(command.name)"
        page.subsection(Help.usage(title, command))
        page.paragraphs(command.summary.prefix(1).uppercased() + command.summary.dropFirst() + ".")
        page.paragraphs(command.discussion)
        for argument in command.arguments { page.item(argument.name, argument.summary) }
        for option in command.options where !option.isHidden { page.item(Self.term(option), option.summary) }
        for example in command.examples { page.item(example.line, example.meaning) }
        for next in command.subcommands where !next.isHidden { describe(next, title, &page) }
    }
}

/// Text for `man`.
struct Roff {
    private(set) var text = ""

    mutating func line(_ line: String) { text += line + "\n" }

    mutating func section(_ title: String) { line(".SH \(title)") }

    mutating func subsection(_ title: String) { line(".SS \"\(Self.escaped(title))\"") }

    mutating func usage(_ usage: String) { line(".B \(Self.escaped(usage))") }

    mutating func item(_ term: String, _ meaning: String) {
        line(".TP")
        line(".B \(Self.escaped(term))")
        text(Self.escaped(meaning), isEscaped: true)
    }

    mutating func paragraphs(_ text: String) {
        var isSetAsIs = false
        for part in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if part.hasPrefix("  ") != isSetAsIs {
                isSetAsIs.toggle()
                line(isSetAsIs ? ".nf" : ".fi")
            }
            if part.isEmpty { line(".PP") } else { self.text(Self.escaped(String(part)), isEscaped: true) }
        }
        if isSetAsIs { line(".fi") }
        if !text.isEmpty { line(".PP") }
    }

    mutating func text(_ text: String, isEscaped: Bool) {
        let text = isEscaped ? text : Self.escaped(text)
        // A dot or an apostrophe at the start of a line is a command.
        line(text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text)
    }

    static func escaped(_ text: String) -> String {
        text.replacing("\\", "\\e").replacing("-", "\\-").replacing("\"", "\\(dq").replacing("“", "\\(lq")
            .replacing("”", "\\(rq").replacing("’", "\\(cq").replacing("…", "...").replacing("–", "\\(en")
            .replacing("›", "\\(fc").replacing("×", "\\(mu")
    }
}

extension String {
    func replacing(_ old: Character, _ new: String) -> String {
        var result = ""
        for character in self {
            if character == old { result += new } else { result.append(character) }
        }
        return result
    }
}
