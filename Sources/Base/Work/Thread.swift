import CSystem
import Synchronization

/// A thread of our own, with a name that `top -H` shows and a modest stack.
public final class Thread: Sendable {
    /// Enough for SQL, parsing with bounded depth and C libraries; only touched pages cost memory.
    public static let usualStackByteCount = 1 << 20

    private let handle: Mutex<UInt64?>

    /// Starts at once. The name may have 15 letters; the kernel keeps no more. Where the machine has none to give, it is
    /// waited for: whoever asks has no other way.
    public init(
        name: String, stackByteCount: Int = Thread.usualStackByteCount, _ body: @escaping @Sendable () -> Void
    ) {
        do throws(NoThread) {
            handle = Mutex(try Self.start(name, stackByteCount, patience: 1000, body))
        } catch {
            preconditionFailure("the machine gives no more threads (\(error.code))")
        }
    }

    /// Nil where the machine has none to give now.
    init?(ifThereIs name: String, stackByteCount: Int, _ body: @escaping @Sendable () -> Void) {
        guard let started = try? Self.start(name, stackByteCount, patience: 1, body) else { return nil }
        handle = Mutex(started)
    }

    private struct NoThread: Error {
        let code: Int32
    }

    private static func start(
        _ name: String, _ stackByteCount: Int, patience: Int32, _ body: @escaping @Sendable () -> Void
    ) throws(NoThread) -> UInt64 {
        let box = Unmanaged.passRetained(ThreadBody(body))
        var made: UInt64 = 0
        let code = csystem_thread_start(&made, stackByteCount, name, patience, runThreadBody, box.toOpaque())
        guard code == 0 else {
            box.release()
            throw NoThread(code: code)
        }
        return made
    }

    /// The calling thread takes what others leave of the processors, from now on.
    static func letOthersGoFirst() { csystem_thread_let_others_go_first() }

    /// Waits until the body has returned. A second call returns at once.
    public func join() {
        let handle = self.handle.withLock { handle in
            defer { handle = nil }
            return handle
        }
        if let handle { csystem_thread_join(handle) }
    }

    /// Letting go of the value lets the thread run on alone.
    deinit {
        if let handle = handle.withLock({ $0 }) { csystem_thread_detach(handle) }
    }
}

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
        self.run = run
    }
}

private func runThreadBody(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
    return nil
}
