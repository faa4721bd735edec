import Glibc
import SQL
import Synchronization

/// A PostgreSQL server for the tests of one process, made by the first test that asks and gone with the
/// process, however that ends.
///
/// It listens on a socket in its own folder only, and syncs nothing: what a test wants to know about power
/// cuts it does not ask here.
public final class PostgresCluster: Sendable {
    /// Nothing to hope for when it cannot start: the tests that need it should say so.
    public static let shared: PostgresCluster = {
        do { return try PostgresCluster() } catch { fatalError("no PostgreSQL for the tests: \(error)") }
    }()

    public static var isInstalled: Bool { programs != nil }

    /// The folder of the newest server's programs.
    private static let programs: String? = {
        var found = glob_t()
        defer { globfree(&found) }
        guard glob("/usr/lib/postgresql/*/bin/initdb", 0, nil, &found) == 0 else { return nil }
        let paths = (0..<Int(found.gl_pathc)).compactMap { place in
            found.gl_pathv[place].map { String(cString: $0) }
        }
        func version(_ path: String) -> Int {
            path.split(separator: "/").dropFirst(3).first.flatMap { Int($0) } ?? 0
        }
        return paths.max { version($0) < version($1) }.map { String($0.dropLast("/initdb".utf8.count)) }
    }()

    private let folder: String
    private let programs: String
    /// Closed by the kernel when this process ends, which is what the keeper waits for.
    private let lifeline: Int32
    private let made = Atomic(0)

    private init() throws {
        guard let programs = Self.programs else { throw SQLError(.unsupported, "no server installed") }
        self.programs = programs
        folder = try makeScratchFolder()
        var life: [Int32] = [-1, -1]
        var answer: [Int32] = [-1, -1]
        guard pipe(&life) == 0, pipe(&answer) == 0 else { throw SQLError(.unreachable, "no pipe") }
        for end in life + answer { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        lifeline = life[1]
        _ = try spawn(
            "/bin/sh", ["-c", Self.keeper, "keeper", folder, programs], input: life[0], output: answer[1])
        close(life[0])
        close(answer[1])
        var said: [UInt8] = Array(repeating: 0, count: 4096)
        let count = read(answer[0], &said, said.count)
        close(answer[0])
        let word = String(decoding: said.prefix(max(0, count)), as: UTF8.self)
        guard word.hasPrefix("ready") else { throw SQLError(.unreachable, word) }
    }

    /// Makes the cluster, starts it, and stops it when its own input ends. PostgreSQL refuses to run as
    /// root; then it runs as the user its package has made.
    private static let keeper = """
        folder=$1 programs=$2
        as=
        if [ "$(id -u)" = 0 ]; then
            chown postgres "$folder"
            as="setpriv --reuid=postgres --regid=postgres --clear-groups"
        fi
        cd "$folder"
        $as "$programs/initdb" -D "$folder/data" -U quire -A trust -E UTF8 --locale=C.UTF-8 --no-sync \\
            >"$folder/log" 2>&1 || { tail -5 "$folder/log"; exit 1; }
        $as "$programs/postgres" -D "$folder/data" -k "$folder" -h "" -F \\
            -c synchronous_commit=off -c full_page_writes=off -c shared_buffers=32MB \\
            -c max_connections=300 -c max_pred_locks_per_transaction=256 >>"$folder/log" 2>&1 &
        server=$!
        until "$programs/pg_isready" -q -h "$folder" -U quire -d postgres; do
            kill -0 $server 2>/dev/null || { tail -5 "$folder/log"; exit 1; }
            sleep 0.05
        done
        echo ready
        exec >/dev/null
        read -r _
        kill -QUIT $server
        wait $server
        rm -rf "$folder"
        """

    /// A new, empty database on this server; the body gets its connection string.
    public func withDatabase<R>(_ body: (String) throws -> R) throws -> R {
        let name = "test_\(made.add(1, ordering: .relaxed).newValue)"
        try command("createdb", [name])
        defer { try? command("dropdb", ["--force", name]) }
        return try body("host=\(folder) user=quire dbname=\(name)")
    }

    /// Ends every connection to a database, as a restarted server would.
    public func breakConnections(to address: String) throws {
        let name = address.split(separator: "=").last.map(String.init) ?? ""
        try command(
            "psql",
            [
                "-d", "postgres", "-qAt", "-c",
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(name)'",
            ])
    }

    private func command(_ program: String, _ arguments: [String]) throws {
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(null) }
        let child = try spawn(
            "\(programs)/\(program)", ["-h", folder, "-U", "quire"] + arguments, input: null, output: null)
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else { throw SQLError(.other, "\(program) \(arguments) failed (\(status))") }
    }
}

/// Starts a program in a session of its own, so that Ctrl-C at the tests' terminal does not reach it.
private func spawn(_ program: String, _ arguments: [String], input: Int32, output: Int32) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // POSIX_SPAWN_SETSID, which glibc shows to GNU sources only.
    posix_spawnattr_setflags(&attributes, 0x80)
    let copies = ([program] + arguments).map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, program, &actions, &attributes, copies + [nil], environ)
    guard code == 0 else {
        throw SQLError(.unreachable, "cannot start \(program): \(String(cString: strerror(code)))")
    }
    return child
}
