import App
import Bytes
import Storage

extension Command {
    static let version = Command(
        name: "version", summary: "say which Quire this is",
        run: { call in
            call.answer(["version": .string(Version.number), "commit": .optional(Version.commit)]) {
                Version.line + "\n"
            }
        })

    static let help = Command(
        name: "help", summary: "say what a command does, with examples",
        arguments: [
            Argument(name: "COMMAND", summary: "the command in question", isOptional: true, isRepeating: true)
        ],
        examples: [Example("quire help jobs", "the same as quire jobs --help")],
        run: { call in
            var path = [call.root]
            for word in call.arguments {
                guard let next = path.last?.subcommands.first(where: { $0.name == word }) else {
                    let names = path.last?.subcommands.map(\.name) ?? []
                    let near = Spelling.command(for: word, among: names)
                    throw UsageError(
                        message: "There is no command “\(word)”",
                        hint: near.map { "Did you mean “\($0)”?" } ?? "“quire --help” lists them all.")
                }
                path.append(next)
            }
            let parsed = Parsed(path: path, options: [:], arguments: [])
            let help = Help(
                parsed: parsed, style: call.terminal.outputStyle, width: min(call.terminal.width, 100))
            call.terminal.write(help.text)
        })

    static let man = Command(
        name: "man", summary: "print the manual page",
        discussion: "In the language of man(1), made from the same definitions as the help.",
        examples: [
            Example("quire man | man -l -", "read it"),
            Example("quire man > ~/.local/share/man/man1/quire.1", "keep it where man finds it"),
        ],
        run: { call in call.terminal.write(Manual(root: call.root).text) })

    static let completions = Command(
        name: "completions", summary: "print a script that lets your shell finish commands",
        arguments: [
            Argument(
                name: "SHELL", summary: "bash, zsh or fish", completion: .choices(Completions.shells))
        ],
        examples: [
            Example("quire completions bash > ~/.local/share/bash-completion/completions/quire", "for bash"),
            Example("quire completions zsh > \"${fpath[1]}/_quire\"", "for zsh"),
            Example("quire completions fish > ~/.config/fish/completions/quire.fish", "for fish"),
        ],
        run: { call in
            guard let script = Completions.script(for: call.arguments[0], of: call.root) else {
                throw UsageError(
                    message: "There are no completions for “\(call.arguments[0])”",
                    hint: "Choose bash, zsh or fish.")
            }
            call.terminal.write(script)
        })
}
