public import Glibc

/// Processes whose cell lies in a folder: those of one test among all that go on beside it.
public enum Inmates {
    public static func of(_ folder: String) -> [pid_t] {
        names(in: "/proc").compactMap { pid_t($0) }.filter { process in
            guard process != getpid() else { return false }
            return link("/proc/\(process)/cwd").hasPrefix(folder)
                || line("/proc/\(process)/cmdline").contains(folder)
        }.sorted()
    }

    /// With its arguments.
    public static func name(_ process: pid_t) -> String { line("/proc/\(process)/cmdline") }

    /// The network it sees, told from others by its name.
    public static func network(of process: pid_t) -> String { link("/proc/\(process)/ns/net") }

    /// Children of this program that have ended and that nobody has asked about, with their names. Without those that run
    /// this program again: the testing library begins them for a test that ends its process, and asks when it has time.
    public static var unburied: [pid_t: String] {
        var found: [pid_t: String] = [:]
        for process in names(in: "/proc").compactMap({ pid_t($0) }) {
            // Behind the name, which may have brackets in it, come the state and who began it.
            let parts = line("/proc/\(process)/stat").split(separator: ")")
            let rest = (parts.last ?? "").split(separator: " ").prefix(2)
            let name = parts.dropLast().joined(separator: ")").drop { $0 != "(" }.dropFirst()
            guard rest.elementsEqual(["Z", "\(getpid())"]), name + "\n" != ownName else { continue }
            found[process] = String(name)
        }
        return found
    }

    private static let ownName = line("/proc/\(getpid())/comm")

    /// Memory of its own that a process has touched, files left out.
    public static func memoryByteCount(of process: pid_t) -> Int {
        let told = line("/proc/\(process)/status").split(separator: "\n").first { $0.hasPrefix("RssAnon") }
        return (told?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
    }

    public static func names(in folder: String) -> [String] {
        guard let listing = opendir(folder) else { return [] }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    private static func link(_ path: String) -> String {
        var buffer = [CChar](repeating: 0, count: 1024)
        let count = readlink(path, &buffer, 1023)
        return count > 0
            ? String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : ""
    }

    private static func line(_ path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 8192)
        let count = fread(&buffer, 1, buffer.count, file)
        return String(decoding: buffer[..<count], as: UTF8.self)
    }
}
