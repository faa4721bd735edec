import Access
import Bytes
import Crypto
public import Jobs
import Library
import SQL
public import Storage
import Transfer
public import Work

extension SyncPlaces {
    /// Names who does this job, and promises one for each place.
    public func handle(in runner: JobRunner) {
        runner.handle(.sync) { run in
            guard let id = run.payload["place"]?.string.flatMap({ ID<SyncPlace>($0) }) else { return }
            guard let next = try visit(id, progress: run.progress) else { return }
            throw Postponed(until: next)
        }
    }

    public func promiseAll() throws {
        try store.write { tx in
            for row in try tx.rows("SELECT id FROM sync_place WHERE is_paused = 0") {
                try promise(try row.id("id"), in: tx)
            }
        }
    }

    /// Something changed here: the others hear of it soon, many changes at once.
    public func promiseSoon() throws {
        let areThere = try store.read { desk in
            try desk.row("SELECT 1 AS one FROM sync_place WHERE is_paused = 0 LIMIT 1") != nil
        }
        guard areThere else { return }
        try store.write { tx in
            for row in try tx.rows("SELECT id FROM sync_place WHERE is_paused = 0 AND state <> 'unavailable'")
            {
                try promise(try row.id("id"), in: tx, after: Self.restAfterChange)
            }
        }
    }

    /// Goes there once; when to go again, or nil when nobody wants that.
    @discardableResult
    public func visit(_ id: ID<SyncPlace>, progress: Progress = Progress()) throws -> Moment? {
        guard let (place, secrets) = try opened(id), !place.isPaused else { return nil }
        return try visit(place, secrets, progress: progress) { try shelf(of: place, secrets) }
    }

    func visit(
        _ place: SyncPlace, _ secrets: SyncDraft.Secrets = .init(), progress: Progress = Progress(),
        over open: () throws -> any SyncShelf
    ) throws -> Moment? {
        try store.write { tx in
            try tx.run("UPDATE sync_place SET state = 'syncing', tried_at = \(tx.now) WHERE id = \(place.id)")
        }
        do {
            // What keeps in step does so as long as the plan has it.
            try documents.requirePlan(.sync)
            let run = SyncRun(
                store, documents, place: place.id.text, kinds: kinds(place.choice), shelf: try open(),
                passphrase: secrets.passphrase, cost: circumstances.cost, progress: progress)
            let tally = try run.perform()
            return try conclude(place, tally.troubled > 0 ? .failed : .synced, "")
        } catch let trouble as SyncTrouble {
            switch trouble {
            case .away: return try conclude(place, .unavailable, trouble.sentence)
            default: return try conclude(place, .refused, trouble.sentence)
            }
        } catch let cancelled as Cancelled {
            _ = try conclude(place, .unavailable, "The last visit was interrupted.")
            throw cancelled
        } catch let failure as Failure {
            return try conclude(place, .refused, failure.message)
        }
    }

    private func conclude(
        _ place: SyncPlace, _ state: SyncPlace.State, _ sentence: String
    ) throws -> Moment? {
        try store.write { tx in
            guard let row = try tx.row("SELECT tries FROM sync_place WHERE id = \(place.id)") else {
                return nil
            }
            let isGood = state == .synced || state == .failed
            let tries = isGood ? 0 : try row.int("tries") + 1
            try tx.run(
                """
                UPDATE sync_place SET state = \(state.rawValue), sentence = \(sentence), tries = \(tries)
                WHERE id = \(place.id)
                """)
            if isGood {
                try tx.run("UPDATE sync_place SET synced_at = \(tx.now) WHERE id = \(place.id)")
                // Whoever changed something in the meantime may have been told that this visit would carry it.
                if try hasChanged(sinceLookingFor: place.id, in: tx) { return tx.now + Self.restAfterChange }
            }
            // Another Quire is quickly asked.
            let usual = place.kind == .quire ? Self.usualPause / 5 : Self.usualPause
            return tx.now + (isGood ? usual : Self.pause(afterTries: tries))
        }
    }

    /// Whether anything happened here since the last visit looked around, besides what it brought itself.
    private func hasChanged(sinceLookingFor id: ID<SyncPlace>, in tx: borrowing Transaction) throws -> Bool {
        try tx.row(
            """
            SELECT 1 AS one FROM journal WHERE actor <> \(SyncRun.actor(at: id.text))
                AND number > (SELECT scanned FROM sync_place WHERE id = \(id)) LIMIT 1
            """) != nil
    }

    /// Longer each time, an hour at most.
    static func pause(afterTries tries: Int) -> Duration {
        min(.seconds(15) * (1 << min(max(tries - 1, 0), 10)), .seconds(3600))
    }

    func kinds(_ choice: SyncPlace.Choice) -> [any SyncedKind] {
        let own: [any SyncedKind] = [
            SyncedFolders(documents: documents), SyncedTags(documents: documents),
            SyncedPapers(documents: documents, withVersions: choice.versions),
        ]
        return (own + others).filter { choice.things.contains($0.thing) }
    }

    func opened(_ id: ID<SyncPlace>) throws -> (SyncPlace, SyncDraft.Secrets)? {
        let found = try store.read { desk -> (SyncPlace, [UInt8])? in
            guard let row = try desk.row("SELECT * FROM sync_place WHERE id = \(id)") else { return nil }
            return (try SyncPlace(row), try row.optionalBlob("secret") ?? [])
        }
        guard let (place, sealed) = found else { return nil }
        guard let bytes = try circumstances.key().open(sealed, for: Self.sealed(id)),
            let secrets = SyncDraft.Secrets(bytes)
        else {
            throw Failure(
                .damaged,
                "The password of “\(place.name)” cannot be opened: its key in \(store.home.keys) was replaced. Remove the place and add it again."
            )
        }
        return (place, secrets)
    }

    private func shelf(of place: SyncPlace, _ secrets: SyncDraft.Secrets) throws -> any SyncShelf {
        switch place.kind {
        case .here: return DeskShelf(store)
        case .quire:
            let shelf = QuireShelf(place.address, key: secrets.password, over: http)
            let theirs = try shelf.greet()
            let isOurs = try store.read { desk in
                try desk.row("SELECT 1 AS one FROM sync_place WHERE id = \(theirs)") != nil
            }
            guard !isOurs else { throw SyncTrouble.refused("This address is this very desk.") }
            return shelf
        case .folder:
            // Who may name it was asked when it was; links may have come since.
            try folders.place(place.address, anywhere: true, mayBeMissing: true, field: "address")
            return FolderShelf(place.address, chance: store.chance)
        case .webdav:
            let user = place.options.user
            let client = try explained(place.address) { () throws(TransferError) in
                try WebDAVClient(
                    root: place.address, userName: user.isEmpty ? nil : user, password: secrets.password,
                    over: http)
            }
            return WebDAVShelf(client, chance: store.chance)
        case .s3:
            let signer = S3Signer(
                accessKey: place.options.user, secretKey: secrets.password, region: place.options.region)
            let account = S3Account(
                endpoint: place.address, bucket: place.options.bucket, signer: signer)
            let client = try explained(place.address) { () throws(TransferError) in
                try S3Client(account, over: http, clock: store.clock)
            }
            return S3Shelf(client, prefix: place.options.prefix)
        }
    }
}
