import Glibc

/// Which process a runner lives in, written down so that another process of the same machine can tell that it
/// has gone, without waiting for its lease to end.
struct RunnerProcess: Equatable {
    /// This start of the machine and this space of process numbers: elsewhere the number says nothing.
    var place: String
    var number: Int
    /// In clock ticks since the machine started, as numbers are used again.
    var startedAt: String

    static let current = RunnerProcess(
        place: "\(boot) \(numberSpace)", number: Int(getpid()), startedAt: startOfProcess(Int(getpid())) ?? ""
    )

    var text: String { "\(place) \(number) \(startedAt)" }

    init(place: String, number: Int, startedAt: String) {
        self.place = place
        self.number = number
        self.startedAt = startedAt
    }

    init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 4, let number = Int(words[2]) else { return nil }
        self.init(place: "\(words[0]) \(words[1])", number: number, startedAt: String(words[3]))
    }

    /// False also when nobody can know.
    var isCertainlyGone: Bool {
        place == Self.current.place && !startedAt.isEmpty && Self.startOfProcess(number) != startedAt
    }

    private static var boot: String {
        firstLine("/proc/sys/kernel/random/boot_id") ?? "?"
    }

    private static var numberSpace: String {
        var buffer = [CChar](repeating: 0, count: 256)
        let count = readlink("/proc/self/ns/pid", &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The 22nd word of `/proc/…/stat` (proc(5)); the second is the program's name in brackets and may hold
    /// blanks and brackets itself.
    private static func startOfProcess(_ number: Int) -> String? {
        guard let line = firstLine("/proc/\(number)/stat"), let bracket = line.lastIndex(of: ")") else {
            return nil
        }
        let words = line[line.index(after: bracket)...].split(separator: " ")
        // A dead process nobody has waited for still has its line.
        guard words.count > 19, words[0] != "Z", words[0] != "X" else { return nil }
        return String(words[19])
    }

    private static func firstLine(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(file, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes.prefix(count).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}
