public import Access
import Bytes
import Crypto
import PDF
import SQL
import Signing
public import Storage
import Work

extension Identities {
    /// Signs many papers one after another, as whoever it signs for asked when their making began.
    public struct Pen: Sendable {
        let identity: SigningIdentity
        let time: Int64

        public func sign(_ bytes: [UInt8]) throws -> [UInt8] {
            let wish = SigningWish(at: time)
            return try Identities.explained {
                try PaperSigner(bytes, now: time).sign(with: Signatory(identity.writer), wish)
            }
        }
    }

    /// What one's own or anybody's is called, for those who see what was signed with it; nil when it was removed.
    public func name(of id: ID<KeptIdentity>, by caller: Caller) throws -> String? {
        try caller.require(.view)
        return try store.read { desk in
            try desk.row("SELECT name FROM signing_identity WHERE id = \(id)")?.text("name")
        }
    }

    /// Refuses who may not sign in that name.
    public func requireUse(of id: ID<KeptIdentity>, by caller: Caller) throws {
        do {
            _ = try get(id, by: caller)
        } catch let failure as Failure where failure.code == .notFound {
            throw Failure(
                .denied,
                "These papers are to be signed in somebody else's name, or with an identity that was removed. Only whose name it is can have them made.",
                field: "signer")
        }
    }

    /// - Parameter work: what is signed, for the journal.
    public func pen(_ id: ID<KeptIdentity>, for work: String, by actor: String) throws -> Pen {
        let identity = try opened(id, by: .local)
        try store.write { tx in
            tx.note(
                "identity.used", "identity/\(id)", by: actor,
                ["name": .string(identity.certificate.name), "paper": .string(work)])
        }
        return Pen(identity: identity, time: store.clock.now().milliseconds / 1000)
    }
}
