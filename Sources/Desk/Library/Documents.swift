public import Access
import Bytes
import Kinds
public import SQL
public import Storage
public import Work

/// The library: what lies on the desk, and what lies in the trash.
///
/// ```swift
/// let documents = Documents(access)
/// switch try documents.add(.upload(path), named: "Lease.pdf", by: caller) {
/// case .added(let document): …
/// case .alreadyThere(let document): …  // the same bytes, added before
/// }
/// ```
public struct Documents: Sendable {
    /// How long the trash keeps what nobody misses.
    public static let usualTrashTime = Duration.seconds(30 * 24 * 3600)

    /// What happened here, after it was saved; on the thread that did it.
    public let changes = Broadcast<DocumentChange>()
    /// The way on which what is added comes.
    var arrival: PaperArrival?
    let access: Gate
    let whenArrived: @Sendable (borrowing Transaction) throws -> Void
    var store: Store { access.store }

    /// `whenArrived` promises what is to follow, in the transaction that adds a document or a version of one.
    public init(
        _ access: Gate, whenArrived: @escaping @Sendable (borrowing Transaction) throws -> Void = { _ in }
    ) {
        self.access = access
        self.whenArrived = whenArrived
    }

    public enum Source: Sendable {
        case bytes([UInt8])
        /// Copied; stays where it is.
        case file(String)
        /// Taken over, as an upload that has arrived.
        case upload(String)
    }

    public enum Added: Sendable, Equatable {
        case added(Document)
        /// The library has these very bytes already, under this name.
        case alreadyThere(Document)

        public var document: Document {
            switch self {
            case .added(let document), .alreadyThere(let document): document
            }
        }
    }

    /// Whether so many papers may be chosen for one work.
    public static func check(_ ids: [ID<Document>], atMost most: Int) throws(Failure) {
        guard (1...most).contains(ids.count) else {
            throw Failure(.invalid, "Choose 1 to \(most) papers.", field: "documents")
        }
    }

    /// Adds a file. Bytes that the library has already are not added again, unless they lie in the trash; they stay
    /// in the folder where they are. `evenIfThere` adds them all the same, for who counts on finding them in a place.
    public func add(
        _ source: Source, named fileName: String, into place: ID<Folder>? = nil, evenIfThere: Bool = false,
        by caller: Caller, progress: Progress = Progress()
    ) throws -> Added {
        try caller.require(.edit)
        try requirePlan(.save)
        if let place {
            let isThere = try store.read { desk in try folder(place, in: desk).trashedAt == nil }
            guard isThere else { throw noFolder }
        }
        let name = FileName.cleaned(fileName) ?? FileName.unnamed
        let (digest, mediaType) = try put(source, named: name, progress)
        return try store.write { tx in
            try add(
                digest, mediaType, named: name, into: place, evenIfThere: evenIfThere,
                knowing: shown(to: caller, in: tx), by: caller.actor, calledThen: caller.name, in: tx)
        }
    }

    /// Asks the plan of the desk; what it leaves out fails with the reason.
    public func requirePlan(_ tool: PlanTool) throws { try access.entitlements.require(tool) }

    /// Puts it on the shelf and says what kind it is.
    func put(_ source: Source, named name: String, _ progress: Progress) throws -> (Digest, String) {
        switch source {
        case .bytes(let bytes):
            return (
                try store.blobs.take(bytes), PaperKind.known(bytes, name: name)?.mediaType ?? PaperKind.octets
            )
        case .file(let path):
            let digest = try store.blobs.put(file: path, progress: progress)
            return (digest, try mediaType(of: digest, named: name))
        case .upload(let path):
            // Before it goes: the shelf may not have it at once.
            let mediaType = try PaperKind.mediaType(ofFile: path, named: name)
            return (try store.blobs.take(moving: path), mediaType)
        }
    }

    func mediaType(of digest: Digest, named name: String) throws -> String {
        try PaperKind.mediaType(ofFile: store.blobs.path(of: digest), named: name)
    }

    /// Adds what lies on the shelf already, in the transaction of whoever made it. `knowing` says which papers may be told
    /// to be there already. The name is a title: who has a path of somebody's takes its last part before.
    public func add(
        _ digest: Digest, _ mediaType: String, named title: String, into place: ID<Folder>? = nil,
        evenIfThere: Bool = false, knowing: Query? = nil, by actor: String, calledThen actorName: String,
        in tx: borrowing Transaction
    ) throws -> Added {
        let name = FileName.title(title) ?? FileName.unnamed
        if !evenIfThere,
            let there = try tx.row(
                "SELECT * FROM document WHERE digest = \(digest) AND trashed_at IS NULL\(knowing.map { " AND " + $0 } ?? "") ORDER BY id LIMIT 1"
            )
        {
            return .alreadyThere(try Document(there))
        }
        var document = Document(
            id: tx.newID(), name: name,
            blob: Blob(digest: digest, byteCount: try tx.keep(digest), mediaType: mediaType),
            addedAt: tx.now, addedBy: actor, addedByName: actorName, changedAt: tx.now,
            folder: place)
        document.arrival = arrival
        try tx.run(
            """
            INSERT INTO document (id, name, name_order, name_search, digest, byte_count, media_type,
                added_at, added_by, added_by_name, changed_at, folder, arrival, index_number)
            VALUES (\(document.id), \(name), \(FileName.order(name)), \(FileName.search(name)), \(digest),
                \(document.blob.byteCount), \(mediaType), \(tx.now), \(actor), \(actorName), \(tx.now),
                \(place?.text), \(arrival?.rawValue ?? ""), \(try PaperIndex.nextNumber(in: tx)))
            """)
        try Self.writeFirstWords(of: document.id, name, in: tx)
        try whenArrived(tx)
        record(.added, document, by: actor, ["size": .integer(document.blob.byteCount)], in: tx)
        return .added(document)
    }

