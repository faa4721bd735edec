import Glibc

/// A file for what does not fit in memory: nobody else can open it, and it goes with the program.
public enum NamelessFile {
    /// Where `TMPDIR` says, if one can write there.
    public static var folder: String {
        guard let said = getenv("TMPDIR").map({ String(cString: $0) }), said.hasPrefix("/"),
            access(said, W_OK | X_OK) == 0
        else { return "/tmp" }
        return said.count > 1 && said.hasSuffix("/") ? String(said.dropLast()) : said
    }

    /// Open for reading and writing; negative, with `errno`, where there can be none.
    public static func open() -> Int32 {
        var path = Array("\(folder)/quire-XXXXXX".utf8CString)
        let file = mkstemp(&path)
        guard file >= 0 else { return file }
        unlink(&path)
        _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        return file
    }
}
