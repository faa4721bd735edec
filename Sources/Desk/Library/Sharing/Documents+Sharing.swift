public import Access
import Bytes
import SQL
public import Storage
import Work

extension Folder {
    /// How the journal and share links name it.
    public static func subject(_ id: ID<Folder>) -> Subject { Subject(kind: "folder", id: id.text) }

    /// A link by which papers come into a folder and nothing is seen of it; nil for the desk itself.
    public static func request(_ id: ID<Folder>?) -> Subject {
        Subject(kind: "request", id: id?.text ?? "desk")
    }
}

extension Documents {
    /// By one link no more papers come in than this.
    public static let mostReceived = 500
    /// Nor more of this.
    public static let mostReceivedByteCount: Int64 = 10 << 30

    /// A paper of a shared folder, and where in it it lies.
    public struct Shared: Sendable, Equatable {
        public var document: Document
        /// Below the shared folder: `2026/Bills`; empty in it itself.
        public var path: String
    }

    /// A link shows a folder to anybody, so it is made by those who may look into it themselves.
    public func checkMayShare(_ id: ID<Folder>, by caller: Caller) throws {
        try caller.require(.edit)
        try store.read { desk in
            guard try folder(id, in: desk).trashedAt == nil else { throw noFolder }
            if try isHidden(id, in: desk) { try checkSees(caller) }
        }
    }

    /// What a visitor with a link to a folder sees: the papers in it and below it.
    public func shared(_ id: ID<Folder>, by caller: Caller) throws -> (folder: Folder, papers: [Shared]) {
        try caller.require(.view, on: Folder.subject(id))
        return try store.read { desk in
            // A link does not lead into what is private below its folder, also when that folder was made private
            // itself or came to lie in a private one since: whoever gave it away may never have seen what is there.
            let below = try tree(in: desk, counting: false).below(id, withoutPrivate: true)
            guard let top = below.first else { throw noFolder }
            var papers: [Shared] = []
            for node in below {
                let rows = try desk.rows(
                    """
                    SELECT * FROM document WHERE folder = \(node.folder.id) AND trashed_at IS NULL
                    ORDER BY name_order, id LIMIT 2000
                    """)
                let path = node.path.dropFirst(top.path.count).drop { $0 == "/" }
                papers += try rows.map { Shared(document: try Document($0), path: String(path)) }
                if papers.count >= 2000 { break }
            }
            return (top.folder, papers)
        }
    }

    /// What a visitor with a link to a folder or to chosen papers sees, and the folder's name.
    public func shared(by caller: Caller) throws -> (name: String?, papers: [Shared]) {
        guard case .share(_, let subject) = caller.via else {
            throw Failure(.denied, "This is for those who come by a link.")
        }
        if subject.kind == "folder", let id = ID<Folder>(subject.id) {
            let (folder, papers) = try shared(id, by: caller)
            return (folder.name, papers)
        }
        guard subject.kind == "selection" else { throw Failure(.notFound, "There is nothing here.") }
        return try store.read { desk in
            let rows = try desk.rows(
                """
                SELECT document.* FROM paper_selection JOIN document ON document.id = paper_selection.document
                WHERE paper_selection.id = \(subject.id) AND trashed_at IS NULL ORDER BY position
                """)
            return (nil, try rows.map { Shared(document: try Document($0), path: "") })
        }
    }

    /// Chosen papers as one thing that a link can lead to. What is thrown away later is not shown by it.
    public func select(_ ids: [ID<Document>], by caller: Caller) throws -> Subject {
        try caller.require(.edit)
        try Self.check(ids, atMost: Self.mostPerPage)
        return try store.write { tx in
            let selection: ID<Document> = tx.newID()
            for (position, id) in ids.enumerated() {
                guard try !find(id, for: caller, in: tx).isTrashed else { throw inTrash }
                try tx.run(
                    """
                    INSERT INTO paper_selection (id, position, document) VALUES (\(selection.text), \(position), \(id))
                    ON CONFLICT (id, document) DO NOTHING
                    """)
            }
            return Subject(kind: "selection", id: selection.text)
        }
    }

