import CSystem
import Glibc

/// One private folder in the jail and the programs that run in it, one after another.
///
/// What a program is to read is put in here first; what it leaves is read with `read` and `take`, which
/// follow no link it may have planted.
public struct JailCell: Sendable {
    let jail: Jail
    public let path: String
    let user: UInt32?

    /// Runs a program that sees this folder, the system's programs and libraries, and the folders of `read`
    /// (which must be open to everybody). All of them may be used up to `limits`; the folder may grow to
    /// `folderByteCount`. `localSockets` lets it open sockets between its own processes, which some programs
    /// need; without bubblewrap these could also reach services of this machine.
    public func run(
        _ program: String, _ arguments: [String] = [], read: [String] = [],
        environment: [String: String] = [:], input: Child.Input = .nothing,
        output: Child.Output = .captured(limit: 1 << 20), limits: Child.Limits = .jailed,
        folderByteCount: Int64 = 2 << 30, network: Bool = false, localSockets: Bool = false,
        cancellation: Cancellation = Cancellation()
    ) throws(ChildError) -> Child.Outcome {
        var child = try child(program, arguments, environment: environment, limits: limits, network: network)
        child.input = input
        child.output = output
        let walls = walls(
            around: &child, read: read, network: network, localSockets: localSockets,
            folderByteCount: folderByteCount)
        return seenThrough(try child.run(guarded: walls, cancellation: cancellation))
    }

    /// Bubblewrap tells of the signal that ended its program as a shell does.
    func seenThrough(_ outcome: Child.Outcome) -> Child.Outcome {
        guard jail.bubblewrap != nil, case .exited(let code) = outcome.ending, (129...159).contains(code)
        else { return outcome }
        var outcome = outcome
        outcome.ending = .killed(signal: code - 128)
        return outcome
    }

    /// Puts the walls up around a shell that reads a program and its arguments, each on a line, and becomes it when the
    /// lines end.
    func waiting(
        for orders: Int32, outputLimit: Int, limits: Child.Limits, folderByteCount: Int64
    ) throws(ChildError) -> BegunChild {
        var child = try child(
            "/bin/sh",
            ["-c", "while IFS= read -r word; do set -- \"$@\" \"$word\"; done; exec \"$@\" < /dev/null"],
            environment: [:], limits: limits, network: false)
        child.output = .captured(limit: outputLimit)
        let walls = walls(
            around: &child, read: [], network: false, localSockets: false, folderByteCount: folderByteCount)
        return try child.begin(guarded: walls, reading: orders)
    }

    /// A program that stays and is talked to over its input and output, until `end` or the end of its limits.
    /// Call `end` before the cell is removed.
    public func start(
        _ program: String, _ arguments: [String] = [], read: [String] = [],
        environment: [String: String] = [:], limits: Child.Limits = .jailed, folderByteCount: Int64 = 4 << 30,
        network: Bool = false, localSockets: Bool = false
    ) throws(ChildError) -> LiveChild {
        var child = try child(program, arguments, environment: environment, limits: limits, network: network)
        let walls = walls(
            around: &child, read: read, network: network, localSockets: localSockets,
            folderByteCount: folderByteCount)
        return try LiveChild(child, guarded: walls)
    }

    /// Removes the cell with all it holds.
    public func remove() {
        FolderTree.remove(path)
        if let user { CellUser.release(user) }
    }

    /// What lies in it now; folders too.
    public var names: [String] {
        get throws(ChildError) { try FolderTree.names(of: path) }
    }

    /// Removes one file of it.
    public func discard(_ name: String) {
        guard !name.utf8.contains(UInt8(ascii: "/")) else { return }
        unlink("\(path)/\(name)")
    }

    /// Gives a folder and what is in it to the program's user.
    public func hand(folder name: String) {
        if let user { FolderTree.give("\(path)/\(name)", to: user) }
    }

    private func child(
        _ program: String, _ arguments: [String], environment: [String: String], limits: Child.Limits,
        network: Bool
    ) throws(ChildError) -> Child {
        guard network || jail.keepsFromNetwork else { throw .noWall("no network") }
        guard jail.keepsFromFiles || jail.mayShowFiles else {
            throw .noWall("no sight of this machine's files")
        }
        // A program put into the cell itself may be run from there.
        guard let found = program.hasPrefix(path) ? program : Child.find(program) else {
            throw .programMissing(program)
        }
        if let user { FolderTree.give(path, to: user) }
        var child = Child(
            found, arguments, environment: ["HOME": path, "TMPDIR": path], folder: path, limits: limits)
        child.environment.merge(Child.usualEnvironment) { own, _ in own }
        child.environment.merge(environment) { _, given in given }
        return child
    }

    private func walls(
        around child: inout Child, read: [String], network: Bool, localSockets: Bool, folderByteCount: Int64
    ) -> Guard {
        var walls = Guard(user: user)
        walls.folder = (path, folderByteCount)
        var flags: UInt32 = network ? UInt32(CSYSTEM_ALLOW_NETWORK) : 0
        if let bubblewrap = jail.bubblewrap {
            // It starts processes and namespaces, which the filter forbids, so it puts the filter up itself.
            // Inside, there is nobody else to signal and no service to connect to.
            flags |= UInt32(
                CSYSTEM_ALLOW_SIGNALS | CSYSTEM_ALLOW_LOCAL_SOCKETS | CSYSTEM_ALLOW_CHANGES_BY_NAME)
            if jail.hasFilter { walls.passedFilterFlags = flags }
            child.arguments =
                wrapping(read: read, network: network, isFiltered: jail.hasFilter) + [child.program]
                + child.arguments
            child.program = bubblewrap
            // Its own two processes.
            child.limits.processCount = child.limits.processCount.map { $0 + 2 }
        } else {
            if localSockets { flags |= UInt32(CSYSTEM_ALLOW_LOCAL_SOCKETS) }
            // Another user may change nothing of ours anyway.
            if user != nil { flags |= UInt32(CSYSTEM_ALLOW_CHANGES_BY_NAME) }
            if jail.hasFilter { walls.filterFlags = flags }
            if jail.hasLandlock {
                walls.paths = (
                    readable: SystemFolders.readable + SystemFolders.devices
                        + (network ? SystemFolders.forNetwork : []) + read,
                    writable: [path, "/dev/null"]
                )
            }
        }
        return walls
    }

