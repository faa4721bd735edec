import Bytes
import Crypto
import Library
import SQL
import Storage
import Transfer
import Work

/// One visit to a place: hears what the other desks said, puts it into effect, and tells them what happened here.
///
/// It may end anywhere, by an error or with the process. Whatever it did by then is whole and is not done again; the next
/// visit goes on from there.
final class SyncRun {
    /// What came of a visit.
    struct Tally: Sendable, Equatable {
        var heard = 0
        var told = 0
        /// Things that could not be put into effect or told; each row says why.
        var troubled = 0
    }

    let store: Store
    let documents: Documents
    let place: String
    let kinds: [any SyncedKind]
    /// Where things are laid; sealed from the moment that the place has shown its sign.
    private(set) var shelf: any SyncShelf
    /// The same as it is without the seal.
    let bare: any SyncShelf
    private(set) var keys: SyncKeys?
    private let passphrase: String
    private let cost: PasswordHash.Cost
    let progress: Progress
    var tally = Tally()
    /// For files that were found missing on this visit.
    var wishes: Set<String> = []
    var actor: String { Self.actor(at: place) }

    /// In whose name the history tells what came from a place.
    static func actor(at place: String) -> String { "sync/\(place)" }

    static let portion = 200
    /// Letters a desk writes before it sums them up.
    static let lettersPerSum: Int64 = 40

    init(
        _ store: Store, _ documents: Documents, place: String, kinds: [any SyncedKind],
        shelf: any SyncShelf, passphrase: String = "", cost: PasswordHash.Cost = SyncKeys.usualCost,
        progress: Progress = Progress()
    ) {
        self.passphrase = passphrase
        self.cost = cost
        self.store = store
        self.documents = documents
        self.place = place
        self.kinds = kinds
        self.shelf = shelf
        bare = shelf
        self.progress = progress
    }

    func perform() throws -> Tally {
        try greet()
        let letters = try shelf.names(in: SyncLetter.folder).compactMap { SyncLetter.Name($0) }
        try beOnlyOne(letters)
        try noticeSetBack(letters)
        try layWanted()
        try lookAround()
        try hear(letters)
        try putIntoEffect()
        try tell()
        try sumUp(letters)
        try clearAway()
        return tally
    }

    static let sign = "quire-sync.json"

    /// Every place wears a sign. A place where this desk has been and that wears none any more was emptied, or is not the
    /// place it was: another disk under the same name. Nothing is laid there by itself.
    private func greet() throws {
        let path = try temporary()
        defer { Self.remove(path) }
        do {
            try shelf.fetch(Self.sign, into: .file(path: path, limit: 1 << 16))
        } catch SyncTrouble.missing {
            let hasBeen = try store.read { desk in
                try desk.row("SELECT 1 AS one FROM sync_place WHERE id = \(place) AND synced_at IS NOT NULL")
                    != nil
            }
            guard !hasBeen else {
                throw SyncTrouble.refused(
                    "What this desk laid there is gone. If somebody emptied the place, remove it here and add it again; nothing on this desk is lost."
                )
            }
            try begin()
            return
        }
        let sign = try? JSON(parsing: Self.read(path))
        guard let sign, sign["quire"]?.string == "sync" else {
            if sign == nil, try shelf.names(in: SyncLetter.folder).isEmpty {
                // Half of it, from a visit that was cut off; nobody has laid anything behind it.
                try shelf.remove(Self.sign)
                return try begin()
            }
            throw SyncTrouble.refused("Something else than a Quire has used this place. Choose an empty one.")
        }
        guard sign["format"]?.integer == 1 else {
            throw SyncTrouble.refused("This place was begun by a newer Quire. Update this one.")
        }
        try unlock(sign["encrypted"])
    }

    private func begin() throws {
        var sign: JSON = ["quire": "sync", "format": 1]
        guard !passphrase.isEmpty else {
            if try !shelf.lay(Self.sign, .bytes(sign.bytes)) {
                throw SyncTrouble.away("Another desk has begun this place just now.")
            }
            return
        }
        let keys = try SyncKeys(passphrase, salt: store.chance.bytes(16), cost: cost)
        sign["encrypted"] = keys.recipe.json
        if try !shelf.lay(Self.sign, .bytes(sign.bytes)) {
            throw SyncTrouble.away("Another desk has begun this place just now.")
        }
        seal(keys)
    }

