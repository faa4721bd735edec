/// Says what a command does, for a person at a terminal.
struct Help {
    let parsed: Parsed
    let style: Style
    var width = 80

    var text: String {
        let command = parsed.command
        let title = wrapped("\(parsed.title) – \(command.summary)", indent: 0)
        var parts = [style.bold(parsed.title) + title.dropFirst(parsed.title.count), section("Usage", usage)]
        if !command.discussion.isEmpty { parts.append(wrapped(command.discussion, indent: 0)) }
        parts += commandLists(command)
        let arguments = command.arguments.map { ($0.usage, $0.summary) }
        if !arguments.isEmpty { parts.append(section("Arguments", rows(arguments))) }
        let options = parsed.path.dropFirst().reversed().flatMap(\.options).filter { !$0.isHidden }
        if !options.isEmpty { parts.append(section("Options", rows(options.map(row)))) }
        parts.append(section("Options of every command", rows(Option.everywhere.map(row))))
        if !command.examples.isEmpty { parts.append(section("Examples", examples(command))) }
        if !command.subcommands.isEmpty {
            parts.append("“\(parsed.title) COMMAND --help” tells more about a command.")
        }
        return parts.joined(separator: "\n\n") + "\n"
    }

    /// The lines above every command's details, also used by the manual page.
    static func usage(_ title: String, _ command: Command) -> String {
        var words = [title]
        if command.run == nil || !command.subcommands.isEmpty && command.arguments.isEmpty {
            words.append("COMMAND")
        }
        if !command.options.filter({ !$0.isHidden }).isEmpty { words.append("[OPTIONS]") }
        words += command.arguments.map(\.usage)
        return words.joined(separator: " ")
    }

    private var usage: String { "  " + Self.usage(parsed.title, parsed.command) }

    private func commandLists(_ command: Command) -> [String] {
        let visible = command.subcommands.filter { !$0.isHidden }
        guard !visible.isEmpty else { return [] }
        // At the top, commands stand in groups a newcomer can scan; elsewhere they are few.
        guard parsed.path.count == 1 else {
            return [section("Commands", rows(visible.map { ($0.name, $0.summary) }))]
        }
        return CommandGroup.all.map { group in
            let members = group.names.compactMap { name in visible.first { $0.name == name } }
            return section(group.title, rows(members.map { ($0.name, $0.summary) }))
        }
    }

    private func examples(_ command: Command) -> String {
        command.examples.map { "  \($0.line)\n      \(style.dim($0.meaning))" }.joined(separator: "\n")
    }

    private func row(_ option: Option) -> (String, String) {
        ((option.letter.map { "-\($0), " } ?? "    ") + option.usage, option.summary)
    }

    private func rows(_ rows: [(String, String)]) -> String {
        let column = min(28, (rows.map(\.0.count).max() ?? 0) + 2)
        return rows.map { name, summary in
            let text = wrapped(summary, indent: column + 2).drop { $0 == " " }
            let gap = String(repeating: " ", count: max(0, column - name.count))
            return name.count < column
                ? "  \(name)\(gap)\(text)" : "  \(name)\n\(String(repeating: " ", count: column + 2))\(text)"
        }.joined(separator: "\n")
    }

    private func section(_ title: String, _ body: String) -> String { "\(style.heading(title))\n\(body)" }

    private func wrapped(_ text: String, indent: Int) -> String {
        Wrapping.wrap(text, width: width, indent: indent)
    }
}

/// The commands as the first page of help shows them.
struct CommandGroup: Sendable {
    var title: String
    var names: [String]

    static let all: [CommandGroup] = [
        CommandGroup(
            title: "Papers",
            names: [
                "add", "unpack", "import-paperless", "list", "find", "recognise", "searchable", "show",
                "activity", "get",
                "rename", "move",
                "tag", "folder", "label", "field", "hold", "release", "retention", "rule", "suggestions",
                "share",
                "versions",
                "replace", "bring-back", "changes", "trash", "restore-from-trash", "empty-trash", "sync",
                "mirror",
            ]),
        CommandGroup(
            title: "Forms, without a desk",
            names: ["fields", "map", "plan", "apply", "fill", "harvest", "flatten"]),
        CommandGroup(
            title: "PDF files, without a desk",
            names: [
                "convert", "scan", "merge", "split", "pages", "bookmarks", "attachments", "encrypt",
                "decrypt", "annotate", "stamp", "number", "nup", "booklet", "poster", "background", "resize",
                "crop", "compress",
                "redact",
                "sanitise", "compare", "info", "check",
            ]),
        CommandGroup(
            title: "Packets",
            names: [
                "template", "recipients", "contacts", "card", "batch", "bundle", "packet", "mail", "send",
                "outbox",
                "ledger",
                "schedule",
            ]),
        CommandGroup(title: "Signatures", names: ["sign", "signatures", "identity"]),
        CommandGroup(
            title: "The desk",
            names: [
                "serve", "gotenberg", "jobs", "notices", "figures", "looks", "plans", "users", "tokens",
                "config",
            ]),
        CommandGroup(title: "Care", names: ["doctor", "verify", "backup", "restore", "sweep", "desk"]),
        CommandGroup(title: "About Quire", names: ["help", "man", "completions", "version"]),
    ]
}

/// Breaks text between words.
enum Wrapping {
    static func wrap(_ text: String, width: Int, indent: Int) -> String {
        let margin = String(repeating: " ", count: indent)
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { paragraph in
            // Lines that begin with blanks are set as they are.
            if paragraph.hasPrefix("  ") { return margin + paragraph }
            var lines: [String] = []
            var line = ""
            for word in paragraph.split(separator: " ") {
                if !line.isEmpty, indent + line.count + 1 + word.count > width {
                    lines.append(margin + line)
                    line = ""
                }
                line += line.isEmpty ? String(word) : " \(word)"
            }
            lines.append(margin + line)
            return lines.joined(separator: "\n")
        }.joined(separator: "\n")
    }
}
