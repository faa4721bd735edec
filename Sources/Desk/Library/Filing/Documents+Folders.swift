public import Access
import Bytes
import SQL
public import Storage
import Work

extension Documents {
    public static let mostFolders = 20_000

    /// Counting what lies in them takes a look at every paper; who only wants to know where they are can do without.
    public func folders(by caller: Caller, counting: Bool = true) throws -> FolderTree {
        try caller.require(.view)
        return try store.read { desk in
            try tree(in: desk, counting: counting, hidesPrivate: !caller.seesPrivate)
        }
    }

    /// The folders that lie directly in this one, or at the top; those of one name, when it is given. Private ones that
    /// are not to be looked into are left out.
    public func folders(
        in parent: ID<Folder>?, named name: String? = nil, by caller: Caller
    ) throws -> [Folder] {
        try caller.require(.view)
        let isNamed: Query = name.map { "name_order = \(FileName.order($0))" } ?? "1 = 1"
        let found = try store.read { desk in
            try desk.rows(
                """
                SELECT * FROM folder WHERE COALESCE(parent, '') = \(parent?.text ?? "") AND \(isNamed)
                    AND trashed_at IS NULL ORDER BY name_order, id
                """
            ).map(Folder.init)
        }
        return found.filter { (name == nil || $0.name == name) && (caller.seesPrivate || !$0.isPrivate) }
    }

    func tree(
        in desk: borrowing some Readable & ~Copyable, counting: Bool = true, hidesPrivate: Bool = false
    ) throws -> FolderTree {
        let folders = try desk.rows(
            "SELECT * FROM folder WHERE trashed_at IS NULL ORDER BY name_order, id"
        ).map(Folder.init)
        guard counting else { return FolderTree(folders, paperCounts: [:], hidesPrivate: hidesPrivate) }
        let counts = try desk.rows(
            """
            SELECT folder, count(*) AS n FROM document WHERE trashed_at IS NULL AND folder IS NOT NULL
            GROUP BY folder
            """)
        let pairs = try counts.map { row in (try row.id("folder") as ID<Folder>, try row.int("n")) }
        return FolderTree(
            folders, paperCounts: Dictionary(pairs, uniquingKeysWith: +), hidesPrivate: hidesPrivate)
    }

    @discardableResult
    public func makeFolder(
        named name: String, in parent: ID<Folder>? = nil, by caller: Caller
    ) throws -> Folder {
        try caller.require(.edit)
        let name = try folderName(name)
        return try store.write { tx in try makeFolder(name, in: parent, tree(in: tx), by: caller, in: tx) }
    }

    /// A folder for papers that belong together, with them in it: one act.
    public func makeFolder(
        named name: String, in parent: ID<Folder>? = nil, holding papers: [ID<Document>], by caller: Caller
    ) throws -> (folder: Folder, papers: [Document]) {
        try caller.require(.edit)
        let name = try folderName(name)
        return try store.write { tx in
            let folder = try makeFolder(name, in: parent, tree(in: tx), by: caller, in: tx)
            return (folder, try file(papers, as: Filing(folder: folder.id), by: caller, in: tx))
        }
    }

    /// The folder at the end of a path; those on the way that do not exist are made.
    @discardableResult
    public func makeFolder(path: String, by caller: Caller) throws -> Folder {
        let names = path.split(separator: "/").map(String.init)
        guard let id = try makeFolder(names: names, below: nil, by: caller) else {
            throw Failure(.invalid, "A folder needs a name.", field: "path")
        }
        return try store.read { desk in try folder(id, in: desk) }
    }

    /// The same, below a folder; that folder itself when there is no name.
    func makeFolder(
        names: [String], below place: ID<Folder>?, by caller: Caller
    ) throws -> ID<Folder>? {
        try caller.require(.edit)
        let names = try names.map { try folderName($0) }
        guard !names.isEmpty else { return place }
        return try store.write { tx in
            let tree = try tree(in: tx, counting: false)
            var last: Folder? = try place.map { try folder($0, in: tx) }
            for name in names {
                let there = tree.children(of: last?.id)
                    .first { FileName.order($0.folder.name) == FileName.order(name) }
                // Below a folder that was just made nothing can be in the tree yet.
                last =
                    try there?.folder
                    ?? makeFolder(
                        name, in: last?.id, self.tree(in: tx, counting: false), by: caller, in: tx)
            }
            return last?.id
        }
    }

