import SQL
public import Storage
public import Work

/// A place in the library. A paper lies in one folder, or in none: then it lies on the desk itself.
public struct Folder: Sendable, Equatable {
    public let id: ID<Folder>
    public var name: String
    /// Nil for those that lie in no other.
    public var parent: ID<Folder>?
    public var madeAt: Moment
    public var trashedAt: Moment?
    /// What lies in it and below it is shown only to whoever proved again who they are.
    public var isPrivate: Bool

    init(_ row: Row) throws {
        id = try row.id("id")
        name = try row.text("name")
        parent = try row.optionalText("parent").flatMap(ID.init)
        madeAt = try row.moment("made_at")
        trashedAt = try row.optionalMoment("trashed_at")
        isPrivate = try row.int("is_private") == 1
    }
}

/// All folders at one moment, as a tree that can be walked up and down.
public struct FolderTree: Sendable {
    public struct Node: Sendable, Equatable {
        public var folder: Folder
        /// `Taxes/2026`
        public var path: String
        /// How deep it lies, 0 at the top.
        public var depth: Int
        /// Papers in it, without those in the folders below.
        public var paperCount: Int
        /// Papers in it and in all folders below.
        public var totalCount: Int
        /// It is private, and not to be looked into at the moment: neither its papers nor the folders in it are told.
        public var isLocked = false
    }

    /// Each behind the one it lies in, neighbours by name.
    public private(set) var nodes: [Node] = []
    private var places: [ID<Folder>: Int] = [:]

    /// The same without what is locked, for programs that would take it for an empty folder.
    public var withoutLocked: FolderTree {
        var tree = self
        tree.nodes.removeAll(where: \.isLocked)
        tree.places = Dictionary(
            tree.nodes.enumerated().map { ($1.folder.id, $0) }, uniquingKeysWith: { first, _ in first })
        return tree
    }

    /// Where something would be deeper than any cupboard goes.
    static let deepest = 20

    /// `folders` come by name.
    init(_ folders: [Folder], paperCounts: [ID<Folder>: Int], hidesPrivate: Bool = false) {
        let children = Dictionary(grouping: folders, by: \.parent)
        func add(_ folder: Folder, below path: String, _ depth: Int) -> Int {
            let place = nodes.count
            let path = path.isEmpty ? folder.name : "\(path)/\(folder.name)"
            let count = paperCounts[folder.id] ?? 0
            nodes.append(Node(folder: folder, path: path, depth: depth, paperCount: count, totalCount: count))
            places[folder.id] = place
            if hidesPrivate, folder.isPrivate {
                (nodes[place].paperCount, nodes[place].totalCount, nodes[place].isLocked) = (0, 0, true)
                return 0
            }
            for child in children[folder.id] ?? [] where depth < 100 {
                nodes[place].totalCount += add(child, below: path, depth + 1)
            }
            return nodes[place].totalCount
        }
        for folder in children[nil] ?? [] { _ = add(folder, below: "", 0) }
    }

    public subscript(id: ID<Folder>) -> Node? { places[id].map { nodes[$0] } }

    /// The folder and all below it, the folder first.
    public func below(_ id: ID<Folder>) -> [Node] {
        guard let place = places[id] else { return [] }
        let depth = nodes[place].depth
        return [nodes[place]] + nodes[(place + 1)...].prefix { $0.depth > depth }
    }

    /// The same without private folders below it and what lies in those; the folder itself may be private.
    func below(_ id: ID<Folder>, withoutPrivate: Bool) -> [Node] {
        guard withoutPrivate else { return below(id) }
        var closedAt: Int?
        return below(id).filter { node in
            if let depth = closedAt, node.depth > depth { return false }
            closedAt = node.folder.isPrivate && node.folder.id != id ? node.depth : nil
            return closedAt == nil
        }
    }

    /// The folders that lie directly in this one, or at the top.
    public func children(of id: ID<Folder>?) -> [Node] {
        guard let id else { return nodes.filter { $0.depth == 0 } }
        return below(id).filter { $0.folder.parent == id }
    }

    /// The way from the top to this folder, itself included.
    public func way(to id: ID<Folder>) -> [Node] {
        var way: [Node] = []
        var next: ID<Folder>? = id
        while let id = next, let node = self[id] {
            way.insert(node, at: 0)
            next = node.folder.parent
        }
        return way
    }

    /// By its path, `Taxes/2026`, without regard to case.
    public func find(path: String) -> Node? {
        let wanted = path.split(separator: "/").joined(separator: "/").lowercased()
        return nodes.first { $0.path.lowercased() == wanted }
    }
}
