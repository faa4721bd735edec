import Testing

@testable import Commands

/// Every command there is, with the words that lead to it.
let everyCommand: [(path: [String], command: Command)] = {
    func walk(_ path: [String], _ command: Command) -> [(path: [String], command: Command)] {
        [(path, command)] + command.subcommands.flatMap { walk(path + [$0.name], $0) }
    }
    return walk([], .quire)
}()

@Suite struct DefinitionsTests {
    @Test("every command teaches: a summary, and examples that it understands itself")
    func examples() throws {
        for (path, command) in everyCommand {
            let title = path.joined(separator: " ")
            #expect(!command.summary.isEmpty && !command.summary.hasSuffix("."), "\(title)")
            #expect(command.run != nil || !command.subcommands.isEmpty, "\(title)")
            if command.run != nil, !command.arguments.isEmpty || !command.options.isEmpty {
                #expect(!command.examples.isEmpty, "\(title) has no example")
            }
            for example in command.examples {
                // Up to what belongs to the shell.
                let words = example.line.split(separator: " ").map(String.init)
                    .drop { $0.contains("=") && $0 == $0.uppercased() || $0.hasPrefix("QUIRE_") }
                    .prefix { !["|", ">", "<", "&&", "||", "2>"].contains($0) }
                guard words.first == "quire" else { continue }
                let parser = Parser(root: .quire)
                do throws(UsageError) {
                    try parser.check(try parser.parse(Array(words.dropFirst())))
                } catch {
                    Issue.record("\(example.line): \(error.message)")
                }
            }
        }
    }

    @Test("no command has two options of one name, and no name but plain words")
    func options() {
        for (path, command) in everyCommand {
            let all = command.options + Option.everywhere
            #expect(Set(all.map(\.name)).count == all.count, "\(path)")
            let letters = all.compactMap(\.letter)
            #expect(Set(letters).count == letters.count, "\(path)")
            for name in all.map(\.name) + command.subcommands.map(\.name) {
                #expect(name.allSatisfy { $0.isLowercase && $0.isASCII || $0 == "-" }, "\(name)")
            }
        }
    }

    @Test("every visible command stands in one group of the first page")
    func groups() {
        let grouped = CommandGroup.all.flatMap(\.names)
        #expect(Set(grouped).count == grouped.count)
        #expect(Set(grouped) == Set(Command.quire.subcommands.filter { !$0.isHidden }.map(\.name)))
    }

    @Test("help shows usage, options and examples of every command within the width")
    func help() {
        for (path, command) in everyCommand {
            let said = quire(path + ["--help"], width: 80)
            #expect(said.code == .done)
            #expect(said.output.contains("Usage\n"), "\(path)")
            for option in command.options where !option.isHidden {
                #expect(said.output.contains("--\(option.name)"))
            }
            for example in command.examples { #expect(said.output.contains(example.line)) }
            #expect(!said.output.contains("\u{1B}"))
            let prose = said.output.split(separator: "\n").filter { !$0.hasPrefix("  ") }
            #expect(prose.allSatisfy { $0.count <= 80 }, "\(path)")
        }
        #expect(quire(["help", "config"]).output == quire(["config", "--help"]).output)
        #expect(quire([]).output == quire(["--help"]).output)
        #expect(quire(["help", "confg"]).error.contains("Did you mean “config”?"))
    }

    @Test("colours appear on a terminal only")
    func colours() {
        #expect(quire(["--help"], asTerminal: true).output.contains("\u{1B}[1m"))
        #expect(!quire(["--help"]).output.contains("\u{1B}"))
    }

    @Test("wrong usage ends with 2 and says what to do, in JSON when asked")
    func usage() {
        let said = quire(["confi"])
        #expect(said.code == .usage)
        #expect(said.error == "quire: quire has no command “confi”. Did you mean “quire config”?\n")
        #expect(quire(["confi", "--json"]).error.hasPrefix("{\"error\":{\"code\":\"usage\""))
    }

    @Test("exit codes are one table without gaps or doubles")
    func exitCodes() {
        #expect(ExitCode.table.map(\.code) == ExitCode.allCases)
    }
}
