/// Scripts that let a shell finish commands and options.
enum Completions {
    static let shells = ["bash", "zsh", "fish"]

    static func script(for shell: String, of root: Command) -> String? {
        switch shell {
        case "bash": bash(root)
        case "zsh": zsh(root)
        case "fish": fish(root)
        default: nil
        }
    }

    /// Every command that can be typed, with the words that lead to it.
    private static func all(_ root: Command) -> [(path: [String], command: Command)] {
        var found: [(path: [String], command: Command)] = []
        func walk(_ path: [String], _ command: Command) {
            found.append((path, command))
            for next in command.subcommands where !next.isHidden { walk(path + [next.name], next) }
        }
        walk([], root)
        return found
    }

    private static func options(_ command: Command) -> [Option] {
        (command.options + Option.everywhere).filter { !$0.isHidden }
    }

    // MARK: bash

    private static func bash(_ root: Command) -> String {
        var cases = ""
        var values = ""
        for (path, command) in all(root) {
            let key = path.joined(separator: " ")
            let words = command.subcommands.filter { !$0.isHidden }.map(\.name)
            let argument = command.arguments.first?.completion ?? .nothing
            cases += "        \(quoted(key))) words=\(quoted(words.joined(separator: " "))); "
            cases += "options=\(quoted(options(command).map { "--\($0.name)" }.joined(separator: " "))); "
            cases += bashArgument(argument) + " ;;\n"
            for option in options(command) where option.placeholder != nil {
                values += "        \(quoted("\(key) --\(option.name)"))) \(bashValue(option.completion)) ;;\n"
            }
        }
        let pairs = all(root).map { quoted($0.path.joined(separator: " ")) }.joined(separator: "|")
        return """
            # bash completion for quire. Put it where bash looks for it:
            #   quire completions bash > ~/.local/share/bash-completion/completions/quire
            _quire() {
                local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} path='' next='' i
                local words='' options='' kind=''
                for ((i = 1; i < COMP_CWORD; i++)); do
                    case ${COMP_WORDS[i]} in -*) continue ;; esac
                    next="${path:+$path }${COMP_WORDS[i]}"
                    case $next in \(pairs)) path=$next ;; esac
                done
                COMPREPLY=()
                case "$path $before" in
            \(values)        *)
                    case $path in
            \(cases.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n"))
                    esac
                    if [[ $word == -* ]]; then
                        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
                    elif [[ -n $words ]]; then
                        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
                    elif [[ $kind == file ]]; then
                        compopt -o filenames
                        mapfile -t COMPREPLY < <(compgen -f -- "$word")
                    elif [[ $kind == folder ]]; then
                        compopt -o filenames
                        mapfile -t COMPREPLY < <(compgen -d -- "$word")
                    fi ;;
                esac
            }
            complete -F _quire quire

            """
    }

    private static func bashArgument(_ completion: Completion) -> String {
        switch completion {
        case .nothing: "kind=''"
        case .file: "kind=file"
        case .folder: "kind=folder"
        case .choices(let words): "words=\(quoted(words.joined(separator: " ")))"
        }
    }

    private static func bashValue(_ completion: Completion) -> String {
        switch completion {
        case .nothing: ":"
        case .file: "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$word\")"
        case .folder: "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- \"$word\")"
        case .choices(let words):
            "mapfile -t COMPREPLY < <(compgen -W \(quoted(words.joined(separator: " "))) -- \"$word\")"
        }
    }

    // MARK: zsh

