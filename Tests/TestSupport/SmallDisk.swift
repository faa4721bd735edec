import Glibc
import Work

/// A file system in memory that a test may fill up or make read-only; only root can have one.
public struct SmallDisk: Sendable {
    public let path: String

    public static let isPossible: Bool = {
        guard getuid() == 0 else { return false }
        return (try? with(megabytes: 1) { _ in true }) ?? false
    }()

    public static func with<R>(megabytes: Int, _ body: (SmallDisk) throws -> R) throws -> R {
        try withScratchFolder { folder in
            try command("mount", ["-t", "tmpfs", "-o", "size=\(megabytes)m,mode=700", "quire-test", folder])
            defer { try? command("umount", ["-l", folder]) }
            return try body(SmallDisk(path: folder))
        }
    }

    public func makeReadOnly() throws { try Self.command("mount", ["-o", "remount,ro", path]) }

    /// Leaves no more than so much room, by a file called `ballast`.
    public func fill(leaving byteCount: Int) {
        let file = open(path + "/ballast", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        var about = statvfs()
        guard statvfs(path, &about) == 0 else { return }
        var left = Int(about.f_bavail) * Int(about.f_frsize) - byteCount
        let piece = [UInt8](repeating: 1, count: 4096)
        while left > 0 {
            let count = write(file, piece, min(piece.count, left))
            guard count > 0 else { return }
            left -= count
        }
    }

    public func makeRoom() { unlink(path + "/ballast") }

    private static func command(_ program: String, _ arguments: [String]) throws {
        let outcome = try Child(program, arguments).run()
        guard outcome.succeeded else { throw Refused(reason: "\(program): \(outcome.errorText)") }
    }

    struct Refused: Error { var reason: String }
}
