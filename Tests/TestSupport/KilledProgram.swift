import Glibc
import Testing

/// A program of this package at work until it is killed without warning. When that is hangs on what it has said and
/// not on the clock alone, so that a busy machine kills it at the same points of its work.
public final class KilledProgram {
    /// The lines it has said.
    public private(set) var lines: [String] = []
    private let process: pid_t
    private let output: Int32
    private var partial: [UInt8] = []

    public init(_ name: String, _ arguments: [String]) throws {
        let program = try #require(builtProgram(name))
        var ends: [Int32] = [-1, -1]
        let piped = pipe(&ends)
        try #require(piped == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        var copies: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
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

    /// Kills it once it has said so many lines, some microseconds later; false if it had ended by itself before.
    public func kill(afterLines count: Int, waiting microseconds: Int) -> Bool {
        while lines.count < count, read() {}
        usleep(UInt32(microseconds))
        Glibc.kill(process, SIGKILL)
        while read() {}
        return ended() & 0x7F == SIGKILL
    }

    /// Lets it come to its own end; whether all went well.
    public func finish() -> Bool {
        while read() {}
        return ended() == 0
    }

    private func ended() -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status
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
