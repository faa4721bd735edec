public import Access
import SQL
public import Storage

extension Documents {
    /// The papers that lie in a folder, or on the desk itself, in the order they came; perhaps only those of one name.
    public func papers(
        in folder: ID<Folder>?, named name: String? = nil, by caller: Caller
    ) throws -> [Document] {
        try caller.require(.view)
        var condition: Query = "trashed_at IS NULL AND "
        if let folder { condition += "folder = \(folder)" } else { condition += "folder IS NULL" }
        if let name { condition += " AND name_order = \(FileName.order(name)) AND name = \(name)" }
        return try store.read { desk in
            if let shown = try shown(to: caller, in: desk) { condition += " AND " + shown }
            return try desk.rows("SELECT * FROM document WHERE \(condition) ORDER BY added_at, id")
                .map(Document.init)
        }
    }

    /// The same bytes once more, under a name and in a folder of their own.
    @discardableResult
    public func copy(
        _ id: ID<Document>, named name: String, into place: ID<Folder>?, by caller: Caller
    ) throws -> Document {
        try caller.require(.edit)
        return try store.write { tx in
            let original = try find(id, for: caller, in: tx)
            let made = try add(
                original.blob.digest, original.blob.mediaType, named: name, into: place, evenIfThere: true,
                by: caller.actor, calledThen: caller.name, in: tx
            ).document
            let (from, to) = (original.propertyOwner, made.propertyOwner)
            try tx.run(
                """
                INSERT INTO paper_property (owner, space, name, value, language)
                SELECT \(to), space, name, value, language FROM paper_property WHERE owner = \(from)
                """)
            return made
        }
    }

    /// Something another program wrote on a paper or a folder, which only it understands.
    public struct Property: Sendable, Equatable {
        public var space: String
        public var name: String
        /// XML, well formed.
        public var value: String
        /// In which language it says it, where that was said: `fr-CA`.
        public var language: String

        public init(space: String, name: String, value: String, language: String = "") {
            self.space = space
            self.name = name
            self.value = value
            self.language = language
        }
    }

    public static let mostProperties = 200

    /// What programs wrote on each of these.
    public func properties(of owners: [String], by caller: Caller) throws -> [String: [Property]] {
        try caller.require(.view)
        var found: [String: [Property]] = [:]
        try store.read { desk in
            for start in stride(from: 0, to: owners.count, by: 400) {
                let some = Array(owners[start..<min(start + 400, owners.count)])
                let rows = try desk.rows(
                    """
                    SELECT owner, space, name, value, language FROM paper_property WHERE \(Query.column("owner", in: some))
                    ORDER BY owner, space, name
                    """)
                for row in rows {
                    found[try row.text("owner"), default: []].append(
                        Property(
                            space: try row.text("space"), name: try row.text("name"),
                            value: try row.text("value"), language: try row.text("language")))
                }
            }
        }
        return found
    }

    /// All of it or nothing.
    public func setProperties(
        _ changes: [(property: Property, isRemoved: Bool)], of owner: String, by caller: Caller
    ) throws {
        try caller.require(.edit)
        try store.write { tx in
            for (property, isRemoved) in changes {
                try tx.run(
                    """
                    DELETE FROM paper_property WHERE owner = \(owner) AND space = \(property.space)
                        AND name = \(property.name)
                    """)
                guard !isRemoved else { continue }
                guard property.value.utf8.count + property.language.utf8.count <= 64 << 10 else {
                    throw Failure(.tooLarge, "A property has at most 64 kB.")
                }
                try tx.run(
                    """
                    INSERT INTO paper_property (owner, space, name, value, language)
                    VALUES (\(owner), \(property.space), \(property.name), \(property.value), \(property.language))
                    """)
            }
            let count = try tx.row("SELECT count(*) AS n FROM paper_property WHERE owner = \(owner)")
            guard try count?.int("n") ?? 0 <= Self.mostProperties else {
                throw Failure(.tooMany, "More than \(Self.mostProperties) properties are not kept.")
            }
        }
    }
}

extension Document {
    /// Under what its properties are kept.
    public var propertyOwner: String { "document/\(id)" }
}

extension Folder {
    public var propertyOwner: String { "folder/\(id)" }
}
