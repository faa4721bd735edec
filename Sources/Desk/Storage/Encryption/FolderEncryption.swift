import CSystem
import Crypto
import Glibc
import Work

/// A folder that its file system encrypts (fscrypt: ext4, f2fs), and the name by which the kernel knows its key.
struct FolderEncryption: Sendable {
    static let nameCount = Int(CSYSTEM_KEY_NAME_SIZE)
    static let keyCount = Int(CSYSTEM_KEY_SIZE)

    let path: String
    let name: [UInt8]

    init(_ path: String, _ name: [UInt8]) {
        self.path = path
        self.name = name
    }

    /// Makes an empty folder that is encrypted with this key, which is lent from now on.
    init(making path: String, _ key: [UInt8]) throws(Failure) {
        try Disk.makeDirectory(path)
        let folder = try OpenFile(directory: path)
        var name = [UInt8](repeating: 0, count: Self.nameCount)
        let lent = csystem_key_lend(folder.descriptor, key, &name)
        let made = lent == 0 ? csystem_folder_encrypt(folder.descriptor, name) : lent
        guard made == 0 else {
            rmdir(path)
            throw Self.refused(made, path)
        }
        self.init(path, name)
    }

    var isUnlocked: Bool {
        get throws(Failure) {
            let folder = try OpenFile(directory: path)
            try check(folder)
            var isLent = false
            let result = csystem_key_is_lent(folder.descriptor, name, &isLent)
            guard result == 0 else { throw Self.refused(result, path) }
            return isLent
        }
    }

    func lend(_ key: [UInt8]) throws(Failure) {
        let folder = try OpenFile(directory: path)
        var lent = [UInt8](repeating: 0, count: Self.nameCount)
        let result = csystem_key_lend(folder.descriptor, key, &lent)
        guard result == 0 else { throw Self.refused(result, path) }
    }

    /// False when files are still open.
    func takeBack() throws(Failure) -> Bool {
        // The folder above it: with its own open, it would be in use.
        let folder = try OpenFile(directory: Disk.parent(of: path) ?? "/")
        var isInUse = false
        let result = csystem_key_take_back(folder.descriptor, name, &isInUse)
        // Nobody has lent it.
        if result == ENOKEY { return true }
        guard result == 0 else { throw Self.refused(result, path) }
        return !isInUse
    }

    /// A copy of the folder that was made with other programs is encrypted no longer, or with another key.
    private func check(_ folder: borrowing OpenFile) throws(Failure) {
        var own = [UInt8](repeating: 0, count: Self.nameCount)
        let result = csystem_folder_key(folder.descriptor, &own)
        guard result == 0 || result == ENODATA else { throw Self.refused(result, path) }
        guard result == 0, own == name else {
            throw Failure(
                .conflict,
                "\(path) is not the folder that was encrypted here: encrypted folders cannot be copied by other programs. Bring the desk back from one of its own backups with “quire restore”."
            )
        }
    }

    private static func refused(_ number: Int32, _ path: String) -> Failure {
        let cause = systemMessage(number)
        return switch number {
        case EOPNOTSUPP:
            Failure(
                .unsupported,
                "The disk of \(path) is not prepared for encrypted folders. On ext4 the administrator does that once, without harm to what lies there: tune2fs -O encrypt DEVICE (findmnt -no SOURCE --target \(path) names it).",
                cause: cause)
        case ENOTTY:
            Failure(
                .unsupported,
                "The file system of \(path) cannot encrypt folders; ext4 and f2fs can. Put the desk on one of these, or encrypt the whole disk (LUKS).",
                cause: cause)
        case ENOKEY:
            Failure(.unavailable, "\(path) is encrypted, and locked.", cause: cause)
        default: Failure.disk(number, "encrypt", path)
        }
    }
}
