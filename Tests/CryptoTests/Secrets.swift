import Crypto
import Glibc
import Testing

@Suite("Secrets at rest")
struct Secrets {
    let key = try? SealingKey(bytes: Array(0..<32))

    @Test("a sealed secret opens with the same key for the same place")
    func opens() throws {
        let key = try #require(key)
        for secret in [[], [1], [UInt8](repeating: 7, count: 10_000)] as [[UInt8]] {
            let sealed = key.seal(secret, for: "mail.password")
            #expect(key.open(sealed, for: "mail.password") == secret)
            #expect(key.open(sealed, for: "s3.secret") == nil)
            #expect(try SealingKey(bytes: Array(1...32)).open(sealed, for: "mail.password") == nil)
        }
    }

    @Test("sealing twice gives different bytes, so equal secrets do not show")
    func fresh() throws {
        let key = try #require(key)
        #expect(key.seal([1, 2, 3], for: "a") != key.seal([1, 2, 3], for: "a"))
    }

    @Test("a sealed secret with any byte changed or missing does not open")
    func tampered() throws {
        let key = try #require(key)
        let sealed = key.seal(Array("swordfish".utf8), for: "a")
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(key.open(changed, for: "a") == nil)
            #expect(key.open(Array(sealed.prefix(index)), for: "a") == nil)
        }
    }

    @Test("the key file is made once, for its owner alone")
    func file() throws {
        try withFolder { folder in
            let path = folder + "/secrets.key"
            let sealed = try SealingKey.kept(at: path).seal([9], for: "a")
            #expect(try SealingKey.kept(at: path).open(sealed, for: "a") == [9])
            var facts = stat()
            #expect(stat(path, &facts) == 0 && facts.st_mode & 0o777 == 0o600 && facts.st_size == 32)
            #expect(shell("ls -A \(folder)").output == "secrets.key\n")
        }
    }

    @Test("a key file that others may read, of another length or that is a link is refused")
    func badFiles() throws {
        try withFolder { folder in
            let path = folder + "/secrets.key"
            write(Array(0..<32), to: path, mode: 0o640)
            #expect(throws: CryptoError.self) { try SealingKey.kept(at: path) }
            write(Array(0..<31), to: path)
            #expect(throws: CryptoError.self) { try SealingKey.kept(at: path) }
            write(Array(0..<33), to: path)
            #expect(throws: CryptoError.self) { try SealingKey.kept(at: path) }
            unlink(path)
            symlink("/dev/zero", path)
            #expect(throws: CryptoError.self) { try SealingKey.kept(at: path) }
            #expect(throws: CryptoError.self) { try SealingKey.kept(at: folder + "/none/secrets.key") }
        }
    }

    @Test("a token reads back, hides itself when printed, and refuses every other form")
    func tokens() throws {
        let token = Token(prefix: "quire_api", random: SecureRandom.bytes(32))
        #expect(Token(token.text, prefix: "quire_api") == token)
        #expect(Token(token.text, prefix: "quire_session") == nil)
        #expect(token.digest == SHA256.hash(token.text))
        #expect("\(token)" == "quire_api_…")
        for text in [
            "", "quire_api_", token.text + "A", String(token.text.dropLast()), token.text + "=",
            " " + token.text,
        ] {
            #expect(Token(text, prefix: "quire_api") == nil)
        }
        #expect(Token(String(token.text.dropLast()) + "é", prefix: "quire_api") == nil)
    }
}
