public import Bytes
internal import Crypto
internal import SQL
internal import Storage

/// The ways in: password, recovery code, passkey; and the ways back into a locked session.
///
/// Every failure reads alike and takes alike long, whether the name exists or not.
public struct SignIn: Sendable {
    let access: Gate

    public func withPassword(_ name: String, _ password: String, from visitor: Visitor) throws -> SignedIn {
        try limit(visitor)
        let name = SignInName(lenient: name)?.text ?? ""
        try access.lockOut.check(name, from: visitor)
        let candidate = try candidate(name)
        guard verify(password, candidate), let candidate else {
            try failed(name, candidate?.member, as: "password", from: visitor)
            throw Self.wrong
        }
        // While the password is at hand: a hash made with an older cost is made anew.
        let fresh: String? =
            PasswordHash.needsRehash(candidate.hash ?? "", cost: access.policy.passwordCost)
            ? try? PasswordHash.make(password, cost: access.policy.passwordCost) : nil
        let token = Sessions.newToken(access.store.chance)
        return try access.store.write { tx in
            // Since we looked, the password may have been changed or the member removed.
            guard try Self.passwordHash(of: candidate.member.id, in: tx) == candidate.hash else {
                throw Self.wrong
            }
            if let fresh {
                try tx.run("UPDATE member SET password_hash = \(fresh) WHERE id = \(candidate.member.id)")
            }
            try access.lockOut.succeeded(name, from: visitor, in: tx)
            return try access.sessions.start(
                candidate.member, by: .password, token: token, from: visitor, in: tx)
        }
    }

    /// For those who lost everything else: the code is used up, the password set anew, all other sessions end.
    public func withRecoveryCode(
        _ name: String, code: String, newPassword: String, from visitor: Visitor
    ) throws -> SignedIn {
        try limit(visitor)
        let name = SignInName(lenient: name)?.text ?? ""
        try access.lockOut.check(name, from: visitor)
        let member = try candidate(name)?.member
        let hash = try access.passwords.hash(
            newPassword, for: [name], field: "newPassword")
        let token = Sessions.newToken(access.store.chance)
        let signedIn = try access.store.write { tx -> SignedIn? in
            guard let member, try RecoveryCodes.use(code, of: member.id, in: tx) else { return nil }
            try tx.run("UPDATE member SET password_hash = \(hash) WHERE id = \(member.id)")
            try tx.run("DELETE FROM session WHERE member_id = \(member.id)")
            try access.lockOut.succeeded(name, from: visitor, in: tx)
            tx.note(
                "password.recovered", member.id.path("member"), by: member.id.path("member"), visitor.detail()
            )
            return try access.sessions.start(member, by: .recoveryCode, token: token, from: visitor, in: tx)
        }
        guard let signedIn else {
            try failed(name, member, as: "recovery-code", from: visitor)
            throw Failure(.signInNeeded, "The name or the recovery code is not right.")
        }
        return signedIn
    }

    /// - Parameter response: what `navigator.credentials.get` gave, as `toJSON()` writes it.
    public func withPasskey(_ response: JSON, from visitor: Visitor) throws -> SignedIn {
        try limit(visitor, .ceremony)
        let token = Sessions.newToken(access.store.chance)
        return try access.passkeys.prove(response, for: .signIn, from: visitor) { member, tx in
            try access.sessions.start(member, by: .passkey, token: token, from: visitor, in: tx)
        }
    }

    /// Continues a locked session, or confirms in an open one that it is really its owner.
    @discardableResult
    public func unlock(_ session: Session, password: String, from visitor: Visitor) throws -> Session {
        let member = try access.members.get(session.memberID)
        try proveByPassword(member, password, field: "password", from: visitor)
        return try access.store.write { tx in
            try access.sessions.unlock(session.id, by: .password, from: visitor, in: tx)
        }
    }

    @discardableResult
    public func unlock(_ session: Session, passkey response: JSON, from visitor: Visitor) throws -> Session {
        try limit(visitor, .ceremony)
        return try access.passkeys.prove(response, for: .unlock(session.id), from: visitor) { member, tx in
            guard member.id == session.memberID else { throw PasskeyRefusal.wrongUser }
            return try access.sessions.unlock(session.id, by: .passkey, from: visitor, in: tx)
        }
    }

    public func signOut(_ caller: Caller) throws {
        guard case .session(let id) = caller.via else { return }
        try access.store.write { tx in
            guard try tx.run("DELETE FROM session WHERE id = \(id)") == 1 else { return }
            tx.note("session.signed-out", id.path("session"), by: caller.actor)
        }
    }

    /// For somebody already signed in: is it they?
    func proveByPassword(
        _ member: Member, _ password: String, field: String, from visitor: Visitor
    ) throws {
        try limit(visitor)
        try access.lockOut.check(member.signInName, from: visitor)
        let candidate = try candidate(member.signInName)
        guard verify(password, candidate) else {
            try failed(member.signInName, member, as: "password", from: visitor)
            throw Failure(.denied, "This is not your password.", field: field)
        }
        try access.store.write { tx in try access.lockOut.succeeded(member.signInName, from: visitor, in: tx)
        }
    }

    private struct Candidate {
        let member: Member
        let hash: String?
    }

    private func candidate(_ name: String) throws -> Candidate? {
        try access.store.read { desk in
            guard let row = try desk.row(Member.query + " WHERE m.sign_in_name = \(name)") else { return nil }
            return Candidate(member: try Member(row), hash: try row.optionalText("password_hash"))
        }
    }

    private static func passwordHash(of id: ID<Member>, in tx: borrowing Transaction) throws -> String? {
        try tx.row("SELECT password_hash FROM member WHERE id = \(id)")?.optionalText("password_hash")
    }

    /// Does the same work for a member, for one without a password and for nobody.
    private func verify(_ password: String, _ candidate: Candidate?) -> Bool {
        let decoy = access.decoy.hash(cost: access.policy.passwordCost)
        let bounded = password.utf8.count <= Passwords.maximumBytes ? password : ""
        guard let hash = candidate?.hash else {
            _ = access.compare(bounded, decoy)
            return false
        }
        return access.compare(bounded, hash)
    }

    private func limit(_ visitor: Visitor, _ rule: RateLimits.Rule = .signIn) throws {
        try access.limits.take(rule, for: RateLimits.subject(ofAddress: visitor.address))
    }

    private func failed(_ name: String, _ member: Member?, as method: String, from visitor: Visitor) throws {
        try access.store.write { tx in
            try access.lockOut.failed(name, from: visitor, in: tx)
            // The name is kept only if it is somebody's: people type their password there now and then.
            tx.note(
                "sign-in.failed", member?.id.path("member") ?? "member/unknown", by: "visitor",
                visitor.detail(["method": .string(method)]))
        }
    }

    private static let wrong = Failure(.signInNeeded, "The name or the password is not right.")
}
