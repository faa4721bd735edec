import Glibc
import Work

/// Bytes that grow without end: the last of them are held, those before wait in a file without a name, which goes with the
/// program. Where no such file can be written, all are held.
struct LongBytes: ~Copyable {
    /// Where bytes are put behind the others. `settle` says when there are enough of them.
    var end: [UInt8] = []
    private var file: Int32 = -1
    private var filedCount = 0
    private var isHeld = false
    private static let heldByteCount = 1 << 18

    init() {}

    deinit { if file >= 0 { close(file) } }

    mutating func settle() {
        guard end.count >= Self.heldByteCount, !isHeld else { return }
        if file < 0 { file = NamelessFile.open() }
        guard file >= 0, end.withUnsafeBytes({ Self.write($0, file, at: filedCount) }) else {
            isHeld = true
            return
        }
        filedCount += end.count
        end.removeAll(keepingCapacity: true)
    }

    /// All of them, piece by piece, from the first on; false when the file cannot be read again.
    func read(_ each: (UnsafeRawBufferPointer) throws -> Void) rethrows -> Bool {
        var done = 0
        var piece = [UInt8](repeating: 0, count: filedCount > 0 ? 1 << 16 : 0)
        while done < filedCount {
            let count = pread(file, &piece, min(piece.count, filedCount - done), done)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            try piece.withUnsafeBytes { try each(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            done += count
        }
        try end.withUnsafeBytes { try each($0) }
        return true
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, _ file: Int32, at place: Int) -> Bool {
        var done = 0
        while done < bytes.count {
            let count = pwrite(file, bytes.baseAddress.map { $0 + done }, bytes.count - done, place + done)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }
}