    /// The folder at the end of a way that is there already.
    func folder(
        _ names: [String], below place: ID<Folder>?, in desk: borrowing some Readable & ~Copyable
    ) throws -> ID<Folder>? {
        var last = place
        for name in names {
            let found = try desk.row(
                """
                SELECT id FROM folder WHERE COALESCE(parent, '') = \(last?.text ?? "")
                    AND name_order = \(FileName.order(name)) AND trashed_at IS NULL ORDER BY id LIMIT 1
                """)
            guard let found else { return nil }
            last = try found.id("id")
        }
        return last
    }

    private func makeFolder(
        _ name: String, in parent: ID<Folder>?, _ tree: FolderTree, by caller: Caller,
        in tx: borrowing Transaction
    ) throws -> Folder {
        try requirePlan(.folders)
        guard tree.nodes.count < Self.mostFolders else {
            throw Failure(.tooMany, "There are \(tree.nodes.count) folders already, as many as can be.")
        }
        // What it may not be called would tell what lies there.
        if let parent, try isHidden(parent, in: tx) { try checkSees(caller) }
        try checkPlace(name, in: parent, of: nil, tree)
        let id: ID<Folder> = tx.newID()
        try tx.run(
            """
            INSERT INTO folder (id, name, name_order, parent, made_at, made_by)
            VALUES (\(id), \(name), \(FileName.order(name)), \(parent?.text), \(tx.now), \(caller.actor))
            """)
        if let parent, try isHidden(parent, in: tx) {
            try tx.run("UPDATE folder SET hidden = 1 WHERE id = \(id)")
        }
        tx.note("folder.made", "folder/\(id)", by: caller.actor, ["name": .string(name)])
        return try folder(id, in: tx)
    }

    /// Under another name, in another place, or both. A folder never comes to lie in itself.
    @discardableResult
    public func changeFolder(
        _ id: ID<Folder>, name: String? = nil, parent: ID<Folder>?? = nil, by caller: Caller
    ) throws -> Folder {
        try caller.require(.edit)
        let name = try name.map { try folderName($0) }
        return try store.write { tx in
            var folder = try folder(id, in: tx)
            guard folder.trashedAt == nil else { throw noFolder }
            if try isHidden(id, in: tx) { try checkSees(caller) }
            let tree = try tree(in: tx)
            if let name { folder.name = name }
            if let parent { folder.parent = parent }
            if let parent = folder.parent, try isHidden(parent, in: tx) { try checkSees(caller) }
            try checkPlace(folder.name, in: folder.parent, of: id, tree)
            try tx.run(
                """
                UPDATE folder SET name = \(folder.name), name_order = \(FileName.order(folder.name)),
                    parent = \(folder.parent?.text) WHERE id = \(id)
                """)
            try settlePrivacy(in: tx)
            tx.note("folder.changed", "folder/\(id)", by: caller.actor, ["name": .string(folder.name)])
            return folder
        }
    }

    private func checkPlace(
        _ name: String, in parent: ID<Folder>?, of id: ID<Folder>?, _ tree: FolderTree
    ) throws {
        if let parent {
            guard let node = tree[parent] else { throw noFolder }
            if let id, tree.below(id).contains(where: { $0.folder.id == parent }) {
                throw Failure(.conflict, "A folder cannot lie in itself.", field: "parent")
            }
            let height = id.map { id in
                let below = tree.below(id)
                return (below.map(\.depth).max() ?? 0) - (below.first?.depth ?? 0)
            }
            guard node.depth + 1 + (height ?? 0) < FolderTree.deepest else {
                throw Failure(
                    .invalid, "Folders lie at most \(FolderTree.deepest) deep in each other.", field: "parent"
                )
            }
        }
        let clash = tree.children(of: parent).first {
            $0.folder.id != id && FileName.order($0.folder.name) == FileName.order(name)
        }
        if let clash {
            throw Failure(.conflict, "There is a folder “\(clash.folder.name)” here already.", field: "name")
        }
    }

