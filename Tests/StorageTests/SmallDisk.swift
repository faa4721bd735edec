import Glibc
import TestSupport
import Testing
import Work

/// A file system in memory that a test may fill up or make read-only; only root can have one.
struct SmallDisk {
    let path: String

    static let isPossible: Bool = {
        guard getuid() == 0 else { return false }
        return (try? with(megabytes: 1) { _ in true }) ?? false
    }()

    static func with<R>(megabytes: Int, _ body: (SmallDisk) throws -> R) throws -> R {
        try withScratchFolder { folder in
            try command("mount", ["-t", "tmpfs", "-o", "size=\(megabytes)m,mode=700", "quire-test", folder])
            defer { try? command("umount", ["-l", folder]) }
            return try body(SmallDisk(path: folder))
        }
    }

    func makeReadOnly() throws { try Self.command("mount", ["-o", "remount,ro", path]) }

    private static func command(_ program: String, _ arguments: [String]) throws {
        let outcome = try Child(program, arguments).run()
        try #require(outcome.succeeded, "\(program): \(outcome.errorText)")
    }
}
