import Synchronization

@testable import Commands

/// What a command wrote, and how it ended.
struct Said {
    var code: ExitCode
    var output: String
    var error: String
}

/// Runs a command line in this process, as the shell would.
func quire(
    _ words: [String], home: String = "/nonexistent", environment: [String: String] = [:],
    answers: [String] = [], asTerminal: Bool = false, width: Int = 80
) -> Said {
    let paper = Paper(answers: answers)
    let style = Style(isOn: asTerminal)
    let terminal = Terminal(
        write: { text in paper.output.withLock { $0 += text } },
        writeError: { text in paper.error.withLock { $0 += text } },
        ask: { _, _ in paper.answers.withLock { $0.popFirst() } },
        isOutputTerminal: asTerminal, isErrorTerminal: asTerminal, isInputTerminal: asTerminal, width: width,
        outputStyle: style, errorStyle: style)
    var environment = environment
    environment["HOME"] = environment["HOME"] ?? home
    let code = Program(terminal: terminal, environment: environment, folder: home).run(words)
    return Said(code: code, output: paper.output.withLock { $0 }, error: paper.error.withLock { $0 })
}

private final class Paper: Sendable {
    let output = Mutex("")
    let error = Mutex("")
    let answers: Mutex<ArraySlice<String>>

    init(answers: [String]) {
        self.answers = Mutex(answers[...])
    }
}