    /// Puts a folder, the folders in it and all their papers into the trash, from where `restoreFolder` brings back
    /// all of them together.
    @discardableResult
    public func trashFolder(_ id: ID<Folder>, by caller: Caller) throws -> (folders: Int, papers: Int) {
        try caller.require(.edit)
        return try store.write { tx in
            let tree = try tree(in: tx)
            let gone = tree.below(id)
            guard let first = gone.first else { throw noFolder }
            if try isHidden(id, in: tx) { try checkSees(caller) }
            let keepers = try Keepers(self, in: tx)
            var papers = 0
            for node in gone {
                let inside = try tx.rows(
                    "SELECT * FROM document WHERE folder = \(node.folder.id) AND trashed_at IS NULL"
                ).map(Document.init)
                for document in inside {
                    try checkMayGo(document, keepers, in: tx)
                    try trash(document, with: id, by: caller.actor, in: tx)
                }
                // How many private ones went with it is not told.
                if try caller.seesPrivate || !isHidden(node.folder.id, in: tx) { papers += inside.count }
                try tx.run(
                    "UPDATE folder SET trashed_at = \(tx.now), trashed_with = \(id.text) WHERE id = \(node.folder.id)"
                )
            }
            tx.note("folder.trashed", "folder/\(id)", by: caller.actor, ["name": .string(first.folder.name)])
            return (gone.count, papers)
        }
    }

    /// Brings a folder back with all that went with it. Where its place is taken or gone, it gets a new name or lies
    /// at the top.
    @discardableResult
    public func restoreFolder(_ id: ID<Folder>, by caller: Caller) throws -> Folder {
        try caller.require(.edit)
        return try store.write { tx in
            var restored = try folder(id, in: tx)
            if try isHidden(id, in: tx) { try checkSees(caller) }
            guard restored.trashedAt != nil else { return restored }
            let tree = try tree(in: tx)
            if let parent = restored.parent, tree[parent] == nil { restored.parent = nil }
            let taken = Set(tree.children(of: restored.parent).map { FileName.order($0.folder.name) })
            let name = restored.name
            var number = 2
            while taken.contains(FileName.order(restored.name)) {
                restored.name = "\(name.prefix(190)) (\(number))"
                number += 1
            }
            try tx.run(
                """
                UPDATE folder SET name = \(restored.name), name_order = \(FileName.order(restored.name)),
                    parent = \(restored.parent?.text) WHERE id = \(id)
                """)
            try tx.run(
                "UPDATE folder SET trashed_at = NULL, trashed_with = NULL WHERE trashed_with = \(id.text)")
            let papers = try tx.rows(
                "SELECT * FROM document WHERE trashed_with = \(id.text) AND trashed_at IS NOT NULL"
            ).map(Document.init)
            for document in papers { try restore(document, by: caller, in: tx) }
            try settlePrivacy(in: tx)
            tx.note("folder.restored", "folder/\(id)", by: caller.actor, ["name": .string(restored.name)])
            return try folder(id, in: tx)
        }
    }

    /// Folders in the trash that hold nothing any more are forgotten.
    func forgetEmptyFolders(in tx: borrowing Transaction) throws {
        while try tx.run(
            """
            DELETE FROM folder WHERE trashed_at IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM document WHERE document.folder = folder.id)
                AND NOT EXISTS (SELECT 1 FROM folder AS inner_one WHERE inner_one.parent = folder.id)
            """) > 0
        {}
    }

    func folder(_ id: ID<Folder>, in desk: borrowing some Readable & ~Copyable) throws -> Folder {
        guard let row = try desk.row("SELECT * FROM folder WHERE id = \(id)") else { throw noFolder }
        return try Folder(row)
    }

    private func folderName(_ text: String) throws -> String {
        guard let name = Self.folderName(text) else {
            throw Failure(.invalid, "A folder needs a name.", field: "name")
        }
        return name
    }

    /// Folders are found by paths, in which a stroke is what stands between two of them.
    static func folderName(_ text: String) -> String? { FileName.title(text.replacing("/", with: "-")) }

    var noFolder: Failure { Failure(.notFound, "There is no such folder. It may have been removed.") }
}
