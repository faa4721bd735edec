import Glibc
import Work

/// What lies in the folder of a mirror at one moment.
struct MirrorDisk {
    struct File {
        var path: String
        var byteCount: Int64
        var changedAt: Int64
        var node: Int64
        /// It has not changed for a while.
        var isQuiet: Bool

        func isSame(as thing: MirrorMemory.Thing) -> Bool {
            byteCount == thing.byteCount && changedAt == thing.changedAt && node == thing.node
        }
    }

    private(set) var files: [String: File] = [:]
    /// With the number the file system gave each, which stays when it is renamed.
    private(set) var folders: [String: Int64] = [:]
    /// Folders that could not be looked into: what lies there is not gone.
    private(set) var closed: [String] = []
    /// What lies there and is no paper: links, devices, what is hidden or not finished.
    private(set) var others: Set<String> = []
    /// What cannot be mirrored, and why.
    private(set) var odd: [(path: String, why: String)] = []

    private let root: String
    private let quiet: Duration
    private let now: Moment

    private static let deepest = 40

    init(_ root: String, knowing isKnown: (String) -> Bool, quiet: Duration, at now: Moment) {
        self.root = root
        self.quiet = quiet
        self.now = now
        look("", 0, isKnown)
    }

    func isClosed(_ path: String) -> Bool {
        closed.contains { $0.isEmpty || path == $0 || path.hasPrefix($0 + "/") }
    }

    private mutating func look(_ place: String, _ depth: Int, _ isKnown: (String) -> Bool) {
        guard let listing = opendir(place.isEmpty ? root : "\(root)/\(place)") else {
            closed.append(place)
            odd.append((place, "It cannot be looked into: \(systemMessage(errno))."))
            return
        }
        defer { closedir(listing) }
        while true {
            errno = 0
            guard let entry = readdir(listing) else {
                if errno != 0 { closed.append(place) }
                return
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
            }
            guard let name else {
                odd.append((place, "A name in it is no text (UTF-8). Rename that file, and it is taken in."))
                continue
            }
            guard name != ".", name != ".." else { continue }
            take(name, place, depth, isKnown)
        }
    }

    private mutating func take(_ name: String, _ place: String, _ depth: Int, _ isKnown: (String) -> Bool) {
        let path = place.isEmpty ? name : "\(place)/\(name)"
        guard
            isKnown(path) || name.hasPrefix(MirrorName.aside)
                || !(name.hasPrefix(".") || Settled.isUnfinished(name))
        else {
            others.insert(path)
            return
        }
        var about = stat()
        guard lstat("\(root)/\(path)", &about) == 0 else { return }
        if files[path] != nil || folders[path] != nil {
            odd.append(
                (path, "Another one here has the same name, written with other signs. Rename one of them."))
            return
        }
        switch about.st_mode & S_IFMT {
        case S_IFDIR where depth < Self.deepest:
            folders[path] = Int64(bitPattern: UInt64(about.st_ino))
            look(path, depth + 1, isKnown)
        case S_IFREG: files[path] = File(path, about, Settled.isQuiet(about, for: quiet, at: now))
        default:
            others.insert(path)
            odd.append((path, "It is neither a file nor a folder, and is left alone."))
        }
    }
}

extension MirrorDisk.File {
    init(_ path: String, _ about: stat, _ isQuiet: Bool) {
        self.init(
            path: path, byteCount: Int64(about.st_size),
            changedAt: Int64(about.st_mtim.tv_sec) * 1_000_000_000 + Int64(about.st_mtim.tv_nsec),
            node: Int64(bitPattern: UInt64(about.st_ino)), isQuiet: isQuiet)
    }

    /// As it lies there now; nil when it does not.
    init?(_ path: String, in root: String) {
        var about = stat()
        guard lstat("\(root)/\(path)", &about) == 0, about.st_mode & S_IFMT == S_IFREG else { return nil }
        self.init(path, about, true)
    }
}
