public import Access
import Bytes
public import Crypto
public import Jobs
public import Library
import SQL
public import Storage
public import Transfer
import Work

extension JobKind {
    /// One job for each place, which goes on for as long as the place is there.
    public static let sync = JobKind("sync", title: "Keep in step", maximumAttempts: 20)
}

/// The places with which this desk keeps in step: a folder, a WebDAV server, a bucket, another Quire.
public struct SyncPlaces: Sendable {
    /// What the rest of the program tells: what this desk is called, and the key that seals secrets.
    public struct Circumstances: Sendable {
        var desk: @Sendable () -> String
        var key: @Sendable () throws -> SealingKey
        /// How dear it is to make keys of a passphrase.
        var cost: PasswordHash.Cost

        public init(
            desk: @escaping @Sendable () -> String, key: @escaping @Sendable () throws -> SealingKey,
            cost: PasswordHash.Cost = PasswordHash.Cost(passes: 3, memoryBytes: 64 << 20)
        ) {
            self.desk = desk
            self.key = key
            self.cost = cost
        }
    }

    public static let mostPlaces = 20
    /// How long after a visit the next one comes, when nothing changed here meanwhile.
    static let usualPause = Duration.seconds(300)
    /// How long after a change here.
    static let restAfterChange = Duration.seconds(3)

    let store: Store
    let documents: Documents
    let queue: JobQueue
    let http: HTTPClient
    let circumstances: Circumstances
    /// What else is kept in step, besides papers and folders; those that need others come behind them.
    let others: [any SyncedKind]
    /// Which folders of the machine may be places.
    let folders: HostFolders

    public init(
        _ store: Store, documents: Documents, queue: JobQueue, http: HTTPClient? = nil,
        others: [any SyncedKind] = [], reachable: [String] = [], circumstances: Circumstances
    ) {
        folders = HostFolders(home: store.home, opened: reachable)
        self.others = others
        self.store = store
        self.documents = documents
        self.queue = queue
        // The owner of the desk has set these places up, in their own network as well.
        self.http = http ?? HTTPClient(guardian: .anywhere)
        self.circumstances = circumstances
    }

    public func list(by caller: Caller) throws -> [SyncPlace] {
        try caller.require(.view)
        return try store.read { desk in
            try desk.rows("SELECT * FROM sync_place ORDER BY made_at, id").map { row in
                try counted(SyncPlace(row), in: desk)
            }
        }
    }

    public func get(_ id: ID<SyncPlace>, by caller: Caller) throws -> SyncPlace {
        try caller.require(.view)
        return try store.read { desk in try counted(found(id, in: desk), in: desk) }
    }

    /// Remembers a place and goes there at once. Secrets are sealed and never shown again.
    @discardableResult
    public func add(_ draft: SyncDraft, by caller: Caller) throws -> SyncPlace {
        try caller.require(.administer)
        try documents.requirePlan(.sync)
        let draft = try draft.checked()
        if draft.kind == .folder {
            try folders.place(
                draft.address, anywhere: caller.via == .local, mayBeMissing: true, field: "address")
        }
        let key = try circumstances.key()
        return try store.write { tx in
            let places = try tx.rows("SELECT * FROM sync_place").map(SyncPlace.init)
            guard places.count < Self.mostPlaces else {
                throw Failure(.tooMany, "There are \(places.count) places already, as many as can be.")
            }
            let isThere = places.contains {
                $0.kind == draft.kind && $0.address == draft.address
                    && $0.options.bucket == draft.options.bucket
                    && $0.options.prefix == draft.options.prefix
            }
            guard !isThere else {
                throw Failure(.conflict, "This desk keeps in step with that place already.", field: "address")
            }
            // By its name it is called on the command line.
            var name = draft.name
            var number = 1
            while places.contains(where: { $0.name == name }) {
                number += 1
                name = "\(draft.name) \(number)"
            }
            let id = tx.newID(of: SyncPlace.self)
            let sealed = key.seal(draft.secrets.bytes, for: Self.sealed(id))
            let desk = FileName.cleaned(circumstances.desk()) ?? "Quire"
            try tx.run(
                """
                INSERT INTO sync_place (id, name, kind, address, options, secret, choice, made_at, device, desk)
                VALUES (\(id), \(name), \(draft.kind.rawValue), \(draft.address), \(draft.options.json.text),
                    \(sealed), \(draft.choice.json.text), \(tx.now), \(SyncRun.newDevice(tx)), \(desk))
                """)
            tx.note(
                "sync.added", "sync/\(id)", by: caller.actor,
                ["name": .string(name), "kind": .string(draft.kind.rawValue)])
            try promise(id, in: tx)
            return try found(id, in: tx)
        }
    }

