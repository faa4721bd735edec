import Glibc
import Work

/// What is done with whole files and directories.
enum Disk {
    static func makeDirectory(_ path: String, mode: mode_t = 0o700) throws(Failure) {
        if mkdir(path, mode) == 0 || errno == EEXIST && isDirectory(path) { return }
        throw Failure.disk(errno, "make the directory", path)
    }

    /// Also the directories above, as `mkdir -p` does.
    static func makeDirectories(_ path: String) throws(Failure) {
        if isDirectory(path) { return }
        if let above = parent(of: path) { try makeDirectories(above) }
        try makeDirectory(path)
    }

    static func parent(of path: String) -> String? {
        guard let slash = path.lastIndex(of: "/") else { return nil }
        let above = path[..<slash]
        return above.isEmpty ? nil : String(above)
    }

    static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Nil when nothing lies there. Links are not followed.
    static func status(_ path: String) throws(Failure) -> stat? {
        var status = stat()
        if lstat(path, &status) == 0 { return status }
        guard errno == ENOENT || errno == ENOTDIR else { throw Failure.disk(errno, "look at", path) }
        return nil
    }

    /// The names in a directory, sorted.
    static func names(in path: String) throws(Failure) -> [String] {
        guard let directory = opendir(path) else { throw Failure.disk(errno, "list", path) }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
                field.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// No error when there is nothing to remove.
    static func remove(_ path: String) throws(Failure) {
        if unlink(path) != 0, errno != ENOENT { throw Failure.disk(errno, "remove", path) }
    }

    static func removeTree(_ path: String) throws(Failure) {
        guard let status = try status(path) else { return }
        guard status.st_mode & S_IFMT == S_IFDIR else { return try remove(path) }
        for name in try names(in: path) { try removeTree("\(path)/\(name)") }
        if rmdir(path) != 0, errno != ENOENT { throw Failure.disk(errno, "remove", path) }
    }

    static func rename(_ path: String, to other: String) throws(Failure) {
        guard Glibc.rename(path, other) == 0 else { throw Failure.disk(errno, "move \(path) to", other) }
    }

    /// Makes the names in a directory safe against a power cut: renaming alone does not.
    static func syncDirectory(_ path: String) throws(Failure) {
        try OpenFile(directory: path).sync()
    }

    static func read(_ path: String, atMost limit: Int = 64 << 20) throws -> [UInt8] {
        let file = try OpenFile(reading: path)
        let size = Int(clamping: try file.status.st_size)
        guard size <= limit else { throw Failure(.tooLarge, "\(path) is larger than \(limit) bytes.") }
        guard MemoryRoom.has(size) else { throw Failure.tooLittleMemory }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size)
        try file.eachPiece { piece in
            guard bytes.count + piece.count <= limit else {
                throw Failure(.tooLarge, "\(path) is larger than \(limit) bytes.")
            }
            bytes.append(contentsOf: piece)
        }
        return bytes
    }

    /// All of the new file or nothing of it is found at `path` afterwards, whatever happens meanwhile.
    static func write(_ bytes: [UInt8], to path: String, mode: mode_t = 0o600) throws(Failure) {
        let unfinished = path + ".new"
        try remove(unfinished)
        do {
            let file = try OpenFile(creating: unfinished)
            try file.write(bytes)
            try file.setMode(mode)
            try file.sync()
        } catch {
            unlink(unfinished)
            throw error
        }
        try rename(unfinished, to: path)
        if let above = parent(of: path) { try syncDirectory(above) }
    }
}

extension stat {
    var isFile: Bool { st_mode & S_IFMT == S_IFREG }
}
