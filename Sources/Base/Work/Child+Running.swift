import CSystem
import Glibc

/// The walls put up around a child before it begins.
struct Guard: Sendable {
    var user: UInt32?
    /// `csystem.h`'s flags of what the filter lets through; `nil` for no filter.
    var filterFlags: UInt32?
    /// `nil` for no Landlock.
    var paths: (readable: [String], writable: [String])?
    /// A filter for bubblewrap to put up, passed on as descriptor 3.
    var passedFilterFlags: UInt32?
    /// A folder whose contents may not grow beyond so many bytes.
    var folder: (path: String, byteCount: Int64)?
}

extension Child {
    func run(guarded walls: Guard, cancellation: Cancellation) throws(ChildError) -> Outcome {
        let watch = Stopwatch()
        let begun = try begin(guarded: walls)
        defer { begun.close() }
        var outcome = try begun.outcome(cancellation: cancellation)
        Self.awaitEnd(ofGroup: begun.process)
        outcome.wallTime = watch.elapsed
        return outcome
    }

    /// Begins it without waiting for its end. `reading` is a descriptor to read from instead of `input`.
    func begin(guarded walls: Guard, reading given: Int32? = nil) throws(ChildError) -> BegunChild {
        guard let path = Child.find(program) else { throw .programMissing(program) }
        var files = OpenFiles()
        do throws(ChildError) {
            let inputFile = if let given { given } else { try files.forInput(input) }
            let (outputEnd, outputFile) = try files.forOutput(output)
            let (errorEnd, errorFile) = try files.forOutput(errorOutput)
            let wake = try files.adding(csystem_wake_file(), for: "wake")
            let filter = try walls.passedFilterFlags.map { flags throws(ChildError) in
                try files.adding(csystem_filter_file(flags), for: "filter")
            }
            let process = try spawn(
                path, walls, input: inputFile, output: outputFile, error: errorFile, extra: filter ?? -1)
            // Ours of the pipes must go, or their other ends would never see the end.
            if outputEnd != nil { files.close(outputFile) }
            if errorEnd != nil { files.close(errorFile) }
            let end = csystem_pidfd(process)
            if end >= 0 { files.add(end) }
            return BegunChild(
                process: process, end: end, wake: wake, limits: limits, folder: walls.folder,
                output: (outputEnd, output), errorOutput: (errorEnd, errorOutput), files: files)
        } catch {
            files.closeAll()
            throw error
        }
    }

    /// A killed process takes a moment to be gone. Where process 1 leaves orphans unburied, only the living
    /// count.
    static func awaitEnd(ofGroup group: pid_t) {
        var pause: UInt32 = 100
        for _ in 0..<60 where kill(-group, 0) == 0 {
            guard ProcessTable.use(bySession: group).threads > 0 else { return }
            usleep(pause)
            pause = min(pause * 2, 100_000)
        }
    }

    /// Begins it without waiting for its end; what it says beside its output is thrown away.
    func spawnToStay(_ walls: Guard, input: Int32, output: Int32) throws(ChildError) -> pid_t {
        var files = OpenFiles()
        defer { files.closeAll() }
        let (_, nowhere) = try files.forOutput(.discarded)
        let filter = try walls.passedFilterFlags.map { flags throws(ChildError) in
            try files.adding(csystem_filter_file(flags), for: "filter")
        }
        return try spawn(program, walls, input: input, output: output, error: nowhere, extra: filter ?? -1)
    }

