internal import Bytes
internal import Crypto
internal import SQL
public import Storage
internal import Synchronization

/// Passwords: long enough, not the ones everybody tries, nothing else demanded of them.
public struct Passwords: Sendable {
    let access: Gate

    public static let minimumLength = 10
    /// Longer than anybody types; it only bounds the work.
    public static let maximumBytes = 1024

    /// Changes one's own. Every other session of this member ends: the old password may have been known.
    public func change(from current: String?, to new: String, by caller: Caller, from visitor: Visitor) throws
    {
        guard let id = caller.memberID, case .session(let session) = caller.via else {
            throw Failure(.denied, "Sign in to change your password.")
        }
        let member = try access.members.get(id)
        if member.hasPassword {
            try access.signIn.proveByPassword(member, current ?? "", field: "current", from: visitor)
        } else {
            try access.sessions.requireFreshProof(session)
        }
        let hash = try hash(new, for: [member.name, member.signInName], field: "new")
        try access.store.write { tx in
            try tx.run("UPDATE member SET password_hash = \(hash) WHERE id = \(id)")
            try tx.run("DELETE FROM session WHERE member_id = \(id) AND id <> \(session)")
            tx.note("password.changed", id.path("member"), by: caller.actor, visitor.detail())
        }
    }

    /// For those who lost theirs: done at the machine, where the database lies open anyway. All their sessions end.
    public func reset(_ id: ID<Member>, to new: String, by caller: Caller) throws {
        guard caller.via == .local else {
            throw Failure(
                .denied, "A lost password is set anew on the machine itself: quire users password NAME.")
        }
        let member = try access.members.get(id)
        let hash = try hash(new, for: [member.name, member.signInName])
        try access.store.write { tx in
            try tx.run("UPDATE member SET password_hash = \(hash) WHERE id = \(id)")
            try tx.run("DELETE FROM session WHERE member_id = \(id)")
            try access.lockOut.forget(member.signInName, in: tx)
            tx.note("password.reset", id.path("member"), by: caller.actor)
        }
    }

    /// For people who sign in by passkey alone.
    public func remove(by caller: Caller, from visitor: Visitor) throws {
        guard let id = caller.memberID, case .session(let session) = caller.via else {
            throw Failure(.denied, "Sign in to remove your password.")
        }
        try access.sessions.requireFreshProof(session)
        try access.store.write { tx in
            guard try Member.one(id, in: tx).passkeyCount > 0 else {
                throw Failure(.conflict, "Your password is your only way in. Add a passkey first.")
            }
            try tx.run("UPDATE member SET password_hash = \(String?.none) WHERE id = \(id)")
            tx.note("password.removed", id.path("member"), by: caller.actor, visitor.detail())
        }
    }

    /// Says what is wrong with a password, nil when nothing is. `names` are what the member is called: a password
    /// must be more than that.
    public func objection(to password: String, names: [String]) -> String? {
        if password.count < Self.minimumLength {
            return "Use at least \(Self.minimumLength) characters; a few words in a row are easy to remember."
        }
        if password.utf8.count > Self.maximumBytes { return "Use at most \(Self.maximumBytes) characters." }
        if CommonPasswords.contains(password)
            || names.contains(where: { $0.lowercased() == password.lowercased() })
        {
            return "This is one of the first passwords anybody would try. Choose another one."
        }
        return nil
    }

    func hash(_ password: String, for names: [String], field: String = "password") throws -> String {
        if let objection = objection(to: password, names: names) {
            throw Failure(.invalid, objection, field: field)
        }
        do {
            return try PasswordHash.make(password, cost: access.policy.passwordCost)
        } catch {
            throw Failure(
                .unavailable, "The machine is short of memory. Try again in a moment.", cause: "\(error)")
        }
    }
}

/// A hash of nothing anybody knows, checked when there is no member of the given name, so that a wrong name takes
/// as long as a wrong password. Made before the first answer that could be compared.
final class DecoyPassword: Sendable {
    private let made = Mutex<(cost: PasswordHash.Cost, hash: String)?>(nil)

    func hash(cost: PasswordHash.Cost) -> String {
        if let kept = made.withLock({ $0 }), kept.cost == cost { return kept.hash }
        let secret = Base64.encode(SecureRandom.bytes(24))
        // Without memory for it the real check would fail as well.
        guard let hash = try? PasswordHash.make(secret, cost: cost) else { return "" }
        made.withLock { $0 = (cost, hash) }
        return hash
    }
}
