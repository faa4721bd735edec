public import Bytes
public import SQL
public import Storage
internal import Work

/// What was answered to somebody who may ask the same again, because the first answer got lost on its way: the second
/// time nothing is done twice, and the same is said.
public struct KeptAnswers: Sendable {
    public struct Answer: Sendable, Equatable {
        public var status: Int
        public var headers: JSON
        public var body: [UInt8]

        public init(status: Int, headers: JSON, body: [UInt8]) {
            self.status = status
            self.headers = headers
            self.body = body
        }
    }

    public enum Claim: Sendable, Equatable {
        /// Nobody asked this before: do it, then `keep` or `release`.
        case first
        case again(Answer)
        /// The key was used for something else.
        case different
        /// The first one is still being answered.
        case underWay
    }

    public static let life = Duration.seconds(24 * 3600)
    /// A claim that nobody kept or released belongs to a process that ended in between.
    private static let patience = Duration.seconds(600)

    let store: Store

    public init(_ store: Store) {
        self.store = store
    }

    public func claim(_ key: String, by actor: String, fingerprint: [UInt8]) throws -> Claim {
        try store.write { tx in
            try tx.run("DELETE FROM kept_answer WHERE made_at <= \(tx.now - Self.life)")
            try tx.run(
                """
                DELETE FROM kept_answer WHERE actor = \(actor) AND request_key = \(key) AND status IS NULL
                    AND made_at <= \(tx.now - Self.patience)
                """)
            let added = try tx.run(
                """
                INSERT INTO kept_answer (actor, request_key, fingerprint, made_at)
                VALUES (\(actor), \(key), \(fingerprint), \(tx.now)) ON CONFLICT (actor, request_key) DO NOTHING
                """)
            if added == 1 { return .first }
            let row = try tx.row(
                "SELECT * FROM kept_answer WHERE actor = \(actor) AND request_key = \(key)")
            guard let row, try row.blob("fingerprint") == fingerprint else { return .different }
            guard let status = try row.optionalInt("status") else { return .underWay }
            return .again(
                Answer(
                    status: status, headers: try JSON(parsing: row.text("headers")),
                    body: try row.blob("body")))
        }
    }

    public func keep(_ answer: Answer, for key: String, by actor: String) throws {
        try store.write { tx in
            _ = try tx.run(
                """
                UPDATE kept_answer SET status = \(answer.status), headers = \(answer.headers.text), body = \(answer.body)
                WHERE actor = \(actor) AND request_key = \(key)
                """)
        }
    }

    /// Nothing was done; the next one may try.
    public func release(_ key: String, by actor: String) throws {
        try store.write { tx in
            _ = try tx.run("DELETE FROM kept_answer WHERE actor = \(actor) AND request_key = \(key)")
        }
    }

    public static let migrations = MigrationArea(
        "answers",
        [
            Migration(
                "create kept answers",
                script: """
                    CREATE TABLE kept_answer (
                        actor TEXT NOT NULL,
                        request_key TEXT NOT NULL,
                        fingerprint BLOB NOT NULL,
                        made_at INTEGER NOT NULL,
                        status INTEGER,
                        headers TEXT,
                        body BLOB,
                        PRIMARY KEY (actor, request_key)
                    );
                    CREATE INDEX kept_answer_age ON kept_answer (made_at);
                    """)
        ])
}
