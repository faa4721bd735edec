import Access
import Glibc
import Kinds
import SQL
import Storage
import Work

/// One round of a mirror: first what was changed in its folder is taken in, then the folder is made what the library is.
final class MirrorRound {
    typealias Thing = MirrorMemory.Thing

    let mirror: Mirror
    let documents: Documents
    let isFinal: Bool
    let emptied: Mirror.Emptied
    let progress: Progress
    var memory: MirrorMemory
    var disk: MirrorDisk
    /// Papers and folders of which it is not clear yet what somebody did with them there.
    var waiting: Set<String> = []
    /// Folders there that are another's twin: what lies in them comes into that one.
    var twins: [String: ID<Folder>] = [:]
    var events: [Mirror.Event] = []
    var isBeingWritten = false
    /// Of the whole library, also what is private; made anew when folders change.
    lazy var tree: FolderTree = FolderTree([], paperCounts: [:])
    private let began: Moment
    /// How many acts of this round changed the library or the folder.
    var acts = 0

    var store: Store { documents.store }
    var root: String { mirror.root }
    /// Whom private folders are not shown to.
    var outsider: Caller { Caller.local.withoutPrivate }

    init(_ mirror: Mirror, isFinal: Bool, _ emptied: Mirror.Emptied, _ progress: Progress) throws {
        self.mirror = mirror
        self.isFinal = isFinal
        self.emptied = emptied
        self.progress = progress
        documents = mirror.documents
        began = mirror.documents.store.clock.now()
        try mirror.checkIsThere()
        let memory =
            try mirror.memory ?? mirror.documents.store.read { desk in try MirrorMemory(mirror.id, in: desk) }
        self.memory = memory
        disk = MirrorDisk(
            mirror.root, knowing: { memory.knows($0) }, quiet: mirror.quiet,
            at: mirror.documents.store.clock.now())
    }

    func run(since settled: Int64?, done: (Int64?) -> Void) throws -> Mirror.Round {
        // A disk that went away while it was looked at shows less than lies on it.
        try mirror.checkIsThere()
        let head = try store.read { desk in
            try desk.row("SELECT number FROM journal_head")?.integer("number") ?? 0
        }
        for odd in disk.odd { trouble(odd.path, odd.why) }
        tree = try documents.folders(by: .local, counting: false)
        try takeIn()
        if acts > 0 || head != settled || !waiting.isEmpty { try give() }
        mirror.memory = memory
        let isQuiet = acts == 0 && waiting.isEmpty && !isBeingWritten
        done(isQuiet ? head : nil)
        var round = Mirror.Round()
        let troubles = events.filter { $0.act == .trouble }
        round.events = events.filter { $0.act != .trouble } + mirror.news(among: troubles)
        round.waiting = waiting.count
        round.papers = memory.papers.count
        round.pause = min(max(Mirror.leastPause, (store.clock.now() - began) * 10), .seconds(120))
        round.privateFolders = tree.nodes.count { $0.folder.isPrivate }
        return round
    }

    func tell(_ act: Mirror.Act, _ path: String, _ remark: String = "") {
        if act != .trouble { acts += 1 }
        events.append(Mirror.Event(act: act, path: path, remark: remark))
    }

    func trouble(_ path: String, _ why: String) { tell(.trouble, path, why) }

    /// Changes the library, the memory or both, in one go.
    func write(_ body: (borrowing Transaction, inout MirrorMemory) throws -> Void) throws {
        try mirror.step()
        try store.write { tx in
            memory.begin()
            try body(tx, &memory)
        }
        memory.commit()
        try mirror.step()
    }

    func document(_ id: String) throws -> Document? {
        guard let id = ID<Document>(id) else { return nil }
        return try store.read { desk in
            try desk.row("SELECT * FROM document WHERE id = \(id)").map { try Document($0) }
        }
    }

    /// Copied onto the shelf of the desk; nil when somebody wrote into it meanwhile.
    func shelved(_ file: MirrorDisk.File) throws -> (Digest, String)? {
        let path = "\(root)/\(file.path)"
        guard !Settled.isBeingWritten(path) else { return nil }
        let digest = try store.blobs.put(file: path, progress: progress)
        guard let now = MirrorDisk.File(file.path, in: root), now.byteCount == file.byteCount,
            now.changedAt == file.changedAt, now.node == file.node
        else { return nil }
        let type = try PaperKind.mediaType(
            ofFile: store.blobs.path(of: digest), named: MirrorName.last(file.path))
        return (digest, type)
    }

    func thing(_ document: Document, at file: MirrorDisk.File) -> Thing {
        Thing(
            kind: .paper, id: document.id.text, path: file.path, name: document.name,
            place: document.folder?.text ?? "", digest: document.blob.digest.hex,
            byteCount: file.byteCount, changedAt: file.changedAt, node: file.node)
    }
}
