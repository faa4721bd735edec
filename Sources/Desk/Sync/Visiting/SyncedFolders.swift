import Bytes
import Library
import Storage
import Work

/// The folders of the library.
struct SyncedFolders: SyncedKind {
    static let name = "folder"
    let documents: Documents

    var name: String { Self.name }
    var thing: SyncPlace.Thing { .papers }
    var subjects: [String]? { nil }

    func ids(after last: String, limit: Int, in tx: borrowing Transaction) throws -> [String] {
        Array(try documents.folderIDs(in: tx).drop { $0 <= last }.prefix(limit))
    }

    func read(_ id: String, in tx: borrowing Transaction) throws -> SyncItem? {
        guard let id = ID<Folder>(id), let copy = try documents.copy(of: id, in: tx) else { return nil }
        var item = SyncItem()
        item.fields["name"] = .string(copy.name)
        item.fields["parent"] = .string(copy.parent?.text ?? "")
        item.fields["made"] = .integer(copy.madeAt.milliseconds)
        if copy.isPrivate { item.fields["private"] = .bool(true) }
        if let with = copy.trashedWith { item.fields["with"] = .string(with.text) }
        item.isTrashed = copy.trashedAt != nil
        item.changedAt = copy.madeAt.milliseconds
        return item
    }

    func write(_ item: SyncItem, as id: String, by actor: String, in tx: borrowing Transaction) throws {
        guard let id = ID<Folder>(id), let name = item.fields["name"]?.string else {
            throw Failure(.damaged, "What came of a folder is not whole.")
        }
        let here = try documents.copy(of: id, in: tx)
        let copy = FolderCopy(
            name: name, parent: item.fields["parent"]?.string.flatMap(ID.init),
            madeAt: here?.madeAt
                ?? Moment(milliseconds: item.fields["made"]?.integer ?? tx.now.milliseconds),
            trashedAt: item.isTrashed ? here?.trashedAt ?? tx.now : nil,
            trashedWith: item.isTrashed ? item.fields["with"]?.string.flatMap(ID.init) : nil,
            isPrivate: item.fields["private"]?.bool ?? false)
        try documents.put(copy, as: id, by: actor, in: tx)
    }

    func remove(_ id: String, by actor: String, in tx: borrowing Transaction) throws {
        guard let id = ID<Folder>(id) else { return }
        try documents.forget(id, by: actor, in: tx)
    }
}
