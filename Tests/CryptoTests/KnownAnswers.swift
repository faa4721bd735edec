import Crypto
import Testing

@Suite("Digests, keyed digests and derived keys give the answers their standards print")
struct KnownAnswers {
    @Test(
        "SHA-256 answers as FIPS 180-4's examples",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func sha256(text: String, digest: String) {
        #expect(hex(SHA256.hash(text)) == digest)
    }

    @Test("a million letters in uneven pieces have the same digest as in one, and the stream can begin again")
    func streamed() {
        let letters = [UInt8](repeating: 0x61, count: 1_000_000)
        var stream = SHA256Stream()
        var rest = letters[...]
        var step = 1
        while !rest.isEmpty {
            stream.update(Array(rest.prefix(step)))
            rest = rest.dropFirst(step)
            step = step * 3 + 1
        }
        let answer = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        #expect(hex(stream.finish()) == answer)
        stream.update(letters)
        #expect(hex(stream.finish()) == answer)
    }

    @Test("HMAC-SHA-256 answers as RFC 4231")
    func hmac() {
        #expect(
            hex(HMAC.sha256(key: [UInt8](repeating: 0x0b, count: 20), message: Array("Hi There".utf8)))
                == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
        #expect(
            hex(HMAC.sha256(key: Array("Jefe".utf8), message: Array("what do ya want for nothing?".utf8)))
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        let long = "Test Using Larger Than Block-Size Key - Hash Key First"
        #expect(
            hex(HMAC.sha256(key: [UInt8](repeating: 0xaa, count: 131), message: Array(long.utf8)))
                == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
        #expect(
            hex(HMAC.sha256(key: [], message: []))
                == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
    }

    @Test("HKDF answers as RFC 5869, with and without salt")
    func hkdf() {
        let secret = [UInt8](repeating: 0x0b, count: 22)
        #expect(
            hex(HMAC.derive(secret: secret, salt: Array(0...12), info: Array(0xf0...0xf9), count: 42))
                == "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865")
        #expect(
            hex(HMAC.derive(secret: secret, info: [], count: 42))
                == "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8")
    }

    @Test("comparing without telling by time still tells right from wrong")
    func comparing() {
        #expect(constantTimeEquals([1, 2, 3], [1, 2, 3]))
        #expect(!constantTimeEquals([1, 2, 3], [1, 2, 4]))
        #expect(!constantTimeEquals([1, 2, 3], [1, 2]))
        #expect(constantTimeEquals([], []))
    }
}
