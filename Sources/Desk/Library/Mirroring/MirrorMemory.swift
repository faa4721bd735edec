import SQL
import Storage

/// What a mirror remembers of everything that lies in its folder: which paper or folder of the library it is, and how both
/// looked when they were last the same. By this it tells what was changed there from what was changed here.
struct MirrorMemory {
    enum Kind: String { case paper, folder }

    struct Thing: Equatable {
        var kind: Kind
        var id: String
        /// Below the mirror's folder.
        var path: String
        /// What it was called in the library, and the folder it lay in; empty for none.
        var name: String
        var place: String
        var digest = ""
        var byteCount: Int64 = 0
        /// In nanoseconds, as the file system says.
        var changedAt: Int64 = 0
        var node: Int64 = 0
    }

    let mirror: String
    private(set) var papers: [String: Thing] = [:]
    private(set) var folders: [String: Thing] = [:]
    private(set) var paperAt: [String: String] = [:]
    private(set) var folderAt: [String: String] = [:]
    /// What the transaction under way changes: remembered when it is committed and not before.
    private var pending: [(thing: Thing, isThere: Bool)] = []

    init(_ mirror: String, in desk: borrowing some Readable & ~Copyable) throws {
        self.mirror = mirror
        for row in try desk.rows("SELECT * FROM mirror_thing WHERE mirror = \(mirror)") {
            remember(
                Thing(
                    kind: Kind(rawValue: try row.text("kind")) ?? .paper, id: try row.text("id"),
                    path: try row.text("path"), name: try row.text("name"), place: try row.text("place"),
                    digest: try row.text("digest"), byteCount: try row.integer("byte_count"),
                    changedAt: try row.integer("changed_at"), node: try row.integer("node")))
        }
    }

    func knows(_ path: String) -> Bool { paperAt[path] != nil || folderAt[path] != nil }

    mutating func put(_ thing: Thing, in tx: borrowing Transaction) throws {
        try tx.run(
            """
            INSERT INTO mirror_thing (mirror, kind, id, path, name, place, digest, byte_count, changed_at, node)
            VALUES (\(mirror), \(thing.kind.rawValue), \(thing.id), \(thing.path), \(thing.name), \(thing.place),
                \(thing.digest), \(thing.byteCount), \(thing.changedAt), \(thing.node))
            ON CONFLICT (mirror, kind, id) DO UPDATE SET path = excluded.path, name = excluded.name,
                place = excluded.place, digest = excluded.digest, byte_count = excluded.byte_count,
                changed_at = excluded.changed_at, node = excluded.node
            """)
        pending.append((thing, true))
    }

    mutating func drop(_ thing: Thing, in tx: borrowing Transaction) throws {
        try tx.run(
            """
            DELETE FROM mirror_thing
            WHERE mirror = \(mirror) AND kind = \(thing.kind.rawValue) AND id = \(thing.id)
            """)
        pending.append((thing, false))
    }

    /// A folder lies elsewhere, with all that is in it.
    mutating func move(_ folder: Thing, to path: String, in tx: borrowing Transaction) throws {
        let inside = folder.path + "/"
        for var thing in Array(papers.values) + Array(folders.values) where thing.path.hasPrefix(inside) {
            thing.path = path + "/" + thing.path.dropFirst(inside.count)
            try put(thing, in: tx)
        }
        var moved = folder
        moved.path = path
        try put(moved, in: tx)
    }

    // MARK: In step with the database

    /// A transaction begins, perhaps once more.
    mutating func begin() { pending = [] }

    /// It is committed.
    mutating func commit() {
        for (thing, isThere) in pending {
            if isThere { remember(thing) } else { forget(thing) }
        }
        pending = []
    }

    private mutating func remember(_ thing: Thing) {
        switch thing.kind {
        case .paper:
            if let old = papers[thing.id], paperAt[old.path] == thing.id { paperAt[old.path] = nil }
            papers[thing.id] = thing
            paperAt[thing.path] = thing.id
        case .folder:
            if let old = folders[thing.id], folderAt[old.path] == thing.id { folderAt[old.path] = nil }
            folders[thing.id] = thing
            folderAt[thing.path] = thing.id
        }
    }

    private mutating func forget(_ thing: Thing) {
        switch thing.kind {
        case .paper:
            papers[thing.id] = nil
            if paperAt[thing.path] == thing.id { paperAt[thing.path] = nil }
        case .folder:
            folders[thing.id] = nil
            if folderAt[thing.path] == thing.id { folderAt[thing.path] = nil }
        }
    }
}

extension Documents {
    static let mirrorTables = Migration(
        "mirrors",
        script: """
            CREATE TABLE mirror (
                id TEXT NOT NULL PRIMARY KEY,
                made_at INTEGER NOT NULL
            );
            CREATE TABLE mirror_thing (
                mirror TEXT NOT NULL REFERENCES mirror (id) ON DELETE CASCADE,
                kind TEXT NOT NULL,
                id TEXT NOT NULL,
                path TEXT NOT NULL,
                name TEXT NOT NULL,
                place TEXT NOT NULL,
                digest TEXT NOT NULL,
                byte_count INTEGER NOT NULL,
                changed_at INTEGER NOT NULL,
                node INTEGER NOT NULL,
                PRIMARY KEY (mirror, kind, id)
            );
            """)
}
