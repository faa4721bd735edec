import Glibc

/// Folders in which somebody we do not trust may have left anything: links, pipes, ten thousand levels.
/// Nothing here follows a link, and nothing recurses deeper than it is told.
enum FolderTree {
    /// A new, empty folder only we may enter.
    static func make(in parent: String, prefix: String) throws(ChildError) -> String {
        var template = Array("\(parent)/\(prefix)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw .fileUnusable(parent, code: errno) }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Space taken on the disk; counting ends once it is more than `stopAbove`. Every name counts for
    /// something, so that a million empty files are seen as well.
    static func byteCount(_ path: String, stopAbove limit: Int64) -> Int64 {
        var sum: Int64 = 0
        let isWhole = walk(path, depth: 64) { folder, name, about in
            sum = sum.addingSaturating(Int64(about.st_blocks) * 512 + 256)
            return sum <= limit
        }
        return isWhole || sum > limit ? sum : .max
    }

    /// Makes everything in a folder, and the folder, belong to `user`.
    static func give(_ path: String, to user: uid_t) {
        _ = walk(path, depth: 64) { folder, name, _ in
            fchownat(folder, name, user, user, AT_SYMLINK_NOFOLLOW)
            return true
        }
        lchown(path, user, user)
    }

    /// Removes a folder with all it holds. Deep trees are folded up instead of descended: each grandchild
    /// folder moves up to the top and is emptied from there.
    static func remove(_ path: String) {
        let top = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard top >= 0 else { return }
        defer { close(top) }
        fchmod(top, 0o700)
        var moved = 0
        var names = self.names(in: top)
        while let name = names.popLast() {
            if unlinkat(top, name, 0) == 0 { continue }
            guard let folder = openFolder(top, name) else { continue }
            defer { close(folder) }
            for inner in self.names(in: folder) where unlinkat(folder, inner, 0) != 0 {
                fchmodat(folder, inner, 0o700, 0)
                moved += 1
                let newName = Array("\u{7F}\(moved)".utf8CString)
                if renameat(folder, inner, top, newName) == 0 { names.append(newName) }
            }
            unlinkat(top, name, AT_REMOVEDIR)
        }
        rmdir(path)
    }

    /// Opens a plain file beneath a folder, without following a link on the way.
    static func openFile(_ name: String, beneath path: String) throws(ChildError) -> Int32 {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard !parts.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." || $0.utf8.contains(0) }),
            let last = parts.last
        else { throw .fileUnusable(name, code: EINVAL) }
        var folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else { throw .fileUnusable(path, code: errno) }
        for part in parts.dropLast() {
            let next = openat(folder, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            let code = errno
            close(folder)
            guard next >= 0 else { throw .fileUnusable(name, code: code) }
            folder = next
        }
        defer { close(folder) }
        // Without O_NONBLOCK a named pipe would hold us here for ever.
        let file = openat(folder, last, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { throw .fileUnusable(name, code: errno) }
        var about = stat()
        guard fstat(file, &about) == 0, about.st_mode & S_IFMT == S_IFREG else {
            close(file)
            throw .fileUnusable(name, code: EINVAL)
        }
        return file
    }

    /// Names in a folder; those that are no text are left out.
    static func names(of path: String) throws(ChildError) -> [String] {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else { throw .fileUnusable(path, code: errno) }
        defer { close(folder) }
        return names(in: folder).compactMap { name in
            String(validating: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    /// Names in an open folder, as bytes: not every name is UTF-8. The descriptor stays open.
    private static func names(in folder: Int32) -> [[CChar]] {
        let copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let stream = fdopendir(copy) else { return [] }
        defer { closedir(stream) }
        var result: [[CChar]] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                bytes.prefix { $0 != 0 }.map { CChar(bitPattern: $0) } + [0]
            }
            if name != [0x2E, 0], name != [0x2E, 0x2E, 0] { result.append(name) }
        }
        return result
    }

    private static func openFolder(_ parent: Int32, _ name: [CChar]) -> Int32? {
        var about = stat()
        guard fstatat(parent, name, &about, AT_SYMLINK_NOFOLLOW) == 0, about.st_mode & S_IFMT == S_IFDIR
        else {
            return nil
        }
        fchmodat(parent, name, 0o700, 0)
        let folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        return folder >= 0 ? folder : nil
    }

    /// Calls `visit` for everything below; `false` when it was told to end or something was too deep.
    private static func walk(
        _ path: String, depth: Int, _ visit: (Int32, [CChar], stat) -> Bool
    ) -> Bool {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else { return true }
        defer { close(folder) }
        return walk(folder, depth: depth, visit)
    }

    private static func walk(_ folder: Int32, depth: Int, _ visit: (Int32, [CChar], stat) -> Bool) -> Bool {
        for name in names(in: folder) {
            var about = stat()
            guard fstatat(folder, name, &about, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
            guard visit(folder, name, about) else { return false }
            guard about.st_mode & S_IFMT == S_IFDIR else { continue }
            guard depth > 0 else { return false }
            let inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard inner >= 0 else { continue }
            defer { close(inner) }
            guard walk(inner, depth: depth - 1, visit) else { return false }
        }
        return true
    }
}
