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
        let identities: Identities
        let identity: SigningIdentity
        let witnesses: Witnesses
        /// Whom it signs for.
        let caller: Caller
        let time: Int64

        public func sign(_ bytes: [UInt8]) throws -> [UInt8] {
            let wish = SigningWish(at: time)
            return try Identities.explained {
                try PaperSigner(bytes, now: time).sign(
                    with: identities.signatory(identity, witnesses, by: caller), wish)
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
    public func pen(
        _ id: ID<KeptIdentity>, asking witnesses: Witnesses = .nobody, for work: String, by actor: String
    ) throws -> Pen {
        let identity = try opened(id, by: .local)
        let holder = try holder(of: id)
        try store.write { tx in
            tx.note(
                "identity.used", "identity/\(id)", by: actor,
                ["name": .string(identity.certificate.name), "paper": .string(work)])
        }
        return Pen(
            identities: self, identity: identity, witnesses: witnesses, caller: holder,
            time: store.clock.now().milliseconds / 1000)
    }

    /// Where witnesses may be looked for depends on what whoever is signed for may do now.
    private func holder(of id: ID<KeptIdentity>) throws -> Caller {
        let member: ID<Member>? = try store.read { desk in
            try desk.row("SELECT member_id FROM signing_identity WHERE id = \(id)")?.optionalID("member_id")
        }
        return try access.members.caller(actor: member.map { "member/\($0)" } ?? "")
    }
}
