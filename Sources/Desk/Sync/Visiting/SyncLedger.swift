import Bytes
import SQL
import Storage
import Work

/// One row of what a desk remembers: what all desks together know, as this one has put it into effect; how the thing lay
/// here then; and what others have said since.
struct KeptRecord {
    let kind: String
    let id: String
    var state: SyncRecord?
    /// How it lay here when it was last compared; nil when it was not here.
    var shadow: SyncItem?
    /// What others said that has not been put into effect.
    var incoming: SyncRecord?
    /// Whether the others do not know all of `state`.
    var isUntold = false
    /// A folder it should lie in that is not here.
    var wants: String?
    var trouble: String?
}

/// The rows of one place inside one transaction, and the hand of its clock.
final class SyncLedger {
    let place: String
    let device: String
    let desk: String
    private var clock: StampClock
    private let clockBefore: StampClock

    init(_ place: String, in tx: borrowing Transaction) throws {
        guard let row = try tx.row("SELECT * FROM sync_place WHERE id = \(place)") else {
            throw Failure(.notFound, "There is no such place to keep in step with. It may have been removed.")
        }
        self.place = place
        device = try row.text("device")
        desk = try row.text("desk")
        clock = StampClock(
            milliseconds: try row.integer("clock_ms"), count: try row.integer("clock_count"))
        clockBefore = clock
    }

    func stamp(_ tx: borrowing Transaction) -> Stamp { clock.next(at: tx.now, on: device) }

    func see(_ record: SyncRecord) {
        if let latest = record.latest { clock.see(latest) }
    }

    func close(in tx: borrowing Transaction) throws {
        guard clock != clockBefore else { return }
        try tx.run(
            """
            UPDATE sync_place SET clock_ms = \(clock.milliseconds), clock_count = \(clock.count)
            WHERE id = \(place)
            """)
    }

    func get(_ kind: String, _ id: String, in tx: borrowing Transaction) throws -> KeptRecord {
        guard
            let row = try tx.row(
                "SELECT * FROM sync_record WHERE place = \(place) AND kind = \(kind) AND id = \(id)")
        else { return KeptRecord(kind: kind, id: id) }
        return try Self.kept(row)
    }

    static func kept(_ row: Row) throws -> KeptRecord {
        func json(_ column: String) throws -> JSON? {
            try row.optionalText(column).map { try JSON(parsing: $0) }
        }
        return KeptRecord(
            kind: try row.text("kind"), id: try row.text("id"),
            state: try json("state").flatMap(SyncRecord.init),
            shadow: try json("shadow").map { SyncItem($0) },
            incoming: try json("incoming").flatMap(SyncRecord.init), isUntold: try row.int("is_untold") != 0,
            wants: try row.optionalText("wants"), trouble: try row.optionalText("trouble"))
    }

    func put(_ kept: KeptRecord, in tx: borrowing Transaction) throws {
        try tx.run(
            """
            INSERT INTO sync_record (place, kind, id, state, shadow, incoming, is_untold, wants, trouble)
            VALUES (\(place), \(kept.kind), \(kept.id), \(kept.state?.json.text), \(kept.shadow?.json.text),
                \(kept.incoming?.json.text), \(kept.isUntold ? 1 : 0), \(kept.wants), \(kept.trouble))
            ON CONFLICT (place, kind, id) DO UPDATE SET state = excluded.state, shadow = excluded.shadow,
                incoming = excluded.incoming, is_untold = excluded.is_untold, wants = excluded.wants,
                trouble = excluded.trouble
            """)
    }

    // MARK: What happened here

    /// Compares a thing with how it lay here the last time, and notes what somebody did with it since.
    func look(_ kind: any SyncedKind, _ id: String, in tx: borrowing Transaction) throws -> KeptRecord {
        var kept = try get(kind.name, id, in: tx)
        let item = try kind.read(id, in: tx)
        guard item != kept.shadow else { return kept }
        var state = kept.state ?? SyncRecord(kind: kind.name, id: id)
        switch (kept.shadow, item) {
        case (nil, let item?): meet(item, in: &state, tx)
        case (let before?, let item?): note(item, after: before, in: &state, tx)
        case (_?, nil):
            state.gone.join(state.wanted)
            state.trashed.join(state.wanted)
        case (nil, nil): return kept
        }
        kept.isUntold = kept.isUntold || state != kept.state
        kept.state = state
        kept.shadow = item
        try put(kept, in: tx)
        return kept
    }

