import Access
import Crypto
import Glibc
import SQL
import Storage
import Synchronization
import Testing
import TestSupport
import Work

@Suite("Signing in")
struct SignInTests {
    @Test("name and password open the desk, the name in any case", arguments: Database.Kind.here)
    func password(kind: Database.Kind) throws {
        try withDesk(kind) { desk in
            let signedIn = try desk.access.signIn.withPassword(
                " ADA@example.org ", Desk.adasPassword, from: Desk.home)
            #expect(signedIn.caller.memberID == desk.ada.member.id)
            #expect(signedIn.session.device == "Firefox on Linux" && signedIn.session.address == "192.0.2.7")
            #expect(try desk.isPresent(signedIn))
            #expect(signedIn.token != desk.ada.token)
        }
    }

    @Test("a wrong name and a wrong password read exactly alike")
    func alike() throws {
        try withDesk(.sqlite) { desk in
            let wrongPassword = failure {
                _ = try desk.access.signIn.withPassword("ada@example.org", "wrong password", from: Desk.home)
            }
            let wrongName = failure {
                _ = try desk.access.signIn.withPassword(
                    "nobody@example.org", "wrong password", from: Desk.home)
            }
            let noName = failure {
                _ = try desk.access.signIn.withPassword("\u{0}\n", "wrong password", from: Desk.home)
            }
            #expect(wrongPassword == wrongName && wrongName == noName && wrongName?.code == .signInNeeded)
        }
    }

    @Test("for a name nobody has the same dear work is done as for one with a wrong password")
    func sameWork() throws {
        try withDesk(.sqlite) { desk in
            let compared = Mutex<[(password: String, cost: String)]>([])
            let access = Gate(desk.store, policy: desk.access.policy) { password, hash in
                // $argon2id$v=19$m=…,t=…,p=1$ is the cost; salt and hash follow.
                let cost = hash.split(separator: "$").prefix(3).joined(separator: "$")
                compared.withLock { $0.append((password, cost)) }
                return PasswordHash.verify(password, against: hash)
            }
            let names = ["ada@example.org", "nobody@example.org", "\u{0}\n"]
            for (number, name) in names.enumerated() {
                let visitor = Visitor(address: "203.0.113.\(number)")
                _ = failure { _ = try access.signIn.withPassword(name, "wrong password", from: visitor) }
            }
            let all = compared.withLock { $0 }
            #expect(all.map(\.password) == names.map { _ in "wrong password" })
            #expect(Set(all.map(\.cost)).count == 1, "\(all.map(\.cost))")
        }
    }

