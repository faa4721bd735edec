import Bytes
import Access
import Crypto
import SQL
import Storage
import Testing
import TestSupport
import Work

@Suite("Sessions")
struct SessionsTests {
    @Test("a forged, damaged or foreign token is nobody's", arguments: Database.Kind.here)
    func forged(kind: Database.Kind) throws {
        try withDesk(kind) { desk in
            let real = desk.ada.token.text
            let api = try desk.access.tokens.make(name: "script", scopes: [.read], by: desk.ada.caller).token
                .text
            let forged = [
                "", " ", real + "A", String(real.dropLast()), real.uppercased(), real + "\u{0}",
                "'; DROP TABLE session; --",
                Token(prefix: "quire_session", random: SecureRandom.bytes(32)).text, api,
                desk.ada.session.id.text, String(repeating: "A", count: 100_000),
                real.replacing("quire_", with: "Quire_"),
            ]
            for token in forged {
                #expect(try desk.access.sessions.presence(of: token, from: Desk.home) == .nobody)
                if token != api { #expect(try desk.access.tokens.caller(for: token) == nil) }
            }
            #expect(try desk.isPresent(desk.ada))
        }
    }

    @Test("only the digest of a token is in the database")
    func digest() throws {
        try withDesk(.sqlite) { desk in
            let stored = try desk.store.read { try $0.row("SELECT digest FROM session")?.blob("digest") }
            #expect(stored == SHA256.hash(desk.ada.token.text))
        }
    }

    @Test(
        "a session ends when nobody used it for a month, and after half a year in any case",
        arguments: Database.Kind.here)
    func expiry(kind: Database.Kind) throws {
        try withDesk(kind) { desk in
            for _ in 0..<6 {
                desk.clock.advance(.seconds(29 * 86_400))
                #expect(try desk.isPresent(desk.ada))
            }
            desk.clock.advance(.seconds(6 * 86_400))
            #expect(try desk.presence(desk.ada) == .nobody)
            #expect(try desk.verbs().first == "session.expired")

            let idle = try desk.access.signIn.withPassword(
                "ada@example.org", Desk.adasPassword, from: Desk.home)
            desk.clock.advance(.seconds(30 * 86_400))
            #expect(try desk.presence(idle) == .nobody)
        }
    }

    @Test("the list shows every device, and one or all others can be ended", arguments: Database.Kind.here)
    func list(kind: Database.Kind) throws {
        try withDesk(kind) { desk in
            let sessions = desk.access.sessions
            var others: [SignedIn] = []
            for agent in [
                Agents.safariOnIPhone, Agents.edgeOnWindows, Agents.chromeOnAndroid, "quire/1.0", "",
            ] {
                desk.clock.advance(.seconds(1))
                others.append(
                    try desk.access.signIn.withPassword(
                        "ada@example.org", Desk.adasPassword,
                        from: Visitor(address: "192.0.2.9", userAgent: agent)))
            }
            let list = try sessions.list(of: desk.ada.member.id, by: desk.ada.caller)
            #expect(
                list.map(\.device) == [
                    "Unknown device", "Quire command line", "Chrome on Android", "Edge on Windows",
                    "Safari on iPhone",
                    "Firefox on Linux",
                ])
            try sessions.revoke(others[0].session.id, by: desk.ada.caller)
            #expect(try desk.presence(others[0]) == .nobody)
            #expect(
                failure { try sessions.revoke(others[0].session.id, by: desk.ada.caller) }?.code == .notFound)
            #expect(try sessions.revokeOthers(of: desk.ada.caller) == 4)
            #expect(
                try sessions.list(of: desk.ada.member.id, by: desk.ada.caller).map(\.id) == [
                    desk.ada.session.id
                ])

