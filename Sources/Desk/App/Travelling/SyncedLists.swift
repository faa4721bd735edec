import Bytes
import People
import Storage
import Sync
import Work

/// Lists of people with their columns and groups; what a smart list asks, which each desk answers from its own contacts.
/// What two desks made of one at the same time is kept twice.
struct SyncedLists: SyncedKind {
    let recipients: Recipients
    let store: Store

    private static let group = "group:"

    var name: String { "list" }
    var thing: SyncPlace.Thing { .lists }
    var subjects: [String]? { ["list/"] }

    func ids(after last: String, limit: Int, in tx: borrowing Transaction) throws -> [String] {
        try recipients.listIDs(after: last, limit: limit, in: tx)
    }

    func read(_ id: String, in tx: borrowing Transaction) throws -> SyncItem? {
        guard let id = ID<RecipientList>(id), let copy = try recipients.copy(of: id, in: tx) else {
            return nil
        }
        var item = SyncItem()
        item.fields["name"] = .string(copy.name)
        item.fields["added"] = ["at": .integer(copy.madeAt.milliseconds), "by": .string(copy.madeByName)]
        if let question = copy.question { item.fields["question"] = question }
        for (name, filter) in copy.groups { item.fields[Self.group + name] = filter }
        item.isTrashed = copy.trashedAt != nil
        item.blob = try copy.file.map { try store.shelved($0, "application/x-quire-list") }
        item.changedAt = copy.changedAt.milliseconds
        return item
    }

    func write(_ item: SyncItem, as id: String, by actor: String, in tx: borrowing Transaction) throws {
        guard let id = ID<RecipientList>(id), let name = item.fields["name"]?.string else {
            throw Recipients.notWhole
        }
        let here = try recipients.copy(of: id, in: tx)
        let added = item.fields["added"]
        var groups: [String: JSON] = [:]
        for (field, filter) in item.fields where field.hasPrefix(Self.group) {
            groups[String(field.dropFirst(Self.group.count))] = filter
        }
        try recipients.put(
            Recipients.Copy(
                name: name, question: item.fields["question"],
                file: try item.blob.map { try store.blobs.read($0.digest) }, groups: groups,
                madeAt: Moment(milliseconds: added?["at"]?.integer ?? tx.now.milliseconds),
                madeByName: added?["by"]?.string ?? "", changedAt: tx.now,
                trashedAt: item.isTrashed ? here?.trashedAt ?? tx.now : nil), as: id, by: actor, in: tx)
    }

    func remove(_ id: String, by actor: String, in tx: borrowing Transaction) throws {
        guard let id = ID<RecipientList>(id) else { return }
        try recipients.forget(id, by: actor, in: tx)
    }
}
