public import Access
import Bytes
import SQL
public import Storage
public import Work

extension Documents {
    /// No paper is changed more often than this; whoever does is a program that runs in circles.
    public static let mostVersions = 1_000

    public enum Revised: Sendable, Equatable {
        case revised(Document)
        /// It is these very bytes already.
        case same(Document)

        public var document: Document {
            switch self {
            case .revised(let document), .same(let document): document
            }
        }
    }

    /// All states of a paper, the newest first.
    public func versions(of id: ID<Document>, by caller: Caller) throws -> [DocumentVersion] {
        try caller.require(.view)
        return try store.read { desk in try versions(of: find(id, for: caller, in: desk), in: desk) }
    }

    /// The paper as it was then.
    public func get(_ id: ID<Document>, version number: Int, by caller: Caller) throws -> Document {
        try caller.require(.view)
        return try store.read { desk in
            let document = try find(id, for: caller, in: desk)
            return try document.at(version(number, of: document, in: desk))
        }
    }

    /// Puts other bytes in the place of a paper's. What it was before is kept as its earlier version; its id, its
    /// folder, its tags and the links to it stay. `version` is the one that was looked at: when somebody was faster,
    /// nothing is changed.
    @discardableResult
    public func revise(
        _ id: ID<Document>, with source: Source, named fileName: String? = nil, note: String = "",
        ifVersion version: Int? = nil, by caller: Caller, progress: Progress = Progress()
    ) throws -> Revised {
        // Before the bytes are copied: they may be many.
        let before = try store.read { desk in try find(id, for: caller, in: desk) }
        return try revise(
            before, with: source, named: fileName ?? before.name, note: note, ifVersion: version, by: caller,
            progress: progress)
    }

    /// The same with a paper that has just been looked up.
    func revise(
        _ before: Document, with source: Source, named fileName: String, note: String,
        ifVersion version: Int? = nil, by caller: Caller, progress: Progress = Progress()
    ) throws -> Revised {
        try caller.require(.edit)
        try requirePlan(.edit)
        let (digest, mediaType) = try put(source, named: fileName, progress)
        return try store.write { tx in
            try revise(
                before.id, with: digest, mediaType, note: note, ifVersion: version, by: caller.actor,
                calledThen: caller.name, in: tx)
        }
    }

    /// The paper that is these very bytes now; the one that came last when several are.
    public func paper(holding digest: Digest, by caller: Caller) throws -> Document? {
        try caller.require(.view)
        return try store.read { desk in
            let shown: Query = try shown(to: caller, in: desk).map { " AND " + $0 } ?? ""
            return try desk.row(
                """
                SELECT * FROM document WHERE digest = \(digest) AND trashed_at IS NULL\(shown)
                ORDER BY added_at DESC, id DESC LIMIT 1
                """
            ).map(Document.init)
        }
    }

    /// The same with what lies on the shelf already, in the transaction of whoever made it.
    public func revise(
        _ id: ID<Document>, with digest: Digest, _ mediaType: String, note: String = "",
        ifVersion version: Int? = nil, by actor: String, calledThen actorName: String,
        in tx: borrowing Transaction
    ) throws -> Revised {
        var document = try find(id, in: tx)
        guard !document.isTrashed else { throw inTrash }
        guard note.unicodeScalars.count <= 1_000 else {
            throw Failure(.invalid, "What changed is said in at most 1,000 characters.", field: "note")
        }
        if let version, version != document.version {
            throw Failure(
                .conflict, "Somebody else has changed this paper meanwhile. Look at it again.", field: "base")
        }
        guard document.blob.digest != digest else { return .same(document) }
        try checkIsNotHeld(document, in: tx)
        guard document.version < Self.mostVersions else {
            throw Failure(.tooMany, "This paper has \(document.version) versions, as many as can be.")
        }
        if document.version == 1 {
            try keep(DocumentVersion(first: document), of: id, in: tx)
        }
        let next = DocumentVersion(
            number: document.version + 1,
            blob: Blob(digest: digest, byteCount: try tx.keep(digest), mediaType: mediaType),
            madeAt: tx.now, madeBy: actor, madeByName: actorName, note: note.filter { $0 != "\0" })
        try keep(next, of: id, in: tx)
        let nameBefore = document.name
        document.name = FileName.changed(nameBefore, from: document.blob.mediaType, to: mediaType)
        document.blob = next.blob
        document.version = next.number
        document.pageCount = nil
        document.changedAt = tx.now
        try tx.run(
            """
            UPDATE document SET digest = \(digest), byte_count = \(next.blob.byteCount), media_type = \(mediaType),
                version = \(next.number), pages = 0, changed_at = \(tx.now)
            WHERE id = \(id)
            """)
        try Self.forgetPages(of: id, in: tx)
        if document.name != nameBefore { try writeName(of: document, in: tx) }
        try tx.run("DELETE FROM document_text WHERE document = \(id)")
        try whenArrived(tx)
        record(.revised, document, by: actor, ["version": .int(next.number)], in: tx)
        return .revised(document)
    }

    /// Makes an earlier state the newest again. Nothing is lost by it: what was in between stays.
    @discardableResult
    public func bringBack(
        version number: Int, of id: ID<Document>, note: String = "", by caller: Caller
    ) throws -> Document {
        try caller.require(.edit)
        return try store.write { tx in
            let old = try version(number, of: find(id, for: caller, in: tx), in: tx)
            return try revise(
                id, with: old.blob.digest, old.blob.mediaType, note: note, by: caller.actor,
                calledThen: caller.name, in: tx
            ).document
        }
    }

    private func versions(
        of document: Document, in desk: borrowing some Readable & ~Copyable
    ) throws -> [DocumentVersion] {
        let kept = try desk.rows(
            "SELECT * FROM document_version WHERE document = \(document.id) ORDER BY number DESC"
        ).map(DocumentVersion.init)
        return kept.isEmpty ? [DocumentVersion(first: document)] : kept
    }

    private func version(
        _ number: Int, of document: Document, in desk: borrowing some Readable & ~Copyable
    ) throws -> DocumentVersion {
        guard let version = try versions(of: document, in: desk).first(where: { $0.number == number }) else {
            throw Failure(.notFound, "This paper has no version \(number).")
        }
        return version
    }

    func keep(
        _ version: DocumentVersion, of id: ID<Document>, in tx: borrowing Transaction
    ) throws {
        try tx.run(
            """
            INSERT INTO document_version (document, number, digest, byte_count, media_type, made_at, made_by,
                made_by_name, note)
            VALUES (\(id), \(version.number), \(version.blob.digest), \(version.blob.byteCount),
                \(version.blob.mediaType), \(version.madeAt), \(version.madeBy), \(version.madeByName),
                \(version.note))
            """)
    }
}