    /// Who began some work that goes on without them, with the rights they have now.
    public func caller(actor: String) throws -> Caller { try access.members.caller(actor: actor) }

    /// A visitor with a link finds a document only while it is not in the trash.
    public func get(_ id: ID<Document>, by caller: Caller) throws -> Document {
        try caller.require(.view, on: Document.subject(id))
        return try store.read { desk in
            let document = try find(id, for: caller, in: desk)
            if case .share = caller.via, document.isTrashed { throw notFound }
            return document
        }
    }

    /// The document and where its bytes lie, for sending them.
    public func file(_ id: ID<Document>, by caller: Caller) throws -> (document: Document, path: String) {
        let document = try get(id, by: caller)
        return (document, try store.blobs.path(of: document.blob.digest))
    }

    /// What the papers are called whose files these are, as after a restore that could not bring them.
    public func names(of digests: [Digest]) throws -> [String] {
        try digests.flatMap { digest in
            try store.read { desk in
                try desk.rows("SELECT * FROM document WHERE digest = \(digest) ORDER BY id").map(
                    Document.init)
            }.map { try toldName(of: $0) }.filter { !$0.isEmpty }
        }
    }

    @discardableResult
    public func rename(_ id: ID<Document>, to name: String, by caller: Caller) throws -> Document {
        try caller.require(.edit)
        guard let name = FileName.title(name) else {
            throw Failure(.invalid, "A document needs a name.", field: "name")
        }
        return try store.write { tx in
            let document = try find(id, for: caller, in: tx)
            guard !document.isTrashed else { throw inTrash }
            return try rename(document, to: name, actor: caller.actor, in: tx)
        }
    }

    func rename(
        _ document: Document, to name: String, actor: String, in tx: borrowing Transaction
    ) throws -> Document {
        guard document.name != name else { return document }
        let before = document.name
        var document = document
        document.name = name
        document.changedAt = tx.now
        try writeName(of: document, in: tx)
        record(.renamed, document, by: actor, ["before": .string(before)], in: tx)
        return document
    }

    func writeName(of document: Document, in tx: borrowing Transaction) throws {
        let name = document.name
        try tx.run(
            """
            UPDATE document SET name = \(name), name_order = \(FileName.order(name)),
                name_search = \(FileName.search(name)), changed_at = \(document.changedAt)
            WHERE id = \(document.id)
            """)
        try Self.writeLabel(of: document.id, in: tx)
    }

    /// Puts a document into the trash, from which `restore` brings it back. Doing it twice does no harm.
    @discardableResult
    public func trash(_ id: ID<Document>, by caller: Caller) throws -> Document {
        try caller.require(.edit)
        return try store.write { tx in
            let document = try find(id, for: caller, in: tx)
            guard !document.isTrashed else { return document }
            try checkMayGo(document, Keepers(self, in: tx), in: tx)
            return try trash(document, by: caller.actor, in: tx)
        }
    }

    @discardableResult
    func trash(
        _ document: Document, with folder: ID<Folder>? = nil, by actor: String, in tx: borrowing Transaction
    ) throws -> Document {
        var document = document
        document.trashedAt = tx.now
        document.changedAt = tx.now
        try tx.run(
            """
            UPDATE document SET trashed_at = \(tx.now), changed_at = \(tx.now), trashed_with = \(folder?.text)
            WHERE id = \(document.id)
            """)
        record(.trashed, document, by: actor, in: tx)
        return document
    }

    @discardableResult
    public func restore(_ id: ID<Document>, by caller: Caller) throws -> Document {
        try caller.require(.edit)
        return try store.write { tx in
            let document = try find(id, for: caller, in: tx)
            return try restore(document, by: caller, in: tx)
        }
    }

    /// Back to where it lay; at the top, when its folder is gone.
    @discardableResult
    func restore(
        _ document: Document, by caller: Caller, in tx: borrowing Transaction
    ) throws -> Document {
        guard document.isTrashed else { return document }
        var document = document
        if let id = document.folder, try folder(id, in: tx).trashedAt != nil { document.folder = nil }
        document.trashedAt = nil
        document.changedAt = tx.now
        try tx.run(
            """
            UPDATE document SET trashed_at = NULL, trashed_with = NULL, changed_at = \(tx.now),
                folder = \(document.folder?.text)
            WHERE id = \(document.id)
            """)
        record(.restored, document, by: caller.actor, in: tx)
        return document
    }

