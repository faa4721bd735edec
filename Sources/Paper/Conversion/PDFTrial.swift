import Glibc
import Office
import PDF
public import Work

/// Works through PDF files in the jail before they are worked with here: their structures are strangers', too, and one that
/// brings a reader down, never ends or takes all memory must do so there. A file that was worked through there is worked
/// through here as well.
public struct PDFTrial: Sendable {
    public enum Outcome: Sendable, Equatable {
        /// `remarks`: what had to be mended, and with `.look` what is wrong with it.
        case worked(pages: Int, remarks: [String])
        /// It is locked, or no PDF: whoever opens it here hears why.
        case refused
        case givenUp(Trouble)
        /// Nothing keeps programs from this machine here, or a part of Quire is missing.
        case untried
    }

    public enum Trouble: Sendable, Equatable { case crashed, tooLong, tooLarge }

    public enum Work: String, Sendable {
        /// All of it is read and unpacked.
        case look
        /// A new file is made of its pages.
        case merge
    }

    private let jail: Jail
    private let seconds: Int

    /// So many seconds of the processor for a file, and one more for each two megabytes of it.
    public init(_ jail: Jail, seconds: Int = 10) {
        self.jail = jail
        self.seconds = seconds
    }

    public func outcome(
        of bytes: [UInt8], _ work: Work, password: String? = nil, cancellation: Cancellation = LiveChild.never
    ) throws -> Outcome {
        let found = try outcomes(of: [bytes], work, password: password, cancellation: cancellation)[0]
        guard found == .refused, let mended = PDFFile.mended(bytes) else { return found }
        let outcome = try outcomes(of: [mended], work, password: password, cancellation: cancellation)[0]
        guard mended.count < bytes.count, case .worked(let pages, let remarks) = outcome else {
            return outcome
        }
        return .worked(pages: pages, remarks: [PDFFile.noiseRemark] + remarks)
    }

    /// In their order. One that is given up takes none of the others along.
    public func outcomes(
        of files: [[UInt8]], _ work: Work, password: String? = nil,
        cancellation: Cancellation = LiveChild.never
    ) throws -> [Outcome] {
        guard EngineProgram.path != nil, jail.keepsFromNetwork, jail.keepsFromFiles || jail.mayShowFiles
        else {
            return files.map { _ in .untried }
        }
        var outcomes: [Outcome] = []
        while outcomes.count < files.count {
            let rest = files[outcomes.count...]
            var byteCount = 0
            let portion = rest.prefix(Self.mostFiles).prefix { file in
                defer { byteCount += file.count }
                return byteCount < Self.mostBytes
            }
            outcomes += try tried(Array(portion), work, password, cancellation)
        }
        return outcomes
    }

    private static let mostFiles = 200
    private static let mostBytes = 256 << 20

    /// The outcomes of those that were begun; the last of them may be one that ended the program.
    private func tried(
        _ files: [[UInt8]], _ work: Work, _ password: String?, _ cancellation: Cancellation
    ) throws -> [Outcome] {
        try jail.cell { cell in
            let engine = try EngineProgram.put(into: cell)
            for (place, bytes) in files.enumerated() { try cell.put(bytes, named: "\(place).pdf") }
            let byteCount = files.reduce(0) { $0 + $1.count }
            let time = Int64(seconds * files.count + (byteCount >> 21) + files.count)
            let limits = Child.Limits(
                time: .seconds(time * 6 + 60), cpu: .seconds(time + 10),
                memoryByteCount: Int64(3) << 29 + 24 * Int64(files.map(\.count).max() ?? 0),
                fileByteCount: 1 << 20, processCount: 32, openFileCount: 64)
            let line = (password ?? "").filter { $0 != "\n" && $0 != "\0" } + "\n"
            for _ in 0..<Self.mostStarts {
                let outcome = try cell.run(
                    engine, ["papers", work.rawValue, "\(seconds)"] + files.indices.map { "\($0).pdf" },
                    read: EngineProgram.libraries, input: .bytes(Array(line.utf8)),
                    output: .captured(limit: 8 << 20), limits: limits, cancellation: cancellation)
                if case .stopped(.cancelled(let reason)) = outcome.ending { throw Cancelled(reason: reason) }
                let found = Self.read(outcome)
                if !found.isEmpty { return found }
            }
            return [.untried]
        }
    }

    /// A machine that has no room for another process just then has it a moment later.
    private static let mostStarts = 3

    /// None where nothing was begun: no paper is to blame for a jail that did not open.
    private static func read(_ outcome: Child.Outcome) -> [Outcome] {
        var outcomes: [Outcome] = []
        var remarks: [String] = []
        var pages: Int?
        var isTooLarge = false
        var isOpen = false
        for line in outcome.outputText.split(separator: "\n") {
            let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
            let rest = parts.count > 1 ? String(parts[1]) : ""
            switch parts[0] {
            case "begin": (remarks, pages, isTooLarge, isOpen) = ([], nil, false, true)
            case "remark":
                // What is said by whoever had no memory left, wherever it was needed.
                if rest.contains("bad_alloc") || rest.contains("no room to follow") { isTooLarge = true }
                remarks.append(rest)
            case "memory": isTooLarge = true
            case "pages": pages = Int(rest)
            case "end":
                outcomes.append(
                    isTooLarge
                        ? .givenUp(.tooLarge)
                        : pages.map { .worked(pages: $0, remarks: remarks) } ?? .refused)
                isOpen = false
            default: break
            }
        }
        guard isOpen || outcomes.isEmpty else { return outcomes }
        switch outcome.ending {
        case .stopped(.timeLimit), .killed(SIGXCPU): outcomes.append(.givenUp(.tooLong))
        case .stopped(.memoryLimit), .killed(SIGKILL): outcomes.append(.givenUp(.tooLarge))
        case .exited(0), .exited(125...127): outcomes.append(.untried)
        // As bubblewrap ends when it can make no cell.
        case .exited(1) where !isOpen: break
        default: outcomes.append(isTooLarge ? .givenUp(.tooLarge) : .givenUp(.crashed))
        }
        return outcomes
    }
}
