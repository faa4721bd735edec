internal import Work
public import Bytes
internal import Crypto
internal import SQL
public import Storage

/// Signing in with passkeys (WebAuthn level 3): no name to type, nothing to phish, and always with the device's
/// own check of its user (finger, face or code).
public struct Passkeys: Sendable {
    let access: Gate

    public func list(of id: ID<Member>) throws -> [Passkey] {
        try access.store.read { desk in
            try desk.rows("SELECT * FROM passkey WHERE member_id = \(id) ORDER BY made_at, id").map(
                Passkey.init)
        }
    }

    /// The question for `navigator.credentials.create`, as `PublicKeyCredentialCreationOptionsJSON`. Only for
    /// somebody who was just there in person: a passkey lets in for years.
    public func registrationOptions(for caller: Caller, at party: RelyingParty) throws -> JSON {
        guard let id = caller.memberID, case .session(let session) = caller.via else {
            throw Self.signInFirst
        }
        try access.sessions.requireFreshProof(session)
        let member = try access.members.get(id)
        let known = try list(of: id).filter { $0.relyingParty == party.id }
        let handle = try access.store.read { desk in
            try desk.row("SELECT handle FROM member WHERE id = \(id)")
        }
        guard let handle = try handle?.blob("handle") else { throw Self.signInFirst }
        return creationOptions(
            .registration(id), handle: handle, name: member.name, signInName: member.signInName,
            excluding: known, at: party)
    }

    /// Keeps the new passkey. `response` is what `navigator.credentials.create` gave, as `toJSON()` writes it.
    @discardableResult
    public func register(
        _ response: JSON, name: String = "", by caller: Caller, from visitor: Visitor
    ) throws -> Passkey {
        guard let member = caller.memberID, case .session = caller.via else { throw Self.signInFirst }
        let label = name.trimmed.isEmpty ? Device.name(fromUserAgent: visitor.userAgent) : name
        let name = try DisplayName(label, of: "the passkey a name")
        let registration: Registration
        let party: RelyingParty
        do {
            party = try ceremony(response, .registration(member))
            registration = try Registration(response, for: party)
        } catch {
            try note(error, "passkey.refused", subject: member.path("member"), by: caller.actor, visitor)
            throw Self.refused(error)
        }
        return try access.store.write { tx in
            try Self.add(registration, for: party, name: name.text, to: member, from: visitor, in: tx)
        }
    }

    /// The question for `navigator.credentials.get` at sign-in: any passkey of this site will do.
    public func signInOptions(at party: RelyingParty, from visitor: Visitor) throws -> JSON {
        try access.limits.take(.ceremony, for: RateLimits.subject(ofAddress: visitor.address))
        return assertionOptions(.signIn, at: party, allowing: [])
    }

    /// The question that unlocks a session: only its own member's passkeys.
    public func unlockOptions(for session: Session, at party: RelyingParty) throws -> JSON {
        let known = try list(of: session.memberID).filter { $0.relyingParty == party.id }
        return assertionOptions(.unlock(session.id), at: party, allowing: known)
    }

    @discardableResult
    public func rename(_ id: ID<Passkey>, to name: String, by caller: Caller) throws -> Passkey {
        let name = try DisplayName(name, of: "the passkey a name")
        return try access.store.write { tx in
            try Self.requireOwn(id, caller, in: tx)
            try tx.run("UPDATE passkey SET name = \(name.text) WHERE id = \(id)")
            tx.note("passkey.renamed", id.path("passkey"), by: caller.actor, ["name": .string(name.text)])
            return try Self.one("id = \(id)", in: tx)
        }
    }

    /// Not the last way in.
    public func remove(_ id: ID<Passkey>, by caller: Caller, from visitor: Visitor) throws {
        try access.store.write { tx in
            let passkey = try Self.requireOwn(id, caller, in: tx)
            let member = try Member.one(passkey.memberID, in: tx)
            guard member.hasPassword || member.passkeyCount > 1 else {
                throw Failure(
                    .conflict,
                    "This passkey is your only way in. Set a password or add another passkey first.")
            }
            try tx.run("DELETE FROM passkey WHERE id = \(id)")
            tx.note(
                "passkey.removed", id.path("passkey"), by: caller.actor,
                visitor.detail(["name": .string(passkey.name)]))
        }
    }

    /// Checks an answer and, with the member whose passkey it is, does what it was wanted for, all in one
    /// transaction, so that no counter moves for something that then did not happen.
    func prove<R>(
        _ response: JSON, for purpose: Challenges.Purpose, from visitor: Visitor,
        then act: (Member, borrowing Transaction) throws -> R
    ) throws -> R {
        do {
            let party = try ceremony(response, purpose)
            let assertion = try Assertion(response, for: party)
            return try access.store.write { tx in
                let row = try tx.row("SELECT * FROM passkey WHERE credential = \(assertion.credentialID)")
                guard let passkey = try row.map(Passkey.init), passkey.relyingParty == party.id else {
                    throw PasskeyRefusal.unknownCredential
                }
                try assertion.check(passkey.publicKey, storedCount: passkey.signCount)
                try Self.requireHandle(assertion, of: passkey, purpose, in: tx)
                try tx.run(
                    """
                    UPDATE passkey SET sign_count = \(Int64(assertion.authenticator.signCount)),
                        backed_up = \(assertion.authenticator.flags.contains(.backedUp)), used_at = \(tx.now)
                    WHERE id = \(passkey.id)
                    """)
                return try act(Member.one(passkey.memberID, in: tx), tx)
            }
        } catch let refusal as PasskeyRefusal {
            try note(refusal, "sign-in.failed", subject: "member/unknown", by: "visitor", visitor)
            throw Failure(
                .signInNeeded, "This passkey was not accepted. Try once more, or sign in another way.",
                cause: refusal.description)
        }
    }

