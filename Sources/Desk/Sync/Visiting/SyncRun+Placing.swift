import Bytes
import Library
import SQL
import Storage
import Transfer
import Work

extension SyncRun {
    /// Puts what others said into effect here. Folders that are there come first, so that papers find their place; those
    /// that go come last, when it shows whether something still lies in them.
    func putIntoEffect() throws {
        progress.phase("Putting it into effect")
        // What one step brings about may be for another to finish, such as a folder that had to come back.
        for _ in 0..<4 {
            let before = try waiting()
            guard before > 0 else { return }
            try place(SyncedFolders.name) { !$0.isTrashed && !$0.isGone && $0["same"] == nil }
            for kind in kinds where kind.name != SyncedFolders.name { try place(kind.name) { _ in true } }
            try place(SyncedFolders.name) { _ in true }
            if try waiting() == before { return }
        }
    }

    private func waiting() throws -> Int {
        let known = kinds.map(\.name)
        return try store.read { desk in
            let row = try desk.row(
                """
                SELECT count(*) AS n FROM sync_record WHERE place = \(place) AND incoming IS NOT NULL
                    AND \(.column("kind", in: known))
                """)
            return try row?.int("n") ?? 0
        }
    }

    private func place(_ name: String, where suits: (SyncRecord) -> Bool) throws {
        guard let kind = kind(name) else { return }
        var last = ""
        while true {
            let ids = try store.read { desk in
                try desk.rows(
                    """
                    SELECT id FROM sync_record WHERE place = \(place) AND kind = \(name)
                        AND incoming IS NOT NULL AND id > \(last) ORDER BY id LIMIT \(Self.portion)
                    """
                ).map { try $0.text("id") }
            }
            for id in ids {
                try progress.check()
                try place(kind, id, where: suits)
            }
            guard let next = ids.last else { return }
            last = next
        }
    }

    private func place(_ kind: any SyncedKind, _ id: String, where suits: (SyncRecord) -> Bool) throws {
        do {
            var missing = try missing(kind, id, where: suits)
            // Files come before the transaction, and while they came the record may have asked for others.
            for _ in 0..<3 where !missing.isEmpty {
                for file in missing {
                    do {
                        try bring(file.digest)
                    } catch SyncTrouble.missing where !file.isNeeded {
                        // An earlier version that its desk did not want to travel.
                    }
                }
                missing = try self.missing(kind, id, where: suits).filter(\.isNeeded)
            }
            guard missing.isEmpty else { return }
            try write { tx, ledger in try put(kind, id, ledger, tx, where: suits) }
        } catch let trouble as SyncTrouble where !trouble.isOfThePlace {
            try note(trouble: trouble.sentence, KeptRecord(kind: kind.name, id: id))
        } catch let failure as Failure
            where [.invalid, .conflict, .denied, .notFound, .tooMany, .damaged].contains(failure.code)
        {
            try note(trouble: failure.message, KeptRecord(kind: kind.name, id: id))
        }
    }

    private struct Wanted {
        var digest: Digest
        var isNeeded: Bool
    }

    private func missing(
        _ kind: any SyncedKind, _ id: String, where suits: (SyncRecord) -> Bool
    ) throws -> [Wanted] {
        try store.write { tx in
            let kept = try SyncLedger(place, in: tx).get(kind.name, id, in: tx)
            guard let incoming = kept.incoming else { return [] }
            var merged = kept.state ?? SyncRecord(kind: kind.name, id: id)
            let loser = merged.join(incoming)
            guard suits(merged), !merged.isGone else { return [] }
            let item = SyncItem(merged)
            let states = Set(item.states.values.compactMap { Blob($0)?.digest })
            let all = item.blobs + (loser.map { [$0.blob.digest] } ?? [])
            return all.filter { !store.blobs.contains($0) }.map {
                Wanted(digest: $0, isNeeded: $0 == item.blob?.digest || !states.contains($0))
            }
        }
    }

    private func put(
        _ kind: any SyncedKind, _ id: String, _ ledger: SyncLedger, _ tx: borrowing Transaction,
        where suits: (SyncRecord) -> Bool
    ) throws {
        // Somebody may have worked on it here while files came.
        var kept = try ledger.look(kind, id, in: tx)
        guard let incoming = kept.incoming else { return }
        var merged = kept.state ?? SyncRecord(kind: kind.name, id: id)
        let loser = merged.join(incoming)
        guard suits(merged) else { return }
        if !merged.isGone, let digest = merged.content?.blob.digest, !store.blobs.contains(digest) { return }
        if let loser {
            try ledger.hear(SyncLedger.copy(of: merged, with: loser), isOurs: true, in: tx)
        }
        var isSettled = true
        if kind.name == SyncedFolders.name {
            isSettled = try Placing(self, ledger).folder(&merged, in: tx)
        } else {
            kept.wants = try Placing(self, ledger).thing(kind, &merged, in: tx)
        }
        guard isSettled else { return }
        if kept.shadow == nil, kind.name == SyncedPapers.name, !merged.isTrashed {
            try noteTwin(of: id, in: tx)
        }
        kept.shadow = try kind.read(id, in: tx)
        kept.isUntold = kept.isUntold || merged != incoming
        kept.state = merged
        kept.incoming = nil
        kept.trouble = nil
        try ledger.put(kept, in: tx)
    }

    /// The same file that was added on two desks is two papers: each may lie elsewhere and be labelled otherwise. That the
    /// other is there is said in the history of the one that came.
    private func noteTwin(of id: String, in tx: borrowing Transaction) throws {
        let twin = try tx.row(
            """
            SELECT twin.name AS name FROM document JOIN document AS twin ON twin.digest = document.digest
            WHERE document.id = \(id) AND twin.id <> document.id AND twin.trashed_at IS NULL
            ORDER BY twin.id LIMIT 1
            """)
        guard let twin else { return }
        tx.note("document.twin", "document/\(id)", by: actor, ["twin": .string(try twin.text("name"))])
    }
}
