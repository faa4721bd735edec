import Glibc
import Jobs
import SQL
import Storage
import Work

extension Quire {
    /// Whether work can be taken and kept at this moment: the database, the store of files, the room left, the clock, and
    /// what keeps going wrong. Quick, and changes nothing.
    public func readiness() -> [Finding] {
        [databaseHealth, storeHealth, spaceHealth, memoryHealth, Doctor.clock(at: store.clock.now())]
            + troubles.filter { $0.name != JobRunner.memoryTrouble }
    }

    /// What keeps going wrong while the desk is open.
    public var troubles: [Finding] {
        store.troubles.all.map { trouble in
            Finding(
                .desk, trouble.name, trouble.name == JobRunner.trouble ? .bad : .limited,
                "\(trouble.sentence) So it is since \(trouble.since.iso8601).")
        }
    }

    private var databaseHealth: Finding {
        do {
            let isReadOnly = try store.read { desk in
                guard desk.kind == .postgres else {
                    _ = try desk.row("SELECT 1 AS one")
                    return false
                }
                // A copy that only follows another server takes nothing.
                return try desk.row("SELECT CASE WHEN pg_is_in_recovery() THEN 1 ELSE 0 END AS n")?.int("n")
                    == 1
            }
            guard !isReadOnly, store.database.kind == .postgres || isWritable(store.home.database) else {
                return Finding(.database, "database", .bad, "Nothing can be written to the database.")
            }
            return Finding(.database, "database", .good, "It answers.")
        } catch {
            return Finding(.database, "database", .bad, store.sentence(of: error))
        }
    }

    /// What is not there is made when it is needed.
    private func isWritable(_ path: String) -> Bool { Glibc.access(path, W_OK) == 0 || errno == ENOENT }

    /// Writes a little and throws it away: permissions and free blocks do not tell of a quota or a lack of names.
    private var storeHealth: Finding {
        let home = store.home
        let bytes = [UInt8](repeating: 1, count: 4096)
        guard isWritable(home.blobs), let draft = DraftFile(beside: "\(home.temporary)/ready", mode: 0o600)
        else { return trouble(in: home.blobs) }
        let isKept = write(draft.descriptor, bytes, bytes.count) == bytes.count
        let number = errno
        close(draft.descriptor)
        unlink(draft.path)
        errno = number
        return isKept
            ? Finding(.desk, "store", .good, "Files can be written to \(home.path).")
            : trouble(in: home.temporary)
    }

    private func trouble(in folder: String) -> Finding {
        Finding(
            .desk, "store", .bad, "No file can be written to \(folder): \(systemMessage(errno)).")
    }

    private var memoryHealth: Finding {
        let isShort = MemoryRoom.isShort
        let room = MemoryRoom.byteCount
        return Finding(
            .machine, "memory", isShort ? .bad : .good,
            room == .max ? "Nothing limits it." : "\(Quantity.bytes(room)) can still be had.",
            remedy: isShort ? "give Quire more memory, or fewer worker threads" : nil)
    }

    /// Less than this is used up by a single scan.
    private static let leastFree: Int64 = 20_000_000

    private var spaceHealth: Finding {
        guard let free = Machine.freeByteCount(store.home.path) else {
            return Finding(.desk, "space", .bad, "Nobody knows how much room is left in \(store.home.path).")
        }
        let sentence = "\(Quantity.bytes(free)) are free."
        return Finding(
            .desk, "space", free < Self.leastFree ? .bad : .good, sentence,
            remedy: free < Self.leastFree ? "make room on the disk, or move the desk to a larger one" : nil)
    }
}