    private func unlock(_ encrypted: JSON?) throws {
        guard let encrypted else {
            guard passphrase.isEmpty else {
                throw SyncTrouble.refused(
                    "Nothing at this place is encrypted. Choose an empty one, or leave the passphrase out.")
            }
            return
        }
        guard !passphrase.isEmpty else {
            throw SyncTrouble.refused(
                "This place is encrypted. Remove it here, and add it with its passphrase.")
        }
        guard let recipe = SyncKeys.Recipe(encrypted) else {
            throw SyncTrouble.refused("How this place is encrypted cannot be read.")
        }
        guard let keys = try SyncKeys(passphrase, recipe) else {
            throw SyncTrouble.refused("This is not the passphrase with which this place was begun.")
        }
        seal(keys)
    }

    private func seal(_ keys: SyncKeys) {
        self.keys = keys
        shelf = SealedShelf(inner: shelf, keys: keys, folder: store.home.temporary, chance: store.chance)
    }

    func kind(_ name: String) -> (any SyncedKind)? { kinds.first { $0.name == name } }

    /// A transaction with the rows of this place.
    @discardableResult
    func write<R>(_ body: (borrowing Transaction, SyncLedger) throws -> R) throws -> R {
        try store.write { tx in
            let ledger = try SyncLedger(place, in: tx)
            let result = try body(tx, ledger)
            try ledger.close(in: tx)
            return result
        }
    }

    /// A desk that was set back to an old backup, or copied whole to a second machine, would number its acts and letters
    /// twice. It shows by letters under its name that it does not know; from then on it is a desk of its own.
    private func beOnlyOne(_ letters: [SyncLetter.Name]) throws {
        try store.write { tx in
            guard let row = try tx.row("SELECT device, number FROM sync_place WHERE id = \(place)") else {
                throw Failure(
                    .notFound, "There is no such place to keep in step with. It may have been removed.")
            }
            let device = try row.text("device")
            let waiting = try tx.row("SELECT MAX(number) AS n FROM sync_letter WHERE place = \(place)")
            let known = max(try row.integer("number"), try waiting?.optionalInteger("n") ?? 0)
            let written = letters.filter { $0.device == device }.map(\.number).max() ?? 0
            if written > known { try becomeAnother(in: tx) }
        }
    }

    /// A place that was set back to an older state has not all that this desk laid there. It is told once more: all of it
    /// in a letter that sums it up, and files as others find them missing.
    private func noticeSetBack(_ letters: [SyncLetter.Name]) throws {
        try store.write { tx in
            guard let row = try tx.row("SELECT device, number FROM sync_place WHERE id = \(place)") else {
                return
            }
            let (device, number) = (try row.text("device"), try row.integer("number"))
            let there = letters.filter { $0.device == device }.map(\.number).max() ?? 0
            guard there < number else { return }
            try tx.run(
                "UPDATE sync_place SET summed_up = \(number - Self.lettersPerSum) WHERE id = \(place)")
            try tx.run("DELETE FROM sync_laid WHERE place = \(place)")
        }
    }

    func becomeAnother(in tx: borrowing Transaction) throws {
        let device = Self.newDevice(tx)
        try tx.run("UPDATE sync_place SET device = \(device), number = 0, summed_up = 0 WHERE id = \(place)")
        // What was written under the old name and never sent is told anew under the new one.
        try tx.run("DELETE FROM sync_letter WHERE place = \(place)")
        try tx.run("UPDATE sync_record SET is_untold = 1 WHERE place = \(place) AND state IS NOT NULL")
    }

    static func newDevice(_ tx: borrowing Transaction) -> String {
        String(tx.newID(of: SyncRun.self).text.filter { $0 != "-" })
    }

    // MARK: What happened here

