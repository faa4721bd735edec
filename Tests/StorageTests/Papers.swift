import Bytes
import SQL
import Storage
import TestSupport

/// A small part of a desk, as the real ones are built: papers that refer to files.
enum Paper {
    static let migrations = MigrationArea(
        "papers",
        [
            Migration(
                "paper",
                script: """
                    CREATE TABLE paper (
                        id TEXT NOT NULL PRIMARY KEY,
                        title TEXT NOT NULL,
                        digest TEXT REFERENCES blob (digest),
                        above TEXT REFERENCES paper (id),
                        size REAL,
                        scribble BLOB
                    )
                    """)
        ])
}

extension Store {
    @discardableResult
    func addPaper(_ title: String, _ text: String? = nil, by actor: String = "member/ada") throws -> ID<Paper>
    {
        let digest = try text.map { try blobs.put(Array($0.utf8)) }
        return try write { tx in
            if let digest { try tx.keep(digest) }
            let id = tx.newID(of: Paper.self)
            try tx.run("INSERT INTO paper (id, title, digest) VALUES (\(id), \(title), \(digest))")
            tx.record(
                JournalEntry(
                    actor: actor, verb: "paper.added", subject: "paper/\(id)",
                    detail: ["title": .string(title)]))
            return id
        }
    }

    func titles() throws -> [String] {
        try read { desk in try desk.rows("SELECT title FROM paper ORDER BY id").map { try $0.text("title") } }
    }
}
