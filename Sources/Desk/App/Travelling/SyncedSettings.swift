import Bytes
import Storage
import Sync
import Work

/// What the desk is called and where it stands. Mail accounts, backups and locks are of the machine they are on, and their
/// secrets leave no desk. Of two changes the later counts, each value by itself; the history keeps the other.
struct SyncedSettings: SyncedKind {
    let settings: Settings

    var name: String { "setting" }
    var thing: SyncPlace.Thing { .settings }
    var subjects: [String]? { ["settings/"] }

    func ids(after last: String, limit: Int, in tx: borrowing Transaction) throws -> [String] {
        try Settings.travelling.filter { $0 > last }.filter { try settings.copy(of: $0, in: tx) != nil }
    }

    func read(_ id: String, in tx: borrowing Transaction) throws -> SyncItem? {
        guard let (values, changedAt) = try settings.copy(of: id, in: tx) else { return nil }
        var item = SyncItem()
        for (name, value) in values.object ?? [:] { item.fields[name] = value }
        item.changedAt = changedAt.milliseconds
        return item
    }

    func write(_ item: SyncItem, as id: String, by actor: String, in tx: borrowing Transaction) throws {
        try settings.put(
            .object(JSONObject(item.fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })), as: id,
            by: actor, in: tx)
    }

    func remove(_ id: String, by actor: String, in tx: borrowing Transaction) throws {}
}
