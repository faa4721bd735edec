import Bytes
import Library
import Storage
import Work

/// The papers of the library, those in the trash among them.
struct SyncedPapers: SyncedKind {
    static let name = "document"
    let documents: Documents
    /// Whether earlier versions travel too.
    let withVersions: Bool

    var name: String { Self.name }
    var thing: SyncPlace.Thing { .papers }
    var subjects: [String]? { ["document/"] }

    func ids(after last: String, limit: Int, in tx: borrowing Transaction) throws -> [String] {
        try documents.paperIDs(after: last, limit: limit, in: tx)
    }

    func read(_ id: String, in tx: borrowing Transaction) throws -> SyncItem? {
        guard let id = ID<Document>(id), let copy = try documents.copy(of: id, in: tx) else { return nil }
        var item = SyncItem()
        item.fields["name"] = .string(copy.name)
        item.fields["folder"] = .string(copy.folder?.text ?? "")
        item.fields["note"] = .string(copy.note)
        item.fields["date"] = .string(copy.date)
        item.fields["added"] = ["at": .integer(copy.addedAt.milliseconds), "by": .string(copy.addedByName)]
        if !copy.people.isEmpty {
            item.fields["people"] = .array(
                copy.people.map { ["name": .string($0.name), "contact": .string($0.contact)] })
        }
        if let hold = copy.hold {
            item.fields["hold"] = ["why": .string(hold), "by": .optional(copy.heldBy)]
        }
        if let origin = copy.origin { item.fields["origin"] = .string(origin.text) }
        if let arrival = copy.arrival { item.fields["arrival"] = .string(arrival.rawValue) }
        if let with = copy.trashedWith { item.fields["with"] = .string(with.text) }
        for tag in copy.tags { item.fields["t:\(tag.lowercased())"] = .string(tag) }
        for value in copy.values {
            item.fields["v:\(value.field.lowercased())"] = [
                "field": .string(value.field), "kind": .string(value.kind.rawValue),
                "value": .string(value.value),
            ]
        }
        item.isTrashed = copy.trashedAt != nil
        item.blob = copy.blob
        item.changedAt = copy.changedAt.milliseconds
        if withVersions, copy.states.count > 1 {
            for state in copy.states { item.states[state.key] = Self.json(of: state) }
        }
        return item
    }

    func write(_ item: SyncItem, as id: String, by actor: String, in tx: borrowing Transaction) throws {
        guard let id = ID<Document>(id), let blob = item.blob, let name = item.fields["name"]?.string else {
            throw Failure(.damaged, "What came of a paper is not whole.")
        }
        let here = try documents.copy(of: id, in: tx)
        let added = item.fields["added"]
        var copy = PaperCopy(
            name: name, addedAt: Moment(milliseconds: added?["at"]?.integer ?? tx.now.milliseconds),
            addedByName: added?["by"]?.string ?? "", changedAt: tx.now, blob: blob,
            states: item.states.values.compactMap { Self.state(of: $0, by: actor) })
        copy.folder = item.fields["folder"]?.string.flatMap(ID.init)
        copy.note = item.fields["note"]?.string ?? ""
        copy.date = item.fields["date"]?.string ?? ""
        copy.people = (item.fields["people"]?.array ?? []).map {
            PaperPerson(name: $0["name"]?.string ?? "", contact: $0["contact"]?.string ?? "")
        }
        copy.hold = item.fields["hold"]?["why"]?.string
        copy.heldBy = item.fields["hold"]?["by"]?.string
        copy.origin = item.fields["origin"]?.string.flatMap(ID.init)
        copy.arrival = item.fields["arrival"]?.string.flatMap(PaperArrival.init)
        copy.trashedAt = item.isTrashed ? here?.trashedAt ?? tx.now : nil
        copy.trashedWith = item.isTrashed ? item.fields["with"]?.string.flatMap(ID.init) : nil
        for (key, value) in item.fields.sorted(by: { $0.key < $1.key }) {
            if key.hasPrefix("t:"), let tag = value.string { copy.tags.append(tag) }
            if key.hasPrefix("v:"), let field = value["field"]?.string, let text = value["value"]?.string {
                let kind = value["kind"]?.string.flatMap(PaperField.Kind.init) ?? .text
                copy.values.append(PaperCopy.Value(field: field, kind: kind, value: text))
            }
        }
        try documents.put(copy, as: id, by: actor, in: tx)
    }

    func remove(_ id: String, by actor: String, in tx: borrowing Transaction) throws {
        guard let id = ID<Document>(id) else { return }
        try documents.forget(id, by: actor, in: tx)
    }

    /// A paper that is held stays, whatever another desk did with it.
    func mayGo(_ id: String, in tx: borrowing Transaction) throws -> Bool {
        guard let id = ID<Document>(id) else { return true }
        return try documents.copy(of: id, in: tx)?.hold == nil
    }

    private static func json(of state: DocumentVersion) -> JSON {
        [
            "digest": .string(state.blob.digest.hex), "size": .integer(state.blob.byteCount),
            "type": .string(state.blob.mediaType), "at": .integer(state.madeAt.milliseconds),
            "by": .string(state.madeByName), "note": .string(state.note),
        ]
    }

    private static func state(of json: JSON, by actor: String) -> DocumentVersion? {
        guard let blob = Blob(json), let at = json["at"]?.integer else { return nil }
        return DocumentVersion(
            number: 0, blob: blob, madeAt: Moment(milliseconds: at), madeBy: actor,
            madeByName: json["by"]?.string ?? "", note: json["note"]?.string ?? "")
    }
}