    static let algorithms: [SignatureAlgorithm] = [.es256, .edDSA, .rs256]

    /// Writes a checked registration down as its member's.
    static func add(
        _ registration: Registration, for party: RelyingParty, name: String, to member: ID<Member>,
        from visitor: Visitor, in tx: borrowing Transaction
    ) throws -> Passkey {
        let credential = registration.credential
        guard try tx.row("SELECT id FROM passkey WHERE credential = \(credential.id)") == nil else {
            throw Failure(.conflict, "This passkey is known here already.")
        }
        let id: ID<Passkey> = tx.newID()
        try tx.run(
            """
            INSERT INTO passkey (id, member_id, name, credential, relying_party, public_key, sign_count,
                backed_up, transports, made_at)
            VALUES (\(id), \(member), \(name), \(credential.id), \(party.id), \(credential.key.cose.encoded),
                \(Int64(registration.authenticator.signCount)),
                \(registration.authenticator.flags.contains(.backedUp)),
                \(registration.transports.joined(separator: " ")), \(tx.now))
            """)
        tx.note(
            "passkey.added", id.path("passkey"), by: member.path("member"),
            visitor.detail(["name": .string(name)]))
        return try one("id = \(id)", in: tx)
    }

    /// Looks up the open question this answers before anything else is read, so that every answer, good or bad,
    /// uses its question up.
    func ceremony(
        _ response: JSON, _ purpose: Challenges.Purpose
    ) throws(PasskeyRefusal) -> RelyingParty {
        let text = response["response"]?["clientDataJSON"]?.string ?? ""
        guard text.utf8.count <= 12_000, let bytes = Base64.urlDecode(text) else {
            throw .malformed("clientDataJSON")
        }
        guard let party = access.challenges.take(try ClientData(bytes).challenge, for: purpose) else {
            throw .unknownChallenge
        }
        return party
    }

    func creationOptions(
        _ purpose: Challenges.Purpose, handle: [UInt8], name: String, signInName: String,
        excluding known: [Passkey], at party: RelyingParty
    ) -> JSON {
        let life = access.policy.ceremonyLife
        let challenge = access.challenges.ask(purpose, for: party, life: life)
        return [
            "challenge": .string(Base64.urlEncode(challenge)),
            "rp": ["id": .string(party.id), "name": .string(party.name)],
            "user": [
                "id": .string(Base64.urlEncode(handle)), "name": .string(signInName),
                "displayName": .string(name),
            ],
            "pubKeyCredParams": .array(
                Self.algorithms.map { ["type": "public-key", "alg": .int($0.rawValue)] }),
            "excludeCredentials": .array(known.map(Self.descriptor)),
            "authenticatorSelection": [
                "residentKey": "required", "requireResidentKey": true, "userVerification": "required",
            ],
            "attestation": "none",
            "timeout": .integer(life.wholeMilliseconds),
        ]
    }

    static func refused(_ refusal: PasskeyRefusal) -> Failure {
        Failure(
            .invalid,
            "This passkey could not be added. Try once more, and confirm with your device's lock.",
            cause: refusal.description)
    }

    private static let signInFirst = Failure(.signInNeeded, "Sign in to add a passkey.")

    /// WebAuthn §7.2 step 6: without a name typed first, the authenticator must say whose key it is.
    private static func requireHandle(
        _ assertion: Assertion, of passkey: Passkey, _ purpose: Challenges.Purpose,
        in tx: borrowing Transaction
    ) throws {
        guard let handle = assertion.userHandle else {
            guard purpose != .signIn else { throw PasskeyRefusal.wrongUser }
            return
        }
        let row = try tx.row("SELECT handle FROM member WHERE id = \(passkey.memberID)")
        guard let stored = try row?.blob("handle"), constantTimeEquals(stored, handle) else {
            throw PasskeyRefusal.wrongUser
        }
    }

    private func assertionOptions(
        _ purpose: Challenges.Purpose, at party: RelyingParty, allowing known: [Passkey]
    ) -> JSON {
        let life = access.policy.ceremonyLife
        let challenge = access.challenges.ask(purpose, for: party, life: life)
        return [
            "challenge": .string(Base64.urlEncode(challenge)), "rpId": .string(party.id),
            "allowCredentials": .array(known.map(Self.descriptor)), "userVerification": "required",
            "timeout": .integer(life.wholeMilliseconds),
        ]
    }

    private static func descriptor(_ passkey: Passkey) -> JSON {
        [
            "type": "public-key", "id": .string(Base64.urlEncode(passkey.credential)),
            "transports": .array(passkey.transports.map(JSON.string)),
        ]
    }

    private static func one(
        _ condition: Query, in desk: borrowing some Readable & ~Copyable
    ) throws -> Passkey {
        guard let row = try desk.row("SELECT * FROM passkey WHERE " + condition) else {
            throw Failure(.notFound, "There is no such passkey. Perhaps it was removed.")
        }
        return try Passkey(row)
    }

    @discardableResult
    private static func requireOwn(
        _ id: ID<Passkey>, _ caller: Caller, in tx: borrowing Transaction
    ) throws -> Passkey {
        let passkey = try one("id = \(id)", in: tx)
        guard passkey.memberID == caller.memberID, case .session = caller.via else {
            throw Failure(.notFound, "There is no such passkey. Perhaps it was removed.")
        }
        return passkey
    }

    func note(
        _ refusal: PasskeyRefusal, _ verb: String, subject: String, by actor: String, _ visitor: Visitor
    ) throws {
        try access.store.write { tx in
            tx.note(
                verb, subject, by: actor,
                visitor.detail([
                    "method": "passkey", "because": .string(refusal.description.asPlainLine(limit: 200)),
                ]))
        }
    }
}
