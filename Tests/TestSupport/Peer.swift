import Glibc
import Synchronization

/// The other side of a connection: one of the programs in Tests/Peers, listening on loopback until forgotten.
public final class Peer: Sendable {
    public let port: Int
    private let lifeline: Int32
    private let process: pid_t

    public var url: String { "http://127.0.0.1:\(port)" }

    public init(_ script: String, _ arguments: [String] = []) throws {
        var life: [Int32] = [-1, -1]
        var answer: [Int32] = [-1, -1]
        guard pipe(&life) == 0, pipe(&answer) == 0 else { throw PeerError(why: "no pipe") }
        for end in life + answer { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        lifeline = life[1]
        let log = "/tmp/quire-peer-\(getpid())-\(script).log"
        process = try Self.spawn(
            [Self.python, "-B", "\(Self.folder)/\(script)"] + arguments, life[0], answer[1], log)
        close(life[0])
        close(answer[1])
        defer { close(answer[0]) }
        var said: [UInt8] = []
        while !said.contains(0x0A) {
            var piece = [UInt8](repeating: 0, count: 256)
            let count = read(answer[0], &piece, piece.count)
            guard count > 0 else { throw PeerError(why: "\(script) did not start; see \(log)") }
            said += piece.prefix(count)
        }
        let words = String(decoding: said, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        guard words.count == 2, let port = Int(words[1]) else {
            throw PeerError(why: "\(script) said nothing useful")
        }
        self.port = port
        unlink(log)
    }

    /// Waits for the end as well: Swift Testing's exit tests look at every child that has died and was not
    /// asked about, for ever.
    deinit {
        close(lifeline)
        while waitpid(process, nil, 0) < 0 && errno == EINTR {}
    }

    /// Whether the peers' interpreter has a module: `@Test(.enabled(if: Peer.has("aiosmtpd")))`.
    public static func has(_ module: String) -> Bool {
        known.withLock { known in
            if let answer = known[module] { return answer }
            let found = system("'\(python)' -c 'import \(module)' >/dev/null 2>&1") == 0
            known[module] = found
            return found
        }
    }

    private static let known = Mutex<[String: Bool]>([:])
    private static let folder =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
        .joined(separator: "/") + "/Peers"

    static let python: String = {
        let own =
            folder.split(separator: "/", omittingEmptySubsequences: false).dropLast(2).joined(separator: "/")
            + "/.venv/bin/python3"
        return access(own, X_OK) == 0 ? own : "python3"
    }()

    private static func spawn(
        _ words: [String], _ input: Int32, _ output: Int32, _ log: String
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        // The thread of a test blocks signals, and what a peer starts would inherit that: no word would end it.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let copies = words.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        var child: pid_t = 0
        guard posix_spawnp(&child, words[0], &actions, &attributes, copies + [nil], environ) == 0 else {
            throw PeerError(why: "\(words[0]) cannot be started")
        }
        return child
    }
}

public struct PeerError: Error {
    public var why: String

    public init(why: String) { self.why = why }
}