    private func lookAround() throws {
        progress.phase("Looking what changed here")
        let head = try store.read { desk in
            try desk.row("SELECT number FROM journal_head")?.integer("number") ?? 0
        }
        let (last, wholeAt, felt) = try store.read { desk in
            let row = try desk.row(
                "SELECT scanned, scanned_whole_at, pulses FROM sync_place WHERE id = \(place)")
            return (
                try row?.integer("scanned") ?? 0, try row?.integer("scanned_whole_at") ?? 0,
                try row.map { try JSON(parsing: $0.text("pulses")) } ?? [:]
            )
        }
        let pulses = try pulses()
        let now = store.clock.now().milliseconds
        let isDue = now - wholeAt > 24 * 3_600_000 || now < wholeAt || wholeAt == 0
        guard head != last || isDue || pulses != felt else { return }
        let subjects = isDue ? nil : try changedSubjects(after: last)
        let some = subjects.flatMap { Self.papers(among: $0) }
        for kind in kinds {
            if kind.name == SyncedPapers.name, let some {
                for start in stride(from: 0, to: some.count, by: Self.portion) {
                    try look(kind, Array(some[start..<min(start + Self.portion, some.count)]))
                }
            } else if let subjects, let own = kind.subjects, kind.name != SyncedPapers.name {
                let isChanged = subjects.contains { subject in own.contains { subject.hasPrefix($0) } }
                if isChanged || pulses[kind.name] != felt[kind.name] { try lookAtAll(kind) }
            } else {
                try lookAtAll(kind)
            }
        }
        try store.write { tx in
            try tx.run(
                "UPDATE sync_place SET scanned = \(head), pulses = \(pulses.text) WHERE id = \(place)")
            if some == nil {
                try tx.run("UPDATE sync_place SET scanned_whole_at = \(now) WHERE id = \(place)")
            }
        }
    }

    /// Of each kind that has one.
    private func pulses() throws -> JSON {
        try store.read { desk in
            var pulses: JSONObject = [:]
            for kind in kinds {
                let pulse = try kind.pulse(in: desk)
                if pulse != 0 { pulses[kind.name] = .integer(pulse) }
            }
            return .object(pulses)
        }
    }

    /// What the journal speaks of since; nil when that is so much that looking at all is quicker.
    private func changedSubjects(after last: Int64) throws -> [String]? {
        try store.read { desk in
            let rows = try desk.rows(
                "SELECT DISTINCT subject FROM journal WHERE number > \(last) ORDER BY subject LIMIT 5001")
            guard rows.count <= 5000 else { return nil }
            return try rows.map { try $0.text("subject") }
        }
    }

    /// Nil when something changed that may stand on any paper.
    private static func papers(among subjects: [String]) -> [String]? {
        var papers: [String] = []
        for subject in subjects {
            if subject.hasPrefix("tag/") || subject.hasPrefix("field/") { return nil }
            if subject.hasPrefix("document/") { papers.append(String(subject.dropFirst(9))) }
        }
        return papers
    }

    private func lookAtAll(_ kind: any SyncedKind) throws {
        var last = ""
        while true {
            try progress.check()
            let ids = try write { tx, ledger in
                let here = try kind.ids(after: last, limit: Self.portion, in: tx)
                // Those that were here the last time are looked at too: they may be gone.
                let top = here.count < Self.portion ? "\u{10FFFF}" : here.last ?? ""
                let known = try tx.rows(
                    """
                    SELECT id FROM sync_record WHERE place = \(place) AND kind = \(kind.name) AND id > \(last)
                        AND id <= \(top) AND shadow IS NOT NULL ORDER BY id
                    """
                ).map { try $0.text("id") }
                for id in Set(here).union(known).sorted() { _ = try ledger.look(kind, id, in: tx) }
                return here
            }
            guard ids.count == Self.portion, let next = ids.last else { return }
            last = next
        }
    }

    private func look(_ kind: any SyncedKind, _ ids: [String]) throws {
        try progress.check()
        try write { tx, ledger in for id in ids { _ = try ledger.look(kind, id, in: tx) } }
    }
}