    /// Forgets a place. What lies there and what lies here stays.
    public func remove(_ id: ID<SyncPlace>, by caller: Caller) throws {
        try caller.require(.administer)
        try store.write { tx in
            let place = try found(id, in: tx)
            for table in ["sync_record", "sync_heard", "sync_letter", "sync_laid", "sync_unneeded"] {
                try tx.run("DELETE FROM \(raw: table) WHERE place = \(id)")
            }
            if place.kind == .here { try tx.run("DELETE FROM sync_thing") }
            try tx.run("DELETE FROM sync_place WHERE id = \(id)")
            tx.note("sync.removed", "sync/\(id)", by: caller.actor, ["name": .string(place.name)])
        }
    }

    /// Nobody goes there until it goes on.
    @discardableResult
    public func setPaused(_ isPaused: Bool, _ id: ID<SyncPlace>, by caller: Caller) throws -> SyncPlace {
        try caller.require(.administer)
        return try store.write { tx in
            let place = try found(id, in: tx)
            try tx.run("UPDATE sync_place SET is_paused = \(isPaused ? 1 : 0) WHERE id = \(id)")
            tx.note(
                isPaused ? "sync.paused" : "sync.resumed", "sync/\(id)", by: caller.actor,
                ["name": .string(place.name)])
            if !isPaused { try promise(id, in: tx) }
            return try found(id, in: tx)
        }
    }

    /// Keeps other things in step from now on. What is no longer chosen stays on both sides as it is.
    @discardableResult
    public func choose(
        _ choice: SyncPlace.Choice, for id: ID<SyncPlace>, by caller: Caller
    ) throws -> SyncPlace {
        try caller.require(.administer)
        try choice.check()
        return try store.write { tx in
            let place = try found(id, in: tx)
            // What was not looked at so far is looked at whole.
            try tx.run(
                """
                UPDATE sync_place SET choice = \(choice.json.text), scanned = 0, scanned_whole_at = 0
                WHERE id = \(id)
                """)
            tx.note(
                "sync.chosen", "sync/\(id)", by: caller.actor,
                ["name": .string(place.name), "what": .array(choice.words.map(JSON.string))])
            if !place.isPaused { try promise(id, in: tx) }
            return try found(id, in: tx)
        }
    }

    /// Goes there now instead of later.
    @discardableResult
    public func visitNow(_ id: ID<SyncPlace>, by caller: Caller) throws -> ID<Job> {
        try caller.require(.edit)
        return try store.write { tx in
            let place = try found(id, in: tx)
            guard !place.isPaused else {
                throw Failure(.conflict, "“\(place.name)” is paused. Let it go on first.")
            }
            return try promise(id, in: tx)
        }
    }

    // MARK: -

    @discardableResult
    func promise(
        _ id: ID<SyncPlace>, in tx: borrowing Transaction, after pause: Duration = .zero
    ) throws -> ID<Job> {
        try queue.add(
            .sync, payload: ["place": .string(id.text)], in: tx, unique: id.text, runAt: tx.now + pause)
    }

    func found(_ id: ID<SyncPlace>, in desk: borrowing some Readable & ~Copyable) throws -> SyncPlace {
        guard let row = try desk.row("SELECT * FROM sync_place WHERE id = \(id)") else {
            throw Failure(.notFound, "There is no such place to keep in step with. It may have been removed.")
        }
        return try SyncPlace(row)
    }

    static func sealed(_ id: ID<SyncPlace>) -> String { "sync-place/\(id)" }

    private func counted(
        _ place: SyncPlace, in desk: borrowing some Readable & ~Copyable
    ) throws -> SyncPlace {
        var place = place
        let row = try desk.row(
            """
            SELECT count(*) AS n,
                COALESCE(SUM(CASE WHEN trouble IS NOT NULL THEN 1 ELSE 0 END), 0) AS failed,
                COALESCE(SUM(CASE WHEN trouble IS NULL AND (incoming IS NOT NULL OR is_untold <> 0)
                    THEN 1 ELSE 0 END), 0) AS waiting
            FROM sync_record WHERE place = \(place.id) AND (shadow IS NOT NULL OR incoming IS NOT NULL)
            """)
        place.failed = try row?.int("failed") ?? 0
        place.waiting = try row?.int("waiting") ?? 0
        place.synced = (try row?.int("n") ?? 0) - place.failed - place.waiting
        return place
    }
}
