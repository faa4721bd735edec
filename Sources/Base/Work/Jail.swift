import CSystem
import Glibc
import Synchronization

/// Where programs run that read what strangers wrote: no network, a folder of their own, nothing of ours to
/// read, and an end to everything they may use up.
///
/// Which walls stand depends on the machine, so they are tried rather than assumed. With bubblewrap a program
/// sees an empty system of its own; without it, Landlock and a filter of system calls keep it from files and
/// sockets. `walls` says honestly what was found.
public struct Jail: Sendable {
    public struct Wall: Sendable, Equatable {
        /// `bubblewrap`, `own user`, `landlock`, `system call filter` or `limits`.
        public let name: String
        /// What it keeps a program from, in words for a person.
        public let keeps: String
        public let stands: Bool
        /// Why it does not stand, or what makes it unnecessary.
        public let why: String?
    }

    public let walls: [Wall]
    /// Cells are made in here.
    let folder: String
    package let bubblewrap: String?
    package let hasOwnUser: Bool
    let hasFilter: Bool
    let hasLandlock: Bool
    /// The host has said that programs may run where nothing keeps them from its files; they are refused otherwise.
    public let mayShowFiles: Bool

    /// Nothing to reach: neither this machine's services nor the world.
    public var keepsFromNetwork: Bool { bubblewrap != nil || hasFilter }
    /// Nothing to read but the system's programs and what it was given.
    public var keepsFromFiles: Bool { bubblewrap != nil || hasLandlock }

    /// Puts every wall up once around a program that does nothing; takes some hundredths of a second.
    public static func detect(folder: String = NamelessFile.folder) -> Jail {
        let said = getenv(unjailed).map { String(cString: $0) }
        return detect(folder: folder, without: [], mayShowFiles: said == "yes")
    }

    /// `yes` in it lets the host do without the walls around its files.
    public static let unjailed = "QUIRE_UNJAILED"

    /// Why strangers' papers are not decoded here, or how they are all the same; nil when all is as it should be.
    public var warning: String? {
        if keepsFromNetwork, keepsFromFiles { return nil }
        guard keepsFromNetwork, mayShowFiles else {
            let what = keepsFromNetwork ? "this machine's files" : "the network"
            let orElse = keepsFromNetwork ? ", or set \(Self.unjailed)=yes if you trust every paper" : ""
            return
                "Papers cannot be shown, read or converted: nothing here keeps the programs that do so from \(what). Install bubblewrap (apt install bubblewrap)\(orElse)."
        }
        return
            "Programs that decode papers can see this machine's files, as \(Self.unjailed) says. Better: apt install bubblewrap"
    }

    /// `without` leaves walls out, so that tests can see what the others hold.
    package static func detect(
        folder: String = NamelessFile.folder, without left: Set<String>, mayShowFiles: Bool = true
    ) -> Jail {
        let user = left.contains("own user") ? "left out" : CellUser.reasonAgainst
        let filter = left.contains("system call filter") ? "left out" : trial(Guard(filterFlags: 0))
        let landlock = left.contains("landlock") ? "left out" : landlockTrial()
        let plain = Jail(
            walls: [], folder: folder, bubblewrap: nil, hasOwnUser: user == nil, hasFilter: filter == nil,
            hasLandlock: landlock == nil, mayShowFiles: mayShowFiles)

        // As another user first: then not even a hole in bubblewrap lets out more than nobody's rights.
        var wrapped = plain
        var wrapping: String? = "bubblewrap is not installed (package bubblewrap)"
        if left.contains("bubblewrap") {
            wrapping = "left out"
        } else if let program = Child.find("bwrap") {
            for hasOwnUser in Set([plain.hasOwnUser, false]).sorted(by: { $0 && !$1 }) {
                wrapped = Jail(
                    walls: [], folder: folder, bubblewrap: program, hasOwnUser: hasOwnUser,
                    hasFilter: plain.hasFilter, hasLandlock: false, mayShowFiles: mayShowFiles)
                wrapping = trial(wrapped)
                if wrapping == nil { break }
            }
        }
        let best = wrapping == nil ? wrapped : plain
        let walls = [
            Wall(
                name: "bubblewrap", keeps: "network, other processes, all files but the system's programs",
                stands: wrapping == nil, why: wrapping),
            Wall(
                name: "landlock", keeps: "all files but the system's programs", stands: landlock == nil,
                why: landlock ?? (wrapping == nil ? "not needed beside bubblewrap" : nil)),
            Wall(
                name: "system call filter", keeps: "network, new privileges, rarely used parts of the kernel",
                stands: filter == nil, why: filter),
            Wall(
                name: "own user", keeps: "files and processes of every other user", stands: best.hasOwnUser,
                why: best.hasOwnUser ? nil : user ?? "bubblewrap does not work for another user here"),
            Wall(
                name: "limits", keeps: "endless loops, full memory, full disk, floods of processes",
                stands: true,
                why: geteuid() == 0 && !best.hasOwnUser
                    ? "the kernel does not count root's processes; a flood is ended when noticed" : nil),
        ]
        return Jail(
            walls: walls, folder: best.folder, bubblewrap: best.bubblewrap, hasOwnUser: best.hasOwnUser,
            hasFilter: best.hasFilter, hasLandlock: best.hasLandlock, mayShowFiles: mayShowFiles)
    }

