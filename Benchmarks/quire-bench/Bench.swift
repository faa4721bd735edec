import Glibc

/// Programs that measure parts of Quire or are there to be interrupted by the tests; the first argument chooses
/// one by name.
enum Bench {
    typealias Program = @Sendable ([String]) throws -> Void

    static let programs: [String: Program] = [
        "contacts": ContactsBench.run,
        "hold-streams": HoldStreams.run,
        "serve-health": ServeHealth.run,
        "jobs": JobsBench.run,
        "job-work": JobWork.run,
        "mail": MailBench.run,
        "ledger": LedgerBench.run,
        "mail-work": MailWork.run,
        "packet-work": PacketWork.run,
        "storage-work": StorageWork.run,
        "people-work": PeopleWork.run,
        "scan": ScanBench.run,
        "tables": TablesBench.run,
    ]

    static func main(_ arguments: [String]) {
        guard let name = arguments.first, let program = programs[name] else {
            say("quire-bench: name one of \(programs.keys.sorted().joined(separator: ", "))", on: 2)
            exit(64)
        }
        do {
            try program(Array(arguments.dropFirst()))
        } catch {
            say("quire-bench \(name): \(error)", on: 2)
            exit(1)
        }
    }

    /// One line at once and unbuffered, so that what was said before a kill was said.
    static func say(_ line: String, on descriptor: Int32 = 1) {
        let bytes = Array((line + "\n").utf8)
        if write(descriptor, bytes, bytes.count) != bytes.count { exit(74) }
    }
}
