import Access
public import Bytes
import SQL
public import Storage
import Work

extension Documents {
    /// The ids of all papers after this one, those in the trash among them.
    public func paperIDs(
        after last: String, limit: Int, in desk: borrowing some Readable & ~Copyable
    ) throws -> [String] {
        try desk.rows("SELECT id FROM document WHERE id > \(last) ORDER BY id LIMIT \(limit)").map {
            try $0.text("id")
        }
    }

    /// A paper as another desk is told of it; nil when it is not here.
    public func copy(
        of id: ID<Document>, in desk: borrowing some Readable & ~Copyable
    ) throws -> PaperCopy? {
        guard let row = try desk.row("SELECT * FROM document WHERE id = \(id)") else { return nil }
        let document = try Document(row)
        let states =
            document.version == 1
            ? []
            : try desk.rows("SELECT * FROM document_version WHERE document = \(id) ORDER BY number")
                .map(DocumentVersion.init)
        var copy = PaperCopy(
            name: document.name, addedAt: document.addedAt, addedByName: document.addedByName,
            changedAt: document.changedAt, blob: document.blob,
            states: states.isEmpty ? [DocumentVersion(first: document)] : states)
        copy.folder = document.folder
        copy.note = document.note
        copy.date = document.date
        copy.tags = document.tags
        copy.people = document.people
        copy.hold = document.hold
        copy.heldBy = try row.optionalText("held_by")
        copy.origin = document.origin
        copy.arrival = document.arrival
        copy.trashedAt = document.trashedAt
        copy.trashedWith = try row.optionalText("trashed_with").flatMap(ID.init)
        if !document.values.isEmpty {
            copy.values = try desk.rows(
                """
                SELECT paper_field.name AS name, paper_field.kind AS kind, document_value.value AS value
                FROM document_value JOIN paper_field ON paper_field.id = document_value.field
                WHERE document_value.document = \(id) ORDER BY paper_field.folded
                """
            ).map {
                PaperCopy.Value(
                    field: try $0.text("name"), kind: PaperField.Kind(rawValue: try $0.text("kind")) ?? .text,
                    value: try $0.text("value"))
            }
        }
        return copy
    }

    /// Makes a paper what another desk says it is: adds it when it is not here, under the id it has there. Its bytes lie
    /// on the shelf already. What a hold keeps here, or a folder that is not here, is for the caller to look at first.
    public func put(
        _ copy: PaperCopy, as id: ID<Document>, by actor: String, in tx: borrowing Transaction
    ) throws {
        guard let name = FileName.title(copy.name) else {
            throw Failure(.invalid, "A document needs a name.", field: "name")
        }
        let before = try self.copy(of: id, in: tx)
        if before == nil {
            try insert(copy, name, as: id, by: actor, in: tx)
        } else {
            let document = try find(id, in: tx)
            if document.name != name { _ = try rename(document, to: name, actor: actor, in: tx) }
        }
        try putStates(copy, of: id, before: before, by: actor, in: tx)
        try putLabels(copy, on: id, by: actor, in: tx)
        let document = try find(id, in: tx)
        if document.trashedAt != copy.trashedAt {
            try tx.run(
                """
                UPDATE document SET trashed_at = \(copy.trashedAt), trashed_with = \(copy.trashedWith?.text),
                    changed_at = \(tx.now) WHERE id = \(id)
                """)
            if document.isTrashed != (copy.trashedAt != nil) {
                record(copy.trashedAt == nil ? .restored : .trashed, try find(id, in: tx), by: actor, in: tx)
            }
        }
        try tx.run(
            """
            UPDATE document SET hold = \(copy.hold), held_by = \(copy.heldBy), origin = \(copy.origin?.text),
                arrival = \(copy.arrival?.rawValue ?? "")
            WHERE id = \(id)
            """)
    }

    /// Removes a paper for good that another desk removed for good.
    public func forget(_ id: ID<Document>, by actor: String, in tx: borrowing Transaction) throws {
        guard let row = try tx.row("SELECT * FROM document WHERE id = \(id)") else { return }
        try remove(Document(row), by: actor, in: tx)
    }

    private func insert(
        _ copy: PaperCopy, _ name: String, as id: ID<Document>, by actor: String, in tx: borrowing Transaction
    ) throws {
        let byteCount = try tx.keep(copy.blob.digest)
        try tx.run(
            """
            INSERT INTO document (id, name, name_order, name_search, digest, byte_count, media_type,
                added_at, added_by, added_by_name, changed_at, folder, index_number)
            VALUES (\(id), \(name), \(FileName.order(name)), \(FileName.search(name)), \(copy.blob.digest),
                \(byteCount), \(copy.blob.mediaType), \(copy.addedAt), \(actor), \(copy.addedByName),
                \(tx.now), \(copy.folder?.text), \(try PaperIndex.nextNumber(in: tx)))
            """)
        try Self.changingWords(of: id, in: tx) { try Self.write(page: 0, name, of: id, in: tx) }
        try whenArrived(tx)
        record(.added, try find(id, in: tx), by: actor, ["size": .integer(byteCount)], in: tx)
    }

