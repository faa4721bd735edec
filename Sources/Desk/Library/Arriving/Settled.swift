import Glibc
import Work

/// Whether somebody is still at work on a file of the machine.
enum Settled {
    /// How programs call what they have not finished.
    private static let unfinished = [
        ".part", ".partial", ".tmp", ".temp", ".crdownload", ".download", ".filepart",
    ]

    /// The locks of office programs, their copies and what is not whole yet are nobody's papers.
    static func isUnfinished(_ name: String) -> Bool {
        let lower = name.lowercased()
        return name.hasPrefix("~$") || name.hasSuffix("~") || unfinished.contains { lower.hasSuffix($0) }
    }

    /// Whether it has not changed for a while. A time ahead of ours, from a camera whose clock is wrong, is no reason to
    /// wait for it.
    static func isQuiet(_ about: stat, for quiet: Duration, at now: Moment) -> Bool {
        let changed = Int64(about.st_mtim.tv_sec) * 1000 + Int64(about.st_mtim.tv_nsec) / 1_000_000
        return changed > now.milliseconds || now.milliseconds - changed >= quiet.wholeMilliseconds
    }

    /// The kernel grants a lease for reading only on what nobody holds open for writing. Where it grants none at all,
    /// as on some network folders, the file's age has to be enough.
    static func isBeingWritten(_ path: String) -> Bool {
        let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return false }
        defer { close(file) }
        // Whoever opens it for writing while we hold the lease makes the kernel send a signal. The usual one ends the
        // process; this one is ignored unless somebody asks for it.
        _ = fcntl(file, setSignal, SIGURG)
        guard fcntl(file, setLease, Int32(F_RDLCK)) == -1 else {
            _ = fcntl(file, setLease, Int32(F_UNLCK))
            return false
        }
        return errno == EAGAIN
    }

    /// `F_SETLEASE` and `F_SETSIG`, which Swift does not see.
    private static let setLease: Int32 = 1024
    private static let setSignal: Int32 = 10
}
