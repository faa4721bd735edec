public import Access
public import Bytes
import SQL
public import Storage
import Work

extension Documents {
    /// What may be changed about many papers at once. What is left out stays as it is.
    public struct Filing: Sendable, Equatable {
        /// `.some(nil)` lays them on the desk itself.
        public var folder: ID<Folder>??
        public var addedTags: [String]
        public var removedTags: [String]
        public var note: String?
        /// `2026-11-21`; empty for none.
        public var date: String?
        /// All it has to do with.
        public var people: [PaperPerson]?
        /// An empty value is wiped off; fields that are not named stay.
        public var values: [PaperValue] = []

        public init(
            folder: ID<Folder>?? = nil, addedTags: [String] = [], removedTags: [String] = [],
            note: String? = nil, date: String? = nil, people: [PaperPerson]? = nil,
            values: [PaperValue] = []
        ) {
            self.people = people
            self.values = values
            self.folder = folder
            self.addedTags = addedTags
            self.removedTags = removedTags
            self.note = note
            self.date = date
        }
    }

    /// Files papers: all of them or, when one cannot be, none.
    @discardableResult
    public func file(_ ids: [ID<Document>], as filing: Filing, by caller: Caller) throws -> [Document] {
        try caller.require(.edit)
        for tag in filing.addedTags { _ = try tagName(tag) }
        if let date = filing.date, !date.isEmpty, Moment(iso8601: date + "T00:00:00Z") == nil {
            throw Failure(.invalid, "“\(date)” is no day; write it as 2026-11-21.", field: "date")
        }
        if let note = filing.note, note.unicodeScalars.count > 10_000 {
            throw Failure(.invalid, "A note has at most 10,000 characters.", field: "note")
        }
        return try store.write { tx in
            if case .some(.some(let place)) = filing.folder {
                guard try folder(place, in: tx).trashedAt == nil else { throw noFolder }
            }
            return try file(ids, as: filing, by: caller, in: tx)
        }
    }

    func file(
        _ ids: [ID<Document>], as filing: Filing, by caller: Caller, in tx: borrowing Transaction
    ) throws -> [Document] {
        try ids.map { id in
            let document = try find(id, for: caller, in: tx)
            guard !document.isTrashed else { throw inTrash }
            return try file(document, as: filing, actor: caller.actor, in: tx)
        }
    }

    /// The same as a part of something larger; what is wished has been looked at.
    public func file(
        _ document: Document, as filing: Filing, actor: String, in tx: borrowing Transaction
    ) throws -> Document {
        let before = document
        var document = document
        let id = document.id
        if let place = filing.folder { document.folder = place }
        if let note = filing.note { document.note = note.filter { $0 != "\0" } }
        if let date = filing.date { document.date = date }
        for name in filing.addedTags {
            let tag = try tag(named: tagName(name), in: tx)
            try tx.run(
                """
                INSERT INTO document_tag (document, tag) VALUES (\(id), \(tag))
                ON CONFLICT (document, tag) DO NOTHING
                """)
        }
        for name in filing.removedTags {
            try tx.run(
                """
                DELETE FROM document_tag WHERE document = \(id)
                    AND tag IN (SELECT id FROM tag WHERE folded = \(Tag.folded(name)))
                """)
        }
        if let people = filing.people { try write(people, on: id, in: tx) }
        try write(filing.values, on: id, in: tx)
        if filing.people != nil || !filing.values.isEmpty {
            try Self.writeLabel(of: id, in: tx)
            let now = try find(id, in: tx)
            (document.people, document.values) = (now.people, now.values)
        }
        document.tags = try Self.tags(of: id, in: tx)
        let isLabelled =
            document.note != before.note || document.date != before.date || document.tags != before.tags
            || document.people != before.people || document.values != before.values
        guard isLabelled || document.folder != before.folder else { return document }
        document.changedAt = tx.now
        try tx.run(
            """
            UPDATE document SET folder = \(document.folder?.text), note = \(document.note),
                dated = \(document.date), changed_at = \(tx.now)
            WHERE id = \(id)
            """)
        if isLabelled {
            try Self.writeLabel(of: id, in: tx)
            record(.labelled, document, by: actor, in: tx)
        }
        if document.folder != before.folder {
            let name = try document.folder.map { try folder($0, in: tx).name } ?? ""
            record(.moved, document, by: actor, ["folder": .string(name)], in: tx)
        }
        return document
    }

