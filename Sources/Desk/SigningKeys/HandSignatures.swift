public import Access
public import Bytes
import Crypto
import SQL
public import Storage
import Work

/// Names written by hand, as their owners put them on papers: drawn, typed or photographed. Each is sealed and belongs to its
/// member alone; it is no proof of anything, which is what certificates are for.
public struct HandSignature: Sendable, Equatable {
    public let id: ID<HandSignature>
    /// Strokes, a text or a picture, as the page of marks has it.
    public let content: JSON

    public static let most = 12
    public static let largest = 1 << 20
}

extension Identities {
    /// Their owner may want to be asked first, with passkey or password, whether it is really they.
    public func handSignatures(by caller: Caller) throws -> [HandSignature] {
        try caller.require(.edit)
        if try areHandSignaturesGuarded(by: caller) { try access.sessions.requireFreshProof(of: caller) }
        let seal = try key()
        return try store.read { desk in
            let member = try caller.memberID ?? Self.firstOwner(in: desk)
            let rows = try desk.rows("SELECT * FROM hand_signature WHERE member_id = \(member) ORDER BY id")
            return try rows.compactMap { row in
                let id: ID<HandSignature> = try row.id("id")
                guard let bytes = seal.open(try row.blob("sealed"), for: Self.place(of: id)),
                    let content = try? JSON(parsing: bytes)
                else { return nil }
                return HandSignature(id: id, content: content)
            }
        }
    }

    public func areHandSignaturesGuarded(by caller: Caller) throws -> Bool {
        try caller.require(.edit)
        return try store.read { desk in
            let member = try caller.memberID ?? Self.firstOwner(in: desk)
            return try desk.row("SELECT 1 AS n FROM hand_signature_guard WHERE member_id = \(member)") != nil
        }
    }

    /// Whoever takes the guard away shows first who they are.
    public func guardHandSignatures(_ isGuarded: Bool, by caller: Caller) throws {
        try caller.require(.edit)
        if !isGuarded { try access.sessions.requireFreshProof(of: caller) }
        try store.write { tx in
            guard let member = try caller.memberID ?? Self.firstOwner(in: tx) else {
                throw Failure(.denied, "A signature belongs to somebody who can sign in.")
            }
            try tx.run("DELETE FROM hand_signature_guard WHERE member_id = \(member)")
            if isGuarded { try tx.run("INSERT INTO hand_signature_guard (member_id) VALUES (\(member))") }
        }
    }

    public func keep(handSignature content: JSON, by caller: Caller) throws -> HandSignature {
        try caller.require(.edit)
        let bytes = content.bytes
        guard bytes.count <= HandSignature.largest else {
            throw Failure(.tooLarge, "The signature is larger than can be kept. Make the picture smaller.")
        }
        let isSomething = ["strokes", "text", "picture"].contains { name in
            content[name].map { $0.string?.isEmpty == false || $0.array?.isEmpty == false } ?? false
        }
        guard isSomething else { throw Failure(.invalid, "There is no signature in this.") }
        let seal = try key()
        return try store.write { tx in
            guard let member = try caller.memberID ?? Self.firstOwner(in: tx) else {
                throw Failure(.denied, "A signature belongs to somebody who can sign in.")
            }
            let count =
                try tx.row("SELECT count(*) AS n FROM hand_signature WHERE member_id = \(member)")?.int("n")
                ?? 0
            guard count < HandSignature.most else {
                throw Failure(
                    .tooMany, "There are \(HandSignature.most) signatures already, as many as can be.")
            }
            let id = tx.newID(of: HandSignature.self)
            try tx.run(
                """
                INSERT INTO hand_signature (id, member_id, sealed, made_at)
                VALUES (\(id), \(member), \(seal.seal(bytes, for: Self.place(of: id))), \(tx.now))
                """)
            return HandSignature(id: id, content: content)
        }
    }

    public func remove(handSignature id: ID<HandSignature>, by caller: Caller) throws {
        try caller.require(.edit)
        try store.write { tx in
            let member = try caller.memberID ?? Self.firstOwner(in: tx)
            let gone = try tx.run(
                "DELETE FROM hand_signature WHERE id = \(id) AND member_id = \(member)")
            guard gone == 1 else {
                throw Failure(.notFound, "There is no such signature. It may have been removed.")
            }
        }
    }

    private static func place(of id: ID<HandSignature>) -> String { "hand-signature/\(id)" }
}
