import Bytes
import Glibc
import Synchronization
import Work

/// One LibreOffice in the jail, without network, that converts a paper after the other.
///
/// Used by one thread at a time: whoever took it out of the pool.
final class OfficeWorker: Sendable {
    private let cell: JailCell
    private let child: LiveChild
    private let paperCount = Atomic(0)
    private let mayTake: Int64

    static let programs: String? = ["/usr/lib/libreoffice/program", "/opt/libreoffice/program"].first {
        access("\($0)/libmergedlo.so", R_OK) == 0 || access("\($0)/libsofficeapp.so", R_OK) == 0
    }

    static let hasFormulas = programs.map { access("\($0)/libsmlo.so", R_OK) == 0 } ?? false

    // Not the packages without windows: Calc asks for the descriptions of its windows even when it shows none.
    static let package = "libreoffice-writer libreoffice-calc libreoffice-impress"

    init(
        jail: Jail, memoryByteCount: Int64, cancellation: Cancellation = LiveChild.never
    ) throws(OfficeError) {
        guard let programs = Self.programs else { throw .notInstalled(package: Self.package) }
        let cell: JailCell
        let child: LiveChild
        do {
            cell = try jail.makeCell()
            do {
                let engine = try EngineProgram.put(into: cell)
                try OfficeProfile.write(into: cell.path + "/profile")
                child = try cell.start(
                    engine, ["office", programs, "file://\(cell.path)/profile"],
                    read: EngineProgram.libraries,
                    environment: ["SAL_USE_VCLPLUGIN": "svp", "SAL_DISABLE_OPENCL": "1"],
                    limits: Child.Limits(
                        memoryByteCount: memoryByteCount, fileByteCount: 2 << 30, processCount: 64,
                        openFileCount: 1024),
                    localSockets: true)
            } catch {
                cell.remove()
                throw error
            }
        } catch {
            throw EngineProgram.path == nil
                ? .incomplete : Self.shortage(memoryByteCount) ?? .machine("\(error)")
        }
        (self.cell, self.child) = (cell, child)
        mayTake = memoryByteCount
        // The first start makes a profile; on a slow machine that takes its time.
        let said: String
        do throws(LiveChild.Trouble) {
            said = try line(within: .seconds(90), cancellation)
        } catch {
            end()
            if case .cancelled(let reason) = error { throw .cancelled(reason: reason) }
            throw Self.shortage(memoryByteCount)
                ?? .machine(error == .silent ? "it took too long" : "it ended at once")
        }
        guard said.hasPrefix("ready") else {
            end()
            // Its library lies there: what it needs besides is missing, or memory is.
            let words = said.split(separator: "\t").dropFirst().joined(separator: " ")
            throw Self.shortage(memoryByteCount)
                ?? .machine(words.isEmpty ? "its library could not be opened" : words)
        }
    }

    /// With less it does not come to the end of a paper.
    private static func shortage(_ allowed: Int64) -> OfficeError? {
        MemoryRoom.shortage(for: "LibreOffice", addressSpace: 512 << 20, memory: 128 << 20, allowed: allowed)
            .map(OfficeError.tooLittleMemory)
    }

    deinit { end() }

    var count: Int { paperCount.load(ordering: .relaxed) }
    var memoryByteCount: Int64 { child.memoryByteCount }
    var isRunning: Bool { child.isRunning }

    func end() {
        child.end()
        cell.remove()
    }

    enum Outcome {
        case made([UInt8])
        case failed(OfficeError)
        /// Whatever was asked, this worker is not to be trusted any more.
        case doubtful(OfficeError)
    }

    /// `place` is this worker's among those at work, for a processor of its own.
    func convert(
        _ paper: [UInt8], suffix: String, _ options: OfficeOptions, place: Int?, byteLimit: Int,
        _ cancellation: Cancellation
    ) -> Outcome {
        let number = paperCount.add(1, ordering: .relaxed).newValue
        let (input, output) = ("in-\(number).\(suffix)", "out-\(number).\(options.format)")
        // Its name when all of it has been written.
        let whole = output + ".whole"
        defer {
            for name in [input, output, whole] { cell.discard(name) }
        }
        do throws(ChildError) {
            try cell.put(paper, named: input)
        } catch {
            return .failed(.machine("\(error)"))
        }
        let fields = [
            "file://\(cell.path)/\(input)", "file://\(cell.path)/\(output)", options.format,
            options.filterOptions, "Batch=true", options.password ?? "",
            options.preparation(suffix: suffix), place.map(String.init) ?? "",
        ]
        let answer: String
        do throws(LiveChild.Trouble) {
            try child.write(Array((fields.map(Self.encoded).joined(separator: "\t") + "\n").utf8))
            answer = try line(within: options.time, cancellation)
        } catch {
            // It may have come to its end over closing what was done already.
            if error == .gone, let bytes = try? cell.read(whole, limit: byteLimit) { return .made(bytes) }
            return switch error {
            case .gone: .doubtful(Self.shortage(mayTake) ?? .lost("its process ended"))
            case .silent: .doubtful(.timedOut)
            case .cancelled(let reason): .doubtful(.cancelled(reason: reason))
            case .overuse(.memoryLimit): .doubtful(.tooMuch("more memory than it may take"))
            case .overuse(.folderLimit): .doubtful(.tooMuch("more room on the disk than it may take"))
            case .overuse: .doubtful(.tooMuch("more processes than it may start"))
            }
        }
        let parts = answer.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
        let words = parts.count > 1 ? Self.forPeople(parts[1]) : ""
        switch parts.first {
        case "done", "done-unlocked":
            if parts.first == "done-unlocked" { return .failed(.passwordNotNeeded) }
            do throws(ChildError) {
                return .made(try cell.read(whole, limit: byteLimit))
            } catch {
                return .doubtful(.notWritten("\(error)"))
            }
        case "locked": return .failed(.passwordNeeded)
        case "wrong-password": return .failed(.wrongPassword)
        // It says the same where it could not take the memory to read or to write.
        case "unreadable": return .failed(Self.shortage(mayTake) ?? .unreadable(words))
        case "unsaved": return .failed(Self.shortage(mayTake) ?? .notWritten(words))
        default: return .doubtful(.lost("it said “\(answer.prefix(100))”"))
        }
    }

    /// What LibreOffice says of its own insides explains nothing to anybody.
    private static func forPeople(_ words: Substring) -> String {
        let isInside = ["loadComponentFromURL", "com.sun.star", "::"].contains { words.contains($0) }
        return isInside ? "" : String(words)
    }

    private func line(within time: Duration, _ cancellation: Cancellation) throws(LiveChild.Trouble) -> String
    {
        let watch = Stopwatch()
        // Whoever reads looks up now and then only; what nobody wants ends at once.
        let ending = cancellation.whenCancelled { [child] in child.end() }
        defer { ending.cancel() }
        var bytes: [UInt8] = []
        while bytes.last != 10 {
            do throws(LiveChild.Trouble) {
                bytes += try child.read(
                    within: max(.milliseconds(1), time - watch.elapsed), cancellation: cancellation)
            } catch .gone where cancellation.isCancelled {
                throw .cancelled(reason: cancellation.reason ?? "cancelled")
            }
            guard bytes.count < 1 << 16 else { throw .gone }
        }
        return String(decoding: bytes.dropLast(), as: UTF8.self)
    }

    private static func encoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            if byte < 0x20 || byte >= 0x7F || byte == UInt8(ascii: "%") {
                let digits = String(byte, radix: 16, uppercase: true)
                result += "%" + (digits.count == 1 ? "0" : "") + digits
            } else {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            }
        }
        return result
    }
}
