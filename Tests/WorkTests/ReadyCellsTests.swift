import Glibc
import Testing
import Work

@Suite("Cells made ready", .serialized)
struct ReadyCellsTests {
    @Test(
        "each program gets a cell of its own, with its files and nothing of the one before",
        arguments: Walls.allCases)
    func apart(walls: Walls) throws {
        let cells = ReadyCells(jail: try walls.jail())
        defer { cells.close() }
        var folders: Set<String> = []
        for number in 0..<4 {
            let outcome = try cells.run(
                "sh", ["-c", "pwd; ls; cat in.txt; echo left > left.txt; cat"],
                files: [("in.txt", Array("paper \(number)\n".utf8))])
            #expect(outcome.ending == .exited(0))
            #expect(outcome.errorText == "")
            let lines = outcome.outputText.split(separator: "\n")
            #expect(lines.dropFirst() == ["in.txt", "paper \(number)"])
            folders.insert(String(lines.first ?? ""))
            cells.settle()
        }
        #expect(folders.count == 4)
        cells.close()
        for folder in folders { #expect(access(folder, F_OK) != 0) }
    }

    @Test("a program is told its arguments as they are")
    func arguments() throws {
        let cells = ReadyCells(jail: try Walls.everything.jail())
        defer { cells.close() }
        let plain = ["", " a  b ", "$HOME `id` $(id)", "it's", "back\\slash\\n", "-n", "*", "ünïcödé", "\t"]
        for words in [plain, plain, plain + ["two\nlines"]] {
            let outcome = try cells.run("perl", ["-e", "print map { qq{[$_]} } @ARGV", "--"] + words)
            #expect(outcome.outputText == words.map { "[\($0)]" }.joined())
            let long = String(repeating: "x", count: 20_000)
            #expect(try cells.run("perl", ["-e", "print length $ARGV[0]", long]).outputText == "20000")
            cells.settle()
        }
        #expect(throws: ChildError.programMissing("no-such-program")) { try cells.run("no-such-program") }
    }

    @Test("the walls stand around a program that waited", arguments: Walls.allCases)
    func walls(walls: Walls) throws {
        let jail = try walls.jail { $0.keepsFromFiles && $0.keepsFromNetwork }
        let secret = "/tmp/quire-ready-secret-\(getpid())-\(walls)"
        let file = open(secret, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        write(file, "secret", 6)
        close(file)
        defer { unlink(secret) }
        let service = try LocalService()
        let cells = ReadyCells(jail: jail)
        defer { cells.close() }
        _ = try cells.run("true")
        cells.settle()
        let attempts = """
            use Socket; use POSIX ();
            for ('\(secret)', '/etc/shadow', '/proc/\(getpid())/environ') { print 'read ' if open(my $f, '<', $_) }
            for ('/', '/tmp', '/usr', '/dev', '/run') {
                print "wrote $_ " if open(my $f, '>', "$_/quire-ready-\(getpid())")
            }
            print 'sent ' if socket(my $s, PF_INET, SOCK_STREAM, 0)
                && connect($s, sockaddr_in(\(service.port), inet_aton('127.0.0.1')));
            print 'left ' if POSIX::setsid() > 0;
            open(my $status, '<', '/proc/self/status'); print grep { /NoNewPrivs|CapEff/ } <$status>;
            """
        // On one line, as two are too much for who waits.
        let line = attempts.replacing("\n", with: " ")
        let waiting = cells.waiting
        let said = try cells.run("perl", ["-e", line]).outputText
        #expect(waiting != nil && cells.waiting != waiting)
        for place in ["", "/tmp", "/usr", "/dev", "/run"] {
            #expect(access("\(place)/quire-ready-\(getpid())", F_OK) != 0)
        }
        // In memory of its own, which nobody else sees.
        #expect(
            said.replacing("wrote /tmp ", with: "") == "CapEff:\t0000000000000000\nNoNewPrivs:\t1\n")
    }

    @Test("its limits are those of any cell, and its time begins when it is told", arguments: Walls.allCases)
    func limits(walls: Walls) throws {
        let mark = "77\(getpid())3\(walls)"
        var limits = Child.Limits.jailed
        limits.time = .seconds(4)
        limits.memoryByteCount = 256 << 20
        limits.fileByteCount = 4 << 20
        let cells = ReadyCells(jail: try walls.jail(), limits: limits, outputLimit: 100)
        defer { cells.close() }
        #expect(try cells.run("true").succeeded)
        cells.settle()
        usleep(4_200_000)
        #expect(try cells.run("sleep", ["0.1"]).succeeded)
        cells.settle()
        let endless = try cells.run("sh", ["-c", "(while :; do :; done) & while :; do :; done", mark])
        #expect(endless.ending == .stopped(.timeLimit))
        cells.settle()
        #expect(try cells.run("perl", ["-e", "my $x = 'x' x (1 << 30); print 'grown'"]).outputText == "")
        cells.settle()
        let giant = try cells.run("sh", ["-c", "exec head -c 1000000000 /dev/zero > big"])
        #expect(giant.ending == .killed(signal: SIGXFSZ))
        cells.settle()
        let loud = try cells.run("head", ["-c", "1000", "/dev/zero"])
        #expect(loud.isOutputCut)
        #expect(loud.output.count == 100)
        cells.close()
        #expect(Running.count(mentioning: mark) == 0)
    }

    @Test("who waits can be killed: the next program gets a cell all the same")
    func killed() throws {
        let cells = ReadyCells(jail: try Walls.everything.jail())
        defer { cells.close() }
        for _ in 0..<3 {
            _ = try cells.run("true")
            cells.settle()
            let waiting = try #require(cells.waiting)
            #expect(kill(waiting, SIGKILL) == 0)
            while !Running.contents("/proc/\(waiting)/stat").contains(") Z") { usleep(1000) }
            #expect(try cells.run("echo", ["fine"]).outputText == "fine\n")
        }
    }

    @Test("what nobody asks for is given up, and made again for who does")
    func patience() throws {
        let cells = ReadyCells(jail: try Walls.everything.jail(), patience: .seconds(3))
        defer { cells.close() }
        for _ in 0..<2 {
            _ = try cells.run("true")
            cells.settle()
            let waiting = try #require(cells.waiting)
            let clock = Stopwatch()
            while kill(waiting, 0) == 0, clock.elapsed < .seconds(90) { usleep(10_000) }
            #expect(cells.waiting == nil)
        }
    }

    @Test("many at once each get what they asked for, and nothing waits after the end")
    func crowd() throws {
        let cells = ReadyCells(jail: try Walls.everything.jail())
        let workers = Workers(name: "crowd", threads: 8)
        let said = try workers.map(Array(0..<60)) { number in
            try cells.run("cat", ["in.txt"], files: [("in.txt", Array("\(number)".utf8))]).outputText
        }
        #expect(said == (0..<60).map(String.init))
        cells.settle()
        let waiting = cells.waiting
        cells.close()
        if let waiting { #expect(kill(waiting, 0) != 0) }
        #expect(cells.waiting == nil)
        #expect(try cells.run("echo", ["fine"]).outputText == "fine\n")
        #expect(cells.waiting == nil)
        workers.stop()
    }

    @Test("a program is ended by whoever no longer wants its answer")
    func cancelled() throws {
        let cells = ReadyCells(jail: try Walls.everything.jail())
        defer { cells.close() }
        _ = try cells.run("true")
        cells.settle()
        let cancellation = Cancellation()
        let thread = Thread(name: "impatient") {
            usleep(100_000)
            cancellation.cancel(reason: "enough")
        }
        let outcome = try cells.run("sleep", ["60"], cancellation: cancellation)
        #expect(outcome.ending == .stopped(.cancelled(reason: "enough")))
        thread.join()
    }
}
