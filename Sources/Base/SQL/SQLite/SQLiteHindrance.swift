import Glibc

/// Why a file of ours can be read and not written.
public enum SQLiteHindrance: Sendable {
    /// Its disk is set to reading only.
    case readOnly
    /// There is no room for the index of the log, without which SQLite does not even begin to read.
    case full

    /// What SQLite makes beside a database when the first one opens it, and as much again to write anything.
    private static let indexByteCount = 32 << 10

    /// Nil where the file can be written, and where somebody has it open: what readers need is there then.
    public static func at(_ path: String) -> SQLiteHindrance? {
        guard access(path, F_OK) == 0 else { return nil }
        if access(path, W_OK) != 0, errno == EROFS { return .readOnly }
        guard byteCount(path + "-wal") == 0, byteCount(path + "-shm") < indexByteCount,
            let room = room(path), room < 2 * indexByteCount
        else { return nil }
        return .full
    }

    var code: SQLError.Code {
        switch self {
        case .readOnly: .readOnly
        case .full: .full
        }
    }

    private static func byteCount(_ path: String) -> Int {
        var about = stat()
        return stat(path, &about) == 0 ? Int(about.st_size) : 0
    }

    /// The last blocks of a disk are often kept for the system's own user.
    private static func room(_ path: String) -> UInt64? {
        var about = statvfs()
        guard statvfs(path, &about) == 0 else { return nil }
        let blocks = UInt64(geteuid() == 0 ? about.f_bfree : about.f_bavail)
        let (bytes, overflow) = blocks.multipliedReportingOverflow(by: UInt64(about.f_frsize))
        return overflow ? .max : bytes
    }
}
