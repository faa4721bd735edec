import Bytes
import Crypto
import Testing
import TestSupport
import Work

@testable import Access

@Suite("Nonsense from authenticators and browsers")
struct PasskeyFuzzing {
    static let party = RelyingParty(id: "desk.example", name: "Quire", origins: ["https://desk.example"])

    @Test("ten thousand damaged attestations are refused, and none brings us down")
    func attestations() throws {
        var phone = try Phone()
        phone.attestation = .itself
        let whole = try phone.create(["challenge": "AAAA", "user": ["id": "AQ"]])
        let bytes = try #require(
            whole["response"]?["attestationObject"]?.string.flatMap(Base64.urlDecode))
        #expect(throws: Never.self) { try Registration(whole, for: Self.party) }

        let chance = Chance.seeded(1813)
        var accepted = 0
        for round in 0..<10_000 {
            var damaged = bytes
            switch round % 4 {
            case 0: damaged = Array(bytes.prefix(round / 4 % bytes.count))
            case 1: damaged[chance.integer(below: damaged.count)] ^= UInt8(1 << chance.integer(below: 8))
            case 2: damaged.insert(chance.bytes(1)[0], at: chance.integer(below: damaged.count))
            default:
                for _ in 0..<8 { damaged[chance.integer(below: damaged.count)] = chance.bytes(1)[0] }
            }
            guard damaged != bytes else { continue }
            let json = replacing("attestationObject", in: whole, with: .string(Base64.urlEncode(damaged)))
            if (try? Registration(json, for: Self.party)) != nil { accepted += 1 }
        }
        #expect(accepted == 0)
    }

    @Test("ten thousand damaged assertions are refused")
    func assertions() throws {
        var phone = try Phone()
        let whole = try phone.get(["challenge": "AAAA"])
        let chance = Chance.seeded(1852)
        let key = phone.key.publicKey
        try Assertion(whole, for: Self.party).check(key, storedCount: 0)
        var accepted = 0
        for round in 0..<10_000 {
            let part = ["clientDataJSON", "authenticatorData", "signature"][round % 3]
            var bytes = try #require(whole["response"]?[part]?.string.flatMap(Base64.urlDecode))
            if round % 2 == 0 {
                bytes[chance.integer(below: bytes.count)] ^= UInt8(1 << chance.integer(below: 8))
            } else {
                bytes = Array(bytes.prefix(chance.integer(below: bytes.count)))
            }
            let json = replacing(part, in: whole, with: .string(Base64.urlEncode(bytes)))
            if let assertion = try? Assertion(json, for: Self.party),
                (try? assertion.check(key, storedCount: 0)) != nil
            {
                accepted += 1
            }
        }
        #expect(accepted == 0)
    }

    @Test("answers of any other shape are refused")
    func shapes() {
        let shapes: [JSON] = [
            nil, [], [:], "x", 3, ["type": "public-key"], ["id": "AQ", "type": "public-key", "response": []],
            ["id": "", "type": "public-key", "response": [:]],
            ["id": "A", "type": "public-key", "response": [:]],
            ["id": "AQ", "rawId": "Ag", "type": "public-key", "response": [:]],
            ["id": "AQ", "type": "password", "response": [:]],
            ["id": "AQ", "type": "public-key", "response": ["clientDataJSON": 1]],
            [
                "id": "AQ", "type": "public-key",
                "response": ["clientDataJSON": "e30", "authenticatorData": ""],
            ],
            [
                "id": "AQ", "type": "public-key",
                "response": ["clientDataJSON": .string(String(repeating: "A", count: 1 << 20))],
            ],
        ]
        for shape in shapes {
            #expect(throws: PasskeyRefusal.self) { try Registration(shape, for: Self.party) }
            #expect(throws: PasskeyRefusal.self) { try Assertion(shape, for: Self.party) }
        }
    }

    @Test("“none” that says something, unknown forms and extra members are refused")
    func attestationForms() throws {
        let phone = try Phone()
        let object = try CBOR(decoding: try phone.attestationObject([]))
        let data = try #require(object["authData"])
        func encoded(_ format: CBOR, _ statement: CBOR, _ more: [CBOR.Entry] = []) -> [UInt8] {
            CBOR.map(
                [
                    CBOR.Entry(.text("fmt"), format), CBOR.Entry(.text("attStmt"), statement),
                    CBOR.Entry(.text("authData"), data),
                ] + more
            ).encoded
        }
        #expect(throws: Never.self) { try AttestationObject(encoded(.text("none"), .map([]))) }
        let refused = [
            encoded(.text("none"), .map([CBOR.Entry(.text("sig"), .bytes([]))])),
            encoded(.text("none"), .null),
            encoded(.text("tpm"), .map([])), encoded(.text("android-safetynet"), .map([])),
            encoded(.null, .map([])),
            encoded(.text("packed"), .map([])),
            encoded(.text("none"), .map([]), [CBOR.Entry(.text("x"), .null)]),
            encoded(.text("none"), .map([])) + [0],
        ]
        for bytes in refused {
            #expect(throws: PasskeyRefusal.self) { try AttestationObject(bytes) }
        }
    }

    private func replacing(_ part: String, in json: JSON, with value: JSON) -> JSON {
        func rebuilt(_ json: JSON?, _ change: (String, JSON) -> JSON) -> JSON {
            .object(JSONObject((json?.object ?? [:]).map { ($0.key, change($0.key, $0.value)) }))
        }
        let response = rebuilt(json["response"]) { $0 == part ? value : $1 }
        return rebuilt(json) { $0 == "response" ? response : $1 }
    }
}
