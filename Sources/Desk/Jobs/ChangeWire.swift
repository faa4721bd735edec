import Bytes
import SQL
import Storage
import Synchronization
import Work

/// Carries changes between processes that share a PostgreSQL database. SQLite has one process that matters,
/// so there it does nothing.
final class ChangeWire: Sendable {
    static let channel = "job"
    private let store: Store
    /// Tells our own echo from the voices of others.
    private let origin: String
    private let subscription = Mutex<Subscription?>(nil)

    init(_ store: Store) {
        self.store = store
        origin = Hex.encode(Chance.system.bytes(8))
    }

    /// Losing the wire loses only the liveness of what is shown, never work: so errors end here.
    func listen(queue: JobQueue) {
        guard store.database.kind == .postgres else { return }
        let listening = try? store.database.listen(Self.channel) { [weak queue, origin] payload in
            guard let queue else { return }
            guard let view = try? JSON(parsing: payload), view["from"]?.string != origin,
                let change = JobChange(view)
            else {
                // Something may have been missed; looking costs little.
                if payload.isEmpty { queue.signals.send(.added) }
                return
            }
            queue.changes.send(change)
            if change.state == .waiting { queue.signals.send(.added) }
            if view["cancel"]?.bool == true {
                queue.signals.send(.cancel(change.id, reason: change.reason ?? "Cancelled."))
            }
        }
        subscription.withLock { $0 = listening }
    }

    /// What others need to hear about these changes; nothing on SQLite. To be sent in the transaction that makes
    /// them, so that they are heard when they are true.
    func payloads(_ changes: [JobChange]) -> [String] {
        store.database.kind == .postgres ? changes.map { $0.view(from: origin).text } : []
    }
}

extension JobChange {
    /// Well under the 8,000 bytes that a notification may have.
    fileprivate func view(from origin: String) -> JSON {
        [
            "from": .string(origin), "id": .string(id.text), "kind": .string(kind),
            "title": .string(String(title.prefix(200))), "state": .string(state.rawValue),
            "done": .integer(progress.done), "total": .optional(progress.total),
            "phase": .string(String(progress.phase.prefix(200))),
            "reason": .optional(reason.map { String($0.prefix(200)) }),
            "cancel": .bool(state == .running && reason != nil),
        ]
    }

    fileprivate init?(_ view: JSON) {
        guard let id = view["id"]?.string.flatMap({ ID<Job>($0) }), let kind = view["kind"]?.string,
            let title = view["title"]?.string,
            let state = view["state"]?.string.flatMap({ Job.State(rawValue: $0) })
        else { return nil }
        self.init(
            id: id, kind: kind, title: title, state: state,
            progress: Progress.Snapshot(
                done: view["done"]?.integer ?? 0, total: view["total"]?.integer,
                phase: view["phase"]?.string ?? ""),
            reason: view["reason"]?.string)
    }
}
