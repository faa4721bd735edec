import Glibc
import Work

// What a sweep took off the shelf waits for a while before it is gone: whoever finds out that it was needed, or brings
// back an older database, has it again. It lies beside the shelf, so that taking and bringing back are names alone.
extension BlobShelf {
    private var waitingRoom: String { directory.blobs + "/.waiting" }

    private func waitingPlace(of digest: Digest) -> String { "\(waitingRoom)/\(digest.hex)" }

    /// To be called while nobody places anything.
    func sendToWait(_ digest: Digest) throws {
        try Disk.makeDirectory(waitingRoom)
        // The time it is known by from now on.
        try OpenFile(reading: place(of: digest)).setModified(clock.now())
        try Disk.rename(place(of: digest), to: waitingPlace(of: digest))
    }

    /// Puts it back on the shelf; false when it does not wait.
    func bringBack(_ digest: Digest) throws -> Bool {
        guard Disk.exists(waitingPlace(of: digest)) else { return false }
        return try whilePlacing(.shared) {
            guard let file = try? OpenFile(reading: waitingPlace(of: digest)) else { return false }
            // Somebody is about to use it, so the next sweep leaves it.
            try file.setModified(clock.now())
            try makeFolder(of: digest)
            // Another may have been quicker, or it was brought anew.
            guard Glibc.rename(file.path, place(of: digest)) == 0 else {
                return Disk.exists(place(of: digest))
            }
            try Disk.syncDirectory(folder(of: digest))
            return true
        }
    }

    /// Brings back what is needed after all, and lets go of what has waited long enough.
    func clearWaitingRoom(
        after time: Duration, progress: Progress, keeping isNeeded: (Digest) throws -> Bool
    ) throws -> Int {
        guard Disk.isDirectory(waitingRoom) else { return 0 }
        var gone = 0
        for digest in try Disk.names(in: waitingRoom).compactMap({ Digest($0) }) {
            try progress.check()
            if try isNeeded(digest), !Disk.exists(place(of: digest)) {
                _ = try bringBack(digest)
            } else if let status = try Disk.status(waitingPlace(of: digest)),
                clock.now() - status.st_mtim.moment > time
            {
                try Disk.remove(waitingPlace(of: digest))
                gone += 1
            }
        }
        return gone
    }
}
