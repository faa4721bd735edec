import Glibc
import Work

/// What a sweep took off the shelf.
public struct Swept: Sendable, Equatable {
    public var count = 0
    public var byteCount: Int64 = 0
    /// Of those taken earlier, the ones that have waited long enough and are gone for good.
    public var goneCount = 0

    public init(count: Int = 0, byteCount: Int64 = 0) {
        self.count = count
        self.byteCount = byteCount
    }
}

/// What a sweep would take, of how much.
struct SweepWeight {
    var shelf = 0
    /// The database has never named them, or not since it was set back.
    var unnamed = 0
    /// Lay on the shelf for long, so that they are hardly something made in passing.
    var old = 0

    static let old = Duration.seconds(30 * 86_400)

    /// A sweep is to clear away remains.
    var isSuspicious: Bool {
        Caution.isMuch(unnamed, of: shelf, oneIn: 10)
            || Caution.isMuch(unnamed + old, of: shelf, beyond: 100, oneIn: 10)
    }

    var failure: Failure {
        Failure(
            .conflict,
            "Clearing away would take \(unnamed + old) of the \(shelf) files off the shelf\(unnamed > 0 ? "; \(unnamed) of them this database does not know" : ""). Nothing was taken. If the database is the right one and they are not needed any more: quire sweep --all",
            field: "all")
    }
}

extension BlobShelf {
    /// Takes what nobody needs off the shelf, into the waiting room. What was placed or touched within the grace stays in
    /// any case: its transaction may not have been committed yet.
    func sweep(grace: Duration, progress: Progress, keeping isNeeded: (Digest) throws -> Bool) throws -> Swept
    {
        var swept = Swept()
        try eachDigest { digest in
            try progress.check()
            progress.advance()
            guard try !isNeeded(digest) else { return }
            try whilePlacing(.exclusive) {
                guard let status = try Disk.status(place(of: digest)),
                    clock.now() - status.st_mtim.moment > grace
                else { return }
                try sendToWait(digest)
                swept.count += 1
                swept.byteCount += Int64(status.st_size)
            }
        }
        return swept
    }

    /// How much of the shelf a sweep would take, without taking it.
    func weigh(
        grace: Duration, progress: Progress, keeping isNeeded: (Digest) throws -> Bool,
        known isKnown: (Digest) -> Bool
    ) throws -> SweepWeight {
        var weight = SweepWeight()
        let now = clock.now()
        try eachDigest { digest in
            try progress.check()
            weight.shelf += 1
            guard try !isNeeded(digest), let status = try Disk.status(place(of: digest)) else { return }
            let age = now - status.st_mtim.moment
            guard age > grace else { return }
            if !isKnown(digest) {
                weight.unnamed += 1
            } else if age > SweepWeight.old {
                weight.old += 1
            }
        }
        return weight
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
        // Where nothing can be written nothing is swept.
        if directory.hindrance != nil { return try body() }
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
