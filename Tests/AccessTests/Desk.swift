import Access
import Bytes
import Crypto
import SQL
import Storage
import TestSupport
import Work

/// A desk owned by Ada, with a clock that is set by hand. Argon2id costs the least it can here.
struct Desk {
    let access: Gate
    let clock: HandClock
    let ada: SignedIn

    var store: Store { access.store }

    static let adasPassword = "Analytical engine 1843"
    static let home = Visitor(address: "192.0.2.7", userAgent: Agents.firefoxOnLinux)
    static let machine = Visitor(address: "127.0.0.1", userAgent: Agents.firefoxOnLinux, isLoopback: true)
    static let stranger = Visitor(address: "198.51.100.66", userAgent: Agents.chromeOnAndroid)
    static let party = RelyingParty(id: "desk.example", name: "Quire", origins: ["https://desk.example"])

    /// Somebody who joins by invitation and signs in with a password.
    func join(_ name: String, as role: Role) throws -> SignedIn {
        let invitation = try access.invitations.make(role: role, by: ada.caller)
        return try access.invitations.accept(
            invitation.token.text, name: name, signInName: name.lowercased(), password: password(of: name),
            from: Desk.home)
    }

    func password(of name: String) -> String { "the paper desk of \(name)" }

    func presence(_ signedIn: SignedIn, counts: Bool = true) throws -> Presence {
        try access.sessions.presence(of: signedIn.token.text, from: Desk.home, counts: counts)
    }

    func isPresent(_ signedIn: SignedIn) throws -> Bool {
        if case .present = try presence(signedIn) { true } else { false }
    }

    func isLocked(_ signedIn: SignedIn) throws -> Bool {
        if case .locked = try presence(signedIn) { true } else { false }
    }

    func verbs() throws -> [String] { try store.journal.lines(limit: 1000).map(\.entry.verb) }
}

enum Agents {
    static let firefoxOnLinux = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
    static let safariOnIPhone =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1"
    static let chromeOnAndroid =
        "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36"
    static let edgeOnWindows =
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0"
}

func withEmptyDesk<R>(
    _ kind: Database.Kind, plans: PlanBook = .selfHosted, _ body: (Gate, HandClock) throws -> R
) throws -> R {
    let clock = HandClock()
    return try withStore(kind, areas: [Gate.migrations], clock: clock.clock) { store in
        var policy = AccessPolicy()
        policy.passwordCost = .least
        return try body(Gate(store, policy: policy, plans: plans), clock)
    }
}

func withDesk<R>(
    _ kind: Database.Kind, plans: PlanBook = .selfHosted, _ body: (Desk) throws -> R
) throws -> R {
    try withEmptyDesk(kind, plans: plans) { access, clock in
        let ada = try access.firstOwner.setUp(
            name: "Ada", signInName: "ada@example.org", password: Desk.adasPassword, from: Desk.machine)
        return try body(Desk(access: access, clock: clock, ada: ada))
    }
}

/// The code of the failure that the body throws; nil when it throws none.
func failure(_ body: () throws -> Void) -> Failure? {
    do {
        try body()
        return nil
    } catch let failure as Failure {
        return failure
    } catch {
        return Failure(.unavailable, "not a Failure at all: \(error)")
    }
}
