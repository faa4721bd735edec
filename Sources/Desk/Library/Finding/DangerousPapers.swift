import Bytes
import Jobs
public import SQL
public import Storage
import Work

/// Papers that were being read when the process ended. One that ends it again and again is set aside, so that the others
/// are read.
public struct DangerousPapers: Sendable {
    /// So often a paper may end the process.
    static let most = 3

    let store: Store

    public init(_ store: Store) {
        self.store = store
    }

    /// Counts what processes had in hand when they ended. To be called before a server does anything else.
    public func count() throws {
        let left = try store.leftInHand().compactMap { text -> (id: ID<Document>, digest: Digest)? in
            let words = text.split(separator: " ")
            guard words.count == 2, let id = ID<Document>(String(words[0])),
                let digest = Digest(String(words[1]))
            else { return nil }
            return (id, digest)
        }
        guard !left.isEmpty else { return }
        try store.write { tx in
            for (id, digest) in left {
                guard try tx.row("SELECT 1 AS one FROM document WHERE id = \(id)") != nil else { continue }
                try tx.run(
                    """
                    INSERT INTO dangerous_paper (document, digest, deaths) VALUES (\(id), \(digest.hex), 1)
                    ON CONFLICT (document) DO UPDATE SET digest = excluded.digest,
                        deaths = CASE WHEN dangerous_paper.digest = excluded.digest
                            THEN dangerous_paper.deaths + 1 ELSE 1 END
                    """)
            }
        }
    }

    /// Whether some paper is under suspicion; then papers are taken up one at a time, so that the right one is blamed.
    func areSuspected() throws -> Bool {
        try store.read { desk in
            try desk.row("SELECT 1 AS one FROM dangerous_paper WHERE deaths < \(Self.most) LIMIT 1") != nil
        }
    }

    /// Why this paper is not to be taken up any more; nil when it may be.
    func reason(against document: Document) throws -> String? {
        let row = try store.read { desk in
            try desk.row(
                """
                SELECT deaths FROM dangerous_paper
                WHERE document = \(document.id) AND digest = \(document.blob.digest.hex)
                """)
        }
        guard let deaths = try row?.int("deaths"), deaths >= Self.most else { return nil }
        return "Quire ended \(deaths) times while it read this paper, so it is left unread."
    }

    /// Does it, and says meanwhile which paper is in hand.
    func holding<R>(_ document: Document, _ body: () throws -> R) throws -> R {
        try store.holding("\(document.id.text) \(document.blob.digest.hex)", body)
    }

    /// It has been read without harm, or is to be tried once more.
    static func clear(_ id: ID<Document>, in tx: borrowing Transaction) throws {
        try tx.run("DELETE FROM dangerous_paper WHERE document = \(id)")
    }

    /// The names of those that were set aside, without what lies in private folders.
    public static func names(in connection: borrowing Connection) throws -> [String] {
        try connection.rows(
            """
            SELECT name FROM document JOIN dangerous_paper
                ON document.id = dangerous_paper.document AND document.digest = dangerous_paper.digest
            WHERE deaths >= \(most) AND NOT EXISTS
                (SELECT 1 FROM folder WHERE folder.id = document.folder AND folder.hidden = 1)
            ORDER BY name
            """
        ).map { try $0.text("name") }
    }
}

extension Documents {
    static let dangerousPapers = Migration(
        "papers that end the process",
        script: """
            CREATE TABLE dangerous_paper (
                document TEXT NOT NULL PRIMARY KEY REFERENCES document (id) ON DELETE CASCADE,
                digest TEXT NOT NULL,
                deaths INTEGER NOT NULL CHECK (deaths > 0)
            );
            """)
}