    /// All tags with how many papers wear them, by name.
    public func tags(by caller: Caller) throws -> [Tag] {
        try caller.require(.view)
        return try store.read { desk in
            let shown: Query = try shown(to: caller, in: desk).map { " AND " + $0 } ?? ""
            let told = try toldTags(to: caller, in: desk)
            let rows = try desk.rows(
                """
                SELECT tag.id AS id, tag.name AS name, tag.colour AS colour, count(document.id) AS n FROM tag
                LEFT JOIN document_tag ON document_tag.tag = tag.id
                LEFT JOIN document ON document.id = document_tag.document AND document.trashed_at IS NULL\(shown)
                WHERE \(told) GROUP BY tag.id, tag.name, tag.colour, tag.folded ORDER BY tag.folded, tag.id
                """)
            return try rows.map { try Tag($0, paperCount: $0.int("n")) }
        }
    }

    /// The colours of those that have one, by name. For whoever has the names already.
    public func tagColours() throws -> [String: Tag.Colour] {
        try store.read { desk in
            let rows = try desk.rows("SELECT name, colour FROM tag WHERE colour <> 'none'")
            return Dictionary(
                try rows.map { (try $0.text("name"), Tag.Colour(rawValue: try $0.text("colour")) ?? .none) },
                uniquingKeysWith: { first, _ in first })
        }
    }

    /// Makes a tag what the JSON says; what it leaves out stays. With the name of another the two become one.
    @discardableResult
    public func changeTag(_ id: ID<Tag>, _ json: JSON, by caller: Caller) throws -> Tag {
        try caller.require(.edit)
        return try store.write { tx in
            let before = try tagRow(id, by: caller, in: tx)
            var tag = before
            try Tag.fields.take(json, into: &tag)
            try Tag.fields.check(tag)
            var kept = id
            if tag.name != before.name {
                tag.name = try tagName(tag.name)
                kept = try renameTag(id, to: tag.name, in: tx)
                tx.note(
                    "tag.renamed", "tag/\(kept)", by: caller.actor,
                    ["before": .string(before.name), "name": .string(tag.name)])
            }
            // The one that it becomes keeps its own, where nobody spoke of another.
            if tag.colour != before.colour {
                var now = try tagRow(kept, by: caller, in: tx)
                now.colour = tag.colour
                try colour(now, by: caller.actor, in: tx)
            }
            let hidden: Query =
                try hiddenPapers(from: caller, in: tx).map { " AND document NOT IN (\($0))" } ?? ""
            let count = try tx.row("SELECT count(*) AS n FROM document_tag WHERE tag = \(kept)\(hidden)")
            var now = try tagRow(kept, by: caller, in: tx)
            now.paperCount = try count?.int("n") ?? 0
            return now
        }
    }

    func colour(_ tag: Tag, by actor: String, in tx: borrowing Transaction) throws {
        try tx.run("UPDATE tag SET colour = \(tag.colour.rawValue) WHERE id = \(tag.id)")
        tx.note(
            "tag.coloured", "tag/\(tag.id)", by: actor,
            ["name": .string(tag.name), "colour": .string(tag.colour.rawValue)])
    }

    /// Under which id it goes on.
    private func renameTag(_ id: ID<Tag>, to name: String, in tx: borrowing Transaction) throws -> ID<Tag> {
        let wearers = try wearers(of: id, in: tx)
        let other = try tx.row("SELECT id FROM tag WHERE folded = \(Tag.folded(name)) AND id <> \(id)")
        if let other: ID<Tag> = try other?.id("id") {
            try tx.run(
                """
                INSERT INTO document_tag (document, tag)
                SELECT document, \(other.text) FROM document_tag WHERE tag = \(id)
                ON CONFLICT (document, tag) DO NOTHING
                """)
            try tx.run("DELETE FROM document_tag WHERE tag = \(id)")
            try tx.run("DELETE FROM tag WHERE id = \(id)")
        } else {
            try tx.run("UPDATE tag SET name = \(name), folded = \(Tag.folded(name)) WHERE id = \(id)")
        }
        for wearer in wearers { try Self.writeLabel(of: wearer, in: tx) }
        return try other?.id("id") ?? id
    }

