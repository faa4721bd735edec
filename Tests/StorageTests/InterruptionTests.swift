import Glibc
import SQL
import Storage
import TestSupport
import Testing
import Work

@Suite("Killed in the middle of work")
struct InterruptionTests {
    @Test(
        "Nothing that was said to be saved is lost, and no file is half written",
        arguments: Database.Kind.here)
    func kills(kind: Database.Kind) throws {
        let rounds = kind == .sqlite ? 50 : 8
        let chance = Chance.seeded(2026)
        try withDeskPlace(kind, areas: [papers]) { place in
            var expected: [String: String] = [:]
            for round in 0..<rounds {
                let work = try Interrupted(place, seed: UInt64(round))
                try work.killAfter(
                    lines: 1 + chance.integer(below: 60), spinning: chance.integer(below: 60_000))
                for line in work.lines {
                    let words = line.split(separator: " ").map(String.init)
                    expected[words[1]] = words[0] == "-" ? "removed" : words.count > 2 ? words[2] : "note"
                }
                let store = try place.open(clock: .system, chance: .system)
                defer { store.close() }
                try store.lockForServing()
                var found: [String: String] = [:]
                try store.read { desk in
                    try desk.each("SELECT id, digest FROM paper") { row in
                        found[try row.text("id")] = try row.optionalText("digest") ?? "note"
                    }
                }
                let lost = expected.filter { id, what in
                    what != "removed" && found[id] != what && !work.mayBeRemoved(id)
                }
                #expect(lost.isEmpty, "round \(round) lost \(lost)")
                let undead = expected.filter { id, what in what == "removed" && found[id] != nil }
                #expect(undead.isEmpty, "round \(round) still has \(undead)")
                for id in expected.keys where found[id] == nil { expected[id] = "removed" }
                #expect(try store.verify().problems == [], "round \(round)")
                #expect(files(below: store.home.temporary) == [])
            }
            #expect(expected.count > rounds)
        }
    }

    /// As in quire-bench.
    private let papers = MigrationArea(
        "papers",
        [
            Migration(
                "paper",
                script: """
                    CREATE TABLE paper (
                        id TEXT NOT NULL PRIMARY KEY,
                        digest TEXT REFERENCES blob (digest)
                    )
                    """)
        ])
}

/// A program at work until it is killed.
private final class Interrupted {
    private(set) var lines: [String] = []
    private let process: pid_t
    private let output: Int32
    private var partial: [UInt8] = []

    init(_ place: DeskPlace, seed: UInt64) throws {
        let program = try #require(builtProgram("quire-bench"))
        let database = if case .postgres(let address, _) = place.database { address } else { "sqlite" }
        var ends: [Int32] = [-1, -1]
        let piped = pipe(&ends)
        try #require(piped == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        let words = [program, "storage-work", place.home, database, "\(seed)"]
        var copies: [UnsafeMutablePointer<CChar>?] = words.map { word in strdup(word) }
        copies.append(nil)
        defer { for copy in copies { free(copy) } }
        var started: pid_t = 0
        let code = posix_spawn(&started, program, &actions, nil, copies, environ)
        try #require(code == 0)
        close(ends[1])
        process = started
        output = ends[0]
    }

    deinit { close(output) }

    /// Kills without warning once so many lines were read, a few steps of the processor later.
    func killAfter(lines count: Int, spinning steps: Int) throws {
        while lines.count < count, read() {}
        var sum = 0
        for step in 0..<steps { sum &+= step ^ sum }
        try #require(sum != .min)
        kill(process, SIGKILL)
        while read() {}
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        try #require(status & 0x7F == SIGKILL, "the program ended by itself")
    }

    /// A removal may have been saved in the moment before its line.
    func mayBeRemoved(_ id: String) -> Bool { removable.contains(id) }

    private lazy var removable = Set(
        lines.filter { $0.hasPrefix("+") }.map { String($0.split(separator: " ")[1]) })

    private func read() -> Bool {
        var piece = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(output, &piece, piece.count)
        guard count > 0 else { return false }
        partial += piece[..<count]
        while let end = partial.firstIndex(of: UInt8(ascii: "\n")) {
            lines.append(String(decoding: partial[..<end], as: UTF8.self))
            partial.removeSubrange(...end)
        }
        return true
    }
}
