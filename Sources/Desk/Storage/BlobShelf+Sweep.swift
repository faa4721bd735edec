import Glibc
import Work

/// What a sweep took off the shelf.
public struct Swept: Sendable, Equatable {
    public var count = 0
    public var byteCount: Int64 = 0

    public init(count: Int = 0, byteCount: Int64 = 0) {
        self.count = count
        self.byteCount = byteCount
    }
}

extension BlobShelf {
    /// Removes what nobody needs. What was placed or touched within the grace stays in any case: its transaction
    /// may not have been committed yet.
    func sweep(grace: Duration, progress: Progress, keeping isNeeded: (Digest) throws -> Bool) throws -> Swept
    {
        var swept = Swept()
        try eachDigest { digest in
            try progress.check()
            progress.advance()
            guard try !isNeeded(digest) else { return }
            try whilePlacing(.exclusive) {
                let path = place(of: digest)
                guard let status = try Disk.status(path), clock.now() - status.st_mtim.moment > grace else {
                    return
                }
                try Disk.remove(path)
                swept.count += 1
                swept.byteCount += Int64(status.st_size)
            }
        }
        return swept
    }

    /// Goes through the shelf; what has no right name is told to `foreign`.
    func eachDigest(foreign: (String) throws -> Void = { _ in }, _ body: (Digest) throws -> Void) throws {
        for folder in try Disk.names(in: directory.blobs) where !folder.hasPrefix(".") {
            guard folder.utf8.count == 2, Disk.isDirectory("\(directory.blobs)/\(folder)") else {
                try foreign(folder)
                continue
            }
            for name in try Disk.names(in: "\(directory.blobs)/\(folder)") {
                if let digest = Digest(name), name.hasPrefix(folder) {
                    try body(digest)
                } else {
                    try foreign("\(folder)/\(name)")
                }
            }
        }
    }

    /// A backup and a sweep keep out of each other's way: what the backup has listed must still be there when
    /// it gets to it.
    func whileNothingIsSwept<R>(_ body: () throws -> R) throws -> R {
        let file = try OpenFile(keeping: directory.blobs + "/.sweeping")
        _ = try file.lock(.shared, waiting: true)
        return try body()
    }

    func whileSweeping<R>(_ body: () throws -> R) throws -> R {
        let file = try OpenFile(keeping: directory.blobs + "/.sweeping")
        guard try file.lock(.exclusive, waiting: false) else {
            throw Failure(
                .unavailable,
                "A backup is being made or another sweep is running. Try again when it is done.",
                retryAfter: .seconds(60))
        }
        return try body()
    }
}
