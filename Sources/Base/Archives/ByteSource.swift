import Glibc
import Work

/// Bytes to be read at any place: of a file, or in memory.
public final class ByteSource: Sendable {
    public let count: Int
    private let bytes: [UInt8]
    private let descriptor: Int32?
    private let path: String

    public init(bytes: [UInt8]) {
        self.bytes = bytes
        count = bytes.count
        descriptor = nil
        path = ""
    }

    public convenience init(path: String) throws(ZIPError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw .notReadable(path: path, reason: systemMessage(errno))
        }
        try self.init(taking: descriptor, path: path)
    }

    /// Of a file that is open already, which is closed at the end.
    public init(taking descriptor: Int32, path: String) throws(ZIPError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw .notReadable(path: path, reason: "it is no file")
        }
        self.descriptor = descriptor
        self.path = path
        bytes = []
        count = Int(status.st_size)
    }

    deinit { if let descriptor { close(descriptor) } }

    /// As many of these bytes as there are.
    public func glimpse(_ offset: Int, _ length: Int) throws(ZIPError) -> [UInt8] {
        guard offset >= 0, length > 0, offset < count else { return [] }
        return try read(offset, min(length, count - offset))
    }

    /// Exactly so many bytes; an error when they are not there.
    func read(_ offset: Int, _ length: Int) throws(ZIPError) -> [UInt8] {
        guard offset >= 0, length >= 0, length <= count, offset <= count - length else {
            throw .damaged("it is cut off")
        }
        guard let descriptor else { return Array(bytes[offset..<offset + length]) }
        var failure: Int32 = 0
        var isCutOff = false
        let result = [UInt8](unsafeUninitializedCapacity: length) { buffer, filled in
            while filled < length {
                let got = pread(
                    descriptor, buffer.baseAddress.map { $0 + filled }, length - filled,
                    off_t(offset + filled))
                if got < 0, errno == EINTR { continue }
                if got < 0 { failure = errno }
                // Somebody made the file shorter while it was read.
                if got == 0 { isCutOff = true }
                if got <= 0 { return }
                filled += got
            }
        }
        if failure != 0 { throw .notReadable(path: path, reason: systemMessage(failure)) }
        if isCutOff { throw .damaged("it is cut off") }
        return result
    }
}