    /// Removes a document that lies in the trash for good; its bytes go with the next sweep.
    @discardableResult
    public func purge(_ id: ID<Document>, by caller: Caller) throws -> Document {
        try caller.require(.edit)
        return try store.write { tx in
            let document = try find(id, for: caller, in: tx)
            guard document.isTrashed else {
                throw Failure(.conflict, "Only what lies in the trash can be removed for good.")
            }
            try checkMayGo(document, Keepers(self, in: tx), in: tx)
            try remove(document, by: caller.actor, in: tx)
            return document
        }
    }

    /// Removes for good all that lies in the trash and may go. What is held, or must be kept for some time yet, stays there.
    public func emptyTrash(
        until last: Moment? = nil, by caller: Caller
    ) throws -> (removed: Int, left: Int) {
        try caller.require(.edit)
        let known: Query = last.map { "trashed_at <= \($0)" } ?? "1 = 1"
        let removed = try clearTrash(by: caller.actor) { tx in
            try shown(to: caller, in: tx).map { known + " AND " + $0 } ?? known
        }
        return (removed, try trash(until: last, by: caller).count)
    }

    /// Removes what has lain in the trash long enough. Run by Quire itself, once a day; the number removed.
    @discardableResult
    public func purgeTrash(after time: Duration = usualTrashTime) throws -> Int {
        try clearTrash(by: "quire/purge") { tx in "trashed_at <= \(tx.now - time)" }
    }

    private func clearTrash(
        by actor: String, _ which: (borrowing Transaction) throws -> Query
    ) throws -> Int {
        var count = 0
        var last: (at: Int64, id: String) = (0, "")
        while true {
            // In portions, so that others get to write in between.
            let (removed, next) = try store.write { tx -> (Int, (at: Int64, id: String)?) in
                let old = try tx.rows(
                    """
                    SELECT * FROM document WHERE trashed_at IS NOT NULL AND \(which(tx))
                        AND (trashed_at, id) > (\(last.at), \(last.id)) AND hold IS NULL
                    ORDER BY trashed_at, id LIMIT 100
                    """
                ).map(Document.init)
                let keepers = try Keepers(self, in: tx)
                var removed = 0
                for document in old {
                    // A rule may have come while it lay here.
                    guard (try? checkMayGo(document, keepers, in: tx)) != nil else { continue }
                    try remove(document, by: actor, in: tx)
                    removed += 1
                }
                try forgetEmptyFolders(in: tx)
                let next = old.last.map { ($0.trashedAt?.milliseconds ?? 0, $0.id.text) }
                return (removed, old.count < 100 ? nil : next)
            }
            count += removed
            guard let next else { return count }
            last = next
        }
    }

    func remove(_ document: Document, by actor: String, in tx: borrowing Transaction) throws {
        try access.shareLinks.revokeAll(of: document.subject, in: tx)
        try Self.changingWords(of: document.id, in: tx) {
            try Self.forget(pages: "document = \(document.id)", in: tx)
        }
        try tx.run("DELETE FROM document_tag WHERE document = \(document.id)")
        try tx.run("DELETE FROM document_version WHERE document = \(document.id)")
        try tx.run("DELETE FROM paper_property WHERE owner = \(document.propertyOwner)")
        try tx.run("UPDATE document SET origin = NULL WHERE origin = \(document.id.text)")
        try tx.run("DELETE FROM document WHERE id = \(document.id)")
        record(.purged, document, by: actor, in: tx)
    }

    func find(_ id: ID<Document>, in desk: borrowing some Readable & ~Copyable) throws -> Document {
        guard let row = try desk.row("SELECT * FROM document WHERE id = \(id)") else { throw notFound }
        return try Document(row)
    }

    func record(
        _ act: DocumentChange.Act, _ document: Document, by actor: String, _ detail: JSONObject = [:],
        in tx: borrowing Transaction
    ) {
        var detail = detail
        detail["name"] = .string(document.name)
        tx.record(
            JournalEntry(
                actor: actor, verb: "document.\(act.rawValue)", subject: "document/\(document.id)",
                detail: .object(detail)))
        let change = DocumentChange(act: act, document: document)
        tx.afterCommit { [changes] in changes.send(change) }
    }

    private var notFound: Failure {
        Failure(.notFound, "There is no such document. It may have been removed.")
    }

    var inTrash: Failure {
        Failure(.conflict, "This document lies in the trash. Bring it back first.")
    }
}

extension Document {
    /// What lies in the trash is not worked on.
    public func checkIsHere() throws(Failure) {
        guard !isTrashed else {
            throw Failure(.conflict, "“\(name)” lies in the trash. Bring it back first.")
        }
    }
}
