import Access
import Bytes
import Crypto
import SQL
import Storage
import Testing
import TestSupport
import Work

@Suite("Passkeys")
struct PasskeysTests {
    @Test("somebody signs in with a passkey without typing a name", arguments: Database.Kind.here)
    func usernameless(kind: Database.Kind) throws {
        try withDesk(kind) { desk in
            for algorithm in SignatureAlgorithm.allCases {
                var phone = try Phone(algorithm, credential: UInt8(truncatingIfNeeded: algorithm.rawValue))
                try desk.register(&phone)
                let signedIn = try desk.signIn(&phone)
                #expect(signedIn.member.name == "Ada")
                #expect(signedIn.session.method == .passkey)
                #expect(try desk.isPresent(signedIn))
            }
            #expect(try desk.access.passkeys.list(of: desk.ada.member.id).count == 3)
        }
    }

    @Test("the questions ask for a discoverable key, for the user's verification and for no attestation")
    func options() throws {
        try withDesk(.sqlite) { desk in
            var phone = try Phone()
            try desk.register(&phone)
            let creation = try desk.access.passkeys.registrationOptions(for: desk.ada.caller, at: Desk.party)
            #expect(creation["authenticatorSelection"]?["residentKey"] == "required")
            #expect(creation["authenticatorSelection"]?["userVerification"] == "required")
            #expect(creation["attestation"] == "none")
            #expect(creation["rp"]?["id"] == "desk.example")
            #expect(creation["pubKeyCredParams"]?.array?.compactMap { $0["alg"]?.int } == [-7, -8, -257])
            #expect(creation["excludeCredentials"]?[0]?["id"]?.string == Base64.urlEncode(phone.credential))
            // The handle tells a stolen phone nothing about its owner.
            #expect(creation["user"]?["id"]?.string.flatMap(Base64.urlDecode)?.count == 32)

            let request = try desk.access.passkeys.signInOptions(at: Desk.party, from: Desk.home)
            #expect(request["userVerification"] == "required")
            #expect(request["allowCredentials"] == [])
            #expect(request["challenge"] != creation["challenge"])
        }
    }

    @Test("a device's own word for its key is checked, and one by certificate is refused")
    func attestation() throws {
        try withDesk(.sqlite) { desk in
            var own = try Phone(credential: 1)
            own.attestation = .itself
            try desk.register(&own)
            var certified = try Phone(credential: 2)
            certified.attestation = .certified
            #expect(failure { try desk.register(&certified) }?.code == .invalid)
        }
    }

    @Test(
        "a registration that is wrong in one way adds nothing",
        arguments: [
            "origin", "another site's page", "relying party", "presence", "verification", "backup flags",
        ])
    func wrongRegistration(what: String) throws {
        try withDesk(.sqlite) { desk in
            var phone = try Phone()
            spoil(&phone, what)
            #expect(failure { try desk.register(&phone) }?.code == .invalid)
            #expect(try desk.access.passkeys.list(of: desk.ada.member.id).isEmpty)
            #expect(try desk.verbs().first == "passkey.refused")
        }
    }

    @Test(
        "an answer that is wrong in one way signs nobody in",
        arguments: [
            "origin", "another site's page", "relying party", "presence", "verification", "backup flags",
        ])
    func wrongAssertion(what: String) throws {
        try withDesk(.sqlite) { desk in
            var phone = try Phone()
            try desk.register(&phone)
            spoil(&phone, what)
            #expect(failure { _ = try desk.signIn(&phone) }?.code == .signInNeeded)
            #expect(try desk.verbs().first == "sign-in.failed")
        }
    }

    private func spoil(_ phone: inout Phone, _ what: String) {
        switch what {
        case "origin": phone.origin = "https://desk.example.evil.example"
        case "another site's page": phone.crossOrigin = true
        case "relying party": phone.relyingParty = "evil.example"
        case "presence": phone.flags = Phone.userVerified
        case "verification": phone.flags = Phone.userPresent
        default: phone.flags |= Phone.backedUp
        }
    }

    @Test("an answer counts once, and not for another question", arguments: Database.Kind.here)
    func replay(kind: Database.Kind) throws {
        try withDesk(kind) { desk in
            var phone = try Phone()
            let creation = try desk.access.passkeys.registrationOptions(for: desk.ada.caller, at: Desk.party)
            let created = try phone.create(creation)
            try desk.access.passkeys.register(created, by: desk.ada.caller, from: Desk.home)
            #expect(
                failure { try desk.access.passkeys.register(created, by: desk.ada.caller, from: Desk.home) }?
                    .code
                    == .invalid)

            let request = try desk.access.passkeys.signInOptions(at: Desk.party, from: Desk.home)
            let answer = try phone.get(request)
            _ = try desk.access.signIn.withPasskey(answer, from: Desk.home)
            #expect(
                failure { _ = try desk.access.signIn.withPasskey(answer, from: Desk.home) }?.code
                    == .signInNeeded)

            let invented = try phone.get(
                request, challenge: Base64.urlEncode([UInt8](repeating: 7, count: 32)))
            #expect(failure { _ = try desk.access.signIn.withPasskey(invented, from: Desk.home) } != nil)

