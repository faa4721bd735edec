import Glibc

/// A program to be run to its end: what it is called with, what it may use up, where its output goes.
///
/// The child gets a session and a process group of its own, inherits no descriptor and no environment, and
/// when it ends, for whatever reason, everything it started in its group ends with it.
///
///     let outcome = try Child("/usr/bin/pdfinfo", [path], limits: .init(time: .seconds(10))).run()
public struct Child: Sendable {
    public enum Input: Sendable {
        case nothing
        case bytes([UInt8])
        case file(String)
    }

    public enum Output: Sendable {
        /// Kept in memory; what comes after so many bytes is thrown away, and the outcome says so.
        case captured(limit: Int)
        case file(String)
        case discarded
    }

    /// What a child may use up; `nil` means as much as it likes.
    public struct Limits: Sendable {
        /// Time on the wall; to a polite child it says less of itself than of the others, and it gets many times as much.
        public var time: Duration?
        /// Time on the processor, for each process; whole seconds, rounded up.
        public var cpu: Duration?
        /// Memory for each process, and for all together.
        public var memoryByteCount: Int64?
        /// Length of any one file it writes.
        public var fileByteCount: Int64?
        /// Processes and threads together.
        public var processCount: Int?
        public var openFileCount: Int?
        /// Lets everybody else go first: for work that nobody waits for.
        public var isPolite = false

        /// When its time is over. One that lets all others go first may stand still for long without being at fault; what it
        /// uses itself is told by the processor.
        var end: Duration? { isPolite ? time.map { $0 * 20 } : time }

        public init(
            time: Duration? = nil, cpu: Duration? = nil, memoryByteCount: Int64? = nil,
            fileByteCount: Int64? = nil, processCount: Int? = nil, openFileCount: Int? = nil
        ) {
            self.time = time
            self.cpu = cpu
            self.memoryByteCount = memoryByteCount
            self.fileByteCount = fileByteCount
            self.processCount = processCount
            self.openFileCount = openFileCount
        }
    }

    public enum Ending: Sendable, Equatable {
        case exited(Int32)
        /// Ended by this signal, not sent by us.
        case killed(signal: Int32)
        case stopped(Stop)
    }

    /// Why we ended it.
    public enum Stop: Sendable, Equatable {
        case timeLimit, memoryLimit, processLimit, folderLimit
        case cancelled(reason: String)
    }

    public struct Outcome: Sendable {
        public var ending: Ending
        public var output: [UInt8]
        public var errorOutput: [UInt8]
        /// Whether more was written than was kept.
        public var isOutputCut: Bool
        public var cpuTime: Duration
        /// The largest resident size of any one of its processes. Until it ran its program it was as large as we are.
        public var peakMemoryByteCount: Int64
        public var wallTime: Duration

        public var succeeded: Bool { ending == .exited(0) }
        public var outputText: String { String(decoding: output, as: UTF8.self) }
        public var errorText: String { String(decoding: errorOutput, as: UTF8.self) }
    }

    public static let usualEnvironment = ["PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"]

    public var program: String
    public var arguments: [String]
    public var environment: [String: String]
    public var folder: String
    public var input: Input
    public var output: Output
    public var errorOutput: Output
    public var limits: Limits

    /// `program` is a path, or a name to be found as `find` does.
    public init(
        _ program: String, _ arguments: [String] = [], environment: [String: String] = usualEnvironment,
        folder: String = "/", input: Input = .nothing, output: Output = .captured(limit: 1 << 20),
        errorOutput: Output = .captured(limit: 1 << 16), limits: Limits = Limits()
    ) {
        self.program = program
        self.arguments = arguments
        self.environment = environment
        self.folder = folder
        self.input = input
        self.output = output
        self.errorOutput = errorOutput
        self.limits = limits
    }

    /// Waits for the end. A failing program is an outcome; only what keeps it from running is thrown.
    public func run(cancellation: Cancellation = Cancellation()) throws(ChildError) -> Outcome {
        try run(guarded: Guard(), cancellation: cancellation)
    }

    /// Where a program lies among the usual folders, and `nil` if it is not installed.
    public static func find(_ name: String) -> String? {
        if name.hasPrefix("/") { return access(name, X_OK) == 0 ? name : nil }
        guard !name.utf8.contains(UInt8(ascii: "/")), !name.isEmpty else { return nil }
        for folder in ["/usr/local/bin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/sbin", "/sbin"] {
            let path = "\(folder)/\(name)"
            if access(path, X_OK) == 0 { return path }
        }
        return nil
    }
}

/// Why a program could not even be begun.
public enum ChildError: Error, Sendable, Equatable {
    case programMissing(String)
    /// A file for its input or output could not be opened.
    case fileUnusable(String, code: Int32)
    /// What the system refused, and its error number.
    case refused(step: String, code: Int32)
    /// The jail cannot keep this promise on this machine.
    case noWall(String)
}

extension ChildError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .programMissing(let name): "\(name) is not installed"
        case .fileUnusable(let path, let code): "\(path) cannot be opened: \(systemMessage(code))"
        case .refused(let step, let code): "the system refused to \(step): \(systemMessage(code))"
        case .noWall(let wall): "this machine cannot run a program with \(wall)"
        }
    }
}
