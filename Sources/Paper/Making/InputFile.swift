import Crypto
import Glibc
import Work

/// A file that is read more than once: to look at its first rows, to count them, to fill from them. What comes through
/// a pipe is put aside for that, in a file without a name that goes with the program.
public final class InputFile: Sendable {
    /// For messages, and to tell the format by.
    public let name: String
    /// Opens the same bytes again and again, also for a pipe.
    public let path: String
    private let descriptor: Int32

    public init(path: String) throws(FileTrouble) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileTrouble(path) }
        var about = stat()
        guard fstat(descriptor, &about) == 0, about.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw FileTrouble(path: path, reason: "it is not a file")
        }
        self.path = path
        name = path.split(separator: "/").last.map(String.init) ?? path
    }

    /// Everything that comes through a pipe, such as standard input.
    public init(pipe: Int32, name: String) throws(FileTrouble) {
        descriptor = NamelessFile.open()
        guard descriptor >= 0 else { throw FileTrouble(NamelessFile.folder) }
        self.name = name
        path = "/proc/self/fd/\(descriptor)"
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = Glibc.read(pipe, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileTrouble(name) }
            if count == 0 { return }
            try put(buffer[..<count])
        }
    }

    /// What was made to be read here and lies nowhere else.
    public init(holding bytes: [UInt8], name: String) throws(FileTrouble) {
        descriptor = NamelessFile.open()
        guard descriptor >= 0 else { throw FileTrouble(NamelessFile.folder) }
        self.name = name
        path = "/proc/self/fd/\(descriptor)"
        try put(bytes[...])
    }

    private func put(_ bytes: ArraySlice<UInt8>) throws(FileTrouble) {
        var left = bytes
        while !left.isEmpty {
            let written = left.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw FileTrouble(NamelessFile.folder) }
            left = left.dropFirst(written)
        }
    }

    deinit { close(descriptor) }

    /// SHA-256 of all bytes, as hexadecimal digits.
    public func hash() throws(FileTrouble) -> String {
        var stream = SHA256Stream()
        try read { stream.update($0) }
        return stream.finish().map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    public func bytes() throws(FileTrouble) -> [UInt8] {
        var all: [UInt8] = []
        try read { all += $0 }
        return all
    }

    /// Seconds since 1970.
    public var modified: Int {
        var about = stat()
        return fstat(descriptor, &about) == 0 ? about.st_mtim.tv_sec : 0
    }

    /// The first bytes.
    public func beginning(_ count: Int) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: count)
        let got = pread(descriptor, &buffer, count, 0)
        return Array(buffer.prefix(max(0, got)))
    }

    /// Line ends outside quotation marks; a last line without one counts too.
    func countLines() throws(FileTrouble) -> Int {
        var rows = 0
        var isQuoted = false
        var isInRow = false
        try read { piece in
            for byte in piece {
                if byte == UInt8(ascii: "\"") {
                    isQuoted.toggle()
                    isInRow = true
                } else if byte == 10, !isQuoted {
                    if isInRow { rows += 1 }
                    isInRow = false
                } else if byte > 32 {
                    isInRow = true
                }
            }
        }
        return rows + (isInRow ? 1 : 0)
    }

    private func read(_ each: ([UInt8]) -> Void) throws(FileTrouble) {
        var offset = 0
        while true {
            var problem: Int32 = 0
            let piece = [UInt8](unsafeUninitializedCapacity: 1 << 18) { buffer, got in
                var count = pread(descriptor, buffer.baseAddress, 1 << 18, offset)
                while count < 0, errno == EINTR {
                    count = pread(descriptor, buffer.baseAddress, 1 << 18, offset)
                }
                if count < 0 { problem = errno }
                got = max(0, count)
            }
            guard problem == 0 else {
                throw FileTrouble(path: name, reason: systemMessage(problem))
            }
            if piece.isEmpty { return }
            each(piece)
            offset += piece.count
        }
    }
}
