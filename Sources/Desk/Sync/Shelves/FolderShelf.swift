import Bytes
import Glibc
public import Transfer
public import Work

/// A folder of this machine: a disk, a stick, a share of the network, or a folder that another program carries on.
public struct FolderShelf: SyncShelf {
    private let folder: String
    private let chance: Chance

    public init(_ folder: String, chance: Chance = .system) {
        self.folder = folder
        self.chance = chance
    }

    public func names(in place: String) throws -> [String] {
        try check()
        return try names(in: place, depth: 0)
    }

    public func fetch(_ name: String, into destination: Destination) throws {
        try check()
        let file = open("\(folder)/\(name)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { throw errno == ENOENT ? SyncTrouble.missing(name) : trouble(errno) }
        defer { close(file) }
        try Self.copy(from: file, to: destination, trouble)
    }

    /// Written beside, saved to the disk, and given its name only then.
    public func lay(_ name: String, _ body: Upload) throws -> Bool {
        try check()
        let target = "\(folder)/\(name)"
        guard access(target, F_OK) != 0 else { return false }
        try makeFolders(for: name)
        let draft = "\(target).\(Hex.encode(chance.bytes(8))).part"
        let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw trouble(errno) }
        defer { unlink(draft) }
        do {
            defer { close(file) }
            try Self.write(body, to: file, trouble)
            guard fsync(file) == 0 else { throw trouble(errno) }
        }
        // A second name instead of another name: that fails where something lies already. File systems of sticks and some
        // shares have no second names; there a look has to do.
        if link(draft, target) != 0 {
            if errno == EEXIST { return false }
            guard access(target, F_OK) != 0 else { return false }
            guard rename(draft, target) == 0 else { throw trouble(errno) }
        }
        try save(folderOf: target)
        return true
    }

    /// Makes the name safe against a power cut; the file itself is.
    private func save(folderOf path: String) throws {
        guard let slash = path.lastIndex(of: "/") else { return }
        let place = open(String(path[..<slash]), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard place >= 0 else { return }
        defer { close(place) }
        // Network file systems know no such thing, and need none.
        guard fsync(place) == 0 || errno == EINVAL || errno == EBADF else { throw trouble(errno) }
    }

    public func remove(_ name: String) throws {
        try check()
        guard unlink("\(folder)/\(name)") == 0 || errno == ENOENT else { throw trouble(errno) }
    }

    /// A disk that is not plugged in leaves an empty place or none; then nothing is made there.
    private func check() throws {
        var about = stat()
        guard stat(folder, &about) == 0, about.st_mode & S_IFMT == S_IFDIR else {
            throw SyncTrouble.away("The folder \(folder) is not there. Is its disk connected?")
        }
    }

    private func names(in place: String, depth: Int) throws -> [String] {
        guard depth < 6 else { return [] }
        guard let listing = opendir("\(folder)/\(place)") else {
            if errno == ENOENT { return [] }
            throw trouble(errno)
        }
        defer { closedir(listing) }
        var found: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard !name.hasPrefix("."), !name.hasSuffix(".part") else { continue }
            var about = stat()
            guard lstat("\(folder)/\(place)/\(name)", &about) == 0 else { continue }
            switch about.st_mode & S_IFMT {
            case S_IFDIR: found += try names(in: "\(place)/\(name)", depth: depth + 1)
            case S_IFREG: found.append("\(place)/\(name)")
            default: break
            }
        }
        return found.sorted()
    }

    private func makeFolders(for name: String) throws {
        var path = folder
        for part in name.split(separator: "/").dropLast() {
            path += "/\(part)"
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw trouble(errno) }
        }
    }

    private func trouble(_ code: Int32) -> SyncTrouble {
        let why = systemMessage(code)
        return switch code {
        case ENOSPC, EDQUOT: .full("There is no room left in \(folder).")
        case EACCES, EPERM, EROFS: .refused("Quire may not use \(folder): \(why).")
        default: .away("\(folder) does not answer: \(why).")
        }
    }

    static func write(_ body: Upload, to file: Int32, _ trouble: (Int32) -> SyncTrouble) throws {
        func put(_ bytes: UnsafeRawBufferPointer) throws {
            var rest = bytes
            while !rest.isEmpty {
                let count = Glibc.write(file, rest.baseAddress, rest.count)
                if count < 0 {
                    if errno == EINTR { continue }
                    throw trouble(errno)
                }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { room.deallocate() }
        switch body {
        case .none: return
        case .bytes(let bytes): try bytes.withUnsafeBytes { try put($0) }
        case .file(let path):
            let source = open(path, O_RDONLY | O_CLOEXEC)
            guard source >= 0 else { throw trouble(errno) }
            defer { close(source) }
            while true {
                let count = read(source, room.baseAddress, room.count)
                guard count >= 0 else { throw trouble(errno) }
                guard count > 0 else { return }
                try put(UnsafeRawBufferPointer(rebasing: room[..<count]))
            }
        case .stream(_, let open):
            let reader = try open()
            while case let count = try reader(room), count > 0 {
                try put(UnsafeRawBufferPointer(rebasing: room[..<count]))
            }
        }
    }

    static func byteCount(_ path: String) -> Int64 {
        var about = stat()
        return stat(path, &about) == 0 ? Int64(about.st_size) : 0
    }

    /// Into a file that is made new, or piece by piece.
    static func copy(
        from file: Int32, to destination: Destination, _ trouble: (Int32) -> SyncTrouble
    ) throws {
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { room.deallocate() }
        func each(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
            while true {
                let count = read(file, room.baseAddress, room.count)
                guard count >= 0 else { throw trouble(errno) }
                guard count > 0 else { return }
                try body(UnsafeRawBufferPointer(rebasing: room[..<count]))
            }
        }
        switch destination {
        case .memory: throw SyncTrouble.damaged("What is fetched goes into a file.")
        case .pieces(let give): try each(give)
        case .file(let path, let limit):
            let target = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard target >= 0 else { throw trouble(errno) }
            defer { close(target) }
            var total: Int64 = 0
            try each { piece in
                total += Int64(piece.count)
                guard total <= limit else { throw SyncTrouble.damaged("What came is larger than it may be.") }
                try write(.bytes(Array(piece)), to: target, trouble)
            }
        }
    }
}
