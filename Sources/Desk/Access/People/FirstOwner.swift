internal import Bytes
internal import Crypto
internal import SQL
internal import Storage
internal import Synchronization
internal import Work

/// The set-up of a new desk: whoever comes first owns it, so it must be somebody at the machine or somebody who
/// reads what the machine prints.
public struct FirstOwner: Sendable {
    let access: Gate

    /// True until somebody owns this desk, and never again afterwards.
    public func isMissing() throws -> Bool {
        try access.store.read { desk in try desk.row("SELECT one FROM first_owner") == nil }
    }

    /// Eight letters for `serve` to print; another one after each start.
    public var code: String { access.setUpCode.text }

    /// Whether this visitor still has to type the code.
    public func needsCode(_ visitor: Visitor) -> Bool { !visitor.isLoopback }

    /// - Parameter password: nil for somebody who brings a passkey, or adds one right away.
    public func setUp(
        name: String, signInName: String, password: String?, passkey: NewPasskey? = nil, code: String? = nil,
        from visitor: Visitor
    ) throws -> SignedIn {
        try access.limits.take(.signIn, for: RateLimits.subject(ofAddress: visitor.address))
        let name = try DisplayName(name)
        let signInName = try SignInName(signInName)
        try check(code: code, from: visitor)
        let hash = try password.map {
            try access.passwords.hash($0, for: [name.text, signInName.text])
        }
        let newcomer = try passkey.map { try access.passkeys.check($0, from: visitor) }
        let handle = newcomer?.handle ?? access.store.chance.bytes(32)
        let token = Sessions.newToken(access.store.chance)
        return try access.store.write { tx in
            // The row's own constraint lets only one in, however many come at the same moment.
            guard try tx.row("SELECT one FROM first_owner") == nil else { throw FirstOwner.tooLate }
            try tx.run("INSERT INTO first_owner (one, name, set_up_at) VALUES (1, \(name.text), \(tx.now))")
            let member = try Member.add(
                name: name, signInName: signInName, role: .owner, passwordHash: hash, handle: handle, in: tx)
            if let newcomer { try Passkeys.add(newcomer, to: member.id, from: visitor, in: tx) }
            tx.note("desk.set-up", member.id.path("member"), by: member.id.path("member"), visitor.detail())
            return try access.sessions.start(member, by: .setUp, token: token, from: visitor, in: tx)
        }
    }

    /// Whether this visitor may set up the desk: asked before a passkey is made for nothing.
    public func check(code: String?, from visitor: Visitor) throws {
        guard try isMissing() else { throw FirstOwner.tooLate }
        // By whichever door the code is guessed.
        if needsCode(visitor) {
            try access.limits.take(.setUpCode, for: RateLimits.subject(ofAddress: visitor.address))
        }
        guard !needsCode(visitor) || access.setUpCode.matches(code ?? "") else {
            throw Failure(
                .denied, "Type the set-up code that “quire serve” printed when it started.", field: "code")
        }
    }

    private static let tooLate = Failure(
        .conflict, "This desk has an owner already. Sign in, or ask them for an invitation.")
}

/// Made when first asked for, and kept in memory only.
final class SetUpCode: Sendable {
    private let made = Mutex<String?>(nil)
    private let chance: Chance

    init(chance: Chance) {
        self.chance = chance
    }

    var text: String {
        made.withLock { made in
            let code = made ?? ReadableCode.make(groups: 2, chance)
            made = code
            return code
        }
    }

    func matches(_ typed: String) -> Bool {
        constantTimeEquals(Array(ReadableCode.plain(typed).utf8), Array(ReadableCode.plain(text).utf8))
    }
}

extension ReadableCode {
    static func make(groups: Int, _ chance: Chance) -> String {
        let letters = chance.bytes(groups * 4).map { Character(Unicode.Scalar(alphabet[Int($0 & 31)])) }
        return stride(from: 0, to: letters.count, by: 4).map { String(letters[$0..<$0 + 4]) }
            .joined(separator: "-")
    }
}