    @Test("guessing is stopped after five failures and longer each time", arguments: Database.Kind.here)
    func lockOut(kind: Database.Kind) throws {
        try withDesk(kind) { desk in
            func guess(
                _ password: String = "wrong password", from visitor: Visitor = Desk.stranger
            ) -> Failure? {
                failure {
                    _ = try desk.access.signIn.withPassword("ada@example.org", password, from: visitor)
                }
            }
            for _ in 0..<5 { #expect(guess()?.code == .signInNeeded) }
            #expect(guess()?.retryAfter == .seconds(30))
            #expect(guess(Desk.adasPassword)?.code == .tooMany, "the right password has to wait as well")
            #expect(guess(Desk.adasPassword, from: Desk.home) == nil, "but not from where its owner is")

            desk.clock.advance(.seconds(30))
            #expect(guess()?.code == .signInNeeded)
            #expect(guess()?.retryAfter == .seconds(60))
            desk.clock.advance(.seconds(60))
            #expect(guess(Desk.adasPassword) == nil)
            #expect(guess()?.code == .signInNeeded, "a success begins the count anew")
        }
    }

    @Test(
        "the lock-out survives a restart, does not tell who is a member, and does not hold for a wrong clock")
    func lockOutRemembers() throws {
        try withDesk(.sqlite) { desk in
            func guess(_ access: Gate, _ name: String) -> Failure? {
                failure { _ = try access.signIn.withPassword(name, "wrong password", from: Desk.stranger) }
            }
            for name in ["ada@example.org", "nobody"] { for _ in 0..<5 { _ = guess(desk.access, name) } }
            let restarted = Gate(desk.store, policy: desk.access.policy)
            #expect(guess(restarted, "ada@example.org") == guess(restarted, "nobody"))
            #expect(guess(restarted, "nobody")?.code == .tooMany)

            desk.clock.advance(.seconds(-2 * 86_400))
            #expect(guess(Gate(desk.store, policy: desk.access.policy), "nobody")?.code == .signInNeeded)
        }
    }

    @Test("one address cannot try many names")
    func manyNames() throws {
        try withDesk(.sqlite) { desk in
            var last: Failure?
            for number in 0..<35 {
                last = failure {
                    _ = try desk.access.signIn.withPassword("name\(number)", "x", from: Desk.stranger)
                }
                desk.clock.advance(.seconds(6))
            }
            #expect(last?.code == .tooMany)
        }
    }

    @Test(
        "a stranger at an address does not lock out those who sign in from there",
        arguments: Database.Kind.here)
    func sharedAddress(kind: Database.Kind) throws {
        try withDesk(kind) { desk in
            func ada(from visitor: Visitor = Desk.home, _ password: String = Desk.adasPassword) -> Failure? {
                failure {
                    _ = try desk.access.signIn.withPassword("ada@example.org", password, from: visitor)
                }
            }
            #expect(ada() == nil)
            for number in 0..<40 {
                _ = failure {
                    _ = try desk.access.signIn.withPassword("name\(number)", "x", from: Desk.home)
                }
                desk.clock.advance(.seconds(6))
            }
            let stranger = {
                failure { _ = try desk.access.signIn.withPassword("new", "x", from: Desk.home) }
            }
            #expect(stranger()?.code == .tooMany)
            #expect(ada() == nil)
            #expect(stranger()?.code == .tooMany, "her success buys no guesses at others")
            for _ in 0..<5 { #expect(ada(from: Desk.home, "wrong")?.code == .signInNeeded) }
            #expect(ada()?.code == .tooMany, "her own account is guarded there as ever")
            // After a season nobody remembers her there.
            desk.clock.advance(.seconds(91 * 86_400))
            try desk.access.sweep()
            #expect(ada(from: Desk.stranger) == nil)
        }
    }

    @Test(
        "whoever set up the desk at an address, or joined there, is not locked out by a stranger there either"
    )
    func knownWithoutPassword() throws {
        try withDesk(.sqlite) { desk in
            _ = try desk.join("Ed", as: .editor)
            for (visitor, name, password) in [
                (Desk.machine, "ada@example.org", Desk.adasPassword),
                (Desk.home, "ed", desk.password(of: "Ed")),
            ] {
                func enter(_ name: String, _ password: String) -> Failure? {
                    failure { _ = try desk.access.signIn.withPassword(name, password, from: visitor) }
                }
                for number in 0..<40 {
                    _ = enter("name\(number)", "x")
                    desk.clock.advance(.seconds(6))
                }
                #expect(enter("new", "x")?.code == .tooMany)
                #expect(enter(name, password) == nil)
                #expect(enter("new", "x")?.code == .tooMany)
            }
        }
    }

    @Test("what people mistype before they get it right does not add up against their address")
    func lessened() throws {
        try withDesk(.sqlite) { desk in
            for _ in 0..<20 {
                for password in ["one", "two", "three", Desk.adasPassword] {
                    _ = failure {
                        _ = try desk.access.signIn.withPassword(
                            "ada@example.org", password, from: Desk.stranger)
                    }
                }
                desk.clock.advance(.seconds(60))
            }
            let count = try desk.store.read { read in
                try read.rows("SELECT count FROM sign_in_failure WHERE substr(key, 1, 1) = '@'").count
            }
            #expect(count == 0)
            #expect(
                failure { _ = try desk.access.signIn.withPassword("new", "x", from: Desk.stranger) }?.code
                    == .signInNeeded)
        }
    }

    @Test("a hash made with an older cost is made anew at the next sign-in", arguments: Database.Kind.here)
    func rehash(kind: Database.Kind) throws {
        try withDesk(kind) { desk in
            func hash() throws -> String? {
                try desk.store.read { try $0.row("SELECT password_hash FROM member")?.text("password_hash") }
            }
            let before = try hash()
            desk.access.policy.passwordCost = PasswordHash.Cost(passes: 2, memoryBytes: 16_384)
            _ = try desk.access.signIn.withPassword("ada@example.org", Desk.adasPassword, from: Desk.home)
            #expect(try hash() != before)
            #expect(try hash()?.contains("m=16,t=2") == true)
            _ = try desk.access.signIn.withPassword("ada@example.org", Desk.adasPassword, from: Desk.home)
        }
    }
}

@Suite("Passwords")
struct PasswordsTests {
    @Test("ten characters are enough, of any kind, unless everybody tries them first")
    func rules() throws {
        try withDesk(.sqlite) { desk in
            let passwords = desk.access.passwords
            for good in ["plum kettle", "éèàùçôîïëü", "ааааббббвв", "mfhqzplwnx", "        spaces too "] {
                #expect(passwords.objection(to: good, names: ["Ada"]) == nil, "\(good)")
            }
            for bad in [
                "", "short", "123456789", "1234567890", "Password123", "aaaaaaaaaaaa", "abcabcabcabc",
                "QWERTYUIOP",
                "ada@example.org", String(repeating: "long ", count: 300),
            ] {
                #expect(passwords.objection(to: bad, names: ["Ada", "ada@example.org"]) != nil, "\(bad)")
            }
        }
    }