    /// Puts a file in for the program to read.
    public func put(_ bytes: [UInt8], named name: String) throws(ChildError) {
        let target = try create(name)
        defer { close(target) }
        guard bytes.withUnsafeBytes({ writeAll($0, to: target) }) else {
            throw .fileUnusable(name, code: errno)
        }
    }

    public func put(file source: String, named name: String, isProgram: Bool = false) throws(ChildError) {
        let from = open(source, O_RDONLY | O_CLOEXEC)
        guard from >= 0 else { throw .fileUnusable(source, code: errno) }
        defer { close(from) }
        let target = try create(name)
        defer { close(target) }
        guard copyAll(from, to: target) else { throw .fileUnusable(name, code: errno) }
        if isProgram { fchmod(target, 0o700) }
    }

    /// What a program left under this name; refused if it is longer than `limit` or no plain file.
    public func read(_ name: String, limit: Int = 64 << 20) throws(ChildError) -> [UInt8] {
        let file = try FolderTree.openFile(name, beneath: path)
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(file, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw .fileUnusable(name, code: errno) }
            guard count > 0 else { return bytes }
            guard bytes.count + count <= limit else { throw .fileUnusable(name, code: EFBIG) }
            bytes.append(contentsOf: buffer[..<count])
        }
    }

    /// Copies what a program left to a place outside, where nothing may be yet.
    public func take(_ name: String, to target: String) throws(ChildError) {
        let from = try FolderTree.openFile(name, beneath: path)
        defer { close(from) }
        let to = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard to >= 0 else { throw .fileUnusable(target, code: errno) }
        defer { close(to) }
        guard copyAll(from, to: to) else { throw .fileUnusable(target, code: errno) }
    }

    private func create(_ name: String) throws(ChildError) -> Int32 {
        guard !name.utf8.contains(UInt8(ascii: "/")), !name.utf8.contains(0), !name.isEmpty else {
            throw .fileUnusable(name, code: EINVAL)
        }
        let file = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .fileUnusable(name, code: errno) }
        // The program may be running already, as its own user.
        if let user { fchown(file, user, user) }
        return file
    }

    /// Bubblewrap's arguments: an empty root that cannot be written to, the system's programs in it, small
    /// folders in memory where programs expect them, and this cell.
    private func wrapping(read: [String], network: Bool, isFiltered: Bool) -> [String] {
        var result = [
            "--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try",
            "--die-with-parent", "--hostname", "quire", "--cap-drop", "ALL",
        ]
        if !network { result += ["--unshare-net"] }
        for path in SystemFolders.readable where path != "/proc" && path != "/sys/devices/system/cpu" {
            if let target = linkTarget(path) {
                result += ["--symlink", target, path]
            } else {
                result += ["--ro-bind-try", path, path]
            }
        }
        if network { result += SystemFolders.forNetwork.flatMap { ["--ro-bind-try", $0, $0] } }
        result += ["--proc", "/proc", "--dev", "/dev"]
        result += [
            "--size", "\(64 << 20)", "--tmpfs", "/dev/shm", "--size", "\(64 << 20)", "--tmpfs", "/tmp",
        ]
        result += read.flatMap { ["--ro-bind", $0, $0] }
        result += ["--bind", path, path, "--chdir", path, "--remount-ro", "/dev", "--remount-ro", "/"]
        if isFiltered { result += ["--seccomp", "3"] }
        return result + ["--"]
    }

    private func linkTarget(_ path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = buffer.withUnsafeMutableBytes { buffer in
            buffer.baseAddress.map { readlink(path, $0.assumingMemoryBound(to: CChar.self), buffer.count) }
                ?? -1
        }
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }

    private func copyAll(_ from: Int32, to target: Int32) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 1 << 17)
        while true {
            let count = Glibc.read(from, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { return count == 0 }
            guard buffer[..<count].withUnsafeBytes({ writeAll($0, to: target) }) else { return false }
        }
    }

    private func writeAll(_ bytes: UnsafeRawBufferPointer, to target: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = write(target, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

/// What a jailed program may see of the system: programs, libraries, fonts. Nothing that differs from person
/// to person, and of `/etc` only what libraries cannot do without.
enum SystemFolders {
    static let readable = [
        "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache",
        "/etc/alternatives", "/etc/fonts", "/etc/localtime", "/etc/libreoffice",
        // Where Debian keeps what Ghostscript needs to know about fonts: without it every letter is another one.
        "/var/lib/ghostscript", "/etc/ghostscript", "/var/cache/fontconfig", "/proc",
        "/sys/devices/system/cpu",
        // Debian keeps here which parts LibreOffice has; where it may not look, it does not start.
        "/var/lib/libreoffice", "/var/spool/libreoffice",
    ]
    static let devices = ["/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"]
    static let forNetwork = [
        "/etc/ssl", "/etc/ca-certificates", "/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf",
        "/etc/services",
    ]
}
