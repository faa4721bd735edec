import Crypto
import Testing

@Suite("Passwords are kept as Argon2id hashes")
struct PasswordHashes {
    @Test("a password opens its own hash and no other does")
    func opens() throws {
        let hash = try PasswordHash.make("correct horse", cost: .least)
        #expect(hash.hasPrefix("$argon2id$v=19$m=8,t=1,p=1$"))
        #expect(PasswordHash.verify("correct horse", against: hash))
        #expect(!PasswordHash.verify("correct hors", against: hash))
        #expect(!PasswordHash.verify("", against: hash))
    }

    @Test("two hashes of one password differ, because each has its own salt")
    func salted() throws {
        let first = try PasswordHash.make("hunter2hunter2", cost: .least)
        #expect(try PasswordHash.make("hunter2hunter2", cost: .least) != first)
    }

    @Test("letters beyond ASCII and a zero byte count")
    func letters() throws {
        let hash = try PasswordHash.make("Größe\u{0}1", cost: .least)
        #expect(PasswordHash.verify("Größe\u{0}1", against: hash))
        #expect(!PasswordHash.verify("Größe\u{0}2", against: hash))
        #expect(!PasswordHash.verify("Größe", against: hash))
    }

    @Test("a hash made by the reference program is understood")
    func interoperates() {
        // echo -n password | argon2 somesalt -id -t 1 -m 6 -p 1 -l 24: libargon2's own test suite, RFC version 1.3.
        let hash = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
        #expect(PasswordHash.verify("password", against: hash))
        #expect(!PasswordHash.verify("passwore", against: hash))
    }

    @Test("nonsense in place of a hash opens nothing and asks to be made anew")
    func damaged() throws {
        let hash = try PasswordHash.make("correct horse", cost: .least)
        let damaged = [
            "", "x", "$argon2id$", String(hash.dropLast(4)), hash + String(repeating: "A", count: 200),
            hash.replacing("m=8", with: "m=99999999999999"), hash + "\u{0}",
        ]
        for text in damaged {
            #expect(!PasswordHash.verify("correct horse", against: text))
        }
        #expect(PasswordHash.needsRehash("nonsense"))
    }

    @Test("a hash made with another cost asks to be made anew")
    func rehash() throws {
        let hash = try PasswordHash.make("correct horse", cost: .least)
        #expect(!PasswordHash.needsRehash(hash, cost: .least))
        #expect(PasswordHash.needsRehash(hash, cost: .standard))
    }
}
