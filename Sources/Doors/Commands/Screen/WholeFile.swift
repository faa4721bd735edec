import Glibc
import Storage

/// A whole file or none: written beside its place and moved there.
func writeWhole(_ bytes: [UInt8], to path: String, overwrites: Bool) throws {
    let draft = path + ".part"
    let file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o644)
    func failure() -> Failure {
        errno == EEXIST
            ? Failure(.conflict, "“\(path)” is there already. Say --force to replace it.")
            : Failure(.unavailable, "“\(path)” could not be written: \(String(cString: strerror(errno))).")
    }
    guard file >= 0 else { throw failure() }
    var left = bytes[...]
    var isWhole = true
    while !left.isEmpty {
        let count = left.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else {
            isWhole = false
            break
        }
        left = left.dropFirst(count)
    }
    let problem = isWhole ? 0 : errno
    close(file)
    defer { unlink(draft) }
    if problem != 0 {
        errno = problem
        throw failure()
    }
    // A link never replaces what is there, unlike a rename.
    guard (overwrites ? rename(draft, path) : link(draft, path)) == 0 else { throw failure() }
}