    private static func zsh(_ root: Command) -> String {
        var functions = ""
        for (path, command) in all(root) {
            let name = (["_quire"] + path).joined(separator: "_").replacing("-", "_")
            let specs = options(command).map(zshOption)
            let visible = command.subcommands.filter { !$0.isHidden }
            functions += "\(name)() {\n"
            if visible.isEmpty {
                let last = command.arguments.map(zshArgument)
                functions +=
                    "    _arguments -s \\\n        " + (specs + last).joined(separator: " \\\n        ")
                    + "\n"
            } else {
                let words = visible.map { quoted("\($0.name):\(zshText($0.summary))") }.joined(separator: " ")
                functions += "    local -a commands\n    commands=(\(words))\n"
                functions += "    _arguments -s -C \\\n        " + specs.joined(separator: " \\\n        ")
                functions += " \\\n        '1: :->command' '*:: :->rest'\n    case $state in\n"
                functions +=
                    "        command) _describe command commands ;;\n        rest)\n            case $words[1] in\n"
                for next in visible {
                    functions += "                \(next.name)) \(name)_\(next.name.replacing("-", "_")) ;;\n"
                }
                functions += "            esac ;;\n    esac\n"
            }
            functions += "}\n\n"
        }
        return """
            #compdef quire
            # zsh completion for quire. Put it where zsh looks for it:
            #   quire completions zsh > "${fpath[1]}/_quire"

            \(functions)# Loaded by zsh itself the first time somebody presses tab, or by hand with `source`.
            if [ "$funcstack[1]" = _quire ]; then _quire "$@"; else compdef _quire quire; fi

            """
    }

    private static func zshOption(_ option: Option) -> String {
        let value = option.placeholder.map { ":\(zshText($0)):\(zshAction(option.completion))" } ?? ""
        let text = "[\(zshText(option.summary))]\(value)"
        guard let letter = option.letter else { return quoted("--\(option.name)\(text)") }
        return "'(-\(letter) --\(option.name))'{-\(letter),--\(option.name)}" + quoted(text)
    }

    private static func zshArgument(_ argument: Argument) -> String {
        let start = argument.isRepeating ? "*" : argument.isOptional ? ":" : ""
        return quoted("\(start):\(zshText(argument.name)):\(zshAction(argument.completion))")
    }

    private static func zshAction(_ completion: Completion) -> String {
        switch completion {
        case .nothing: " "
        case .file: "_files"
        case .folder: "_files -/"
        case .choices(let words): "(\(words.joined(separator: " ")))"
        }
    }

    private static func zshText(_ text: String) -> String {
        text.replacing("[", "(").replacing("]", ")").replacing(":", "\\:")
    }

    // MARK: fish

    private static func fish(_ root: Command) -> String {
        var lines = [
            "# fish completion for quire. Put it where fish looks for it:",
            "#   quire completions fish > ~/.config/fish/completions/quire.fish", "complete -c quire -f",
        ]
        for (path, command) in all(root) {
            let condition = fishCondition(path, command)
            for next in command.subcommands where !next.isHidden {
                lines.append("complete -c quire -n \(condition) -a \(next.name) -d \(quoted(next.summary))")
            }
            for option in path.isEmpty ? Option.everywhere : command.options where !option.isHidden {
                let scope = path.isEmpty ? "" : " -n \(condition)"
                let letter = option.letter.map { " -s \($0)" } ?? ""
                lines.append(
                    "complete -c quire\(scope)\(letter) -l \(option.name)\(fishValue(option)) -d \(quoted(option.summary))"
                )
            }
            if let argument = command.arguments.first {
                switch argument.completion {
                case .nothing: break
                case .file: lines.append("complete -c quire -n \(condition) -F")
                case .folder:
                    lines.append("complete -c quire -n \(condition) -a '(__fish_complete_directories)'")
                case .choices(let words):
                    lines.append(
                        "complete -c quire -n \(condition) -a \(quoted(words.joined(separator: " ")))")
                }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func fishCondition(_ path: [String], _ command: Command) -> String {
        guard !path.isEmpty else { return "__fish_use_subcommand" }
        var tests = path.map { "__fish_seen_subcommand_from \($0)" }
        let below = command.subcommands.map(\.name)
        if !below.isEmpty { tests.append("not __fish_seen_subcommand_from \(below.joined(separator: " "))") }
        return quoted(tests.joined(separator: "; and "))
    }

    private static func fishValue(_ option: Option) -> String {
        guard option.placeholder != nil else { return "" }
        return switch option.completion {
        case .nothing: " -x"
        case .file: " -r -F"
        case .folder: " -x -a '(__fish_complete_directories)'"
        case .choices(let words): " -x -a \(quoted(words.joined(separator: " ")))"
        }
    }

    private static func quoted(_ text: String) -> String { "'" + text.replacing("'", "'\\''") + "'" }
}
