import Glibc
import Synchronization
import Testing
import Work

@Suite("Child processes")
struct ChildTests {
    @Test("a program gets exactly its arguments, environment, folder and input")
    func exactness() throws {
        let outcome = try Child(
            "sh", ["-c", "printf '%s|' \"$@\"; env | sort; pwd; cat", "sh", "a b", "", "ü"],
            environment: ["ONLY": "this"], folder: "/usr", input: .bytes(Array("hello".utf8))
        ).run()
        #expect(outcome.succeeded)
        #expect(outcome.outputText == "a b||ü|ONLY=this\nPWD=/usr\n/usr\nhello")
    }

    @Test("a program's failure is an outcome, a missing program an error")
    func failures() throws {
        #expect(try Child("sh", ["-c", "echo sorry >&2; exit 3"]).run().ending == .exited(3))
        #expect(try Child("sh", ["-c", "echo sorry >&2"]).run().errorText == "sorry\n")
        #expect(try Child("sh", ["-c", "kill -SEGV $$"]).run().ending == .killed(signal: SIGSEGV))
        #expect(throws: ChildError.programMissing("no-such-program")) { try Child("no-such-program").run() }
        #expect(throws: ChildError.refused(step: "enter the folder", code: ENOENT)) {
            try Child("true", folder: "/no/such/folder").run()
        }
    }

    @Test("no descriptor, ignored signal or mask is inherited")
    func inheritance() throws {
        signal(SIGPIPE, SIG_IGN)
        let leak = open("/etc/passwd", O_RDONLY)
        defer { close(leak) }
        let outcome = try Child("sh", ["-c", "ls /proc/self/fd; grep -E 'Sig(Ign|Blk)' /proc/self/status"])
            .run()
        // The fourth is the open folder that `ls` itself is listing.
        #expect(
            outcome.outputText
                == "0\n1\n2\n3\nSigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n")
    }

    @Test("more output than wanted is cut, and the program goes on")
    func cutOutput() throws {
        let outcome = try Child(
            "sh", ["-c", "head -c 5000000 /dev/zero; echo end >&2"], output: .captured(limit: 1000)
        ).run()
        #expect(outcome.succeeded)
        #expect(outcome.output.count == 1000)
        #expect(outcome.isOutputCut)
        #expect(outcome.errorText == "end\n")
    }

    @Test("output goes to a file, input comes from one")
    func files() throws {
        let path = "/tmp/quire-child-\(getpid())"
        defer { unlink(path) }
        #expect(try Child("sh", ["-c", "echo line"], output: .file(path)).run().succeeded)
        #expect(try Child("cat", input: .file(path)).run().outputText == "line\n")
    }

    @Test("at its time limit a program ends with its children")
    func timeLimit() throws {
        let mark = "77\(getpid())1"
        let outcome = try Child(
            "sh", ["-c", "sleep \(mark) & sleep \(mark) & wait"], limits: .init(time: .milliseconds(150))
        ).run()
        #expect(outcome.ending == .stopped(.timeLimit))
        #expect(Running.count(mentioning: mark) == 0)
    }

    @Test("what a program leaves running ends with it")
    func leftovers() throws {
        let mark = "77\(getpid())2"
        #expect(try Child("sh", ["-c", "sleep \(mark) & echo done"]).run().outputText == "done\n")
        #expect(Running.count(mentioning: mark) == 0)
    }

    @Test("cancelling ends a program, even one cancelled before it began")
    func cancelling() throws {
        let cancellation = Cancellation()
        let thread = Thread(name: "canceller") {
            while Running.count(mentioning: "77\(getpid())3") == 0 { sched_yield() }
            cancellation.cancel(reason: "enough")
        }
        let outcome = try Child("sleep", ["77\(getpid())3"]).run(cancellation: cancellation)
        thread.join()
        #expect(outcome.ending == .stopped(.cancelled(reason: "enough")))
        #expect(
            try Child("sleep", ["100"]).run(cancellation: cancellation).ending
                == .stopped(.cancelled(reason: "enough")))
    }

    @Test("a polite program lets others go first, and never goes before the one that runs it")
    func politeness() throws {
        let said = Monitor<[String]>([])
        let patient = Thread(name: "patient") {
            var limits = Child.Limits()
            limits.isPolite = true
            let ask = { [limits] in (try? Child("nice", limits: limits).run().outputText) ?? "failed" }
            let before = ask()
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 15)
            said.update { $0 = [before, ask()] }
        }
        patient.join()
        #expect(said.read { $0.last } == "15\n")
        #expect(said.read { $0.first }.flatMap { Int($0.dropLast()) } ?? 0 >= 10)
    }

    @Test("a polite program is not blamed for standing back, and one that sleeps for ever still ends")
    func patience() throws {
        var limits = Child.Limits(time: .milliseconds(300))
        #expect(try Child("sleep", ["60"], limits: limits).run().ending == .stopped(.timeLimit))
        limits.isPolite = true
        #expect(try Child("sleep", ["1"], limits: limits).run().ending == .exited(0))
        limits.time = .milliseconds(20)
        #expect(try Child("sleep", ["60"], limits: limits).run().ending == .stopped(.timeLimit))
    }

    @Test("limits hold: processor time, file length, memory")
    func limits() throws {
        let endless = try Child("sh", ["-c", "while :; do :; done"], limits: .init(cpu: .seconds(1))).run()
        #expect(endless.ending == .killed(signal: SIGXCPU))
        #expect(endless.cpuTime >= .milliseconds(500))
        let path = "/tmp/quire-limit-\(getpid())"
        defer { unlink(path) }
        let long = try Child(
            "sh", ["-c", "exec head -c 100000000 /dev/zero"], output: .file(path),
            limits: .init(fileByteCount: 1 << 20)
        ).run()
        #expect(long.ending == .killed(signal: SIGXFSZ))
        let hungry = try Child(
            "perl", ["-e", "$x = 'x' x (1 << 29); sleep 100"],
            limits: .init(time: .seconds(20), memoryByteCount: 1 << 27)
        ).run()
        // It is refused what it asks for, and ends by itself long before its time. How much a child had at most says
        // nothing here: that begins with what its parent had when it was made, and the tests are large.
        guard case .exited(let code) = hungry.ending else {
            Issue.record("it ended otherwise: \(hungry.ending)")
            return
        }
        #expect(code != 0)
    }

    @Test("after a hundred programs, however they ended, no descriptor is open and no zombie left")
    func noLeak() async {
        // In a process of its own, where nobody else opens files meanwhile.
        await #expect(processExitsWith: .success) {
            // What runs tests here opens and closes files of its own for a moment: counted until it is still.
            func openFiles() -> Int {
                var counts: [Int] = []
                repeat {
                    counts.append((0..<1024).count { fcntl(Int32($0), F_GETFD) >= 0 })
                    usleep(20_000)
                } while counts.count < 500 && (counts.count < 5 || Set(counts.suffix(5)).count > 1)
                return counts[counts.count - 1]
            }
            _ = try Child("true").run()
            let before = openFiles()
            for turn in 0..<100 {
                switch turn % 4 {
                case 0: _ = try Child("echo", ["x"], input: .bytes([1, 2, 3])).run()
                case 1: _ = try? Child("true", folder: "/no/such/folder").run()
                case 2: _ = try? Child("true", input: .file("/no/such/file")).run()
                default: _ = try Child("sleep", ["9"], limits: .init(time: .milliseconds(5))).run()
                }
            }
            exit(openFiles() == before && Running.zombieChildren == 0 ? 0 : 1)
        }
    }

    @Test("hundreds of programs run on several threads at once")
    func manyTimes() throws {
        let workers = Workers(name: "spawn", threads: 4)
        defer { workers.stop() }
        _ = try workers.map([1, 2, 3, 4]) { _ in try Child("true").run() }
        let texts = try workers.map(Array(0..<200)) { try Child("echo", ["\($0)"]).run().outputText }
        #expect(texts == (0..<200).map { "\($0)\n" })
    }
}

/// What `/proc` shows, asked by tests.
enum Running {
    static func count(mentioning text: String) -> Int {
        processes.count { id in
            guard id != getpid() else { return false }
            return contents("/proc/\(id)/cmdline").contains(text) && state(id) != "Z"
        }
    }

    static var zombieChildren: Int {
        processes.count { state($0) == "Z" && parent($0) == "\(getpid())" }
    }

    private static func state(_ id: pid_t) -> String { stat(id).first ?? "" }
    private static func parent(_ id: pid_t) -> String { stat(id).dropFirst().first ?? "" }

    private static func stat(_ id: pid_t) -> [String] {
        let text = contents("/proc/\(id)/stat")
        guard let bracket = text.lastIndex(of: ")") else { return [] }
        return text[text.index(after: bracket)...].split(separator: " ").map(String.init)
    }

    private static var processes: [pid_t] {
        guard let folder = opendir("/proc") else { return [] }
        defer { closedir(folder) }
        var result: [pid_t] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if let id = pid_t(name) { result.append(id) }
        }
        return result
    }

    static func contents(_ path: String) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = read(file, &bytes, bytes.count)
        return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
    }
}
