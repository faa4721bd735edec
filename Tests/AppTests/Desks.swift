import Access
import App
import Crypto
import SQL
import Storage
import TestSupport
import Testing
import Work

/// A desk for one test. The flags come on top of a scratch data directory and a database of the wanted kind.
func withQuire<R>(
    _ kind: Database.Kind = .sqlite, flags: [String: String] = [:], hands: HandClock = HandClock(),
    role: Quire.Role = .command, _ body: (Quire) throws -> R
) throws -> R {
    try withConfig(kind, flags: flags) { config in
        let quire = try Quire.open(config, role: role, clock: hands.clock, chance: .seeded(1), log: .silent)
        defer { quire.stop() }
        return try body(quire)
    }
}

func withConfig<R>(
    _ kind: Database.Kind = .sqlite, flags: [String: String] = [:], _ body: (Config) throws -> R
) throws -> R {
    try withScratchFolder { folder in
        var flags = flags
        flags["home"] = "\(folder)/desk"
        switch kind {
        case .sqlite: return try body(Config.load(flags: flags, environment: ["HOME": folder]))
        case .postgres:
            return try withDatabaseAddress(.postgres) { address in
                flags["database"] = address
                return try body(Config.load(flags: flags, environment: ["HOME": folder]))
            }
        }
    }
}

/// A viewer called Grace on a desk that belongs to Ada.
func viewer(on quire: Quire) throws -> Caller {
    let visitor = Visitor(address: "127.0.0.1", isLoopback: true)
    let ada = try quire.access.firstOwner.setUp(
        name: "Ada", signInName: "ada", password: "correct horse battery", from: visitor)
    let invitation = try quire.access.invitations.make(role: .viewer, by: ada.caller)
    return try quire.access.invitations.accept(
        invitation.token.text, name: "Grace", signInName: "grace", password: "another long password",
        from: visitor
    ).caller
}
