import Glibc
import Making
import Storage
import Work

/// What commands want to know about files they were given.
enum Files {
    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    static func isFolder(_ path: String) -> Bool {
        var about = stat()
        return stat(path, &about) == 0 && about.st_mode & S_IFMT == S_IFDIR
    }

    /// A folder for results, with those above it; one that is there already is as good.
    static func makeFolder(_ path: String) throws(Failure) {
        do throws(FileTrouble) { try ResultFolder.make(path) } catch {
            throw Failure(.unavailable, "“\(path)” could not be made: \(error.reason).")
        }
    }

    /// The size of a file that can be read.
    static func byteCount(_ path: String) throws(Failure) -> Int64 {
        var about = stat()
        guard stat(path, &about) == 0 else {
            throw Failure(errno == ENOENT ? .notFound : .unavailable, "\(path) cannot be read: \(reason).")
        }
        guard about.st_mode & S_IFMT == S_IFREG else { throw Failure(.invalid, "\(path) is not a file.") }
        guard access(path, R_OK) == 0 else { throw Failure(.denied, "\(path) cannot be read: \(reason).") }
        return Int64(about.st_size)
    }

    /// A whole file of a sensible size.
    static func read(_ path: String, atMost limit: Int64) throws(Failure) -> [UInt8] {
        let count = try byteCount(path)
        guard count <= limit else {
            throw Failure(
                .tooLarge, "“\(name(path))” is too large. It may have at most \(limit / 1_000_000) MB.")
        }
        guard let file = fopen(path, "rb") else {
            throw Failure(.unavailable, "“\(path)” cannot be read: \(reason).")
        }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: Int(count))
        let read = fread(&bytes, 1, bytes.count, file)
        return Array(bytes.prefix(read))
    }

    /// A file for what has a title: its strokes begin no folders.
    static func name(titled title: String) -> String {
        title.replacing("/", with: "-").replacing("\\", with: "-")
    }

    static func name(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    /// All files below a folder, in the order of their names; hidden ones and links to elsewhere are left out.
    static func below(_ folder: String, depth: Int = 32) throws(Failure) -> [String] {
        guard depth > 0 else { return [] }
        guard let open = opendir(folder) else {
            throw Failure(.unavailable, "\(folder) cannot be read: \(reason).")
        }
        var names: [(name: String, kind: UInt8)] = []
        while let entry = readdir(open) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append((name, entry.pointee.d_type)) }
        }
        closedir(open)
        var found: [String] = []
        for (name, kind) in names.sorted(by: { $0.name < $1.name }) {
            let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
            if kind == UInt8(DT_DIR) {
                found += try below(path, depth: depth - 1)
            } else if kind == UInt8(DT_REG) {
                found.append(path)
            }
        }
        return found
    }

    static var reason: String { systemMessage(errno) }
}

extension Invocation {
    /// The first line of a file, or of what is typed or piped in: a secret that does not stand on the command line.
    func firstLine(of path: String) throws -> String {
        let file = path == "-" ? dup(STDIN_FILENO) : open(absolute(path), O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw Failure(.notFound, "“\(path)” could not be read: \(Files.reason).") }
        defer { close(file) }
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        // One by one: what follows the line is not ours to take.
        while bytes.count < 4096, read(file, &byte, 1) == 1, byte != 10 { bytes.append(byte) }
        if bytes.last == 13 { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
