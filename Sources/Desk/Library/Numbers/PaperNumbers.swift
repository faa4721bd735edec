public import Access
import Bytes
import SQL
import Storage
import Work

/// Short numbers for things that have ids, for programs that count: the same thing keeps its number, and no number is
/// given twice.
public struct PaperNumbers: Sendable {
    public enum Kind: String, Sendable {
        case document, tag, folder, field, person, search, member
        /// What stands in the field “Document type”.
        case type
    }

    /// A name that has a number: of somebody, or of a type of paper.
    public struct Named: Sendable, Equatable {
        public var number: Int
        public var name: String
        public var paperCount: Int
    }

    let store: Store

    /// Those that have none get the next ones, in the order they are named.
    public func numbers(of owners: [String], _ kind: Kind) throws -> [String: Int] {
        let owners = Array(Set(owners)).sorted()
        var found = try store.read { desk in try Self.known(owners, kind, in: desk) }
        let missing = owners.filter { found[$0] == nil }
        guard !missing.isEmpty else { return found }
        try store.write { tx in
            // Somebody may have been faster.
            found = try Self.known(owners, kind, in: tx)
            for owner in owners where found[owner] == nil {
                found[owner] = try Self.give(owner, kind, label: "", in: tx)
            }
        }
        return found
    }

    public func number(of owner: String, _ kind: Kind) throws -> Int {
        try numbers(of: [owner], kind)[owner] ?? 0
    }

    /// Whose number it is; nil for one that was never given.
    public func owner(of number: Int, _ kind: Kind) throws -> String? {
        try store.read { desk in
            try desk.row(
                "SELECT owner FROM paper_number WHERE kind = \(kind.rawValue) AND number = \(number)"
            )?.text("owner")
        }
    }

    /// A name nobody has written on a paper yet keeps its number too, so that it can be chosen.
    public func remember(_ name: String, _ kind: Kind) throws -> Int {
        let owner = Tag.folded(name)
        return try store.write { tx in
            if let known = try Self.known([owner], kind, in: tx)[owner] {
                try tx.run(
                    "UPDATE paper_number SET label = \(name) WHERE kind = \(kind.rawValue) AND owner = \(owner)"
                )
                return known
            }
            return try Self.give(owner, kind, label: name, in: tx)
        }
    }

    /// Names that were remembered, by what they are called.
    func remembered(_ kind: Kind, in desk: borrowing some Readable & ~Copyable) throws -> [String: String] {
        let rows = try desk.rows(
            "SELECT owner, label FROM paper_number WHERE kind = \(kind.rawValue) AND label <> ''")
        return Dictionary(
            try rows.map { (try $0.text("owner"), try $0.text("label")) },
            uniquingKeysWith: { first, _ in first })
    }

    private static func known(
        _ owners: [String], _ kind: Kind, in desk: borrowing some Readable & ~Copyable
    ) throws -> [String: Int] {
        var found: [String: Int] = [:]
        for start in stride(from: 0, to: owners.count, by: 400) {
            let some = owners[start..<min(start + 400, owners.count)]
            for row in try desk.rows(
                """
                SELECT owner, number FROM paper_number WHERE kind = \(kind.rawValue)
                    AND \(Query.column("owner", in: some))
                """)
            {
                found[try row.text("owner")] = try row.int("number")
            }
        }
        return found
    }

    private static func give(
        _ owner: String, _ kind: Kind, label: String, in tx: borrowing Transaction
    ) throws -> Int {
        let last = try tx.row(
            "SELECT COALESCE(max(number), 0) AS n FROM paper_number WHERE kind = \(kind.rawValue)")
        let number = (try last?.int("n") ?? 0) + 1
        try tx.run(
            """
            INSERT INTO paper_number (kind, number, owner, label)
            VALUES (\(kind.rawValue), \(number), \(owner), \(label))
            """)
        return number
    }
}

extension Documents {
    public var numbers: PaperNumbers { PaperNumbers(store: store) }

    static let numberTables = Migration(
        "numbers",
        script: """
            CREATE TABLE paper_number (
                kind TEXT NOT NULL,
                number INTEGER NOT NULL,
                owner TEXT NOT NULL,
                label TEXT NOT NULL DEFAULT '',
                PRIMARY KEY (kind, number),
                UNIQUE (kind, owner)
            );
            """)

    /// Everybody a paper has to do with, and who was remembered, by name.
    public func namedPeople(by caller: Caller) throws -> [PaperNumbers.Named] {
        try named(
            .person,
            """
            SELECT folded AS owner, min(document_person.name) AS name, count(*) AS n FROM document_person
            JOIN document ON document.id = document_person.document WHERE trashed_at IS NULL AND \(Self.open(to: caller)) GROUP BY folded
            """, by: caller)
    }

    /// Every type of paper that stands in the field for it, and those that were remembered.
    public func namedTypes(by caller: Caller) throws -> [PaperNumbers.Named] {
        try named(
            .type,
            """
            SELECT value_order AS owner, min(value) AS name, count(*) AS n FROM document_value
            JOIN paper_field ON paper_field.id = document_value.field
            JOIN document ON document.id = document_value.document
            WHERE paper_field.folded = \(Tag.folded(Self.documentTypeField)) AND trashed_at IS NULL AND \(Self.open(to: caller))
            GROUP BY value_order
            """, by: caller)
    }

    private static func open(to caller: Caller) -> Query {
        caller.seesPrivate ? "1 = 1" : Self.notHidden
    }

    private func named(
        _ kind: PaperNumbers.Kind, _ query: Query, by caller: Caller
    ) throws -> [PaperNumbers.Named] {
        try caller.require(.view)
        let (used, remembered) = try store.read { desk in
            (
                try desk.rows(query).map { (try $0.text("owner"), try $0.text("name"), try $0.int("n")) },
                try numbers.remembered(kind, in: desk)
            )
        }
        var all = Dictionary(
            used.map { ($0.0, (name: $0.1, count: $0.2)) }, uniquingKeysWith: { first, _ in first })
        for (owner, name) in remembered where all[owner] == nil { all[owner] = (name, 0) }
        let given = try numbers.numbers(of: Array(all.keys), kind)
        return all.compactMap { owner, value in
            given[owner].map { PaperNumbers.Named(number: $0, name: value.name, paperCount: value.count) }
        }.sorted { (FileName.order($0.name), $0.number) < (FileName.order($1.name), $1.number) }
    }

    /// A tag that no paper wears yet.
    @discardableResult
    public func addTag(named name: String, by caller: Caller) throws -> Tag {
        try caller.require(.edit)
        let name = try tagName(name)
        return try store.write { tx in
            let id = try tag(named: name, in: tx)
            guard let row = try tx.row("SELECT * FROM tag WHERE id = \(id)") else { throw noTag }
            return try Tag(row, paperCount: 0)
        }
    }
}
