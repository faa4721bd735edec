import Bytes
import Library
import SQL
import Storage

/// Fits what all desks agreed on into the library of this one, where folders have one name in one place, lie in no circle,
/// and what somebody holds stays.
///
/// Where two desks each did something that cannot be together, each of them comes to the same answer, and says it as if
/// somebody had done it.
final class Placing {
    private let run: SyncRun
    private let ledger: SyncLedger
    /// The folders being placed just now, each for the sake of the one before: one that comes up again closes a circle.
    private var path: Set<String> = []

    init(_ run: SyncRun, _ ledger: SyncLedger) {
        self.run = run
        self.ledger = ledger
    }

    private var documents: Documents { run.documents }
    private var folders: SyncedFolders { SyncedFolders(documents: documents) }

    /// A paper, or anything else that is no folder. The folder it should lie in, when that is not known here.
    func thing(
        _ kind: any SyncedKind, _ record: inout SyncRecord, in tx: borrowing Transaction
    ) throws -> String? {
        if record.isTrashed, try !kind.mayGo(record.id, in: tx) { ledger.want(&record) }
        if record.isGone {
            try kind.remove(record.id, by: run.actor, in: tx)
            return nil
        }
        var item = SyncItem(record)
        item.states = item.states.filter { _, state in
            Blob(state).map { run.store.blobs.contains($0.digest) } ?? false
        }
        var wants: String?
        if let folder = record["folder"]?.string, !folder.isEmpty {
            let place = try find(folder, reviving: !record.isTrashed, in: tx)
            if let place, place != folder { record.set("folder", .string(place), ledger.stamp(tx)) }
            if place == nil, !record.isTrashed { wants = folder }
            item.fields["folder"] = .string(place ?? "")
        }
        try kind.write(item, as: record.id, by: run.actor, in: tx)
        return wants
    }

    /// False when it has to wait for something else.
    func folder(_ record: inout SyncRecord, in tx: borrowing Transaction) throws -> Bool {
        guard let id = ID<Folder>(record.id) else { return true }
        path.insert(record.id)
        defer { path.remove(record.id) }
        if let twin = record["same"]?.string { return try become(twin, id, in: tx) }
        if record.isTrashed {
            if try documents.holdsSomething(id, in: tx) {
                guard try !isSomethingWaiting(in: id, tx) else { return false }
                // Somebody laid something into it that whoever threw it away did not know of.
                ledger.want(&record)
            } else if record.isGone {
                if try documents.forget(id, by: run.actor, in: tx) { return true }
            }
        }
        try place(&record, id, in: tx)
        return true
    }

    /// Writes the folder, with everything in its way made to fit.
    private func place(
        _ record: inout SyncRecord, _ id: ID<Folder>, in tx: borrowing Transaction
    ) throws {
        var item = SyncItem(record)
        var parent: ID<Folder>?
        if let text = record["parent"]?.string, path.contains(text) {
            record.set("parent", .string(""), ledger.stamp(tx))
        } else if let text = record["parent"]?.string, !text.isEmpty {
            let place = try find(text, reviving: !record.isTrashed, in: tx)
            if let place, place != text { record.set("parent", .string(place), ledger.stamp(tx)) }
            parent = place.flatMap(ID.init)
        }
        if let above = parent, try isInside(above, id, in: tx) {
            try openCircle(&record, id, from: above, in: tx)
            parent = record["parent"]?.string.flatMap(ID.init)
            if let above = parent, try isInside(above, id, in: tx) { parent = nil }
        }
        item.fields["parent"] = .string(parent?.text ?? "")
        let name = record["name"]?.string ?? ""
        if !record.isTrashed, let twin = try documents.folder(named: name, in: parent, otherThan: id, in: tx)
        {
            if twin.text < id.text {
                record.set("same", .string(twin.text), ledger.stamp(tx))
                _ = try become(twin.text, id, in: tx)
                return
            }
            if try documents.copy(of: twin, in: tx)?.isPrivate == true {
                // Of two that become one the more careful counts.
                record.set("private", .bool(true), ledger.stamp(tx))
                item.fields["private"] = .bool(true)
            }
            // It stands aside until the other, which has its name, has been emptied into it.
            item.isTrashed = true
            try folders.write(item, as: id.text, by: run.actor, in: tx)
            try merge(twin, into: id, in: tx)
            item.isTrashed = false
        }
        try folders.write(item, as: id.text, by: run.actor, in: tx)
        try tx.run(
            """
            UPDATE sync_record SET incoming = state, wants = NULL
            WHERE place = \(ledger.place) AND wants = \(id.text) AND incoming IS NULL
            """)
    }

    // MARK: Folders that are one

    /// Two folders of one name in one place become the one with the smaller id, on every desk.
    private func become(_ twin: String, _ id: ID<Folder>, in tx: borrowing Transaction) throws -> Bool {
        guard try documents.copy(of: id, in: tx) != nil else { return true }
        guard let found = try find(twin, reviving: true, in: tx), found != id.text,
            let other: ID<Folder> = ID(found)
        else { return false }
        try empty(id, into: other, in: tx)
        return true
    }

    private func merge(_ id: ID<Folder>, into other: ID<Folder>, in tx: borrowing Transaction) throws {
        var kept = try ledger.look(folders, id.text, in: tx)
        kept.state?.set("same", .string(other.text), ledger.stamp(tx))
        kept.isUntold = true
        try ledger.put(kept, in: tx)
        try empty(id, into: other, in: tx)
    }