            let vera = try desk.join("Vera", as: .viewer)
            #expect(failure { try sessions.revoke(desk.ada.session.id, by: vera.caller) }?.code == .denied)
            #expect(
                failure { _ = try sessions.list(of: desk.ada.member.id, by: vera.caller) }?.code == .denied)
            try sessions.revoke(vera.session.id, by: desk.ada.caller)
            #expect(try desk.presence(vera) == .nobody)
        }
    }

    @Test("after a restore everybody can be signed out at once", arguments: Database.Kind.here)
    func endAll(kind: Database.Kind) throws {
        try withDesk(kind) { desk in
            let vera = try desk.join("Vera", as: .viewer)
            #expect(failure { try desk.access.sessions.endAll(by: vera.caller) }?.code == .denied)
            #expect(try desk.access.sessions.endAll(by: .local) == 2)
            #expect(try desk.presence(desk.ada) == .nobody)
            #expect(try desk.presence(vera) == .nobody)
        }
    }

    @Test("being seen is noted once a minute, with the address")
    func seen() throws {
        try withDesk(.sqlite) { desk in
            func seenAt() throws -> Moment? {
                try desk.access.sessions.list(of: desk.ada.member.id, by: .local).first?.seenAt
            }
            let start = try seenAt()
            _ = try desk.access.sessions.presence(of: desk.ada.token.text, from: Desk.machine)
            desk.clock.advance(.seconds(59))
            _ = try desk.access.sessions.presence(of: desk.ada.token.text, from: Desk.machine)
            #expect(try seenAt() == start)
            desk.clock.advance(.seconds(1))
            _ = try desk.access.sessions.presence(of: desk.ada.token.text, from: Desk.home)
            #expect(try seenAt() == desk.clock.now)
            #expect(
                try desk.access.sessions.list(of: desk.ada.member.id, by: .local).first?.address
                    == "192.0.2.7")
        }
    }

    @Test(
        "an idle desk locks, keeps its session, and a password or passkey continues it",
        arguments: Database.Kind.here)
    func lock(kind: Database.Kind) throws {
        try withDesk(kind) { desk in
            desk.access.policy.lockAfter = .seconds(600)
            var phone = try Phone()
            try desk.register(&phone)
            for _ in 0..<5 {
                desk.clock.advance(.seconds(599))
                #expect(try desk.isPresent(desk.ada))
            }
            // What a page does by itself does not count as somebody being there.
            desk.clock.advance(.seconds(300))
            _ = try desk.presence(desk.ada, counts: false)
            desk.clock.advance(.seconds(300))
            #expect(try desk.isLocked(desk.ada))
            #expect(try desk.isLocked(desk.ada), "and stays so")

            #expect(
                failure {
                    try desk.access.signIn.unlock(desk.ada.session, password: "wrong", from: Desk.home)
                }?.code
                    == .denied)
            let unlocked = try desk.access.signIn.unlock(
                desk.ada.session, password: Desk.adasPassword, from: Desk.home)
            #expect(unlocked.id == desk.ada.session.id)
            #expect(try desk.isPresent(desk.ada), "with the same token")

            try desk.access.sessions.lock(by: desk.ada.caller)
            #expect(try desk.isLocked(desk.ada))
            let options = try desk.access.passkeys.unlockOptions(for: desk.ada.session, at: Desk.party)
            #expect(options["allowCredentials"]?.array?.count == 1)
            let answer = try phone.get(options, withHandle: false)
            try desk.access.signIn.unlock(desk.ada.session, passkey: answer, from: Desk.home)
            #expect(try desk.isPresent(desk.ada))
        }
    }

    @Test("somebody else's passkey does not unlock my session")
    func lockedForOthers() throws {
        try withDesk(.sqlite) { desk in
            var phone = try Phone()
            try desk.register(&phone)
            let ed = try desk.join("Ed", as: .editor)
            try desk.access.sessions.lock(by: ed.caller)
            let options = try desk.access.passkeys.unlockOptions(for: ed.session, at: Desk.party)
            let answer = try phone.get(options)
            #expect(
                failure { try desk.access.signIn.unlock(ed.session, passkey: answer, from: Desk.home) } != nil
            )
            #expect(try desk.isLocked(ed))
        }
    }

    @Test("signing out ends the session at once")
    func signOut() throws {
        try withDesk(.sqlite) { desk in
            try desk.access.signIn.signOut(desk.ada.caller)
            #expect(try desk.presence(desk.ada) == .nobody)
            #expect(
                failure {
                    try desk.access.signIn.unlock(
                        desk.ada.session, password: Desk.adasPassword, from: Desk.home)
                }?.code == .signInNeeded)
        }
    }

    @Test("a clock that goes backwards neither ends nor locks a session")
    func clockBack() throws {
        try withDesk(.sqlite) { desk in
            desk.access.policy.lockAfter = .seconds(600)
            desk.clock.advance(.seconds(-86_400))
            let afterwards = try desk.isPresent(desk.ada)
            #expect(afterwards)
            desk.clock.advance(.seconds(599))
            #expect(try desk.isPresent(desk.ada))
        }
    }

    @Test("the daily sweep removes what has ended", arguments: Database.Kind.here)
    func sweep(kind: Database.Kind) throws {
        try withDesk(kind) { desk in
            _ = try desk.access.invitations.make(role: .viewer, by: desk.ada.caller)
            let now = desk.clock.now
            _ = try desk.access.tokens.make(
                name: "a", scopes: [.read], expiresAt: now + .seconds(1), by: desk.ada.caller)
            _ = failure { _ = try desk.access.signIn.withPassword("x", "y", from: Desk.home) }
            desk.clock.advance(.seconds(200 * 86_400))
            try desk.access.sweep()
            for table in ["session", "invitation", "api_token", "sign_in_failure"] {
                let count = try desk.store.read {
                    try $0.row("SELECT count(*) AS n FROM \(raw: table)")?.int("n")
                }
                #expect(count == 0, "\(table)")
            }
        }
    }
}

