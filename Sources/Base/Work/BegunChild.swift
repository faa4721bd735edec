import CSystem
import Glibc

/// A child at work. Whoever began it takes its outcome or stops it, once, and then closes it.
struct BegunChild: Sendable {
    let process: pid_t
    /// Becomes readable at the child's end; -1 where the kernel is too old.
    let end: Int32
    /// What is written to it wakes whoever waits for the outcome.
    let wake: Int32
    let limits: Child.Limits
    let folder: (path: String, byteCount: Int64)?
    let output: (end: Int32?, kind: Child.Output)
    let errorOutput: (end: Int32?, kind: Child.Output)
    let files: OpenFiles

    /// Waits for its end, or ends it when it has had enough, with everything it started: these are doomed then, but may
    /// take a moment longer. Its time begins now.
    func outcome(cancellation: Cancellation) throws(ChildError) -> Child.Outcome {
        let watch = Stopwatch()
        let subscription = cancellation.whenCancelled { [wake] in
            var one: UInt64 = 1
            _ = write(wake, &one, 8)
        }
        var vigil = Vigil(self)
        let stop = vigil.watch(cancellation: cancellation)
        subscription.cancel()

        // While the dead child is not reaped its number, which is also the group's, cannot be given away.
        kill(-process, SIGKILL)
        if stop != nil { kill(process, SIGKILL) }
        var status: Int32 = 0
        var cpuMicroseconds: Int64 = 0
        var peak: Int64 = 0
        let code = csystem_reap(process, &status, &cpuMicroseconds, &peak)
        guard code == 0 else { throw .refused(step: "wait for the program", code: code) }
        vigil.drain()

        let ending: Child.Ending =
            if let stop {
                .stopped(stop)
            } else if csystem_exited(status) != 0 {
                .exited(csystem_exit_code(status))
            } else {
                .killed(signal: csystem_signal(status))
            }
        return Child.Outcome(
            ending: ending, output: vigil.outputs[0].bytes, errorOutput: vigil.outputs[1].bytes,
            isOutputCut: vigil.outputs.contains { $0.isCut }, cpuTime: .microseconds(cpuMicroseconds),
            peakMemoryByteCount: peak, wallTime: watch.elapsed)
    }

    /// Ends it, with everything it started, for whoever does not want its outcome.
    func stop() {
        kill(-process, SIGKILL)
        kill(process, SIGKILL)
        var status: Int32 = 0
        var cpuMicroseconds: Int64 = 0
        var peak: Int64 = 0
        _ = csystem_reap(process, &status, &cpuMicroseconds, &peak)
    }

    func close() { files.closeAll() }

    /// It waits to be reaped.
    var hasEnded: Bool {
        var about = siginfo_t()
        return waitid(P_PID, id_t(process), &about, WEXITED | WNOHANG | WNOWAIT) == 0 && about.si_signo != 0
    }
}

/// One stream being read.
private struct Capture {
    var file: Int32?
    let limit: Int
    var bytes: [UInt8] = []
    var isCut = false

    init(_ file: Int32?, _ output: Child.Output) {
        self.file = file
        limit = if case .captured(let limit) = output { max(0, limit) } else { 0 }
    }

    /// Takes what is there now; at the end of the stream `file` becomes `nil`.
    mutating func read() {
        guard let file else { return }
        withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
            let count = Glibc.read(file, buffer.baseAddress, buffer.count)
            if count > 0 {
                let kept = min(count, limit - bytes.count)
                bytes.append(contentsOf: buffer[..<kept])
                if kept < count { isCut = true }
            } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
                self.file = nil
            }
        }
    }
}

/// Watches over a running child: reads what it says, and decides when it has had enough.
private struct Vigil {
    private let child: BegunChild
    private(set) var outputs: [Capture]

    private let clock = Stopwatch()
    /// Looking through all processes, or through a folder, costs some milliseconds.
    private static let patrolPause = Duration.milliseconds(200)
    private var nextPatrol = Self.patrolPause

    init(_ child: BegunChild) {
        self.child = child
        outputs = [
            Capture(child.output.end, child.output.kind),
            Capture(child.errorOutput.end, child.errorOutput.kind),
        ]
    }

    /// Returns when the child has ended (`nil`) or must be.
    mutating func watch(cancellation: Cancellation) -> Child.Stop? {
        while true {
            if cancellation.isCancelled { return .cancelled(reason: cancellation.reason ?? "cancelled") }
            if let end = child.limits.end, clock.elapsed >= end { return .timeLimit }
            var places = [pollfd(fd: child.wake, events: Int16(POLLIN), revents: 0)]
            places.append(pollfd(fd: child.end, events: Int16(POLLIN), revents: 0))
            for output in outputs {
                places.append(pollfd(fd: output.file ?? -1, events: Int16(POLLIN), revents: 0))
            }
            let count = poll(&places, nfds_t(places.count), pause)
            if count < 0 && errno != EINTR {
                return .cancelled(reason: "the system cannot watch the program")
            }
            for index in outputs.indices where places[2 + index].revents != 0 { outputs[index].read() }
            if places[1].revents != 0 || (child.end < 0 && child.hasEnded) { return nil }
            if clock.elapsed >= nextPatrol {
                nextPatrol = clock.elapsed + Self.patrolPause
                if let stop = overuse { return stop }
            }
        }
    }

    /// What was written before the end and still lies in the pipes. A descendant that left the group could
    /// hold them open for ever, so this takes what is there and does not wait.
    mutating func drain() {
        for index in outputs.indices {
            while outputs[index].file != nil {
                var place = pollfd(fd: outputs[index].file ?? -1, events: Int16(POLLIN), revents: 0)
                guard poll(&place, 1, 0) > 0 else { break }
                outputs[index].read()
            }
        }
    }

    /// Milliseconds until something has to be looked at although nothing happened.
    private var pause: Int32 {
        var pause: Int64 = -1
        if let end = child.limits.end {
            pause = max(1, (end - clock.elapsed).wholeMilliseconds.addingSaturating(1))
        }
        let patrol: Int64? = child.end < 0 ? 20 : isPatrolled ? 200 : nil
        if let patrol { pause = pause < 0 ? patrol : min(pause, patrol) }
        return Int32(min(pause, Int64(Int32.max)))
    }

    private var isPatrolled: Bool {
        child.limits.memoryByteCount != nil || child.limits.processCount != nil || child.folder != nil
    }

    private var overuse: Child.Stop? {
        if child.limits.memoryByteCount != nil || child.limits.processCount != nil {
            let use = ProcessTable.use(bySession: child.process)
            if let limit = child.limits.memoryByteCount, use.memoryByteCount > limit { return .memoryLimit }
            // The kernel does not count root's processes.
            if let limit = child.limits.processCount, use.threads > limit { return .processLimit }
        }
        if let folder = child.folder,
            FolderTree.byteCount(folder.path, stopAbove: folder.byteCount) > folder.byteCount
        {
            return .folderLimit
        }
        return nil
    }
}
