internal import CSystem
import Glibc
import Synchronization

/// How much more memory this process may take: as little as its limits, its group and the machine leave it.
///
/// Where memory is refused to Swift, the program ends. So what needs much asks here first, a server takes no more work while
/// there is next to none, and some is put aside for what is under way (see `keepReserve`).
public enum MemoryRoom {
    /// With less than this nothing new is begun.
    public static let least: Int64 = 32 << 20
    /// What does not need more than this need not ask.
    private static let small = 8 << 20
    private static let freshness = Duration.milliseconds(100)

    private static let known = Mutex<(at: Stopwatch, byteCount: Int64)?>(nil)

    /// As it was a tenth of a second ago at most.
    public static var byteCount: Int64 {
        known.withLock { known in
            if let known, known.at.elapsed < freshness { return known.byteCount }
            let now = measured
            known = (Stopwatch(), now)
            return now
        }
    }

    /// Whether next to none is left.
    public static var isShort: Bool {
        guard byteCount >= least else { return true }
        // Given up for what was under way; put aside again now that there is room.
        if hasReserve.load(ordering: .relaxed), csystem_memory_is_short() {
            guard byteCount >= least + reserve else { return true }
            csystem_keep_memory_reserve(Int(reserve))
        }
        return false
    }

    /// Whether so many bytes, and as much again for what is made of them, can be had.
    public static func has(_ count: Int) -> Bool {
        count <= small
            || byteCount - least >= Int64(clamping: count.multipliedReportingOverflow(by: 2).partialValue)
    }

    /// Puts some memory aside. When the machine refuses any, it is given up, so that what is under way comes to its end.
    public static func keepReserve() {
        hasReserve.store(true, ordering: .relaxed)
        csystem_keep_memory_reserve(Int(reserve))
    }

    /// Why a program that has failed may have: it needs so much address space and so much memory, and may take less. Nil
    /// where it may take enough, and its failure has another reason.
    public static func shortage(
        for program: String, addressSpace: Int64, memory: Int64, allowed: Int64? = nil
    ) -> String? {
        if let limit = limit(Self.addressSpace), limit < addressSpace { return shortage(program, limit) }
        let room = min(allowed ?? .max, limit(data) ?? .max, ofGroup ?? .max, ofMachine ?? .max)
        return room < memory ? shortage(program, room) : nil
    }

    private static func shortage(_ program: String, _ room: Int64) -> String {
        "There is too little memory for \(program) here: it may take \(max(0, room) >> 20) MiB."
    }

    private static let addressSpace = __rlimit_resource_t(RLIMIT_AS.rawValue)
    private static let data = __rlimit_resource_t(RLIMIT_DATA.rawValue)
    private static let reserve: Int64 = 16 << 20
    private static let hasReserve = Atomic(false)

    private static var measured: Int64 {
        let page = Int64(sysconf(Int32(_SC_PAGESIZE)))
        let mine = text("/proc/self/statm").split(separator: " ").map { (Int64($0) ?? 0) * page }
        var room = Int64.max
        if let all = mine.first, let limit = limit(addressSpace) { room = min(room, limit - all) }
        if mine.count > 5, let limit = limit(data) { room = min(room, limit - mine[5]) }
        return max(0, min(room, ofGroup ?? .max, ofMachine ?? .max))
    }

    private static func limit(_ kind: __rlimit_resource_t) -> Int64? {
        var limit = rlimit()
        guard getrlimit(kind, &limit) == 0, limit.rlim_cur != rlim_t.max else { return nil }
        return Int64(clamping: limit.rlim_cur)
    }

    /// Of the control groups this process is in, as systemd and containers set them.
    private static var ofGroup: Int64? {
        guard
            let line = text("/proc/self/cgroup").split(separator: "\n").first(where: { $0.hasPrefix("0::/") })
        else { return nil }
        var path = "/sys/fs/cgroup" + line.dropFirst(3)
        var room: Int64?
        while path.hasPrefix("/sys/fs/cgroup") {
            if let most = number("\(path)/memory.max"), let taken = number("\(path)/memory.current") {
                // What was read from files goes when it is needed.
                let files = figure("inactive_file ", in: text("\(path)/memory.stat")) ?? 0
                room = min(room ?? .max, most - taken + files)
            }
            guard let slash = path.lastIndex(of: "/") else { break }
            path = String(path[..<slash])
        }
        return room
    }

    private static var ofMachine: Int64? {
        let told = text("/proc/meminfo")
        guard let free = figure("MemAvailable:", in: told) else { return nil }
        return (free + (figure("SwapFree:", in: told) ?? 0)) * 1024
    }

    private static func figure(_ name: String, in text: String) -> Int64? {
        text.split(separator: "\n").first { $0.hasPrefix(name) }.flatMap {
            Int64($0.dropFirst(name.count).drop { $0 == " " }.prefix { $0.isNumber })
        }
    }

    private static func number(_ path: String) -> Int64? { Int64(text(path).prefix { $0.isNumber }) }

    private static func text(_ path: String) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 8192)
        let count = read(file, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}
