import CSystem
import Glibc
import Synchronization

/// A jailed program that stays: bytes go to its input, bytes come from its output, for as long as it lives.
///
/// It is looked after by whoever reads from it: every wait also sees whether it used up more memory, processes or
/// disk than it may. `end` kills it and everything it started.
public final class LiveChild: Sendable {
    /// Why nothing more can be heard from it.
    public enum Trouble: Error, Sendable, Equatable {
        /// It ended, or closed its output.
        case gone
        /// It said nothing within the time given.
        case silent
        case overuse(Child.Stop)
        case cancelled(reason: String)
    }

    let process: pid_t
    private let input: Int32
    private let output: Int32
    private let limits: Child.Limits
    private let folder: (path: String, byteCount: Int64)?
    private let ending = Mutex<Child.Outcome?>(nil)
    private let patrol = Mutex(Stopwatch())
    private static let patrolPause = Duration.milliseconds(500)
    /// A child that was killed closes its pipe under whoever writes to it; that is told as an error, and must not end
    /// us as well. Children begin with the signals as usual.
    static let ignoresBrokenPipes: Void = { signal(SIGPIPE, SIG_IGN) }()

    init(_ child: Child, guarded walls: Guard) throws(ChildError) {
        Self.ignoresBrokenPipes
        var towards: (Int32, Int32) = (-1, -1)
        var back: (Int32, Int32) = (-1, -1)
        try Self.pipe(&towards)
        do {
            try Self.pipe(&back)
        } catch {
            close(towards.0)
            close(towards.1)
            throw error
        }
        defer {
            close(towards.0)
            close(back.1)
        }
        do {
            process = try Nursery.spawn(child, walls, input: towards.0, output: back.1)
        } catch {
            close(towards.1)
            close(back.0)
            throw error
        }
        input = towards.1
        output = back.0
        limits = child.limits
        folder = walls.folder
        // A program that stopped reading must not hold up whoever writes to it.
        _ = fcntl(input, F_SETFL, O_NONBLOCK)
        _ = fcntl(output, F_SETFL, O_NONBLOCK)
        _ = fcntl(input, setPipeSize, 1 << 20)
        _ = fcntl(output, setPipeSize, 1 << 20)
    }

    deinit {
        end()
        close(input)
        close(output)
    }

    /// One writer at a time.
    public func write(_ bytes: [UInt8], within time: Duration = .seconds(30)) throws(Trouble) {
        let clock = Stopwatch()
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
                continue
            }
            if count < 0, errno == EINTR { continue }
            guard count < 0, errno == EAGAIN else { throw .gone }
            guard clock.elapsed < time else { throw .silent }
            var place = pollfd(fd: input, events: Int16(POLLOUT), revents: 0)
            _ = poll(&place, 1, 200)
            if place.revents & Int16(POLLERR) != 0 { throw .gone }
        }
    }

    /// What it has said since, at least one byte; waits for it. One reader at a time.
    public func read(
        within time: Duration, cancellation: Cancellation = LiveChild.never
    ) throws(Trouble) -> [UInt8] {
        let clock = Stopwatch()
        while true {
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            let count = Glibc.read(output, &buffer, buffer.count)
            if count > 0 {
                buffer.removeLast(buffer.count - count)
                return buffer
            }
            if count == 0 { throw .gone }
            if errno == EINTR { continue }
            guard errno == EAGAIN else { throw .gone }
            if cancellation.isCancelled { throw .cancelled(reason: cancellation.reason ?? "cancelled") }
            let left = time - clock.elapsed
            guard left > .zero else { throw .silent }
            var place = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            _ = poll(&place, 1, Int32(min(200, max(1, left.wholeMilliseconds))))
            if let stop = overuse { throw .overuse(stop) }
        }
    }

    /// Memory of its own and that of its children, without what programs share.
    public var memoryByteCount: Int64 { ProcessTable.use(bySession: process).memoryByteCount }

    public var isRunning: Bool {
        guard ending.withLock({ $0 == nil }) else { return false }
        var about = siginfo_t()
        return waitid(P_PID, id_t(process), &about, WEXITED | WNOHANG | WNOWAIT) == 0 && about.si_signo == 0
    }

    /// Kills it with all it started, and says what it had used up. Any number of times.
    @discardableResult
    public func end() -> Child.Outcome {
        ending.withLock { ending in
            if let ending { return ending }
            kill(-process, SIGKILL)
            kill(process, SIGKILL)
            var status: Int32 = 0
            var cpuMicroseconds: Int64 = 0
            var peak: Int64 = 0
            _ = csystem_reap(process, &status, &cpuMicroseconds, &peak)
            Child.awaitEnd(ofGroup: process)
            let outcome = Child.Outcome(
                ending: csystem_exited(status) != 0
                    ? .exited(csystem_exit_code(status)) : .killed(signal: csystem_signal(status)),
                output: [], errorOutput: [], isOutputCut: false, cpuTime: .microseconds(cpuMicroseconds),
                peakMemoryByteCount: peak, wallTime: .zero)
            ending = outcome
            return outcome
        }
    }

    /// Looking through all processes costs some milliseconds, so it is not done at every turn.
    private var overuse: Child.Stop? {
        let isDue = patrol.withLock { last in
            guard last.elapsed >= Self.patrolPause else { return false }
            last = Stopwatch()
            return true
        }
        guard isDue else { return nil }
        let use = ProcessTable.use(bySession: process)
        if let limit = limits.memoryByteCount, use.memoryByteCount > limit { return .memoryLimit }
        if let limit = limits.processCount, use.threads > limit { return .processLimit }
        if let folder, FolderTree.byteCount(folder.path, stopAbove: folder.byteCount) > folder.byteCount {
            return .folderLimit
        }
        return nil
    }

    /// Held, for whoever does not want to cancel.
    public static let never = Cancellation()

    static func pipe(_ ends: inout (Int32, Int32)) throws(ChildError) {
        let code = withUnsafeMutablePointer(to: &ends) {
            $0.withMemoryRebound(to: Int32.self, capacity: 2) { csystem_pipe($0) }
        }
        guard code == 0 else { throw .refused(step: "make a pipe", code: code) }
    }
}

/// The thread that begins programs which stay. A child dies with the thread that made it, so that nothing of ours
/// outlives us; the threads that want one come and go, this one stays.
private enum Nursery {
    private static let workers = Workers(name: "nursery", threads: 1, stackByteCount: 256 << 10)

    static func spawn(
        _ child: Child, _ walls: Guard, input: Int32, output: Int32
    ) throws(ChildError) -> pid_t {
        let answer = Monitor<Result<pid_t, ChildError>?>(nil)
        workers.submit {
            let result: Result<pid_t, ChildError>
            do throws(ChildError) {
                result = .success(try child.spawnToStay(walls, input: input, output: output))
            } catch {
                result = .failure(error)
            }
            answer.update { $0 = result }
        }
        guard let result = answer.wait({ $0 }) else { throw .refused(step: "begin", code: EAGAIN) }
        return try result.get()
    }
}

/// Linux's `F_SETPIPE_SZ`, which is behind a feature macro that `import Glibc` does not set.
private let setPipeSize: Int32 = 1031
