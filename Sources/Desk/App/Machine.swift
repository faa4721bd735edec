import Glibc
import Work

/// What the machine says about itself.
public enum Machine {
    public static var environment: [String: String] {
        var result: [String: String] = [:]
        var entry: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> = environ
        while let text = entry.pointee {
            let pair = String(cString: text).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if pair.count == 2, result[String(pair[0])] == nil { result[String(pair[0])] = String(pair[1]) }
            entry += 1
        }
        return result
    }

    static var processors: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

    public static var hostName: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let start = buffer.baseAddress, gethostname(start, 255) == 0 else { return "localhost" }
            buffer[255] = 0
            return String(cString: start)
        }
    }

    /// Room left for us on the file system of a folder.
    static func freeByteCount(_ path: String) -> Int64? {
        var about = statvfs()
        guard statvfs(path, &about) == 0 else { return nil }
        let (bytes, overflow) = UInt64(about.f_bavail).multipliedReportingOverflow(by: UInt64(about.f_frsize))
        return overflow ? .max : Int64(clamping: bytes)
    }

    /// Space taken by the files of a folder, and below it.
    static func byteCount(ofFolder path: String, depth: Int = 8) -> Int64 {
        guard let folder = opendir(path) else { return 0 }
        defer { closedir(folder) }
        var sum: Int64 = 0
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name != ".", name != ".." else { continue }
            var about = stat()
            guard lstat("\(path)/\(name)", &about) == 0 else { continue }
            if about.st_mode & S_IFMT == S_IFDIR, depth > 0 {
                sum += byteCount(ofFolder: "\(path)/\(name)", depth: depth - 1)
            } else {
                sum += Int64(about.st_size)
            }
        }
        return sum
    }

    static func byteCount(ofFile path: String) -> Int64? {
        var about = stat()
        return stat(path, &about) == 0 ? Int64(about.st_size) : nil
    }
}

/// Why a file could not be read.
struct FileTroubles: Error {
    let reason: String
}

enum SmallFile {
    /// Nil when there is none.
    static func read(_ path: String, limit: Int) throws(FileTroubles) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw FileTroubles(reason: systemMessage(errno))
        }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        var count = 0
        while count <= limit {
            let step = bytes.withUnsafeMutableBytes { buffer in
                buffer.baseAddress.map { Glibc.read(file, $0 + count, buffer.count - count) } ?? 0
            }
            if step < 0 && errno == EINTR { continue }
            guard step >= 0 else { throw FileTroubles(reason: systemMessage(errno)) }
            if step == 0 { return Array(bytes[..<count]) }
            count += step
        }
        throw FileTroubles(reason: "it is longer than \(limit) bytes")
    }

    static func require(_ path: String, limit: Int) throws(FileTroubles) -> [UInt8] {
        guard let bytes = try read(path, limit: limit) else { throw FileTroubles(reason: "it is not there") }
        return bytes
    }

    /// Whole or not at all, and only for the owner's eyes.
    static func replace(_ path: String, with bytes: [UInt8]) throws(FileTroubles) {
        guard let beside = DraftFile(beside: path, mode: 0o600) else {
            throw FileTroubles(reason: systemMessage(errno))
        }
        let (file, draft) = (beside.descriptor, beside.path)
        let isWritten = write(file, bytes, bytes.count) == bytes.count && fsync(file) == 0
        close(file)
        guard isWritten, rename(draft, path) == 0 else {
            let reason = systemMessage(errno)
            unlink(draft)
            throw FileTroubles(reason: reason)
        }
    }
}
