import Glibc
import Work

/// Something to send: read piece by piece, so a file of any size needs no memory.
public enum Upload: Sendable {
    case none
    case bytes([UInt8])
    case file(path: String)
    /// `open` gives a fresh reader each time, so that a redirect or a lost connection can start again. The
    /// reader fills the buffer and returns how much it wrote; 0 is the end. Without a byte count the body
    /// travels in chunks.
    case stream(byteCount: Int64?, open: @Sendable () throws -> (UnsafeMutableRawBufferPointer) throws -> Int)
}

/// An upload under way.
final class UploadReader {
    let byteCount: Int64?
    private let upload: Upload
    private var position = 0
    private var file: ReadableFile?
    private var reader: ((UnsafeMutableRawBufferPointer) throws -> Int)?
    private(set) var failure: TransferError?
    private(set) var sent: Int64 = 0
    private(set) var isComplete = false

    init(_ upload: Upload) throws(TransferError) {
        self.upload = upload
        switch upload {
        case .none: byteCount = nil
        case .bytes(let bytes): byteCount = Int64(bytes.count)
        case .file(let path):
            let file = try ReadableFile(path)
            byteCount = file.byteCount
            self.file = file
        case .stream(let count, let open):
            byteCount = count
            do { reader = try open() } catch { throw Self.failure(error) }
        }
    }

    func read(into room: UnsafeMutableRawBufferPointer) -> Int? {
        do {
            let count = try fill(room)
            sent += Int64(count)
            if count == 0 { isComplete = true }
            return count
        } catch {
            failure = Self.failure(error)
            return nil
        }
    }

    func rewind() -> Bool {
        sent = 0
        position = 0
        isComplete = false
        do {
            if let file { try file.rewind() }
            if case .stream(_, let open) = upload { reader = try open() }
            return true
        } catch {
            failure = Self.failure(error)
            return false
        }
    }

    private func fill(_ room: UnsafeMutableRawBufferPointer) throws -> Int {
        switch upload {
        case .none: return 0
        case .bytes(let bytes):
            let count = min(room.count, bytes.count - position)
            bytes.withUnsafeBytes { room.copyMemory(from: .init(rebasing: $0[position..<position + count])) }
            position += count
            return count
        case .file: return try file?.read(into: room) ?? 0
        case .stream:
            let count = try reader?(room) ?? 0
            guard (0...room.count).contains(count) else {
                throw TransferError.invalidRequest("a reader wrote too much")
            }
            return count
        }
    }

    private static func failure(_ error: any Error) -> TransferError {
        error as? TransferError ?? .invalidRequest(String(describing: error))
    }
}

/// A file open for reading from its start, closed when forgotten.
final class ReadableFile {
    let path: String
    let byteCount: Int64
    private let descriptor: Int32

    init(_ path: String) throws(TransferError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .local(path: path, why: reason()) }
        var about = stat()
        guard fstat(descriptor, &about) == 0, about.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw .local(path: path, why: "not a file")
        }
        byteCount = Int64(about.st_size)
    }

    deinit { close(descriptor) }

    func read(into room: UnsafeMutableRawBufferPointer) throws(TransferError) -> Int {
        while true {
            let count = Glibc.read(descriptor, room.baseAddress, room.count)
            if count >= 0 { return count }
            guard errno == EINTR else { throw .local(path: path, why: reason()) }
        }
    }

    func rewind() throws(TransferError) {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw .local(path: path, why: reason()) }
    }
}

/// The system's words for what just went wrong.
func reason() -> String { systemMessage(errno) }
