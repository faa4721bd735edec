internal import Crypto
internal import SQL
public import Storage

/// Ten codes to print and put away, each good for one new password when everything else is lost.
public struct RecoveryCodes: Sendable {
    let access: Gate

    public static let count = 10

    /// Makes new ones; the ones before stop working. Shown this once, only digests are kept.
    public func make(by caller: Caller, from visitor: Visitor) throws -> [String] {
        guard let id = caller.memberID, case .session(let session) = caller.via else {
            throw Failure(.denied, "Sign in to make recovery codes.")
        }
        try access.sessions.requireFreshProof(session)
        // 80 bits each: a plain digest of that cannot be searched.
        let codes = (0..<Self.count).map { _ in ReadableCode.make(groups: 4, access.store.chance) }
        try access.store.write { tx in
            try tx.run("DELETE FROM recovery_code WHERE member_id = \(id)")
            for code in codes {
                try tx.run(
                    "INSERT INTO recovery_code (member_id, digest) VALUES (\(id), \(Self.digest(code, id)))")
            }
            tx.note("recovery-codes.made", id.path("member"), by: caller.actor, visitor.detail())
        }
        return codes
    }

    public func remaining(of id: ID<Member>) throws -> Int {
        try access.store.read { desk in
            try desk.row(
                "SELECT count(*) AS n FROM recovery_code WHERE member_id = \(id) AND used_at IS NULL")?
                .int("n") ?? 0
        }
    }

    /// Whether the code was good; it is not any more.
    static func use(_ code: String, of id: ID<Member>, in tx: borrowing Transaction) throws -> Bool {
        try tx.run(
            """
            UPDATE recovery_code SET used_at = \(tx.now)
            WHERE member_id = \(id) AND digest = \(digest(code, id)) AND used_at IS NULL
            """) == 1
    }

    private static func digest(_ code: String, _ id: ID<Member>) -> [UInt8] {
        SHA256.hash("\(id.text) \(ReadableCode.plain(code))")
    }
}
