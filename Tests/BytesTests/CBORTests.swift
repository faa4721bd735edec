import Bytes
import Testing

@Suite("CBOR")
struct CBORTests {
    @Test(
        "The examples of RFC 8949 appendix A",
        arguments: [
            ("00", .unsigned(0)), ("1903e8", .unsigned(1000)), ("1bffffffffffffffff", .unsigned(.max)),
            ("20", CBOR(-1)), ("3903e7", CBOR(-1000)), ("3bffffffffffffffff", .negative(.max)),
            ("f93c00", .float(1)), ("f90001", .float(5.960464477539063e-8)), ("f9c400", .float(-4)),
            ("f97c00", .float(.infinity)), ("fa47c35000", .float(100_000)),
            ("fb3ff199999999999a", .float(1.1)),
            ("f4", .bool(false)), ("f6", .null), ("f7", .undefined), ("f0", .simple(16)),
            ("f8ff", .simple(255)),
            ("4401020304", .bytes([1, 2, 3, 4])), ("62c3bc", .text("ü")),
            ("83010203", .array([.unsigned(1), .unsigned(2), .unsigned(3)])),
            ("c11a514b67b0", .tagged(1, .unsigned(1_363_896_240))), ("a0", .map([])),
        ] as [(String, CBOR)])
    func examples(hex: String, value: CBOR) throws {
        #expect(try CBOR(decoding: Hex.decode(hex)!) == value)
        #expect(try CBOR(decoding: value.encoded) == value)
    }

    @Test("A key for passkeys is found by its numbers")
    func keys() throws {
        let key = try CBOR(decoding: Hex.decode("a301020326215820" + String(repeating: "ab", count: 32))!)
        #expect(key[1]?.integer == 2)
        #expect(key[3]?.integer == -7)
        #expect(key[-2]?.bytes?.count == 32)
        #expect(key[9] == nil)
        #expect(key["fmt"] == nil)
    }

    @Test("A value is read where it stands, and the cursor waits behind it")
    func prefix() throws {
        var reader = ByteReader([0x82, 1, 2, 0xFF])
        #expect(try CBOR(from: &reader)[1] == nil)
        #expect(reader.offset == 3)
    }

    @Test(
        "What is not canonical or not whole is refused",
        arguments: [
            "", "18", "1c", "5f4101ff", "9fff", "bfff", "62c328", "8301", "a10102a1", "a201010102", "f818",
            "fc",
            "9bffffffffffffffff", "5bffffffffffffffff", "bb7fffffffffffffff", "0000", "c1",
        ])
    func refusal(hex: String) {
        #expect(throws: ByteError.self) { try CBOR(decoding: Hex.decode(hex)!) }
    }

    @Test("Depth and number of values have limits")
    func limits() {
        #expect(throws: ByteError.self) { try CBOR(decoding: [UInt8](repeating: 0x81, count: 1000) + [0]) }
        #expect(throws: ByteError.self) { try CBOR(decoding: [UInt8](repeating: 0xC1, count: 1000) + [0]) }
        #expect(throws: ByteError.self) {
            try CBOR(decoding: [0x99, 0x20, 0x00] + [UInt8](repeating: 0, count: 0x2000))
        }
    }

    @Test("Spoilt bytes never crash, and what is accepted reads the same once written")
    func fuzzing() throws {
        let seed = CBOR.map([
            CBOR.Entry(.text("fmt"), .text("none")), CBOR.Entry(.text("attStmt"), .map([])),
            CBOR.Entry(.text("authData"), .bytes((0..<60).map { UInt8($0) })),
            CBOR.Entry(CBOR(-2), .array([.float(1.5), .bool(true), .null, .tagged(24, .unsigned(70_000))])),
        ]).encoded
        var mutator = Mutator(seed: 8949)
        for _ in 0..<30_000 {
            let spoilt = mutator.spoil(seed)
            do {
                let value = try CBOR(decoding: spoilt)
                let encoded = value.encoded
                #expect(try CBOR(decoding: encoded).encoded == encoded)
            } catch {
                #expect((0...spoilt.count).contains(error.offset))
            }
        }
    }
}
