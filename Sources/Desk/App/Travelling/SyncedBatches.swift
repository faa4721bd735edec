import Bytes
import Delivery
import Filling
import Storage
import Sync
import Work

/// Send-outs with their letters. What was decided travels as bytes of its own, so that what two desks decided at the same
/// time is kept twice; a send-out is made on one desk, and the others know how far it came there and to whom it went.
struct SyncedBatches: SyncedKind {
    let batches: Batches
    let sendings: Sendings
    let store: Store
    let desk: @Sendable () -> String
    private let accounts = Monitor<[ID<Batch>: Told]>([:])

    /// Put together anew when a line has come into the ledger.
    private struct Told {
        var newest: Int64
        var sent: Int
        var replies: Int
        var file: Blob?
    }

    init(batches: Batches, sendings: Sendings, store: Store, desk: @escaping @Sendable () -> String) {
        self.batches = batches
        self.sendings = sendings
        self.store = store
        self.desk = desk
    }

    private static let file = "file:"

    var name: String { "batch" }
    var thing: SyncPlace.Thing { .batches }
    var subjects: [String]? { ["batch/"] }

    /// What becomes of letters is written into the ledger, not into the journal.
    func pulse(in desk: borrowing Reading) throws -> Int64 { try sendings.newestLine(in: desk) }

    func ids(after last: String, limit: Int, in tx: borrowing Transaction) throws -> [String] {
        try batches.batchIDs(after: last, limit: limit, in: tx)
    }

    func read(_ id: String, in tx: borrowing Transaction) throws -> SyncItem? {
        guard let id = ID<Batch>(id), let copy = try batches.copy(of: id, in: tx) else { return nil }
        var item = SyncItem()
        item.fields["name"] = .string(copy.draft.name)
        item.fields["added"] = ["at": .integer(copy.addedAt.milliseconds), "by": .string(copy.addedByName)]
        if let previous = copy.previous { item.fields["previous"] = .string(previous.text) }
        for (mark, made) in copy.elsewhere { item.fields[SyncItem.ofThisOne + mark] = made.json }
        if let mark = copy.mark, var here = copy.here {
            let told = try account(of: id, in: tx)
            (here.desk, here.sent, here.replies) = (desk(), told.sent, told.replies)
            here.account = told.file?.digest
            item.fields[SyncItem.ofThisOne + mark] = here.json
        }
        var draft = copy.draft.json.object ?? [:]
        draft["name"] = nil
        var decided: JSONObject = ["draft": .object(draft)]
        if let (letter, files) = try sendings.letterCopy(of: id, in: tx) {
            decided["letter"] = letter
            for digest in files {
                item.fields[Self.file + digest.hex] = ["blob": .string(digest.hex)]
            }
        }
        item.isTrashed = copy.trashedAt != nil
        item.blob = try store.shelved(JSON.object(decided).text, "application/x-quire-batch")
        item.changedAt = copy.changedAt.milliseconds
        return item
    }

    private func account(of id: ID<Batch>, in tx: borrowing Transaction) throws -> Told {
        let newest = try sendings.newestLine(of: id, in: tx)
        if let told = accounts.read({ $0[id] }), told.newest == newest { return told }
        var told = Told(newest: newest, sent: 0, replies: 0)
        if let account = try sendings.account(of: id, in: tx) {
            (told.sent, told.replies) = (account.sent, account.replies)
            told.file = try store.shelved(account.file.bytes, "application/x-quire-account")
        }
        accounts.update { $0[id] = told }
        return told
    }

    func write(_ item: SyncItem, as id: String, by actor: String, in tx: borrowing Transaction) throws {
        guard let id = ID<Batch>(id), let blob = item.blob, let name = item.fields["name"]?.string,
            let decided = try? JSON(parsing: store.blobs.read(blob.digest)), decided["draft"]?.object != nil
        else { throw Batches.notWhole }
        let here = try batches.copy(of: id, in: tx)
        let added = item.fields["added"]
        var draft = try BatchDraft(decided["draft"] ?? [:])
        draft.name = name
        var elsewhere: [String: MadeElsewhere] = [:]
        for (field, value) in item.fields where field.hasPrefix(SyncItem.ofThisOne) {
            elsewhere[String(field.dropFirst(SyncItem.ofThisOne.count))] = MadeElsewhere(value)
        }
        let isDecided = try batches.put(
            BatchCopy(
                draft: draft, previous: item.fields["previous"]?.string.flatMap { ID<Batch>($0) },
                elsewhere: elsewhere,
                addedAt: Moment(milliseconds: added?["at"]?.integer ?? tx.now.milliseconds),
                addedByName: added?["by"]?.string ?? "", changedAt: tx.now,
                trashedAt: item.isTrashed ? here?.trashedAt ?? tx.now : nil), as: id, by: actor, in: tx)
        try sendings.keepAccounts(
            of: id, batches.copy(of: id, in: tx)?.elsewhere ?? [:], before: here?.elsewhere ?? [:], in: tx)
        if isDecided { try sendings.putLetter(decided["letter"], of: id, by: actor, in: tx) }
    }

    func remove(_ id: String, by actor: String, in tx: borrowing Transaction) throws {
        guard let id = ID<Batch>(id) else { return }
        try batches.forget(id, by: actor, in: tx)
        try sendings.forgetElsewhere(id, in: tx)
    }

    func mayGo(_ id: String, in tx: borrowing Transaction) throws -> Bool {
        guard let id = ID<Batch>(id) else { return true }
        return try batches.mayGo(id, in: tx)
    }
}