    /// Something that is new here, or was here before this place was: it counts as said when it was last changed.
    private func meet(_ item: SyncItem, in state: inout SyncRecord, _ tx: borrowing Transaction) {
        let isKnown = !state.wanted.isEmpty
        let stamp =
            isKnown
            ? self.stamp(tx)
            : Stamp(
                milliseconds: max(0, min(item.changedAt, tx.now.milliseconds)), count: 0, device: device)
        clock.see(stamp)
        let base = state.wanted
        let act = state.wanted.act(of: device)
        for (field, value) in item.fields { state.set(field, value, stamp) }
        if let blob = item.blob {
            state.content = .init(stamp: stamp, act: act, base: base, desk: desk, blob: blob)
        }
        state.states.merge(item.states) { old, _ in old }
        if item.isTrashed { state.trashed.join(state.wanted) }
    }

    private func note(
        _ item: SyncItem, after before: SyncItem, in state: inout SyncRecord, _ tx: borrowing Transaction
    ) {
        let stamp = self.stamp(tx)
        for field in Set(item.fields.keys).union(before.fields.keys)
        where item.fields[field] != before.fields[field] {
            state.set(field, item.fields[field] ?? .null, stamp)
        }
        state.states.merge(item.states) { old, _ in old }
        if let blob = item.blob, blob.digest != before.blob?.digest {
            let base = state.wanted
            let act = state.wanted.act(of: device)
            state.content = .init(stamp: stamp, act: act, base: base, desk: desk, blob: blob)
        }
        if item.isTrashed {
            // Also when it lay there before: it may have been brought back, worked on and thrown away again since.
            state.trashed.join(state.wanted)
        } else if before.isTrashed {
            want(&state)
            // Where it was brought back to is part of it: elsewhere its old place may be gone too.
            for field in ["folder", "parent"] {
                if let place = item.fields[field] { state.set(field, place, stamp) }
            }
        }
    }

    /// Somebody wants it to be there, whoever threw it away before.
    func want(_ state: inout SyncRecord) { _ = state.wanted.act(of: device) }

    // MARK: What others said

    /// Takes in what another desk says; it is put into effect later.
    func hear(_ record: SyncRecord, in tx: borrowing Transaction) throws {
        see(record)
        var kept = try get(record.kind, record.id, in: tx)
        if var state = kept.state {
            let before = state
            if state.join(record) == nil, state == before, kept.incoming == nil { return }
        }
        if var incoming = kept.incoming {
            if let loser = incoming.join(record) {
                try hear(Self.copy(of: incoming, with: loser), isOurs: true, in: tx)
            }
            kept.incoming = incoming
        } else {
            kept.incoming = record
        }
        kept.trouble = nil
        try put(kept, in: tx)
    }

    /// A copy that this desk made of what would else be lost has to be told to the others.
    func hear(_ record: SyncRecord, isOurs: Bool, in tx: borrowing Transaction) throws {
        try hear(record, in: tx)
        guard isOurs else { return }
        try tx.run(
            """
            UPDATE sync_record SET is_untold = 1
            WHERE place = \(place) AND kind = \(record.kind) AND id = \(record.id) AND incoming IS NOT NULL
            """)
    }

    /// A paper for bytes that lost against others written at the same time. Every desk that comes to this makes the very
    /// same paper of it, so it is there once however many do.
    static func copy(of record: SyncRecord, with loser: SyncRecord.Content) -> SyncRecord {
        let id = ConflictCopy.id(of: record.id, kind: record.kind, loser)
        var copy = SyncRecord(kind: record.kind, id: id)
        for (field, held) in record.fields
        where !held.value.isNull && field != "with" && !field.hasPrefix(SyncItem.ofThisOne) {
            copy.fields[field] = .init(stamp: loser.stamp, value: held.value)
        }
        let name = ConflictCopy.name(record["name"]?.string ?? "", loser)
        copy.fields["name"] = .init(stamp: loser.stamp, value: .string(name))
        let act = Act(device: loser.act.device, number: 1)
        copy.wanted.add(act)
        copy.content = loser
        copy.content?.act = act
        copy.content?.base = Seen()
        return copy
    }
}
