import Glibc

/// What `/proc` says about running processes.
enum ProcessTable {
    /// Memory that is its own (not shared program text) and living threads of a whole session.
    static func use(bySession session: pid_t) -> (memoryByteCount: Int64, threads: Int) {
        var pages: Int64 = 0
        var threads = 0
        // Asked for each process before anything is read of it: this is done at the end of every program that is run.
        each { process in
            guard getsid(process) == session, let stat = fields(of: process), stat.count > 21, stat[0] != "Z"
            else { return }
            threads += Int(stat[17]) ?? 1
            let memory = text("/proc/\(process)/statm").split(separator: " ").prefix(3).map { Int64($0) ?? 0 }
            if memory.count == 3 { pages = pages.addingSaturating(max(0, memory[1] - memory[2])) }
        }
        let pageByteCount = Int64(sysconf(Int32(_SC_PAGESIZE)))
        return (pages.multipliedReportingOverflow(by: pageByteCount).partialValue, threads)
    }

    /// Threads of every process of a user, which is what the kernel's process limit counts.
    static func threadCount(ofUser user: uid_t) -> Int {
        var count = 0
        each { process in
            guard owner(of: process) == user, let stat = fields(of: process), stat.count > 17 else { return }
            count += Int(stat[17]) ?? 1
        }
        return count
    }

    private static func each(_ body: (pid_t) -> Void) {
        guard let folder = opendir("/proc") else { return }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            // Other names in there begin with a letter, which is no number.
            let process = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) {
                    pid_t(truncatingIfNeeded: strtol($0, nil, 10))
                }
            }
            if process > 0 { body(process) }
        }
    }

    private static func owner(of process: pid_t) -> uid_t? {
        var about = stat()
        return stat("/proc/\(process)", &about) == 0 ? about.st_uid : nil
    }

    /// The fields of `/proc/N/stat` from the third (state) on. The second, the name, may itself hold blanks
    /// and brackets; the last bracket ends it.
    private static func fields(of process: pid_t) -> [Substring]? {
        let text = text("/proc/\(process)/stat")
        guard let bracket = text.lastIndex(of: ")") else { return nil }
        return text[text.index(after: bracket)...].split(separator: " ")
    }

    private static func text(_ path: String) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = read(file, &bytes, bytes.count)
        return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
    }
}
