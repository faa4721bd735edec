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

    /// A paper of a shared folder, and where in it it lies.
    public struct Shared: Sendable, Equatable {
        public var document: Document
        /// Below the shared folder: `2026/Bills`; empty in it itself.
        public var path: String
    }

    /// What a visitor with a link to a folder sees: the papers in it and below it.
    public func shared(_ id: ID<Folder>, by caller: Caller) throws -> (folder: Folder, papers: [Shared]) {
        try caller.require(.view, on: Folder.subject(id))
        return try store.read { desk in
            // A link to a folder does not lead into private ones below it; one to a private folder was meant so.
            let isMeant = try isHidden(id, in: desk)
            let tree = try tree(in: desk, counting: false, hidesPrivate: !isMeant)
            let below = tree.below(id).filter { !$0.isLocked }
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

    /// A paper somebody outside brought by a link that asks for papers. Nothing of the desk is told to them, not even
    /// whether it knew the paper.
    public func receive(
        _ source: Source, named fileName: String, by caller: Caller, calledThen name: String
    ) throws {
        guard case .share(let link, let subject) = caller.via, subject.kind == "request" else {
            throw Failure(.denied, "This link asks for no papers.")
        }
        let place = subject.id == "desk" ? nil : ID<Folder>(subject.id)
        let digest = try put(source, Progress())
        let mediaType = try Sniffer.mediaType(ofFile: store.blobs.path(of: digest), named: fileName)
        let actor = caller.actor
        try store.write { tx in
            let count = try tx.row("SELECT count(*) AS n FROM document WHERE added_by = \(actor)")
            guard try count?.int("n") ?? 0 < Self.mostReceived else {
                throw Failure(.tooMany, "By this link no more papers come in. Ask for another one.")
            }
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
            _ = try add(
                digest, mediaType, named: fileName, into: home, evenIfThere: true, by: actor,
                calledThen: name, in: tx)
            tx.note(
                "share.received", "share/\(link)", by: actor,
                ["of": .string("\(subject.kind)/\(subject.id)"), "name": .string(fileName)])
        }
    }
}