@Suite("API tokens")
struct TokensTests {
    @Test("a token acts as its member within its scopes", arguments: Database.Kind.here)
    func scopes(kind: Database.Kind) throws {
        try withDesk(kind) { desk in
            let (token, entry) = try desk.access.tokens.make(
                name: "reader", scopes: [.read], by: desk.ada.caller)
            let caller = try #require(try desk.access.tokens.caller(for: token.text))
            #expect(caller.memberID == desk.ada.member.id && caller.via == .token(entry.id))
            #expect(caller.may(.view) && !caller.may(.edit) && !caller.may(.administer))
            #expect(failure { try caller.require(.edit) }?.message.contains("token") == true)
            #expect(try desk.access.tokens.list(by: desk.ada.caller).first?.usedAt == desk.clock.now)

            // It neither makes another one nor touches what only a person should.
            #expect(
                failure { _ = try desk.access.tokens.make(name: "x", scopes: [.read], by: caller) }?.code
                    == .denied)
            #expect(
                failure { try desk.access.members.rename(caller.memberID!, to: "X", by: caller) }?.code
                    == .denied)
            #expect(
                failure { _ = try desk.access.recoveryCodes.make(by: caller, from: Desk.home) }?.code
                    == .denied)
            #expect(
                failure { _ = try desk.access.passkeys.registrationOptions(for: caller, at: Desk.party) }
                    != nil)
            #expect(
                failure {
                    try desk.access.passwords.change(
                        from: Desk.adasPassword, to: "plum kettle", by: caller, from: Desk.home)
                }?.code == .denied)
        }
    }

    @Test("nobody gives a token more than they have")
    func bounded() throws {
        try withDesk(.sqlite) { desk in
            let vera = try desk.join("Vera", as: .viewer).caller
            #expect(
                failure { _ = try desk.access.tokens.make(name: "x", scopes: [.write], by: vera) }?.code
                    == .denied)
            #expect(
                failure { _ = try desk.access.tokens.make(name: "x", scopes: [], by: vera) }?.field
                    == "scopes")
            #expect(
                failure { _ = try desk.access.tokens.make(name: "", scopes: [.read], by: vera) }?.field
                    == "name")
            let mine = try desk.access.tokens.make(name: "x", scopes: [.read], by: vera).entry
            let hers = try desk.access.tokens.make(name: "y", scopes: [.admin], by: desk.ada.caller).entry
            #expect(try desk.access.tokens.list(by: vera) == [mine])
            #expect(try desk.access.tokens.list(by: desk.ada.caller).count == 2)
            #expect(failure { try desk.access.tokens.revoke(hers.id, by: vera) }?.code == .denied)
        }
    }

    @Test("expired and revoked tokens open nothing", arguments: Database.Kind.here)
    func ended(kind: Database.Kind) throws {
        try withDesk(kind) { desk in
            let now = desk.clock.now
            let short = try desk.access.tokens.make(
                name: "short", scopes: [.read], expiresAt: now + .seconds(60), by: desk.ada.caller)
            let long = try desk.access.tokens.make(name: "long", scopes: [.admin], by: .local)
            desk.clock.advance(.seconds(59))
            #expect(try desk.access.tokens.caller(for: short.token.text) != nil)
            desk.clock.advance(.seconds(1))
            #expect(try desk.access.tokens.caller(for: short.token.text) == nil)
            #expect(try desk.access.tokens.caller(for: long.token.text)?.may(.administer) == true)
            try desk.access.tokens.revoke(long.entry.id, by: desk.ada.caller)
            #expect(try desk.access.tokens.caller(for: long.token.text) == nil)
            #expect(
                failure {
                    _ = try desk.access.tokens.make(name: "x", scopes: [.read], expiresAt: now, by: .local)
                }?.field == "expiresAt")
        }
    }

    @Test(
        "a code lets in one phone to photograph, for two hours, and never as somebody who has shown who they are",
        arguments: Database.Kind.here)
    func phones(kind: Database.Kind) throws {
        try withDesk(kind) { desk in
            let phones = desk.access.phones
            let code = try phones.invite(by: desk.ada.caller).code
            #expect(try phones.owner(of: code).id == desk.ada.member.id)
            let phone = try phones.letIn(by: code, from: Desk.home)
            #expect(phone.session.onlyCaptures && !desk.ada.session.onlyCaptures)
            #expect(try phones.list(by: desk.ada.caller).map(\.id) == [phone.session.id])
            #expect(failure { _ = try phones.letIn(by: code, from: Desk.home) }?.code == .notFound, "used")
            #expect(try desk.verbs().first == "phone.let-in")
            #expect(
                failure { try desk.access.sessions.requireFreshProof(of: phone.caller) }?.code
                    == .signInNeeded)
            // It is left alone rather than locked: nobody there has a password.
            desk.access.policy.lockAfter = .seconds(600)
            desk.clock.advance(.seconds(601))
            #expect(try desk.presence(phone) == .nobody)
            #expect(try phones.list(by: desk.ada.caller).isEmpty)
            desk.access.policy.lockAfter = nil

            // A newer code is the only one, and none is for ever.
            let old = try phones.invite(by: desk.ada.caller).code
            let new = try phones.invite(by: desk.ada.caller).code
            #expect(failure { _ = try phones.owner(of: old) }?.code == .notFound)
            desk.clock.advance(.seconds(300))
            #expect(failure { _ = try phones.letIn(by: new, from: Desk.home) }?.code == .notFound)
            let long = try phones.letIn(by: phones.invite(by: desk.ada.caller).code, from: Desk.home)
            desk.clock.advance(.seconds(2 * 3600))
            #expect(try desk.presence(long) == .nobody)

            let vera = try desk.join("Vera", as: .viewer).caller
            #expect(failure { _ = try phones.invite(by: vera) }?.code == .denied)
            for bad in ["", "quire_phone_", desk.ada.token.text, String(new.dropLast()) + "A"] {
                #expect(failure { _ = try phones.owner(of: bad) }?.code == .notFound)
            }
        }
    }
}