    /// Gives `body` a cell: a private folder in which jailed programs work. The folder is gone afterwards.
    public func cell<R>(_ body: (JailCell) throws -> R) throws -> R {
        let cell = try makeCell()
        defer { cell.remove() }
        return try body(cell)
    }

    /// A cell for a program that stays. Whoever makes it removes it.
    public func makeCell() throws(ChildError) -> JailCell {
        Self.sweepOnce(folder)
        let path = try FolderTree.make(in: folder, prefix: "\(Self.prefix)\(getpid())-")
        return JailCell(jail: self, path: path, user: hasOwnUser ? CellUser.take() : nil)
    }

    /// Runs one program in a cell of its own, of which nothing is kept but what it printed.
    public func run(
        _ program: String, _ arguments: [String] = [], read: [String] = [],
        environment: [String: String] = [:], input: Child.Input = .nothing,
        limits: Child.Limits = .jailed, network: Bool = false, cancellation: Cancellation = Cancellation()
    ) throws -> Child.Outcome {
        try cell {
            try $0.run(
                program, arguments, read: read, environment: environment, input: input, limits: limits,
                network: network, cancellation: cancellation)
        }
    }

    private static let prefix = "quire-cell-"
    private static let hasSwept = Atomic(false)

    /// Removes cells of processes that were killed before they could do it themselves.
    private static func sweepOnce(_ folder: String) {
        guard !hasSwept.exchange(true, ordering: .relaxed), let stream = opendir(folder) else { return }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name.hasPrefix(prefix),
                let owner = pid_t(name.dropFirst(prefix.count).prefix { $0 != "-" }),
                owner > 0, kill(owner, 0) != 0, errno == ESRCH
            else { continue }
            FolderTree.remove("\(folder)/\(name)")
        }
    }

    /// Held, as nobody else would: the optimiser sees a cancellation made in passing die under its listeners.
    fileprivate static let never = Cancellation()

    /// Why these walls cannot be put up, or `nil` if they can.
    private static func trial(_ walls: Guard) -> String? {
        do throws(ChildError) {
            let outcome = try Child("/usr/bin/true", limits: .init(time: .seconds(10)))
                .run(guarded: walls, cancellation: never)
            return outcome.succeeded ? nil : "a trial failed: \(outcome.ending)"
        } catch {
            return error.description
        }
    }

    private static func trial(_ jail: Jail) -> String? {
        do {
            let outcome = try jail.run(
                "/usr/bin/true",
                limits: .init(
                    time: .seconds(10), memoryByteCount: 1 << 28, fileByteCount: 1 << 20, processCount: 16))
            let said = outcome.errorText.split(separator: "\n").last.map(String.init)
            return outcome.succeeded ? nil : said ?? "a trial failed: \(outcome.ending)"
        } catch {
            return "\(error)"
        }
    }

    private static func landlockTrial() -> String? {
        guard csystem_landlock_version() > 0 else { return "the kernel has no Landlock" }
        return trial(Guard(paths: (readable: SystemFolders.readable, writable: ["/dev/null"])))
    }
}

extension Child.Limits {
    /// Generous for a document, tight for an attack.
    public static let jailed = Child.Limits(
        time: .seconds(60), cpu: .seconds(60), memoryByteCount: 2 << 30, fileByteCount: 1 << 30,
        processCount: 64, openFileCount: 256)
}

/// Users that exist nowhere but in a running cell, so that cells can touch neither us nor each other.
///
/// No two cells share one while there are enough: the kernel counts a user's processes, so a browser in one
/// cell would use up what another may start.
enum CellUser {
    private static let count: UInt32 = 48
    private static let state = Mutex((last: UInt32(0), taken: Set<UInt32>()))

    /// Far above the numbers that systems give to people, services and containers, and below 2³¹.
    private static let first = 1_900_000_000 + UInt32(truncatingIfNeeded: getpid() % (1 << 22)) * count

    /// The one left alone for longest; given back with `release`.
    static func take() -> UInt32 {
        state.withLock { state in
            for _ in 0..<count {
                state.last = (state.last + 1) % count
                if state.taken.insert(first + state.last).inserted { break }
            }
            return first + state.last
        }
    }

    static func release(_ user: UInt32) {
        state.withLock { _ = $0.taken.remove(user) }
    }

    static var reasonAgainst: String? {
        guard geteuid() == 0 else { return "only root can run a program as another user" }
        let user = take()
        defer { release(user) }
        do throws(ChildError) {
            _ = try Child("/usr/bin/true").run(guarded: Guard(user: user), cancellation: Jail.never)
            return nil
        } catch {
            return error.description
        }
    }
}
