import Bytes
import Library
import Storage

/// What tags are besides the words on papers, which travel with those. A tag is the same on every desk by its name.
struct SyncedTags: SyncedKind {
    let documents: Documents

    var name: String { "tag" }
    var thing: SyncPlace.Thing { .papers }
    var subjects: [String]? { ["tag/"] }

    func ids(after last: String, limit: Int, in tx: borrowing Transaction) throws -> [String] {
        try documents.markedTags(after: last, limit: limit, in: tx)
    }

    func read(_ id: String, in tx: borrowing Transaction) throws -> SyncItem? {
        guard let tag = try documents.tag(called: id, in: tx), tag.colour != .none else { return nil }
        var item = SyncItem()
        for (name, value) in Tag.fields.json(of: tag) { item.fields[name] = value }
        return item
    }

    func write(_ item: SyncItem, as id: String, by actor: String, in tx: borrowing Transaction) throws {
        let json = JSON.object(JSONObject(item.fields.map { ($0.key, $0.value) }))
        try documents.put(tag: id, json, by: actor, in: tx)
    }

    func remove(_ id: String, by actor: String, in tx: borrowing Transaction) throws {
        guard let tag = try documents.tag(called: id, in: tx), tag.colour != .none else { return }
        try documents.put(tag: id, ["colour": .string(Tag.Colour.none.rawValue)], by: actor, in: tx)
    }
}
