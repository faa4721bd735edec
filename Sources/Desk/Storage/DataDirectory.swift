import Glibc
import SQL
import Work

/// The directory in which everything lies that a desk owns; docs/data-directory.md describes it for people.
public struct DataDirectory: Sendable, Equatable {
    public let path: String

    /// Where the operator put it; a desk that is encrypted lies one folder further in.
    public init(_ path: String) {
        let place = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        self.path = Disk.exists(EncryptedHome.head(of: place)) ? EncryptedHome.inside(place) : place
    }

    public var database: String { path + "/quire.db" }
    public var blobs: String { path + "/blobs" }
    /// Thumbnails and text layers: made from the blobs and deletable at any time.
    public var previews: String { path + "/previews" }
    /// Files dropped here are taken in.
    public var inbox: String { path + "/inbox" }
    public var keys: String { path + "/keys" }
    /// On the same file system as the blobs, so that what was written here can be renamed to its place.
    public var temporary: String { path + "/tmp" }
    var servingLock: String { path + "/serving.lock" }
    /// Where a restore builds what it has not finished yet.
    var restoring: String { path + "/restoring" }

    func requireRestored() throws(Failure) {
        guard !Disk.exists(restoring) else {
            throw Failure(.conflict, "A restore into \(path) was not finished. Run “quire restore” again.")
        }
    }

    /// Makes what is missing. Others on the machine may not look inside: what was open is closed, and a disk that cannot
    /// close anything is refused.
    func prepare() throws(Failure) {
        try Disk.makeDirectories(path)
        try close(path)
        for folder in [blobs, previews, inbox, keys, temporary] { try Disk.makeDirectory(folder) }
        try close(keys)
    }

    private func close(_ folder: String) throws(Failure) {
        func isOpen() throws(Failure) -> Bool { (try Disk.status(folder)?.st_mode ?? 0) & 0o077 != 0 }
        guard try isOpen() else { return }
        let code = chmod(folder, 0o700) == 0 ? 0 : errno
        guard try isOpen() else { return }
        let why = code == 0 ? "" : ": \(systemMessage(code))"
        throw Failure(
            .denied,
            "Others on this machine may look into \(folder), and it cannot be closed\(why). Run Quire as the user who owns it, put the desk on a disk that knows owners, or mount that disk with umask=077."
        )
    }

    /// Why a desk cannot be written: its disk is set to reading only, or full to the last block. It can still be read.
    var hindrance: SQLiteHindrance? { SQLiteHindrance.at(database) }

    /// Removes what interrupted work has left behind. Only for the process that holds the serving lock; a file
    /// that another process is just writing is locked by it and stays.
    func emptyTemporary() throws(Failure) {
        for name in try Disk.names(in: temporary) {
            let path = "\(temporary)/\(name)"
            if Disk.isDirectory(path) {
                try Disk.removeTree(path)
            } else if let file = try? OpenFile(reading: path), try file.lock(.exclusive, waiting: false) {
                try Disk.remove(path)
            }
        }
    }
}
