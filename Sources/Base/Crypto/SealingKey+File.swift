internal import Glibc

extension SealingKey {
    /// Reads the key, or makes it when there is none. Refuses a file that others may read.
    public static func kept(at path: String) throws(CryptoError) -> SealingKey {
        if let key = try read(path) { return key }
        try make(path)
        guard let key = try read(path) else {
            throw .keyFile(path: path, reason: "it vanished while it was being made")
        }
        return key
    }

    private static func read(_ path: String) throws(CryptoError) -> SealingKey? {
        let file = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        if file < 0, errno == ENOENT { return nil }
        guard file >= 0 else { throw .keyFile(path: path, reason: String(cString: strerror(errno))) }
        defer { close(file) }
        var facts = stat()
        guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw .keyFile(path: path, reason: "it is not a file")
        }
        guard facts.st_mode & 0o077 == 0 else {
            throw .keyFile(path: path, reason: "others may read it; allow only the owner (chmod 600)")
        }
        var bytes = [UInt8](repeating: 0, count: byteCount + 1)
        let count = Glibc.read(file, &bytes, bytes.count)
        guard count == byteCount else {
            throw .keyFile(path: path, reason: "it should hold \(byteCount) bytes; restore it from a backup")
        }
        return try SealingKey(bytes: Array(bytes.prefix(byteCount)))
    }

    /// Written beside and linked into place: a key is there whole or not at all, and of two programs that start
    /// at once both end up with the same one.
    private static func make(_ path: String) throws(CryptoError) {
        func refuse() -> CryptoError { .keyFile(path: path, reason: String(cString: strerror(errno))) }
        let draft = path + ".\(getpid())"
        unlink(draft)
        let file = Glibc.open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw refuse() }
        defer { unlink(draft) }
        let key = SecureRandom.bytes(byteCount)
        let written = Glibc.write(file, key, key.count)
        let synced = fsync(file)
        close(file)
        guard written == key.count, synced == 0 else { throw refuse() }
        guard link(draft, path) == 0 || errno == EEXIST else { throw refuse() }
    }
}