            // A question for registering does not sign in, and one for signing in does not unlock.
            let other = try desk.access.passkeys.registrationOptions(for: desk.ada.caller, at: Desk.party)
            let crossed = try phone.get(other)
            #expect(failure { _ = try desk.access.signIn.withPasskey(crossed, from: Desk.home) } != nil)
            let signIn = try phone.get(desk.access.passkeys.signInOptions(at: Desk.party, from: Desk.home))
            #expect(
                failure { try desk.access.signIn.unlock(desk.ada.session, passkey: signIn, from: Desk.home) }
                    != nil)
        }
    }

    @Test("a question is good for five minutes")
    func expiry() throws {
        try withDesk(.sqlite) { desk in
            var phone = try Phone()
            try desk.register(&phone)
            let request = try desk.access.passkeys.signInOptions(at: Desk.party, from: Desk.home)
            desk.clock.advance(.seconds(300))
            let answer = try phone.get(request)
            #expect(failure { _ = try desk.access.signIn.withPasskey(answer, from: Desk.home) } != nil)
        }
    }

    @Test("a question asked for one member does not add a passkey to another")
    func boundToMember() throws {
        try withDesk(.sqlite) { desk in
            let grace = try desk.join("Grace", as: .editor)
            var phone = try Phone()
            let options = try desk.access.passkeys.registrationOptions(for: grace.caller, at: Desk.party)
            let created = try phone.create(options)
            #expect(
                failure { try desk.access.passkeys.register(created, by: desk.ada.caller, from: Desk.home) }
                    != nil)
        }
    }

    @Test("a wrong signature, an unknown key and a wrong user are refused")
    func wrongKey() throws {
        try withDesk(.sqlite) { desk in
            var phone = try Phone()
            try desk.register(&phone)
            var imitation = try Phone()
            imitation.handle = phone.handle
            #expect(failure { _ = try desk.signIn(&imitation) }?.cause == "the signature is wrong")
            var unknown = try Phone(credential: 9)
            unknown.handle = phone.handle
            #expect(failure { _ = try desk.signIn(&unknown) }?.cause == "no such passkey")
            var misled = phone
            misled.handle = [1, 2, 3]
            #expect(failure { _ = try desk.signIn(&misled) }?.cause == "the passkey belongs to somebody else")
            let options = try desk.access.passkeys.signInOptions(at: Desk.party, from: Desk.home)
            let nameless = try phone.get(options, withHandle: false)
            #expect(failure { _ = try desk.access.signIn.withPasskey(nameless, from: Desk.home) } != nil)
        }
    }

    @Test("a counter that goes back or stands still gives a copied key away", arguments: Database.Kind.here)
    func counter(kind: Database.Kind) throws {
        try withDesk(kind) { desk in
            var phone = try Phone()
            phone.counter = 5
            try desk.register(&phone)
            #expect(failure { _ = try desk.signIn(&phone) }?.cause == "counter went back from 5 to 5")
            phone.counter = 6
            _ = try desk.signIn(&phone)
            phone.counter = 4
            #expect(failure { _ = try desk.signIn(&phone) }?.cause == "counter went back from 6 to 4")
            phone.counter = 4_000_000_000
            _ = try desk.signIn(&phone)
            phone.counter = 0
            #expect(failure { _ = try desk.signIn(&phone) } != nil)
        }
    }

    @Test("a passkey is renamed and removed by its owner alone, and never the last way in")
    func keeping() throws {
        try withDesk(.sqlite) { desk in
            var phone = try Phone(credential: 1)
            var stick = try Phone(credential: 2)
            let first = try desk.register(&phone)
            let second = try desk.register(&stick, name: "Blue stick")
            #expect(first.name == "Firefox on Linux" && second.name == "Blue stick")

            let grace = try desk.join("Grace", as: .owner)
            #expect(
                failure { try desk.access.passkeys.rename(first.id, to: "Mine", by: grace.caller) }?.code
                    == .notFound)
            #expect(
                failure { try desk.access.passkeys.remove(first.id, by: grace.caller, from: Desk.home) }?.code
                    == .notFound)

            #expect(
                try desk.access.passkeys.rename(first.id, to: "Phone", by: desk.ada.caller).name == "Phone")
            try desk.access.passwords.remove(by: desk.ada.caller, from: Desk.home)
            try desk.access.passkeys.remove(first.id, by: desk.ada.caller, from: Desk.home)
            #expect(
                failure { try desk.access.passkeys.remove(second.id, by: desk.ada.caller, from: Desk.home) }?
                    .code
                    == .conflict)
            #expect(failure { _ = try desk.signIn(&phone) } != nil)
            _ = try desk.signIn(&stick)
        }
    }

    @Test("the same passkey cannot be added twice, nor to two members")
    func twice() throws {
        try withDesk(.sqlite) { desk in
            var phone = try Phone()
            try desk.register(&phone)
            #expect(failure { try desk.register(&phone) }?.code == .conflict)
        }
    }

    @Test("a passkey made for one address of the desk does not open it under another")
    func otherAddress() throws {
        try withDesk(.sqlite) { desk in
            var phone = try Phone()
            try desk.register(&phone)
            let elsewhere = RelyingParty(
                id: "other.example", name: "Quire", origins: ["https://other.example"])
            phone.origin = "https://other.example"
            phone.relyingParty = "other.example"
            let options = try desk.access.passkeys.signInOptions(at: elsewhere, from: Desk.home)
            let answer = try phone.get(options)
            #expect(failure { _ = try desk.access.signIn.withPasskey(answer, from: Desk.home) } != nil)
        }
    }

    @Test("passkeys are offered where browsers allow them: HTTPS with a name, or localhost")
    func parties() {
        #expect(RelyingParty(origin: "https://desk.example")?.id == "desk.example")
        #expect(RelyingParty(origin: "https://Desk.Example:8443")?.origins == ["https://desk.example:8443"])
        #expect(RelyingParty(origin: "http://localhost:8080")?.id == "localhost")
        for origin in [
            "http://desk.example", "https://192.168.1.20", "https://[::1]", "http://localhost.evil.example",
            "desk", "",
            "https://", "https://a/b", "https://desk.example:", "https://desk.example:80x",
        ] {
            #expect(RelyingParty(origin: origin) == nil, "\(origin)")
        }
    }
}
