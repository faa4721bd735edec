import Bytes
public import Crypto
import Glibc
public import Work

extension EncryptedHome {
    /// Encrypts the desk there, or begins an encrypted one where there is none. It is locked afterwards.
    ///
    /// `keeping` is given the recovery key before anything is moved. What was moved is compared before the files in the open
    /// are removed; when it is cut off before that, the desk is as it was.
    public static func encrypt(
        _ place: String, passphrase: String, cost: PasswordHash.Cost = cost, chance: Chance = .system,
        progress: Progress = Progress(), keeping: (RecoveryKey) throws -> Void
    ) throws -> EncryptedHome {
        try requireNone(at: place)
        try requireLong(passphrase)
        let plain = DataDirectory(place)
        try plain.requireRestored()
        try Disk.makeDirectories(place)
        try requireOwner(of: place)
        let isFresh = try others(in: place).isEmpty
        let lock = isFresh ? nil : try ServingLock(plain)
        defer { withExtendedLifetime(lock) {} }
        // Of a move that was cut off; nobody has its key any more.
        try Disk.removeTree(inside(place))
        let key = chance.bytes(FolderEncryption.keyCount)
        let folder = try FolderEncryption(making: inside(place), key)
        do {
            let recovery = RecoveryKey(chance)
            var home = EncryptedHome(
                place: place, folder: folder,
                locks: [
                    try Self.lock(key, passphrase: passphrase, cost, chance, folder.name),
                    try Self.lock(key, recovery: recovery, chance, folder.name),
                ], isClearing: true)
            try keeping(recovery)
            try FolderCopy(place, inside(place), try others(in: place), progress).make()
            // From here on the desk is the encrypted one.
            try home.save()
            try home.clear()
            home.isClearing = false
            try home.lock()
            return home
        } catch {
            if !Disk.exists(head(of: place)) {
                try? Disk.removeTree(inside(place))
                _ = try? folder.takeBack()
            }
            throw error
        }
    }

    /// Brings the desk into the open again; it has to be unlocked.
    public func decrypt(progress: Progress = Progress()) throws {
        try Self.requireUnlocked(place)
        try Self.requireOwner(of: place)
        let lock = try ServingLock(DataDirectory(place))
        defer { withExtendedLifetime(lock) {} }
        if isClearing { try clear() }
        if let other = try Self.others(in: place).first {
            throw Failure(
                .conflict,
                "\(place)/\(other) lies in the open, and is not of this desk. Move it away, and begin again.")
        }
        var leaving = self
        leaving.isClearing = true
        try leaving.save()
        let inside = Self.inside(place)
        do {
            try FolderCopy(inside, place, try Disk.names(in: inside), progress).make()
        } catch {
            try? clear()
            throw error
        }
        // From here on the desk is the one in the open.
        try Disk.remove(Self.head(of: place))
        try Disk.syncDirectory(place)
        try Disk.removeTree(inside)
        _ = try? folder.takeBack()
    }

    /// What one user encrypts no other can unlock, and a desk whose files are root's cannot be served by the service.
    private static func requireOwner(of place: String) throws(Failure) {
        guard let owner = try Disk.status(place)?.st_uid, owner != geteuid() else { return }
        let name = getpwuid(owner).map { String(cString: $0.pointee.pw_name) } ?? "\(owner)"
        throw Failure(
            .denied,
            "\(place) belongs to the user \(name). Do this as that user, as with sudo -u \(name)."
        )
    }
}
