import Glibc
import Work

/// A file descriptor that closes itself, with the error of every call turned into a `Failure`.
struct OpenFile: ~Copyable {
    let descriptor: Int32
    let path: String

    private init(_ path: String, _ flags: Int32, mode: mode_t = 0o600) throws(Failure) {
        self.path = path
        var opened: Int32
        repeat { opened = open(path, flags | O_CLOEXEC, mode) } while opened < 0 && errno == EINTR
        guard opened >= 0 else { throw Failure.disk(errno, "open", path) }
        descriptor = opened
    }

    /// Does not wait when the path turns out to be a pipe.
    init(reading path: String) throws(Failure) { try self.init(path, O_RDONLY | O_NONBLOCK) }

    /// Refuses a path where something lies already.
    init(creating path: String) throws(Failure) { try self.init(path, O_RDWR | O_CREAT | O_EXCL) }

    /// Made when missing; for files that are there to be locked.
    init(keeping path: String) throws(Failure) { try self.init(path, O_RDWR | O_CREAT) }

    init(directory path: String) throws(Failure) { try self.init(path, O_RDONLY | O_DIRECTORY) }

    /// A lock goes with it at once, also where a program that is just being started still has the file open for a moment:
    /// closing alone would leave the lock with that program until it runs.
    deinit {
        _ = flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        try Self.write(bytes, to: descriptor, path)
    }

    private static func write(
        _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, _ path: String
    ) throws(Failure) {
        var rest = bytes
        while !rest.isEmpty {
            let written = Glibc.write(descriptor, rest.baseAddress, rest.count)
            if written < 0 {
                if errno == EINTR { continue }
                throw Failure.disk(errno, "write", path)
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[written...])
        }
    }

    func write(_ bytes: [UInt8]) throws(Failure) { try Self.write(bytes, to: descriptor, path) }

    /// For whoever cannot hold the file itself, such as a closure.
    static func write(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws(Failure) {
        // `withUnsafeBytes` hands typed errors through only as `any Error`.
        let result = bytes.withUnsafeBytes { buffer in
            Result { () throws(Failure) in try write(buffer, to: descriptor, path) }
        }
        try result.get()
    }

    /// The number of bytes read; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        while true {
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            if errno != EINTR { throw Failure.disk(errno, "read", path) }
        }
    }

    /// Goes through the rest of the file in pieces.
    func eachPiece(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { piece.deallocate() }
        while case let count = try read(into: piece), count > 0 {
            try body(UnsafeRawBufferPointer(rebasing: piece[..<count]))
        }
    }

    /// Returns when the disk has it.
    func sync() throws(Failure) {
        guard fsync(descriptor) == 0 else { throw Failure.disk(errno, "save", path) }
    }

    var status: stat {
        get throws(Failure) {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { throw Failure.disk(errno, "look at", path) }
            return status
        }
    }

    func setModified(_ moment: Moment) throws(Failure) {
        var times = [timespec(moment), timespec(moment)]
        guard futimens(descriptor, &times) == 0 else { throw Failure.disk(errno, "date", path) }
    }

    func setMode(_ mode: mode_t) throws(Failure) {
        guard fchmod(descriptor, mode) == 0 else { throw Failure.disk(errno, "protect", path) }
    }

    enum Lock { case shared, exclusive }

    /// Held until the file is closed. Without waiting, false when somebody else holds it.
    func lock(_ lock: Lock, waiting: Bool) throws(Failure) -> Bool {
        let operation = (lock == .shared ? LOCK_SH : LOCK_EX) | (waiting ? 0 : LOCK_NB)
        while flock(descriptor, operation) != 0 {
            if errno == EWOULDBLOCK { return false }
            if errno != EINTR { throw Failure.disk(errno, "lock", path) }
        }
        return true
    }
}

extension timespec {
    init(_ moment: Moment) {
        let (seconds, rest) = moment.milliseconds.quotientAndRemainder(dividingBy: 1000)
        // The kernel wants the fraction positive, also before 1970.
        let borrow: Int64 = rest < 0 ? 1 : 0
        self.init(tv_sec: Int(seconds - borrow), tv_nsec: Int(rest + borrow * 1000) * 1_000_000)
    }

    var moment: Moment { Moment(milliseconds: Int64(tv_sec) &* 1000 &+ Int64(tv_nsec) / 1_000_000) }
}
