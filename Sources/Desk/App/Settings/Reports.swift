public import Bytes
import SQL
public import Storage
public import Work

/// What maintenance found or did, and when: the last backups, the last verification, the last test mail.
public struct Report: Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
        case backup, verification, sweep, purge, prune, mailTest, engineTrial
    }

    public let id: ID<Report>
    public let kind: Kind
    public let at: Moment
    public let isGood: Bool
    /// What to tell a person.
    public let sentence: String
    public let detail: JSON
}

public struct Reports: Sendable {
    let store: Store

    public init(_ store: Store) {
        self.store = store
    }

    public func latest(_ kind: Report.Kind) throws -> Report? { try list(kind, limit: 1).first }

    /// The newest first.
    public func list(_ kind: Report.Kind, limit: Int = 20) throws -> [Report] {
        try store.read { desk in
            try desk.rows(
                "SELECT * FROM report WHERE kind = \(kind.rawValue) ORDER BY id DESC LIMIT \(limit)"
            ).compactMap(Report.init)
        }
    }

    @discardableResult
    func add(
        _ kind: Report.Kind, isGood: Bool, _ sentence: String, _ detail: JSON, in tx: borrowing Transaction
    ) throws -> ID<Report> {
        let id = tx.newID(of: Report.self)
        try tx.run(
            """
            INSERT INTO report (id, kind, at, is_good, sentence, detail)
            VALUES (\(id), \(kind.rawValue), \(tx.now), \(isGood), \(sentence), \(detail.text))
            """)
        return id
    }

    /// Old reports go, but of each kind the last hundred stay.
    func prune(in tx: borrowing Transaction) throws {
        for kind in Report.Kind.allCases {
            try tx.run(
                """
                DELETE FROM report WHERE kind = \(kind.rawValue) AND id NOT IN
                (SELECT id FROM report WHERE kind = \(kind.rawValue) ORDER BY id DESC LIMIT 100)
                """)
        }
    }
}

extension Report {
    init?(_ row: Row) throws {
        guard let kind = Kind(rawValue: try row.text("kind")) else { return nil }
        id = try row.id("id")
        self.kind = kind
        at = try row.moment("at")
        isGood = try row.bool("is_good")
        sentence = try row.text("sentence")
        detail = try JSON(parsing: row.text("detail"))
    }
}
