import CMicroHTTPD
import Crypto
import Glibc
import Work

/// A whole file that is named after the digest of its bytes, compared with it while it is sent. The answer ends before its
/// last piece when the disk has changed a bit of it, so that nobody takes damaged bytes for the paper.
// Only the library's thread of this one connection reads it.
final class CheckedFile: @unchecked Sendable {
    private let path: String
    private let descriptor: Int32
    private let byteCount: UInt64
    private let promised: [UInt8]
    private let log: Log
    private var hash = SHA256Stream()
    private var read: UInt64 = 0

    private init(_ path: String, _ descriptor: Int32, _ byteCount: UInt64, _ promised: [UInt8], _ log: Log) {
        self.path = path
        self.descriptor = descriptor
        self.byteCount = byteCount
        self.promised = promised
        self.log = log
    }

    deinit { close(descriptor) }

    /// Nil when the answer cannot be made; then the descriptor is closed.
    static func response(
        _ path: String, _ descriptor: Int32, byteCount: Int64, promised: [UInt8], _ log: Log
    ) -> OpaquePointer? {
        let file = CheckedFile(path, descriptor, UInt64(byteCount), promised, log)
        let context = Unmanaged.passRetained(file)
        let raw = MHD_create_response_from_callback(
            file.byteCount, Int(min(max(byteCount, 1), 256 << 10)),
            { context, position, target, limit in
                guard let context, let target else { return Ending.brokenOff }
                return Unmanaged<CheckedFile>.fromOpaque(context).takeUnretainedValue()
                    .next(position, target, limit)
            }, context.toOpaque(),
            { context in
                guard let context else { return }
                Unmanaged<CheckedFile>.fromOpaque(context).release()
            })
        if raw == nil { context.release() }
        return raw
    }

    private func next(_ position: UInt64, _ target: UnsafeMutablePointer<CChar>, _ limit: Int) -> Int {
        guard position == read else { return Ending.brokenOff }
        var count: Int
        repeat { count = pread(descriptor, target, limit, off_t(position)) } while count < 0 && errno == EINTR
        guard count > 0 else { return fail("It ended early, or could not be read.") }
        hash.update(UnsafeRawBufferPointer(start: target, count: count))
        read += UInt64(count)
        guard read < byteCount || hash.finish() == promised else {
            return fail("Its bytes are not those that were saved.")
        }
        return count
    }

    private func fail(_ cause: String) -> Int {
        log.error("A stored file is damaged and was not sent to its end.", ["file": path, "cause": cause])
        return Ending.brokenOff
    }
}
