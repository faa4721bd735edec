import Glibc

/// Says to all others that this process serves the data directory. The kernel lets go of it when the process
/// ends, however it ends, so a lock is never left behind.
final class ServingLock: Sendable {
    private let file: OpenFile

    init(_ directory: DataDirectory) throws(Failure) {
        file = try OpenFile(keeping: directory.servingLock)
        guard try Self.take(file) else {
            throw Failure(
                .conflict,
                "Another Quire\(Self.holder(of: directory)) already serves \(directory.path). Stop it first, or choose another data directory."
            )
        }
        guard ftruncate(file.descriptor, 0) == 0 else { throw Failure.disk(errno, "write", file.path) }
        try file.write(Array("\(getpid())\n".utf8))
    }

    /// Who was ended a moment ago may still be held on to: by somebody who looks whether the desk is served, or by a
    /// program that was being started just then and has not let go of what it inherited.
    private static func take(_ file: borrowing OpenFile) throws(Failure) -> Bool {
        for _ in 0..<10 {
            if try file.lock(.exclusive, waiting: false) { return true }
            usleep(30_000)
        }
        return try file.lock(.exclusive, waiting: false)
    }

    private static func holder(of directory: DataDirectory) -> String {
        guard let bytes = try? Disk.read(directory.servingLock, atMost: 32),
            let number = Int(String(decoding: bytes, as: UTF8.self).filter { $0 != "\n" })
        else { return "" }
        return " (process \(number))"
    }
}

extension DataDirectory {
    /// Whether some process serves this directory at this moment.
    public var isBeingServed: Bool {
        guard let file = try? OpenFile(reading: servingLock) else { return false }
        // Let go again at once; a server that starts in this very moment would only have to be started again.
        return (try? file.lock(.shared, waiting: false)) == false
    }
}