    @Test("changing it takes the old one and ends all other sessions", arguments: Database.Kind.here)
    func change(kind: Database.Kind) throws {
        try withDesk(kind) { desk in
            let phone = try desk.access.signIn.withPassword(
                "ada@example.org", Desk.adasPassword, from: Desk.stranger)
            let change = { (current: String?, new: String) in
                try desk.access.passwords.change(from: current, to: new, by: desk.ada.caller, from: Desk.home)
            }
            #expect(failure { try change("wrong password", "plum kettle") }?.field == "current")
            #expect(failure { try change(nil, "plum kettle") }?.field == "current")
            #expect(failure { try change(Desk.adasPassword, "short") }?.field == "new")
            try change(Desk.adasPassword, "plum kettle")
            #expect(try desk.isPresent(desk.ada))
            #expect(try desk.presence(phone) == .nobody)
            #expect(
                failure {
                    _ = try desk.access.signIn.withPassword(
                        "ada@example.org", Desk.adasPassword, from: Desk.home)
                } != nil)
            _ = try desk.access.signIn.withPassword("ada@example.org", "plum kettle", from: Desk.home)
        }
    }

    @Test(
        "a lost one is set anew at the machine, which also lifts the lock-out", arguments: Database.Kind.here)
    func reset(kind: Database.Kind) throws {
        try withDesk(kind) { desk in
            for _ in 0..<6 {
                _ = failure {
                    _ = try desk.access.signIn.withPassword("ada@example.org", "wrong", from: Desk.home)
                }
            }
            let id = desk.ada.member.id
            #expect(
                failure { try desk.access.passwords.reset(id, to: "plum kettle", by: desk.ada.caller) }?.code
                    == .denied)
            try desk.access.passwords.reset(id, to: "plum kettle", by: .local)
            #expect(try desk.presence(desk.ada) == .nobody)
            _ = try desk.access.signIn.withPassword("ada@example.org", "plum kettle", from: Desk.home)
        }
    }

    @Test("a recovery code gives a new password, once", arguments: Database.Kind.here)
    func recovery(kind: Database.Kind) throws {
        try withDesk(kind) { desk in
            let old = try desk.access.recoveryCodes.make(by: desk.ada.caller, from: Desk.home)
            let codes = try desk.access.recoveryCodes.make(by: desk.ada.caller, from: Desk.home)
            #expect(Set(codes).count == 10 && codes.allSatisfy { $0.count == 19 })
            func recover(_ code: String, _ password: String = "plum kettle") throws -> SignedIn {
                try desk.access.signIn.withRecoveryCode(
                    "ada@example.org", code: code, newPassword: password, from: Desk.stranger)
            }
            #expect(failure { _ = try recover(old[0]) }?.code == .signInNeeded)
            #expect(failure { _ = try recover(codes[0], "short") }?.field == "newPassword")
            let back = try recover(codes[0].lowercased().replacing("-", with: " "))
            #expect(back.session.method == .recoveryCode)
            #expect(try desk.presence(desk.ada) == .nobody)
            #expect(try desk.access.recoveryCodes.remaining(of: desk.ada.member.id) == 9)
            #expect(failure { _ = try recover(codes[0]) } != nil)
            _ = try desk.access.signIn.withPassword("ada@example.org", "plum kettle", from: Desk.home)
        }
    }

    @Test("what could be done with a browser found open asks first who is there")
    func freshProof() throws {
        try withDesk(.sqlite) { desk in
            desk.clock.advance(.seconds(3600))
            #expect(
                failure { _ = try desk.access.recoveryCodes.make(by: desk.ada.caller, from: Desk.home) }?
                    .field == "proof")
            var phone = try Phone()
            #expect(failure { try desk.register(&phone) }?.field == "proof")
            try desk.access.signIn.unlock(desk.ada.session, password: Desk.adasPassword, from: Desk.home)
            try desk.register(&phone)
            _ = try desk.access.recoveryCodes.make(by: desk.ada.caller, from: Desk.home)
        }
    }
}
