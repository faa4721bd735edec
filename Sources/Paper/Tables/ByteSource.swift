import Glibc
import Work

/// Bytes that come one after the other, wherever from. Used by one reader on one thread.
class ByteSource {
    /// How many were put there; 0 at the end.
    func read(into room: UnsafeMutableRawBufferPointer) throws(TableError) -> Int { 0 }

    func read(atMost count: Int) throws(TableError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var got = 0
        while got < count {
            let result = bytes.withUnsafeMutableBytes { room in
                Result { () throws(TableError) in
                    try read(into: UnsafeMutableRawBufferPointer(rebasing: room[got...]))
                }
            }
            let more = try result.get()
            guard more > 0 else { break }
            got += more
        }
        bytes.removeLast(count - got)
        return bytes
    }
}

final class FileBytes: ByteSource {
    private let descriptor: Int32
    /// A pipe has no size: nothing is held against it.
    let byteCount: Int

    init(_ path: String) throws(TableError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw TableError("“\(path)” cannot be opened: \(systemMessage(errno)).")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
            close(descriptor)
            throw TableError("“\(path)” is a folder.")
        }
        byteCount = status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : .max
    }

    deinit { close(descriptor) }

    override func read(into room: UnsafeMutableRawBufferPointer) throws(TableError) -> Int {
        while true {
            let count = Glibc.read(descriptor, room.baseAddress, room.count)
            if count >= 0 { return count }
            if errno != EINTR {
                throw TableError("The file cannot be read: \(systemMessage(errno)).")
            }
        }
    }
}

final class HeldBytes: ByteSource {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    override func read(into room: UnsafeMutableRawBufferPointer) -> Int {
        let piece = rest.prefix(room.count)
        room.copyBytes(from: piece)
        rest = rest.dropFirst(piece.count)
        return piece.count
    }
}

/// Bytes that somebody hands over piece by piece.
final class StreamBytes: ByteSource {
    private let next: (Int) throws -> [UInt8]
    private var piece: ArraySlice<UInt8> = []
    private(set) var byteCount = 0

    init(_ next: @escaping (Int) throws -> [UInt8]) { self.next = next }

    override func read(into room: UnsafeMutableRawBufferPointer) throws(TableError) -> Int {
        if piece.isEmpty {
            do {
                piece = try next(room.count)[...]
                byteCount += piece.count
            } catch let error as TableError {
                throw error
            } catch {
                throw TableError("The table cannot be read: \(error)")
            }
        }
        let part = piece.prefix(room.count)
        room.copyBytes(from: part)
        piece = piece.dropFirst(part.count)
        return part.count
    }
}

/// A source whose beginning has been looked at.
final class ReplayedBytes: ByteSource {
    private var head: ArraySlice<UInt8>
    private let rest: ByteSource

    init(_ head: ArraySlice<UInt8>, then rest: ByteSource) {
        self.head = head
        self.rest = rest
    }

    override func read(into room: UnsafeMutableRawBufferPointer) throws(TableError) -> Int {
        guard !head.isEmpty else { return try rest.read(into: room) }
        let part = head.prefix(room.count)
        room.copyBytes(from: part)
        head = head.dropFirst(part.count)
        return part.count
    }
}