    /// Takes a tag off all papers.
    public func removeTag(_ id: ID<Tag>, by caller: Caller) throws {
        try caller.require(.edit)
        try store.write { tx in
            let name = try tagRow(id, by: caller, in: tx).name
            let wearers = try wearers(of: id, in: tx)
            try tx.run("DELETE FROM document_tag WHERE tag = \(id)")
            try tx.run("DELETE FROM tag WHERE id = \(id)")
            for wearer in wearers { try Self.writeLabel(of: wearer, in: tx) }
            tx.note("tag.removed", "tag/\(id)", by: caller.actor, ["name": .string(name)])
        }
    }

    /// The tags that are told, as a condition: one that only papers wear which the caller may not see would tell of them.
    func toldTags(to caller: Caller, in desk: borrowing some Readable & ~Copyable) throws -> Query {
        guard let hidden = try hiddenPapers(from: caller, in: desk) else { return "1 = 1" }
        return """
            (tag.id NOT IN (SELECT tag FROM document_tag WHERE document IN (\(hidden)))
                OR tag.id IN (SELECT tag FROM document_tag WHERE document NOT IN (\(hidden))))
            """
    }

    private func tagRow(_ id: ID<Tag>, by caller: Caller, in tx: borrowing Transaction) throws -> Tag {
        let told = try toldTags(to: caller, in: tx)
        guard let row = try tx.row("SELECT * FROM tag WHERE id = \(id) AND \(told)") else { throw noTag }
        return try Tag(row, paperCount: 0)
    }

    var noTag: Failure { Failure(.notFound, "There is no such tag. It may have been removed.") }

    private func wearers(of id: ID<Tag>, in tx: borrowing Transaction) throws -> [ID<Document>] {
        try tx.rows("SELECT document FROM document_tag WHERE tag = \(id)").map { try $0.id("document") }
    }

    func tag(named name: String, in tx: borrowing Transaction) throws -> ID<Tag> {
        if let there = try tx.row("SELECT id FROM tag WHERE folded = \(Tag.folded(name))") {
            return try there.id("id")
        }
        let id: ID<Tag> = tx.newID()
        try tx.run(
            """
            INSERT INTO tag (id, name, folded, made_at) VALUES (\(id), \(name), \(Tag.folded(name)), \(tx.now))
            """)
        return id
    }

    private static func tags(of id: ID<Document>, in tx: borrowing Transaction) throws -> [String] {
        try tx.rows(
            """
            SELECT tag.name AS name FROM document_tag JOIN tag ON tag.id = document_tag.tag
            WHERE document_tag.document = \(id) ORDER BY tag.folded
            """
        ).map { try $0.text("name") }
    }

    /// Page 0: what is written on the outside, by which a paper is found before its pages are read.
    static func writeLabel(of id: ID<Document>, in tx: borrowing Transaction) throws {
        try changingWords(of: id, in: tx) { try putLabel(of: id, in: tx) }
    }

    /// Only inside `changingWords`.
    static func putLabel(of id: ID<Document>, in tx: borrowing Transaction) throws {
        let names = try tags(of: id, in: tx).joined(separator: "\n")
        let people = try tx.rows(
            "SELECT name, contact FROM document_person WHERE document = \(id) ORDER BY folded"
        ).map { "\(try $0.text("name"))\t\(try $0.text("contact"))" }
        let values = try tx.rows(
            """
            SELECT paper_field.name AS name, document_value.value AS value FROM document_value
            JOIN paper_field ON paper_field.id = document_value.field
            WHERE document_value.document = \(id) ORDER BY paper_field.folded
            """
        ).map { "\(try $0.text("name"))\t\(try $0.text("value"))" }
        try tx.run(
            """
            UPDATE document SET tag_names = \(names), people_names = \(people.joined(separator: "\n")),
                field_values = \(values.joined(separator: "\n")) WHERE id = \(id)
            """)
        guard let row = try tx.row("SELECT name, note FROM document WHERE id = \(id)") else { return }
        let written =
            people.compactMap { $0.split(separator: "\t").first.map(String.init) }
            + values.compactMap { $0.split(separator: "\t", maxSplits: 1).last.map(String.init) }
        let lines = [try row.text("name"), names, try row.text("note")].filter { !$0.isEmpty } + written
        try write(page: 0, lines.joined(separator: "\n"), of: id, in: tx)
    }

    func tagName(_ text: String) throws -> String {
        guard let name = Tag.cleaned(text) else {
            throw Failure(.invalid, "A tag needs a name.", field: "tag")
        }
        return name
    }
}