    private func spawn(
        _ path: String, _ walls: Guard, input: Int32, output: Int32, error: Int32, extra: Int32
    ) throws(ChildError) -> pid_t {
        var process: pid_t = 0
        var step: UnsafePointer<CChar>?
        let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let code = withCStrings([path] + arguments) { arguments in
            withCStrings(variables) { variables in
                withCStrings(walls.paths?.readable ?? []) { readable in
                    withCStrings(walls.paths?.writable ?? []) { writable in
                        withCStrings([path, folder]) { texts in
                            var plan = csystem_spawn()
                            plan.program = UnsafePointer(texts[0])
                            plan.directory = UnsafePointer(texts[1])
                            plan.arguments = UnsafePointer(arguments)
                            plan.environment = UnsafePointer(variables)
                            plan.input = input
                            plan.output = output
                            plan.error = error
                            plan.extra = extra
                            plan.limits = spawnLimits(user: walls.user)
                            plan.changes_user = walls.user == nil ? 0 : 1
                            plan.user = walls.user ?? 0
                            plan.is_filtered = walls.filterFlags == nil ? 0 : 1
                            plan.filter_flags = walls.filterFlags ?? 0
                            plan.is_landlocked = walls.paths == nil ? 0 : 1
                            return readable.withMemoryRebound(
                                to: UnsafePointer<CChar>?.self, capacity: 1
                            ) { readable in
                                writable.withMemoryRebound(to: UnsafePointer<CChar>?.self, capacity: 1) {
                                    plan.readable = UnsafePointer(readable)
                                    plan.writable = UnsafePointer($0)
                                    return csystem_spawn(&plan, &process, &step)
                                }
                            }
                        }
                    }
                }
            }
        }
        guard code == 0 else {
            throw .refused(step: step.map { String(cString: $0) } ?? "begin", code: code)
        }
        return process
    }

    private func spawnLimits(user: UInt32?) -> csystem_limits {
        var result = csystem_limits()
        if let cpu = limits.cpu {
            result.cpu_seconds = UInt64(max(1, (cpu.wholeMilliseconds.addingSaturating(999)) / 1000))
        }
        result.data_byte_count = UInt64(max(0, limits.memoryByteCount ?? 0))
        result.file_byte_count = UInt64(max(0, limits.fileByteCount ?? 0))
        result.open_file_count = UInt64(max(0, limits.openFileCount ?? 0))
        result.niceness = limits.isPolite ? 10 : 0
        if let allowed = limits.processCount {
            // The kernel counts all of the user's processes, not the child's alone. Where the user is ours, others
            // come and go meanwhile: a flood is ended when it is noticed, and the kernel holds up only a great one.
            let others = ProcessTable.threadCount(ofUser: user ?? getuid()) + (user == nil ? 1024 : 0)
            result.process_count = UInt64(max(1, allowed + others))
        }
        return result
    }
}

/// The descriptors held for one run, closed at its end.
struct OpenFiles: Sendable {
    private var list: [Int32] = []

    mutating func add(_ file: Int32) {
        list.append(file)
    }

    mutating func adding(_ file: Int32, for what: String) throws(ChildError) -> Int32 {
        guard file >= 0 else { throw .fileUnusable(what, code: errno) }
        list.append(file)
        return file
    }

    mutating func close(_ file: Int32) {
        list.removeAll { $0 == file }
        _ = Glibc.close(file)
    }

    func closeAll() {
        for file in list { _ = Glibc.close(file) }
    }

    mutating func forInput(_ input: Child.Input) throws(ChildError) -> Int32 {
        switch input {
        case .nothing: return try adding(open("/dev/null", O_RDONLY | O_CLOEXEC), for: "/dev/null")
        case .file(let path): return try adding(open(path, O_RDONLY | O_CLOEXEC), for: path)
        case .bytes(let bytes):
            // A file in memory rather than a pipe: nobody has to keep feeding it.
            return try adding(csystem_memory_file(bytes, bytes.count), for: "input")
        }
    }

    /// The end to read from, if any, and what the child writes to.
    mutating func forOutput(_ output: Child.Output) throws(ChildError) -> (Int32?, Int32) {
        switch output {
        case .discarded: return (nil, try adding(open("/dev/null", O_WRONLY | O_CLOEXEC), for: "/dev/null"))
        case .file(let path):
            let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
            return (nil, try adding(file, for: path))
        case .captured:
            var ends: (Int32, Int32) = (-1, -1)
            let code = withUnsafeMutablePointer(to: &ends) {
                $0.withMemoryRebound(to: Int32.self, capacity: 2) { csystem_pipe($0) }
            }
            guard code == 0 else { throw .refused(step: "make a pipe", code: code) }
            list += [ends.0, ends.1]
            _ = fcntl(ends.0, F_SETFL, O_NONBLOCK)
            return (ends.0, ends.1)
        }
    }
}

private func withCStrings<R>(
    _ texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> R
) -> R {
    let pointers = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: texts.count + 1)
    for (index, text) in texts.enumerated() { pointers[index] = strdup(text) }
    pointers[texts.count] = nil
    defer {
        for index in texts.indices { free(pointers[index]) }
        pointers.deallocate()
    }
    return body(pointers)
}
