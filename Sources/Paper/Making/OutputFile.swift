import Glibc

/// One file that is written from front to back and takes its name when it is whole.
public final class OutputFile: Sendable {
    private let path: String
    private let draft: String
    private let overwrites: Bool
    private let descriptor: Int32

    public init(_ path: String, overwrites: Bool) throws(FileTrouble) {
        self.path = path
        self.overwrites = overwrites
        draft = path + ".part"
        if !overwrites, access(path, F_OK) == 0 {
            throw FileTrouble(path: path, reason: "the file is there already")
        }
        descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw FileTrouble(path) }
    }

    deinit { close(descriptor) }

    public func write(_ bytes: [UInt8]) throws(FileTrouble) {
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw FileTrouble(path) }
            done += count
        }
    }

    public func finish() throws(FileTrouble) {
        defer { unlink(draft) }
        // A link never replaces what is there, unlike a rename.
        guard (overwrites ? rename(draft, path) : link(draft, path)) == 0 else {
            throw errno == EEXIST
                ? FileTrouble(path: path, reason: "the file is there already") : FileTrouble(path)
        }
    }

    public func abandon() { unlink(draft) }
}
