import People
import Storage
import Sync
import Work

/// Contacts that came from files of cards. A card is known by what it calls itself, so one that both desks brought in by
/// themselves is one; what two desks made of it at the same time is kept twice.
struct SyncedContacts: SyncedKind {
    let contacts: Contacts
    let store: Store

    var name: String { "contact" }
    var thing: SyncPlace.Thing { .contacts }
    var subjects: [String]? { ["contact"] }

    func ids(after last: String, limit: Int, in tx: borrowing Transaction) throws -> [String] {
        try contacts.cardNames(after: last, limit: limit, in: tx)
    }

    func read(_ id: String, in tx: borrowing Transaction) throws -> SyncItem? {
        guard let copy = try contacts.copy(of: id, in: tx) else { return nil }
        var item = SyncItem()
        item.blob = try store.shelved(copy.card, "text/vcard")
        if let followUp = copy.followUp { item.fields["followUp"] = followUp.kept }
        item.changedAt = copy.changedAt.milliseconds
        return item
    }

    func write(_ item: SyncItem, as id: String, by actor: String, in tx: borrowing Transaction) throws {
        guard let blob = item.blob else { throw Failure(.damaged, "What came of a contact is not whole.") }
        // There is no trash for contacts.
        guard !item.isTrashed else { return try remove(id, by: actor, in: tx) }
        let card = try store.blobs.read(blob.digest)
        let followUp = item.fields["followUp"].flatMap(FollowUp.init(kept:))
        try contacts.put(
            Contacts.Copy(card: card, followUp: followUp, changedAt: tx.now), as: id, by: actor, in: tx)
    }

    func remove(_ id: String, by actor: String, in tx: borrowing Transaction) throws {
        try contacts.forget(id, by: actor, in: tx)
    }
}
