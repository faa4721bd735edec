import Access
import Glibc
import Jobs
import People
import SQL
import Storage
import Tables
import TestSupport
import Testing
import Work

@Suite("Killed while recipients are brought in", .serialized)
struct InterruptionTests {
    /// What the list held at a moment: every row is of one version of the file.
    private struct State: Equatable {
        var version: Int
        var count: Int
        var isCut: Bool
    }

    @Test("The list is as it was or as it should be, and never half of either", arguments: Database.Kind.here)
    func kills(kind: Database.Kind) throws {
        let rounds = kind == .sqlite ? 100 : 8
        let chance = Chance.seeded(2026)
        let areas = [Gate.migrations, JobQueue.migrations, Recipients.migrations]
        try withDeskPlace(kind, areas: areas) { place in
            var known = State(version: 0, count: 0, isCut: true)
            for round in 0..<rounds {
                let work = try KilledWork(["people-work", place.home], place)
                try work.killAfter(lines: chance.integer(below: 3), waiting: chance.integer(below: 120_000))
                if let said = work.lines.last { known = try state(said) }
                let store = try place.open(clock: .system, chance: .system)
                defer { store.close() }
                try store.lockForServing()
                let recipients = Recipients(Gate(store), queue: JobQueue(store))
                try recipients.sweep(grace: .seconds(-1))
                #expect(try recipients.verify() == [], "round \(round)")
                guard let list = try recipients.all(by: .local).first else { continue }
                var versions: Set<String> = []
                var count = 0
                try recipients.each(list.id, by: .local) { recipient in
                    versions.insert(recipient.cells[1].shown)
                    count += 1
                }
                #expect(versions.count <= 1, "round \(round): \(versions)")
                #expect(count == list.count)
                let version = versions.first.flatMap { Int($0) } ?? 0
                let now = State(version: version, count: count, isCut: count != full(version))
                #expect(now == known || now == next(known), "round \(round): \(now) after \(known)")
                known = now
            }
            #expect(known.version > 2)
        }
    }

    /// As in quire-bench.
    private func full(_ version: Int) -> Int { version == 0 ? -1 : 400 + version * 137 % 900 }

    private func next(_ state: State) -> State {
        guard state.isCut else {
            let kept = (1...full(state.version)).count { !"\($0)".hasPrefix("1") }
            return State(version: state.version, count: kept, isCut: true)
        }
        return State(version: state.version + 1, count: full(state.version + 1), isCut: false)
    }

    private func state(_ line: String) throws -> State {
        let words = line.split(separator: " ")
        return State(
            version: try #require(Int(words[1])), count: try #require(Int(words[2])), isCut: words[0] == "-")
    }
}

/// A program of the benches at work until it is killed.
private final class KilledWork {
    private(set) var lines: [String] = []
    private let process: pid_t
    private let output: Int32
    private var partial: [UInt8] = []

    init(_ arguments: [String], _ place: DeskPlace) throws {
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
        var copies: [UnsafeMutablePointer<CChar>?] = ([program] + arguments + [database]).map { strdup($0) }
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

    /// Kills without warning once so many lines were read, some microseconds later.
    func killAfter(lines count: Int, waiting microseconds: Int) throws {
        while lines.count < count, read() {}
        usleep(UInt32(microseconds))
        kill(process, SIGKILL)
        while read() {}
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        try #require(status & 0x7F == SIGKILL, "the program ended by itself")
    }

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
