import Archives
import Glibc
import Storage

/// The files of an export: a folder, or the same folder in a ZIP archive. Its lists name files by whatever somebody wrote
/// there; none of those names leads out of it.
struct PaperlessFiles {
    private enum Place {
        case folder(String)
        case archive(ZIPReader)
    }

    private let place: Place
    /// In an archive of the folder itself, all names begin with its own.
    private var start = ""

    init(_ path: String) throws {
        var about = stat()
        guard stat(path, &about) == 0 else {
            throw Failure(.notFound, "There is nothing at \(path).", field: "path")
        }
        if about.st_mode & S_IFMT == S_IFDIR {
            place = .folder(path)
        } else {
            // An export holds a library: what would be too much for an archive of papers is usual here.
            var limits = ZIPReader.Limits()
            limits.entries = 2_000_000
            limits.bytesInEntry = 16 << 30
            limits.bytesInAll = 1 << 44
            do {
                place = .archive(try ZIPReader(path: path, limits: limits))
            } catch {
                throw Failure(.unsupported, "This is no archive that can be opened: \(error).", field: "file")
            }
        }
        let list = names().first { $0 == Self.list || $0.hasSuffix("/" + Self.list) }
        guard let list else {
            throw Failure(
                .unsupported,
                "There is no \(Self.list) in it, which every export of Paperless-ngx has. Choose the folder that document_exporter wrote, or its ZIP archive.",
                field: "file")
        }
        start = String(list.dropLast(Self.list.count))
    }

    private static let list = "manifest.json"

    /// The list of all, and those beside single papers when the export was made so.
    var lists: [String] {
        let each = names().filter { $0.hasPrefix(start) && $0.hasSuffix("-\(Self.list)") }.sorted()
        return [Self.list] + each.map { String($0.dropFirst(start.count)) }
    }

    private func names() -> [String] {
        switch place {
        case .archive(let archive): archive.entries.filter { !$0.isFolder && !$0.isLink }.map(\.name)
        case .folder(let path): Self.names(in: path, below: "", depth: 0)
        }
    }

    private static func names(in folder: String, below path: String, depth: Int) -> [String] {
        guard depth < 20 else { return [] }
        return FolderNames.visible(in: folder).flatMap { name -> [String] in
            var about = stat()
            guard lstat("\(folder)/\(name)", &about) == 0 else { return [] }
            switch about.st_mode & S_IFMT {
            case S_IFDIR: return names(in: "\(folder)/\(name)", below: "\(path)\(name)/", depth: depth + 1)
            case S_IFREG: return [path + name]
            default: return []
            }
        }
    }

    /// Piece by piece.
    func read(_ name: String, _ each: ([UInt8]) throws -> Void) throws {
        switch place {
        case .archive(let archive):
            guard let entry = archive[start + name], !entry.isLink, !entry.isFolder else {
                throw missing(name)
            }
            try archive.stream(entry, each)
        case .folder(let folder):
            let file = try open(name, in: folder + "/" + start)
            defer { close(file) }
            var room = [UInt8](repeating: 0, count: 256 << 10)
            while true {
                let count = Glibc.read(file, &room, room.count)
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { throw missing(name) }
                if count == 0 { return }
                try each(Array(room[..<count]))
            }
        }
    }

    /// Neither ways up nor links are followed: what lies outside the export is not part of it.
    private func open(_ name: String, in folder: String) throws -> Int32 {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard !parts.isEmpty, !parts.contains(".."), !parts.contains(""), !name.utf8.contains(0) else {
            throw missing(name)
        }
        var path = folder
        for part in parts {
            path += (path.hasSuffix("/") ? "" : "/") + part
            var about = stat()
            guard lstat(path, &about) == 0, about.st_mode & S_IFMT != S_IFLNK else { throw missing(name) }
        }
        let file = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        var about = stat()
        guard file >= 0, fstat(file, &about) == 0, about.st_mode & S_IFMT == S_IFREG else {
            if file >= 0 { close(file) }
            throw missing(name)
        }
        return file
    }

    private func missing(_ name: String) -> Failure {
        Failure(.notFound, "The export names a file that is not in it: \(name).")
    }
}
