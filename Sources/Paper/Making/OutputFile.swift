import Glibc
import Work

/// One file that is written from front to back and takes its name when it is whole.
public final class OutputFile: Sendable {
    private let path: String
    private let draft: DraftFile
    private let overwrites: Bool

    public init(_ path: String, overwrites: Bool) throws(FileTrouble) {
        self.path = path
        self.overwrites = overwrites
        if !overwrites, access(path, F_OK) == 0 {
            throw FileTrouble(path: path, reason: FileTrouble.thereAlready)
        }
        guard let draft = DraftFile(beside: path) else { throw FileTrouble(path) }
        self.draft = draft
    }

    /// What was not finished does not stay, whoever gave up.
    deinit {
        close(draft.descriptor)
        unlink(draft.path)
    }

    public func write(_ bytes: [UInt8]) throws(FileTrouble) {
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes {
                Glibc.write(draft.descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw FileTrouble(path) }
            done += count
        }
    }

    /// All that was written so far.
    func contents() throws(FileTrouble) -> [UInt8] {
        // The draft itself is open for writing alone.
        let file = open(draft.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { throw FileTrouble(path) }
        defer { close(file) }
        var about = stat()
        guard fstat(file, &about) == 0 else { throw FileTrouble(path) }
        let expected = Int(about.st_size)
        var done = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: expected) { buffer, count in
            while done < expected, let start = buffer.baseAddress {
                let step = read(file, start + done, expected - done)
                if step < 0, errno == EINTR { continue }
                if step <= 0 { break }
                done += step
            }
            count = done
        }
        guard done == expected else { throw FileTrouble(path) }
        return bytes
    }

    public func finish() throws(FileTrouble) {
        defer { unlink(draft.path) }
        // A link never replaces what is there, unlike a rename.
        guard (overwrites ? rename(draft.path, path) : link(draft.path, path)) == 0 else {
            throw errno == EEXIST
                ? FileTrouble(path: path, reason: FileTrouble.thereAlready) : FileTrouble(path)
        }
    }

    public func abandon() { unlink(draft.path) }
}