    private func empty(_ id: ID<Folder>, into other: ID<Folder>, in tx: borrowing Transaction) throws {
        if !path.contains(other.text), try documents.copy(of: id, in: tx)?.isPrivate == true,
            var careful = try documents.copy(of: other, in: tx), !careful.isPrivate
        {
            careful.isPrivate = true
            try documents.put(careful, as: other, by: run.actor, in: tx)
            _ = try ledger.look(folders, other.text, in: tx)
        }
        let moved = try documents.moveAll(from: id, to: other, by: run.actor, in: tx)
        if let papers = run.kind(SyncedPapers.name) {
            for paper in moved.papers { _ = try ledger.look(papers, paper.text, in: tx) }
        }
        for inner in moved.folders {
            guard var copy = try documents.copy(of: inner, in: tx) else { continue }
            if copy.trashedAt == nil,
                let twin = try documents.folder(named: copy.name, in: other, otherThan: inner, in: tx)
            {
                if twin.text < inner.text {
                    try merge(inner, into: twin, in: tx)
                    continue
                }
                try merge(twin, into: inner, in: tx)
            }
            copy.parent = other
            try documents.put(copy, as: inner, by: run.actor, in: tx)
            _ = try ledger.look(folders, inner.text, in: tx)
        }
        guard try documents.forget(id, by: run.actor, in: tx) else { return }
        var kept = try ledger.get(SyncedFolders.name, id.text, in: tx)
        kept.shadow = nil
        try ledger.put(kept, in: tx)
    }

    // MARK: Where things lie

    /// The folder of this desk that stands for the one asked for; brought back when it was thrown away by somebody who did
    /// not know that it is needed. Nil when it is not known here.
    private func find(
        _ id: String, reviving: Bool, in tx: borrowing Transaction, depth: Int = 0
    ) throws -> String? {
        guard depth < 100, let folder: ID<Folder> = ID(id) else { return nil }
        var kept = try ledger.look(folders, id, in: tx)
        if let twin = (kept.incoming?["same"] ?? kept.state?["same"])?.string {
            return try find(twin, reviving: reviving, in: tx, depth: depth + 1)
        }
        let here = try documents.copy(of: folder, in: tx)
        if let here, here.trashedAt == nil || !reviving { return id }
        guard reviving else { return nil }
        var state = kept.state ?? SyncRecord(kind: SyncedFolders.name, id: id)
        if let incoming = kept.incoming { _ = state.join(incoming) }
        guard state["name"]?.string != nil else { return nil }
        if state.isTrashed { ledger.want(&state) }
        path.insert(id)
        defer { path.remove(id) }
        try place(&state, folder, in: tx)
        kept.isUntold = true
        kept.state = state
        kept.incoming = nil
        kept.shadow = try folders.read(id, in: tx)
        try ledger.put(kept, in: tx)
        if let twin = state["same"]?.string {
            return try find(twin, reviving: reviving, in: tx, depth: depth + 1)
        }
        return id
    }

    private func isSomethingWaiting(in id: ID<Folder>, _ tx: borrowing Transaction) throws -> Bool {
        try tx.row(
            """
            SELECT 1 AS one FROM sync_record JOIN document ON document.id = sync_record.id
            WHERE sync_record.place = \(ledger.place) AND sync_record.kind = \(SyncedPapers.name)
                AND sync_record.incoming IS NOT NULL AND document.folder = \(id) LIMIT 1
            """) != nil
            || tx.row(
                """
                SELECT 1 AS one FROM sync_record JOIN folder ON folder.id = sync_record.id
                WHERE sync_record.place = \(ledger.place) AND sync_record.kind = \(SyncedFolders.name)
                    AND sync_record.incoming IS NOT NULL AND folder.parent = \(id) LIMIT 1
                """) != nil
    }

    /// Whether a folder lies in the other, or is it.
    private func isInside(
        _ one: ID<Folder>, _ other: ID<Folder>, in tx: borrowing Transaction
    ) throws -> Bool {
        var next: ID<Folder>? = one
        for _ in 0..<200 {
            guard let id = next else { return false }
            if id == other { return true }
            next = try documents.copy(of: id, in: tx)?.parent
        }
        return true
    }

    /// Two desks laid two folders into each other. The one that was moved last goes to the top.
    private func openCircle(
        _ record: inout SyncRecord, _ id: ID<Folder>, from above: ID<Folder>, in tx: borrowing Transaction
    ) throws {
        var latest: (stamp: Stamp, id: ID<Folder>)?
        var next: ID<Folder>? = above
        while let inner = next, inner != id {
            let state = try ledger.get(SyncedFolders.name, inner.text, in: tx).state
            if let stamp = state?.fields["parent"]?.stamp, latest.map({ $0.stamp < stamp }) ?? true {
                latest = (stamp, inner)
            }
            next = try documents.copy(of: inner, in: tx)?.parent
        }
        guard let latest, let ours = record.fields["parent"]?.stamp, ours < latest.stamp,
            var copy = try documents.copy(of: latest.id, in: tx)
        else {
            record.set("parent", .string(""), ledger.stamp(tx))
            return
        }
        copy.parent = nil
        if copy.trashedAt == nil,
            let twin = try documents.folder(named: copy.name, in: nil, otherThan: latest.id, in: tx)
        {
            // No room at the top under that name: it becomes one with the one that is there.
            try merge(latest.id, into: twin, in: tx)
            return
        }
        try documents.put(copy, as: latest.id, by: run.actor, in: tx)
        _ = try ledger.look(folders, latest.id.text, in: tx)
    }
}
