import Bytes
import Crypto
import Testing

@Suite("Signatures")
struct Signatures {
    @Test(
        "Ed25519 signs and verifies as RFC 8032 §7.1",
        arguments: [
            (
                "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
                "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
                "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
            ),
            (
                "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
                "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
                "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
            ),
            (
                "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
                "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
                "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
            ),
        ])
    func ed25519(seed: String, key: String, message: String, signature: String) throws {
        let pair = try PrivateKey(ed25519Seed: bytes(hex: seed))
        #expect(pair.publicKey == (try PublicKey(ed25519: bytes(hex: key))))
        #expect(hex(try pair.sign(bytes(hex: message))) == signature)
        #expect(pair.publicKey.verify(bytes(hex: signature), of: bytes(hex: message)))
        #expect(!pair.publicKey.verify(bytes(hex: signature), of: bytes(hex: message) + [0]))
    }

    @Test("ES256 accepts the example of RFC 6979 §A.2.5")
    func es256() throws {
        let key = try PublicKey(
            es256X: bytes(hex: "60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6"),
            y: bytes(hex: "7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299"))
        let signature =
            [0x30, 0x46, 0x02, 0x21, 0x00]
            + bytes(hex: "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716")
            + [0x02, 0x21, 0x00]
            + bytes(hex: "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8")
        #expect(key.verify(signature, of: Array("sample".utf8)))
        #expect(!key.verify(signature, of: Array("Sample".utf8)))
    }

    @Test("every algorithm signs what it verifies, and nothing else", arguments: SignatureAlgorithm.allCases)
    func roundTrip(algorithm: SignatureAlgorithm) throws {
        let message = Array("the document bytes".utf8)
        let mine = try PrivateKey.make(algorithm)
        let other = try PrivateKey.make(algorithm)
        let signature = try mine.sign(message)
        #expect(mine.publicKey.verify(signature, of: message))
        #expect(!other.publicKey.verify(signature, of: message))
        #expect(!mine.publicKey.verify(signature, of: message + [0]))
        for index in signature.indices {
            var changed = signature
            changed[index] ^= 0x10
            #expect(!mine.publicKey.verify(changed, of: message))
        }
        for count in [0, 1, signature.count - 1] {
            #expect(!mine.publicKey.verify(Array(signature.prefix(count)), of: message))
        }
        #expect(!mine.publicKey.verify(signature + [0], of: message))
    }

    @Test("the openssl command accepts our signatures", arguments: [SignatureAlgorithm.es256, .rs256])
    func secondOpinion(algorithm: SignatureAlgorithm) throws {
        try withFolder { folder in
            let key = try PrivateKey.make(algorithm)
            let message = Array("the document bytes".utf8)
            write(message, to: folder + "/message")
            write(try key.sign(message), to: folder + "/signature")
            write(key.publicKey.der, to: folder + "/key.der")
            let answer = shell(
                """
                cd \(folder) && openssl pkey -pubin -inform DER -in key.der -out key.pem \
                && openssl dgst -sha256 -verify key.pem -signature signature message
                """)
            #expect(answer.output == "Verified OK\n")
        }
    }

    @Test("we accept the openssl command's signatures")
    func theirs() throws {
        try withFolder { folder in
            let key = try PrivateKey.make(.es256)
            write(Array(try key.pem().utf8), to: folder + "/key.pem")
            write(Array("message".utf8), to: folder + "/message")
            let answer = shell("cd \(folder) && openssl dgst -sha256 -sign key.pem -out signature message")
            #expect(answer.succeeded, "\(answer.output)")
            #expect(key.publicKey.verify(read(folder + "/signature"), of: Array("message".utf8)))
        }
    }

    @Test("a key survives the form authenticators use", arguments: SignatureAlgorithm.allCases)
    func cose(algorithm: SignatureAlgorithm) throws {
        let key = try PrivateKey.make(algorithm).publicKey
        let encoded = key.cose.encoded
        #expect(try PublicKey(cose: CBOR(decoding: encoded)) == key)
        guard case .map(let parts) = key.cose else { return }
        for index in parts.indices {
            var fewer = parts
            fewer.remove(at: index)
            #expect(throws: CryptoError.self) { try PublicKey(cose: .map(fewer)) }
        }
        let more = parts + [CBOR.Entry(CBOR(4), .array([CBOR(2)]))]
        #expect(throws: CryptoError.self) { try PublicKey(cose: .map(more)) }
    }

    @Test("numbers that make no key are refused")
    func badKeys() {
        let ones = [UInt8](repeating: 1, count: 32)
        #expect(throws: CryptoError.self) { try PublicKey(es256X: ones, y: ones) }
        #expect(throws: CryptoError.self) { try PublicKey(es256X: [], y: []) }
        #expect(throws: CryptoError.self) { try PublicKey(es256X: ones + [1], y: ones) }
        #expect(throws: CryptoError.self) { try PublicKey(ed25519: Array(ones.dropLast())) }
        let modulus = [0xC0] + [UInt8](repeating: 0x55, count: 255)
        #expect(throws: CryptoError.self) {
            try PublicKey(rs256Modulus: Array(modulus.dropLast()), exponent: [3])
        }
        #expect(throws: CryptoError.self) { try PublicKey(rs256Modulus: modulus, exponent: [1]) }
        #expect(throws: CryptoError.self) { try PublicKey(rs256Modulus: modulus, exponent: [4]) }
        #expect(throws: CryptoError.self) { try PublicKey(rs256Modulus: modulus, exponent: []) }
        #expect(throws: CryptoError.self) { try PublicKey(rs256Modulus: [], exponent: [3]) }
        #expect(throws: CryptoError.self) { try PrivateKey(ed25519Seed: [1]) }
    }
}
