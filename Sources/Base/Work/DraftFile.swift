import Bytes
public import Glibc

/// A file being written beside the place it will take, under a name nobody has. Nobody's file is ever opened or removed
/// for it, not even one that looks like a draft.
public struct DraftFile: Sendable {
    public let path: String
    public let descriptor: Int32

    /// Nil, with `errno`, where there can be none. `folder` is where a path that does not begin with a stroke starts.
    public init?(beside path: String, in folder: Int32 = AT_FDCWD, mode: mode_t = 0o644) {
        while true {
            let draft = Self.path(beside: path)
            let file = openat(folder, draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
            // Somebody's file of that name stays; the next name is another one.
            if file < 0, errno == EEXIST || errno == EINTR { continue }
            guard file >= 0 else { return nil }
            self.path = draft
            descriptor = file
            return
        }
    }

    /// Hidden, so that nobody takes it for the file itself, and no longer than any name may be.
    public static func path(beside path: String) -> String {
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        return "\(folder).draft-\(Hex.encode(Chance.system.bytes(8))).part"
    }
}
