import Glibc
import TestSupport
import Testing
import Work

@testable import Commands

private func hasProgram(_ path: String) -> Bool { access(path, X_OK) == 0 }

@Suite struct ScriptsTests {
    private func withFile<R>(_ name: String, _ text: String, _ body: (String) throws -> R) throws -> R {
        try withScratchFolder { folder in
            let path = "\(folder)/\(name)"
            let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
            try #require(file >= 0)
            let bytes = Array(text.utf8)
            #expect(write(file, bytes, bytes.count) == bytes.count)
            close(file)
            return try body(path)
        }
    }

    private func run(_ program: String, _ arguments: [String]) throws -> Child.Outcome {
        try Child(program, arguments, environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]).run()
    }

    @Test(
        "the shell finishes commands, options, choices and values",
        arguments: [
            ("quire con", "convert config contacts"), ("quire completions ", "bash zsh fish"),
            ("quire --js", "--json"),
            ("quire config --log-f", "--log-format"), ("quire config --log-format ", "text json"),
            ("quire -q confi", "config"),
        ])
    func bash(_ line: String, _ expected: String) throws {
        let script = try #require(Completions.script(for: "bash", of: .quire))
        try withFile("quire.bash", script) { path in
            let words = line.split(separator: " ", omittingEmptySubsequences: false)
            let list = words.map { "'\($0)'" }.joined(separator: " ")
            let outcome = try run(
                "/bin/bash",
                [
                    "-c",
                    "set -u; source \(path); COMP_WORDS=(\(list)); COMP_CWORD=\(words.count - 1); _quire; echo \"${COMPREPLY[*]}\"",
                ])
            #expect(outcome.outputText == expected + "\n", "\(outcome.errorText)")
        }
    }

    @Test("zsh accepts its script", .enabled(if: hasProgram("/usr/bin/zsh"), "zsh is not installed"))
    func zsh() throws {
        let script = try #require(Completions.script(for: "zsh", of: .quire))
        try withFile("_quire", script) { path in
            let outcome = try run("/usr/bin/zsh", ["-n", path])
            #expect(outcome.succeeded, "\(outcome.errorText)")
        }
    }

    @Test("fish accepts its script", .enabled(if: hasProgram("/usr/bin/fish"), "fish is not installed"))
    func fish() throws {
        let script = try #require(Completions.script(for: "fish", of: .quire))
        try withFile("quire.fish", script) { path in
            let outcome = try run("/usr/bin/fish", ["--no-execute", path])
            #expect(outcome.succeeded, "\(outcome.errorText)")
        }
    }

    @Test(
        "the manual page is set without a complaint and tells every command, value and exit code",
        .enabled(if: hasProgram("/usr/bin/groff"), "groff is not installed"))
    func manual() throws {
        let page = Manual(root: .quire).text
        try withFile("quire.1", page) { path in
            let set = try run("/usr/bin/groff", ["-man", "-Tutf8", "-ww", "-P-cbou", path])
            #expect(set.succeeded && set.errorText.isEmpty, "\(set.errorText)")
            for (path, _) in everyCommand where !path.isEmpty {
                #expect(set.outputText.contains("quire \(path.joined(separator: " "))"), "\(path)")
            }
            #expect(set.outputText.contains("QUIRE_UPLOAD_LIMIT"))
            #expect(set.outputText.contains("the program that read the output went away"))
        }
    }
}
