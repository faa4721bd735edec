import Access
import Bytes
import Crypto
import SQL
import Storage
import Testing
import TestSupport
import Work

@Suite("Passkeys of newcomers")
struct NewcomerTests {
    @Test("the first owner can start with a passkey and nothing else", arguments: Database.Kind.here)
    func firstOwner(kind: Database.Kind) throws {
        try withEmptyDesk(kind) { access, _ in
            var phone = try Phone()
            let asked = try access.passkeys.newcomerOptions(
                name: "Ada", signInName: "ada@example.org", at: Desk.party, from: Desk.machine)
            #expect(asked.publicKey["user"]?["displayName"] == "Ada")
            let made = NewPasskey(try phone.create(asked.publicKey), ceremony: asked.ceremony)
            let ada = try access.firstOwner.setUp(
                name: "Ada", signInName: "ada@example.org", password: nil, passkey: made, from: Desk.machine)
            #expect(!ada.member.hasPassword)
            #expect(try access.passkeys.list(of: ada.member.id).map(\.name) == ["Firefox on Linux"])

            let options = try access.passkeys.signInOptions(at: Desk.party, from: Desk.home)
            #expect(
                try access.signIn.withPasskey(phone.get(options), from: Desk.home).member.id == ada.member.id)
        }
    }

    @Test("whoever is invited can start with a passkey", arguments: Database.Kind.here)
    func invited(kind: Database.Kind) throws {
        try withDesk(kind) { desk in
            let invitation = try desk.access.invitations.make(role: .editor, by: desk.ada.caller)
            var phone = try Phone()
            let asked = try desk.access.passkeys.newcomerOptions(
                name: "Grace", signInName: "grace", at: Desk.party, from: Desk.home)
            let made = NewPasskey(try phone.create(asked.publicKey), ceremony: asked.ceremony, name: "Phone")
            let grace = try desk.access.invitations.accept(
                invitation.token.text, name: "Grace", signInName: "grace", password: nil, passkey: made,
                from: Desk.home)
            #expect(grace.caller.role == .editor)
            #expect(try desk.signIn(&phone).member.name == "Grace")
        }
    }

    @Test("a passkey that was not asked for, or was answered before, makes no account")
    func refused() throws {
        try withEmptyDesk(.sqlite) { access, clock in
            func setUp(_ passkey: NewPasskey) -> Failure? {
                failure {
                    _ = try access.firstOwner.setUp(
                        name: "Ada", signInName: "ada", password: nil, passkey: passkey, from: Desk.machine)
                }
            }
            func ask() throws -> (publicKey: JSON, ceremony: String) {
                try access.passkeys.newcomerOptions(
                    name: "Ada", signInName: "ada", at: Desk.party, from: Desk.machine)
            }
            var phone = try Phone()
            let first = try ask()
            let second = try ask()
            let crossed = NewPasskey(try phone.create(first.publicKey), ceremony: second.ceremony)
            #expect(setUp(crossed)?.code == .invalid)
            // The question was used up by the wrong answer.
            let late = NewPasskey(try phone.create(first.publicKey), ceremony: first.ceremony)
            #expect(setUp(late)?.code == .invalid)
            #expect(setUp(NewPasskey([:], ceremony: "?"))?.code == .invalid)
            clock.advance(.seconds(300))
            let expired = NewPasskey(try phone.create(second.publicKey), ceremony: second.ceremony)
            #expect(setUp(expired)?.code == .invalid)
            #expect(try access.firstOwner.isMissing())
        }
    }
}
