import Glibc

/// What the system says of the troubles people meet most, in the words of the C library. They stand here so that they can be
/// said in other languages too.
public let systemMessages: [Int32: String] = [
    ENOENT: "No such file or directory", EACCES: "Permission denied", EPERM: "Operation not permitted",
    ENOSPC: "No space left on device", EISDIR: "Is a directory", ENOTDIR: "Not a directory",
    EROFS: "Read-only file system", EEXIST: "File exists", ENOTEMPTY: "Directory not empty",
    EMFILE: "Too many open files", EIO: "Input/output error", ENAMETOOLONG: "File name too long",
    ECONNREFUSED: "Connection refused", ETIMEDOUT: "Connection timed out",
]

/// The system's words for an error number.
public func systemMessage(_ code: Int32) -> String {
    if let known = systemMessages[code] { return known }
    // `strerror_r` in GNU's shape is hidden from Swift; a table of our own would be longer than this.
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
        guard let start = buffer.baseAddress, strerror_r(code, start, 128) == 0 else {
            return "error \(code)"
        }
        return String(cString: start)
    }
}