    /// The states there are and those that come, each once. What the paper is now stands last and carries the highest
    /// number, whatever the clocks of the desks said.
    private func putStates(
        _ copy: PaperCopy, of id: ID<Document>, before: PaperCopy?, by actor: String,
        in tx: borrowing Transaction
    ) throws {
        var states = before?.states ?? []
        for state in copy.states where !states.contains(where: { $0.key == state.key }) {
            states.append(state)
        }
        states.sort { ($0.madeAt, $0.blob.digest) < ($1.madeAt, $1.blob.digest) }
        if let place = states.lastIndex(where: { $0.blob.digest == copy.blob.digest }) {
            states.append(states.remove(at: place))
        } else {
            states.append(
                DocumentVersion(
                    number: 0, blob: copy.blob, madeAt: copy.changedAt, madeBy: actor,
                    madeByName: copy.addedByName))
        }
        states = Array(states.suffix(Self.mostVersions))
        for place in states.indices { states[place].number = place + 1 }
        guard states != before?.states || copy.blob != before?.blob else { return }
        try tx.run("DELETE FROM document_version WHERE document = \(id)")
        if states.count > 1 {
            for state in states {
                try tx.keep(state.blob.digest)
                try keep(state, of: id, in: tx)
            }
        }
        let byteCount = try tx.keep(copy.blob.digest)
        try tx.run("UPDATE document SET version = \(states.count) WHERE id = \(id)")
        guard let before, before.blob.digest != copy.blob.digest else { return }
        try tx.run(
            """
            UPDATE document SET digest = \(copy.blob.digest), byte_count = \(byteCount),
                media_type = \(copy.blob.mediaType), pages = 0, changed_at = \(tx.now) WHERE id = \(id)
            """)
        try Self.forgetPages(of: id, in: tx)
        try tx.run("DELETE FROM document_text WHERE document = \(id)")
        try whenArrived(tx)
        record(.revised, try find(id, in: tx), by: actor, ["version": .int(states.count)], in: tx)
    }

    private func putLabels(
        _ copy: PaperCopy, on id: ID<Document>, by actor: String, in tx: borrowing Transaction
    ) throws {
        let document = try find(id, in: tx)
        var values: [PaperValue] = []
        for value in copy.values {
            guard let name = Tag.cleaned(value.field), let cleaned = value.kind.cleaned(value.value) else {
                continue
            }
            try tx.run(
                """
                INSERT INTO paper_field (id, name, folded, kind, made_at)
                VALUES (\(tx.newID(of: PaperField.self)), \(name), \(Tag.folded(name)), \(value.kind.rawValue), \(tx.now))
                ON CONFLICT (folded) DO NOTHING
                """)
            // A field of that name may have another kind here, which has no room for it.
            let row = try tx.row("SELECT kind FROM paper_field WHERE folded = \(Tag.folded(name))")
            let kind = try row.flatMap { PaperField.Kind(rawValue: try $0.text("kind")) } ?? .text
            if kind.cleaned(cleaned) != nil { values.append(PaperValue(field: name, value: cleaned)) }
        }
        let kept = Set(values.map { Tag.folded($0.field) })
        for old in document.values where !kept.contains(Tag.folded(old.field)) {
            values.append(PaperValue(field: old.field, value: ""))
        }
        let wanted = Set(copy.tags.map(Tag.folded))
        var filing = Filing(folder: .some(copy.folder))
        filing.addedTags = copy.tags.filter { Tag.cleaned($0) != nil && !document.tags.contains($0) }
        filing.removedTags = document.tags.filter { !wanted.contains(Tag.folded($0)) }
        if copy.note != document.note { filing.note = String(copy.note.prefix(10_000)) }
        if copy.date != document.date { filing.date = copy.date }
        if copy.people != document.people {
            filing.people = Array(copy.people.prefix(Self.mostPeople))
        }
        filing.values = values
        _ = try file(document, as: filing, actor: actor, in: tx)
    }
}

// Tags, which another desk knows by their folded names.
extension Documents {
    /// Those that have a colour.
    public func markedTags(
        after last: String, limit: Int, in desk: borrowing some Readable & ~Copyable
    ) throws -> [String] {
        try desk.rows(
            "SELECT folded FROM tag WHERE colour <> 'none' AND folded > \(last) ORDER BY folded LIMIT \(limit)"
        ).map { try $0.text("folded") }
    }

    public func tag(called folded: String, in desk: borrowing some Readable & ~Copyable) throws -> Tag? {
        try desk.row("SELECT * FROM tag WHERE folded = \(folded)").map { try Tag($0, paperCount: 0) }
    }

    /// Makes a tag what another desk says it is; one that is not here comes before the papers that wear it.
    public func put(
        tag folded: String, _ json: JSON, by actor: String, in tx: borrowing Transaction
    ) throws {
        guard var tag = try tag(called: folded, in: tx) else {
            guard let name = json["name"]?.string.flatMap(Tag.cleaned), Tag.folded(name) == folded else {
                throw Failure(.damaged, "What came of a tag is not whole.")
            }
            _ = try self.tag(named: name, in: tx)
            return try put(tag: folded, json, by: actor, in: tx)
        }
        let before = tag
        // Its name stays as it is written here.
        try Tag.fields.filter { $0.name != "name" }.take(json, into: &tag)
        if tag.colour != before.colour { try colour(tag, by: actor, in: tx) }
    }
}

extension DocumentVersion {
    /// The same state on every desk: when it came to be, and as what.
    public var key: String { "\(madeAt.milliseconds)-\(blob.digest.hex.prefix(16))" }
}
