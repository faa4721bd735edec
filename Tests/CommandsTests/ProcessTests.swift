import Glibc
import TestSupport
import Testing
import Work

/// The program beside the tests, as a shell starts it.
private let program: String? = {
    var path = [CChar](repeating: 0, count: 4096)
    guard readlink("/proc/self/exe", &path, 4095) > 0 else { return nil }
    let own = String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // Swift Testing may run the bundle itself or load it into a helper of the toolchain.
    let folders = [own] + CommandLine.arguments.filter { $0.hasPrefix("/") }
    return folders.map { $0.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/quire" }
        .first { access($0, X_OK) == 0 }
}()

@Suite(.enabled(if: program != nil, "the program was not built beside the tests"))
struct ProcessTests {
    private func shell(_ line: String, home: String) throws -> Child.Outcome {
        try Child(
            "/bin/bash", ["-c", line],
            environment: [
                "PATH": "/usr/bin:/bin", "HOME": home, "QUIRE": try #require(program), "LC_ALL": "C.UTF-8",
            ]
        ).run()
    }

    @Test(
        "exit codes reach the shell",
        arguments: [("--version", 0), ("nonsense", 2), ("list", 3), ("config --port x", 12)])
    func exitCodes(_ words: String, _ code: Int32) throws {
        try withScratchFolder { home in
            let outcome = try shell("$QUIRE \(words)", home: home)
            #expect(outcome.ending == .exited(code), "\(outcome.errorText)")
        }
    }

    @Test("a reader that has seen enough is no error")
    func closedPipe() throws {
        try withScratchFolder { home in
            // Five times: one page fits into the pipe before anybody looks.
            let pages = "for i in 1 2 3 4 5; do $QUIRE man; code=$?; done; echo $code >&2"
            let outcome = try shell("(\(pages)) | head -n 1", home: home)
            #expect(outcome.outputText.hasPrefix(".TH QUIRE 1"))
            #expect(outcome.errorText == "141\n")
        }
    }

    @Test(
        "what could not be written is said, and ends with a code of its own",
        arguments: ["man", "--version", "help serve", "config --json", "tokens list"])
    func fullOutput(_ words: String) throws {
        try withScratchFolder { home in
            _ = try shell("QUIRE_HOME=$HOME/desk $QUIRE tokens add first", home: home)
            let outcome = try shell("QUIRE_HOME=$HOME/desk $QUIRE \(words) > /dev/full", home: home)
            #expect(outcome.ending == .exited(8), "\(outcome.ending)")
            #expect(outcome.errorText.contains("could not be written: No space left on device."))
        }
    }

    @Test(
        "what is shown once and could not be written is taken back",
        arguments: ["> /dev/full", ">&-"])
    func secretNobodySees(_ end: String) throws {
        try withScratchFolder { home in
            let begin = "export QUIRE_HOME=$HOME/desk;"
            _ = try shell("\(begin) echo hello > $HOME/a.txt; $QUIRE add $HOME/a.txt", home: home)
            for (words, list) in [
                ("tokens add scanner", "tokens list"), ("share add a.txt", "share list"),
                ("users invite --note Ben", ""),
            ] {
                let outcome = try shell("\(begin) $QUIRE \(words) \(end)", home: home)
                #expect(outcome.ending != .exited(0), "\(words)")
                #expect(outcome.errorText.contains("It was taken back."), "\(words) \(outcome.errorText)")
                guard !list.isEmpty else { continue }
                let left = try shell("\(begin) $QUIRE \(list) --json", home: home).outputText
                #expect(!left.contains("scanner") && !left.contains("\"open\""), "\(left)")
            }
        }
    }

    @Test("a table comes in through a pipe")
    func tableFromPipe() throws {
        try withScratchFolder { home in
            let outcome = try shell(
                "printf 'name;class\\nAna;5a\\nBo;5b\\n' | QUIRE_HOME=$HOME/desk $QUIRE recipients add -",
                home: home)
            #expect(outcome.outputText.contains("“Standard input”: 2 people"), "\(outcome.errorText)")
        }
    }

    @Test("a pipe sees no colours, whatever the terminal")
    func colours() throws {
        try withScratchFolder { home in
            let outcome = try shell("TERM=xterm-256color $QUIRE --help", home: home)
            #expect(!outcome.outputText.contains("\u{1B}") && outcome.succeeded)
        }
    }

    @Test("Ctrl-C ends a long command with 130 and leaves nothing behind")
    func interrupt() throws {
        try withScratchFolder { home in
            // Job control, so that the shell does not make its children deaf to Ctrl-C.
            let script = """
                set -m; export QUIRE_HOME=$HOME/desk; truncate -s 20G $HOME/large; $QUIRE add $HOME/large &
                until ls $QUIRE_HOME/tmp/add-* >/dev/null 2>&1; do sleep 0.02; done
                kill -INT %1; wait %1; echo $?; ls $QUIRE_HOME/tmp | wc -l
                """
            let outcome = try shell(script, home: home)
            #expect(outcome.outputText == "130\n0\n", "\(outcome.outputText) \(outcome.errorText)")
            #expect(outcome.errorText.contains("quire: Cancelled"))
        }
    }

    @Test("serve answers, moves to a free port, refuses a second server, and ends politely when asked to")
    func serve() throws {
        try withScratchFolder { home in
            let script = """
                export QUIRE_HOME=$HOME/desk
                python3 -c 'import socket,time; s=socket.socket(); s.bind(("127.0.0.1",8484)); s.listen(); print("bound", flush=True); time.sleep(30)' >$HOME/bound 2>&1 &
                taken=$!
                for i in $(seq 200); do [ -s $HOME/bound ] && break; sleep 0.05; done
                $QUIRE serve --no-open --json >$HOME/said 2>/dev/null &
                server=$!
                for i in $(seq 200); do [ -s $HOME/said ] && break; sleep 0.05; done
                $QUIRE serve --port 0 --no-open 2>/dev/null; echo $?
                kill $taken
                kill -TERM $server; wait $server; echo $?
                """
            let outcome = try shell(script, home: home)
            #expect(outcome.outputText == "4\n0\n", "\(outcome.outputText) \(outcome.errorText)")
            let said = try shell("cat $HOME/said", home: home).outputText
            #expect(
                said.contains("\"welcome\":\"http://localhost:") && !said.contains("\"port\":8484,"),
                "\(said)")
        }
    }
}
