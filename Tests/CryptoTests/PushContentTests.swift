import Bytes
import Crypto
import Testing

@Suite("Words for browsers")
struct PushContentTests {
    /// The example of RFC 8291, section 5 and appendix A.
    @Test("are sealed as the standard's own example is")
    func example() throws {
        func bytes(_ text: String) throws -> [UInt8] { try #require(Base64.urlDecode(text)) }
        let own = try key(bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
        let browser = try PublicKey(
            es256Point: bytes(
                "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"))
        let sealed = try PushContent.sealed(
            Array("When I grow up, I want to be a watermelon".utf8), for: browser,
            secret: bytes("BTBZMqHH6r4Tts7J_aSIgg"), salt: bytes("DGv6ra1nlYgDCS1FRnbzlw"), own: own)
        #expect(
            Base64.urlEncode(sealed)
                == "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
        )
    }

    @Test("need a key that lies on the curve, and one that agrees")
    func keys() throws {
        let own = try PrivateKey.make(.es256)
        let point = own.publicKey.point
        #expect(try PublicKey(es256Point: point) == own.publicKey)
        var off = point
        off[64] ^= 1
        for wrong in [off, Array(point.dropLast()), [2] + point.dropFirst(), []] {
            #expect(throws: CryptoError.self) { try PublicKey(es256Point: wrong) }
        }
        let other = try PrivateKey.make(.es256)
        #expect(try own.agreement(with: other.publicKey) == other.agreement(with: own.publicKey))
        let signer = try PrivateKey.make(.edDSA)
        #expect(signer.publicKey.point.isEmpty)
        #expect(throws: CryptoError.self) { try signer.agreement(with: other.publicKey) }
    }

    @Test("come from a key that is kept as text, and signs as web tokens are signed")
    func kept() throws {
        let own = try PrivateKey.make(.es256)
        let again = try PrivateKey(pem: own.pem())
        #expect(again.publicKey == own.publicKey)
        for round in 0..<50 {
            let signature = try again.webSignature(of: [UInt8(round)])
            #expect(signature.count == 64)
            #expect(own.publicKey.verify(der(signature), of: [UInt8(round)]))
        }
        #expect(throws: CryptoError.self) { try PrivateKey(pem: "-----BEGIN PRIVATE KEY-----\n") }
        #expect(throws: CryptoError.self) { try PrivateKey.make(.edDSA).webSignature(of: [1]) }
    }

    /// Two numbers as OpenSSL writes them.
    private func der(_ signature: [UInt8]) -> [UInt8] {
        let numbers = [signature.prefix(32), signature.suffix(32)].flatMap { half -> [UInt8] in
            var number = Array(half.drop { $0 == 0 })
            if (number.first ?? 0x80) >= 0x80 { number.insert(0, at: 0) }
            return [2, UInt8(number.count)] + number
        }
        return [0x30, UInt8(numbers.count)] + numbers
    }

    /// PKCS #8 around the bare number of a P-256 key.
    private func key(_ number: [UInt8]) throws -> PrivateKey {
        let head: [UInt8] = [
            0x30, 0x41, 0x02, 0x01, 0x00, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01,
            0x06,
            0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x04, 0x27, 0x30, 0x25, 0x02, 0x01, 0x01,
            0x04,
            0x20,
        ]
        return try PrivateKey(
            pem:
                "-----BEGIN PRIVATE KEY-----\n\(Base64.encode(head + number))\n-----END PRIVATE KEY-----\n")
    }
}
