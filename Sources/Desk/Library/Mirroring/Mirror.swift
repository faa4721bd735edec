import Access
import Bytes
import Glibc
import SQL
import Storage
public import Work

/// The library as plain files in a folder of this machine: real folders, real names. What somebody changes there is taken
/// into the library, and what changes in the library is changed there.
///
/// Private folders are left out. Nothing that lies there is removed or written over unless it is what this mirror put there
/// itself; nothing of the library goes but into its trash. A round may be cut off anywhere; the next one goes on.
public final class Mirror {
    public enum Act: String, Sendable, CaseIterable {
        // Into the library.
        case takenIn, revised, renamed, trashed, keptTwice
        // Into the folder.
        case written, moved, removed
        case trouble
    }

    public struct Event: Sendable, Equatable {
        public var act: Act
        /// Below the mirror's folder.
        public var path: String
        public var remark: String
    }

    /// What becomes of most of the papers, where they are gone from the folder at once.
    public enum Emptied: Sendable {
        /// Nothing, until somebody says what was meant: it is a disk's fault or a slip of the hand more often than not.
        case waits
        case trashed
        case writtenAgain
    }

    /// What a round did, in its order.
    public struct Round: Sendable, Equatable {
        public var events: [Event] = []
        /// What somebody is still at work on, or what may still turn up under another name.
        public var waiting = 0
        /// Folders of the library that are private, and so are not there.
        public var privateFolders = 0
        public var papers = 0
        /// How long to rest before the next one: looking at many files takes a while, and nobody should notice.
        public var pause = Mirror.leastPause
    }

    public static let leastPause = Duration.seconds(2)

    static let sign = ".quire-mirror"

    let documents: Documents
    let root: String
    let id: String
    let quiet: Duration
    var memory: MirrorMemory?
    /// When something was first found missing there.
    var missing: [String: Moment] = [:]
    /// How far the journal went when all was the same.
    private var settledAt: Int64?
    /// What was wrong at the last round, so that it is said once.
    private var told: Set<String> = []
    /// Called before and after each act; a test ends a round there.
    var step: () throws -> Void = {}
    private let lock: Int32

    /// Takes the folder, and begins the mirror when the folder is empty or not there.
    ///
    /// `quiet` is how long a file must not have changed before it is taken in.
    public init(_ documents: Documents, folder: String, quiet: Duration = .seconds(5)) throws {
        self.documents = documents
        self.quiet = quiet
        root = try Self.checked(folder, documents.store.home.path)
        (id, lock) = try Self.enter(root, documents.store)
    }

    deinit { close(lock) }

    /// Makes both sides the same once. `isFinal` takes what is missing there for deleted at once, instead of waiting
    /// whether it turns up again.
    public func round(
        isFinal: Bool = false, emptied: Emptied = .waits, progress: Progress = Progress()
    ) throws -> Round {
        do {
            return try MirrorRound(self, isFinal: isFinal, emptied, progress).run(since: settledAt) {
                settledAt = $0
            }
        } catch {
            memory = nil
            settledAt = nil
            throw error
        }
    }

    /// What is said about a trouble that was there at the last round already.
    func news(among troubles: [Event]) -> [Event] {
        let now = Set(troubles.map { "\($0.path)\n\($0.remark)" })
        defer { told = now }
        return troubles.filter { !told.contains("\($0.path)\n\($0.remark)") }
    }

    // MARK: The folder

    /// The desk's own files and the mirror must not lie in each other.
    private static func checked(_ folder: String, _ home: String) throws -> String {
        guard folder.hasPrefix("/") else {
            throw Failure(.invalid, "Write the whole path of the folder, from / on.", field: "folder")
        }
        if mkdir(folder, 0o700) != 0, errno != EEXIST {
            throw Failure(
                .unavailable, "\(folder) cannot be made: \(systemMessage(errno)).",
                field: "folder")
        }
        func real(_ path: String) -> String? {
            guard let found = realpath(path, nil) else { return nil }
            defer { free(found) }
            return String(cString: found)
        }
        var about = stat()
        guard let root = real(folder), stat(root, &about) == 0, about.st_mode & S_IFMT == S_IFDIR else {
            throw Failure(.invalid, "\(folder) is no folder.", field: "folder")
        }
        if let home = real(home), (root + "/").hasPrefix(home + "/") || (home + "/").hasPrefix(root + "/") {
            throw Failure(
                .invalid, "The mirror and the desk's own files (\(home)) must not lie in each other.",
                field: "folder")
        }
        return root
    }

    /// The sign that tells this folder from one that somebody emptied, or from the empty place of a disk that is not
    /// connected. Whoever holds it keeps the mirror.
    private static func enter(_ root: String, _ store: Store) throws -> (String, Int32) {
        let path = "\(root)/\(sign)"
        var file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        if file < 0 {
            guard errno == ENOENT else {
                throw Failure(.unavailable, "\(path) cannot be opened: \(systemMessage(errno)).")
            }
            guard isEmpty(root) else {
                throw Failure(
                    .conflict,
                    "\(root) is not empty. Choose an empty folder for the mirror; what lies there comes into the library with quire add.",
                    field: "folder")
            }
            let id = try store.write { tx in
                let id = tx.newID(of: Mirror.self).text
                try tx.run("INSERT INTO mirror (id, made_at) VALUES (\(id), \(tx.now))")
                return id
            }
            file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            let text = (["quire": "mirror", "id": .string(id)] as JSON).bytes
            guard file >= 0, write(file, text, text.count) == text.count, fsync(file) == 0 else {
                throw Failure(.unavailable, "\(path) cannot be written: \(systemMessage(errno)).")
            }
        }
        guard isLocked(file) else {
            close(file)
            throw Failure(
                .conflict, "Another program keeps this mirror already: quire mirror, or quire serve.")
        }
        do { return (try known(file, root, store), file) } catch {
            close(file)
            throw error
        }
    }

    /// Asked for several times: an engine that is just being started holds all that its parent had open for a moment.
    private static func isLocked(_ file: Int32) -> Bool {
        for attempt in 0..<10 {
            if attempt > 0 { usleep(50_000) }
            if flock(file, LOCK_EX | LOCK_NB) == 0 { return true }
            guard errno == EWOULDBLOCK || errno == EINTR else { return false }
        }
        return false
    }

    private static func isEmpty(_ root: String) -> Bool {
        guard let listing = opendir(root) else { return false }
        defer { closedir(listing) }
        var count = 0
        while readdir(listing) != nil { count += 1 }
        return count <= 2
    }

    private static func known(_ file: Int32, _ root: String, _ store: Store) throws -> String {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = pread(file, &bytes, bytes.count, 0)
        let json = try? JSON(parsing: Array(bytes.prefix(max(0, count))))
        guard let id = json?["id"]?.string, json?["quire"]?.string == "mirror",
            try store.read({ desk in try desk.row("SELECT 1 AS one FROM mirror WHERE id = \(id)") }) != nil
        else {
            throw Failure(
                .conflict, "\(root) is the mirror of another desk. Choose an empty folder.", field: "folder")
        }
        return id
    }

    /// Whether the folder is still the one that was entered.
    func checkIsThere() throws {
        var (here, there) = (stat(), stat())
        guard fstat(lock, &here) == 0, stat("\(root)/\(Self.sign)", &there) == 0,
            here.st_ino == there.st_ino, here.st_dev == there.st_dev
        else {
            throw Failure(
                .unavailable,
                "\(root) is not the mirror any more: it was emptied, or its disk is not connected. Nothing was changed in the library."
            )
        }
    }
}
