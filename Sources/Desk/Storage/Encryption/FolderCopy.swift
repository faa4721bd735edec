import Glibc
import Work

/// What lies in one folder brought into another, each file compared afterwards: whoever removes the first must be sure of
/// the second.
struct FolderCopy {
    let source: String
    let target: String
    /// The names at the top that belong to it.
    let names: [String]
    let progress: Progress
    private let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)

    init(_ source: String, _ target: String, _ names: [String], _ progress: Progress) {
        self.source = source
        self.target = target
        self.names = names
        self.progress = progress
    }

    /// Throws when anything changed meanwhile, or did not arrive as it is.
    func make() throws {
        defer { room.deallocate() }
        var count: Int64 = 0
        for name in names { count += try self.count("\(source)/\(name)") }
        progress.phase("copying")
        progress.set(done: 0, total: count)
        for name in names { try copy("\(source)/\(name)", "\(target)/\(name)") }
        // All at once instead of each for itself.
        sync()
        progress.phase("comparing")
        progress.set(done: 0, total: count)
        for name in names { try compare("\(source)/\(name)", "\(target)/\(name)") }
    }

    private func count(_ path: String) throws -> Int64 {
        guard try kind(path) == S_IFDIR else { return 1 }
        var count: Int64 = 0
        for name in try Disk.names(in: path) { count += try self.count("\(path)/\(name)") }
        return count
    }

    private func copy(_ path: String, _ other: String) throws {
        switch try kind(path) {
        case S_IFDIR:
            let about = try Disk.status(path)
            try Disk.makeDirectory(other)
            for name in try Disk.names(in: path) { try copy("\(path)/\(name)", "\(other)/\(name)") }
            if let about { try date(other, about) }
        case S_IFLNK:
            guard symlink(try link(path), other) == 0 else { throw Failure.disk(errno, "make", other) }
            progress.advance()
        default:
            try progress.check()
            let file = try OpenFile(reading: path)
            let about = try file.status
            let made = try OpenFile(creating: other)
            while case let count = try file.read(into: room), count > 0 {
                try made.write(UnsafeRawBufferPointer(rebasing: room[..<count]))
            }
            try made.setMode(about.st_mode & 0o7777)
            try date(other, about)
            progress.advance()
        }
    }

    private func compare(_ path: String, _ other: String) throws {
        let kind = try kind(path)
        guard try self.kind(other) == kind else { throw changed(path) }
        switch kind {
        case S_IFDIR:
            let names = try Disk.names(in: path)
            guard try names == Disk.names(in: other) else { throw changed(path) }
            for name in names { try compare("\(path)/\(name)", "\(other)/\(name)") }
        case S_IFLNK:
            guard try link(path) == link(other) else { throw changed(path) }
            progress.advance()
        default:
            try progress.check()
            let half = room.count / 2
            let first = UnsafeMutableRawBufferPointer(rebasing: room[..<half])
            let second = UnsafeMutableRawBufferPointer(rebasing: room[half...])
            let file = try OpenFile(reading: path)
            let made = try OpenFile(reading: other)
            while true {
                let count = try fill(first, file)
                guard try fill(second, made) == count, first[..<count].elementsEqual(second[..<count]) else {
                    throw changed(path)
                }
                if count < half { break }
            }
            progress.advance()
        }
    }

    /// As much as there is: a read may give less than it was asked for.
    private func fill(_ buffer: UnsafeMutableRawBufferPointer, _ file: borrowing OpenFile) throws -> Int {
        var count = 0
        while count < buffer.count {
            let more = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
            if more == 0 { break }
            count += more
        }
        return count
    }

    private func kind(_ path: String) throws -> mode_t {
        let kind = (try Disk.status(path)?.st_mode ?? 0) & S_IFMT
        guard [S_IFDIR, S_IFREG, S_IFLNK].contains(kind) else {
            throw Failure(.conflict, "\(path) is neither a file nor a folder. Take it away, and begin again.")
        }
        return kind
    }

    private func link(_ path: String) throws -> String {
        var room = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &room, room.count)
        guard count >= 0 else { throw Failure.disk(errno, "read", path) }
        return String(decoding: room[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private func date(_ path: String, _ about: stat) throws {
        let times = [about.st_atim, about.st_mtim]
        guard utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW) == 0 else {
            throw Failure.disk(errno, "date", path)
        }
    }

    private func changed(_ path: String) -> Failure {
        Failure(
            .conflict,
            "\(path) changed while it was copied. Nothing was moved; end what uses this desk, and begin again."
        )
    }
}