    /// Which papers somebody chose for a link.
    public func selected(_ subject: Subject, by caller: Caller) throws -> [Document] {
        try caller.require(.view)
        return try store.read { desk in
            let shown: Query = try shown(to: caller, in: desk).map { " AND " + $0 } ?? ""
            return try desk.rows(
                """
                SELECT document.* FROM paper_selection JOIN document ON document.id = paper_selection.document
                WHERE paper_selection.id = \(subject.id)\(shown) ORDER BY position
                """
            ).map(Document.init)
        }
    }

    static let selectionTables = Migration(
        "selections",
        script: """
            CREATE TABLE paper_selection (
                id TEXT NOT NULL,
                position INTEGER NOT NULL,
                document TEXT NOT NULL REFERENCES document (id) ON DELETE CASCADE,
                PRIMARY KEY (id, document)
            );
            CREATE INDEX paper_selection_of ON paper_selection (document);
            """)

    /// Before anything of it is written down: a link that is full fills no disk.
    public func checkMayReceive(_ byteCount: Int64, by caller: Caller) throws {
        try store.read { desk in try checkMayReceive(byteCount, by: caller, in: desk) }
    }

    private func checkMayReceive(
        _ byteCount: Int64, by caller: Caller, in desk: borrowing some Readable & ~Copyable
    ) throws {
        let received = try desk.row(
            """
            SELECT count(*) AS n, CAST(COALESCE(sum(byte_count), 0) AS BIGINT) AS bytes FROM document
            WHERE added_by = \(caller.actor)
            """)
        guard try received?.int("n") ?? 0 < Self.mostReceived,
            try received?.integer("bytes") ?? 0 <= Self.mostReceivedByteCount - byteCount
        else { throw Failure(.tooMany, "By this link no more papers come in. Ask for another one.") }
    }

    /// A paper somebody outside brought by a link that asks for papers. Nothing of the desk is told to them, not even
    /// whether it knew the paper.
    public func receive(
        _ source: Source, named fileName: String, by caller: Caller, calledThen name: String
    ) throws {
        guard case .share(let link, let subject) = caller.via, subject.kind == "request" else {
            throw Failure(.denied, "This link asks for no papers.")
        }
        let place = subject.id == "desk" ? nil : ID<Folder>(subject.id)
        try checkMayReceive(0, by: caller)
        let (digest, mediaType) = try put(source, named: fileName, Progress())
        let actor = caller.actor
        try store.write { tx in
            try checkMayReceive(0, by: caller, in: tx)
            // A folder that was thrown away meanwhile is no reason to lose what somebody sends.
            var home = place
            if let place,
                try tx.row("SELECT id FROM folder WHERE id = \(place) AND trashed_at IS NULL") == nil
            {
                home = nil
            }
            let here: Query = home.map { "folder = \($0)" } ?? "folder IS NULL"
            let known = try tx.row(
                "SELECT id FROM document WHERE digest = \(digest) AND trashed_at IS NULL AND \(here) LIMIT 1")
            guard known == nil else { return }
            _ = try arriving(by: .link).add(
                digest, mediaType, named: FileName.cleaned(fileName) ?? FileName.unnamed, into: home,
                evenIfThere: true, by: actor,
                calledThen: name, in: tx)
            tx.note(
                "share.received", "share/\(link)", by: actor,
                ["of": .string("\(subject.kind)/\(subject.id)"), "name": .string(fileName)])
            // Whoever asked for them; others need not even know that somebody did.
            let maker = try tx.row("SELECT made_by FROM share_link WHERE id = \(link)")?.text("made_by") ?? ""
            try access.notices.tell(
                .papersCame, "share/\(link)",
                to: Members.id(ofActor: maker).map { .member($0) } ?? .everybody, in: tx)
        }
    }
}
